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

from cardzoo.envs import PositionError, load
from cardzoo.envs.battle_requiem.game import BattleRequiem
from cardzoo.envs.battle_requiem.notation import DERIVED, DUEL_KEYS, EFFECT_KEYS, KEYS, SEAT_KEYS
from cardzoo.envs.battle_requiem.position import dump_position, load_position
from cardzoo.envs.battle_requiem.state import PHASES
from tests.support.battle_requiem import assert_sound
from tests.support.positions import check_damaged

EXAMPLE = yaml.safe_load((Path(__file__).parent / "example_position.yaml").read_text(encoding="utf-8"))
VARIANTS = BattleRequiem.variants
TWO = [{"character": "ash_squire"}, {"character": "iron_marshal"}]  # ages 15 and 81
FOUR = [{"character": name} for name in ("flame_oracle", "fox_kit", "iron_marshal", "moss_healer")]
TEAMS = {"teams": [0, 1, 0, 1]}


def read(position: Any, seed: int = 0, **options: Any) -> dict[str, Any]:
    """The dump of a position."""
    game = load("battle_requiem", **options)
    return dump_position(game, load_position(game, position, seed))


def seats(*changes: dict[str, Any], base: list[dict[str, Any]] = TWO) -> list[dict[str, Any]]:
    """The seats with changes, seat 0 first; None takes an entry out."""
    found = []
    for number, entry in enumerate(base):
        merged = entry | (changes[number] if number < len(changes) else {})
        found.append({key: value for key, value in merged.items() if value is not None})
    return found


# --- defaults


def test_a_position_of_characters_alone_is_a_first_turn() -> None:
    found = read({"seats": TWO})
    assert (found["active"], found["phase"], found["actor"]) == (0, "turn", 0)
    assert (found["turn"], found["round"], found["extra"], found["truncated"]) == (1, 1, 0, False)
    assert found["duel"] is found["effect"] is found["fallen"] is None
    assert (found["box"], found["steals"], found["returns"]) == ({}, [], [0.0, 0.0])
    for seat, hp in ((0, 20), (1, 19)):
        entry = found["seats"][seat]
        assert (entry["hp"], entry["inventory"], sum(entry["hand"].values())) == (hp, 5, 5)
        assert entry["known"] == entry["fresh"] == {}
        assert (entry["skip"], entry["veil"], entry["attack_boost"], entry["defend_boost"]) == (0, False, 0, 0)
        assert (entry["last_turn"], entry["last_defence"], entry["place"]) == ("none", "none", None)
    assert len(found["discard"]) == 1
    assert len(found["draw"]) == 65 - 10 - 1
    assert sum(found["mix"].values()) == 65


def test_the_first_living_seat_in_turn_order_is_active() -> None:
    assert read({"seats": TWO[::-1]})["active"] == 1
    three = [{"character": "fox_kit", "hp": 0}, {"character": "tide_dragon"}, {"character": "iron_marshal"}]
    assert read({"seats": three}, seats=3)["active"] == 2


def test_open_hands_are_dealt_from_what_is_named_nowhere() -> None:
    named = {"seats": seats({"inventory": 2}, {"hand": ["dagger"]}), "draw": ["meteor", "spark"], "box": {"sling": 2}}
    found = read(named)
    assert sum(found["seats"][0]["hand"].values()) == 2
    assert "sling" not in found["seats"][0]["hand"]
    assert found["seats"][1]["hand"] == {"dagger": 1}
    assert found["discard"] == []  # the draw pile is named, so no card is turned up
    assert found["draw"][:2] == ["meteor", "spark"]
    assert len(found["draw"]) == 65 - 2 - 1 - 2
    assert sum(found["mix"].values()) == 63


def test_a_named_discard_pile_stays_and_what_is_left_is_the_draw_pile() -> None:
    found = read({"seats": TWO, "discard": ["meteor", "spark"]})
    assert found["discard"] == ["meteor", "spark"]
    assert len(found["draw"]) == 65 - 10 - 2


def test_too_few_cards_are_dealt_in_turn_order() -> None:
    box = {card.id: card.copies for card in load("battle_requiem").cards}
    box["dagger"] -= 1
    found = read({"seats": seats({"inventory": 2}, {"inventory": 2}), "box": box})
    assert [entry["hand"] for entry in found["seats"]] == [{"dagger": 1}, {}]
    assert found["draw"] == found["discard"] == []


