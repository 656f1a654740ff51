"""Who won and who came where, from returns: for games of any number of seats, alone or in teams.

Shapes: N games, S seats, G teams (a seat without a team is a team of one). A team has the mean return of its seats.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Returns = NDArray[np.float64]


def team_returns(returns: NDArray[np.floating], teams: Sequence[int]) -> Returns:
    """The mean return of each team: float64 (N, G) from `returns` (N, S); `teams` (S,) holds numbers 0..G-1."""
    members = np.equal.outer(np.asarray(teams), np.arange(max(teams) + 1)).astype(np.float64)
    return np.asarray(returns, np.float64) @ (members / members.sum(axis=0))


def win_shares(values: NDArray[np.floating]) -> Returns:
    """Each team's share of the win, (N, G): 1 for the highest of `values` (N, G), shared by all that have it."""
    best = values == values.max(axis=1, keepdims=True)
    return best / best.sum(axis=1, keepdims=True)


def places(values: NDArray[np.floating]) -> Returns:
    """Each team's place, (N, G): 1 for the highest of `values` (N, G); teams of one value share the mean of theirs."""
    higher = (values[:, None, :] > values[:, :, None]).sum(axis=2)
    same = (values[:, None, :] == values[:, :, None]).sum(axis=2)
    return higher + (same + 1) / 2
