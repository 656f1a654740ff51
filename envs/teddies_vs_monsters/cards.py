"""The cards of Teddies vs Monsters as the kernels read them: tables, their columns, and sets of types as bits.

The file that people write is checked in `card_file`; what each word means is in RULES.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.teddies_vs_monsters.state import (
    LEFT,
    MAX_LENGTH,
    MAX_TYPES,
    READINGS,
    TEAM_NAMES,
    TEAMS,
)

if TYPE_CHECKING:
    from cardzoo.envs.core.cards import CardSet
    from cardzoo.envs.teddies_vs_monsters.card_file import TeddiesCard, TeddiesCardFile

# Kinds of cards.
SYMBOL: Final = 0
CHARACTER: Final = 1
BOMB_CARD: Final = 2
TRAP_CARD: Final = 3
CARD_KINDS: Final = ("symbol", "character", "bomb", "trap")

# Symbols: 1..4 are the four of the team in the order of the file.
SYMBOLS: Final = 4
ANY_SYMBOL: Final = 5
ANY: Final = "any"

# Colours.
COLOURS: Final = ("red", "blue", "green", "yellow", "purple")
NO_COLOUR: Final = 0
ANY_COLOUR: Final = 6  # matches every colour
NUM_COLOURS: Final = 7  # none, five, any

# --- columns of CardTables.cards, int16 (TEAMS, MAX_TYPES, CARD_COLUMNS)
COPIES: Final = 0
KIND: Final = 1
COLOUR: Final = 2  # by which it is attacked when it lies in a row
FILLS: Final = 3  # symbols it supplies to a row, 0..2
FILL_A: Final = 4  # the first, the left one of a pair; 0 for none
FILL_B: Final = 5
STRIKE: Final = 6  # colour it attacks, NO_COLOUR: none
BLAST: Final = 7  # 1: it is a bomb
SNARE: Final = 8  # colour of the trap that it is, NO_COLOUR: none
PAY: Final = 9  # symbols that it is worth towards removing a trap
UNLOCK: Final = 10  # colour of the traps that it removes at once, NO_COLOUR: none
CARD_COLUMNS: Final = 11

# --- columns of CardTables.bedrooms, int16 (B, BEDROOM_COLUMNS)
LEVEL: Final = 0
LENGTH: Final = 1
BEDROOM_COLUMNS: Final = 2

# Places of a sequence with two empty ones before and behind it, where a full row reads on; see place_symbols.
MARGIN: Final = 2
PLACES: Final = MARGIN + MAX_LENGTH + MARGIN


# Packed counts of symbols: five bytes of an integer, one for each symbol in the order of its number, the last for `?`.
BYTE: Final = 8


class CardTables(NamedTuple):
    """A card set for the kernels: up to MAX_TYPES types for each team, B bedrooms."""

    num_types: NDArray[np.int16]  # (TEAMS,)
    cards: NDArray[np.int16]  # (TEAMS, MAX_TYPES, CARD_COLUMNS)
    bedrooms: NDArray[np.int16]  # (B, BEDROOM_COLUMNS)
    sequences: NDArray[np.int16]  # (B, TEAMS, MAX_LENGTH), symbols; 0 beyond the length


def team_cards(card_set: CardSet) -> tuple[tuple[TeddiesCard, ...], ...]:
    """The cards of each team in the order of the file, which is the order of their type numbers."""
    types = cast("TeddiesCardFile", card_set.file).types
    return tuple(tuple(card for card in types if card.team == team) for team in TEAM_NAMES)


def symbol_code(name: str, symbols: tuple[str, ...]) -> int:
    """The number of a symbol among a team's four, or ANY_SYMBOL."""
    return ANY_SYMBOL if name == ANY else 1 + symbols.index(name)


def colour_code(name: str | None) -> int:
    """The number of a colour, ANY_COLOUR, or NO_COLOUR for None."""
    if name is None:
        return NO_COLOUR
    return ANY_COLOUR if name == ANY else 1 + COLOURS.index(name)


def card_row(card: TeddiesCard, symbols: tuple[str, ...]) -> list[int]:
    """A card as its row, CARD_COLUMNS integers; `symbols` are its team's."""
    row = [0] * CARD_COLUMNS
    row[COPIES], row[KIND], row[COLOUR] = card.copies, CARD_KINDS.index(card.kind), colour_code(card.colour)
    for effect in card.card_effects:
        if effect.verb == "fill":
            codes = [symbol_code(name, symbols) for name in effect.symbols]
            row[FILLS], row[FILL_A], row[FILL_B] = len(codes), codes[0], codes[-1] if len(codes) > 1 else 0
        elif effect.verb == "strike":
            row[STRIKE] = colour_code(effect.colour)
        elif effect.verb == "blast":
            row[BLAST] = 1
        elif effect.verb == "snare":
            row[SNARE] = colour_code(effect.colour)
        elif effect.verb == "pay":
            row[PAY] = effect.number
        else:  # unlock
            row[UNLOCK] = colour_code(effect.colour)
    return row


