"""The words of cards: names of symbols and colours, effects, the parser of texts such as `fill(heart, star)`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cardzoo.envs.core.fields import Checker, Identifier, OneOf, Whole, alternatives, shown, suggestion
from cardzoo.envs.teddies_vs_monsters.cards import ANY, COLOURS, SYMBOLS
from cardzoo.envs.teddies_vs_monsters.state import TRAP_PRICE

ANY_SIGN: Final = "?"  # how `any` is printed on cards; it may be written so, too
MOST_FILLS: Final = 2
EXAMPLE: Final = '"fill(heart, star)"'

_TEXT: Final = re.compile(r"\s*(\w*)\s*(?:\((.*)\)\s*)?", re.ASCII)
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,6}", re.ASCII)


@dataclass(frozen=True)
class Colour(Checker):
    """A colour or `any`; with `optional` also nothing."""

    optional: bool = False

    def check(self, value: Any) -> str | None:
        """Return the colour, `any` for its sign."""
        if value is None and self.optional:
            return None
        colour: str = OneOf(*COLOURS, ANY).check(ANY if isinstance(value, str) and value == ANY_SIGN else value)
        return colour


@dataclass(frozen=True)
class SymbolList(Checker):
    """A list of `low` to `high` names of symbols, or `any`; whether the team has them, the whole file says."""

    low: int
    high: int

    def check(self, value: Any) -> tuple[str, ...]:
        """Return the names, `any` for its sign."""
        if not isinstance(value, (list, tuple)):
            raise ValueError(f"must be a list of {self.allowed()}, not {shown(value)}")
        if not self.low <= len(value) <= self.high:
            raise ValueError(f"must have {self.allowed()}, not {len(value)}")
        return tuple(self._name(item) for item in value)

    def allowed(self) -> str:
        """How many there may be, for people."""
        return f"{self.low} {'or' if self.high - self.low == 1 else 'to'} {self.high} symbols"

    def _name(self, item: Any) -> str:
        if isinstance(item, str) and item == ANY_SIGN:
            return ANY
        try:
            return Identifier().check(item)
        except ValueError:
            raise ValueError(f"must hold names of symbols, or {ANY}, not {shown(item)}") from None


@dataclass(frozen=True)
class TeamSymbols(Checker):
    """The names of a team's symbols, all different."""

    def check(self, value: Any) -> tuple[str, ...]:
        """Return the names."""
        if not isinstance(value, (list, tuple)):
            raise ValueError(f"must be a list of {SYMBOLS} symbols, not {shown(value)}")
        if len(value) != SYMBOLS:
            raise ValueError(f"must have {SYMBOLS} symbols, not {len(value)}")
        for number, name in enumerate(value):
            try:
                Identifier().check(name)
            except ValueError as problem:
                raise ValueError(f"has a wrong name: it {problem}") from None
            if name == ANY:
                raise ValueError(f"must not have a symbol named {ANY}, because that stands for every symbol")
            if name in value[:number]:
                raise ValueError(f"must have {SYMBOLS} different symbols, but {shown(name)} is there twice")
        return tuple(value)


@dataclass(frozen=True)
class Form:
    """What a verb asks for.

    Attributes:
        written: how it is written as a text, for people.
        key: the key of what follows in brackets in the form of a mapping; empty: nothing follows.
        field: the field of `Effect` that it gives.
        most: how many words may stand in the brackets.
    """

    written: str
    key: str = ""
    field: str = ""
    most: int = 0

    def allowed(self) -> str:
        """What may stand in the brackets, for people."""
        if self.key == "symbols":
            return SymbolList(1, MOST_FILLS).allowed()
        return alternatives((*COLOURS, ANY)) if self.key == "colour" else f"a whole number from 1 to {TRAP_PRICE}"

    def parse(self, texts: list[str]) -> Any:
        """The value that the words in the brackets say; a word that says no number is returned as it is."""
        if self.key == "symbols":
            return texts
        return int(texts[0]) if self.key == "n" and _NUMBER.fullmatch(texts[0]) else texts[0]

    def read(self, value: Any) -> Any:
        """What a value stands for; ValueError if it is not allowed."""
        if self.key == "symbols":
            return SymbolList(1, MOST_FILLS).check(value)
        return Colour().check(value) if self.key == "colour" else Whole(1, TRAP_PRICE).check(value)


