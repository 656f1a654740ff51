"""A new deal: bedrooms, decks, sleeves and hands (R18, R21)."""

from __future__ import annotations

import numpy as np

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.piles import take_top
from cardzoo.envs.core.random import below, shuffle
from cardzoo.envs.core.records import Record
from cardzoo.envs.teddies_vs_monsters.cards import COPIES
from cardzoo.envs.teddies_vs_monsters.clock import drop_act
from cardzoo.envs.teddies_vs_monsters.flow import ASK
from cardzoo.envs.teddies_vs_monsters.state import (
    BOTH_OPEN,
    IDLE,
    MAX_ROOMS,
    MAX_SEATS,
    NO_CARD,
    NO_ROOM,
    NOBODY,
    TEAMS,
)
from cardzoo.envs.teddies_vs_monsters.tables import MAX_BEDROOMS, Rules


@kernel
def choose_bedrooms(s: Record, rules: Rules) -> None:
    """Draw the bedrooms of this deal; a sudden death takes none of those that are on the table (R18)."""
    pool = np.zeros(MAX_BEDROOMS, np.int64)
    n = 0
    for k in range(int(rules.num_pool)):
        bedroom = int(rules.pool[k])
        on_table = False
        for room in range(MAX_ROOMS):
            on_table = on_table or int(s.bedroom[room]) == bedroom
        if int(s.sudden) == 0 or not on_table:
            pool[n] = bedroom
            n += 1
    rooms = int(rules.num_rooms) if int(s.sudden) == 0 else int(rules.sudden_rooms)
    for room in range(MAX_ROOMS):
        s.bedroom[room] = NO_ROOM
        if room < rooms:
            k = room + below(s.rng, n - room)
            s.bedroom[room] = pool[k]
            pool[k] = pool[room]


@kernel
def clear_rooms(s: Record) -> None:
    """Rooms without rows, traps and owners."""
    s.row[:] = 0
    s.row_n[:] = 0
    s.row_sym[:] = 0
    s.trap[:] = 0
    s.trap_n[:] = 0
    s.paid[:] = 0
    for room in range(MAX_ROOMS):
        there = int(s.bedroom[room]) != NO_ROOM
        s.claimed[room] = NOBODY
        s.mistake[room] = 0
        for team in range(TEAMS):
            s.open[team, room] = BOTH_OPEN if there else 0


@kernel
def shuffle_deck(s: Record, rules: Rules, owner: int) -> None:
    """Make the deck with a number: all cards of its team in random order."""
    team = owner % TEAMS
    n = 0
    for card in range(int(rules.team_types[team])):
        for _ in range(int(rules.cards[team, card, COPIES])):
            s.deck[owner, n] = card
            n += 1
    shuffle(s.rng, s.deck[owner], n)
    s.deck_n[owner] = n


@kernel
def deal_card(s: Record, seat: int) -> int:
    """Take the top card of a seat's deck."""
    card = take_top(s.deck[seat], int(s.deck_n[seat]))
    s.deck_n[seat] -= 1
    return card


@kernel
def clear_seats(s: Record) -> None:
    """Seats without cards, acts and events."""
    s.deck[:] = 0
    s.hand[:] = 0
    s.sleeve[:] = 0
    s.used[:] = 0
    s.known[:] = 0
    for seat in range(MAX_SEATS):
        drop_act(s, seat)
        s.hand_n[seat] = 0
        s.sleeve_n[seat] = 0
        s.face_down[seat] = 0
        s.l_kind[seat] = IDLE
        s.l_room[seat] = 0
        s.l_lost[seat] = 0
        s.l_tick[seat] = 0


@kernel
def deal(s: Record, rules: Rules) -> int:
    """A whole new deal: bedrooms, decks (with two seats also the reserves), sleeves, hands; returns what comes next."""
    choose_bedrooms(s, rules)
    clear_rooms(s)
    clear_seats(s)
    s.tick = 0
    s.picked = NO_CARD
    for owner in range(MAX_SEATS):
        shuffle_deck(s, rules, owner)
    for seat in range(int(rules.num_seats)):
        for _ in range(int(rules.sleeve_size)):
            s.sleeve[seat, deal_card(s, seat)] += 1
        s.sleeve_n[seat] = rules.sleeve_size
    for seat in range(int(rules.num_seats)):
        for _ in range(int(rules.hand_size)):
            s.hand[seat, deal_card(s, seat)] += 1
        s.hand_n[seat] = rules.hand_size
        s.face_down[seat] = rules.face_down
    return ASK
