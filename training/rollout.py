"""What the learner collects between two updates, and what its decisions turned out to be worth."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer


class Deciders(Protocol):
    """Games that say whose decision they wait for; `SelfPlayVecEnv` is one."""

    game: Any

    @property
    def deciders(self) -> npt.NDArray[np.int8]:
        """The seat that each game's observation belongs to: (N,)."""


class SeatRolloutBuffer(MaskableRolloutBuffer):
    """MaskablePPO's buffer for a learner that may decide for several seats of a game.

    The decisions of each seat are a chain of their own: a decision is judged by what *its seat* expects at its next
    decision. Judged by the next decision of whoever it is, a card that is played would look like a gain: the partner
    sees it on the table, but does not see that it is missing in the hand.

    It also copies less than the class it refines: memory is taken once, masks are bool, and nothing is reordered.
    """

    _arrays: dict[str, npt.NDArray[Any]] | None = None

    def __init__(self, *args: Any, env: Deciders, **kwargs: Any) -> None:
        """Make the buffer.

        Args:
            args: as for MaskableRolloutBuffer.
            env: the games, asked whose decisions they are.
            kwargs: as for MaskableRolloutBuffer.
        """
        self._env = env
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Make the buffer empty; the next decision to be added is the one that the games wait for."""
        if self._arrays is None:
            super().reset()
            self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), dtype=np.bool_)
            self.seats = np.zeros((self.buffer_size, self.n_envs), dtype=np.int8)
            self._arrays = {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        # `get` replaced them by flat views
        self.__dict__.update(self._arrays)
        self.pos, self.full, self.generator_ready = 0, False, False
        self._deciders = self._env.deciders

    def add(self, *args: Any, **kwargs: Any) -> None:
        """Add one decision of every game; the games have moved on to the next one already."""
        self.seats[self.pos] = self._deciders
        self._deciders = self._env.deciders
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: torch.Tensor, dones: npt.NDArray[np.bool_]) -> None:
        """Estimate advantages and returns by GAE(lambda) (Schulman et al. 2016), along each seat's own decisions.

        A seat's last decision in the buffer cannot be judged, unless its game ended or waits for that seat again: it
        gets no advantage, and the decisions before it are judged by what the seat expected there.

        Args:
            last_values: values of the decisions that the games wait for, (N,) or (N, 1).
            dones: games that ended with the last decision in the buffer, (N,).
        """
        rows = np.arange(self.n_envs)
        shape = (self.n_envs, self._env.game.num_seats)
        # Of each seat's next decision: whether there is something to judge by, its value and its advantage; and what
        # the team has got since the decision that is looked at.
        known = np.zeros(shape, dtype=np.bool_)
        value, advantage, earned = (np.zeros(shape, dtype=np.float32) for _ in range(3))
        known[rows, self._deciders] = True
        value[rows, self._deciders] = last_values.detach().cpu().numpy().flatten()
        ended = np.asarray(dones, dtype=np.bool_)
        for step in reversed(range(self.buffer_size)):
            known[ended] = True
            for array in (value, advantage, earned):
                array[ended] = 0
            earned += self.rewards[step][:, None]
            mine = (rows, self.seats[step])
            surprise = earned[mine] + self.gamma * value[mine] - self.values[step]
            judged = surprise + self.gamma * self.gae_lambda * advantage[mine]
            self.advantages[step] = np.where(known[mine], judged, 0)
            known[mine] = True
            value[mine], advantage[mine], earned[mine] = self.values[step], self.advantages[step], 0
            ended = self.episode_starts[step] == 1
        np.add(self.advantages, self.values, out=self.returns)

    @staticmethod
    def swap_and_flatten(arr: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Flatten (steps, games, ...) to (steps * games, ...), a view: the samples are drawn in random order anyway."""
        return arr.reshape(arr.shape[0] * arr.shape[1], *(arr.shape[2:] or (1,)))
