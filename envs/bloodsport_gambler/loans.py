"""Settling wagers, loan turns, results and fates (phases 4 and 5; rulings R8, R9, R21, R22, R28)."""

from __future__ import annotations

import numpy as np

from cardzoo.envs.bloodsport_gambler.dice import roll
from cardzoo.envs.bloodsport_gambler.flow import ASK, DISCARDS, END, RESULTS
from cardzoo.envs.bloodsport_gambler.flow import LOANS as NEXT_LOAN
from cardzoo.envs.bloodsport_gambler.odds import lead, payout
from cardzoo.envs.bloodsport_gambler.piles import discard_all
from cardzoo.envs.bloodsport_gambler.seats import seat_in_order, turns_taken
from cardzoo.envs.bloodsport_gambler.state import (
    DEAD_HEAT,
    DEFEATED,
    FIGHTS,
    FIRST_LOAN,
    IN,
    LOAN,
    LOANS,
    NOBODY,
    OVER,
    PAID_OFF,
    SEATS,
    START_CHANCES,
    START_COINS,
)
from cardzoo.envs.bloodsport_gambler.tables import FATE, LEAVE, RACE, RESTART, Rules
from cardzoo.envs.bloodsport_gambler.tokens import gain_coins, num_paid
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

# --- wagers


@kernel
def settle(s: Record, rules: Rules) -> int:
    """Stakes return first, then the payouts by fight, the round's first seat before the other (option coin_supply)."""
    for seat in range(SEATS):
        for fight in range(FIGHTS):
            if keeps_stake(s, seat, fight):
                s.coin[seat] += int(s.bet_coin[seat, fight])
    won = np.zeros((SEATS, FIGHTS), np.int64)  # noted first: wagers leave the table before the supply is counted
    for seat in range(SEATS):
        for fight in range(FIGHTS):
            if wins_bet(s, seat, fight):
                side = int(s.bet_side[seat, fight]) - 1
                won[seat, fight] = payout(lead(s, rules, fight, side), int(s.bet_coin[seat, fight]))
            s.bet_side[seat, fight] = 0
            s.bet_coin[seat, fight] = 0
            s.lost[seat, fight] = 0
    for fight in range(FIGHTS):
        for k in range(SEATS):
            seat = seat_in_order(s, k)
            gain_coins(s, rules, seat, won[seat, fight])
    for seat in range(SEATS):
        s.paid_now[seat] = 0
    s.actor = NOBODY
    return NEXT_LOAN


@kernel
def wins_bet(s: Record, seat: int, fight: int) -> bool:
    """Whether a seat's wager on a fight is won."""
    side = int(s.bet_side[seat, fight])
    return side > 0 and int(s.lost[seat, fight]) == 0 and int(s.winner[fight]) == side


@kernel
def keeps_stake(s: Record, seat: int, fight: int) -> bool:
    """Whether a seat's stake on a fight returns: won, or a dead heat, and not lost by being caught."""
    if int(s.bet_side[seat, fight]) == 0 or int(s.lost[seat, fight]) == 1:
        return False
    return int(s.winner[fight]) == DEAD_HEAT or wins_bet(s, seat, fight)


# --- loan turns


@kernel
def owes(s: Record, seat: int) -> bool:
    """Whether a seat has a loan turn: at the table, and neither paid off nor defeated in its present run."""
    return int(s.playing[seat]) == 1 and int(s.status[seat]) == IN


@kernel
def next_loan(s: Record) -> int:
    """The loan turn of the next seat in the round's order; returns what comes next."""
    for k in range(turns_taken(s), SEATS):
        seat = seat_in_order(s, k)
        if owes(s, seat):
            s.actor = seat
            s.node = LOAN
            return ASK
    return RESULTS


@kernel
def pay(s: Record, k: int) -> int:
    """The deciding seat pays the amount 3 + k; the sixth payment ends its turn."""
    seat = int(s.actor)
    s.coin[seat] -= FIRST_LOAN + k
    s.paid[seat, k] = 1
    s.paid_now[seat] += 1
    if num_paid(s, seat) < LOANS:
        return ASK
    s.status[seat] = PAID_OFF
    return NEXT_LOAN


@kernel
def skip(s: Record) -> int:
    """The deciding seat spends a chance instead of paying."""
    s.chance[int(s.actor)] -= 1
    return NEXT_LOAN


@kernel
def default(s: Record) -> int:
    """The deciding seat can neither pay nor skip: it is defeated."""
    s.status[int(s.actor)] = DEFEATED
    return NEXT_LOAN


# --- results


@kernel
def finishes_now(s: Record, seat: int) -> bool:
    """Whether a seat has come to its first result in this settlement."""
    return int(s.playing[seat]) == 1 and int(s.result[seat]) == IN and int(s.status[seat]) != IN


