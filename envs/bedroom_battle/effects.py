"""Carrying out the card being resolved: costs, placing it, when-played verbs, modes (rulings R6, R8, R16).

`run` works through the card until a choice is open (PROMPT) or the card is finished (TURN_OVER, BATTLE_OVER);
`choose` takes one answer. Choices with a single answer are taken without asking.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from cardzoo.envs.bedroom_battle.actions import DECLINE, MODE_1, pick_start, target_side, target_slot
from cardzoo.envs.bedroom_battle.appeal import items_guarded
from cardzoo.envs.bedroom_battle.board import (
    add_attachment,
    add_character,
    discard_character,
    is_on,
    move_character,
    move_item,
    oldest_copy,
    return_character,
    swap_characters,
    take_attachment,
)
from cardzoo.envs.bedroom_battle.cards import (
    ADD_REWARD,
    ALL,
    ALL_OPP,
    ALL_OWN,
    CHARACTER,
    DISCARD_CHAR,
    DISCARD_ITEM,
    DRAW,
    DRAW_DISCARD,
    DRAW_OPP,
    EFFECT_N,
    EFFECT_SCOPE,
    EFFECT_VERB,
    END_BATTLE,
    EXTRA_PLAY,
    KIND,
    MODE_LEN,
    MOVE_CHAR,
    MOVE_ITEM,
    NUM_COST,
    NUM_MODES,
    NUM_PLAY,
    OPP_DISCARD,
    OPP_DISCARD_RANDOM,
    OPP_DRAW,
    OWN_DISCARD,
    PEEK,
    RETURN_CHAR,
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
from cardzoo.envs.bedroom_battle.legal import (
    character_ok,
    free_copies,
    has_target,
    is_item_verb,
    only_choice,
    pending_row,
)
from cardzoo.envs.bedroom_battle.piles import (
    draw_from_discard,
    draw_to_hand,
    gain,
    know_hand,
    lose,
    random_hand_card,
    to_discard,
)
from cardzoo.envs.bedroom_battle.rewards import add_reward
from cardzoo.envs.bedroom_battle.state import (
    ATTACH,
    BATTLE,
    DEST,
    DISCARD,
    EXTRA,
    ITEM,
    MAX_SLOTS,
    MODE,
    PART_COST,
    PART_MODE,
    PART_PLAY,
    SWAP,
    TARGET,
)
from cardzoo.envs.bedroom_battle.tables import MAX_TURNS, Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

PROMPT: Final = 0  # a choice is open
TURN_OVER: Final = 1  # the turn is finished, the other seat is next
BATTLE_OVER: Final = 2  # the battle is finished and not yet scored


# --- effects without a choice


@kernel
def each_character(s: Record, rules: Rules, card: int, row: int, by: int) -> None:
    """Carry out an `all` verb on characters: the set is fixed first, the acting seat's side goes first (R7)."""
    verb = int(rules.effects[card, row, EFFECT_VERB])
    scope = int(rules.effects[card, row, EFFECT_SCOPE])
    chosen = np.zeros((2, MAX_SLOTS), np.bool_)
    for side in range(2):
        for slot in range(int(s.n_chars[side])):
            applies = scope == ALL or (scope == ALL_OWN) == (side == by)
            chosen[side, slot] = applies and character_ok(s, rules, card, row, by, side, slot)
    for n in range(2):
        side = by if n == 0 else 1 - by
        gone = 0
        for slot in range(MAX_SLOTS):
            if chosen[side, slot]:
                if verb == DISCARD_CHAR:
                    discard_character(s, side, slot - gone)
                else:
                    return_character(s, side, slot - gone)
                gone += 1


@kernel
def each_item(s: Record, rules: Rules, card: int, row: int, by: int) -> None:
    """Discard all items in scope: the acting seat's side first, slot by slot, oldest first (R7); guarded items stay."""
    scope = int(rules.effects[card, row, EFFECT_SCOPE])
    for n in range(2):
        side = by if n == 0 else 1 - by
        if scope != ALL and (scope == ALL_OWN) != (side == by):
            continue
        for slot in range(int(s.n_chars[side])):
            if items_guarded(s, rules, side, slot):
                continue
            k = 0
            while k < int(s.n_att):
                item = int(s.att_card[k])
                if (
                    is_on(s, k, side, slot)
                    and rules.types[item, KIND] == KIND_ITEM
                    and free_copies(s, rules, item, side, slot) > 0
                ):
                    to_discard(s, item)
                    take_attachment(s, k)
                else:
                    k += 1


