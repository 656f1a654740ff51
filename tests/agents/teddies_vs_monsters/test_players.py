"""The strength of the players, and what holds in this game alone; the rest is in tests/agents/test_heuristics.py."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from cardzoo.agents import make_agent
from cardzoo.envs import State, load
from cardzoo.envs.core.game import Game
from cardzoo.envs.teddies_vs_monsters.actions import TO_OWN
from cardzoo.envs.teddies_vs_monsters.legal import target_set
from cardzoo.envs.teddies_vs_monsters.rows import readings_left, row_complete
from cardzoo.envs.teddies_vs_monsters.state import TEAMS
from cardzoo.training.arena import play_matches
from tests.support.players import answer, error_of, played_states
from tests.support.teddies_vs_monsters import CUSTOM_CARDS

PLAYERS = ("builder", "brawler", "planner")


def share(game: Game, first: str, second: str, games: int, seed: int = 0) -> float:
    """Share of games that the team of the first player wins; every deal is played with both seatings."""
    number = np.arange(games)
    seating = np.stack([(number + seat) % 2 for seat in range(game.num_seats)], axis=1)
    deals = game.new_states((games + 1) // 2, seed=seed)[number // 2]
    agents = [make_agent(first, game), make_agent(second, game)]
    records = play_matches(game, agents, seating, deals, seed=seed, threads=2)
    assert not records.reasons
    return float((records.returns[number, number % 2] > 0).mean())


@pytest.mark.parametrize("seats", [2, 4])
def test_the_players_stand_in_order(seats: int) -> None:
    """Every player beats the one below it; the builder beats random play nearly always."""
    game = load("teddies_vs_monsters", seats=seats)
    assert share(game, "builder", "random", games=200) > 0.95
    for better, worse in pairwise(reversed(PLAYERS)):
        assert share(game, better, worse, games=400) > 0.75


@pytest.mark.long
@pytest.mark.parametrize(
    ("seats", "first", "second", "expected"),
    [
        (2, "builder", "random", 1.0),
        (2, "brawler", "random", 1.0),
        (2, "planner", "random", 1.0),
        (2, "brawler", "builder", 0.982),
        (4, "builder", "random", 0.992),
        (4, "brawler", "random", 1.0),
        (4, "planner", "random", 1.0),
        (4, "brawler", "builder", 0.996),
    ],
)
def test_strength_is_that_of_the_reference_simulation(seats: int, first: str, second: str, expected: float) -> None:
    """The shares were measured over 500 games of another implementation: within four standard errors of both."""
    games = 4000
    game = load("teddies_vs_monsters", seats=seats)
    assert abs(share(game, first, second, games, seed=7) - expected) < 4 * error_of(expected, games)


@pytest.mark.long
@pytest.mark.parametrize(
    ("seats", "level", "least"), [(2, 1, 0.75), (2, 2, 0.82), (2, 3, 0.87), (4, 1, 0.97), (4, 2, 0.98), (4, 3, 0.98)]
)
def test_the_planner_beats_the_brawler_clearly(seats: int, level: int, least: float) -> None:
    game = load("teddies_vs_monsters", seats=seats, levels=[level])
    assert share(game, "planner", "brawler", 4000, seed=7) > least


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seats": 4, "open_team": True, "partner_sleeve": "always"},
        {"hand_size": 9, "sleeve_size": 9, "allow_mistakes": True},
        {"start_hand": "face_down", "trap_blocks_claim": True, "tempo": {"claim": 1, "attack": 500}},
    ],
    ids=str,
)
def test_other_cards(player: str, options: dict[str, Any]) -> None:
    """With cards that do other things than their kinds all choices are legal, and better than random ones."""
    game = load("teddies_vs_monsters", cards=CUSTOM_CARDS, levels=[1, 2, 3], keys_to_win=1, **options)
    players = [player if seat % 2 == 0 else "random" for seat in range(game.num_seats)]
    won = 0
    for seed in range(10):
        agents = [make_agent(name, game, seed=seed) for name in players]
        state = game.new_state(seed)
        while state.actor is not None:
            state.apply(answer(agents[state.actor], state))
        won += state.returns[0] > 0
    assert won >= 8


def placement(state: State, text: str) -> tuple[int, int] | None:
    """Card and room of the placement that an action begins, None if it begins none."""
    game, s, r = state.game, state.states[0], state.game.rules[0]
    action, seat = game.parse(text, state.actor), int(state.actor or 0)
    if text.startswith("to own"):
        return int(s.picked), int(text.split()[-1]) - 1
    if not text.startswith("play"):
        return None
    targets = [(block, room) for block in range(3) for room in range(int(r.num_rooms))]
    targets = [at for at in targets if target_set(s, r, seat % TEAMS, *at) >> action & 1]
    return (action, targets[0][1]) if len(targets) == 1 and targets[0][0] == TO_OWN else None


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("player", PLAYERS)
def test_no_player_makes_a_mistake(player: str, seats: int) -> None:
    """Only a card that is late can be wrong: one of two that reach for the same place."""
    game = load("teddies_vs_monsters", seats=seats, allow_mistakes=True, keys_to_win=1)
    agent = make_agent(player, game)
    placed = claimed = 0
    for seed in range(4):
        for state in played_states(game, ["random" if seat % 2 else player for seat in range(seats)], seed):
            s, r = state.states[0], game.rules[0]
            if int(s.actor) % 2:
                continue
            text = answer(agent, state)
            act = placement(state, text)
            if act is not None:
                card, room = act
                bedroom, done, readings = int(s.bedroom[room]), int(s.row_sym[0, room]), int(s.open[0, room])
                assert readings_left(r, bedroom, 0, readings, done, card)
                placed += 1
            if text.startswith("claim"):
                assert row_complete(s, r, 0, int(text.split()[-1]) - 1)
                claimed += 1
    assert placed > 20
    assert claimed > 5


@pytest.mark.parametrize("player", PLAYERS)
def test_an_opponent_full_of_mistakes_is_beaten(player: str) -> None:
    for options in ({}, {"call_by": "owner"}, {"review": "discount"}):
        game = load("teddies_vs_monsters", allow_mistakes=True, **options)
        assert share(game, player, "random", games=40) > 0.9
