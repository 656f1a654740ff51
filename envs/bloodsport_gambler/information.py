"""What a seat knows: sampling a world that it cannot tell from the present one.

Hidden from a seat are the order of the decks, face-down weapons and secrets that it has not looked at, the other hand
and what the other seat drew, Sabotage of the other seat that it has not seen, wagers of the other seat until they are
settled, and the generator's state. The sampled world depends on nothing but the seat's knowledge and the given
generator: unseen cards are collected in the order of their types before they are dealt. The tape of dice is part of the
position and stays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bloodsport_gambler.actions import RAT_AT, after_play
from cardzoo.envs.bloodsport_gambler.cards import COPIES, SABOTAGE
from cardzoo.envs.bloodsport_gambler.legal import kind_of, legal, risk_of
from cardzoo.envs.bloodsport_gambler.odds import lead, wager_fits
from cardzoo.envs.bloodsport_gambler.seats import knows
from cardzoo.envs.bloodsport_gambler.state import (
    BET,
    COIN,
    FIGHTS,
    MAX_ACTIONS,
    MAX_FIGHTERS,
    MAX_SECRETS,
    MAX_WAGER,
    MAX_WEAPONS,
    NO_CARD,
    NOBODY,
    SIDES,
    TIME,
    WINDOW,
)
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.random import below, reseed, shuffle
from cardzoo.envs.core.records import Record, Records

MAX_DRAWS = 10_000  # until the other seat has a decision: seldom more than 20, but one world in a hundred may do
MAX_RISK = 6  # printed on a card
MASK_SIZE = 61 + 2 * MAX_ACTIONS


@kernel
def lay_out(counts: NDArray[np.int64], cards: NDArray[np.int64]) -> int:
    """Write each type as often as it counts, in order, int64 (n,); return n."""
    n = 0
    for card in range(counts.shape[0]):
        for _ in range(int(counts[card])):
            cards[n] = card
            n += 1
    return n


# Fighters, weapons, secrets


@kernel
def shuffle_fighters(s: Record, rng: NDArray[np.uint32]) -> None:
    """Put the fighter deck into a random order."""
    counts = np.zeros(MAX_FIGHTERS, np.int64)
    cards = np.zeros(MAX_FIGHTERS, np.int64)
    for k in range(int(s.n_fig)):
        counts[int(s.fig_deck[k])] += 1
    n = lay_out(counts, cards)
    shuffle(rng, cards, n)
    for k in range(n):
        s.fig_deck[k] = cards[k]


@kernel
def deal_weapons(s: Record, seat: int, old: int, rng: NDArray[np.uint32]) -> None:
    """Deal anew the weapons that a seat does not know: with `old` 1 those before the last reshuffle, with 0 the others.

    The deck was shuffled when the old ones lay on the table, so it is dealt with the others.
    """
    counts = np.zeros(MAX_WEAPONS, np.int64)
    cards = np.zeros(MAX_WEAPONS, np.int64)
    n_deck = int(s.n_wea) if old == 0 else 0
    for k in range(n_deck):
        counts[int(s.wea_deck[k])] += 1
    for fight in range(FIGHTS):
        for side in range(SIDES):
            hidden = int(s.weapon[fight, side]) != NO_CARD and not knows(int(s.w_known[fight, side]), seat)
            if hidden and int(s.w_old[fight, side]) == old:
                counts[int(s.weapon[fight, side])] += 1
    n = lay_out(counts, cards)
    shuffle(rng, cards, n)
    for k in range(n_deck):
        s.wea_deck[k] = cards[k]
    at = n_deck
    for fight in range(FIGHTS):
        for side in range(SIDES):
            hidden = int(s.weapon[fight, side]) != NO_CARD and not knows(int(s.w_known[fight, side]), seat)
            if hidden and int(s.w_old[fight, side]) == old:
                s.weapon[fight, side] = cards[at]
                at += 1


@kernel
def deal_secrets(s: Record, seat: int, old: int, rng: NDArray[np.uint32]) -> None:
    """Deal anew the secrets that a seat does not know, as `deal_weapons`."""
    counts = np.zeros(MAX_SECRETS, np.int64)
    cards = np.zeros(MAX_SECRETS, np.int64)
    n_deck = int(s.n_sec) if old == 0 else 0
    for k in range(n_deck):
        counts[int(s.sec_deck[k])] += 1
    for fight in range(FIGHTS):
        hidden = int(s.secret[fight]) != NO_CARD and not knows(int(s.s_known[fight]), seat)
        if hidden and int(s.s_old[fight]) == old:
            counts[int(s.secret[fight])] += 1
    n = lay_out(counts, cards)
    shuffle(rng, cards, n)
    for k in range(n_deck):
        s.sec_deck[k] = cards[k]
    at = n_deck
    for fight in range(FIGHTS):
        hidden = int(s.secret[fight]) != NO_CARD and not knows(int(s.s_known[fight]), seat)
        if hidden and int(s.s_old[fight]) == old:
            s.secret[fight] = cards[at]
            at += 1


# Action cards


@kernel
def hides_pending(s: Record, rules: Rules, seat: int) -> bool:
    """Whether the other seat is playing a Sabotage that it has not shown; other cards are announced."""
    return (
        int(s.p_card) != NO_CARD
        and int(s.actor) != seat
        and kind_of(rules, int(s.p_card)) == SABOTAGE
        and not (int(s.n_show) > 0 and int(s.show[0]) == 1)
    )


@kernel
def count_unlocated(s: Record, rules: Rules, seat: int, unseen: NDArray[np.int64]) -> None:
    """Write the action cards that a seat cannot locate, by type, int64 (MAX_ACTIONS,)."""
    for card in range(MAX_ACTIONS):
        unseen[card] = (
            int(rules.actions[card, COPIES]) - int(s.hand[seat, card]) - int(s.act_disc[card]) - int(s.used[card])
        )
    for k in range(int(s.n_sab)):
        if knows(int(s.sab_seen[k]), seat):
            unseen[int(s.sab_card[k])] -= 1
    if int(s.p_card) != NO_CARD and not hides_pending(s, rules, seat):
        unseen[int(s.p_card)] -= 1


@kernel
def pending_risk(s: Record) -> int:
    """The least risk of an unseen pending Sabotage by what its owner decides: nobody is asked to lower a risk of 0."""
    if int(s.node) == TIME:
        return 1
    if int(s.node) == COIN:
        return int(s.p_time) + 1
    return 0


@kernel
def draw_sabotage(
    s: Record, rules: Rules, seat: int, risk: int, unseen: NDArray[np.int64], rng: NDArray[np.uint32]
) -> int:
    """Take a random Sabotage card of at least that risk out of the unseen cards, so that they still fill the deck."""
    spare = -int(s.n_act)
    for card in range(MAX_ACTIONS):
        spare += min(int(s.pool[seat, card]), int(unseen[card]))
    total = 0
    left = 0
    # Always possible: a position has cards that fit, those that fit more tokens also fit fewer, and they are taken
    # with the most tokens first.
    for again in range(2):
        for card in range(int(rules.num_actions)):
            count = int(unseen[card])
            fits = kind_of(rules, card) == SABOTAGE and risk_of(rules, card, 0) >= risk
            if not fits or (spare <= 0 and count <= int(s.pool[seat, card])):
                continue
            if again == 0:
                total += count
            elif left < count:
                unseen[card] -= 1
                return card
            else:
                left -= count
        if total == 0:
            return NO_CARD
        if again == 0:
            left = below(rng, total)
    return NO_CARD


@kernel
def deal_sabotage(s: Record, rules: Rules, seat: int, unseen: NDArray[np.int64], rng: NDArray[np.uint32]) -> None:
    """Choose the unseen Sabotage cards out of the unseen cards, those with the most tokens first."""
    pending = pending_risk(s) if hides_pending(s, rules, seat) else NO_CARD
    for risk in range(MAX_RISK, -1, -1):
        for k in range(int(s.n_sab)):
            if not knows(int(s.sab_seen[k]), seat) and int(s.sab_time[k]) + int(s.sab_coin[k]) == risk:
                s.sab_card[k] = draw_sabotage(s, rules, seat, risk, unseen, rng)
        if pending == risk:
            s.p_card = draw_sabotage(s, rules, seat, risk, unseen, rng)


@kernel
def deal_deck(s: Record, rules: Rules, seat: int, unseen: NDArray[np.int64], rng: NDArray[np.uint32]) -> None:
    """Choose the action deck among the unseen cards that may be in it; the other hand is what is left."""
    counts = np.zeros(MAX_ACTIONS, np.int64)
    cards = np.zeros(MAX_ACTIONS, np.int64)
    for card in range(MAX_ACTIONS):
        counts[card] = min(int(s.pool[seat, card]), int(unseen[card]))
    n = lay_out(counts, cards)
    for k in range(min(n, int(s.n_act))):
        other = k + below(rng, n - k)
        card = int(cards[other])
        cards[other] = cards[k]
        cards[k] = card
        s.act_deck[k] = card
        unseen[card] -= 1
    if int(rules.num_seats) > 1:
        for card in range(MAX_ACTIONS):
            s.hand[1 - seat, card] = int(unseen[card])


@kernel
def forget_draws(s: Record, seat: int) -> None:
    """Let the other seat have drawn nothing since the last reshuffle that would tell it more than it sees."""
    other = 1 - seat
    for card in range(MAX_ACTIONS):
        s.pool[other, card] = int(s.hand[seat, card])
    for k in range(int(s.n_act)):
        s.pool[other, int(s.act_deck[k])] += 1
    for k in range(int(s.n_sab)):
        if not knows(int(s.sab_seen[k]), other):
            s.pool[other, int(s.sab_card[k])] += 1
    if int(s.p_card) != NO_CARD and int(s.actor) == seat:
        s.pool[other, int(s.p_card)] += 1


# Wagers


@kernel
def decided_wagers(s: Record, seat: int) -> int:
    """For how many fights, from the first on, a seat has an unsettled decision on its wager."""
    if int(s.playing[seat]) == 0:
        return 0
    if int(s.node) == BET:
        if int(s.actor) == seat:
            return int(s.fight)
        return FIGHTS if int(s.first) == seat else 0
    return FIGHTS if int(s.fight_round) > 0 or int(s.node) == WINDOW else 0


@kernel
def draw_wager(s: Record, rules: Rules, seat: int, fight: int, rng: NDArray[np.uint32]) -> None:
    """Give a seat a random wager that it can pay, or none, on a fight."""
    total = 1
    left = 0
    for again in range(2):
        for side in range(SIDES):
            for coins in range(1, min(MAX_WAGER, int(s.coin[seat])) + 1):
                if not wager_fits(lead(s, rules, fight, side), coins):
                    continue
                if again == 0:
                    total += 1
                    continue
                left -= 1
                if left == 0:
                    s.bet_side[seat, fight] = side + 1
                    s.bet_coin[seat, fight] = coins
                    s.coin[seat] -= coins
                    return
        if again == 0:
            left = below(rng, total)  # 0 for none
            if left == 0:
                return


@kernel
def draw_wagers(s: Record, rules: Rules, seat: int, rng: NDArray[np.uint32]) -> None:
    """Draw a seat's wagers anew; purse and wagers together stay."""
    decided = decided_wagers(s, seat)
    for fight in range(decided):
        s.coin[seat] += int(s.bet_coin[seat, fight])
        s.bet_side[seat, fight] = 0
        s.bet_coin[seat, fight] = 0
    for fight in range(decided):
        draw_wager(s, rules, seat, fight, rng)


