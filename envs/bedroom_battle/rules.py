"""The course of a game: setup, drafts, turns, scoring, rounds and the end.

Everything inside a turn is in effects.py, everything about reward cards in rewards.py. `apply` is the one entry: it
takes a legal action and goes on to the next decision. `act` is the part of it inside a turn, which players that look
ahead use to see a turn's result before the next one begins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bedroom_battle.actions import DECLINE, PASS, PLAY, pick_start, reward_start
from cardzoo.envs.bedroom_battle.appeal import side_total
from cardzoo.envs.bedroom_battle.board import clear_board
from cardzoo.envs.bedroom_battle.cards import COPIES
from cardzoo.envs.bedroom_battle.effects import BATTLE_OVER, TURN_OVER, choose, run, start_play
from cardzoo.envs.bedroom_battle.legal import only_choice
from cardzoo.envs.bedroom_battle.piles import draw, draw_to_hand, gain, put_on_deck
from cardzoo.envs.bedroom_battle.rewards import (
    answer_challenge,
    ask_challenge,
    choose_challenge,
    choose_final,
    choose_reward,
    draw_preferences,
    end_game,
    finish_game,
    reveal,
    shuffle_rewards,
    start_rewards,
    win_pot,
)
from cardzoo.envs.bedroom_battle.state import (
    BAIL,
    BATTLE,
    CHALLENGE,
    DRAFT,
    EXTRA,
    FINAL,
    NOBODY,
    OVER,
    ROUND,
    ROW_SIZE,
    SELECT,
    SETUP_1,
    SETUP_2,
)
from cardzoo.envs.bedroom_battle.tables import (
    MAX_ROUNDS,
    MAX_TURNS,
    NO_DRAFT,
    PLAY_CHALLENGES,
    RANDOM_STARTER,
    STARTER,
    Rules,
)
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.piles import take_out
from cardzoo.envs.core.random import below, shuffle
from cardzoo.envs.core.records import Record, Records

ROUND_ROW = 3  # cards laid out for a round's draft
DEAL = 8  # cards of a starting hand without draft (R25)
BAILS = 2

# --- setup


@kernel
def setup(states: Records, i: int, rules: Records) -> None:
    """Start a new game in a record that is zeroed but for `rng`, up to its first decision."""
    s = states[i]
    r = rules[0]
    s.last_winner = NOBODY
    s.game_winner = NOBODY
    starter = int(r.options[STARTER])
    s.starter = below(s.rng, 2) if starter == RANDOM_STARTER else starter
    for card in range(int(r.num_types)):
        s.copies[card] = r.types[card, COPIES]
        for _ in range(int(r.types[card, COPIES])):
            put_on_deck(s, card)
    shuffle(s.rng, s.deck, int(s.n_deck))
    shuffle_rewards(s, r)
    for seat in range(2):
        s.bails[seat] = BAILS
        if r.challenge_weight > 0:
            draw_preferences(s, r, seat)
    if start_rewards(s, r):
        first_hands(s, r)
    settle(s, r)


@kernel
def first_hands(s: Record, rules: Rules) -> None:
    """The setup draft, or the deal that replaces it (R25)."""
    if int(rules.options[NO_DRAFT]) == 1:
        for n in range(2 * DEAL):
            draw_to_hand(s, rules, (int(s.starter) + n) % 2, 1)
        next_round(s, rules)
    else:
        open_draft(s, rules, SETUP_1)


# --- drafts


@kernel
def open_draft(s: Record, rules: Rules, stage: int) -> None:
    """Lay out the row of a draft stage, as many cards as the piles yield (R3, R4); `settle` skips an empty row."""
    for _ in range(ROUND_ROW if stage == ROUND else ROW_SIZE):
        card = draw(s, rules)
        if card >= 0:
            s.row[int(s.n_row)] = card
            s.n_row += 1
    s.draft_stage = stage
    s.phase = DRAFT
    s.actor = 1 - int(s.starter) if stage == SETUP_2 else int(s.starter)


@kernel
def close_draft(s: Record, rules: Rules) -> None:
    """The row is empty: the second row of the setup, the first round, or the battle follows."""
    stage = int(s.draft_stage)
    s.draft_stage = 0
    if stage == ROUND:
        start_battle(s)
    elif stage == SETUP_1:
        open_draft(s, rules, SETUP_2)
    else:
        next_round(s, rules)


@kernel
def pick(s: Record, card: int) -> None:
    """The actor takes a card out of the row, seen by both; `settle` goes on when the row is empty."""
    n = int(s.n_row)
    take_out(s.row, n, card)
    s.n_row = n - 1
    gain(s, int(s.actor), card, True)
    s.actor = 1 - int(s.actor)


# --- rounds


@kernel
def next_round(s: Record, rules: Rules) -> None:
    """Begin a round: cap (R23), reveal, draft or deal (R25); round 1 has no draft."""
    if int(s.round_no) >= int(rules.options[MAX_ROUNDS]):
        s.truncated = 1
        finish_game(s)
        return
    s.round_no += 1
    reveal(s)
    if int(s.round_no) == 1:
        start_battle(s)
    elif int(rules.options[NO_DRAFT]) == 1:
        draw_to_hand(s, rules, int(s.starter), 2)
        draw_to_hand(s, rules, 1 - int(s.starter), 1)
        start_battle(s)
    else:
        open_draft(s, rules, ROUND)


@kernel
def start_battle(s: Record) -> None:
    """The starting player is to move."""
    s.phase = BATTLE
    s.actor = s.starter


@kernel
def score(s: Record, rules: Rules) -> None:
    """Score a battle: totals, board to the discard pile, then the round is drawn or won (R2)."""
    own = side_total(s, rules, 0)
    other = side_total(s, rules, 1)
    clear_board(s, int(s.starter))
    s.passes = 0
    s.turns = 0
    if own == other:
        next_round(s, rules)
        return
    winner = 0 if own > other else 1
    s.last_winner = winner
    s.starter = 1 - winner
    win_pot(s, winner)
    if int(rules.options[PLAY_CHALLENGES]) == 1:
        ask_challenge(s)
    else:
        s.ch_left = 0
        after_rewards(s, rules)


@kernel
def after_rewards(s: Record, rules: Rules) -> None:
    """All won cards are done with: the game ends with an empty pile, else the next round begins."""
    if int(s.n_pile) == 0:
        end_game(s, rules)
    else:
        next_round(s, rules)


@kernel
def after_challenge(s: Record, rules: Rules) -> None:
    """A challenge was performed: the next card of the pot, the next round, or the end of the game."""
    if int(s.final_pick) > 0:
        finish_game(s)
    elif int(s.ch_left) > 0:
        ask_challenge(s)
    else:
        after_rewards(s, rules)


# --- actions


@kernel
def is_turn_phase(phase: int) -> bool:
    """Whether a phase lies inside a turn: a play, a pass, or a choice of the card being resolved."""
    return phase >= BATTLE and phase < CHALLENGE


@kernel
def act_on(s: Record, rules: Rules, action: int) -> int:
    """Carry out a legal action inside a turn without ending the turn; returns PROMPT, TURN_OVER or BATTLE_OVER."""
    phase = int(s.phase)
    if phase == BATTLE and action == PASS:
        s.passes += 1
        s.turns += 1
        if int(s.passes) == 2 or int(s.turns) >= int(rules.options[MAX_TURNS]):
            return BATTLE_OVER
        return TURN_OVER
    if phase == EXTRA and action == DECLINE:
        s.phase = BATTLE  # not a pass (R19)
        return TURN_OVER
    if phase == BATTLE or phase == EXTRA:
        start_play(s, action - PLAY)
    else:
        choose(s, rules, action)
    return run(s, rules)


@kernel
def act(states: Records, i: int, rules: Records, action: int) -> int:
    """`act_on` for game i of a batch: what a look-ahead calls."""
    return act_on(states[i], rules[0], action)


@kernel
def take(s: Record, rules: Rules, action: int) -> None:
    """Carry out a legal action, automatic choices that follow it outside a turn excepted."""
    phase = int(s.phase)
    if is_turn_phase(phase):
        status = act_on(s, rules, action)
        if status == TURN_OVER:
            s.actor = 1 - int(s.actor)
        elif status == BATTLE_OVER:
            score(s, rules)
    elif phase == DRAFT:
        pick(s, action - pick_start(rules))
    elif phase == CHALLENGE:
        if choose_challenge(s, rules, action):
            after_challenge(s, rules)
    elif phase == BAIL:
        if answer_challenge(s, rules, action):
            after_challenge(s, rules)
    elif phase == FINAL:
        choose_final(s, rules, action)
    elif phase == SELECT and choose_reward(s, rules, action - reward_start(rules)):
        first_hands(s, rules)


@kernel
def settle(s: Record, rules: Rules) -> None:
    """Take choices with a single answer until a seat has a decision or the game is over.

    Drafts are closed here and not where the last card goes, because kernels that call each other in a circle crash when
    numba loads them from its cache.
    """
    while int(s.phase) != OVER:
        if int(s.phase) == DRAFT and int(s.n_row) == 0:
            close_draft(s, rules)
            continue
        action = only_choice(s, rules)
        if action < 0:
            return
        take(s, rules, action)


@kernel
def apply(states: Records, i: int, rules: Records, action: int) -> None:
    """Carry out a legal action in game i and go on to the next decision or the end of the game."""
    take(states[i], rules[0], action)
    settle(states[i], rules[0])


@kernel
def resume(states: Records, i: int, rules: Records) -> None:
    """Take the automatic steps of a position that was set up by hand."""
    settle(states[i], rules[0])


@kernel
def returns(states: Records, i: int, rules: Records, out: NDArray[np.float64]) -> None:
    """Write each seat's return, float64 (2,): 0 before the end, then +1 and -1, or 0 when truncated, plus comfort."""
    s = states[i]
    r = rules[0]
    out[0] = 0.0
    out[1] = 0.0
    if int(s.phase) != OVER:
        return
    if int(s.truncated) == 0:
        out[int(s.game_winner)] = 1.0
        out[1 - int(s.game_winner)] = -1.0
    if r.challenge_weight > 0 and int(s.levels) > 0:
        for seat in range(2):
            out[seat] += r.challenge_weight * int(s.comfort[seat]) / (100.0 * int(s.levels))
