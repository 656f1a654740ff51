"""Sampled worlds: their seat cannot tell them from the true one, and nothing but its knowledge makes them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import load
from cardzoo.envs.battle_requiem.game import BattleRequiem
from cardzoo.envs.battle_requiem.state import PHASES
from cardzoo.envs.core.state import State
from tests.support.worlds import (
    GENERATOR,
    assert_alike,
    check_play_in_worlds,
    check_worlds,
    play,
    same_world,
    share_that_differs,
)

VARIANTS: dict[str, dict[str, Any]] = {
    **BattleRequiem.variants,
    "shown_any": {"teams": [0, 1, 2, 0, 1, 2], "team_hands": "shown", "reward_scope": "any"},
}
HIDDEN = ("hand", "draw", "att", "dfn", "fresh", "steals")


def assert_like(state: State, seat: int, world: State) -> None:
    """Observation, actor and legal actions of the seat are those of the true state, and the world is sound."""
    assert_alike(state, seat, world, {*HIDDEN, "n_steals"})
    assert (world.states[0].hand[seat] == state.states[0].hand[seat]).all()


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(VARIANTS)), moves=st.integers(0, 200))
def test_a_seat_cannot_tell_a_sampled_world_from_the_true_one(seed: int, variant: str, moves: int) -> None:
    """Equal observations and masks for every seat; depends on the generator and the seat's knowledge alone."""
    check_worlds(load("battle_requiem", **VARIANTS[variant]), seed, moves, assert_like)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(VARIANTS)))
def test_play_goes_on_in_sampled_worlds(seed: int, variant: str) -> None:
    """A game in which the world is sampled anew, for some seat, all the time is sound to its end."""
    check_play_in_worlds(load("battle_requiem", **VARIANTS[variant]), seed)


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_hidden_cards_differ_in_nearly_all_worlds(variant: str) -> None:
    """Sampling that returned the true world would pass all other tests."""
    assert share_that_differs(load("battle_requiem", **VARIANTS[variant]), 5, HIDDEN) > 0.9


def test_the_generator_is_the_only_source_of_chance() -> None:
    """It is advanced, and the record's own generator comes from it; the tape of steals is forgotten."""
    game = load("battle_requiem")
    state = game.new_state(1)
    generator = GENERATOR.copy()
    state.states["steals"][0, :2] = (3, 4)
    state.states["n_steals"][0] = 2
    world = state.resample(0, generator)
    assert (generator != GENERATOR).any()
    assert (world.states[0].rng != state.states[0].rng).any()
    assert int(world.states[0].n_steals) == 0
    assert not world.states[0].steals.any()
    state.states["rng"][0] += 1
    assert same_world(world, state.resample(0, GENERATOR.copy()))


