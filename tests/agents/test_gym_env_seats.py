"""One seat as a Gymnasium environment in games of many seats, of teams, and of one seat."""

from __future__ import annotations

import copy
import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env as gymnasium_check
from stable_baselines3.common.env_checker import check_env as sb3_check

from cardzoo.agents import base
from cardzoo.agents.base import Agent
from cardzoo.agents.gym_env import SingleAgentEnv
from cardzoo.envs import IllegalAction, OptionError
from cardzoo.envs.core import registry
from tests.solo_game import Solo
from tests.support.episodes import episode

pytestmark = pytest.mark.usefixtures("last_one_registered")


@pytest.fixture
def solo(monkeypatch, last_one_registered):
    monkeypatch.setattr(registry, "_games", {**registry._games, "solo": Solo})
    return "solo"


CASES = [("last_one", {"seats": seats, "lives": 3}, seat) for seats in range(2, 7) for seat in range(seats)]
CASES += [("last_one", {"seats": 6, "team_size": 2, "lives": 3}, seat) for seat in range(6)]
CASES += [("battle_requiem", {"seats": seats}, seats - 1) for seats in range(2, 7)]
CASES += [("battle_requiem", {"teams": teams}, 1) for teams in ([0, 1, 0, 1], [0, 1] * 3, [0, 1, 2] * 2)]


@pytest.mark.parametrize(("name", "options", "seat"), CASES)
def test_every_seat_gets_its_whole_return_and_ends_when_it_has_left(name, options, seat):
    env = SingleAgentEnv(name, seat=seat, **options)
    generator = np.random.default_rng(0)
    early = late = 0
    for game in range(150 if name == "last_one" else 12):
        played = episode(env, generator, seed=game)
        assert (played.terminated, played.truncated, played.seat) == (True, False, seat)
        assert sum(played.rewards) == pytest.approx(env.state.returns[seat])
        assert env.state.has_left(seat)
        assert not env.action_masks().any()
        if env.state.is_over:
            late += 1
            assert played.winners == env.state.outcome.winners
        else:
            early += 1
            assert played.outcome == f"seat {seat} is out, others play on"
            assert played.winners == ()
        with pytest.raises(IllegalAction, match="over"):
            env.step(0)
    assert late
    assert (early > 0) == (env.game.num_teams > 2)


def test_in_a_team_it_goes_on_until_the_team_is_out():
    """The own seat is out early, its partner wins: the episode ends only then, with the win."""
    env = SingleAgentEnv("last_one", seat=0, seats=4, team_size=2, lives=2)
    generator = np.random.default_rng(0)
    seen = 0
    for game in range(200):
        rewards = episode(env, generator, seed=game).rewards
        assert env.state.is_over  # two teams: nobody leaves before the end
        if env.state.states.lives[0][0] == 0 and sum(rewards) > 0:
            seen += 1
    assert seen > 5


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("last_one", {"seats": 5}),
        ("last_one", {"seats": 6, "team_size": 2}),
        ("last_one", {"seats": 4, "max_moves": 6}),
    ],
)
@pytest.mark.parametrize("seat", [2, "alternate", "random"])
def test_the_checkers_of_gymnasium_and_sb3_find_nothing(game, options, seat):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*not having a spec.*|.*different types.*render.*")
        gymnasium_check(SingleAgentEnv(game, seat=seat, render_mode="ansi", **options), skip_render_check=False)
        sb3_check(SingleAgentEnv(game, seat=seat, **options), warn=True)


def test_seats_go_round_over_all_of_them():
    env = SingleAgentEnv("last_one", seats=5, lives=9)
    env.reset(seed=1)
    seats = [env.reset()[1]["seat"] for _ in range(10)]
    assert seats == [1, 2, 3, 4, 0, 1, 2, 3, 4, 0]
    env = SingleAgentEnv("last_one", seats=5, lives=9, seat="random")
    env.reset(seed=1)
    assert {env.reset()[1]["seat"] for _ in range(60)} == set(range(5))


def test_opponents_by_seat_play_their_own_seats(monkeypatch):
    class Witness(Agent):
        def __init__(self, game, seed=0, number=0):
            super().__init__(game, "witness")
            self.number, self.seats = number, set()

        def act(self, decisions):
            self.seats |= set(decisions.seats.tolist())
            return np.argmax(decisions.masks, axis=1)

    monkeypatch.setitem(base._registered, "last_one", ({"witness": Witness}, {}))
    names = [f"witness:number={k}" for k in range(3)]
    env = SingleAgentEnv("last_one", opponent=names, seat=1, seats=4, lives=9)
    for _ in range(5):
        episode(env, np.random.default_rng(0))
    assert [agent.seats for agent in env.opponents] == [{0}, {2}, {3}]
    with pytest.raises(OptionError, match="3 other seats, but 2"):
        SingleAgentEnv("last_one", opponent=names[:2], seats=4)


def test_games_that_the_seat_leaves_before_it_ever_decides_are_dealt_anew():
    env = SingleAgentEnv("last_one", seat=3, seats=6, lives=1)
    generator = np.random.default_rng(0)
    for seed in range(40):
        rewards = episode(env, generator, seed=seed).rewards
        assert sum(rewards) == pytest.approx(env.state.returns[3])
    assert env.games_without_decision > 5


def test_capped_games_are_truncated_only_for_who_is_still_there():
    env = SingleAgentEnv("last_one", seats=5, max_moves=9)
    endings = set()
    generator = np.random.default_rng(0)
    for game in range(80):
        played = episode(env, generator, seed=game)
        assert played.terminated != played.truncated
        assert played.truncated == (env.state.is_over and bool(env.state.states.truncated[0]))
        endings.add((played.terminated, env.state.is_over))
    assert {(True, False), (False, True)} <= endings


def test_copies_after_leaving_are_over_too():
    env = SingleAgentEnv("last_one", seats=6, seat=0)
    for game in range(100):
        episode(env, np.random.default_rng(0), seed=game)
        if not env.state.is_over:
            break
    assert not env.state.is_over
    twin = copy.deepcopy(env)
    assert not twin.action_masks().any()
    with pytest.raises(IllegalAction, match="over"):
        twin.step(0)


@pytest.mark.parametrize("seat", [0, "alternate", "random"])
def test_a_game_of_one_seat_has_no_opponents(solo, seat):
    env = SingleAgentEnv(solo, seat=seat)
    assert env.opponents == []
    played = episode(env, np.random.default_rng(0), seed=3)
    assert (played.terminated, played.truncated, played.seat) == (True, False, 0)
    assert sum(played.rewards) == pytest.approx(env.state.returns[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*not having a spec.*|.*different types.*render.*")
        gymnasium_check(SingleAgentEnv(solo, seat=seat), skip_render_check=True)
    with pytest.raises(OptionError, match="0 other seats, but 1"):
        SingleAgentEnv(solo, opponent=["random"])
