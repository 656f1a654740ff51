"""One position on its way into one record: what every part of the reader shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cardzoo.envs.bloodsport_gambler.cards import COPIES, FIGHTER_COPIES, KIND, REACT, SECRET_COPIES, WEAPON_COPIES
from cardzoo.envs.bloodsport_gambler.notation import DERIVED, KEYS, MAX_SEED, PENDING_KEYS, PLACES, Names
from cardzoo.envs.bloodsport_gambler.state import DTYPE, FIGHTS, NO_CARD
from cardzoo.envs.core.notation import as_mapping, as_whole, as_word, bad
from cardzoo.envs.core.random import seed_states
from cardzoo.envs.core.reading import PositionReading, Tally
from cardzoo.envs.core.records import Record, Records

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game

SUB_PLACES = ("target", "show", "time", "coin")  # decisions about a card being played
SETTLED = ("settle", "loan", "discard", "reset", "over")
TALLY_COLUMNS = {"action": COPIES, "fighter": FIGHTER_COPIES, "weapon": WEAPON_COPIES, "secret": SECRET_COPIES}


class Reading(PositionReading):
    """The position, the record that it becomes, and the account of the cards placed so far.

    Attributes:
        at: where the game is, one of PLACES.
        begun: fights that have begun; their cards are known to all.
        finished: fights that are over.
        first_open: the first fight in which Sabotage can lie.
        window: whether a React window is open.
        seats: the entries `seat0`, `seat1`, keys with null left out.
        on_table: whether cards of fights lie on the table.
        fights: the entries of left and right of each fight, likewise.
    """

    def __init__(self, game: Game, position: Mapping[str, Any]) -> None:
        super().__init__(position, KEYS, DERIVED, game.num_seats)
        self.game = game
        self.names = Names(game)
        self.rules: Any = game.rules[0]
        self.options = game.options
        self.states: Records = np.zeros(1, DTYPE).view(np.recarray)
        self.s: Record = self.states[0]
        seed = self.whole("seed", 0, 0, MAX_SEED)
        self.s.rng[:] = seed_states(seed, 1)[0]
        self.random = np.random.default_rng(seed)
        tables = {
            "action": self.rules.actions,
            "fighter": self.rules.fighters,
            "weapon": self.rules.weapons,
            "secret": self.rules.secrets,
        }
        self.tallies = {
            kind: Tally(ids, tables[kind][: len(ids), TALLY_COLUMNS[kind]]) for kind, ids in self.names.kinds().items()
        }
        self.at = "act" if self.get("at") is None else PLACES[as_word("at", self.get("at"), PLACES)]
        self.pending = self._read_pending()
        self.s.p_card = NO_CARD if self.pending is None else self.names.actions.number("pending", self.pending["card"])
        self.window = self.at == "react" or (self.at in SUB_PLACES and self.kind(int(self.s.p_card)) == REACT)
        self.seats: list[dict[str, Any]] = []
        self.on_table = False
        self.fights: list[list[dict[str, Any]]] = []
        self._read_fight()

    def _read_pending(self) -> dict[str, Any] | None:
        """The entries about the card being played, which is there exactly where something is decided about it."""
        value = self.get("pending")
        if self.at not in SUB_PLACES:
            if value is not None:
                raise bad("pending", f"must be left out at {self.at}")
            return None
        if value is None:
            raise bad("pending", f"is missing, but at {self.at} a card is being played")
        entry = present(as_mapping("pending", value, PENDING_KEYS))
        if "card" not in entry:
            raise bad("pending", "must name the card")
        return entry

    def _read_fight(self) -> None:
        """The fight being bet on or fought, its round, and how far the fights are with that."""
        fight = self.whole("fight", 1, 1, FIGHTS) - 1
        fight_round = self.whole("fight_round", 1, 1, int(self.rules.max_fight_rounds))
        fighting = self.window or self.at in ("fight", "window")
        self.s.fight = fight if fighting or self.at == "bet" else 0
        self.s.fight_round = fight_round if self.window else 0
        if self.at in SETTLED:
            self.begun = self.finished = self.first_open = FIGHTS
            return
        self.finished = fight if fighting else 0
        self.begun = self.finished + int(self.window or self.at == "window")
        self.first_open = self.finished + int(self.window)
        if self.at in ("setup", "order"):
            self.first_open = FIGHTS

    def kind(self, card: int) -> int:
        """Kind of an action card; -1 for none."""
        return -1 if card == NO_CARD else int(self.rules.actions[card, KIND])

    def everyone(self) -> int:
        """Bit mask of all seats."""
        return (1 << self.num_seats) - 1

    def mask(self, key: str, value: Any) -> int:
        """Bit mask of a list of seats."""
        return sum(1 << seat for seat in self.seat_list(key, value))

    def is_playing(self, seat: int) -> bool:
        """Whether a seat is at the table."""
        return bool(self.s.playing[seat])

    def playing(self) -> list[int]:
        """The seats at the table."""
        return [seat for seat in range(self.num_seats) if self.is_playing(seat)]

    def number(self, key: str, entry: Mapping[str, Any], name: str, default: int, low: int, high: int) -> int:
        """The whole number at an entry of a mapping, which is at `key`."""
        return as_whole(f"{key}.{name}", entry.get(name, default), low, high)


def present(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A mapping without the keys whose value is null, which says the same as leaving them out."""
    return {key: value for key, value in entry.items() if value is not None}
