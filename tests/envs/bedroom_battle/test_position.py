"""Position notation: defaults, every refusal with its key, and dump -> load -> dump on random games of variants."""

from __future__ import annotations

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
from cardzoo.envs.bedroom_battle.notation import DERIVED, KEYS
from cardzoo.envs.bedroom_battle.position import dump_position, load_position
from tests.support.bedroom_battle import assert_sound
from tests.support.positions import check_damaged

EXAMPLE = yaml.safe_load((Path(__file__).parent / "example_position.yaml").read_text(encoding="utf-8"))
SMALL = [f"small_{number:02d}" for number in range(1, 17)]
HOT = [f"hot_{number:02d}" for number in range(1, 29)]


def read(position: Any, seed: int = 0, **options: Any) -> dict[str, Any]:
    """The dump of a position before any automatic step."""
    game = load("bedroom_battle", **options)
    return dump_position(game, load_position(game, position, seed))


# --- defaults


def test_an_empty_position_is_the_first_battle() -> None:
    found = read({})
    assert (found["phase"], found["round"], found["turns"], found["passes"]) == ("battle", 1, 0, 0)
    assert (found["starter"], found["actor"], found["last_winner"], found["bails"]) == (0, 0, None, [2, 2])
    assert found["hands"] == found["known"] == found["board"] == found["won"] == [[], []]
    assert found["pot"] == ["small_01"]
    assert found["pile"] == SMALL[1:5] + HOT[:7]
    assert (found["unused_small"], found["unused_hot"], found["final"]) == (SMALL[5:], HOT[7:], ["final_1"])
    assert found["counts"]["deck"] == 100
    assert found["draft"] is found["select"] is found["pending"] is found["reward"] is None


@pytest.mark.parametrize(
    ("position", "options", "pot", "pile"),
    [
        ({"round": 3}, {}, ["small_01"], SMALL[1:3] + HOT[:7]),
        ({"round": 6}, {}, ["hot_01"], HOT[1:7]),
        ({"round": 12}, {}, ["hot_01"], []),
        ({"round": 13}, {}, ["hot_01"], []),
        ({"round": 2, "won": [["small_01"], []]}, {}, ["small_02"], [*SMALL[2:5], *HOT[:7]]),
        ({"round": 1}, {"small_rewards": 0, "hot_rewards": 3}, ["hot_01"], HOT[1:3]),
        ({"phase": "draft", "draft": "setup_1", "row": ["granny"]}, {}, [], SMALL[:5] + HOT[:7]),
        (
            {
                "phase": "challenge",
                "round": 2,
                "last_winner": 0,
                "won": [["small_09"], []],
                "reward": {"cards": ["small_09"]},
            },
            {},
            [],
            SMALL[:3] + HOT[:7],
        ),
    ],
)
def test_omitted_pot_and_pile(position: Any, options: Any, pot: list[str], pile: list[str]) -> None:
    """Section 10: first free ids in table order; the pile is what an ordinary game still has."""
    found = read(position, **options)
    assert (found["pot"], found["pile"]) == (pot, pile)


def test_omitted_pile_while_rewards_are_selected() -> None:
    options = {"select_rewards": True, "small_rewards": 1, "hot_rewards": 2}
    hot = read({"phase": "select", "select": {"kind": "hot", "row": HOT[:4]}}, **options)
    assert (hot["pile"], hot["unused_hot"]) == ([], HOT[4:])
    small = read({"phase": "select", "select": {"kind": "small", "row": SMALL[:2]}}, **options)
    assert (small["pile"], small["unused_hot"], small["unused_small"]) == (HOT[:2], HOT[2:], SMALL[2:])


