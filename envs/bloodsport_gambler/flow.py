"""What the engine does next: every part of the rules returns one of these, and `rules.run` calls the next part.

Kernels must not call each other in a circle, because numba cannot load such code from its cache.
"""

from __future__ import annotations

from typing import Final

ASK: Final = 0  # node and actor are set: a seat has a decision
END: Final = 1  # the game is over
SETUP: Final = 2  # deal a round
ORDER: Final = 3  # roll for the order, then act
SUB: Final = 4  # the next decision of the card being played, or its end
NEXT_TURN: Final = 5  # the other seat acts or reacts, or the phase is over
BETS: Final = 6  # the first wager
NEXT_BET: Final = 7
FIGHT: Final = 8  # fight `fight` begins
SABOTAGE: Final = 9  # the next Sabotage of the fight
ROLL_SABOTAGE: Final = 10  # its risk roll
ROUND: Final = 11  # the next fight round
HIT: Final = 12  # the React window is closed: totals, wounds
SETTLE: Final = 13
LOANS: Final = 14  # the loan turn of the next seat
RESULTS: Final = 15  # all loan turns are done
DISCARDS: Final = 16  # the discards of the next seat
RESET: Final = 17

# Where `rules.resume` enters, for positions.
AT_NODE: Final = 0  # at the node that the record is at: forced moves only
AT_SETUP: Final = 1
AT_ORDER: Final = 2
AT_FIGHT: Final = 3
AT_SETTLE: Final = 4
AT_RESET: Final = 5
ENTRIES: Final = (ASK, SETUP, ORDER, FIGHT, SETTLE, RESET)
