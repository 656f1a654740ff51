"""The strength of the players, and what holds in this game alone; the rest is in tests/agents/test_heuristics.py."""

from __future__ import annotations

from itertools import pairwise

import pytest

from cardzoo.envs import load
from cardzoo.envs.core.game import Game
from tests.support.players import error_of, wins

PLAYERS = ("brawler", "duelist", "tactician")


@pytest.fixture(scope="module")
def game() -> Game:
    return load("battle_requiem")


# --- strength


def test_the_players_stand_in_order(game: Game) -> None:
    """Every player beats the one below it; the brawler beats random play nearly always."""
    assert wins(game, "brawler", "random", games=200) > 0.95
    for better, worse in pairwise(("tactician", "duelist", "brawler")):
        assert wins(game, better, worse, games=400) > 0.55


@pytest.mark.long
@pytest.mark.parametrize(
    ("first", "second", "share"),
    [
        ("brawler", "random", 0.998),
        ("duelist", "random", 0.998),
        ("tactician", "random", 0.998),
        ("duelist", "brawler", 0.778),
        ("tactician", "brawler", 0.876),
        ("tactician", "duelist", 0.639),
    ],
)
def test_strength_is_that_of_the_reference_simulation(game: Game, first: str, second: str, share: float) -> None:
    """The shares were measured over 500 games of another implementation: within four standard errors of both."""
    games = 4000
    assert abs(wins(game, first, second, games, seed=7) - share) < 4 * error_of(share, games)
