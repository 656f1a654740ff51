"""The state record of Bedroom Battle: one game in progress is one `DTYPE` record.

Conventions: seats and sides are 0 and 1; battle card types and reward cards are table indices; piles keep their **top
at the end** (position notation lists the top first); unused slots are 0, so equal positions have equal bytes. "Public"
fields may be known to both seats; `resample` (information.py) redraws everything that is not.
"""

from __future__ import annotations

from typing import Final

import numpy as np

# The record has room for the largest card file that is allowed.
from cardzoo.envs.bedroom_battle.cards import MAX_ATTACHMENTS as MAX_ATTACHMENTS
from cardzoo.envs.bedroom_battle.cards import MAX_COPIES as MAX_COPIES
from cardzoo.envs.bedroom_battle.cards import MAX_FINALS as MAX_FINALS
from cardzoo.envs.bedroom_battle.cards import MAX_REWARDS as MAX_REWARDS
from cardzoo.envs.bedroom_battle.cards import MAX_TYPES as MAX_TYPES

MAX_SLOTS: Final = 16  # characters on a side (ruling R13)
ROW_SIZE: Final = 8
MAX_TAPE: Final = 16

# Phases: what the actor is asked. ATTACH..DISCARD resolve the pending card.
SELECT: Final = 0
DRAFT: Final = 1
BATTLE: Final = 2
EXTRA: Final = 3
ATTACH: Final = 4
MODE: Final = 5
TARGET: Final = 6
ITEM: Final = 7
DEST: Final = 8
SWAP: Final = 9
DISCARD: Final = 10
CHALLENGE: Final = 11
BAIL: Final = 12
FINAL: Final = 13
OVER: Final = 14
PHASES: Final = (
    "select",
    "draft",
    "battle",
    "extra",
    "attach",
    "mode",
    "target",
    "item",
    "dest",
    "swap",
    "discard",
    "challenge",
    "bail",
    "final",
    "over",
)

# Draft stages (0 outside a draft).
SETUP_1: Final = 1
SETUP_2: Final = 2
ROUND: Final = 3
STAGES: Final = ("", "setup_1", "setup_2", "round")

# Parts of a card's resolution (0: no card is being resolved).
PART_COST: Final = 1
PART_PLAY: Final = 2
PART_MODE: Final = 3
PARTS: Final = ("", "cost", "play", "mode")

NOBODY: Final = -1  # actor, last_winner, game_winner

