"""The table as text: what each viewer sees, every question in words, never wider than 100 columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs.bloodsport_gambler.game import BloodsportGambler
from tests.support.worlds import check_views

EXAMPLE = yaml.safe_load((Path(__file__).parent / "example_position.yaml").read_text(encoding="utf-8"))
VARIANTS = BloodsportGambler.variants
RULE = "-" * 100
HAND = {"hand": {"inside_man": 1}}
ACT = {"at": "act", "seat0": HAND, "seat1": {"hand": {"loose_tongues": 1}}}
OUTCOME = {"objective": "outcome"}


def table(position: Any, viewer: int | None = None, **options: Any) -> str:
    return BloodsportGambler(**options).from_position(position).render(viewer)


def flat(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


def test_the_example_as_a_person_reads_it() -> None:
    fights = {
        "f1": {
            "left": {"fighter": "insect", "weapon": "rapier"},
            "right": {"fighter": "bog_urchin", "weapon": "trident", "wounds": 3},
            "secret": "old_scars",
            "winner": "left",
        },
        "f2": {
            "left": {"fighter": "ember_monk", "weapon": "war_pick"},
            "right": {"fighter": "iron_matron", "weapon": "stone_maul", "slot": "new", "damage": -1},
            "secret": "drugged_wine",
        },
        "f3": EXAMPLE["fights"]["f3"],
    }
    assert table(EXAMPLE | {"fights": fights}, 1).splitlines() == [
        "Bloodsport Gambler: round 2 of at most 20; guard level 2, a card was caught this round; seat 0 acts",
        "    first",
        RULE,
        "  SEAT 0: 12 coins with wagers, 4 Time, 3 chances; paid 3; owes 4 5 6 7 8",
        "    hand 1: hidden",
        "> SEAT 1 (you): 10 coins, 2 Time, 2 chances; owes 3 4 5 6 7 8",
        "    hand 1: blinding_mirror",
        "    wagers: 3 on 3L; was caught in F3, which loses the wager",
        RULE,
        "FIGHT 1 (won by left), secret old_scars: life(right, +2)",
        "  1L insect (rank 3, STR 3, DEX 5, life 3) 3:1 favourite; weapon rapier (DEX 2)",
        "  1R bog_urchin (rank 1, STR 0, DEX 3, life 4) 1:3 underdog; wounds 3; weapon trident (DEX 3)",
        "FIGHT 2 (dead heat), secret drugged_wine: dice(left, low)",
        "  2L ember_monk (rank 2, STR 3, DEX 3, life 3) 1:2 underdog; weapon war_pick (STR 2)",
        "  2R iron_matron (rank 3, STR 4, DEX 3, life 4) 2:1 favourite; weapon stone_maul (STR 3); damage -1;",
        "        brought by a Sabotage",
        "FIGHT 3 (round 1), secret mutated_by_the_mirage: dice(left, high)",
        "  3L putrid_snake_beast (rank 2, STR 3, DEX 4, life 2) 1:1; weapon scimitar (BEST 2); effects: str",
        "        +1, dex +1; rolled 2 3, total 8",
        "  3R grave_filler (rank 2, STR 4, DEX 2, life 3) 1:1; weapon triple_axe (STR 4); rolled 5, total 9",
        RULE,
        "decks: action 24, fighter 12, weapon 12, secret 9",
        "used: sorcerous_succor, bedchamber_scorpion",
        RULE,
        "You are asked to play a React card in fight 3 or pass.",
    ]


def test_wagers_and_hands_are_their_owner_s_secret() -> None:
    assert "wagers: 2 on 3R" in table(EXAMPLE, 0)
    assert "hand 1: hurl_flagon" in table(EXAMPLE, 0)
    assert "13 coins with wagers" in table(EXAMPLE, 0)
    assert "blinding_mirror" not in table(EXAMPLE, 0)
    everything = table(EXAMPLE)
    assert "wagers: 2 on 3R" in everything
    assert "wagers: 3 on 3L" in everything
    assert "SEAT 0: 10 coins, 4 Time" in everything
    assert "hand 1: blinding_mirror" in everything
    assert "action deck, top first: " in everything
    assert "top first" not in table(EXAMPLE, 1)


def test_weapons_and_secrets_are_seen_by_those_who_know_them() -> None:
    fight = {"left": {"weapon": "rapier", "known": [1]}, "right": {"weapon": "trident"}, "secret": "old_scars"}
    position = ACT | {"fights": {"f1": fight | {"secret_known": [0]}}}
    mine, other, all_of_it = (flat(table(position, viewer)) for viewer in (0, 1, None))
    assert "secret old_scars: life(right, +2) [only seat 0 knows it]" in mine
    assert "weapon hidden, seat 1 knows it" in mine
    assert "rapier" not in mine
    assert "FIGHT 1, secret hidden, seat 0 knows it" in other
    assert "weapon rapier (DEX 2) [only seat 1 knows it]" in other
    assert "trident" not in other
    assert "weapon trident (DEX 3) [face down]" in all_of_it


def test_sabotage_lies_face_down() -> None:
    sabotage = [
        {"card": "warped_grip", "seat": 1, "spot": "1R", "time": 2},
        {"card": "poisoned_edge", "seat": 1, "spot": "1L", "coin": 1, "seen": [0, 1]},
        {"card": "loosened_hilt", "seat": 0, "spot": "3L", "shown": True},
    ]
    mine, other = (flat(table(ACT | {"sabotage": sabotage}, viewer)) for viewer in (0, 1))
    assert "Sabotage 1 at 1R, seat 1: hidden, 2 Time" in mine
    assert "Sabotage 2 at 1L, seat 1: poisoned_edge, 1 coin, known to both seats" in mine
    assert "Sabotage 1 at 1R, seat 1: warped_grip, 2 Time" in other
    assert "Sabotage 3 at 3L, seat 0: loosened_hilt, shown" in other


def test_a_sabotage_being_played_is_hidden_until_it_is_shown() -> None:
    pending = {"card": "sorcerous_succor", "targets": ["2L"], "shown": [False]}
    position = {"at": "time", "pending": pending}
    assert "seat 0 plays sorcerous_succor on 2L, shows 0 of 1 card" in flat(table(position, 0))
    assert "seat 0 plays a hidden Sabotage on 2L" in flat(table(position, 1))
    assert "sorcerous_succor" not in table(position, 1)
    shown = position | {"pending": pending | {"shown": [True]}}
    assert "seat 0 plays sorcerous_succor on 2L, shows 1 of 1 card" in flat(table(shown, 1))


def test_what_happened_to_seats_is_shown() -> None:
    left = {"status": "defeated", "playing": False, "coin": 1}
    text = flat(table({"at": "act", "seat0": left, "seat1": HAND}, None, **OUTCOME))
    words = "SEAT 0: has left with 1 coin, 6 Time, 3 chances; owes 3 4 5 6 7 8; defeated; result in round 1: defeated"
    assert f"{words}, fate tier 1 (die 1, total 1)" in text
    assert "has passed for good" in table(ACT | {"seat0": HAND | {"passed": True}}, None, pass_rule="final")
    assert "1 seat passed in succession" in flat(table(ACT | {"passes": 1, "actor": 1}))


WINDOW = {"at": "window", "fight": 2, "guard": 2, "sabotage": [{"card": "sorcerous_succor", "spot": "2L"}]}
SUCCOR = {"card": "sorcerous_succor"}
BRIBE = {"card": "bribe_the_armorer", "targets": ["1L", "1R"]}
BONES = {"card": "read_the_bones", "targets": ["F2"]}
QUESTIONS: list[tuple[Any, dict[str, Any], str]] = [
    (ACT, {}, "Seat 0 is asked to play an action card or pass."),
    ({"at": "target", "pending": SUCCOR}, {}, "choose a target for the card."),
    ({"at": "show", "pending": SUCCOR | {"targets": ["1L"]}}, {}, "show the other seat the Sabotage or hide it."),
    ({"at": "show", "pending": BRIBE}, {}, "show the other seat the weapon at 1L or hide it."),
    ({"at": "show", "pending": BRIBE | {"shown": [True]}}, {}, "show the other seat the weapon at 1R or hide it."),
    ({"at": "show", "pending": BONES}, {}, "show the other seat the secret of F2 or hide it."),
    ({"at": "time", "pending": BONES | {"shown": [True]}}, {}, "spend Time on the risk of the card."),
    ({"at": "coin", "pending": BONES | {"shown": [True]}}, {}, "spend coins on the risk of the card."),
    ({"at": "bet"}, {}, "Seat 0 is asked to make a wager on fight 1."),
    (WINDOW, {}, "proceed to the risk roll of the Sabotage in fight 2, or rat."),
    (EXAMPLE, {}, "Seat 1 is asked to play a React card in fight 3 or pass."),
    ({"at": "loan"}, {}, "Seat 0 is asked to pay an amount of the loans."),
    ({"at": "loan", "seat0": {"paid": [3], "paid_now": 1}}, {}, "pay an amount of the loans or stop."),
    ({"at": "discard", "seat0": HAND}, {}, "discard action cards or keep the rest."),
    (
        {"at": "over", "seat0": {"status": "defeated"}},
        {},
        "The game is over: seat 0 defeated; returns -1.00, +1.00.",
    ),
    ({"at": "over", "round": 20}, {}, "The game was cut off at the round limit."),
]


@pytest.mark.parametrize(("position", "options", "question"), QUESTIONS, ids=range(len(QUESTIONS)))
def test_every_question_is_put_in_words(position: Any, options: dict[str, Any], question: str) -> None:
    assert flat(table(position, None, **options).split(RULE)[-1]).endswith(question)


def test_the_actor_is_addressed() -> None:
    assert table(ACT, 0).endswith("You are asked to play an action card or pass.")
    assert table(ACT, 1).endswith("Seat 0 is asked to play an action card or pass.")


def test_outcomes_and_explanations_are_sentences() -> None:
    game = BloodsportGambler()
    assert game.from_position(ACT).outcome is None
    over = {"at": "over", "round": 4, "seat0": {"status": "defeated"}}
    assert game.from_position(over).outcome == ("seat 0 defaulted, seat 1 won the race, in round 4", (1,), False)
    both = {"status": "paid_off", "coin": 3}
    draw = game.from_position({"at": "over", "seat0": both, "seat1": both}).outcome
    assert draw == ("seats 0 and 1 paid off, the race is a draw, in round 1", (), False)
    assert game.from_position({"at": "over", "round": 20}).outcome == ("cut off after round 20", (), True)
    alone = BloodsportGambler(seats=1).from_position({"at": "over", "seat0": both})
    assert alone.outcome == ("seat 0 paid off, in round 1", (0,), False)
    assert "(Hurl Flagon from Stands; react; risk 3; reroll(target))" in game.explain("play hurl_flagon")
    assert "no risk; draw(2)" in game.explain("discard call_in_favours")
    assert "fight or its secret" in game.explain("target F2")
    assert "fighter or the weapon" in game.explain("target 2L")
    assert all(game.explain(text).startswith(f"{text}: ") for text in game.texts[0])


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(VARIANTS)))
def test_a_view_depends_only_on_what_its_seat_knows(seed: int, variant: str) -> None:
    """Paired worlds: a world that the viewer cannot tell apart is drawn the same."""
    check_views(BloodsportGambler(**VARIANTS[variant]), seed, 0.1)
