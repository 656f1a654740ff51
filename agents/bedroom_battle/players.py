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

import numpy as np
from numpy.typing import NDArray

from cardzoo.agents.bedroom_battle.lookahead import scratch_states, work_record
from cardzoo.agents.bedroom_battle.strategies import BIDDER, BRAWLER, STEWARD, choose
from cardzoo.agents.bedroom_battle.worth import card_values
from cardzoo.agents.heuristic import Heuristic
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.records import Records


class Player(Heuristic):
    """A strategy of `strategies`."""

    def __init__(self, game: Game, seed: int = 0, threads: int = 1) -> None:
        """Make the player and price the cards; the arguments are those of `Heuristic`."""
        super().__init__(game, seed, threads)
        self._values = card_values(game.rules)

    def choose(
        self, worlds: Records, start: int, stop: int, masks: NDArray[np.bool_], actions: NDArray[np.int64]
    ) -> None:
        """Write the actions of decisions start..stop-1."""
        scratch, work = scratch_states(worlds.dtype), work_record()
        choose(worlds, start, stop, self.game.rules, self._values, scratch, work, self.strategy, masks, actions)


class Brawler(Player):
    """Spends its biggest number first; the simple player."""

    own_name = "brawler"
    strategy = BRAWLER


class Bidder(Player):
    """Takes the lead with the cheapest sufficient card; the greedy player."""

    own_name = "bidder"
    strategy = BIDDER


class Steward(Player):
    """Draws cards first and spends them only where they pay; the planning player."""

    own_name = "steward"
    strategy = STEWARD
