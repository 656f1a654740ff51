"""Reward cards: piles, the selection variant, challenges, bails and the final reward (rulings R20, R21, R24)."""

from __future__ import annotations

import numpy as np

from cardzoo.envs.bedroom_battle.actions import BAIL_OUT, CHALLENGE_A, reward_start
from cardzoo.envs.bedroom_battle.cards import FINAL as KIND_FINAL
from cardzoo.envs.bedroom_battle.cards import HOT, SMALL
from cardzoo.envs.bedroom_battle.state import BAIL, CHALLENGE, FINAL, NOBODY, OVER, SELECT
from cardzoo.envs.bedroom_battle.tables import (
    FINAL_REWARDS,
    HOT_REWARDS,
    PLAY_CHALLENGES,
    SELECT_REWARDS,
    SMALL_REWARDS,
    Rules,
)
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.piles import take_out, take_top
from cardzoo.envs.core.random import below, shuffle
from cardzoo.envs.core.records import Record

# --- unused rewards and the pot


@kernel
def take_unused(s: Record, kind: int) -> int:
    """Take the top unused small or hot reward; -1 if there is none."""
    if kind == HOT:
        n = int(s.n_unused_hot)
        if n == 0:
            return -1
        s.n_unused_hot = n - 1
        return take_top(s.unused_hot, n)
    n = int(s.n_unused_small)
    if n == 0:
        return -1
    s.n_unused_small = n - 1
    return take_top(s.unused_small, n)


@kernel
def put_unused(s: Record, kind: int, reward: int) -> None:
    """Put a reward back on the unused ones of its kind."""
    if kind == HOT:
        s.unused_hot[int(s.n_unused_hot)] = reward
        s.n_unused_hot += 1
    else:
        s.unused_small[int(s.n_unused_small)] = reward
        s.n_unused_small += 1


@kernel
def to_pot(s: Record, reward: int) -> None:
    """A reward card joins the pot, face up."""
    s.pot[int(s.n_pot)] = reward
    s.n_pot += 1
    s.seen[reward] = 1


@kernel
def add_reward(s: Record, kind: int) -> None:
    """The top unused reward of a kind joins the pot, if there is one."""
    reward = take_unused(s, kind)
    if reward >= 0:
        to_pot(s, reward)


# --- setup


@kernel
def shuffle_rewards(s: Record, rules: Rules) -> None:
    """Shuffle each kind of reward card; all are unused but the finals set aside."""
    finals = np.zeros(int(rules.num_rewards), np.uint8)
    n_finals = 0
    for reward in range(int(rules.num_rewards)):
        kind = int(rules.rewards[reward])
        if kind == KIND_FINAL:
            finals[n_finals] = reward
            n_finals += 1
        else:
            put_unused(s, kind, reward)
    shuffle(s.rng, s.unused_small, int(s.n_unused_small))
    shuffle(s.rng, s.unused_hot, int(s.n_unused_hot))
    shuffle(s.rng, finals, n_finals)
    for k in range(int(rules.options[FINAL_REWARDS])):
        s.final[k] = finals[k]
    s.n_final = rules.options[FINAL_REWARDS]


@kernel
def draw_preferences(s: Record, rules: Rules, seat: int) -> None:
    """Draw a seat's private preferences, uniform in -100..100 for each letter of each reward card."""
    for reward in range(int(rules.num_rewards)):
        for letter in range(3):
            s.prefs[seat, reward, letter] = below(s.rng, 201) - 100


@kernel
def build_pile(s: Record, rules: Rules) -> None:
    """Hot rewards at the bottom of the pile, small ones on top, each kind from its shuffled unused cards."""
    for _ in range(int(rules.options[HOT_REWARDS])):
        to_pile(s, take_unused(s, HOT))
    for _ in range(int(rules.options[SMALL_REWARDS])):
        to_pile(s, take_unused(s, SMALL))


@kernel
def to_pile(s: Record, reward: int) -> None:
    """Put a reward card on top of the pile."""
    s.pile[int(s.n_pile)] = reward
    s.n_pile += 1


# --- reward selection


@kernel
def open_selection(s: Record, rules: Rules, kind: int) -> None:
    """Lay out twice as many rewards of a kind as are used; hot: the starter picks first, small: the other (R24)."""
    count = int(rules.options[HOT_REWARDS if kind == HOT else SMALL_REWARDS])
    for k in range(2 * count):
        reward = take_unused(s, kind)
        s.sel_row[k] = reward
        s.seen[reward] = 1
    s.n_sel_row = 2 * count
    s.phase = SELECT
    s.actor = s.starter if kind == HOT else 1 - int(s.starter)


@kernel
def close_selection(s: Record, kind: int) -> None:
    """The kept rewards are shuffled onto the pile, the others go back and the unused ones are shuffled again (R24)."""
    for k in range(int(s.n_sel_row)):
        put_unused(s, kind, int(s.sel_row[k]))
        s.sel_row[k] = 0
    s.n_sel_row = 0
    if kind == HOT:
        shuffle(s.rng, s.unused_hot, int(s.n_unused_hot))
    else:
        shuffle(s.rng, s.unused_small, int(s.n_unused_small))
    n = int(s.n_sel_kept)
    shuffle(s.rng, s.sel_kept, n)
    for k in range(n):
        to_pile(s, int(s.sel_kept[k]))
        s.sel_kept[k] = 0
    s.n_sel_kept = 0


