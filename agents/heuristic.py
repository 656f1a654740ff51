"""What the heuristic players of all games share: a kernel that decides on sampled worlds, in one or several threads."""

from __future__ import annotations

import copy
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from cardzoo.agents.base import Agent, Decisions
from cardzoo.envs.core.errors import AgentError
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.random import seed_states
from cardzoo.envs.core.records import Records


class Heuristic(Agent):
    """A strategy that is played on one sampled world per decision; a subclass says how, in `choose`.

    Attributes:
        own_name: what it is called, for tables and logs.
        strategy: the number that the game's kernel knows it by.
        threads: how many parts a batch of decisions is split into; the choices do not depend on it.
    """

    own_name: ClassVar[str]
    strategy: ClassVar[int]

    def __init__(self, game: Game, seed: int = 0, threads: int = 1) -> None:
        """Make the player.

        Args:
            game: the game it plays, with any card set and options.
            seed: start of the stream that worlds are sampled from.
            threads: 1 or more.

        Raises:
            AgentError: `threads` is not such a number.
        """
        super().__init__(game, self.own_name)
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise AgentError(f"player {self.own_name}: threads must be an integer of at least 1, not {threads!r}")
        self.threads = threads
        self._rng = seed_states(seed, 1)[0]

    def choose(
        self, worlds: Records, start: int, stop: int, masks: NDArray[np.bool_], actions: NDArray[np.int64]
    ) -> None:
        """Write the actions of decisions start..stop-1; several threads call this at once, for different ones.

        Args:
            worlds: (n,) a sampled world for each decision, only to be read.
            start: first decision.
            stop: decision after the last.
            masks: (n, A) the legal actions.
            actions: (n,) the answers.
        """
        raise NotImplementedError

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Choose for each decision, int64 (n,)."""
        worlds = decisions.worlds(self._rng)
        # One kind of array, whatever the caller has: the kernel would be compiled anew for a read-only or strided one.
        masks = np.require(decisions.masks, np.bool_, ["C", "W"])
        count = len(worlds)
        actions = np.zeros(count, np.int64)
        if self.threads == 1:
            self.choose(worlds, 0, count, masks, actions)
            return actions
        bounds = [count * k // self.threads for k in range(self.threads + 1)]
        with ThreadPoolExecutor(self.threads) as pool:
            list(
                pool.map(lambda start, stop: self.choose(worlds, start, stop, masks, actions), bounds[:-1], bounds[1:])
            )
        return actions

    def reset(self, seed: int) -> None:
        """Sample worlds from the start of the stream of `seed`."""
        self._rng = seed_states(seed, 1)[0]

    def fresh(self, seed: int) -> Self:
        """Return a player with its own stream; tables that a subclass keeps are only read, so they are shared."""
        clone = copy.copy(self)
        clone.reset(seed)
        return clone


class Strategist(Heuristic):
    """A strategy of a game's kernel that needs nothing but the rules.

    Attributes:
        decide: the kernel, `decide(worlds, start, stop, rules, strategy, masks, actions)`; arguments as of `choose`.
    """

    decide: ClassVar[Callable[..., None]]

    def choose(
        self, worlds: Records, start: int, stop: int, masks: NDArray[np.bool_], actions: NDArray[np.int64]
    ) -> None:
        """Write the actions of decisions start..stop-1."""
        type(self).decide(worlds, start, stop, self.game.rules, self.strategy, masks, actions)