def tables(card_set: CardSet) -> CardTables:
    """Encode a card set of this game."""
    file = cast("TeddiesCardFile", card_set.file)
    cards = np.zeros((TEAMS, MAX_TYPES, CARD_COLUMNS), np.int16)
    sequences = np.zeros((len(file.bedrooms), TEAMS, MAX_LENGTH), np.int16)
    for team, own in enumerate(team_cards(card_set)):
        symbols = file.symbols_of(TEAM_NAMES[team])
        for number, card in enumerate(own):
            cards[team, number] = card_row(card, symbols)
        for number, bedroom in enumerate(file.bedrooms):
            for place, name in enumerate(bedroom.sequence_of(TEAM_NAMES[team])):
                sequences[number, team, place] = symbol_code(name, symbols)
    return CardTables(
        np.array([len(own) for own in team_cards(card_set)], np.int16),
        cards,
        np.array([(bedroom.level, len(bedroom.teddies)) for bedroom in file.bedrooms], np.int16),
        sequences,
    )


# Sets of types as bits of an int64: bit t is type t. All rules of what fits or hits are looked up in these.


def symbols_match(a: int, b: int) -> bool:
    """Whether two symbols match: the same, or one of them is `any`."""
    return a == b or ANY_SYMBOL in (a, b)


def colours_match(a: int, b: int) -> bool:
    """Whether two colours match: the same, or one of them is `any`; none matches nothing."""
    return NO_COLOUR not in (a, b) and (a == b or ANY_COLOUR in (a, b))


def fits(card: NDArray[np.int16], sequence: NDArray[np.int16], length: int, reading: int, done: int) -> bool:
    """Whether a card fits as the next of a row that holds `done` symbols, in a reading.

    A pair lies as printed: it covers two neighbouring places of the printed sequence, its first symbol on the left one.
    """
    count = int(card[FILLS])
    if count == 0 or done + count > length:
        return False
    first = done if reading == LEFT else length - done - count
    return all(symbols_match(int(card[FILL_A + k]), int(sequence[first + k])) for k in range(count))


def fit_sets(tables: CardTables) -> NDArray[np.int64]:
    """Types that fit next, int64 (B, TEAMS, READINGS, MAX_LENGTH + 2), by bedroom, team, reading and symbols so far."""
    sets = np.zeros((len(tables.bedrooms), TEAMS, READINGS, MAX_LENGTH + 2), np.int64)
    for bedroom, team, reading, done in np.ndindex(*sets.shape):
        length = int(tables.bedrooms[bedroom, LENGTH])
        sequence = tables.sequences[bedroom, team]
        sets[bedroom, team, reading, done] = _bits(
            fits(card, sequence, length, reading, done) for card in tables.cards[team]
        )
    return sets


def place_symbols(tables: CardTables) -> NDArray[np.float32]:
    """The symbols that each place of a sequence accepts, float32 (B, TEAMS, PLACES, SYMBOLS), 1 for those, else 0."""
    out = np.zeros((len(tables.bedrooms), TEAMS, PLACES, SYMBOLS), np.float32)
    for symbol in range(1, SYMBOLS + 1):
        accepted = (tables.sequences == symbol) | (tables.sequences == ANY_SYMBOL)
        out[:, :, MARGIN : MARGIN + MAX_LENGTH, symbol - 1] = accepted
    return out


def packed(symbol: int) -> int:
    """One of a symbol (1..5) as packed counts."""
    return 1 << BYTE * (symbol - 1)


def packed_singles(tables: CardTables) -> NDArray[np.int64]:
    """What each type brings to a row as a single symbol, packed counts, int64 (TEAMS, MAX_TYPES), else 0."""
    units = [[packed(int(card[FILL_A])) if card[FILLS] == 1 else 0 for card in own] for own in tables.cards]
    return np.array(units, np.int64)


def packed_starts(tables: CardTables) -> NDArray[np.int64]:
    """The first 0.. symbols of each sequence, packed counts, int64 (B, TEAMS, MAX_LENGTH + 1)."""
    out = np.zeros((len(tables.bedrooms), TEAMS, MAX_LENGTH + 1), np.int64)
    for bedroom, team, place in np.ndindex(len(tables.bedrooms), TEAMS, MAX_LENGTH):
        symbol = int(tables.sequences[bedroom, team, place])
        out[bedroom, team, place + 1] = out[bedroom, team, place] + (packed(symbol) if symbol > 0 else 0)
    return out


def colour_sets(tables: CardTables, column: int) -> NDArray[np.int64]:
    """Types whose colour in a column (STRIKE, UNLOCK) matches, int64 (TEAMS, NUM_COLOURS), by the colour to match."""
    sets = np.zeros((TEAMS, NUM_COLOURS), np.int64)
    for team, colour in np.ndindex(*sets.shape):
        sets[team, colour] = _bits(colours_match(int(card[column]), colour) for card in tables.cards[team])
    return sets


def column_sets(tables: CardTables, column: int, least: int = 1) -> NDArray[np.int64]:
    """Types with at least a number in a column, int64 (TEAMS,)."""
    return np.array([_bits(int(card[column]) >= least for card in own) for own in tables.cards], np.int64)


def _bits(members: Iterable[bool]) -> int:
    return sum(1 << number for number, member in enumerate(members) if member)
