"""Broken invariants of a record, as bits: what `State.problems`, the property tests and the fuzzing look for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bloodsport_gambler.actions import RAT_AT, after_play
from cardzoo.envs.bloodsport_gambler.cards import (
    COPIES,
    FIGHTER_COPIES,
    HEAL,
    NUM_EFFECTS,
    REACT,
    SABOTAGE,
    SECRET_COPIES,
    SECRET_EFFECTS,
    VERB,
    WEAPON_COPIES,
)
from cardzoo.envs.bloodsport_gambler.fights import dice_mode
from cardzoo.envs.bloodsport_gambler.information import MASK_SIZE, decided_wagers
from cardzoo.envs.bloodsport_gambler.legal import kind_of, legal, max_targets, risk_of, shown_now
from cardzoo.envs.bloodsport_gambler.loans import owes, return_of
from cardzoo.envs.bloodsport_gambler.odds import lead, wager_fits
from cardzoo.envs.bloodsport_gambler.plays import next_sabotage_of
from cardzoo.envs.bloodsport_gambler.seats import all_seats, knows, num_playing
from cardzoo.envs.bloodsport_gambler.state import (
    ACT,
    BET,
    COIN,
    DEAD_HEAT,
    DEFEATED,
    DISCARD,
    FIGHTS,
    IN,
    LOAN,
    LOANS,
    MAX_ACTIONS,
    MAX_FIGHTERS,
    MAX_GUARD,
    MAX_SECRETS,
    MAX_SHOWN,
    MAX_STACK,
    MAX_TARGETS,
    MAX_TIME,
    MAX_WEAPONS,
    MODS,
    MOST,
    NEW,
    NO_CARD,
    NOBODY,
    OVER,
    PAID_OFF,
    SEATS,
    SIDES,
    SPOTS,
    START_CHANCES,
    TARGET,
    UNDECIDED,
    WINDOW,
)
from cardzoo.envs.bloodsport_gambler.tables import CONTINUE, RACE, RESTART, Rules
from cardzoo.envs.bloodsport_gambler.tokens import coins_left, num_paid, time_left, wagered
from cardzoo.envs.core.checks import rest_is_zero, within
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records

PROBLEMS = (
    "the copies of a card in all zones do not add up to the copies in the game",
    "an entry that is not in use is not 0, or a number names something that there is not",
    "a number of the flow, of a seat or of a fight is out of its range",
    "the size of a hand is not the number of its cards",
    "more Time is held and lies on Sabotage than there are tokens, or more coins than a limited supply has",
    "a wager does not fit the odds, or lies there before it is made or after the settlement",
    "the action deck holds more of a card than a seat takes for possible",
    "a seat does not know a card that it must know, or one that is not there knows some",
    "a Sabotage on the table is none, has more tokens than risk, or lies in a fight that is over",
    "the card being played does not fit the decision",
    "the winners or the dice of the fights do not fit the decision",
    "status, payments, result and fate of a seat do not fit one another",
    "the wrong seat is to decide, or it has no choice",
    "the game is over without a reason, or goes on in spite of one",
    "the returns are not those of the results",
    "the round, a chance, a payment or a result changed as it cannot",
    "purse and wagers together changed between betting and settlement other than by coins spent on a card",
    "a fighter was exchanged, or a wound vanished, within a round",
)
(
    COPIES_LOST,
    NOT_ZERO,
    OUT_OF_RANGE,
    BAD_HAND,
    BAD_TOKENS,
    BAD_WAGER,
    BAD_POOL,
    BAD_KNOWN,
    BAD_SABOTAGE,
    BAD_PENDING,
    BAD_FIGHT,
    BAD_SEAT,
    BAD_ACTOR,
    BAD_END,
    BAD_RETURNS,
    NOT_MONOTONE,
    BAD_COINS,
    TABLE_CHANGED,
) = tuple(1 << bit for bit in range(len(PROBLEMS)))

MAX_TIERS = 4
TOLERANCE = 1e-6  # returns are fractions, kept as float32


# --- what other checks look things up by


@kernel
def list_fits(values: NDArray[np.uint8], n: int, kinds: int) -> bool:
    """Whether a list has n entries below `kinds`, and zeros behind them."""
    if n < 0 or n > values.shape[0]:
        return False
    for k in range(values.shape[0]):
        if int(values[k]) >= (kinds if k < n else 1):
            return False
    return True


@kernel
def lists_fit(s: Record, rules: Rules) -> bool:
    """Whether decks and tape are lists of cards and dice, with zeros behind."""
    return (
        list_fits(s.act_deck, int(s.n_act), int(rules.num_actions))
        and list_fits(s.fig_deck, int(s.n_fig), int(rules.num_fighters))
        and list_fits(s.wea_deck, int(s.n_wea), int(rules.num_weapons))
        and list_fits(s.sec_deck, int(s.n_sec), int(rules.num_secrets))
        and list_fits(s.tape, int(s.n_tape), 7)
    )


@kernel
def table_is_real(s: Record, rules: Rules) -> bool:
    """Whether the cards of the fights are there, or all gone when the game is over, and winners and bets exist."""
    gone = int(s.node) == OVER and int(s.secret[0]) == NO_CARD
    least = NO_CARD if gone else 0
    for fight in range(FIGHTS):
        if not within(int(s.secret[fight]), least, NO_CARD if gone else int(rules.num_secrets) - 1):
            return False
        if not within(int(s.winner[fight]), UNDECIDED, DEAD_HEAT):
            return False
        for side in range(SIDES):
            if not within(int(s.fighter[fight, side]), least, NO_CARD if gone else int(rules.num_fighters) - 1):
                return False
            if not within(int(s.weapon[fight, side]), least, NO_CARD if gone else int(rules.num_weapons) - 1):
                return False
            if not within(int(s.w_slot[fight, side]), 0, NEW):
                return False
        for seat in range(SEATS):
            if not within(int(s.bet_side[seat, fight]), 0, SIDES):
                return False
    return True


@kernel
def stack_is_real(s: Record, rules: Rules) -> bool:
    """Whether the Sabotage cards on the table are cards of seats at spots."""
    n = int(s.n_sab)
    if not within(n, 0, MAX_STACK):
        return False
    for k in range(MAX_STACK):
        seats = int(rules.num_seats) if k < n else 1
        if not (
            within(int(s.sab_card[k]), 0, int(rules.num_actions) - 1 if k < n else 0)
            and within(int(s.sab_seat[k]), 0, seats - 1)
            and within(int(s.sab_spot[k]), 0, SPOTS - 1 if k < n else 0)
            and within(int(s.sab_slot[k]), 0, NEW if k < n else 0)
            and within(int(s.sab_time[k]), 0, MAX_TIME if k < n else 0)
            and within(int(s.sab_coin[k]), 0, MOST if k < n else 0)
            and within(int(s.sab_shown[k]), 0, 1 if k < n else 0)
            and within(int(s.sab_seen[k]), 0, all_seats(rules) if k < n else 0)
        ):
            return False
    return True


@kernel
def pending_is_real(s: Record, rules: Rules) -> bool:
    """Whether the card being played is one, with lists that are zero behind their ends."""
    card = int(s.p_card)
    idle = card == NO_CARD
    if not (
        within(card, NO_CARD, int(rules.num_actions) - 1)
        and within(int(s.n_target), 0, 0 if idle else MAX_TARGETS)
        and within(int(s.n_show), 0, 0 if idle else MAX_SHOWN)
        and within(int(s.p_time), 0, 0 if idle else MAX_TIME)
    ):
        return False
    for k in range(MAX_TARGETS):
        if not within(int(s.target[k]), 0, SPOTS + FIGHTS - 1 if k < int(s.n_target) else 0):
            return False
    for k in range(MAX_SHOWN):
        if int(s.show[k]) > (1 if k < int(s.n_show) else 0):
            return False
    return True


@kernel
def flow_is_real(s: Record, rules: Rules) -> bool:
    """Whether node, actor, first seat and fight exist."""
    seats = int(rules.num_seats)
    return (
        within(int(s.node), ACT, OVER)
        and within(int(s.actor), NOBODY, seats - 1)
        and within(int(s.first), 0, seats - 1)
        and within(int(s.fight), 0, FIGHTS - 1)
        and int(s.left) <= all_seats(rules)
    )


@kernel
def types_are_real(s: Record, rules: Rules) -> bool:
    """Whether there is nothing of card types that are not there."""
    n = int(rules.num_actions)
    for seat in range(SEATS):
        start = n if seat < int(rules.num_seats) else 0
        if not rest_is_zero(s.hand[seat], start) or not rest_is_zero(s.pool[seat], start):
            return False
    return (
        rest_is_zero(s.used, n)
        and rest_is_zero(s.act_disc, n)
        and rest_is_zero(s.fig_disc, int(rules.num_fighters))
        and rest_is_zero(s.wea_disc, int(rules.num_weapons))
        and rest_is_zero(s.sec_disc, int(rules.num_secrets))
    )


@kernel
def seats_are_real(s: Record, rules: Rules) -> bool:
    """Whether there is nothing of a seat that is not there."""
    seats = int(rules.num_seats)
    for seat in range(seats, SEATS):
        if not (
            rest_is_zero(s.paid[seat], 0)
            and rest_is_zero(s.bet_side[seat], 0)
            and rest_is_zero(s.bet_coin[seat], 0)
            and rest_is_zero(s.lost[seat], 0)
        ):
            return False
    return (
        rest_is_zero(s.coin, seats)
        and rest_is_zero(s.time, seats)
        and rest_is_zero(s.chance, seats)
        and rest_is_zero(s.paid_now, seats)
        and rest_is_zero(s.status, seats)
        and rest_is_zero(s.playing, seats)
        and rest_is_zero(s.passed, seats)
        and rest_is_zero(s.result, seats)
        and rest_is_zero(s.done_round, seats)
        and rest_is_zero(s.fate_tier, seats)
        and rest_is_zero(s.fate_roll, seats)
        and rest_is_zero(s.fate_total, seats)
        and rest_is_zero(s.n_hand, seats)
        and rest_is_zero(s.ret, seats)
    )


@kernel
def is_real(s: Record, rules: Rules) -> bool:
    """Whether everything that is looked up by is there, and everything unused is 0."""
    return (
        flow_is_real(s, rules)
        and lists_fit(s, rules)
        and table_is_real(s, rules)
        and stack_is_real(s, rules)
        and pending_is_real(s, rules)
        and types_are_real(s, rules)
        and seats_are_real(s, rules)
    )


# --- cards


@kernel
def actions_add_up(s: Record, rules: Rules) -> bool:
    """Per type: deck, discard, used, hands, Sabotage on the table and the card being played are all copies."""
    seen = np.zeros(MAX_ACTIONS, np.int64)
    for card in range(MAX_ACTIONS):
        seen[card] = int(s.act_disc[card]) + int(s.used[card]) + int(s.hand[0, card]) + int(s.hand[1, card])
    for k in range(int(s.n_act)):
        seen[int(s.act_deck[k])] += 1
    for k in range(int(s.n_sab)):
        seen[int(s.sab_card[k])] += 1
    if int(s.p_card) != NO_CARD:
        seen[int(s.p_card)] += 1
    for card in range(MAX_ACTIONS):
        if seen[card] != int(rules.actions[card, COPIES]):
            return False
    return True


@kernel
def fighters_add_up(s: Record, rules: Rules) -> bool:
    """Per type: deck, discard and table are all copies."""
    seen = np.zeros(MAX_FIGHTERS, np.int64)
    for card in range(MAX_FIGHTERS):
        seen[card] = int(s.fig_disc[card])
    for k in range(int(s.n_fig)):
        seen[int(s.fig_deck[k])] += 1
    for fight in range(FIGHTS):
        for side in range(SIDES):
            if int(s.fighter[fight, side]) != NO_CARD:
                seen[int(s.fighter[fight, side])] += 1
    for card in range(MAX_FIGHTERS):
        if seen[card] != int(rules.fighters[card, FIGHTER_COPIES]):
            return False
    return True


@kernel
def weapons_add_up(s: Record, rules: Rules) -> bool:
    """Per type: deck, discard and table are all copies."""
    seen = np.zeros(MAX_WEAPONS, np.int64)
    for card in range(MAX_WEAPONS):
        seen[card] = int(s.wea_disc[card])
    for k in range(int(s.n_wea)):
        seen[int(s.wea_deck[k])] += 1
    for fight in range(FIGHTS):
        for side in range(SIDES):
            if int(s.weapon[fight, side]) != NO_CARD:
                seen[int(s.weapon[fight, side])] += 1
    for card in range(MAX_WEAPONS):
        if seen[card] != int(rules.weapons[card, WEAPON_COPIES]):
            return False
    return True


@kernel
def secrets_add_up(s: Record, rules: Rules) -> bool:
    """Per type: deck, discard and table are all copies."""
    seen = np.zeros(MAX_SECRETS, np.int64)
    for card in range(MAX_SECRETS):
        seen[card] = int(s.sec_disc[card])
    for k in range(int(s.n_sec)):
        seen[int(s.sec_deck[k])] += 1
    for fight in range(FIGHTS):
        if int(s.secret[fight]) != NO_CARD:
            seen[int(s.secret[fight])] += 1
    for card in range(MAX_SECRETS):
        if seen[card] != int(rules.secrets[card, SECRET_COPIES]):
            return False
    return True


@kernel
def hands_are_counted(s: Record) -> bool:
    """Whether the sizes of the hands are the numbers of their cards."""
    for seat in range(SEATS):
        count = 0
        for card in range(MAX_ACTIONS):
            count += int(s.hand[seat, card])
        if count != int(s.n_hand[seat]):
            return False
    return True


@kernel
def pools_fit(s: Record, rules: Rules) -> bool:
    """Whether every seat takes the deck for possible, and counts no card of its hand among what may be in it."""
    deck = np.zeros(MAX_ACTIONS, np.int64)
    for k in range(int(s.n_act)):
        deck[int(s.act_deck[k])] += 1
    for seat in range(int(rules.num_seats)):
        for card in range(MAX_ACTIONS):
            most = int(rules.actions[card, COPIES]) - int(s.hand[seat, card])
            if not within(int(s.pool[seat, card]), int(deck[card]), most):
                return False
    return True


# --- ranges


@kernel
def flow_in_range(s: Record, rules: Rules) -> bool:
    """The numbers of the flow as they may be at a decision."""
    fighting = int(s.fight_round) > 0 or int(s.node) == WINDOW
    return (
        within(int(s.round_no), 1, int(rules.max_rounds))
        and within(int(s.guard), 1, MAX_GUARD)
        and within(int(s.caught), 0, 1)
        and within(int(s.truncated), 0, 1)
        and within(int(s.fight_round), 0, int(rules.max_fight_rounds))
        and (fighting or int(s.node) == BET or int(s.fight) == 0)
        and (int(s.node) == OVER or within(int(s.passes), 0, num_playing(s) - 1))
    )


@kernel
def seats_in_range(s: Record, rules: Rules) -> bool:
    """The numbers of the seats as they may be at a decision."""
    for seat in range(int(rules.num_seats)):
        if not (
            int(s.coin[seat]) >= 0
            and within(int(s.time[seat]), 0, MAX_TIME)
            and within(int(s.chance[seat]), 0, START_CHANCES)
            and within(int(s.paid_now[seat]), 0, LOANS)
            and within(int(s.status[seat]), IN, DEFEATED)
            and within(int(s.result[seat]), IN, DEFEATED)
            and within(int(s.playing[seat]), 0, 1)
            and within(int(s.passed[seat]), 0, int(rules.final_passes))
        ):
            return False
        for k in range(LOANS):
            if not within(int(s.paid[seat, k]), 0, 1):
                return False
    return True


@kernel
def fights_in_range(s: Record) -> bool:
    """Wounds, modifiers and flags of the fights."""
    for fight in range(FIGHTS):
        if int(s.s_old[fight]) > 1:
            return False
        for side in range(SIDES):
            if not within(int(s.wounds[fight, side]), 0, MOST) or not within(int(s.w_damage[fight, side]), -MOST, MOST):
                return False
            if not within(int(s.w_type[fight, side]), 0, 4) or int(s.w_old[fight, side]) > 1:
                return False
            for k in range(MODS):
                if not within(int(s.mod[fight, side, k]), -MOST, MOST):
                    return False
    return True


@kernel
def tokens_fit(s: Record, rules: Rules) -> bool:
    """Whether there are as many tokens of Time as are held and lie there, and of coins if they are limited."""
    if time_left(s) < int(s.p_time):
        return False
    return int(rules.coins_limited) == 0 or coins_left(s) >= 0


# --- wagers, knowledge, Sabotage, the card being played


@kernel
def wagers_fit(s: Record, rules: Rules) -> bool:
    """Whether wagers fit the odds and lie only where their seat has decided; lost ones where it was caught."""
    fighting = int(s.fight_round) > 0 or int(s.node) == WINDOW
    for seat in range(SEATS):
        decided = decided_wagers(s, seat)
        for fight in range(FIGHTS):
            side = int(s.bet_side[seat, fight])
            coins = int(s.bet_coin[seat, fight])
            if side == 0:
                if coins != 0:
                    return False
            elif fight >= decided or not wager_fits(lead(s, rules, fight, side - 1), coins):
                return False
            if int(s.lost[seat, fight]) > (1 if fighting and fight <= int(s.fight) else 0):
                return False
    return True


@kernel
def is_open(s: Record, fight: int) -> bool:
    """Whether a fight has begun or is over, so that all know its cards."""
    if int(s.node) == LOAN or int(s.node) == DISCARD or int(s.winner[fight]) != UNDECIDED:
        return True
    return (int(s.fight_round) > 0 or int(s.node) == WINDOW) and fight <= int(s.fight)


@kernel
def knowledge_fits(s: Record, rules: Rules) -> bool:
    """Whether only seats that are there know cards, and all of them those dealt face up or of a fight that began."""
    everyone = all_seats(rules)
    for fight in range(FIGHTS):
        dealt_open = int(rules.face_up) == 1 and int(s.secret[fight]) != NO_CARD
        least = everyone if dealt_open or is_open(s, fight) else 0
        if not within(int(s.s_known[fight]), least, everyone):
            return False
        for side in range(SIDES):
            if not within(int(s.w_known[fight, side]), least, everyone):
                return False
    for k in range(int(s.n_sab)):
        if not knows(int(s.sab_seen[k]), int(s.sab_seat[k])):
            return False
        if int(s.sab_shown[k]) == 1 and int(s.sab_seen[k]) != everyone:
            return False
    return True


@kernel
def stack_fits(s: Record, rules: Rules) -> bool:
    """Whether the cards on the table are Sabotage of seats at the table, in fights to come, with no needless tokens."""
    settled = int(s.node) == LOAN or int(s.node) == DISCARD or int(s.node) == OVER
    if settled:
        return int(s.n_sab) == 0
    window = int(s.node) == WINDOW
    for k in range(int(s.n_sab)):
        card = int(s.sab_card[k])
        if kind_of(rules, card) != SABOTAGE or int(s.playing[int(s.sab_seat[k])]) == 0:
            return False
        if int(s.sab_time[k]) + int(s.sab_coin[k]) > risk_of(rules, card, int(s.sab_shown[k])):
            return False
        fight = int(s.sab_spot[k]) // SIDES
        if (window and fight < int(s.fight)) or (int(s.fight_round) > 0 and fight <= int(s.fight)):
            return False
    return True


@kernel
def pending_fits(s: Record, rules: Rules) -> bool:
    """Whether a card is being played exactly while something is decided about it, in the order of the decisions."""
    node = int(s.node)
    card = int(s.p_card)
    if not within(node, TARGET, COIN):
        return card == NO_CARD
    if card == NO_CARD or (kind_of(rules, card) == REACT) != (int(s.fight_round) > 0):
        return False
    targets = max_targets(rules, card)
    if node == TARGET:
        return int(s.n_target) < targets and int(s.n_show) == 0 and int(s.p_time) == 0
    if int(s.n_target) > targets or (targets > 0 and int(s.n_target) == 0):
        return False
    return int(s.p_time) <= (risk_of(rules, card, shown_now(s)) if node == COIN else 0)


# --- fights


@kernel
def winners_fit(s: Record) -> bool:
    """Whether exactly the fights that are over have a winner; nobody looks any more when the game is over."""
    node = int(s.node)
    if node == OVER:
        return True
    done = 0
    if int(s.fight_round) > 0 or node == WINDOW:
        done = int(s.fight)
    elif node == LOAN or node == DISCARD:
        done = FIGHTS
    for fight in range(FIGHTS):
        if (int(s.winner[fight]) != UNDECIDED) != (fight < done):
            return False
    return True


@kernel
def dice_fit(s: Record, rules: Rules) -> bool:
    """Whether dice and what holds for a fight round lie there exactly in a React window."""
    window = int(s.fight_round) > 0
    for side in range(SIDES):
        if not window:
            if not rest_is_zero(s.rolls[side], 0) or not rest_is_zero(s.react[side], 0):
                return False
            if int(s.n_rolls[side]) != 0 or int(s.wounded[side]) != 0:
                return False
            continue
        if int(s.n_rolls[side]) != (2 if dice_mode(s, rules, int(s.fight), side) != 0 else 1):
            return False
        for k in range(2):
            thrown = k < int(s.n_rolls[side])
            if not within(int(s.rolls[side, k]), 1 if thrown else 0, 6 if thrown else 0):
                return False
        if int(s.wounded[side]) > 1:
            return False
    return True


@kernel
def slots_fit(s: Record) -> bool:
    """Whether the weapons of a fight were dealt to its two places or came later, never two to one place."""
    if int(s.node) == OVER:
        return True
    for fight in range(FIGHTS):
        left = int(s.w_slot[fight, 0])
        right = int(s.w_slot[fight, 1])
        if (left != NEW and left // SIDES != fight) or (right != NEW and right // SIDES != fight):
            return False
        if left == right and left != NEW:
            return False
    return True


# --- seats and the end


@kernel
def fate_fits(s: Record, seat: int) -> bool:
    """Whether a seat has a fate, and the round it came in, exactly if it has a result."""
    if int(s.result[seat]) == IN:
        return (
            int(s.done_round[seat]) == 0
            and int(s.fate_tier[seat]) == 0
            and int(s.fate_roll[seat]) == 0
            and int(s.fate_total[seat]) == 0
        )
    return (
        within(int(s.done_round[seat]), 1, int(s.round_no))
        and within(int(s.fate_tier[seat]), 1, MAX_TIERS)
        and within(int(s.fate_roll[seat]), 1, 6)
        and int(s.fate_total[seat]) >= int(s.fate_roll[seat])
    )


@kernel
def seat_fits(s: Record, rules: Rules, seat: int) -> bool:
    """Whether status, payments, result and place at the table of a seat fit one another."""
    status = int(s.status[seat])
    if (status == PAID_OFF) != (num_paid(s, seat) == LOANS) or not fate_fits(s, seat):
        return False
    if (int(s.playing[seat]) == 0) != knows(int(s.left), seat):
        return False
    if int(s.playing[seat]) == 0:
        return int(s.result[seat]) != IN and int(s.n_hand[seat]) == 0
    if int(s.node) == OVER or int(s.node) == LOAN:
        return True
    if status != IN:
        return status == PAID_OFF and int(rules.finished) == CONTINUE
    return int(s.result[seat]) == IN or int(rules.finished) == RESTART


@kernel
def seats_fit(s: Record, rules: Rules) -> bool:
    """`seat_fits` of all seats."""
    for seat in range(int(rules.num_seats)):
        if not seat_fits(s, rules, seat):
            return False
    return True


@kernel
def count_results(s: Record, rules: Rules) -> int:
    """Seats that have a result."""
    count = 0
    for seat in range(int(rules.num_seats)):
        if int(s.result[seat]) != IN:
            count += 1
    return count


@kernel
def end_fits(s: Record, rules: Rules) -> bool:
    """The game is over when all seats (in a race, one) have a result, or cut off at the last round, and not before."""
    enough = 1 if int(rules.objective) == RACE else int(rules.num_seats)
    ended = count_results(s, rules) >= enough
    if int(s.truncated) == 1:
        return int(s.node) == OVER and not ended and int(s.round_no) == int(rules.max_rounds)
    return ended == (int(s.node) == OVER)


@kernel
def returns_fit(s: Record, rules: Rules) -> bool:
    """A seat has its return from its result on, in a race both at its end, where they sum to 0."""
    if int(rules.objective) == RACE:
        ended = int(s.node) == OVER and int(s.truncated) == 0
        if not ended and (float(s.ret[0]) != 0.0 or float(s.ret[1]) != 0.0):
            return False
        return float(s.ret[0]) + float(s.ret[1]) == 0.0 and abs(float(s.ret[0])) <= 1.0
    for seat in range(int(rules.num_seats)):
        right = return_of(s, rules, seat) if int(s.result[seat]) != IN else 0.0
        if abs(float(s.ret[seat]) - right) > TOLERANCE:
            return False
    return True


@kernel
def may_decide(s: Record) -> bool:
    """Whether the acting seat is at the table and is the one that the node asks."""
    actor = int(s.actor)
    if actor == NOBODY or int(s.playing[actor]) == 0 or int(s.passed[actor]) == 1:
        return False
    if int(s.node) == LOAN:
        return owes(s, actor)
    if int(s.node) == WINDOW:
        k = next_sabotage_of(s)
        return k >= 0 and int(s.sab_seat[k]) == actor
    return True


@kernel
def somebody_decides(states: Records, i: int, rules: Records) -> bool:
    """The right seat is to decide between two or more options beside ratting; nobody when the game is over."""
    s = states[i]
    if int(s.node) == OVER:
        return int(s.actor) == NOBODY
    if not may_decide(s):
        return False
    mask = np.zeros(MASK_SIZE, np.bool_)
    count = int(legal(states, i, rules, mask[: 61 + 2 * int(rules[0].num_actions)]))
    if int(s.node) != WINDOW and mask[after_play(rules[0], RAT_AT)]:
        count -= 1
    return count >= 2


# --- all of it


@kernel
def card_problems(s: Record, rules: Rules) -> int:
    """Bits of the broken invariants of cards and of what is known of them."""
    found = 0
    if not (
        actions_add_up(s, rules) and fighters_add_up(s, rules) and weapons_add_up(s, rules) and secrets_add_up(s, rules)
    ):
        found |= COPIES_LOST
    if not hands_are_counted(s):
        found |= BAD_HAND
    if not pools_fit(s, rules):
        found |= BAD_POOL
    if not knowledge_fits(s, rules):
        found |= BAD_KNOWN
    if not stack_fits(s, rules):
        found |= BAD_SABOTAGE
    return found


@kernel
def seat_problems(s: Record, rules: Rules) -> int:
    """Bits of the broken invariants of numbers, seats and returns."""
    found = 0
    if not (flow_in_range(s, rules) and seats_in_range(s, rules) and fights_in_range(s)):
        found |= OUT_OF_RANGE
    if not tokens_fit(s, rules):
        found |= BAD_TOKENS
    if not seats_fit(s, rules):
        found |= BAD_SEAT
    if not end_fits(s, rules):
        found |= BAD_END
    if not returns_fit(s, rules):
        found |= BAD_RETURNS
    return found


@kernel
def problems(states: Records, i: int, rules: Records) -> int:
    """Bits of the broken invariants of game i, named by PROBLEMS; 0 if there are none."""
    s = states[i]
    r = rules[0]
    if not is_real(s, r):
        return NOT_ZERO  # nothing else can be looked up safely
    found = card_problems(s, r) | seat_problems(s, r)
    cleared = int(s.node) == OVER and int(s.secret[0]) == NO_CARD
    if not cleared and not wagers_fit(s, r):
        found |= BAD_WAGER
    if not (winners_fit(s) and slots_fit(s) and (cleared or dice_fit(s, r))):
        found |= BAD_FIGHT
    if not pending_fits(s, r):
        found |= BAD_PENDING
    elif not somebody_decides(states, i, rules):
        found |= BAD_ACTOR
    return found


# --- between two decisions


@kernel
def is_monotone(after: Record, before: Record, rules: Rules) -> bool:
    """Rounds follow one another; chances, payments and results only change as they can."""
    if not within(int(after.round_no) - int(before.round_no), 0, 1):
        return False
    for seat in range(int(rules.num_seats)):
        if int(before.result[seat]) != IN and (
            int(after.result[seat]) != int(before.result[seat])
            or int(after.fate_tier[seat]) != int(before.fate_tier[seat])
            or int(after.done_round[seat]) != int(before.done_round[seat])
        ):
            return False
        if int(rules.finished) == RESTART:
            continue
        if int(after.chance[seat]) > int(before.chance[seat]):
            return False
        for k in range(LOANS):
            if int(after.paid[seat, k]) < int(before.paid[seat, k]):
                return False
    return True


@kernel
def bets_lie(s: Record) -> bool:
    """Whether betting has begun and the wagers are not settled yet."""
    return int(s.node) == BET or int(s.node) == WINDOW or int(s.fight_round) > 0


@kernel
def coins_hold(after: Record, before: Record) -> bool:
    """What others see of a seat's coins does not change while bets lie, unless it spends some on a React card."""
    if int(after.round_no) != int(before.round_no) or not bets_lie(before) or not bets_lie(after):
        return True
    for seat in range(SEATS):
        total = int(after.coin[seat]) + wagered(after, seat)
        had = int(before.coin[seat]) + wagered(before, seat)
        spends = int(before.node) == COIN and int(before.actor) == seat
        if total != had and not (spends and total < had):
            return False
    return True


