"""Dispatch by record type: what a record needs, and that no two games share one."""

from __future__ import annotations

import numpy as np
import pytest
from numba import from_dtype
from numba.core import types as nbtypes

from cardzoo.envs.core import dispatch
from cardzoo.envs.core.dispatch import FIELDS, Kernels, game_legal, kernels_for, register_kernels
from tests import tiny_game


def record(*extra):
    return np.dtype([("rng", np.uint32, (4,)), ("actor", np.int8), ("truncated", np.int8), *extra])


def stand_in(states, i, rules):
    return 0


OTHER = Kernels(*[stand_in] * len(FIELDS))


@pytest.mark.parametrize(
    ("dtype", "field"),
    [
        (np.dtype([("actor", np.int8), ("truncated", np.int8)]), "rng"),
        (np.dtype([("rng", np.uint32, (2,)), ("actor", np.int8), ("truncated", np.int8)]), "rng"),
        (np.dtype([("rng", np.uint32, (4,)), ("actor", np.int16), ("truncated", np.int8)]), "actor"),
        (np.dtype([("rng", np.uint32, (4,)), ("actor", np.int8)]), "truncated"),
        (np.dtype(np.int8), "rng"),
    ],
)
def test_record_without_a_common_field_is_refused(dtype, field):
    with pytest.raises(ValueError, match=f"needs the field '{field}'"):
        register_kernels(dtype, OTHER)


def test_two_games_with_the_very_same_record_are_refused():
    with pytest.raises(ValueError, match=r"is the same as that of tests\.tiny_game\.setup; rename a field"):
        register_kernels(tiny_game.DTYPE, OTHER)
    register_kernels(tiny_game.DTYPE, kernels_for(tiny_game.DTYPE))  # a second import of the game itself is fine


def test_unknown_record_is_an_error():
    with pytest.raises(KeyError, match="no game is registered"):
        kernels_for(record(("nobody", np.int8)))
    with pytest.raises(KeyError, match="no game is registered"):
        game_legal(np.zeros(1, record(("nobody", np.int8))).view(np.recarray), 0, (), np.zeros(1, bool))


def test_symbols_of_stubs_differ_by_game_and_by_field():
    """Two bodies of one symbol in separately cached code could be mistaken for each other."""
    states = nbtypes.Array(from_dtype(tiny_game.DTYPE), 1, "C")
    names = {dispatch._resolve(states, field)[1] for field in FIELDS}
    assert len(names) == len(FIELDS)
    assert dispatch._resolve(nbtypes.int64, "setup") is None


def test_stubs_called_from_python_reach_the_game(tiny):
    states = tiny.new_states(1, 3)
    mask = np.zeros(tiny.num_actions, bool)
    assert game_legal(states, 0, tiny.rules, mask) == mask.sum() == len(tiny.new_state(3).legal_actions())
