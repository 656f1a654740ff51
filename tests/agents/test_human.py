"""The player at the terminal, with typed input and recorded output."""

from __future__ import annotations

import numpy as np
import pytest

from cardzoo.agents.human import HumanAgent, PlayerLeft
from tests.agents.test_players import decisions


def person(tiny, *typed):
    told = []
    lines = iter(typed)

    def ask(prompt):
        told.append(prompt)
        return next(lines)

    return HumanAgent(tiny, ask=ask, tell=told.append), told


def test_a_number_or_a_text_chooses_that_legal_move(tiny):
    _, batch = decisions(tiny, 2)
    legal = [np.flatnonzero(mask) for mask in batch.masks]
    agent, told = person(tiny, "1", tiny.text(int(legal[1][-1])).upper())
    np.testing.assert_array_equal(agent.act(batch), [legal[0][0], legal[1][-1]])
    for number, action in enumerate(legal[0], start=1):
        assert f"{number}  {tiny.text(int(action))}" in told[0]


def test_the_table_shows_nothing_hidden(tiny):
    """Two tables that the seat cannot tell apart look the same on the screen."""
    states, batch = decisions(tiny, 1, seed=5)
    seat = int(batch.seats[0])
    shown = []
    for seed in range(8):
        world = states.copy()
        tiny.kernels.resample(world, 0, tiny.rules, seat, np.array([seed, 2, 3, 4], np.uint32))
        from cardzoo.agents import Decisions

        twin = Decisions.of_batch(tiny, world, batch.seats, batch.observations, batch.masks)
        agent, told = person(tiny, "1")
        agent.act(twin)
        shown.append(tuple(told))
    assert len(set(shown)) == 1
    assert f"seat {1 - seat}: " in shown[0][0]


def test_question_mark_explains_and_bad_input_is_asked_again(tiny):
    _, batch = decisions(tiny, 1)
    agent, told = person(tiny, "?", "? 1", "?99", "0", "granny", "", "t", "1")
    agent.act(batch)
    text = "\n".join(told)
    assert text.count("Lay a ") >= 2
    assert "q leaves" in text
    assert "'99' is not a move here" in text
    assert "'0' is not a move here" in text
    assert "'granny' is not a move here" in text
    assert text.count("tricks 0 to") + text.count("tricks 1 to") == 2  # the table at first, and on `t`


@pytest.mark.parametrize("typed", ["q", " Q "])
def test_q_leaves(tiny, typed):
    _, batch = decisions(tiny, 1)
    agent, _ = person(tiny, typed)
    with pytest.raises(PlayerLeft):
        agent.act(batch)


def test_the_end_of_the_input_leaves(tiny):
    _, batch = decisions(tiny, 1)

    def ask(prompt):
        raise EOFError

    with pytest.raises(PlayerLeft):
        HumanAgent(tiny, ask=ask, tell=lambda text: None).act(batch)
