"""What the rules need to know of a card set and of the options, as one record."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.battle_requiem.cards import (
    CHARACTER_COLUMNS,
    EFFECTS,
    MAX_STEPS,
    NUM_MODIFIERS,
    STEP_COLUMNS,
    TYPE_COLUMNS,
    CardTables,
)
from cardzoo.envs.battle_requiem.state import MAX_CHARACTERS, MAX_SEATS, MAX_TYPES

# Field `deal`: how the seats come to their characters.
RANDOM: Final = 0
DRAFTED: Final = 1
GIVEN: Final = 2

RULES_DTYPE: Final = np.dtype(
    [
        ("num_types", np.int16),  # T; rows from T on are 0
        ("num_characters", np.int16),  # C
        ("num_realms", np.int16),
        ("num_seats", np.int16),  # S
        ("num_teams", np.int16),  # G; without teams every seat is a team of one
        ("team_size", np.int16),
        ("obs_seats", np.int16),  # seat blocks in the observation
        ("tracker_max", np.int16),
        ("max_turns", np.int16),
        ("deal", np.int16),
        ("placement", np.int16),  # 1: returns by place, 0: the winner takes all (see `lost` and `won`)
        ("reward_any", np.int16),  # 1: eliminations by effects are rewarded too
        ("heal_start", np.int16),  # 1: nobody is healed above the HP stat of its character
        ("hands_shown", np.int16),  # 1: teammates see each other's hands
        ("team", np.int16, (MAX_SEATS,)),  # team of each seat, 0..G-1; -1 beyond S
        ("given", np.int16, (MAX_SEATS,)),  # characters by seat with GIVEN
        ("types", np.int16, (MAX_TYPES, TYPE_COLUMNS)),
        ("characters", np.int16, (MAX_CHARACTERS, CHARACTER_COLUMNS)),
        ("modifiers", np.int16, (MAX_CHARACTERS, NUM_MODIFIERS)),
        ("num_steps", np.int16, (EFFECTS,)),
        ("effects", np.int16, (EFFECTS, MAX_STEPS, STEP_COLUMNS)),
        ("lost", np.float64, (2 * MAX_SEATS + 1,)),  # return of a team that is out, by twice its place; 0 for none
        ("won", np.float64, (MAX_SEATS + 1,)),  # return of each team that is in at the end, by their number
    ]
)

Rules: TypeAlias = Any
"""The record of RULES_DTYPE, read-only; kernels that Python calls take the recarray of shape (1,) that holds it."""


def return_tables(teams: int, placement: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns of teams that are out and of those that are in at the end: `lost` and `won` of the record."""
    twice = np.arange(2 * MAX_SEATS + 1)
    living = np.arange(1, MAX_SEATS + 1)
    if placement:  # 1 - 2 (place - 1) / (G - 1); the k teams left share the places 1 .. k
        lost = 1 - (twice - 2) / (teams - 1)
        won = 1 - (living - 1) / (teams - 1)
    else:  # those left share what the others lost
        lost = np.full(len(twice), -1 / (teams - 1))
        won = (teams - living) / ((teams - 1) * living)
    lost[0] = 0
    return lost, np.concatenate([[0.0], won])


def rules_record(tables: CardTables, options: dict[str, Any]) -> np.recarray:
    """Pack a card set's tables and the options into a read-only recarray of shape (1,).

    Args:
        tables: the card set.
        options: values of the fields `num_seats` .. `given` above by name, `num_realms` and `tracker_max` excepted.
    """
    rules = np.zeros(1, RULES_DTYPE).view(np.recarray)
    record = rules[0]
    record.num_types, record.num_characters = len(tables.types), len(tables.characters)
    record.num_realms = tables.characters[:, 0].max() + 1
    record.tracker_max = tables.tracker_max
    record.types[: len(tables.types)] = tables.types
    record.characters[: len(tables.characters)] = tables.characters
    record.modifiers[: len(tables.modifiers)] = tables.modifiers
    record.num_steps[:] = tables.num_steps
    record.effects[:] = tables.effects
    for name, value in options.items():
        record[name] = value
    record.lost[:], record.won[:] = return_tables(int(record.num_teams), bool(record.placement))
    rules.setflags(write=False)
    return rules