def test_the_seed_decides_what_is_left_to_chance() -> None:
    found = [read({"seats": TWO, "draw": ["meteor"]}, seed) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]
    assert all(position["draw"][0] == "meteor" for position in found)
    game = load("battle_requiem")
    assert len({load_position(game, {"seats": TWO}, seed)[0].rng.tobytes() for seed in (1, 2)}) == 2


def test_box_rest_takes_all_that_is_not_named_out_of_the_game() -> None:
    found = read({"seats": seats({"hand": ["dagger"]}), "box": "rest", "draw": ["meteor"]})
    assert [entry["hand"] for entry in found["seats"]] == [{"dagger": 1}, {}]
    assert (found["draw"], found["discard"]) == (["meteor"], [])
    assert found["box"]["dagger"] == 1
    assert sum(found["box"].values()) == 63
    assert found["mix"] == {"dagger": 1, "meteor": 1}


def test_lists_and_mappings_say_the_same() -> None:
    lists = {"hand": ["dagger", "spark", "dagger"], "known": ["dagger"], "fresh": ["spark"]}
    mappings = {"hand": {"dagger": 2, "spark": 1, "sling": 0}, "known": {"dagger": 1}, "fresh": {"spark": 1}}
    positions = [
        {"seats": seats(entry), "box": box, "mix": mix}
        for entry, box, mix in (
            (lists, ["meteor"], None),
            (mappings, {"meteor": 1}, None),
        )
    ]
    assert read(positions[0]) == read(positions[1])


def test_null_is_the_same_as_an_omitted_key() -> None:
    nulls = {key: None for key in KEYS if key != "seats"}
    entries = [dict.fromkeys(SEAT_KEYS) | entry for entry in TWO]
    assert read({"seats": entries, **nulls}) == read({"seats": TWO})


def test_fallen_teams_share_the_last_places() -> None:
    base = [{"character": name} for name in ("ash_squire", "fox_kit", "mirror_seer", "tide_dragon", "wolf_matron")]
    fallen = {"hp": 0}

    def places(*changes: dict[str, Any]) -> list[Any]:
        found = read({"seats": seats(*changes, base=base)}, seats=5)["seats"]
        return [entry["place"] for entry in found]

    assert places({}, fallen, {}, fallen, {}) == [None, 4.5, None, 4.5, None]
    assert places({}, fallen, fallen, fallen, {}) == [None, 4, 4, 4, None]
    assert places({}, fallen | {"place": 5}, {}, fallen, {}) == [None, 5, None, 4, None]
    assert places({}, fallen, {}, fallen | {"place": 5.0}, fallen) == [None, 3.5, None, 5, 3.5]
    assert places({}, fallen | {"place": 4.5}, {}, fallen | {"place": 4.5}, fallen) == [None, 4.5, None, 4.5, 3]


def test_a_fallen_seat_has_no_place_while_its_team_is_in() -> None:
    found = read({"seats": seats({"hp": 0}, base=FOUR)}, **TEAMS)
    assert [entry["place"] for entry in found["seats"]] == [None] * 4
    out = read({"seats": seats({}, {"hp": 0}, {}, {"hp": 0}, base=FOUR), "phase": "over"}, **TEAMS)
    assert [entry["place"] for entry in out["seats"]] == [None, 2, None, 2]
    assert out["returns"] == [1, -1, 1, -1]


@pytest.mark.parametrize(
    ("effect", "phase", "options", "wanted"),
    [
        ({"card": "twin_vial"}, "choose", {}, {"need": 0, "queue": []}),
        ({"card": "scrap_magnet", "foe": 1}, "turn", {}, None),
    ],
)
def test_effect_defaults(effect: Any, phase: str, options: Any, wanted: Any) -> None:
    position = {"seats": TWO, "phase": phase, "effect": effect}
    if wanted is None:
        with pytest.raises(PositionError, match='"effect" must be left out'):
            read(position, **options)
        return
    found = read(position, **options)["effect"]
    assert found == dict.fromkeys(EFFECT_KEYS) | {"card": "twin_vial", "step": 0, "branch": 0} | wanted


def test_need_is_the_step_s_number_and_a_step_on_one_queues_its_foe() -> None:
    duelist = seats({"character": "cinder_duelist"}, {"hand": ["dagger", "spark", "sling"]})
    effect = {"card": "rainbow_relic", "foe": 1}
    found = read({"seats": duelist, "phase": "levy", "effect": effect})
    assert (found["effect"]["need"], found["effect"]["queue"], found["actor"]) == (2, [1], 1)


