"""What holds for the heuristic players of all games: names, legality, information, determinism, one machine code."""

from __future__ import annotations

import hashlib
import importlib
import json
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import cycle, islice
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest

from cardzoo.agents import Decisions, agent_names, make_agent
from cardzoo.envs import State
from cardzoo.envs.core.errors import AgentError
from cardzoo.envs.core.registry import names
from tests.support.players import answer, decisions_of, game_with, played_states

Options = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """The heuristic players of one game, weakest first, and the tables that they are looked at."""

    players: tuple[str, str, str]
    tables: tuple[Options, ...]
    hidden: str
    """A field that differs in sampled worlds."""
    looks_ahead: bool
    """Whether a choice depends on the world that is sampled, and so on the player's own seed."""
    interpreted: tuple[tuple[Options, tuple[str, ...]], ...]
    """Options and players of the games that are played interpreted too."""


CASES: dict[str, Case] = {
    "bedroom_battle": Case(
        ("brawler", "bidder", "steward"),
        ({}, {"draft": "none", "challenges": "skip", "reshuffle": "eager"}, {"preset": "quick", "max_turns": 3}),
        "hand",
        True,
        (({"preset": "quick"}, ("bidder", "steward")), ({"preset": "quick"}, ("steward", "brawler"))),
    ),
    "battle_requiem": Case(
        ("brawler", "duelist", "tactician"),
        (
            {},
            {"seats": 3, "characters": "draft"},
            {"seats": 4, "reward_scope": "any", "heal_cap": "start"},
            {"seats": 5},
            {"seats": 6},
            {"teams": [0, 1, 0, 1], "team_hands": "shown"},
            {"teams": [0, 1, 0, 1, 0, 1], "characters": "draft"},
            {"teams": [0, 1, 2, 0, 1, 2]},
        ),
        "hand",
        False,
        (({"seats": 2}, ("duelist", "tactician")), ({"seats": 3}, ("tactician", "brawler", "duelist"))),
    ),
    "bloodsport_gambler": Case(
        ("punter", "bookmaker", "fixer"),
        (
            {},
            {"objective": "outcome"},
            {"objective": "fate", "finished_seat": "continue", "coin_supply": "limited"},
            {"objective": "outcome", "finished_seat": "restart", "pass_rule": "final", "max_rounds": 12},
            {"seats": 1},
            {"seats": 1, "objective": "fate"},
        ),
        "weapon",
        False,
        (({"seats": 2}, ("bookmaker", "fixer")), ({"seats": 1}, ("fixer",))),
    ),
    "teddies_vs_monsters": Case(
        ("builder", "brawler", "planner"),
        (
            {},
            {"allow_mistakes": True, "round_ticks": 300, "max_rounds": 2},
            {"levels": [1, 2, 3], "start_hand": "face_down", "trap_blocks_claim": True, "pace": [100, 150]},
            {"seats": 4, "late_cards": "returned", "sudden_death_win": "completion"},
            {"seats": 4, "open_team": True, "partner_sleeve": "always", "keys_to_win": 1},
        ),
        "hand",
        False,
        (({"keys_to_win": 1}, ("brawler", "planner")), ({"seats": 4, "keys_to_win": 1}, ("planner", "builder") * 2)),
    ),
}
TABLES = [
    pytest.param((name, options), id=f"{name}-{options}") for name, case in CASES.items() for options in case.tables
]


def seated(name: str, options: Options, shift: int) -> list[str]:
    """A player for each seat: those of the game and the random one, in turn, beginning with another for each shift."""
    game = game_with(name, json.dumps(options))
    everybody = (*reversed(CASES[name].players), "random")
    return list(islice(cycle(everybody), shift, shift + game.num_seats))


@pytest.fixture(scope="module", params=TABLES)
def table(request: pytest.FixtureRequest) -> list[State]:
    """The decisions of some games with the options: random play, and all players mixed."""
    name, options = request.param
    game = game_with(name, json.dumps(options))
    states = played_states(game, ["random"] * game.num_seats, seed=11)
    for shift in range(len(CASES[name].players)):
        states += played_states(game, seated(name, options, shift), seed=12 + shift)
    return states


def case_of(table: list[State]) -> Case:
    """The case that the decisions of a table belong to."""
    return CASES[table[0].game.name]


def test_every_game_is_here() -> None:
    assert set(CASES) == set(names())


@pytest.mark.parametrize("name", CASES)
def test_names_and_roles(name: str) -> None:
    game, players = game_with(name, "{}"), CASES[name].players
    roles = ("simple", "greedy", "planner")
    assert agent_names(name)[:7] == ["random", *roles, *players]
    for role, own_name in zip(roles, players, strict=True):
        assert type(make_agent(role, game)) is type(make_agent(own_name, game))


