"""What a seat sees, as numbers: the layout of the observation and the kernel that writes it.

T card types of a team, S seats, R rooms, L places of the longest sequence. Rooms have the same numbers for all seats;
seats are me, then the others in seat order after me. Cards are numbers of types of the seat's own team, symbols those
of the team on whose side they are. All that a seat knows is written, each thing once; left out is what is an exact
function of the rest:

- the number of seats: it is told by the size of the vector. Rooms that are not there are 0, and a room that is there
  has a sequence, which is not;
- the length of a sequence (its places that are not 0) and where it has a `?` (four ones in one place);
- the level of a bedroom: the rules look at it only to draw one, and its card shows the sequence;
- that I choose a target (`picked` is not 0), that my hand is face down (the flag of my seat), how many rooms each team
  has (their owners), the size of a sleeve (its cards);
- which readings are open: one that is has a next symbol, and in a full row, where there is none, a flag of its own.

Written though they are functions of the rest: the unclaimed rooms and those that I still need, which every player
asks for first, and the shortage of each row (shortage.py), for which a network would have to learn to search. With
four seats the vector says which of its team's two a seat is: partners of one mind must be able to choose differently.
With two seats nobody has a partner, with four no hand is known by elimination: what is about these is left out there.
Options are scaled so that their largest values are within the limit. Nothing but `used` is clipped, and that only for
a card set with more than six copies of a type.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.layout import Block, Layout
from cardzoo.envs.core.records import Record, Records
from cardzoo.envs.teddies_vs_monsters.cards import ANY_COLOUR, COLOUR, COLOURS, FILLS, LENGTH, MARGIN, SNARE, SYMBOLS
from cardzoo.envs.teddies_vs_monsters.legal import partner_of, partner_usable
from cardzoo.envs.teddies_vs_monsters.rows import first_wrong
from cardzoo.envs.teddies_vs_monsters.shortage import shortage
from cardzoo.envs.teddies_vs_monsters.state import (
    ATTACK,
    BOMB,
    CALL,
    CLAIM,
    DISARM,
    KINDS,
    MAX_LENGTH,
    MAX_TYPES,
    NO_CARD,
    NO_ROOM,
    NOBODY,
    PLACE,
    TEAMS,
    TRAP,
    WAIT,
)
from cardzoo.envs.teddies_vs_monsters.supply import Supply, supply_of
from cardzoo.envs.teddies_vs_monsters.tables import GAME_TRAITS, SEAT_TRAITS, Rules

LIMIT = 2.0
PLACES = 0xFFFF  # an index `& PLACES` is the same, but tells the compiler that it is not negative
LANES = 8  # numbers in a vector

ONE = np.float32(1.0)
ZERO = np.float32(0.0)
HALF = np.float32(0.5)
TWO = np.float32(LIMIT)
# Multiplying is several times as fast as dividing.
PER_3 = np.float32(1.0 / 3.0)
PER_5 = np.float32(1.0 / 5.0)
PER_6 = np.float32(1.0 / 6.0)
PER_10 = np.float32(1.0 / 10.0)
PER_64 = np.float32(1.0 / 64.0)
OLD = 60  # ticks; older is the same
PER_OLD = np.float32(1.0 / OLD)

NUM_COLOURS = len(COLOURS)
NUM_EVENTS = WAIT - 1  # kinds of acts that are seen
NUM_ACTS = WAIT
ROOM_KINDS = 1 << PLACE | 1 << ATTACK | 1 << BOMB | 1 << TRAP | 1 << DISARM | 1 << CLAIM | 1 << CALL
ROOM_KIND_TEXT = "place, attack, bomb, trap, disarm, claim, call"

# Entries of a block that others follow. A code that is 0 for "none" falls on the entry before its one-hot, and a colour
# that is none on the one before the colours; these are written afterwards, so that no branch is needed.
GAME = 7 + GAME_TRAITS
TEAM_GAME = 3  # more of them with four seats
EVENT_AT = 5 + SEAT_TRAITS
OWNER = 4  # entries of a room before its sides
NEXT_RIGHT_AT = SYMBOLS
NUMBERS_AT = NEXT_RIGHT_AT + SYMBOLS
STRUCK_AT = NUMBERS_AT + 5
TRAPS_AT = STRUCK_AT + NUM_COLOURS
TRAP_COLOUR_AT = TRAPS_AT + 1
PAID_AT = TRAP_COLOUR_AT + NUM_COLOURS
SIDE = PAID_AT + 1  # without the sequence


def observation_layout(num_types: int, num_seats: int, num_rooms: int, max_length: int) -> Layout:
    """The observation of one seat as named blocks, every number within -2..2."""
    pair = num_seats == TEAMS
    types = (num_types,)
    seats = (num_seats, num_types)
    owed = Block("picked", types, "the card whose target I owe, one-hot")
    if pair:
        others = [Block("known", types, "cards in the foe's hand that I can tell / 5"), owed]
    else:
        others = [Block("partner", types, "with `open_team` my partner's hand / 5; 0 while it is face down"), owed]
    game_text = (
        "tick / round_ticks, round / max_rounds, my keys / 3, their keys / 3, sudden death / 5, unclaimed rooms / 5, "
        "rooms that I still need / 3, keys_to_win / 3, flags allow_mistakes, returned, trap_blocks_claim, completion, "
        "play_out"
    )
    act_text = f"with `open_team` my partner's act under way: kind one-hot ({', '.join(KINDS[1:])}), room one-hot (R)"
    seat_text = (
        "me, then the others: hand / 5, deck / 64, hand face down, pace / 500, reaction / 50, jitter / 25, min(ticks "
        f"since the last act that was seen or since the deal, {OLD}) / {OLD}, its card was lost, its kind one-hot "
        f"({', '.join(KINDS[1:WAIT])}), its room one-hot (R) if it has one ({ROOM_KIND_TEXT})"
    )
    side_text = (
        "my side, then theirs: sequence (L places of 4 symbols, `?` all four), symbols accepted next in the left "
        "reading (4) and in the right one (4; 0 when it is closed or the row full), symbols / 6, cards / 6, complete "
        "in the left reading, in the right one, (number of the first wrong card) / 6 or 0, symbols that an attack of "
        "each colour would remove / 6 (5), traps / 10, colours of the traps (5: 1 of the top one, 1/2 only of lower "
        "ones; `any` is all), symbols paid / 3"
    )
    return Layout(
        [
            Block("hand", types, "my hand / 5; 0 while it is face down"),
            Block("sleeves", seats, "me, then the others in seat order: sleeve / 5"),
            Block("used", seats, "the same: cards that left hand or sleeve in this deal / 6"),
            *others,
            Block(
                "game",
                (GAME + (0 if pair else TEAM_GAME),),
                game_text + ("" if pair else ", open_team, partner's sleeve usable, I am the second seat of my team"),
            ),
            *([] if pair else [Block("partner_act", (NUM_ACTS + num_rooms,), act_text)]),
            Block(
                "seats",
                (num_seats, EVENT_AT + NUM_EVENTS + num_rooms + (1 if pair else 0)),
                seat_text + (", second deck there" if pair else ""),
            ),
            Block(
                "rooms",
                (num_rooms, OWNER + TEAMS * (SYMBOLS * max_length + SIDE)),
                "owner (1 my team, -1 theirs, 0 unclaimed), claimed with a wrong row; if unclaimed: symbols of "
                "my row that hand and sleeve cannot supply / 6 (1 if the row is wrong), whether they supply all; "
                + side_text,
            ),
        ]
    )


# The kernels below write into `out`, float32 (D,), from entry `at` on: a slice for each block would cost more than it.
# They are short, so that the compiler puts them where they are called. A row of counts is a loop in float32 over whole
# vectors of LANES numbers, and four numbers are read before they are written, so that both become vector instructions.
# So zeros land behind a row (counts of types that are not there); what follows it is written later.


@kernel
def row_width(rules: Rules) -> int:
    """Counts that are written for a row: those of T types in whole vectors, or all that there are."""
    return min(MAX_TYPES, (int(rules.num_types) + LANES - 1) & -LANES)


@kernel
def observe_row(row: NDArray[np.int8], scale: np.float32, width: int, out: NDArray[np.float32], at: int) -> None:
    """Write counts, int8 (MAX_TYPES,), times a scale, float32 (T,)."""
    at &= PLACES
    for card in range(width):
        out[at + card] = np.float32(row[card]) * scale


@kernel
def observe_used(row: NDArray[np.int8], width: int, out: NDArray[np.float32], at: int) -> None:
    """Write counts of used cards, int8 (MAX_TYPES,), / 6, float32 (T,)."""
    at &= PLACES
    for card in range(width):
        count = np.float32(row[card]) * PER_6
        out[at + card] = count if count < TWO else TWO


@kernel
def seat_after(rules: Rules, seat: int, k: int) -> int:
    """The seat k places after a seat."""
    other = seat + k
    return other - int(rules.num_seats) if other >= int(rules.num_seats) else other


@kernel
def observe_cards(s: Record, rules: Rules, seat: int, out: NDArray[np.float32]) -> int:
    """Write the rows of counts, float32 (2 S + 2, T), and return where the next entry is."""
    n = int(rules.num_types)
    seats = int(rules.num_seats)
    width = row_width(rules)
    observe_row(s.hand[seat], PER_5 if int(s.face_down[seat]) == 0 else ZERO, width, out, 0)
    at = n
    for k in range(seats):
        observe_row(s.sleeve[seat_after(rules, seat, k)], PER_5, width, out, at)
        at += n
    for k in range(seats):
        observe_used(s.used[seat_after(rules, seat, k)], width, out, at)
        at += n
    if seats == TEAMS:
        observe_row(s.known[1 - seat], PER_5, width, out, at)
    else:
        partner = partner_of(seat)
        seen = int(rules.open_team) == 1 and int(s.face_down[partner]) == 0
        observe_row(s.hand[partner], PER_5 if seen else ZERO, width, out, at)
    return at + n


@kernel
def observe_game(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write the numbers of the game."""
    at &= PLACES
    team = seat & 1
    rooms = 0
    unclaimed = 0
    own = 0
    for room in range(int(rules.num_rooms)):
        there = 1 if int(s.bedroom[room]) != NO_ROOM else 0
        rooms += there
        unclaimed += there if int(s.claimed[room]) == NOBODY else 0
        own += there if int(s.claimed[room]) == team else 0
    needed = 1 if int(s.sudden) > 0 else max(0, (rooms >> 1) + 1 - own)
    out[at] = np.float32(s.tick) * rules.per_tick
    out[at + 1] = np.float32(s.round_no) * rules.per_round
    out[at + 2] = np.float32(s.keys[team]) * PER_3
    out[at + 3] = np.float32(s.keys[1 - team]) * PER_3
    out[at + 4] = np.float32(s.sudden) * PER_5
    out[at + 5] = np.float32(unclaimed) * PER_5
    out[at + 6] = np.float32(needed) * PER_3
    for k in range(GAME_TRAITS):
        out[at + 7 + k] = rules.game_traits[k]


