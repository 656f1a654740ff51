"""The rules of Battle Requiem: what each action does, and what the engine does by itself until the next decision.

Kernels must not call each other in a circle, so every part of the rules returns what comes next (falls.ASK ..) and
`run` calls the next part.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.battle_requiem.actions import (
    PLAY,
    SUFFER,
    answer_start,
    choose_start,
    discard_start,
    draft_start,
    duel_start,
    pick_start,
    reward_start,
    target_start,
)
from cardzoo.envs.battle_requiem.cards import ALLY, WHO
from cardzoo.envs.battle_requiem.deal import (
    ask_draft,
    choose_characters,
    clear_table,
    deal,
    next_to_draft,
    shuffle_deck,
)
from cardzoo.envs.battle_requiem.duel import commit_attack, commit_defence, resolve, start_defence, start_duel
from cardzoo.envs.battle_requiem.effects import (
    give,
    go_on,
    next_answer,
    next_step,
    pay_levy,
    picked,
    start_effect,
    suffer,
)
from cardzoo.envs.battle_requiem.falls import AFTER, ASK, END, END_TURN, QUEUE, RESOLVE, REWARDS, STEP
from cardzoo.envs.battle_requiem.legal import only_choice, step_value
from cardzoo.envs.battle_requiem.piles import discard
from cardzoo.envs.battle_requiem.rewards import next_reward, take_reward, trim
from cardzoo.envs.battle_requiem.seats import count_teams, seat_after, team_lives
from cardzoo.envs.battle_requiem.state import (
    ATTACK,
    CHOOSE,
    DEFEND,
    DISCARDED,
    LEVY,
    OVER,
    PICK,
    REWARD,
    TARGET,
    TRIBUTE,
    TRIM,
    TURN,
)
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.battle_requiem.turns import end_turn
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records


@kernel
def setup(states: Records, i: int, rules: Records) -> None:
    """Start a new game in a record that is zeroed but for `rng`, up to its first decision."""
    s = states[i]
    r = rules[0]
    clear_table(s, r)
    shuffle_deck(s, r)
    if choose_characters(s, r):
        deal(s, r)
    else:
        ask_draft(s, r)


@kernel
def take_turn(s: Record, rules: Rules, action: int) -> int:
    """One of the four things a turn may be; returns what comes next."""
    if action >= duel_start(rules):
        return start_duel(s, seat_after(s, rules, int(s.active), action - duel_start(rules) + 1))
    if action >= discard_start(rules):
        discard(s, int(s.active), action - discard_start(rules))
        s.last_turn[int(s.active)] = DISCARDED
        return END_TURN
    return start_effect(s, rules, action - PLAY)


@kernel
def choose_target(s: Record, rules: Rules, k: int) -> int:
    """The active seat points at `left k` (0: itself) for the current step."""
    seat = seat_after(s, rules, int(s.active), k)
    if step_value(s, rules, WHO) == ALLY:
        s.eff_ally = seat
    else:
        s.eff_foe = seat
    return STEP


@kernel
def draft(s: Record, rules: Rules, character: int) -> int:
    """The drafting seat takes a character; after the last one the game is dealt."""
    s.char[int(s.active)] = character
    if next_to_draft(s, rules) >= 0:
        ask_draft(s, rules)
    else:
        deal(s, rules)
    return ASK


@kernel
def take(s: Record, rules: Rules, action: int) -> int:
    """Carry out a legal action; returns what comes next."""
    phase = int(s.phase)
    if phase == TURN:
        return take_turn(s, rules, action)
    if phase == ATTACK:
        return commit_attack(s, rules, action - PLAY) if action < discard_start(rules) else start_defence(s)
    if phase == DEFEND:
        return commit_defence(s, rules, action - PLAY) if action < discard_start(rules) else RESOLVE
    if phase == CHOOSE:
        s.eff_branch = 1 + action - choose_start(rules)
        return STEP
    if phase == TARGET:
        return choose_target(s, rules, action - target_start(rules))
    if phase == PICK:
        return picked(s, rules, action - pick_start(rules))
    if phase == LEVY:
        if action == answer_start(rules) + SUFFER:
            return suffer(s, rules)
        return pay_levy(s, action - discard_start(rules))
    if phase == TRIBUTE:
        return give(s, rules, action - pick_start(rules))
    if phase == REWARD:
        return take_reward(s, rules, action - reward_start(rules))
    if phase == TRIM:
        return trim(s, rules, action - discard_start(rules))
    return draft(s, rules, action - draft_start(rules))


@kernel
def run(s: Record, rules: Rules, following: int) -> None:
    """Go on from what comes next until a seat has a decision that is none of R27's, or the game is over."""
    while True:
        if following == ASK:
            action = only_choice(s, rules)
            if action < 0:
                return
            following = take(s, rules, action)
        elif following == STEP:
            following = next_step(s, rules)
        elif following == QUEUE:
            following = next_answer(s, rules)
        elif following == RESOLVE:
            following = resolve(s, rules)
        elif following == REWARDS:
            following = next_reward(s)
        elif following == AFTER:
            following = go_on(s)
        elif following == END_TURN:
            following = end_turn(s, rules)
        elif following == END:
            return


@kernel
def apply(states: Records, i: int, rules: Records, action: int) -> None:
    """Carry out a legal action in game i and go on to the next decision or the end of the game."""
    s = states[i]
    run(s, rules[0], take(s, rules[0], action))


@kernel
def returns(states: Records, i: int, rules: Records, out: NDArray[np.float64]) -> None:
    """Write each seat's return so far, float64 (S,): 0 while its team is in, then by the option `returns`."""
    s = states[i]
    r = rules[0]
    for seat in range(len(out)):
        out[seat] = r.lost[int(s.place2[seat])]
    if int(s.phase) == OVER:
        living = count_teams(s, r)
        for seat in range(len(out)):
            if team_lives(s, r, int(r.team[seat])):
                out[seat] = r.won[living]
