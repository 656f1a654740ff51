"""Limits of single numbers: wounds, modifiers, guard level, coins of a limited supply, fight rounds (R7, R10, R16).

Those that need other cards than the reference set are in custom_scenarios.yaml: floors of life, damage and wounds,
Time, twelve Sabotage cards, nine coins on a card.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardzoo.envs import State
from tests.support.players import game_with

EVEN = {
    "left": {"fighter": "blade_freak", "weapon": "rapier"},
    "right": {"fighter": "grave_filler", "weapon": "stone_maul"},
}


def start(position: dict[str, Any], **options: Any) -> State:
    state = game_with("bloodsport_gambler", json.dumps(options)).from_position(position)
    assert state.problems() == []
    return state


def fight(card: str, tokens: int, **side: int) -> dict[str, Any]:
    """The left side of fight 3 in the React window after a Sabotage of seat 0 beside it."""
    sides = {"left": EVEN["left"] | side, "right": EVEN["right"], "secret": "crowds_darling"}
    laid = [{"card": card, "seat": 0, "spot": "3L", "time": tokens}]
    state = start(
        {
            "at": "fight",
            "fight": 3,
            "dice": [6],
            "fights": {"f3": sides},
            "sabotage": laid,
            "seat0": {"hand": ["hurl_flagon"]},
        }
    )
    found: dict[str, Any] = state.to_position()["fights"]["f3"]["left"]
    return found


# --- a fighter


@pytest.mark.parametrize(("before", "after"), [(0, 3), (96, 99), (97, 99), (99, 99)])
def test_wounds_stop_at_99(before: int, after: int) -> None:
    assert fight("bedchamber_scorpion", 5, wounds=before)["wounds"] == after


@pytest.mark.parametrize(("before", "after"), [(-99, -98), (0, 1), (98, 99), (99, 99)])
def test_stats_stay_within_99(before: int, after: int) -> None:
    left = fight("sorcerous_succor", 2, str=before, dex=-before)
    assert left["str"] == after
    assert left["dex"] == min(99, 1 - before)


@pytest.mark.parametrize(("before", "after"), [(97, 99), (98, 99), (99, 99), (-99, -97)])
def test_damage_of_a_weapon_stays_within_99(before: int, after: int) -> None:
    assert fight("poisoned_edge", 1, damage=before)["damage"] == after


@pytest.mark.parametrize(("before", "after"), [(-99, -99), (-97, -99), (-96, -99), (99, 96)])
def test_react_scores_stay_within_99(before: int, after: int) -> None:
    sides = {
        "left": EVEN["left"] | {"rolls": [3], "react_score": before},
        "right": EVEN["right"] | {"rolls": [3]},
        "secret": "old_scars",
    }
    hand = {"blinding_mirror": 1, "hurl_flagon": 1}
    state = start(
        {"at": "react", "fight": 3, "actor": 0, "dice": [6], "fights": {"f3": sides}, "seat0": {"hand": hand}}
    )
    for move in ("play blinding_mirror", "target 3L", "time 2"):
        state.apply(move)
    assert state.to_position()["fights"]["f3"]["left"]["react_score"] == after


@pytest.mark.parametrize("bound", [1, 2, 100])
def test_r10_a_fight_of_so_many_rounds_is_a_dead_heat(bound: int) -> None:
    """The last round that the option allows is fought, and still wounds."""
    sides = {"left": EVEN["left"] | {"rolls": [6]}, "right": EVEN["right"] | {"rolls": [1]}, "secret": "old_scars"}
    wagers = {"f3": {"side": "left", "coin": 3}}
    position = {"at": "react", "fight": 3, "fight_round": bound, "actor": 0, "fights": {"f3": sides}}
    state = start(position | {"seat0": {"coin": 1, "hand": ["hurl_flagon"], "wagers": wagers}}, max_fight_rounds=bound)
    state.apply("pass")
    found = state.to_position()
    assert (found["fights"]["f3"]["winner"], found["fights"]["f3"]["right"]["wounds"]) == ("none", 2)
    assert found["seat0"]["coin"] == 4  # the stake is back


# --- guard level


@pytest.mark.parametrize(("guard", "after"), [(3, 2), (2, 1), (1, 1)])
def test_an_effect_does_not_lower_the_guard_level_below_1(guard: int, after: int) -> None:
    seats = {"seat0": {"chance": 0, "hand": {"hags_bargain": 1, "inside_man": 1}}}
    state = start({"at": "act", "guard": guard, "dice": [6], **seats}, seats=1)
    for move in ("play hags_bargain", "target F1", "time 1"):
        state.apply(move)
    assert state.to_position()["guard"] == after


@pytest.mark.parametrize(("guard", "after"), [(1, 2), (2, 3), (3, 3)])
def test_r7_a_react_that_is_caught_raises_the_guard_level_to_3_at_most_and_loses_the_wager(
    guard: int, after: int
) -> None:
    sides = {"left": EVEN["left"] | {"rolls": [3]}, "right": EVEN["right"] | {"rolls": [3]}, "secret": "old_scars"}
    hand = {"hurl_flagon": 2, "blinding_mirror": 1}
    wagers = {f: {"side": "left", "coin": 1} for f in ("f1", "f3")}
    fights = {"f1": {"left": {"fighter": "ember_monk"}, "right": {"fighter": "marsh_ogre"}}, "f3": sides}
    seats = {"seat0": {"coin": 5, "hand": hand, "chance": 0, "wagers": wagers}}
    state = start({"at": "react", "fight": 3, "actor": 0, "guard": guard, "dice": [1], "fights": fights, **seats})
    for move in ("play hurl_flagon", "target 3L", "time 0", "coin 0"):
        state.apply(move)
    found = state.to_position()
    assert (found["guard"], found["caught"], found["seat0"]["lost"]) == (after, True, ["f3"])
    assert sum(found["seat0"]["hand"].values()) == 1
    assert found["fights"]["f3"]["left"]["rolls"] == [3]


# --- coins


@pytest.mark.parametrize(
    ("supply", "other", "after"), [("open", 62, 5), ("limited", 62, 4), ("limited", 63, 3), ("limited", 10, 5)]
)
def test_r16_a_card_gives_no_more_coins_than_are_left(supply: str, other: int, after: int) -> None:
    """66 less both purses, here 3 and the other's; the card is playable and used up all the same."""
    seats = {
        "seat0": {"coin": 3, "hand": {"fleece_a_drunkard": 1}},
        "seat1": {"coin": other, "hand": {"inside_man": 1}},
    }
    state = start({"at": "act", "dice": [6], **seats}, coin_supply=supply)
    for move in ("play fleece_a_drunkard", "time 3"):
        state.apply(move)
    found = state.to_position()
    assert (found["seat0"]["coin"], found["used"]) == (after, {"fleece_a_drunkard": 1})


