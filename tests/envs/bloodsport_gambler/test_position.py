"""Position notation: defaults, every refusal with its key, and dump -> load -> dump on random games of all variants."""

from __future__ import annotations

import copy
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import Game, PositionError, State
from cardzoo.envs.bloodsport_gambler.game import BloodsportGambler
from cardzoo.envs.bloodsport_gambler.notation import (
    DERIVED,
    FIGHT_KEYS,
    FIGHT_NAMES,
    KEYS,
    PENDING_KEYS,
    SABOTAGE_KEYS,
    SEAT_KEYS,
    SIDE_KEYS,
    SIDE_NAMES,
)
from cardzoo.envs.bloodsport_gambler.state import NODES
from tests.support.bloodsport_gambler import assert_sound
from tests.support.positions import check_damaged

EXAMPLE = yaml.safe_load((Path(__file__).parent / "example_position.yaml").read_text(encoding="utf-8"))
VARIANTS = BloodsportGambler.variants
KINDS = ("action", "fighter", "weapon", "secret")


def load(**options: Any) -> Game:
    return BloodsportGambler(**options)


def start(position: Any, **options: Any) -> State:
    return load(**options).from_position(position)


def read(position: Any, **options: Any) -> dict[str, Any]:
    """The dump of a position."""
    return start(position, **options).to_position()


