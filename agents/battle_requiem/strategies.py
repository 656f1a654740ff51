"""One decision of each strategy, phase by phase. Ties go to the smaller action, so equal knowledge, equal choice.

Of the sampled world only that is read which the acting seat knows; legal actions are taken from the mask.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardzoo.agents.battle_requiem.duels import attack_strength, best_defence, duel_value
from cardzoo.agents.battle_requiem.steps import branch_value, count_foes, use_value
from cardzoo.agents.battle_requiem.worth import BRAWLER, DUELIST, keep, unseen_shares
from cardzoo.envs.battle_requiem.actions import (
    FIRST,
    GROW,
    LEFTS,
    PASS,
    PLAY,
    REWARD_HEAL,
    SECOND,
    SUFFER,
    TARGETS,
    answer_start,
    choose_start,
    discard_start,
    draft_start,
    duel_start,
    pick_start,
    reward_start,
    target_start,
)
from cardzoo.envs.battle_requiem.cards import ARMAMENT_BITS, ARMOR, HP, INVENTORY, STEP_KINDS, M
from cardzoo.envs.battle_requiem.duel import attack_value, defence_value
from cardzoo.envs.battle_requiem.legal import count_of, is_of, kind_of, step_value
from cardzoo.envs.battle_requiem.seats import seat_after
from cardzoo.envs.battle_requiem.state import (
    ATTACK,
    CHOOSE,
    DEFEND,
    DRAFT,
    LEVY,
    MAX_CARDS,
    PICK,
    REWARD,
    TARGET,
    TRIBUTE,
    TURN,
)
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records

LEVY_PATIENCE: Final = 2.2  # keep value that a levy may cost for each HP it would cost instead
GROW_ABOVE: Final = 10  # HP above which a larger Inventory is better than healing

# --- choices common to all strategies


@kernel
def extreme_keep(s: Record, rules: Rules, mask: NDArray[np.bool_], start: int, sign: float) -> int:
    """The legal action of the T from `start` on whose card has the largest keep value times `sign`."""
    character = int(s.char[int(s.actor)])
    chosen = -1
    highest = 0.0
    for card in range(int(rules.num_types)):
        if mask[start + card]:
            value = sign * keep(rules, character, card)
            if chosen < 0 or value > highest:
                chosen = card
                highest = value
    return start + chosen


@kernel
def largest_attack(s: Record, rules: Rules, mask: NDArray[np.bool_]) -> int:
    """The legal play that counts most in an attack."""
    character = int(s.char[int(s.actor)])
    chosen = -1
    for card in range(int(rules.num_types)):
        if mask[PLAY + card] and (
            chosen < 0 or attack_value(rules, character, card) > attack_value(rules, character, chosen)
        ):
            chosen = card
    return PLAY + chosen


@kernel
def best_character(rules: Rules, mask: NDArray[np.bool_]) -> int:
    """The free character with the largest HP + 2 Inventory."""
    start = draft_start(rules)
    chosen = -1
    highest = 0
    for character in range(int(rules.num_characters)):
        if mask[start + character]:
            value = int(rules.characters[character, HP]) + 2 * int(rules.characters[character, INVENTORY])
            if chosen < 0 or value > highest:
                chosen = character
                highest = value
    return start + chosen


@kernel
def weakest_seat(s: Record, rules: Rules, mask: NDArray[np.bool_], start: int, stop: int, k: int) -> int:
    """The legal action in start..stop-1 that points at the seat with the lowest HP, -1 if none is legal.

    Args:
        s: the game.
        rules: its rules.
        mask: the legal actions.
        start: first action; it points at `left k`, the following ones at the seats after that.
        stop: action after the last.
        k: see `start`.
    """
    chosen = -1
    lowest = 0
    for action in range(start, stop):
        if mask[action]:
            hp = int(s.hp[seat_after(s, rules, int(s.active), k + action - start)])
            if chosen < 0 or hp < lowest:
                chosen = action
                lowest = hp
    return chosen


@kernel
def cheapest_sum(s: Record, rules: Rules, seat: int, kinds: int, n: int) -> float:
    """Sum of the n smallest keep values of a seat's cards of some kinds (bit mask)."""
    character = int(s.char[seat])
    values = np.zeros(MAX_CARDS, np.float64)
    count = 0
    for card in range(int(rules.num_types)):
        if is_of(rules, card, kinds):
            for _ in range(int(s.hand[seat, card])):
                values[count] = keep(rules, character, card)
                count += 1
    return np.sort(values[:count])[:n].sum()


