"""What is legal: targets, hosts, items and plays, one question each, and the action mask made of the answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bedroom_battle.actions import (
    ACCEPT,
    CHALLENGE_A,
    DECLINE,
    MODE_1,
    NUM_LETTERS,
    PASS,
    PLAY,
    TARGET_OWN,
    pick_start,
    reward_start,
    target_side,
    target_slot,
)
from cardzoo.envs.bedroom_battle.appeal import (
    banned_kinds,
    gender,
    is_guarded,
    is_sealed,
    items_guarded,
    passes_filter,
)
from cardzoo.envs.bedroom_battle.board import is_on, is_pending_place
from cardzoo.envs.bedroom_battle.cards import (
    BOTH,
    CHARACTER,
    DISCARD_ITEM,
    EFFECT_FILTER,
    EFFECT_FILTER_N,
    EFFECT_MAY,
    EFFECT_N,
    EFFECT_SCOPE,
    EFFECT_VERB,
    KIND,
    MODE_ROW,
    MODE_ROWS,
    MOVE_CHAR,
    MOVE_ITEM,
    NUM_COST,
    NUM_MODES,
    ONLY,
    ONLY_OPP,
    ONLY_OWN,
    OPP,
    OWN,
    PLAY_ROW,
    RETURN_ITEM,
    SACRIFICE,
    SPECIAL,
    SWAP_CHAR,
)
from cardzoo.envs.bedroom_battle.cards import (
    DISCARD as VERB_DISCARD,
)
from cardzoo.envs.bedroom_battle.cards import (
    ITEM as KIND_ITEM,
)
from cardzoo.envs.bedroom_battle.state import (
    ATTACH,
    BAIL,
    BATTLE,
    CHALLENGE,
    DEST,
    DISCARD,
    DRAFT,
    EXTRA,
    FINAL,
    ITEM,
    MAX_SLOTS,
    MODE,
    PART_COST,
    PART_PLAY,
    SELECT,
    SWAP,
    TARGET,
)
from cardzoo.envs.bedroom_battle.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records


@kernel
def pending_row(s: Record) -> int:
    """Row of the effect table that is being carried out for the pending card."""
    if int(s.p_part) == PART_COST:
        return int(s.p_step) - 1
    if int(s.p_part) == PART_PLAY:
        return PLAY_ROW + int(s.p_step) - 1
    return MODE_ROW + MODE_ROWS * (int(s.p_mode) - 1) + int(s.p_step) - 1


@kernel
def in_scope(scope: int, by: int, side: int) -> bool:
    """Whether a side lies in an effect's scope as seat `by` sees it; `any` and `all` take both sides."""
    if scope == OWN:
        return side == by
    if scope == OPP:
        return side != by
    return True


# --- attachments and their hosts


@kernel
def host_ok(s: Record, rules: Rules, card: int, by: int, side: int, slot: int) -> bool:
    """Whether seat `by` may play or move an attachment onto a character: gender, side and seal (R10, R11)."""
    only = int(rules.types[card, ONLY])
    if only == 0 and side == by:
        return True
    if (only & ONLY_OWN) != 0 and side != by:
        return False
    if (only & ONLY_OPP) != 0 and side == by:
        return False
    genders = only & BOTH  # the bits of ONLY_MALE and ONLY_FEMALE are those of the genders
    if genders != 0 and (genders & gender(s, rules, side, slot)) != genders:
        return False
    return side == by or not is_sealed(s, rules, side, slot)


@kernel
def has_host(s: Record, rules: Rules, card: int, by: int) -> bool:
    """Whether an attachment has a legal host anywhere."""
    for side in range(2):
        for slot in range(int(s.n_chars[side])):
            if host_ok(s, rules, card, by, side, slot):
                return True
    return False


@kernel
def destination_ok(
    s: Record, rules: Rules, item: int, by: int, from_side: int, from_slot: int, side: int, slot: int
) -> bool:
    """Whether an item may be moved from one character onto another (R10)."""
    return not (side == from_side and slot == from_slot) and host_ok(s, rules, item, by, side, slot)


@kernel
def has_destination(s: Record, rules: Rules, item: int, by: int, from_side: int, from_slot: int) -> bool:
    """Whether an item can be moved anywhere from its host."""
    for side in range(2):
        for slot in range(int(s.n_chars[side])):
            if destination_ok(s, rules, item, by, from_side, from_slot, side, slot):
                return True
    return False


