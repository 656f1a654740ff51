"""The heuristic players of Teddies vs Monsters.

All three use what their seat sees, and nothing of the sampled world that it does not.

* **builder**: fills its rooms, claims them and draws; it never fights.
* **brawler**: takes the best swing of symbols per tick, in its own rows or the other team's.
* **planner**: knows which rooms its cards can complete and which cards they need, answers a completed row before it can
  be claimed, and does not lay characters whose colour the foes show.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.agents.heuristic import Heuristic
from cardzoo.agents.teddies_vs_monsters.strategies import choose
from cardzoo.agents.teddies_vs_monsters.values import BRAWLER, BUILDER, PLANNER
from cardzoo.envs.core.records import Records


class Strategist(Heuristic):
    """A strategy of `strategies`."""

    def choose(
        self, worlds: Records, start: int, stop: int, masks: NDArray[np.bool_], actions: NDArray[np.int64]
    ) -> None:
        """Write the actions of decisions start..stop-1."""
        choose(worlds, start, stop, self.game.rules, self.strategy, masks, actions)


class Builder(Strategist):
    """Fills its rooms and never fights; the simple player."""

    own_name = "builder"
    strategy = BUILDER


class Brawler(Strategist):
    """Takes the best swing of symbols per tick; the greedy player."""

    own_name = "brawler"
    strategy = BRAWLER


class Planner(Strategist):
    """Plans rooms against its cards and defends in the claim window; the planning player."""

    own_name = "planner"
    strategy = PLANNER
