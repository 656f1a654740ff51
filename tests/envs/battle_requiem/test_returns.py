"""Returns: both kinds, shared places, the turn limit, teams; they always sum to 0."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardzoo.envs import load
from cardzoo.envs.core.loops import pick
from cardzoo.envs.core.random import seed_states

OPTIONS: list[dict[str, Any]] = [
    {"seats": 2},
    {"seats": 3, "returns": "placement"},
    {"seats": 5},
    {"seats": 6, "returns": "placement", "reward_scope": "any"},
    {"teams": [0, 1, 0, 1]},
    {"teams": [0, 1, 2, 0, 1, 2], "returns": "placement"},
    {"seats": 4, "max_turns": 30},
    {"seats": 4, "max_turns": 30, "returns": "placement"},
    {"teams": [0, 1, 2, 0, 1, 2], "max_turns": 50},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_returns_are_final_when_a_team_is_out_and_sum_to_0(options: dict[str, Any]) -> None:
    game = load("battle_requiem", **options)
    teams = game.options["teams"] or list(range(game.num_seats))
    places = {}
    for seed in range(40):
        state = game.new_state(seed)
        rng = seed_states(seed, 1)[0]
        out: dict[int, float] = {}
        while not state.is_over:
            legal = state.action_mask()
            state.apply(int(pick(legal, int(legal.sum()), rng)))
            bits = int(state.states[0].left)
            for seat in range(game.num_seats):
                if bits >> seat & 1:
                    assert state.returns[seat] == out.setdefault(seat, float(state.returns[seat]))
                elif not state.is_over:
                    assert state.returns[seat] == 0
        assert state.returns.sum() == pytest.approx(0, abs=1e-12)
        for seat, team in enumerate(teams):
            assert state.returns[seat] == state.returns[teams.index(team)]
        assert bool(state.states[0].truncated) or state.returns.max() == 1
        places[seed] = tuple(np.round(np.sort(state.returns), 6))
    assert len(set(places.values())) >= 1


@pytest.mark.parametrize(
    ("returns", "expected"), [("winner", [-1 / 3, 1 / 9, 1 / 9, 1 / 9]), ("placement", [-1, 1 / 3, 1 / 3, 1 / 3])]
)
def test_at_the_turn_limit_those_still_in_share_what_the_others_lost(returns: str, expected: list[float]) -> None:
    game = load("battle_requiem", seats=4, returns=returns, max_turns=9)
    names = ["ash_squire", "iron_marshal", "mirror_seer", "tide_dragon"]
    seats: list[dict[str, Any]] = [{"character": name, "hand": ["longbow"], "inventory": 1} for name in names]
    seats[0] = {"character": "ash_squire", "hp": 0}
    state = game.from_position({"box": "rest", "turn": 9, "draw": ["spark"], "active": 1, "seats": seats})
    state.apply("discard longbow")
    assert state.is_over
    assert state.outcome.truncated
    assert state.returns.tolist() == pytest.approx(expected)
