"""What happens when an act lands (R6 to R14, R23): judged on the table of that tick."""

from __future__ import annotations

from typing import Final

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.piles import take_top
from cardzoo.envs.core.records import Record
from cardzoo.envs.teddies_vs_monsters.cards import PAY, STRIKE
from cardzoo.envs.teddies_vs_monsters.legal import (
    foe_set,
    may_call,
    may_claim,
    may_draw_hand,
    may_draw_sleeve,
    may_take,
    own_set,
    partner_of,
    partner_usable,
    sees_hand,
    top_trap_colour,
    trap_set,
)
from cardzoo.envs.teddies_vs_monsters.rows import append, cut, first_wrong, lowest_of, row_complete
from cardzoo.envs.teddies_vs_monsters.state import (
    ATTACK,
    BOMB,
    CALL,
    CLAIM,
    DISARM,
    DISCARD,
    DRAW,
    LOOK,
    MAX_TRAPS,
    MAX_TYPES,
    NOBODY,
    PLACE,
    TAKE,
    TEAMS,
    TO_HAND,
    TRAP,
    TRAP_PRICE,
    WAIT,
)
from cardzoo.envs.teddies_vs_monsters.tables import Rules

# Where the copy of a card that an act uses comes from (R12).
NOWHERE: Final = 0
OWN_SLEEVE: Final = 1
OWN_HAND: Final = 2
PARTNERS_SLEEVE: Final = 3


@kernel
def source_of(s: Record, rules: Rules, seat: int, card: int, partner: bool) -> int:
    """Where a card comes from: own sleeve, else own hand, else (if `partner`) the partner's sleeve (R12, R15)."""
    if int(s.sleeve[seat, card]) > 0:
        return OWN_SLEEVE
    if int(s.hand[seat, card]) > 0 and sees_hand(s, seat):
        return OWN_HAND
    if partner and partner_usable(s, rules, seat) and int(s.sleeve[partner_of(seat), card]) > 0:
        return PARTNERS_SLEEVE
    return NOWHERE


@kernel
def use(s: Record, seat: int, card: int, source: int) -> None:
    """A card leaves hand or sleeve; everybody sees it."""
    if source == OWN_HAND:
        s.hand[seat, card] -= 1
        s.hand_n[seat] -= 1
        s.used[seat, card] += 1
        if int(s.known[seat, card]) > 0:
            s.known[seat, card] -= 1
        return
    owner = seat if source == OWN_SLEEVE else partner_of(seat)
    s.sleeve[owner, card] -= 1
    s.sleeve_n[owner] -= 1
    s.used[owner, card] += 1


@kernel
def note(s: Record, seat: int, kind: int, room: int, lost: int) -> None:
    """An act was seen."""
    s.l_kind[seat] = kind
    s.l_room[seat] = room
    s.l_lost[seat] = lost
    s.l_tick[seat] = s.tick


# Traps


@kernel
def remove_top_trap(s: Record, team: int, room: int) -> None:
    """The top trap on a team's side of a room is discarded, and what was paid for it is spent (R10)."""
    take_top(s.trap[team, room], int(s.trap_n[team, room]))
    s.trap_n[team, room] -= 1
    s.paid[team, room] = 0


@kernel
def clear_traps(s: Record, team: int, room: int) -> None:
    """All traps on a team's side of a room are discarded."""
    for k in range(MAX_TRAPS):
        s.trap[team, room, k] = 0
    s.trap_n[team, room] = 0
    s.paid[team, room] = 0


@kernel
def disarm(s: Record, rules: Rules, team: int, room: int, card: int) -> None:
    """A card pays for the top trap of the own side, or removes it at once (R10)."""
    paid = int(s.paid[team, room]) + int(rules.cards[team, card, PAY])
    at_once = int(rules.unlockers[team, top_trap_colour(s, rules, team, room)]) >> card & 1
    if at_once == 1 or paid >= TRAP_PRICE:
        remove_top_trap(s, team, room)
    else:
        s.paid[team, room] = paid


# Acts with a card


@kernel
def is_possible(s: Record, rules: Rules, team: int, kind: int, room: int, card: int) -> bool:
    """Whether an act with a card has its target now."""
    if kind == PLACE:
        types = own_set(s, rules, team, room)
    elif kind == DISARM:
        types = trap_set(s, rules, team, room)
    else:
        types = foe_set(s, rules, team, room)
    return (types >> card & 1) == 1


