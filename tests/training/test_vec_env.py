"""The learner's side: rewards, seats, masks, games without a decision."""

from __future__ import annotations

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from cardzoo.agents.base import Agent
from cardzoo.agents.random import RandomAgent, sample_legal
from cardzoo.envs import IllegalAction
from cardzoo.training.vec_env import SelfPlayVecEnv
from tests.training.scripted_game import Scripted


class Fixed:
    """Opponents in turn."""

    def __init__(self, *agents: Agent) -> None:
        self.agents = agents
        self._next = 0

    def assign(self, count):
        chosen = (self._next + np.arange(count)) % len(self.agents)
        self._next += count
        return chosen


class Always(Agent):
    """Takes one action whatever happens, and remembers what it was asked."""

    def __init__(self, game, action):
        super().__init__(game, f"always {action}")
        self.action = action
        self.asked = 0

    def act(self, decisions):
        self.asked += len(decisions)
        return np.full(len(decisions), self.action)


def play(env, steps, choose):
    """Step `env`, yield (observations, masks before, rewards, dones, infos)."""
    observations = env.reset()
    for _ in range(steps):
        masks = env.action_masks()
        seen = observations
        observations, rewards, dones, infos = env.step(choose(masks))
        yield seen, masks, rewards, dones, infos


@pytest.mark.parametrize("lead", [False, True])
def test_summed_rewards_equal_the_returns_of_the_learners_games_losses_included(lead):
    game = Scripted(length=7, lead=lead)
    generator = np.random.default_rng(1)
    env = SelfPlayVecEnv(game, 16, Fixed(RandomAgent(game, 5)), seed=2)
    sums = np.zeros(16)
    seats, returns = set(), []
    for _, _, rewards, dones, infos in play(env, 60, lambda masks: sample_legal(masks, generator)):
        sums += rewards
        for row in np.flatnonzero(dones):
            assert sums[row] == pytest.approx(infos[row]["episode"]["r"])
            seats.add(infos[row]["team"])
            returns.append(sums[row])
            sums[row] = 0
    assert seats == {0, 1}
    assert min(returns) < 0 < max(returns)


def test_a_loss_that_arrives_on_the_opponents_move_reaches_the_learner(tiny):
    """In the tiny game the second card of a trick decides it: a learner that leads loses on another's move."""
    generator = np.random.default_rng(0)
    env = SelfPlayVecEnv(tiny, 64, Fixed(RandomAgent(tiny, 3)), seed=4)
    results = {0: [], 1: []}
    for _, _, rewards, dones, infos in play(env, 40, lambda masks: sample_legal(masks, generator)):
        for row in np.flatnonzero(dones):
            assert rewards[row] == infos[row]["episode"]["r"]
            results[infos[row]["team"]].append(rewards[row])
    for seat in (0, 1):
        assert {-1.0, 1.0} <= set(results[seat])


def test_what_is_earned_before_the_first_decision_belongs_to_the_first_step():
    game = Scripted(length=2)
    env = SelfPlayVecEnv(game, 2, Fixed(Always(game, 0)), seed=0)
    sums = np.zeros(2)
    seen = []
    for _, _, rewards, dones, infos in play(env, 40, lambda masks: np.zeros(len(masks), dtype=np.int64)):
        sums += rewards
        for row in np.flatnonzero(dones):
            seen.append((infos[row]["team"], float(sums[row]), infos[row]["episode"]["r"]))
            sums[row] = 0
    assert all(got == pytest.approx(want) for _, got, want in seen)
    # Seat 1 is paid 0.5 by seat 0's mistake before it ever decides.
    assert any(seat == 1 and want == 0.5 for seat, _, want in seen)


def test_games_in_which_the_learner_never_decides_are_counted_and_make_no_step():
    game = Scripted(length=4, lead=True)
    opponent = Always(game, 3)  # ends the game whenever it begins
    env = SelfPlayVecEnv(game, 6, Fixed(opponent), seed=1)
    finished = 0
    for _, _, _, dones, infos in play(env, 30, lambda masks: np.zeros(len(masks), dtype=np.int64)):
        for row in np.flatnonzero(dones):
            finished += 1
            assert infos[row]["episode"]["l"] > 0
            assert infos[row]["team"] == 0  # as seat 1 it never gets to decide
    assert finished > 10
    assert env.games_without_decision >= finished - 6