@kernel
def answer_levy(s: Record, rules: Rules, mask: NDArray[np.bool_]) -> int:
    """Lose the HP rather than cards worth much more, if that is survived; else discard the cheapest."""
    seat = int(s.actor)
    suffer = answer_start(rules) + SUFFER
    if mask[suffer]:
        hp_lost = step_value(s, rules, M)
        price = cheapest_sum(s, rules, seat, step_value(s, rules, STEP_KINDS), int(s.eff_need))
        if int(s.hp[seat]) > hp_lost and price > LEVY_PATIENCE * hp_lost:
            return suffer
    return extreme_keep(s, rules, mask, discard_start(rules), -1.0)


# --- brawler


@kernel
def brawler_turn(s: Record, rules: Rules, mask: NDArray[np.bool_]) -> int:
    """A duel with at least two armaments, else the first thing to use, else a duel with one, else the worst card."""
    duel = weakest_seat(s, rules, mask, duel_start(rules), duel_start(rules) + LEFTS, 1)
    if duel >= 0 and count_of(s, rules, int(s.actor), ARMAMENT_BITS) >= 2:
        return duel
    for card in range(int(rules.num_types)):
        if mask[PLAY + card]:
            return PLAY + card
    if duel >= 0:
        return duel
    return extreme_keep(s, rules, mask, discard_start(rules), -1.0)


@kernel
def largest_defence(s: Record, rules: Rules, mask: NDArray[np.bool_], armaments: bool) -> int:
    """The legal armament (or else armor) that counts most in defence; -1 if there is none."""
    character = int(s.char[int(s.actor)])
    chosen = -1
    for card in range(int(rules.num_types)):
        fits = is_of(rules, card, ARMAMENT_BITS) if armaments else kind_of(rules, card) == ARMOR
        if (
            fits
            and mask[PLAY + card]
            and (chosen < 0 or defence_value(rules, character, card) > defence_value(rules, character, chosen))
        ):
            chosen = card
    return chosen


@kernel
def brawler_defence(s: Record, rules: Rules, mask: NDArray[np.bool_]) -> int:
    """A shield, else the best armor, else as many armaments as possible, the best first, else nothing."""
    armor = largest_defence(s, rules, mask, False)
    armament = largest_defence(s, rules, mask, True)
    for card in range(int(rules.num_types)):
        if mask[PLAY + card] and kind_of(rules, card) != ARMOR and not is_of(rules, card, ARMAMENT_BITS):
            return PLAY + card
    if armor >= 0:
        return PLAY + armor
    if armament >= 0:
        return PLAY + armament
    return answer_start(rules) + PASS  # after an armament the engine asks only while another can be played


# --- duelist and tactician


@kernel
def discard_value(rules: Rules, strategy: int, character: int, card: int) -> float:
    """What it is worth to spend the turn on discarding a card."""
    if strategy == DUELIST:
        return -1.0 - 0.1 * keep(rules, character, card)
    return 0.3 * (3.0 - keep(rules, character, card)) - 0.5


