"""What a duel is expected to bring, and the best defence against one (duelist and tactician).

Expectations are means over a few `errors` around the expected difference of the two totals.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardzoo.agents.battle_requiem.worth import DUELIST, cost, known_of, unseen_shares
from cardzoo.envs.battle_requiem.actions import DONE, PASS, PLAY, answer_start
from cardzoo.envs.battle_requiem.cards import (
    ARMAMENT_BITS,
    ATTACK_MELEE,
    ATTACK_TOTAL,
    DEFEND_MELEE,
    DEFEND_TOTAL,
    GROUPS,
    SHIELD,
    SPELL,
)
from cardzoo.envs.battle_requiem.duel import attack_value, defence_value
from cardzoo.envs.battle_requiem.legal import count_of, is_of, kind_of
from cardzoo.envs.battle_requiem.state import MAX_CARDS, MAX_DUEL
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

ANY_KIND: Final = GROUPS["any"]
SHIELD_BIT: Final = 1 << SHIELD
ARMAMENT_KINDS: Final = SPELL + 1  # melee, missile, spell are the first kinds

# The expected difference of two totals is off by up to 2 * step, five cases of equal weight.
CASES: Final = 5
HIT_STEP: Final = 3.0
LOSS_STEP: Final = 2.0

SHIELD_RISK: Final = 0.7  # a foe uses the shield it may have in so many cases
CARDS_DEFENDING: Final = 2.5  # most cards a foe is expected to defend with
HIDDEN_ATTACK: Final = 0.4  # an attacker's cards are better than the unseen ones on average
FULL_HP: Final = 30.0
DEATH: Final = 8.0  # what being eliminated costs beyond the HP


@kernel
def mean_modifier(rules: Rules, character: int, first: int) -> float:
    """Mean of a character's modifiers for the three kinds of armaments; `first` is that for melee."""
    total = 0
    for kind in range(ARMAMENT_KINDS):
        total += int(rules.modifiers[character, first + kind])
    return total / ARMAMENT_KINDS


# --- attacking


@kernel
def attack_strength(s: Record, rules: Rules, seat: int) -> float:
    """The total of a seat's best attack: its three largest armaments, flat modifier, boost."""
    character = int(s.char[seat])
    best = np.zeros(MAX_DUEL + 1, np.int64)  # in descending order, and one place to add a card
    for card in range(int(rules.num_types)):
        if is_of(rules, card, ARMAMENT_BITS):
            for _ in range(min(MAX_DUEL, int(s.hand[seat, card]))):
                place = MAX_DUEL
                best[place] = attack_value(rules, character, card)
                while place > 0 and best[place] > best[place - 1]:
                    best[place - 1], best[place] = best[place], best[place - 1]
                    place -= 1
    flat = int(rules.modifiers[character, ATTACK_TOTAL]) + int(s.att_boost[seat])
    return float(best[:MAX_DUEL].sum() + flat)


@kernel
def unknown_cards(s: Record, rules: Rules, foe: int) -> int:
    """Cards in a hand that not all seats know."""
    return max(0, int(s.n_hand[foe]) - known_of(s, rules, foe, ANY_KIND))


@kernel
def expected_defence(s: Record, rules: Rules, foe: int, armed: float, rating: float) -> float:
    """The total that a foe is expected to defend with.

    Args:
        s: the game.
        rules: its rules.
        foe: the seat attacked.
        armed: share of armaments in the cards unseen.
        rating: their mean BRN.
    """
    character = int(s.char[foe])
    cards = min(CARDS_DEFENDING, known_of(s, rules, foe, ARMAMENT_BITS) + armed * unknown_cards(s, rules, foe))
    total = cards * (rating + mean_modifier(rules, character, DEFEND_MELEE)) + int(s.def_boost[foe])
    if cards > 0.5:
        total += int(rules.modifiers[character, DEFEND_TOTAL])
    return max(0.0, total)


@kernel
def open_chance(s: Record, rules: Rules, foe: int, shielded: float) -> float:
    """Chance that a foe does not use a shield; `shielded`: share of shields in the cards unseen."""
    holds_shield = 1.0
    if known_of(s, rules, foe, SHIELD_BIT) == 0:
        holds_shield = 1.0 - (1.0 - shielded) ** unknown_cards(s, rules, foe)
    return 1.0 - SHIELD_RISK * holds_shield


