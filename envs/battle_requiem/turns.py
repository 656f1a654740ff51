"""From turn to turn: refill, extra turns, lost turns, the turn limit (rulings R4, R16 to R19)."""

from __future__ import annotations

from cardzoo.envs.battle_requiem.falls import ASK, cut_off
from cardzoo.envs.battle_requiem.piles import refill
from cardzoo.envs.battle_requiem.seats import is_alive
from cardzoo.envs.battle_requiem.state import LOST, TURN
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record


@kernel
def pass_on(s: Record, rules: Rules) -> None:
    """The rotation moves on to the next living seat, whose veil ends (R18)."""
    n = int(rules.num_seats)
    pos = int(s.pos)
    while True:
        pos += 1
        if pos == n:
            pos = 0
            s.round_no += 1
        if is_alive(s, int(s.order[pos])):
            break
    s.pos = pos
    s.active = s.order[pos]
    s.veil[int(s.active)] = 0


@kernel
def loses_turn(s: Record, extra: bool) -> bool:
    """Whether the turn that begins is lost: to `skip`, but not an extra turn (R17), or for want of cards (R19)."""
    active = int(s.active)
    if not extra and int(s.skip[active]) > 0:
        s.skip[active] -= 1
        return True
    return int(s.n_hand[active]) == 0


@kernel
def end_turn(s: Record, rules: Rules) -> int:
    """Refill, then begin the next turn that is not lost, or cut the game off; returns what comes next."""
    refill(s, rules)
    while True:
        if int(s.turn) >= int(rules.max_turns):
            return cut_off(s, rules)
        s.turn += 1
        extra = int(s.extra) > 0
        if extra:
            s.extra -= 1
        else:
            pass_on(s, rules)
        if not loses_turn(s, extra):
            break
        s.last_turn[int(s.active)] = LOST
    s.phase = TURN
    s.actor = s.active
    return ASK