@kernel
def heals_by(effects: NDArray[np.int16], n: int) -> bool:
    """Whether one of n effects takes wounds off."""
    for k in range(n):
        if int(effects[k, VERB]) == HEAL:
            return True
    return False


@kernel
def may_heal(s: Record, rules: Rules, fight: int) -> bool:
    """Whether something on the table may take wounds off in a fight."""
    secret = int(s.secret[fight])
    if heals_by(rules.secret_effects[secret], int(rules.secrets[secret, SECRET_EFFECTS])):
        return True
    if int(s.p_card) != NO_CARD and heals_by(
        rules.action_effects[int(s.p_card)], int(rules.actions[int(s.p_card), NUM_EFFECTS])
    ):
        return True
    for k in range(int(s.n_sab)):
        card = int(s.sab_card[k])
        if heals_by(rules.action_effects[card], int(rules.actions[card, NUM_EFFECTS])):
            return True
    return False


@kernel
def table_holds(after: Record, before: Record, rules: Rules) -> bool:
    """Within a round fighters stay, winners stay, and wounds only fall by healing."""
    cleared = int(after.secret[0]) == NO_CARD
    if int(after.round_no) != int(before.round_no) or cleared or int(before.secret[0]) == NO_CARD:
        return True
    for fight in range(FIGHTS):
        if int(before.winner[fight]) != UNDECIDED and int(after.winner[fight]) != int(before.winner[fight]):
            return False
        for side in range(SIDES):
            if int(after.fighter[fight, side]) != int(before.fighter[fight, side]):
                return False
            healed = int(after.wounds[fight, side]) < int(before.wounds[fight, side])
            if healed and not may_heal(before, rules, fight):
                return False
    return True


@kernel
def changes(states: Records, i: int, rules: Records, before_states: Records, j: int) -> int:
    """Bits of the invariants broken between game j of `before_states` and its successor, game i."""
    after = states[i]
    before = before_states[j]
    r = rules[0]
    found = 0
    if not is_monotone(after, before, r):
        found |= NOT_MONOTONE
    if not coins_hold(after, before):
        found |= BAD_COINS
    if not table_holds(after, before, r):
        found |= TABLE_CHANGED
    return found
