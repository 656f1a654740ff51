"""The learner's side in games of 1 to 6 seats and of teams: rewards, seats, who plays whom, games given up."""

from __future__ import annotations

import json

import numpy as np
import pytest

from cardzoo.agents.base import Agent
from cardzoo.agents.random import RandomAgent, sample_legal
from cardzoo.envs.core import registry
from cardzoo.training.arena import play_matches
from cardzoo.training.run import Run, resume
from cardzoo.training.teacher import play_lesson
from cardzoo.training.vec_env import SelfPlayVecEnv
from tests.last_one import LastOne
from tests.solo_game import Solo
from tests.training.conftest import small

GAMES = [{"seats": seats} for seats in range(2, 7)]
GAMES += [{"seats": 4, "team_size": 2}, {"seats": 6, "team_size": 2}, {"seats": 6, "team_size": 3}]
GAMES += [{"seats": 5, "max_moves": 9}, {"seats": 6, "lives": 1}]


class Members:
    """A pool of players that remember which seats they played in which rows."""

    def __init__(self, game, count, seed=0):
        self.agents = [Witness(game, number) for number in range(count)]
        self._generator = np.random.default_rng(seed)
        self.assigned = 0

    def assign(self, count):
        self.assigned += count
        return self._generator.integers(len(self.agents), size=count)


class Witness(RandomAgent):
    def __init__(self, game, number):
        super().__init__(game, number)
        self.asked = set()

    def act(self, decisions):
        self.asked |= set(zip(decisions._rows.tolist(), decisions.seats.tolist(), strict=True))
        return super().act(decisions)


def play(env, steps, seed=0):
    """Step `env` at random; yield (rewards, dones, infos)."""
    generator = np.random.default_rng(seed)
    env.reset()
    for _ in range(steps):
        _, rewards, dones, infos = env.step(sample_legal(env.action_masks(), generator))
        yield rewards, dones, infos


@pytest.mark.parametrize("options", GAMES)
def test_summed_rewards_equal_the_returns_of_the_learners_games(options):
    game = LastOne(**options)
    env = SelfPlayVecEnv(game, 40, Members(game, 3), seed=2)
    sums, length = np.zeros(40), np.zeros(40, np.int64)
    teams = [[] for _ in range(40)]
    returns, truncated = [], 0
    for rewards, dones, infos in play(env, 60):
        sums += rewards
        length += 1
        for row in np.flatnonzero(dones):
            info = infos[row]
            assert sums[row] == pytest.approx(info["episode"]["r"], abs=1e-6)
            assert length[row] == info["episode"]["l"]
            assert len(info["opponents"]) == game.num_teams - 1
            assert info["terminal_observation"][game.observations["lives"]].shape == (6,)
            truncated += info["TimeLimit.truncated"]
            teams[row].append(info["team"])
            returns.append(sums[row])
            sums[row] = length[row] = 0
    assert min(returns) == -1
    assert max(returns) == 1
    assert (truncated > 0) == ("max_moves" in options)
    results = env.take_results()
    assert sorted(result.returned for result in results) == pytest.approx(sorted(returns), abs=1e-6)
    assert {result.team for result in results} == set(range(game.num_teams))
    assert all(0 <= result.points <= 1 for result in results)
    assert all(result.points == 1 for result in results if result.returned == 1)
    assert all(result.points == 0 for result in results if result.returned == -1)
    for row, own in enumerate(teams):  # round the table; teams are passed over in games without a decision
        assert own[0] == row % game.num_teams or env.games_without_decision
        passed_over = np.diff(own) % game.num_teams != 1
        assert not passed_over.any() or env.games_without_decision


def test_every_seat_learns_equally_often():
    game = LastOne(seats=5, lives=4)
    env = SelfPlayVecEnv(game, 50, Members(game, 3), seed=2)
    for _ in play(env, 150):
        pass
    counts = np.bincount([result.team for result in env.take_results()], minlength=5)
    assert counts.sum() > 1000
    assert counts.max() - counts.min() < 0.1 * counts.mean()


def test_a_game_that_the_learner_has_left_is_over_for_it_at_once_and_not_played_out():
    game = LastOne(seats=6, lives=3)
    env = SelfPlayVecEnv(game, 30, Members(game, 2), seed=5)
    early = 0
    env.reset()
    generator = np.random.default_rng(0)
    for _ in range(60):
        _, _, dones, infos = env.step(sample_legal(env.action_masks(), generator))
        states = env._batch.states
        assert not ((states.left >> env._team) & 1).any()  # no learner sits in a game that it has left
        for row in np.flatnonzero(dones):
            lives = infos[row]["terminal_observation"][game.observations["lives"]]
            early += np.count_nonzero(lives) > 1
            if np.count_nonzero(lives) > 1:
                assert lives[0] == 0
                assert infos[row]["episode"]["r"] < 1
    assert early > 50


