"""Sampled worlds: what holds for those of every game. What a game hides, and what a seat keeps, its tests say."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np

from cardzoo.envs.core.game import Game
from cardzoo.envs.core.state import State

GENERATOR = np.array([3, 1, 4, 1], np.uint32)


def same_world(a: State, b: State) -> bool:
    """Whether two records are the same, byte for byte."""
    return bool(a.states.tobytes() == b.states.tobytes())


def play(state: State, rng: np.random.Generator, moves: int = 100_000) -> None:
    """Random legal moves, to the end if there are enough of them."""
    for _ in range(moves):
        if state.is_over:
            return
        state.apply(int(rng.choice(state.legal_actions())))
        assert state.problems() == []


def assert_alike(state: State, seat: int, world: State, hidden: Collection[str]) -> None:
    """Observation, actor and legal actions are the true ones, the world is sound, fields not in `hidden` are kept."""
    assert world.problems() == []
    assert world.actor == state.actor
    assert (world.observe(seat) == state.observe(seat)).all()
    assert (world.action_mask(seat) == state.action_mask(seat)).all()
    for field in set(state.states.dtype.names) - {"rng", *hidden}:
        assert world.states[0][field].tobytes() == state.states[0][field].tobytes(), field


def check_worlds(game: Game, seed: int, moves: int, assert_like: Callable[[State, int, State], None]) -> None:
    """After some moves: worlds like the true one for every seat, from the generator and the seat's knowledge alone."""
    rng = np.random.default_rng(seed)
    state = game.new_state(seed)
    play(state, rng, moves)
    for seat in range(game.num_seats):
        world = state.resample(seat, GENERATOR.copy())
        assert_like(state, seat, world)
        assert same_world(world, state.resample(seat, GENERATOR.copy()))
        assert same_world(world, world.resample(seat, GENERATOR.copy()))
        assert not same_world(world, state.resample(seat, GENERATOR + 1))
    play(state.resample(int(rng.integers(game.num_seats)), rng), rng)


def check_play_in_worlds(game: Game, seed: int) -> None:
    """A game in which the world is sampled anew, for some seat, all the time is sound to its end."""
    rng = np.random.default_rng(seed)
    state = game.new_state(seed)
    while not state.is_over:
        if rng.random() < 0.2:
            state = state.resample(int(rng.integers(game.num_seats)), rng)
        play(state, rng, 1)


def share_that_differs(game: Game, seed: int, fields: Collection[str]) -> float:
    """Share of the worlds sampled all through a game in which some of the fields are not the true ones."""
    rng = np.random.default_rng(seed)
    state = game.new_state(seed)
    differ = total = 0
    while not state.is_over:
        world = state.resample(int(rng.integers(game.num_seats)), rng).states[0]
        total += 1
        differ += any(world[field].tobytes() != state.states[0][field].tobytes() for field in fields)
        state.apply(int(rng.choice(state.legal_actions())))
    return differ / total


def check_view(state: State, rng: np.random.Generator) -> None:
    """No line of a drawing is too long, and a view shows nothing that its seat does not know."""
    before = state.copy()
    for viewer in (None, *range(state.game.num_seats)):
        assert all(len(line) <= 100 for line in state.render(viewer).splitlines())
    for viewer in range(state.game.num_seats):
        world = state.resample(viewer, rng)
        assert world.render(viewer) == state.render(viewer)
    assert state == before


def check_views(game: Game, seed: int, share: float) -> None:
    """A world that the viewer cannot tell apart is drawn the same, at a share of the decisions of a random game."""
    state = game.new_state(seed)
    rng = np.random.default_rng(seed)
    check_view(state, rng)
    while not state.is_over:
        state.apply(int(rng.choice(state.legal_actions())))
        if rng.random() < share:
            check_view(state, rng)
    check_view(state, rng)
