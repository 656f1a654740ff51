"""What a seat knows: sampling a world that it cannot tell from the present one.

Hidden from a seat are the other hands but for their `known` cards (with `open_team` not the partner's), hands that lie
face down, its own too, the order of all decks, the acts of the other seats that have not landed (with `open_team` of
the partner's act all but kind and room), the target that another seat owes, and the generator's state. The sampled
world depends on nothing but the seat's knowledge and the given generator: unseen cards are collected in the order of
their types before they are dealt, seats in their order.

The tape of a position holds draws to come, which nobody knows either, and which fit only the acts that are under way:
a sampled world has none.

When the acts of the others began is guessed from what all have seen. Everything but a wait, a void act and a returned
card is seen when it lands, so the clock of a seat is replayed from its last act that was seen, with random acts: one
that has not landed yet is the act under way, a wait that has landed moves the clock, any other would have been seen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.random import below, reseed, shuffle
from cardzoo.envs.core.records import Record, Records
from cardzoo.envs.teddies_vs_monsters.actions import TO_OWN, TO_TRAP
from cardzoo.envs.teddies_vs_monsters.cards import BLAST, COPIES, FILLS, PAY, SNARE, STRIKE, UNLOCK
from cardzoo.envs.teddies_vs_monsters.clock import drop_act, due_after
from cardzoo.envs.teddies_vs_monsters.legal import (
    may_call,
    may_claim,
    may_draw_hand,
    may_draw_sleeve,
    may_take,
    partner_of,
    partner_usable,
    sees_hand,
    target_set,
)
from cardzoo.envs.teddies_vs_monsters.state import (
    ATTACK,
    BOMB,
    CALL,
    CLAIM,
    DISARM,
    DISCARD,
    DRAW,
    FOE,
    IDLE,
    LOOK,
    MAX_DECK,
    MAX_ROOMS,
    MAX_TAPE,
    MAX_TYPES,
    NO_CARD,
    NOBODY,
    NUM_KINDS,
    OWN,
    PLACE,
    TAKE,
    TEAMS,
    TO_HAND,
    TO_SLEEVE,
    TRAP,
    WAIT,
)
from cardzoo.envs.teddies_vs_monsters.tables import Rules

TARGETS = 3  # kinds of them
MAX_ACTS = MAX_TYPES * (TARGETS * MAX_ROOMS + 1) + 3 * MAX_ROOMS + 5
ACT = 4  # kind, card, room, side


# Cards


@kernel
def is_open_to(rules: Rules, seat: int, other: int) -> bool:
    """Whether a seat sees the hand and the act of another, its partner, by the option `open_team`."""
    return int(rules.open_team) == 1 and int(rules.num_seats) > TEAMS and other == partner_of(seat)


@kernel
def decks_of(s: Record, rules: Rules, seat: int) -> int:
    """How many decks a seat has used or holds: 2 once it has taken its second one."""
    return 2 if int(rules.num_seats) == TEAMS and int(s.deck_n[TEAMS + seat]) == 0 else 1


@kernel
def deal_seat(s: Record, rules: Rules, seat: int, keeps_hand: bool, rng: NDArray[np.uint32]) -> None:
    """Deal a seat's unseen cards anew, into its hand, unless that is kept, and its deck."""
    team = seat % TEAMS
    decks = decks_of(s, rules, seat)
    unseen = np.zeros(MAX_DECK + MAX_DECK, np.int64)
    n = 0
    missing = int(s.hand_n[seat])
    for card in range(int(rules.team_types[team])):
        held = int(s.hand[seat, card]) if keeps_hand else int(s.known[seat, card])
        s.hand[seat, card] = held
        missing -= held
        out = int(s.used[seat, card]) + int(s.sleeve[seat, card]) + held
        for _ in range(decks * int(rules.cards[team, card, COPIES]) - out):
            unseen[n] = card
            n += 1
    shuffle(rng, unseen, n)
    deck = n - missing
    for k in range(deck):
        s.deck[seat, k] = unseen[k]
    for k in range(deck, n):
        s.hand[seat, unseen[k]] += 1


@kernel
def shuffle_reserve(s: Record, rules: Rules, seat: int, rng: NDArray[np.uint32]) -> None:
    """Put a second deck that has not been taken into a random order."""
    owner = TEAMS + seat
    if int(s.deck_n[owner]) == 0:
        return
    team = seat % TEAMS
    n = 0
    for card in range(int(rules.team_types[team])):
        for _ in range(int(rules.cards[team, card, COPIES])):
            s.deck[owner, n] = card
            n += 1
    shuffle(rng, s.deck[owner], n)


