"""Whole games through PettingZoo's interface: played, compared with the other interfaces, copied on the way."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from cardzoo.envs import BatchEnv, Game
from cardzoo.envs.core.dispatch import game_left

# PettingZoo knows environments with dict observations by a list of its own classic ones, and warns about all others;
# it also warns that no action is legal for a seat whose game is over.
UNAVOIDABLE = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    r"Action mask numpy array is all zeros \(no legal actions\).",
)
DUPLICATES = [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]

# (agent, observation, mask, reward, terminated, truncated, info, action): what `last` returned, arrays as bytes
Entry = tuple[Any, ...]


@contextmanager
def strict_warnings() -> Iterator[None]:
    """Warnings are errors, but for those that every environment with dict observations gets."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in UNAVOIDABLE:
            warnings.filterwarnings("ignore", message)
        yield


def seen(env: Any) -> Entry:
    """What the selected agent is shown, as far as it can be compared: an entry without the action."""
    observation, reward, terminated, truncated, info = env.last()
    views = (observation["observation"].tobytes(), observation["action_mask"].tobytes())
    return (env.agent_selection, *views, reward, terminated, truncated, info)


def take_turn(env: Any, choose: np.random.Generator) -> Entry:
    """One step with a random legal action, or None for a seat whose game is over."""
    entry = seen(env)
    action = None if entry[4] or entry[5] else int(choose.choice(np.flatnonzero(np.frombuffer(entry[2], np.int8))))
    env.step(action)
    return (*entry, action)


def play(env: Any, seed: int, choose: np.random.Generator | None = None) -> list[Entry]:
    """One whole game with random legal actions."""
    choose = np.random.default_rng(seed) if choose is None else choose
    env.reset(seed=seed)
    history = []
    while env.agents:
        history.append(take_turn(env, choose))
    return history


def early_steps(history: Sequence[Entry]) -> int:
    """Steps with None of seats that left before the end: somebody acts after them."""
    last = max(k for k, entry in enumerate(history) if entry[-1] is not None)
    return sum(entry[-1] is None for entry in history[:last])


def check_game(env: Any, game: Game, seed: int, choose: np.random.Generator) -> int:
    """Play a game and hold it to a State and a BatchEnv that play the same; the number of seats that left early."""
    history = play(env, seed, choose)
    state, batch = game.new_state(seed), BatchEnv(game, 1, seed=seed)
    step = batch.reset()
    totals, ended, left_early = np.zeros(game.num_seats), [], 0
    for agent, observation, mask, reward, terminated, truncated, info, action in history:
        seat = game.agents.index(agent)
        totals[seat] += reward
        assert observation == state.observe(seat).tobytes()
        assert mask == state.action_mask(seat).astype(np.int8).tobytes()
        assert (terminated or truncated) == state.has_left(seat)
        assert info == (game.ending(state.states, seat, state.outcome) if state.has_left(seat) else {})
        if action is None:
            ended.append(seat)
            left_early += not state.is_over
            assert truncated == (state.outcome is not None and state.outcome.truncated)
            assert terminated != truncated
            continue
        assert seat == state.actor == step.actor[0]
        assert observation == step.observations[0].tobytes()
        assert mask == step.action_mask[0].astype(np.int8).tobytes()
        before = state.returns
        state.apply(action)
        step = batch.step([action])
        np.testing.assert_allclose(step.rewards[0], state.returns - before, atol=1e-6)
        assert step.done[0] == state.is_over
        assert game_left(batch.states, 0) == (0 if state.is_over else game_left(state.states, 0))
    assert state.is_over
    assert step.done[0]
    assert step.truncated[0] == state.outcome.truncated  # type: ignore[union-attr]
    np.testing.assert_allclose(totals, state.returns, atol=1e-6)
    np.testing.assert_allclose(step.final_returns[0], state.returns, atol=1e-6)
    assert sorted(ended) == list(range(game.num_seats))  # exactly one step with None each
    assert env.agents == []
    return left_early


def check_copies(
    make: Callable[[], Any], seed: int, expected: Sequence[Entry], stops: Sequence[int], duplicate: Callable[[Any], Any]
) -> None:
    """A copy made at any of the stops goes on as the original does, and neither disturbs the other."""
    for stop in stops:
        env = make()
        env.reset(seed=seed)
        for entry in expected[:stop]:
            env.step(entry[-1])
        twin = duplicate(env)
        for one in (twin, env):
            for entry in expected[stop:]:
                assert seen(one) == entry[:-1]
                one.step(entry[-1])
            assert one.agents == []
        env.reset()
        twin.reset()
        assert env.unwrapped.table == twin.unwrapped.table  # also the deals to come
