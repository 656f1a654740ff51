"""The heuristic players of Teddies vs Monsters.

All three use what their seat sees, and nothing of the sampled world that it does not.

* **builder**: fills its rooms, claims them and draws; it never fights.
* **brawler**: takes the best swing of symbols per tick, in its own rows or the other team's.
* **planner**: knows which rooms its cards can complete and which cards they need, answers a completed row before it can
  be claimed, and does not lay characters whose colour the foes show.
"""

from __future__ import annotations

from cardzoo.agents.heuristic import Strategist
from cardzoo.agents.teddies_vs_monsters.strategies import choose
from cardzoo.agents.teddies_vs_monsters.values import BRAWLER, BUILDER, PLANNER


class Player(Strategist):
    """A strategy of `strategies`."""

    decide = staticmethod(choose)


class Builder(Player):
    """Fills its rooms and never fights; the simple player."""

    own_name = "builder"
    strategy = BUILDER


class Brawler(Player):
    """Takes the best swing of symbols per tick; the greedy player."""

    own_name = "brawler"
    strategy = BRAWLER


class Planner(Player):
    """Plans rooms against its cards and defends in the claim window; the planning player."""

    own_name = "planner"
    strategy = PLANNER