@kernel
def lacks_choice(states: Records, i: int, rules: Records, seat: int) -> bool:
    """Whether another seat is to decide without two options, which the rules would not have asked it."""
    actor = int(states[i].actor)
    if actor == NOBODY or actor == seat or int(states[i].node) == WINDOW:
        return False
    mask = np.zeros(MASK_SIZE, np.bool_)
    count = int(legal(states, i, rules, mask[: 61 + 2 * int(rules[0].num_actions)]))
    if mask[after_play(rules[0], RAT_AT)]:
        count -= 1
    return count < 2


@kernel
def resample(states: Records, i: int, rules: Records, seat: int, rng: NDArray[np.uint32]) -> None:
    """Turn game i into a world that `seat` cannot tell from it; `rng` uint32[4] is advanced (see the module's text)."""
    s = states[i]
    r = rules[0]
    for old in range(2):
        deal_weapons(s, seat, old, rng)
        deal_secrets(s, seat, old, rng)
    shuffle_fighters(s, rng)
    unseen = np.zeros(MAX_ACTIONS, np.int64)
    for _ in range(MAX_DRAWS):
        count_unlocated(s, r, seat, unseen)
        deal_sabotage(s, r, seat, unseen, rng)
        deal_deck(s, r, seat, unseen, rng)
        if int(r.num_seats) > 1:
            forget_draws(s, seat)
            draw_wagers(s, r, 1 - seat, rng)
        if not lacks_choice(states, i, rules, seat):
            break
    reseed(s.rng, rng)
