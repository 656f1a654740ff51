"""What a seat sees, as numbers: the layout of the observation and the kernel that writes it.

T battle card types, K attachment copies in the card set, R reward cards. A feature that is an exact function of others
is left out (own and opposing character counts, the discard pile below its top), and the card being resolved is given by
its features and a code instead of a one-hot.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bedroom_battle.appeal import appeal_within, board_traits, gender_of, has_guard
from cardzoo.envs.bedroom_battle.board import hosts, is_on, place_bit
from cardzoo.envs.bedroom_battle.cards import (
    DISCARD as VERB_DISCARD,
)
from cardzoo.envs.bedroom_battle.cards import (
    DISCARD_CHAR,
    DISCARD_ITEM,
    EFFECT_VERB,
    FEMALE,
    HOT,
    ITEM,
    KIND,
    MALE,
    MOVE_CHAR,
    MOVE_ITEM,
    OPP_DISCARD,
    OWN_DISCARD,
    RETURN_CHAR,
    RETURN_ITEM,
    SACRIFICE,
    SMALL,
    SWAP_CHAR,
    VALUE,
)
from cardzoo.envs.bedroom_battle.legal import pending_row
from cardzoo.envs.bedroom_battle.rewards import challenged_card
from cardzoo.envs.bedroom_battle.state import (
    ATTACH,
    BAIL,
    CHALLENGE,
    DEST,
    MAX_SLOTS,
    MODE,
    PHASES,
    SWAP,
)
from cardzoo.envs.bedroom_battle.state import ITEM as PHASE_ITEM
from cardzoo.envs.bedroom_battle.tables import (
    IS_SEALED,
    ITEM_GUARD,
    MAX_TURNS,
    OWN_GUARD,
    PROTECTS,
    SELECT_REWARDS,
    SELF_GUARD,
    Rules,
)
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.layout import Block, Layout
from cardzoo.envs.core.records import Record, Records

LIMIT = 2.0
MOST = 8  # copies of a type that a number within the limit can show
QUARTER = np.float32(0.25)
# Multiplying is several times as fast as dividing.
PER_2 = 1.0 / 2.0
PER_4 = 1.0 / 4.0
PER_5 = 1.0 / 5.0
PER_10 = 1.0 / 10.0
PER_16 = 1.0 / 16.0
PER_20 = 1.0 / 20.0
PER_28 = 1.0 / 28.0
PER_30 = 1.0 / 30.0
PER_40 = 1.0 / 40.0
PER_100 = 1.0 / 100.0
CODE = 128.0  # type codes are (type + 1) / CODE, 0 for none
SLOT_FEATURES = 9
NUM_PHASES = len(PHASES)
ASKING_VERBS = (
    VERB_DISCARD,
    SACRIFICE,
    OWN_DISCARD,
    OPP_DISCARD,
    DISCARD_CHAR,
    MOVE_CHAR,
    RETURN_CHAR,
    SWAP_CHAR,
    DISCARD_ITEM,
    RETURN_ITEM,
    MOVE_ITEM,
)
NUM_ASKING = len(ASKING_VERBS)
PENDING = 7 + NUM_ASKING
PROMPT_FEATURES = 11
CHALLENGE_FEATURES = 12
SCALARS = 25

# Place codes of the block `rewards`.
ON_OFFER = 1.0
IN_PILE = 0.5
WON = 0.2
LETTER = 0.05


def observation_layout(num_types: int, num_attachments: int, num_rewards: int) -> Layout:
    """The observation of one seat as named blocks; "own" and "opp" as that seat sees them."""
    types = (num_types,)
    return Layout(
        [
            Block("hand", types, "own hand, copies / 4"),
            Block("hand_hidden", types, "own copies the other seat does not know / 4"),
            Block("opp_known", types, "copies known to be in the other hand / 4"),
            Block("unseen", types, "copies in the deck or unknown in the other hand / 4"),
            Block("discard_top", types, "1, 1/2, 1/4 for the top three cards of the discard pile, added up"),
            Block("row", types, "cards laid out for the draft, copies / 4"),
            Block(
                "attachments",
                (num_attachments,),
                "each attachment copy: host slot / 16, minus: opp",
            ),
            Block(
                "slots",
                (2, MAX_SLOTS, SLOT_FEATURES),
                "own, opp: (type + 1) / 128, appeal / 20, base / 10, male, female, best and worst item / 5, "
                "protection (1 guarded against the other seat + 1/2 items guarded + 1/4 sealed), "
                "1 the card being resolved or its host, 1/2 the first target",
            ),
            Block(
                "rewards",
                (num_rewards,),
                "1 in the pot, still to be challenged, in the selection or a revealed final; 1/2 kept or known in the "
                "pile; "
                "won 0.2 (opp -0.2) + 0.05 * letter performed (opp -)",
            ),
            Block("reward_best", (num_rewards,), "own best preference on rewards on offer / 100"),
            Block("phase", (NUM_PHASES,), "one-hot: " + ", ".join(PHASES)),
            Block(
                "pending",
                (PENDING,),
                "(type + 1) / 128 of the card being resolved, of the item on its way; kind one-hot 4; value / 5; "
                "one-hot of the effect that asks: discard, sacrifice, own_discard, opp_discard, discard_char, "
                "move_char, "
                "return_char, swap_char, discard_item, return_item, move_item",
            ),
            Block(
                "prompt",
                (PROMPT_FEATURES,),
                "own card; part one-hot 3; mode one-hot 4; step / 3; left / 4; extra play",
            ),
            Block(
                "challenge",
                (CHALLENGE_FEATURES,),
                "letter on offer one-hot 3, bailed letters 3, kind of the card one-hot 3, own preferences / 100",
            ),
            Block(
                "scalars",
                (SCALARS,),
                "own total / 40, opp total / 40, difference / 20, own hand / 16, opp hand / 16, opp hidden / 16, "
                "deck / 100, discard / 100, round / 30, pile small / 16, pile hot / 16, pot small / 4, pot hot / 4, "
                "unused hot / 28, "
                "own won / 16, opp won / 16, lead / 16, own start, opp just passed, turns / max_turns, own bails / 2, "
                "opp bails / 2, last round, last winner (+1 own, -1 opp), own decision",
            ),
        ]
    )


@kernel
def within(value: float) -> float:
    """A feature held within -LIMIT..LIMIT."""
    if value > LIMIT:
        return LIMIT
    if value < -LIMIT:
        return -LIMIT
    return value


@kernel
def observe_cards(s: Record, rules: Rules, seat: int, out: NDArray[np.float32]) -> None:
    """Write the six blocks of one number a type."""
    n = int(rules.num_types)
    other = 1 - seat
    # One plain loop a block, in float32, so that they run as vector instructions.
    for card in range(n):
        out[card] = np.float32(s.hand[seat, card]) * QUARTER
    for card in range(n):
        out[n + card] = (np.float32(s.hand[seat, card]) - np.float32(s.known[seat, card])) * QUARTER
    for card in range(n):
        out[2 * n + card] = np.float32(s.known[other, card]) * QUARTER
    for card in range(n):
        hidden = np.float32(s.hand[other, card]) - np.float32(s.known[other, card])
        out[3 * n + card] = (np.float32(s.deck_left[card]) + hidden) * QUARTER
    if int(rules.max_copies) > MOST:
        for k in range(4 * n):
            out[k] = within(out[k])
    n_discard = int(s.n_discard)
    weight = 1.0
    for k in range(min(3, n_discard)):
        out[4 * n + int(s.discard[n_discard - 1 - k])] += weight
        weight *= 0.5
    for k in range(int(s.n_row)):
        out[5 * n + int(s.row[k])] += 0.25


# The kernels below write into `out`, float32 (D,), from entry `at` on: a slice for each block would cost more than it.


@kernel
def observe_items(s: Record, rules: Rules, side: int, slot: int, out: NDArray[np.float32], at: int) -> int:
    """Write the best and the worst item of a character, float32 (2,), and return the traits of its attachments."""
    traits = 0
    best = -1000
    worst = 1000
    for k in range(int(s.n_att)):
        if is_on(s, k, side, slot):
            attachment = int(s.att_card[k])
            traits |= int(rules.traits[attachment])
            if rules.types[attachment, KIND] == ITEM:
                item = int(rules.types[attachment, VALUE])
                best = max(best, item)
                worst = min(worst, item)
    if best > -1000:
        out[at] = within(best * PER_5)
        out[at + 1] = within(worst * PER_5)
    return traits


@kernel
def protection(s: Record, rules: Rules, side: int, slot: int, traits: int, board: int) -> float:
    """What a character that bears `traits` is protected from, as the layout codes it."""
    value = 0.0
    if (traits & SELF_GUARD) != 0 or ((board & OWN_GUARD) != 0 and has_guard(s, rules, side, slot)):
        value += 1.0
    if (traits & ITEM_GUARD) != 0:
        value += 0.5
    if (traits & IS_SEALED) != 0:
        value += 0.25
    return value


@kernel
def observe_side(s: Record, rules: Rules, side: int, board: int, worn: int, out: NDArray[np.float32], at: int) -> int:
    """Write the characters of a side, float32 (MAX_SLOTS * SLOT_FEATURES,), and return its total appeal.

    `board`: the traits in play; `worn`: the places of hosts.
    """
    total = 0
    for slot in range(int(s.n_chars[side])):
        card = int(s.chars[side, slot])
        traits = int(rules.traits[card])
        if (worn & place_bit(side, slot)) != 0:
            traits |= observe_items(s, rules, side, slot, out, at + 5)
        value = appeal_within(s, rules, side, slot, board, worn)
        total += value
        bits = gender_of(rules, card, traits)
        out[at] = (card + 1) / CODE
        out[at + 1] = within(value * PER_20)
        out[at + 2] = int(rules.types[card, VALUE]) * PER_10
        out[at + 3] = float(bits & MALE) / MALE
        out[at + 4] = float(bits & FEMALE) / FEMALE
        if (board & PROTECTS) != 0:
            out[at + 7] = protection(s, rules, side, slot, traits, board)
        at += SLOT_FEATURES
    return total


@kernel
def observe_targets(s: Record, side: int, out: NDArray[np.float32], at: int) -> None:
    """Mark, among the characters of a side, the one being resolved or its host, and the first target."""
    mark = at + SLOT_FEATURES - 1
    if int(s.p_placed) == 1 and int(s.p_side) == side and int(s.p_slot) >= 0:
        out[mark + SLOT_FEATURES * int(s.p_slot)] = 1.0
    phase = int(s.phase)
    if (phase == PHASE_ITEM or phase == DEST or phase == SWAP) and int(s.p_first_side) == side:
        out[mark + SLOT_FEATURES * int(s.p_first_slot)] += 0.5


@kernel
def observe_attachments(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write the host of each attachment in play, float32 (K,)."""
    for k in range(int(s.n_att)):
        place = int(rules.att_start[int(s.att_card[k])])
        while out[at + place] != 0.0:
            place += 1
        code = (1 + int(s.att_slot[k])) / MAX_SLOTS
        out[at + place] = code if int(s.att_side[k]) == seat else -code