@kernel
def error(case: int, step: float) -> float:
    """What one of the cases adds to the expected difference: -2, -1, 0, 1, 2 steps."""
    return (case - CASES // 2) * step


@kernel
def mean_hit(difference: float) -> float:
    """Mean loss of a foe without a shield, from the expected difference of the totals."""
    total = 0.0
    for case in range(CASES):
        total += max(0.0, difference + error(case, HIT_STEP))
    return total / CASES


@kernel
def kill_share(difference: float, hp: int) -> float:
    """Share of the cases in which a foe without a shield falls."""
    kills = 0
    for case in range(CASES):
        if difference + error(case, HIT_STEP) >= hp:
            kills += 1
    return kills / CASES


@kernel
def duel_value(
    s: Record,
    rules: Rules,
    strategy: int,
    seat: int,
    foe: int,
    num_foes: int,
    strength: float,
    shares: tuple[float, float, float],
) -> float:
    """What a duel with a foe is worth, in HP.

    Args:
        s: the game.
        rules: its rules.
        strategy: DUELIST or TACTICIAN.
        seat: who attacks.
        foe: who is attacked.
        num_foes: living opponents.
        strength: `attack_strength` of the seat.
        shares: `unseen_shares` of the seat.
    """
    armed, shielded, rating = shares
    hp = int(s.hp[foe])
    difference = strength - expected_defence(s, rules, foe, armed, rating)
    chance = open_chance(s, rules, foe, shielded)
    hit = min(float(hp), chance * mean_hit(difference))
    if strategy == DUELIST:
        finish = 4.0 if strength - hp >= 6.0 else 0.0
        return hit + finish + 0.01 * (FULL_HP - hp)
    cards = min(MAX_DUEL, count_of(s, rules, seat, ARMAMENT_BITS))
    weakness = 0.08 * (FULL_HP - hp) if num_foes > 1 else 0.0
    return hit + 6.0 * chance * kill_share(difference, hp) + 0.3 * (cards - 1) + weakness


# --- defending


@kernel
def expected_attack(s: Record, rules: Rules, seat: int) -> float:
    """The total that the defender `seat` expects to face, less its own boost."""
    _, _, rating = unseen_shares(s, rules, seat)
    attacker = int(s.active)
    character = int(s.char[attacker])
    each = rating + HIDDEN_ATTACK + mean_modifier(rules, character, ATTACK_MELEE)
    flat = int(rules.modifiers[character, ATTACK_TOTAL]) + int(s.att_boost[attacker]) - int(s.def_boost[seat])
    return int(s.n_att) * each + flat


@kernel
def expected_loss(difference: float, hp: int) -> float:
    """Mean loss of a defender with some HP, from the expected difference of the totals; falling costs more."""
    total = 0.0
    for case in range(CASES):
        loss = difference + error(case, LOSS_STEP)
        total += max(0.0, loss) + (DEATH if loss >= hp else 0.0)
    return total / CASES


@kernel
def armaments_by_defence(
    s: Record, rules: Rules, seat: int, most: int, cards: NDArray[np.int64], values: NDArray[np.int64]
) -> int:
    """List a seat's armaments, the largest defence first, of equal ones the smaller card number; return their number.

    Args:
        s: the game.
        rules: its rules.
        seat: whose hand.
        most: copies of a card listed at most.
        cards: (MAX_CARDS,) the card types.
        values: (MAX_CARDS,) what each counts in defence.
    """
    character = int(s.char[seat])
    n = 0
    for card in range(int(rules.num_types)):
        if is_of(rules, card, ARMAMENT_BITS):
            value = defence_value(rules, character, card)
            for _ in range(min(most, int(s.hand[seat, card]))):
                place = n
                while place > 0 and values[place - 1] < value:
                    cards[place] = cards[place - 1]
                    values[place] = values[place - 1]
                    place -= 1
                cards[place] = card
                values[place] = value
                n += 1
    return n


@kernel
def cheaper(total: float, action: int, best: tuple[float, int]) -> tuple[float, int]:
    """The better of a plan (expected loss and cost in all, first action) and the best so far; ties: smaller action."""
    if total < best[0] or (total == best[0] and action < best[1]):
        return total, action
    return best


@kernel
def best_defence(s: Record, rules: Rules, strategy: int, mask: NDArray[np.bool_]) -> int:
    """The first action of the plan with the smallest expected loss and cost in all.

    Plans: nothing more; a shield; an armor; any armaments, up to three with those that lie there.
    """
    seat = int(s.actor)
    character = int(s.char[seat])
    hp = int(s.hp[seat])
    laid = 0  # cards that lie there are spent in any case: they defend, but cost nothing any more
    for k in range(int(s.n_dfn)):
        laid += defence_value(rules, character, int(s.dfn[k]))
    flat = int(rules.modifiers[character, DEFEND_TOTAL])
    bare = expected_attack(s, rules, seat) - laid
    covered = bare - flat  # the difference when at least one card is deployed

    if int(s.n_dfn) == 0:
        best = (expected_loss(bare, hp), answer_start(rules) + PASS)
    else:
        best = (expected_loss(covered, hp), answer_start(rules) + DONE)
    for card in range(int(rules.num_types)):
        if mask[PLAY + card] and not is_of(rules, card, ARMAMENT_BITS):
            loss = 0.0
            if kind_of(rules, card) != SHIELD:
                loss = expected_loss(covered - defence_value(rules, character, card), hp)
            best = cheaper(loss + cost(rules, strategy, character, card), PLAY + card, best)

    free = MAX_DUEL - int(s.n_dfn)
    cards = np.zeros(MAX_CARDS, np.int64)
    values = np.zeros(MAX_CARDS, np.int64)
    n = armaments_by_defence(s, rules, seat, free, cards, values)
    for i in range(n):  # the card with the largest defence is played first
        action = PLAY + cards[i]
        cost_1 = cost(rules, strategy, character, cards[i])
        rest_1 = covered - values[i]
        best = cheaper(expected_loss(rest_1, hp) + cost_1, action, best)
        if free < 2:
            continue
        for j in range(i + 1, n):
            cost_2 = cost_1 + cost(rules, strategy, character, cards[j])
            rest_2 = rest_1 - values[j]
            best = cheaper(expected_loss(rest_2, hp) + cost_2, action, best)
            if free < 3:
                continue
            for k in range(j + 1, n):
                cost_3 = cost_2 + cost(rules, strategy, character, cards[k])
                best = cheaper(expected_loss(rest_2 - values[k], hp) + cost_3, action, best)
    return best[1]
