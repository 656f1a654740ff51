"""One game of Battle Requiem as one record: every field, who may know it, and the numbers that its codes stand for."""

from __future__ import annotations

from typing import Final

import numpy as np

MAX_SEATS: Final = 6
MAX_TYPES: Final = 48  # card types
MAX_CARDS: Final = 80  # cards in the deck
MAX_CHARACTERS: Final = 24
MAX_DUEL: Final = 3  # cards that a side may commit
MAX_TAPE: Final = 16

# Limits of single numbers (rulings R10, R15, R16, R17).
MAX_HP: Final = 99
MAX_INVENTORY: Final = 12
MAX_EXTRA: Final = 9
MAX_SKIP: Final = 3
MAX_BOOST: Final = 20
HEAL_REWARD: Final = 5

NOBODY: Final = -1  # actor, defender, eff_foe, eff_ally
NO_CARD: Final = -1  # eff_card
NO_CHARACTER: Final = -1

DRAFT: Final = 0
TURN: Final = 1
ATTACK: Final = 2
DEFEND: Final = 3
CHOOSE: Final = 4
TARGET: Final = 5
PICK: Final = 6
LEVY: Final = 7
TRIBUTE: Final = 8
REWARD: Final = 9
TRIM: Final = 10
OVER: Final = 11
PHASES: Final = (
    "draft",
    "turn",
    "attack",
    "defend",
    "choose",
    "target",
    "pick",
    "levy",
    "tribute",
    "reward",
    "trim",
    "over",
)

# What a seat did in its last turn, and in its last defence.
NOTHING: Final = 0
DISCARDED: Final = 1
USED_ITEM: Final = 2
USED_RELIC: Final = 3
DUELED: Final = 4
LOST: Final = 5
LAST_TURNS: Final = ("none", "discard", "item", "relic", "duel", "lost")
PASSED: Final = 1
WITH_ARMAMENTS: Final = 2
WITH_ARMOR: Final = 3
WITH_SHIELD: Final = 4
LAST_DEFENCES: Final = ("none", "pass", "armament", "armor", "shield")

# Seats beyond the game's number have 0 everywhere (character -1). Unused entries of lists are 0.
DTYPE: Final = np.dtype(
    [
        # --- shared by all games
        ("rng", np.uint32, (4,)),  # generator state, hidden: shuffles and random steals
        ("actor", np.int8),  # seat to decide; NOBODY when over
        ("truncated", np.int8),  # 1: ended by the turn limit
        ("left", np.uint8),  # bit mask of the seats whose team is out: nothing can change their return any more
        # --- flow, public
        ("phase", np.int8),
        ("active", np.int8),  # seat whose turn it is (drafting seat in phase draft)
        ("pos", np.int8),  # its place in `order`
        ("extra", np.int8),  # extra turns it still has
        ("turn", np.int16),  # turns begun, lost ones included; 0 in the draft
        ("round_no", np.int16),
        # --- the duel on the table
        ("defender", np.int8),  # NOBODY without a duel
        ("n_att", np.int8),
        ("n_dfn", np.int8),
        ("att", np.uint8, (MAX_DUEL,)),  # face-down cards in the order committed: the owner's secret until resolved
        ("dfn", np.uint8, (MAX_DUEL,)),
        # --- the effect being carried out, public
        ("eff_card", np.int8),  # item or relic on the table; NO_CARD
        ("eff_step", np.int8),  # next step to carry out, or the one that asks
        ("eff_branch", np.int8),  # 0 none, 1 first, 2 second
        ("eff_foe", np.int8),  # the opponent chosen for all steps on one; NOBODY
        ("eff_ally", np.int8),  # the member of the own team chosen; NOBODY
        ("eff_need", np.int8),  # cards that the deciding seat still owes or may take
        ("eff_queue", np.uint8),  # bit mask of seats that still answer, the deciding one included
        ("fallen", np.uint8),  # bit mask of seats whose reward is open; they still hold their hands
        # --- seats, public
        ("order", np.int8, (MAX_SEATS,)),  # seats by age, youngest first; seat order in the draft
        ("rank", np.int8, (MAX_SEATS,)),  # place of each seat in `order`
        ("char", np.int8, (MAX_SEATS,)),  # NO_CHARACTER before it has one
        ("hp", np.int8, (MAX_SEATS,)),  # 0: eliminated (or, in the draft, not yet started)
        ("inv", np.int8, (MAX_SEATS,)),  # Inventory
        ("skip", np.int8, (MAX_SEATS,)),  # turns to lose
        ("veil", np.int8, (MAX_SEATS,)),  # 1: cannot be dueled
        ("att_boost", np.int8, (MAX_SEATS,)),
        ("def_boost", np.int8, (MAX_SEATS,)),
        ("place2", np.int8, (MAX_SEATS,)),  # twice the place of a team that is out; 0 while it is in
        ("last_turn", np.int8, (MAX_SEATS,)),
        ("last_def", np.int8, (MAX_SEATS,)),
        ("n_hand", np.int16, (MAX_SEATS,)),  # sum of hand, public
        ("n_draw", np.int16),
        ("n_disc", np.int16),
        # --- cards
        ("hand", np.uint8, (MAX_SEATS, MAX_TYPES)),  # counts; the owner's secret but for `known`
        ("known", np.uint8, (MAX_SEATS, MAX_TYPES)),  # copies in a hand (face-down ones included) that all know, public
        ("fresh", np.uint8, (MAX_SEATS, MAX_TYPES)),  # drawn by a seat since the last reshuffle or the deal, its secret
        ("mix", np.uint8, (MAX_TYPES,)),  # the draw pile right after the last reshuffle, public
        ("box", np.uint8, (MAX_TYPES,)),  # cards that a position sets aside, public
        ("in_disc", np.uint8, (MAX_TYPES,)),  # counts of `disc`, kept beside it
        ("disc", np.uint8, (MAX_CARDS,)),  # the last is the top, public
        ("draw", np.uint8, (MAX_CARDS,)),  # the last is the top; hidden from all
        # --- chance fixed by a position
        ("steals", np.uint8, (MAX_TAPE,)),  # the next random steals, the first next
        ("n_steals", np.int8),
    ]
)
