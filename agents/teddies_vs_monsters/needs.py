"""Which rooms a seat's cards can complete, and which of the cards that takes (planner)."""

from __future__ import annotations

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record
from cardzoo.envs.teddies_vs_monsters.rows import is_unclaimed
from cardzoo.envs.teddies_vs_monsters.shortage import shortage
from cardzoo.envs.teddies_vs_monsters.state import TEAMS
from cardzoo.envs.teddies_vs_monsters.supply import Supply, held
from cardzoo.envs.teddies_vs_monsters.tables import Rules


@kernel
def without(rules: Rules, team: int, supply: Supply, card: int, count: int) -> Supply:
    """The supply after one copy of a card of which there are `count` is gone; with 0 it stays as it is."""
    singles, once, twice, thrice = supply
    if count == 0:
        return supply
    if int(rules.pairs[team]) >> card & 1:
        once &= ~(1 << card) if count == 1 else -1
        twice &= ~(1 << card) if count == 2 else -1
        thrice &= ~(1 << card) if count == 3 else -1
    return singles - int(rules.units[team, card]), once, twice, thrice


@kernel
def ready_rooms(s: Record, rules: Rules, team: int, supply: Supply) -> int:
    """Unclaimed rooms (bits) that the supply can complete."""
    rooms = 0
    for room in range(int(rules.num_rooms)):
        if is_unclaimed(s, room) and shortage(s, rules, team, room, supply) == 0:
            rooms |= 1 << room
    return rooms


@kernel
def needed_types(s: Record, rules: Rules, seat: int, supply: Supply, ready: int) -> int:
    """Types (bits) of a seat without one copy of which some room of `ready` (bits) could not be completed."""
    team = seat % TEAMS
    needed = 0
    if ready == 0:
        return 0
    for card in range(int(rules.num_types)):
        count = held(s, seat, card)
        if count == 0 or int(rules.fillers[team]) >> card & 1 == 0:
            continue
        less = without(rules, team, supply, card, count)
        for room in range(int(rules.num_rooms)):
            if ready >> room & 1 and shortage(s, rules, team, room, less) > 0:
                needed |= 1 << card
                break
    return needed
