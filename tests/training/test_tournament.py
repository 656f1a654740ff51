"""Comparisons at tables of many seats, of teams and of one seat."""

from __future__ import annotations

import csv
import json
from math import sqrt

import numpy as np
import pytest

from cardzoo.agents import base
from cardzoo.agents.base import Agent
from cardzoo.agents.random import RandomAgent
from cardzoo.envs import ConfigError, load
from cardzoo.envs.core import registry
from cardzoo.envs.core.standings import places, team_returns, win_shares
from cardzoo.training import tournament as module
from cardzoo.training.arena import play_matches
from cardzoo.training.cli import main
from cardzoo.training.evaluate import evaluate, table, write_csv, write_evaluation
from cardzoo.training.lineups import mixed_lineups, one_against_others, seated
from cardzoo.training.players import Player, parse_players
from cardzoo.training.statistics import grouped_mean
from cardzoo.training.table import play
from tests.last_one import REST, LastOne
from tests.solo_game import Solo
from tests.training.scripted_game import Answering, Blundered
from tests.training.teachers import Lowest

GAMES = [{"seats": seats} for seats in range(3, 7)]
GAMES += [{"seats": 4, "team_size": 2}, {"seats": 6, "team_size": 2}, {"seats": 6, "team_size": 3}]


class Resting(Agent):
    """Rests whenever it can: it lets the others fight."""

    def __init__(self, game, seed=0):
        super().__init__(game, "resting")

    def act(self, decisions):
        return np.where(decisions.masks[:, REST], REST, np.argmax(decisions.masks, axis=1))


class Faulty(RandomAgent):
    """Answers with an illegal action when it holds two rests."""

    def __init__(self, game, seed=0):
        super().__init__(game, seed)
        self.name = "faulty"

    def act(self, decisions):
        return np.where(decisions.observations[:, REST] == 1, -9, super().act(decisions))


@pytest.fixture(autouse=True)
def players(monkeypatch):
    own = {"resting": Resting, "faulty": Faulty, "lowest": Lowest}
    monkeypatch.setattr(base, "_registered", {"last_one": (own, {}), "solo": (own, {})})
    monkeypatch.setattr(registry, "_games", {**registry._games, "last_one": LastOne, "solo": Solo})


# Who won


def test_the_win_is_shared_by_those_with_the_highest_return_and_places_by_those_who_tie():
    returns = np.array([[3.0, 1.0, 2.0, 0.0], [1.0, 1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0], [-1.0, 5.0, 5.0, 2.0]])
    np.testing.assert_allclose(
        win_shares(returns), [[1, 0, 0, 0], [1 / 3, 1 / 3, 0, 1 / 3], [1 / 4] * 4, [0, 1 / 2, 1 / 2, 0]]
    )
    np.testing.assert_allclose(places(returns), [[1, 3, 2, 4], [2, 2, 4, 2], [2.5] * 4, [4, 1.5, 1.5, 3]])
    np.testing.assert_allclose(team_returns(returns, (0, 1, 1, 0)), [[1.5, 1.5], [1, 0.5], [0, 0], [0.5, 5]])
    np.testing.assert_allclose(team_returns(returns, (0, 0, 0, 0))[:, 0], [1.5, 0.75, 0, 2.75])


# Balance


@pytest.mark.parametrize("teams", range(1, 7))
def test_the_one_sits_everywhere_once(teams):
    lineups = one_against_others(teams)
    assert lineups.shape == (teams, teams)
    assert ((lineups == 0).sum(axis=0) == 1).all()
    assert ((lineups == 0).sum(axis=1) == 1).all()


