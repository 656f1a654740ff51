"""One seat as a Gymnasium environment: a seat alone, and a seat of two of which one may leave before the other."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env as gymnasium_check
from stable_baselines3.common.env_checker import check_env as sb3_check

from cardzoo.agents.gym_env import SingleAgentEnv
from cardzoo.envs import IllegalAction, OptionError

GAMES: list[tuple[dict[str, Any], int | str]] = [
    ({"seats": 1}, 0),
    ({"seats": 1, "objective": "fate"}, "random"),
    ({}, "alternate"),
    ({"objective": "outcome"}, 1),
]


def make(options: dict[str, Any], seat: int | str, **arguments: Any) -> SingleAgentEnv:
    return SingleAgentEnv("bloodsport_gambler", seat=seat, **arguments, **options)


def episode(env: SingleAgentEnv, generator: np.random.Generator, seed: int | None = None) -> tuple[list[Any], Any]:
    """Play one episode at random: (observations as bytes and rewards, last info)."""
    observation, info = env.reset(seed=seed)
    seen: list[Any] = [observation.tobytes()]
    while True:
        action = generator.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        np.testing.assert_array_equal(info["action_mask"], env.action_masks())
        seen += [observation.tobytes(), float(reward)]
        if terminated or truncated:
            return seen, info | {"terminated": terminated, "truncated": truncated}


@pytest.mark.parametrize(("options", "seat"), GAMES, ids=str)
def test_the_checkers_of_gymnasium_and_sb3_find_nothing(options: dict[str, Any], seat: int | str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*not having a spec.*|.*different types.*render.*")
        gymnasium_check(make(options, seat, render_mode="ansi"), skip_render_check=False)
        sb3_check(make(options, seat), warn=True)


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
            seen, info = episode(env, np.random.default_rng(seed), seed=seed)
            assert (info["terminated"], info["truncated"], info["seat"]) == (True, False, seat)
            assert sum(seen[2::2]) == pytest.approx(env.state.returns[seat])
            assert env.state.has_left(seat)
            assert not info["action_mask"].any()
            if env.state.is_over:
                assert info["winners"] == env.state.outcome.winners  # type: ignore[union-attr]
            else:
                assert info["outcome"] == f"seat {seat} is out, others play on"
                assert info["winners"] == ()
            early.add(not env.state.is_over)
    assert early == ({False, True} if options.get("objective") == "outcome" else {False})


def test_a_seat_alone_has_no_opponents_to_name() -> None:
    with pytest.raises(OptionError, match="0 other seats, but 1"):
        make({"seats": 1}, 0, opponent=["random"])


@pytest.mark.parametrize("options", [{"seats": 1, "max_rounds": 1}, {"objective": "outcome", "max_rounds": 1}], ids=str)
def test_a_game_at_its_round_limit_is_truncated(options: dict[str, Any]) -> None:
    env = make(options, 0)
    endings = []
    for seed in range(10):
        seen, info = episode(env, np.random.default_rng(seed), seed=seed)
        endings.append((info["terminated"], info["truncated"]))
        assert sum(seen[2::2]) == 0
        assert "cut off" in info["outcome"]
    assert set(endings) == {(False, True)}


@pytest.mark.parametrize("options", [{"seats": 1}, {}], ids=str)
def test_copies_go_on_alike_and_share_nothing(options: dict[str, Any]) -> None:
    env = make(options, "alternate", opponent="random")
    _, info = env.reset(seed=1)
    env.step(np.flatnonzero(info["action_mask"])[0])
    results = []
    for one in (env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        generator = np.random.default_rng(0)
        seen = []
        ended = False
        while not ended:
            action = generator.choice(np.flatnonzero(one.action_masks()))
            observation, reward, terminated, truncated, _ = one.step(action)
            seen.append((observation.tobytes(), reward))
            ended = terminated or truncated
        results.append((seen, episode(one, generator)[0]))
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("options", [{"seats": 1}, {}], ids=str)
def test_after_an_illegal_action_the_table_is_drawn_and_nothing_can_be_played(options: dict[str, Any]) -> None:
    env = make(options, 0, render_mode="ansi")
    _, info = env.reset(seed=1)
    legal = int(np.flatnonzero(info["action_mask"])[0])
    _, reward, terminated, _, _ = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, terminated) == (-1, True)
    assert isinstance(env.render(), str)
    assert not env.action_masks().any()
    with pytest.raises(IllegalAction, match="over"):
        env.step(legal)
    env.reset()
    assert env.action_masks().any()


@pytest.mark.parametrize("options", [{"seats": 1}, {"opponent": "random"}], ids=str)
def test_the_registered_environment_is_found_and_learns_with_maskable_ppo(options: dict[str, Any]) -> None:
    from sb3_contrib import MaskablePPO

    import cardzoo.envs  # noqa: F401 - registers it

    env = gymnasium.make("cardzoo/BloodsportGambler-v0", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        observation, info = env.reset(seed=1)
        assert observation in env.observation_space
        env.step(env.action_space.sample(info["action_mask"]))
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=16, n_epochs=1, seed=0, device="cpu")
    model.learn(64)
