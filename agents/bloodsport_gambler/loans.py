"""Loan turns: what to pay, when to be done, when to spend a chance instead."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bloodsport_gambler.actions import DONE_AT, PAY_AT, SKIP_AT, after_play
from cardzoo.envs.bloodsport_gambler.state import FIRST_LOAN, LOANS
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

NO_RESERVE: Final = 0
BANKROLL: Final = 6  # coins that the fixer keeps, at the cost of a chance


@kernel
def debt(s: Record, seat: int) -> int:
    """Sum of the unpaid amounts."""
    total = 0
    for k in range(LOANS):
        if int(s.paid[seat, k]) == 0:
            total += FIRST_LOAN + k
    return total


@kernel
def loan_action(s: Record, rules: Rules, mask: NDArray[np.bool_], reserve: int) -> int:
    """Pay all amounts if possible, the cheapest first; else the cheapest one, unless the purse would fall too low."""
    seat = int(s.actor)
    purse = int(s.coin[seat])
    done = after_play(rules, DONE_AT)
    skip = after_play(rules, SKIP_AT)
    enough = purse >= debt(s, seat)
    if mask[done] and not enough:
        return done
    for k in range(LOANS):
        if mask[after_play(rules, PAY_AT) + k]:  # the cheapest unpaid one, since any cheaper could be paid as well
            if mask[skip] and not enough and purse - FIRST_LOAN - k < reserve:
                return skip
            return after_play(rules, PAY_AT) + k
    return done if mask[done] else skip
