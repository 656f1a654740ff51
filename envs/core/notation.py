"""Reading positions: the checks that name a bad key, for the position notation of any game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardzoo.envs.core.errors import PositionError
from cardzoo.envs.core.fields import alternatives, shown, suggestion


def bad(key: str, message: str) -> PositionError:
    """The error for a key of a position; `message` ends the sentence."""
    return PositionError(f"Position key {shown(key)} {message}.")


def checked_keys(position: Any, keys: Sequence[str], derived: Sequence[str]) -> dict[str, Any]:
    """The position without its derived keys, which are written but not read; unknown keys are refused."""
    if not isinstance(position, Mapping):
        raise PositionError(f"A position must be a mapping of keys to values, not {shown(position)}.")
    for key in position:
        if key not in keys and key not in derived:
            raise bad(str(key), f"is unknown{suggestion(key, keys)}; allowed are {alternatives(keys)}")
    return {key: value for key, value in position.items() if key in keys}


def as_list(key: str, value: Any, what: str) -> list[Any]:
    """`value` if it is a list (or tuple)."""
    if not isinstance(value, (list, tuple)):
        raise bad(key, f"must be a list of {what}, not {shown(value)}")
    return list(value)


def as_whole(key: str, value: Any, low: int, high: int) -> int:
    """`value` if it is a whole number (no bool) from `low` to `high`."""
    if type(value) is not int or not low <= value <= high:
        raise bad(key, f"must be a whole number from {low} to {high}, not {shown(value)}")
    return value


def as_flag(key: str, value: Any) -> int:
    """1 or 0 for true or false (also written 1 or 0)."""
    if value is True or value is False or (type(value) is int and value in (0, 1)):
        return int(value)
    raise bad(key, f"must be true or false, not {shown(value)}")


def as_word(key: str, value: Any, allowed: Sequence[str]) -> int:
    """Index of `value` in `allowed`."""
    if not isinstance(value, str) or value not in allowed:
        raise bad(key, f"must be {alternatives(allowed)}, not {shown(value)}{suggestion(value, allowed)}")
    return list(allowed).index(value)


def as_mapping(key: str, value: Any, allowed: Sequence[str]) -> dict[str, Any]:
    """`value` if it is a mapping with no other keys than the allowed ones."""
    if not isinstance(value, Mapping):
        raise bad(key, f"must be a mapping of {alternatives(allowed)}, not {shown(value)}")
    for name in value:
        if name not in allowed:
            raise bad(key, f"has an unknown entry {shown(name)}; allowed are {alternatives(allowed)}")
    return dict(value)
