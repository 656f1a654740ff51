"""Broken invariants of a record, as bits: what `State.problems`, the property tests and the fuzzing look for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bedroom_battle.appeal import appeal, side_total
from cardzoo.envs.bedroom_battle.board import is_pending_place
from cardzoo.envs.bedroom_battle.cards import ATTRIBUTE, CHARACTER, ITEM, KIND, SPECIAL
from cardzoo.envs.bedroom_battle.cards import FINAL as KIND_FINAL
from cardzoo.envs.bedroom_battle.legal import also_legal, first_candidate, is_legal_candidate, num_candidates
from cardzoo.envs.bedroom_battle.rules import is_turn_phase
from cardzoo.envs.bedroom_battle.state import (
    BATTLE,
    DRAFT,
    EXTRA,
    MAX_REWARDS,
    MAX_TYPES,
    OVER,
    SELECT,
)
from cardzoo.envs.bedroom_battle.tables import MAX_TURNS, PLAY_CHALLENGES, Rules
from cardzoo.envs.core.checks import rest_is_zero
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records

PROBLEM_NAMES = (
    "the copies of a card in all zones do not add up to the copies in the game",
    "the counts of a hand, of its known cards or of the deck are wrong, or more cards are known than held",
    "a slot of a list is not compact or not zeroed",
    "an attachment has no host, or stands for a card that is none",
    "a reward card is in two places, or left the game",
    "the board holds cards outside a battle, or the pot is empty in one",
    "the number of passes, turns or bails is out of range",
    "an appeal is negative or the totals are not their sums",
    "no action is legal, or the wrong seat is to decide",
    "a won reward has no performed challenge, or another one has",
    "the card being resolved is not where it should be",
    "the game is over without a winner or a truncation",
    "the round or the number of won rewards fell, bails rose, or the reward pile grew",
    "the starting player changed other than to the loser of a won round",
    "a battle was scored without two passes, an end of the battle or the turn cap",
    "a decision with a single choice was asked",
)
(
    COPIES_LOST,
    BAD_COUNTS,
    NOT_COMPACT,
    NO_HOST,
    REWARD_PLACES,
    BAD_ZONES,
    OUT_OF_RANGE,
    BAD_APPEAL,
    NO_ACTION,
    BAD_CHALLENGES,
    BAD_PENDING,
    BAD_END,
    NOT_MONOTONE,
    BAD_STARTER,
    BAD_SCORE,
    SINGLE_CHOICE,
) = tuple(1 << bit for bit in range(16))


@kernel
def cards_add_up(s: Record, rules: Rules) -> bool:
    """Per type: hands, deck, discard pile, row, board and the held card are all the copies in the game."""
    seen = np.zeros(MAX_TYPES, np.int64)
    for card in range(MAX_TYPES):
        seen[card] = int(s.hand[0, card])
        seen[card] += int(s.hand[1, card])
    for k in range(int(s.n_deck)):
        seen[int(s.deck[k])] += 1
    for k in range(int(s.n_discard)):
        seen[int(s.discard[k])] += 1
    for k in range(int(s.n_row)):
        seen[int(s.row[k])] += 1
    for side in range(2):
        for slot in range(int(s.n_chars[side])):
            seen[int(s.chars[side, slot])] += 1
    for k in range(int(s.n_att)):
        seen[int(s.att_card[k])] += 1
    is_special = int(s.p_part) != 0 and rules.types[int(s.p_card), KIND] == SPECIAL
    if int(s.p_part) != 0 and (is_special or int(s.p_placed) == 0):
        seen[int(s.p_card)] += 1
    for card in range(MAX_TYPES):
        if seen[card] != int(s.copies[card]):
            return False
    return True


@kernel
def counts_agree(s: Record) -> bool:
    """`n_hand`, `n_known` and `deck_left` say what the hands and the deck hold; known cards are held."""
    left = np.zeros(MAX_TYPES, np.int64)
    for k in range(int(s.n_deck)):
        left[int(s.deck[k])] += 1
    for card in range(MAX_TYPES):
        if left[card] != int(s.deck_left[card]):
            return False
    for seat in range(2):
        held = 0
        known = 0
        for card in range(MAX_TYPES):
            held += int(s.hand[seat, card])
            known += int(s.known[seat, card])
            if int(s.known[seat, card]) > int(s.hand[seat, card]):
                return False
        if held != int(s.n_hand[seat]) or known != int(s.n_known[seat]):
            return False
    return True


@kernel
def is_compact(s: Record) -> bool:
    """Whether all lists are zero behind their length."""
    for side in range(2):
        if not rest_is_zero(s.chars[side], int(s.n_chars[side])) or not rest_is_zero(s.won[side], int(s.n_won[side])):
            return False
    return (
        rest_is_zero(s.deck, int(s.n_deck))
        and rest_is_zero(s.discard, int(s.n_discard))
        and rest_is_zero(s.row, int(s.n_row))
        and rest_is_zero(s.att_card, int(s.n_att))
        and rest_is_zero(s.att_side, int(s.n_att))
        and rest_is_zero(s.att_slot, int(s.n_att))
        and rest_is_zero(s.pile, int(s.n_pile))
        and rest_is_zero(s.unused_hot, int(s.n_unused_hot))
        and rest_is_zero(s.unused_small, int(s.n_unused_small))
        and rest_is_zero(s.pot, int(s.n_pot))
        and rest_is_zero(s.sel_row, int(s.n_sel_row))
        and rest_is_zero(s.sel_kept, int(s.n_sel_kept))
        and rest_is_zero(s.final, int(s.n_final))
        and rest_is_zero(s.random_hand, int(s.n_random_hand))
    )


@kernel
def board_is_sound(s: Record, rules: Rules) -> bool:
    """Whether slots hold characters and every attachment is one and has a host."""
    for side in range(2):
        for slot in range(int(s.n_chars[side])):
            if rules.types[int(s.chars[side, slot]), KIND] != CHARACTER:
                return False
    for k in range(int(s.n_att)):
        kind = int(rules.types[int(s.att_card[k]), KIND])
        if kind != ITEM and kind != ATTRIBUTE:
            return False
        if int(s.att_side[k]) > 1 or int(s.att_slot[k]) >= int(s.n_chars[int(s.att_side[k])]):
            return False
    return True


@kernel
def count_places(places: NDArray[np.int64], rewards: NDArray[np.uint8], n: int) -> None:
    """Count the first n reward cards of an array."""
    for k in range(n):
        places[int(rewards[k])] += 1


@kernel
def placed_rewards(s: Record, places: NDArray[np.int64]) -> int:
    """Count in how many places each reward card is, int64 (256,), and return how many cards lie anywhere."""
    count_places(places, s.pile, int(s.n_pile))
    count_places(places, s.pot, int(s.n_pot))
    count_places(places, s.unused_hot, int(s.n_unused_hot))
    count_places(places, s.unused_small, int(s.n_unused_small))
    count_places(places, s.sel_row, int(s.n_sel_row))
    count_places(places, s.sel_kept, int(s.n_sel_kept))
    count_places(places, s.final, int(s.n_final))
    for side in range(2):
        count_places(places, s.won[side], int(s.n_won[side]))
    return int(places.sum())


@kernel
def rewards_in_one_place(s: Record, rules: Rules) -> bool:
    """No reward card is in two places; a position may leave cards out, play may not (`changes`)."""
    places = np.zeros(256, np.int64)
    placed_rewards(s, places)
    for reward in range(256):
        if places[reward] > (1 if reward < int(rules.num_rewards) else 0):
            return False
    return True


@kernel
def zones_fit_phase(s: Record) -> bool:
    """The board is empty outside a battle, the pot is not empty inside one, a row lies out only in a draft."""
    phase = int(s.phase)
    in_turn = is_turn_phase(phase)
    if not in_turn and (int(s.n_chars[0]) + int(s.n_chars[1]) + int(s.n_att) > 0 or int(s.turns) != 0):
        return False
    if in_turn and int(s.n_pot) == 0:
        return False
    return (int(s.n_row) > 0) == (phase == DRAFT) and (int(s.n_sel_row) > 0) == (phase == SELECT)


@kernel
def numbers_in_range(s: Record, rules: Rules) -> bool:
    """Passes, turns and bails as they may be at a decision."""
    if int(s.passes) < 0 or int(s.passes) > 1 or int(s.turns) < 0:
        return False
    if int(s.turns) >= int(rules.options[MAX_TURNS]):
        return False
    return int(s.bails[0]) <= 2 and int(s.bails[1]) <= 2


@kernel
def appeals_are_sound(s: Record, rules: Rules) -> bool:
    """No appeal is negative and a side's total is the sum of its appeals."""
    for side in range(2):
        total = 0
        for slot in range(int(s.n_chars[side])):
            value = appeal(s, rules, side, slot)
            if value < 0:
                return False
            total += value
        if total != side_total(s, rules, side):
            return False
    return True