def at(position: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The position with another value at a dotted path; null takes the entry out, mappings on the way are made."""
    found = copy.deepcopy(position)
    *places, last = [int(place) if place.isdigit() else place for place in path.split(".")]
    inner: Any = found
    for place in places:
        inner = inner[place] if isinstance(inner, list) else inner.setdefault(place, {})
    inner[last] = value
    if value is None:
        del inner[last]
    return found


# A hand with which a seat has a decision, so that the engine does not go on.
ACTING = {"hand": {"inside_man": 1}}
ACT = {"seat0": ACTING, "seat1": {"hand": {"loose_tongues": 1}}}
BET: dict[str, Any] = {"at": "bet"}
DUEL = {"f1": {"left": {"fighter": "blade_freak"}, "right": {"fighter": "insect"}}}  # ranks 2 and 3
PENDING = {"at": "time", "pending": {"card": "sorcerous_succor", "targets": ["2L"], "shown": [False]}}
LOOK = {"at": "target", "pending": {"card": "bribe_the_armorer", "targets": ["1L"]}}
WINDOW = {"at": "window", "fight": 2, "guard": 2, "sabotage": [{"card": "sorcerous_succor", "spot": "2L"}]}
DISCARD = {"at": "discard", "seat0": {"hand": {"hurl_flagon": 1}}}
LOAN: dict[str, Any] = {"at": "loan"}
OVER = {"at": "over", "seat0": {"status": "defeated"}}
OUTCOME = {"objective": "outcome"}
LEFT = {"seat0": {"status": "defeated", "playing": False}, "seat1": ACTING}
FINAL = {"pass_rule": "final"}
FACE_UP = {"face_up": True}
PAID = [3, 4, 5, 6, 7, 8]


# --- defaults


def test_an_empty_position_is_the_first_decision() -> None:
    found = read(ACT)
    assert (found["at"], found["round"], found["first"], found["actor"], found["passes"]) == ("act", 1, 0, 0, 0)
    assert (found["guard"], found["caught"], found["fight"], found["fight_round"]) == (1, False, None, None)
    assert (found["dice"], found["sabotage"], found["pending"], found["used"]) == ([], [], None, {})
    assert (found["truncated"], found["returns"]) == (False, [0.0, 0.0])
    for seat in ("seat0", "seat1"):
        entry = found[seat]
        assert (entry["coin"], entry["time"], entry["chance"]) == (16, 6, 3)
        assert (entry["paid"], entry["paid_now"], entry["wagers"], entry["lost"]) == ([], 0, {}, [])
        assert (entry["status"], entry["playing"], entry["passed"]) == ("in", True, False)
        assert (entry["result"], entry["fate"]) == ("in", None)
    assert len(found["action_deck"]) == 26
    assert [len(found[f"{kind}_deck"]) for kind in KINDS[1:]] == [12, 12, 9]
    assert all(found[f"{kind}_discard"] == {} for kind in KINDS)
    for number, name in enumerate(FIGHT_NAMES, 1):
        fight = found["fights"][name]
        assert (fight["secret_known"], fight["secret_old"], fight["winner"]) == ([], False, None)
        assert [fight[side]["slot"] for side in SIDE_NAMES] == [f"{number}L", f"{number}R"]
        assert fight["left"]["known"] == []
        assert fight["left"]["rolls"] is fight["left"]["total"] is fight["left"]["type"] is None


def test_a_pool_is_by_default_all_that_a_seat_cannot_see() -> None:
    sabotage = [{"card": "warped_grip", "seat": 1, "spot": "1R"}]
    found = read(ACT | {"sabotage": sabotage, "action_deck": ["hurl_flagon"]})
    assert found["seat0"]["pool"] == {"loose_tongues": 1, "warped_grip": 1, "hurl_flagon": 1}
    assert found["seat1"]["pool"] == {"inside_man": 1, "hurl_flagon": 1}
    announced = PENDING | {"action_deck": ["hurl_flagon"]}
    assert read(announced)["seat1"]["pool"] == {"sorcerous_succor": 1, "hurl_flagon": 1}


def test_time_that_lies_there_is_no_longer_held() -> None:
    laid = [{"card": "warped_grip", "seat": 1, "spot": "1R", "time": 2}]
    found = read(ACT | {"sabotage": laid})
    assert (found["seat0"]["time"], found["seat1"]["time"]) == (6, 4)


def test_a_named_deck_leaves_the_rest_to_the_discard() -> None:
    found = read(ACT | {"weapon_deck": ["rapier", "trident"]})
    assert found["weapon_deck"] == ["rapier", "trident"]
    assert sum(found["weapon_discard"].values()) == 18 - 6 - 2
    found = read(ACT | {"secret_discard": {"drugged_wine": 1}})
    assert found["secret_discard"] == {"drugged_wine": 1}
    assert len(found["secret_deck"]) == 12 - 3 - 1


def test_cards_that_are_left_open_are_dealt_from_those_named_nowhere() -> None:
    base = ACT | {"fights": {"f2": {"left": {"weapon": "rapier"}}}, "weapon_deck": ["trident"]}
    found = [read(base | {"seed": seed}) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
    for dump in found:
        table = [fight[side]["weapon"] for fight in dump["fights"].values() for side in SIDE_NAMES]
        assert table[2] == "rapier"
        assert "trident" not in table
        assert len(set(table)) == 6


def test_the_seed_decides_what_is_random_afterwards() -> None:
    game = load()
    assert len({game.load_position(ACT | {"seed": seed})[0].rng.tobytes() for seed in (1, 2)}) == 2


def test_lists_and_mappings_say_the_same() -> None:
    lists = {"seat0": {"hand": ["inside_man", "hurl_flagon"]}, "used": ["read_the_bones"], "action_discard": []}
    mappings = {"seat0": {"hand": {"inside_man": 1, "hurl_flagon": 1}}, "used": {"read_the_bones": 1}}
    assert read(lists) == read(mappings | {"action_discard": {}})


def test_null_is_the_same_as_an_omitted_key() -> None:
    nulls: dict[str, Any] = dict.fromkeys(KEYS)
    seats = {key: dict.fromkeys(SEAT_KEYS) | ACT[key] for key in ("seat0", "seat1")}
    fights = {"f1": dict.fromkeys(FIGHT_KEYS), "f2": {"left": dict.fromkeys(SIDE_KEYS)}, "f3": None}
    assert read({**nulls, **seats, "fights": fights}) == read(ACT)


@pytest.mark.parametrize(
    ("entry", "known", "winners"),
    [
        ({"at": "bet"}, 0, [None] * 3),
        (WINDOW, 2, ["none", None, None]),
        (DISCARD, 3, ["none"] * 3),
        (LOAN, 3, ["none"] * 3),
    ],
)
def test_fights_that_have_begun_are_known_to_all(entry: Any, known: int, winners: list[Any]) -> None:
    fights = list(read(entry)["fights"].values())
    assert [fight["secret_known"] for fight in fights] == [[0, 1]] * known + [[]] * (3 - known)
    assert [fight["left"]["known"] for fight in fights] == [[0, 1]] * known + [[]] * (3 - known)
    assert [fight["winner"] for fight in fights] == winners


@pytest.mark.parametrize("entry", [ACT, BET, WINDOW, LOAN])
@pytest.mark.parametrize("named", [False, True])
def test_face_up_all_know_everything_whether_it_is_named_or_not(entry: Any, named: bool) -> None:
    side = {"known": [1, 0] if named else None}
    fight = {"left": side, "right": side, "secret_known": [0, 1] if named else None}
    found = read(entry | {"fights": dict.fromkeys(FIGHT_NAMES, fight)}, **FACE_UP)
    for fight in found["fights"].values():
        assert fight["secret_known"] == fight["left"]["known"] == fight["right"]["known"] == [0, 1]
    assert read(found | {"seed": 1}, **FACE_UP) == found


def test_who_decides_by_default() -> None:
    assert read(ACT | {"first": 1})["actor"] == 1
    assert read(BET | {"first": 1})["actor"] == 1
    assert read(WINDOW | {"first": 1})["actor"] == 0
    assert read(EXAMPLE | {"actor": None})["actor"] == 1
    passed = ACT | {"seat0": ACTING | {"passed": True}, "seat1": ACTING}
    assert read(at(passed, "seat1.hand", {"loose_tongues": 1}), **FINAL)["actor"] == 1
    assert read(at(LEFT, "at", "act"), **OUTCOME)["actor"] == 1


def test_a_seat_with_a_result_has_a_fate() -> None:
    found = read(at(LEFT, "round", 3), **OUTCOME)
    assert found["seat0"]["fate"] == {"result": "defeated", "round": 3, "tier": 1, "roll": 1, "total": 1}
    assert (found["seat0"]["result"], found["returns"]) == ("defeated", [-1.0, 0.0])
    entry = {"status": "paid_off", "playing": False, "coin": 14, "fate": {"roll": 5, "round": 2, "total": 12}}
    found = read(LEFT | {"round": 3, "seat0": entry}, objective="fate")
    assert found["seat0"]["fate"] == {"result": "paid_off", "round": 2, "tier": 2, "roll": 5, "total": 12}
    assert found["seat0"]["paid"] == PAID
    assert found["returns"] == pytest.approx([2 / 3, 0])


@pytest.mark.parametrize(
    ("seat0", "seat1", "returns"),
    [
        ({"status": "paid_off"}, {}, [1, -1]),
        ({"status": "defeated"}, {}, [-1, 1]),
        ({"status": "paid_off", "coin": 3}, {"status": "paid_off", "coin": 3}, [0, 0]),
        ({"status": "defeated", "paid": [8]}, {"status": "defeated", "paid": [3, 4]}, [1, -1]),
    ],
)
def test_returns_follow_from_the_results(seat0: Any, seat1: Any, returns: list[float]) -> None:
    found = read({"at": "over", "seat0": seat0, "seat1": seat1})
    assert (found["returns"], found["truncated"], found["actor"]) == (returns, False, None)


def test_a_game_that_is_cut_off_has_an_empty_table() -> None:
    found = read({"at": "over", "round": 20})
    assert (found["truncated"], found["returns"], found["fights"]) == (True, [0, 0], None)
    assert len(found["fighter_deck"]) == 18


@pytest.mark.parametrize("entry", ["setup", "order", "fight", "settle", "reset"])
@pytest.mark.parametrize("variant", ["default", "solo"])
def test_entry_points_lead_to_a_decision(entry: str, variant: str) -> None:
    state = start({"at": entry}, **VARIANTS[variant])
    assert state.actor is not None
    assert_sound(state)


def test_a_dump_has_every_key_in_order_and_is_plain() -> None:
    dump = read(EXAMPLE)
    assert tuple(dump) == KEYS + DERIVED
    assert tuple(dump["seat0"]) == SEAT_KEYS
    assert tuple(dump["fights"]) == FIGHT_NAMES
    assert tuple(dump["fights"]["f1"]) == FIGHT_KEYS
    assert tuple(dump["fights"]["f3"]["left"]) == SIDE_KEYS
    assert tuple(read(WINDOW)["sabotage"][0]) == SABOTAGE_KEYS
    assert tuple(read(LOOK)["pending"]) == PENDING_KEYS
    assert json.loads(json.dumps(dump)) == dump
    assert yaml.safe_load(yaml.safe_dump(dump)) == dump


def test_derived_keys_are_ignored() -> None:
    dump = read(EXAMPLE)
    changed = at(dump | {"truncated": True, "returns": "x"}, "fights.f3.left.total", 99)
    assert read(changed) == dump


def test_the_example_says_what_it_shows() -> None:
    found = read(EXAMPLE)
    for key, value in EXAMPLE.items():
        if key not in ("seat0", "seat1", "fights"):
            assert found[key] == value
    for seat in ("seat0", "seat1"):
        assert EXAMPLE[seat].items() <= found[seat].items()
    for side in SIDE_NAMES:
        assert EXAMPLE["fights"]["f3"][side].items() <= found["fights"]["f3"][side].items()
    assert [found["fights"]["f3"][side]["total"] for side in SIDE_NAMES] == [8, 9]
    assert [found["fights"][name]["winner"] for name in FIGHT_NAMES] == ["left", "none", None]
    placed = Counter(found["action_deck"])
    for counts in (found["seat0"]["hand"], found["seat1"]["hand"], found["used"], found["action_discard"]):
        placed.update(counts)
    assert placed == {card.id: card.copies for card in load().cards}
    state = start(EXAMPLE)
    assert_sound(state)
    assert "play blinding_mirror" in state.legal_texts()


# --- refusals

TOO_MUCH = [{"card": "warped_grip", "spot": "1R", "time": 2, "seat": 1}]
STACK = [{"card": "poisoned_edge", "spot": "1R"}]

REFUSED: list[tuple[str, Any, dict[str, Any], str]] = [
    # unknown keys and ids
    ("fight_rounds", {"fight_rounds": 1}, {}, "did you mean fight_round"),
    ("seat0", {"seat0": {"coins": 3}}, {}, 'unknown entry "coins"'),
    ("seat0.fate", {"seat0": {"fate": {"die": 3}}}, {}, "unknown entry"),
    ("seat0.wagers", at(BET, "seat0.wagers.f4", {}), {}, "unknown entry"),
    ("seat0.wagers.f1", at(EXAMPLE, "seat0.wagers.f1", {"coins": 1}), {}, "unknown entry"),
    ("fights", {"fights": {"f4": {}}}, {}, "unknown entry"),
    ("fights.f1", {"fights": {"f1": {"middle": {}}}}, {}, "unknown entry"),
    ("fights.f1.left", {"fights": {"f1": {"left": {"hp": 3}}}}, {}, "unknown entry"),
    ("sabotage.0", at(WINDOW, "sabotage.0.owner", 1), {}, "unknown entry"),
    ("pending", at(PENDING, "pending.coin", 1), {}, "unknown entry"),
    ("at", {"at": "acting"}, {}, "must be act"),
    ("seat0.hand", {"seat0": {"hand": ["inside_men"]}}, {}, "did you mean inside_man"),
    ("seat1.pool", {"seat1": {"pool": {"x": 1}}}, {}, "no action card"),
    ("used", {"used": ["x"]}, {}, "no action card"),
    ("action_deck", {"action_deck": ["x"]}, {}, "no action card"),
    ("fighter_deck", {"fighter_deck": ["rapier"]}, {}, "no fighter"),
    ("weapon_discard", {"weapon_discard": ["insect"]}, {}, "no weapon"),
    ("secret_deck", {"secret_deck": ["insect"]}, {}, "no secret"),
    ("fights.f1.left.fighter", {"fights": {"f1": {"left": {"fighter": "x"}}}}, {}, "no fighter"),
    ("fights.f1.left.weapon", {"fights": {"f1": {"left": {"weapon": "rapir"}}}}, {}, "did you mean rapier"),
    ("fights.f1.secret", {"fights": {"f1": {"secret": "x"}}}, {}, "no secret"),
    ("sabotage.0.card", {"sabotage": [{"card": "x", "spot": "1L"}]}, {}, "no action card"),
    ("pending", at(PENDING, "pending.card", "x"), {}, "no action card"),
    ("pending", at(PENDING, "pending.targets", ["4L"]), {}, "must be 1L"),
    ("seat0.status", {"seat0": {"status": "out"}}, {}, "must be in"),
    ("seat0.result", {"seat0": {"result": "won"}}, {}, "must be in"),
    ("seat0.lost", at(EXAMPLE, "seat0.lost", ["F1"]), {}, "must be f1"),
    ("fights.f1.winner", at(EXAMPLE, "fights.f1.winner", "both"), {}, "must be left"),
    ("fights.f1.left.type", {"fights": {"f1": {"left": {"type": "str"}}}}, {}, "must be STR"),
    ("fights.f1.left.slot", {"fights": {"f1": {"left": {"slot": "2L"}}}}, {}, "must be 1L"),
    ("sabotage.0.slot", at(WINDOW, "sabotage.0.slot", "1L"), {}, "must be 2L"),
    ("sabotage.0.spot", at(WINDOW, "sabotage.0.spot", "F1"), {}, "must be 1L"),
    # wrong containers and types
    ("seat0", {"seat0": [1]}, {}, "must be a mapping"),
    ("seat0.hand", {"seat0": {"hand": "inside_man"}}, {}, "must be a mapping"),
    ("seat0.hand", {"seat0": {"hand": {"inside_man": -1}}}, {}, "whole number"),
    ("seat0.paid", {"seat0": {"paid": 3}}, {}, "must be a list"),
    ("seat0.lost", at(EXAMPLE, "seat0.lost", "f1"), {}, "must be a list"),
    ("seat0.playing", {"seat0": {"playing": "no"}}, {}, "true or false"),
    ("fights", {"fights": []}, {}, "must be a mapping"),
    ("sabotage", {"sabotage": {}}, {}, "must be a list"),
    ("sabotage.0", {"sabotage": ["warped_grip"]}, {}, "must be a mapping"),
    ("sabotage.0.spot", {"sabotage": [{"card": "warped_grip"}]}, {}, "missing"),
    ("sabotage.0.card", {"sabotage": [{"spot": "1L"}]}, {}, "missing"),
    ("action_deck", {"action_deck": {"inside_man": 1}}, {}, "must be a list"),
    ("caught", {"caught": 2}, {}, "true or false"),
    ("dice", {"dice": 3}, {}, "must be a list"),
    ("fights.f1.left.known", {"fights": {"f1": {"left": {"known": [0, 0]}}}}, {}, "twice"),
    ("fights.f1.secret_known", {"fights": {"f1": {"secret_known": [2]}}}, {}, "from 0 to 1"),
    # numbers out of range
    ("round", {"round": 21}, {}, "from 1 to 20"),
    ("first", {"first": 2}, {}, "from 0 to 1"),
    ("actor", ACT | {"actor": 2}, {}, "from 0 to 1"),
    ("passes", {"passes": 2}, {}, "from 0 to 1"),
    ("passes", BET | {"passes": 1}, {}, "from 0 to 0"),
    ("guard", {"guard": 4}, {}, "from 1 to 3"),
    ("fight", EXAMPLE | {"fight": 4}, {}, "from 1 to 3"),
    ("fight_round", EXAMPLE | {"fight_round": 3}, {"max_fight_rounds": 2}, "from 1 to 2"),
    ("dice", {"dice": [7]}, {}, "from 1 to 6"),
    ("dice", {"dice": [1] * 17}, {}, "at most 16"),
    ("seed", {"seed": -1}, {}, "from 0"),
    ("seat0.coin", {"seat0": {"coin": -1}}, {}, "from 0 to 999"),
    ("seat0.time", {"seat0": {"time": 7}}, {}, "from 0 to 6"),
    ("seat0.chance", {"seat0": {"chance": 4}}, {}, "from 0 to 3"),
    ("seat0.paid", {"seat0": {"paid": [9]}}, {}, "from 3 to 8"),
    ("seat0.paid", {"seat0": {"paid": [3, 3]}}, {}, "twice"),
    ("seat0.paid_now", LOAN | {"seat0": {"paid": [3], "paid_now": 2}}, {}, "from 0 to 1"),
    ("seat0.paid_now", {"seat0": {"paid": [3], "paid_now": 1}}, {}, "from 0 to 0"),
    ("fights.f1.left.wounds", {"fights": {"f1": {"left": {"wounds": 100}}}}, {}, "from 0 to 99"),
    ("fights.f1.left.str", {"fights": {"f1": {"left": {"str": -100}}}}, {}, "from -99 to 99"),
    ("fights.f1.left.ties", {"fights": {"f1": {"left": {"ties": 2}}}}, {}, "from 0 to 1"),
    ("fights.f1.left.damage", {"fights": {"f1": {"left": {"damage": 1.5}}}}, {}, "whole number"),
    ("fights.f3.left.react_score", at(EXAMPLE, "fights.f3.left.react_score", 100), {}, "from -99 to 99"),
    # seats
    ("seat1", {"seat1": {}}, {"seats": 1}, "one seat"),
    ("seat0.paid", {"seat0": {"paid": PAID}}, {}, "seat0.status"),
    ("seat0.paid", {"seat0": {"paid": [3], "status": "paid_off"}}, {}, "seat0.status"),
    ("seat0.passed", {"seat0": {"passed": True}}, {}, "must be false"),
    ("seat0.passed", BET | {"seat0": {"passed": True}}, FINAL, "must be false"),
    ("seat0.playing", {"seat0": {"playing": False}}, OUTCOME, "must be true"),
    ("seat0.playing", LEFT, {}, "must be true"),
    ("seat0.playing", LEFT, OUTCOME | {"finished_seat": "restart"}, "must be true"),
    ("seat0.playing", at(LEFT, "seat0.status", "paid_off"), OUTCOME | {"finished_seat": "continue"}, "must be true"),
    ("seat0.status", at(LEFT, "seat0.playing", True), OUTCOME, "does not go with"),
    ("seat0.status", at(LEFT, "seat0.playing", True), OUTCOME | {"finished_seat": "continue"}, "does not go with"),
    ("seat0.status", LOAN | {"seat0": {"result": "defeated"}}, OUTCOME, "does not go with"),
    ("seat1.status", LOAN | {"seat1": {"status": "defeated"}}, OUTCOME, "does not go with"),
    ("seat0.result", at(LEFT, "seat0.result", "in"), OUTCOME, "has left"),
    ("seat0.fate.result", at(LEFT, "seat0", {"result": "in", "fate": {"result": "defeated"}}), OUTCOME, "the same"),
    ("seat0.fate", {"seat0": {"fate": {"roll": 3}}}, {}, "must be left out"),
    ("seat0.fate.tier", at(LEFT, "seat0.fate", {"roll": 6, "tier": 3}), OUTCOME, "from 4 to 4"),
    ("seat0.fate.total", at(LEFT, "seat0.fate", {"roll": 2, "total": 3}), OUTCOME, "from 2 to 2"),
    ("seat0.fate.roll", at(LEFT, "seat0.fate", {"roll": 7}), OUTCOME, "from 1 to 6"),
    ("seat0.fate.round", at(LEFT, "seat0.fate", {"round": 2}), OUTCOME, "from 1 to 1"),
    ("seat0.hand", at(LEFT, "seat0.hand", {"hurl_flagon": 1}), OUTCOME, "has left"),
    ("first", at(LEFT, "first", 0), OUTCOME, "has left"),
    ("at", OVER | {"at": "act", "seat0": {"status": "defeated", "playing": False}}, OUTCOME | {"seats": 1}, "no seat"),
    ("at", at(OVER, "seat0.status", "in"), {}, "round limit"),
    ("at", DISCARD | {"seat0": {"result": "defeated"}}, {"seats": 1, "finished_seat": "restart"}, "end the game"),
    ("at", LOAN | {"seat0": {"status": "paid_off"}}, {"seats": 1}, "no seat has anything to decide"),
    ("actor", OVER | {"actor": 0}, {}, "must be left out"),
    ("actor", {"at": "fight", "actor": 0}, {}, "must be left out"),
    ("actor", WINDOW | {"actor": 1}, {}, "nothing to decide"),
    ("actor", LOAN | {"actor": 0, "seat0": {"status": "defeated"}}, {}, "nothing to decide"),
    ("actor", ACT | {"actor": 0, "seat0": ACTING | {"passed": True}}, FINAL, "nothing to decide"),
    # copies, kind by kind
    ("seat0.hand", {"seat0": {"hand": {"inside_man": 3}}}, {}, "there are 2"),
    ("used", ACT | {"used": {"inside_man": 2}}, {}, "with seat0.hand"),
    ("pending", at(PENDING, "seat0.hand", {"sorcerous_succor": 2}), {}, "with seat0.hand"),
    ("sabotage.0.card", at(WINDOW, "seat0.hand", {"sorcerous_succor": 2}), {}, "with seat0.hand"),
    ("action_deck", ACT | {"action_deck": ["loose_tongues"]}, {}, "with seat1.hand"),
    ("action_discard", ACT | {"action_discard": ["loose_tongues"]}, {}, "with seat1.hand"),
    (
        "fights.f1.right.fighter",
        {"fights": {"f1": {s: {"fighter": "insect"} for s in ("left", "right")}}},
        {},
        "copies",
    ),
    ("fights.f2.left.weapon", {"fights": {f: {"left": {"weapon": "rapier"}} for f in ("f1", "f2")}}, {}, "copies"),
    ("fights.f2.secret", {"fights": {f: {"secret": "old_scars"} for f in ("f1", "f2")}}, {}, "copies"),
    ("secret_deck", {"secret_deck": ["old_scars", "old_scars"]}, {}, "copies"),
    ("weapon_discard", {"weapon_deck": ["rapier"], "weapon_discard": {"rapier": 1}}, {}, "with weapon_deck"),
    ("secret_discard", {"secret_deck": ["old_scars"], "secret_discard": []}, {}, "placed nowhere"),
    (
        "fights.f1.left.weapon",
        {"weapon_discard": {weapon.id: 1 for weapon in load().cards.file.weapons}},  # type: ignore[attr-defined]
        {},
        "no card is left to deal",
    ),
    ("seat0.pool", ACT | {"seat0": ACTING | {"pool": {}}}, {}, "as in the deck"),
    ("seat0.pool", ACT | {"action_deck": [], "seat0": ACTING | {"pool": {"inside_man": 2}}}, {}, "own hand"),
    # tokens
    (
        "seat0.time",
        {"seat0": {"time": 6}, "seat1": {"time": 6}, "sabotage": [TOO_MUCH[0] | {"seat": 0}]},
        {},
        "14 Time",
    ),
    ("seat1.time", {"seat1": {"time": 6}, "sabotage": TOO_MUCH}, {}, "12 tokens"),
    ("seat1.coin", {"seat0": {"coin": 10}, "seat1": {"coin": 60}}, {"coin_supply": "limited"}, "70 coins"),
    # the table
    ("fights", {"at": "setup", "fights": {}}, {}, "left out"),
    ("fights.f1.winner", {"fights": {"f1": {"winner": "left"}}}, {}, "not over"),
    ("fights.f3.winner", at(EXAMPLE, "fights.f3.winner", "none"), {}, "not over"),
    ("fights.f1.right.slot", {"fights": {"f1": {"left": {"slot": "1R"}}}}, {}, "left weapon"),
    ("fights.f1.left.known", {"fights": {"f1": {"left": {"known": [1]}}}}, FACE_UP, "every seat"),
    ("fights.f2.secret_known", {"fights": {"f2": {"secret_known": []}}}, FACE_UP, "every seat"),
    ("fights.f1.right.known", {"fights": {"f1": {"right": {"known": []}}}}, VARIANTS["face_up"], "every seat"),
    ("fights.f1.left.known", at(LOAN, "fights.f1.left.known", [0]), FACE_UP, "every seat"),
    ("pending", LOOK, FACE_UP, "cannot have"),
    ("fights.f3.left.rolls", at(EXAMPLE, "fights.f3.left.rolls", [2]), {}, "2 dice"),
    ("fights.f3.right.rolls", at(EXAMPLE, "fights.f3.right.rolls", None), {}, "1 dice"),
    ("fights.f3.left.rolls", at(EXAMPLE, "fights.f3.left.rolls", [0, 2]), {}, "from 1 to 6"),
    ("fights.f1.left.rolls", at(EXAMPLE, "fights.f1.left", {"rolls": [2]}), {}, "no React window"),
    ("fights.f1.left.react_damage", {"fights": {"f1": {"left": {"react_damage": 1}}}}, {}, "no React window"),
    ("fights.f3.left.wounded", at(EXAMPLE, "fights.f3.left.wounded", True), {}, "no lasting effect"),
    # Sabotage
    ("sabotage.0.card", {"sabotage": [{"card": "inside_man", "spot": "1L"}]}, {}, "no Sabotage"),
    ("sabotage.0.time", at(WINDOW, "sabotage.0.time", 3), {}, "from 0 to 2"),
    ("sabotage.0.coin", at(WINDOW, "sabotage.0", WINDOW["sabotage"][0] | {"time": 1, "coin": 2}), {}, "from 0 to 1"),  # type: ignore[index]
    ("sabotage.0.seen", at(WINDOW, "sabotage.0.seen", [1]), {}, "the owner"),
    ("sabotage.0.seat", at(LEFT, "sabotage", STACK), OUTCOME, "has left"),
    ("sabotage.0.spot", at(WINDOW, "sabotage.0.spot", "1L"), {}, "no Sabotage can lie"),
    ("sabotage.0.spot", at(EXAMPLE, "sabotage", [{"card": "warped_grip", "spot": "3L"}]), {}, "no Sabotage can lie"),
    ("sabotage.0.spot", DISCARD | {"sabotage": STACK}, {}, "no Sabotage can lie"),
    ("sabotage.0.spot", {"at": "setup", "sabotage": STACK}, {}, "no Sabotage can lie"),
    ("sabotage", {"sabotage": STACK * 13}, {}, "at most 12"),
    # a window
    ("sabotage", at(WINDOW, "sabotage.0.spot", "3L"), {}, "no card in fight 2"),
    ("guard", at(WINDOW, "guard", 1), {}, "may rat"),
    ("seat0.chance", at(WINDOW, "seat0.chance", 0), {}, "may rat"),
    # wagers
    ("seat0.wagers.f1", {"seat0": {"wagers": {"f1": {"side": "left", "coin": 1}}}}, {}, "cannot be there"),
    ("seat0.wagers.f2", BET | {"fight": 2, "seat0": {"wagers": {"f2": {"side": "left", "coin": 1}}}}, {}, "cannot"),
    ("seat1.wagers.f1", BET | {"fight": 2, "seat1": {"wagers": {"f1": {"side": "left", "coin": 1}}}}, {}, "cannot"),
    ("seat0.wagers.f1", at(EXAMPLE, "seat0.wagers.f1", {"side": "left"}), {}, "must have coin"),
    ("seat0.wagers.f1", at(EXAMPLE, "seat0.wagers.f1", {"side": "left", "coin": 4}), {}, "from 1 to 3"),
    (
        "seat0.wagers.f1",
        BET | {"fight": 2, "fights": DUEL, "seat0": {"wagers": {"f1": {"side": "right", "coin": 3}}}},
        {},
        "the wager is 2",
    ),
    ("seat0.lost", {"seat0": {"lost": ["f1"]}}, {}, "nobody can be caught"),
    ("seat0.lost", WINDOW | {"seat0": {"lost": ["f3"]}}, {}, "nobody can be caught"),
    ("seat0.lost", EXAMPLE | {"seat0": {"lost": ["f1", "f1"]}}, {}, "twice"),
    # the card being played
    ("pending", at(PENDING, "at", "act"), {}, "left out"),
    ("pending", {"at": "coin"}, {}, "missing"),
    ("pending", at(PENDING, "pending.card", None), {}, "name the card"),
    ("pending", at(PENDING, "at", "target"), {}, "does not lead"),
    ("pending", at(PENDING, "at", "show"), {}, "does not lead"),
    ("pending", at(PENDING, "pending.shown", []), {}, "does not lead"),
    ("pending", at(PENDING, "pending.shown", [True, True]), {}, "more answers"),
    ("pending", at(PENDING, "pending.shown", [True] * 4), {}, "at most 3"),
    ("pending", at(PENDING, "pending.targets", []), {}, "does not lead"),
    ("pending", at(PENDING, "pending.targets", ["F1"]), {}, "cannot have"),
    ("pending", at(PENDING, "pending.targets", ["1L", "1R"]), {}, "cannot have"),
    ("pending", at(LOOK, "pending.targets", ["1L", "1L"]), {}, "cannot have"),
    ("pending", at(LOOK, "fights.f1.left.known", [0]), {}, "cannot have"),
    ("pending", at(PENDING, "pending.time", 1), {}, "does not lead"),
    ("pending", at(at(PENDING, "at", "coin"), "pending.time", 3), {}, "more Time"),
    ("fights.f1.left.rolls", {"at": "time", "pending": {"card": "hurl_flagon", "targets": ["1L"]}}, {}, "dice"),
]


@pytest.mark.parametrize(
    ("key", "position", "options", "words"), REFUSED, ids=[f"{n}-{case[0]}" for n, case in enumerate(REFUSED)]
)
def test_impossible_positions_are_refused_by_key(key: str, position: Any, options: Any, words: str) -> None:
    with pytest.raises(PositionError) as caught:
        read(position, **options)
    assert str(caught.value).startswith(f'Position key "{key}" ')
    assert words in str(caught.value)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("position", "options"),
    [
        (ACT, {}),
        (BET, {}),
        (PENDING, {}),
        (LOOK, {}),
        (WINDOW, {}),
        (DISCARD, {}),
        (LOAN, {}),
        (OVER, {}),
        (LEFT, OUTCOME),
        (ACT, FACE_UP),
    ],
)
def test_what_the_refusals_damage_is_sound(position: Any, options: Any) -> None:
    assert_sound(start(position, **options))


@pytest.mark.parametrize("position", [None, [], "act", 3])
def test_a_position_is_a_mapping(position: Any) -> None:
    with pytest.raises(PositionError, match="a mapping"):
        read(position)


# --- dump, load, dump


@pytest.mark.parametrize("variant", VARIANTS)
def test_states_of_random_games_read_back(variant: str) -> None:
    """Everything that a state holds is in its dump: one in five states of some games, and their ends."""
    game = load(**VARIANTS[variant])
    rng = np.random.default_rng(7)
    for seed in range(3):
        state = game.new_state(seed)
        while not state.is_over:
            if rng.random() < 0.2:
                assert_sound(state)
            state.apply(int(rng.choice(state.legal_actions())))
        assert_sound(state)


def test_states_of_every_node_read_back() -> None:
    game = load(**VARIANTS["restart"])
    rng = np.random.default_rng(7)
    seen: Counter[str] = Counter()
    for seed in range(12):
        state = game.new_state(seed)
        while not state.is_over:
            record = state.states[0]
            node = NODES[int(record.node)] + (" in a fight" if int(record.fight_round) else "")
            if seen[node] < 10:
                assert_sound(state)
            seen[node] += 1
            state.apply(int(rng.choice(state.legal_actions())))
    subs = {f"{word} in a fight" for word in ("react", "target", "time", "coin")}
    assert set(seen) == {*NODES[:-1], *subs} - {"react"}


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(VARIANTS)))
def test_states_of_any_game_read_back(seed: int, variant: str) -> None:
    state = load(**VARIANTS[variant]).new_state(seed)
    rng = np.random.default_rng(seed)
    while not state.is_over:
        if rng.random() < 0.1:
            assert_sound(state)
        state.apply(int(rng.choice(state.legal_actions())))
    assert_sound(state)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(VARIANTS)))
def test_damaged_positions_are_refused_by_key_or_can_be_played(seed: int, variant: str) -> None:
    words = ("hurl_flagon", "insect", "1L", "loan", "paid_off", [0], [1], {"hurl_flagon": 1}, ["rapier"], [3, 4])
    check_damaged(load(**VARIANTS[variant]), seed, KEYS, words, "act", assert_sound, "at")
