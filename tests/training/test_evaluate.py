"""Comparisons: pairing, symmetry, files, interruption."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from cardzoo.agents import base
from cardzoo.agents.base import Agent
from cardzoo.agents.random import RandomAgent
from cardzoo.envs import AgentError, ConfigError
from cardzoo.training import evaluate as module
from cardzoo.training.evaluate import evaluate, table, write_csv, write_evaluation
from cardzoo.training.players import Player, parse_players
from tests.last_one import LastOne
from tests.tiny_game import TinyGame
from tests.training.teachers import Lowest


@pytest.fixture(autouse=True)
def players(monkeypatch):
    """Two heuristic players of the tiny game; "faulty" answers with an illegal action when it leads."""

    class Faulty(Agent):
        def __init__(self, game, seed=0):
            super().__init__(game, "faulty")

        def act(self, decisions):
            leads = decisions.observations[:, game_leads(decisions.game)] > 0
            return np.where(leads & (decisions.observations[:, 0] == 0.5), -9, np.argmax(decisions.masks, axis=1))

    def game_leads(game):
        return game.observations["scalars"].start + 3

    monkeypatch.setattr(base, "_registered", {"tiny": ({"lowest": Lowest, "faulty": Faulty}, {"planner": "lowest"})})


def test_every_pairing_plays_all_seat_orders_on_the_same_deals(tiny):
    result = evaluate(tiny, parse_players("lowest,random,random@other"), 50, seed=3)
    assert [(pair.first, pair.second) for pair in result.pairs] == [
        ("lowest", "random"),
        ("lowest", "other"),
        ("random", "other"),
    ]
    for pair in result.pairs:
        assert pair.games == 50
        assert pair.wins + pair.losses + pair.draws + pair.capped == 50


def test_two_copies_of_a_player_without_chance_come_out_exactly_equal(tiny):
    """On a deal played with seats swapped, whatever the cards give to one copy they give to the other."""
    result = evaluate(tiny, parse_players("lowest,lowest@copy"), 300, seed=1)
    pair = result.pairs[0]
    assert pair.wins == pair.losses > 0
    assert pair.rate.value == 0.5


def test_kept_seats_give_the_first_player_seat_0_in_every_game(tiny):
    """Copies of a player without chance then win what their seats win."""
    result = evaluate(tiny, parse_players("lowest,lowest@copy"), 301, seed=1, keep_seats=True)
    assert result.pairs[0].games == result.deals == 301
    assert result.pairs[0].rate == result.seat_0
    assert result.seats_kept
    assert "the first player on seat 0" in table(result)
    mirrored = evaluate(tiny, parse_players("lowest,lowest@copy"), 301, seed=1)
    assert not mirrored.seats_kept
    assert "seats rotated" in table(mirrored)


@pytest.mark.parametrize("options", [{"seats": 3}, {"seats": 6, "team_size": 2}])
def test_seats_are_kept_only_where_two_play_against_each_other(options):
    with pytest.raises(ConfigError, match="seats can be kept only in games of two seats or two teams"):
        evaluate(LastOne(**options), parse_players("random"), 10, keep_seats=True)


def test_listing_order_makes_no_difference(tiny):
    one = evaluate(tiny, parse_players("lowest,planner"), 200, seed=1).pairs[0]
    two = evaluate(tiny, parse_players("planner,lowest"), 200, seed=1).pairs[0]
    assert (one.wins, one.losses, one.draws) == (two.losses, two.wins, two.draws)
    assert one.rate.low == pytest.approx(1 - two.rate.high)


def test_self_play_of_two_random_players_is_near_50_percent(tiny):
    result = evaluate(tiny, parse_players("random,random@copy"), 4000, seed=1)
    rate = result.pairs[0].rate
    assert rate.low < 0.5 < rate.high
    assert rate.high - rate.low < 0.04


def test_the_advantage_of_the_first_seat_is_reported_apart():
    """With one card each the second to lay sees the first: the leader neither wins nor loses more, but ties count."""
    game = TinyGame(hand=4)
    result = evaluate(game, parse_players("random,random@copy"), 2000, seed=1)
    assert result.opening == result.seat_0  # seat 0 always leads
    assert result.opening.value != result.pairs[0].rate.value
    assert result.opening.low <= result.opening.value <= result.opening.high


def test_capped_games_have_their_own_column_and_do_not_count_in_rates():
    game = TinyGame(max_tricks=2)
    pair = evaluate(game, parse_players("lowest,random"), 40, seed=1).pairs[0]
    assert pair.capped == 40
    assert np.isnan(pair.rate.value)
    assert "40" in table(evaluate(game, parse_players("lowest,random"), 40, seed=1))


def test_a_failing_player_loses_those_games_and_the_rest_goes_on(tiny):
    result = evaluate(tiny, parse_players("faulty,random"), 200, seed=1)
    pair = result.pairs[0]
    assert 0 < pair.forfeits[0] < 200
    assert pair.forfeits[1] == 0
    assert pair.losses >= pair.forfeits[0]
    assert pair.wins > 0
    assert "illegal action -9" in result.failures[0]
    assert "illegal action -9" in table(result)


def test_a_seed_repeats_everything_whatever_the_threads(tiny, monkeypatch):
    monkeypatch.setattr(module, "CHUNK_DEALS", 64)
    monkeypatch.setattr(module, "CHUNK_GAMES", 32)
    players = parse_players("random,random@copy,lowest")
    one = evaluate(tiny, players, 300, seed=5, threads=1).to_json()
    two = evaluate(tiny, players, 300, seed=5, threads=3).to_json()
    assert one == two
    assert evaluate(tiny, players, 300, seed=6).to_json() != one


def test_an_interrupted_comparison_continues_with_the_missing_games_only(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "CHUNK_DEALS", 20)
    players = parse_players("random,random@copy,lowest")
    whole = evaluate(tiny, players, 200, seed=5).to_json()
    store = tmp_path / "games.jsonl"
    played = []
    original = module.play_matches

    def counted(*arguments, **options):
        if len(played) == 7:
            raise KeyboardInterrupt
        played.append(1)
        return original(*arguments, **options)

    monkeypatch.setattr(module, "play_matches", counted)
    with pytest.raises(KeyboardInterrupt):
        evaluate(tiny, players, 200, seed=5, store=store)
    text = store.read_text()
    store.write_text(text[: len(text) - 30])  # the kill also cut the last line short
    played.clear()
    monkeypatch.setattr(module, "play_matches", lambda *a, **o: played.append(1) or original(*a, **o))
    assert evaluate(tiny, players, 200, seed=5, store=store).to_json() == whole
    assert len(played) == 15 - 6
    played.clear()
    assert evaluate(tiny, players, 200, seed=5, store=store).to_json() == whole
    assert not played
    with pytest.raises(ConfigError, match="another comparison"):
        evaluate(tiny, players, 200, seed=6, store=store)


def test_files_hold_everything_that_is_needed_to_repeat_it(tiny, tmp_path):
    result = evaluate(tiny, parse_players("lowest,random"), 30, seed=4)
    write_evaluation(result, tmp_path / "a.json")
    write_csv(result, tmp_path / "a.csv")
    saved = json.loads((tmp_path / "a.json").read_text())
    assert saved["game"] == "tiny"
    assert saved["options"] == tiny.options
    assert saved["card_hash"] == tiny.hash
    assert saved["seed"] == 4
    assert saved["objective"] == tiny.objective
    assert saved["players"] == [{"label": "lowest", "spec": "lowest"}, {"label": "random", "spec": "random"}]
    assert {"python", "numpy"} <= set(saved["versions"])
    rate = saved["pairs"][0]["rate"]
    assert rate["low"] <= rate["value"] <= rate["high"]
    rows = list(csv.DictReader((tmp_path / "a.csv").open()))
    assert float(rows[0]["rate"]) == pytest.approx(rate["value"], abs=1e-6)
    assert sum(int(rows[0][key]) for key in ("wins", "losses", "draws", "capped")) == 30
    assert rows[0]["objective"] == tiny.objective
    assert f"\nreturns: {tiny.objective}\n" in table(result)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "a.json"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("random,greedy", [("random", "random"), ("greedy", "greedy")]),
        ("search:simulations=200,depth=3,random", [("search:simulations=200,depth=3",) * 2, ("random", "random")]),
        ("model:a/b.safetensors@mine, random", [("mine", "model:a/b.safetensors"), ("random", "random")]),
        ("model:a,sample=true,greedy@g", [("model:a,sample=true",) * 2, ("g", "greedy")]),
    ],
)
def test_players_are_read_from_a_list(text, expected):
    assert parse_players(text) == [Player(label, spec) for label, spec in expected]


def test_bad_comparisons_are_refused(tiny):
    with pytest.raises(AgentError, match=r"listed twice.*random@copy"):
        parse_players("random,random")
    with pytest.raises(AgentError, match="no players"):
        parse_players(" , ")
    with pytest.raises(ConfigError, match="at least two players"):
        evaluate(tiny, parse_players("random"), 10)
    with pytest.raises(ConfigError, match="at least 1"):
        evaluate(tiny, parse_players("random,lowest"), 0)
    with pytest.raises(AgentError, match="unknown player 'rndom'"):
        evaluate(tiny, parse_players("random,rndom"), 10)


def test_only_pairings_of_the_first_player_on_request(tiny):
    agents = [RandomAgent(tiny, k) for k in range(3)]
    players = [Player(name, "random") for name in "abc"]
    result = evaluate(tiny, players, 10, agents=agents, against_first=True)
    assert [(pair.first, pair.second) for pair in result.pairs] == [("a", "b"), ("a", "c")]
    assert result.standings[0].games == 20
