"""What a decision turned out to be worth: GAE along each seat's own decisions."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

from cardzoo.agents.random import RandomAgent, sample_legal
from cardzoo.envs import load
from cardzoo.training.rollout import SeatRolloutBuffer
from cardzoo.training.vec_env import SelfPlayVecEnv
from tests.training.test_vec_env import Fixed

SPACES = (spaces.Box(0, 1, (1,), np.float32), spaces.Discrete(2))


def fill(buffer, env, seats, rewards, starts, values):
    """Add one decision of each game for each row of the tables, as MaskablePPO does: the games move on first."""
    env.deciders = seats[0]
    buffer.reset()
    for step in range(len(rewards)):
        env.deciders = seats[step + 1]
        n = len(rewards[step])
        buffer.add(
            np.zeros((n, 1), np.float32),
            np.zeros((n, 1)),
            rewards[step],
            starts[step],
            torch.tensor(values[step]),
            torch.zeros(n),
            action_masks=np.ones((n, 2), bool),
        )
    return buffer


def own_buffer(steps, games, gamma=1.0, gae_lambda=0.95, seats=4):
    env = SimpleNamespace(deciders=np.zeros(games, np.int8), game=SimpleNamespace(num_seats=seats))
    return SeatRolloutBuffer(steps, *SPACES, n_envs=games, gamma=gamma, gae_lambda=gae_lambda, env=env), env


def judged(seats, rewards, values, last_value, ended, gae_lambda, starts=None):
    """Advantages and returns of one game's decisions; `seats` names the one that is waited for, too."""
    steps = len(rewards)
    buffer, env = own_buffer(steps, 1, gae_lambda=gae_lambda)
    column = lambda row, kind: np.array(row, kind)[:, None]  # noqa: E731
    starts = starts or [1] + [0] * (steps - 1)
    args = (column(rewards, np.float32), column(starts, np.float32), column(values, np.float32))
    fill(buffer, env, column(seats, np.int8), *args)
    buffer.compute_returns_and_advantage(torch.tensor([last_value]), np.array([ended]))
    return buffer.advantages[:, 0], buffer.returns[:, 0]


def test_a_decision_is_judged_by_what_its_own_seat_expects_next():
    advantages, returns = judged([0, 2, 0, 0], [0, 0, 1], [0.1, 0.5, 0.3], 0.0, True, gae_lambda=0.0)
    # Seat 0 expected .1, then .3; that seat 2 expected .5 in between does not matter. Then the game was won.
    assert advantages == pytest.approx([0.2, 0.5, 0.7])
    assert returns == pytest.approx([0.3, 1.0, 1.0])


def test_what_the_team_gets_during_the_partners_decisions_counts_for_both():
    advantages, _ = judged([0, 2, 0, 0], [0, 0.5, 0], [0, 0, 0], 0.0, True, gae_lambda=0.0)
    assert advantages == pytest.approx([0.5, 0.5, 0])


def test_with_lambda_1_a_return_is_all_that_comes_until_the_end():
    _, returns = judged([0, 2, 2, 0, 2, 0], [1, 2, 4, 8, 16], [0.3, 0.1, 0.7, 0.2, 0.9], 0.0, True, gae_lambda=1.0)
    assert returns == pytest.approx([31, 30, 28, 24, 16])


def test_the_last_decision_of_a_seat_that_is_not_waited_for_is_not_judged():
    advantages, returns = judged([2, 0, 2, 0, 0], [0] * 4, [0.2, 0.1, 0.6, 0.3], 0.8, False, gae_lambda=0.5)
    # Seat 0 is waited for, and expects .8. Seat 2 has no decision after the one at .6, which judges the one before.
    assert advantages == pytest.approx([0.4, 0.2 + 0.5 * 0.5, 0, 0.5])
    assert returns[2] == pytest.approx(0.6)


def test_a_new_game_does_not_judge_the_one_before():
    advantages, _ = judged(
        [0, 2, 1, 3, 1], [0, -1, 0, 0], [0.5, 0.5, 0.2, 0.1], 0.9, False, gae_lambda=1.0, starts=[1, 0, 1, 0]
    )
    assert advantages == pytest.approx([-1.5, -1.5, 0.7, 0])


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_with_one_seat_to_decide_for_it_is_the_usual_estimate(gamma):
    """The seat changes from game to game, as when every seat without a team learns in turn."""
    steps, games = 40, 16
    generator = np.random.default_rng(0)
    starts = (generator.random((steps + 1, games)) < 0.2).astype(np.float32)
    seats = ((np.cumsum(starts, axis=0) + np.arange(games)) % 4).astype(np.int8)
    rewards, values = (generator.normal(size=(steps, games)).astype(np.float32) for _ in range(2))
    last_values, dones = torch.randn(games, 1), starts[steps] == 1
    ours, env = own_buffer(steps, games, gamma=gamma)
    usual = MaskableRolloutBuffer(steps, *SPACES, n_envs=games, gamma=gamma, gae_lambda=0.95)
    for buffer in (ours, usual):
        fill(buffer, env, seats, rewards, starts, values)
        buffer.compute_returns_and_advantage(last_values, dones)
    np.testing.assert_allclose(ours.advantages, usual.advantages, atol=1e-5)
    np.testing.assert_allclose(ours.returns, usual.returns, atol=1e-5)


def test_the_games_tell_whose_decision_they_wait_for():
    game = load("teddies_vs_monsters", seats=4)
    generator = np.random.default_rng(0)
    env = SelfPlayVecEnv(game, 16, Fixed(RandomAgent(game, 1)), seed=1)
    env.reset()
    seen = []
    for _ in range(60):
        assert (np.array(game.teams)[env.deciders] == env._team).all()
        assert (env.deciders == env._step.actor).all()
        seen.append(env.deciders)
        env.step(sample_legal(env.action_masks(), generator))
    assert set(np.unique(seen)) == {0, 1, 2, 3}
    assert len(np.unique(np.array(seen)[:, 0])) == 2  # both seats of a team, in one game