@pytest.mark.parametrize(
    ("position", "actor"),
    [
        ({"starter": 1}, 1),
        ({"phase": "draft", "row": ["granny", "maid", "maid"], "starter": 1}, 1),
        ({"phase": "draft", "row": ["granny", "maid"], "starter": 1}, 0),
        ({"phase": "draft", "row": ["granny"]}, 0),
        ({"phase": "draft", "draft": "setup_1", "row": ["granny"]}, 1),
        ({"phase": "draft", "draft": "setup_2", "row": ["granny"]}, 0),
        ({"phase": "draft", "draft": "setup_2", "row": ["granny", "maid"]}, 1),
        ({"phase": "attach", "board": [["maid"], []], "pending": {"card": "fit_body", "by": 1}}, 1),
        (
            {
                "phase": "discard",
                "hands": [["maid", "granny"], []],
                "pending": {"card": "gossip", "by": 1, "part": "mode", "mode": 2},
            },
            0,
        ),
    ],
)
def test_omitted_actor(position: Any, actor: int) -> None:
    """Section 10: the seat section 6 names, in a draft by the number already picked from a full row."""
    assert read(position)["actor"] == actor


def test_omitted_actor_while_rewards_are_selected() -> None:
    options = {"select_rewards": True, "small_rewards": 2, "hot_rewards": 2}
    for kind, ids, first in (("hot", HOT, 1), ("small", SMALL, 0)):
        for kept in range(2):
            select = {"kind": kind, "row": ids[kept:4], "kept": ids[:kept]}
            assert read({"phase": "select", "starter": 1, "select": select}, **options)["actor"] == first ^ kept


def test_known_is_the_whole_hand_unless_there_is_no_draft() -> None:
    assert read({"hands": [["maid"], []]})["known"] == [["maid"], []]
    assert read({"hands": [["maid"], []]}, draft="none")["known"] == [[], []]


def test_listed_deck_cards_are_on_top_and_the_rest_is_shuffled_by_the_seed() -> None:
    decks = [read({"deck": ["maid", "bribe"]}, seed)["deck"] for seed in (1, 1, 2)]
    assert all(deck[:2] == ["maid", "bribe"] and len(deck) == 100 for deck in decks)
    assert decks[0] == decks[1] != decks[2]
    assert Counter(decks[0]) == Counter(decks[2])
    game = load("bedroom_battle")
    rng = [load_position(game, {}, seed)[0].rng.tolist() for seed in (1, 2)]
    assert rng[0] != rng[1]


def test_rest_out_takes_unplaced_cards_out_of_the_game() -> None:
    game = load("bedroom_battle")
    states = load_position(game, {"hands": [["maid"], []], "deck": ["granny"], "rest": "out"})
    assert int(states[0].copies.sum()) == 2
    assert dump_position(game, states)["deck"] == ["granny"]


def test_a_held_card_is_not_in_the_deck() -> None:
    held = {"phase": "attach", "board": [["maid"], []], "pending": {"card": "private_jet", "by": 0}}
    assert "private_jet" not in read(held)["deck"]
    played = EXAMPLE | {"deck": []}
    assert read(played)["deck"].count("caveman") == 1  # the other of two; the one being resolved stands on the board


def test_derived_keys_are_ignored() -> None:
    dump = read(EXAMPLE)
    assert read(dump | {"appeal": 5, "totals": None, "counts": {"deck": -1}, "returns": "x", "truncated": True}) == dump


def test_a_dump_has_every_key_in_order_and_is_plain() -> None:
    dump = read(EXAMPLE)
    assert tuple(dump) == KEYS + DERIVED
    assert json.loads(json.dumps(dump)) == dump
    assert yaml.safe_load(yaml.safe_dump(dump)) == dump


def test_a_position_may_be_the_dump_of_every_listed_thing() -> None:
    dump = read(EXAMPLE)
    assert {key: dump[key] for key in EXAMPLE if key not in ("deck", "hands", "known")} == {
        key: EXAMPLE[key] for key in EXAMPLE if key not in ("deck", "hands", "known")
    }
    assert dump["deck"][:2] == EXAMPLE["deck"]
    assert [sorted(hand) for hand in dump["hands"]] == [sorted(hand) for hand in EXAMPLE["hands"]]


