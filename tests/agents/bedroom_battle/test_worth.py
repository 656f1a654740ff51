"""Prices of cards: the check values that the game's specification gives, and each weight it lists."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from cardzoo.agents.bedroom_battle.worth import card_values
from cardzoo.envs import load
from cardzoo.envs.core.game import Game

CARDS = Path(__file__).parents[3] / "envs" / "bedroom_battle" / "cards.yaml"

CHECKS = {
    "granny": 5.0,
    "bribe": 5.0,
    "caveman": 3.0,
    "supermodel": 4.0,
    "vampire_count": 6.5,
    "mankini": 3.5,
    "stage_fright": 3.0,
    "gossip": 2.0,
    "curfew": 1.5,
}

# A card and what it is worth, beside the reference cards; together they have every weight that no check value has.
MADE_UP = [
    ({"kind": "character", "gender": "male", "appeal": 2, "while": ["mod own +1"]}, 4.0),
    ({"kind": "character", "gender": "male", "appeal": 2, "while": ["mod opp -1"]}, 4.0),
    ({"kind": "character", "gender": "male", "appeal": 2, "while": ["mod all_others male +1"]}, 1.0),
    ({"kind": "character", "gender": "male", "appeal": 2, "while": ["mod own_others base>=3 +2"]}, 4.0),
    ({"kind": "character", "gender": "male", "appeal": 1, "while": ["per own_hand +1", "per opp_hand +1"]}, 7.0),
    ({"kind": "character", "gender": "male", "appeal": 1, "while": ["per items +1", "per same +2", "per pot +1"]}, 3.5),
    ({"kind": "character", "gender": "male", "appeal": 1, "while": ["per own_others +1"]}, 3.0),
    ({"kind": "character", "gender": "male", "appeal": 1, "while": ["if alone +3", "double"]}, 6.5),
    ({"kind": "character", "gender": "male", "appeal": 0, "while": ["guard self", "sealed", "ban item"]}, 3.0),
    ({"kind": "character", "gender": "male", "appeal": 0, "while": ["no_negative", "both_genders"]}, 1.0),
    ({"kind": "character", "gender": "male", "appeal": 9, "cost": ["task", "sacrifice"]}, 6.0),
    ({"kind": "character", "gender": "male", "appeal": 9, "cost": ["discard 2"], "play": ["draw_opp 2"]}, 11.0),
    ({"kind": "attribute", "appeal": -2, "while": ["per own_hand -1"]}, 5.0),
    ({"kind": "attribute", "appeal": -2, "only": "female", "while": ["guard self"]}, 0.5),
    ({"kind": "attribute", "appeal": 2, "only": "own"}, 2.0),
    ({"kind": "special", "play": ["discard_char all_opp"]}, 5.0),
    ({"kind": "special", "play": ["discard_char all", "end_battle"]}, 4.0),
    ({"kind": "special", "play": ["discard_char own"]}, -2.0),
    ({"kind": "special", "play": ["discard_char all_own"]}, -2.0),
    ({"kind": "special", "play": ["move_char any"]}, 7.0),
    ({"kind": "special", "play": ["move_char own", "extra_play"]}, -2.0),
    ({"kind": "special", "play": ["return_char opp female", "swap_char"]}, 6.0),
    ({"kind": "special", "play": ["return_char all_opp", "return_char all_own", "return_char own"]}, 6.0),
    ({"kind": "special", "play": ["discard_item all"]}, 1.0),
    ({"kind": "special", "play": ["discard_item opp", "move_item any", "return_item any"]}, 6.0),
    ({"kind": "special", "play": ["draw_discard 2", "opp_draw 1", "own_discard 1"]}, 0.0),
    ({"kind": "special", "play": ["opp_discard 1", "opp_discard_random 2", "add_reward small"]}, 6.0),
    ({"kind": "special", "choice": [["draw 1", "opp_draw 1"], ["peek"], ["draw 3", "own_discard 1"]]}, 4.0),
]


@pytest.fixture(scope="module")
def game() -> Game:
    return load("bedroom_battle")


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The reference game with the made-up cards added."""
    text = yaml.safe_load(CARDS.read_text())
    for number, (card, _) in enumerate(MADE_UP):
        text["types"].append({"id": f"card_{number}", "name": f"Card {number}", "copies": 1, **card})
    path = tmp_path_factory.mktemp("cards") / "made_up.yaml"
    path.write_text(yaml.safe_dump(text))
    return load("bedroom_battle", cards=path)


def index(game: Game, card: str) -> int:
    return game.cards.ids.index(card)


@pytest.mark.parametrize(("card", "worth"), CHECKS.items())
def test_check_values(game: Game, card: str, worth: float) -> None:
    assert card_values(game.rules)[0].worth[index(game, card)] == worth


@pytest.mark.parametrize("number", range(len(MADE_UP)))
def test_weights(made_up: Game, number: int) -> None:
    card, worth = MADE_UP[number]
    assert card_values(made_up.rules)[0].worth[index(made_up, f"card_{number}")] == worth, card


@pytest.mark.parametrize(
    ("card", "net"),
    [
        ("granny", 2),  # draw 2
        ("mail_order", 2),  # draw 3; own_discard 1
        ("thrift_shop", 2),  # draw_discard 2
        ("cat_burglar", 1),  # draw_opp 1
        ("shapeshifter", 1),  # the best mode draws 1
        ("billionaire", -1),  # cost: discard 1
        ("supermodel", 0),  # the other seat draws
        ("rock_star", 0),
    ],
)
def test_net_cards(game: Game, card: str, net: int) -> None:
    assert card_values(game.rules)[0].net[index(game, card)] == net


def test_discarding_all_counts_as_the_largest_number_a_card_prints(tmp_path: Path) -> None:
    text = yaml.safe_load(CARDS.read_text())
    text["types"].append(
        {"id": "purge", "name": "Purge", "copies": 1, "kind": "special", "play": ["draw 1", "own_discard all"]}
    )
    path = tmp_path / "cards.yaml"
    path.write_text(yaml.safe_dump(text))
    values = card_values(load("bedroom_battle", cards=path).rules)[0]
    assert values.worth[64] == 2 - 16
    assert values.net[64] == 1 - 8
