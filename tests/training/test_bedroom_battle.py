"""Bedroom Battle through the training tools: results, pairing, all its players."""

from __future__ import annotations

import numpy as np
import pytest

from cardzoo.agents import make_agent
from cardzoo.agents.random import RandomAgent, sample_legal
from cardzoo.envs import load
from cardzoo.training.evaluate import evaluate
from cardzoo.training.players import parse_players
from cardzoo.training.pool import Pool
from cardzoo.training.ppo import network_sizes
from cardzoo.training.run import ModelInfo
from cardzoo.training.settings import NetworkSettings, PoolSettings
from cardzoo.training.vec_env import SelfPlayVecEnv
from tests.training.test_vec_env import Fixed


@pytest.mark.parametrize("options", [{"challenges": "skip"}, {"challenge_weight": 0.5}, {"max_rounds": 2}])
def test_the_learners_rewards_are_its_games_returns_in_both_seats(options):
    game = load("bedroom_battle", small_rewards=2, hot_rewards=2, **options)
    generator = np.random.default_rng(0)
    env = SelfPlayVecEnv(game, 32, Fixed(RandomAgent(game, 1)), seed=3)
    env.reset()
    sums, seats, returns = np.zeros(32), set(), []
    for _ in range(150):
        _, rewards, dones, infos = env.step(sample_legal(env.action_masks(), generator))
        sums += rewards
        for row in np.flatnonzero(dones):
            assert sums[row] == pytest.approx(infos[row]["episode"]["r"], abs=1e-5)
            assert infos[row]["TimeLimit.truncated"] == ("max_rounds" in options)
            seats.add(infos[row]["seat"])
            returns.append(sums[row])
            sums[row] = 0
    assert seats == {0, 1}
    assert len(returns) > 30
    if "max_rounds" not in options:
        assert min(returns) < 0 < max(returns)


def test_every_kind_of_opponent_of_the_pool_plays(tmp_path):
    game = load("bedroom_battle", challenges="skip")
    network = NetworkSettings(trunk=[8], policy=[], value=[])
    info = ModelInfo.of(game, network_sizes(game, network), 0, {})
    heuristics = {"planner": 0.2, "greedy": 0.2, "simple": 0.2}
    pool = Pool(game, PoolSettings(latest=0.2, past=0.2, heuristics=heuristics, random=0.2), info, tmp_path, 0)
    assert set(pool.names) == {"planner", "greedy", "simple", "random", "latest", "past"}
    env = SelfPlayVecEnv(game, 64, pool, seed=3)
    generator = np.random.default_rng(0)
    env.reset()
    met = set()
    for _ in range(200):
        _, _, _, infos = env.step(sample_legal(env.action_masks(), generator))
        met |= {pool.names[info["opponents"][0]] for info in infos if info}
    assert met == set(pool.names)


def test_the_order_of_the_heuristic_players_shows_in_a_small_comparison():
    game = load("bedroom_battle", challenges="skip")
    result = evaluate(game, parse_players("planner,simple,random"), 60, seed=1, threads=2)
    assert [pair.rate.low > 0.6 for pair in result.pairs] == [True, True, True]
    assert not result.failures
    assert all(pair.capped == 0 for pair in result.pairs)


def test_every_listed_player_can_be_made():
    game = load("bedroom_battle")
    for name in ("random", "simple", "greedy", "planner", "brawler", "bidder", "steward", "human"):
        assert make_agent(name, game).game == game