def test_automatic_steps_are_taken_after_loading() -> None:
    """Section 6: a lone host, discards that all must go, a lone letter, acceptance without bails."""
    game = load("bedroom_battle")
    attach = game.from_position({"phase": "attach", "board": [["maid"], []], "pending": {"card": "fit_body", "by": 0}})
    assert attach.to_position()["board"] == [["maid+fit_body"], []]
    gossip = {"card": "gossip", "by": 1, "part": "mode", "mode": 2}
    discard = game.from_position({"phase": "discard", "hands": [["maid"], []], "pending": gossip})
    assert discard.to_position()["discard"] == ["gossip", "maid"]
    won = {"last_winner": 0, "starter": 1, "won": [["small_01"], []], "bails": [2, 0], "pile": ["hot_01"]}
    letter = game.from_position(won | {"phase": "challenge", "reward": {"cards": ["small_01"], "bailed": ["a", "c"]}})
    assert letter.to_position()["performed"] == {"small_01": "b"}
    accepted = game.from_position(won | {"phase": "bail", "reward": {"cards": ["small_01"], "letter": "b"}})
    assert accepted.to_position()["performed"] == {"small_01": "b"}


# --- refusals

WON = {"phase": "challenge", "last_winner": 0, "starter": 1, "won": [["small_01", "small_02"], []]}
ATTACH = {"phase": "attach", "board": [["maid"], ["granny"]]}
SELECT = {"phase": "select", "select": {"kind": "hot", "row": HOT[:4]}}
SELECTION = {"select_rewards": True, "small_rewards": 1, "hot_rewards": 2}


def pending(**entries: Any) -> dict[str, Any]:
    """The example with other entries in `pending`; None takes one out."""
    return EXAMPLE | {"pending": {k: v for k, v in (EXAMPLE["pending"] | entries).items() if v is not None}}


