"""Looking ahead to the end of one card: the largest margin that the choices which are the seat's own can reach.

The search runs on copies of a sampled world. It stops where the seat no longer decides: at a choice of the other seat,
at an extra play, at the end of the turn or of the battle (before the board is cleared: the totals are the scored ones).
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np

from cardzoo.agents.bedroom_battle.worth import Values
from cardzoo.envs.bedroom_battle.actions import pick_start
from cardzoo.envs.bedroom_battle.appeal import side_total
from cardzoo.envs.bedroom_battle.cards import MAX_COSTS, MAX_PLAYS, MODE_ROWS
from cardzoo.envs.bedroom_battle.effects import PROMPT
from cardzoo.envs.bedroom_battle.legal import also_legal, first_candidate, is_legal_candidate, num_candidates
from cardzoo.envs.bedroom_battle.rules import act_on
from cardzoo.envs.bedroom_battle.state import DISCARD, EXTRA, MAX_TYPES
from cardzoo.envs.bedroom_battle.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records

# Choices that one card can ask of a seat: a sacrifice for each cost, the host, the mode, and up to three (host of the
# item, item, new host) for each verb.
MAX_CHOICES: Final = MAX_COSTS + 1 + 1 + 3 * (MAX_PLAYS + MODE_ROWS)
# Ends of a card that are looked at. The reference cards never have so many; a user's card that moves several items in a
# row may have millions, of which the first ones in action order count.
MAX_ENDS: Final = 4096
NEVER: Final = -(1 << 30)  # below every margin

WORK_DTYPE: Final = np.dtype(
    [
        ("cursor", np.int64, (MAX_CHOICES + 1,)),  # the lowest action not yet tried, for each choice made so far
        ("best", np.int64, (MAX_TYPES,)),  # largest margin that playing each card reaches, NEVER if it is not legal
    ]
)

Work: TypeAlias = Any
"""The record of WORK_DTYPE: what a decision notes down; nothing in it lasts to the next one."""


def scratch_states(dtype: np.dtype[Any]) -> Records:
    """Make room for one thread's look-ahead: recarray (MAX_CHOICES + 1,), the position after each choice made."""
    return np.zeros(MAX_CHOICES + 1, dtype).view(np.recarray)


def work_record() -> Records:
    """Make one thread's notes: recarray (1,) of WORK_DTYPE."""
    return np.zeros(1, WORK_DTYPE).view(np.recarray)


@kernel
def margin(s: Record, rules: Rules, seat: int) -> int:
    """Own total appeal less the opposing one."""
    return side_total(s, rules, seat) - side_total(s, rules, 1 - seat)


@kernel
def lowest_worth_in_hand(s: Record, rules: Rules, values: Values, seat: int) -> int:
    """The type in a seat's hand, which is not empty, that is worth least; of equal ones the first."""
    lowest = -1
    for card in range(int(rules.num_types)):
        if int(s.hand[seat, card]) > 0 and (lowest < 0 or values.worth[card] < values.worth[lowest]):
            lowest = card
    return lowest


@kernel
def follow(s: Record, rules: Rules, values: Values, seat: int, action: int) -> bool:
    """Carry out an action and the seat's own discards (lowest worth); returns whether a choice of the seat is open."""
    status = act_on(s, rules, action)
    while status == PROMPT:
        if int(s.actor) != seat or int(s.phase) == EXTRA:
            return False
        if int(s.phase) != DISCARD:
            return True
        status = act_on(s, rules, pick_start(rules) + lowest_worth_in_hand(s, rules, values, seat))
    return False


@kernel
def next_option(s: Record, rules: Rules, start: int) -> int:
    """The lowest legal action from `start` on; -1 if there is none."""
    also = also_legal(s, rules)
    if also >= start:
        return also
    first = first_candidate(s, rules)
    for action in range(max(first, start), first + num_candidates(s, rules)):
        if is_legal_candidate(s, rules, action):
            return action
    return -1


@kernel
def best_end(s: Record, rules: Rules, values: Values, scratch: Records, work: Work, action: int) -> int:
    """Largest margin at the end of the card being played if the acting seat takes `action` and then decides well."""
    seat = 0 + int(s.actor)
    scratch[0] = s
    if not follow(scratch[0], rules, values, seat, action):
        return margin(scratch[0], rules, seat)
    best = NEVER
    ends = 0
    depth = 0
    work.cursor[0] = 0
    while depth >= 0:
        option = next_option(scratch[depth], rules, 0 + int(work.cursor[depth]))
        if option < 0 or ends >= MAX_ENDS:
            depth -= 1
            continue
        work.cursor[depth] = option + 1
        scratch[depth + 1] = scratch[depth]
        if follow(scratch[depth + 1], rules, values, seat, option):
            depth += 1
            work.cursor[depth] = 0
        else:
            ends += 1
            best = max(best, margin(scratch[depth + 1], rules, seat))
    return best
