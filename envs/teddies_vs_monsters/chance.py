"""Draws of the clock: from the tape of a position first, then from the record's generator."""

from __future__ import annotations

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.piles import take_at
from cardzoo.envs.core.random import below
from cardzoo.envs.core.records import Record


@kernel
def draw(s: Record, n: int) -> int:
    """A number from 0 to n - 1; ValueError if the tape's next one is none."""
    left = int(s.n_tape)
    if left == 0:
        return below(s.rng, n)
    value = take_at(s.tape, left, 0)
    s.n_tape = left - 1
    if value >= n:
        raise ValueError("the next number on the tape `dice` is too high for this draw")
    return value