@pytest.mark.parametrize("options", [{"seats": 5}, {"seats": 6, "team_size": 2}])
def test_results_depend_neither_on_threads_nor_on_the_number_of_rows(options):
    game = LastOne(**options)

    class Highest(Agent):
        def act(self, decisions):
            return decisions.masks.shape[1] - 1 - np.argmax(decisions.masks[:, ::-1], axis=1)

    class One:
        def __init__(self):
            self.agents = [Highest(game, "highest")]

        def assign(self, count):
            return np.zeros(count, np.intp)

    def run(rows, threads):
        env = SelfPlayVecEnv(game, rows, One(), seed=4, threads=threads)
        env.reset()
        seen = []
        for _ in range(40):
            observations, rewards, dones, _ = env.step(np.argmax(env.action_masks(), axis=1))
            seen.append(np.concatenate([observations[:10].ravel(), rewards[:10], dones[:10]]))
        return np.array(seen)

    np.testing.assert_array_equal(run(200, 1), run(200, 2))
    np.testing.assert_array_equal(run(10, 1), run(200, 1))


def test_without_teams_each_other_seat_has_its_own_player():
    game = LastOne(seats=4, lives=9)  # no game ends within the reset
    env = SelfPlayVecEnv(game, 100, Members(game, 4), seed=2)
    env.reset()
    for row in range(100):
        for other in range(4):
            if other != env._team[row]:
                players = [k for k, agent in enumerate(env._opponents.agents) if (row, other) in agent.asked]
                assert len(players) <= 1
                assert all(env._players[row, other] == player for player in players)
    met = {tuple(env._players[row][np.arange(4) != env._team[row]]) for row in range(100)}
    assert len(met) > 15  # of 27
    assert env._opponents.assigned == 300


