"""What a card is worth at a target, and in hand, to the brawler and the planner: rough symbols per tick."""

from __future__ import annotations

from typing import Final

from cardzoo.agents.teddies_vs_monsters.needs import without
from cardzoo.agents.teddies_vs_monsters.teamwork import partner_builds
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record
from cardzoo.envs.teddies_vs_monsters.actions import TO_FOE, TO_OWN
from cardzoo.envs.teddies_vs_monsters.cards import (
    ANY_SYMBOL,
    BLAST,
    COLOUR,
    FILL_A,
    FILL_B,
    FILLS,
    NO_COLOUR,
    PAY,
    SNARE,
    STRIKE,
)
from cardzoo.envs.teddies_vs_monsters.legal import top_trap_colour
from cardzoo.envs.teddies_vs_monsters.rows import length_of, lowest_of, readings_left, row_complete
from cardzoo.envs.teddies_vs_monsters.shortage import row_shortage
from cardzoo.envs.teddies_vs_monsters.state import TEAMS
from cardzoo.envs.teddies_vs_monsters.supply import Supply, held
from cardzoo.envs.teddies_vs_monsters.tables import Rules

BUILDER: Final = 0
BRAWLER: Final = 1
PLANNER: Final = 2

NEVER: Final = -1.0  # the value of a mistake
FINISH: Final = 2.0  # symbols that completing a row counts for
READY: Final = 0.8  # planner: that having all cards for the rest of a row counts for

# --- what is on a card


@kernel
def has_any(rules: Rules, team: int, card: int) -> bool:
    """Whether a card shows a `?`."""
    return int(rules.cards[team, card, FILL_A]) == ANY_SYMBOL or int(rules.cards[team, card, FILL_B]) == ANY_SYMBOL


@kernel
def is_wild(rules: Rules, team: int, card: int) -> bool:
    """Whether a card is a single `?`."""
    return int(rules.cards[team, card, FILLS]) == 1 and int(rules.cards[team, card, FILL_A]) == ANY_SYMBOL


# --- what is on the table


@kernel
def readings_after(s: Record, rules: Rules, team: int, room: int, card: int) -> int:
    """The readings (bits) of a row that stay open if a card is placed; 0 for a card that does not fit."""
    done = int(s.row_sym[team, room])
    return readings_left(rules, int(s.bedroom[room]), team, int(s.open[team, room]), done, card)


@kernel
def missing(s: Record, rules: Rules, team: int, room: int) -> int:
    """Symbols that a row of a room that is there misses."""
    return length_of(s, rules, room) - int(s.row_sym[team, room])


@kernel
def struck(s: Record, rules: Rules, team: int, room: int, card: int) -> int:
    """Symbols that an attack or a bomb of a team removes from the foe row."""
    foe = 1 - team
    if int(rules.cards[team, card, BLAST]) == 1:
        return int(s.row_sym[foe, room])
    removed = 0
    place = lowest_of(s, rules, foe, room, int(rules.cards[team, card, STRIKE]))
    for k in range(place, int(s.row_n[foe, room])):
        removed += int(rules.cards[foe, int(s.row[foe, room, k]), FILLS])
    return removed


@kernel
def unlocks(s: Record, rules: Rules, team: int, room: int, card: int) -> bool:
    """Whether a card removes the top trap of the own side at once."""
    return int(rules.unlockers[team, top_trap_colour(s, rules, team, room)]) >> card & 1 == 1


@kernel
def foe_sleeves(s: Record, rules: Rules, seat: int) -> int:
    """Types (bits) in the sleeves of the seats of the other team."""
    types = 0
    for other in range(1 - seat % TEAMS, int(rules.num_seats), TEAMS):
        for card in range(int(rules.num_types)):
            if int(s.sleeve[other, card]) > 0:
                types |= 1 << card
    return types


# --- brawler


