"""Continuous effects: appeal, gender, guards, seals and bans (rulings R11, R14), computed from the board when asked.

Effects that are on or off are bits, computed once per card type (tables.py). A *source* is a card in play with `while`
effects. Its *bearer* is the character it is, or the character it is attached to.
"""

from __future__ import annotations

from cardzoo.envs.bedroom_battle.board import hosts, is_on, place_bit
from cardzoo.envs.bedroom_battle.cards import (
    BOTH,
    DOUBLE,
    EFFECT_FILTER,
    EFFECT_FILTER_N,
    EFFECT_N,
    EFFECT_SCOPE,
    EFFECT_VERB,
    FEMALE,
    FILTER_BASE_GE,
    FILTER_BASE_LE,
    FILTER_FEMALE,
    FILTER_MALE,
    GENDER,
    IF,
    IF_ALONE,
    IF_NO_ITEMS,
    IF_ON,
    IF_OUTNUMBERED,
    IF_WITH,
    ITEM,
    KIND,
    MALE,
    MOD,
    NO_NEGATIVE,
    NUM_WHILE,
    OPP,
    OWN,
    OWN_OTHERS,
    PER,
    PER_ITEMS,
    PER_OPP_CHARS,
    PER_OPP_HAND,
    PER_OWN_HAND,
    PER_OWN_OTHERS,
    PER_POT,
    PER_SAME,
    VALUE,
    WHILE_ROW,
)
from cardzoo.envs.bedroom_battle.tables import (
    BANS,
    IS_BOTH,
    IS_SEALED,
    ITEM_GUARD,
    MODIFIES,
    OWN_GUARD,
    SELF_GUARD,
    Rules,
)
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record


@kernel
def board_traits(s: Record, rules: Rules) -> int:
    """Trait bits (tables.py) borne by anything in play: what nobody bears need not be looked for."""
    bits = 0
    for side in range(2):
        for slot in range(int(s.n_chars[side])):
            bits |= int(rules.traits[int(s.chars[side, slot])])
    for k in range(int(s.n_att)):
        bits |= int(rules.traits[int(s.att_card[k])])
    return bits


@kernel
def traits_of(s: Record, rules: Rules, side: int, slot: int) -> int:
    """Trait bits (tables.py) that a character bears: its own and its attachments'."""
    bits = int(rules.traits[int(s.chars[side, slot])])
    for k in range(int(s.n_att)):
        if is_on(s, k, side, slot):
            bits |= int(rules.traits[int(s.att_card[k])])
    return bits


@kernel
def gender_of(rules: Rules, card: int, traits: int) -> int:
    """Gender bits of a character of a type that bears `traits`: MALE | FEMALE, 0 for none (R11)."""
    if (traits & IS_BOTH) != 0:
        return BOTH
    return int(rules.types[card, GENDER])


@kernel
def gender(s: Record, rules: Rules, side: int, slot: int) -> int:
    """Gender bits of a character: MALE | FEMALE, 0 for none; `both_genders` makes it both (R11)."""
    return gender_of(rules, int(s.chars[side, slot]), traits_of(s, rules, side, slot))


@kernel
def passes_filter(s: Record, rules: Rules, side: int, slot: int, filter_kind: int, filter_n: int) -> bool:
    """Whether a character passes an effect's filter: gender with R11, or its printed base appeal."""
    if filter_kind == FILTER_MALE:
        return (gender(s, rules, side, slot) & MALE) != 0
    if filter_kind == FILTER_FEMALE:
        return (gender(s, rules, side, slot) & FEMALE) != 0
    base = int(rules.types[int(s.chars[side, slot]), VALUE])
    if filter_kind == FILTER_BASE_LE:
        return base <= filter_n
    if filter_kind == FILTER_BASE_GE:
        return base >= filter_n
    return True


@kernel
def count_items(s: Record, rules: Rules, side: int, slot: int) -> int:
    """Items on a character."""
    count = 0
    for k in range(int(s.n_att)):
        if is_on(s, k, side, slot) and rules.types[int(s.att_card[k]), KIND] == ITEM:
            count += 1
    return count


