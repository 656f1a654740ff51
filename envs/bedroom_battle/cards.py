"""The cards of Bedroom Battle as the kernels read them: tables, their columns, and the words of effects.

The file that people write is checked in `card_file`; what each word means is in RULES.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.effects import Filter, Verb, Vocabulary, encode_rows

if TYPE_CHECKING:
    from cardzoo.envs.bedroom_battle.card_file import BattleCardFile
    from cardzoo.envs.core.cards import CardSet

# --- columns of CardTables.types, int16 (T, NCOL)
KIND: Final = 0
COPIES: Final = 1
GENDER: Final = 2  # characters: bits of MALE, FEMALE
ONLY: Final = 3  # items and attributes: bits of ONLY_*, 0 no restriction
VALUE: Final = 4  # base appeal, or what an attachment adds to its host
NUM_COST: Final = 5
NUM_PLAY: Final = 6
NUM_WHILE: Final = 7
NUM_MODES: Final = 8  # 0 or 2..4
MODE_LEN: Final = 9  # four columns: verbs in mode 1..4
NCOL: Final = 13

# Kinds of battle cards.
CHARACTER: Final = 0
ITEM: Final = 1
ATTRIBUTE: Final = 2
SPECIAL: Final = 3
KINDS: Final = ("character", "item", "attribute", "special")

# Bits of GENDER.
NO_GENDER: Final = 0
MALE: Final = 1
FEMALE: Final = 2
BOTH: Final = 3
GENDERS: Final = ("none", "male", "female", "both")

# Bits of ONLY: what the host must be. Every bit that is set must be met (the gender `both` meets male and female).
ONLY_MALE: Final = 1
ONLY_FEMALE: Final = 2
ONLY_OWN: Final = 4
ONLY_OPP: Final = 8
RESTRICTIONS: Final = ("male", "female", "own", "opp")

# --- rows and columns of CardTables.effects, int16 (T, ROWS, 6)
COST_ROW: Final = 0
PLAY_ROW: Final = 2
WHILE_ROW: Final = 5
MODE_ROW: Final = 8
MODE_ROWS: Final = 3  # rows of each mode
ROWS: Final = 20
EFFECT_VERB: Final = 0
EFFECT_MAY: Final = 1
EFFECT_SCOPE: Final = 2
EFFECT_FILTER: Final = 3
EFFECT_FILTER_N: Final = 4
EFFECT_N: Final = 5

# Column EFFECT_VERB.
NONE: Final = 0
TASK: Final = 1
DISCARD: Final = 2
SACRIFICE: Final = 3
DRAW: Final = 4
OPP_DRAW: Final = 5
DRAW_DISCARD: Final = 6
DRAW_OPP: Final = 7
OWN_DISCARD: Final = 8
OPP_DISCARD: Final = 9
OPP_DISCARD_RANDOM: Final = 10
PEEK: Final = 11
DISCARD_CHAR: Final = 12
MOVE_CHAR: Final = 13
RETURN_CHAR: Final = 14
SWAP_CHAR: Final = 15
DISCARD_ITEM: Final = 16
RETURN_ITEM: Final = 17
MOVE_ITEM: Final = 18
EXTRA_PLAY: Final = 19
END_BATTLE: Final = 20
ADD_REWARD: Final = 21  # EFFECT_N: SMALL or HOT
MOD: Final = 22
PER: Final = 23  # EFFECT_SCOPE: PER_*
IF: Final = 24  # EFFECT_SCOPE: IF_*; EFFECT_FILTER_N: type index of `with` and `on`
DOUBLE: Final = 25
NO_NEGATIVE: Final = 26
BOTH_GENDERS: Final = 27
GUARD: Final = 28  # EFFECT_SCOPE: GUARD_*
SEALED: Final = 29
BAN: Final = 30  # EFFECT_N: kind

# Column EFFECT_SCOPE of target verbs and `mod`.
NO_SCOPE: Final = 0
ANY: Final = 1
OWN: Final = 2
OPP: Final = 3
ALL: Final = 4
ALL_OWN: Final = 5
ALL_OPP: Final = 6
OWN_OTHERS: Final = 7
ALL_OTHERS: Final = 8

# Column EFFECT_SCOPE of `per`.
PER_OWN_OTHERS: Final = 1
PER_OPP_CHARS: Final = 2
PER_OWN_HAND: Final = 3
PER_OPP_HAND: Final = 4
PER_ITEMS: Final = 5
PER_SAME: Final = 6
PER_POT: Final = 7

# Column EFFECT_SCOPE of `if`.
IF_ALONE: Final = 1
IF_OUTNUMBERED: Final = 2
IF_NO_ITEMS: Final = 3
IF_WITH: Final = 4
IF_ON: Final = 5

# Column EFFECT_SCOPE of `guard`.
GUARD_SELF: Final = 1
GUARD_OWN: Final = 2
GUARD_ITEMS: Final = 3

# Column EFFECT_FILTER; the number of the last two is in EFFECT_FILTER_N.
NO_FILTER: Final = 0
FILTER_MALE: Final = 1
FILTER_FEMALE: Final = 2
FILTER_BASE_LE: Final = 3
FILTER_BASE_GE: Final = 4

ALL_CARDS: Final = 255  # EFFECT_N of `own_discard all` and `opp_discard all`

# Kinds of reward cards, in table order; level of the challenges = kind + 1.
SMALL: Final = 0
HOT: Final = 1
FINAL: Final = 2
REWARD_KINDS: Final = ("small", "hot", "final")

# --- limits of a card file
MIN_COPIES: Final = 40
MAX_COPIES: Final = 160
MAX_TYPES: Final = 128
MAX_ATTACHMENTS: Final = 64
MAX_DOUBLES: Final = 4
MAX_BASE: Final = 20
MAX_AMOUNT: Final = 20
MAX_CARDS: Final = 8  # n of draws and discards
MAX_REWARDS: Final = 64
MAX_FINALS: Final = 8
MAX_COSTS: Final = PLAY_ROW - COST_ROW
MAX_PLAYS: Final = WHILE_ROW - PLAY_ROW
MAX_WHILES: Final = MODE_ROW - WHILE_ROW
MAX_MODES: Final = 4

_ONE = {"any": ANY, "own": OWN, "opp": OPP}
_ONE_OR_ALL = {**_ONE, "all": ALL, "all_own": ALL_OWN, "all_opp": ALL_OPP}
_ACTION = ("play", "mode")
_CARDS = (1, MAX_CARDS)
_AMOUNT = (-MAX_AMOUNT, MAX_AMOUNT)
_CHOOSE = tuple(_ONE)

VOCABULARY: Final = Vocabulary(
    verbs={
        "task": Verb(TASK, ("cost",)),
        "discard": Verb(DISCARD, ("cost",), number=_CARDS),
        "sacrifice": Verb(SACRIFICE, ("cost",)),
        "draw": Verb(DRAW, _ACTION, number=_CARDS),
        "opp_draw": Verb(OPP_DRAW, _ACTION, number=_CARDS),
        "draw_discard": Verb(DRAW_DISCARD, _ACTION, number=_CARDS),
        "draw_opp": Verb(DRAW_OPP, _ACTION, number=_CARDS),
        "own_discard": Verb(OWN_DISCARD, _ACTION, number=_CARDS, words={"all": ALL_CARDS}),
        "opp_discard": Verb(OPP_DISCARD, _ACTION, number=_CARDS, words={"all": ALL_CARDS}),
        "opp_discard_random": Verb(OPP_DISCARD_RANDOM, _ACTION, number=_CARDS),
        "peek": Verb(PEEK, _ACTION),
        "discard_char": Verb(DISCARD_CHAR, _ACTION, scopes=_ONE_OR_ALL, filters=True, may=_CHOOSE),
        "move_char": Verb(MOVE_CHAR, _ACTION, scopes=_ONE, filters=True, may=_CHOOSE),
        "return_char": Verb(RETURN_CHAR, _ACTION, scopes=_ONE_OR_ALL, filters=True, may=_CHOOSE),
        "swap_char": Verb(SWAP_CHAR, _ACTION, may=("swap_char",)),
        "discard_item": Verb(DISCARD_ITEM, _ACTION, scopes=_ONE_OR_ALL, may=_CHOOSE),
        "return_item": Verb(RETURN_ITEM, _ACTION, scopes=_ONE, may=_CHOOSE),
        "move_item": Verb(MOVE_ITEM, _ACTION, scopes=_ONE, may=_CHOOSE),
        "extra_play": Verb(EXTRA_PLAY, _ACTION),
        "end_battle": Verb(END_BATTLE, _ACTION),
        "add_reward": Verb(ADD_REWARD, _ACTION, words={"small": SMALL, "hot": HOT}),
        "mod": Verb(
            MOD,
            ("while",),
            scopes={"own": OWN, "own_others": OWN_OTHERS, "opp": OPP, "all_others": ALL_OTHERS},
            filters=True,
            number=_AMOUNT,
        ),
        "per": Verb(
            PER,
            ("while",),
            scopes={
                "own_others": PER_OWN_OTHERS,
                "opp_chars": PER_OPP_CHARS,
                "own_hand": PER_OWN_HAND,
                "opp_hand": PER_OPP_HAND,
                "items": PER_ITEMS,
                "same": PER_SAME,
                "pot": PER_POT,
            },
            number=_AMOUNT,
        ),
        "if": Verb(
            IF,
            ("while",),
            scopes={
                "alone": IF_ALONE,
                "outnumbered": IF_OUTNUMBERED,
                "no_items": IF_NO_ITEMS,
                "with": IF_WITH,
                "on": IF_ON,
            },
            card_scopes=("with", "on"),
            number=_AMOUNT,
        ),
        "double": Verb(DOUBLE, ("while",)),
        "no_negative": Verb(NO_NEGATIVE, ("while",)),
        "both_genders": Verb(BOTH_GENDERS, ("while",)),
        "guard": Verb(GUARD, ("while",), scopes={"self": GUARD_SELF, "own": GUARD_OWN, "items": GUARD_ITEMS}),
        "sealed": Verb(SEALED, ("while",)),
        "ban": Verb(BAN, ("while",), words={kind: code for code, kind in enumerate(KINDS)}),
    },
    filters={
        "male": Filter(FILTER_MALE),
        "female": Filter(FILTER_FEMALE),
        "base<=": Filter(FILTER_BASE_LE, number=(0, MAX_BASE)),
        "base>=": Filter(FILTER_BASE_GE, number=(0, MAX_BASE)),
    },
)


class CardTables(NamedTuple):
    """A card set for the kernels: T battle card types, R reward cards."""

    types: NDArray[np.int16]  # (T, NCOL): KIND .. MODE_LEN
    effects: NDArray[np.int16]  # (T, ROWS, 6): EFFECT_VERB .. EFFECT_N; rows from COST_ROW, PLAY_ROW, ..
    rewards: NDArray[np.int16]  # (R,): SMALL, HOT or FINAL, in this order


def tables(card_set: CardSet) -> CardTables:
    """Encode a card set of this game (`card_file.load`); rows that are not used are 0."""
    file = cast("BattleCardFile", card_set.file)
    index = {card.id: number for number, card in enumerate(file.types)}
    types = np.zeros((len(file.types), NCOL), dtype=np.int16)
    effects = np.zeros((len(file.types), ROWS, EFFECT_N + 1), dtype=np.int16)
    for number, card in enumerate(file.types):
        row, rows = types[number], effects[number]
        row[KIND] = KINDS.index(card.kind)
        row[COPIES] = card.copies
        row[GENDER] = GENDERS.index(card.gender or "none")
        row[ONLY] = sum(1 << RESTRICTIONS.index(word) for word in card.only)
        row[VALUE] = card.appeal
        parts = ((NUM_COST, COST_ROW, card.cost), (NUM_PLAY, PLAY_ROW, card.play), (NUM_WHILE, WHILE_ROW, card.while_))
        for column, first, part in parts:
            row[column] = len(part)
            encode_rows(VOCABULARY, part, index, rows[first:])
        row[NUM_MODES] = len(card.choice)
        for mode, part in enumerate(card.choice):
            row[MODE_LEN + mode] = len(part)
            encode_rows(VOCABULARY, part, index, rows[MODE_ROW + MODE_ROWS * mode :])
    numbers = (file.rewards.small, file.rewards.hot, file.rewards.final)
    return CardTables(types, effects, np.repeat(np.arange(3, dtype=np.int16), numbers))


def reward_ids(small: int, hot: int, final: int) -> tuple[str, ...]:
    """The ids of reward cards in table order, for example small_01, hot_01, final_1."""
    return (
        *(f"small_{number:02d}" for number in range(1, small + 1)),
        *(f"hot_{number:02d}" for number in range(1, hot + 1)),
        *(f"final_{number}" for number in range(1, final + 1)),
    )
