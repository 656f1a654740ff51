"""The steps of effects: what may be written after each verb, the parser of texts such as `levy 2 armament 7 one`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from cardzoo.envs.battle_requiem.cards import BRANCHES, GROUPS, KINDS, MAX_STEPS, ROLES, VERBS
from cardzoo.envs.battle_requiem.state import MAX_BOOST, MAX_EXTRA, MAX_INVENTORY, MAX_SKIP
from cardzoo.envs.core.fields import Checker, alternatives, shown, suggestion

Part: TypeAlias = Literal["role", "n", "kinds", "m", "who"]

PART_NAMES: Final[dict[Part, str]] = {
    "role": "role",
    "n": "number",
    "kinds": "kinds",
    "m": "HP",
    "who": "target",
}
PART_SIGNS: Final[dict[Part, str]] = {"role": "role", "n": "N", "kinds": "kinds", "m": "M", "who": "who"}

OWN: Final = ("self", "ally", "team")
FOES: Final = ("one", "all")
ONLY_ONE: Final = ("one",)
ANYONE: Final = OWN + FOES

HIT_POINTS: Final = (1, 30)
CARDS: Final = (1, 8)
CHANGES: Final = (-MAX_BOOST, MAX_BOOST)
SIZES: Final = (1 - MAX_INVENTORY, MAX_INVENTORY - 1)  # more would never be reached

_KIND_WORDS: Final = {**{kind: 1 << number for number, kind in enumerate(KINDS)}, **GROUPS}
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,6}", re.ASCII)


@dataclass(frozen=True)
class Form:
    """What follows a verb.

    Attributes:
        parts: the fields of `Step` that are written, in this order.
        whos: words allowed for `who`.
        n: lowest and highest N; 0 is never allowed, because it would do nothing.
    """

    parts: tuple[Part, ...]
    whos: tuple[str, ...] = ()
    n: tuple[int, int] = (0, 0)


FORMS: Final = {
    "heal": Form(("n", "who"), OWN, HIT_POINTS),
    "harm": Form(("n", "who"), FOES, HIT_POINTS),
    "drain": Form(("n", "who"), FOES, HIT_POINTS),
    "pay": Form(("n",), n=HIT_POINTS),
    "draw": Form(("n", "who"), OWN, CARDS),
    "redraw": Form(("who",), ANYONE),
    "steal": Form(("n", "who"), FOES, CARDS),
    "rob": Form(("n", "who"), ONLY_ONE, CARDS),
    "tribute": Form(("n", "who"), FOES, CARDS),
    "levy": Form(("n", "kinds", "m", "who"), FOES, CARDS),
    "shatter": Form(("kinds", "who"), FOES),
    "burn": Form(("n", "kinds", "who"), FOES, HIT_POINTS),
    "reveal": Form(("who",), FOES),
    "salvage": Form(("n", "kinds"), n=CARDS),
    "reclaim": Form(("n",), n=(1, 3)),
    "swap": Form(("who",), ONLY_ONE),
    "turns": Form(("n",), n=(1, MAX_EXTRA)),
    "skip": Form(("n", "who"), FOES, (1, MAX_SKIP)),
    "veil": Form(("who",), OWN),
    "boost": Form(("role", "n", "who"), ANYONE, CHANGES),
    "resize": Form(("n", "who"), ANYONE, SIZES),
}


@dataclass(frozen=True)
class Step:
    """One parsed step; empty texts and zeros stand for what is not there."""

    verb: str
    branch: str = ""
    who: str = ""
    n: int = 0
    kinds: int = 0  # bit mask of 1 << kind
    m: int = 0  # HP that a levy costs
    role: str = ""

    def __str__(self) -> str:
        """The step in its canonical text."""
        form = FORMS[self.verb]
        words = [self.branch, self.verb]
        for part in form.parts:
            if part == "kinds":
                words.append(kinds_text(self.kinds))
            elif part == "n":
                words.append(f"{self.n:+d}" if form.n[0] < 0 else str(self.n))
            else:
                words.append(str(getattr(self, part)))
        return " ".join(word for word in words if word)


def kinds_text(mask: int) -> str:
    """The shortest words for a bit mask of kinds, joined by `+`."""
    words = []
    for word in ("any", "armament", "guard", *KINDS):
        bits = _KIND_WORDS[word]
        if mask & bits == bits:
            words.append(word)
            mask &= ~bits
    return "+".join(words)


def parse_step(text: Any) -> Step:
    """Read one step.

    Args:
        text: what the card file says.

    Raises:
        ValueError: a sentence's end that says what is wrong and what is allowed.
    """
    if not isinstance(text, str) or not text.split():
        raise ValueError(f'must be a step such as "heal 5 self", not {shown(text)}')
    words = text.split()
    branch = words.pop(0) if words[0] in BRANCHES else ""
    verb = words.pop(0) if words else ""
    form = FORMS.get(verb)
    if form is None:
        problem = "an unknown verb" if verb else "no verb"
        raise ValueError(
            f"{shown(text)} has {problem}; allowed are {alternatives(VERBS, 'and')}{suggestion(verb, VERBS)}"
        )
    values: dict[str, Any] = {}
    written = f'the form is "{" ".join([verb, *(PART_SIGNS[part] for part in form.parts)])}"'
    for part in form.parts:
        demand = f"{shown(text)}: the {PART_NAMES[part]} of {verb} must be {_allowed(part, form)}"
        if not words:
            raise ValueError(f"{demand}, but nothing is there; {written}")
        word = words.pop(0)
        value = _read(part, form, word)
        if not value:  # no part may be 0 or empty
            close = "" if "+" in word else suggestion(word, _choices(part, form))
            raise ValueError(f"{demand}, not {shown(word)}{close}")
        values[part] = value
    if words:
        raise ValueError(
            f"{shown(text)}: nothing is allowed after that step, but {shown(' '.join(words))} is there; {written}"
        )
    return Step(verb, branch, **values)


def _range(part: Part, form: Form) -> tuple[int, int]:
    """Lowest and highest number of a part that is a number."""
    return form.n if part == "n" else HIT_POINTS


def _choices(part: Part, form: Form) -> tuple[str, ...]:
    """The words for a part; none if it is a number."""
    return {"role": ROLES[1:], "kinds": tuple(_KIND_WORDS), "who": form.whos}.get(part, ())


def _allowed(part: Part, form: Form) -> str:
    """What may stand for a part, for people."""
    if choices := _choices(part, form):
        several = " (or several joined by +, none named twice)" if part == "kinds" else ""
        return alternatives(choices) + several
    low, high = _range(part, form)
    return f"a whole number from {low} to {high}{' other than 0' if low < 0 else ''}"


def _read(part: Part, form: Form, word: str) -> int | str:
    """The value that a word says for a part; 0 or empty if it says none."""
    if part == "kinds":
        return _read_kinds(word)
    if choices := _choices(part, form):
        return word if word in choices else ""
    low, high = _range(part, form)
    return int(word) if _NUMBER.fullmatch(word) and low <= int(word) <= high else 0


def _read_kinds(word: str) -> int:
    """The bit mask of kinds joined by `+`; 0 if a word is unknown or a kind is named twice."""
    mask = 0
    for name in word.split("+"):
        bits = _KIND_WORDS.get(name, 0)
        if not bits or mask & bits:
            return 0
        mask |= bits
    return mask


@dataclass(frozen=True)
class StepList(Checker):
    """A field that holds an effect: a list of 1 to MAX_STEPS steps, in both branches or in none."""

    def check(self, value: Any) -> tuple[Step, ...]:
        """Parse each step of the list `value`; steps that are parsed already are taken as they are."""
        if not isinstance(value, (list, tuple)):
            raise ValueError(f"must be a list of steps, not {shown(value)}")
        if not 1 <= len(value) <= MAX_STEPS:
            raise ValueError(f"must have 1 to {MAX_STEPS} steps, not {len(value)}")
        steps = tuple(item if isinstance(item, Step) else parse_step(item) for item in value)
        branches = [branch for branch in BRANCHES[1:] if any(step.branch == branch for step in steps)]
        if len(branches) == 1:
            raise ValueError(f"must have steps of both branches, first and second, or of none, not only {branches[0]}")
        return steps
