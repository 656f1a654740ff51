"""The players with other cards than the reference set: verbs, targets and copies that they have never seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardzoo.agents import make_agent
from cardzoo.envs import load
from tests.support.bloodsport_gambler import CUSTOM_CARDS
from tests.support.players import decisions_of, played_states

PLAYERS = ("punter", "bookmaker", "fixer")


@pytest.mark.parametrize(
    "options",
    [{}, {"seats": 1}, {"objective": "fate", "finished_seat": "continue", "pass_rule": "final"}],
    ids=str,
)
def test_they_play_legal_moves_to_the_end_and_do_not_look_at_what_is_hidden(options: dict[str, Any]) -> None:
    """A world that the seat cannot tell from the true one gives the same choice."""
    game = load("bloodsport_gambler", cards=CUSTOM_CARDS, **options)
    choices = 0
    for shift, first in enumerate(PLAYERS):
        seats = [first, "random"][: game.num_seats] if shift % 2 else ["random", first][-game.num_seats :]
        states = played_states(game, seats, seed=shift)  # checks that each choice is legal
        agent = make_agent(first, game)
        own = [state for state in states if seats[state.actor or 0] == first]
        rng = np.random.default_rng(shift)
        worlds = [state.resample(state.actor or 0, rng) for state in own]
        assert (agent.act(decisions_of(own)) == agent.act(decisions_of(worlds))).all()
        choices += len(own)
    assert choices > 60
