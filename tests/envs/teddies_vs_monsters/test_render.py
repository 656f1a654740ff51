"""The table as text: what each viewer sees, every question in words, never wider than 100 columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import State
from cardzoo.envs.teddies_vs_monsters.game import TeddiesVsMonsters
from tests.support.worlds import check_views

EXAMPLE = yaml.safe_load((Path(__file__).parent / "example_position.yaml").read_text(encoding="utf-8"))
VARIANTS = TeddiesVsMonsters.variants
RULE = "-" * 100
HEART = {"players": {"teddies_0": {"hand": ["heart"], "sleeve": []}}}
FOUR = {"seats": 4}


def start(position: Any, **options: Any) -> State:
    return TeddiesVsMonsters(**options).from_position(position)


def table(position: Any, viewer: int | None = None, **options: Any) -> str:
    return start(position, **options).render(viewer)


def flat(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


def test_the_example_as_a_person_reads_it() -> None:
    last = {"action": "attack", "room": 2, "lost": True, "tick": 31}
    players = {**EXAMPLE["players"], "teddies_0": EXAMPLE["players"]["teddies_0"] | {"last": last}}
    assert table(EXAMPLE | {"players": players}, 1).splitlines() == [
        "Teddies vs Monsters: round 1 of at most 9; tick 40 of 3000; keys (3 win): teddies 1, monsters 2",
        RULE,
        "ROOM 1: b2_01 (level 2)",
        "  teddies   heart moon star honey; row heart, yellow_knight (moon star): 3 of 4 from the left",
        "  monsters  claw eye slime fang; row fang: 1 of 4 from the right; trapped by red_yarn",
        "ROOM 2: b2_05 (level 2), claimed by the monsters",
        "  monsters  claw slime slime claw; row claw, slime, slime, claw: complete",
        "ROOM 3: b2_07 (level 2)",
        "  teddies   moon honey honey moon; no cards; trapped by blue_web on red_web: 2 of 3 paid",
        "  monsters  eye fang fang eye; no cards",
        RULE,
        "  TEDDIES_0: hand 2, sleeve 3, deck 44, second deck there; last attack in room 2, too late, at tick",
        "        31",
        "    sleeve: star, cuddle (?), red_pilot (moon honey)",
        "  MONSTERS_0 (you): hand 3, sleeve 4, deck 39, second deck there",
        "    under way: attack yellow_imp 1, lands at tick 47",
        "    hand: 2 eye, yellow_imp (claw claw)",
        "    sleeve: fang, claw, slime, purple_web",
        RULE,
        "discards of the teddies (2): star, moon",
        "discards of the monsters (1): slime_bomb",
        RULE,
        "Another seat is asked.",
    ]


def test_who_sees_everything_sees_hands_decks_and_acts() -> None:
    everything = table(EXAMPLE)
    assert "hand: honey, pillow_bomb" in everything
    assert "hand: 2 eye, yellow_imp (claw claw)" in everything
    assert "deck, top first: heart, " in everything
    assert everything.count("second deck, top first: ") == 2
    assert "under way: attack yellow_imp 1, lands at tick 47" in everything
    mine = table(EXAMPLE, 0)
    assert "hand: honey, pillow_bomb" in mine
    assert "top first" not in mine
    assert "under way" not in mine
    assert "yellow_imp" not in mine


def test_hands_that_can_be_told_are_shown() -> None:
    taken = {"hand": ["heart", "star"], "sleeve": [], "deck": ["moon"], "reserve": False, "known": ["heart"]}
    position = {"players": {"teddies_0": taken}}
    assert "hand: heart, 1 hidden" in table(position, 1)
    assert "hand: heart, star" in table(position, 0)
    assert "second deck taken" in table(position, 1)


def test_a_hand_that_lies_face_down_is_seen_by_nobody() -> None:
    options = {"start_hand": "face_down"}
    assert "TEDDIES_0 (you): hand 1 face down, sleeve 0" in table(HEART, 0, **options)
    assert "hand: 1 hidden" not in table(HEART, 1, **options)
    assert "hand: heart" not in table(HEART, 0, **options)
    assert "hand: heart" in table(HEART, None, **options)
    picked_up = {"players": {"teddies_0": HEART["players"]["teddies_0"] | {"face_down": False}}}
    assert "hand: heart" in table(picked_up, 0, **options)


OPEN = {"open_team": True}
TEAM = {
    "players": {"teddies_1": {"hand": ["heart", "moon"], "sleeve": ["star"]}},
    "pending": {"teddies_1": {"action": "attack red_knight 2", "lands": 12}},
}


def test_partners_see_each_other_s_hand_and_act_where_an_option_says_so() -> None:
    assert "hand: heart, moon" not in table(TEAM, 0, **FOUR)
    assert "under way" not in table(TEAM, 0, **FOUR)
    mine = table(TEAM, 0, **FOUR, **OPEN)
    assert "hand: heart, moon" in mine
    assert "under way: attack in room 2" in mine
    assert "red_knight" not in flat(mine).partition("TEDDIES_1")[2].partition("MONSTERS_1")[0]
    for foe in (1, 3):
        assert "hand: heart, moon" not in table(TEAM, foe, **FOUR, **OPEN)
        assert "under way" not in table(TEAM, foe, **FOUR, **OPEN)
    assert table({}, 0, **FOUR, **OPEN).count("    idle") == 1
    discard = {"pending": {"teddies_1": {"action": "discard heart", "lands": 12}}}
    assert "under way: discard\n" in table(discard, 0, **FOUR, **OPEN)


def test_seats_that_differ_in_speed_say_theirs() -> None:
    text = flat(table({}, None, pace=[100, 150], jitter=[0, 10]))
    assert "second deck there; pace 100 %, reaction 4, jitter 0" in text
    assert "second deck there; pace 150 %, reaction 4, jitter 10" in text
    assert "pace" not in table({})


def test_wrong_rows_and_mistakes_are_named() -> None:
    wrong = ["heart", "moon", "moon", "honey"]
    rooms = {
        1: {"bedroom": "b2_01", "monsters": {"row": ["claw", "slime"]}},
        2: {"bedroom": "b2_02", "claimed": "teddies", "mistake": True, "teddies": {"row": wrong}},
    }
    text = table({"rooms": rooms}, 0, allow_mistakes=True)
    assert "row claw, slime: 2 of 4, wrong" in text
    assert "ROOM 2: b2_02 (level 2), claimed by the teddies with a wrong row" in text
    assert "row heart, 2 moon" not in text  # a row has an order


def test_both_readings_may_be_open() -> None:
    assert "row cuddle (?): 1 of 4 from the left or the right" in table(
        {"rooms": {1: {"bedroom": "b2_01", "teddies": {"row": ["cuddle"]}}}}
    )


def test_a_sudden_death_is_named_and_has_fewer_rooms() -> None:
    text = table({"sudden_death": 1})
    assert "round 1 of at most 9, sudden death 1; " in text
    assert "ROOM 2" in text
    assert "ROOM 3" not in text


def test_a_question_mark_in_a_bedroom_is_shown() -> None:
    assert "  teddies   heart heart ? star honey; no cards" in table({"rooms": {1: {"bedroom": "b3_13"}}})


WON = {"over": True, "keys": {"teddies": 1, "monsters": 3}}
OWED = HEART | {"rooms": {n: {"bedroom": f"b2_0{n}"} for n in (1, 2, 3)}, "picked": "heart"}


@pytest.mark.parametrize(
    ("position", "viewer", "question"),
    [
        ({}, None, "teddies_0 is asked to act."),
        ({}, 0, "You are asked to act."),
        ({}, 1, "Another seat is asked."),
        (OWED, None, "teddies_0 is asked for the target of heart."),
        (OWED, 0, "You are asked for the target of heart."),
        (OWED, 1, "Another seat is asked."),
        (WON, 0, "The game is over: the monsters won with 3 keys."),
        ({"over": True, "round": 9}, 1, "The game was cut off at the round limit."),
    ],
)
def test_every_question_is_put_in_words(position: Any, viewer: int | None, question: str) -> None:
    assert table(position, viewer).splitlines()[-1] == question


def test_only_who_may_know_it_sees_whose_turn_it_is() -> None:
    assert "> TEDDIES_0: " in table({})
    assert "> TEDDIES_0 (you): " in table({}, 0)
    assert "> TEDDIES_0" not in table({}, 1)


def test_outcomes_are_sentences() -> None:
    assert start({}).outcome is None
    assert start(WON | {"round": 4}).outcome == ("the monsters won with 3 keys, in round 4", (1,), False)
    won = {"over": True, "keys": {"teddies": 1}}
    assert start(won, keys_to_win=1, **FOUR).outcome == ("the teddies won with 1 key, in round 1", (0, 2), False)
    cut = start({"over": True, "round": 9, "keys": {"teddies": 2, "monsters": 1}}).outcome
    assert cut == ("cut off after round 9: the teddies have 2 keys, the monsters have 1 key", (), True)


def test_explanations_are_sentences() -> None:
    game = TeddiesVsMonsters()
    assert "(Red Knight; character; fill(heart, star), strike(red), pay(2), unlock(red))" in game.explain(
        "play red_knight"
    )
    assert "(Slime Bomb; bomb; blast)" in game.explain("discard slime_bomb", 1)
    for seat in range(game.num_seats):
        assert all(game.explain(text, seat).startswith(f"{text}: ") for text in game.texts[seat])
        assert all(game.explain(text, seat).endswith(".") for text in game.texts[seat])


def test_seats_name_their_own_cards() -> None:
    game = TeddiesVsMonsters(**FOUR)
    assert game.agents == ("teddies_0", "monsters_0", "teddies_1", "monsters_1")
    assert game.teams == (0, 1, 0, 1)
    assert game.text(0, 2) == "play heart"
    assert game.text(0, 3) == "play eye"
    assert game.parse("discard purple_web", 1) == game.parse("discard purple_yarn", 0)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(VARIANTS)))
def test_a_view_depends_only_on_what_its_seat_knows(seed: int, variant: str) -> None:
    """Paired worlds: a world that the viewer cannot tell apart is drawn the same."""
    options = {"keys_to_win": 1, "max_rounds": 2, "round_ticks": 600, **VARIANTS[variant]}
    check_views(TeddiesVsMonsters(**options), seed, 0.04)