def test_seats_alternate_from_game_to_game(tiny):
    generator = np.random.default_rng(0)
    env = SelfPlayVecEnv(tiny, 3, Fixed(RandomAgent(tiny, 3)), seed=4)
    seats = [[], [], []]
    for _, _, _, dones, infos in play(env, 50, lambda masks: sample_legal(masks, generator)):
        for row in np.flatnonzero(dones):
            seats[row].append(infos[row]["team"])
    for row in range(3):
        assert seats[row] == [(row + k) % 2 for k in range(len(seats[row]))]


def test_each_mask_row_belongs_to_the_observation_that_was_returned(tiny):
    """The tiny game shows the own hand in the observation: exactly the cards in it are legal, after a reset too."""
    generator = np.random.default_rng(0)
    env = SelfPlayVecEnv(tiny, 32, Fixed(RandomAgent(tiny, 3)), seed=4)
    hand = tiny.observations["hand"]
    ended = 0
    for observations, masks, _, dones, _ in play(env, 40, lambda masks: sample_legal(masks, generator)):
        np.testing.assert_array_equal(observations[:, hand] > 0, masks)
        np.testing.assert_array_equal(get_action_masks(env), env.action_masks())
        ended += dones.sum()
    assert ended > 100
    assert is_masking_supported(env)
    with pytest.warns(UserWarning, match="already wrapped"):
        monitored = VecMonitor(env)
    monitored.reset()
    np.testing.assert_array_equal(get_action_masks(monitored), env.action_masks())


def test_returned_arrays_never_change_later(tiny):
    generator = np.random.default_rng(0)
    env = SelfPlayVecEnv(tiny, 8, Fixed(RandomAgent(tiny, 3)), seed=4)
    kept = []
    for entry in play(env, 20, lambda masks: sample_legal(masks, generator)):
        kept.append((entry[:4], [array.copy() for array in entry[:4]]))
    for arrays, copies in kept:
        for array, copy in zip(arrays, copies, strict=True):
            np.testing.assert_array_equal(array, copy)


def test_the_terminal_observation_is_the_learners_view_of_the_end(tiny):
    generator = np.random.default_rng(0)
    env = SelfPlayVecEnv(tiny, 8, Fixed(RandomAgent(tiny, 3)), seed=4)
    checked = 0
    for _, _, _, dones, infos in play(env, 20, lambda masks: sample_legal(masks, generator)):
        for row in np.flatnonzero(dones):
            final = infos[row]["terminal_observation"]
            assert not final[tiny.observations["hand"]].any()  # no cards are left at the end
            assert final[tiny.observations["played"]].all()
            own, other = final[tiny.observations["scalars"]][:2]
            assert np.sign(own - other) == np.sign(infos[row]["episode"]["r"])
            checked += 1
    assert checked > 20


def test_an_illegal_action_is_refused_and_changes_nothing(tiny):
    env = SelfPlayVecEnv(tiny, 4, Fixed(RandomAgent(tiny, 3)), seed=4)
    env.reset()
    before = env._batch.states.tobytes()
    actions = np.argmax(env.action_masks(), axis=1)
    actions[2] = int(np.argmin(env.action_masks()[2]))
    assert not env.action_masks()[2].all()
    with pytest.raises(IllegalAction, match="game 2"):
        env.step(actions)
    assert env._batch.states.tobytes() == before


def test_same_seed_same_games_whatever_the_threads(tiny):
    def run(threads):
        generator = np.random.default_rng(0)
        env = SelfPlayVecEnv(tiny, 9, Fixed(RandomAgent(tiny, 3)), seed=4, threads=threads)
        return [
            np.concatenate([observations.ravel(), rewards])
            for observations, _, rewards, _, _ in play(env, 20, lambda masks: sample_legal(masks, generator))
        ]

    for one, two in zip(run(1), run(2), strict=True):
        np.testing.assert_array_equal(one, two)
