"""What a seat may do: targets of cards as sets of types, and the mask of actions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records
from cardzoo.envs.teddies_vs_monsters.actions import (
    CALL_FOE,
    CALL_OWN,
    CLAIM_ROOM,
    DRAW_HAND,
    DRAW_SLEEVE,
    LOOK_AT,
    TAKE_DECK,
    TO_FOE,
    TO_OWN,
    WAIT_A_WHILE,
    other_action,
    room_action,
)
from cardzoo.envs.teddies_vs_monsters.cards import COLOUR, SNARE
from cardzoo.envs.teddies_vs_monsters.rows import is_unclaimed, length_of, next_set, row_wrong
from cardzoo.envs.teddies_vs_monsters.state import MAX_TRAPS, NO_CARD, NOBODY, TEAMS
from cardzoo.envs.teddies_vs_monsters.tables import ALWAYS, WHEN_OUT, Rules

# Targets: which types of a team have one in a room, as bits.


@kernel
def own_set(s: Record, rules: Rules, team: int, room: int) -> int:
    """Types that may be placed in a team's row of a room (R3, R9, R22)."""
    if not is_unclaimed(s, room) or int(s.trap_n[team, room]) > 0:
        return 0
    if int(rules.mistakes) == 1:
        return int(rules.fillers[team]) if int(s.row_sym[team, room]) < length_of(s, rules, room) else 0
    return next_set(s, rules, team, room)


@kernel
def foe_set(s: Record, rules: Rules, team: int, room: int) -> int:
    """Types of a team that attack, bomb or trap the other team's side of a room (R8, R9)."""
    if not is_unclaimed(s, room):
        return 0
    foe = 1 - team
    types = int(rules.snarers[team]) if int(s.trap_n[foe, room]) < MAX_TRAPS else 0
    cards = int(s.row_n[foe, room])
    if cards > 0:
        types |= int(rules.blasters[team])
    for k in range(cards):
        types |= int(rules.strikers[team, int(rules.cards[foe, int(s.row[foe, room, k]), COLOUR])])
    return types


@kernel
def top_trap_colour(s: Record, rules: Rules, team: int, room: int) -> int:
    """The colour of the top trap on a team's side of a room, where there is one; it is a card of the other team."""
    return int(rules.cards[1 - team, int(s.trap[team, room, int(s.trap_n[team, room]) - 1]), SNARE])


@kernel
def trap_set(s: Record, rules: Rules, team: int, room: int) -> int:
    """Types of a team that pay for, or remove at once, the top trap on its side of a room (R10)."""
    if not is_unclaimed(s, room) or int(s.trap_n[team, room]) == 0:
        return 0
    return int(rules.payers[team]) | int(rules.unlockers[team, top_trap_colour(s, rules, team, room)])


@kernel
def target_set(s: Record, rules: Rules, team: int, block: int, room: int) -> int:
    """Types with a target of a kind (TO_OWN, TO_FOE, TO_TRAP) in a room."""
    if block == TO_OWN:
        return own_set(s, rules, team, room)
    if block == TO_FOE:
        return foe_set(s, rules, team, room)
    return trap_set(s, rules, team, room)


# Whose cards


@kernel
def sees_hand(s: Record, seat: int) -> bool:
    """Whether a seat has picked its hand up."""
    return int(s.face_down[seat]) == 0


@kernel
def partner_usable(s: Record, rules: Rules, seat: int) -> bool:
    """Whether a seat may play cards of its partner's sleeve (R15)."""
    if int(rules.num_seats) == TEAMS or int(rules.partner_sleeve) < WHEN_OUT:
        return False
    out = int(s.deck_n[seat]) == 0 and int(s.hand_n[seat]) == 0 and int(s.sleeve_n[seat]) == 0
    return out or int(rules.partner_sleeve) == ALWAYS


@kernel
def partner_of(seat: int) -> int:
    """The other seat of a team of two."""
    return (seat + TEAMS) % (2 * TEAMS)


# Acts without a card to play


@kernel
def may_claim(s: Record, rules: Rules, team: int, room: int) -> bool:
    """Whether a team may claim a room (R9, R11, R22)."""
    if not is_unclaimed(s, room) or (int(rules.trap_blocks_claim) == 1 and int(s.trap_n[team, room]) > 0):
        return False
    return int(s.row_sym[team, room]) >= length_of(s, rules, room)


@kernel
def may_call(s: Record, rules: Rules, room: int, team: int) -> bool:
    """Whether there is a mistake in a team's row of a room that is still unclaimed."""
    return int(rules.mistakes) == 1 and is_unclaimed(s, room) and row_wrong(s, team, room)


@kernel
def may_draw_hand(s: Record, rules: Rules, seat: int) -> bool:
    """Whether a seat may draw a card to its hand (R13)."""
    return int(s.deck_n[seat]) > 0 and int(s.hand_n[seat]) < int(rules.hand_size) and sees_hand(s, seat)


@kernel
def may_draw_sleeve(s: Record, rules: Rules, seat: int) -> bool:
    """Whether a seat may draw a card to its sleeve (R13)."""
    return int(s.deck_n[seat]) > 0 and int(s.sleeve_n[seat]) < int(rules.sleeve_size)


