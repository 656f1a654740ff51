"""The shortage of a room: the fewest of the missing symbols of its row that a seat's cards cannot supply.

The places that a row still misses are a stretch of the printed sequence, in either reading, and a pair lies as printed
in both; so the reading decides only which stretch it is. In a stretch the search tries every choice of neighbouring
places for pairs, at most 13. What is left is for single symbols, where counting is enough: plain symbols go to their
own places first, then `?` cards to plain places that are left, then whatever is left to `?` places.
"""

from __future__ import annotations

from typing import Final

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record
from cardzoo.envs.teddies_vs_monsters.cards import BYTE, LENGTH, SYMBOLS
from cardzoo.envs.teddies_vs_monsters.state import LEFT, RIGHT
from cardzoo.envs.teddies_vs_monsters.supply import Supply
from cardzoo.envs.teddies_vs_monsters.tables import Rules

HOPELESS: Final = 99  # the shortage of a row that fits neither reading

PLAIN: Final = (1 << BYTE * SYMBOLS) - 1  # the bytes of the plain symbols
ONES: Final = PLAIN // 255
TOPS: Final = 128 * ONES  # the highest bit of each byte; counts are lower


@kernel
def total(counts: int) -> int:
    """Sum of the packed counts of the plain symbols."""
    return ((counts & PLAIN) * ONES >> BYTE * (SYMBOLS - 1)) & 255


@kernel
def unfilled(need: int, singles: int) -> int:
    """How many places single symbols cannot fill; places and cards are packed counts by symbol."""
    left = (need & PLAIN | TOPS) - (singles & PLAIN)  # the highest bit stays where there are enough places
    short = total(left & ((left & TOPS) >> BYTE - 1) * 127)
    spare = total(singles) - (total(need) - short)
    wild = singles >> BYTE * SYMBOLS
    helped = min(wild, short)
    return short - helped + max(0, (need >> BYTE * SYMBOLS) - spare - (wild - helped))


@kernel
def enough(pairs: int, twice: int, thrice: int, wanted: int) -> bool:
    """Whether there are so many copies (2 or 3) of some types in all, one at least of each."""
    rest = pairs & (pairs - 1)  # without the lowest type
    if rest & (rest - 1) != 0:
        return True
    if rest != 0:
        return wanted == 2 or pairs & twice != 0
    return pairs & (twice if wanted == 2 else thrice) != 0


@kernel
def suffice(first: int, second: int, third: int, twice: int, thrice: int) -> bool:
    """Whether each of up to three places for a pair can have a copy of its own (Hall's condition).

    Each set holds the types that fit its place, at least one; those of places that are not there are 0.
    """
    if second == 0:
        return True
    if not enough(first | second, twice, thrice, 2):
        return False
    if third == 0:
        return True
    return (
        enough(first | third, twice, thrice, 2)
        and enough(second | third, twice, thrice, 2)
        and enough(first | second | third, twice, thrice, 3)
    )


@kernel
def stretch_shortage(rules: Rules, team: int, bedroom: int, start: int, stop: int, supply: Supply) -> int:
    """The fewest places start..stop-1 of the printed sequence that the supply leaves empty."""
    singles, once, twice, thrice = supply
    need = int(rules.starts[bedroom, team, stop]) - int(rules.starts[bedroom, team, start])
    best = unfilled(need, singles)
    if best == 0 or once == 0:
        return best
    starts = 0  # places where a pair can begin, as bits
    for place in range(start, stop - 1):
        if int(rules.fits[bedroom, team, LEFT, place]) & once != 0:
            starts |= 1 << place
    chosen = 0
    while best > 0:
        chosen = (chosen - starts) & starts  # the next subset
        if chosen == 0:
            break
        if chosen & chosen >> 1 != 0:
            continue  # two pairs on one place
        rest = need
        first = 0
        second = 0
        third = 0
        for place in range(start, stop - 1):
            if chosen >> place & 1:
                rest -= int(rules.starts[bedroom, team, place + 2]) - int(rules.starts[bedroom, team, place])
                third = second
                second = first
                first = int(rules.fits[bedroom, team, LEFT, place]) & once
        if suffice(first, second, third, twice, thrice):
            best = min(best, unfilled(rest, singles))
    return best


@kernel
def row_shortage(rules: Rules, team: int, bedroom: int, readings: int, done: int, supply: Supply) -> int:
    """The shortage of a row of `done` symbols with some open readings (bits); HOPELESS if none is."""
    length = int(rules.bedrooms[bedroom, LENGTH])
    best = HOPELESS
    if readings >> LEFT & 1:
        best = stretch_shortage(rules, team, bedroom, done, length, supply)
    if readings >> RIGHT & 1 and best > 0 and not (done == 0 and best < HOPELESS):  # empty: the same for both
        best = min(best, stretch_shortage(rules, team, bedroom, 0, length - done, supply))
    return best


@kernel
def shortage(s: Record, rules: Rules, team: int, room: int, supply: Supply) -> int:
    """The shortage of a team's row of a room that is there."""
    bedroom = int(s.bedroom[room])
    return row_shortage(rules, team, bedroom, int(s.open[team, room]), int(s.row_sym[team, room]), supply)
