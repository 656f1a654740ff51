"""One seat as a Gymnasium environment: one of two or of four, whose acts the others' land between."""

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

SHORT = {"keys_to_win": 1, "max_rounds": 3}
TABLES: list[dict[str, Any]] = [
    SHORT,
    {**SHORT, "seats": 4},
    {**SHORT, "allow_mistakes": True, "start_hand": "face_down"},
    {**SHORT, "seats": 4, "allow_mistakes": True, "open_team": True},
]


def make(options: dict[str, Any], seat: int | str, **arguments: Any) -> SingleAgentEnv:
    return SingleAgentEnv("teddies_vs_monsters", seat=seat, **arguments, **options)


def episode(env: SingleAgentEnv, generator: np.random.Generator, seed: int | None = None) -> tuple[list[Any], Any]:
    """Play one episode at random: (observations as bytes and rewards, last info)."""
    observation, info = env.reset(seed=seed)
    seen: list[Any] = [observation.tobytes()]
    assert observation in env.observation_space
    while True:
        assert env.state.actor == info["seat"]
        assert info["action_mask"].sum() > 1
        action = generator.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        np.testing.assert_array_equal(info["action_mask"], env.action_masks())
        seen += [observation.tobytes(), float(reward)]
        if terminated or truncated:
            return seen, info | {"terminated": terminated, "truncated": truncated}


@pytest.mark.parametrize(
    ("options", "seat"),
    [
        *((options, seat) for options in TABLES[:2] for seat in (1, "alternate", "random")),
        (TABLES[2], 0),
        (TABLES[3], 3),
    ],
    ids=str,
)
def test_the_checkers_of_gymnasium_and_sb3_find_nothing(options: dict[str, Any], seat: int | str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*not having a spec.*|.*different types.*render.*")
        gymnasium_check(make(options, seat, render_mode="ansi"), skip_render_check=False)
        sb3_check(make(options, seat), warn=True)


@pytest.mark.parametrize("options", TABLES[:2], ids=str)
def test_every_seat_is_asked_until_the_end_and_gets_its_whole_return(options: dict[str, Any]) -> None:
    """Partners win and lose together; nobody leaves early."""
    results = set()
    for seat in range(options.get("seats", 2)):
        env = make(options, seat)
        assert len(env.opponents) == env.game.num_seats - 1
        for seed in range(4):
            seen, info = episode(env, np.random.default_rng(seed), seed=seed)
            assert env.state.is_over
            assert env.state.outcome is not None
            assert (info["terminated"], info["truncated"]) == (
                not env.state.outcome.truncated,
                env.state.outcome.truncated,
            )
            assert info["winners"] == env.state.outcome.winners
            assert sum(seen[2::2]) == env.state.returns[seat]
            assert not any(seen[2:-1:2])
            results.add(sum(seen[2::2]))
    assert results >= {-1.0, 1.0}


@pytest.mark.parametrize("seats", [2, 4])
def test_a_game_at_its_round_limit_is_truncated(seats: int) -> None:
    env = make({"seats": seats, "max_rounds": 1, "max_sudden": 0, "round_ticks": 100}, "alternate")
    for seed in range(seats):
        seen, info = episode(env, np.random.default_rng(seed), seed=seed)
        assert (info["terminated"], info["truncated"]) == (False, True)
        assert sum(seen[2::2]) == 0
        assert "cut off" in info["outcome"]


def test_opponents_are_those_of_the_other_seats_the_partner_among_them() -> None:
    with pytest.raises(OptionError, match="3 other seats, but 2"):
        make({"seats": 4}, 0, opponent=["random"] * 2)
    env = make({**SHORT, "seats": 4}, 2, opponent=["random"] * 3)
    _, info = episode(env, np.random.default_rng(0), seed=1)
    assert info["seat"] == 2


@pytest.mark.parametrize("options", TABLES[:2], ids=str)
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


@pytest.mark.parametrize("options", TABLES[:2], ids=str)
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


def test_the_registered_environment_is_found_and_learns_with_maskable_ppo() -> None:
    from sb3_contrib import MaskablePPO

    import cardzoo.envs  # noqa: F401 - registers it

    env = gymnasium.make("cardzoo/TeddiesVsMonsters-v0", opponent="random", seats=4, keys_to_win=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        observation, info = env.reset(seed=1)
        assert observation in env.observation_space
        env.step(env.action_space.sample(info["action_mask"]))
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=16, n_epochs=1, seed=0, device="cpu")
    model.learn(64)