@kernel
def victory_tier(total: int) -> int:
    """Tier of a victory: die and coins 1-10, 11-20, 21 and more."""
    return 1 if total <= 10 else (2 if total <= 20 else 3)


@kernel
def defeat_tier(die: int) -> int:
    """Tier of a defeat: 1, 2-3, 4-5, 6."""
    return 1 + die // 2


@kernel
def is_first(s: Record, rules: Rules, seat: int) -> bool:
    """Whether a seat pays off first of two: the other has not come to a result yet (R22)."""
    other = 1 - seat
    return int(rules.num_seats) == SEATS and int(s.result[other]) == IN and int(s.status[other]) == IN


@kernel
def roll_fate(s: Record, rules: Rules, seat: int, first: bool) -> None:
    """Roll the fate of a seat that has come to its result."""
    die = roll(s)
    if int(s.status[seat]) == PAID_OFF:
        if first:
            die = max(die, roll(s))
        total = die + int(s.coin[seat])
        s.fate_tier[seat] = victory_tier(total)
    else:
        total = die
        s.fate_tier[seat] = defeat_tier(die)
    s.fate_roll[seat] = die
    s.fate_total[seat] = total


@kernel
def return_of(s: Record, rules: Rules, seat: int) -> float:
    """The return of a seat with a result, unless the objective is a race."""
    paid_off = int(s.result[seat]) == PAID_OFF
    if int(rules.objective) == FATE:
        tier = int(s.fate_tier[seat])
        return tier / 3.0 if paid_off else -(5 - tier) / 4.0
    return 1.0 if paid_off else -1.0


@kernel
def race_value(s: Record, seat: int) -> int:
    """What seats are compared by in a race: status, then coins, or for the defeated payments and coins."""
    status = int(s.status[seat])
    if status == PAID_OFF:
        return 2_000_000 + int(s.coin[seat])
    if status == IN:
        return 1_000_000
    total = 0
    for k in range(LOANS):
        total += int(s.paid[seat, k]) * (FIRST_LOAN + k)
    return 1_000 * total + int(s.coin[seat])


@kernel
def end_race(s: Record) -> int:
    """A race is over: the seat that compares better has 1, the other -1."""
    own = race_value(s, 0)
    other = race_value(s, 1)
    s.ret[0] = 1.0 if own > other else (-1.0 if own < other else 0.0)
    s.ret[1] = 0.0 - s.ret[0]  # no -0.0 in a draw
    return finish(s)


@kernel
def finish(s: Record) -> int:
    """The game is over."""
    s.node = OVER
    s.actor = NOBODY
    return END


@kernel
def results(s: Record, rules: Rules) -> int:
    """All loan turns are done: fates, returns, the end of the game, or what seats with a result do then."""
    firsts = 0
    for seat in range(SEATS):
        if finishes_now(s, seat) and int(s.status[seat]) == PAID_OFF and is_first(s, rules, seat):
            firsts |= 1 << seat
    finished = 0
    for seat in range(SEATS):
        if finishes_now(s, seat):
            roll_fate(s, rules, seat, (firsts >> seat) & 1 == 1)
            finished |= 1 << seat
    for seat in range(SEATS):
        if (finished >> seat) & 1 == 1:
            s.result[seat] = s.status[seat]
            s.done_round[seat] = s.round_no
    if int(rules.objective) == RACE:
        if finished != 0:
            return end_race(s)
    else:
        waiting = False
        for seat in range(int(rules.num_seats)):
            if (finished >> seat) & 1 == 1:
                s.ret[seat] = return_of(s, rules, seat)
            if int(s.result[seat]) == IN:
                waiting = True
        if not waiting:
            return finish(s)
    for seat in range(SEATS):
        if int(s.playing[seat]) == 1 and int(s.status[seat]) != IN:
            go_on_after_result(s, rules, seat)
    s.actor = NOBODY
    return DISCARDS


@kernel
def go_on_after_result(s: Record, rules: Rules, seat: int) -> None:
    """What a seat with a result does while the game goes on (option finished_seat)."""
    if int(rules.finished) == RESTART:
        s.status[seat] = IN
        s.chance[seat] = START_CHANCES
        s.paid_now[seat] = 0
        for k in range(LOANS):
            s.paid[seat, k] = 0
        s.coin[seat] = 0
        gain_coins(s, rules, seat, START_COINS)  # fewer if the supply is limited and the other seat holds the rest
    elif int(rules.finished) == LEAVE or int(s.status[seat]) == DEFEATED:
        discard_all(s, rules, seat)
        s.playing[seat] = 0
        s.left = int(s.left) | 1 << seat