@pytest.mark.parametrize("teams", range(1, 7))
@pytest.mark.parametrize("players", range(1, 9))
def test_in_mixed_lineups_everybody_plays_every_team_once_on_each_deal(players, teams):
    lineups = mixed_lineups(players, teams, 50, seed=3)
    assert lineups.shape == (50, players, teams)
    for player in range(players):
        assert ((lineups == player).sum(axis=1) == 1).all()
    counts = np.stack([(lineups == player).sum(axis=2) for player in range(players)])
    assert counts.max() - counts.min() <= 1
    assert counts.max() == -(-teams // players)
    np.testing.assert_array_equal(lineups[:20], mixed_lineups(players, teams, 20, seed=3))


def test_in_mixed_lineups_everybody_meets_everybody_about_equally_often():
    lineups = mixed_lineups(6, 3, 3000, seed=1).reshape(-1, 3)
    together = np.zeros((6, 6))
    for a in range(6):
        for b in range(6):
            together[a, b] = ((lineups == a).any(axis=1) & (lineups == b).any(axis=1)).sum()
    pairs = together[~np.eye(6, dtype=bool)]
    assert pairs.max() / pairs.min() < 1.1


@pytest.mark.parametrize("options", GAMES)
def test_every_player_sits_on_every_seat_equally_often_on_the_same_deals(options, monkeypatch):
    game = LastOne(**options)
    seen = []

    def recorded(game, agents, seating, deals, **rest):
        seen.append(([agent.name for agent in agents], seating, deals.tobytes(), len(deals)))
        return play_matches(game, agents, seating, deals, **rest)

    monkeypatch.setattr(module, "play_matches", recorded)
    evaluate(game, parse_players("random,lowest,resting"), 24, seed=3)
    teams = np.array(game.teams)
    for names, seating, deals, count in seen:
        for player in range(len(names)):
            held = (seating == player).sum(axis=0)
            assert (held == held[0]).all()
            assert held[0] > 0
        for row in seating:  # a team is played by one player
            assert all(len(set(row[teams == team])) == 1 for team in range(game.num_teams))
        block = game.num_teams if len(names) == 2 else 3
        records = np.frombuffer(deals, game.dtype).reshape(count // block, block)
        assert (records == records[:, :1]).all()
    in_pairs = 3 if game.num_teams == 2 else 6
    assert [len(names) for names, *_ in seen] == [2] * in_pairs + [3]
    assert len({deals[: game.dtype.itemsize] for *_, deals, _ in seen}) == 1  # the same first deal in all


def test_seatings_of_teams():
    np.testing.assert_array_equal(
        seated(one_against_others(3), (0, 0, 1, 1, 2, 2)), [[0, 0, 1, 1, 1, 1], [1, 1, 0, 0, 1, 1], [1, 1, 1, 1, 0, 0]]
    )


# Results


@pytest.mark.parametrize("options", [*GAMES, {"seats": 5, "max_moves": 6}])
def test_equal_players_get_their_fair_shares(options):
    game = LastOne(**options)
    result = evaluate(game, parse_players("random,random@b,random@c"), 1800, seed=5, threads=2)
    size = game.num_teams
    fair = 1 / size
    scores = [*result.pairs, *result.mixed]
    assert len(scores) == (3 if size == 2 else 6) + 3
    for score in scores:
        error = sqrt(fair * (1 - fair) / score.games)
        assert abs(score.rate.value - fair) < 4 * error
        assert score.fair == pytest.approx(fair)
        assert score.rate.low < score.rate.value < score.rate.high
        assert score.mean_return.low - 0.1 < 0 < score.mean_return.high + 0.1
        assert abs(score.mean_place.value - (size + 1) / 2) < 4 * sqrt((size**2 - 1) / 12 / score.games)
        assert sum(score.places) == pytest.approx(1, abs=1e-5)
        assert np.allclose(score.places, fair, atol=4 * error)
    assert (result.mixed[0].capped > 0) == ("max_moves" in options)
    assert sum(score.rate.value for score in result.mixed) == pytest.approx(3 * fair)
    assert len(result.seats) == game.num_seats
    by_team = [next(s for s, t in zip(result.seats, game.teams, strict=True) if t == team) for team in range(size)]
    assert sum(score.rate.value for score in by_team) == pytest.approx(1)


@pytest.mark.parametrize("options", [{"seats": 4}, {"seats": 6, "team_size": 3}])
def test_two_copies_of_a_player_without_chance_are_exactly_equal(options):
    result = evaluate(LastOne(**options), parse_players("lowest,lowest@copy"), 120, seed=1)
    for score in [*result.pairs, *result.mixed]:
        assert score.rate.value == pytest.approx(score.fair)
        assert score.mean_return.value == pytest.approx(0, abs=1e-6)


def test_the_better_player_comes_out_ahead_in_both_tables():
    result = evaluate(LastOne(seats=4), parse_players("resting,lowest"), 800, seed=1)
    one, other = result.pairs
    assert (one.first, one.second, other.first, other.second) == ("resting", "lowest", "lowest", "resting")
    best, worst = sorted(result.mixed, key=lambda score: -score.rate.value)
    assert best.rate.low > 0.25 > worst.rate.high
    assert best.mean_place.value < 2.5 < worst.mean_place.value
    assert best.mean_return.value > 0 > worst.mean_return.value
    good = one if best.first == "resting" else other
    assert good.rate.value > 0.25


def test_one_player_alone_shows_the_seats():
    result = evaluate(LastOne(seats=3), parse_players("random"), 900, seed=1)
    assert result.pairs == []
    assert [score.rate.value for score in result.mixed] == [pytest.approx(1 / 3)]
    assert sum(score.rate.value for score in result.seats) == pytest.approx(1)


def test_more_players_than_seats():
    text = ",".join(["random", *(f"random@r{k}" for k in range(5))])
    result = evaluate(LastOne(seats=3), parse_players(text), 60, seed=1)
    assert len(result.pairs) == 30
    assert [score.games for score in result.mixed] == [30] * 6  # 10 deals, each player on each of 3 seats
    assert result.mixed_games == 60


def test_a_game_of_one_seat_compares_returns():
    result = evaluate(Solo(), parse_players("lowest,random"), 200, seed=1)
    assert result.pairs == result.seats == []
    lowest, random = result.mixed
    assert (random.games, lowest.games) == (200, 200)
    assert lowest.mean_return.value == 0  # passes every time
    assert random.mean_return.low > 0
    assert random.reached is None
    assert np.isnan(random.rate.value)  # there is nobody to win against
    text = table(result)
    assert text.startswith(f"solo: 1 seat, 200 deals, seed 1; 95 % intervals\nreturns: {Solo.objective}\n")
    assert [line.split()[0] for line in text.splitlines()[-2:]] == ["random", "lowest"]  # best first
    assert text.splitlines()[-3].split() == ["player", "return", "interval", "games", "capped", "forfeits"]
    assert f"{random.mean_return.low:.3f} .. {random.mean_return.high:.3f}" in text
    assert not any(words in text for words in ("win", "place", "par is", "seats", "first to act"))


def test_alone_all_play_the_same_deals_and_the_interval_is_that_of_the_mean(monkeypatch):
    class Keeping(Agent):
        def act(self, decisions):
            return np.ones(len(decisions), np.int64)

    game, played = Solo(), []
    monkeypatch.setattr(module, "CHUNK_DEALS", 70)
    monkeypatch.setattr(module, "play_matches", lambda *a, **o: played.append(a) or play_matches(*a, **o))
    agents = [RandomAgent(game, 1), Keeping(game, "keeping"), RandomAgent(game, 2)]
    result = evaluate(game, parse_players("random,random@keeping,random@c"), 150, seed=3, agents=agents)
    assert result.mixed_games == 450
    seating = np.concatenate([a[2] for a in played]).reshape(150, 3)
    assert (np.sort(seating, axis=1) == [0, 1, 2]).all()
    deals = np.concatenate([a[3] for a in played]).reshape(150, 3)
    assert (deals == deals[:, :1]).all()
    assert len(np.unique(deals[:, 0])) == 150
    returns = play_matches(game, agents[1:2], np.zeros((150, 1), np.intp), game.new_states(150, 3)).returns
    mean, half = returns.mean(), 1.96 * returns.std(ddof=1) / sqrt(150)
    assert result.mixed[1].mean_return == pytest.approx((mean, mean - half, mean + half), abs=1e-3)


class Modest(Solo):
    """Whose goal is to keep nothing at all."""

    goal = "kept nothing"

    def reached(self, states):
        return states.kept[:1] == 0


def test_a_goal_comes_first_in_the_table_of_one_seat_and_a_forfeit_misses_it(tmp_path):
    class Shy(Agent):
        def act(self, decisions):
            if (decisions.observations[:, 0] == 1).any():  # a five is shown
                raise RuntimeError("no idea")
            return np.zeros(len(decisions), np.int64)

    game = Modest()
    agents = [RandomAgent(game, 1), Lowest(game), Shy(game, "shy")]
    result = evaluate(game, parse_players("random,lowest,random@shy"), 100, seed=1, agents=agents)
    random, lowest, shy = result.mixed
    assert lowest.reached.value == 1
    assert lowest.reached.low == pytest.approx(100 / (100 + 1.96**2), abs=1e-4)  # Wilson's
    assert 0 < shy.forfeits == round(100 * (1 - shy.reached.value)) < 100
    assert shy.mean_return.value == pytest.approx(-shy.forfeits / 100)
    assert random.reached.value < 0.05
    text = table(result)
    head, *rows = text[text.index("player") :].splitlines()[:4]
    assert head.split()[:3] == ["player", "kept", "nothing"]
    assert [row.split()[0] for row in rows] == ["lowest", "shy", "random"]  # random has the highest return
    assert rows[0].index("100.0 %") + len("100.0 %") == head.index("nothing") + len("nothing")
    assert rows[1].split()[-1] == str(shy.forfeits)
    write_evaluation(result, tmp_path / "a.json")
    write_csv(result, tmp_path / "a.csv")
    saved = json.loads((tmp_path / "a.json").read_text())
    assert (saved["objective"], saved["goal"], saved["zero_sum"]) == (game.objective, "kept nothing", False)
    assert saved["opening"]["value"] is None
    rows = list(csv.DictReader((tmp_path / "a.csv").open()))
    assert [float(row["reached"]) for row in rows] == [score["reached"]["value"] for score in saved["mixed"]]
    assert {(row["objective"], row["goal"]) for row in rows} == {(game.objective, "kept nothing")}


def scripted(names, games, **rest):
    """Compare players that give right or wrong answers."""
    game = Blundered(length=6)
    agents = [Answering(game, name.rstrip("0123456789")) for name in names]
    return evaluate(game, [Player(name, name) for name in names], games, seed=1, agents=agents, **rest)


def test_where_both_may_win_a_pairing_shows_both_sides_of_the_same_games(monkeypatch):
    played = []
    monkeypatch.setattr(module, "play_matches", lambda *a, **o: played.append(len(a[2])) or play_matches(*a, **o))
    result = scripted(["wrong", "right"], 40)
    assert played == [40]  # not played twice
    one, other = result.pairs
    assert (one.first, one.second, other.first, other.second) == ("wrong", "right", "right", "wrong")
    assert (one.games, other.games, result.games_per_pair) == (40, 40, 40)
    assert (one.rate.value, other.rate.value) == (0, 1)
    assert (one.mean_return, other.mean_return) == ((-3, -3, -3), (1.5, 1.5, 1.5))
    assert (one.reached.value, other.reached.value) == (1, 0)
    assert result.mixed == []  # the pairing says it all
    text = table(result)
    assert "wins: who has the highest return" in text
    for line, words in (("wrong - right", "0.0 %"), ("right - wrong", "1.500 .. 1.500")):
        assert words in next(row for row in text.splitlines() if row.startswith(line))
    assert "place" not in text


def test_where_both_may_win_players_are_summed_up_over_their_pairings(monkeypatch):
    played = []
    monkeypatch.setattr(module, "play_matches", lambda *a, **o: played.append(len(a[2])) or play_matches(*a, **o))
    result = scripted(["wrong1", "right", "wrong2"], 40)
    assert played == [40] * 3
    assert [pair.first for pair in result.pairs] == ["wrong1", "right", "wrong1", "wrong2", "right", "wrong2"]
    assert [(s.first, s.games, s.mean_return.value) for s in result.mixed] == [
        ("wrong1", 80, -2.25),
        ("right", 80, 1.5),
        ("wrong2", 80, -2.25),
    ]
    assert [score.rate.value for score in result.mixed] == [0.25, 1, 0.25]
    assert result.mixed_games == 0
    assert "all pairings together" in table(result)
    alone = scripted(["wrong"], 40)
    assert [(score.first, score.reached.value) for score in alone.mixed] == [("wrong", 1)]
    first = scripted(["wrong1", "right", "wrong2"], 40, against_first=True)
    assert [pair.first for pair in first.pairs] == ["wrong1", "right", "wrong1", "wrong2"]
    assert first.mixed == []


def test_goals_are_stored_and_a_store_without_them_is_refused(monkeypatch, tmp_path):
    store = tmp_path / "games.jsonl"
    whole = scripted(["wrong", "right"], 40, store=store).to_json()
    monkeypatch.setattr(module, "play_matches", None)
    assert scripted(["wrong", "right"], 40, store=store).to_json() == whole
    first, *rest = store.read_text().splitlines()
    older = {key: value for key, value in json.loads(first).items() if key != "kept"}
    store.write_text("\n".join([json.dumps(older), *rest]))
    with pytest.raises(ConfigError, match="another version"):
        scripted(["wrong", "right"], 40, store=store)


@pytest.mark.parametrize("options", [{"objective": "outcome"}, {"objective": "fate"}, {"seats": 1}, {}])
def test_bloodsport_gambler_is_compared_by_what_its_returns_measure(options):
    game = load("bloodsport_gambler", **options)
    result = evaluate(game, parse_players("simple,random"), 40, seed=1)
    assert f"returns: {game.objective}\n" in table(result)
    if not options:
        assert type(result).__name__ == "Evaluation"
        return
    scores = result.mixed if game.num_seats == 1 else result.pairs
    assert [score.first for score in scores] == ["simple", "random"]
    for score in scores:
        paid, returned = score.reached, score.mean_return
        assert paid.low <= paid.value <= paid.high
        if game.options["objective"] == "outcome":
            assert score.capped == 0
            assert returned.value == pytest.approx(2 * paid.value - 1)
        else:
            assert paid.value / 3 - (1 - paid.value) <= returned.value <= paid.value - (1 - paid.value) / 4
    assert scores[0].reached.value > scores[1].reached.value
    assert "paid off" in table(result)


def test_only_pairings_of_the_first_player_on_request():
    result = evaluate(LastOne(), parse_players("random,lowest,resting"), 30, seed=1, against_first=True)
    assert [(score.first, score.second) for score in result.pairs] == [("random", "lowest"), ("random", "resting")]
    assert result.mixed == []
    assert len(result.seats) == 3


def test_with_kept_seats_the_first_player_plays_team_0_in_every_game(monkeypatch, tmp_path):
    """Copies of a player without chance then win what their teams win."""
    game = LastOne(seats=4, team_size=2)
    seen = []

    def recorded(game, agents, seating, deals, **rest):
        seen.append(seating)
        return play_matches(game, agents, seating, deals, **rest)

    monkeypatch.setattr(module, "play_matches", recorded)
    players = parse_players("lowest,lowest@copy")
    store = tmp_path / "store.jsonl"
    result = evaluate(game, players, 301, seed=1, keep_seats=True, store=store)
    assert (np.concatenate(seen) == game.teams).all()
    assert result.seats_kept
    assert (result.games_per_pair, result.deals, result.mixed) == (301, 301, [])
    (pair,) = result.pairs
    assert pair.games == 301
    assert [seat.rate.value for seat in result.seats] == [
        pair.rate.value if team == 0 else pytest.approx(1 - pair.rate.value) for team in game.teams
    ]
    assert "301 games each, the first player on team 0" in table(result)
    with pytest.raises(ConfigError, match="another comparison"):
        evaluate(game, players, 301, seed=1, store=store)
    assert "every team in turn" in table(evaluate(game, players, 20, seed=1))


def test_a_failing_player_loses_those_games_and_the_rest_goes_on():
    result = evaluate(LastOne(seats=4), parse_players("faulty,random"), 200, seed=1)
    one, other = result.pairs
    assert 0 < one.forfeits < one.games
    assert other.forfeits == 0
    assert one.rate.value < 0.25
    assert sum(score.forfeits for score in result.seats) >= one.forfeits
    assert any("one faulty against random" in text and "illegal action -9" in text for text in result.failures)
    assert "illegal action -9" in table(result)
    teams = evaluate(LastOne(seats=4, team_size=2), parse_players("faulty,random"), 200, seed=1)
    assert 0 < teams.pairs[0].forfeits < teams.pairs[0].games


def test_a_forfeit_in_a_team_is_the_whole_teams():
    game = LastOne(seats=6, team_size=2, lives=9)

    class Broken(Agent):
        def act(self, decisions):
            raise RuntimeError("no idea")

    deals = game.new_states(12, 1)
    seating = np.repeat([[0, 0, 1, 1, 1, 1]], 12, axis=0)
    records = play_matches(game, [Broken(game, "broken"), RandomAgent(game, 1)], seating, deals)
    lost = records.forfeits >= 0
    assert lost.sum() > 6
    np.testing.assert_array_equal(records.returns[lost], np.tile([-1, -1, 0.25, 0.25, 0.25, 0.25], (lost.sum(), 1)))
    np.testing.assert_array_equal(records.places[lost], np.tile([3, 3, 1.5, 1.5, 1.5, 1.5], (lost.sum(), 1)))


def test_places_are_the_games_own():
    class Upside(LastOne):
        def places(self, states):
            return 4 - super().places(states)

    for kind, sign in ((LastOne, 1), (Upside, -1)):
        game = kind()
        records = play_matches(game, [RandomAgent(game, 1)], np.zeros((30, 3), dtype=np.intp), game.new_states(30, 1))
        assert (np.corrcoef(records.returns.ravel(), records.places.ravel())[0, 1] < 0) == (sign > 0)


def test_a_seed_repeats_everything_whatever_the_threads_and_an_interruption_is_continued(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "CHUNK_DEALS", 20)
    monkeypatch.setattr(module, "CHUNK_GAMES", 16)
    game, players = LastOne(seats=4), parse_players("random,random@b,resting")
    whole = evaluate(game, players, 200, seed=5).to_json()
    assert evaluate(game, players, 200, seed=5, threads=3).to_json() == whole
    assert evaluate(game, players, 200, seed=6).to_json() != whole
    played = []

    def counted(*arguments, **options):
        if len(played) == 7:
            raise KeyboardInterrupt
        played.append(1)
        return play_matches(*arguments, **options)

    monkeypatch.setattr(module, "play_matches", counted)
    store = tmp_path / "games.jsonl"
    with pytest.raises(KeyboardInterrupt):
        evaluate(game, players, 200, seed=5, store=store)
    played.clear()
    monkeypatch.setattr(module, "play_matches", lambda *a, **o: played.append(1) or play_matches(*a, **o))
    seen = []
    result = evaluate(game, players, 200, seed=5, store=store, progress=lambda done, total: seen.append((done, total)))
    assert result.to_json() == whole
    assert len(played) == 6 * 3 + 4 - 7
    assert seen[-1] == (6 * 200 + 201, 6 * 200 + 201)
    with pytest.raises(ConfigError, match="another comparison"):
        evaluate(game, players, 100, seed=5, store=store)


def test_files_and_table_carry_all_of_it(tmp_path):
    game = LastOne(seats=3)
    result = evaluate(game, parse_players("resting,random"), 60, seed=4)
    write_evaluation(result, tmp_path / "a.json")
    write_csv(result, tmp_path / "a.csv")
    saved = json.loads((tmp_path / "a.json").read_text())
    assert saved["teams"] == [0, 1, 2]
    assert saved["options"] == game.options
    assert saved["objective"] == game.objective
    assert len(saved["pairs"]) == len(saved["mixed"]) == 2
    assert len(saved["seats"]) == 3
    for score in [*saved["pairs"], *saved["mixed"], *saved["seats"]]:
        assert score["rate"]["low"] <= score["rate"]["value"] <= score["rate"]["high"]
        assert len(score["places"]) == 3
    rows = list(csv.DictReader((tmp_path / "a.csv").open()))
    assert [row["table"] for row in rows] == ["pair"] * 2 + ["mixed"] * 2 + ["seat"] * 3
    for row, score in zip(rows, [*saved["pairs"], *saved["mixed"], *saved["seats"]], strict=True):
        assert float(row["rate"]) == pytest.approx(score["rate"]["value"], abs=1e-6)
        assert float(row["mean_return"]) == pytest.approx(score["mean_return"]["value"], abs=1e-6)
        assert float(row["place_1"]) == pytest.approx(score["places"][0], abs=1e-6)
        assert row["seed"] == "4"
        assert row["objective"] == game.objective
        assert row["reached"] == ""
    text = table(result)
    assert f"\nreturns: {game.objective}\n" in text
    for words in ("3 seats", "par is 33.3 %", "resting - random", "mixed: 60 games", "seat 2", "first to act"):
        assert words in text


def test_the_command_compares_at_a_table_of_four(capsys, tmp_path):
    arguments = ["evaluate", "last_one", "--agents", "random,resting,lowest", "--games", "40", "--option", "seats=4"]
    assert main([*arguments, "--json", str(tmp_path / "a.json"), "--quiet"]) == 0
    out = capsys.readouterr().out
    assert "one against 3 others: 40 games each, every seat in turn" in out
    assert "par is 25.0 %" in out
    assert json.loads((tmp_path / "a.json").read_text())["mixed_games"] == 42
    arguments = ["evaluate", "last_one", "--agents", "random,resting", "--games", "20", "--quiet"]
    assert main([*arguments, "--option", "seats=4", "--option", "team_size=2"]) == 0
    assert "4 seats in 2 teams" in capsys.readouterr().out


def test_games_of_many_seats_are_watched_and_played(capsys):
    assert main(["watch", "last_one", "--option", "seats=5", "--agents", "resting", "--moves-only"]) == 0
    assert "seat 4 (resting" in capsys.readouterr().out
    told = []
    game = LastOne(seats=6, lives=3)
    for seed in range(20):
        assert play(game, "random", seat=2, seed=seed, ask=lambda prompt: "1", tell=told.append) == 0
        assert "the game is over" in told[-1]
    assert 1 <= told.count("you are out; the others play on") < 20


def test_two_seats_keep_their_own_comparison():
    result = evaluate(LastOne(seats=2), parse_players("random,resting"), 20, seed=1)
    assert type(result).__name__ == "Evaluation"
    with pytest.raises(ConfigError, match="at least two players"):
        evaluate(LastOne(seats=2), parse_players("random"), 20)
    with pytest.raises(ConfigError, match="at least one player"):
        evaluate(LastOne(seats=3), [], 20)
    with pytest.raises(ConfigError, match="at least one player"):
        evaluate(Blundered(), [], 20)


def test_means_with_intervals_by_group():
    generator = np.random.default_rng(0)
    inside = 0
    for _ in range(300):
        shared = generator.normal(2, 1, (40, 1)) + generator.normal(0, 1, (40, 3))
        mean = grouped_mean(shared.sum(axis=1), np.full(40, 3.0))
        inside += mean.low < 2 < mean.high
    assert 0.9 < inside / 300 < 0.99
    assert np.isnan(grouped_mean(np.zeros(2), np.zeros(2)).value)
    single = grouped_mean(np.array([6.0, 0.0]), np.array([3.0, 0.0]))
    assert single.value == 2
    assert np.isnan(single.low)
