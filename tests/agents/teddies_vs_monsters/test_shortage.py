"""The shortage of rooms, ready rooms and needed cards, against plain Python that tries everything."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from cardzoo.agents.teddies_vs_monsters.shortage import HOPELESS, needed_types, ready_rooms, shortage
from cardzoo.agents.teddies_vs_monsters.supply import held, supply_of, without
from cardzoo.envs import load
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.records import Record
from cardzoo.envs.teddies_vs_monsters.cards import FILL_A, FILLS, LENGTH, symbols_match
from cardzoo.envs.teddies_vs_monsters.rows import append, next_set, readings_left
from cardzoo.envs.teddies_vs_monsters.state import MAX_TYPES, TEAMS
from tests.support.teddies_vs_monsters import CUSTOM_CARDS

Symbols = tuple[int, ...]


@pytest.fixture(scope="module", params=[None, CUSTOM_CARDS], ids=["reference", "custom"])
def game(request: pytest.FixtureRequest) -> Game:
    return load("teddies_vs_monsters", cards=request.param, levels=[1, 2, 3])


def shuffled_table(game: Game, rng: np.random.Generator) -> tuple[Record, int]:
    """A seat with any cards, several copies of some of them, and rows of cards that fit; the record and the seat."""
    s, r = game.new_state(0).states[0], game.rules[0]
    seat = int(rng.integers(TEAMS))
    num = int(r.team_types[seat])
    s.hand[seat] = 0
    s.sleeve[seat] = 0
    for zone, size in ((s.hand, 9), (s.sleeve, 5)):
        few = rng.choice(num, 4) if rng.random() < 0.5 else np.arange(num)  # a few types: many copies
        for card in rng.choice(few, int(rng.integers(size + 1))):
            zone[seat, card] += 1
    bedrooms = np.flatnonzero(r.bedrooms[:, LENGTH])
    s.bedroom[: r.num_rooms] = rng.choice(bedrooms, int(r.num_rooms), replace=False)
    for room in range(int(r.num_rooms)):
        for _ in range(int(rng.integers(4))):
            fitting = [card for card in range(num) if next_set(s, r, seat, room) >> card & 1]
            if fitting:
                append(s, r, seat, room, int(rng.choice(fitting)))
    return s, seat


def cards_of(s: Record, rules: Any, seat: int) -> tuple[Symbols, ...]:
    """The symbols of each card that a seat holds and that has some."""
    cards = []
    for card in range(MAX_TYPES):
        row = rules.cards[seat, card]
        symbols = tuple(int(row[FILL_A + k]) for k in range(int(row[FILLS])))
        cards += [symbols] * (int(s.hand[seat, card]) + int(s.sleeve[seat, card])) if symbols else []
    return tuple(sorted(cards))


@cache
def least_empty(places: Symbols, cards: tuple[Symbols, ...]) -> int:
    """The fewest places that stay empty, by trying for the first one every card, and none."""
    if not places:
        return 0
    least = 1 + least_empty(places[1:], cards)
    for symbols in set(cards):
        if len(symbols) <= len(places) and all(map(symbols_match, symbols, places)):
            rest = list(cards)
            rest.remove(symbols)
            least = min(least, least_empty(places[len(symbols) :], tuple(rest)))
    return least


def plain_shortage(s: Record, rules: Any, seat: int, room: int, cards: tuple[Symbols, ...]) -> int:
    """The shortage by `least_empty`."""
    bedroom = int(s.bedroom[room])
    length, done = int(rules.bedrooms[bedroom, LENGTH]), int(s.row_sym[seat, room])
    sequence = tuple(int(symbol) for symbol in rules.sequences[bedroom, seat, :length])
    found = [HOPELESS]
    if int(s.open[seat, room]) & 1:
        found.append(least_empty(sequence[done:], cards))
    if int(s.open[seat, room]) & 2:
        found.append(least_empty(sequence[: length - done], cards))
    return min(found)


def test_shortage_is_the_least_of_all_ways(game: Game) -> None:
    rng, rules, seen = np.random.default_rng(1), game.rules[0], Counter[int]()
    for _ in range(600):
        s, seat = shuffled_table(game, rng)
        cards, supply = cards_of(s, rules, seat), supply_of(s, rules, seat)
        for room in range(int(rules.num_rooms)):
            least = plain_shortage(s, rules, seat, room, cards)
            assert shortage(s, rules, seat, room, supply) == least
            seen[least] += 1
    assert all(seen[least] > 30 for least in range(5))


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


def test_wrong_and_claimed_rows_and_hands_not_looked_at() -> None:
    game = load("teddies_vs_monsters", allow_mistakes=True, start_hand="face_down")
    rules = game.rules[0]
    rooms = {
        1: {"bedroom": "b2_01", "teddies": {"row": ["heart", "heart"]}},
        2: {"bedroom": "b2_05", "teddies": {"row": ["heart", "star", "star"]}},
        3: {"bedroom": "b1_01", "claimed": "teddies", "teddies": {"row": ["heart", "star", "moon"]}},
    }
    players = {"teddies_0": {"hand": ["heart", "moon"], "sleeve": ["star", "star"], "face_down": True}}
    state = game.from_position({"rooms": rooms, "players": players})
    s = state.states[0]
    supply = supply_of(s, rules, 0)
    assert supply == (2 << 8, 0, 0, 0)  # the stars of the sleeve
    assert shortage(s, rules, 0, 0, supply) == HOPELESS
    assert shortage(s, rules, 0, 1, supply) == 1
    s.face_down[0] = 0
    supply = supply_of(s, rules, 0)
    assert shortage(s, rules, 0, 1, supply) == 0
    assert ready_rooms(s, rules, 0, supply) == 0b010
