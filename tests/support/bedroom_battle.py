"""What holds at every state of Bedroom Battle: no broken invariant, and a dumped position that says everything."""

from __future__ import annotations

from cardzoo.envs import State
from cardzoo.envs.bedroom_battle.position import load_position
from cardzoo.envs.core.records import Records
from tests.support.positions import assert_reads_back


def canonical(states: Records, selection: bool) -> bytes:
    """Bytes of a record without what the position notation does not say.

    That is the generator, the order of attachments on different hosts (nothing depends on it), and, after a reward
    selection, which unused rewards have been face up.
    """
    copy = states.copy()
    s = copy[0]
    n = int(s.n_att)
    order = sorted(range(n), key=lambda k: (int(s.att_side[k]), int(s.att_slot[k])))
    for field in ("att_card", "att_side", "att_slot"):
        s[field][:n] = s[field][order]
    s.rng[:] = 0
    if selection:
        s.seen[:] = 0
    return bytes(copy.tobytes())


def assert_sound(state: State) -> None:
    """No invariant is broken; the dump reads back as the same record, which dumps the same again (invariant 10)."""
    game = state.game
    selection = bool(game.options["select_rewards"])
    assert_reads_back(state, load_position, lambda states: canonical(states, selection))
    position = state.to_position()
    assert game.from_position(position).to_position() == position  # no automatic step is open at a decision