@kernel
def deal_cards(s: Record, rules: Rules, seat: int, rng: NDArray[np.uint32]) -> None:
    """Deal anew all cards that a seat does not see."""
    for other in range(int(rules.num_seats)):
        seen = sees_hand(s, other) and (other == seat or is_open_to(rules, seat, other))
        deal_seat(s, rules, other, seen, rng)
    if int(rules.num_seats) == TEAMS:
        for other in range(TEAMS):
            shuffle_reserve(s, rules, other, rng)


# Acts


@kernel
def has_verb(rules: Rules, team: int, card: int, kind: int) -> bool:
    """Whether a card can be used in an act of a kind that uses one."""
    if kind == PLACE:
        return int(rules.cards[team, card, FILLS]) > 0
    if kind == ATTACK:
        return int(rules.cards[team, card, STRIKE]) > 0
    if kind == BOMB:
        return int(rules.cards[team, card, BLAST]) > 0
    if kind == TRAP:
        return int(rules.cards[team, card, SNARE]) > 0
    if kind == DISARM:
        return int(rules.cards[team, card, PAY]) > 0 or int(rules.cards[team, card, UNLOCK]) > 0
    return kind == DISCARD


@kernel
def kind_at(rules: Rules, team: int, card: int, block: int) -> int:
    """The kind of act of a card at a target of a kind (TO_OWN, TO_FOE, TO_TRAP)."""
    if block == TO_OWN:
        return PLACE
    if block == TO_TRAP:
        return DISARM
    if has_verb(rules, team, card, ATTACK):
        return ATTACK
    return BOMB if has_verb(rules, team, card, BOMB) else TRAP


@kernel
def own_types(s: Record, seat: int) -> int:
    """Types (bits) that a seat may discard."""
    types = 0
    for card in range(MAX_TYPES):
        if int(s.sleeve[seat, card]) > 0 or (int(s.hand[seat, card]) > 0 and sees_hand(s, seat)):
            types |= 1 << card
    return types


@kernel
def usable_types(s: Record, rules: Rules, seat: int) -> int:
    """Types (bits) that a seat may play if they have a target."""
    types = own_types(s, seat)
    if partner_usable(s, rules, seat):
        partner = partner_of(seat)
        for card in range(MAX_TYPES):
            if int(s.sleeve[partner, card]) > 0:
                types |= 1 << card
    return types


@kernel
def add_act(acts: NDArray[np.int64], n: int, kind: int, card: int, room: int, side: int) -> int:
    """Write an act as entry n, int64 (n, ACT); the number of acts then."""
    acts[n, 0] = kind
    acts[n, 1] = card
    acts[n, 2] = room
    acts[n, 3] = side
    return n + 1


@kernel
def list_card_acts(s: Record, rules: Rules, seat: int, acts: NDArray[np.int64]) -> int:
    """Write the legal acts of an idle seat that use a card, int64 (n, ACT); return n."""
    team = seat % TEAMS
    types = usable_types(s, rules, seat)
    n = 0
    for block in range(TO_OWN, TO_OWN + TARGETS):
        for room in range(int(rules.num_rooms)):
            legal_here = types & target_set(s, rules, team, block, room)
            for card in range(int(rules.team_types[team])):
                if legal_here >> card & 1:
                    n = add_act(acts, n, kind_at(rules, team, card, block), card, room, 0)
    types = own_types(s, seat)
    for card in range(int(rules.team_types[team])):
        if types >> card & 1:
            n = add_act(acts, n, DISCARD, card, 0, 0)
    return n


@kernel
def list_acts(s: Record, rules: Rules, seat: int, acts: NDArray[np.int64]) -> int:
    """Write the legal acts of an idle seat, int64 (n, ACT); return n, at least 1."""
    team = seat % TEAMS
    n = list_card_acts(s, rules, seat, acts)
    for room in range(int(rules.num_rooms)):
        if may_claim(s, rules, team, room):
            n = add_act(acts, n, CLAIM, 0, room, 0)
        if may_call(s, rules, room, team):
            n = add_act(acts, n, CALL, 0, room, OWN)
        if int(rules.call_any) == 1 and may_call(s, rules, room, 1 - team):
            n = add_act(acts, n, CALL, 0, room, FOE)
    if may_draw_hand(s, rules, seat):
        n = add_act(acts, n, DRAW, 0, 0, TO_HAND)
    if may_draw_sleeve(s, rules, seat):
        n = add_act(acts, n, DRAW, 0, 0, TO_SLEEVE)
    if may_take(s, rules, seat):
        n = add_act(acts, n, TAKE, 0, 0, 0)
    if not sees_hand(s, seat):
        n = add_act(acts, n, LOOK, 0, 0, 0)
    return add_act(acts, n, WAIT, 0, 0, 0)


