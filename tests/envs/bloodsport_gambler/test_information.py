"""Sampled worlds: their seat cannot tell them from the true one, and nothing but its knowledge makes them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import load
from cardzoo.envs.bloodsport_gambler import cards
from cardzoo.envs.bloodsport_gambler.game import BloodsportGambler
from cardzoo.envs.bloodsport_gambler.state import NODES
from cardzoo.envs.core.state import State
from tests.support.worlds import (
    GENERATOR,
    assert_alike,
    check_play_in_worlds,
    check_worlds,
    same_world,
    share_that_differs,
)

VARIANTS: dict[str, dict[str, Any]] = {
    **BloodsportGambler.variants,
    "fate_restart": {"objective": "fate", "finished_seat": "restart"},
    "continue": {"objective": "outcome", "finished_seat": "continue"},
    "alone": {"seats": 1},
    "two_face_up": {"face_up": True},
}
HIDDEN = ("weapon", "secret", "fig_deck", "wea_deck", "sec_deck", "act_deck")  # in part hidden from all
PRIVATE = ("hand", "coin", "bet_side", "bet_coin", "pool")  # a row for each seat


def assert_known_stay(state: State, seat: int, world: State) -> None:
    """What the seat has seen is the same in the sampled world."""
    s, w = state.states[0], world.states[0]
    for k in range(s.n_sab):
        if s.sab_seen[k] >> seat & 1:
            assert w.sab_card[k] == s.sab_card[k]
        else:
            rules = state.game.rules[0]
            assert rules.actions[w.sab_card[k], cards.KIND] == cards.SABOTAGE
            assert max(0, rules.actions[w.sab_card[k], cards.RISK]) >= w.sab_time[k] + w.sab_coin[k]
    for fight in range(3):
        for side in range(2):
            if s.w_known[fight, side] >> seat & 1:
                assert w.weapon[fight, side] == s.weapon[fight, side]
        if s.s_known[fight] >> seat & 1:
            assert w.secret[fight] == s.secret[fight]
    for field in PRIVATE:
        assert (w[field][seat] == s[field][seat]).all()
    other = 1 - seat
    assert w.coin[other] + w.bet_coin[other].sum() == s.coin[other] + s.bet_coin[other].sum()
    if s.p_card >= 0 and s.actor == seat:
        assert w.p_card == s.p_card


def assert_like(state: State, seat: int, world: State) -> None:
    """Observation, actor and legal actions of the seat are those of the true state, and the world is sound."""
    assert_alike(state, seat, world, {"sab_card", "p_card", *HIDDEN, *PRIVATE})
    assert_known_stay(state, seat, world)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(VARIANTS)), moves=st.integers(0, 200))
def test_a_seat_cannot_tell_a_sampled_world_from_the_true_one(seed: int, variant: str, moves: int) -> None:
    """Equal observations and masks for every seat; depends on the generator and the seat's knowledge alone."""
    check_worlds(load("bloodsport_gambler", **VARIANTS[variant]), seed, moves, assert_like)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(VARIANTS)))
def test_play_goes_on_in_sampled_worlds(seed: int, variant: str) -> None:
    """A game in which the world is sampled anew, for some seat, all the time is sound to its end."""
    check_play_in_worlds(load("bloodsport_gambler", **VARIANTS[variant]), seed)


@pytest.mark.parametrize("variant", sorted(VARIANTS))
def test_hidden_cards_differ_in_nearly_all_worlds(variant: str) -> None:
    """Sampling that returned the true world would pass all other tests."""
    assert share_that_differs(load("bloodsport_gambler", **VARIANTS[variant]), 5, (*HIDDEN, "hand", "sab_card")) > 0.9


def test_the_generator_is_the_only_source_of_chance() -> None:
    """It is advanced, and the record's own generator comes from it; the tape of dice is part of the position."""
    state = load("bloodsport_gambler").new_state(1)
    generator = GENERATOR.copy()
    state.states["tape"][0, :2] = (3, 4)
    state.states["n_tape"][0] = 2
    world = state.resample(0, generator)
    assert (generator != GENERATOR).any()
    assert (world.states[0].rng != state.states[0].rng).any()
    assert world.states[0].tape[:3].tolist() == [3, 4, 0]
    state.states["rng"][0] += 1
    assert same_world(world, state.resample(0, GENERATOR.copy()))


def test_all_nodes_are_sampled() -> None:
    """For both seats, also where a card is being played, in windows and while wagers are secret."""
    rng = np.random.default_rng(2)
    seen: Counter[str] = Counter()
    game = load("bloodsport_gambler")
    for seed in range(30):
        state = game.new_state(seed)
        while not state.is_over:
            node = NODES[state.states[0].node]
            if seen[node] < 40:
                seen[node] += 1
                for seat in range(2):
                    assert_like(state, seat, state.resample(seat, rng))
            state.apply(int(rng.choice(state.legal_actions())))
    assert set(seen) == set(NODES) - {"over"}


# --- what is known to whom


