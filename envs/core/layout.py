"""Layouts: a flat vector of actions or observation features as a list of named blocks.

Declared once per game; documentation, tests and printing read the same list.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class Block:
    """One named part of a vector."""

    name: str
    """Unique in its layout, e.g. "hand"."""
    shape: tuple[int, ...]
    """Sizes, e.g. (64,) or (2, 16, 5); entries are in row-major order."""
    text: str = ""
    """What the numbers mean, with their unit and range, for documentation."""
    start: int = 0
    """Index of the first entry; set by the layout."""

    @property
    def size(self) -> int:
        """Number of entries."""
        return prod(self.shape)

    @property
    def stop(self) -> int:
        """Index after the last entry."""
        return self.start + self.size

    @property
    def slice(self) -> slice:
        """The block's part of the vector."""
        return slice(self.start, self.stop)


class Layout:
    """An ordered list of blocks that fill a vector without gaps. Immutable; equal if all blocks are.

    ``layout["hand"]`` is the block's slice, ``layout.block("hand")`` the block, ``len(layout)`` the vector's length,
    and ``str(layout)`` a table to print.
    """

    def __init__(self, blocks: Iterable[Block]) -> None:
        """Place the blocks one after the other, ignoring their `start`.

        Raises ValueError if a name occurs twice or a size is negative.
        """
        placed: list[Block] = []
        start = 0
        for block in blocks:
            if any(size < 0 for size in block.shape):
                raise ValueError(f"block {block.name!r} has a negative size: {block.shape}")
            placed.append(Block(block.name, tuple(int(size) for size in block.shape), block.text, start))
            start += block.size
        names = [block.name for block in placed]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two blocks are named {name!r}")
        self.blocks: tuple[Block, ...] = tuple(placed)
        self.size: int = start
        self._by_name = {block.name: block for block in placed}

    def block(self, name: str) -> Block:
        """The block of that name; KeyError naming the blocks there are."""
        if name not in self._by_name:
            raise KeyError(f"no block {name!r}; the blocks are {', '.join(self._by_name)}")
        return self._by_name[name]

    def __getitem__(self, name: str) -> slice:
        return self.block(name).slice

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)

    def __len__(self) -> int:
        return self.size

    def at(self, index: int) -> tuple[Block, tuple[int, ...]]:
        """(block, position in the block's shape) of an entry of the vector; IndexError outside it."""
        if not 0 <= index < self.size:
            raise IndexError(f"index {index} is outside 0..{self.size - 1}")
        block = next(b for b in self.blocks if b.start <= index < b.stop)
        rest = index - block.start
        position: list[int] = []
        for size in reversed(block.shape):
            rest, place = divmod(rest, size)
            position.append(place)
        return block, tuple(reversed(position))

    @property
    def hash(self) -> str:
        """12 hex digits that change when a name, shape or the order of the blocks does."""
        text = ";".join(f"{block.name}{block.shape}" for block in self.blocks)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self.blocks == other.blocks

    def __hash__(self) -> int:
        return hash(self.blocks)

    def __repr__(self) -> str:
        return f"Layout({self.size}: {', '.join(block.name for block in self.blocks)})"

    def __str__(self) -> str:
        rows = [("from", "to", "block", "shape", "meaning")]
        for block in self.blocks:
            shape = "x".join(str(size) for size in block.shape)
            rows.append((str(block.start), str(block.stop - 1), block.name, shape, block.text))
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = []
        for row in rows:
            start, stop, name, shape, text = row
            line = f"{start:>{widths[0]}} {stop:>{widths[1]}}  {name:<{widths[2]}}  {shape:<{widths[3]}}  {text}"
            lines.append(line.rstrip())
        return "\n".join(lines)