@kernel
def take_from_hand(s: Record, by: int, count: int) -> None:
    """Take random cards from the other hand, seen by both seats (R17)."""
    for _ in range(min(count, int(s.n_hand[1 - by]))):
        gain(s, by, random_hand_card(s, 1 - by), True)


@kernel
def discard_random(s: Record, seat: int, count: int) -> None:
    """Random cards of a hand are discarded."""
    for _ in range(min(count, int(s.n_hand[seat]))):
        to_discard(s, random_hand_card(s, seat))


@kernel
def discard_hand(s: Record, seat: int) -> None:
    """A whole hand is discarded, in type order."""
    for card in range(s.hand.shape[1]):
        while int(s.hand[seat, card]) > 0:
            lose(s, seat, card)
            to_discard(s, card)


# --- the card in resolution


@kernel
def next_step(s: Record) -> None:
    """The present effect is done: go on with the next one of its part."""
    s.p_step += 1
    s.phase = BATTLE
    s.actor = s.p_by


@kernel
def ask_discard(s: Record, seat: int, count: int) -> None:
    """Let a seat pick `count` of its hand cards to discard; without a choice it is done at once."""
    if count >= int(s.n_hand[seat]):
        discard_hand(s, seat)
        next_step(s)
    else:
        s.p_left = count
        s.actor = seat
        s.phase = DISCARD


@kernel
def run_effect(s: Record, rules: Rules) -> None:
    """Carry out the present effect of the pending card, or open its choice."""
    card = int(s.p_card)
    by = int(s.p_by)
    row = pending_row(s)
    verb = int(rules.effects[card, row, EFFECT_VERB])
    scope = int(rules.effects[card, row, EFFECT_SCOPE])
    n = int(rules.effects[card, row, EFFECT_N])
    if verb == VERB_DISCARD or verb == OWN_DISCARD:
        ask_discard(s, by, n)
        return
    if verb == OPP_DISCARD:
        ask_discard(s, 1 - by, n)
        return
    if scope == ALL or scope == ALL_OWN or scope == ALL_OPP:
        if verb == DISCARD_ITEM:
            each_item(s, rules, card, row, by)
        else:
            each_character(s, rules, card, row, by)
    elif is_item_verb(verb) or (
        verb == SACRIFICE or verb == DISCARD_CHAR or verb == MOVE_CHAR or verb == RETURN_CHAR or verb == SWAP_CHAR
    ):
        if has_target(s, rules, card, row, by):
            s.phase = TARGET
            return
    elif verb == DRAW:
        draw_to_hand(s, rules, by, n)
    elif verb == OPP_DRAW:
        draw_to_hand(s, rules, 1 - by, n)
    elif verb == DRAW_DISCARD:
        draw_from_discard(s, by, n)
    elif verb == DRAW_OPP:
        take_from_hand(s, by, n)
    elif verb == OPP_DISCARD_RANDOM:
        discard_random(s, 1 - by, n)
    elif verb == PEEK:
        know_hand(s, 1 - by)
    elif verb == EXTRA_PLAY:
        s.p_extra = 1
    elif verb == END_BATTLE:
        s.p_end = 1
    elif verb == ADD_REWARD:
        add_reward(s, n)
    next_step(s)  # also `task`, which is performed at the table (R15)


@kernel
def place(s: Record, rules: Rules) -> None:
    """All costs are paid: the card comes into play, or its host is asked for; a special is held until the end."""
    card = int(s.p_card)
    by = int(s.p_by)
    kind = int(rules.types[card, KIND])
    s.p_part = PART_PLAY
    s.p_step = 1
    if kind == CHARACTER:
        s.p_slot = add_character(s, by, card)
        s.p_side = by
        s.p_placed = 1
    elif kind != SPECIAL:
        s.phase = ATTACH


@kernel
def clear_pending(s: Record) -> None:
    """No card is being resolved any more."""
    s.p_card = 0
    s.p_by = 0
    s.p_placed = 0
    s.p_side = 0
    s.p_slot = 0
    s.p_part = 0
    s.p_mode = 0
    s.p_step = 0
    s.p_extra = 0
    s.p_end = 0


@kernel
def finish(s: Record, rules: Rules) -> int:
    """The card is finished: a special is discarded (R6), the turn is counted (R23), another play may follow."""
    by = int(s.p_by)
    if rules.types[int(s.p_card), KIND] == SPECIAL:
        to_discard(s, int(s.p_card))
    ends = int(s.p_end) == 1
    again = int(s.p_extra) == 1 and int(s.n_hand[by]) > 0
    clear_pending(s)
    s.turns += 1
    if ends or int(s.turns) >= rules.options[MAX_TURNS]:
        return BATTLE_OVER
    if again:
        s.phase = EXTRA
        return PROMPT
    return TURN_OVER


