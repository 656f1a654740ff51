"""Cards going between hands, deck and discard pile, and what each seat gets to know of them (rulings R5, R17, R18)."""

from __future__ import annotations

from cardzoo.envs.bedroom_battle.tables import EAGER, Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.piles import random_card, take_at, take_top
from cardzoo.envs.core.random import shuffle
from cardzoo.envs.core.records import Record


@kernel
def gain(s: Record, seat: int, card: int, known: bool) -> None:
    """Put a card into a hand; `known`: the other seat sees which card it is."""
    s.hand[seat, card] += 1
    s.n_hand[seat] += 1
    if known:
        s.known[seat, card] += 1
        s.n_known[seat] += 1


@kernel
def lose(s: Record, seat: int, card: int) -> None:
    """Take a card out of a hand; a copy the other seat knows leaves first (R18)."""
    s.hand[seat, card] -= 1
    s.n_hand[seat] -= 1
    if int(s.known[seat, card]) > 0:
        s.known[seat, card] -= 1
        s.n_known[seat] -= 1


@kernel
def know_hand(s: Record, seat: int) -> None:
    """The other seat sees the whole hand of `seat`."""
    for card in range(s.hand.shape[1]):
        s.known[seat, card] = s.hand[seat, card]
    s.n_known[seat] = s.n_hand[seat]


@kernel
def to_discard(s: Record, card: int) -> None:
    """Lay a card face up on the discard pile."""
    s.discard[int(s.n_discard)] = card
    s.n_discard += 1


@kernel
def put_on_deck(s: Record, card: int) -> None:
    """Put a card on top of the deck."""
    s.deck[int(s.n_deck)] = card
    s.n_deck += 1
    s.deck_left[card] += 1


@kernel
def refill(s: Record) -> None:
    """Shuffle the discard pile into a new deck; the deck is empty."""
    n = int(s.n_discard)
    for k in range(n):
        put_on_deck(s, int(s.discard[k]))
        s.discard[k] = 0
    s.n_discard = 0
    shuffle(s.rng, s.deck, n)


@kernel
def draw(s: Record, rules: Rules) -> int:
    """Take the top card of the deck and return it, -1 if deck and discard pile are empty (R5)."""
    if int(s.n_deck) == 0:
        refill(s)
    n = int(s.n_deck)
    if n == 0:
        return -1
    card = take_top(s.deck, n)
    s.n_deck = n - 1
    s.deck_left[card] -= 1
    if n == 1 and rules.options[EAGER] == 1:
        refill(s)
    return card


@kernel
def draw_to_hand(s: Record, rules: Rules, seat: int, count: int) -> None:
    """A seat draws `count` cards face down, fewer when both piles run out (R5)."""
    for _ in range(count):
        card = draw(s, rules)
        if card < 0:
            return
        gain(s, seat, card, False)


@kernel
def draw_from_discard(s: Record, seat: int, count: int) -> None:
    """A seat takes the top `count` cards of the discard pile, face up, as many as there are (R17)."""
    for _ in range(count):
        n = int(s.n_discard)
        if n == 0:
            return
        s.n_discard = n - 1
        gain(s, seat, take_top(s.discard, n), True)


@kernel
def forced_card(s: Record, seat: int) -> int:
    """Take the next entry off the tape of forced random hand cards; -1 if there is none or it is not in the hand."""
    n = int(s.n_random_hand)
    if n == 0:
        return -1
    card = take_at(s.random_hand, n, 0)
    s.n_random_hand = n - 1
    if int(s.hand[seat, card]) == 0:
        return -1
    return card


@kernel
def random_hand_card(s: Record, seat: int) -> int:
    """Take a card at random out of a hand that is not empty and return it."""
    card = forced_card(s, seat)
    if card < 0:
        card = random_card(s.rng, s.hand[seat], int(s.n_hand[seat]))
    lose(s, seat, card)
    return card
