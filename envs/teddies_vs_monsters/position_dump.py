"""Writing a state record as a position: a plain mapping by names that reads back as the same state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.teddies_vs_monsters.cards import LENGTH
from cardzoo.envs.teddies_vs_monsters.notation import ROOM_ACTS, Names, readings_of
from cardzoo.envs.teddies_vs_monsters.state import (
    IDLE,
    KINDS,
    NO_CARD,
    NO_ROOM,
    NOBODY,
    TEAM_NAMES,
    TEAMS,
)

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game
    from cardzoo.envs.core.records import Record, Records


def dump_position(game: Game, states: Records) -> dict[str, Any]:
    """The position of the first record of `states` (np.recarray of `state.DTYPE`).

    Returns:
        every key of the notation in its order, then the derived ones; plain dicts, lists, texts, numbers and None.
        Rows, traps and decks are in the order that they have, all other lists of cards by type.
    """
    return _Writer(game, states).position()


def discards_of(s: Record, rules: Any, team: int) -> NDArray[np.int64]:
    """Counts of a team's discards, (MAX_TYPES,): its used cards but those in rows and trap piles."""
    counts: NDArray[np.int64] = s.used[team::TEAMS].sum(axis=0, dtype=np.int64)
    for room in range(int(rules.num_rooms)):
        lying = s.row[team, room, : int(s.row_n[team, room])].tolist()
        lying += s.trap[1 - team, room, : int(s.trap_n[1 - team, room])].tolist()
        for card in lying:
            counts[card] -= 1
    return counts


class _Writer:
    """One record on its way into one mapping."""

    def __init__(self, game: Game, states: Records) -> None:
        self.names = Names(game)
        self.rules: Any = game.rules[0]
        self.num_seats = game.num_seats
        self.s = states[0]
        self.returns = game.returns(states, 0)

    def position(self) -> dict[str, Any]:
        """All keys of the notation, in its order, and the derived ones."""
        s, agents = self.s, self.names.agents
        actor, picked = int(s.actor), int(s.picked)
        return {
            "tick": int(s.tick),
            "round": int(s.round_no),
            "sudden_death": int(s.sudden),
            "keys": {name: int(s.keys[team]) for team, name in enumerate(TEAM_NAMES)},
            "over": actor == NOBODY,
            "rooms": {str(room + 1): self.room(room) for room in range(int(self.rules.num_rooms))},
            "players": {agent: self.player(seat) for seat, agent in enumerate(agents)},
            "discards": {name: self.discards(team) for team, name in enumerate(TEAM_NAMES)},
            "pending": {agent: self.pending(seat) for seat, agent in enumerate(agents) if int(s.p_kind[seat]) != IDLE},
            "picked": None if picked == NO_CARD else self.names.of_seat(actor).ids[picked],
            "dice": [int(value) for value in s.tape[: int(s.n_tape)]],
            "seed": None,  # the generator is no part of a position
            "actor": None if actor == NOBODY else agents[actor],
            "truncated": bool(s.truncated),
            "returns": {agent: float(self.returns[seat]) for seat, agent in enumerate(agents)},
        }

    # --- rooms

    def room(self, room: int) -> dict[str, Any] | None:
        """All keys of a room, in their order; None for one that a sudden death does not have."""
        s = self.s
        bedroom, owner = int(s.bedroom[room]), int(s.claimed[room])
        if bedroom == NO_ROOM:
            return None
        return {
            "bedroom": self.names.bedrooms.ids[bedroom],
            "claimed": None if owner == NOBODY else TEAM_NAMES[owner],
            "mistake": bool(s.mistake[room]),
            **{name: self.side(team, room) for team, name in enumerate(TEAM_NAMES)},
        }

    def side(self, team: int, room: int) -> dict[str, Any]:
        """All keys of a team's side of a room."""
        s = self.s
        own, foe = self.names.cards[team].ids, self.names.cards[1 - team].ids
        symbols, readings = int(s.row_sym[team, room]), int(s.open[team, room])
        return {
            "row": [own[int(card)] for card in s.row[team, room, : int(s.row_n[team, room])]],
            "traps": [foe[int(card)] for card in s.trap[team, room, : int(s.trap_n[team, room])]][::-1],
            "paid": int(s.paid[team, room]),
            "symbols": symbols,
            "readings": readings_of(readings),
            "complete": readings > 0 and symbols == int(self.rules.bedrooms[int(s.bedroom[room]), LENGTH]),
        }

    def discards(self, team: int) -> list[str]:
        """The discards of a team."""
        return self.names.listed(team, discards_of(self.s, self.rules, team))

    # --- seats

    def player(self, seat: int) -> dict[str, Any]:
        """All keys of a seat, in their order."""
        s, team = self.s, seat % TEAMS
        return {
            "hand": self.names.listed(team, s.hand[seat]),
            "sleeve": self.names.listed(team, s.sleeve[seat]),
            "deck": self.deck(seat),
            "deck_top": None,
            "reserve": self.reserve(seat),
            "face_down": bool(s.face_down[seat]),
            "used": self.names.listed(team, s.used[seat]),
            "known": self.names.listed(team, s.known[seat]),
            "last": self.last(seat),
        }

    def deck(self, owner: int) -> list[str]:
        """The cards of a deck, top first."""
        ids = self.names.of_seat(owner).ids
        return [ids[int(card)] for card in self.s.deck[owner, : int(self.s.deck_n[owner])]][::-1]

    def reserve(self, seat: int) -> list[str] | bool | None:
        """The second deck, top first; False when it was taken, None when there never is one."""
        if self.num_seats > TEAMS:
            return None
        return self.deck(TEAMS + seat) or False

    def last(self, seat: int) -> dict[str, Any] | None:
        """The last act of a seat that was seen."""
        s, kind = self.s, int(self.s.l_kind[seat])
        if kind == IDLE:
            return None
        return {
            "action": KINDS[kind],
            "room": int(s.l_room[seat]) + 1 if kind in ROOM_ACTS else None,
            "lost": bool(s.l_lost[seat]),
            "tick": int(s.l_tick[seat]),
        }

    def pending(self, seat: int) -> dict[str, Any]:
        """The act of a seat that is under way."""
        s = self.s
        act = [int(s[field][seat]) for field in ("p_kind", "p_card", "p_room", "p_side")]
        return {"action": self.names.act_text(seat, *act), "lands": int(s.p_due[seat])}
