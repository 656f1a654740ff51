"""Deals (R18, R21): full decks, zones of the right size, bedrooms of the chosen levels, others in a sudden death."""

from __future__ import annotations

import numpy as np
import pytest

from cardzoo.envs.teddies_vs_monsters.cards import COPIES
from cardzoo.envs.teddies_vs_monsters.game import TeddiesVsMonsters

ROOMS = {2: 3, 4: 5}
SUDDEN_ROOMS = {2: 2, 4: 3}


def composition(game, team):
    return game.rules[0].cards[team, :, COPIES]


def cards_of(record, seat):
    """How many of each type a seat owns in hand, sleeve and deck."""
    deck = np.bincount(record.deck[seat, : record.deck_n[seat]], minlength=36)
    return record.hand[seat] + record.sleeve[seat] + deck


@pytest.mark.parametrize("seats", [2, 4])
def test_every_deal_begins_with_full_decks_hands_sleeves_and_a_clock_at_zero(seats):
    game = TeddiesVsMonsters(seats=seats, hand_size=6, sleeve_size=2)
    record = game.new_state(3).states[0]
    for seat in range(seats):
        assert (cards_of(record, seat) == composition(game, seat % 2)).all()
        assert (record.hand_n[seat], record.sleeve_n[seat], record.deck_n[seat]) == (6, 2, 46)
        assert (record.hand[seat].sum(), record.sleeve[seat].sum()) == (6, 2)
    for reserve in range(seats, 4):
        assert (cards_of(record, reserve) == composition(game, reserve % 2)).all()
    assert (record.tick, record.round_no, record.sudden, record.actor) == (0, 1, 0, 0)
    assert (record.bedroom[: ROOMS[seats]] >= 0).all()
    assert (record.bedroom[ROOMS[seats] :] == -1).all()
    assert (record.claimed == -1).all()


def test_with_four_seats_each_deck_is_a_seats_own():
    record = TeddiesVsMonsters(seats=4).new_state(1).states[0]
    assert record.deck_n.tolist() == [46, 46, 46, 46]


@pytest.mark.parametrize("levels", [[1], [3], [1, 2], [1, 2, 3]])
def test_bedrooms_are_of_the_chosen_levels_each_equally_often(levels):
    """Four standard errors of how often each of the pool is among the three."""
    game = TeddiesVsMonsters(levels=levels)
    pool = [number for number, bedroom in enumerate(game.cards.file.bedrooms) if bedroom.level in levels]
    games = 2000
    dealt = np.bincount(game.new_states(games, 5).bedroom[:, :3].ravel(), minlength=len(game.cards.file.bedrooms))
    assert np.flatnonzero(dealt).tolist() == pool
    share = 3 / len(pool)
    assert (np.abs(dealt[pool] - games * share) < 4 * np.sqrt(games * share * (1 - share))).all()


@pytest.mark.parametrize("seats", [2, 4])
def test_a_sudden_death_has_fewer_rooms_and_none_of_the_bedrooms_just_on_the_table(seats):
    game = TeddiesVsMonsters(seats=seats, round_ticks=100)
    rng = np.random.default_rng(2)
    met = 0
    for seed in range(10):
        state = game.new_state(seed)
        while not state.is_over and met < 40:
            before = state.states[0].copy()
            state.apply(int(rng.choice(state.legal_actions())))
            record = state.states[0]
            if record.sudden > before.sudden:
                met += 1
                rooms = record.bedroom[record.bedroom >= 0]
                assert len(rooms) == SUDDEN_ROOMS[seats]
                assert not set(rooms.tolist()) & set(before.bedroom.tolist())
                assert all((cards_of(record, seat) == composition(game, seat % 2)).all() for seat in range(4))
    assert met == 40


def test_hands_begin_face_down_only_with_that_option():
    assert TeddiesVsMonsters().new_state(1).states[0].face_down.tolist() == [0, 0, 0, 0]
    assert TeddiesVsMonsters(start_hand="face_down").new_state(1).states[0].face_down.tolist() == [1, 1, 0, 0]


def test_what_is_dealt_is_uniform():
    """Every card of the deck is in the hand equally often: four standard errors of each type."""
    game = TeddiesVsMonsters()
    games = 4000
    hands = game.new_states(games, 9).hand[:, 0].sum(axis=0)
    own = composition(game, 0)
    share = own / own.sum()
    spread = np.sqrt(games * 5 * share * (1 - share))
    assert (np.abs(hands - games * 5 * share) <= 4 * spread + 1e-9).all()