@kernel
def best_turn(s: Record, rules: Rules, strategy: int, mask: NDArray[np.bool_]) -> int:
    """The turn with the largest value."""
    seat = int(s.actor)
    character = int(s.char[seat])
    shares = unseen_shares(s, rules, seat)
    best = -1
    highest = 0.0
    for card in range(int(rules.num_types)):
        if mask[PLAY + card]:
            value = use_value(s, rules, strategy, seat, card, shares[0])
            if best < 0 or value > highest:
                best = PLAY + card
                highest = value
    for card in range(int(rules.num_types)):
        action = discard_start(rules) + card
        if mask[action]:
            value = discard_value(rules, strategy, character, card)
            if best < 0 or value > highest:
                best = action
                highest = value
    strength = attack_strength(s, rules, seat)
    num_foes = count_foes(s, rules, seat)
    for k in range(1, LEFTS + 1):
        action = duel_start(rules) + k - 1
        if mask[action]:
            foe = seat_after(s, rules, seat, k)
            value = duel_value(s, rules, strategy, seat, foe, num_foes, strength, shares)
            if best < 0 or value > highest:
                best = action
                highest = value
    return best


@kernel
def better_branch(s: Record, rules: Rules, strategy: int) -> int:
    """The branch with the larger value."""
    seat = int(s.actor)
    card = int(s.eff_card)
    armed, _, _ = unseen_shares(s, rules, seat)
    first = branch_value(s, rules, strategy, seat, card, 1, armed)
    second = branch_value(s, rules, strategy, seat, card, 2, armed)
    return choose_start(rules) + (SECOND if second > first else FIRST)


@kernel
def reward(s: Record, rules: Rules, strategy: int, mask: NDArray[np.bool_]) -> int:
    """A larger Inventory if there is one to have and HP are not low, else HP; the brawler always takes HP."""
    start = reward_start(rules)
    if strategy != BRAWLER and mask[start + GROW] and int(s.hp[int(s.actor)]) > GROW_ABOVE:
        return start + GROW
    return start + REWARD_HEAL


# --- a decision


@kernel
def answer(s: Record, rules: Rules, strategy: int, mask: NDArray[np.bool_]) -> int:
    """The action that a strategy takes in a world."""
    phase = int(s.phase)
    if phase == TURN:
        return brawler_turn(s, rules, mask) if strategy == BRAWLER else best_turn(s, rules, strategy, mask)
    if phase == ATTACK:
        return largest_attack(s, rules, mask)
    if phase == DEFEND:
        return brawler_defence(s, rules, mask) if strategy == BRAWLER else best_defence(s, rules, strategy, mask)
    if phase == CHOOSE:
        return choose_start(rules) + FIRST if strategy == BRAWLER else better_branch(s, rules, strategy)
    if phase == TARGET:
        return weakest_seat(s, rules, mask, target_start(rules), target_start(rules) + TARGETS, 0)
    if phase == PICK:
        return extreme_keep(s, rules, mask, pick_start(rules), 1.0)
    if phase == TRIBUTE:
        return extreme_keep(s, rules, mask, pick_start(rules), -1.0)
    if phase == LEVY:
        return answer_levy(s, rules, mask)
    if phase == REWARD:
        return reward(s, rules, strategy, mask)
    if phase == DRAFT:
        return best_character(rules, mask)
    return extreme_keep(s, rules, mask, discard_start(rules), -1.0)  # trim


@kernel
def choose(
    worlds: Records,
    start: int,
    stop: int,
    rules: Records,
    strategy: int,
    masks: NDArray[np.bool_],
    actions: NDArray[np.int64],
) -> None:
    """Write the actions of decisions start..stop-1.

    Args:
        worlds: (n,) a sampled world for each decision.
        start: first decision.
        stop: decision after the last.
        rules: (1,) the game's rules.
        strategy: BRAWLER, DUELIST or TACTICIAN.
        masks: (n, A) the legal actions.
        actions: (n,) the answers.
    """
    for i in range(start, stop):
        actions[i] = answer(worlds[i], rules[0], strategy, masks[i])