@kernel
def may_take(s: Record, rules: Rules, seat: int) -> bool:
    """Whether a seat may take its second deck (R14)."""
    return int(rules.num_seats) == TEAMS and int(s.deck_n[seat]) == 0 and int(s.deck_n[TEAMS + seat]) > 0


@kernel
def has_choice(s: Record, rules: Rules, seat: int) -> bool:
    """Whether a seat has a legal action beside `wait` (R26)."""
    team = seat % TEAMS
    if int(s.sleeve_n[seat]) > 0 or int(s.hand_n[seat]) > 0 or not sees_hand(s, seat):
        return True
    if int(s.deck_n[seat]) > 0 or may_take(s, rules, seat):
        return True  # hand and sleeve are empty here, so one of them can be filled: the sizes are not both 0
    for room in range(int(rules.num_rooms)):
        if may_claim(s, rules, team, room):
            return True
        if may_call(s, rules, room, team) or (int(rules.call_any) == 1 and may_call(s, rules, room, 1 - team)):
            return True
    if not partner_usable(s, rules, seat):
        return False
    types = 0
    for room in range(int(rules.num_rooms)):
        types |= own_set(s, rules, team, room) | foe_set(s, rules, team, room) | trap_set(s, rules, team, room)
    partner = partner_of(seat)
    for card in range(int(rules.num_types)):
        if int(s.sleeve[partner, card]) > 0 and types >> card & 1:
            return True
    return False


# The mask


@kernel
def targets_mask(s: Record, rules: Rules, seat: int, card: int, mask: NDArray[np.bool_]) -> int:
    """Write the targets of a card as a mask, bool (A,); return how many there are."""
    mask[:] = False
    count = 0
    for block in range(3):
        for room in range(int(rules.num_rooms)):
            legal_here = target_set(s, rules, seat % TEAMS, block, room) >> card & 1
            mask[room_action(rules, block, room)] = legal_here == 1
            count += legal_here
    return count


@kernel
def cards_mask(s: Record, rules: Rules, seat: int, types: int, mask: NDArray[np.bool_]) -> int:
    """Write which cards may be played, of those types that have a target, and discarded; return how many actions."""
    num = int(rules.num_types)
    hand = s.hand[seat]
    sleeve = s.sleeve[seat]
    seen = 1 if sees_hand(s, seat) else 0
    count = 0
    for card in range(num):
        own = 1 if int(sleeve[card]) + seen * int(hand[card]) > 0 else 0
        playable = own & (types >> card)
        mask[card] = playable != 0
        mask[num + card] = own != 0
        count += own + playable
    if partner_usable(s, rules, seat):
        partner = partner_of(seat)
        for card in range(num):
            if int(s.sleeve[partner, card]) > 0 and types >> card & 1 and not mask[card]:
                mask[card] = True
                count += 1
    return count


@kernel
def rooms_mask(s: Record, rules: Rules, seat: int, mask: NDArray[np.bool_]) -> int:
    """Write which rooms may be claimed, and in which a mistake may be called; return how many actions."""
    team = seat % TEAMS
    count = 0
    for room in range(int(rules.num_rooms)):
        claim = may_claim(s, rules, team, room)
        mask[room_action(rules, CLAIM_ROOM, room)] = claim
        count += 1 if claim else 0
        own = may_call(s, rules, room, team)
        foe = int(rules.call_any) == 1 and may_call(s, rules, room, 1 - team)
        mask[room_action(rules, CALL_OWN, room)] = own
        mask[room_action(rules, CALL_FOE, room)] = foe
        count += (1 if own else 0) + (1 if foe else 0)
    return count


@kernel
def acts_mask(s: Record, rules: Rules, seat: int, mask: NDArray[np.bool_]) -> int:
    """Write what an idle seat that owes no target may do, bool (A,); return how many actions."""
    team = seat % TEAMS
    types = 0
    for room in range(int(rules.num_rooms)):
        types |= own_set(s, rules, team, room) | foe_set(s, rules, team, room) | trap_set(s, rules, team, room)
    mask[2 * int(rules.num_types) :] = False
    count = cards_mask(s, rules, seat, types, mask) + rooms_mask(s, rules, seat, mask)
    draw_hand = may_draw_hand(s, rules, seat)
    draw_sleeve = may_draw_sleeve(s, rules, seat)
    take = may_take(s, rules, seat)
    look = not sees_hand(s, seat)
    mask[other_action(rules, DRAW_HAND)] = draw_hand
    mask[other_action(rules, DRAW_SLEEVE)] = draw_sleeve
    mask[other_action(rules, TAKE_DECK)] = take
    mask[other_action(rules, LOOK_AT)] = look
    mask[other_action(rules, WAIT_A_WHILE)] = True
    return count + (1 if draw_hand else 0) + (1 if draw_sleeve else 0) + (1 if take else 0) + (1 if look else 0) + 1


@kernel
def legal(states: Records, i: int, rules: Records, mask: NDArray[np.bool_]) -> int:
    """Write the legal actions of the actor of game i, bool (A,), all False when it is over; return how many."""
    s = states[i]
    seat = int(s.actor)
    if seat == NOBODY:
        mask[:] = False
        return 0
    if int(s.picked) != NO_CARD:
        return targets_mask(s, rules[0], seat, int(s.picked), mask)
    return acts_mask(s, rules[0], seat, mask)