@pytest.mark.parametrize("options", [{"seats": 6, "team_size": 2}, {"seats": 6, "team_size": 3}])
def test_the_learner_decides_for_every_seat_of_its_team_and_one_player_for_each_other(options):
    game = LastOne(**options, lives=9)
    members = Members(game, 4)
    env = SelfPlayVecEnv(game, 60, members, seed=2)
    env.reset()
    learners, teams = env._team.copy(), np.array(game.teams)
    rows = np.arange(60)
    decided = {(row, env._step.actor[row]) for row in rows}
    for _ in range(4):
        env.step(np.argmax(env.action_masks(), axis=1))
        decided |= {(row, env._step.actor[row]) for row in rows}
    assert (env._team == learners).all()  # no game is over so early
    others = 0
    for row in rows:
        for seat in range(6):
            players = [k for k, agent in enumerate(members.agents) if (row, seat) in agent.asked]
            if teams[seat] == learners[row]:
                assert players == []
                assert (row, seat) in decided
            else:
                assert players == [env._players[row, teams[seat]]]
                assert (row, seat) not in decided
                others += 1
    assert others == 60 * (6 - game.num_seats // game.num_teams)


def test_what_the_learner_sees_is_what_the_seat_that_decides_may_see():
    game = LastOne(seats=4, team_size=2)
    env = SelfPlayVecEnv(game, 40, Members(game, 2), seed=3)
    env.reset()
    for _ in play(env, 30):
        for row in range(40):
            seat = int(env._step.actor[row])
            np.testing.assert_array_equal(env._observations[row], game.observe(env._batch.states, row, seat))
            np.testing.assert_array_equal(env.action_masks()[row], env._step.action_mask[row])


def test_a_game_of_one_seat_is_played_alone():
    game = Solo()
    members = Members(game, 2)
    env = SelfPlayVecEnv(game, 6, members, seed=1)
    sums = np.zeros(6)
    finished = 0
    for rewards, dones, infos in play(env, 35):
        sums += rewards
        for row in np.flatnonzero(dones):
            assert sums[row] == infos[row]["episode"]["r"]
            assert infos[row]["opponents"] == ()
            assert infos[row]["episode"]["l"] == 10
            sums[row] = 0
            finished += 1
    assert finished == 18
    assert members.assigned == 0


class Bust(Solo):
    goal = "went bust"

    def reached(self, states):
        return states.kept[:1] > 12


class Outlasting(LastOne):
    goal = "outlasted somebody"

    def reached(self, states):
        return (states.place2[0] > 0)[: self.num_seats] & (states.place2[0] < 2 * self.num_seats)[: self.num_seats]


@pytest.mark.parametrize(
    ("game", "expected"),
    [(Bust(), lambda result: result.returned == 0), (Outlasting(seats=5), lambda result: result.returned > -1)],
)
def test_results_say_whether_the_learner_reached_the_goal_by_the_end_or_when_it_left(game, expected):
    env = SelfPlayVecEnv(game, 20, Members(game, 2), seed=1)
    for _ in play(env, 60):
        pass
    results = env.take_results()
    assert [result.reached for result in results] == [expected(result) for result in results]
    assert {result.reached for result in results} == {True, False}


@pytest.mark.parametrize("options", [{"seats": 5}, {"seats": 6, "team_size": 2}])
def test_a_teachers_lesson_holds_each_seats_own_return(options):
    game = LastOne(**options)
    lesson = play_lesson(
        game,
        RandomAgent(game, 1),
        RandomAgent(game, 2),
        50,
        student_share=0.2,
        random_share=0.1,
        generator=np.random.default_rng(0),
    )
    assert len(lesson.returns) == len(lesson.actions) > 200
    assert {-1.0, 1.0} <= set(lesson.returns.tolist())
    assert lesson.masks[np.arange(len(lesson.actions)), lesson.actions].all()


@pytest.mark.parametrize(("lives", "moves", "kept"), [(9, 3, False), (3, 9, True)])
def test_a_lesson_leaves_out_the_games_that_were_cut_off(lives, moves, kept):
    game = LastOne(seats=3, lives=lives, max_moves=moves)
    records = play_matches(game, [RandomAgent(game, 1)], np.zeros((80, 3), np.intp), game.new_states(80, 5))
    assert records.truncated.any()
    assert records.truncated.all() != kept
    generator = np.random.default_rng(0)
    players = RandomAgent(game, 1), RandomAgent(game, 2)
    lesson = play_lesson(game, *players, 80, student_share=0, random_share=0, generator=generator)
    assert len(lesson.actions) == len(lesson.masks) == len(lesson.observations) == len(lesson.returns)
    assert (len(lesson.actions) > 0) == kept
    assert len(lesson.actions) < 80 * moves
    # Cut off, the living share the first places: nobody has 1, and of three that live all have 0.
    assert not kept or lesson.returns.max() == 1


@pytest.fixture
def registered(monkeypatch):
    monkeypatch.setattr(registry, "_games", {**registry._games, "last_one": LastOne, "solo": Solo})


@pytest.mark.parametrize("options", [{"seats": 4}, {"seats": 6, "team_size": 2}])
def test_a_run_trains_evaluates_and_is_compared(options, registered, tmp_path):
    settings = small(game="last_one", options=options, run={"total_steps": 512})
    folder = tmp_path / "run"
    run = Run(settings, folder, quiet=True)
    result = run.train()
    assert [(pair.first, pair.second) for pair in result.pairs] == [("learner", "random")]
    assert result.pairs[0].fair == pytest.approx(1 / run.game.num_teams)
    assert {"random", "latest"} <= set(run.win_rates.means())
    assert run.note().startswith("wins ")
    assert run.scores.means() == {}
    assert json.loads((folder / "comparison.json").read_text())["pairs"][0]["first"] == "learner"
    assert json.loads((folder / "evaluations.jsonl").read_text().splitlines()[0])["pairs"]
    assert resume(folder, quiet=True).pairs[0].rate == result.pairs[0].rate


def recorded(run):
    """What a run logs from now on, by tag."""
    values = {}
    original = run.learner.logger.record

    def record(key, value, **rest):
        values[key] = value
        original(key, value, **rest)

    run.learner.logger.record = record
    return values


def lines_of(run):
    return [json.loads(line) for line in (run.folder / "evaluations.jsonl").read_text().splitlines()]


def test_a_run_of_one_seat_learns_to_earn_more(registered, tmp_path):
    settings = small(game="solo", run={"total_steps": 512})
    run = Run(settings, tmp_path / "run", quiet=True)
    values, results, take = recorded(run), [], run.env.take_results
    run.env.take_results = lambda: results.extend(new := take()) or new
    result = run.train()
    assert result.pairs == []
    assert [score.first for score in result.mixed] == ["learner", "random"]
    last = lines_of(run)[-1]
    learner, random = (score["mean_return"]["value"] for score in last["mixed"])
    assert last["objective"] == Solo.objective
    assert (values["evaluation/return"], values["evaluation/return_random"]) == pytest.approx((learner, random))
    lately = run.scores.means()
    assert lately == {"return": pytest.approx(np.mean([result.returned for result in results[-1000:]]))}
    assert values["games/return"] == pytest.approx(lately["return"], abs=1)
    assert run.note() == f"return {lately['return']:.3f}"


def test_a_run_in_which_both_seats_may_win_shows_its_own_side(tmp_path):
    options = {"objective": "outcome", "max_rounds": 3}
    settings = small(game="bloodsport_gambler", options=options, run={"total_steps": 1024, "opponents": ["random"]})
    run = Run(settings, tmp_path / "run", quiet=True)
    values = recorded(run)
    result = run.train()
    assert [(pair.first, pair.second) for pair in result.pairs] == [("learner", "random"), ("random", "learner")]
    last = lines_of(run)[-1]
    (pair,) = last["pairs"]
    assert (pair["first"], pair["second"]) == ("learner", "random")
    for key, name in (("rate", "random"), ("mean_return", "random_return"), ("reached", "random_paid_off")):
        assert values[f"evaluation/{name}"] == pytest.approx(pair[key]["value"], abs=1e-6)
    assert not any(name.startswith("evaluation/learner") for name in values)
    assert {"games/return", "games/paid_off", "wins/latest"} <= set(values)
    note = run.note()
    assert [word in note for word in ("return ", "paid off ", "wins ", "random ")] == [True] * 4