def samples(state: State, seat: int, count: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(9)
    return [state.resample(seat, rng).to_position() for _ in range(count)]


def test_all_hands_are_equally_likely() -> None:
    """One unknown card among three that may also be in the pile: each a third of the time, in all orders."""
    seats = [
        {"character": "ash_squire", "hand": ["dagger"], "inventory": 1},
        {"character": "iron_marshal", "hand": ["spark", "hatchet"], "known": ["hatchet"], "inventory": 2},
    ]
    game = load("battle_requiem")
    state = game.from_position({"seats": seats, "box": "rest", "draw": ["meteor", "sling"]})
    worlds = Counter((*sorted(p["seats"][1]["hand"]), *p["draw"]) for p in samples(state, 0, 3000))
    assert len(worlds) == 6
    assert all(world[0] == "hatchet" or world[1] == "hatchet" for world in worlds)
    assert all(abs(n - 500) < 100 for n in worlds.values())  # five standard deviations


def test_the_pile_holds_only_what_lay_in_it() -> None:
    """After a reshuffle all saw what went into the pile: what was not among it is in the other hand."""
    seats = [
        {"character": "ash_squire", "hand": ["dagger"], "inventory": 1, "fresh": ["dagger"]},
        {"character": "iron_marshal", "hand": ["spark"], "inventory": 1},
    ]
    game = load("battle_requiem")
    mix = ["dagger", "meteor", "sling"]
    state = game.from_position({"seats": seats, "box": "rest", "draw": ["meteor", "sling"], "mix": mix})
    worlds = samples(state, 0, 50)
    assert {tuple(p["seats"][1]["hand"]) for p in worlds} == {("spark",)}
    assert {tuple(p["draw"]) for p in worlds} == {("meteor", "sling"), ("sling", "meteor")}


def test_face_down_cards_are_armaments_even_if_the_pile_must_give_them_up() -> None:
    """The only armaments that are unseen lie face-down, so none of them is ever dealt into the pile."""
    seats = [
        {"character": "ash_squire", "hand": ["hourglass"], "inventory": 4},
        {"character": "iron_marshal", "hand": ["dagger"], "inventory": 1},
    ]
    others = ["healing_draught", "war_horn", "smoke_bomb", "fire_flask", "rainbow_relic"]
    duel = {"defender": 1, "attack": ["longsword", "spark", "meteor"]}
    game = load("battle_requiem")
    position = {"seats": seats, "box": "rest", "draw": others, "phase": "defend", "active": 0, "duel": duel}
    state = game.from_position(position)
    hands = set()
    for world in samples(state, 1, 100):
        assert sorted(world["duel"]["attack"]) == sorted(duel["attack"])
        hands |= set(world["seats"][0]["hand"])
    assert hands == {*others, "hourglass"}


def test_known_cards_count_among_the_face_down_ones() -> None:
    """A known armament may be in the hand or on the table; the attacker has an armament left to decide on in attack."""
    seats = [
        {"character": "ash_squire", "hand": ["dagger"], "known": ["dagger"], "inventory": 2},
        {"character": "iron_marshal", "hand": ["hatchet"], "inventory": 1},
    ]
    game = load("battle_requiem")
    position = {
        "seats": seats,
        "box": "rest",
        "draw": ["hourglass", "meteor"],
        "phase": "attack",
        "active": 0,
        "duel": {"defender": 1, "attack": ["spark"]},
    }
    worlds = samples(game.from_position(position), 1, 200)
    attacks = Counter(tuple(world["duel"]["attack"]) for world in worlds)
    assert set(attacks) == {("dagger",), ("spark",), ("meteor",)}
    assert all(world["seats"][0]["known"] == {"dagger": 1} for world in worlds)


def test_a_begun_levy_binds_in_every_world() -> None:
    """Having discarded the first of two armaments, the seat must have another one; the pile has none."""
    seats = [
        {"character": "cinder_duelist", "hand": ["hourglass"], "inventory": 1},
        {"character": "moss_healer", "hand": ["spark", "golden_shield"], "inventory": 3},
    ]
    effect = {"card": "rainbow_relic", "step": 0, "foe": 1, "queue": [1], "need": 1}
    game = load("battle_requiem")
    position = {
        "seats": seats,
        "box": "rest",
        "draw": ["war_horn", "chain_mail", "twin_vial"],
        "discard": ["dagger"],
        "phase": "levy",
        "active": 0,
        "effect": effect,
    }
    for world in samples(game.from_position(position), 0, 100):
        assert world["seats"][1]["hand"]["spark"] == 1
        assert sum(world["seats"][1]["hand"].values()) == 2


def test_a_seat_asked_for_a_levy_can_pay_it_in_every_world() -> None:
    """Who has fewer than two armaments would not be asked."""
    seats = [
        {"character": "cinder_duelist", "hand": ["hourglass"], "inventory": 1},
        {"character": "moss_healer", "hand": ["spark", "dagger", "golden_shield"], "inventory": 3},
    ]
    position = {
        "seats": seats,
        "box": "rest",
        "draw": ["war_horn", "chain_mail", "twin_vial"],
        "phase": "levy",
        "active": 0,
        "effect": {"card": "rainbow_relic", "step": 0, "foe": 1, "queue": [1], "need": 2},
    }
    state = load("battle_requiem").from_position(position)
    seen = set()
    for world in samples(state, 0, 100):
        hand = world["seats"][1]["hand"]
        assert hand["spark"] == hand["dagger"] == 1
        seen.update(hand)
    assert len(seen) == 6  # the third card may be any of the others


def test_a_teammate_whose_hand_is_shown_keeps_it() -> None:
    """With team_hands shown only the hands of opponents are dealt anew."""
    for shown in ("shown", "hidden"):
        game = load("battle_requiem", teams=[0, 1, 0, 1], team_hands=shown)
        state = game.new_state(4)
        play(state, np.random.default_rng(4), 20)
        rng = np.random.default_rng(1)
        hands = {seat: {state.resample(0, rng).states[0].hand[seat].tobytes() for _ in range(20)} for seat in range(4)}
        assert [len(hands[seat]) > 1 for seat in range(4)] == [False, True, shown == "hidden", True]


def test_all_phases_are_sampled() -> None:
    """Also those that random play seldom reaches: these characters ask for them."""
    askers = ["cinder_duelist", "briar_broker", "storm_caller", "forge_warden"]
    rng = np.random.default_rng(2)
    seen = set()
    for characters in ("draft", askers):
        game = load("battle_requiem", seats=4, reward_scope="any", characters=characters)
        for seed in range(5):
            state = game.new_state(seed)
            while not state.is_over:
                phase = PHASES[state.states[0].phase]
                if phase in ("draft", "levy", "tribute", "trim") or phase not in seen:
                    for seat in range(4):
                        assert_like(state, seat, state.resample(seat, rng))
                    seen.add(phase)
                state.apply(int(rng.choice(state.legal_actions())))
    assert seen == set(PHASES) - {"over"}