FORMS: Final = {
    "fill": Form('"fill(symbol)" or "fill(symbol, symbol)"', "symbols", "symbols", MOST_FILLS),
    "strike": Form('"strike(colour)"', "colour", "colour", 1),
    "blast": Form('"blast"'),
    "snare": Form('"snare(colour)"', "colour", "colour", 1),
    "pay": Form('"pay(N)"', "n", "number", 1),
    "unlock": Form('"unlock(colour)"', "colour", "colour", 1),
}
AGAINST_FOES: Final = ("strike", "blast", "snare")  # a card has one of them at most, so `to foe` says what it does


@dataclass(frozen=True)
class Effect:
    """One parsed effect.

    Attributes:
        verb: one of FORMS.
        symbols: what `fill` supplies to a row, 1 or 2 symbols; of other verbs nothing.
        colour: of strike, snare and unlock; of other verbs None.
        number: of `pay`; of other verbs 0.
    """

    verb: str
    symbols: tuple[str, ...] = ()
    colour: str | None = None
    number: int = 0

    def __str__(self) -> str:
        """The effect in its canonical text."""
        inner = ", ".join(self.symbols) or self.colour or (str(self.number) if self.number else "")
        return f"{self.verb}({inner})" if inner else self.verb


def parse_effect(value: Any) -> Effect:
    """Read one effect.

    Args:
        value: what the card file says: a text, or a mapping with the key `verb` and the key of what belongs to it.

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
    written = f"the form is {form.written}"
    if len(texts) > form.most:
        extra = ", ".join(texts[form.most :])
        raise ValueError(f"{shown(value)}: nothing more is allowed, but {shown(extra)} is there; {written}")
    return _read(verb, {form.key: form.parse(texts)} if texts else {}, shown(value), written)


def _from_mapping(value: Mapping[Any, Any]) -> Effect:
    """Read an effect in the form of a mapping."""
    verb = value.get("verb")
    if not isinstance(verb, str):
        raise ValueError("must name the verb of each effect, as {verb: fill, symbols: [heart, star]} does")
    form = _form(verb, shown(verb))
    keys = ["verb", form.key] if form.key else ["verb"]
    for key in value:
        if key not in keys:
            raise ValueError(
                f"{shown(verb)} has an unknown key {shown(key)}; allowed {'are' if form.key else 'is'} "
                f"{alternatives(keys, 'and')}{suggestion(key, keys)}"
            )
    written = f"the keys are {alternatives(keys, 'and')}"
    return _read(verb, {key: value[key] for key in keys[1:] if key in value}, shown(verb), written)


def _form(verb: str, subject: str) -> Form:
    """The form of a verb."""
    form = FORMS.get(verb)
    if form is None:
        problem = "an unknown verb" if verb else "no verb"
        raise ValueError(f"{subject} has {problem}; allowed are {alternatives(FORMS, 'and')}{suggestion(verb, FORMS)}")
    return form


def _read(verb: str, given: Mapping[str, Any], subject: str, written: str) -> Effect:
    """Make an effect of what is given for its key."""
    form = FORMS[verb]
    if not form.key:
        return Effect(verb)
    label = f"{subject}: the {'number' if form.key == 'n' else form.key} of {verb}"
    if form.key not in given:
        raise ValueError(f"{label} must be {form.allowed()}, but nothing is there; {written}")
    try:
        return Effect(verb, **{form.field: form.read(given[form.key])})
    except ValueError as problem:
        raise ValueError(f"{label} {problem}; {written}") from None


@dataclass(frozen=True)
class EffectList(Checker):
    """A card's field that holds the list of its effects, each verb at most once, or nothing."""

    def check(self, value: Any) -> tuple[Effect, ...] | None:
        """Parse each effect of the list `value`; effects that are parsed already are taken as they are."""
        if value is None:
            return None
        if not isinstance(value, (list, tuple)):
            raise ValueError(f"must be a list of effects, not {shown(value)}")
        if not value:
            raise ValueError("must have at least one effect; leave it out for those of the card's kind")
        effects = tuple(item if isinstance(item, Effect) else parse_effect(item) for item in value)
        verbs = [effect.verb for effect in effects]
        for number, verb in enumerate(verbs):
            if verb in verbs[:number]:
                raise ValueError(f"must have each verb at most once, but {verb} is there twice")
        against = [verb for verb in verbs if verb in AGAINST_FOES]
        if len(against) > 1:
            allowed = alternatives(AGAINST_FOES, "and")
            raise ValueError(f"must have at most one of {allowed}, not {alternatives(against, 'and')}")
        return effects