@kernel
def begin_act(s: Record, seat: int, act: NDArray[np.int64], due: int) -> None:
    """Let an act, int64 (ACT,), of a seat be under way."""
    s.p_kind[seat] = act[0]
    s.p_card[seat] = act[1]
    s.p_room[seat] = act[2]
    s.p_side[seat] = act[3]
    s.p_due[seat] = due


# Clocks


@kernel
def longest_seen(rules: Rules, seat: int) -> int:
    """Ticks within which any act of a seat but a wait has landed."""
    longest = 0
    for kind in range(1, NUM_KINDS):
        if kind != WAIT:
            longest = max(longest, int(rules.duration[seat, kind]))
    return longest + int(rules.jitter[seat])


@kernel
def replay_clock(s: Record, rules: Rules, seat: int, asked: bool, rng: NDArray[np.uint32]) -> None:
    """Draw what a seat has done since its last act that was seen; `asked`: it has decided at this tick already."""
    drop_act(s, seat)
    tick = int(s.tick)
    clock = int(s.l_tick[seat])
    if clock == tick and not asked:
        return
    acts = np.zeros((MAX_ACTS, ACT), np.int64)
    n = list_acts(s, rules, seat, acts)
    wait = int(rules.duration[seat, WAIT])
    longest = longest_seen(rules, seat)
    while clock < tick or asked:
        if tick - clock >= longest and clock + wait <= tick:
            clock += wait  # no other act that began so long ago has not been seen
            continue
        act = acts[below(rng, n)]
        due = due_after(s, rules, seat, int(act[0]), clock, rng)
        if due > tick:
            begin_act(s, seat, act, due)
            return
        if int(act[0]) == WAIT:
            clock = due


@kernel
def draw_shown_card(s: Record, rules: Rules, seat: int, kind: int, rng: NDArray[np.uint32]) -> int:
    """Draw the card of an act of which only the kind is seen, out of what the seat may use, else out of all types."""
    team = seat % TEAMS
    types = own_types(s, seat) if kind == DISCARD else usable_types(s, rules, seat)
    for _ in range(2):
        count = 0
        for card in range(int(rules.team_types[team])):
            if types >> card & 1 and has_verb(rules, team, card, kind):
                count += 1
        if count > 0:
            break
        types = -1
    left = below(rng, count)
    for card in range(int(rules.team_types[team])):
        if types >> card & 1 and has_verb(rules, team, card, kind):
            if left == 0:
                return card
            left -= 1
    return 0


@kernel
def draw_shown_act(s: Record, rules: Rules, seat: int, asked: bool, rng: NDArray[np.uint32]) -> None:
    """Draw anew what is not seen of an act of which kind and room are, and when it began (`asked` as above)."""
    kind = int(s.p_kind[seat])
    if kind == IDLE:
        return
    if kind <= DISCARD:
        s.p_card[seat] = draw_shown_card(s, rules, seat, kind, rng)
    elif kind == DRAW or (kind == CALL and int(rules.call_any) == 1):
        s.p_side[seat] = below(rng, 2)
    duration = due_after(s, rules, seat, kind, 0, rng)
    oldest = min(duration - 1, int(s.tick) - int(s.l_tick[seat]))
    youngest = min(0 if asked else 1, oldest)
    s.p_due[seat] = int(s.tick) + duration - youngest - below(rng, oldest - youngest + 1)


@kernel
def draw_clocks(s: Record, rules: Rules, seat: int, rng: NDArray[np.uint32]) -> None:
    """Draw anew what the other seats are doing; who is asked stays idle, and owes no target but to itself."""
    actor = int(s.actor)
    if actor == NOBODY:
        return
    if actor != seat:
        s.picked = NO_CARD
    for other in range(int(rules.num_seats)):
        if other == seat or other == actor:
            continue
        if is_open_to(rules, seat, other):
            draw_shown_act(s, rules, other, other < actor, rng)
        else:
            replay_clock(s, rules, other, other < actor, rng)


@kernel
def resample(states: Records, i: int, rules: Records, seat: int, rng: NDArray[np.uint32]) -> None:
    """Turn game i into a world that `seat` cannot tell from it; `rng` uint32[4] is advanced (see the module's text)."""
    s = states[i]
    r = rules[0]
    deal_cards(s, r, seat, rng)
    draw_clocks(s, r, seat, rng)
    for k in range(MAX_TAPE):
        s.tape[k] = 0
    s.n_tape = 0
    reseed(s.rng, rng)
