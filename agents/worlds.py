"""Sampling worlds for many decisions at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cardzoo.envs.core.dispatch import game_resample
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Records


@kernel
def resample_each(
    states: Records,
    rules: tuple[npt.NDArray[np.generic], ...],
    seats: npt.NDArray[np.int8],
    rng: npt.NDArray[np.uint32],
) -> None:
    """Turn each state into a world that its seat cannot tell from it.

    Args:
        states: (n,) games, changed in place.
        rules: the game's data.
        seats: int8 (n,) whose knowledge is kept.
        rng: uint32 (4,), advanced.
    """
    for i in range(len(seats)):
        game_resample(states, i, rules, seats[i], rng)