def samples(state: State, seat: int, count: int) -> list[Any]:
    """Records of sampled worlds."""
    rng = np.random.default_rng(9)
    return [state.resample(seat, rng).states[0] for _ in range(count)]


def positions(position: dict[str, Any], **options: Any) -> State:
    return load("bloodsport_gambler", **options).from_position(position)


def number(game: Any, card: str) -> int:
    """The type number of an action card."""
    return next(k for k, action in enumerate(game.cards.file.types) if action.id == card)


def test_what_one_seat_looked_at_changes_for_the_other_only() -> None:
    """Weapons and secrets that a seat knows stay; face down for it, they and the deck are dealt anew."""
    position = {
        "fights": {"f1": {"left": {"weapon": "scimitar", "known": [0]}, "secret": "old_scars", "secret_known": [1]}},
        "seat0": {"hand": ["inside_man"]},
        "seat1": {"hand": ["read_the_bones"]},
    }
    state = positions(position)
    s = state.states[0]
    for seat in range(2):
        worlds = samples(state, seat, 60)
        weapons = {int(w.weapon[0, 0]) for w in worlds}
        secrets = {int(w.secret[0]) for w in worlds}
        assert (weapons == {int(s.weapon[0, 0])}) == (seat == 0)
        assert (secrets == {int(s.secret[0])}) == (seat == 1)
        assert len(weapons) + len(secrets) > 10


def test_face_up_all_weapons_and_secrets_stay() -> None:
    """For every seat, all through a game; what is dealt anew is the order of the decks, the other hand and Sabotage."""
    rng = np.random.default_rng(4)
    state = load("bloodsport_gambler", face_up=True).new_state(4)
    hands, decks = set(), set()
    while not state.is_over:
        s = state.states[0]
        for seat in range(2):
            w = state.resample(seat, rng).states[0]
            assert (w.weapon == s.weapon).all()
            assert (w.secret == s.secret).all()
            assert sorted(w.wea_deck.tolist()) == sorted(s.wea_deck.tolist())
            hands.add((w.hand[1 - seat] == s.hand[1 - seat]).all())
            decks.add((w.wea_deck == s.wea_deck).all())
        state.apply(int(rng.choice(state.legal_actions())))
    assert False in hands
    assert False in decks


def test_old_weapons_are_not_in_the_deck() -> None:
    """After a reshuffle everybody knows which weapons lay on the table then."""
    weapons = {"left": {"weapon": "scimitar", "old": True}, "right": {"weapon": "rapier", "old": True}}
    position = {"fights": {"f1": weapons}, "seat0": {"hand": ["inside_man"]}, "seat1": {"hand": ["read_the_bones"]}}
    state = positions(position)
    worlds = Counter(tuple(w.weapon[0].tolist()) for w in samples(state, 0, 400))
    assert sorted(next(iter(worlds))) == sorted(state.states[0].weapon[0].tolist())
    assert len(worlds) == 2
    assert all(abs(n - 200) < 50 for n in worlds.values())  # five standard deviations


def test_face_down_sabotage_has_at_least_its_tokens_as_risk() -> None:
    """Five tokens: only Bedchamber Scorpion; one token: any but those of No Risk; none: all Sabotage."""
    position = {
        "sabotage": [
            {"card": "bedchamber_scorpion", "seat": 1, "spot": "1L", "time": 4, "coin": 1},
            {"card": "warped_grip", "seat": 1, "spot": "1R", "time": 2},
            {"card": "poisoned_edge", "seat": 1, "spot": "2L"},
            {"card": "sorcerous_succor", "seat": 0, "spot": "2L"},
            {"card": "vanishing_blade", "seat": 1, "spot": "3L", "shown": True, "seen": [0, 1]},
        ],
        "seat0": {"hand": ["inside_man"]},
        "seat1": {"hand": ["read_the_bones", "loosened_hilt"]},
    }
    state = positions(position)
    game, s = state.game, state.states[0]
    worlds = samples(state, 0, 300)
    for k in (0, 3, 4):
        assert {int(w.sab_card[k]) for w in worlds} == {int(s.sab_card[k])}
    risky = {number(game, card) for card in ("sorcerous_succor", "sleeping_draught", "warped_grip")}
    assert {int(w.sab_card[1]) for w in worlds} == risky
    easy = {number(game, card) for card in ("loosened_hilt", "poisoned_edge", "switched_scabbards")}
    assert {int(w.sab_card[2]) for w in worlds} == risky | easy
    hands = [tuple(np.flatnonzero(w.hand[1])) for w in worlds]
    assert all(w.hand[1].sum() == 2 for w in worlds)
    assert len(set(hands)) > 20
    own = samples(state, 1, 100)
    assert len({int(w.sab_card[3]) for w in own}) > 3
    assert {int(w.sab_card[1]) for w in own} == {int(s.sab_card[1])}


