"""What holds at every state of Battle Requiem: no broken invariant, and a dumped position that says everything."""

from __future__ import annotations

from cardzoo.envs import State
from cardzoo.envs.battle_requiem.position import load_position
from tests.support.positions import assert_reads_back


def assert_sound(state: State) -> None:
    """No invariant is broken; the dump reads back as the same record, which dumps the same again."""
    assert_reads_back(state, load_position)
