"""What the rules need to know of a card set and of the options, as one record."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from cardzoo.envs.bloodsport_gambler.cards import (
    ACTION_COLUMNS,
    EFFECT_COLUMNS,
    FIGHTER_COLUMNS,
    KIND,
    MAX_EFFECTS,
    SABOTAGE,
    SECRET_COLUMNS,
    WEAPON_COLUMNS,
    CardTables,
)
from cardzoo.envs.bloodsport_gambler.forecast import SHAPE, forecasts
from cardzoo.envs.bloodsport_gambler.state import MAX_ACTIONS, MAX_FIGHTERS, MAX_SECRETS, MAX_WEAPONS

# Field `objective`.
OUTCOME: Final = 0
RACE: Final = 1
FATE: Final = 2
OBJECTIVES: Final = ("outcome", "race", "fate")

# Field `finished`: what a seat with a result does.
LEAVE: Final = 0
CONTINUE: Final = 1
RESTART: Final = 2
FINISHED: Final = ("leave", "continue", "restart")

RULES_DTYPE: Final = np.dtype(
    [
        ("num_actions", np.int16),  # T action types; rows from T on are 0
        ("num_sabotage", np.int16),  # TB of them are Sabotage
        ("num_fighters", np.int16),
        ("num_weapons", np.int16),
        ("num_secrets", np.int16),
        ("num_seats", np.int16),
        ("objective", np.int16),
        ("finished", np.int16),
        ("final_passes", np.int16),  # 1: a pass holds for the phase or window
        ("coins_limited", np.int16),  # 1: gains are cut to the coins left of COIN_TOKENS
        ("face_up", np.int16),  # 1: weapons and secrets are known to all from the deal on
        ("max_fight_rounds", np.int16),
        ("max_rounds", np.int16),
        ("actions", np.int16, (MAX_ACTIONS, ACTION_COLUMNS)),
        ("action_effects", np.int16, (MAX_ACTIONS, MAX_EFFECTS, EFFECT_COLUMNS)),
        ("sabotage_index", np.int16, (MAX_ACTIONS,)),  # number among the Sabotage types; -1 of others
        ("fighters", np.int16, (MAX_FIGHTERS, FIGHTER_COLUMNS)),
        ("weapons", np.int16, (MAX_WEAPONS, WEAPON_COLUMNS)),
        ("secrets", np.int16, (MAX_SECRETS, SECRET_COLUMNS)),
        ("secret_effects", np.int16, (MAX_SECRETS, MAX_EFFECTS, EFFECT_COLUMNS)),
        ("forecasts", np.float32, SHAPE),  # see forecast.forecasts
    ]
)

Rules: TypeAlias = Any
"""The record of RULES_DTYPE, read-only; kernels that Python calls take the recarray of shape (1,) that holds it."""


def rules_record(tables: CardTables, options: dict[str, int]) -> np.recarray:
    """Pack a card set's tables and the options into a read-only recarray of shape (1,).

    Args:
        tables: the card set.
        options: values of the fields `num_seats` .. `max_rounds` above by name.
    """
    rules = np.zeros(1, RULES_DTYPE).view(np.recarray)
    record = rules[0]
    for number, rows in (
        ("num_actions", tables.actions),
        ("num_fighters", tables.fighters),
        ("num_weapons", tables.weapons),
        ("num_secrets", tables.secrets),
    ):
        record[number] = len(rows)
    for field in CardTables._fields:
        rows = getattr(tables, field)
        record[field][: len(rows)] = rows
    record.forecasts[:] = forecasts(tables)
    record.sabotage_index[:] = -1
    for card in range(len(tables.actions)):
        if tables.actions[card, KIND] == SABOTAGE:
            record.sabotage_index[card] = record.num_sabotage
            record.num_sabotage += 1
    for name, value in options.items():
        record[name] = value
    rules.setflags(write=False)
    return rules
