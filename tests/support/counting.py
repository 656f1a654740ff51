"""perft: counts of legal move sequences, which pin mask and rules in one number."""

from __future__ import annotations

import numpy as np

from cardzoo.envs.core import loops
from cardzoo.envs.core.state import State


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` legal actions from a state; chance is fixed by the state's generator."""
    game = state.game
    states = game.blank_states(depth + 1)
    states[0] = state.states[0]
    masks = np.zeros((depth + 1, game.num_actions), np.bool_)
    return int(loops.perft(states, game.rules, masks, np.zeros(depth + 1, np.int64), depth))


def slow_perft(state: State, depth: int) -> int:
    """The same by the plain interface, to compare with."""
    if depth == 0:
        return 1
    total = 0
    for action in state.legal_actions():
        successor = state.copy()
        successor.apply(action)
        total += slow_perft(successor, depth - 1)
    return total