REFUSED: list[tuple[str, Any, dict[str, Any], str]] = [
    # unknown names
    ("hand", {"hand": [[], []]}, {}, "did you mean hands"),
    ("phase", {"phase": "batle"}, {}, "did you mean battle"),
    ("phase", {"phase": 2}, {}, "must be select"),
    ("hands", {"hands": [["grany"], []]}, {}, "did you mean granny"),
    ("deck", {"deck": [7]}, {}, "no battle card"),
    ("pot", {"pot": ["granny"]}, {}, "no reward card"),
    ("random_hand", {"random_hand": ["x"]}, {}, "no battle card"),
    # wrong containers and types
    ("hands", {"hands": [[]]}, {}, "two entries"),
    ("hands", {"hands": "granny"}, {}, "must be a list"),
    ("hands", {"hands": ["granny", "maid"]}, {}, "must be a list"),
    ("board", {"board": [["granny"]]}, {}, "two entries"),
    ("board", {"board": [[["granny"]], []]}, {}, "must hold texts"),
    ("deck", {"deck": {"granny": 1}}, {}, "must be a list"),
    ("won", {"won": ["small_01"]}, {}, "two entries"),
    ("round", {"round": "3"}, {}, "whole number"),
    ("round", {"round": 3.0}, {}, "whole number"),
    ("turns", {"turns": True}, {}, "whole number"),
    ("starter", {"starter": "0"}, {}, "whole number"),
    ("rest", {"rest": "gone"}, {}, "must be deck or out"),
    ("performed", {"performed": ["small_01"]}, {}, "must be a mapping"),
    ("pending", EXAMPLE | {"pending": "caveman"}, {}, "must be a mapping"),
    ("reward", WON | {"reward": ["small_01"]}, {}, "must be a mapping"),
    # values that cannot occur
    ("round", {"round": 0}, {}, "from 1 to 32"),
    ("round", {"round": 33}, {}, "from 1 to 32"),
    ("round", {"phase": "draft", "draft": "setup_1", "row": ["maid"], "round": 1}, {}, "from 0 to 0"),
    ("turns", {"turns": 100}, {}, "from 0 to 99"),
    ("turns", {"turns": 3}, {"max_turns": 3}, "from 0 to 2"),
    ("passes", {"passes": 2}, {}, "from 0 to 1"),
    ("passes", {"passes": -1}, {}, "from 0 to 1"),
    ("passes", ATTACH | {"pending": {"card": "fit_body", "by": 0}, "passes": 1}, {}, "from 0 to 0"),
    ("starter", {"starter": 2}, {}, "from 0 to 1"),
    ("actor", {"actor": 2}, {}, "from 0 to 1"),
    ("actor", EXAMPLE | {"actor": 0}, {}, "seat 1 decides"),
    ("actor", WON | {"reward": {"cards": ["small_02"]}, "actor": 1}, {}, "seat 0 decides"),
    ("actor", {"phase": "over", "last_winner": 0, "actor": 0}, {}, "must be null"),
    ("last_winner", {"last_winner": 2}, {}, "from 0 to 1"),
    ("last_winner", {"phase": "over"}, {}, "decides the game"),
    (
        "last_winner",
        {k: v for k, v in WON.items() if k != "last_winner"} | {"reward": {"cards": ["small_02"]}},
        {},
        "missing",
    ),
    ("bails", {"bails": [2, 3]}, {}, "from 0 to 2"),
    ("bails", {"bails": [2]}, {}, "two entries"),
    ("draft", {"draft": "setup_1"}, {}, "only the phase"),
    ("draft", {"phase": "draft", "row": ["maid"], "draft": "setup_3"}, {}, "must be setup_1"),
    ("phase", SELECT, {}, "select_rewards is off"),
    ("phase", {"phase": "draft", "row": ["maid"]}, {"draft": "none"}, "draft is none"),
    ("phase", WON | {"reward": {"cards": ["small_02"]}}, {"challenges": "skip"}, "challenges is skip"),
    # battle cards
    ("hands", {"hands": [["bribe", "bribe"], ["bribe"]]}, {}, "3 copies of bribe"),
    ("deck", {"hands": [["bribe", "bribe"], []], "deck": ["bribe"]}, {}, "hands"),
    ("discard", {"discard": ["bribe"] * 3}, {}, "3 copies"),
    ("board", {"board": [["rock_star", "rock_star"], []]}, {}, "2 copies"),
    ("row", {"phase": "draft", "row": ["rock_star"], "board": [[], []], "hands": [["rock_star"], []]}, {}, "2 copies"),
    (
        "pending",
        {"phase": "attach", "board": [["maid+private_jet"], []], "pending": {"card": "private_jet", "by": 0}},
        {},
        "copies",
    ),
    ("known", {"hands": [["maid"], []], "known": [["maid", "maid"], []]}, {}, "hand of seat 0"),
    ("known", {"hands": [["maid"], []], "known": [[], ["maid"]]}, {}, "hand of seat 1"),
    ("row", {"row": ["maid"]}, {}, "must be empty"),
    ("row", {"phase": "draft"}, {}, "1 to 3"),
    ("row", {"phase": "draft", "row": ["maid", "granny", "bribe", "caveman"]}, {}, "1 to 3"),
    (
        "row",
        {"phase": "draft", "draft": "setup_2", "row": ["average_joe"] * 4 + ["granny"] * 3 + ["maid"] * 2},
        {},
        "1 to 8",
    ),
    ("random_hand", {"random_hand": ["maid"] * 17}, {}, "at most 16"),
    # board
    ("board", {"board": [["fit_body"], []]}, {}, "no character"),
    ("board", {"board": [["granny+maid"], []]}, {}, "no item or attribute"),
    ("board", {"board": [["granny+bribe"], []]}, {}, "no item or attribute"),
    ("board", {"board": [["granny+"], []]}, {}, "no battle card"),
    ("board", {"board": [["granny + fit_body"], []]}, {}, "no battle card"),
    (
        "board",
        {
            "board": [
                ["average_joe"] * 4
                + ["charming_twin"] * 3
                + ["granny"] * 3
                + ["maid", "caveman", "cat_burglar"] * 2
                + ["rock_star"],
                [],
            ]
        },
        {},
        "at most 16",
    ),
    ("board", {"phase": "draft", "row": ["maid"], "board": [["granny"], []]}, {}, "must be empty"),
    ("board", WON | {"reward": {"cards": ["small_02"]}, "board": [[], ["granny"]]}, {}, "must be empty"),
    # reward cards
    ("pot", {"pot": []}, {}, "at least one"),
    ("pot", {"phase": "draft", "row": ["maid"], "pot": []}, {}, "at least one"),
    ("pot", {"phase": "draft", "draft": "setup_1", "row": ["maid"], "pot": ["small_01"]}, {}, "must be empty"),
    ("pot", {"pot": ["final_1"]}, {}, "only small or hot"),
    ("pot", {"pot": ["small_01", "small_01"]}, {}, "twice"),
    ("pot", {"pot": ["small_01"], "won": [["small_01"], []]}, {}, "won"),
    ("pile", {"pot": ["small_01"], "pile": ["small_01"]}, {}, "pot"),
    ("pile", {"pile": ["hot_01", "small_02"]}, {}, "above a small"),
    ("unused_hot", {"unused_hot": ["small_10"]}, {}, "only hot"),
    ("unused_small", {"unused_small": ["hot_10"]}, {}, "only small"),
    ("won", {"won": [["final_1"], []]}, {}, "only small or hot"),
    ("won", {"won": [["small_01"], ["small_01"]]}, {}, "twice"),
    ("final", {"final": []}, {}, "1 final"),
    ("final", {"final": ["final_1"]}, {"final_rewards": 2}, "2 final"),
    ("final", {"final": ["hot_01"]}, {}, "only final"),
    ("final", {"final": ["final_1", "final_1"]}, {"final_rewards": 2}, "twice"),
    ("performed", {"won": [["small_02"], []], "performed": {"small_02": "d"}}, {}, "must be a, b or c"),
    ("performed", {"performed": {"small_01": "a"}}, {}, "not among the cards won"),
    ("performed", {"performed": {"granny": "a"}}, {}, "unknown entry"),
    ("performed", {"performed": {"final_1": "a"}}, {}, "not among the cards won"),
    (
        "performed",
        WON | {"reward": {"cards": ["small_02"]}, "performed": {"small_02": "a"}},
        {},
        "not among the cards won",
    ),
    ("prefs", {"prefs": {"small_01": [[1, 2, 3], [1, 2, 3]]}}, {}, "challenge_weight"),
    ("prefs", {"prefs": {"small_01": [[1, 2], [1, 2, 3]]}}, {"challenge_weight": 1}, "3 preferences"),
    ("prefs", {"prefs": {"small_01": [[1, 2, 3]]}}, {"challenge_weight": 1}, "two entries"),
    ("prefs", {"prefs": {"small_01": [[1, 2, 101], [0, 0, 0]]}}, {"challenge_weight": 1}, "from -100 to 100"),
    ("prefs", {"prefs": {"maid": [[0, 0, 0], [0, 0, 0]]}}, {"challenge_weight": 1}, "unknown entry"),
    # selection
    ("select", {"phase": "select"}, SELECTION, "missing"),
    ("select", {"select": {"kind": "hot", "row": HOT[:4]}}, SELECTION, "left out"),
    ("select", {"phase": "select", "select": {"kind": "final", "row": []}}, SELECTION, "must be small or hot"),
    ("select", {"phase": "select", "select": {"kind": "hot", "row": HOT[:3]}}, SELECTION, "4 hot rewards"),
    (
        "select",
        {"phase": "select", "select": {"kind": "hot", "row": HOT[:2], "kept": HOT[2:4]}},
        SELECTION,
        "less than 2 kept",
    ),
    ("select", {"phase": "select", "select": {"kind": "hot", "row": [*HOT[:3], "small_01"]}}, SELECTION, "only hot"),
    ("select", {"phase": "select", "select": {"kind": "hot", "row": [*HOT[:3], "hot_01"]}}, SELECTION, "twice"),
    ("select", {"phase": "select", "select": {"kind": "hot", "rows": HOT[:4]}}, SELECTION, "unknown entry"),
    # the card being resolved
    ("pending", {"phase": "target"}, {}, "missing"),
    ("pending", {"pending": {"card": "maid", "by": 0}}, {}, "left out"),
    ("pending", pending(card=None), {}, "must name card"),
    ("pending", pending(card="cave_man"), {}, "did you mean caveman"),
    ("pending", pending(by=None), {}, "must name by"),
    ("pending", pending(by=2), {}, "from 0 to 1"),
    ("pending", pending(part=None), {}, "must name the part"),
    ("pending", pending(part="while"), {}, "must be cost, play or mode"),
    ("pending", pending(part="mode"), {}, "which mode"),
    ("pending", pending(part="mode", mode=1), {}, "no modes"),
    ("pending", pending(mode=1), {}, "no mode before"),
    ("pending", pending(step=2), {}, "has 1 steps"),
    ("pending", pending(step=0), {}, "has 1 steps"),
    ("pending", pending(at=None), {}, "must say in at"),
    ("pending", pending(at="own 3"), {}, "has 2 characters"),
    ("pending", pending(at="own 0"), {}, "has 2 characters"),
    ("pending", pending(at="opp 1"), {}, "another card"),
    ("pending", pending(at="mine 1"), {}, "must be a slot"),
    ("pending", pending(at="own"), {}, "must be a slot"),
    ("pending", pending(first="own 1"), {}, "no first"),
    ("pending", pending(item="convertible"), {}, "no item"),
    ("pending", pending(left=1), {}, "no left"),
    ("pending", pending(extra="yes"), {}, "true or false"),
    ("pending", pending(end=2), {}, "true or false"),
    ("pending", pending(colour="red"), {}, "unknown entry"),
    ("pending", pending() | {"phase": "swap"}, {}, "does not lead"),
    ("pending", pending() | {"phase": "discard"}, {}, "does not lead"),
    ("pending", pending() | {"phase": "item"}, {}, "must name first"),
    ("pending", pending(first="own 1") | {"phase": "item"}, {}, "no item on that"),
    ("pending", pending(card="maid", at="own 1") | {"board": [[], ["maid"]]}, {}, "does not lead"),
    ("pending", ATTACH | {"pending": {"card": "maid", "by": 0}}, {}, "only items and attributes"),
    ("pending", ATTACH | {"pending": {"card": "fit_body", "by": 0, "at": "own 1"}}, {}, "no at"),
    ("pending", ATTACH | {"pending": {"card": "fit_body", "by": 0, "part": "cost"}}, {}, "must have the part play"),
    ("pending", ATTACH | {"pending": {"card": "fit_body", "by": 0, "step": 2}}, {}, "must have the step 1"),
    ("pending", {"phase": "mode", "pending": {"card": "gossip", "by": 0, "mode": 1}}, {}, "no mode before"),
    ("pending", {"phase": "mode", "pending": {"card": "bribe", "by": 0}}, {}, "no modes"),
    (
        "pending",
        {
            "phase": "discard",
            "hands": [["maid"], []],
            "pending": {"card": "gossip", "by": 1, "part": "mode", "mode": 3},
        },
        {},
        "from 1 to 2",
    ),
    (
        "pending",
        {"phase": "discard", "pending": {"card": "gossip", "by": 1, "part": "mode", "mode": 2}},
        {},
        "hand is empty",
    ),
    (
        "pending",
        {
            "phase": "discard",
            "hands": [["maid"], []],
            "pending": {"card": "gossip", "by": 1, "part": "mode", "mode": 2, "left": 2},
        },
        {},
        "from 1 to 1",
    ),
    (
        "pending",
        {
            "phase": "dest",
            "board": [["maid+convertible", "stage_magician"], []],
            "pending": {
                "card": "stage_magician",
                "by": 0,
                "at": "own 2",
                "part": "play",
                "first": "own 1",
                "item": "mankini",
            },
        },
        {},
        "not on the character",
    ),
    (
        "pending",
        {
            "phase": "swap",
            "board": [["maid"], ["granny"]],
            "pending": {"card": "body_swap", "by": 0, "part": "play", "first": "opp 1"},
        },
        {},
        "own character in first",
    ),
    (
        "pending",
        {"phase": "target", "board": [[], ["robot_butler"]], "pending": {"card": "bribe", "by": 0, "part": "play"}},
        {},
        "no legal answer",
    ),
    # the challenge
    ("reward", WON, {}, "missing"),
    ("reward", {"reward": {"cards": ["small_01"]}}, {}, "left out"),
    ("reward", WON | {"reward": {}}, {}, "must be a list"),
    ("reward", WON | {"reward": {"cards": []}}, {}, "must name in cards"),
    ("reward", WON | {"reward": {"cards": ["small_01"]}}, {}, "last cards"),
    ("reward", WON | {"reward": {"cards": ["small_02", "small_01"]}}, {}, "last cards"),
    ("reward", WON | {"reward": {"cards": ["small_02"], "letter": "a"}}, {}, "no letter"),
    ("reward", WON | {"phase": "bail", "reward": {"cards": ["small_02"]}}, {}, "must be a, b or c"),
    ("reward", WON | {"phase": "bail", "reward": {"cards": ["small_02"], "letter": "d"}}, {}, "must be a, b or c"),
    ("reward", WON | {"reward": {"cards": ["small_02"], "bailed": ["a"]}}, {}, "has used 0 bails"),
    (
        "reward",
        WON | {"bails": [2, 0], "reward": {"cards": ["small_02"], "bailed": ["a", "b", "c"]}},
        {},
        "has used 2 bails",
    ),
    ("reward", WON | {"bails": [2, 0], "reward": {"cards": ["small_02"], "bailed": ["a", "a"]}}, {}, "twice"),
    (
        "reward",
        WON | {"phase": "bail", "bails": [2, 1], "reward": {"cards": ["small_02"], "letter": "a", "bailed": ["a"]}},
        {},
        "among those bailed",
    ),
    ("reward", WON | {"reward": {"cards": ["final_2"]}}, {}, "set aside"),
    ("pile", {"phase": "final", "last_winner": 0, "pile": ["hot_28"]}, {"final_rewards": 2}, "must be empty"),
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


def test_line_break_in_a_key_is_shown_as_an_escape() -> None:
    with pytest.raises(PositionError, match=r'Position key "a\\nb" is unknown'):
        read({"a\nb": 1})


@pytest.mark.parametrize("position", [None, [], "battle", 3])
def test_a_position_is_a_mapping(position: Any) -> None:
    with pytest.raises(PositionError, match="must be a mapping"):
        read(position)


def test_restrictions_are_not_checked_on_the_board() -> None:
    """R10: they hold when a card is played or moved, so a board may show a mismatch."""
    assert read({"board": [["rotting_zombie+mankini"], []]})["appeal"] == [[0], []]


def test_the_final_challenge_and_the_end_know_the_winner() -> None:
    final = {"phase": "challenge", "won": [["small_01"], []], "final": ["final_4"], "reward": {"cards": ["final_4"]}}
    found = read(final)
    assert (found["actor"], found["reward"]["cards"], found["pile"]) == (0, ["final_4"], [])
    over = {"phase": "over", "won": [["small_01"], ["small_02"]], "last_winner": 1}
    assert read(over)["returns"] == [-1.0, 1.0]
    assert read(over | {"pile": ["hot_01"]})["returns"] == [0.0, 0.0]
    assert read(over | {"pile": ["hot_01"]})["truncated"] is True


def test_performed_challenges_count_for_the_returns() -> None:
    over = {
        "phase": "over",
        "won": [["small_01"], []],
        "final": ["final_1"],
        "performed": {"small_01": "b", "final_1": "c"},
        "prefs": {"small_01": [[0, 40, 0], [0, -20, 0]], "final_1": [[0, 0, 100], [0, 0, 60]]},
    }
    assert read(over, challenge_weight=0.5)["returns"] == pytest.approx([1 + 0.5 * 340 / 400, -1 + 0.5 * 160 / 400])


# --- dump, load, dump

VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"select_rewards": True, "small_rewards": 2, "hot_rewards": 3, "final_rewards": 3},
    {"draft": "none", "challenge_weight": 0.5, "small_rewards": 2, "hot_rewards": 3},
    {"challenges": "skip", "max_rounds": 6, "max_turns": 9, "reshuffle": "eager"},
)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(VARIANTS))
def test_states_of_random_games_read_back(seed: int, variant: dict[str, Any]) -> None:
    """Invariant 10: dump, load, dump is the identity."""
    state = load("bedroom_battle", **variant).new_state(seed)
    rng = np.random.default_rng(seed)
    while not state.is_over:
        if rng.random() < 0.5:
            assert_sound(state)
        state.apply(int(rng.choice(state.legal_actions())))
    assert_sound(state)


# --- whatever a position says, it is refused by key or is a game that can be played


@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(VARIANTS))
def test_damaged_positions_are_refused_by_key_or_can_be_played(seed: int, variant: dict[str, Any]) -> None:
    words = ("maid", "small_01", "own 1", "gone")
    check_damaged(load("bedroom_battle", **variant), seed, KEYS, words, "battle", assert_sound)