def test_a_pending_sabotage_fits_the_decision_about_it() -> None:
    """Who decides on Time has a risk to lower; who then decides on coins has some left."""
    pending = {"card": "bedchamber_scorpion", "targets": ["1L"], "shown": [False]}
    hands = {"seat0": {"hand": ["inside_man"]}, "seat1": {"hand": ["inside_man"]}}
    state = positions({"at": "coin", **hands, "pending": {**pending, "time": 2}})
    scorpion = int(state.states[0].p_card)
    assert {int(w.p_card) for w in samples(state, 1, 50)} == {scorpion}
    state = positions({"at": "time", **hands, "pending": pending})
    rules = state.game.rules[0]
    played = {int(w.p_card) for w in samples(state, 1, 200)}
    assert len(played) == rules.num_sabotage
    assert {int(w.p_card) for w in samples(state, 0, 20)} == {scorpion}
    state = positions({"at": "time", **hands, "pending": {**pending, "shown": [True]}})
    assert {int(w.p_card) for w in samples(state, 1, 20)} == {scorpion}


def test_an_announced_card_is_known() -> None:
    """Only Sabotage is played face down."""
    pending = {"card": "inside_man", "targets": ["F1"], "shown": [False, False, False]}
    hands = {"seat0": {"hand": ["read_the_bones"]}, "seat1": {"hand": ["inside_man"]}}
    state = positions({"at": "time", **hands, "pending": pending})
    assert {int(w.p_card) for w in samples(state, 1, 50)} == {int(state.states[0].p_card)}


def test_wagers_are_drawn_anew_within_the_odds_and_the_purse() -> None:
    """Those of the other seat on the fights it has decided; what is seen of its coins stays."""
    fights = {
        "f1": {"left": {"fighter": "insect"}, "right": {"fighter": "deceased_mantrasuly"}},
        "f2": {"left": {"fighter": "blade_freak"}, "right": {"fighter": "grave_filler"}},
    }
    position = {
        "at": "bet",
        "actor": 1,
        "fight": 2,
        "fights": fights,
        "seat0": {"coin": 4, "wagers": {"f1": {"side": "left", "coin": 3}, "f2": {"side": "right", "coin": 1}}},
        "seat1": {"coin": 13, "wagers": {"f1": {"side": "right", "coin": 1}}},
    }
    state = positions(position)
    worlds = samples(state, 0, 500)
    found = Counter((int(w.bet_side[1, 0]), int(w.bet_coin[1, 0])) for w in worlds)
    assert set(found) == {(0, 0), (1, 3), (2, 1), (2, 2), (2, 3)}
    assert all(abs(n - 100) < 45 for n in found.values())  # five standard deviations
    for w in worlds:
        assert not w.bet_coin[1, 1:].any()
        assert w.coin[1] + w.bet_coin[1].sum() == 14
    for w in samples(state, 1, 100):
        assert w.bet_coin[1].tolist() == [1, 0, 0]
        assert w.coin[0] + w.bet_coin[0].sum() == 8
        assert w.coin[0] >= 0
    assert {tuple(w.bet_side[0].tolist()) for w in samples(state, 1, 300)} > {(0, 0, 0), (1, 2, 0)}


def test_the_deck_holds_only_what_lay_in_it() -> None:
    """After a reshuffle all saw what went into the deck: what was not among it is in the other hand."""
    deck = ["hurl_flagon", "blinding_mirror"]
    position = {
        "seat0": {"hand": ["inside_man"], "pool": deck},
        "seat1": {"hand": ["toss_a_potion", "read_the_bones"], "pool": deck},
        "action_deck": deck,
    }
    state = positions(position)
    worlds = samples(state, 0, 200)
    assert {w.hand[1].tobytes() for w in worlds} == {state.states[0].hand[1].tobytes()}
    assert len({w.act_deck.tobytes() for w in worlds}) == 2


def test_all_hands_are_equally_likely() -> None:
    """Two unknown cards among three, one of them in the deck."""
    everything = load("bloodsport_gambler").cards.file.types
    kept = {"call_in_favours", "hags_bargain", "fleece_a_drunkard"}
    used = {card.id: card.copies for card in everything if card.id not in kept and card.id != "toss_a_potion"}
    position = {
        "seat0": {"hand": ["toss_a_potion", "hags_bargain"]},
        "seat1": {"hand": ["call_in_favours"]},
        "action_deck": ["fleece_a_drunkard"],
        "used": used,
    }
    worlds = Counter(int(w.act_deck[0]) for w in samples(positions(position), 0, 400))
    assert len(worlds) == 2
    assert all(abs(n - 200) < 50 for n in worlds.values())


def test_who_is_asked_to_react_can_react_in_every_world() -> None:
    """The engine passes for a seat without a React card, so whoever is asked has one."""
    position = {
        "at": "react",
        "fight": 3,
        "fights": {"f3": {"left": {"rolls": [2]}, "right": {"rolls": [5]}, "secret": "old_scars"}},
        "seat0": {"hand": ["inside_man"]},
        "seat1": {"hand": ["hurl_flagon"]},
    }
    state = positions(position)
    assert state.actor == 1
    names = [card.id for card in state.game.cards.file.types]
    hands = Counter(names[int(np.flatnonzero(w.hand[1])[0])] for w in samples(state, 0, 300))
    assert set(hands) == {"hurl_flagon", "blinding_mirror", "toss_a_potion"}