@kernel
def brawler_value(s: Record, rules: Rules, team: int, block: int, room: int, card: int) -> float:
    """The swing of symbols per tick."""
    if block == TO_OWN:
        n = int(rules.cards[team, card, FILLS])
        finish = FINISH if missing(s, rules, team, room) == n else 0.0
        return (n + finish - (0.3 if is_wild(rules, team, card) else 0.0)) / 14
    if block == TO_FOE:
        complete = row_complete(s, rules, 1 - team, room)
        if int(rules.cards[team, card, SNARE]) > 0:
            return 0.0 if complete or int(s.trap_n[1 - team, room]) > 0 else 0.7 / 16
        cost = 1.5 if int(rules.cards[team, card, BLAST]) == 1 else 1.0
        return (struck(s, rules, team, room, card) - cost + (FINISH if complete else 0.0)) / 16
    if unlocks(s, rules, team, room, card):
        return (1.2 if int(rules.cards[team, card, SNARE]) > 0 else 1.3) / 12
    return (0.1 if is_wild(rules, team, card) else 0.25 * int(rules.cards[team, card, PAY])) / 12


# --- planner


@kernel
def place_value(s: Record, rules: Rules, seat: int, room: int, card: int, supply: Supply, shown: int) -> float:
    """The planner's value of placing a card that fits; nothing where the foes or the partner are about to be first."""
    team = seat % TEAMS
    if row_complete(s, rules, 1 - team, room) or partner_builds(s, rules, seat, room):
        return 0.0
    n = int(rules.cards[team, card, FILLS])
    if missing(s, rules, team, room) == n:
        return (n + FINISH + READY) / 16
    value = float(n)
    colour = int(rules.cards[team, card, COLOUR])
    if colour != NO_COLOUR:
        value -= n * (1.0 if int(rules.strikers[1 - team, colour]) & shown != 0 else 0.5)
    readings = readings_after(s, rules, team, room, card)
    left = without(rules, team, supply, card, held(s, seat, card))
    done = int(s.row_sym[team, room]) + n
    if row_shortage(rules, team, int(s.bedroom[room]), readings, done, left) == 0:
        value += READY
    return value / 16


@kernel
def strike_value(s: Record, rules: Rules, team: int, room: int, card: int, needed: int) -> float:
    """The planner's value of an attack or a bomb."""
    foe = 1 - team
    filled = int(s.row_sym[foe, room]) / length_of(s, rules, room)
    value = struck(s, rules, team, room, card) * (1 + 0.4 * filled)
    value -= 2.0 if int(rules.cards[team, card, BLAST]) == 1 else 0.5 + (needed >> card & 1)
    if row_complete(s, rules, foe, room):
        value += 2.5
    return value / 18


@kernel
def disarm_value(s: Record, rules: Rules, team: int, room: int, card: int, needed: int) -> float:
    """The planner's value of discarding a card for the top trap of the own side."""
    cost = 0.5 * (needed >> card & 1)
    if not unlocks(s, rules, team, room, card):
        value = 0.3 * int(rules.cards[team, card, PAY])
        cost = 0.5 if has_any(rules, team, card) else cost
    else:
        value = 1.0 if int(rules.cards[team, card, SNARE]) > 0 else 1.2
    return (value - cost) * (0.6 if int(s.trap_n[team, room]) > 1 else 1.0) / 12


@kernel
def planner_value(
    s: Record, rules: Rules, seat: int, block: int, room: int, card: int, supply: Supply, needed: int, shown: int
) -> float:
    """What the own plan gains, or the foes' loses, per tick."""
    team = seat % TEAMS
    if block == TO_OWN:
        return place_value(s, rules, seat, room, card, supply, shown)
    if block != TO_FOE:
        return disarm_value(s, rules, team, room, card, needed)
    if int(rules.cards[team, card, SNARE]) == 0:
        return strike_value(s, rules, team, room, card, needed)
    if row_complete(s, rules, 1 - team, room):
        return 0.0
    return (0.35 if int(s.trap_n[1 - team, room]) > 0 else 2.4) / 14


# --- what a card is worth in hand


@kernel
def keep_value(s: Record, rules: Rules, strategy: int, seat: int, card: int, needed: int) -> float:
    """What it costs to discard a card."""
    team = seat % TEAMS
    if int(rules.cards[team, card, BLAST]) == 1:
        value = 4.0
    elif int(rules.cards[team, card, SNARE]) > 0:
        value = 2.0
    elif is_wild(rules, team, card):
        value = 3.0
    elif int(rules.cards[team, card, FILLS]) == 1:
        value = 1.0
    else:
        value = 1.5 if strategy == BRAWLER else 1.3
    if strategy == PLANNER:
        value += 2.0 * (needed >> card & 1)
    return value - 0.2 * held(s, seat, card)