@kernel
def observe_partner(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write the last numbers of the game and my partner's act, float32 (TEAM_GAME + NUM_ACTS + R,)."""
    at &= PLACES
    shown = ONE if int(rules.open_team) == 1 else ZERO
    partner = partner_of(seat)
    kind = int(s.p_kind[partner])
    out[at + TEAM_GAME - 1 + kind] = shown  # of an idle seat on the entry before, which is written after it
    if ROOM_KINDS >> kind & 1:
        out[at + TEAM_GAME + NUM_ACTS + int(s.p_room[partner])] = shown
    out[at] = shown
    out[at + 1] = ONE if partner_usable(s, rules, seat) else ZERO
    out[at + 2] = ONE if seat >= TEAMS else ZERO


@kernel
def observe_seat(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write the public numbers of a seat, float32 (EVENT_AT + NUM_EVENTS + R + 1,); with four seats one less."""
    at &= PLACES
    kind = int(s.l_kind[seat])
    out[at + EVENT_AT - 1 + kind] = ONE
    last = at + EVENT_AT + NUM_EVENTS
    out[last + int(s.l_room[seat])] = ONE if ROOM_KINDS >> kind & 1 else ZERO
    out[at] = np.float32(s.hand_n[seat]) * PER_5
    out[at + 1] = np.float32(s.deck_n[seat]) * PER_64
    out[at + 2] = np.float32(s.face_down[seat])
    for k in range(SEAT_TRAITS):
        out[at + 3 + k] = rules.seat_traits[seat, k]
    age = int(s.tick) - int(s.l_tick[seat])
    out[at + 3 + SEAT_TRAITS] = np.float32(age if age < OLD else OLD) * PER_OLD
    out[at + 4 + SEAT_TRAITS] = np.float32(s.l_lost[seat])
    if int(rules.num_seats) == TEAMS:
        out[last + int(rules.num_rooms)] = ONE if int(s.deck_n[TEAMS + seat]) > 0 else ZERO


@kernel
def observe_place(
    places: NDArray[np.float32], place: int, weight: np.float32, out: NDArray[np.float32], at: int
) -> None:
    """Write the symbols that a place of a sequence accepts, times a weight, float32 (4,)."""
    place = SYMBOLS * place & PLACES
    first = places[place] * weight
    second = places[place + 1] * weight
    third = places[place + 2] * weight
    fourth = places[place + 3] * weight
    at &= PLACES
    out[at] = first
    out[at + 1] = second
    out[at + 2] = third
    out[at + 3] = fourth


@kernel
def observe_colour(colour: int, value: np.float32, out: NDArray[np.float32], at: int) -> None:
    """Write a number for a colour, or for all of them if it is any, float32 (5,)."""
    at &= PLACES
    out[at - 1 + (colour & PLACES)] = value
    if colour == ANY_COLOUR:
        for each in range(NUM_COLOURS):
            out[at + each] = value


@kernel
def observe_struck(s: Record, rules: Rules, team: int, room: int, out: NDArray[np.float32], at: int) -> None:
    """Write the symbols that an attack of each colour would remove from a row / 6, float32 (5,)."""
    removed = 0
    cards = int(s.row_n[team, room])
    for k in range(cards):  # from the top: a lower card of a colour replaces a higher one
        card = int(s.row[team, room, cards - 1 - k & PLACES]) & PLACES
        removed += int(rules.cards[team, card, FILLS])
        observe_colour(int(rules.cards[team, card, COLOUR]), np.float32(removed) * PER_6, out, at)


@kernel
def observe_traps(s: Record, rules: Rules, team: int, room: int, out: NDArray[np.float32], at: int) -> None:
    """Write the colours of the traps on a side, float32 (5,)."""
    top = int(s.trap_n[team, room]) - 1
    for k in range(top + 1):
        card = int(s.trap[team, room, k & PLACES]) & PLACES
        observe_colour(int(rules.cards[1 - team, card, SNARE]), ONE if k == top else HALF, out, at)


@kernel
def observe_side(s: Record, rules: Rules, team: int, room: int, out: NDArray[np.float32], at: int) -> None:
    """Write a team's side of a room that is there, float32 (4 L + SIDE,)."""
    bedroom = int(s.bedroom[room]) & PLACES
    length = int(rules.bedrooms[bedroom, LENGTH])
    done = int(s.row_sym[team, room])
    readings = int(s.open[team, room])
    left = ONE if readings & 1 else ZERO
    right = ONE if readings & 2 else ZERO
    places = rules.places[bedroom, team]
    for k in range(int(rules.max_length)):
        observe_place(places, MARGIN + k, ONE, out, at)
        at += SYMBOLS
    # Beyond a full row there are empty places.
    observe_place(places, MARGIN + done, left, out, at)
    observe_place(places, MARGIN + length - 1 - done, right, out, at + NEXT_RIGHT_AT)
    at &= PLACES
    observe_struck(s, rules, team, room, out, at + STRUCK_AT)
    observe_traps(s, rules, team, room, out, at + TRAP_COLOUR_AT)
    full = ONE if done == length else ZERO
    out[at + NUMBERS_AT] = np.float32(done) * PER_6
    out[at + NUMBERS_AT + 1] = np.float32(s.row_n[team, room]) * PER_6
    out[at + NUMBERS_AT + 2] = left * full
    out[at + NUMBERS_AT + 3] = right * full
    out[at + NUMBERS_AT + 4] = ZERO if readings != 0 else np.float32(first_wrong(s, rules, team, room) + 1) * PER_6
    out[at + TRAPS_AT] = np.float32(s.trap_n[team, room]) * PER_10
    out[at + PAID_AT] = np.float32(s.paid[team, room]) * PER_3


@kernel
def observe_shortage(
    s: Record, rules: Rules, team: int, room: int, supply: Supply, out: NDArray[np.float32], at: int
) -> None:
    """Write the shortage of a team's row of an unclaimed room / 6 and whether there is none, float32 (2,)."""
    short = shortage(s, rules, team, room, supply)
    at &= PLACES
    out[at] = np.float32(min(short, MAX_LENGTH)) * PER_6
    out[at + 1] = ONE if short == 0 else ZERO


@kernel
def observe_rooms(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write the rooms that are there, float32 (R, OWNER + 2 (4 L + SIDE))."""
    size = SYMBOLS * int(rules.max_length) + SIDE
    supply = supply_of(s, rules, seat)
    for room in range(int(rules.num_rooms)):
        there = int(s.bedroom[room]) != NO_ROOM
        if there:
            at &= PLACES
            owner = int(s.claimed[room])
            out[at] = ZERO if owner == NOBODY else (ONE if owner == seat & 1 else -ONE)
            out[at + 1] = np.float32(s.mistake[room])
            if owner == NOBODY:
                observe_shortage(s, rules, seat & 1, room & PLACES, supply, out, at + 2)
        at += OWNER
        for side in range(TEAMS):
            if there:
                observe_side(s, rules, (seat + side) & 1, room & PLACES, out, at)
            at += size


@kernel
def observe(states: Records, i: int, rules: Records, seat: int, out: NDArray[np.float32]) -> None:
    """Write what `seat` sees of game i, float32 (D,) as in `observation_layout`, every entry in -LIMIT..LIMIT."""
    s = states[i]
    r = rules[0]
    at = observe_cards(s, r, seat, out)
    out[at:] = 0.0
    if int(s.picked) != NO_CARD and int(s.actor) == seat:
        out[at + int(s.picked)] = ONE
    at += int(r.num_types)
    observe_game(s, r, seat, out, at)
    at += GAME
    size = EVENT_AT + NUM_EVENTS + int(r.num_rooms) + 1
    if int(r.num_seats) > TEAMS:
        observe_partner(s, r, seat, out, at)
        at += TEAM_GAME + NUM_ACTS + int(r.num_rooms)
        size -= 1
    for k in range(int(r.num_seats)):
        observe_seat(s, r, seat_after(r, seat, k), out, at)
        at += size
    observe_rooms(s, r, seat, out, at)