@kernel
def part_length(s: Record, rules: Rules) -> int:
    """Effects in the part of the pending card that is being carried out."""
    card = int(s.p_card)
    if int(s.p_part) == PART_COST:
        return int(rules.types[card, NUM_COST])
    if int(s.p_part) == PART_PLAY:
        return int(rules.types[card, NUM_PLAY])
    return int(rules.types[card, MODE_LEN + int(s.p_mode) - 1])


@kernel
def run(s: Record, rules: Rules) -> int:
    """Carry the pending card on to its next open choice or its end; returns PROMPT, TURN_OVER or BATTLE_OVER."""
    while True:
        if int(s.phase) != BATTLE:
            action = only_choice(s, rules)
            if action < 0:
                return PROMPT
            choose(s, rules, action)
        elif int(s.p_step) <= part_length(s, rules):
            run_effect(s, rules)
        elif int(s.p_part) == PART_COST:
            place(s, rules)
        elif int(s.p_part) == PART_PLAY and int(rules.types[int(s.p_card), NUM_MODES]) > 0:
            s.p_part = PART_MODE
            s.p_step = 1
            s.phase = MODE
            return PROMPT
        else:
            return finish(s, rules)


@kernel
def start_play(s: Record, card: int) -> None:
    """A card leaves the hand to be played, open to both; its costs come first (R16)."""
    lose(s, int(s.actor), card)
    s.passes = 0
    s.phase = BATTLE
    s.p_card = card
    s.p_by = s.actor
    s.p_part = PART_COST
    s.p_step = 1


# --- answers to a choice


@kernel
def choose_target(s: Record, rules: Rules, side: int, slot: int) -> None:
    """The first target was named: carry the verb out, or ask on for the item or the second character."""
    verb = int(rules.effects[int(s.p_card), pending_row(s), EFFECT_VERB])
    if verb == SWAP_CHAR or is_item_verb(verb):
        s.p_first_side = side
        s.p_first_slot = slot
        s.phase = SWAP if verb == SWAP_CHAR else ITEM
        return
    if verb == MOVE_CHAR:
        move_character(s, side, slot)
    elif verb == RETURN_CHAR:
        return_character(s, side, slot)
    else:  # discard_char, sacrifice
        discard_character(s, side, slot)
    next_step(s)


@kernel
def forget_first(s: Record) -> None:
    """The verb that named a first target is done."""
    s.p_first_side = 0
    s.p_first_slot = 0
    s.p_item = 0
    next_step(s)


@kernel
def choose_item(s: Record, rules: Rules, item: int) -> None:
    """The item was named: discard or take its oldest copy, or ask for the new host."""
    verb = int(rules.effects[int(s.p_card), pending_row(s), EFFECT_VERB])
    if verb == MOVE_ITEM:
        s.p_item = item
        s.phase = DEST
        return
    take_attachment(s, oldest_copy(s, item, int(s.p_first_side), int(s.p_first_slot)))
    if verb == RETURN_ITEM:
        gain(s, int(s.p_by), item, True)
    else:
        to_discard(s, item)
    forget_first(s)


@kernel
def choose_discard(s: Record, card: int) -> None:
    """One card of the discarding seat's hand goes to the discard pile."""
    lose(s, int(s.actor), card)
    to_discard(s, card)
    s.p_left -= 1
    if int(s.p_left) == 0:
        next_step(s)


@kernel
def choose(s: Record, rules: Rules, action: int) -> None:
    """Take one legal answer to an open choice of the pending card (phases ATTACH to DISCARD)."""
    phase = int(s.phase)
    by = int(s.p_by)
    if action == DECLINE:
        next_step(s)
    elif phase == MODE:
        s.p_mode = action - MODE_1 + 1
        s.phase = BATTLE
    elif phase == DISCARD:
        choose_discard(s, action - pick_start(rules))
    elif phase == ITEM:
        choose_item(s, rules, action - pick_start(rules))
    else:
        side = target_side(action, by)
        slot = target_slot(action)
        if phase == TARGET:
            choose_target(s, rules, side, slot)
        elif phase == ATTACH:
            add_attachment(s, int(s.p_card), side, slot)
            s.p_side = side
            s.p_slot = slot
            s.p_placed = 1
            s.phase = BATTLE
        elif phase == DEST:
            move_item(s, int(s.p_item), int(s.p_first_side), int(s.p_first_slot), side, slot)
            forget_first(s)
        else:  # SWAP
            swap_characters(s, int(s.p_first_side), int(s.p_first_slot), slot)
            forget_first(s)
