"""The strength of the players, and what holds in this game alone; the rest is in tests/agents/test_heuristics.py."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from cardzoo.agents import make_agent
from cardzoo.envs import load
from cardzoo.envs.core.game import Game
from cardzoo.training.arena import play_matches
from tests.support.players import error_of, wins

PLAYERS = ("punter", "bookmaker", "fixer")


@pytest.fixture(scope="module")
def game() -> Game:
    return load("bloodsport_gambler")


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
    found = wins(game, first, second, games, seed=7)
    assert abs(found - share) < 4 * error_of(share, games)
    assert found > 0.5


@pytest.mark.long
@pytest.mark.parametrize(
    ("player", "share", "measured"),
    [("random", 0.004, 2000), ("punter", 0.23, 500), ("bookmaker", 0.58, 500), ("fixer", 0.77, 500)],
)
def test_alone_as_many_pay_off_as_in_the_reference_simulation(player: str, share: float, measured: int) -> None:
    games = 2000
    assert abs(paid_off(player, games, seed=7) - share) < 4 * error_of(share, games, measured)
