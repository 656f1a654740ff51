"""Dice: from the tape of a position first, then from the record's generator."""

from __future__ import annotations

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.piles import take_at
from cardzoo.envs.core.random import below
from cardzoo.envs.core.records import Record


@kernel
def roll(s: Record) -> int:
    """A die, 1..6."""
    n = int(s.n_tape)
    if n == 0:
        return 1 + below(s.rng, 6)
    die = take_at(s.tape, n, 0)
    s.n_tape = n - 1
    return die
