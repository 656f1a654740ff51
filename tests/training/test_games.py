"""The registered games through the training tools: results, pairing, all their players."""

from __future__ import annotations

import numpy as np
import pytest

from cardzoo.agents import make_agent
from cardzoo.agents.random import RandomAgent, sample_legal
from cardzoo.envs import load, names
from cardzoo.envs.core.registry import game_class
from cardzoo.training.arena import play_matches
from cardzoo.training.evaluate import evaluate
from cardzoo.training.players import parse_players
from cardzoo.training.pool import Pool
from cardzoo.training.ppo import network_sizes
from cardzoo.training.run import ModelInfo
from cardzoo.training.settings import NetworkSettings, PoolSettings
from cardzoo.training.vec_env import SelfPlayVecEnv
from tests.training.test_many_seats import Members

SHORT = {"small_rewards": 2, "hot_rewards": 2}  # of Bedroom Battle
RETURNS = [
    ("bedroom_battle", {**SHORT, "challenges": "skip"}, False),
    ("bedroom_battle", {**SHORT, "challenge_weight": 0.5}, False),
    ("bedroom_battle", {**SHORT, "max_rounds": 2}, True),
    ("battle_requiem", {}, False),
    ("battle_requiem", {"seats": 6, "returns": "placement"}, False),
    ("battle_requiem", {"teams": [0, 1, 0, 1]}, False),
    ("battle_requiem", {"teams": [0, 1, 2, 0, 1, 2]}, False),
    ("battle_requiem", {"seats": 3, "max_turns": 4}, True),
]


@pytest.mark.parametrize(("name", "options", "capped"), RETURNS)
def test_the_learners_rewards_are_its_games_returns_in_all_teams(name, options, capped):
    game = load(name, **options)
    generator = np.random.default_rng(0)
    env = SelfPlayVecEnv(game, 32, Members(game, 3), seed=3)
    env.reset()
    sums, teams, returns, truncated = np.zeros(32), set(), [], 0
    for _ in range(200):
        _, rewards, dones, infos = env.step(sample_legal(env.action_masks(), generator))
        sums += rewards
        for row in np.flatnonzero(dones):
            assert sums[row] == pytest.approx(infos[row]["episode"]["r"], abs=1e-5)
            truncated += infos[row]["TimeLimit.truncated"]
            teams.add(infos[row]["team"])
            returns.append(sums[row])
            sums[row] = 0
    assert teams == set(range(game.num_teams))
    assert len(returns) > 30
    assert (truncated > 0.9 * len(returns)) == (truncated > 0) == capped
    if not capped:
        assert min(returns) < 0 < max(returns)


VARIANTS = [(name, variant) for name in names() for variant in game_class(name).variants]


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_a_game_says_rightly_whether_its_returns_sum_to_zero(name, variant):
    game = load(name, **game_class(name).variants[variant])
    records = play_matches(
        game, [RandomAgent(game, 1)], np.zeros((24, game.num_seats), np.intp), game.new_states(24, 5)
    )
    assert np.allclose(records.returns.sum(axis=1), 0, atol=1e-6) == game.zero_sum
    assert game.objective.partition(":")[2]
    assert "\n" not in game.objective
    if not game.goal:
        assert not records.reached.any()


OBJECTIVES = [
    ("bedroom_battle", {**SHORT, "challenges": "skip"}, "winning: +1 won, -1 lost, 0 drawn or cut off", {-1, 1}),
    ("bedroom_battle", {**SHORT, "max_rounds": 2}, "winning: +1 won, -1 lost, 0 drawn or cut off", {0}),
    ("battle_requiem", {}, "winner: +1 the last seat standing, -1 the other", {-1, 1}),
    ("battle_requiem", {"seats": 4}, "winner: +1 the last seat standing, -1/3 every other", {-1 / 3, 1}),
    ("battle_requiem", {"teams": [0, 1, 0, 1]}, "winner: +1 the last team standing, -1 the other", {-1, 1}),
    (
        "battle_requiem",
        {"seats": 3, "returns": "placement"},
        "placement: from +1 for the first seat to -1 for the last",
        {-1, 0, 1},
    ),
]


@pytest.mark.parametrize(("name", "options", "objective", "values"), OBJECTIVES)
def test_the_objective_is_what_the_returns_are(name, options, objective, values):
    game = load(name, **options)
    assert game.objective == objective
    records = play_matches(
        game, [RandomAgent(game, 1)], np.zeros((40, game.num_seats), np.intp), game.new_states(40, 5)
    )
    seen = set(np.unique(records.returns.round(5)))
    assert seen >= {round(value, 5) for value in values}
    assert (min(seen), max(seen)) == (round(min(values), 5), max(values))


def test_preferences_for_challenges_are_part_of_the_objective():
    game = load("bedroom_battle", challenge_weight=0.5)
    assert game.objective.startswith("winning: +1 won, -1 lost")
    assert game.objective.endswith("plus 0.5 times the mean of the own preferences for the challenges performed")


@pytest.mark.parametrize("objective", ["outcome", "fate"])
@pytest.mark.parametrize("seats", [1, 2])
def test_who_paid_off_has_reached_the_goal_of_bloodsport_gambler(objective, seats):
    game = load("bloodsport_gambler", objective=objective, seats=seats)
    assert game.objective.startswith(f"{objective}: ")
    seating = np.zeros((60, seats), np.intp)
    records = play_matches(game, [make_agent("simple", game)], seating, game.new_states(60, 5))
    np.testing.assert_array_equal(records.reached, records.returns > 0)
    assert 0 < records.reached.mean() < 1
    if objective == "outcome":
        assert set(np.unique(records.returns)) == {-1, 1}
    else:
        assert set(np.unique(records.returns.round(4))) <= {-1, -0.75, -0.5, -0.25, 0.3333, 0.6667, 1}


GAMES = [
    ("bedroom_battle", {"challenges": "skip"}),
    ("battle_requiem", {}),
    ("battle_requiem", {"seats": 4}),
    ("battle_requiem", {"teams": [0, 1, 0, 1]}),
]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_every_kind_of_opponent_of_the_pool_plays(tmp_path, name, options):
    game = load(name, **options)
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
        met |= {pool.names[number] for info in infos if info for number in info["opponents"]}
    assert met == set(pool.names)


@pytest.mark.parametrize(("name", "options"), GAMES[:2])
def test_the_order_of_the_heuristic_players_shows_in_a_small_comparison(name, options):
    game = load(name, **options)
    result = evaluate(game, parse_players("planner,simple,random"), 60, seed=1, threads=2)
    assert [pair.rate.low > 0.6 for pair in result.pairs] == [True, True, True]
    assert not result.failures
    assert all(pair.capped == 0 for pair in result.pairs)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_every_listed_player_can_be_made(name, options):
    game = load(name, **options)
    own = {"bedroom_battle": ("brawler", "bidder", "steward"), "battle_requiem": ("brawler", "duelist", "tactician")}
    for player in ("random", "simple", "greedy", "planner", *own[name], "human"):
        assert make_agent(player, game).game == game
