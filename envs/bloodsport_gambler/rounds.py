"""From round to round: deal, order, turns of phase 2, wagers, fights, discards, reset (phases 1 to 4 and 6)."""

from __future__ import annotations

from cardzoo.envs.bloodsport_gambler.dice import roll
from cardzoo.envs.bloodsport_gambler.fights import apply_secret, clear_round, roll_attacks, strike
from cardzoo.envs.bloodsport_gambler.flow import (
    ASK,
    BETS,
    FIGHT,
    HIT,
    ORDER,
    RESET,
    ROUND,
    SABOTAGE,
    SETTLE,
    SETUP,
)
from cardzoo.envs.bloodsport_gambler.loans import finish
from cardzoo.envs.bloodsport_gambler.piles import draw_action, draw_fighter, draw_secret, draw_weapon
from cardzoo.envs.bloodsport_gambler.seats import (
    all_seats,
    clear_passes,
    known_at_deal,
    num_playing,
    seat_in_order,
    turns_taken,
)
from cardzoo.envs.bloodsport_gambler.state import (
    ACT,
    BET,
    DISCARD,
    FIGHTS,
    HAND_SIZE,
    MAX_TIME,
    MODS,
    NOBODY,
    REACT,
    SEATS,
    SIDES,
    UNDECIDED,
)
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.bloodsport_gambler.tokens import gain_time
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

# --- phase 1


@kernel
def deal_round(s: Record, rules: Rules) -> int:
    """Fill hands and Time, deal the three fights (R20); returns what comes next."""
    for seat in range(SEATS):
        if int(s.playing[seat]) == 1:
            while int(s.n_hand[seat]) < HAND_SIZE and draw_action(s, rules, seat):
                pass
            gain_time(s, seat, MAX_TIME)
    for fight in range(FIGHTS):
        deal_fight(s, rules, fight)
    return ORDER


@kernel
def deal_fight(s: Record, rules: Rules, fight: int) -> None:
    """Left fighter, right fighter, left weapon, right weapon, secret."""
    for side in range(SIDES):
        s.fighter[fight, side] = draw_fighter(s)
    for side in range(SIDES):
        weapon = draw_weapon(s)
        s.weapon[fight, side] = weapon
        s.w_slot[fight, side] = SIDES * fight + side
        s.w_known[fight, side] = known_at_deal(rules)
        s.w_old[fight, side] = 0
    secret = draw_secret(s)
    s.secret[fight] = secret
    s.s_known[fight] = known_at_deal(rules)
    s.s_old[fight] = 0


@kernel
def roll_order(s: Record) -> int:
    """The higher die acts first, ties are rolled again (R1); a seat alone is first without a roll (R25)."""
    if num_playing(s) < SEATS:
        s.first = 0 if int(s.playing[0]) == 1 else 1
    else:
        own = roll(s)
        other = roll(s)
        while own == other:
            own = roll(s)
            other = roll(s)
        s.first = 0 if own > other else 1
    s.node = ACT
    s.actor = s.first
    clear_passes(s)
    return ASK


# --- turns of phase 2 and of React windows


@kernel
def pass_turn(s: Record) -> int:
    """The deciding seat passes; returns what comes next."""
    s.passes += 1
    return next_turn(s, True)


@kernel
def next_turn(s: Record, passed: bool) -> int:
    """The other seat's turn, or the end of the phase or window (R2, R3); returns what comes next."""
    seat = int(s.actor)
    node = REACT if int(s.fight_round) > 0 else ACT
    s.node = node
    end = HIT if node == REACT else BETS
    if int(s.passes) >= num_playing(s):
        return end
    other = 1 - seat
    if int(s.playing[other]) == 1 and int(s.passed[other]) == 0:
        s.actor = other
    elif passed and int(s.passed[seat]) == 1:
        return end
    return ASK


# --- phase 3


@kernel
def start_bets(s: Record) -> int:
    """The first seat bets on fight 1."""
    clear_passes(s)
    s.node = BET
    s.fight = 0
    s.actor = s.first
    return ASK


@kernel
def next_bet(s: Record) -> int:
    """The next fight, the other seat, or the first fight begins."""
    if int(s.fight) + 1 < FIGHTS:
        s.fight += 1
        return ASK
    s.fight = 0
    other = 1 - int(s.actor)
    if int(s.actor) == int(s.first) and int(s.playing[other]) == 1:
        s.actor = other
        return ASK
    return FIGHT


# --- phase 4


@kernel
def start_fight(s: Record, rules: Rules) -> int:
    """Weapons and secret of the fight become known to all; Sabotage is next."""
    fight = int(s.fight)
    for side in range(SIDES):
        s.w_known[fight, side] = all_seats(rules)
    s.s_known[fight] = all_seats(rules)
    return SABOTAGE


@kernel
def start_round(s: Record, rules: Rules) -> int:
    """Secret, attack rolls, and the React window, which the seat that acted second opens (R3)."""
    s.fight_round += 1
    apply_secret(s, rules)
    roll_attacks(s, rules)
    clear_passes(s)
    s.node = REACT
    other = 1 - int(s.first)
    s.actor = other if int(s.playing[other]) == 1 else s.first
    return ASK


@kernel
def end_round(s: Record, rules: Rules) -> int:
    """Totals and wounds; the next fight round, the next fight, or the settlement."""
    winner = strike(s, rules)
    clear_round(s)
    clear_passes(s)
    if winner == UNDECIDED:
        return ROUND
    s.winner[int(s.fight)] = winner
    s.fight_round = 0
    if int(s.fight) + 1 < FIGHTS:
        s.fight += 1
        return FIGHT
    s.fight = 0
    return SETTLE


# --- phase 6


@kernel
def next_discard(s: Record) -> int:
    """The discards of the next seat in the round's order; returns what comes next."""
    for k in range(turns_taken(s), SEATS):
        seat = seat_in_order(s, k)
        if int(s.playing[seat]) == 1:
            s.actor = seat
            s.node = DISCARD
            return ASK
    return RESET


@kernel
def clear_fights(s: Record) -> None:
    """Fighters, weapons and secrets go to their discards, wounds and modifiers away."""
    for fight in range(FIGHTS):
        for side in range(SIDES):
            s.fig_disc[int(s.fighter[fight, side])] += 1
            s.wea_disc[int(s.weapon[fight, side])] += 1
            s.fighter[fight, side] = NOBODY
            s.weapon[fight, side] = NOBODY
            s.wounds[fight, side] = 0
            s.w_slot[fight, side] = 0
            s.w_damage[fight, side] = 0
            s.w_type[fight, side] = 0
            s.w_known[fight, side] = 0
            s.w_old[fight, side] = 0
            for k in range(MODS):
                s.mod[fight, side, k] = 0
        s.sec_disc[int(s.secret[fight])] += 1
        s.secret[fight] = NOBODY
        s.s_known[fight] = 0
        s.s_old[fight] = 0
        s.winner[fight] = UNDECIDED


@kernel
def reset_round(s: Record, rules: Rules) -> int:
    """Phase 6 ends: table cleared, guard level down after a quiet round, the next round or the limit."""
    clear_fights(s)
    for card in range(int(rules.num_actions)):
        s.act_disc[card] += int(s.used[card])
        s.used[card] = 0
    if int(s.caught) == 0:
        s.guard = max(1, int(s.guard) - 1)
    s.caught = 0
    for seat in range(SEATS):
        s.paid_now[seat] = 0
    if int(s.round_no) >= int(rules.max_rounds):
        s.truncated = 1
        return finish(s)
    s.round_no += 1
    return SETUP
