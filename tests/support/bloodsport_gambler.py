"""What holds at every state of Bloodsport Gambler: no broken invariant, and a dumped position that says everything."""

from __future__ import annotations

import numpy as np

from cardzoo.envs import State
from cardzoo.envs.bloodsport_gambler.position import dump_position, load_position
from cardzoo.envs.core.records import Records


def canonical(states: Records) -> bytes:
    """Bytes of a record without the generator, which no position says."""
    copy = states.copy()
    copy.rng[:] = 0
    return bytes(copy.tobytes())


def assert_sound(state: State) -> None:
    """No invariant is broken; the dump reads back as the same record, which dumps the same again."""
    assert state.problems() == []
    game = state.game
    position = state.to_position()
    again = load_position(game, position)
    assert dump_position(game, again) == position
    assert canonical(again) == canonical(state.states)
    for seat in range(game.num_seats):
        assert np.array_equal(game.observe(again, 0, seat), state.observe(seat))
    assert np.array_equal(game.action_mask(again, 0), state.action_mask())
