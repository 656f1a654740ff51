"""Forecasts: how likely the left fighter beats the right one with their weapons, worked out once for every card set.

They are a feature of the observation, so that a learner need not rediscover the arithmetic of dice. They go by printed
numbers: without secret, Sabotage, React cards and wounds; an unknown weapon is any of the file's, by its copies.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bloodsport_gambler.cards import (
    DAMAGE,
    DEX,
    LIFE,
    STR,
    TYPE,
    WEAPON_COPIES,
    CardTables,
)
from cardzoo.envs.bloodsport_gambler.chances import HITS, NO_TIES, fill_races, hits_needed, round_share
from cardzoo.envs.bloodsport_gambler.state import MAX_FIGHTERS, MAX_WEAPONS

UNKNOWN: Final = MAX_WEAPONS  # index of a weapon that is not known
SHAPE: Final = (MAX_FIGHTERS, MAX_WEAPONS + 1, MAX_FIGHTERS, MAX_WEAPONS + 1)


def attack_stats(tables: CardTables) -> NDArray[np.int64]:
    """The stat that each fighter attacks with when it holds each weapon, int64 (F, W)."""
    strong, nimble = tables.fighters[:, STR, None], tables.fighters[:, DEX, None]
    by_type = np.stack(np.broadcast_arrays(strong, nimble, np.maximum(strong, nimble), np.minimum(strong, nimble)))
    kinds = np.broadcast_to(tables.weapons[:, TYPE], (len(tables.fighters), len(tables.weapons)))
    return np.take_along_axis(by_type[..., 0], kinds.T.astype(np.int64), axis=0).T.astype(np.int64)


def forecasts(tables: CardTables) -> NDArray[np.float32]:
    """Chance that left wins less chance that right does, float32 SHAPE, by fighter and weapon of left, then of right.

    The last weapon of each axis is UNKNOWN; entries of cards that the set does not have are 0. Fights that never end
    count as drawn.
    """
    fighters, weapons = len(tables.fighters), len(tables.weapons)
    stats = attack_stats(tables)
    damage = tables.weapons[:, DAMAGE]
    # By weapon of the one and fighter of the other: hits until that one is down.
    hits = np.array([[hits_needed(int(life), int(hit)) for life in tables.fighters[:, LIFE]] for hit in damage])
    values = np.unique(stats)
    known = np.zeros((fighters, weapons, fighters, weapons))
    race = np.zeros((HITS, HITS))
    for left in values:
        for right in values:
            fill_races(round_share(int(left), int(right), 0, 0, NO_TIES), HITS - 2, HITS - 2, race)
            a, b, c, d = np.nonzero((stats == left)[:, :, None, None] & (stats == right)[None, None])
            known[a, b, c, d] = race[hits[b, c], hits[d, a]]
    known = 2 * known - 1
    share = tables.weapons[:, WEAPON_COPIES] / tables.weapons[:, WEAPON_COPIES].sum()
    table = np.zeros(SHAPE, np.float32)
    table[:fighters, :weapons, :fighters, :weapons] = known
    table[:fighters, :weapons, :fighters, UNKNOWN] = known @ share
    table[:fighters, UNKNOWN, :fighters, :weapons] = np.einsum("abcd,b->acd", known, share)
    table[:fighters, UNKNOWN, :fighters, UNKNOWN] = np.einsum("abcd,b,d->ac", known, share, share)
    return table
