"""The clock: acts that are begun, the tick of the next landing, and seats that are asked (R1, R2, R17, R26)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.random import below
from cardzoo.envs.core.records import Record
from cardzoo.envs.teddies_vs_monsters.chance import draw
from cardzoo.envs.teddies_vs_monsters.flow import ADVANCE, ASK, END, LAND, STOPPED
from cardzoo.envs.teddies_vs_monsters.legal import has_choice
from cardzoo.envs.teddies_vs_monsters.state import IDLE, WAIT
from cardzoo.envs.teddies_vs_monsters.tables import Rules


@kernel
def due_after(s: Record, rules: Rules, seat: int, kind: int, start: int, rng: NDArray[np.uint32]) -> int:
    """When an act of a seat that began at a tick lands, with a jitter drawn from `rng` uint32[4]."""
    jitter = int(rules.jitter[seat])
    extra = below(rng, jitter + 1) if jitter > 0 and kind != WAIT else 0
    return start + int(rules.duration[seat, kind]) + extra


@kernel
def commit(s: Record, rules: Rules, seat: int, kind: int, card: int, room: int, side: int) -> int:
    """A seat begins an act, which lands later; returns what comes next."""
    due = int(s.tick) + int(rules.duration[seat, kind])
    jitter = int(rules.jitter[seat])
    if jitter > 0 and kind != WAIT:
        due += draw(s, jitter + 1)
    s.p_kind[seat] = kind
    s.p_card[seat] = card
    s.p_room[seat] = room
    s.p_side[seat] = side
    s.p_due[seat] = due
    return ASK


@kernel
def drop_act(s: Record, seat: int) -> None:
    """A seat has no act under way any more."""
    s.p_kind[seat] = IDLE
    s.p_card[seat] = 0
    s.p_room[seat] = 0
    s.p_side[seat] = 0
    s.p_due[seat] = 0


@kernel
def ask(s: Record, rules: Rules) -> int:
    """The lowest idle seat decides; one that can only wait does so unasked (R26). Returns what comes next."""
    for seat in range(int(rules.num_seats)):
        if int(s.p_kind[seat]) != IDLE:
            continue
        if has_choice(s, rules, seat):
            s.actor = seat
            return END
        commit(s, rules, seat, WAIT, 0, 0, 0)
    return ADVANCE


@kernel
def is_stalled(s: Record, rules: Rules) -> bool:
    """Whether every seat waits and none could do anything else (R17)."""
    for seat in range(int(rules.num_seats)):
        if int(s.p_kind[seat]) != WAIT:
            return False
    for seat in range(int(rules.num_seats)):
        if has_choice(s, rules, seat):
            return False
    return True


@kernel
def advance(s: Record, rules: Rules) -> int:
    """The clock runs on to the next landing; returns what comes next."""
    due = int(s.p_due[0])
    for seat in range(1, int(rules.num_seats)):
        due = min(due, int(s.p_due[seat]))
    if due > int(rules.round_ticks) or is_stalled(s, rules):
        return STOPPED
    s.tick = due
    return LAND


@kernel
def next_to_land(s: Record, rules: Rules) -> int:
    """The seat whose act lands next at this tick, drawn where there are several (R2); -1 if none is left."""
    landing = 0
    first = -1
    for seat in range(int(rules.num_seats)):
        if int(s.p_kind[seat]) != IDLE and int(s.p_due[seat]) == int(s.tick):
            landing += 1
            if first < 0:
                first = seat
    if landing < 2:
        return first
    left = draw(s, landing)
    for seat in range(first, int(rules.num_seats)):
        if int(s.p_kind[seat]) != IDLE and int(s.p_due[seat]) == int(s.tick):
            if left == 0:
                return seat
            left -= 1
    return first
