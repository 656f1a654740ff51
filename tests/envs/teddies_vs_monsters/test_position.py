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
from cardzoo.envs.teddies_vs_monsters.game import TeddiesVsMonsters
from cardzoo.envs.teddies_vs_monsters.notation import (
    DERIVED,
    KEYS,
    LAST_KEYS,
    PENDING_KEYS,
    PLAYER_KEYS,
    ROOM_KEYS,
    SIDE_DERIVED,
    SIDE_KEYS,
)
from tests.support.positions import check_damaged
from tests.support.teddies_vs_monsters import assert_sound

EXAMPLE = yaml.safe_load((Path(__file__).parent / "example_position.yaml").read_text(encoding="utf-8"))
VARIANTS = TeddiesVsMonsters.variants
FOUR = {"seats": 4}
MISTAKES = {"allow_mistakes": True}
FACE_DOWN = {"start_hand": "face_down"}
DECK = Counter({card.id: card.copies for card in TeddiesVsMonsters().cards if card.team == "teddies"})  # type: ignore[attr-defined]


def load(**options: Any) -> Game:
    return TeddiesVsMonsters(**options)


def start(position: Any, **options: Any) -> State:
    return load(**options).from_position(position)


def read(position: Any, **options: Any) -> dict[str, Any]:
    """The dump of a position."""
    return start(position, **options).to_position()


