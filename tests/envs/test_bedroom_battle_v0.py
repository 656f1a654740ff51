"""Bedroom Battle through PettingZoo: its own tests for every variant, and what they do not see."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from cardzoo.envs import IllegalAction, OptionError, bedroom_battle_v0
from cardzoo.envs.bedroom_battle.game import BedroomBattle
from cardzoo.envs.core.aec import ILLEGAL_REWARD
from tests.envs.core.test_aec import UNAVOIDABLE

VARIANTS = BedroomBattle.variants


@pytest.fixture
def strict():
    """Warnings are errors, but for those that every environment with dict observations gets."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in UNAVOIDABLE:
            warnings.filterwarnings("ignore", message)
        yield


def play(env, seed, moves=None):
    """One game with random moves (or the given ones): [(agent, observation, mask, reward, flags, action)]."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    history = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        action = None
        if not (terminated or truncated):
            action = (
                int(rng.choice(np.flatnonzero(observation["action_mask"]))) if moves is None else moves[len(history)]
            )
        history.append(
            (agent, observation["observation"], observation["action_mask"], reward, terminated, truncated, action)
        )
        env.step(action)
    return history


def same(first, second):
    assert len(first) == len(second)
    for one, other in zip(first, second, strict=True):
        assert (one[0], one[3:]) == (other[0], other[3:])
        assert np.array_equal(one[1], other[1])
        assert np.array_equal(one[2], other[2])


@pytest.mark.parametrize("make", [bedroom_battle_v0.env, bedroom_battle_v0.raw_env], ids=["env", "raw_env"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_pettingzoo_api_test(strict, make, variant):
    api_test(make(**VARIANTS[variant]), num_cycles=300)


@pytest.mark.parametrize("make", [bedroom_battle_v0.env, bedroom_battle_v0.raw_env], ids=["env", "raw_env"])
def test_pettingzoo_seed_and_render_tests(strict, make, capsys):
    seed_test(make, num_cycles=300)
    render_test(make)


@pytest.mark.parametrize("variant", VARIANTS)
def test_whole_games_repeat_and_rewards_add_up(variant):
    """PettingZoo's seed test stops at the first termination."""
    env, other = bedroom_battle_v0.raw_env(**VARIANTS[variant]), bedroom_battle_v0.env(**VARIANTS[variant])
    for seed in range(3):
        history = play(env, seed)
        same(history, play(other, seed))
        totals = dict.fromkeys(env.possible_agents, 0.0)
        for agent, *_, reward, _, _, _ in history:
            totals[agent] += reward
        assert list(totals.values()) == pytest.approx(env.table.returns, abs=1e-6)
        space = env.observation_space("seat_0")["observation"]
        assert all(space.contains(observation) for _, observation, *_ in history)


def test_copies_in_the_middle_of_a_game_go_on_alike():
    moves = [entry[-1] for entry in play(bedroom_battle_v0.raw_env(preset="quick"), 4)]
    for stop in range(0, len(moves), 17):
        env = bedroom_battle_v0.env(preset="quick")
        env.reset(seed=4)
        for action in moves[:stop]:
            env.step(action)
        for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            for action in moves[stop:]:
                twin.step(action)
            assert twin.agents == []
        for action in moves[stop:]:
            env.step(action)
        assert env.unwrapped.table == twin.unwrapped.table


def test_illegal_action_is_refused_by_the_bare_environment_and_loses_under_the_wrappers():
    raw = bedroom_battle_v0.raw_env()
    raw.reset(seed=1)
    before = raw.table
    illegal = int(np.flatnonzero(raw.last()[0]["action_mask"] == 0)[0])
    with pytest.raises(IllegalAction, match=r"is not legal for seat_[01]; legal are: "):
        raw.step(illegal)
    assert raw.table == before

    env = bedroom_battle_v0.env()
    env.reset(seed=1)
    culprit = env.agent_selection
    env.step(illegal)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        totals[agent] += env.last()[1]
        env.step(None)
    assert totals == {agent: ILLEGAL_REWARD * (agent == culprit) for agent in env.possible_agents}
    same(play(bedroom_battle_v0.env(), 2), play(env, 2))


def test_cut_off_game_is_truncated_for_both_seats():
    env = bedroom_battle_v0.raw_env(max_rounds=1)
    history = play(env, 0)
    assert [entry[4:6] for entry in history[-2:]] == [(False, True)] * 2
    assert env.table.outcome.truncated


def test_options_and_render_modes_are_checked_when_the_environment_is_made():
    with pytest.raises(OptionError, match="drfat"):
        bedroom_battle_v0.env(drfat="none")
    with pytest.raises(OptionError, match="render_mode is 'human', 'ansi' or None"):
        bedroom_battle_v0.raw_env(render_mode="rgb_array")
