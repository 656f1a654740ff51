"""Digests of whole games: equal if every record, observation, mask, reward and sampled world is."""

from __future__ import annotations

import hashlib

import numpy as np

from cardzoo.envs.core import loops
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.random import seed_states


def trajectory_digests(game: Game, games: int, seed: int = 0, max_moves: int = 5000) -> list[str]:
    """One short digest for each of `games` random games."""
    digests = []
    for number in range(games):
        digest = hashlib.sha256()
        state = game.new_state(seed + number)
        rng = seed_states(1000 + seed + number, 1)[0]
        for _ in range(max_moves):
            digest.update(state.states.tobytes())
            digest.update(state.returns.tobytes())
            for seat in range(game.num_seats):
                digest.update(state.observe(seat).tobytes())
                digest.update(state.resample(seat, rng).states.tobytes())
            mask = state.action_mask()
            digest.update(mask.tobytes())
            if state.is_over:
                break
            state.apply(int(loops.pick(mask, int(np.count_nonzero(mask)), rng)))
            assert state.problems() == []
        else:
            raise AssertionError(f"game {number} does not end within {max_moves} moves")
        digests.append(digest.hexdigest()[:16])
    return digests