@kernel
def count_legal(s: Record, rules: Rules) -> int:
    """Number of legal actions."""
    count = 1 if also_legal(s, rules) >= 0 else 0
    first = first_candidate(s, rules)
    for action in range(first, first + num_candidates(s, rules)):
        if is_legal_candidate(s, rules, action):
            count += 1
    return count


@kernel
def somebody_acts(s: Record, rules: Rules) -> bool:
    """A seat with at least one legal action is to decide, nobody when the game is over."""
    if int(s.phase) == OVER:
        return int(s.actor) == -1
    return (int(s.actor) == 0 or int(s.actor) == 1) and count_legal(s, rules) > 0


@kernel
def played_out(s: Record, rules: Rules) -> bool:
    """Whether the game came to its end with a final challenge."""
    return int(s.phase) == OVER and int(s.truncated) == 0 and int(rules.options[PLAY_CHALLENGES]) == 1


@kernel
def letters_are_sound(s: Record, rules: Rules) -> bool:
    """Only won cards have a performed letter, and at the end of a game that was played out at most one final."""
    won = np.zeros(MAX_REWARDS, np.int64)
    for side in range(2):
        count_places(won, s.won[side], int(s.n_won[side]))
    finals = 0
    for reward in range(MAX_REWARDS):
        if int(s.done[reward]) == 0:
            continue
        if reward < int(rules.num_rewards) and rules.rewards[reward] == KIND_FINAL:
            finals += 1
        elif won[reward] == 0:
            return False
    return finals <= (1 if played_out(s, rules) else 0)


