"""What holds at every state of Teddies vs Monsters: no broken invariant, and a dumped position that says everything."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cardzoo.envs import State
from cardzoo.envs.teddies_vs_monsters.position import load_position
from tests.support.positions import assert_reads_back

CUSTOM_CARDS = Path(__file__).parents[1] / "envs" / "teddies_vs_monsters" / "custom_cards.yaml"
"""A card set with the effects, colours and sequences that the reference set does not have."""
COUNTED = ("hand", "sleeve", "used", "discards")  # keys of positions whose cards have no order


def assert_sound(state: State) -> None:
    """No invariant is broken; the dump reads back as the same record, which looks the same and dumps the same again."""
    game = state.game
    again = assert_reads_back(state, load_position)
    for seat in range(game.num_seats):
        assert np.array_equal(game.observe(again, 0, seat), state.observe(seat))
    assert np.array_equal(game.action_mask(again, 0), state.action_mask())