def test_loading_makes_no_moves() -> None:
    """R27: a single legal action is not taken."""
    lone = {
        "seats": seats({"hand": ["dagger"], "skip": 2}, {}),
        "phase": "attack",
        "duel": {"defender": 1},
        "box": "rest",
    }
    state = load("battle_requiem").from_position(lone)
    assert (state.actor, state.legal_texts()) == (0, ["play dagger"])


def test_a_dump_has_every_key_in_order_and_is_plain() -> None:
    dump = read(EXAMPLE, seats=3)
    assert tuple(dump) == KEYS + DERIVED
    assert all(tuple(entry) == SEAT_KEYS for entry in dump["seats"])
    assert tuple(dump["duel"]) == DUEL_KEYS
    assert json.loads(json.dumps(dump)) == dump
    assert yaml.safe_load(yaml.safe_dump(dump)) == dump


def test_derived_keys_are_ignored() -> None:
    dump = read(EXAMPLE, seats=3)
    assert read(dump | {"actor": 5, "returns": "x"}, seats=3) == dump


def test_the_example_says_what_it_shows() -> None:
    found = read(EXAMPLE, seats=3)
    for seat, entry in enumerate(EXAMPLE["seats"]):
        assert entry.items() <= found["seats"][seat].items()
    assert found["seats"][2]["hand"] == {}
    assert (found["actor"], found["turn"], found["round"]) == (1, 23, 9)
    assert found["duel"] == {"defender": 1, "attack": ["warhammer", "hatchet"], "defence": []}
    assert found["draw"][:2] == EXAMPLE["draw"]
    assert found["discard"] == EXAMPLE["discard"]
    placed = Counter(found["draw"] + found["discard"] + found["duel"]["attack"])
    for entry in found["seats"]:
        placed.update(entry["hand"])
    assert placed == {card.id: card.copies for card in load("battle_requiem").cards}
    state = load("battle_requiem", seats=3).from_position(EXAMPLE)
    assert_sound(state)
    assert state.legal_texts()[-1] == "pass"


def test_a_draft_has_characters_only() -> None:
    found = read({"phase": "draft", "seats": [{"character": "fox_kit"}, {}, {}]}, seats=3, characters="draft")
    assert (found["active"], found["actor"], found["turn"], found["round"], found["extra"]) == (1, 1, None, None, None)
    assert found["seats"][0] == dict.fromkeys(SEAT_KEYS) | {"character": "fox_kit"}
    assert found["seats"][1] == dict.fromkeys(SEAT_KEYS)
    assert len(found["draw"]) == 65


def test_steals_are_forced_and_refused_at_the_steal() -> None:
    """The tape names cards; a card that the hand lacks is an error when it is to be stolen."""
    glove = seats({"hand": ["thiefs_glove"]}, {"hand": ["dagger", "spark", "sling"]})
    position = {"seats": glove, "box": "rest", "steals": ["sling", "dagger"]}
    state = load("battle_requiem").from_position(position)
    state.apply("play thiefs_glove")
    assert state.to_position()["seats"][0]["hand"] == {"dagger": 1, "sling": 1}
    assert state.to_position()["steals"] == []
    state = load("battle_requiem").from_position(position | {"steals": ["meteor"]})
    with pytest.raises(ValueError, match="tape of steals"):
        state.apply("play thiefs_glove")


# --- refusals

DUEL = {"seats": TWO, "phase": "defend", "duel": {"defender": 1, "attack": ["dagger"]}}
ATTACK = {"seats": TWO, "phase": "attack", "duel": {"defender": 1}}
RELIC = {"card": "rainbow_relic"}
LEVY = {
    "seats": seats({"character": "cinder_duelist"}, {"hand": ["dagger", "spark", "sling"]}),
    "phase": "levy",
    "effect": RELIC | {"foe": 1},
}
THREE = [{"character": name} for name in ("cinder_duelist", "mirror_seer", "tide_dragon")]
STORM = {
    "seats": seats({"character": "storm_caller"}, {}, {"hand": ["golden_shield"]}, base=[*TWO, THREE[2]]),
    "active": 0,
    "phase": "levy",
    "effect": RELIC | {"queue": [1, 2]},
}
ROB = {
    "seats": seats({"character": "mirror_seer"}, {"hand": ["dagger", "spark", "sling"]}),
    "active": 0,
    "phase": "pick",
    "effect": RELIC | {"step": 1, "foe": 1},
}
REWARD = {"seats": seats({}, {"hp": 0}, base=THREE), "phase": "reward", "active": 0, "fallen": [1]}
TRIM = REWARD | {"phase": "trim", "seats": seats({"hand": ["dagger"] * 2, "inventory": 1}, {"hp": 0}, base=THREE)}
DRAFT = {"phase": "draft", "seats": [{"character": "fox_kit"}, {}]}
VIAL = {"seats": TWO, "phase": "choose", "effect": {"card": "twin_vial"}}


