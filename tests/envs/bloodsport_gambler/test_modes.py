"""Compiled, interpreted and bounds-checked kernels play the same games."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

GAMES = """
import hashlib, json
import numpy as np
from cardzoo.envs import load
found = {}
for name, options in {
    "two": {},
    "one": {"seats": 1, "objective": "fate"},
    "final": {"pass_rule": "final", "max_fight_rounds": 3},
    "continue": {"objective": "outcome", "finished_seat": "continue", "coin_supply": "limited", "max_rounds": 6},
    "restart": {"objective": "fate", "finished_seat": "restart", "max_rounds": 6},
}.items():
    game = load("bloodsport_gambler", **options)
    rng = np.random.default_rng(0)
    state = game.new_state(0)
    played, seen, worlds = hashlib.sha256(state.states.tobytes()), hashlib.sha256(), hashlib.sha256()
    sample = np.array([1, 2, 3, 4], np.uint32)
    while not state.is_over:
        before = state.copy()
        state.apply(int(rng.choice(state.legal_actions())))
        played.update(state.states.tobytes())
        seat = int(rng.integers(game.num_seats))
        seen.update(state.observe(seat).tobytes())
        worlds.update(state.resample(seat, sample).states.tobytes())
        assert not state.problems()
        assert game.kernels.changes(state.states, 0, game.rules, before.states, 0) == 0
    played.update(state.returns.tobytes())
    found[name] = [played.hexdigest(), seen.hexdigest(), worlds.hexdigest()]
print(json.dumps(found))
"""


def test_interpreted_and_compiled_kernels_play_the_same_games(python: Callable[..., Any]) -> None:
    """NUMBA_DISABLE_JIT=1, with overflow as an error, gives the same bytes as the compiled rules."""
    compiled = json.loads(python("-c", GAMES).stdout)
    interpreted = json.loads(python("-W", "error::RuntimeWarning", "-c", GAMES, env={"NUMBA_DISABLE_JIT": "1"}).stdout)
    assert compiled == interpreted


@pytest.mark.long
def test_bounds_checked_kernels_play_the_same_games(python: Callable[..., Any]) -> None:
    """Compiled code does not check indices: with checks on, nothing is raised and nothing changes."""
    checked = json.loads(python("-c", GAMES, env={"NUMBA_BOUNDSCHECK": "1"}).stdout)
    assert checked == json.loads(python("-c", GAMES).stdout)
