"""Answers to everything but what to play: the part of the strategies that needs no plan.

Ties go to the lowest action, so the same knowledge always gives the same answer.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardzoo.agents.bedroom_battle.lookahead import NEVER, Work, best_end
from cardzoo.agents.bedroom_battle.worth import Values
from cardzoo.envs.bedroom_battle.actions import (
    ACCEPT,
    BAIL_OUT,
    CHALLENGE_A,
    DECLINE,
    MODE_1,
    NUM_LETTERS,
    TARGET_OPP,
    TARGET_OWN,
    pick_start,
    target_side,
    target_slot,
)
from cardzoo.envs.bedroom_battle.appeal import appeal
from cardzoo.envs.bedroom_battle.cards import VALUE
from cardzoo.envs.bedroom_battle.rewards import challenged_card
from cardzoo.envs.bedroom_battle.state import ATTACH, DEST, MAX_SLOTS, MODE, TARGET
from cardzoo.envs.bedroom_battle.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records

BAIL_BELOW: Final = -50  # own preference of the letter on offer, -100..100
CARDS_SHARE: Final = 10.0  # a mode's weight in cards counts a tenth of a point of margin


@kernel
def lowest_action(mask: NDArray[np.bool_]) -> int:
    """The lowest legal action."""
    action = 0
    while not mask[action]:
        action += 1
    return action


@kernel
def highest_pick(rules: Rules, price: NDArray[np.float64], mask: NDArray[np.bool_], sign: float) -> int:
    """The legal `pick` whose card has the highest price, times `sign`."""
    start = pick_start(rules)
    chosen = -1
    for card in range(int(rules.num_types)):
        if mask[start + card] and (chosen < 0 or sign * price[card] > sign * price[chosen]):
            chosen = card
    return start + chosen


# --- challenges


@kernel
def challenge_letter(s: Record, mask: NDArray[np.bool_], has_preferences: bool) -> int:
    """The letter the seat likes best for itself; without preferences the lowest."""
    if not has_preferences:
        return lowest_action(mask)
    card = challenged_card(s)
    chosen = -1
    for letter in range(NUM_LETTERS):
        if mask[CHALLENGE_A + letter] and (
            chosen < 0 or int(s.prefs[int(s.actor), card, letter]) > int(s.prefs[int(s.actor), card, chosen])
        ):
            chosen = letter
    return CHALLENGE_A + chosen


@kernel
def accept_or_bail(s: Record, has_preferences: bool) -> int:
    """Bail out of what the seat dislikes strongly; without preferences accept."""
    if has_preferences and int(s.prefs[int(s.actor), challenged_card(s), int(s.letter) - 1]) < BAIL_BELOW:
        return BAIL_OUT
    return ACCEPT


# --- choices of a card, by looking ahead


@kernel
def best_answer(s: Record, rules: Rules, values: Values, scratch: Records, work: Work, mask: NDArray[np.bool_]) -> int:
    """The option with the largest margin in the end; of a mode the cards it moves count a little as well."""
    is_mode = int(s.phase) == MODE
    card = int(s.p_card)
    chosen = -1
    highest = CARDS_SHARE * NEVER
    for action in range(mask.shape[0]):
        if mask[action]:
            score = CARDS_SHARE * best_end(s, rules, values, scratch, work, action)
            if is_mode:
                score += values.mode_cards[card, action - MODE_1]
            if score > highest:
                chosen = action
                highest = score
    return chosen


# --- choices of a card, by rule of thumb


@kernel
def has_slot(mask: NDArray[np.bool_], first: int) -> bool:
    """Whether a `target` action of the side that starts at `first` is legal."""
    return bool(mask[first : first + MAX_SLOTS].any())


@kernel
def extreme_slot(s: Record, rules: Rules, mask: NDArray[np.bool_], first: int, stop: int, sign: int) -> int:
    """The legal `target` action in first..stop-1 whose character has the highest appeal times `sign`."""
    chosen = -1
    highest = 0
    for action in range(first, stop):
        if mask[action]:
            score = sign * appeal(s, rules, target_side(action, 0 + int(s.actor)), target_slot(action))
            if chosen < 0 or score > highest:
                chosen = action
                highest = score
    return chosen


@kernel
def natural_slot(s: Record, rules: Rules, mask: NDArray[np.bool_]) -> int:
    """Gifts to the own strongest character, harm to the other side's strongest; the brawler's rule."""
    phase = int(s.phase)
    if phase in (ATTACH, DEST):
        card = int(s.p_item) if phase == DEST else int(s.p_card)
        natural = TARGET_OPP if rules.types[card, VALUE] < 0 else TARGET_OWN
        if not has_slot(mask, natural):
            return extreme_slot(s, rules, mask, TARGET_OWN, TARGET_OPP + MAX_SLOTS, 1)
        return extreme_slot(s, rules, mask, natural, natural + MAX_SLOTS, 1)
    if has_slot(mask, TARGET_OPP):
        return extreme_slot(s, rules, mask, TARGET_OPP, TARGET_OPP + MAX_SLOTS, 1)
    if phase == TARGET:
        if mask[DECLINE]:
            return DECLINE
        return extreme_slot(s, rules, mask, TARGET_OWN, TARGET_OPP, -1)
    return extreme_slot(s, rules, mask, TARGET_OWN, TARGET_OPP, 1)