@kernel
def choose_reward(s: Record, rules: Rules, reward: int) -> bool:
    """The actor keeps a reward of the selection row; returns whether all selections are finished."""
    n = int(s.n_sel_row)
    take_out(s.sel_row, n, reward)
    s.n_sel_row = n - 1
    s.sel_kept[int(s.n_sel_kept)] = reward
    s.n_sel_kept += 1
    s.actor = 1 - int(s.actor)
    kind = int(rules.rewards[reward])
    if int(s.n_sel_kept) < rules.options[HOT_REWARDS if kind == HOT else SMALL_REWARDS]:
        return False
    close_selection(s, kind)
    if kind == HOT and int(rules.options[SMALL_REWARDS]) > 0:
        open_selection(s, rules, SMALL)
        return False
    return True


@kernel
def start_rewards(s: Record, rules: Rules) -> bool:
    """Build the pile, or open the first selection; returns whether the pile is ready."""
    if int(rules.options[SELECT_REWARDS]) == 0:
        build_pile(s, rules)
        return True
    open_selection(s, rules, HOT if int(rules.options[HOT_REWARDS]) > 0 else SMALL)
    return False


# --- the prize pot


@kernel
def reveal(s: Record) -> None:
    """The top of the pile joins the pot; with an empty pile an unused hot reward does, if there is one (R22)."""
    n = int(s.n_pile)
    if n > 0:
        s.n_pile = n - 1
        to_pot(s, take_top(s.pile, n))
    else:
        add_reward(s, HOT)


@kernel
def win_pot(s: Record, winner: int) -> None:
    """The winner of the round takes the pot, oldest card first (R20)."""
    n = int(s.n_pot)
    for k in range(n):
        s.won[winner, int(s.n_won[winner])] = s.pot[k]
        s.n_won[winner] += 1
        s.pot[k] = 0
    s.n_pot = 0
    s.ch_left = n


# --- challenges


@kernel
def challenger(s: Record) -> int:
    """Seat that picks the challenge: the winner of the round, of the game for the final reward."""
    return int(s.game_winner) if int(s.final_pick) > 0 else int(s.last_winner)


@kernel
def challenged_card(s: Record) -> int:
    """Reward card whose challenge is being picked."""
    if int(s.final_pick) > 0:
        return int(s.final_pick) - 1
    winner = int(s.last_winner)
    return int(s.won[winner, int(s.n_won[winner]) - int(s.ch_left)])


@kernel
def ask_challenge(s: Record) -> None:
    """The challenger picks a letter of the current card."""
    s.actor = challenger(s)
    s.phase = CHALLENGE


@kernel
def perform(s: Record, rules: Rules, letter: int) -> None:
    """A challenge, letter 0..2, is performed: it counts for both seats' comfort, and the next card is up."""
    card = challenged_card(s)
    level = int(rules.rewards[card]) + 1
    s.done[card] = letter + 1
    s.levels += level
    for seat in range(2):
        s.comfort[seat] += level * int(s.prefs[seat, card, letter])
    s.bailed = 0
    s.letter = 0
    if int(s.final_pick) == 0:
        s.ch_left -= 1


@kernel
def choose_challenge(s: Record, rules: Rules, action: int) -> bool:
    """The challenger picked a letter: the other seat may bail while it has bails; returns whether it is performed."""
    letter = action - CHALLENGE_A
    other = 1 - challenger(s)
    if int(s.bails[other]) > 0:
        s.letter = letter + 1
        s.actor = other
        s.phase = BAIL
        return False
    perform(s, rules, letter)
    return True


@kernel
def answer_challenge(s: Record, rules: Rules, action: int) -> bool:
    """The other seat accepts or bails; returns whether the challenge is performed."""
    if action == BAIL_OUT:
        s.bails[int(s.actor)] -= 1
        s.bailed = int(s.bailed) | (1 << (int(s.letter) - 1))
        s.letter = 0
        ask_challenge(s)
        return False
    perform(s, rules, int(s.letter) - 1)
    return True


# --- the end


@kernel
def end_game(s: Record, rules: Rules) -> None:
    """Most reward cards win, equal: the winner of the last round; then one final reward is challenged (R21)."""
    winner = int(s.last_winner)
    if int(s.n_won[0]) != int(s.n_won[1]):
        winner = 0 if int(s.n_won[0]) > int(s.n_won[1]) else 1
    s.game_winner = winner
    if int(rules.options[PLAY_CHALLENGES]) == 0:
        finish_game(s)
        return
    for k in range(int(s.n_final)):
        s.seen[int(s.final[k])] = 1
    s.actor = winner
    s.phase = FINAL


@kernel
def choose_final(s: Record, rules: Rules, action: int) -> None:
    """The game winner picks a final reward."""
    s.final_pick = action - reward_start(rules) + 1
    ask_challenge(s)


@kernel
def finish_game(s: Record) -> None:
    """No further decision."""
    s.phase = OVER
    s.actor = NOBODY