@kernel
def missing_letters(s: Record) -> int:
    """Won cards without a performed letter that are not still to be challenged."""
    count = -int(s.ch_left)
    for side in range(2):
        for k in range(int(s.n_won[side])):
            if int(s.done[int(s.won[side, k])]) == 0:
                count += 1
    return count


@kernel
def pending_is_sound(s: Record, rules: Rules) -> bool:
    """A card is being resolved exactly in the phases that resolve one, and stands where the record says."""
    phase = int(s.phase)
    resolving = is_turn_phase(phase) and phase != BATTLE and phase != EXTRA
    if resolving != (int(s.p_part) != 0):
        return False
    if not resolving:
        return int(s.p_card) == 0 and int(s.p_placed) == 0 and int(s.p_extra) == 0 and int(s.p_left) == 0
    if int(s.p_placed) == 0 or int(s.p_slot) < 0:
        return True
    side = int(s.p_side)
    slot = int(s.p_slot)
    if slot >= int(s.n_chars[side]) or not is_pending_place(s, side, slot):
        return False
    return rules.types[int(s.p_card), KIND] != CHARACTER or int(s.chars[side, slot]) == int(s.p_card)


@kernel
def problems(states: Records, i: int, rules: Records) -> int:
    """Bits of the broken invariants of game i, named by PROBLEM_NAMES; 0 if there are none."""
    s = states[i]
    r = rules[0]
    found = 0
    if not cards_add_up(s, r):
        found |= COPIES_LOST
    if not counts_agree(s):
        found |= BAD_COUNTS
    if not is_compact(s):
        found |= NOT_COMPACT
    if not board_is_sound(s, r):
        found |= NO_HOST
    if not rewards_in_one_place(s, r):
        found |= REWARD_PLACES
    if not zones_fit_phase(s):
        found |= BAD_ZONES
    if not numbers_in_range(s, r):
        found |= OUT_OF_RANGE
    if not appeals_are_sound(s, r):
        found |= BAD_APPEAL
    if not somebody_acts(s, r):
        found |= NO_ACTION
    if not letters_are_sound(s, r):
        found |= BAD_CHALLENGES
    if not pending_is_sound(s, r):
        found |= BAD_PENDING
    if int(s.phase) == OVER and (int(s.game_winner) < 0) != (int(s.truncated) == 1):
        found |= BAD_END
    return found


@kernel
def is_monotone(after: Record, before: Record) -> bool:
    """Rounds and won rewards do not fall, bails do not rise, the pile does not grow after the selection."""
    if int(after.round_no) < int(before.round_no):
        return False
    if int(before.phase) != SELECT and int(after.n_pile) > int(before.n_pile):
        return False
    for seat in range(2):
        if int(after.n_won[seat]) < int(before.n_won[seat]) or int(after.bails[seat]) > int(before.bails[seat]):
            return False
    return True


@kernel
def changes(states: Records, i: int, rules: Records, before_states: Records, j: int) -> int:
    """Bits of the invariants broken between game j of `before_states` and its successor, game i."""
    after = states[i]
    before = before_states[j]
    r = rules[0]
    found = 0
    if not is_monotone(after, before):
        found |= NOT_MONOTONE
    scored = int(after.n_won[0]) + int(after.n_won[1]) > int(before.n_won[0]) + int(before.n_won[1])
    if int(after.starter) != int(before.starter) and not (scored and int(after.starter) == 1 - int(after.last_winner)):
        found |= BAD_STARTER
    if int(r.options[PLAY_CHALLENGES]) == 1 and missing_letters(after) > missing_letters(before):
        found |= BAD_CHALLENGES
    if played_out(after, r) and (int(after.final_pick) == 0 or int(after.done[int(after.final_pick) - 1]) == 0):
        found |= BAD_CHALLENGES
    if placed_rewards(after, np.zeros(256, np.int64)) != placed_rewards(before, np.zeros(256, np.int64)):
        found |= REWARD_PLACES
    phase = int(after.phase)
    if scored and not is_turn_phase(int(before.phase)):
        found |= BAD_SCORE
    may_be_single = phase == BATTLE or phase == EXTRA or phase == OVER
    if not may_be_single and count_legal(after, r) < 2:
        found |= SINGLE_CHOICE
    return found
