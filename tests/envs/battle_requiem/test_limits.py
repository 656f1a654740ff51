"""Limits of single numbers: HP, Inventory, extra turns, lost turns, boosts (rulings R10, R15, R16, R17, R21)."""

from __future__ import annotations

from typing import Any

import pytest

from cardzoo.envs import PositionError, State, load


def start(own: dict[str, Any], other: dict[str, Any], options: dict[str, Any] | None = None, **keys: Any) -> State:
    """Two seats; seat 0 is to act."""
    game = load("battle_requiem", **(options or {}))
    seats = [{"character": "ash_squire", "inventory": 1, **own}, {"character": "iron_marshal", "inventory": 1, **other}]
    return game.from_position({"box": "rest", "draw": ["spark", "sling", "spark"], "active": 0, **keys, "seats": seats})


def seat(state: State, number: int) -> dict[str, Any]:
    return state.to_position()["seats"][number]


@pytest.mark.parametrize(("hp", "after"), [(12, 17), (17, 20), (20, 20), (25, 25)])
def test_r10_with_heal_cap_start_nobody_is_healed_above_its_own_hp_nor_lowered_to_it(hp: int, after: int) -> None:
    state = start({"hp": hp, "hand": ["healing_draught"]}, {"hand": ["dagger"]}, {"heal_cap": "start"})
    state.apply("play healing_draught")
    assert seat(state, 0)["hp"] == after


def test_r15_inventory_stops_at_1_and_at_12() -> None:
    state = start({"character": "glass_apprentice", "hand": ["rainbow_relic"]}, {"hand": ["dagger"], "inventory": 1})
    state.apply("play rainbow_relic")
    assert seat(state, 1)["inventory"] == 1
    game = load("battle_requiem", seats=3)
    seats = [
        {"character": "ash_squire", "hand": ["greataxe"], "inventory": inventory}
        | ({} if number == 0 else {"character": name, "hp": 1, "hand": ["dagger"], "inventory": 1})
        for number, (name, inventory) in enumerate([("ash_squire", 12), ("iron_marshal", 1), ("tide_dragon", 1)])
    ]
    state = game.from_position({"box": "rest", "draw": ["spark"], "active": 0, "seats": seats})
    state.apply("duel left 1")
    state.apply("pass")
    assert state.legal_texts() == ["reward heal", "reward restock"]


def test_r16_extra_turns_stop_at_9() -> None:
    state = start({"hand": ["hourglass"]}, {"hand": ["dagger"]}, extra=8)
    state.apply("play hourglass")
    assert state.to_position()["extra"] == 8  # 8 + 2 are 9, one of which has begun


def test_r17_lost_turns_stop_at_3_and_are_not_extra_turns() -> None:
    state = start({"hand": ["dream_sand"], "skip": 1}, {"hand": ["dagger"], "skip": 3})
    state.apply("play dream_sand")
    assert state.actor == 0  # its extra turn is not lost
    assert seat(state, 0)["skip"] == 1
    assert seat(state, 1)["skip"] == 3


@pytest.mark.parametrize(("boost", "after"), [(0, 4), (18, 20), (-20, -16)])
def test_boosts_stay_within_20(boost: int, after: int) -> None:
    state = start({"hand": ["war_horn"], "attack_boost": boost}, {"hand": ["dagger"]})
    state.apply("play war_horn")
    assert seat(state, 0)["attack_boost"] == after


def test_r21_a_cost_leaves_one_hp() -> None:
    state = start({"character": "drowned_lich", "hp": 1, "hand": ["rainbow_relic"]}, {"hand": ["golden_shield"]})
    state.apply("play rainbow_relic")
    assert seat(state, 0)["hp"] == 1


def test_a_tape_of_steals_that_the_hand_cannot_follow_is_an_error_and_changes_nothing() -> None:
    state = start(
        {"character": "ember_reaver", "hand": ["rainbow_relic"]},
        {"hand": ["dagger", "sling", "dagger", "hatchet"]},
        steals=["dagger", "meteor"],
    )
    before = state.to_position()
    with pytest.raises(PositionError, match=r"^play rainbow_relic: the tape of steals names a card that the hand does"):
        state.apply("play rainbow_relic")
    assert state.to_position() == before
