"""Ask a player what it does in a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cardzoo.agents import Agent, Decisions
from cardzoo.envs import State


def decisions_of(states: Sequence[State]) -> Decisions:
    """Make the decisions of states of one game, none of them over."""
    game = states[0].game
    records: np.recarray[Any, Any] = np.concatenate([state.states for state in states]).view(np.recarray)
    seats = records.actor.copy()
    observations = np.stack([state.observe(int(seat)) for state, seat in zip(states, seats, strict=True)])
    masks = np.stack([state.action_mask() for state in states])
    return Decisions.of_batch(game, records, seats, observations, masks)


def answer(agent: Agent, state: State) -> str:
    """What a player does, as text; checked to be legal."""
    text = state.game.text(int(agent.act(decisions_of([state]))[0]))
    assert text in state.legal_texts()
    return text
