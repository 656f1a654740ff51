"""Ready rooms and needed cards, against plain Python that tries everything."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from cardzoo.agents.teddies_vs_monsters.needs import needed_types, ready_rooms, without
from cardzoo.envs import load
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.records import Record
from cardzoo.envs.teddies_vs_monsters.cards import FILLS, LENGTH
from cardzoo.envs.teddies_vs_monsters.rows import readings_left
from cardzoo.envs.teddies_vs_monsters.supply import held, supply_of
from tests.support.teddies_rows import cards_of, plain_shortage, shuffled_table, wrong_open_and_claimed
from tests.support.teddies_vs_monsters import CUSTOM_CARDS


@pytest.fixture(scope="module", params=[None, CUSTOM_CARDS], ids=["reference", "custom"])
def game(request: pytest.FixtureRequest) -> Game:
    return load("teddies_vs_monsters", cards=request.param, levels=[1, 2, 3])


def test_a_card_less_and_what_is_needed(game: Game) -> None:
    rng, rules, several = np.random.default_rng(2), game.rules[0], 0
    for _ in range(400):
        s, seat = shuffled_table(game, rng)
        supply = supply_of(s, rules, seat)
        rooms = range(int(rules.num_rooms))
        cards = cards_of(s, rules, seat)
        ready = [room for room in rooms if plain_shortage(s, rules, seat, room, cards) == 0]
        assert ready_rooms(s, rules, seat, supply) == sum(1 << room for room in ready)
        needed = needed_types(s, rules, seat, supply, ready_rooms(s, rules, seat, supply))
        for card in range(int(rules.team_types[seat])):
            count = held(s, seat, card)
            less = without(rules, seat, supply, card, count)
            if count == 0:
                assert less == supply
                assert not needed >> card & 1
                continue
            several += count > 2
            zone = s.hand if s.hand[seat, card] else s.sleeve
            zone[seat, card] -= 1
            assert supply_of(s, rules, seat) == less
            fewer = cards_of(s, rules, seat)
            assert needed >> card & 1 == any(plain_shortage(s, rules, seat, room, fewer) > 0 for room in ready)
            zone[seat, card] += 1
    assert several > 100


def can_complete(s: Record, rules: Any, seat: int, room: int) -> bool:
    """Whether the rules let a seat's cards complete a row, by trying them one after the other."""
    bedroom = int(s.bedroom[room])
    counts = s.hand[seat] + s.sleeve[seat]

    def further(readings: int, done: int) -> bool:
        if done == int(rules.bedrooms[bedroom, LENGTH]):
            return True
        for card in np.flatnonzero(counts):
            left = readings_left(rules, bedroom, seat, readings, done, int(card))
            if left:
                counts[card] -= 1
                found = further(left, done + int(rules.cards[seat, card, FILLS]))
                counts[card] += 1
                if found:
                    return True
        return False

    return further(int(s.open[seat, room]), int(s.row_sym[seat, room]))


def test_ready_rooms_are_those_that_the_rules_let_be_completed(game: Game) -> None:
    rng, rules, seen = np.random.default_rng(3), game.rules[0], Counter[bool]()
    for _ in range(150):
        s, seat = shuffled_table(game, rng)
        ready = ready_rooms(s, rules, seat, supply_of(s, rules, seat))
        for room in range(int(rules.num_rooms)):
            found = can_complete(s, rules, seat, room)
            assert ready >> room & 1 == found
            seen[found] += 1
    assert min(seen.values()) > 50


def test_wrong_and_claimed_rows_are_not_ready() -> None:
    s, rules = wrong_open_and_claimed()
    supply = supply_of(s, rules, 0)
    assert ready_rooms(s, rules, 0, supply) == 0
    s.face_down[0] = 0
    supply = supply_of(s, rules, 0)
    assert ready_rooms(s, rules, 0, supply) == 0b010
