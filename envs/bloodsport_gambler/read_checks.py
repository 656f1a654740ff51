"""What the reader of positions asks the rules: about the card being played, the dice of a window, and returns."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bloodsport_gambler.cards import HEAL, SECRET_EFFECTS, VERB, WHO, WOUND, WOUNDED
from cardzoo.envs.bloodsport_gambler.fights import dice_mode, total_score
from cardzoo.envs.bloodsport_gambler.legal import count_targets, max_targets, risk_of, shown_now, target_ok
from cardzoo.envs.bloodsport_gambler.loans import end_race, return_of
from cardzoo.envs.bloodsport_gambler.plays import asks_to_show
from cardzoo.envs.bloodsport_gambler.state import COIN, IN, OVER, SHOW, SIDES, TARGET, TIME
from cardzoo.envs.bloodsport_gambler.tables import RACE
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Records

# What `pending_fault` finds.
FITS: Final = 0
BAD_TARGET: Final = 1
TOO_MANY_SHOWN: Final = 2
TOO_MUCH_TIME: Final = 3
LEADS_ELSEWHERE: Final = 4


@kernel
def pending_fault(states: Records, i: int, rules: Records) -> int:
    """What is wrong with the decisions made so far about the card being played; FITS if they lead to the node."""
    s = states[i]
    r = rules[0]
    node = int(s.node)
    n_target = int(s.n_target)
    n_show = int(s.n_show)
    limit = max_targets(r, int(s.p_card))
    for k in range(n_target):
        s.n_target = k
        fits = k < limit and target_ok(s, r, int(s.target[k]))
        s.n_target = n_target
        if not fits:
            return BAD_TARGET
    for k in range(n_show):
        s.n_show = k
        asked = asks_to_show(s, r)
        s.n_show = n_show
        if not asked:
            return TOO_MANY_SHOWN
    if int(s.p_time) > risk_of(r, int(s.p_card), shown_now(s)):
        return TOO_MUCH_TIME
    if n_target < limit and count_targets(s, r) > 0:
        right = TARGET
    elif asks_to_show(s, r):
        right = SHOW
    else:
        right = COIN if node == COIN else TIME
    if node != right or (node == TARGET and n_show > 0) or (node != COIN and int(s.p_time) > 0):
        return LEADS_ELSEWHERE
    return FITS


@kernel
def window_numbers(states: Records, i: int, rules: Records, out: NDArray[np.int64]) -> None:
    """Write for each side of the fight with an open React window how many dice it rolls, and its total: (2, 2)."""
    s = states[i]
    r = rules[0]
    for side in range(SIDES):
        out[side, 0] = 2 if dice_mode(s, r, int(s.fight), side) != 0 else 1
        out[side, 1] = total_score(s, r, int(s.fight), side)


@kernel
def write_returns(states: Records, i: int, rules: Records) -> None:
    """Set the returns that belong to the results of game i."""
    s = states[i]
    r = rules[0]
    if int(r.objective) == RACE:
        if int(s.node) == OVER and int(s.truncated) == 0:
            end_race(s)
        return
    for seat in range(int(r.num_seats)):
        if int(s.result[seat]) != IN:
            s.ret[seat] = return_of(s, r, seat)


def has_lasting_wounded(rules: Any, secret: int) -> bool:
    """Whether a secret has an effect on wounded fighters that holds for the fight round (ruling R11)."""
    effects = rules.secret_effects[secret, : int(rules.secrets[secret, SECRET_EFFECTS])]
    return any(int(row[WHO]) == WOUNDED and int(row[VERB]) not in (WOUND, HEAL) for row in effects)