@kernel
def free_copies(s: Record, rules: Rules, card: int, side: int, slot: int) -> int:
    """Copies of an attachment type on a character, without the pending card, which is no target of its own (R9)."""
    count = 0
    for k in range(int(s.n_att)):
        if int(s.att_card[k]) == card and is_on(s, k, side, slot):
            count += 1
    if count > 0 and int(s.p_part) != 0 and int(s.p_card) == card and is_pending_place(s, side, slot):
        count -= 1
    return count


@kernel
def item_ok(s: Record, rules: Rules, verb: int, by: int, card: int, side: int, slot: int) -> bool:
    """Whether an item type on a host, whose items are not guarded, is a legal choice; moves need a destination."""
    if rules.types[card, KIND] != KIND_ITEM or free_copies(s, rules, card, side, slot) == 0:
        return False
    return verb != MOVE_ITEM or has_destination(s, rules, card, by, side, slot)


@kernel
def item_host_ok(s: Record, rules: Rules, verb: int, by: int, side: int, slot: int) -> bool:
    """Whether a character carries a legal item of the verb."""
    if items_guarded(s, rules, side, slot):
        return False
    for k in range(int(s.n_att)):
        if is_on(s, k, side, slot) and item_ok(s, rules, verb, by, int(s.att_card[k]), side, slot):
            return True
    return False


# --- targets


@kernel
def is_item_verb(verb: int) -> bool:
    """Whether a verb targets an item by its host."""
    return verb == DISCARD_ITEM or verb == RETURN_ITEM or verb == MOVE_ITEM


@kernel
def is_pending_character(s: Record, rules: Rules, side: int, slot: int) -> bool:
    """Whether the pending card is the character standing there: no target of its own action (R9)."""
    return int(s.p_part) != 0 and rules.types[int(s.p_card), KIND] == CHARACTER and is_pending_place(s, side, slot)


@kernel
def character_ok(s: Record, rules: Rules, card: int, row: int, by: int, side: int, slot: int) -> bool:
    """Whether a character is a legal target of the effect in `row` of a card: guard, filter, room to move (R13)."""
    if is_pending_character(s, rules, side, slot) or is_guarded(s, rules, side, slot, by):
        return False
    if rules.effects[card, row, EFFECT_VERB] == MOVE_CHAR and int(s.n_chars[1 - side]) >= MAX_SLOTS:
        return False
    filter_kind = int(rules.effects[card, row, EFFECT_FILTER])
    return passes_filter(s, rules, side, slot, filter_kind, int(rules.effects[card, row, EFFECT_FILTER_N]))


@kernel
def target_ok(s: Record, rules: Rules, card: int, row: int, by: int, side: int, slot: int) -> bool:
    """Whether (side, slot) is a legal first target of the effect in `row` of a card."""
    verb = int(rules.effects[card, row, EFFECT_VERB])
    if verb == SACRIFICE or verb == SWAP_CHAR:
        return side == by and character_ok(s, rules, card, row, by, side, slot)
    if not in_scope(int(rules.effects[card, row, EFFECT_SCOPE]), by, side):
        return False
    if is_item_verb(verb):
        return item_host_ok(s, rules, verb, by, side, slot)
    return character_ok(s, rules, card, row, by, side, slot)


@kernel
def swap_target_ok(s: Record, rules: Rules, card: int, row: int, by: int, side: int, slot: int) -> bool:
    """Whether (side, slot) is a legal second target of `swap_char`."""
    return side != by and character_ok(s, rules, card, row, by, side, slot)


@kernel
def has_target(s: Record, rules: Rules, card: int, row: int, by: int) -> bool:
    """Whether an effect has a legal target; a swap needs one on each side."""
    found = False
    for side in range(2):
        for slot in range(int(s.n_chars[side])):
            if target_ok(s, rules, card, row, by, side, slot):
                found = True
    if not found or rules.effects[card, row, EFFECT_VERB] != SWAP_CHAR:
        return found
    for slot in range(int(s.n_chars[1 - by])):
        if swap_target_ok(s, rules, card, row, by, 1 - by, slot):
            return True
    return False


# --- plays


