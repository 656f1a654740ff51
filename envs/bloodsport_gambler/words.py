"""The words of effects: what may be written after each verb, the parser of texts such as `wound(target, 3)`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, Final

from cardzoo.envs.bloodsport_gambler.cards import KINDS, MAX_EFFECTS, SCOPES, VERBS, WEAPON_TYPES, WHOS
from cardzoo.envs.bloodsport_gambler.state import MAX_TARGETS
from cardzoo.envs.core.fields import Checker, Whole, alternatives, shown, suggestion

MAX_NUMBER: Final = 9
EXAMPLE: Final = '"wound(target, 3)"'

SECRET: Final = "secret"  # noqa: S105 - beside KINDS, the kind of card that stands for the secrets
ACTION_WHOS: Final = ("target", "foe", "both")
SECRET_WHOS: Final = ("left", "right", "both", "favourite", "underdog", "wounded")

_TEXT: Final = re.compile(r"\s*(\w*)\s*(?:\((.*)\)\s*)?", re.ASCII)
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,6}", re.ASCII)


@dataclass(frozen=True)
class Part:
    """One thing that is written in the brackets after a verb.

    Attributes:
        key: its key in the form of a mapping, and its name for people.
        field: the field of `Effect` that it gives.
        words: allowed words and what they stand for; a part without words is a number.
        low: lowest number.
        high: highest number.
        label: True if the key is written before the number.
    """

    key: str
    field: str
    words: Mapping[str, int | str] = dataclass_field(default_factory=dict)
    low: int = -MAX_NUMBER
    high: int = MAX_NUMBER
    label: bool = False

    @property
    def sign(self) -> str:
        """How the form of a verb shows the part."""
        return f"{self.key} N" if self.label else "N" if not self.words else self.key

    def allowed(self) -> str:
        """What may stand there, for people."""
        return alternatives(self.words) if self.words else f"a whole number from {self.low} to {self.high}"

    def parse(self, text: str) -> Any:
        """The word or number that a text says; a text that says no number is returned as it is."""
        words = text.split()
        if self.label and (len(words) != 2 or words[0] != self.key):
            return text
        number = words[-1] if words else ""
        return int(number) if not self.words and _NUMBER.fullmatch(number) and len(words) == 1 + self.label else text

    def read(self, value: Any) -> int | str:
        """What a word or number stands for; ValueError if it is not allowed."""
        if not self.words:
            return Whole(self.low, self.high).check(value)
        if not isinstance(value, str) or value not in self.words:
            raise ValueError(f"must be {self.allowed()}, not {shown(value)}{suggestion(value, self.words)}")
        return self.words[value]

    def write(self, value: int | str) -> str:
        """The canonical text of what the part stands for."""
        if self.words:
            return next(word for word, meaning in self.words.items() if meaning == value)
        number = f"{value:+d}" if self.low < 0 else str(value)
        return f"{self.key} {number}" if self.label else number


@dataclass(frozen=True)
class Form:
    """What a verb asks for.

    Attributes:
        kinds: the kinds of cards that may have it.
        parts: what follows in brackets, in this order.
        alone: words of the first part after which nothing follows.
    """

    kinds: tuple[str, ...]
    parts: tuple[Part, ...] = ()
    alone: tuple[str, ...] = ()

    def parts_after(self, first: Any) -> tuple[Part, ...]:
        """The parts, when `first` is written for the first of them."""
        return self.parts[:1] if first in self.alone else self.parts


D, S, R, P = KINDS
X = SECRET
ANY_ACTION: Final = (D, S, R, P)

_SCOPE: Final = Part("scope", "scope", {word: word for word in SCOPES[1:]})
_LOOKS: Final = Part("n", "a", low=1, high=MAX_TARGETS)
_WHO: Final = Part("who", "who", {word: word for word in WHOS[1:]})
_STR: Final = Part("str", "a", label=True)
_DEX: Final = Part("dex", "b", label=True)
_KEEP: Final = Part("keep", "a", {"high": 1, "low": -1})
_TYPE: Final = Part("type", "a", {word: number for number, word in enumerate(WEAPON_TYPES)})
_CHANGE: Final = Part("n", "a")
_COUNT: Final = Part("n", "a", low=1)

FORMS: Final = {
    "look": Form((D,), (_SCOPE, _LOOKS), alone=("fighter", "fight")),
    "stat": Form((S, X), (_WHO, _STR, _DEX)),
    "score": Form((S, R, X), (_WHO, _CHANGE)),
    "dice": Form((S, X), (_WHO, _KEEP)),
    "ties": Form((S, X), (_WHO,)),
    "reroll": Form((R,), (_WHO,)),
    "wound": Form((S, R, X), (_WHO, _COUNT)),
    "heal": Form((S, R, X), (_WHO, _COUNT)),
    "life": Form((S, X), (_WHO, _CHANGE)),
    "damage": Form((S, R, X), (_WHO, _CHANGE)),
    "weapon_type": Form((S, X), (_WHO, _TYPE)),
    "swap_weapons": Form((S,)),
    "replace_weapon": Form((S,), (_WHO,)),
    "replace_secret": Form((P,)),
    "coin": Form((D, P), (_COUNT,)),
    "time": Form(ANY_ACTION, (_COUNT,)),
    "draw": Form(ANY_ACTION, (_COUNT,)),
    "guard": Form(ANY_ACTION, (_CHANGE,)),
}


@dataclass(frozen=True)
class Effect:
    """One parsed effect; empty texts and zeros stand for what is not there.

    Attributes:
        verb: one of VERBS.
        scope: what a look shows, one of SCOPES.
        who: the fighters concerned, one of WHOS.
        a: the number; STR of `stat`; 1 (high) or -1 (low) of `dice`; index in WEAPON_TYPES of `weapon_type`.
        b: DEX of `stat`.
    """

    verb: str
    scope: str = ""
    who: str = ""
    a: int = 0
    b: int = 0

    def __str__(self) -> str:
        """The effect in its canonical text."""
        parts = FORMS[self.verb].parts_after(self.scope)
        words = ", ".join(part.write(getattr(self, part.field)) for part in parts)
        return f"{self.verb}({words})" if words else self.verb


def parse_effect(value: Any) -> Effect:
    """Read one effect.

    Args:
        value: what the card file says: a text, or a mapping with the key `verb` and the keys of the verb's parts.

    Raises:
        ValueError: a sentence's end that says what is wrong and what is allowed.
    """
    if isinstance(value, Mapping):
        return _from_mapping(value)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"must be an effect such as {EXAMPLE}, not {shown(value)}")
    match = _TEXT.fullmatch(value)
    if match is None:
        raise ValueError(
            f"{shown(value)} must be a verb and what belongs to it in brackets, such as {EXAMPLE}, in quotes because "
            "of the comma"
        )
    verb, inner = match.groups()
    form = _form(verb, shown(value))
    texts = [text.strip() for text in inner.split(",")] if inner and inner.strip() else []
    parts = form.parts_after(texts[0] if texts else None)
    words = [part.sign for part in parts]
    written = f'the form is "{verb}({", ".join(words)})"' if words else f'the form is "{verb}"'
    if len(texts) > len(parts):
        extra = ", ".join(texts[len(parts) :])
        raise ValueError(f"{shown(value)}: nothing more is allowed, but {shown(extra)} is there; {written}")
    given = {part.key: part.parse(text) for part, text in zip(parts, texts, strict=False)}
    return _read(verb, parts, given, shown(value), written)


def _from_mapping(value: Mapping[Any, Any]) -> Effect:
    """Read an effect in the form of a mapping."""
    verb = value.get("verb")
    if not isinstance(verb, str):
        raise ValueError("must name the verb of each effect, as {verb: wound, who: target, n: 3} does")
    subject = shown(verb)
    form = _form(verb, subject)
    parts = form.parts_after(value.get(form.parts[0].key) if form.parts else None)
    keys = ["verb", *(part.key for part in parts)]
    for key in value:
        if key not in keys:
            raise ValueError(
                f"{subject} has an unknown key {shown(key)}; allowed are {alternatives(keys, 'and')}"
                f"{suggestion(key, keys)}"
            )
    written = f"the keys are {alternatives(keys, 'and')}"
    return _read(verb, parts, {key: value[key] for key in keys[1:] if key in value}, subject, written)


def _form(verb: str, subject: str) -> Form:
    """The form of a verb."""
    form = FORMS.get(verb)
    if form is None:
        problem = "an unknown verb" if verb else "no verb"
        raise ValueError(f"{subject} has {problem}; allowed are {alternatives(VERBS, 'and')}{suggestion(verb, VERBS)}")
    return form


def _read(verb: str, parts: tuple[Part, ...], given: Mapping[str, Any], subject: str, written: str) -> Effect:
    """Make an effect of the values given for its parts."""
    values: dict[str, Any] = {}
    for part in parts:
        label = f"{subject}: the {'number' if part.key == 'n' else part.key} of {verb}"
        if part.key not in given:
            raise ValueError(f"{label} must be {part.allowed()}, but nothing is there; {written}")
        try:
            values[part.field] = part.read(given[part.key])
        except ValueError as problem:
            raise ValueError(f"{label} {problem}; {written}") from None
    return Effect(verb, **values)


def check_fit(effect: Effect, kind: str) -> None:
    """Hold an effect to the verbs and targets that a kind of card has; `kind` is one of KINDS, or SECRET.

    Raises:
        ValueError: a sentence's end that says what is wrong and what is allowed.
    """
    card = SECRET if kind == SECRET else f"{kind} card"
    if kind not in FORMS[effect.verb].kinds:
        verbs = [verb for verb, form in FORMS.items() if kind in form.kinds]
        raise ValueError(f'"{effect}" is not allowed on a {card}, which may have {alternatives(verbs)}')
    whos = SECRET_WHOS if kind == SECRET else ACTION_WHOS
    if effect.who and effect.who not in whos:
        raise ValueError(f'"{effect}": the who of a {card} must be {alternatives(whos)}, not {shown(effect.who)}')


@dataclass(frozen=True)
class EffectList(Checker):
    """A field that holds a list of 1 to MAX_EFFECTS effects, at most one of them a look.

    Attributes:
        kind: the kind of card, if it is the same for all cards of the model; else the model calls `check_fit`.
    """

    kind: str = ""

    def check(self, value: Any) -> tuple[Effect, ...]:
        """Parse each effect of the list `value`; effects that are parsed already are taken as they are."""
        if not isinstance(value, (list, tuple)):
            raise ValueError(f"must be a list of effects, not {shown(value)}")
        for item in value:
            if isinstance(item, str) and "(" in item and ")" not in item:  # torn apart at its comma
                parse_effect(item)
        if not 1 <= len(value) <= MAX_EFFECTS:
            raise ValueError(f"must have 1 to {MAX_EFFECTS} effects, not {len(value)}")
        effects = tuple(item if isinstance(item, Effect) else parse_effect(item) for item in value)
        if sum(effect.verb == "look" for effect in effects) > 1:
            raise ValueError("must have at most one look")
        if self.kind:
            for effect in effects:
                check_fit(effect, self.kind)
        return effects
