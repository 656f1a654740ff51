"""Cards going between hands, draw pile and discard pile, and what all seats get to know of hands (R4, R5, R20)."""

from __future__ import annotations

from cardzoo.envs.battle_requiem.cards import KIND
from cardzoo.envs.battle_requiem.seats import is_alive, seat_after
from cardzoo.envs.battle_requiem.state import NO_CARD
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.piles import take_at, take_top
from cardzoo.envs.core.random import shuffle
from cardzoo.envs.core.records import Record


@kernel
def gain(s: Record, seat: int, card: int, known: bool) -> None:
    """Put a card into a hand; `known`: all seats see which card it is (R20)."""
    s.hand[seat, card] += 1
    s.n_hand[seat] += 1
    if known:
        s.known[seat, card] += 1


@kernel
def forget(s: Record, seat: int, card: int) -> None:
    """A card of a seat has been seen by all on its way out: one known copy less, if there was one."""
    if int(s.known[seat, card]) > 0:
        s.known[seat, card] -= 1


@kernel
def lose_hidden(s: Record, seat: int, card: int) -> None:
    """Take a card out of a hand without anybody seeing which: it is committed face-down."""
    s.hand[seat, card] -= 1
    s.n_hand[seat] -= 1


@kernel
def lose(s: Record, seat: int, card: int) -> None:
    """Take a card out of a hand in everybody's sight."""
    lose_hidden(s, seat, card)
    forget(s, seat, card)


@kernel
def show_hand(s: Record, rules: Rules, seat: int) -> None:
    """All seats see a hand."""
    for card in range(int(rules.num_types)):
        s.known[seat, card] = s.hand[seat, card]


@kernel
def to_discard(s: Record, card: int) -> None:
    """Lay a card on the discard pile."""
    s.disc[int(s.n_disc)] = card
    s.n_disc += 1
    s.in_disc[card] += 1


@kernel
def discard(s: Record, seat: int, card: int) -> None:
    """Discard a card from a hand."""
    lose(s, seat, card)
    to_discard(s, card)


@kernel
def discard_kinds(s: Record, rules: Rules, seat: int, kinds: int) -> None:
    """Discard all cards of some kinds (bit mask) of a hand, in ascending card number."""
    for card in range(int(rules.num_types)):
        if (kinds >> int(rules.types[card, KIND])) & 1 == 1:
            while int(s.hand[seat, card]) > 0:
                discard(s, seat, card)


@kernel
def discard_hand(s: Record, rules: Rules, seat: int) -> None:
    """Discard a whole hand in ascending card number."""
    for card in range(int(rules.num_types)):
        for _ in range(int(s.hand[seat, card])):
            to_discard(s, card)
        s.hand[seat, card] = 0
        s.known[seat, card] = 0
    s.n_hand[seat] = 0


@kernel
def take_from_discard(s: Record, place: int) -> int:
    """Take the card at a place of the discard pile (0 is the bottom) and return it; those above it close up."""
    card = take_at(s.disc, int(s.n_disc), place)
    s.n_disc -= 1
    s.in_disc[card] -= 1
    return card


@kernel
def topmost(s: Record, card: int) -> int:
    """The place of the topmost copy of a card in the discard pile; it is there."""
    place = int(s.n_disc) - 1
    while int(s.disc[place]) != card:
        place -= 1
    return place


@kernel
def reshuffle(s: Record, rules: Rules) -> None:
    """Shuffle the discard pile into a new draw pile and turn its top card up; everybody knows what is in it (R5)."""
    n = int(s.n_disc)
    for k in range(n):
        s.draw[k] = s.disc[k]
        s.disc[k] = 0
    shuffle(s.rng, s.draw, n)
    s.n_draw = n
    s.n_disc = 0
    for card in range(int(rules.num_types)):
        s.mix[card] = s.in_disc[card]
        s.in_disc[card] = 0
        for seat in range(int(rules.num_seats)):
            s.fresh[seat, card] = 0
    turned = turn_up(s)
    s.mix[turned] -= 1


@kernel
def turn_up(s: Record) -> int:
    """Turn the top card of the draw pile up as the first discard and return it."""
    card = take_from_draw(s)
    to_discard(s, card)
    return card


@kernel
def take_from_draw(s: Record) -> int:
    """Take the top card of the draw pile, which is not empty, and return it."""
    card = take_top(s.draw, int(s.n_draw))
    s.n_draw -= 1
    return card


@kernel
def draw_card(s: Record, rules: Rules, seat: int) -> bool:
    """A seat draws a card, after a reshuffle if need be; False if there is none to draw (R5)."""
    if int(s.n_draw) == 0:
        if int(s.n_disc) < 2:
            return False
        reshuffle(s, rules)
    card = take_from_draw(s)
    gain(s, seat, card, False)
    s.fresh[seat, card] += 1
    return True


@kernel
def refill(s: Record, rules: Rules) -> None:
    """Every living seat draws up to its Inventory, the active one first, then in turn order (R4)."""
    for k in range(int(rules.num_seats)):
        seat = seat_after(s, rules, int(s.active), k)
        if is_alive(s, seat):
            while int(s.n_hand[seat]) < int(s.inv[seat]) and draw_card(s, rules, seat):
                pass


@kernel
def put_away(s: Record) -> None:
    """The card in use goes to the discard pile, and the effect's fields are cleared (R6)."""
    if int(s.eff_card) != NO_CARD:
        to_discard(s, int(s.eff_card))
    s.eff_card = NO_CARD
    s.eff_step = 0
    s.eff_branch = 0
    s.eff_foe = -1
    s.eff_ally = -1
    s.eff_need = 0
    s.eff_queue = 0
