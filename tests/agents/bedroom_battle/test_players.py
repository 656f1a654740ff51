"""The strength of the players, and what holds in this game alone; the rest is in tests/agents/test_heuristics.py."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from cardzoo.agents import make_agent
from cardzoo.envs import load
from cardzoo.envs.core.game import Game
from tests.support.players import answer, error_of, wins

PLAYERS = ("brawler", "bidder", "steward")
CARDS = Path(__file__).parents[3] / "envs" / "bedroom_battle" / "cards.yaml"


@pytest.fixture(scope="module")
def game() -> Game:
    return load("bedroom_battle")


# --- variants and other cards


@pytest.mark.parametrize(
    "options",
    [
        {"select_rewards": True, "final_rewards": 3, "challenge_weight": 1.0},
        {"draft": "none", "challenges": "skip", "reshuffle": "eager"},
        {"preset": "quick", "max_turns": 3, "starter": 1},
    ],
)
def test_every_variant_is_played_to_its_end(options: dict[str, object]) -> None:
    game = load("bedroom_battle", **options)
    for first, second in pairwise((*PLAYERS, "random")):
        wins(game, first, second, games=20)  # fails if a player raises or answers with an illegal action


def test_a_card_with_millions_of_ends_is_played_in_a_moment(tmp_path: Path) -> None:
    """The look-ahead is cut off: four modes that move three items each, over two full sides."""
    text = yaml.safe_load(CARDS.read_text())
    juggle = ["move_item any", "move_item any", "move_item any"]
    text["types"].append({"id": "juggler", "name": "Juggler", "copies": 1, "kind": "special", "choice": [juggle] * 4})
    path = tmp_path / "cards.yaml"
    path.write_text(yaml.safe_dump(text))
    game = load("bedroom_battle", cards=path)
    items = ["convertible", "lucky_coin", "clown_shoes", "private_jet", "magic_mirror", "acoustic_guitar"]
    own = ["average_joe+" + "+".join(items), *["average_joe"] * 3, *["granny"] * 3, *["charming_twin"] * 3]
    opp = ["rock_star+convertible+lucky_coin+clown_shoes", "opera_diva", "billionaire", "art_collector", "bodyguard"]
    opp += ["supermodel", "supermodel", "firefighter", "firefighter", "fair_maiden", "fair_maiden"]
    position = {"hands": [["juggler"], []], "board": [own, opp]}
    for player in PLAYERS:
        state = game.from_position(position)
        while state.actor == 0 and not state.is_over:
            state.apply(answer(make_agent(player, game), state))


# --- strength


def test_the_players_stand_in_order(game: Game) -> None:
    """Every player beats the one below it; the bidder beats random play nearly always."""
    assert wins(game, "bidder", "random", games=200) > 0.95
    for better, worse in pairwise(("steward", "bidder", "brawler", "random")):
        assert wins(game, better, worse, games=200) > 0.6


@pytest.mark.long
@pytest.mark.parametrize(
    ("first", "second", "share"),
    [
        ("brawler", "random", 0.964),
        ("bidder", "random", 0.998),
        ("steward", "random", 1.0),
        ("bidder", "brawler", 0.828),
        ("steward", "brawler", 0.98),
        ("steward", "bidder", 0.816),
    ],
)
def test_strength_is_that_of_the_reference_simulation(game: Game, first: str, second: str, share: float) -> None:
    """The shares were measured over 500 games of another implementation: within three standard errors of both."""
    games = 4000
    assert abs(wins(game, first, second, games, seed=7) - share) < 3 * error_of(share, games)
