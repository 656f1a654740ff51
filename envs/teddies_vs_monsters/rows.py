"""Rows: the cards of a team under a bedroom, the readings that they fit, and what is wrong (R4, R5, R22, R23)."""

from __future__ import annotations

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record
from cardzoo.envs.teddies_vs_monsters.cards import ANY_COLOUR, COLOUR, FILLS, LENGTH, NO_COLOUR
from cardzoo.envs.teddies_vs_monsters.state import BOTH_OPEN, LEFT, MAX_ROW, NOBODY, READINGS, RIGHT
from cardzoo.envs.teddies_vs_monsters.tables import Rules

NO_PLACE = -1


@kernel
def is_unclaimed(s: Record, room: int) -> bool:
    """Whether there is such a room and nobody has claimed it."""
    return int(s.bedroom[room]) >= 0 and int(s.claimed[room]) == NOBODY


@kernel
def length_of(s: Record, rules: Rules, room: int) -> int:
    """Places of the sequence of a room that is there."""
    return int(rules.bedrooms[int(s.bedroom[room]), LENGTH])


@kernel
def readings_left(rules: Rules, bedroom: int, team: int, readings: int, done: int, card: int) -> int:
    """Which of the open readings (bits) stay open if a card follows on `done` symbols."""
    left = 0
    for reading in range(READINGS):
        bit = 1 << reading
        if readings & bit and int(rules.fits[bedroom, team, reading, done]) >> card & 1:
            left |= bit
    return left


@kernel
def next_set(s: Record, rules: Rules, team: int, room: int) -> int:
    """Types (bits) that fit as the next card of a row, in an open reading."""
    bedroom = int(s.bedroom[room])
    done = int(s.row_sym[team, room])
    readings = int(s.open[team, room])
    left = int(rules.fits[bedroom, team, LEFT, done]) if readings & 1 else 0
    right = int(rules.fits[bedroom, team, RIGHT, done]) if readings & 2 else 0
    return left | right


@kernel
def append(s: Record, rules: Rules, team: int, room: int, card: int) -> None:
    """Lay a card on top of a row."""
    done = int(s.row_sym[team, room])
    s.row[team, room, int(s.row_n[team, room])] = card
    s.row_n[team, room] += 1
    s.open[team, room] = readings_left(rules, int(s.bedroom[room]), team, int(s.open[team, room]), done, card)
    s.row_sym[team, room] = done + int(rules.cards[team, card, FILLS])


@kernel
def recount_row(s: Record, rules: Rules, team: int, room: int) -> None:
    """Work out symbols and open readings from the cards of a row."""
    readings = BOTH_OPEN
    done = 0
    for k in range(int(s.row_n[team, room])):
        card = int(s.row[team, room, k])
        readings = readings_left(rules, int(s.bedroom[room]), team, readings, done, card)
        done += int(rules.cards[team, card, FILLS])
    s.row_sym[team, room] = done
    s.open[team, room] = readings


@kernel
def cut(s: Record, rules: Rules, team: int, room: int, place: int) -> None:
    """Discard the card at a place of a row and every card above it; closed readings may open again (R4)."""
    for k in range(place, MAX_ROW):
        s.row[team, room, k] = 0
    s.row_n[team, room] = place
    recount_row(s, rules, team, room)


@kernel
def lowest_of(s: Record, rules: Rules, team: int, room: int, colour: int) -> int:
    """The place of the lowest card of a row that an attack of a colour hits (R8), NO_PLACE if there is none."""
    for k in range(int(s.row_n[team, room])):
        own = int(rules.cards[team, int(s.row[team, room, k]), COLOUR])
        if own != NO_COLOUR and (own == colour or own == ANY_COLOUR or colour == ANY_COLOUR):
            return k
    return NO_PLACE


@kernel
def row_wrong(s: Record, team: int, room: int) -> bool:
    """Whether a row fits neither reading."""
    return int(s.open[team, room]) == 0


@kernel
def row_complete(s: Record, rules: Rules, team: int, room: int) -> bool:
    """Whether a row of a room that is there is its exact sequence."""
    return int(s.row_sym[team, room]) == length_of(s, rules, room) and not row_wrong(s, team, room)


@kernel
def first_wrong(s: Record, rules: Rules, team: int, room: int) -> int:
    """The place of the lowest card up to which a row fits neither reading (R23), NO_PLACE if it is not wrong."""
    readings = BOTH_OPEN
    done = 0
    for k in range(int(s.row_n[team, room])):
        card = int(s.row[team, room, k])
        readings = readings_left(rules, int(s.bedroom[room]), team, readings, done, card)
        if readings == 0:
            return k
        done += int(rules.cards[team, card, FILLS])
    return NO_PLACE