@kernel
def costs_payable(s: Record, rules: Rules, seat: int, card: int) -> bool:
    """Whether all costs of a card in hand can be paid in full (R15)."""
    if int(rules.types[card, NUM_COST]) == 0:
        return True
    cards_needed = 0
    sacrifices_needed = 0
    for row in range(int(rules.types[card, NUM_COST])):
        verb = int(rules.effects[card, row, EFFECT_VERB])
        if verb == VERB_DISCARD:
            cards_needed += int(rules.effects[card, row, EFFECT_N])
        elif verb == SACRIFICE:
            sacrifices_needed += 1
    if cards_needed > int(s.n_hand[seat]) - 1:
        return False
    if sacrifices_needed == 0:
        return True
    for slot in range(int(s.n_chars[seat])):
        if not is_guarded(s, rules, seat, slot, seat):
            sacrifices_needed -= 1
    return sacrifices_needed <= 0


@kernel
def has_room(s: Record, rules: Rules, seat: int, card: int) -> bool:
    """Whether a character finds a slot on its side, if need be the one its `sacrifice` cost frees (R13)."""
    if int(s.n_chars[seat]) < MAX_SLOTS:
        return True
    for row in range(int(rules.types[card, NUM_COST])):
        if rules.effects[card, row, EFFECT_VERB] == SACRIFICE:
            return True
    return False


@kernel
def is_playable(s: Record, rules: Rules, seat: int, card: int, banned: int) -> bool:
    """Whether a card may be played: in hand, its kind not `banned`, costs payable, room for it or a legal host."""
    if int(s.hand[seat, card]) == 0:
        return False
    kind = int(rules.types[card, KIND])
    if (banned >> kind) & 1 != 0 or not costs_payable(s, rules, seat, card):
        return False
    if kind == CHARACTER:
        return has_room(s, rules, seat, card)
    return kind == SPECIAL or has_host(s, rules, card, seat)


# --- actions


@kernel
def is_legal_slot(s: Record, rules: Rules, action: int) -> bool:
    """Whether a `target` action is legal in a phase that asks for one."""
    by = int(s.actor)
    side = target_side(action, by)
    slot = target_slot(action)
    if slot >= int(s.n_chars[side]):
        return False
    card = int(s.p_card)
    phase = int(s.phase)
    if phase == ATTACH:
        return host_ok(s, rules, card, by, side, slot)
    if phase == DEST:
        return destination_ok(s, rules, int(s.p_item), by, int(s.p_first_side), int(s.p_first_slot), side, slot)
    if phase == SWAP:
        return swap_target_ok(s, rules, card, pending_row(s), by, side, slot)
    return target_ok(s, rules, card, pending_row(s), by, side, slot)


@kernel
def is_legal_pick(s: Record, rules: Rules, card: int) -> bool:
    """Whether `pick` of a card type is legal in a phase that asks for one."""
    phase = int(s.phase)
    if phase == DRAFT:
        for k in range(int(s.n_row)):
            if int(s.row[k]) == card:
                return True
        return False
    if phase == DISCARD:
        return int(s.hand[int(s.actor), card]) > 0
    verb = int(rules.effects[int(s.p_card), pending_row(s), EFFECT_VERB])
    return item_ok(s, rules, verb, int(s.p_by), card, int(s.p_first_side), int(s.p_first_slot))


@kernel
def is_legal_reward(s: Record, reward: int) -> bool:
    """Whether `reward` of a reward card is legal in a phase that asks for one."""
    if int(s.phase) == SELECT:
        for k in range(int(s.n_sel_row)):
            if int(s.sel_row[k]) == reward:
                return True
        return False
    for k in range(int(s.n_final)):
        if int(s.final[k]) == reward:
            return True
    return False


@kernel
def first_candidate(s: Record, rules: Rules) -> int:
    """First of the consecutive action numbers that the phase may allow, besides `also_legal`."""
    phase = int(s.phase)
    if phase == BATTLE or phase == EXTRA:
        return PLAY
    if phase == ATTACH or phase == TARGET or phase == DEST or phase == SWAP:
        return TARGET_OWN
    if phase == DRAFT or phase == ITEM or phase == DISCARD:
        return pick_start(rules)
    if phase == SELECT or phase == FINAL:
        return reward_start(rules)
    if phase == MODE:
        return MODE_1
    if phase == CHALLENGE:
        return CHALLENGE_A
    return ACCEPT


