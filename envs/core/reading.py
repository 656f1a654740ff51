"""Reading positions: ids of cards, the account of the copies placed, and the frame that games fill in.

A game's reader subclasses `PositionReading` and keeps one `Ids` and one `Tally` for each kind of cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardzoo.envs.core.fields import alternatives, shown, suggestion
from cardzoo.envs.core.notation import as_list, as_whole, bad, checked_keys


class Ids:
    """The ids of one kind of cards in both directions, with readers that check what a position names."""

    def __init__(self, ids: Sequence[str], noun: str, most: int) -> None:
        """Take the ids in the order of their numbers.

        Args:
            ids: all different.
            noun: what one of them is, for messages: `card`.
            most: the largest count in a mapping.
        """
        self.ids = tuple(ids)
        self.noun = noun
        self.most = most
        self._index = {name: index for index, name in enumerate(self.ids)}

    def __len__(self) -> int:
        return len(self.ids)

    def number(self, key: str, value: Any) -> int:
        """Number of an id."""
        if not isinstance(value, str) or value not in self._index:
            raise bad(key, f"names {shown(value)}, which is no {self.noun}{suggestion(value, self.ids)}")
        return self._index[value]

    def numbers(self, key: str, value: Any) -> list[int]:
        """Numbers of a list of ids."""
        return [self.number(key, item) for item in as_list(key, value, f"{self.noun} ids")]

    def counts(self, key: str, value: Any) -> list[int]:
        """Copies of each type in a mapping id: count, or in a list of ids."""
        found = [0] * len(self.ids)
        if isinstance(value, Mapping):
            for name, count in value.items():
                found[self.number(key, name)] = as_whole(key, count, 0, self.most)
            return found
        if not isinstance(value, (list, tuple)):
            what = f"a mapping of {self.noun} ids to counts, or a list of {self.noun} ids"
            raise bad(key, f"must be {what}, not {shown(value)}")
        for card in self.numbers(key, value):
            found[card] += 1
        return found

    def mapping(self, counts: Sequence[int]) -> dict[str, int]:
        """Counts by type as a mapping without zeros."""
        return {name: int(count) for name, count in zip(self.ids, counts, strict=False) if count}


class Tally:
    """The copies of one kind of cards that a position has placed so far."""

    def __init__(self, ids: Ids, copies: Sequence[int]) -> None:
        """Begin with nothing placed; `copies` says how many there are of each type."""
        self.ids = ids
        self.copies = [int(count) for count in copies]
        self.used = [0] * len(self.copies)
        self._keys: dict[int, list[str]] = {}  # keys that placed a type

    def take(self, key: str, card: int, count: int = 1) -> None:
        """Enter copies of a type as placed by a key; refused if there are not so many."""
        if count == 0:
            return
        self.used[card] += count
        keys = self._keys.setdefault(card, [])
        if key not in keys:
            keys.append(key)
        if self.used[card] > self.copies[card]:
            others = f" (with {alternatives(keys[:-1], 'and')})" if len(keys) > 1 else ""
            needed = f"{self.used[card]} copies of {self.ids.ids[card]}"
            raise bad(key, f"needs {needed}{others}, but there are {self.copies[card]}")

    def take_counts(self, key: str, counts: Sequence[int]) -> None:
        """Enter copies of all types."""
        for card, count in enumerate(counts):
            self.take(key, card, count)

    def unplaced(self) -> list[int]:
        """The cards placed nowhere so far, in type order."""
        return [card for card, used in enumerate(self.used) for _ in range(self.copies[card] - used)]


class PositionReading:
    """A position with its keys checked, and readers that more than one game needs."""

    def __init__(self, position: Mapping[str, Any], keys: Sequence[str], derived: Sequence[str], seats: int) -> None:
        """Check the keys of a position.

        Args:
            position: the mapping.
            keys: the keys that are read.
            derived: the keys that are written and ignored when read.
            seats: number of seats.
        """
        self.position = checked_keys(position, keys, derived)
        self.num_seats = seats

    def get(self, key: str) -> Any:
        """The value of a key; None when it is omitted or null."""
        return self.position.get(key)

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        """The whole number at a key, the default when it is omitted."""
        value = self.get(key)
        return default if value is None else as_whole(key, value, low, high)

    def seat(self, key: str, value: Any) -> int:
        """A seat number."""
        return as_whole(key, value, 0, self.num_seats - 1)

    def seat_list(self, key: str, value: Any) -> list[int]:
        """A list of different seat numbers."""
        seats = [self.seat(key, item) for item in as_list(key, value, "seats")]
        if len(set(seats)) != len(seats):
            raise bad(key, "names a seat twice")
        return seats
