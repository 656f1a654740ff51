"""How the features of a game's observations vary."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cardzoo.envs import BatchEnv
from cardzoo.envs.core.game import Game

GAMES = 128
"""Games at once."""
STEPS = 2000
"""Moves of each; several whole games."""


def feature_statistics(
    game: Game, steps: int = STEPS, seed: int = 0
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Mean and standard deviation of each feature in random games, as the seats that act see them.

    Random games will do: what a feature is in them is near enough to what it is in good ones.

    Args:
        game: what is played.
        steps: moves in each of `GAMES` games; finished ones begin anew.
        seed: of the games.

    Returns:
        two float32 arrays (D,).
    """
    batch = BatchEnv(game, GAMES, seed=seed, sample=True)
    step = batch.reset()
    sums = np.zeros(game.observation_size)
    squares = np.zeros(game.observation_size)
    for _ in range(steps):
        seen = step.observations.astype(np.float64)
        sums += seen.sum(axis=0)
        squares += (seen * seen).sum(axis=0)
        step = batch.step(step.sampled)
    count = steps * GAMES
    mean = sums / count
    variance = np.maximum(squares / count - mean**2, 0)
    return mean.astype(np.float32), np.sqrt(variance).astype(np.float32)
