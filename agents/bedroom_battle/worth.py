"""What a card is worth to the heuristic players: one number a card, from its printed values and effects alone.

The numbers are rough prices in appeal points, for example 2 for each card drawn; nothing is tuned or learned. They are
worked out once per card set, for any card set.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bedroom_battle.cards import (
    ALL,
    ALL_CARDS,
    ALL_OPP,
    ALL_OTHERS,
    ALL_OWN,
    ANY,
    BAN,
    COST_ROW,
    DISCARD,
    DISCARD_CHAR,
    DISCARD_ITEM,
    DOUBLE,
    DRAW,
    DRAW_DISCARD,
    DRAW_OPP,
    EFFECT_FILTER,
    EFFECT_N,
    EFFECT_SCOPE,
    EFFECT_VERB,
    END_BATTLE,
    EXTRA_PLAY,
    GUARD,
    IF,
    MAX_CARDS,
    MAX_MODES,
    MOD,
    MODE_LEN,
    MODE_ROW,
    MODE_ROWS,
    MOVE_CHAR,
    MOVE_ITEM,
    NO_FILTER,
    NO_NEGATIVE,
    NUM_COST,
    NUM_MODES,
    NUM_PLAY,
    NUM_WHILE,
    ONLY,
    ONLY_FEMALE,
    ONLY_MALE,
    OPP,
    OPP_DISCARD,
    OPP_DISCARD_RANDOM,
    OPP_DRAW,
    OWN,
    OWN_DISCARD,
    OWN_OTHERS,
    PER,
    PER_ITEMS,
    PER_OPP_CHARS,
    PER_OPP_HAND,
    PER_OWN_HAND,
    PER_OWN_OTHERS,
    PER_POT,
    PER_SAME,
    PLAY_ROW,
    RETURN_CHAR,
    RETURN_ITEM,
    SACRIFICE,
    SEALED,
    SWAP_CHAR,
    VALUE,
    WHILE_ROW,
)
from cardzoo.envs.bedroom_battle.state import MAX_TYPES
from cardzoo.envs.bedroom_battle.tables import Rules
from cardzoo.envs.core.records import Records

# Prices of a verb, whatever its scope; verbs in none of these tables are worth 0: task, peek, add_reward, both_genders.
FLAT: Final = {
    SWAP_CHAR: 4.0,
    MOVE_ITEM: 2.0,
    RETURN_ITEM: 2.0,
    EXTRA_PLAY: 1.0,
    END_BATTLE: 1.0,
    SACRIFICE: -3.0,
    DOUBLE: 4.0,
    GUARD: 1.0,
    SEALED: 1.0,
    NO_NEGATIVE: 1.0,
    BAN: 1.0,
}
# Prices of a verb for each card it moves.
PER_CARD: Final = {
    DRAW: 2.0,
    DRAW_DISCARD: 2.0,
    OPP_DISCARD: 2.0,
    OPP_DISCARD_RANDOM: 2.0,
    DRAW_OPP: 3.0,
    OPP_DRAW: -2.0,
    OWN_DISCARD: -2.0,
    DISCARD: -2.0,
}
# Verbs in scopes of several meanings: the price of each scope.
SCOPED: Final = {
    DISCARD_CHAR: {ANY: 5.0, OPP: 5.0, ALL_OPP: 5.0, ALL: 3.0, OWN: -2.0, ALL_OWN: -2.0},
    MOVE_CHAR: {ANY: 7.0, OPP: 7.0, OWN: -3.0},
    RETURN_CHAR: {ANY: 4.0, OPP: 4.0, ALL_OPP: 4.0, ALL: 1.0, OWN: 1.0, ALL_OWN: 1.0},
    DISCARD_ITEM: {ANY: 2.0, OPP: 2.0, OWN: 2.0, ALL_OPP: 2.0, ALL_OWN: 2.0, ALL: 1.0},
}
# Continuous effects: the price of each point of n.
PER_POINT: Final = {
    MOD: {OWN: 2.0, OWN_OTHERS: 2.0, OPP: -2.0, ALL_OTHERS: -2.0},
    PER: {
        PER_OWN_OTHERS: 2.0,
        PER_OPP_CHARS: 2.0,
        PER_OWN_HAND: 3.0,
        PER_OPP_HAND: 3.0,
        PER_ITEMS: 0.5,
        PER_SAME: 0.5,
        PER_POT: 1.0,
    },
}
DRAWS: Final = (DRAW, DRAW_DISCARD, DRAW_OPP)
OPPOSING_DISCARDS: Final = (OPP_DISCARD, OPP_DISCARD_RANDOM)
GENDER_DISCOUNT: Final = 0.5


VALUES_DTYPE: Final = np.dtype(
    [
        ("worth", np.float64, (MAX_TYPES,)),  # multiples of 0.5, so comparisons are exact
        ("net", np.int64, (MAX_TYPES,)),  # cards won by playing it
        ("mode_cards", np.float64, (MAX_TYPES, MAX_MODES)),  # weights of a mode's draws and opposing discards
        ("appeal", np.float64, (MAX_TYPES,)),  # base appeal, or what an attachment adds; 0 for specials
        ("magnitude", np.float64, (MAX_TYPES,)),  # |appeal|
    ]
)

Values: TypeAlias = Any
"""The record of VALUES_DTYPE, a column for each battle card type."""


def card_values(rules: Records) -> Records:
    """Work out the values of all cards of a game: recarray (1,) of VALUES_DTYPE, from the game's rules."""
    table = rules[0]
    values = np.zeros(1, VALUES_DTYPE).view(np.recarray)
    record = values[0]
    for card in range(int(table.num_types)):
        record.worth[card] = worth(table, card)
        record.net[card] = net(table, card)
        record.appeal[card] = table.types[card, VALUE]
        record.magnitude[card] = abs(record.appeal[card])
        for mode, rows in enumerate(modes(table, card)):
            cards = [row for row in rows if row[EFFECT_VERB] in (*DRAWS, *OPPOSING_DISCARDS)]
            record.mode_cards[card, mode] = sum(weight(row) for row in cards)
    return values


