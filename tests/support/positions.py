"""Positions: a dump says everything; and whatever a position says, it is refused by key or can be played."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from cardzoo.envs import Game, PositionError, State
from cardzoo.envs.core.records import Records

JUNK: tuple[Any, ...] = (None, True, -1, 0, 1, 2, 99, 1.5, "", [], [[]], [[], []], {})


def dumps(game: Game, seed: int, common: str, key: str = "phase") -> list[dict[str, Any]]:
    """Dumps along a random game; of those with `common` at the key only one in ten."""
    state = game.new_state(seed)
    rng = np.random.default_rng(seed)
    found = []
    while not state.is_over:
        if state.to_position()[key] != common or rng.random() < 0.1:
            found.append(state.to_position())
        state.apply(int(rng.choice(state.legal_actions())))
    return [*found, state.to_position()]


def damaged(
    position: dict[str, Any],
    others: list[dict[str, Any]],
    keys: Sequence[str],
    junk: Sequence[Any],
    rng: np.random.Generator,
) -> dict[str, Any]:
    """A position with one to three changes, also inside mappings and lists: an entry gone, of another one, or junk."""
    found: dict[str, Any] = json.loads(json.dumps({key: position[key] for key in keys}))
    for _ in range(int(rng.integers(1, 4))):
        key: Any = keys[int(rng.integers(len(keys)))]
        if rng.random() < 0.4:
            found[key] = json.loads(json.dumps(others[int(rng.integers(len(others)))][key]))
            continue
        place: Any = found
        inner = found.get(key)
        while inner and isinstance(inner, (dict, list)) and rng.random() < 0.6:
            place = inner
            key = (
                list(inner)[int(rng.integers(len(inner)))] if isinstance(inner, dict) else int(rng.integers(len(inner)))
            )
            inner = place[key]
        if rng.random() < 0.5:
            place[key] = junk[int(rng.integers(len(junk)))]
        elif place is not found or key in found:
            del place[key]
    return found


def loaded(game: Game, position: Any) -> State | None:
    """The state of a position; None if it was refused in good order."""
    try:
        return game.from_position(position)
    except PositionError as error:
        message = str(error)
    assert message.startswith('Position key "'), message
    return None


def check_damaged(
    game: Game,
    seed: int,
    keys: Sequence[str],
    words: Sequence[Any],
    common: str,
    assert_sound: Callable[[State], None],
    phase_key: str = "phase",
) -> None:
    """Damage the positions of a random game, and play four moves from each that is not refused.

    Args:
        game: the game.
        seed: of the game and of the damage.
        keys: the keys of the notation.
        words: junk beside `JUNK`, such as ids.
        common: the phase of which there are too many.
        assert_sound: called before every move.
        phase_key: the key that says the phase.
    """
    rng = np.random.default_rng(seed)
    found = dumps(game, seed, common, phase_key)
    for position in found:
        state = loaded(game, damaged(position, found, keys, [*JUNK, *words], rng))
        for _ in range(4):
            if state is not None:
                assert_sound(state)
                if not state.is_over:
                    state.apply(int(rng.choice(state.legal_actions())))


def without_generator(states: Records) -> bytes:
    """Bytes of a record without the generator, which no position says."""
    copy = states.copy()
    copy.rng[:] = 0
    return bytes(copy.tobytes())


def assert_reads_back(
    state: State,
    load_position: Callable[[Game, Mapping[str, Any]], Records],
    canonical: Callable[[Records], bytes] = without_generator,
) -> Records:
    """No invariant is broken; the dump reads back as the same record (which is returned) and dumps the same again."""
    assert state.problems() == []
    position = state.to_position()
    again = load_position(state.game, position)
    assert state.game.dump_position(again) == position
    assert canonical(again) == canonical(state.states)
    return again
