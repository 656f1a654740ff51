"""What targets and cards in hand are worth, against sums done by hand: for the reference cards and for others."""

from __future__ import annotations

from typing import Any

import pytest

from cardzoo.agents.teddies_vs_monsters.needs import needed_types, ready_rooms
from cardzoo.agents.teddies_vs_monsters.values import (
    BRAWLER,
    PLANNER,
    brawler_value,
    foe_sleeves,
    keep_value,
    planner_value,
)
from cardzoo.envs import State, load
from cardzoo.envs.teddies_vs_monsters.actions import TO_FOE, TO_OWN, TO_TRAP
from cardzoo.envs.teddies_vs_monsters.cards import team_cards
from cardzoo.envs.teddies_vs_monsters.supply import supply_of
from tests.support.teddies_vs_monsters import CUSTOM_CARDS

BLOCKS = {"own": TO_OWN, "foe": TO_FOE, "trap": TO_TRAP}

# The teddies have what room 1 (heart moon star honey) misses, and room 4 (star moon moon star) needs their only star.
REFERENCE: dict[str, Any] = {
    "tick": 100,
    "rooms": {
        1: {"bedroom": "b2_01", "teddies": {"row": ["heart"]}, "monsters": {"row": ["purple_ogre"]}},
        2: {"bedroom": "b2_05", "monsters": {"row": ["claw", "slime", "slime", "claw"]}},
        3: {"bedroom": "b3_01", "teddies": {"traps": ["red_web", "blue_web"]}, "monsters": {"traps": ["green_yarn"]}},
        4: {"bedroom": "b2_06", "teddies": {"row": ["star", "moon", "moon"]}},
        5: {"bedroom": "b2_04", "teddies": {"traps": ["blue_web"]}},
    },
    "players": {
        "teddies_0": {"hand": ["star", "moon", "honey", "yellow_knight"], "sleeve": ["purple_baker", "honey"]},
        "teddies_1": {"hand": [], "sleeve": []},
        "monsters_0": {"hand": [], "sleeve": []},
        "monsters_1": {"hand": [], "sleeve": ["yellow_ghoul"]},
    },
    "pending": {agent: {"action": "wait", "lands": 900} for agent in ("teddies_1", "monsters_0", "monsters_1")},
}
# The teddies have no pair for a sequence of sun leaf drop cloud (room 1); the monsters show a red card that attacks.
CUSTOM: dict[str, Any] = {
    "tick": 100,
    "rooms": {
        1: {"bedroom": "b1", "teddies": {"row": ["sun"]}, "monsters": {"row": ["bone", "skull", "bat"]}},
        2: {"bedroom": "b2", "teddies": {"traps": ["chain"]}, "monsters": {"row": ["hag"]}},
        3: {"bedroom": "b6", "monsters": {"traps": ["pit"]}},
    },
    "players": {
        "teddies_0": {"hand": ["prism", "prism", "purse"], "sleeve": []},
        "monsters_0": {"hand": [], "sleeve": ["brute"]},
    },
    "pending": {"monsters_0": {"action": "wait", "lands": 900}},
}


@pytest.fixture(scope="module")
def tables() -> dict[str, State]:
    custom = load("teddies_vs_monsters", cards=CUSTOM_CARDS)
    return {
        "reference": load("teddies_vs_monsters", seats=4).from_position(REFERENCE),
        "custom": custom.from_position(CUSTOM),
    }


def number_of(state: State, card: str) -> int:
    """The number of a card of the teddies."""
    return [each.id for each in team_cards(state.game.cards)[0]].index(card)


def needed_by(state: State) -> int:
    """The types that the ready rooms of the first seat need, as bits."""
    s, r = state.states[0], state.game.rules[0]
    supply = supply_of(s, r, 0)
    return int(needed_types(s, r, 0, supply, ready_rooms(s, r, 0, supply)))


