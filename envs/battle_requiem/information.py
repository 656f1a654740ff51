"""What a seat knows: sampling a world that it cannot tell from the present one.

Hidden from a seat are the other hands and face-down cards but for their `known` cards (with hands shown: which of a
teammate's cards lie face-down), the draw pile but for its bound, what the others drew since the last reshuffle, and the
generator's state. The sampled world depends on nothing but the seat's knowledge and the given generator: the unseen
cards are collected in the order of their types before they are dealt.

The array `draw` is where they are collected, so that no memory is asked for: it holds all cards of a game.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.battle_requiem.cards import ARMAMENT_BITS, COPIES, STEP_KINDS
from cardzoo.envs.battle_requiem.legal import count_of, is_of, step_value
from cardzoo.envs.battle_requiem.seats import same_team
from cardzoo.envs.battle_requiem.state import ATTACK, DEFEND, LEVY, MAX_CARDS, MAX_TYPES
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.random import below, reseed
from cardzoo.envs.core.records import Record, Records


@kernel
def shows_hand(rules: Rules, seat: int, other: int) -> bool:
    """Whether a seat sees the cards of another, a teammate, by the option `team_hands`."""
    return int(rules.hands_shown) == 1 and same_team(rules, seat, other)


@kernel
def face_down(s: Record, seat: int) -> int:
    """How many cards of a seat lie face-down in the duel."""
    count = 0
    if int(s.active) == seat:
        count += int(s.n_att)
    if int(s.defender) == seat:
        count += int(s.n_dfn)
    return count


@kernel
def add_face_down(s: Record, seat: int, row: NDArray[np.uint8]) -> None:
    """Add the face-down cards of a seat to counts, uint8 (MAX_TYPES,)."""
    if int(s.active) == seat:
        for k in range(int(s.n_att)):
            row[int(s.att[k])] += 1
    if int(s.defender) == seat:
        for k in range(int(s.n_dfn)):
            row[int(s.dfn[k])] += 1


@kernel
def forget_hands(s: Record, rules: Rules, seat: int) -> None:
    """Leave in the hands of the others what `seat` knows of them and of their face-down cards."""
    for other in range(int(rules.num_seats)):
        if other == seat:
            continue
        if shows_hand(rules, seat, other):
            add_face_down(s, other, s.hand[other])
            continue
        for card in range(int(rules.num_types)):
            s.hand[other, card] = s.known[other, card]


@kernel
def unseen_copies(s: Record, rules: Rules, seat: int, card: int) -> int:
    """Copies of a card that `seat` does not see, its own face-down ones included; after `forget_hands`."""
    count = int(rules.types[card, COPIES]) - int(s.box[card]) - int(s.in_disc[card])
    for other in range(int(rules.num_seats)):
        count -= int(s.hand[other, card])
    if int(s.eff_card) == card:
        count -= 1
    return count


@kernel
def own_face_down(s: Record, seat: int, card: int) -> int:
    """Copies of a card that a seat has face-down in the duel."""
    count = 0
    if int(s.active) == seat:
        for k in range(int(s.n_att)):
            if int(s.att[k]) == card:
                count += 1
    if int(s.defender) == seat:
        for k in range(int(s.n_dfn)):
            if int(s.dfn[k]) == card:
                count += 1
    return count


@kernel
def collect_unseen(s: Record, rules: Rules, seat: int) -> tuple[int, int]:
    """Lay the unseen cards into `draw`, those that may be in the draw pile first; (how many of these, how many)."""
    n_bound = 0
    n = 0
    for again in range(2):
        for card in range(int(rules.num_types)):
            unseen = unseen_copies(s, rules, seat, card) - own_face_down(s, seat, card)
            bound = min(unseen, int(s.mix[card]) - int(s.fresh[seat, card]))
            for _ in range(bound if again == 0 else unseen - bound):
                s.draw[n] = card
                n += 1
        if again == 0:
            n_bound = n
    return n_bound, n


@kernel
def exchange(s: Record, k: int, j: int) -> None:
    """Let two entries of `draw` change places."""
    card = s.draw[k]
    s.draw[k] = s.draw[j]
    s.draw[j] = card


@kernel
def shuffle_front(s: Record, start: int, count: int, stop: int, rng: NDArray[np.uint32]) -> None:
    """Put `count` random ones of the entries start..stop-1 of `draw` in front, in random order."""
    for k in range(start, start + count):
        exchange(s, k, k + below(rng, stop - k))


@kernel
def count_suitable(s: Record, rules: Rules, start: int, stop: int, kinds: int) -> int:
    """Entries start..stop-1 of `draw` that are of the kinds."""
    count = 0
    for k in range(start, stop):
        if is_of(rules, int(s.draw[k]), kinds):
            count += 1
    return count


@kernel
def random_place(
    s: Record, rules: Rules, start: int, stop: int, kinds: int, suitable: bool, rng: NDArray[np.uint32]
) -> int:
    """A random one of the entries start..stop-1 of `draw` that are, or are not, of the kinds; one must be there."""
    count = count_suitable(s, rules, start, stop, kinds)
    left = below(rng, count if suitable else stop - start - count)
    for k in range(start, stop):
        if is_of(rules, int(s.draw[k]), kinds) == suitable:
            if left == 0:
                return k
            left -= 1
    return start


@kernel
def needed_kinds(s: Record, rules: Rules) -> int:
    """The kinds of cards, a bit mask, that some seat must have for the present decision to be possible; 0 for none."""
    phase = int(s.phase)
    if phase == ATTACK or phase == DEFEND:
        return ARMAMENT_BITS
    if phase == LEVY:
        return step_value(s, rules, STEP_KINDS)
    return 0


@kernel
def required(s: Record, rules: Rules, seat: int) -> int:
    """How many cards of the needed kinds a seat must have, in its hand or face-down."""
    phase = int(s.phase)
    if phase == ATTACK and int(s.active) == seat:
        return max(1, int(s.n_att))
    if phase == ATTACK or phase == DEFEND:
        return face_down(s, seat)
    if phase == LEVY and int(s.actor) == seat:
        return int(s.eff_need)  # who has fewer is not asked, so everybody knows that it has them
    return 0


@kernel
def missing(s: Record, rules: Rules, seat: int, kinds: int) -> int:
    """How many cards of the needed kinds a seat must still be dealt."""
    count = required(s, rules, seat)
    return max(0, count - count_of(s, rules, seat, kinds)) if count > 0 else 0


@kernel
def deal_pile(s: Record, rules: Rules, seat: int, n_bound: int, n: int, kinds: int, rng: NDArray[np.uint32]) -> None:
    """Choose the draw pile among the first n_bound of n unseen cards, so that the others can have what they need."""
    n_draw = int(s.n_draw)
    shuffle_front(s, 0, n_draw, n_bound, rng)
    if kinds == 0:
        return
    lacking = 0
    for other in range(int(rules.num_seats)):
        if other != seat:
            lacking += missing(s, rules, other, kinds)
    if lacking > 0:
        lacking -= count_suitable(s, rules, n_draw, n, kinds)
    # The true pile has fewer suitable cards than this one, so it has an unsuitable one that this one leaves out.
    for _ in range(lacking):
        given = random_place(s, rules, 0, n_draw, kinds, True, rng)
        taken = random_place(s, rules, n_draw, n_bound, kinds, False, rng)
        exchange(s, given, taken)


@kernel
def deal_needed(s: Record, rules: Rules, seat: int, n: int, kinds: int, rng: NDArray[np.uint32]) -> int:
    """Give the others what they need of the entries n_draw..n-1 of `draw`; the first entry that is left."""
    at = int(s.n_draw)
    for other in range(int(rules.num_seats)):
        if other == seat:
            continue
        for _ in range(missing(s, rules, other, kinds)):
            exchange(s, at, random_place(s, rules, at, n, kinds, True, rng))
            s.hand[other, int(s.draw[at])] += 1
            at += 1
    return at


@kernel
def deal_hands(s: Record, rules: Rules, seat: int, n: int, kinds: int, rng: NDArray[np.uint32]) -> None:
    """Deal the entries of `draw` behind the pile to the others, hands and face-down cards together."""
    at = int(s.n_draw)
    if kinds != 0:
        at = deal_needed(s, rules, seat, n, kinds, rng)
    shuffle_front(s, at, n - at, n, rng)
    for other in range(int(rules.num_seats)):
        if other == seat:
            continue
        room = int(s.n_hand[other]) + face_down(s, other)
        for card in range(int(rules.num_types)):
            room -= int(s.hand[other, card])
        for k in range(at, at + room):
            s.hand[other, int(s.draw[k])] += 1
        at += room


@kernel
def take_armament(s: Record, rules: Rules, seat: int, rng: NDArray[np.uint32]) -> int:
    """Take a random armament out of a hand that has one."""
    left = below(rng, count_of(s, rules, seat, ARMAMENT_BITS))
    for card in range(int(rules.num_types)):
        if is_of(rules, card, ARMAMENT_BITS):
            left -= int(s.hand[seat, card])
            if left < 0:
                s.hand[seat, card] -= 1
                return card
    return 0


@kernel
def lay_face_down(s: Record, rules: Rules, seat: int, rng: NDArray[np.uint32]) -> None:
    """Take the face-down cards of the others out of their hands."""
    attacker = int(s.active)
    if attacker != seat:
        for k in range(int(s.n_att)):
            s.att[k] = take_armament(s, rules, attacker, rng)
    defender = int(s.defender)
    if defender != seat:
        for k in range(int(s.n_dfn)):
            s.dfn[k] = take_armament(s, rules, defender, rng)


@kernel
def deal_fresh(s: Record, rules: Rules, seat: int, rng: NDArray[np.uint32]) -> None:
    """Share out anew what the others drew since the last reshuffle: of `mix`, what neither the pile has nor the seat.

    The entries of `draw` behind the pile hold them meanwhile, and are 0 afterwards.
    """
    n_draw = int(s.n_draw)
    pile = np.zeros(MAX_TYPES, np.int64)
    for k in range(n_draw):
        pile[int(s.draw[k])] += 1
    n = n_draw
    for card in range(int(rules.num_types)):
        for _ in range(int(s.mix[card]) - int(s.fresh[seat, card]) - pile[card]):
            s.draw[n] = card
            n += 1
    at = n_draw
    for other in range(int(rules.num_seats)):
        if other == seat:
            continue
        count = 0
        for card in range(int(rules.num_types)):
            count += int(s.fresh[other, card])
            s.fresh[other, card] = 0
        shuffle_front(s, at, count, n, rng)
        for k in range(at, at + count):
            s.fresh[other, int(s.draw[k])] += 1
        at += count
    for k in range(n_draw, MAX_CARDS):
        s.draw[k] = 0


@kernel
def resample(states: Records, i: int, rules: Records, seat: int, rng: NDArray[np.uint32]) -> None:
    """Turn game i into a world that `seat` cannot tell from it; `rng` uint32[4] is advanced (see the module's text)."""
    s = states[i]
    r = rules[0]
    forget_hands(s, r, seat)
    kinds = needed_kinds(s, r)
    n_bound, n = collect_unseen(s, r, seat)
    deal_pile(s, r, seat, n_bound, n, kinds, rng)
    deal_hands(s, r, seat, n, kinds, rng)
    lay_face_down(s, r, seat, rng)
    deal_fresh(s, r, seat, rng)
    for k in range(int(s.n_steals)):
        s.steals[k] = 0
    s.n_steals = 0
    reseed(s.rng, rng)
