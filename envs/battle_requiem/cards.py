"""The cards of Battle Requiem as the kernels read them: tables, their columns, and the codes of steps.

The file that people write is checked in `card_file`; what each word means is in RULES.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.battle_requiem.state import MAX_CHARACTERS, MAX_TYPES

if TYPE_CHECKING:
    from cardzoo.envs.battle_requiem.card_file import RequiemCardFile
    from cardzoo.envs.battle_requiem.steps import Step
    from cardzoo.envs.core.cards import CardSet

# Kinds of cards.
MELEE: Final = 0
MISSILE: Final = 1
SPELL: Final = 2
ARMOR: Final = 3
SHIELD: Final = 4
ITEM: Final = 5
RELIC: Final = 6
KINDS: Final = ("melee", "missile", "spell", "armor", "shield", "item", "relic")
NUM_KINDS: Final = len(KINDS)
ARMAMENT_BITS: Final = 1 << MELEE | 1 << MISSILE | 1 << SPELL
ALL_KINDS: Final = (1 << NUM_KINDS) - 1
GROUPS: Final = {  # words for several kinds, as bit masks of 1 << kind
    "armament": ARMAMENT_BITS,
    "guard": 1 << ARMOR | 1 << SHIELD,
    "any": ALL_KINDS,
}

# --- columns of CardTables.types, int16 (T, TYPE_COLUMNS)
KIND: Final = 0
COPIES: Final = 1
BRN: Final = 2  # rating of armaments and armor, 0 for others
TYPE_COLUMNS: Final = 3

# --- columns of CardTables.characters, int16 (C, CHARACTER_COLUMNS)
REALM: Final = 0
AGE: Final = 1
HP: Final = 2
INVENTORY: Final = 3
CHARACTER_COLUMNS: Final = 4

# --- columns of CardTables.modifiers, int16 (C, NUM_MODIFIERS)
# A card of kind k (melee, missile, spell) counts ATTACK_MELEE + k in attack, DEFEND_MELEE + k in defence; armor too.
ATTACK_MELEE: Final = 0
ATTACK_MISSILE: Final = 1
ATTACK_SPELL: Final = 2
ATTACK_TOTAL: Final = 3
DEFEND_MELEE: Final = 4
DEFEND_MISSILE: Final = 5
DEFEND_SPELL: Final = 6
DEFEND_ARMOR: Final = 7  # DEFEND_MELEE + ARMOR
DEFEND_TOTAL: Final = 8
HEAL_MODIFIER: Final = 9
MODIFIERS: Final = (
    "attack_melee",
    "attack_missile",
    "attack_spell",
    "attack_total",
    "defend_melee",
    "defend_missile",
    "defend_spell",
    "defend_armor",
    "defend_total",
    "heal",
)
NUM_MODIFIERS: Final = len(MODIFIERS)

# --- CardTables.effects, int16 (EFFECTS, MAX_STEPS, STEP_COLUMNS): effect of card type t in row t, of the ability of
# character c in row ABILITY + c; unused steps are 0.
ABILITY: Final = MAX_TYPES
EFFECTS: Final = MAX_TYPES + MAX_CHARACTERS
MAX_STEPS: Final = 4
VERB: Final = 0
BRANCH: Final = 1  # 0 both, 1 first, 2 second
WHO: Final = 2
N: Final = 3
STEP_KINDS: Final = 4  # bit mask of 1 << kind
M: Final = 5  # HP that a levy costs
ROLE: Final = 6  # of a boost
STEP_COLUMNS: Final = 7

# Column VERB.
HEAL: Final = 1
HARM: Final = 2
DRAIN: Final = 3
PAY: Final = 4
DRAW: Final = 5
REDRAW: Final = 6
STEAL: Final = 7
ROB: Final = 8
TRIBUTE: Final = 9
LEVY: Final = 10
SHATTER: Final = 11
BURN: Final = 12
REVEAL: Final = 13
SALVAGE: Final = 14
RECLAIM: Final = 15
SWAP: Final = 16
TURNS: Final = 17
SKIP: Final = 18
VEIL: Final = 19
BOOST: Final = 20
RESIZE: Final = 21
VERBS: Final = (
    "heal",
    "harm",
    "drain",
    "pay",
    "draw",
    "redraw",
    "steal",
    "rob",
    "tribute",
    "levy",
    "shatter",
    "burn",
    "reveal",
    "salvage",
    "reclaim",
    "swap",
    "turns",
    "skip",
    "veil",
    "boost",
    "resize",
)
NUM_VERBS: Final = len(VERBS)

# Column BRANCH.
BRANCHES: Final = ("", "first", "second")

# Column WHO.
NO_ONE: Final = 0
SELF: Final = 1
ALLY: Final = 2
TEAM: Final = 3
ONE: Final = 4
ALL: Final = 5
WHOS: Final = ("", "self", "ally", "team", "one", "all")

# Column ROLE.
NO_ROLE: Final = 0
ATTACKER: Final = 1
DEFENDER: Final = 2
ROLES: Final = ("", "attack", "defend")


class CardTables(NamedTuple):
    """A card set for the kernels: T card types, C characters."""

    types: NDArray[np.int16]  # (T, TYPE_COLUMNS)
    characters: NDArray[np.int16]  # (C, CHARACTER_COLUMNS)
    modifiers: NDArray[np.int16]  # (C, NUM_MODIFIERS)
    effects: NDArray[np.int16]  # (EFFECTS, MAX_STEPS, STEP_COLUMNS)
    num_steps: NDArray[np.int16]  # (EFFECTS,)
    tracker_max: int


def step_row(step: Step) -> list[int]:
    """A step as its row, STEP_COLUMNS integers."""
    row = [0] * STEP_COLUMNS
    row[VERB] = VERBS.index(step.verb) + 1
    row[BRANCH] = BRANCHES.index(step.branch)
    row[WHO] = WHOS.index(step.who)
    row[N] = step.n
    row[STEP_KINDS] = step.kinds
    row[M] = step.m
    row[ROLE] = ROLES.index(step.role)
    return row


def tables(card_set: CardSet) -> CardTables:
    """Encode a card set of this game."""
    file = cast("RequiemCardFile", card_set.file)
    types = np.array([(KINDS.index(card.kind), card.copies, card.brn or 0) for card in file.types], np.int16)
    realms = sorted({character.realm for character in file.characters}, key=[c.realm for c in file.characters].index)
    characters = np.array([(realms.index(c.realm), c.age, c.hp, c.inventory) for c in file.characters], np.int16)
    modifiers = np.array([[c.modifiers.get(key, 0) for key in MODIFIERS] for c in file.characters], np.int16)
    effects = np.zeros((EFFECTS, MAX_STEPS, STEP_COLUMNS), np.int16)
    num_steps = np.zeros(EFFECTS, np.int16)
    rows = {number: card.effect for number, card in enumerate(file.types)}
    rows |= {ABILITY + number: c.ability.effect for number, c in enumerate(file.characters)}
    for row, steps in rows.items():
        num_steps[row] = len(steps)
        for number, step in enumerate(steps):
            effects[row, number] = step_row(step)
    return CardTables(types, characters, modifiers, effects, num_steps, file.tracker_max)