def worth(rules: Rules, card: int) -> float:
    """Value of having a card: |appeal|, its effects' weights (the best mode's), less if only one gender may carry it.

    The continuous effects of a card that spoils (appeal below 0) count with the opposite sign.
    """
    appeal = int(rules.types[card, VALUE])
    continuous = sum(weight(row) for row in part(rules, card, NUM_WHILE, WHILE_ROW))
    total = abs(appeal) + (-continuous if appeal < 0 else continuous)
    total += sum(weight(row) for row in part(rules, card, NUM_COST, COST_ROW))
    total += sum(weight(row) for row in part(rules, card, NUM_PLAY, PLAY_ROW))
    total += max((sum(weight(row) for row in rows) for rows in modes(rules, card)), default=0.0)
    if int(rules.types[card, ONLY]) & (ONLY_MALE | ONLY_FEMALE):
        total -= GENDER_DISCOUNT
    return total


def net(rules: Rules, card: int) -> int:
    """Cards that playing a card brings to the hand, less those it costs; of modes the best."""
    total = sum(hand_change(row) for row in part(rules, card, NUM_COST, COST_ROW))
    total += sum(hand_change(row) for row in part(rules, card, NUM_PLAY, PLAY_ROW))
    return total + max((sum(hand_change(row) for row in rows) for rows in modes(rules, card)), default=0)


def hand_change(row: NDArray[np.int16]) -> int:
    """Cards that one effect brings to the hand of the seat that plays it; negative: takes from it."""
    verb = int(row[EFFECT_VERB])
    if verb in DRAWS:
        return number(row)
    if verb in (OWN_DISCARD, DISCARD):
        return -number(row)
    return 0


def weight(row: NDArray[np.int16]) -> float:
    """Price of one effect in appeal points; a filter halves it."""
    value = unfiltered_weight(int(row[EFFECT_VERB]), int(row[EFFECT_SCOPE]), number(row))
    return value if int(row[EFFECT_FILTER]) == NO_FILTER else value / 2


def unfiltered_weight(verb: int, scope: int, n: int) -> float:
    """Price of a verb with its scope and number."""
    if verb in PER_CARD:
        return PER_CARD[verb] * n
    if verb in SCOPED:
        return SCOPED[verb][scope]
    if verb in PER_POINT:
        return PER_POINT[verb][scope] * n
    if verb == IF:
        return n / 2
    return FLAT.get(verb, 0.0)


def number(row: NDArray[np.int16]) -> int:
    """The n of an effect; `all` cards count as the largest number a card may print."""
    n = int(row[EFFECT_N])
    return MAX_CARDS if n == ALL_CARDS else n


def part(rules: Rules, card: int, column: int, first: int) -> list[NDArray[np.int16]]:
    """The effect rows of one part (cost, play, while) of a card."""
    return list(rules.effects[card, first : first + int(rules.types[card, column])])


def modes(rules: Rules, card: int) -> list[list[NDArray[np.int16]]]:
    """The effect rows of each mode of a card; empty without modes."""
    starts = [MODE_ROW + MODE_ROWS * mode for mode in range(int(rules.types[card, NUM_MODES]))]
    return [part(rules, card, MODE_LEN + mode, first) for mode, first in enumerate(starts)]
