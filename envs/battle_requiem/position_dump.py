"""Writing a state record as a position: a plain mapping by names that reads back as the same state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardzoo.envs.battle_requiem import rules as rule_kernels
from cardzoo.envs.battle_requiem.notation import SEAT_KEYS, Names
from cardzoo.envs.battle_requiem.state import (
    DRAFT,
    LAST_DEFENCES,
    LAST_TURNS,
    NO_CARD,
    NO_CHARACTER,
    NOBODY,
    PHASES,
    REWARD,
    TRIM,
)

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game
    from cardzoo.envs.core.records import Records


def dump_position(game: Game, states: Records) -> dict[str, Any]:
    """The position of the first record of `states` (np.recarray of `state.DTYPE`).

    Returns:
        every key of the notation in its order, then the derived ones; plain dicts, lists, texts, numbers and None.
    """
    returns = np.zeros(game.num_seats, np.float64)
    rule_kernels.returns(states, 0, game.rules, returns)
    actor = int(states[0].actor)
    return {
        **_Writer(game, states).position(),
        "actor": None if actor == NOBODY else actor,
        "returns": [float(value) for value in returns],
    }


def _seat(value: Any) -> int | None:
    """A seat number; None for nobody."""
    return None if int(value) == NOBODY else int(value)


class _Writer:
    """One record on its way into one mapping."""

    def __init__(self, game: Game, states: Records) -> None:
        self.names = Names(game)
        self.num_seats = game.num_seats
        self.s = states[0]
        self.phase = int(self.s.phase)
        self.drafting = self.phase == DRAFT

    def position(self) -> dict[str, Any]:
        """All keys of the notation, in its order."""
        s = self.s
        return {
            "seats": [self.seat(seat) for seat in range(self.num_seats)],
            "active": int(s.active),
            "phase": PHASES[self.phase],
            "turn": None if self.drafting else int(s.turn),
            "round": None if self.drafting else int(s.round_no),
            "extra": None if self.drafting else int(s.extra),
            "draw": self.cards("draw")[::-1],
            "discard": self.cards("disc")[::-1],
            "box": self.names.mapping(s.box),
            "duel": self.duel() if int(s.defender) != NOBODY else None,
            "effect": self.effect() if int(s.eff_card) != NO_CARD else None,
            "fallen": self.seats(int(s.fallen)) if self.phase in (REWARD, TRIM) else None,
            "steals": self.cards("steals"),
            "mix": self.names.mapping(s.mix),
            "truncated": bool(s.truncated),
        }

    def seat(self, seat: int) -> dict[str, Any]:
        """All keys of a seat, in their order."""
        s, names = self.s, self.names
        character = int(s.char[seat])
        entry: dict[str, Any] = dict.fromkeys(SEAT_KEYS)
        entry["character"] = None if character == NO_CHARACTER else names.character_ids[character]
        if self.drafting:
            return entry
        place2 = int(s.place2[seat])
        return entry | {
            "hp": int(s.hp[seat]),
            "inventory": int(s.inv[seat]),
            "hand": names.mapping(s.hand[seat]),
            "known": names.mapping(s.known[seat]),
            "skip": int(s.skip[seat]),
            "veil": bool(s.veil[seat]),
            "attack_boost": int(s.att_boost[seat]),
            "defend_boost": int(s.def_boost[seat]),
            "last_turn": LAST_TURNS[int(s.last_turn[seat])],
            "last_defence": LAST_DEFENCES[int(s.last_def[seat])],
            "fresh": names.mapping(s.fresh[seat]),
            "place": (place2 / 2 if place2 % 2 else place2 // 2) if place2 else None,
        }

    def cards(self, field: str) -> list[str]:
        """A list of cards in the order of the record."""
        return [self.names.card_ids[int(card)] for card in self.s[field][: int(self.s["n_" + field])]]

    def seats(self, mask: int) -> list[int]:
        """The seats of a bit mask in turn order from the active one on."""
        s = self.s
        turns = [int(s.order[(int(s.rank[int(s.active)]) + k) % self.num_seats]) for k in range(self.num_seats)]
        return [seat for seat in turns if (mask >> seat) & 1]

    def duel(self) -> dict[str, Any]:
        """The duel on the table."""
        s, ids = self.s, self.names.card_ids
        return {
            "defender": int(s.defender),
            "attack": [ids[int(card)] for card in s.att[: int(s.n_att)]],
            "defence": [ids[int(card)] for card in s.dfn[: int(s.n_dfn)]],
        }

    def effect(self) -> dict[str, Any]:
        """The effect in progress."""
        s = self.s
        return {
            "card": self.names.card_ids[int(s.eff_card)],
            "step": int(s.eff_step),
            "branch": int(s.eff_branch),
            "foe": _seat(s.eff_foe),
            "ally": _seat(s.eff_ally),
            "queue": self.seats(int(s.eff_queue)),
            "need": int(s.eff_need),
        }
