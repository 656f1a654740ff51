"""Checked fields for pydantic models, and pydantic's errors as one clear sentence.

Everything that a user writes (card files, options, configurations) is read by a pydantic model whose fields are
annotated with the checkers below, as in ``copies: Annotated[int, Whole(1, 160)]``. They refuse what YAML and Python
would quietly convert (``true`` for 1, ``"3"`` for 3, ``3.0`` for 3), and say what is allowed.
"""

from __future__ import annotations

import difflib
import re
import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pydantic
from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
MAX_NAME = 60
LARGEST_SHOWN = 10**18


class Checker:
    """Base of the field checkers: `check` returns the value, or raises ValueError("must be ..., not ...")."""

    def check(self, value: Any) -> Any:
        """Return the checked value."""
        raise NotImplementedError

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Let pydantic call `check`; nothing else is applied to the value."""
        return core_schema.no_info_plain_validator_function(self.check)


@dataclass(frozen=True)
class Whole(Checker):
    """A whole number from `low` to `high` (no upper bound when None)."""

    low: int
    high: int | None = None

    def check(self, value: Any) -> int:
        """Return `value` as an int if it is one (NumPy's too, but not a bool) in range."""
        whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        if not whole or value < self.low or (self.high is not None and value > self.high):
            limits = f"from {self.low} to {self.high}" if self.high is not None else f"of at least {self.low}"
            raise ValueError(f"must be a whole number {limits}, not {shown(value)}")
        return int(value)


@dataclass(frozen=True)
class Number(Checker):
    """A finite number from `low` to `high`, as a float."""

    low: float
    high: float

    def check(self, value: Any) -> float:
        """Return `value` as a float if it is a number (NumPy's too, but not a bool) in range."""
        number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
        if not number or not self.low <= value <= self.high:  # NaN fails the comparison
            raise ValueError(f"must be a number from {self.low:g} to {self.high:g}, not {shown(value)}")
        return float(value)


@dataclass(frozen=True)
class Flag(Checker):
    """True or false."""

    def check(self, value: Any) -> bool:
        """Return `value` if it is a bool."""
        if type(value) is not bool:
            raise ValueError(f"must be true or false, not {shown(value)}")
        return value


class OneOf(Checker):
    """One of a few words (or other plain values, compared with their type)."""

    def __init__(self, *allowed: Any) -> None:
        self.allowed = allowed

    def check(self, value: Any) -> Any:
        """Return the allowed value that equals `value`."""
        for word in self.allowed:
            if type(word) is type(value) and word == value:
                return word
        raise ValueError(f"must be {alternatives(self.allowed)}, not {shown(value)}{suggestion(value, self.allowed)}")


@dataclass(frozen=True)
class Subset(Checker):
    """A list of different words out of a few (a single word stands for a list of one), returned in table order."""

    allowed: tuple[str, ...]

    def check(self, value: Any) -> tuple[str, ...]:
        """Return the words of `value` in the order of `allowed`."""
        words = [value] if isinstance(value, str) else value
        if not isinstance(words, (list, tuple)):
            raise ValueError(f"must be a list of {alternatives(self.allowed)}, not {shown(value)}")
        for word in words:
            OneOf(*self.allowed).check(word)
        if len(set(words)) != len(words):
            raise ValueError(f"must not name a word twice, as {shown(value)} does")
        return tuple(word for word in self.allowed if word in words)


@dataclass(frozen=True)
class Identifier(Checker):
    """A name for machines: small letters, digits and underscores, a letter first."""

    def check(self, value: Any) -> str:
        """Return `value` if it is such a text of at most 60 characters."""
        if not isinstance(value, str) or not IDENTIFIER.fullmatch(value) or len(value) > MAX_NAME:
            raise ValueError(
                f"must be small letters, digits and underscores, a letter first, at most {MAX_NAME} of them, "
                f"not {shown(value)}"
            )
        return value


@dataclass(frozen=True)
class DisplayName(Checker):
    """A name for people: one line of text."""

    def check(self, value: Any) -> str:
        """Return `value` if it is printable, not blank, and at most 60 characters."""
        if not isinstance(value, str) or not value.strip() or not value.isprintable() or len(value) > MAX_NAME:
            raise ValueError(f"must be a text of 1 to {MAX_NAME} printable characters, not {shown(value)}")
        return value


def one_line(text: str) -> str:
    """The text with line breaks and other characters that cannot be seen written as escapes."""
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")


def shown(value: Any) -> str:
    """`value` as an error shows it: text in double quotes, YAML's words for true, false and nothing, shortened."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        line = one_line(value)
        return f'"{line}"' if len(line) <= 80 else f'"{line[:77]}..."'
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, int) and abs(value) > LARGEST_SHOWN:
        return "a huge number"
    text = reprlib.repr(value) if isinstance(value, (list, tuple)) else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def alternatives(words: Iterable[Any], joint: str = "or") -> str:
    """A list for people: `a`, `a or b`, `a, b or c` (with another `joint`: `a and b`)."""
    texts = [str(word) if not isinstance(word, bool) else shown(word) for word in words]
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {joint} {texts[-1]}"


def suggestion(word: Any, allowed: Iterable[Any]) -> str:
    """` (did you mean X?)` if `word` is close to one of the allowed words, else nothing."""
    close = difflib.get_close_matches(word, [str(other) for other in allowed], n=1) if isinstance(word, str) else []
    return f" (did you mean {close[0]}?)" if close else ""


def allowed_keys(model: type[pydantic.BaseModel]) -> list[str]:
    """The keys that `model` reads, as a user writes them."""
    return [field.alias or name for name, field in model.model_fields.items()]


def model_at(model: type[pydantic.BaseModel], place: Sequence[int | str]) -> type[pydantic.BaseModel]:
    """The model that reads the mapping in which the last key of `place` stands, from the top model down."""
    for key in place[:-1]:
        for name, field in model.model_fields.items():
            if key in (name, field.alias):
                model = _model_in(field.annotation) or model
    return model


def _model_in(annotation: Any) -> type[pydantic.BaseModel] | None:
    """The model that an annotation such as `tuple[Card, ...]` is made of."""
    if isinstance(annotation, type) and issubclass(annotation, pydantic.BaseModel):
        return annotation
    return next(filter(None, map(_model_in, getattr(annotation, "__args__", ()))), None)


def first_problem(
    model: type[pydantic.BaseModel], error: pydantic.ValidationError
) -> tuple[tuple[int | str, ...], str]:
    """The most telling problem of a failed validation.

    An unknown key comes first, because a misspelt key is also a missing one.

    Returns:
        where it is (keys and list indices from the top; empty when a check of the whole model failed), and the
        sentence's end that follows the place ("must be ...").
    """
    problems = error.errors(include_url=False)
    problem = min(problems, key=lambda item: item["type"] != "extra_forbidden")
    kind = problem["type"]
    message = problem["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    if kind == "extra_forbidden":
        keys = allowed_keys(model_at(model, problem["loc"]))
        message = f"is unknown; allowed are {alternatives(keys, 'and')}{suggestion(str(problem['loc'][-1]), keys)}"
    elif kind == "missing":
        message = "is missing"
    elif kind in ("list_type", "tuple_type"):
        message = f"must be a list, not {shown(problem['input'])}"
    elif kind in ("model_type", "model_attributes_type", "dict_type"):
        message = f"must be a mapping (key: value), not {shown(problem['input'])}"
    elif kind in ("too_short", "too_long"):
        context: dict[str, Any] = problem.get("ctx", {})
        bound = f"at least {context['min_length']}" if kind == "too_short" else f"at most {context['max_length']}"
        message = f"must have {bound} entries"
    return problem["loc"], message


def dotted(place: Sequence[int | str]) -> str:
    """A place in a document for people: `choice[1][0]`."""
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return one_line(text)