def at(position: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The position with another value at a dotted path; None takes the entry out."""
    found = copy.deepcopy(position)
    *places, last = [int(place) if place.isdigit() else place for place in path.split(".")]
    inner: Any = found
    for place in places:
        inner = inner[place]
    inner[last] = value
    if value is None:
        del inner[last]
    return found


REFUSED: list[tuple[str, Any, dict[str, Any], str]] = [
    # unknown keys and ids
    ("seat", {"seat": TWO}, {}, "did you mean seats"),
    ("seats.0", {"seats": seats({"hpp": 3})}, {}, 'unknown entry "hpp"'),
    ("duel", at(DUEL, "duel.defense", []), {}, "unknown entry"),
    ("effect", at(VIAL, "effect.target", 1), {}, "unknown entry"),
    ("phase", {"seats": TWO, "phase": "trun"}, {}, "did you mean turn"),
    ("seats.0.character", {"seats": seats({"character": "ash_squier"})}, {}, "did you mean ash_squire"),
    ("seats.0.hand", {"seats": seats({"hand": ["daggr"]})}, {}, "did you mean dagger"),
    ("seats.1.known", {"seats": seats({}, {"known": {"x": 1}})}, {}, "no card"),
    ("seats.1.fresh", {"seats": seats({}, {"fresh": [7]})}, {}, "no card"),
    ("draw", {"seats": TWO, "draw": ["x"]}, {}, "no card"),
    ("discard", {"seats": TWO, "discard": ["x"]}, {}, "no card"),
    ("box", {"seats": TWO, "box": ["x"]}, {}, "no card"),
    ("box", {"seats": TWO, "box": "rset"}, {}, "must be rest"),
    ("mix", {"seats": TWO, "mix": {"x": 1}}, {}, "no card"),
    ("steals", {"seats": TWO, "steals": ["x"]}, {}, "no card"),
    ("duel.attack", at(DUEL, "duel.attack", ["x"]), {}, "no card"),
    ("effect", at(VIAL, "effect.card", "x"), {}, "no card"),
    ("seats.0.last_turn", {"seats": seats({"last_turn": "dule"})}, {}, "did you mean duel"),
    ("seats.0.last_defence", {"seats": seats({"last_defence": "wall"})}, {}, "must be none"),
    # wrong containers and types
    ("seats", {}, {}, "missing"),
    ("seats", {"seats": TWO[0]}, {}, "must be a list"),
    ("seats", {"seats": TWO}, {"seats": 3}, "3 entries"),
    ("seats.1", {"seats": [TWO[0], "iron_marshal"]}, {}, "must be a mapping"),
    ("seats.0.hand", {"seats": seats({"hand": "dagger"})}, {}, "must be a mapping"),
    ("seats.0.hand", {"seats": seats({"hand": {"dagger": "1"}})}, {}, "whole number"),
    ("seats.0.hand", {"seats": seats({"hand": {"dagger": -1}})}, {}, "whole number"),
    ("draw", {"seats": TWO, "draw": {"dagger": 1}}, {}, "must be a list"),
    ("duel", at(DUEL, "duel", [1]), {}, "must be a mapping"),
    ("effect", at(VIAL, "effect", "twin_vial"), {}, "must be a mapping"),
    ("fallen", at(REWARD, "fallen", 1), {"seats": 3}, "must be a list"),
    ("truncated", {"seats": TWO, "truncated": "no"}, {}, "true or false"),
    ("seats.0.veil", {"seats": seats({"veil": 2})}, {}, "true or false"),
    ("active", {"seats": TWO, "active": "0"}, {}, "whole number"),
    # values out of range
    ("seats.0.hp", {"seats": seats({"hp": 31})}, {}, "from 0 to 30"),
    ("seats.0.hp", {"seats": seats({"hp": -1})}, {}, "from 0 to 30"),
    ("seats.0.inventory", {"seats": seats({"inventory": 0})}, {}, "from 1 to 12"),
    ("seats.0.inventory", {"seats": seats({"inventory": 13})}, {}, "from 1 to 12"),
    ("seats.0.skip", {"seats": seats({"skip": 4})}, {}, "from 0 to 3"),
    ("seats.0.attack_boost", {"seats": seats({"attack_boost": 21})}, {}, "from -20 to 20"),
    ("seats.0.defend_boost", {"seats": seats({"defend_boost": -21})}, {}, "from -20 to 20"),
    ("active", {"seats": TWO, "active": 2}, {}, "from 0 to 1"),
    ("turn", {"seats": TWO, "turn": 0}, {}, "from 1 to 200"),
    ("turn", {"seats": TWO, "turn": 8}, {"max_turns": 7}, "from 1 to 7"),
    ("round", {"seats": TWO, "turn": 3, "round": 4}, {}, "from 1 to 3"),
    ("extra", {"seats": TWO, "extra": 10}, {}, "from 0 to 9"),
    ("steals", {"seats": TWO, "steals": ["dagger"] * 17}, {}, "at most 16"),
    # places
    ("seats.0.place", {"seats": seats({"place": 2})}, {}, "while the seat's team is in"),
    ("seats.1.place", {"seats": seats({}, {"hp": 0, "place": 1}, base=THREE)}, {"seats": 3}, "above 1"),
    ("seats.1.place", {"seats": seats({}, {"hp": 0, "place": 2.75}, base=THREE)}, {"seats": 3}, "whole or a half"),
    ("seats.1.place", {"seats": seats({}, {"hp": 0, "place": "3"}, base=THREE)}, {"seats": 3}, "whole or a half"),
    ("seats.1.place", {"seats": seats({}, {"hp": 0, "place": 2}, base=THREE)}, {"seats": 3}, "fallen teams can have"),
    ("seats.1.place", {"seats": seats({}, {"hp": 0, "place": 2.5}, base=THREE)}, {"seats": 3}, "fallen teams can have"),
    (
        "seats.1.place",
        {"seats": seats({}, {"hp": 0, "place": 4}, {"hp": 0}, {"hp": 0}, base=[*THREE, TWO[0], TWO[1]])},
        {"seats": 5},
        "can share",
    ),
    (
        "seats.2.place",
        {
            "seats": seats({"hp": 0, "place": 2}, {}, {"hp": 0, "place": 1.5}, base=FOUR),
            "phase": "over",
        },
        TEAMS | {"seats": 4},
        "differs",
    ),
    # copies, zone by zone
    ("seats.0.hand", {"seats": seats({"hand": {"greataxe": 3}})}, {}, "3 copies of greataxe"),
    (
        "seats.1.hand",
        {"seats": seats({"hand": ["greataxe", "greataxe"]}, {"hand": ["greataxe"]})},
        {},
        "with seats.0.hand",
    ),
    ("box", {"seats": seats({"hand": ["meteor"]}), "box": {"meteor": 2}}, {}, "3 copies"),
    ("draw", {"seats": TWO, "box": {"meteor": 2}, "draw": ["meteor"]}, {}, "with box"),
    ("discard", {"seats": TWO, "draw": ["meteor"], "discard": ["meteor", "meteor"]}, {}, "with draw"),
    ("duel", at(DUEL, "discard", ["dagger", "dagger"]), {}, "with discard"),
    ("duel", at(DUEL, "duel.attack", ["dagger"] * 3), {}, "3 copies"),
    ("effect", at(VIAL, "discard", ["twin_vial"]), {}, "with discard"),
    # what is known
    ("seats.0.known", {"seats": seats({"hand": ["dagger"], "known": ["dagger", "dagger"]})}, {}, "seat 0"),
    ("seats.1.known", {"seats": seats({}, {"hand": [], "known": ["dagger"]})}, {}, "seat 1"),
    ("seats.1.known", at(DUEL, "seats.1", TWO[1] | {"hand": ["spark"], "known": ["dagger"]}), {}, "face-down"),
    ("mix", {"seats": TWO, "mix": {"dagger": 3}}, {}, "2 are in the game"),
    ("mix", {"seats": TWO, "box": "rest", "draw": ["spark"], "mix": {}}, {}, "draw pile"),
    (
        "seats.1.fresh",
        {
            "seats": seats({"hand": ["meteor"], "fresh": {"meteor": 1}}, {"fresh": {"meteor": 1}}),
            "box": "rest",
            "draw": ["meteor"],
        },
        {},
        "leave",
    ),
    # characters and teams
    ("seats.1.character", {"seats": [TWO[0], {}]}, {}, "missing"),
    ("seats.1.character", {"seats": [TWO[0], TWO[0]]}, {}, "which seat 0 has"),
    ("seats.2.character", {"seats": seats({}, {}, {"character": "mirror_seer"}, base=FOUR)}, TEAMS, "another realm"),
    ("seats.1.character", {"seats": seats({}, {"character": "ash_squire"}, base=FOUR)}, TEAMS, "belongs to the team"),
    # eliminated seats
    ("seats.1.hand", {"seats": seats({}, {"hp": 0, "hand": ["dagger"]}, base=THREE)}, {"seats": 3}, "is eliminated"),
    (
        "seats.2.hand",
        REWARD | {"seats": seats({}, {"hp": 0}, {"hp": 0, "hand": ["dagger"]}, base=[*THREE, TWO[0]])},
        {"seats": 4},
        "is eliminated",
    ),
    ("active", {"seats": seats({}, {"hp": 0}, base=THREE), "active": 1}, {"seats": 3}, "is eliminated"),
    ("seats.1.veil", {"seats": seats({}, {"hp": 0, "veil": True}, base=THREE)}, {"seats": 3}, "is eliminated"),
    ("seats.1.skip", {"seats": seats({}, {"hp": 0, "skip": 1}, base=THREE)}, {"seats": 3}, "is eliminated"),
    (
        "seats.1.attack_boost",
        {"seats": seats({}, {"hp": 0, "attack_boost": 1}, base=THREE)},
        {"seats": 3},
        "is eliminated",
    ),
    (
        "duel.defender",
        {"seats": seats({}, {"hp": 0}, base=THREE), "phase": "attack", "duel": {"defender": 1}},
        {"seats": 3},
        "is eliminated",
    ),
    ("seats", {"seats": seats({}, {"hp": 0})}, {}, "single team"),
    ("seats", {"seats": seats({"hp": 0}, {"hp": 0}), "phase": "over"}, {}, "no living seat"),
    # the duel
    ("duel", {"seats": TWO, "phase": "attack"}, {}, "missing"),
    ("duel", {"seats": TWO, "duel": {"defender": 1}}, {}, "left out"),
    ("duel.defender", at(DUEL, "duel.defender", None), {}, "missing"),
    ("duel.defender", at(DUEL, "duel.defender", 2), {}, "from 0 to 1"),
    ("duel.defender", at(DUEL, "duel.defender", 0), {}, "no opponent"),
    (
        "duel.defender",
        {"seats": FOUR, "phase": "attack", "active": 0, "duel": {"defender": 2}},
        TEAMS,
        "no opponent",
    ),
    ("duel.defender", at(DUEL, "seats.1", TWO[1] | {"veil": True}), {}, "veiled"),
    ("duel.attack", at(DUEL, "duel.attack", []), {}, "must have a card"),
    ("duel.attack", at(DUEL, "duel.attack", ["dagger", "dagger", "spark", "sling"]), {}, "at most 3"),
    ("duel.attack", at(ATTACK, "duel.attack", ["dagger", "dagger", "spark"]), {}, "at most 2"),
    ("duel.attack", at(DUEL, "duel.attack", ["golden_shield"]), {}, "no armament"),
    ("duel.defence", at(ATTACK, "duel.defence", ["dagger"]), {}, "at most 0"),
    ("duel.defence", at(DUEL, "duel.defence", ["spark"] * 3), {}, "at most 2"),
    ("duel.defence", at(DUEL, "duel.defence", ["leather_coat"]), {}, "no armament"),
    # the effect
    ("effect", {"seats": TWO, "phase": "target"}, {}, "missing"),
    ("effect", VIAL | {"phase": "turn"}, {}, "left out"),
    ("effect", at(REWARD, "effect", RELIC), {"seats": 3}, "left out"),
    ("effect", at(VIAL, "effect", {"step": 0}), {}, "must name the card"),
    ("effect", at(VIAL, "effect.card", "dagger"), {}, "no item or relic"),
    ("effect", at(VIAL, "effect.card", "fire_flask"), {}, "no branches"),
    ("effect", at(VIAL, "effect.branch", 1), {}, "must have no branch"),
    ("effect", at(VIAL, "effect.branch", 3), {}, "from 0 to 2"),
    ("effect", at(VIAL, "effect.step", 1), {}, "does not lead"),
    ("effect", at(VIAL, "effect.step", 2), {}, "from 0 to 1"),
    ("effect", at(VIAL, "effect.foe", 1), {}, "must have no foe"),
    ("effect", VIAL | {"phase": "target"}, {}, "which branch"),
    ("effect", VIAL | {"phase": "target", "effect": {"card": "fire_flask", "branch": 1}}, {}, "there is no choice"),
    (
        "effect",
        VIAL | {"phase": "target", "effect": {"card": "twin_vial", "branch": 1, "step": 1}},
        {},
        "does not lead",
    ),
    ("effect", VIAL | {"phase": "target", "effect": {"card": "fire_flask", "foe": 1}}, {}, "must have no foe"),
    ("effect", VIAL | {"phase": "target", "effect": {"card": "hourglass"}}, {}, "does not lead"),
    ("effect", LEVY | {"phase": "tribute"}, {}, "does not lead"),
    ("effect", LEVY | {"phase": "pick"}, {}, "does not lead"),
    ("effect", at(LEVY, "effect.foe", 0), {}, "other side"),
    ("effect", at(LEVY, "effect.ally", 1), {}, "other side"),
    ("effect", at(LEVY, "effect.foe", 2), {}, "from 0 to 1"),
    ("effect", at(LEVY, "effect.foe", None), {}, "must name in queue"),
    ("effect", at(LEVY, "effect.queue", [0]), {}, "no living opponent"),
    ("effect", at(at(LEVY, "effect.foe", None), "effect.queue", [1]), {}, "foe alone"),
    ("effect", at(LEVY, "effect.need", 3), {}, "from 1 to 2"),
    ("effect", at(LEVY, "effect.need", 0), {}, "from 1 to 2"),
    ("effect", at(LEVY, "seats.1", TWO[1] | {"hand": ["dagger"]}), {}, "needs 2 cards where there are 1"),
    ("effect", at(LEVY, "seats.1", TWO[1] | {"hand": ["golden_shield"]}), {}, "needs 2 cards where there are 0"),
    ("effect", at(STORM, "effect.queue", [2, 1]), {"seats": 3}, "in turn order"),
    ("effect", at(STORM, "effect.queue", [1, 1]), {"seats": 3}, "twice"),
    ("effect", at(STORM, "effect.queue", []), {"seats": 3}, "must name in queue"),
    ("effect", at(ROB, "effect.foe", None), {}, "must name the foe"),
    ("effect", at(ROB, "effect.queue", [1]), {}, "must have no queue"),
    ("effect", at(ROB, "seats.1", TWO[1] | {"hand": ["dagger"]}), {}, "needs 2 cards where there are 1"),
    (
        "effect",
        ROB | {"seats": seats({}, {"hp": 0}, base=[THREE[1], *TWO])},
        {"seats": 3},
        "is eliminated",
    ),
    # rewards
    ("fallen", {"seats": TWO, "fallen": [1]}, {}, "left out"),
    ("fallen", at(REWARD, "fallen", None), {"seats": 3}, "missing"),
    ("fallen", at(REWARD, "fallen", []), {"seats": 3}, "must name a seat"),
    ("fallen", at(REWARD, "fallen", [2]), {"seats": 3}, "no eliminated opponent"),
    ("fallen", at(REWARD, "fallen", [1, 1]), {"seats": 3}, "twice"),
    (
        "fallen",
        REWARD | {"seats": seats({}, {"hp": 0}, {"hp": 0}, base=[*THREE, TWO[0]]), "fallen": [1, 2]},
        {"seats": 4},
        "only one",
    ),
    ("seats.1.hand", at(TRIM, "seats.1", THREE[1] | {"hp": 0, "hand": ["spark"]}), {"seats": 3}, "has taken it"),
    ("phase", at(TRIM, "seats.0", THREE[0] | {"hand": ["spark"], "inventory": 1}), {"seats": 3}, "not above"),
    # the end
    ("truncated", {"seats": TWO, "truncated": True, "turn": 200}, {}, "must be false"),
    ("truncated", {"seats": TWO, "phase": "over"}, {}, "more than one team"),
    (
        "truncated",
        {"seats": seats({}, {"hp": 0}), "phase": "over", "truncated": True, "turn": 200},
        {},
        "more than one",
    ),
    ("turn", {"seats": TWO, "phase": "over", "truncated": True}, {}, "must be 200"),
    # the draft
    ("phase", DRAFT, {}, "option characters is not"),
    ("phase", {"phase": "draft", "seats": TWO}, {"characters": "draft"}, "every seat has a character"),
    ("active", DRAFT | {"active": 0}, {"characters": "draft"}, "seat 1 drafts now"),
    ("seats.1.character", {"phase": "draft", "seats": [{}, TWO[0]]}, {"characters": "draft"}, "seat 0 drafts before"),
    ("seats.0.hp", {"phase": "draft", "seats": [{"hp": 3}, {}]}, {"characters": "draft"}, "left out"),
    ("discard", DRAFT | {"discard": ["dagger"]}, {"characters": "draft"}, "must be empty"),
    ("turn", DRAFT | {"turn": 1}, {"characters": "draft"}, "from 0 to 0"),
    # nothing to decide
    ("phase", {"seats": seats({"hand": []})}, {}, "no legal action"),
    ("phase", ATTACK | {"seats": seats({"hand": ["golden_shield"]})}, {}, "no legal action"),
    ("phase", at(ROB, "seats.1", TWO[1] | {"hand": []}), {}, "no legal action"),
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
        (DUEL, {}),
        (ATTACK, {}),
        (LEVY, {}),
        (STORM, {"seats": 3}),
        (ROB, {}),
        (REWARD, {"seats": 3}),
        (TRIM, {"seats": 3}),
        (DRAFT, {"characters": "draft"}),
        (VIAL, {}),
    ],
)
def test_what_the_refusals_damage_is_sound(position: Any, options: Any) -> None:
    assert_sound(load("battle_requiem", **options).from_position(position))


@pytest.mark.parametrize("position", [None, [], "turn", 3])
def test_a_position_is_a_mapping(position: Any) -> None:
    with pytest.raises(PositionError, match="must be a mapping"):
        read(position)


# --- dump, load, dump


@pytest.mark.parametrize("variant", VARIANTS)
def test_states_of_random_games_read_back(variant: str) -> None:
    """Everything that a state holds is in its dump: half of all states of a game, and its end."""
    state = load("battle_requiem", **VARIANTS[variant]).new_state(1)
    rng = np.random.default_rng(7)
    while not state.is_over:
        if rng.random() < 0.5:
            assert_sound(state)
        state.apply(int(rng.choice(state.legal_actions())))
    assert_sound(state)


def test_states_of_every_phase_read_back() -> None:
    game = load("battle_requiem", characters="draft", **VARIANTS["placement"])
    rng = np.random.default_rng(7)
    seen: Counter[str] = Counter()
    for seed in range(60):
        state = game.new_state(seed)
        while not state.is_over:
            phase = PHASES[int(state.states[0].phase)]
            # The common phases are checked a few times, the rare ones always, with an effect in progress too.
            if seen[phase] < 20 or phase in ("reward", "trim"):
                assert_sound(state)
                if phase in ("reward", "trim") and int(state.states[0].eff_card) >= 0:
                    phase += " in an effect"
            seen[phase] += 1
            state.apply(int(rng.choice(state.legal_actions())))
    assert set(seen) == {*PHASES[:-1], "reward in an effect", "trim in an effect"}


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(VARIANTS)))
def test_states_of_any_game_read_back(seed: int, variant: str) -> None:
    state = load("battle_requiem", **VARIANTS[variant]).new_state(seed)
    rng = np.random.default_rng(seed)
    while not state.is_over:
        if rng.random() < 0.2:
            assert_sound(state)
        state.apply(int(rng.choice(state.legal_actions())))
    assert_sound(state)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(VARIANTS)))
def test_damaged_positions_are_refused_by_key_or_can_be_played(seed: int, variant: str) -> None:
    # A damaged tape of steals is an error at the steal, which has a test of its own.
    keys = [key for key in KEYS if key != "steals"]
    words = ("dagger", "ash_squire", "rest", "levy", [0], [1], {"dagger": 1}, ["meteor"])
    check_damaged(load("battle_requiem", **VARIANTS[variant]), seed, keys, words, "turn", assert_sound)
