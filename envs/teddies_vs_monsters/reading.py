"""One position on its way into one record: what every part of the reader shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.notation import as_flag, as_mapping, as_whole, bad
from cardzoo.envs.core.random import seed_states
from cardzoo.envs.core.reading import Ids, PositionReading, Tally
from cardzoo.envs.core.records import Record, Records
from cardzoo.envs.teddies_vs_monsters.cards import COPIES
from cardzoo.envs.teddies_vs_monsters.notation import DERIVED, KEYS, MAX_LANDING, MAX_SEED, PLAYER_KEYS, Names
from cardzoo.envs.teddies_vs_monsters.state import DTYPE, MAX_TYPES, TEAMS

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game


class Reading(PositionReading):
    """The position, the record that it becomes, and the account of the cards placed so far.

    Attributes:
        over: whether the game is over.
        players: the entry of each seat, keys with null left out.
        taken: whether each seat has taken its second deck, so that it owns two compositions.
        zones: for each seat, the cards that its entry puts somewhere.
        teams: for each team, all cards that the position puts somewhere.
        named: cards of each team in rows, in trap piles and named as discards, by type.
    """

    def __init__(self, game: Game, position: Mapping[str, Any]) -> None:
        super().__init__(position, KEYS, DERIVED, game.num_seats)
        self.game = game
        self.names = Names(game)
        self.rules: Any = game.rules[0]
        self.states: Records = np.zeros(1, DTYPE).view(np.recarray)
        self.s: Record = self.states[0]
        seed = self.whole("seed", 0, 0, MAX_SEED)
        self.s.rng[:] = seed_states(seed, 1)[0]
        self.random = np.random.default_rng(seed)
        self.over = bool(as_flag("over", self.get("over"))) if self.get("over") is not None else False
        self.players = self._read_players()
        self.taken = [self._is_taken(seat) for seat in range(self.num_seats)]
        self.zones = [
            Tally(self.names.of_seat(seat), (self.composition(seat) * (2 if self.taken[seat] else 1)).tolist())
            for seat in range(self.num_seats)
        ]
        self.teams = [
            Tally(ids, np.sum([self.zones[seat].copies for seat in self.seats_of(team)], axis=0))
            for team, ids in enumerate(self.names.cards)
        ]
        self.named = np.zeros((TEAMS, MAX_TYPES), np.int64)

    def _read_players(self) -> list[dict[str, Any]]:
        """The entries of the seats."""
        value = self.get("players")
        entries = present(as_mapping("players", {} if value is None else value, self.names.agents))
        return [
            present(as_mapping(self.player_key(seat), entries.get(agent, {}), PLAYER_KEYS))
            for seat, agent in enumerate(self.names.agents)
        ]

    def _is_taken(self, seat: int) -> bool:
        """Whether a seat has taken its second deck."""
        value = self.players[seat].get("reserve")
        if value is None:
            return False
        key = self.player_key(seat, "reserve")
        if self.num_seats > TEAMS:
            raise bad(key, "must be left out, because with four seats nobody has a second deck")
        if value is not True and value is not False and not isinstance(value, (list, tuple)):
            raise bad(key, "must be true, false or a list of its top cards")
        return value is False

    def player_key(self, seat: int, name: str = "") -> str:
        """The key of a seat's entry, or of one thing in it."""
        return f"players.{self.names.agents[seat]}{'.' if name else ''}{name}"

    def composition(self, seat: int) -> NDArray[np.int64]:
        """Copies of each type in one deck of a seat."""
        team = seat % TEAMS
        copies: NDArray[np.int64] = self.rules.cards[team, : len(self.names.cards[team]), COPIES].astype(np.int64)
        return copies

    def seats_of(self, team: int) -> range:
        """The seats of a team."""
        return range(team, self.num_seats, TEAMS)

    def take(self, seat: int, counts: Sequence[int]) -> None:
        """Enter cards that the entry of a seat puts somewhere."""
        self.zones[seat].take_counts(self.player_key(seat), counts)
        self.teams[seat % TEAMS].take_counts(self.player_key(seat), counts)

    def name(self, key: str, team: int, card: int) -> None:
        """Enter a card of a team that lies in a row, in a trap pile or in the discards."""
        self.teams[team].take(key, card)
        self.named[team, card] += 1

    def counts(self, seat: int, name: str) -> list[int] | None:
        """Copies of each type at a key of a seat's entry; None when it is omitted."""
        value = self.players[seat].get(name)
        return None if value is None else self.ids(seat).counts(self.player_key(seat, name), value)

    def ids(self, seat: int) -> Ids:
        """The cards of a seat's team."""
        return self.names.of_seat(seat)

    def number(self, key: str, entry: Mapping[str, Any], name: str, default: int, low: int, high: int) -> int:
        """The whole number at an entry of a mapping, which is at `key`."""
        return as_whole(f"{key}.{name}", entry.get(name, default), low, high)

    def landing(self, key: str, value: Any) -> int:
        """The tick at which an act lands."""
        return as_whole(key, value, int(self.s.tick) + 1, MAX_LANDING)

    def flag(self, key: str, entry: Mapping[str, Any], name: str, default: bool = False) -> int:
        """The flag at an entry of a mapping, which is at `key`."""
        return as_flag(f"{key}.{name}", entry.get(name, default))


def present(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A mapping without the keys whose value is null, which says the same as leaving them out."""
    return {key: value for key, value in entry.items() if value is not None}
