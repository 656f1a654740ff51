"""The players as a whole: names, information, determinism, strength."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Callable, Mapping
from itertools import cycle, islice, pairwise
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest

from cardzoo.agents import Decisions, agent_names, make_agent
from cardzoo.agents.bloodsport_gambler.strategies import choose
from cardzoo.envs import State, load
from cardzoo.envs.core.errors import AgentError
from cardzoo.envs.core.game import Game
from cardzoo.training.arena import play_matches
from tests.support.players import answer, decisions_of, game_with, played_states, wins

PLAYERS = ("punter", "bookmaker", "fixer")
TABLES: tuple[Mapping[str, Any], ...] = (
    {},
    {"objective": "outcome"},
    {"objective": "fate", "finished_seat": "continue", "coin_supply": "limited"},
    {"objective": "outcome", "finished_seat": "restart", "pass_rule": "final", "max_rounds": 12},
    {"seats": 1},
    {"seats": 1, "objective": "fate"},
)


@pytest.fixture(scope="module")
def game() -> Game:
    return load("bloodsport_gambler")


@pytest.fixture(scope="module", params=TABLES, ids=str)
def table(request: pytest.FixtureRequest) -> list[State]:
    """The decisions of some games with the options: random play, and all players mixed."""
    game = game_with("bloodsport_gambler", json.dumps(request.param))
    states = played_states(game, ["random"] * game.num_seats, seed=11)
    for seed, player in enumerate(PLAYERS):
        states += played_states(game, list(islice(cycle((player, "random")), game.num_seats)), seed=12 + seed)
    return states


# --- names


def test_names_and_roles(game: Game) -> None:
    assert agent_names("bloodsport_gambler")[:7] == ["random", "simple", "greedy", "planner", *PLAYERS]
    for role, name in (("simple", "punter"), ("greedy", "bookmaker"), ("planner", "fixer")):
        assert type(make_agent(role, game)) is type(make_agent(name, game))


def test_threads_must_be_a_number_of_parts(game: Game) -> None:
    with pytest.raises(AgentError, match="threads must be an integer of at least 1, not 0"):
        make_agent("bookmaker:threads=0", game)


# --- legality, information and determinism, at all tables


@pytest.mark.parametrize("player", PLAYERS)
def test_choices_are_legal(table: list[State], player: str) -> None:
    decisions = decisions_of(table)
    actions = make_agent(player, table[0].game).act(decisions)
    assert decisions.masks[np.arange(len(table)), actions].all()


@pytest.mark.parametrize("player", PLAYERS)
def test_choices_do_not_depend_on_hidden_cards(table: list[State], player: str) -> None:
    """In all worlds that its seat cannot tell apart a player makes the same choices, whatever its own seed."""
    expected = make_agent(player, table[0].game, seed=5).act(decisions_of(table))
    for seed in range(3):
        others = [state.resample(state.actor, 1000 * seed + k) for k, state in enumerate(table)]
        assert any(bytes(a.states.weapon) != bytes(b.states.weapon) for a, b in zip(table, others, strict=True))
        assert np.array_equal(make_agent(player, table[0].game, seed=seed).act(decisions_of(others)), expected)


@pytest.mark.parametrize("player", PLAYERS)
def test_choices_do_not_depend_on_threads(table: list[State], player: str) -> None:
    decisions = decisions_of(table)
    expected = make_agent(player, table[0].game, seed=9).act(decisions)
    assert np.array_equal(make_agent(f"{player}:threads=3", table[0].game, seed=9).act(decisions), expected)


@pytest.mark.parametrize("player", PLAYERS)
def test_players_leave_the_games_alone(table: list[State], player: str) -> None:
    records = np.concatenate([state.states for state in table]).view(np.recarray)
    shown = decisions_of(table)
    before = records.tobytes()
    decisions = Decisions.of_batch(table[0].game, records, shown.seats, shown.observations, shown.masks)
    make_agent(player, table[0].game).act(decisions)
    assert records.tobytes() == before


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_all_tables_are_played_to_the_end(options: Mapping[str, Any]) -> None:
    game = game_with("bloodsport_gambler", json.dumps(options))
    for seed, player in enumerate(PLAYERS * 2):
        agents = [make_agent(name, game) for name in islice(cycle((player, *PLAYERS)), game.num_seats)]
        state = game.new_state(seed)
        while state.actor is not None:
            state.apply(answer(agents[state.actor], state))


def fingerprint(players: tuple[str, ...], seed: int) -> str:
    """Hash of all states of one game; also called by the interpreted process below."""
    states = played_states(load("bloodsport_gambler", seats=len(players)), players, seed)
    return hashlib.sha256(b"".join(bytes(state.states) for state in states)).hexdigest()


@pytest.mark.parametrize("players", [("bookmaker", "fixer"), ("fixer",)])
def test_interpreted_and_compiled_play_the_same(
    python: Callable[..., CompletedProcess[str]], players: tuple[str, ...]
) -> None:
    code = f"from tests.agents.bloodsport_gambler.test_players import fingerprint; print(fingerprint({players}, 21))"
    interpreted = python("-W", "error::RuntimeWarning", "-c", code, env={"NUMBA_DISABLE_JIT": "1"})
    assert interpreted.stdout.strip() == fingerprint(players, 21)


def test_all_callers_use_the_same_machine_code(game: Game) -> None:
    """Copied and pickled players and read-only masks do not make numba compile the strategies once more."""
    decisions = decisions_of(played_states(game, ("bookmaker", "fixer"), seed=6))
    agent = make_agent("fixer", game, seed=1)
    expected = agent.act(decisions)
    compiled = len(getattr(choose, "signatures", ()))
    decisions.masks.setflags(write=False)
    for other in (agent.fresh(1), pickle.loads(pickle.dumps(agent)).fresh(1)):
        assert np.array_equal(other.act(decisions), expected)
    assert len(getattr(choose, "signatures", ())) == compiled


# --- strength


def paid_off(player: str, games: int, seed: int = 0) -> float:
    """Share of games alone at the table in which a player pays off its loans."""
    game = load("bloodsport_gambler", seats=1)
    deals = game.new_states(games, seed=seed)
    records = play_matches(
        game, [make_agent(player, game)], np.zeros((games, 1), np.int64), deals, seed=seed, threads=2
    )
    assert not records.reasons
    return float((records.returns[:, 0] > 0).mean())


def test_the_players_stand_in_order(game: Game) -> None:
    """Every player beats random play nearly always, and the one below it more often than not."""
    assert wins(game, "punter", "random", games=200) > 0.95
    for better, worse in pairwise(("fixer", "bookmaker", "punter")):
        assert wins(game, better, worse, games=400) > 0.5


@pytest.mark.long
@pytest.mark.parametrize(
    ("first", "second", "share"),
    [
        ("punter", "random", 0.99),
        ("bookmaker", "random", 0.998),
        ("fixer", "random", 0.998),
        ("bookmaker", "punter", 361 / 500),
        ("fixer", "punter", 395 / 500),
        ("fixer", "bookmaker", 290 / 500),
    ],
)
def test_strength_is_that_of_the_reference_simulation(game: Game, first: str, second: str, share: float) -> None:
    """The shares were measured over 500 games of another implementation: within four standard errors of both."""
    games = 2000
    error = np.sqrt(max(share * (1 - share), 0.002) * (1 / 500 + 1 / games))
    found = wins(game, first, second, games, seed=7)
    assert abs(found - share) < 4 * error
    assert found > 0.5


@pytest.mark.long
@pytest.mark.parametrize(
    ("player", "share", "measured"),
    [("random", 0.004, 2000), ("punter", 0.23, 500), ("bookmaker", 0.58, 500), ("fixer", 0.77, 500)],
)
def test_alone_as_many_pay_off_as_in_the_reference_simulation(player: str, share: float, measured: int) -> None:
    games = 2000
    error = np.sqrt(max(share * (1 - share), 0.002) * (1 / measured + 1 / games))
    assert abs(paid_off(player, games, seed=7) - share) < 4 * error