@pytest.mark.parametrize(
    ("where", "card", "target", "brawler", "planner"),
    [
        ("reference", "star", "own 4", 3 / 14, 3.8 / 16),
        ("reference", "cuddle", "own 4", 2.7 / 14, 3.8 / 16),
        ("reference", "purple_baker", "own 3", 2 / 14, 1 / 16),
        ("reference", "moon", "own 1", 1 / 14, 1.8 / 16),
        ("reference", "cuddle", "own 1", 0.7 / 14, 1.8 / 16),
        ("reference", "yellow_knight", "own 1", 2 / 14, 0.8 / 16),  # yellow is shown; the room stays ready
        ("reference", "heart", "own 2", 1 / 14, 0.0),  # the foes are about to claim it
        ("reference", "purple_baker", "foe 1", 1 / 16, (2 * 1.2 - 0.5) / 18),
        ("reference", "pillow_bomb", "foe 1", 0.5 / 16, (2 * 1.2 - 2) / 18),
        ("reference", "pillow_bomb", "foe 2", 4.5 / 16, (4 * 1.4 - 2 + 2.5) / 18),
        ("reference", "red_yarn", "foe 1", 0.7 / 16, 2.4 / 14),
        ("reference", "red_yarn", "foe 2", 0.0, 0.0),
        ("reference", "red_yarn", "foe 3", 0.0, 0.35 / 14),
        ("reference", "red_pilot", "trap 3", 1.3 / 12, 1.2 * 0.6 / 12),
        ("reference", "red_yarn", "trap 3", 1.2 / 12, 0.6 / 12),
        ("reference", "yellow_knight", "trap 3", 0.5 / 12, 0.6 * 0.6 / 12),
        ("reference", "red_pilot", "trap 5", 0.5 / 12, 0.6 / 12),
        ("reference", "red_yarn", "trap 5", 1.2 / 12, 1 / 12),
        ("reference", "heart", "trap 5", 0.25 / 12, 0.3 / 12),
        ("reference", "star", "trap 5", 0.25 / 12, -0.2 / 12),  # needed
        ("reference", "cuddle", "trap 5", 0.1 / 12, -0.2 / 12),
        ("reference", "green_sailor", "trap 5", 0.5 / 12, 0.1 / 12),
        ("custom", "leaf", "own 1", 1 / 14, 1.8 / 16),  # two `?` for drop and cloud
        ("custom", "prism", "own 1", 0.7 / 14, 0.0),  # a symbol card with a colour that is shown
        ("custom", "scout", "own 1", 2 / 14, 1.8 / 16),  # blue
        ("custom", "thicket", "own 1", 1 / 14, 1.3 / 16),  # purple
        ("custom", "rocket", "own 3", 2 / 14, 1 / 16),  # yellow
        ("custom", "rocket", "foe 1", 1.5 / 16, (3 * 1.3 - 2) / 18),
        ("custom", "hunter", "foe 2", 1 / 16, (2 * 1.2 - 0.5) / 18),
        ("custom", "thicket", "foe 2", 0.7 / 16, 2.4 / 14),
        ("custom", "pit", "foe 3", 0.0, 0.35 / 14),
        ("custom", "gardener", "trap 2", 1.3 / 12, 1.2 / 12),
        ("custom", "captain", "trap 2", 1.3 / 12, 1.2 / 12),
        ("custom", "red_net", "trap 2", 1.2 / 12, 1 / 12),
        ("custom", "purse", "trap 2", 0.75 / 12, 0.9 / 12),
        ("custom", "rocket", "trap 2", 0.5 / 12, 0.6 / 12),
    ],
)
def test_targets(tables: dict[str, State], where: str, card: str, target: str, brawler: float, planner: float) -> None:
    state = tables[where]
    s, r = state.states[0], state.game.rules[0]
    block, room = target.split()
    at = (BLOCKS[block], int(room) - 1, number_of(state, card))
    assert brawler_value(s, r, 0, *at) == pytest.approx(brawler)
    value = planner_value(s, r, 0, *at, supply_of(s, r, 0), needed_by(state), foe_sleeves(s, r, 0))
    assert value == pytest.approx(planner)


@pytest.mark.parametrize(
    ("where", "card", "brawler", "planner"),
    [
        ("reference", "heart", 1, 1),
        ("reference", "honey", 0.6, 0.6),  # two copies
        ("reference", "star", 0.8, 2.8),  # needed
        ("reference", "cuddle", 3, 3),
        ("reference", "purple_baker", 1.3, 1.1),
        ("reference", "red_yarn", 2, 2),
        ("reference", "pillow_bomb", 4, 4),
        ("custom", "prism", 2.6, 2.6),
        ("custom", "gardener", 1, 1),
        ("custom", "hunter", 1.5, 1.3),
        ("custom", "purse", 1.3, 1.1),
        ("custom", "rocket", 4, 4),
        ("custom", "thicket", 2, 2),
        ("custom", "pit", 2, 2),
    ],
)
def test_keep_values(tables: dict[str, State], where: str, card: str, brawler: float, planner: float) -> None:
    state = tables[where]
    s, r = state.states[0], state.game.rules[0]
    number = number_of(state, card)
    assert keep_value(s, r, BRAWLER, 0, number, 0) == pytest.approx(brawler)
    assert keep_value(s, r, PLANNER, 0, number, needed_by(state)) == pytest.approx(planner)


def test_sleeves_of_the_foes(tables: dict[str, State]) -> None:
    state = tables["reference"]
    s, r = state.states[0], state.game.rules[0]
    yellow_ghoul = [each.id for each in team_cards(state.game.cards)[1]].index("yellow_ghoul")
    assert foe_sleeves(s, r, 0) == foe_sleeves(s, r, 2) == 1 << yellow_ghoul
    assert foe_sleeves(s, r, 1) == foe_sleeves(s, r, 3) == 1 << number_of(state, "purple_baker") | 1 << 3
