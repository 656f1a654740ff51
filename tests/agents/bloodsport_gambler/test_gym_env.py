"""One seat as a Gymnasium environment: a seat alone, and a seat of two of which one may leave before the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardzoo.agents.gym_env import SingleAgentEnv
from cardzoo.envs import OptionError
from tests.support.episodes import episode


def make(options: dict[str, Any], seat: int, **arguments: Any) -> SingleAgentEnv:
    return SingleAgentEnv("bloodsport_gambler", seat=seat, **arguments, **options)


@pytest.mark.parametrize(
    "options", [{"seats": 1}, {"seats": 1, "objective": "fate"}, {}, {"objective": "outcome"}], ids=str
)
def test_every_seat_gets_its_whole_return_and_ends_when_it_has_left(options: dict[str, Any]) -> None:
    """A seat alone has no opponents; one that defaults is out, and the other is not waited for."""
    early = set()
    for seat in range(options.get("seats", 2)):
        env = make(options, seat)
        assert len(env.opponents) == env.game.num_seats - 1
        for seed in range(10):
            played = episode(env, np.random.default_rng(seed), seed=seed)
            assert (played.terminated, played.truncated, played.seat) == (True, False, seat)
            assert sum(played.rewards) == pytest.approx(env.state.returns[seat])
            assert env.state.has_left(seat)
            assert not env.action_masks().any()
            if env.state.is_over:
                assert played.winners == env.state.outcome.winners  # type: ignore[union-attr]
            else:
                assert played.outcome == f"seat {seat} is out, others play on"
                assert played.winners == ()
            early.add(not env.state.is_over)
    assert early == ({False, True} if options.get("objective") == "outcome" else {False})


def test_a_seat_alone_has_no_opponents_to_name() -> None:
    with pytest.raises(OptionError, match="0 other seats, but 1"):
        make({"seats": 1}, 0, opponent=["random"])


@pytest.mark.parametrize("options", [{"seats": 1, "max_rounds": 1}, {"objective": "outcome", "max_rounds": 1}], ids=str)
def test_a_game_at_its_round_limit_is_truncated(options: dict[str, Any]) -> None:
    env = make(options, 0)
    for seed in range(10):
        played = episode(env, np.random.default_rng(seed), seed=seed)
        assert (played.terminated, played.truncated) == (False, True)
        assert sum(played.rewards) == 0
        assert "cut off" in str(played.outcome)
