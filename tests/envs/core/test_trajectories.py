"""Interpreted, compiled and bounds-checked kernels play the same games, with overflow warnings as errors."""

from __future__ import annotations

import pytest

from tests.support.trajectories import trajectory_digests

CODE = """
from tests.support.trajectories import trajectory_digests
from tests.tiny_game import TinyGame
from cardzoo.envs.core.kernels import INTERPRETED
print(INTERPRETED)
for options in TinyGame.variants.values():
    print(trajectory_digests(TinyGame(**options), 20))
"""


@pytest.mark.parametrize(("variable", "interpreted"), [("NUMBA_DISABLE_JIT", True), ("NUMBA_BOUNDSCHECK", False)])
def test_same_games(python, variable, interpreted):
    from tests.tiny_game import TinyGame

    lines = python("-W", "error", "-c", CODE, env={variable: "1"}).stdout.splitlines()
    assert lines[0] == str(interpreted)
    for line, options in zip(lines[1:], TinyGame.variants.values(), strict=True):
        assert line == str(trajectory_digests(TinyGame(**options), 20))