# What nearly every kernel reads stands together at the front, so that a step touches few cache lines.
DTYPE: Final = np.dtype(
    [
        # --- shared by all games
        ("rng", np.uint32, (4,)),  # generator state, hidden
        ("actor", np.int8),  # seat to decide; NOBODY when over
        ("truncated", np.int8),  # 1: ended by the round cap
        # --- flow, public
        ("phase", np.int8),
        ("starter", np.int8),  # holder of the starting player card
        ("passes", np.int8),  # passes in immediate succession: 0 or 1 at a decision
        ("draft_stage", np.int8),
        ("last_winner", np.int8),  # seat that won the latest decided round
        ("game_winner", np.int8),
        ("round_no", np.int16),  # 0 during setup
        ("turns", np.int16),  # completed turns of this battle
        # --- lengths of the lists below, public
        ("n_hand", np.int16, (2,)),  # sum of hand, public
        ("n_known", np.int16, (2,)),  # sum of known, public
        ("n_deck", np.int16),
        ("n_discard", np.int16),
        ("n_row", np.int16),
        ("n_chars", np.int16, (2,)),
        ("n_att", np.int16),
        ("n_pile", np.int16),
        ("n_unused_hot", np.int16),
        ("n_unused_small", np.int16),
        ("n_pot", np.int16),
        ("n_sel_row", np.int16),
        ("n_sel_kept", np.int16),
        ("n_final", np.int16),
        ("n_won", np.int16, (2,)),
        ("n_random_hand", np.int16),
        # --- the card being resolved (all 0 when none), public
        ("p_card", np.int16),
        ("p_by", np.int16),  # seat that played it
        ("p_placed", np.int16),  # 1: the character or attachment is on the board
        ("p_side", np.int16),  # where the played character, or the host of the played attachment, stands
        ("p_slot", np.int16),  # -1 once it left the board
        ("p_part", np.int16),  # PART_*
        ("p_mode", np.int16),  # chosen mode from 1; 0 none
        ("p_step", np.int16),  # effect of the part, from 1
        ("p_left", np.int16),  # cards still to discard
        ("p_first_side", np.int16),  # first target: host of the item, own character of a swap
        ("p_first_slot", np.int16),
        ("p_item", np.int16),  # type of the item on its way (DEST)
        ("p_extra", np.int16),  # 1: another play was granted
        ("p_end", np.int16),  # 1: the battle ends when this card is finished
        # --- challenges, public
        ("bails", np.uint8, (2,)),
        ("ch_left", np.int16),  # cards still to be challenged: the last ones of the winner's `won`
        ("final_pick", np.int16),  # final reward being challenged or performed, index + 1; 0 none
        ("letter", np.int8),  # letter on offer + 1 (BAIL); 0 none
        ("bailed", np.int8),  # bit mask of the letters bailed on the current card
        ("comfort", np.int32, (2,)),  # sum of level * preference over performed challenges
        ("levels", np.int16),  # sum of levels over performed challenges
        # --- battlefield and draft, public
        ("row", np.uint8, (ROW_SIZE,)),  # cards laid out for the draft, public
        ("chars", np.uint8, (2, MAX_SLOTS)),
        ("att_card", np.uint8, (MAX_ATTACHMENTS,)),  # attachments in play, oldest first over the whole board
        ("att_side", np.uint8, (MAX_ATTACHMENTS,)),
        ("att_slot", np.uint8, (MAX_ATTACHMENTS,)),
        # --- battle cards
        ("hand", np.uint8, (2, MAX_TYPES)),  # counts, hidden from the other seat but for `known`
        ("known", np.uint8, (2, MAX_TYPES)),  # copies in the hand that the other seat knows, <= hand, public
        ("deck_left", np.uint8, (MAX_TYPES,)),  # counts of deck, kept beside it for the observation; hidden
        ("deck", np.uint8, (MAX_COPIES,)),  # hidden order
        ("discard", np.uint8, (MAX_COPIES,)),  # public, order included
        ("copies", np.uint8, (MAX_TYPES,)),  # copies of each type in this game, public
        # --- reward cards
        ("pile", np.uint8, (MAX_REWARDS,)),  # hidden order (and, without select_rewards, hidden cards)
        ("pot", np.uint8, (MAX_REWARDS,)),  # public, oldest first
        ("unused_hot", np.uint8, (MAX_REWARDS,)),  # hidden like pile
        ("unused_small", np.uint8, (MAX_REWARDS,)),
        ("sel_row", np.uint8, (MAX_REWARDS,)),  # reward selection (ruling R24), public
        ("sel_kept", np.uint8, (MAX_REWARDS,)),
        ("final", np.uint8, (MAX_FINALS,)),  # set aside; hidden until revealed to both at the game's end
        ("won", np.uint8, (2, MAX_REWARDS)),  # public, in the order won
        ("done", np.int8, (MAX_REWARDS,)),  # performed letter + 1 per reward card; 0 none
        ("seen", np.uint8, (MAX_REWARDS,)),  # 1: the reward card has been face up
        # --- private preferences (challenge_weight > 0)
        ("prefs", np.int8, (2, MAX_REWARDS, 3)),  # -100..100; a seat knows its own row for rewards in `seen`
        # --- chance fixed by a position
        ("random_hand", np.uint8, (MAX_TAPE,)),
    ]
)
