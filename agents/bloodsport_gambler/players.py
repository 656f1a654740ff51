"""The heuristic players of Bloodsport Gambler.

All three use what their seat sees, and nothing of the sampled world that it does not.

* **punter**: plays no cards and bets by the printed numbers of the fighters.
* **bookmaker**: looks at as many cards as it can, and bets where the estimated win chance pays.
* **fixer**: looks where that changes a wager, rigs fights, interferes in those it has bet on, and saves its bankroll.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.agents.bloodsport_gambler.strategies import BOOKMAKER, FIXER, PUNTER, choose
from cardzoo.agents.heuristic import Heuristic
from cardzoo.envs.core.records import Records


class Strategist(Heuristic):
    """A strategy of `strategies`."""

    def choose(
        self, worlds: Records, start: int, stop: int, masks: NDArray[np.bool_], actions: NDArray[np.int64]
    ) -> None:
        """Write the actions of decisions start..stop-1."""
        choose(worlds, start, stop, self.game.rules, self.strategy, masks, actions)


class Punter(Strategist):
    """Plays no cards and bets by printed numbers; the simple player."""

    own_name = "punter"
    strategy = PUNTER


class Bookmaker(Strategist):
    """Looks at all it can and bets by estimated chances; the greedy player."""

    own_name = "bookmaker"
    strategy = BOOKMAKER


class Fixer(Strategist):
    """Looks where it pays, rigs fights and saves its bankroll; the planning player."""

    own_name = "fixer"
    strategy = FIXER
