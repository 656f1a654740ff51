"""The heuristic players of Bloodsport Gambler.

All three use what their seat sees, and nothing of the sampled world that it does not.

* **punter**: plays no cards and bets by the printed numbers of the fighters.
* **bookmaker**: looks at as many cards as it can, and bets where the estimated win chance pays.
* **fixer**: looks where that changes a wager, rigs fights, interferes in those it has bet on, and saves its bankroll.
"""

from __future__ import annotations

from cardzoo.agents.bloodsport_gambler.strategies import BOOKMAKER, FIXER, PUNTER, choose
from cardzoo.agents.heuristic import Strategist


class Player(Strategist):
    """A strategy of `strategies`."""

    decide = staticmethod(choose)


class Punter(Player):
    """Plays no cards and bets by printed numbers; the simple player."""

    own_name = "punter"
    strategy = PUNTER


class Bookmaker(Player):
    """Looks at all it can and bets by estimated chances; the greedy player."""

    own_name = "bookmaker"
    strategy = BOOKMAKER


class Fixer(Player):
    """Looks where it pays, rigs fights and saves its bankroll; the planning player."""

    own_name = "fixer"
    strategy = FIXER