@kernel
def carry_out(s: Record, rules: Rules, team: int, kind: int, room: int, card: int) -> None:
    """The effect of a card that has its target."""
    foe = 1 - team
    if kind == PLACE:
        append(s, rules, team, room, card)
    elif kind == ATTACK:
        cut(s, rules, foe, room, lowest_of(s, rules, foe, room, int(rules.cards[team, card, STRIKE])))
    elif kind == BOMB:
        cut(s, rules, foe, room, 0)
    elif kind == TRAP:
        s.trap[foe, room, int(s.trap_n[foe, room])] = card
        s.trap_n[foe, room] += 1
    else:
        disarm(s, rules, team, room, card)


@kernel
def land_card(s: Record, rules: Rules, seat: int, kind: int, room: int, card: int) -> None:
    """An act with a card and a target lands (R6, R7, R12)."""
    source = source_of(s, rules, seat, card, True)
    if source == NOWHERE:
        return
    team = seat % TEAMS
    claimed = int(s.claimed[room]) != NOBODY
    if not claimed and is_possible(s, rules, team, kind, room, card):
        use(s, seat, card, source)
        carry_out(s, rules, team, kind, room, card)
        note(s, seat, kind, room, 0)
    elif claimed or int(rules.returned) == 0:
        use(s, seat, card, source)
        note(s, seat, kind, room, 1)


@kernel
def land_discard(s: Record, rules: Rules, seat: int, card: int) -> None:
    """A card of sleeve or hand is discarded."""
    source = source_of(s, rules, seat, card, False)
    if source != NOWHERE:
        use(s, seat, card, source)
        note(s, seat, DISCARD, 0, 0)


# Acts without


@kernel
def land_claim(s: Record, rules: Rules, seat: int, room: int) -> None:
    """A team claims a room (R11)."""
    team = seat % TEAMS
    if not may_claim(s, rules, team, room):
        return
    s.mistake[room] = 0 if row_complete(s, rules, team, room) else 1
    s.claimed[room] = team
    cut(s, rules, 1 - team, room, 0)
    for side in range(TEAMS):
        clear_traps(s, side, room)
    note(s, seat, CLAIM, room, 0)


@kernel
def land_call(s: Record, rules: Rules, seat: int, room: int, side: int) -> None:
    """A mistake is called: the wrong card and all above it are discarded (R23)."""
    team = (seat + side) % TEAMS
    if may_call(s, rules, room, team):
        cut(s, rules, team, room, first_wrong(s, rules, team, room))
        note(s, seat, CALL, room, 0)


@kernel
def land_draw(s: Record, rules: Rules, seat: int, side: int) -> None:
    """A card is drawn to hand or sleeve (R13)."""
    to_hand = side == TO_HAND
    if not (may_draw_hand(s, rules, seat) if to_hand else may_draw_sleeve(s, rules, seat)):
        return
    card = take_top(s.deck[seat], int(s.deck_n[seat]))
    s.deck_n[seat] -= 1
    if to_hand:
        s.hand[seat, card] += 1
        s.hand_n[seat] += 1
    else:
        s.sleeve[seat, card] += 1
        s.sleeve_n[seat] += 1
    note(s, seat, DRAW, 0, 0)


@kernel
def land_take(s: Record, rules: Rules, seat: int) -> None:
    """The second deck is taken (R14); the first is used up, so everybody can tell the hand."""
    if not may_take(s, rules, seat):
        return
    reserve = TEAMS + seat
    for k in range(int(s.deck_n[reserve])):
        s.deck[seat, k] = s.deck[reserve, k]
        s.deck[reserve, k] = 0
    s.deck_n[seat] = s.deck_n[reserve]
    s.deck_n[reserve] = 0
    for card in range(MAX_TYPES):
        s.known[seat, card] = s.hand[seat, card]
    note(s, seat, TAKE, 0, 0)


@kernel
def land(s: Record, rules: Rules, seat: int) -> None:
    """The act of a seat lands; the seat stays marked as acting."""
    kind = int(s.p_kind[seat])
    card = int(s.p_card[seat])
    room = int(s.p_room[seat])
    side = int(s.p_side[seat])
    if kind == WAIT:
        return
    if kind <= DISARM:
        land_card(s, rules, seat, kind, room, card)
    elif kind == DISCARD:
        land_discard(s, rules, seat, card)
    elif kind == CLAIM:
        land_claim(s, rules, seat, room)
    elif kind == CALL:
        land_call(s, rules, seat, room, side)
    elif kind == DRAW:
        land_draw(s, rules, seat, side)
    elif kind == TAKE:
        land_take(s, rules, seat)
    elif kind == LOOK and not sees_hand(s, seat):
        s.face_down[seat] = 0
        note(s, seat, LOOK, 0, 0)
