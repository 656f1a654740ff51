"""The battlefield: characters in slots, attachments on them, and how they come, move and leave (rulings R7, R12)."""

from __future__ import annotations

from cardzoo.envs.bedroom_battle.piles import gain, to_discard
from cardzoo.envs.bedroom_battle.state import MAX_SLOTS
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record


@kernel
def add_character(s: Record, side: int, card: int) -> int:
    """Place a character in the last slot of a side and return the slot."""
    slot = int(s.n_chars[side])
    s.chars[side, slot] = card
    s.n_chars[side] = slot + 1
    return slot


@kernel
def add_attachment(s: Record, card: int, side: int, slot: int) -> None:
    """Place an attachment on a character as the newest one in play."""
    n = int(s.n_att)
    s.att_card[n] = card
    s.att_side[n] = side
    s.att_slot[n] = slot
    s.n_att = n + 1


@kernel
def take_attachment(s: Record, index: int) -> None:
    """Remove the attachment at `index` of the attachment list; younger ones close up."""
    n = int(s.n_att)
    for k in range(index + 1, n):
        s.att_card[k - 1] = s.att_card[k]
        s.att_side[k - 1] = s.att_side[k]
        s.att_slot[k - 1] = s.att_slot[k]
    s.att_card[n - 1] = 0
    s.att_side[n - 1] = 0
    s.att_slot[n - 1] = 0
    s.n_att = n - 1


@kernel
def is_on(s: Record, index: int, side: int, slot: int) -> bool:
    """Whether the attachment at `index` is on the character in (side, slot)."""
    return int(s.att_side[index]) == side and int(s.att_slot[index]) == slot


@kernel
def place_bit(side: int, slot: int) -> int:
    """The bit that stands for a place on the board in a bit mask of places."""
    return 1 << (MAX_SLOTS * side + slot)


@kernel
def hosts(s: Record) -> int:
    """Bit mask of the places of characters with attachments, so that the attachments of others are not looked for."""
    bits = 0
    for k in range(int(s.n_att)):
        bits |= place_bit(int(s.att_side[k]), int(s.att_slot[k]))
    return bits


@kernel
def oldest_copy(s: Record, card: int, side: int, slot: int) -> int:
    """Index of the oldest copy of an attachment type on a character; -1 if there is none."""
    for k in range(int(s.n_att)):
        if int(s.att_card[k]) == card and is_on(s, k, side, slot):
            return k
    return -1


@kernel
def is_pending_place(s: Record, side: int, slot: int) -> bool:
    """Whether (side, slot) is where the pending card stands, or the host it is attached to."""
    return int(s.p_placed) == 1 and int(s.p_side) == side and int(s.p_slot) == slot


@kernel
def take_character(s: Record, side: int, slot: int) -> None:
    """Remove a character without attachments; slots to its right close up, attachments and pending card follow."""
    n = int(s.n_chars[side])
    for k in range(slot + 1, n):
        s.chars[side, k - 1] = s.chars[side, k]
    s.chars[side, n - 1] = 0
    s.n_chars[side] = n - 1
    for k in range(int(s.n_att)):
        if int(s.att_side[k]) == side and int(s.att_slot[k]) > slot:
            s.att_slot[k] -= 1
    if int(s.p_placed) == 1 and int(s.p_side) == side and int(s.p_slot) > slot:
        s.p_slot -= 1


@kernel
def discard_attachments(s: Record, side: int, slot: int) -> None:
    """Discard everything on a character, oldest first (R7)."""
    k = 0
    while k < int(s.n_att):
        if is_on(s, k, side, slot):
            to_discard(s, int(s.att_card[k]))
            take_attachment(s, k)
        else:
            k += 1


@kernel
def leave_board(s: Record, side: int, slot: int) -> None:
    """Common end of a character that is discarded or returned: attachments to the discard pile, slot closed."""
    if is_pending_place(s, side, slot):
        s.p_side = 0
        s.p_slot = -1
    discard_attachments(s, side, slot)
    take_character(s, side, slot)


@kernel
def discard_character(s: Record, side: int, slot: int) -> None:
    """Discard a character, then its attachments, oldest first (R7)."""
    to_discard(s, int(s.chars[side, slot]))
    leave_board(s, side, slot)


@kernel
def return_character(s: Record, side: int, slot: int) -> None:
    """Return a character to the hand of its side, seen by both; its attachments are discarded (R12, R17)."""
    gain(s, side, int(s.chars[side, slot]), True)
    leave_board(s, side, slot)


@kernel
def move_character(s: Record, side: int, slot: int) -> None:
    """Move a character with its attachments to the last slot of the other side (R12)."""
    other = 1 - side
    new_slot = add_character(s, other, int(s.chars[side, slot]))
    followed = is_pending_place(s, side, slot)
    for k in range(int(s.n_att)):
        if is_on(s, k, side, slot):
            s.att_side[k] = other
            s.att_slot[k] = new_slot
    if followed:
        s.p_side = other
        s.p_slot = new_slot
    take_character(s, side, slot)


@kernel
def swap_characters(s: Record, side: int, slot: int, other_slot: int) -> None:
    """Exchange the slots of a character and one of the other side, attachments included (R12)."""
    other = 1 - side
    card = s.chars[side, slot]
    s.chars[side, slot] = s.chars[other, other_slot]
    s.chars[other, other_slot] = card
    for k in range(int(s.n_att)):
        if is_on(s, k, side, slot):
            s.att_side[k] = other
            s.att_slot[k] = other_slot
        elif is_on(s, k, other, other_slot):
            s.att_side[k] = side
            s.att_slot[k] = slot
    if is_pending_place(s, side, slot):
        s.p_side = other
        s.p_slot = other_slot
    elif is_pending_place(s, other, other_slot):
        s.p_side = side
        s.p_slot = slot


@kernel
def move_item(s: Record, card: int, side: int, slot: int, new_side: int, new_slot: int) -> None:
    """Move the oldest copy of an item from one character to another, as its newest attachment."""
    take_attachment(s, oldest_copy(s, card, side, slot))
    add_attachment(s, card, new_side, new_slot)


@kernel
def clear_board(s: Record, first_side: int) -> None:
    """Discard the whole battlefield: one side after the other, slot by slot (R7)."""
    for n in range(2):
        side = first_side if n == 0 else 1 - first_side
        for slot in range(int(s.n_chars[side])):
            to_discard(s, int(s.chars[side, slot]))
            for k in range(int(s.n_att)):
                if is_on(s, k, side, slot):
                    to_discard(s, int(s.att_card[k]))
            s.chars[side, slot] = 0
        s.n_chars[side] = 0
    for k in range(int(s.n_att)):
        s.att_card[k] = 0
        s.att_side[k] = 0
        s.att_slot[k] = 0
    s.n_att = 0
