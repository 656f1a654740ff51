"""One seat as a Gymnasium environment: one of two or of four, whose acts the others' land between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardzoo.agents.gym_env import SingleAgentEnv
from cardzoo.envs import OptionError
from tests.support.episodes import episode

SHORT = {"keys_to_win": 1, "max_rounds": 3}


def make(options: dict[str, Any], seat: int | str, **arguments: Any) -> SingleAgentEnv:
    return SingleAgentEnv("teddies_vs_monsters", seat=seat, **arguments, **options)


@pytest.mark.parametrize("options", [SHORT, {**SHORT, "seats": 4}], ids=str)
def test_every_seat_is_asked_until_the_end_and_gets_its_whole_return(options: dict[str, Any]) -> None:
    """Partners win and lose together; nobody leaves early."""
    results = set()
    for seat in range(options.get("seats", 2)):
        env = make(options, seat)
        for seed in range(4):
            played = episode(env, np.random.default_rng(seed), seed=seed)
            outcome = env.state.outcome
            assert outcome is not None
            assert (played.terminated, played.truncated) == (not outcome.truncated, outcome.truncated)
            assert played.winners == outcome.winners
            assert sum(played.rewards) == played.rewards[-1] == env.state.returns[seat]
            results.add(sum(played.rewards))
    assert results >= {-1.0, 1.0}


def test_it_is_asked_only_when_it_has_a_choice() -> None:
    """However many acts of the others land meanwhile."""
    env = make({**SHORT, "seats": 4}, 3)
    _, info = env.reset(seed=1)
    rng, over = np.random.default_rng(1), False
    while not over:
        assert env.state.actor == info["seat"] == 3
        assert info["action_mask"].sum() > 1
        _, _, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        over = terminated or truncated


@pytest.mark.parametrize("seats", [2, 4])
def test_a_game_at_its_round_limit_is_truncated(seats: int) -> None:
    env = make({"seats": seats, "max_rounds": 1, "max_sudden": 0, "round_ticks": 100}, "alternate")
    for seed in range(seats):
        played = episode(env, np.random.default_rng(seed), seed=seed)
        assert (played.terminated, played.truncated) == (False, True)
        assert sum(played.rewards) == 0
        assert "cut off" in str(played.outcome)


def test_opponents_are_those_of_the_other_seats_the_partner_among_them() -> None:
    with pytest.raises(OptionError, match="3 other seats, but 2"):
        make({"seats": 4}, 0, opponent=["random"] * 2)
    env = make({**SHORT, "seats": 4}, 2, opponent=["random"] * 3)
    assert episode(env, np.random.default_rng(0), seed=1).seat == 2
