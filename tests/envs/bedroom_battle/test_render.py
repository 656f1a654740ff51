"""The table as text: what each viewer sees, every question in words, never wider than 100 columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import load
from tests.support.worlds import check_views

EXAMPLE = yaml.safe_load((Path(__file__).parent / "example_position.yaml").read_text(encoding="utf-8"))
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"select_rewards": True, "small_rewards": 2, "hot_rewards": 2, "final_rewards": 3},
    {"draft": "none", "challenge_weight": 0.5, "preset": "quick"},
)


def table(position: Any, viewer: int | None = None, **options: Any) -> str:
    return load("bedroom_battle", **options).from_position(position).render(viewer)


def side(text: str, seat: int) -> str:
    """The part of a table that belongs to a seat."""
    return next(part for part in text.split("-" * 100 + "\n") if part.startswith(f"SEAT {seat}"))


def test_the_example_as_a_person_reads_it() -> None:
    assert table(EXAMPLE, 0).splitlines() == [
        "Bedroom Battle: round 3, turn 8; seat 0 starts; the last decided round went to seat 1",
        "-" * 100,
        "SEAT 1  total appeal 5, bails 1, won 1: small_02(a)",
        "   1    4  drag_queen (m/f 4)",
        "   2    1  caveman (m 1)  [being resolved]",
        "    hand 2: maid, bribe",
        "-" * 100,
        "pot: small_03; reward pile 9 (2 small, 7 hot); unused 11 small, 21 hot; final: 1 face down",
        "deck 86; discard pile 2, top first: lucky_coin, gossip",
        "-" * 100,
        "SEAT 0 (you)  total appeal 22, bails 2, won 1: small_01(b)",
        "   1   12  fair_maiden (f 4), private_jet +5, british_accent +3",
        "   2   10  rock_star (m 7), acoustic_guitar +3",
        "    hand 3: average_joe, granny*, fit_body* (*: seen by the other seat)",
        "-" * 100,
        'Seat 1 is asked to choose a target or decline for caveman (own 2), effect "may discard_item any".',
    ]


def test_the_own_side_is_below_and_the_own_hand_is_shown() -> None:
    position = {"hands": [["maid", "granny"], ["bribe", "caveman", "firefighter"]], "known": [["maid"], ["bribe"]]}
    for viewer in range(2):
        text = table(position, viewer)
        assert text.index(f"SEAT {1 - viewer}") < text.index(f"SEAT {viewer} (you)")
    assert "hand 2: granny, maid*" in table(position, 0)
    assert "hand 3: bribe, 2 hidden" in side(table(position, 0), 1)
    assert "caveman" not in table(position, 0)
    assert "hand 3: firefighter, caveman, bribe*" in table(position, 1)
    assert "granny" not in table(position, 1)


def test_nobody_sees_everything() -> None:
    position = {"hands": [["maid"], ["bribe"]], "known": [[], []], "deck": ["granny", "mankini"], "final": ["final_7"]}
    text = table(position)
    assert "hand 1: maid" in side(text, 0)
    assert "hand 1: bribe" in side(text, 1)
    assert "top first: granny, mankini, " in text
    assert "top first: small_02, small_03" in " ".join(text.split())
    assert "final: final_7" in text


def test_guards_seals_and_values_are_shown() -> None:
    text = table({"board": [["average_joe+clown_shoes+hard_to_get", "robot_butler"], []]})
    assert "   1    3  average_joe (m 3), clown_shoes -2, hard_to_get +2  [sealed]" in text
    assert "   2    4  robot_butler (- 4)  [guarded]" in text
    assert "SEAT 0  total appeal 7" in text


QUESTIONS: list[tuple[Any, dict[str, Any], str]] = [
    ({"hands": [["maid"], []]}, {}, "Seat 0 is asked to play a card or pass."),
    ({"passes": 1, "actor": 1}, {}, "Seat 1 is asked to play a card or pass (seat 0 has just passed)."),
    ({"phase": "draft", "row": ["maid", "granny"]}, {}, "Seat 1 is asked to pick a card of the row."),
    (
        {"phase": "draft", "draft": "setup_2", "row": ["maid", "granny"]},
        {},
        "pick a card of the row (second row of the setup).",
    ),
    ({"phase": "extra", "hands": [["maid"], []]}, {}, "play one more card or decline."),
    (
        {"phase": "attach", "board": [["maid"], ["granny"]], "pending": {"card": "fit_body", "by": 1}},
        {},
        "Seat 1 is asked to choose the character that fit_body is played on.",
    ),
    (
        {"phase": "mode", "pending": {"card": "gossip", "by": 0}},
        {},
        "choose a mode of gossip: 1 = peek; draw 1, 2 = opp_discard 1.",
    ),
    (
        {
            "phase": "item",
            "board": [[], ["granny+convertible+mankini", "caveman"]],
            "pending": {"card": "caveman", "by": 1, "at": "own 2", "part": "play", "first": "own 1"},
        },
        {},
        'choose an item of the character at own 1 for caveman (own 2), effect "may discard_item any".',
    ),
    (
        {
            "phase": "dest",
            "board": [["stage_magician", "maid"], ["granny+convertible"]],
            "pending": {
                "card": "stage_magician",
                "by": 0,
                "at": "own 1",
                "part": "play",
                "first": "opp 1",
                "item": "convertible",
            },
        },
        {},
        'gets convertible from the character at opp 1 for stage_magician (own 1), effect "may move_item any".',
    ),
    (
        {
            "phase": "swap",
            "board": [["maid"], ["granny", "caveman"]],
            "pending": {"card": "body_swap", "by": 0, "part": "play", "first": "own 1"},
        },
        {},
        'choose whom the character at own 1 changes places with for body_swap, effect "swap_char".',
    ),
    (
        {
            "phase": "discard",
            "hands": [["maid", "granny"], []],
            "pending": {"card": "gossip", "by": 1, "part": "mode", "mode": 2},
        },
        {},
        'Seat 0 is asked to discard 1 card for gossip, effect "opp_discard 1" of seat 1.',
    ),
    (
        {
            "phase": "discard",
            "hands": [["maid", "granny"], []],
            "pending": {"card": "billionaire", "by": 0, "part": "cost"},
        },
        {},
        'Seat 0 is asked to discard 1 card for billionaire, cost "discard 1".',
    ),
    (
        {
            "phase": "challenge",
            "last_winner": 1,
            "won": [[], ["small_04"]],
            "bails": [1, 2],
            "reward": {"cards": ["small_04"], "bailed": ["b"]},
        },
        {},
        "Seat 1 is asked to pick a challenge of small_04 (bailed: b).",
    ),
    (
        {
            "phase": "bail",
            "last_winner": 1,
            "won": [[], ["small_04"]],
            "reward": {"cards": ["small_04"], "letter": "c"},
        },
        {},
        "Seat 0 is asked to accept challenge c of small_04 or to bail.",
    ),
    (
        {"phase": "final", "won": [["small_04"], []], "final": ["final_2", "final_5"]},
        {"final_rewards": 2},
        "Seat 0 is asked to choose the final reward.",
    ),
    (
        {"phase": "select", "select": {"kind": "hot", "row": ["hot_01", "hot_02"]}},
        {"select_rewards": True, "hot_rewards": 1},
        "Seat 0 is asked to keep a reward of the row.",
    ),
    (
        {"phase": "over", "won": [["small_04"], ["small_05"]], "last_winner": 1},
        {"challenges": "skip"},
        "seat 1 wins (1 to 1 reward cards, seat 0 to seat 1, equal cards: the winner of the last round wins).",
    ),
    (
        {"phase": "over", "round": 4, "pile": ["hot_01"], "won": [["small_04"], []]},
        {},
        "cut off after round 4 with 1 to 0 reward cards (seat 0 to seat 1).",
    ),
]


@pytest.mark.parametrize(("position", "options", "question"), QUESTIONS, ids=range(len(QUESTIONS)))
def test_every_question_is_put_in_words(position: Any, options: dict[str, Any], question: str) -> None:
    text = " ".join(table(position, None, **options).split("-" * 100)[-1].split())
    assert text.endswith(question)


def test_the_actor_is_addressed() -> None:
    assert table({"actor": 1}, 1).endswith("You are asked to play a card or pass.")


def test_own_preferences_are_shown_and_no_others() -> None:
    position = {"pot": ["small_03"], "prefs": {"small_03": [[11, -12, 13], [77, 78, 79]]}}
    assert table(position, 0, challenge_weight=1).endswith("Your preferences: small_03 a +11, b -12, c +13")
    assert "77" not in table(position, 0, challenge_weight=1)
    assert "Seat 1's preferences: small_03 a +77, b +78, c +79" in table(position, None, challenge_weight=1)


def test_the_last_round_is_announced() -> None:
    text = table({"round": 12, "pot": ["hot_07"], "pile": []})
    assert "this is the last round unless it is drawn" in " ".join(text.split())


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(VARIANTS))
def test_a_view_depends_only_on_what_its_seat_knows(seed: int, variant: dict[str, Any]) -> None:
    """Paired worlds: a world that the viewer cannot tell apart is drawn the same."""
    check_views(load("bedroom_battle", **variant), seed, 0.3)
