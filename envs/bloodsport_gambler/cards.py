"""The cards of Bloodsport Gambler as the kernels read them: tables, their columns, and the codes of effects.

The file that people write is checked in `card_file`; what each word means is in RULES.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from cardzoo.envs.bloodsport_gambler.card_file import GamblerCardFile
    from cardzoo.envs.bloodsport_gambler.words import Effect
    from cardzoo.envs.core.cards import CardSet

# Kinds of action cards.
DISCOVER: Final = 0
SABOTAGE: Final = 1
REACT: Final = 2
SPECIAL: Final = 3
KINDS: Final = ("discover", "sabotage", "react", "special")

# --- columns of CardTables.actions, int16 (T, ACTION_COLUMNS)
KIND: Final = 0
COPIES: Final = 1
RISK: Final = 2  # NO_RISK, or 0..6
NUM_EFFECTS: Final = 3
ACTION_COLUMNS: Final = 4
NO_RISK: Final = -1

# --- columns of CardTables.fighters, int16 (F, FIGHTER_COLUMNS)
RANK: Final = 0
STR: Final = 1
DEX: Final = 2
LIFE: Final = 3
FIGHTER_COPIES: Final = 4
FIGHTER_COLUMNS: Final = 5

# --- columns of CardTables.weapons, int16 (W, WEAPON_COLUMNS)
TYPE: Final = 0
DAMAGE: Final = 1
WEAPON_COPIES: Final = 2
WEAPON_COLUMNS: Final = 3
TYPE_STR: Final = 0
TYPE_DEX: Final = 1
TYPE_BEST: Final = 2
TYPE_WORST: Final = 3
WEAPON_TYPES: Final = ("STR", "DEX", "BEST", "WORST")

# --- columns of CardTables.secrets, int16 (X, SECRET_COLUMNS)
SECRET_EFFECTS: Final = 0  # how many
SECRET_COPIES: Final = 1
SECRET_COLUMNS: Final = 2

# --- effects, int16 (types, MAX_EFFECTS, EFFECT_COLUMNS); unused rows are 0
MAX_EFFECTS: Final = 2
VERB: Final = 0
WHO: Final = 1  # or the scope of a look
A: Final = 2  # the number; str of `stat`; +1 high, -1 low of `dice`; type of `weapon_type`
B: Final = 3  # dex of `stat`
EFFECT_COLUMNS: Final = 4

# Column VERB.
LOOK: Final = 1
STAT: Final = 2
SCORE: Final = 3
DICE: Final = 4
TIES: Final = 5
REROLL: Final = 6
WOUND: Final = 7
HEAL: Final = 8
ADD_LIFE: Final = 9
ADD_DAMAGE: Final = 10
WEAPON_TYPE: Final = 11
SWAP_WEAPONS: Final = 12
REPLACE_WEAPON: Final = 13
REPLACE_SECRET: Final = 14
COIN: Final = 15
TIME: Final = 16
DRAW: Final = 17
GUARD: Final = 18
VERBS: Final = (
    "look",
    "stat",
    "score",
    "dice",
    "ties",
    "reroll",
    "wound",
    "heal",
    "life",
    "damage",
    "weapon_type",
    "swap_weapons",
    "replace_weapon",
    "replace_secret",
    "coin",
    "time",
    "draw",
    "guard",
)

# Column WHO of `look`: what it shows.
LOOK_WEAPON: Final = 1
LOOK_SECRET: Final = 2
LOOK_ANY: Final = 3
LOOK_FIGHTER: Final = 4
LOOK_FIGHT: Final = 5
SCOPES: Final = ("", "weapon", "secret", "any", "fighter", "fight")

# Column WHO of other verbs.
NO_ONE: Final = 0
TARGET: Final = 1
FOE: Final = 2
BOTH: Final = 3
LEFT_ONE: Final = 4
RIGHT_ONE: Final = 5
FAVOURITE: Final = 6
UNDERDOG: Final = 7
WOUNDED: Final = 8
WHOS: Final = ("", "target", "foe", "both", "left", "right", "favourite", "underdog", "wounded")


class CardTables(NamedTuple):
    """A card set for the kernels: T action types, F fighters, W weapons, X secrets."""

    actions: NDArray[np.int16]  # (T, ACTION_COLUMNS)
    action_effects: NDArray[np.int16]  # (T, MAX_EFFECTS, EFFECT_COLUMNS)
    fighters: NDArray[np.int16]  # (F, FIGHTER_COLUMNS)
    weapons: NDArray[np.int16]  # (W, WEAPON_COLUMNS)
    secrets: NDArray[np.int16]  # (X, SECRET_COLUMNS)
    secret_effects: NDArray[np.int16]  # (X, MAX_EFFECTS, EFFECT_COLUMNS)


def effect_row(effect: Effect) -> list[int]:
    """An effect as its row, EFFECT_COLUMNS integers."""
    who = SCOPES.index(effect.scope) if effect.verb == "look" else WHOS.index(effect.who)
    return [VERBS.index(effect.verb) + 1, who, effect.a, effect.b]


def tables(card_set: CardSet) -> CardTables:
    """Encode a card set of this game."""
    file = cast("GamblerCardFile", card_set.file)

    def effect_rows(cards: tuple[tuple[Effect, ...], ...]) -> NDArray[np.int16]:
        rows = np.zeros((len(cards), MAX_EFFECTS, EFFECT_COLUMNS), np.int16)
        for number, effects in enumerate(cards):
            for place, effect in enumerate(effects):
                rows[number, place] = effect_row(effect)
        return rows

    return CardTables(
        np.array(
            [
                (KINDS.index(c.kind), c.copies, NO_RISK if c.risk is None else c.risk, len(c.effects))
                for c in file.types
            ],
            np.int16,
        ),
        effect_rows(tuple(c.effects for c in file.types)),
        np.array([(f.rank, f.str, f.dex, f.life, f.copies) for f in file.fighters], np.int16),
        np.array([(WEAPON_TYPES.index(w.type), w.damage, w.copies) for w in file.weapons], np.int16),
        np.array([(len(x.effects), x.copies) for x in file.secrets], np.int16),
        effect_rows(tuple(x.effects for x in file.secrets)),
    )