@kernel
def offer_reward(s: Record, rules: Rules, seat: int, reward: int, out: NDArray[np.float32], at: int) -> None:
    """Mark a reward card that is on offer and the seat's best preference on it."""
    out[at + reward] = ON_OFFER
    preference = max(int(s.prefs[seat, reward, 0]), int(s.prefs[seat, reward, 1]), int(s.prefs[seat, reward, 2]))
    out[at + int(rules.num_rewards) + reward] = preference / 100.0


@kernel
def observe_rewards(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write where each reward card is as far as both seats know, and the seat's preferences, float32 (2 * R,)."""
    for side in range(2):
        sign = 1.0 if side == seat else -1.0
        for k in range(int(s.n_won[side])):
            reward = int(s.won[side, k])
            out[at + reward] = sign * (WON + LETTER * int(s.done[reward]))
    for k in range(int(s.n_pot)):
        offer_reward(s, rules, seat, int(s.pot[k]), out, at)
    for k in range(int(s.n_sel_row)):
        offer_reward(s, rules, seat, int(s.sel_row[k]), out, at)
    for k in range(int(s.n_sel_kept)):
        out[at + int(s.sel_kept[k])] = IN_PILE
    if int(rules.options[SELECT_REWARDS]) == 1:
        for k in range(int(s.n_pile)):
            out[at + int(s.pile[k])] = IN_PILE
    if int(s.ch_left) > 0:
        winner = int(s.last_winner)
        for k in range(int(s.n_won[winner]) - int(s.ch_left), int(s.n_won[winner])):
            offer_reward(s, rules, seat, int(s.won[winner, k]), out, at)
    for k in range(int(s.n_final)):
        if int(s.seen[int(s.final[k])]) == 1:
            offer_reward(s, rules, seat, int(s.final[k]), out, at)


@kernel
def observe_pending(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write the card being resolved and its prompt, float32 (PENDING + PROMPT_FEATURES,); zeros when there is none."""
    part = int(s.p_part)
    if part == 0:
        return
    card = int(s.p_card)
    phase = int(s.phase)
    out[at] = (card + 1) / CODE
    if phase == DEST:
        out[at + 1] = (int(s.p_item) + 1) / CODE
    out[at + 2 + int(rules.types[card, KIND])] = 1.0
    out[at + 6] = within(int(rules.types[card, VALUE]) / 5.0)
    if phase != ATTACH and phase != MODE:
        verb = int(rules.effects[card, pending_row(s), EFFECT_VERB])
        for k in range(NUM_ASKING):
            if ASKING_VERBS[k] == verb:
                out[at + 7 + k] = 1.0
    prompt = at + PENDING
    out[prompt] = 1.0 if int(s.p_by) == seat else 0.0
    out[prompt + part] = 1.0
    if int(s.p_mode) > 0:
        out[prompt + 3 + int(s.p_mode)] = 1.0
    out[prompt + 8] = int(s.p_step) / 3.0
    out[prompt + 9] = within(int(s.p_left) / 4.0)
    out[prompt + 10] = float(int(s.p_extra))


@kernel
def observe_challenge(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write the challenge that is being picked or offered, float32 (CHALLENGE_FEATURES,); zeros in other phases."""
    phase = int(s.phase)
    if phase != CHALLENGE and phase != BAIL:
        return
    card = challenged_card(s)
    if int(s.letter) > 0:
        out[at + int(s.letter) - 1] = 1.0
    for letter in range(3):
        out[at + 3 + letter] = float((int(s.bailed) >> letter) & 1)
        out[at + 9 + letter] = int(s.prefs[seat, card, letter]) / 100.0
    out[at + 6 + int(rules.rewards[card])] = 1.0


@kernel
def count_kind(rules: Rules, rewards: NDArray[np.uint8], n: int, kind: int) -> int:
    """Reward cards of a kind among the first n of an array."""
    count = 0
    for k in range(n):
        if int(rules.rewards[int(rewards[k])]) == kind:
            count += 1
    return count


@kernel
def observe_scalars(s: Record, rules: Rules, seat: int, own: int, opp: int, out: NDArray[np.float32], at: int) -> None:
    """Write the single numbers, float32 (SCALARS,); `own` and `opp` are the sides' totals."""
    other = 1 - seat
    out[at] = own * PER_40
    out[at + 1] = opp * PER_40
    out[at + 2] = (own - opp) * PER_20
    out[at + 3] = int(s.n_hand[seat]) * PER_16
    out[at + 4] = int(s.n_hand[other]) * PER_16
    out[at + 5] = (int(s.n_hand[other]) - int(s.n_known[other])) * PER_16
    out[at + 6] = int(s.n_deck) * PER_100
    out[at + 7] = int(s.n_discard) * PER_100
    out[at + 8] = int(s.round_no) * PER_30
    small = count_kind(rules, s.pile, int(s.n_pile), SMALL)
    out[at + 9] = small * PER_16
    out[at + 10] = (int(s.n_pile) - small) * PER_16
    hot = count_kind(rules, s.pot, int(s.n_pot), HOT)
    out[at + 11] = (int(s.n_pot) - hot) * PER_4
    out[at + 12] = hot * PER_4
    out[at + 13] = int(s.n_unused_hot) * PER_28
    out[at + 14] = int(s.n_won[seat]) * PER_16
    out[at + 15] = int(s.n_won[other]) * PER_16
    out[at + 16] = (int(s.n_won[seat]) - int(s.n_won[other])) * PER_16
    out[at + 17] = 1.0 if int(s.starter) == seat else 0.0
    out[at + 18] = 1.0 if int(s.passes) == 1 and int(s.actor) == seat else 0.0
    out[at + 19] = int(s.turns) / int(rules.options[MAX_TURNS])
    out[at + 20] = int(s.bails[seat]) * PER_2
    out[at + 21] = int(s.bails[other]) * PER_2
    out[at + 22] = 1.0 if int(s.n_pile) == 0 and int(s.round_no) > 0 else 0.0
    if int(s.last_winner) >= 0:
        out[at + 23] = 1.0 if int(s.last_winner) == seat else -1.0
    out[at + 24] = 1.0 if int(s.actor) == seat else 0.0
    for k in range(SCALARS):
        out[at + k] = within(out[at + k])


@kernel
def observe(states: Records, i: int, rules: Records, seat: int, out: NDArray[np.float32]) -> None:
    """Write what `seat` sees of game i, float32 (D,) as in `observation_layout`, every entry in -LIMIT..LIMIT."""
    s = states[i]
    r = rules[0]
    out[4 * int(r.num_types) :] = 0.0  # all entries before are written in any case
    observe_cards(s, r, seat, out)
    start = 6 * int(r.num_types)
    if int(s.n_att) > 0:
        observe_attachments(s, r, seat, out, start)
    start += int(r.num_attachments)
    board = board_traits(s, r)
    worn = hosts(s)
    own = observe_side(s, r, seat, board, worn, out, start)
    opp = observe_side(s, r, 1 - seat, board, worn, out, start + MAX_SLOTS * SLOT_FEATURES)
    if int(s.p_part) != 0:
        observe_targets(s, seat, out, start)
        observe_targets(s, 1 - seat, out, start + MAX_SLOTS * SLOT_FEATURES)
    start += 2 * MAX_SLOTS * SLOT_FEATURES
    n_rewards = int(r.num_rewards)
    observe_rewards(s, r, seat, out, start)
    start += 2 * n_rewards
    out[start + int(s.phase)] = 1.0
    start += NUM_PHASES
    observe_pending(s, r, seat, out, start)
    start += PENDING + PROMPT_FEATURES
    observe_challenge(s, r, seat, out, start)
    start += CHALLENGE_FEATURES
    observe_scalars(s, r, seat, own, opp, out, start)
