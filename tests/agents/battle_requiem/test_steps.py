"""The price lists of effect steps: every entry, for both strategies, with one foe and with two."""

from __future__ import annotations

import numpy as np
import pytest

from cardzoo.agents.battle_requiem.steps import step_price
from cardzoo.agents.battle_requiem.worth import DUELIST, TACTICIAN
from cardzoo.envs import load
from cardzoo.envs.battle_requiem.cards import KINDS, ROLES, STEP_COLUMNS, VERB, VERBS, WHO, WHOS, M, N
from cardzoo.envs.core.game import Game

ARMED = 0.5  # share of armaments in the cards unseen


@pytest.fixture(scope="module")
def game() -> Game:
    return load("battle_requiem", teams=[0, 1, 0, 1])


def row_of(text: str) -> list[int]:
    """A step as its row; kinds and roles do not matter to its price."""
    row = [0] * STEP_COLUMNS
    words = text.split()
    row[VERB] = VERBS.index(words[0]) + 1
    numbers = [int(word) for word in words[1:] if word.lstrip("+-").isdigit()]
    row[N], row[M] = (*numbers, 0, 0)[:2]
    row[WHO] = next((WHOS.index(word) for word in words[1:] if word in WHOS), 0)
    assert all(word.lstrip("+-").isdigit() or word in (*WHOS, *ROLES, *KINDS, "any") for word in words[1:])
    return row


def price(game: Game, strategy: int, text: str, hp: list[int], card: str) -> float:
    """The price of a step for seat 0, a moss healer (heals 1 more with items); the foes hold 4 and 3 cards."""
    characters = ("moss_healer", "iron_marshal", "fox_kit", "flame_oracle")
    hands = ([card], ["dagger"] * 2 + ["sling"] * 2, ["longbow"], ["spark"] * 3)
    seats = [
        {"character": character, "hp": points, "hand": hand if points else []}
        for character, points, hand in zip(characters, hp, hands, strict=True)
    ]
    state = game.from_position({"box": "rest", "seats": seats, "active": 0})
    rules = game.rules.copy()
    row = game.cards.ids.index(card)
    rules[0].effects[row, 0] = row_of(text)
    return float(step_price(state.states[0], rules[0], strategy, 0, row, row, 0, ARMED))


@pytest.mark.parametrize(
    ("text", "duelist", "tactician"),
    [
        ("harm 4 one", 4, 4),
        ("harm 4 all", 8, 6),
        ("harm 7 all", 14, 10.5 + 8),  # the weakest foe has 7 HP
        ("drain 3 one", 6, 6),
        ("drain 7 one", 14, 14 + 8),
        ("pay 5", -5, -5),
        ("pay 6", -6, -20),
        ("levy 2 any 7 one", 4.9, 5.6),
        ("levy 1 any 4 all", 5.6, 4.8),
        ("burn 2 any one", 4, 2),
        ("turns 2", 2, 18),
        ("draw 3 self", 2, 3),
        ("reclaim 2", 2, 2),
        ("salvage 2 any", 2, 6),
        ("rob 2 one", 2, 4),
        ("steal 3 one", 2, 4.5),
        ("steal 3 all", 2, 9),
        ("tribute 1 all", 2, 2),
        ("boost defend -4 all", 2, 6.4),
        ("boost attack +4 self", 2, 3.2),
        ("boost attack +4 team", 2, 3.2),
        ("resize -1 one", 2, 3),
        ("resize -1 all", 2, 6),
        ("veil self", 2, 6),
        ("skip 2 all", 2, 14),
        ("shatter any one", 2, 3),
        ("redraw all", 2, 1),
        ("redraw self", 2, 0.5),
        ("swap one", 2, 1),
        ("reveal all", 2, 1),
    ],
)
def test_prices(game: Game, text: str, duelist: float, tactician: float) -> None:
    hp = [10, 7, 20, 12]
    assert price(game, DUELIST, text, hp, "fire_flask") == pytest.approx(duelist)
    assert price(game, TACTICIAN, text, hp, "fire_flask") == pytest.approx(tactician)


@pytest.mark.parametrize(
    ("text", "hp", "duelist", "tactician"),
    [
        ("heal 5 self", 11, 6, 12),
        ("heal 5 self", 10, 6, 12 * 1.3),
        ("heal 5 self", 27, 3, 6),
        ("heal 5 ally", 11, 6, 12),  # the weaker of 11 and 14 HP
        ("heal 5 ally", 20, 6, 12),
        ("heal 5 team", 29, 1 + 6, 2 + 12),
    ],
)
def test_heals(game: Game, text: str, hp: int, duelist: float, tactician: float) -> None:
    hps = [hp, 7, 14, 12]
    assert price(game, DUELIST, text, hps, "fire_flask") == pytest.approx(duelist)
    assert price(game, TACTICIAN, text, hps, "fire_flask") == pytest.approx(tactician)
    assert price(game, DUELIST, "heal 5 self", [10, 7, 14, 12], "rainbow_relic") == 5  # no modifier for relics
    assert np.isfinite(price(game, DUELIST, text, [hp, 7, 0, 12], "fire_flask"))  # a teammate that has fallen
