"""The heuristic players of Bedroom Battle.

All three see what their seat sees. They pass while they lead, and differ in how they take the lead.

* **brawler**: drafts the biggest numbers, plays its biggest character, then its biggest attachment, then any special.
* **bidder**: prices every card (see `worth`), looks one card ahead, and takes the lead with the cheapest card that
  does, else plays the one that gains most; it never gives a round up.
* **steward**: prices and looks ahead likewise, but plays cards that draw cards first, counts what a lead costs, and
  gives up rounds that one card cannot turn, unless it is the last one or two cards win a pot of several rewards.

With `challenge_weight` above 0 they pick the challenge that they like best themselves and bail out of what they dislike
strongly; else the letter does not matter to them and they accept.
"""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from cardzoo.agents.base import Agent, Decisions
from cardzoo.agents.bedroom_battle.lookahead import scratch_states, work_record
from cardzoo.agents.bedroom_battle.strategies import BIDDER, BRAWLER, STEWARD, choose
from cardzoo.agents.bedroom_battle.worth import card_values
from cardzoo.envs.core.errors import AgentError
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.random import seed_states


class Heuristic(Agent):
    """A strategy of `strategies`, played on one sampled world per decision.

    Attributes:
        threads: how many parts a batch of decisions is split into; the choices do not depend on it.
    """

    strategy: int

    def __init__(self, game: Game, name: str, seed: int, threads: int) -> None:
        """Make the player.

        Args:
            game: Bedroom Battle with any card set and options.
            name: for tables and logs.
            seed: start of the stream that worlds are sampled from.
            threads: 1 or more.

        Raises:
            AgentError: `threads` is not such a number.
        """
        super().__init__(game, name)
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise AgentError(f"player {name}: threads must be an integer of at least 1, not {threads!r}")
        self.threads = threads
        self._values = card_values(game.rules)
        self._rng = seed_states(seed, 1)[0]

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Choose for each decision, int64 (n,)."""
        worlds = decisions.worlds(self._rng)
        rules = self.game.rules
        # One kind of array, whatever the caller has: the kernel would be compiled anew for a read-only or strided one.
        masks = np.require(decisions.masks, np.bool_, ["C", "W"])
        count = len(worlds)
        actions = np.zeros(count, np.int64)

        def part(start: int, stop: int) -> None:
            scratch, work = scratch_states(worlds.dtype), work_record()
            choose(worlds, start, stop, rules, self._values, scratch, work, self.strategy, masks, actions)

        bounds = [count * k // self.threads for k in range(self.threads + 1)]
        if self.threads == 1:
            part(0, count)
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(part, bounds[:-1], bounds[1:]))
        return actions

    def reset(self, seed: int) -> None:
        """Sample worlds from the start of the stream of `seed`."""
        self._rng = seed_states(seed, 1)[0]

    def fresh(self, seed: int) -> Heuristic:
        """Return a player with the same card values (they are only read, so they are shared) and its own stream."""
        clone = copy.copy(self)
        clone.reset(seed)
        return clone


class Brawler(Heuristic):
    """Spends its biggest number first; the simple player."""

    strategy = BRAWLER

    def __init__(self, game: Game, seed: int = 0, threads: int = 1) -> None:
        super().__init__(game, "brawler", seed, threads)


class Bidder(Heuristic):
    """Takes the lead with the cheapest sufficient card; the greedy player."""

    strategy = BIDDER

    def __init__(self, game: Game, seed: int = 0, threads: int = 1) -> None:
        super().__init__(game, "bidder", seed, threads)


class Steward(Heuristic):
    """Draws cards first and spends them only where they pay; the planning player."""

    strategy = STEWARD

    def __init__(self, game: Game, seed: int = 0, threads: int = 1) -> None:
        super().__init__(game, "steward", seed, threads)
