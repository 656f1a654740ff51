"""One position on its way into one record: what every part of the reader shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cardzoo.envs.battle_requiem.cards import COPIES, KIND
from cardzoo.envs.battle_requiem.notation import DERIVED, KEYS, Names
from cardzoo.envs.battle_requiem.state import DTYPE, PHASES, TURN
from cardzoo.envs.core.notation import as_word, bad
from cardzoo.envs.core.random import seed_states
from cardzoo.envs.core.reading import PositionReading, Tally
from cardzoo.envs.core.records import Record, Records

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game


class Reading(PositionReading):
    """The position, the record that it becomes, and the account of the cards placed so far."""

    def __init__(self, game: Game, position: Mapping[str, Any], seed: int | None) -> None:
        super().__init__(position, KEYS, DERIVED, game.num_seats)
        self.names = Names(game)
        self.rules: Any = game.rules[0]
        self.options = game.options
        self.seed = seed
        self.states: Records = np.zeros(1, DTYPE).view(np.recarray)
        self.s: Record = self.states[0]
        self.s.rng[:] = seed_states(seed, 1)[0]
        self.phase = TURN if self.get("phase") is None else as_word("phase", self.get("phase"), PHASES)
        self.seats: list[dict[str, Any]] = []  # the entries of `seats`, keys with null left out
        self.tally = Tally(self.names.types, self.rules.types[: len(self.names.cards), COPIES])

    def team(self, seat: int) -> int:
        """The team of a seat."""
        return int(self.rules.team[seat])

    def is_foe(self, seat: int, other: int) -> bool:
        """Whether two seats are opponents, alive or not."""
        return self.team(seat) != self.team(other)

    def is_alive(self, seat: int) -> bool:
        """Whether a seat has HP."""
        return int(self.s.hp[seat]) > 0

    def kind(self, card: int) -> int:
        """Kind of a card type."""
        return int(self.rules.types[card, KIND])

    def seats_of(self, mask: int) -> list[int]:
        """The seats of a bit mask."""
        return [seat for seat in range(self.num_seats) if (mask >> seat) & 1]

    def in_turn_order(self, seats: Sequence[int]) -> list[int]:
        """Seats in turn order from the active one on."""
        first = int(self.s.rank[int(self.s.active)])
        return sorted(seats, key=lambda seat: (int(self.s.rank[seat]) - first) % self.num_seats)

    def take(self, key: str, card: int, count: int = 1) -> None:
        """Enter copies of a type as placed by a key."""
        self.tally.take(key, card, count)

    def unplaced(self) -> list[int]:
        """The cards placed nowhere so far, in type order."""
        return self.tally.unplaced()

    def fits(self, key: str, phases: Sequence[int], needed: bool = True) -> bool:
        """Whether a key is given; refused if the phase is none of those that have it, or is one and it is missing."""
        phase = PHASES[self.phase]
        if self.get(key) is None:
            if needed and self.phase in phases:
                raise bad(key, f'is missing, but the phase "{phase}" needs it')
            return False
        if self.phase not in phases:
            raise bad(key, f'must be left out in the phase "{phase}"')
        return True
