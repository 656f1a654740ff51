"""The cards that a seat holds, as numbers that a search can take cards from: see `Supply`."""

from __future__ import annotations

from typing import Final, TypeAlias

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record
from cardzoo.envs.teddies_vs_monsters.cards import ANY_SYMBOL, FILL_A, FILL_B, FILLS
from cardzoo.envs.teddies_vs_monsters.legal import sees_hand
from cardzoo.envs.teddies_vs_monsters.state import TEAMS
from cardzoo.envs.teddies_vs_monsters.tables import Rules

Supply: TypeAlias = tuple[int, int, int, int]
"""What a seat's cards bring to rows: single symbols as packed counts, then sets of types (bits): the pairs of which it
holds one copy or more, two or more, three or more. A row has room for three pairs.

Packed counts are five bytes, one for each symbol in the order of its number, the last for `any`."""

BYTE: Final = 8


@kernel
def unit(symbol: int) -> int:
    """One of a symbol (1..5) as packed counts."""
    return 1 << BYTE * (symbol - 1)


@kernel
def has_any(rules: Rules, team: int, card: int) -> bool:
    """Whether a card shows a `?`."""
    return int(rules.cards[team, card, FILL_A]) == ANY_SYMBOL or int(rules.cards[team, card, FILL_B]) == ANY_SYMBOL


@kernel
def is_wild(rules: Rules, team: int, card: int) -> bool:
    """Whether a card is a single `?`."""
    return int(rules.cards[team, card, FILLS]) == 1 and int(rules.cards[team, card, FILL_A]) == ANY_SYMBOL


@kernel
def held(s: Record, seat: int, card: int) -> int:
    """Copies of a card in a seat's own sleeve and, once it is picked up, in its hand."""
    return int(s.sleeve[seat, card]) + (int(s.hand[seat, card]) if sees_hand(s, seat) else 0)


@kernel
def supply_of(s: Record, rules: Rules, seat: int) -> Supply:
    """What a seat's own cards bring to rows."""
    team = seat % TEAMS
    singles = 0
    once = 0
    twice = 0
    thrice = 0
    for card in range(int(rules.num_types)):
        count = held(s, seat, card)
        if count == 0:
            continue
        fills = int(rules.cards[team, card, FILLS])
        if fills == 1:
            singles += count * unit(int(rules.cards[team, card, FILL_A]))
        elif fills == 2:
            once |= 1 << card
            twice |= (1 << card) if count > 1 else 0
            thrice |= (1 << card) if count > 2 else 0
    return singles, once, twice, thrice


@kernel
def without(rules: Rules, team: int, supply: Supply, card: int, count: int) -> Supply:
    """The supply after one copy of a card of which there are `count` is gone; with 0 it stays as it is."""
    singles, once, twice, thrice = supply
    fills = int(rules.cards[team, card, FILLS])
    if count > 0 and fills == 1:
        singles -= unit(int(rules.cards[team, card, FILL_A]))
    elif count > 0 and fills == 2:
        once &= ~(1 << card) if count == 1 else -1
        twice &= ~(1 << card) if count == 2 else -1
        thrice &= ~(1 << card) if count == 3 else -1
    return singles, once, twice, thrice
