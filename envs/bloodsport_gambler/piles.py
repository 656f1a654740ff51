"""Decks, discards and hands: drawing, reshuffling, and what each seat can tell of the action deck (R17 to R20)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bloodsport_gambler.cards import COPIES
from cardzoo.envs.bloodsport_gambler.state import FIGHTS, SEATS, SIDES
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.piles import random_card, take_top
from cardzoo.envs.core.random import shuffle
from cardzoo.envs.core.records import Record


@kernel
def refill(rng: NDArray[np.uint32], deck: NDArray[np.uint8], discard: NDArray[np.uint8]) -> int:
    """Shuffle a discard (counts) into its empty deck (list); returns the new size of the deck."""
    n = 0
    for card in range(len(discard)):
        for _ in range(int(discard[card])):
            deck[n] = card
            n += 1
        discard[card] = 0
    shuffle(rng, deck, n)
    return n


# --- action cards


@kernel
def draw_action(s: Record, rules: Rules, seat: int) -> bool:
    """A seat draws an action card, after a reshuffle if need be; False if there is none (R18)."""
    if int(s.n_act) == 0:
        s.n_act = refill(s.rng, s.act_deck, s.act_disc)
        for card in range(int(rules.num_actions)):
            for other in range(SEATS):
                s.pool[other, card] = 0
        for k in range(int(s.n_act)):
            for other in range(int(rules.num_seats)):
                s.pool[other, int(s.act_deck[k])] += 1
    if int(s.n_act) == 0:
        return False
    card = take_top(s.act_deck, int(s.n_act))
    s.n_act -= 1
    s.hand[seat, card] += 1
    s.n_hand[seat] += 1
    s.pool[seat, card] -= 1
    return True


@kernel
def take_from_hand(s: Record, seat: int, card: int) -> None:
    """A card leaves a hand."""
    s.hand[seat, card] -= 1
    s.n_hand[seat] -= 1


@kernel
def discard_action(s: Record, seat: int, card: int) -> None:
    """A seat discards an action card."""
    take_from_hand(s, seat, card)
    s.act_disc[card] += 1


@kernel
def discard_random(s: Record, seat: int) -> None:
    """A random card of a hand, if it has any, goes to the discard (R23)."""
    if int(s.n_hand[seat]) == 0:
        return
    discard_action(s, seat, random_card(s.rng, s.hand[seat], int(s.n_hand[seat])))


@kernel
def discard_all(s: Record, rules: Rules, seat: int) -> None:
    """A seat that leaves discards its hand (R28)."""
    for card in range(int(rules.num_actions)):
        while int(s.hand[seat, card]) > 0:
            discard_action(s, seat, card)


@kernel
def fill_action_deck(s: Record, rules: Rules) -> None:
    """The shuffled deck of a new game; for every seat any card may be in it."""
    for card in range(int(rules.num_actions)):
        copies = int(rules.actions[card, COPIES])
        s.act_disc[card] = copies
    s.n_act = refill(s.rng, s.act_deck, s.act_disc)
    for card in range(int(rules.num_actions)):
        for seat in range(int(rules.num_seats)):
            s.pool[seat, card] = rules.actions[card, COPIES]


# --- fighters, weapons, secrets


@kernel
def draw_fighter(s: Record) -> int:
    """The next fighter, after a reshuffle if need be."""
    if int(s.n_fig) == 0:
        s.n_fig = refill(s.rng, s.fig_deck, s.fig_disc)
    s.n_fig -= 1
    return take_top(s.fig_deck, int(s.n_fig) + 1)


@kernel
def draw_weapon(s: Record) -> int:
    """The next weapon; after a reshuffle those on the table are known not to be in the deck."""
    if int(s.n_wea) == 0:
        s.n_wea = refill(s.rng, s.wea_deck, s.wea_disc)
        for fight in range(FIGHTS):
            for side in range(SIDES):
                if int(s.weapon[fight, side]) >= 0:
                    s.w_old[fight, side] = 1
    s.n_wea -= 1
    return take_top(s.wea_deck, int(s.n_wea) + 1)


@kernel
def draw_secret(s: Record) -> int:
    """The next secret; after a reshuffle those on the table are known not to be in the deck."""
    if int(s.n_sec) == 0:
        s.n_sec = refill(s.rng, s.sec_deck, s.sec_disc)
        for fight in range(FIGHTS):
            if int(s.secret[fight]) >= 0:
                s.s_old[fight] = 1
    s.n_sec -= 1
    return take_top(s.sec_deck, int(s.n_sec) + 1)
