"""The cards that a seat holds, as numbers that a search can take cards from: see `Supply`."""

from __future__ import annotations

from typing import TypeAlias

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record
from cardzoo.envs.teddies_vs_monsters.legal import sees_hand
from cardzoo.envs.teddies_vs_monsters.state import MAX_TYPES, TEAMS
from cardzoo.envs.teddies_vs_monsters.tables import Rules

Supply: TypeAlias = tuple[int, int, int, int]
"""What a seat's cards bring to rows: single symbols as packed counts (cards.py), then sets of types (bits): the pairs
of which it holds one copy or more, two or more, three or more. A row has room for three pairs."""


@kernel
def held(s: Record, seat: int, card: int) -> int:
    """Copies of a card in a seat's own sleeve and, once it is picked up, in its hand."""
    return int(s.sleeve[seat, card]) + (int(s.hand[seat, card]) if sees_hand(s, seat) else 0)


@kernel
def supply_of(s: Record, rules: Rules, seat: int) -> Supply:
    """What a seat's own cards bring to rows."""
    team = seat % TEAMS
    seen = 1 if sees_hand(s, seat) else 0
    singles = 0
    once = 0
    twice = 0
    thrice = 0
    for card in range(MAX_TYPES):  # without branches, so that it becomes vector instructions
        count = int(s.sleeve[seat, card]) + int(s.hand[seat, card]) * seen
        singles += count * int(rules.units[team, card])
        once |= int(count > 0) << card
        twice |= int(count > 1) << card
        thrice |= int(count > 2) << card
    pairs = int(rules.pairs[team])
    return singles, once & pairs, twice & pairs, thrice & pairs
