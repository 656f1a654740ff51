"""What the rules need to know of a card set and of the options, as one record."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from cardzoo.envs.teddies_vs_monsters.cards import (
    BEDROOM_COLUMNS,
    BLAST,
    CARD_COLUMNS,
    FILLS,
    NUM_COLOURS,
    PAY,
    PLACES,
    SNARE,
    STRIKE,
    SYMBOLS,
    UNLOCK,
    CardTables,
    colour_sets,
    column_sets,
    fit_sets,
    packed_singles,
    packed_starts,
    place_symbols,
)
from cardzoo.envs.teddies_vs_monsters.state import (
    MAX_LENGTH,
    MAX_SEATS,
    MAX_TYPES,
    NUM_KINDS,
    READINGS,
    TEAMS,
)

MAX_BEDROOMS: Final = 64
GAME_TRAITS: Final = 6
SEAT_TRAITS: Final = 3

# Field `partner_sleeve`: when a seat may play cards of its partner's sleeve.
NEVER: Final = 0
WHEN_OUT: Final = 1
ALWAYS: Final = 2
PARTNER_SLEEVE: Final = ("never", "when_out", "always")

RULES_DTYPE: Final = np.dtype(
    [
        # --- cards
        ("num_types", np.int16),  # T, the most types of a team
        ("team_types", np.int16, (TEAMS,)),  # types of each team; rows from there on are 0
        ("max_length", np.int16),  # of all bedrooms of the card set
        ("cards", np.int16, (TEAMS, MAX_TYPES, CARD_COLUMNS)),
        ("bedrooms", np.int16, (MAX_BEDROOMS, BEDROOM_COLUMNS)),
        ("sequences", np.int16, (MAX_BEDROOMS, TEAMS, MAX_LENGTH)),
        ("pool", np.int16, (MAX_BEDROOMS,)),  # bedrooms of the chosen levels
        ("num_pool", np.int16),
        # --- sets of types as bits, for each team
        ("fits", np.int64, (MAX_BEDROOMS, TEAMS, READINGS, MAX_LENGTH + 2)),  # see cards.fit_sets
        ("fillers", np.int64, (TEAMS,)),  # with symbols
        ("pairs", np.int64, (TEAMS,)),  # with two of them
        ("strikers", np.int64, (TEAMS, NUM_COLOURS)),  # that attack a card of the colour
        ("blasters", np.int64, (TEAMS,)),
        ("snarers", np.int64, (TEAMS,)),
        ("payers", np.int64, (TEAMS,)),
        ("unlockers", np.int64, (TEAMS, NUM_COLOURS)),  # that remove a trap of the colour at once
        # --- packed counts of symbols (cards.py), for supply.py and shortage.py
        ("units", np.int64, (TEAMS, MAX_TYPES)),  # what a type brings as a single symbol, else 0
        ("starts", np.int64, (MAX_BEDROOMS, TEAMS, MAX_LENGTH + 1)),  # the first 0.. symbols of a sequence
        # --- options
        ("num_seats", np.int16),  # 2 or 4
        ("num_rooms", np.int16),  # of an ordinary round
        ("sudden_rooms", np.int16),  # of a sudden death
        ("keys_to_win", np.int16),
        ("hand_size", np.int16),
        ("sleeve_size", np.int16),
        ("face_down", np.int16),  # 1: hands are not seen until an act `look`
        ("mistakes", np.int16),  # 1: wrong cards may be placed
        ("call_any", np.int16),  # 1: either team may call a mistake
        ("discount", np.int16),  # 1: wrong rooms count for nobody, 0: they make the round a tie
        ("returned", np.int16),  # 1: a late card stays with its owner
        ("trap_blocks_claim", np.int16),
        ("partner_sleeve", np.int16),  # NEVER, WHEN_OUT, ALWAYS
        ("open_team", np.int16),  # 1: partners see each other's hand and act
        ("stall_rooms", np.int16),  # 1: a stopped round goes to the team with more rooms, 0: it is a tie
        ("completion", np.int16),  # 1: sudden death is won by the landing that completes a row
        ("play_out", np.int16),  # 1: a round goes on until every room is claimed
        ("max_sudden", np.int16),
        ("max_rounds", np.int16),
        ("round_ticks", np.int32),
        ("duration", np.int32, (MAX_SEATS, NUM_KINDS)),  # ticks from commit to landing, without jitter
        ("pace", np.int16, (MAX_SEATS,)),  # per cent; what `duration` was made of, for the observation
        ("reaction", np.int16, (MAX_SEATS,)),  # ticks
        ("jitter", np.int16, (MAX_SEATS,)),  # ticks
        # --- what the observation shows as it is (observe.py)
        ("places", np.float32, (MAX_BEDROOMS, TEAMS, PLACES * SYMBOLS)),  # see cards.place_symbols
        ("game_traits", np.float32, (GAME_TRAITS,)),  # numbers of the options that all seats share
        ("seat_traits", np.float32, (MAX_SEATS, SEAT_TRAITS)),  # pace, reaction, jitter
        ("per_tick", np.float32),  # 1 / round_ticks
        ("per_round", np.float32),  # 1 / max_rounds
    ]
)

Rules: TypeAlias = Any
"""The record of RULES_DTYPE, read-only; kernels that Python calls take the recarray of shape (1,) that holds it."""


def rules_record(tables: CardTables, levels: tuple[int, ...], options: dict[str, Any]) -> np.recarray:
    """Pack a card set's tables and the options into a read-only recarray of shape (1,).

    Args:
        tables: the card set.
        levels: levels whose bedrooms are in the pool.
        options: values of the fields `num_seats` .. `jitter` above by name.
    """
    rules = np.zeros(1, RULES_DTYPE).view(np.recarray)
    record = rules[0]
    bedrooms = len(tables.bedrooms)
    record.num_types = tables.num_types.max()
    record.team_types[:] = tables.num_types
    record.max_length = tables.bedrooms[:, 1].max()
    record.cards[:] = tables.cards
    record.bedrooms[:bedrooms] = tables.bedrooms
    record.sequences[:bedrooms] = tables.sequences
    pool = np.flatnonzero(np.isin(tables.bedrooms[:, 0], levels))
    record.pool[: len(pool)] = pool
    record.num_pool = len(pool)
    record.fits[:bedrooms] = fit_sets(tables)
    record.fillers[:] = column_sets(tables, FILLS)
    record.pairs[:] = column_sets(tables, FILLS, 2)
    record.units[:] = packed_singles(tables)
    record.starts[:bedrooms] = packed_starts(tables)
    record.strikers[:] = colour_sets(tables, STRIKE)
    record.blasters[:] = column_sets(tables, BLAST)
    record.snarers[:] = column_sets(tables, SNARE)
    record.payers[:] = column_sets(tables, PAY)
    record.unlockers[:] = colour_sets(tables, UNLOCK)
    for name, value in options.items():
        record[name] = value
    record.places[:bedrooms] = place_symbols(tables).reshape(bedrooms, TEAMS, PLACES * SYMBOLS)
    record.game_traits[:] = (
        record.keys_to_win / 3,
        record.mistakes,
        record.returned,
        record.trap_blocks_claim,
        record.completion,
        record.play_out,
    )
    # So that the slowest seat, the latest reaction and the widest jitter that the options allow are 2.
    record.seat_traits[:] = np.stack([record.pace / 500, record.reaction / 50, record.jitter / 25], axis=1)
    record.per_tick = 1 / record.round_ticks
    record.per_round = 1 / record.max_rounds
    rules.setflags(write=False)
    return rules
