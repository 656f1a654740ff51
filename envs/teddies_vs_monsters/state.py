"""One game of Teddies vs Monsters as one record: every field, who may know it, and the numbers its codes stand for."""

from __future__ import annotations

from typing import Final

import numpy as np

MAX_SEATS: Final = 4
TEAMS: Final = 2
TEDDIES: Final = 0
MONSTERS: Final = 1
TEAM_NAMES: Final = ("teddies", "monsters")
MAX_ROOMS: Final = 5
MAX_TYPES: Final = 36  # of a team
MAX_DECK: Final = 64
MAX_LENGTH: Final = 6  # places of a bedroom's sequence
MAX_ROW: Final = 6  # cards in a row: each adds at least one symbol to fewer than MAX_LENGTH
MAX_TRAPS: Final = 10  # in a pile
MAX_TAPE: Final = 16
TRAP_PRICE: Final = 3  # symbols that remove a trap

NOBODY: Final = -1
NO_CARD: Final = -1
NO_ROOM: Final = -1

# Readings of a bedroom's sequence: bits of `open`.
LEFT: Final = 0  # from the left
RIGHT: Final = 1
READINGS: Final = 2
BOTH_OPEN: Final = 3

# Kinds of acts.
IDLE: Final = 0  # no act: the seat is to be asked
PLACE: Final = 1
ATTACK: Final = 2
BOMB: Final = 3
TRAP: Final = 4
DISARM: Final = 5
DISCARD: Final = 6
CLAIM: Final = 7
CALL: Final = 8
DRAW: Final = 9
TAKE: Final = 10
LOOK: Final = 11
WAIT: Final = 12
NUM_KINDS: Final = 13
KINDS: Final = (
    "",
    "place",
    "attack",
    "bomb",
    "trap",
    "disarm",
    "discard",
    "claim",
    "call",
    "draw",
    "take",
    "look",
    "wait",
)

# Side of an act: of a call the row of the own or the foe's team, of a draw where the card goes.
OWN: Final = 0
FOE: Final = 1
TO_HAND: Final = 0
TO_SLEEVE: Final = 1

# The team of seat s is s mod 2. Cards are numbers of types of the seat's (or row's, or owner's) team. Seats and rooms
# that the game does not have are 0 everywhere, unused entries of lists too; what is -1 when there is none says so.
DTYPE: Final = np.dtype(
    [
        # --- shared by all games
        ("rng", np.uint32, (4,)),  # generator state, hidden: shuffles, jitter, who lands first
        ("actor", np.int8),  # seat to decide; NOBODY when over
        ("truncated", np.int8),  # 1: ended by the limit of rounds
        # --- the game, public
        ("round_no", np.int16),  # from 1
        ("sudden", np.int8),  # number of the sudden death of this round, 0 in an ordinary one
        ("keys", np.int8, (TEAMS,)),
        # --- the deal, public
        ("tick", np.int32),  # the clock, from 0 with every deal
        ("bedroom", np.int8, (MAX_ROOMS,)),  # NO_ROOM: there is no such room
        ("claimed", np.int8, (MAX_ROOMS,)),  # team, NOBODY while unclaimed
        ("mistake", np.uint8, (MAX_ROOMS,)),  # 1: claimed with a wrong row
        ("row", np.int8, (TEAMS, MAX_ROOMS, MAX_ROW)),  # types in placing order; a claimed row stays here
        ("row_n", np.int8, (TEAMS, MAX_ROOMS)),  # cards
        ("row_sym", np.int8, (TEAMS, MAX_ROOMS)),  # symbols
        ("open", np.uint8, (TEAMS, MAX_ROOMS)),  # readings that the row's cards fit, bits LEFT and RIGHT
        ("trap", np.int8, (TEAMS, MAX_ROOMS, MAX_TRAPS)),  # by the side on which they lie; the last is the top
        ("trap_n", np.int8, (TEAMS, MAX_ROOMS)),
        ("paid", np.int8, (TEAMS, MAX_ROOMS)),  # symbols paid for the top trap, 0..2
        # --- seats: counts public, the rest as said
        ("hand", np.int8, (MAX_SEATS, MAX_TYPES)),  # counts by type, the owner's secret
        ("sleeve", np.int8, (MAX_SEATS, MAX_TYPES)),  # public
        ("used", np.int8, (MAX_SEATS, MAX_TYPES)),  # cards that left hand or sleeve in this deal, public
        ("known", np.int8, (MAX_SEATS, MAX_TYPES)),  # hand cards that everybody can tell
        ("hand_n", np.int8, (MAX_SEATS,)),
        ("sleeve_n", np.int8, (MAX_SEATS,)),
        ("face_down", np.uint8, (MAX_SEATS,)),  # 1: the hand has not been looked at, its owner cannot use it
        ("deck", np.int8, (MAX_SEATS, MAX_DECK)),  # the last is the top, order hidden; 2 and 3 are two seats' reserves
        ("deck_n", np.int8, (MAX_SEATS,)),  # of a reserve that is there its size, of one that was taken 0
        # --- the act of each seat: its own secret until it lands; a wait and a void act are never seen
        ("picked", np.int8),  # card whose target the actor owes; NO_CARD when none
        ("p_kind", np.int8, (MAX_SEATS,)),  # IDLE: to be asked
        ("p_card", np.int8, (MAX_SEATS,)),
        ("p_room", np.int8, (MAX_SEATS,)),
        ("p_side", np.int8, (MAX_SEATS,)),
        ("p_due", np.int32, (MAX_SEATS,)),  # tick of its landing
        # --- the last act of each seat that was seen, public
        ("l_kind", np.int8, (MAX_SEATS,)),  # IDLE: none yet
        ("l_room", np.int8, (MAX_SEATS,)),
        ("l_lost", np.uint8, (MAX_SEATS,)),  # 1: its card came too late and was discarded
        ("l_tick", np.int32, (MAX_SEATS,)),
        # --- chance fixed by a position
        ("tape", np.uint8, (MAX_TAPE,)),  # the next draws of jitter and of who lands first, the first next
        ("n_tape", np.int8),
    ]
)
