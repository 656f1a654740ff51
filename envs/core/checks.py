"""Questions that the invariants of all games ask of numbers and lists."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.kernels import kernel


@kernel
def within(value: int, low: int, high: int) -> bool:
    """Whether a number lies in low..high."""
    return low <= value <= high


@kernel
def rest_is_zero(values: NDArray[np.integer[Any]], n: int) -> bool:
    """Whether an array holds zeros from entry n on, and n fits."""
    if n < 0 or n > values.shape[0]:
        return False
    for k in range(n, values.shape[0]):
        if int(values[k]) != 0:
            return False
    return True
