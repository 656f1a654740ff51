"""What the rules need to know of a card set and of the options, as one record.

One record and not a tuple of arrays: a kernel that calls another one passes a single pointer, and every table access
has a fixed offset (measured: a tuple of six arrays made the action mask ten times slower).
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bedroom_battle.cards import (
    ATTRIBUTE,
    BAN,
    BOTH_GENDERS,
    COPIES,
    EFFECT_N,
    EFFECT_SCOPE,
    EFFECT_VERB,
    GUARD,
    GUARD_ITEMS,
    GUARD_OWN,
    GUARD_SELF,
    ITEM,
    KIND,
    MOD,
    MODE_ROW,
    NCOL,
    NO_NEGATIVE,
    ROWS,
    SEALED,
    WHILE_ROW,
    CardTables,
)
from cardzoo.envs.bedroom_battle.state import MAX_REWARDS, MAX_TYPES

# Columns of the field `options`.
SMALL_REWARDS: Final = 0
HOT_REWARDS: Final = 1
FINAL_REWARDS: Final = 2
SELECT_REWARDS: Final = 3  # 1: reward selection (ruling R24)
NO_DRAFT: Final = 4  # 1: cards are dealt (ruling R25)
PLAY_CHALLENGES: Final = 5  # 1: challenges, bails and the final reward are played out
EAGER: Final = 6  # 1: reshuffle as soon as the deck is empty (ruling R5)
STARTER: Final = 7  # 0, 1, or RANDOM_STARTER (ruling R1)
MAX_TURNS: Final = 8
MAX_ROUNDS: Final = 9
NUM_OPTIONS: Final = 10

RANDOM_STARTER: Final = 2

# Bits of the field `traits`: continuous effects that are on or off, so that a character bears one number (appeal.py).
IS_BOTH: Final = 1
SELF_GUARD: Final = 2
OWN_GUARD: Final = 4
ITEM_GUARD: Final = 8
IS_SEALED: Final = 16
DROPS_NEGATIVE: Final = 32
MODIFIES: Final = 64
PROTECTS: Final = SELF_GUARD | OWN_GUARD | ITEM_GUARD | IS_SEALED
BANS: Final = 128  # shifted left by the banned kind

RULES_DTYPE: Final = np.dtype(
    [
        ("num_types", np.int16),  # T; rows from T on are 0
        ("num_rewards", np.int16),  # R
        ("num_attachments", np.int16),  # K: attachment copies in the card set
        ("max_copies", np.int16),  # of any type
        ("types", np.int16, (MAX_TYPES, NCOL)),  # columns of cards.py
        ("effects", np.int16, (MAX_TYPES, ROWS, EFFECT_N + 1)),  # rows and columns of cards.py
        ("traits", np.int16, (MAX_TYPES,)),  # bits above
        ("att_start", np.int16, (MAX_TYPES,)),  # place of an attachment type in the observation block `attachments`
        ("rewards", np.int16, (MAX_REWARDS,)),  # 0 small, 1 hot, 2 final
        ("options", np.int32, (NUM_OPTIONS,)),
        ("challenge_weight", np.float64),
    ]
)

Rules: TypeAlias = Any
"""The record of RULES_DTYPE, read-only; kernels that Python calls take the recarray of shape (1,) that holds it."""


_TRAITS: Final = {
    (BOTH_GENDERS, 0): IS_BOTH,
    (GUARD, GUARD_SELF): SELF_GUARD,
    (GUARD, GUARD_OWN): OWN_GUARD,
    (GUARD, GUARD_ITEMS): ITEM_GUARD,
    (SEALED, 0): IS_SEALED,
    (NO_NEGATIVE, 0): DROPS_NEGATIVE,
}


def traits_of_type(effects: NDArray[np.int16]) -> int:
    """The traits of a card type from its rows of the effect table, int16 (ROWS, 6)."""
    bits = 0
    for row in effects[WHILE_ROW:MODE_ROW]:
        verb, scope = int(row[EFFECT_VERB]), int(row[EFFECT_SCOPE])
        if verb == BAN:
            bits |= BANS << int(row[EFFECT_N])
        elif verb == MOD:
            bits |= MODIFIES
        else:
            bits |= _TRAITS.get((verb, scope), 0)
    return bits


def rules_record(tables: CardTables, options: dict[int, int], challenge_weight: float) -> np.recarray:
    """Pack a card set's tables and the options (column -> value) into a read-only recarray of shape (1,)."""
    rules = np.zeros(1, RULES_DTYPE).view(np.recarray)
    num_types, num_rewards = len(tables.types), len(tables.rewards)
    record = rules[0]
    record.num_types = num_types
    record.num_rewards = num_rewards
    record.max_copies = tables.types[:, COPIES].max()
    record.types[:num_types] = tables.types
    record.effects[:num_types] = tables.effects
    record.rewards[:num_rewards] = tables.rewards
    start = 0
    for card in range(num_types):
        record.traits[card] = traits_of_type(tables.effects[card])
        if tables.types[card, KIND] in (ITEM, ATTRIBUTE):
            record.att_start[card] = start
            start += int(tables.types[card, COPIES])
    record.num_attachments = start
    for column, value in options.items():
        record.options[column] = value
    record.challenge_weight = challenge_weight
    rules.setflags(write=False)
    return rules
