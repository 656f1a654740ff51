"""Win rates and means with intervals that know that games come in groups played on one deal."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Z95 = 1.959963984540054
"""Half width of a 95 % interval, in standard errors."""


class Rate(NamedTuple):
    """A share between 0 and 1 with its 95 % interval; all NaN when there is nothing to count."""

    value: float
    low: float
    high: float


class Mean(NamedTuple):
    """A mean with its 95 % interval; NaN when there is nothing to count, or only one group to judge the spread by."""

    value: float
    low: float
    high: float


def grouped_mean(sums: npt.NDArray[np.float64], counts: npt.NDArray[np.float64]) -> Mean:
    """Estimate a mean from values that were observed in groups (one group per deal).

    Args:
        sums: (groups,), sum of the values in each group.
        counts: (groups,), number of values in each group; groups without any are left out.
    """
    sums, counts = sums[counts > 0], counts[counts > 0]
    groups = len(counts)
    if not groups:
        return Mean(float("nan"), float("nan"), float("nan"))
    total = float(counts.sum())
    mean = float(sums.sum()) / total
    if groups == 1:
        return Mean(mean, float("nan"), float("nan"))
    half = Z95 * sqrt(float(np.square(sums - mean * counts).sum()) * groups / (groups - 1)) / total
    return Mean(mean, mean - half, mean + half)


def grouped_rate(points: npt.NDArray[np.float64], games: npt.NDArray[np.float64]) -> Rate:
    """Estimate a win rate from games that were played in groups (one group per deal).

    Games on one deal are not independent: a lucky hand decides them together, or the two of a swapped pair one each. So
    the spread is measured between groups (a ratio estimate's linearised variance, with one imaginary group of average
    spread added, so that a few groups that happen to agree do not claim certainty). It is turned into the number of
    independent games that would be as informative, and Wilson's interval for that many games is returned: it stays
    inside [0, 1] and keeps a sensible width at 0 % and 100 %, where the groups count as one game each.

    Args:
        points: (groups,), points won in each group (a win 1, a draw 0.5).
        games: (groups,), games counted in each group; groups without games are left out.
    """
    points, games = points[games > 0], games[games > 0]
    groups = len(games)
    if not groups:
        return Rate(float("nan"), float("nan"), float("nan"))
    total = float(games.sum())
    rate = float(points.sum()) / total
    effective = float(groups)
    if 0 < rate < 1 and groups > 1:
        size = total / groups
        spread = float(np.square(points - rate * games).sum()) * groups / (groups - 1)
        variance = (spread + size * size * rate * (1 - rate)) / (total * total)
        effective = rate * (1 - rate) / variance
    return Rate(rate, *wilson(rate, effective))


def wilson(rate: float, games: float) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a share observed in a number of independent games (which may be fractional)."""
    square = Z95 * Z95
    middle = (rate + square / (2 * games)) / (1 + square / games)
    half = Z95 / (1 + square / games) * sqrt(rate * (1 - rate) / games + square / (4 * games * games))
    return max(0.0, min(middle - half, rate)), min(1.0, max(middle + half, rate))
