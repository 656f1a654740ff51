"""Effect texts of cards: a closed vocabulary that a game declares, a parser, and rows of integers for kernels.

The form is ``[may] verb [scope] [filter] [number or word]``, as in ``may move_char opp base<=2`` or ``draw 2``.
Nothing here knows a game: a game lists its verbs with the scopes, filters and numbers that each of them takes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.fields import IDENTIFIER, Checker, alternatives, shown, suggestion

# Columns of an encoded effect.
VERB = 0
MAY = 1
SCOPE = 2
FILTER = 3
FILTER_N = 4
N = 5
NUM_COLUMNS = 6

_NUMBER = re.compile(r"[+-]?[0-9]{1,6}", re.ASCII)


@dataclass(frozen=True)
class Verb:
    """One verb of a game's vocabulary.

    Attributes:
        code: integer for kernels, from 1.
        parts: parts of a card it may stand in, for example ("play", "mode").
        scopes: word -> code; empty: the verb takes no scope, else exactly one is required.
        card_scopes: those scopes that are followed by a card id (kept in column FILTER_N as a type index).
        filters: whether a filter may follow.
        number: lowest and highest number, None: takes no number.
        words: word -> code of words that stand in the number's place.
        may: scopes with which `may` is allowed (the verb itself where it takes no scope), None: never.
    """

    code: int
    parts: tuple[str, ...]
    scopes: Mapping[str, int] = field(default_factory=dict)
    card_scopes: tuple[str, ...] = ()
    filters: bool = False
    number: tuple[int, int] | None = None
    words: Mapping[str, int] = field(default_factory=dict)
    may: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Filter:
    """One filter: a plain word (`number` None), or a prefix such as ``base<=`` followed by a number in range."""

    code: int
    number: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """One parsed effect; empty texts and zeros stand for what is not there."""

    verb: str
    may: bool = False
    scope: str = ""
    card: str = ""
    filter: str = ""
    filter_n: int = 0
    word: str = ""
    number: int | None = None

    def __str__(self) -> str:
        """The effect in its canonical text (`+1` and `1` are the same)."""
        filter_text = f"{self.filter}{self.filter_n}" if self.filter[-1:] == "=" else self.filter
        number = "" if self.number is None else str(self.number)
        parts = ("may" if self.may else "", self.verb, self.scope, self.card, filter_text, self.word, number)
        return " ".join(part for part in parts if part)


@dataclass(frozen=True)
class Vocabulary:
    """All verbs and filters of a game."""

    verbs: Mapping[str, Verb]
    filters: Mapping[str, Filter] = field(default_factory=dict)

    def parse(self, text: Any, part: str) -> Effect:
        """Read one effect.

        Args:
            text: what the card file says.
            part: the part of the card it stands in, for example "play".

        Raises:
            ValueError: a sentence's end that says what is wrong and what is allowed.
        """
        if not isinstance(text, str) or not text.split():
            raise ValueError(f"must be an effect such as {shown(self._example(part))}, not {shown(text)}")
        words = text.split()
        may = words[0] == "may"
        if may:
            words = words[1:]
        name = words.pop(0) if words else ""
        verb = self.verbs.get(name)
        here = [other for other, entry in self.verbs.items() if part in entry.parts]
        if verb is None:
            raise ValueError(
                f"{shown(text)} has an unknown verb; allowed are {alternatives(here, 'and')}{suggestion(name, here)}"
            )
        if part not in verb.parts:
            raise ValueError(f"{shown(text)}: {name} cannot stand here; allowed are {alternatives(here, 'and')}")
        scope, card = self._scope(text, name, verb, words)
        if may and (verb.may is None or (scope or name) not in verb.may):
            optional = self._optional(part)
            hint = f"; it is allowed on {alternatives(optional, 'and')}" if optional else ""
            raise ValueError(f"{shown(text)}: may is not allowed here, because there is nothing to choose{hint}")
        filter_name, filter_n = self._filter(text, name, verb, words)
        word, number = self._argument(text, name, verb, words)
        if words:
            raise ValueError(
                f"{shown(text)}: nothing is allowed after that effect, but {shown(' '.join(words))} is there"
            )
        return Effect(name, may, scope, card, filter_name, filter_n, word, number)

    def encode(self, effect: Effect, type_index: Mapping[str, int]) -> tuple[int, int, int, int, int, int]:
        """The row (VERB, MAY, SCOPE, FILTER, FILTER_N, N) of an effect; `type_index` resolves card ids."""
        verb = self.verbs[effect.verb]
        filter_n = type_index[effect.card] if effect.card else effect.filter_n
        number = effect.number if effect.number is not None else verb.words.get(effect.word, 0)
        filter_code = self.filters[effect.filter].code if effect.filter else 0
        return verb.code, int(effect.may), verb.scopes.get(effect.scope, 0), filter_code, filter_n, number

    def _example(self, part: str) -> str:
        """A valid effect for an error about something that is none."""
        name, verb = next((name, verb) for name, verb in self.verbs.items() if part in verb.parts)
        number = "" if verb.number is None else f" {max(verb.number[0], 1)}"
        return f"{name}{number}" if not verb.scopes else f"{name} {next(iter(verb.scopes))}{number}"

    def _optional(self, part: str) -> list[str]:
        """The verbs of a part that may be made optional."""
        return [name for name, verb in self.verbs.items() if verb.may is not None and part in verb.parts]

    def _scope(self, text: str, name: str, verb: Verb, words: list[str]) -> tuple[str, str]:
        """Take the scope, and the card id that some scopes need, off `words`."""
        if not verb.scopes:
            return "", ""
        if not words or words[0] not in verb.scopes:
            found = f"not {shown(words[0])}" if words else "but nothing follows"
            raise ValueError(f"{shown(text)}: {name} must be followed by {alternatives(verb.scopes)}, {found}")
        scope = words.pop(0)
        if scope not in verb.card_scopes:
            return scope, ""
        if not words or not IDENTIFIER.fullmatch(words[0]):
            raise ValueError(f"{shown(text)}: {name} {scope} must be followed by a card's id")
        return scope, words.pop(0)

    def _filter(self, text: str, name: str, verb: Verb, words: list[str]) -> tuple[str, int]:
        """Take a filter off `words`, if there is one."""
        if not words:
            return "", 0
        for word, entry in self.filters.items():
            plain = entry.number is None
            if words[0] != word if plain else not words[0].startswith(word):
                continue
            if not verb.filters:
                raise ValueError(f"{shown(text)}: {name} takes no filter, but {shown(words[0])} is one")
            found = words.pop(0)
            return (word, 0) if plain else (word, self._in_range(text, found, found[len(word) :], entry.number))
        if verb.filters and not _NUMBER.fullmatch(words[0]) and words[0] not in verb.words:
            forms = [word if entry.number is None else f"{word}n" for word, entry in self.filters.items()]
            raise ValueError(f"{shown(text)}: a filter must be {alternatives(forms)}, not {shown(words[0])}")
        return "", 0

    def _argument(self, text: str, name: str, verb: Verb, words: list[str]) -> tuple[str, int | None]:
        """Take the number, or the word in its place, off `words`."""
        if verb.number is None and not verb.words:
            return "", None
        allowed = [f"a whole number from {verb.number[0]} to {verb.number[1]}"] if verb.number else []
        allowed += list(verb.words)
        if not words:
            raise ValueError(f"{shown(text)}: {name} needs {alternatives(allowed)} at its end")
        word = words.pop(0)
        if word in verb.words:
            return word, None
        if verb.number is None or not _NUMBER.fullmatch(word):
            raise ValueError(f"{shown(text)}: {name} needs {alternatives(allowed)}, not {shown(word)}")
        return "", self._in_range(text, name, word, verb.number)

    @staticmethod
    def _in_range(text: str, what: str, word: str, limits: tuple[int, int] | None) -> int:
        """The number that `word` says, within `limits`."""
        low, high = limits or (0, 0)
        if not _NUMBER.fullmatch(word) or not low <= int(word) <= high:
            raise ValueError(
                f"{shown(text)}: the number of {what} must be a whole number from {low} to {high}, not {shown(word)}"
            )
        return int(word)


def encode_rows(
    vocabulary: Vocabulary, effects: Sequence[Effect], type_index: Mapping[str, int], rows: NDArray[np.int16]
) -> None:
    """Write effects to the first rows of `rows`, int16 (at least the number of effects, NUM_COLUMNS)."""
    for row, effect in zip(rows, effects, strict=False):
        row[:] = vocabulary.encode(effect, type_index)


@dataclass(frozen=True)
class EffectList(Checker):
    """A card's field that holds a list of effects of one part, at most `at_most` of them."""

    vocabulary: Vocabulary
    part: str
    at_most: int
    at_least: int = 0

    def check(self, value: Any) -> tuple[Effect, ...]:
        """Parse each effect of the list `value`; effects that are parsed already are taken as they are."""
        if not isinstance(value, (list, tuple)):
            raise ValueError(f"must be a list of effects, not {shown(value)}")
        if not self.at_least <= len(value) <= self.at_most:
            limits = f"{self.at_least} to {self.at_most}" if self.at_least else f"at most {self.at_most}"
            raise ValueError(f"must have {limits} effects, not {len(value)}")
        return tuple(item if isinstance(item, Effect) else self.vocabulary.parse(item, self.part) for item in value)


@dataclass(frozen=True)
class ModeList(Checker):
    """A card's field that holds the modes of a choice, each a list of effects; no mode or 2 to `at_most`."""

    vocabulary: Vocabulary
    part: str
    at_most: int
    effects: int

    def check(self, value: Any) -> tuple[tuple[Effect, ...], ...]:
        """Parse each mode of the list `value`."""
        if not isinstance(value, (list, tuple)) or not all(isinstance(mode, (list, tuple)) for mode in value):
            raise ValueError(f"must be a list of modes, each a list of effects, not {shown(value)}")
        if len(value) not in (0, *range(2, self.at_most + 1)):
            raise ValueError(f"must have 2 to {self.at_most} modes or none, not {len(value)}")
        mode = EffectList(self.vocabulary, self.part, self.effects, at_least=1)
        return tuple(mode.check(entry) for entry in value)