@kernel
def count_same(s: Record, side: int, card: int) -> int:
    """Characters of a type on a side."""
    count = 0
    for slot in range(int(s.n_chars[side])):
        if int(s.chars[side, slot]) == card:
            count += 1
    return count


@kernel
def per_count(s: Record, rules: Rules, side: int, slot: int, what: int) -> int:
    """How many X a `per X n` effect counts for its bearer."""
    if what == PER_OWN_OTHERS:
        return int(s.n_chars[side]) - 1
    if what == PER_OPP_CHARS:
        return int(s.n_chars[1 - side])
    if what == PER_OWN_HAND:
        return int(s.n_hand[side])
    if what == PER_OPP_HAND:
        return int(s.n_hand[1 - side])
    if what == PER_ITEMS:
        return count_items(s, rules, side, slot)
    if what == PER_SAME:
        return count_same(s, side, int(s.chars[side, slot])) - 1
    if what == PER_POT:
        return int(s.n_pot)
    return 0


@kernel
def condition_holds(s: Record, rules: Rules, side: int, slot: int, condition: int, card: int) -> bool:
    """Whether the condition of an `if C n` effect holds for its bearer; `card` is what `with` and `on` name."""
    if condition == IF_ALONE:
        return int(s.n_chars[side]) == 1
    if condition == IF_OUTNUMBERED:
        return int(s.n_chars[1 - side]) > int(s.n_chars[side])
    if condition == IF_NO_ITEMS:
        return count_items(s, rules, side, slot) == 0
    is_card = int(s.chars[side, slot]) == card
    if condition == IF_ON:
        return is_card
    if condition == IF_WITH:
        return count_same(s, side, card) > (1 if is_card else 0)
    return False


@kernel
def own_term(s: Record, rules: Rules, side: int, slot: int, card: int, k: int) -> int:
    """Amount that the k-th `while` effect of a card adds to its own bearer: `per` and `if`, 0 for other verbs."""
    verb = int(rules.effects[card, WHILE_ROW + k, EFFECT_VERB])
    what = int(rules.effects[card, WHILE_ROW + k, EFFECT_SCOPE])
    n = int(rules.effects[card, WHILE_ROW + k, EFFECT_N])
    if verb == PER:
        return n * per_count(s, rules, side, slot, what)
    if verb == IF and condition_holds(
        s, rules, side, slot, what, int(rules.effects[card, WHILE_ROW + k, EFFECT_FILTER_N])
    ):
        return n
    return 0


@kernel
def mod_term(
    s: Record, rules: Rules, side: int, slot: int, card: int, k: int, bearer_side: int, bearer_slot: int
) -> int:
    """Amount that the k-th `while` effect of a source adds to a character: `mod`, 0 for other verbs."""
    if rules.effects[card, WHILE_ROW + k, EFFECT_VERB] != MOD:
        return 0
    scope = int(rules.effects[card, WHILE_ROW + k, EFFECT_SCOPE])
    same_side = side == bearer_side
    is_bearer = same_side and slot == bearer_slot
    if scope == OWN:
        in_scope = same_side
    elif scope == OWN_OTHERS:
        in_scope = same_side and not is_bearer
    elif scope == OPP:
        in_scope = not same_side
    else:  # all_others
        in_scope = not is_bearer
    filter_kind = int(rules.effects[card, WHILE_ROW + k, EFFECT_FILTER])
    filter_n = int(rules.effects[card, WHILE_ROW + k, EFFECT_FILTER_N])
    if in_scope and passes_filter(s, rules, side, slot, filter_kind, filter_n):
        return int(rules.effects[card, WHILE_ROW + k, EFFECT_N])
    return 0


@kernel
def appeal(s: Record, rules: Rules, side: int, slot: int) -> int:
    """Appeal of a character: sum of base and terms, doubled per `double`, floored at 0 last (R14)."""
    return appeal_within(s, rules, side, slot, board_traits(s, rules), hosts(s))