def at(position: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The position with another value at a dotted path; mappings on the way are made."""
    found = copy.deepcopy(position)
    *places, last = [int(place) if place.isdigit() else place for place in path.split(".")]
    inner: Any = found
    for place in places:
        inner = inner.setdefault(place, {})
    inner[last] = value
    return found


def player(**entry: Any) -> dict[str, Any]:
    """A position that says something of the first seat."""
    return {"players": {"teddies_0": entry}}


def room(**entry: Any) -> dict[str, Any]:
    """A position that says something of the first room, whose bedroom is that of the examples."""
    return {"rooms": {1: {"bedroom": "b2_01", **entry}}}


def own(**side: Any) -> dict[str, Any]:
    """The same of the teddies' side."""
    return room(teddies=side)


def pending(action: Any, lands: Any = 9, agent: str = "teddies_0") -> dict[str, Any]:
    return {"pending": {agent: {"action": action, "lands": lands}}}


BOTH_WAIT = {agent: {"action": "wait", "lands": 9} for agent in ("teddies_0", "monsters_0")}


# --- defaults


def test_an_empty_position_is_the_first_decision() -> None:
    found = read({})
    assert (found["tick"], found["round"], found["sudden_death"], found["over"]) == (0, 1, 0, False)
    assert found["keys"] == {"teddies": 0, "monsters": 0}
    assert (found["pending"], found["picked"], found["dice"], found["seed"]) == ({}, None, [], None)
    assert found["discards"] == {"teddies": [], "monsters": []}
    assert (found["actor"], found["truncated"], found["returns"]) == (
        "teddies_0",
        False,
        {"teddies_0": 0, "monsters_0": 0},
    )
    assert list(found["rooms"]) == ["1", "2", "3"]
    assert len({entry["bedroom"] for entry in found["rooms"].values()}) == 3
    for entry in found["rooms"].values():
        assert entry["bedroom"].startswith("b2_")
        assert (entry["claimed"], entry["mistake"]) == (None, False)
        for team in ("teddies", "monsters"):
            assert entry[team] == {
                "row": [],
                "traps": [],
                "paid": 0,
                "symbols": 0,
                "readings": ["left", "right"],
                "complete": False,
            }
    for entry in found["players"].values():
        sizes = [len(entry[zone]) for zone in ("hand", "sleeve", "deck", "reserve")]
        assert sizes == [5, 4, 45, 54]
        assert (entry["face_down"], entry["used"], entry["known"], entry["last"]) == (False, [], [], None)


def test_four_seats_have_no_reserves_and_more_rooms() -> None:
    found = read({}, seats=4)
    assert list(found["players"]) == ["teddies_0", "monsters_0", "teddies_1", "monsters_1"]
    assert list(found["rooms"]) == ["1", "2", "3", "4", "5"]
    for entry in found["players"].values():
        assert [len(entry[zone]) for zone in ("hand", "sleeve", "deck")] == [5, 3, 46]
        assert entry["reserve"] is None


def test_a_sudden_death_has_fewer_rooms() -> None:
    assert [entry is None for entry in read({"sudden_death": 1})["rooms"].values()] == [False, False, True]
    assert sum(entry is None for entry in read({"sudden_death": 1}, seats=4)["rooms"].values()) == 2


def test_bedrooms_that_are_left_out_are_drawn_from_the_pool_without_those_that_are_named() -> None:
    named = {2: {"bedroom": "b1_01"}, 3: {"bedroom": "b2_02"}}
    drawn = {read({"rooms": named, "seed": seed})["rooms"]["1"]["bedroom"] for seed in range(40)}
    assert drawn == {f"b2_0{number}" for number in (1, 3, 4, 5, 6, 7, 8)}


def test_a_room_may_be_named_by_a_text() -> None:
    assert read({"rooms": {"1": {"bedroom": "b2_01"}}}) == read(room())


def test_cards_that_are_left_out_are_dealt_from_those_that_are_named_nowhere() -> None:
    base = at(own(row=["heart"]), "players.teddies_0", {"sleeve": ["star"], "deck_top": ["moon", "honey"]})
    found = [read(base | {"seed": seed}) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
    for dump in found:
        entry = dump["players"]["teddies_0"]
        assert len(entry["hand"]) == 5
        assert entry["sleeve"] == ["star"]
        assert entry["deck"][:2] == ["moon", "honey"]
        assert Counter(entry["hand"] + entry["sleeve"] + entry["deck"] + ["heart"]) == DECK


def test_the_seed_decides_what_is_random_afterwards() -> None:
    game = load()
    assert len({game.load_position(EXAMPLE | {"seed": seed})[0].rng.tobytes() for seed in (1, 2)}) == 2


def test_lists_and_mappings_say_the_same() -> None:
    lists = player(hand=["heart", "star", "heart"], sleeve=[]) | {"discards": {"teddies": ["moon", "moon"]}}
    mappings = player(hand={"heart": 2, "star": 1}, sleeve={"moon": 0}) | {"discards": {"teddies": {"moon": 2}}}
    assert read(lists) == read(mappings)


def test_null_is_the_same_as_an_omitted_key() -> None:
    nulls: dict[str, Any] = dict.fromkeys(KEYS)
    side = dict.fromkeys((*SIDE_KEYS, *SIDE_DERIVED))
    rooms = {1: dict.fromkeys(ROOM_KEYS), 2: {"teddies": side, "monsters": None}, 3: None, 4: None}
    players = {"teddies_0": dict.fromkeys(PLAYER_KEYS), "monsters_0": None}
    empty = {
        "keys": {"teddies": None, "monsters": None},
        "pending": {"monsters_0": None},
        "discards": {"teddies": None},
    }
    assert read({**nulls, "rooms": rooms, "players": players, **empty}) == read({}) == read(nulls)
    last = {"action": "draw", "room": None, "lost": None, "tick": None}
    assert read(player(last=last))["players"]["teddies_0"]["last"] == last | {"lost": False, "tick": 0}


def test_a_reserve_may_be_named_from_the_top() -> None:
    entry = read(player(reserve=["moon", "red_yarn"]))["players"]["teddies_0"]
    assert entry["reserve"][:2] == ["moon", "red_yarn"]
    assert Counter(entry["reserve"]) == DECK
    assert read(player(reserve=True)) == read({})


TAKEN = player(hand=["heart", "star"], sleeve=[], deck=["moon", "moon"], reserve=False, known=["heart"])


def test_a_seat_that_has_taken_its_reserve_owns_two_decks() -> None:
    found = read(TAKEN | own(row=["heart"]))
    entry = found["players"]["teddies_0"]
    assert (entry["reserve"], entry["known"]) == (False, ["heart"])
    placed = Counter([*entry["hand"], *entry["deck"], *entry["used"]])
    assert placed == Counter({card: 2 * count for card, count in DECK.items()})
    assert Counter(entry["used"]) == Counter(found["discards"]["teddies"]) + Counter(["heart"])


# --- used cards


def test_used_cards_are_those_in_rows_traps_and_discards() -> None:
    side = {"row": ["heart"], "traps": ["red_web"]}
    found = read(room(teddies=side, monsters={"traps": ["red_yarn"]}) | {"discards": {"teddies": ["moon", "star"]}})
    assert found["players"]["teddies_0"]["used"] == ["heart", "star", "moon", "red_yarn"]
    assert found["players"]["monsters_0"]["used"] == ["red_web"]
    assert found["discards"] == {"teddies": ["star", "moon"], "monsters": []}


def test_of_two_seats_the_first_has_used_them_as_far_as_its_deck_allows() -> None:
    position = at(own(row=["heart"]), "discards.teddies", ["heart"] * 6 + ["moon"])
    found = read(position | player(hand=["heart"], sleeve=[]), seats=4)
    assert found["players"]["teddies_0"]["used"] == ["heart"] * 5 + ["moon"]
    assert found["players"]["teddies_1"]["used"] == ["heart"] * 2
    given = at(position, "players.teddies_1.used", ["heart", "moon"])
    found = read(given, seats=4)
    assert found["players"]["teddies_0"]["used"] == ["heart"] * 6
    assert found["players"]["teddies_1"]["used"] == ["heart", "moon"]


def test_a_named_deck_leaves_the_rest_to_the_discards() -> None:
    entry = {"hand": ["heart"], "sleeve": ["star"], "deck": ["moon", "honey"]}
    found = read(own(row=["moon"]) | player(**entry) | {"discards": {"teddies": ["moon"]}} | own(row=["heart"]))
    assert found["players"]["teddies_0"]["deck"] == ["moon", "honey"]
    assert len(found["players"]["teddies_0"]["used"]) == 50
    assert len(found["discards"]["teddies"]) == 49
    found = read(at(own(row=["heart"]), "players.teddies_1", entry), seats=4)
    assert found["players"]["teddies_0"]["used"] == ["heart"]
    assert len(found["players"]["teddies_1"]["used"]) == len(found["discards"]["teddies"]) == 50


# --- rooms


def test_rows_say_what_follows_from_their_cards() -> None:
    side = read(own(row=["heart", "yellow_knight"]))["rooms"]["1"]["teddies"]
    assert (side["symbols"], side["readings"], side["complete"]) == (3, ["left"], False)
    side = read(own(row=["honey", "yellow_knight", "heart"]))["rooms"]["1"]["teddies"]
    assert (side["symbols"], side["readings"], side["complete"]) == (4, ["right"], True)
    side = read(own(row=["heart", "honey"]), **MISTAKES)["rooms"]["1"]["teddies"]
    assert (side["symbols"], side["readings"], side["complete"]) == (2, [], False)


def test_a_wrong_row_may_be_too_long_by_one() -> None:
    row = ["heart", "moon", "star", "red_pilot"]
    side = read(own(row=row), **MISTAKES)["rooms"]["1"]["teddies"]
    assert (side["symbols"], side["readings"]) == (5, [])
    claimed = read(room(claimed="teddies", mistake=True, teddies={"row": row}), **MISTAKES)["rooms"]["1"]
    assert (claimed["claimed"], claimed["mistake"]) == ("teddies", True)


def test_hands_lie_face_down_by_default_where_they_are_dealt_so() -> None:
    assert read({}, **FACE_DOWN)["players"]["teddies_0"]["face_down"]
    assert not read(player(face_down=False), **FACE_DOWN)["players"]["teddies_0"]["face_down"]


# --- where the game is


def test_seats_that_are_not_named_are_idle_and_asked_in_their_order() -> None:
    assert read(pending("wait"))["actor"] == "monsters_0"
    assert read(pending("wait", agent="monsters_0"))["actor"] == "teddies_0"
    found = read({"pending": BOTH_WAIT, "dice": [1]})
    assert (found["tick"], found["actor"], found["dice"]) == (9, "teddies_0", [])


ACTS = [
    "place heart 2",
    "attack red_knight 1",
    "bomb pillow_bomb 1",
    "trap red_yarn 3",
    "disarm heart 2",
    "disarm red_knight 2",
    "disarm red_yarn 2",
    "discard heart",
    "claim 2",
    "call own 1",
    "call foe 3",
    "draw hand",
    "draw sleeve",
    "take deck",
    "look",
    "wait",
]


@pytest.mark.parametrize("act", ACTS)
def test_acts_are_written_in_full(act: str) -> None:
    state = start(pending(act), **MISTAKES, **FACE_DOWN)
    assert state.to_position()["pending"] == {"teddies_0": {"action": act, "lands": 9}}
    assert_sound(state)


OWED = room() | player(hand=["heart"], sleeve=[]) | {"picked": "heart"}


def test_a_target_may_be_owed() -> None:
    state = start(OWED)
    assert state.to_position()["picked"] == "heart"
    assert all(text.startswith("to own ") for text in state.legal_texts())
    assert_sound(state)
    partners = {"teddies_0": {"hand": [], "sleeve": [], "deck": []}, "teddies_1": {"hand": [], "sleeve": ["heart"]}}
    assert_sound(start(room() | {"players": partners, "picked": "heart"}, seats=4))


def test_a_round_that_is_decided_moves_on() -> None:
    won = {1: {"bedroom": "b1_01", "claimed": "teddies", "teddies": {"row": ["heart", "star", "moon"]}}}
    won |= {2: {"bedroom": "b1_02", "claimed": "teddies", "teddies": {"row": ["star", "moon", "honey"]}}}
    found = read({"rooms": won, "tick": 50})
    assert (found["round"], found["tick"], found["keys"]["teddies"]) == (2, 0, 1)
    found = read({"rooms": won, "keys": {"teddies": 2}})
    assert (found["over"], found["actor"], found["returns"]) == (True, None, {"teddies_0": 1, "monsters_0": -1})


WON = {"over": True, "keys": {"teddies": 3, "monsters": 1}}
CUT = {"over": True, "round": 9, "keys": {"teddies": 2}}


def test_a_game_may_be_over() -> None:
    found = read(WON | room())
    assert (found["over"], found["actor"], found["truncated"]) == (True, None, False)
    assert found["returns"] == {"teddies_0": 1, "monsters_0": -1}
    found = read(CUT)
    assert (found["over"], found["actor"], found["truncated"]) == (True, None, True)
    assert set(found["returns"].values()) == {0}
    for position in (WON, CUT):
        assert_sound(start(position))


# --- dumps


def test_a_dump_has_every_key_in_order_and_is_plain() -> None:
    dump = read(at(EXAMPLE, "players.teddies_0.last", {"action": "draw"}))
    assert tuple(dump) == KEYS + DERIVED
    assert tuple(dump["rooms"]["1"]) == ROOM_KEYS
    assert tuple(dump["rooms"]["1"]["teddies"]) == SIDE_KEYS + SIDE_DERIVED
    assert tuple(dump["players"]["teddies_0"]) == PLAYER_KEYS
    assert tuple(dump["players"]["teddies_0"]["last"]) == LAST_KEYS
    assert tuple(dump["pending"]["monsters_0"]) == PENDING_KEYS
    assert json.loads(json.dumps(dump)) == dump
    assert yaml.safe_load(yaml.safe_dump(dump)) == dump


def test_derived_keys_are_ignored() -> None:
    dump = read(EXAMPLE)
    changed = copy.deepcopy(dump | {"actor": 7, "truncated": True, "returns": "x"})
    changed["rooms"]["1"]["teddies"] |= {"symbols": 9, "readings": "x", "complete": 3}
    assert read(changed) == dump


def test_the_example_says_what_it_shows() -> None:
    found = read(EXAMPLE)
    for key in ("tick", "keys", "pending", "dice", "discards"):
        assert found[key] == EXAMPLE[key]
    for number, entry in EXAMPLE["rooms"].items():
        for key, value in entry.items():
            shown = found["rooms"][str(number)][key]
            assert value.items() <= shown.items() if isinstance(value, dict) else shown == value
    for agent, entry in EXAMPLE["players"].items():
        for zone in ("hand", "sleeve"):
            assert Counter(found["players"][agent][zone]) == Counter(entry[zone])
    assert found["players"]["teddies_0"]["deck"][0] == "heart"
    state = start(EXAMPLE)
    assert_sound(state)
    assert state.to_position()["actor"] == "teddies_0"
    assert "play pillow_bomb" in state.legal_texts()


# --- refusals

FULL = ["heart", "moon", "star", "honey"]
CLAIMED = {"claimed": "teddies", "teddies": {"row": FULL}}
WRONG = ["heart", "moon", "moon", "honey"]
EMPTY = {"hand": [], "sleeve": []}
LAST = {"action": "place", "room": 1}

REFUSED: list[tuple[str, Any, dict[str, Any], str]] = [
    # unknown keys and ids
    ("sudden", {"sudden": 1}, {}, "did you mean sudden_death"),
    ("keys", {"keys": {"bears": 1}}, {}, 'unknown entry "bears"'),
    ("rooms", {"rooms": {4: {"bedroom": "b2_01"}}}, {}, "unknown entry 4; allowed are 1, 2 or 3"),
    ("rooms", {"rooms": {3: {"bedroom": "b2_01"}}, "sudden_death": 1}, {}, "allowed are 1 or 2"),
    ("rooms", {"rooms": {6: None}}, {}, "unknown entry"),
    ("rooms", {"rooms": {True: {}}}, {}, "unknown entry true"),
    ("rooms", {"rooms": {1: {}, "1": {}}}, {}, "room 1 twice"),
    ("rooms.1", room(level=2), {}, "unknown entry"),
    ("rooms.1.teddies", own(cards=[]), {}, "unknown entry"),
    ("rooms.1.bedroom", {"rooms": {1: {"bedroom": "b2_1"}}}, {}, "did you mean b2_01"),
    ("rooms.1.claimed", room(claimed="teddies_0"), {}, "must be teddies or monsters"),
    ("rooms.1.teddies.row", own(row=["hart"]), {}, "did you mean heart"),
    ("rooms.1.teddies.row", own(row=["eye"]), {}, "no teddies card"),
    ("rooms.1.teddies.traps", own(traps=["red_yarn"]), {}, "no monsters card"),
    ("players", {"players": {"teddies_1": {}}}, {}, "unknown entry"),
    ("players.teddies_0", player(cards=[]), {}, "unknown entry"),
    ("players.teddies_0.hand", player(hand=["eye"]), {}, "no teddies card"),
    ("players.teddies_0.deck_top", player(deck_top=["x"]), {}, "no teddies card"),
    ("players.teddies_0.reserve", player(reserve=["x"]), {}, "no teddies card"),
    ("players.teddies_0.last", player(last={"act": "draw"}), {}, "unknown entry"),
    ("players.teddies_0.last.action", player(last={"action": "wait"}), {}, "must be place"),
    ("discards", {"discards": {"teddies_0": []}}, {}, "unknown entry"),
    ("discards.monsters", {"discards": {"monsters": ["heart"]}}, {}, "no monsters card"),
    ("pending", pending("wait", agent="monsters_1"), {}, "unknown entry"),
    ("pending.teddies_0", {"pending": {"teddies_0": {"act": "wait"}}}, {}, "unknown entry"),
    ("picked", OWED | {"picked": "eye"}, {}, "no teddies card"),
    # wrong containers and types
    ("keys", {"keys": [0, 0]}, {}, "must be a mapping"),
    ("over", {"over": "yes"}, {}, "true or false"),
    ("rooms", {"rooms": [{}]}, {}, "must be a mapping"),
    ("rooms.1", {"rooms": {1: "b2_01"}}, {}, "must be a mapping"),
    ("rooms.1.mistake", room(mistake="no"), {}, "true or false"),
    ("rooms.1.monsters", room(monsters=[]), {}, "must be a mapping"),
    ("rooms.1.teddies.row", own(row={"heart": 1}), {}, "must be a list"),
    ("rooms.1.teddies.traps", own(traps="red_web"), {}, "must be a list"),
    ("players", {"players": []}, {}, "must be a mapping"),
    ("players.teddies_0", {"players": {"teddies_0": 3}}, {}, "must be a mapping"),
    ("players.teddies_0.hand", player(hand="heart"), {}, "must be a mapping"),
    ("players.teddies_0.hand", player(hand={"heart": -1}), {}, "whole number"),
    ("players.teddies_0.deck", player(**EMPTY, deck={"heart": 1}), {}, "must be a list"),
    ("players.teddies_0.reserve", player(reserve="full"), {}, "true, false or a list"),
    ("players.teddies_0.reserve", player(reserve=1), {}, "true, false or a list"),
    ("players.teddies_0.face_down", player(face_down=2), {}, "true or false"),
    ("players.teddies_0.last", player(last="draw"), {}, "must be a mapping"),
    ("discards", {"discards": []}, {}, "must be a mapping"),
    ("pending", {"pending": ["wait"]}, {}, "must be a mapping"),
    ("pending.teddies_0", {"pending": {"teddies_0": "wait"}}, {}, "must be a mapping"),
    ("dice", {"dice": 3}, {}, "must be a list"),
    # numbers out of range
    ("tick", {"tick": 3001}, {}, "from 0 to 3000"),
    ("tick", {"tick": -1}, {}, "from 0 to 3000"),
    ("round", {"round": 10}, {}, "from 1 to 9"),
    ("sudden_death", {"sudden_death": 3}, {}, "from 0 to 2"),
    ("sudden_death", {"sudden_death": 1}, {"max_sudden": 0}, "from 0 to 0"),
    ("keys.teddies", {"keys": {"teddies": 3}}, {}, "from 0 to 2"),
    ("keys.monsters", {"keys": {"monsters": 1}}, {"keys_to_win": 1}, "from 0 to 0"),
    ("rooms.1.teddies.paid", own(traps=["red_web"], paid=3), {}, "from 0 to 2"),
    ("rooms.1.teddies.paid", own(paid=1), {}, "no trap"),
    ("dice", {"dice": [0] * 17}, {}, "at most 16"),
    ("dice", {"dice": [-1]}, {}, "from 0"),
    ("dice", {"dice": [1.5]}, {}, "whole number"),
    ("seed", {"seed": -1}, {}, "from 0"),
    ("pending.monsters_0.lands", {"tick": 20} | pending("wait", 20, "monsters_0"), {}, "from 21"),
    ("pending.teddies_0.lands", pending("wait", 10**6), {}, "to 99999"),
    ("players.teddies_0.last.tick", player(last={"action": "draw", "tick": 1}), {}, "from 0 to 0"),
    ("players.teddies_0.last.room", player(last=LAST | {"room": 4}), {}, "from 1 to 3"),
    # rooms
    ("rooms.2.bedroom", {"rooms": {1: {"bedroom": "b2_01"}, 2: {"bedroom": "b2_01"}}}, {}, "of room 1"),
    ("rooms.1.teddies.row", own(row=["star"]), {}, "does not follow"),
    ("rooms.1.teddies.row", own(row=["heart", "honey"]), {}, "does not follow"),
    ("rooms.1.teddies.row", own(row=["red_pilot"]), {}, "does not follow"),
    ("rooms.1.teddies.row", own(row=[*FULL, "heart"]), {}, "more cards"),
    ("rooms.1.teddies.row", own(row=[*FULL[:3], "red_pilot"]), {}, "does not follow"),
    ("rooms.1.teddies.row", own(row=[*WRONG, "heart"]), MISTAKES, "more cards"),
    ("rooms.1.teddies.row", own(row=["pillow_bomb"]), MISTAKES, "cannot be placed"),
    ("rooms.1.teddies.traps", own(traps=["claw"]), {}, "no trap"),
    ("rooms.1.mistake", room(mistake=True), MISTAKES, "nobody has claimed"),
    ("rooms.1.mistake", room(**CLAIMED, mistake=True), {}, "no wrong row"),
    ("rooms.1.teddies.row", room(**CLAIMED, mistake=True), MISTAKES, "must be wrong"),
    ("rooms.1.teddies.row", room(claimed="teddies", mistake=True, teddies={"row": WRONG[:3]}), MISTAKES, "as long"),
    ("rooms.1.teddies.row", room(claimed="teddies", teddies={"row": WRONG}), MISTAKES, "exact sequence"),
    ("rooms.1.teddies.row", room(claimed="teddies", teddies={"row": FULL[:3]}), {}, "exact sequence"),
    ("rooms.1.monsters.row", room(claimed="monsters"), {}, "exact sequence"),
    ("rooms.1.monsters.row", room(**CLAIMED, monsters={"row": ["claw"]}), {}, "must be empty"),
    ("rooms.1.monsters.traps", room(**CLAIMED, monsters={"traps": ["red_yarn"]}), {}, "must be empty"),
    ("rooms.1.teddies.traps", at(room(**CLAIMED), "rooms.1.teddies.traps", ["red_web"]), {}, "must be empty"),
    # zones and copies
    ("players.teddies_0.hand", player(hand=["heart"] * 6), {}, "at most 5"),
    ("players.teddies_0.sleeve", player(sleeve=["heart"] * 5), {}, "at most 4"),
    ("players.teddies_0", player(hand=["pillow_bomb"] * 3, sleeve=[]), {}, "there are 2"),
    ("players.teddies_0", player(hand=["red_knight"], sleeve=["red_knight"]), {}, "there are 1"),
    ("players.teddies_0.deck_top", player(deck_top=["red_yarn", "red_yarn"]), {}, "one deck has 1"),
    ("players.teddies_0", player(hand=["red_yarn"], deck_top=["red_yarn"]), {}, "there are 1"),
    ("players.teddies_0.reserve", player(reserve=["red_yarn", "red_yarn"]), {}, "one deck has 1"),
    ("players.teddies_0.reserve", player(reserve=False), FOUR, "four seats"),
    ("players.teddies_0.hand", player(sleeve=[], deck=[]), {}, "is missing"),
    ("players.teddies_0.sleeve", player(hand=[], deck=[]), {}, "is missing"),
    ("players.teddies_0.deck_top", player(**EMPTY, deck=[], deck_top=[]), {}, "left out"),
    ("players.teddies_0.deck", player(**EMPTY, reserve=False), {}, "one deck has 6"),
    ("players.teddies_0.deck", player(**EMPTY, reserve=False, deck=["red_yarn"] * 2), {}, "one deck has 1"),
    (
        "players.teddies_0",
        own(row=["heart"]) | player(hand={"heart": 5}, sleeve=["heart"]),
        {},
        "with rooms.1.teddies.row",
    ),
    ("discards.teddies", own(row=["heart"]) | {"discards": {"teddies": ["heart"] * 6}}, {}, "with rooms.1.teddies.row"),
    ("discards.teddies", {"discards": {"teddies": ["heart"] * 13}}, FOUR, "there are 12"),
    (
        "rooms.2.monsters.traps",
        {"rooms": {n: {"monsters": {"traps": ["red_yarn"]}} for n in (1, 2)}},
        {},
        "there are 1",
    ),
    ("players.teddies_0.sleeve", player(deck_top=list(DECK.elements())), {}, "only 0 cards are left"),
    ("players.teddies_0.hand", player(deck_top=list(DECK.elements())[4:]), {}, "only 0 cards are left"),
    # used and known cards
    ("players.teddies_0.used", player(used=["heart"]), {}, "but 0 lie in rows"),
    ("players.teddies_0.used", own(row=["heart"]) | player(used=[]), {}, "1 more of heart"),
    ("players.teddies_0.used", player(**EMPTY, deck=["heart"], used=[]), {}, "but 5 are in no hand"),
    ("players.teddies_0.used", player(**EMPTY, deck=["heart"], used=["heart"] * 6), {}, "but 5 are in no hand"),
    ("players.teddies_1.used", {"players": {"teddies_1": {"used": ["heart"]}}}, FOUR, "but 0 lie in rows"),
    (
        "players.teddies_0.known",
        TAKEN | player(**TAKEN["players"]["teddies_0"] | {"known": ["moon"]}),
        {},
        "the hand has 0",
    ),
    ("players.teddies_0.known", player(hand=["heart"], known=["heart"]), {}, "second deck"),
    ("players.teddies_0.known", player(hand=["heart"], known=["heart"]), FOUR, "second deck"),
    ("players.teddies_0.face_down", player(face_down=True), {}, "must be false"),
    # last acts
    ("players.teddies_0.last.action", player(last={"room": 1}), {}, "is missing"),
    ("players.teddies_0.last.action", player(last={"action": "call", "room": 1}), {}, "nobody can"),
    ("players.teddies_0.last.action", player(last={"action": "look"}), {}, "nobody can"),
    ("players.teddies_0.last.action", player(last={"action": "take"}), FOUR, "nobody can"),
    ("players.teddies_0.last.room", player(last={"action": "place"}), {}, "is missing"),
    ("players.teddies_0.last.room", player(last={"action": "draw", "room": 1}), {}, "left out"),
    ("players.teddies_0.last.lost", player(last={"action": "draw", "lost": True}), {}, "must be false"),
    # acts under way
    ("pending.teddies_0.action", {"pending": {"teddies_0": {"lands": 9}}}, {}, "is missing"),
    ("pending.teddies_0.lands", {"pending": {"teddies_0": {"action": "wait"}}}, {}, "is missing"),
    ("pending.teddies_0.lands", pending("wait", "9"), {}, "whole number"),
    *[
        ("pending.teddies_0.action", pending(act), {}, "act in full")
        for act in (3, ["wait"], "", "play heart", "place heart", "place heart 2 3", "wait 2", "draw", "claim")
    ],
    ("pending.teddies_0.action", pending("place eye 1"), {}, "no teddies card"),
    ("pending.teddies_0.action", pending("place heart 4"), {}, "must be 1, 2 or 3"),
    ("pending.teddies_0.action", pending("claim 3") | {"sudden_death": 1}, {}, "must be 1 or 2"),
    ("pending.teddies_0.action", pending("draw deck"), {}, "must be hand or sleeve"),
    ("pending.teddies_0.action", pending("take hand"), {}, "must be deck"),
    ("pending.teddies_0.action", pending("place pillow_bomb 1"), {}, "cannot be used for that"),
    ("pending.teddies_0.action", pending("attack heart 1"), {}, "cannot be used for that"),
    ("pending.teddies_0.action", pending("bomb heart 1"), {}, "cannot be used for that"),
    ("pending.teddies_0.action", pending("trap red_knight 1"), {}, "cannot be used for that"),
    ("pending.teddies_0.action", pending("disarm pillow_bomb 1"), {}, "cannot be used for that"),
    ("pending.teddies_0.action", pending("call own 1"), {}, "with these options"),
    ("pending.teddies_0.action", pending("call foe 1"), MISTAKES | {"call_by": "owner"}, "with these options"),
    ("pending.teddies_0.action", pending("take deck"), FOUR, "with these options"),
    ("pending.teddies_0.action", pending("look"), {}, "with these options"),
    # a target that is owed
    ("picked", OWED | {"picked": "star"}, {}, "has not to play"),
    ("picked", OWED, FACE_DOWN, "has not to play"),
    ("picked", player(hand=["pillow_bomb"], sleeve=[]) | {"picked": "pillow_bomb"}, {}, "has 0 targets"),
    ("picked", OWED | {"pending": BOTH_WAIT}, {}, "no seat is idle"),
    ("picked", OWED | WON, {}, "no seat is idle"),
    # the end
    ("over", {"over": True}, {}, "no team has enough keys"),
    ("over", {"over": True, "keys": {"teddies": 2}}, {}, "no team has enough keys"),
    ("keys", {"over": True, "keys": {"teddies": 3, "monsters": 3}}, {}, "both teams"),
    ("pending.teddies_0", WON | pending("wait"), {}, "the game is over"),
    # draws that cannot come about
    ("dice", {"pending": BOTH_WAIT, "dice": [2]}, {}, "too high"),
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
        ({}, FOUR),
        (TAKEN, {}),
        (OWED, {}),
        (room(**CLAIMED), {}),
        (room(claimed="teddies", mistake=True, teddies={"row": WRONG}), MISTAKES),
        (own(traps=["red_web"], paid=2), {}),
        (player(last=LAST | {"lost": True}), {}),
        (player(**EMPTY, deck=["heart"]), {}),
        (WON, {}),
        (CUT, {}),
    ],
)
def test_what_the_refusals_damage_is_sound(position: Any, options: Any) -> None:
    assert_sound(start(position, **options))


@pytest.mark.parametrize("position", [None, [], "act", 3])
def test_a_position_is_a_mapping(position: Any) -> None:
    with pytest.raises(PositionError, match="a mapping"):
        read(position)


def test_a_draw_that_cannot_come_about_is_refused_when_it_is_used() -> None:
    state = start(room() | player(hand=["heart"], sleeve=[]) | {"dice": [5]})
    before = state.copy()
    with pytest.raises(PositionError, match=r"^discard heart: the next number"):
        state.apply("discard heart")
    assert state == before


# --- dump, load, dump


@pytest.mark.parametrize("variant", VARIANTS)
def test_states_of_random_games_read_back(variant: str) -> None:
    """Everything that a state holds is in its dump: some states of a game, and its end."""
    state = load(**VARIANTS[variant]).new_state(3)
    rng = np.random.default_rng(7)
    for _ in range(2500):
        if state.is_over:
            break
        if rng.random() < 0.03 or (int(state.states.picked[0]) >= 0 and rng.random() < 0.1):
            assert_sound(state)
        state.apply(int(rng.choice(state.legal_actions())))
    assert_sound(state)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(VARIANTS)))
def test_states_of_any_game_read_back(seed: int, variant: str) -> None:
    options = {"keys_to_win": 1, "max_rounds": 2, **VARIANTS[variant]}
    state = load(**options).new_state(seed)
    rng = np.random.default_rng(seed)
    while not state.is_over:
        if rng.random() < 0.05:
            assert_sound(state)
        state.apply(int(rng.choice(state.legal_actions())))
    assert_sound(state)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(VARIANTS)))
def test_damaged_positions_are_refused_by_key_or_can_be_played(seed: int, variant: str) -> None:
    options = {"keys_to_win": 1, "max_rounds": 2, "round_ticks": 300, **VARIANTS[variant]}
    words: list[Any] = ["heart", "claw", "b2_01", "teddies", "monsters_0", "place heart 1", "wait", ["heart"]]
    words += [["claw", "fang"], {"heart": 1}, [2, 0], {"action": "claim 1", "lands": 99}, {"teddies_0": {}}]
    check_damaged(load(**options), seed, KEYS, words, None, assert_sound, "picked")
