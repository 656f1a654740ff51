"""Battle Requiem through PettingZoo and Gymnasium: their own tests for every variant, and whole games."""

from __future__ import annotations

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from cardzoo.envs import IllegalAction, OptionError, battle_requiem_v0
from cardzoo.envs.battle_requiem.game import BattleRequiem
from tests.envs.core.test_aec import UNAVOIDABLE

VARIANTS = BattleRequiem.variants


@pytest.fixture
def strict():
    """Warnings are errors, but for those that every environment with dict observations gets."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in UNAVOIDABLE:
            warnings.filterwarnings("ignore", message)
        yield


def play(env, seed):
    """One game with random moves: [(agent, reward, terminated, truncated, action)]."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    history = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        action = None
        if not (terminated or truncated):
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        history.append((agent, reward, terminated, truncated, action))
        env.step(action)
    return history


@pytest.mark.parametrize("make", [battle_requiem_v0.env, battle_requiem_v0.raw_env], ids=["env", "raw_env"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_pettingzoo_api_test(strict, make, variant):
    api_test(make(**VARIANTS[variant]), num_cycles=300)


@pytest.mark.parametrize("make", [battle_requiem_v0.env, battle_requiem_v0.raw_env], ids=["env", "raw_env"])
def test_pettingzoo_seed_and_render_tests(strict, make, capsys):
    seed_test(make, num_cycles=300)
    render_test(make)


@pytest.mark.parametrize("variant", VARIANTS)
def test_whole_games_repeat_and_rewards_add_up(variant):
    """PettingZoo's seed test stops at the first termination."""
    env, other = battle_requiem_v0.raw_env(**VARIANTS[variant]), battle_requiem_v0.env(**VARIANTS[variant])
    for seed in range(2):
        history = play(env, seed)
        assert play(other, seed) == history
        totals = dict.fromkeys(env.possible_agents, 0.0)
        for agent, reward, *_ in history:
            totals[agent] += reward
        assert list(totals.values()) == pytest.approx(env.table.returns, abs=1e-6)
        assert sum(totals.values()) == pytest.approx(0, abs=1e-6)


def test_a_seat_leaves_when_its_team_is_out_and_a_fallen_member_of_a_living_team_stays():
    env = battle_requiem_v0.raw_env(**VARIANTS["teams_2v2v2"])
    left_early = stayed = False
    for seed in range(10):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while env.agents:
            seats = env.table.to_position()["seats"]
            for number, entry in enumerate(seats):
                agent, mate = f"seat_{number}", seats[(number + 3) % 6]
                if entry["hp"] == 0 and mate["hp"] > 0 and not env.table.is_over:
                    assert agent in env.agents
                    stayed = True
                if entry["place"] is not None and not env.table.is_over:
                    left_early |= agent not in env.agents or env.terminations[agent]
            over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
            mask = env.last()[0]["action_mask"]
            env.step(None if over else int(rng.choice(np.flatnonzero(mask))))
    assert stayed
    assert left_early


def test_copies_in_the_middle_of_a_game_go_on_alike():
    moves = [entry[-1] for entry in play(battle_requiem_v0.raw_env(seats=3), 4)]
    for stop in range(0, len(moves), 29):
        env = battle_requiem_v0.env(seats=3)
        env.reset(seed=4)
        for action in moves[:stop]:
            env.step(action)
        twins = (copy.deepcopy(env), pickle.loads(pickle.dumps(env)))
        for action in moves[stop:]:
            for table in (env, *twins):
                table.step(action)
        for twin in twins:
            assert twin.agents == []
            assert env.unwrapped.table == twin.unwrapped.table


def test_cut_off_game_is_truncated_for_all_seats():
    env = battle_requiem_v0.raw_env(seats=3, max_turns=2)
    history = play(env, 0)
    assert [entry[2:4] for entry in history[-3:]] == [(False, True)] * 3
    assert env.table.outcome.truncated


def test_illegal_actions_and_wrong_options_are_refused():
    env = battle_requiem_v0.raw_env()
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    with pytest.raises(IllegalAction, match=r"is not legal for seat_[01]; legal are: "):
        env.step(illegal)
    with pytest.raises(OptionError, match="seets"):
        battle_requiem_v0.env(seets=3)


def test_gymnasium_knows_the_game():
    spec = gymnasium.registry["cardzoo/BattleRequiem-v0"]
    assert spec.kwargs == {"game": "battle_requiem"}
