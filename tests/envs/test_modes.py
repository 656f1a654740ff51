"""Compiled, interpreted and bounds-checked kernels play the same games, see the same and sample the same worlds."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

GAMES = """
import hashlib, json, sys
import numpy as np
from cardzoo.envs import load
name, variants = json.loads(sys.argv[1])
found = []
for options in variants:
    game = load(name, **options)
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
    found.append([played.hexdigest(), seen.hexdigest(), worlds.hexdigest()])
print(json.dumps(found))
"""

VARIANTS: dict[str, list[dict[str, Any]]] = {
    "battle_requiem": [
        {},
        {"seats": 3, "characters": "draft", "reward_scope": "any", "heal_cap": "start", "obs_seats": 6},
        {"teams": [0, 1, 0, 1], "team_hands": "shown", "returns": "placement"},
        {"seats": 6, "max_turns": 60},
    ],
    "bloodsport_gambler": [
        {},
        {"seats": 1, "objective": "fate"},
        {"pass_rule": "final", "max_fight_rounds": 3},
        {"objective": "outcome", "finished_seat": "continue", "coin_supply": "limited", "max_rounds": 6},
        {"objective": "fate", "finished_seat": "restart", "max_rounds": 6},
    ],
    "teddies_vs_monsters": [
        {"keys_to_win": 1, "max_rounds": 1, "max_sudden": 1},
        {"seats": 4, "open_team": True, "partner_sleeve": "always", "keys_to_win": 1, "max_rounds": 1, "max_sudden": 0},
        {"allow_mistakes": True, "start_hand": "face_down", "keys_to_win": 1, "max_rounds": 1, "max_sudden": 1},
    ],
}


@pytest.mark.parametrize("game", VARIANTS)
def test_interpreted_and_compiled_kernels_play_the_same_games(python: Callable[..., Any], game: str) -> None:
    """NUMBA_DISABLE_JIT=1, with overflow as an error, gives the same bytes as the compiled rules."""
    code = ("-c", GAMES, json.dumps([game, VARIANTS[game]]))
    compiled = json.loads(python(*code).stdout)
    interpreted = json.loads(python("-W", "error::RuntimeWarning", *code, env={"NUMBA_DISABLE_JIT": "1"}).stdout)
    assert compiled == interpreted
    assert len(compiled) == len(VARIANTS[game])


@pytest.mark.long
@pytest.mark.parametrize("game", VARIANTS)
def test_bounds_checked_kernels_play_the_same_games(python: Callable[..., Any], game: str) -> None:
    """Compiled code does not check indices: with checks on, nothing is raised and nothing changes."""
    code = ("-c", GAMES, json.dumps([game, VARIANTS[game]]))
    checked = json.loads(python(*code, env={"NUMBA_BOUNDSCHECK": "1"}).stdout)
    assert checked == json.loads(python(*code).stdout)
