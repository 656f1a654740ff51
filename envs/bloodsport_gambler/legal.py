"""What is legal: one question for each node, and the action mask made of the answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bloodsport_gambler.actions import (
    BET_AT,
    COIN_AT,
    DISCARD_AT,
    DONE_AT,
    MAX_COIN,
    NOBET_AT,
    PASS_AT,
    PAY_AT,
    PLAY,
    PROCEED_AT,
    RAT_AT,
    SHOW_AT,
    SKIP_AT,
    TARGET_AT,
    TIME_AT,
    after_play,
    keep_action,
)
from cardzoo.envs.bloodsport_gambler.cards import (
    DISCOVER,
    KIND,
    NO_RISK,
    NUM_EFFECTS,
    REACT,
    REPLACE_SECRET,
    RISK,
    SABOTAGE,
    VERB,
)
from cardzoo.envs.bloodsport_gambler.looks import NO_LOOK, can_look, is_chosen, look_ok, look_scope, look_targets
from cardzoo.envs.bloodsport_gambler.odds import bet_ok
from cardzoo.envs.bloodsport_gambler.seats import may_rat
from cardzoo.envs.bloodsport_gambler.state import (
    ACT,
    BET,
    COIN,
    DISCARD,
    FIGHTS,
    FIRST_LOAN,
    LOAN,
    LOANS,
    MAX_STACK,
    MAX_TIME,
    MAX_WAGER,
    SHOW,
    SIDES,
    SPOTS,
    TARGET,
    TIME,
    WINDOW,
)
from cardzoo.envs.bloodsport_gambler.state import REACT as NODE_REACT
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records

NOTHING = -1  # `only_option`: several options
NO_OPTION = -2  # `only_option`: none at all


@kernel
def kind_of(rules: Rules, card: int) -> int:
    """Kind of an action card."""
    return int(rules.actions[card, KIND])


# --- playing a card


@kernel
def is_playable(s: Record, rules: Rules, card: int) -> bool:
    """Whether the deciding seat may play a card of its hand at the nodes act and react."""
    seat = int(s.actor)
    if int(s.hand[seat, card]) == 0:
        return False
    kind = kind_of(rules, card)
    if int(s.node) == NODE_REACT:
        return kind == REACT
    if kind == REACT or (kind == SABOTAGE and int(s.n_sab) >= MAX_STACK):
        return False
    scope = look_scope(rules, card)
    return scope == NO_LOOK or can_look(s, seat, scope)


@kernel
def aims_at_secret(rules: Rules, card: int) -> bool:
    """Whether a Special card asks for a fight."""
    for k in range(int(rules.actions[card, NUM_EFFECTS])):
        if int(rules.action_effects[card, k, VERB]) == REPLACE_SECRET:
            return True
    return False


@kernel
def max_targets(rules: Rules, card: int) -> int:
    """Targets that a card asks for at most."""
    kind = kind_of(rules, card)
    if kind == SABOTAGE or kind == REACT or aims_at_secret(rules, card):
        return 1
    return look_targets(rules, card) if kind == DISCOVER else 0


@kernel
def target_ok(s: Record, rules: Rules, target: int) -> bool:
    """Whether the card being played may be aimed at a target: spot 0..5, fight 6..8."""
    card = int(s.p_card)
    kind = kind_of(rules, card)
    if kind == SABOTAGE:
        return target < SPOTS
    if kind == REACT:
        return target // SIDES == int(s.fight) and target < SPOTS
    if aims_at_secret(rules, card):
        return target >= SPOTS
    return not is_chosen(s, target) and look_ok(s, int(s.actor), look_scope(rules, card), target)


@kernel
def count_targets(s: Record, rules: Rules) -> int:
    """Targets that the card being played may be aimed at now."""
    count = 0
    for target in range(SPOTS + FIGHTS):
        if target_ok(s, rules, target):
            count += 1
    return count


@kernel
def needs_roll(rules: Rules, card: int, shown: int) -> bool:
    """Whether a card needs a risk roll: all do but a No Risk card that is not shown (R4)."""
    return int(rules.actions[card, RISK]) != NO_RISK or shown > 0


@kernel
def risk_of(rules: Rules, card: int, shown: int) -> int:
    """Risk of a card with what is shown, before anything is spent on it."""
    return max(0, int(rules.actions[card, RISK])) + shown


@kernel
def shown_now(s: Record) -> int:
    """Cards that the card being played shows to the other seat."""
    count = 0
    for k in range(int(s.n_show)):
        count += int(s.show[k])
    return count


@kernel
def most_time(s: Record, rules: Rules) -> int:
    """Time that the deciding seat may spend on the card being played."""
    if not needs_roll(rules, int(s.p_card), shown_now(s)):
        return 0
    return min(MAX_TIME, int(s.time[int(s.actor)]), risk_of(rules, int(s.p_card), shown_now(s)))


@kernel
def most_coins(s: Record, rules: Rules) -> int:
    """Coins that the deciding seat may spend on the card being played, after its Time."""
    if not needs_roll(rules, int(s.p_card), shown_now(s)):
        return 0
    left = risk_of(rules, int(s.p_card), shown_now(s)) - int(s.p_time)
    return max(0, min(MAX_COIN, int(s.coin[int(s.actor)]), left))


# --- loans


@kernel
def pay_ok(s: Record, k: int) -> bool:
    """Whether the deciding seat may pay the loan amount 3 + k."""
    seat = int(s.actor)
    return int(s.paid[seat, k]) == 0 and int(s.coin[seat]) >= FIRST_LOAN + k


@kernel
def done_ok(s: Record) -> bool:
    """Whether the deciding seat may end its loan turn: it has paid something."""
    return int(s.paid_now[int(s.actor)]) > 0


@kernel
def skip_ok(s: Record) -> bool:
    """Whether the deciding seat may spend a chance instead of paying."""
    return int(s.paid_now[int(s.actor)]) == 0 and int(s.chance[int(s.actor)]) > 0


# --- the mask


@kernel
def allow(mask: NDArray[np.bool_], action: int, legal: bool) -> int:
    """Write whether an action is legal; returns 1 if it is, to count it."""
    mask[action] = legal
    return 1 if legal else 0


@kernel
def allow_plays(s: Record, r: Rules, mask: NDArray[np.bool_]) -> int:
    """Mark the cards that may be played, and passing; returns how many actions that is."""
    count = allow(mask, after_play(r, PASS_AT), True)
    for card in range(int(r.num_actions)):
        count += allow(mask, PLAY + card, is_playable(s, r, card))
    return count


@kernel
def allow_bets(s: Record, r: Rules, mask: NDArray[np.bool_]) -> int:
    """Mark the wagers on the fight being bet on; returns how many actions that is."""
    fight = int(s.fight)
    count = allow(mask, after_play(r, NOBET_AT) + fight, True)
    for side in range(SIDES):
        start = after_play(r, BET_AT) + MAX_WAGER * (SIDES * fight + side) - 1
        for coins in range(1, MAX_WAGER + 1):
            count += allow(mask, start + coins, bet_ok(s, r, side, coins))
    return count


@kernel
def allow_loans(s: Record, r: Rules, mask: NDArray[np.bool_]) -> int:
    """Mark payments, done and skip; returns how many actions that is."""
    count = allow(mask, after_play(r, DONE_AT), done_ok(s)) + allow(mask, after_play(r, SKIP_AT), skip_ok(s))
    for k in range(LOANS):
        count += allow(mask, after_play(r, PAY_AT) + k, pay_ok(s, k))
    return count


@kernel
def allow_range(mask: NDArray[np.bool_], start: int, n: int) -> int:
    """Mark n actions from a number on; returns n."""
    for k in range(n):
        mask[start + k] = True
    return n


@kernel
def allow_discards(s: Record, r: Rules, mask: NDArray[np.bool_]) -> int:
    """Mark the cards that may be discarded, and keeping; returns how many actions that is."""
    count = allow(mask, keep_action(r), True)
    for card in range(int(r.num_actions)):
        count += allow(mask, after_play(r, DISCARD_AT) + card, int(s.hand[int(s.actor), card]) > 0)
    return count


@kernel
def legal(states: Records, i: int, rules: Records, mask: NDArray[np.bool_]) -> int:
    """Write the action mask of the acting seat, bool (A,), return the number of legal actions; all False when over."""
    s = states[i]
    r = rules[0]
    for action in range(len(mask)):
        mask[action] = False
    if int(s.actor) < 0:
        return 0
    node = int(s.node)
    count = 0
    if node == ACT or node == NODE_REACT:
        count = allow_plays(s, r, mask)
    elif node == TARGET:
        for target in range(SPOTS + FIGHTS):
            count += allow(mask, after_play(r, TARGET_AT) + target, target_ok(s, r, target))
    elif node == SHOW:
        count = allow_range(mask, after_play(r, SHOW_AT), 2)
    elif node == TIME:
        count = allow_range(mask, after_play(r, TIME_AT), most_time(s, r) + 1)
    elif node == COIN:
        count = allow_range(mask, after_play(r, COIN_AT), most_coins(s, r) + 1)
    elif node == BET:
        count = allow_bets(s, r, mask)
    elif node == WINDOW:
        count = allow(mask, after_play(r, PROCEED_AT), True)
    elif node == LOAN:
        count = allow_loans(s, r, mask)
    elif node == DISCARD:
        count = allow_discards(s, r, mask)
    return count + allow(mask, after_play(r, RAT_AT), may_rat(s))


# --- moves that the engine makes (R27)


@kernel
def only_option(s: Record, r: Rules) -> int:
    """The action of a node that leaves just one, ratting not counted; NOTHING if there are more, NO_OPTION if none."""
    node = int(s.node)
    if node == ACT or node == NODE_REACT:
        for card in range(int(r.num_actions)):
            if is_playable(s, r, card):
                return NOTHING
        return after_play(r, PASS_AT)
    if node == TARGET:
        found = NO_OPTION
        for target in range(SPOTS + FIGHTS):
            if target_ok(s, r, target):
                if found != NO_OPTION:
                    return NOTHING
                found = after_play(r, TARGET_AT) + target
        return found
    if node == TIME:
        return NOTHING if most_time(s, r) > 0 else after_play(r, TIME_AT)
    if node == COIN:
        return NOTHING if most_coins(s, r) > 0 else after_play(r, COIN_AT)
    if node == BET:
        return only_bet(s, r)
    if node == LOAN:
        return only_loan(s, r)
    if node == DISCARD and int(s.n_hand[int(s.actor)]) == 0:
        return keep_action(r)
    return NOTHING


@kernel
def only_bet(s: Record, r: Rules) -> int:
    """`nobet` if no wager is possible, else NOTHING."""
    for side in range(SIDES):
        for coins in range(1, MAX_WAGER + 1):
            if bet_ok(s, r, side, coins):
                return NOTHING
    return after_play(r, NOBET_AT) + int(s.fight)


@kernel
def only_loan(s: Record, r: Rules) -> int:
    """The only payment, `done` or `skip` that is possible; NOTHING if several, NO_OPTION if none."""
    found = NO_OPTION
    for k in range(LOANS):
        if pay_ok(s, k):
            if found != NO_OPTION:
                return NOTHING
            found = after_play(r, PAY_AT) + k
    if done_ok(s):
        if found != NO_OPTION:
            return NOTHING
        found = after_play(r, DONE_AT)
    if skip_ok(s):
        if found != NO_OPTION:
            return NOTHING
        found = after_play(r, SKIP_AT)
    return found