@kernel
def add_mods(s: Record, rules: Rules, side: int, slot: int) -> tuple[int, int]:
    """Sums of the positive and the negative `mod` amounts of all sources in play that reach a character."""
    positive = 0
    negative = 0
    for bearer_side in range(2):
        for bearer_slot in range(int(s.n_chars[bearer_side])):
            card = int(s.chars[bearer_side, bearer_slot])
            for k in range(int(rules.types[card, NUM_WHILE])):
                term = mod_term(s, rules, side, slot, card, k, bearer_side, bearer_slot)
                if term < 0:
                    negative += term
                else:
                    positive += term
    for index in range(int(s.n_att)):
        card = int(s.att_card[index])
        for k in range(int(rules.types[card, NUM_WHILE])):
            term = mod_term(s, rules, side, slot, card, k, int(s.att_side[index]), int(s.att_slot[index]))
            if term < 0:
                negative += term
            else:
                positive += term
    return positive, negative


@kernel
def appeal_within(s: Record, rules: Rules, side: int, slot: int, board: int, worn: int) -> int:
    """`appeal` for a caller that has the board's traits and `hosts` already."""
    own_card = int(s.chars[side, slot])
    total = int(rules.types[own_card, VALUE])
    num_attachments = int(s.n_att) if (worn & place_bit(side, slot)) != 0 else 0
    if num_attachments == 0 and int(rules.types[own_card, NUM_WHILE]) == 0 and (board & MODIFIES) == 0:
        return total  # nothing can change it, which is the most frequent case
    negative = 0
    doubles = 0
    keep_negative = True
    # -1 is the character itself, then its attachments: their values, `per`, `if`, `double` and `no_negative`.
    for index in range(-1, num_attachments):
        card = own_card
        if index >= 0:
            if not is_on(s, index, side, slot):
                continue
            card = int(s.att_card[index])
            value = int(rules.types[card, VALUE])
            if value < 0:
                negative += value
            else:
                total += value
        for k in range(int(rules.types[card, NUM_WHILE])):
            verb = int(rules.effects[card, WHILE_ROW + k, EFFECT_VERB])
            if verb == DOUBLE:
                doubles += 1
            elif verb == NO_NEGATIVE:
                keep_negative = False
            else:
                term = own_term(s, rules, side, slot, card, k)
                if term < 0:
                    negative += term
                else:
                    total += term
    if (board & MODIFIES) != 0:
        positive_mods, negative_mods = add_mods(s, rules, side, slot)
        total += positive_mods
        negative += negative_mods
    if keep_negative:
        total += negative
    if total <= 0:
        return 0
    return total << doubles


@kernel
def side_total(s: Record, rules: Rules, side: int) -> int:
    """Total appeal of a side."""
    total = 0
    board = board_traits(s, rules)
    worn = hosts(s)
    for slot in range(int(s.n_chars[side])):
        total += appeal_within(s, rules, side, slot, board, worn)
    return total


@kernel
def has_guard(s: Record, rules: Rules, side: int, slot: int) -> bool:
    """Whether another character of its side guards a character against the opposing seat."""
    for other in range(int(s.n_chars[side])):
        if other != slot and (traits_of(s, rules, side, other) & OWN_GUARD) != 0:
            return True
    return False


@kernel
def is_guarded(s: Record, rules: Rules, side: int, slot: int, by: int) -> bool:
    """Whether a character is guarded against seat `by`: by itself, or against the other seat by another one."""
    if (traits_of(s, rules, side, slot) & SELF_GUARD) != 0:
        return True
    return by != side and has_guard(s, rules, side, slot)


@kernel
def items_guarded(s: Record, rules: Rules, side: int, slot: int) -> bool:
    """Whether the items on a character are guarded (against both seats)."""
    return (traits_of(s, rules, side, slot) & ITEM_GUARD) != 0


@kernel
def is_sealed(s: Record, rules: Rules, side: int, slot: int) -> bool:
    """Whether the opposing seat cannot play or move attachments onto a character."""
    return (traits_of(s, rules, side, slot) & IS_SEALED) != 0


@kernel
def banned_kinds(s: Record, rules: Rules, seat: int) -> int:
    """Bit mask of the kinds of cards that cards in play on the other side forbid `seat` to play."""
    other = 1 - seat
    bits = 0
    for slot in range(int(s.n_chars[other])):
        bits |= int(rules.traits[int(s.chars[other, slot])])
    for k in range(int(s.n_att)):
        if int(s.att_side[k]) == other:
            bits |= int(rules.traits[int(s.att_card[k])])
    return bits // BANS
