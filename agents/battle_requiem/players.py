"""The heuristic players of Battle Requiem.

All three see what their seat sees, attack with their largest armaments, and aim effects at the lowest HP.

* **brawler**: duels the weakest foe whenever it has two armaments, and defends with the best it has.
* **duelist**: takes the turn with the largest immediate swing of HP, and defends as far as the expected loss is worth
  the cards.
* **tactician**: likewise, but also prices tempo (extra and lost turns), kills and the quality of its cards; it spends
  junk gladly, since it is replaced.
"""

from __future__ import annotations

from cardzoo.agents.battle_requiem.strategies import choose
from cardzoo.agents.battle_requiem.worth import BRAWLER, DUELIST, TACTICIAN
from cardzoo.agents.heuristic import Strategist


class Player(Strategist):
    """A strategy of `strategies`."""

    decide = staticmethod(choose)


class Brawler(Player):
    """Attacks with all it has and defends with the best card; the simple player."""

    own_name = "brawler"
    strategy = BRAWLER


class Duelist(Player):
    """Takes the largest immediate swing of HP; the greedy player."""

    own_name = "duelist"
    strategy = DUELIST


class Tactician(Player):
    """Values tempo, kills and the quality of its cards; the planning player."""

    own_name = "tactician"
    strategy = TACTICIAN
