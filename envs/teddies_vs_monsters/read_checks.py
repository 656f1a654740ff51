"""What the reader of positions asks the rules: about rows, targets, and whether a round is decided."""

from __future__ import annotations

from typing import Final

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Records
from cardzoo.envs.teddies_vs_monsters.actions import TO_TRAP
from cardzoo.envs.teddies_vs_monsters.acts import NOWHERE, source_of
from cardzoo.envs.teddies_vs_monsters.flow import LAND
from cardzoo.envs.teddies_vs_monsters.legal import target_set
from cardzoo.envs.teddies_vs_monsters.rounds import after_landing
from cardzoo.envs.teddies_vs_monsters.rows import recount_row
from cardzoo.envs.teddies_vs_monsters.state import TEAMS

NOT_THERE: Final = -1


@kernel
def count_row(states: Records, i: int, rules: Records, team: int, room: int) -> None:
    """Write symbols and open readings of a row in game i."""
    recount_row(states[i], rules[0], team, room)


@kernel
def is_decided(states: Records, i: int, rules: Records) -> bool:
    """Whether the rooms in game i decide its round."""
    return after_landing(states[i], rules[0]) != LAND


@kernel
def targets_of(states: Records, i: int, rules: Records, seat: int, card: int) -> int:
    """How many targets a card has for a seat in game i, NOT_THERE if the seat has no such card to play."""
    s = states[i]
    r = rules[0]
    if source_of(s, r, seat, card, True) == NOWHERE:
        return NOT_THERE
    count = 0
    for block in range(TO_TRAP + 1):
        for room in range(int(r.num_rooms)):
            count += target_set(s, r, seat % TEAMS, block, room) >> card & 1
    return count
