"""Chances of dice: one risk roll, one fight round, one fight between fighters whose numbers are known."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

SIDES_OF_DIE: Final = 6
WEAKEST: Final = -5  # stat and score of a fighter whose total is 1 with any die
STRONGEST: Final = 6  # that of one who beats a foe of 0 with any die
STEADY: Final = STRONGEST - WEAKEST + 1
NO_ROUND: Final = -1.0  # no fight round is ever won
NO_TIES: Final = 0
LEFT_TIES: Final = 1
RIGHT_TIES: Final = 2

MOST_HITS: Final = 20  # hits that a fighter may need; more (only strange card files) count as so many
NEVER: Final = MOST_HITS + 1  # hits of a weapon without damage
HITS: Final = NEVER + 1


def round_shares() -> NDArray[np.float64]:
    """Chance that left wins a fight round which anybody wins, NO_ROUND if nobody can.

    Returns:
        float64 (3, 3, 3, STEADY, STEADY), by the dice modes (low, one, high) of left and right, who wins equal totals,
        and stat and score of left and right less WEAKEST.
    """
    faces = np.arange(1, SIDES_OF_DIE + 1)
    modes = np.array([13 - 2 * faces, np.full(SIDES_OF_DIE, 6), 2 * faces - 1]) / 36
    totals = np.maximum(1, faces + np.arange(WEAKEST, STRONGEST + 1)[:, None])
    left, right = totals[:, None, :, None], totals[None, :, None, :]
    shares = np.empty((3, 3, 3, STEADY, STEADY))
    for one in range(3):
        for two in range(3):
            weights = modes[one][:, None] * modes[two]
            for ties in (NO_TIES, LEFT_TIES, RIGHT_TIES):
                wins = (((left > right) | ((left == right) & (ties == LEFT_TIES))) * weights).sum((2, 3))
                losses = (((left < right) | ((left == right) & (ties == RIGHT_TIES))) * weights).sum((2, 3))
                decided = wins + losses
                shares[one, two, ties] = np.where(decided > 0, wins / np.where(decided > 0, decided, 1), NO_ROUND)
    return shares


ROUND_SHARES: Final = round_shares()


@kernel
def success(s: Record, remaining: int) -> float:
    """Chance that a risk roll succeeds."""
    return min(1.0, max(0.0, (SIDES_OF_DIE - remaining - int(s.guard)) / SIDES_OF_DIE))


@kernel
def round_share(left: int, right: int, left_mode: int, right_mode: int, ties: int) -> float:
    """Chance that left wins a fight round which anybody wins, NO_ROUND if nobody can.

    Args:
        left: stat and score effects of left.
        right: of right.
        left_mode: dice of left: below 0 the lower of two, above 0 the higher, else one.
        right_mode: dice of right.
        ties: NO_TIES, or who wins equal totals.
    """
    # The least total is 1, which matters only below 0: above, the difference is all.
    common = max(0, min(left, right))
    row = min(STRONGEST, max(WEAKEST, left - common)) - WEAKEST
    column = min(STRONGEST, max(WEAKEST, right - common)) - WEAKEST
    one = 1 + min(1, max(-1, left_mode))
    two = 1 + min(1, max(-1, right_mode))
    return float(ROUND_SHARES[one, two, ties, row, column])


@kernel
def hits_needed(life: int, damage: int) -> int:
    """Fight rounds to win with a weapon until a foe goes down; life counts as 1 at least, so one is always needed."""
    if damage <= 0:
        return NEVER
    return min(MOST_HITS, (max(1, life) + damage - 1) // damage)


@kernel
def fill_races(share: float, left_most: int, right_most: int, race: NDArray[np.float64]) -> None:
    """Tabulate the chance that left wins a fight, by the hits that left and right still need.

    It is the sum over j < r of C(l - 1 + j, j) share^l (1 - share)^j for l and r hits. Who can never win loses, and if
    neither can, both have 1/2.

    Args:
        share: chance that left wins a fight round which anybody wins, or NO_ROUND.
        left_most: entries are made up to so many hits, and for NEVER.
        right_most: likewise.
        race: float64 (HITS, HITS), the result.
    """
    race[NEVER, NEVER] = 0.5
    for right in range(1, right_most + 1):
        race[0, right] = 1.0
        race[NEVER, right] = 0.5 if share == NO_ROUND or share == 1.0 else 0.0
    for left in range(1, left_most + 1):
        race[left, 0] = 0.0
        race[left, NEVER] = 0.5 if share == NO_ROUND or share == 0.0 else 1.0
        for right in range(1, right_most + 1):
            if share == NO_ROUND:
                race[left, right] = 0.5
            else:
                race[left, right] = share * race[left - 1, right] + (1.0 - share) * race[left, right - 1]
