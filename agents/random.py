"""The player that takes any legal action, all equally likely."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cardzoo.agents.base import Agent, Decisions
from cardzoo.envs.core.errors import AgentError
from cardzoo.envs.core.game import Game


def sample_legal(masks: npt.NDArray[np.bool_], generator: np.random.Generator) -> npt.NDArray[np.int64]:
    """Draw one legal action for each row, uniformly.

    Args:
        masks: bool (n, A).
        generator: where the draws come from.

    Returns:
        int64 (n,).

    Raises:
        AgentError: a row has no legal action.
    """
    counts = np.count_nonzero(masks, axis=1)
    if not counts.all():
        raise AgentError(f"decision {int(np.argmin(counts))} has no legal action, so none can be chosen")
    legal = np.flatnonzero(masks)  # row after row, so the actions of row i start where those of the rows before end
    starts = np.cumsum(counts) - counts
    picks = generator.integers(0, counts)
    rows = np.arange(len(masks), dtype=np.int64)
    return np.asarray(legal[starts + picks] - rows * masks.shape[1], dtype=np.int64)


class RandomAgent(Agent):
    """Uniform over the legal actions, from a stream of its own."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        super().__init__(game, "random")
        self._generator = np.random.default_rng(seed)

    def act(self, decisions: Decisions) -> npt.NDArray[np.int64]:
        """Draw one action for each decision."""
        return sample_legal(decisions.masks, self._generator)

    def reset(self, seed: int) -> None:
        """Start the stream anew."""
        self._generator = np.random.default_rng(seed)
