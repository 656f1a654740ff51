"""Who sits where in comparisons at tables of more than two: line-ups in which nobody is favoured.

A line-up says which player plays each team; without teams every seat is one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Lineups = npt.NDArray[np.intp]


def one_against_others(teams: int) -> Lineups:
    """Player 0 once in each team's place, player 1 in all others: (G, G)."""
    return 1 - np.eye(teams, dtype=np.intp)


def mixed_lineups(players: int, teams: int, deals: int, seed: int) -> Lineups:
    """K line-ups for each deal, in which every player plays every team once: (deals, K, G).

    The players stand in a circle in an order drawn for the deal, the teams are dealt out around it, and everything
    moves on by one player from line-up to line-up. With fewer players than teams a player plays several of them.
    """
    generator = np.random.default_rng(np.random.SeedSequence([seed, 8]))
    order = generator.permuted(np.tile(np.arange(players), (deals, 1)), axis=1)
    turn = (np.arange(players)[:, None] + np.arange(teams)) % players
    return np.asarray(order[:, turn], dtype=np.intp)


def seated(lineups: Lineups, teams: Sequence[int]) -> Lineups:
    """Turn line-ups (..., G) into seatings (..., S); `teams` (S,) is the team of each seat."""
    return lineups[..., np.asarray(teams)]
