"""Players by name, decisions, worlds, the random player."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

from cardzoo.agents import Agent, Decisions, agent_names, base, make_agent, register_agents
from cardzoo.agents.random import RandomAgent, sample_legal
from cardzoo.envs import AgentError


def decisions(game, count=20, seed=1, moves=3):
    """The first decisions of some games, after a few random moves."""
    generator = np.random.default_rng(seed)
    states = game.new_states(count, seed)
    for _ in range(moves):
        for index in range(count):
            legal = np.flatnonzero(game.action_mask(states, index))
            game.kernels.apply(states, index, game.rules, int(generator.choice(legal)))
    seats = states.actor.copy()
    observations = np.stack([game.observe(states, index, int(seats[index])) for index in range(count)])
    masks = np.stack([game.action_mask(states, index) for index in range(count)])
    return states, Decisions.of_batch(game, states, seats, observations, masks)


@pytest.fixture
def greedy(monkeypatch):
    """A heuristic player for the tiny game with a setting."""
    monkeypatch.setattr(base, "_registered", {})

    class Greedy(Agent):
        def __init__(self, game, seed=0, depth=2):
            super().__init__(game, "greedy")
            if not isinstance(depth, int):
                raise TypeError("depth must be an integer")
            self.depth = depth

    register_agents("tiny", {"highest": Greedy}, {"greedy": "highest"})
    return Greedy


def test_roles_and_own_names_make_the_same_player(tiny, greedy):
    assert isinstance(make_agent("greedy", tiny), greedy)
    assert isinstance(make_agent("highest", tiny), greedy)
    assert make_agent("greedy:depth=5", tiny).depth == 5
    assert make_agent("greedy:depth=5", tiny).name == "greedy:depth=5"
    assert agent_names("tiny") == ["random", "greedy", "highest", "model:PATH", "human"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("rndom", "unknown player 'rndom' of tiny: allowed are random, greedy, highest, model:PATH, human"),
        ("", "unknown player ''"),
        ("greedy:deep=5", "unknown setting 'deep'; allowed are depth"),
        ("greedy:depth", "key=value"),
        ("greedy:depth=1,depth=2", "given twice"),
        ("greedy:depth=many", "bad setting .*depth must be an integer"),
        ("greedy:depth=[", "cannot be read"),
        ("random:x=1", "unknown setting 'x'; this player has none"),
        ("model", "model:PATH"),
        ("human:ask=1", "unknown setting 'ask'"),
    ],
)
def test_mistakes_in_a_players_name_are_one_sentence(tiny, greedy, spec, message):
    with pytest.raises(AgentError, match=message) as caught:
        make_agent(spec, tiny)
    assert "\n" not in str(caught.value)


def test_the_random_player_takes_every_legal_action_equally_often_and_no_other():
    masks = np.tile([[True, False, True, True], [False, True, False, False]], (30000, 1))
    actions = sample_legal(masks, np.random.default_rng(0))
    assert masks[np.arange(len(masks)), actions].all()
    counts = np.bincount(actions[::2], minlength=4) / 30000
    np.testing.assert_allclose(counts, [1 / 3, 0, 1 / 3, 1 / 3], atol=0.01)
    assert (actions[1::2] == 1).all()


def test_a_decision_without_a_legal_action_is_an_error():
    with pytest.raises(AgentError, match="decision 1 has no legal action"):
        sample_legal(np.array([[True], [False]]), np.random.default_rng(0))


def test_a_players_stream_is_its_own(tiny):
    _, batch = decisions(tiny)
    agent = RandomAgent(tiny, 3)
    first = [agent.act(batch) for _ in range(3)]
    np.random.seed(0)  # noqa: NPY002 - nobody else's stream matters
    agent.reset(3)
    np.testing.assert_array_equal(first, [agent.act(batch) for _ in range(3)])
    restored = pickle.loads(pickle.dumps(agent))
    np.testing.assert_array_equal(agent.act(batch), restored.act(batch))
    fresh = agent.fresh(3)
    np.testing.assert_array_equal(first, [fresh.act(batch) for _ in range(3)])


def test_worlds_look_the_same_to_their_seat_and_hide_the_true_state(tiny):
    states, batch = decisions(tiny, 60)
    before = states.tobytes()
    worlds = batch.worlds(np.array([1, 2, 3, 4], np.uint32))
    assert states.tobytes() == before
    differ = 0
    for index in range(60):
        seat = int(batch.seats[index])
        np.testing.assert_array_equal(tiny.observe(worlds, index, seat), batch.observations[index])
        np.testing.assert_array_equal(tiny.action_mask(worlds, index), batch.masks[index])
        differ += (worlds[index].hand[1 - seat] != states[index].hand[1 - seat]).any()
    assert differ > 10


def test_worlds_do_not_depend_on_what_is_hidden(tiny):
    """A search that peeked would see a difference between two tables that its seat cannot tell apart."""
    states, batch = decisions(tiny, 40)
    others = batch.worlds(np.array([9, 9, 9, 9], np.uint32))
    twin = Decisions.of_batch(tiny, others, batch.seats, batch.observations, batch.masks)
    one = batch.worlds(np.array([1, 2, 3, 4], np.uint32))
    two = twin.worlds(np.array([1, 2, 3, 4], np.uint32))
    assert states.tobytes() != others.tobytes()
    assert one.tobytes() == two.tobytes()


def test_worlds_of_a_subset_belong_to_its_rows(tiny):
    _, batch = decisions(tiny, 40)
    rows = np.array([30, 4, 17])
    part = batch.subset(rows).subset(np.array([True, False, True]))
    worlds = part.worlds(np.array([1, 2, 3, 4], np.uint32))
    assert len(part) == len(worlds) == 2
    for index, row in enumerate((30, 17)):
        np.testing.assert_array_equal(tiny.observe(worlds, index, int(batch.seats[row])), batch.observations[row])


def test_decisions_hold_no_states(tiny):
    states, batch = decisions(tiny)
    assert not any(isinstance(value, type(states)) for value in vars(batch).values())
    with pytest.raises(AgentError, match="without states"):
        Decisions(tiny, batch.observations, batch.masks, batch.seats).worlds(np.ones(4, np.uint32))


def test_importing_the_players_needs_neither_torch_nor_numba():
    code = "import sys, cardzoo.agents; print(sorted({'torch', 'numba'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