@pytest.mark.parametrize(
    ("held", "coins"),
    [
        ({"seat0": {"paid": [3, 4]}}, 4),  # a payment keeps a token
        ({"sabotage": [{"card": "poisoned_edge", "seat": 1, "spot": "1L", "coin": 1}], "seat1": {"coin": 61}}, 4),
        ({"seat1": {"coin": 62, "status": "defeated", "playing": False, "paid": [3]}}, 5),  # all of it is back
    ],
    ids=["payments", "coins on a Sabotage", "a seat that left"],
)
def test_r16_r28_what_counts_as_held(held: dict[str, Any], coins: int) -> None:
    """Seat 0 has 3 coins, and the other 60 to 62; the card would give 2."""
    seats = {"seat0": {"coin": 3, "hand": {"fleece_a_drunkard": 1}}, "seat1": {"coin": 60, "hand": {"inside_man": 1}}}
    position: dict[str, Any] = {"at": "act", "dice": [6], **seats}
    for key, value in held.items():
        position[key] = position[key] | value if key in seats else value
    if "status" in position["seat1"]:
        del position["seat1"]["hand"]
    state = start(position, coin_supply="limited", objective="outcome")
    for move in ("play fleece_a_drunkard", "time 3"):
        state.apply(move)
    assert state.to_position()["seat0"]["coin"] == coins


@pytest.mark.parametrize(
    ("first", "lost", "coins"),
    [
        (0, False, [20 + 6 + 3, 30 + 6 + 1]),
        (1, False, [20 + 6 + 1, 30 + 6 + 3]),
        (0, True, [20 + 6 + 3 + 1, 30 + 3 + 3]),
    ],
)
def test_r16_stakes_return_before_payouts_fight_by_fight_the_first_seat_before_the_other(
    first: int, lost: bool, coins: list[int]
) -> None:
    """Both win 3 coins at even odds in two fights; 4 are left, or 7 if a wager is lost, and go back only then."""
    pairs = [("blade_freak", "grave_filler"), ("ember_monk", "marsh_ogre")]
    fights = {
        f"f{k}": {"left": {"fighter": a}, "right": {"fighter": b}, "winner": "left"}
        for k, (a, b) in enumerate(pairs, 1)
    }
    wagers = {name: {"side": "left", "coin": 3} for name in fights}
    seats = {
        "seat0": {"coin": 20, "wagers": wagers},
        "seat1": {"coin": 30, "wagers": wagers, "lost": ["f2"] if lost else []},
    }
    state = start(
        {"at": "settle", "first": first, "fights": fights, **seats}, coin_supply="limited", objective="outcome"
    )
    found = state.to_position()
    assert [found[seat]["coin"] for seat in seats] == coins
    assert found["at"] == "loan"


@pytest.mark.parametrize(("supply", "other", "after"), [("open", 60, 16), ("limited", 30, 16), ("limited", 60, 6)])
def test_r16_who_starts_over_gets_no_more_coins_than_are_left(supply: str, other: int, after: int) -> None:
    """Its own coins and the tokens of its payments are back by then; the other seat skips."""
    seats = {"seat0": {"coin": 2, "chance": 0, "paid": [3, 4]}, "seat1": {"coin": other, "hand": {"inside_man": 1}}}
    state = start({"at": "settle", **seats}, coin_supply=supply, objective="outcome", finished_seat="restart")
    state.apply("skip")
    found = state.to_position()["seat0"]
    assert (found["coin"], found["chance"], found["paid"], found["status"]) == (after, 3, [], "in")
