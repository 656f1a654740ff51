"""What the engine does next: every part of the rules returns one of these, and `rules.run` calls the next part.

Kernels must not call each other in a circle, because numba cannot load such code from its cache.
"""

from __future__ import annotations

from typing import Final

END: Final = 0  # a seat has to decide, or the game is over
ASK: Final = 1  # the lowest idle seat
ADVANCE: Final = 2  # nobody is idle: the clock
LAND: Final = 3  # one of the acts that land at this tick
STOPPED: Final = 4  # the round cannot go on (R17)
TIE: Final = 5  # the round is nobody's
KEY_0: Final = 6  # the round is a team's: KEY_0 + team
KEY_1: Final = 7
DEAL: Final = 8

# Where `rules.resume` enters, for positions.
AT_DEAL: Final = 0
AT_ASK: Final = 1  # also settles a round that is decided
