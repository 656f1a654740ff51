"""The table as text: what each viewer sees, every question in words, never wider than 100 columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import load
from cardzoo.envs.battle_requiem.game import BattleRequiem
from tests.support.worlds import check_views

EXAMPLE = yaml.safe_load((Path(__file__).parent / "example_position.yaml").read_text(encoding="utf-8"))
VARIANTS = BattleRequiem.variants
RULE = "-" * 100
TWO = [{"character": "ash_squire"}, {"character": "iron_marshal"}]
THREE = [{"character": name} for name in ("cinder_duelist", "mirror_seer", "tide_dragon")]
FOUR = [{"character": name} for name in ("flame_oracle", "fox_kit", "iron_marshal", "moss_healer")]
TEAMS = {"teams": [0, 1, 0, 1]}


def table(position: Any, viewer: int | None = None, **options: Any) -> str:
    return load("battle_requiem", **options).from_position(position).render(viewer)


def flat(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


def seat_part(text: str, seat: int) -> str:
    """The part of a table that belongs to a seat."""
    parts = text.split(RULE)[1].replace("> SEAT", "  SEAT").split("  SEAT ")
    return flat(next(part for part in parts if part.startswith(str(seat))))


def test_the_example_as_a_person_reads_it() -> None:
    assert table(EXAMPLE, 1, seats=3).splitlines() == [
        "Battle Requiem: round 9, turn 23 of at most 300; seat 0's turn",
        RULE,
        "> SEAT 0  cinder_duelist of emberfell, age 23: HP 12, Inventory 5",
        "    attack melee +1, defend melee +1; Disarm: levy 2 armament 7 one",
        "    last turn: duel",
        "    hand 3 and 2 face-down: 5 hidden",
        "  SEAT 1 (you)  mirror_seer of glassmere, age 88: HP 17, Inventory 6",
        "    attack missile +1, attack spell +1; Foresight: reveal all, rob 2 one, turns 1",
        "    left 1 of seat 0; loses 1 turn",
        "    hand 6: dagger, spark, fireball, fireball, chain_mail*, hourglass (*: known to all)",
        "  SEAT 2  tide_dragon of glassmere, age 999: eliminated, place 3",
        RULE,
        "duel: seat 0 attacks seat 1 with 2 face-down cards",
        "draw pile 50",
        "discard pile 4, top first: rainbow_relic, sling, sling, leather_coat",
        RULE,
        "You are asked to defend or pass.",
    ]


def test_the_attacker_sees_its_own_cards_and_nobody_sees_all() -> None:
    own = table(EXAMPLE, 0, seats=3)
    assert "with 2 face-down cards (warhammer, hatchet)" in own
    assert "hand 3: longsword, longsword, golden_shield" in seat_part(own, 0)
    assert "hand 6: chain_mail, 5 hidden" in seat_part(own, 1)
    everything = table(EXAMPLE, None, seats=3)
    assert "(warhammer, hatchet)" in everything
    assert "hand 6: dagger, spark, fireball, fireball, chain_mail*, hourglass" in seat_part(everything, 1)
    assert "draw pile 50, top first: meteor, rainbow_relic, " in everything
    fallen = table(EXAMPLE, 2, seats=3)
    assert "warhammer" not in fallen
    assert "fireball" not in fallen
    assert "meteor" not in fallen


def test_defence_cards_are_the_defender_s_secret() -> None:
    duel = {"defender": 1, "attack": ["warhammer"], "defence": ["dagger"]}
    position = {"seats": TWO, "phase": "defend", "duel": duel}
    hidden = "with 1 face-down card; the defence so far: 1 face-down card (dagger)"
    assert hidden in flat(table(position, 1))
    assert "with 1 face-down card (warhammer); the defence so far: 1 face-down card draw" in flat(table(position, 0))


def test_teammates_hands_are_shown_by_the_option() -> None:
    position = {"seats": [FOUR[0] | {"hand": ["meteor"]}, *FOUR[1:]], "active": 1}
    assert "hand 1: 1 hidden" in seat_part(table(position, 2, **TEAMS), 0)
    shown = TEAMS | {"team_hands": "shown"}
    assert "hand 1: meteor" in seat_part(table(position, 2, **shown), 0)
    assert "hand 1: 1 hidden" in seat_part(table(position, 1, **shown), 0)
    duel = position | {"phase": "defend", "active": 0, "duel": {"defender": 1, "attack": ["dagger", "spark"]}}
    text = table(duel, 2, **shown)
    assert "hand 1 and 2 face-down: dagger, spark, meteor" in seat_part(text, 0)
    assert "with 2 face-down cards draw pile" in flat(text)


def test_what_is_pending_for_a_seat_is_shown() -> None:
    entry = {"attack_boost": 4, "defend_boost": -3, "veil": True, "skip": 2, "last_defence": "shield", "hand": []}
    part = seat_part(table({"seats": [TWO[0], TWO[1] | entry]}), 1)
    assert "next attack +4; next defence -3; veiled; loses 2 turns; last defence: shield" in part
    assert part.endswith("hand 0: empty")
    assert "2 extra turns to come" in table({"seats": TWO, "extra": 2})
    assert "SEAT 0, team 0 flame_oracle" in flat(table({"seats": FOUR}, **TEAMS))
    assert "out of the game: 1 dagger, 2 meteor" in table({"seats": TWO, "box": ["dagger", "meteor", "meteor"]})


RELIC = {"card": "rainbow_relic"}
QUESTIONS: list[tuple[Any, dict[str, Any], str]] = [
    ({"seats": TWO}, {}, "Seat 0 is asked to discard a card, use an item or relic, or attack."),
    (
        {"seats": TWO, "phase": "attack", "duel": {"defender": 1}},
        {},
        "Seat 0 is asked to commit an armament against seat 1.",
    ),
    (
        {"seats": TWO, "phase": "attack", "duel": {"defender": 1, "attack": ["dagger"]}},
        {},
        "commit one more armament against seat 1 or stop.",
    ),
    (
        {"seats": TWO, "phase": "defend", "duel": {"defender": 1, "attack": ["dagger"]}},
        {},
        "Seat 1 is asked to defend or pass.",
    ),
    (
        {"seats": TWO, "phase": "defend", "duel": {"defender": 1, "attack": ["dagger"], "defence": ["spark"]}},
        {},
        "Seat 1 is asked to commit one more armament or stop.",
    ),
    (
        {"seats": TWO, "phase": "choose", "effect": {"card": "twin_vial"}},
        {},
        "Seat 0 is asked to choose a branch of the effect.",
    ),
    (
        {"seats": THREE, "phase": "target", "active": 0, "effect": {"card": "fire_flask"}},
        {"seats": 3},
        'choose an opponent for "harm 4 one".',
    ),
    (
        {"seats": FOUR, "phase": "target", "active": 0, "effect": {"card": "twin_vial", "branch": 1}},
        TEAMS,
        'choose a member of the team for "first heal 5 ally".',
    ),
    (
        {"seats": THREE, "phase": "pick", "active": 1, "effect": RELIC | {"step": 1, "foe": 2}},
        {"seats": 3},
        'Seat 1 is asked to take 2 cards of the hand of seat 2 for "rob 2 one".',
    ),
    (
        {
            "seats": [{"character": "forge_warden"}, TWO[1]],
            "phase": "pick",
            "discard": ["chain_mail", "golden_shield"],
            "effect": RELIC,
        },
        {},
        'take 1 card of the discard pile for "salvage 1 guard".',
    ),
    (
        {"seats": [THREE[0], TWO[1] | {"hand": ["dagger", "spark"]}], "phase": "levy", "effect": RELIC | {"foe": 1}},
        {},
        'Seat 1 is asked to discard 2 cards for "levy 2 armament 7 one" or lose 7 HP.',
    ),
    (
        {
            "seats": [THREE[0], TWO[1] | {"hand": ["dagger", "spark"]}],
            "phase": "levy",
            "effect": RELIC | {"foe": 1, "need": 1},
        },
        {},
        'Seat 1 is asked to discard 1 card for "levy 2 armament 7 one".',
    ),
    (
        {"seats": [{"character": "briar_broker"}, TWO[1]], "phase": "tribute", "effect": RELIC | {"queue": [1]}},
        {},
        "Seat 1 is asked to give 1 card to seat 0.",
    ),
    (
        {"seats": [THREE[0], THREE[1] | {"hp": 0}, THREE[2]], "phase": "reward", "fallen": [1]},
        {"seats": 3},
        "Seat 0 is asked to choose the reward for seat 1.",
    ),
    (
        {
            "seats": [
                THREE[0] | {"inventory": 3, "hand": ["dagger"] * 2 + ["spark"] * 3},
                THREE[1] | {"hp": 0},
                THREE[2],
            ],
            "phase": "trim",
            "fallen": [1],
        },
        {"seats": 3},
        "Seat 0 is asked to discard down to an Inventory of 3.",
    ),
    (
        {"phase": "draft", "seats": [{"character": "fox_kit"}, {}]},
        {"characters": "draft"},
        "Seat 1 is asked to take a character.",
    ),
    ({"seats": [TWO[0], TWO[1] | {"hp": 0}], "phase": "over"}, {}, "The game is over: seat 0 wins."),
    (
        {"seats": [FOUR[0], FOUR[1] | {"hp": 0}, FOUR[2], FOUR[3] | {"hp": 0}], "phase": "over"},
        TEAMS,
        "The game is over: team 0 (seats 0 and 2) wins.",
    ),
    (
        {"seats": TWO, "phase": "over", "truncated": True, "turn": 200},
        {},
        "The game was cut off with seats 0 and 1 still in.",
    ),
]


@pytest.mark.parametrize(("position", "options", "question"), QUESTIONS, ids=range(len(QUESTIONS)))
def test_every_question_is_put_in_words(position: Any, options: dict[str, Any], question: str) -> None:
    assert flat(table(position, None, **options).split(RULE)[-1]).endswith(question)


@pytest.mark.parametrize(
    ("position", "options", "words"),
    [
        (
            {"seats": FOUR, "phase": "target", "active": 0, "effect": {"card": "twin_vial", "branch": 1}},
            TEAMS,
            "effect: twin_vial of seat 0: first heal 5 ally, second harm 4 one; branch first; "
            'now "first heal 5 ally" draw pile',
        ),
        (
            {
                "seats": [{"character": "storm_caller"}, TWO[1] | {"hand": ["golden_shield"]}, THREE[2]],
                "active": 0,
                "phase": "levy",
                "effect": RELIC | {"queue": [1, 2]},
            },
            {"seats": 3},
            'now "levy 1 guard 4 all"; still to answer: seats 1 and 2',
        ),
        (
            {"seats": THREE, "phase": "pick", "active": 1, "effect": RELIC | {"step": 1, "foe": 2}},
            {"seats": 3},
            'now "rob 2 one"; target seat 2 draw pile',
        ),
    ],
)
def test_the_effect_in_progress_is_shown(position: Any, options: dict[str, Any], words: str) -> None:
    assert words in flat(table(position, None, **options))


def test_the_actor_is_addressed() -> None:
    assert table({"seats": TWO}, 0).endswith("You are asked to discard a card, use an item or relic, or attack.")


def test_outcomes_and_explanations_are_sentences() -> None:
    game = load("battle_requiem", **TEAMS)
    over = {"seats": [FOUR[0], FOUR[1] | {"hp": 0}, FOUR[2] | {"hp": 0}, FOUR[3] | {"hp": 0}], "phase": "over"}
    assert game.from_position(over | {"turn": 9}).outcome == (
        "team 0 (seats 0 and 2) stood last in turn 9",
        (0, 2),
        False,
    )
    cut = game.from_position({"seats": FOUR, "phase": "over", "truncated": True, "turn": 400}).outcome
    assert cut == ("cut off after turn 400 with seats 0, 1, 2 and 3 still in", (), True)
    assert game.from_position({"seats": FOUR}).outcome is None
    assert game.explain("play dagger") == "play dagger: commit this card to the duel (Dagger; melee; BRN 2)."
    assert "use this card as a turn (Fire Flask; item; harm 4 one)" in game.explain("play fire_flask")
    assert "Special Ability of the user's character" in game.explain("discard rainbow_relic")
    assert "Tide Dragon; glassmere, age 999, HP 21, Inventory 5; attack total +3" in game.explain("draft tide_dragon")
    assert all(game.explain(text).startswith(f"{text}: ") for text in game.texts[0])


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(VARIANTS)))
def test_a_view_depends_only_on_what_its_seat_knows(seed: int, variant: str) -> None:
    """Paired worlds: a world that the viewer cannot tell apart is drawn the same."""
    check_views(load("battle_requiem", **VARIANTS[variant]), seed, 0.2)