@pytest.mark.parametrize("name", CASES)
def test_threads_must_be_a_number_of_parts(name: str) -> None:
    with pytest.raises(AgentError, match="threads must be an integer of at least 1, not 0"):
        make_agent(f"{CASES[name].players[1]}:threads=0", game_with(name, "{}"))


# --- legality, information and determinism, at all tables


@pytest.mark.parametrize("rank", range(3))
def test_choices_are_legal(table: list[State], rank: int) -> None:
    decisions = decisions_of(table)
    actions = make_agent(case_of(table).players[rank], table[0].game).act(decisions)
    assert decisions.masks[np.arange(len(table)), actions].all()


@pytest.mark.parametrize("rank", range(3))
def test_choices_do_not_depend_on_hidden_cards(table: list[State], rank: int) -> None:
    """In all worlds that its seat cannot tell apart a player makes the same choices.

    With the same seed, if it looks ahead in the world that it samples; else whatever its seed.
    """
    case, game = case_of(table), table[0].game
    expected = make_agent(case.players[rank], game, seed=5).act(decisions_of(table))
    for seed in range(3):
        others = [state.resample(state.actor, 1000 * seed + k) for k, state in enumerate(table)]
        assert any(
            bytes(a.states[case.hidden]) != bytes(b.states[case.hidden]) for a, b in zip(table, others, strict=True)
        )
        agent = make_agent(case.players[rank], game, seed=5 if case.looks_ahead else seed)
        assert np.array_equal(agent.act(decisions_of(others)), expected)
        agent.reset(5)
        assert np.array_equal(agent.act(decisions_of(others)), expected)


@pytest.mark.parametrize("rank", range(3))
def test_choices_do_not_depend_on_threads(table: list[State], rank: int) -> None:
    decisions, player = decisions_of(table), case_of(table).players[rank]
    expected = make_agent(player, table[0].game, seed=9).act(decisions)
    assert np.array_equal(make_agent(f"{player}:threads=3", table[0].game, seed=9).act(decisions), expected)


@pytest.mark.parametrize("rank", range(3))
def test_players_leave_the_games_alone(table: list[State], rank: int) -> None:
    records = np.concatenate([state.states for state in table]).view(np.recarray)
    shown = decisions_of(table)
    before = records.tobytes()
    decisions = Decisions.of_batch(table[0].game, records, shown.seats, shown.observations, shown.masks)
    make_agent(case_of(table).players[rank], table[0].game).act(decisions)
    assert records.tobytes() == before


@pytest.mark.parametrize("at", TABLES)
def test_all_tables_are_played_to_the_end(at: tuple[str, Options]) -> None:
    name, options = at
    game = game_with(name, json.dumps(options))
    for seed in range(6):
        players = [player for player in seated(name, options, seed) if player != "random"] or CASES[name].players
        agents = [make_agent(player, game) for player in islice(cycle(players), game.num_seats)]
        state = game.new_state(seed)
        while state.actor is not None:
            state.apply(answer(agents[state.actor], state))


# --- machine code


def fingerprint(name: str, options: Options, players: tuple[str, ...], seed: int) -> str:
    """Hash of all states of one game; also called by the interpreted process below."""
    states = played_states(game_with(name, json.dumps(options)), players, seed)
    return hashlib.sha256(b"".join(bytes(state.states) for state in states)).hexdigest()


@pytest.mark.parametrize(
    "arguments", [(name, *game) for name, case in CASES.items() for game in case.interpreted], ids=str
)
def test_interpreted_and_compiled_play_the_same(
    python: Callable[..., CompletedProcess[str]], arguments: tuple[str, Options, tuple[str, ...]]
) -> None:
    code = f"from tests.agents.test_heuristics import fingerprint; print(fingerprint(*{arguments!r}, 21))"
    interpreted = python("-W", "error::RuntimeWarning", "-c", code, env={"NUMBA_DISABLE_JIT": "1"})
    assert interpreted.stdout.strip() == fingerprint(*arguments, 21)


@pytest.mark.parametrize("name", CASES)
def test_all_callers_use_the_same_machine_code(name: str) -> None:
    """Copied and pickled players and read-only masks do not make numba compile the strategies once more."""
    game, (_, middle, best) = game_with(name, "{}"), CASES[name].players
    choose = importlib.import_module(f"cardzoo.agents.{name}.strategies").choose
    decisions = decisions_of(played_states(game, (middle, best), seed=6))
    agent = make_agent(best, game, seed=1)
    expected = agent.act(decisions)
    compiled = len(getattr(choose, "signatures", ()))
    decisions.masks.setflags(write=False)
    for other in (agent.fresh(1), pickle.loads(pickle.dumps(agent)).fresh(1)):
        assert np.array_equal(other.act(decisions), expected)
    assert len(getattr(choose, "signatures", ())) == compiled
