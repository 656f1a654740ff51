"""Tables of Teddies vs Monsters, and how many places of a row a seat's cards leave empty, by trying everything."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from cardzoo.envs import load
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.records import Record
from cardzoo.envs.teddies_vs_monsters.cards import FILL_A, FILLS, LENGTH, symbols_match
from cardzoo.envs.teddies_vs_monsters.rows import append, next_set
from cardzoo.envs.teddies_vs_monsters.shortage import HOPELESS
from cardzoo.envs.teddies_vs_monsters.state import MAX_TYPES, TEAMS

Symbols = tuple[int, ...]


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


def wrong_open_and_claimed() -> tuple[Record, Any]:
    """A wrong row, one that is open and a claimed one, and a hand not looked at yet; the record and the rules."""
    game = load("teddies_vs_monsters", allow_mistakes=True, start_hand="face_down")
    rooms = {
        1: {"bedroom": "b2_01", "teddies": {"row": ["heart", "heart"]}},
        2: {"bedroom": "b2_05", "teddies": {"row": ["heart", "star", "star"]}},
        3: {"bedroom": "b1_01", "claimed": "teddies", "teddies": {"row": ["heart", "star", "moon"]}},
    }
    players = {"teddies_0": {"hand": ["heart", "moon"], "sleeve": ["star", "star"], "face_down": True}}
    state = game.from_position({"rooms": rooms, "players": players})
    return state.states[0], game.rules[0]


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