@kernel
def num_candidates(s: Record, rules: Rules) -> int:
    """How many consecutive action numbers `first_candidate` starts."""
    phase = int(s.phase)
    if phase == BATTLE or phase == EXTRA or phase == DRAFT or phase == ITEM or phase == DISCARD:
        return int(rules.num_types)
    if phase == ATTACH or phase == TARGET or phase == DEST or phase == SWAP:
        return 2 * MAX_SLOTS
    if phase == SELECT or phase == FINAL:
        return int(rules.num_rewards)
    if phase == MODE:
        return int(rules.types[int(s.p_card), NUM_MODES])
    if phase == CHALLENGE:
        return NUM_LETTERS
    if phase == BAIL:
        return 2
    return 0


@kernel
def also_legal(s: Record, rules: Rules) -> int:
    """The one action outside the candidates that the phase allows: `pass`, or `decline`; -1 if there is none."""
    phase = int(s.phase)
    if phase == BATTLE:
        return PASS
    if phase == EXTRA:
        return DECLINE
    if phase == TARGET and rules.effects[int(s.p_card), pending_row(s), EFFECT_MAY] == 1:
        return DECLINE
    return -1


@kernel
def is_legal_candidate(s: Record, rules: Rules, action: int) -> bool:
    """Whether a candidate action of the phase is legal."""
    phase = int(s.phase)
    if phase == BATTLE or phase == EXTRA:
        seat = int(s.actor)
        return is_playable(s, rules, seat, action - PLAY, banned_kinds(s, rules, seat))
    if phase == ATTACH or phase == TARGET or phase == DEST or phase == SWAP:
        return is_legal_slot(s, rules, action)
    if phase == DRAFT or phase == ITEM or phase == DISCARD:
        return is_legal_pick(s, rules, action - pick_start(rules))
    if phase == SELECT or phase == FINAL:
        return is_legal_reward(s, action - reward_start(rules))
    if phase == CHALLENGE:
        return (int(s.bailed) >> (action - CHALLENGE_A)) & 1 == 0
    if phase == BAIL:
        return action == ACCEPT or int(s.bails[int(s.actor)]) > 0
    return True  # mode


@kernel
def only_choice(s: Record, rules: Rules) -> int:
    """The action of a phase that leaves just one; -1 if there are more. `battle` and `extra` are always asked.

    Hand cards that all must go are discarded without asking, in type order.
    """
    phase = int(s.phase)
    if phase == BATTLE or phase == EXTRA:
        return -1
    all_go = phase == DISCARD and int(s.p_left) >= int(s.n_hand[int(s.actor)])
    first = first_candidate(s, rules)
    if phase == DRAFT:
        for k in range(1, int(s.n_row)):
            if int(s.row[k]) != int(s.row[0]):
                return -1
        return first + int(s.row[0])
    found = also_legal(s, rules)
    for action in range(first, first + num_candidates(s, rules)):
        if is_legal_candidate(s, rules, action):
            if found >= 0:
                return -1
            if all_go:
                return action
            found = action
    return found


@kernel
def legal(states: Records, i: int, rules: Records, mask: NDArray[np.bool_]) -> int:
    """Write the action mask of the acting seat, bool (A,), return the number of legal actions; all False when over."""
    s = states[i]
    r = rules[0]
    mask[:] = False
    if int(s.actor) < 0:
        return 0
    count = 0
    also = also_legal(s, r)
    if also >= 0:
        mask[also] = True
        count = 1
    phase = int(s.phase)
    first = first_candidate(s, r)
    if phase == BATTLE or phase == EXTRA:  # what is banned is looked up once for all cards
        seat = int(s.actor)
        banned = banned_kinds(s, r, seat)
        for card in range(int(r.num_types)):
            if int(s.hand[seat, card]) > 0 and is_playable(s, r, seat, card, banned):
                mask[first + card] = True
                count += 1
    elif phase == DRAFT:  # the row is shorter than the list of types
        for k in range(int(s.n_row)):
            if not mask[first + int(s.row[k])]:
                mask[first + int(s.row[k])] = True
                count += 1
    else:
        for action in range(first, first + num_candidates(s, r)):
            if is_legal_candidate(s, r, action):
                mask[action] = True
                count += 1
    return count
