"""The rules of Bloodsport Gambler: what each action does, and what the engine does until the next decision."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bloodsport_gambler import flow
from cardzoo.envs.bloodsport_gambler.actions import (
    BET_AT,
    COIN_AT,
    DISCARD_AT,
    DONE_AT,
    NOBET_AT,
    PASS_AT,
    PAY_AT,
    RAT_AT,
    SHOW_AT,
    SKIP_AT,
    TARGET_AT,
    TIME_AT,
    after_play,
    keep_action,
)
from cardzoo.envs.bloodsport_gambler.cards import FIGHTER_COPIES, SECRET_COPIES, WEAPON_COPIES
from cardzoo.envs.bloodsport_gambler.flow import ASK, DISCARDS, END, LOANS, NEXT_BET, NEXT_TURN, ROLL_SABOTAGE, SUB
from cardzoo.envs.bloodsport_gambler.legal import NO_OPTION, only_option
from cardzoo.envs.bloodsport_gambler.loans import default, next_loan, pay, results, settle, skip
from cardzoo.envs.bloodsport_gambler.piles import discard_action, fill_action_deck, refill
from cardzoo.envs.bloodsport_gambler.plays import (
    answer_show,
    choose_target,
    finish_play,
    next_sub,
    play,
    resolve_sabotage,
    reveal_sabotage,
    spend_time,
)
from cardzoo.envs.bloodsport_gambler.rounds import (
    deal_round,
    end_round,
    next_bet,
    next_discard,
    next_turn,
    pass_turn,
    reset_round,
    roll_order,
    start_bets,
    start_fight,
    start_round,
)
from cardzoo.envs.bloodsport_gambler.seats import rat
from cardzoo.envs.bloodsport_gambler.state import (
    ACT,
    BET,
    COIN,
    DISCARD,
    FIGHTS,
    LOAN,
    MAX_WAGER,
    NO_CARD,
    NOBODY,
    REACT,
    SHOW,
    SIDES,
    START_CHANCES,
    START_COINS,
    TARGET,
    TIME,
    WINDOW,
)
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records


@kernel
def setup(states: Records, i: int, rules: Records) -> None:
    """Start a new game in a record that is zeroed but for `rng`, up to its first decision."""
    s = states[i]
    r = rules[0]
    clear_table(s)
    s.guard = 1
    s.round_no = 1
    for seat in range(int(r.num_seats)):
        s.playing[seat] = 1
        s.coin[seat] = START_COINS
        s.chance[seat] = START_CHANCES
    fill_action_deck(s, r)
    fill_other_decks(s, r)
    run(s, r, flow.SETUP)


@kernel
def clear_table(s: Record) -> None:
    """Fields that are not 0 when there is nothing in them."""
    s.p_card = NO_CARD
    for fight in range(FIGHTS):
        s.secret[fight] = NOBODY
        for side in range(SIDES):
            s.fighter[fight, side] = NOBODY
            s.weapon[fight, side] = NOBODY


@kernel
def fill_other_decks(s: Record, rules: Rules) -> None:
    """The shuffled decks of fighters, weapons and secrets."""
    for card in range(int(rules.num_fighters)):
        s.fig_disc[card] = rules.fighters[card, FIGHTER_COPIES]
    for card in range(int(rules.num_weapons)):
        s.wea_disc[card] = rules.weapons[card, WEAPON_COPIES]
    for card in range(int(rules.num_secrets)):
        s.sec_disc[card] = rules.secrets[card, SECRET_COPIES]
    s.n_fig = refill(s.rng, s.fig_deck, s.fig_disc)
    s.n_wea = refill(s.rng, s.wea_deck, s.wea_disc)
    s.n_sec = refill(s.rng, s.sec_deck, s.sec_disc)


@kernel
def bet(s: Record, rules: Rules, action: int) -> int:
    """A wager, or none, on the fight being bet on; returns what comes next."""
    if action >= after_play(rules, NOBET_AT):
        return NEXT_BET
    seat = int(s.actor)
    wager = action - after_play(rules, BET_AT)
    coins = 1 + wager % MAX_WAGER
    s.bet_side[seat, int(s.fight)] = 1 + (wager // MAX_WAGER) % SIDES
    s.bet_coin[seat, int(s.fight)] = coins
    s.coin[seat] -= coins
    return NEXT_BET


@kernel
def pass_or_play(s: Record, rules: Rules, action: int) -> int:
    """A turn of phase 2 or of a React window; returns what comes next."""
    if action != after_play(rules, PASS_AT):
        return play(s, action)
    if int(rules.final_passes) == 1:
        s.passed[int(s.actor)] = 1
    return pass_turn(s)


@kernel
def settle_loan(s: Record, rules: Rules, action: int) -> int:
    """A choice of a loan turn; returns what comes next."""
    if action == after_play(rules, DONE_AT):
        return LOANS
    if action == after_play(rules, SKIP_AT):
        return skip(s)
    return pay(s, action - after_play(rules, PAY_AT))


@kernel
def take(s: Record, rules: Rules, action: int) -> int:
    """Carry out a legal action; returns what comes next."""
    node = int(s.node)
    if action == after_play(rules, RAT_AT):
        rat(s)
        return ROLL_SABOTAGE if node == WINDOW else ASK
    if node == ACT or node == REACT:
        return pass_or_play(s, rules, action)
    if node == TARGET:
        return choose_target(s, action - after_play(rules, TARGET_AT))
    if node == SHOW:
        return answer_show(s, 1 if action == after_play(rules, SHOW_AT) else 0)
    if node == TIME:
        return spend_time(s, rules, action - after_play(rules, TIME_AT))
    if node == COIN:
        return finish_play(s, rules, action - after_play(rules, COIN_AT))
    if node == BET:
        return bet(s, rules, action)
    if node == LOAN:
        return settle_loan(s, rules, action)
    if node == DISCARD:
        if action == keep_action(rules):
            return DISCARDS
        discard_action(s, int(s.actor), action - after_play(rules, DISCARD_AT))
        return ASK
    return ROLL_SABOTAGE  # window: proceed


@kernel
def run(s: Record, rules: Rules, following: int) -> None:
    """Go on from what comes next until a seat has a decision that is none of R27's, or the game is over."""
    while following != END:
        if following == ASK:
            action = only_option(s, rules)
            if action == NO_OPTION:
                following = default(s)
            elif action < 0:
                return
            else:
                following = take(s, rules, action)
        elif following == SUB:
            following = next_sub(s, rules)
        elif following == NEXT_TURN:
            following = next_turn(s, False)
        elif following == NEXT_BET:
            following = next_bet(s)
        elif following == flow.BETS:
            following = start_bets(s)
        elif following == flow.FIGHT:
            following = start_fight(s, rules)
        elif following == flow.SABOTAGE:
            following = reveal_sabotage(s, rules)
        elif following == ROLL_SABOTAGE:
            following = resolve_sabotage(s, rules)
        elif following == flow.ROUND:
            following = start_round(s, rules)
        elif following == flow.HIT:
            following = end_round(s, rules)
        elif following == flow.SETTLE:
            following = settle(s, rules)
        elif following == LOANS:
            following = next_loan(s)
        elif following == flow.RESULTS:
            following = results(s, rules)
        elif following == DISCARDS:
            following = next_discard(s)
        elif following == flow.RESET:
            following = reset_round(s, rules)
        elif following == flow.SETUP:
            following = deal_round(s, rules)
        else:  # flow.ORDER
            following = roll_order(s)


@kernel
def apply(states: Records, i: int, rules: Records, action: int) -> None:
    """Carry out a legal action in game i and go on to the next decision or the end of the game."""
    s = states[i]
    run(s, rules[0], take(s, rules[0], action))


@kernel
def resume(states: Records, i: int, rules: Records, entry: int) -> None:
    """Take the engine's steps of a position that was set up by hand, from an entry point (flow.AT_NODE ..)."""
    run(states[i], rules[0], flow.ENTRIES[entry])


@kernel
def returns(states: Records, i: int, rules: Records, out: NDArray[np.float64]) -> None:
    """Write each seat's return so far, float64 (S,)."""
    for seat in range(len(out)):
        out[seat] = states[i].ret[seat]
