"""Writing a state record as a position: a plain mapping by names that reads back as the same state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardzoo.envs.bloodsport_gambler.actions import SPOT_NAMES
from cardzoo.envs.bloodsport_gambler.cards import WEAPON_TYPES
from cardzoo.envs.bloodsport_gambler.describe import fate_of
from cardzoo.envs.bloodsport_gambler.notation import (
    FIGHT_NAMES,
    MOD_KEYS,
    PILE_FIELDS,
    SIDE_KEYS,
    SIDE_NAMES,
    SLOT_NAMES,
    TARGET_NAMES,
    Names,
    seats_of,
)
from cardzoo.envs.bloodsport_gambler.read_checks import has_lasting_wounded, window_numbers
from cardzoo.envs.bloodsport_gambler.state import (
    BET,
    FIGHTS,
    FIRST_LOAN,
    LOANS,
    NO_CARD,
    NOBODY,
    NODES,
    SEATS,
    SIDES,
    STATUSES,
    UNDECIDED,
    WINDOW,
    WINNERS,
)

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game
    from cardzoo.envs.core.records import Records


def dump_position(game: Game, states: Records) -> dict[str, Any]:
    """The position of the first record of `states` (np.recarray of `state.DTYPE`).

    Returns:
        every key of the notation in its order, then the derived ones; plain dicts, lists, texts, numbers and None.
    """
    return _Writer(game, states).position()


class _Writer:
    """One record on its way into one mapping."""

    def __init__(self, game: Game, states: Records) -> None:
        self.names = Names(game)
        self.rules: Any = game.rules[0]
        self.num_seats = game.num_seats
        self.s = states[0]
        self.numbers = np.zeros((SIDES, 2), np.int64)
        self.window = int(self.s.fight_round) > 0
        if self.window:
            window_numbers(states, 0, game.rules, self.numbers)

    def position(self) -> dict[str, Any]:
        """All keys of the notation, in its order, and the derived ones."""
        s = self.s
        node, actor = int(s.node), int(s.actor)
        on_table = int(s.secret[0]) != NO_CARD
        return {
            "at": NODES[node],
            "round": int(s.round_no),
            "first": int(s.first),
            "actor": None if actor == NOBODY else actor,
            "passes": int(s.passes),
            "guard": int(s.guard),
            "caught": bool(s.caught),
            "fight": int(s.fight) + 1 if self.window or node in (BET, WINDOW) else None,
            "fight_round": int(s.fight_round) if self.window else None,
            "dice": [int(die) for die in s.tape[: int(s.n_tape)]],
            "seed": None,  # the generator is no part of a position
            **{f"seat{seat}": self.seat(seat) if seat < self.num_seats else None for seat in range(SEATS)},
            "fights": {name: self.fight(fight) for fight, name in enumerate(FIGHT_NAMES)} if on_table else None,
            "sabotage": [self.sabotage(k) for k in range(int(s.n_sab))],
            "pending": self.pending() if int(s.p_card) != NO_CARD else None,
            **self.piles(),
            "used": self.names.actions.mapping(s.used),
            "truncated": bool(s.truncated),
            "returns": [float(value) for value in s.ret[: self.num_seats]],
        }

    def piles(self) -> dict[str, Any]:
        """Decks, top first, and discards."""
        s, kinds = self.s, self.names.kinds()
        found: dict[str, Any] = {}
        for kind, ids in kinds.items():
            deck, size, _ = PILE_FIELDS[kind]
            found[f"{kind}_deck"] = [ids.ids[int(card)] for card in s[deck][: int(s[size])]][::-1]
        for kind, ids in kinds.items():
            found[f"{kind}_discard"] = ids.mapping(s[PILE_FIELDS[kind][2]])
        return found

    # --- seats

    def seat(self, seat: int) -> dict[str, Any]:
        """All keys of a seat, in their order."""
        s, actions = self.s, self.names.actions
        return {
            "coin": int(s.coin[seat]),
            "time": int(s.time[seat]),
            "chance": int(s.chance[seat]),
            "hand": actions.mapping(s.hand[seat]),
            "paid": [FIRST_LOAN + k for k in range(LOANS) if int(s.paid[seat, k])],
            "paid_now": int(s.paid_now[seat]),
            "wagers": {
                FIGHT_NAMES[fight]: {
                    "side": SIDE_NAMES[int(s.bet_side[seat, fight]) - 1],
                    "coin": int(s.bet_coin[seat, fight]),
                }
                for fight in range(FIGHTS)
                if int(s.bet_side[seat, fight])
            },
            "lost": [FIGHT_NAMES[fight] for fight in range(FIGHTS) if int(s.lost[seat, fight])],
            "status": STATUSES[int(s.status[seat])],
            "playing": bool(s.playing[seat]),
            "passed": bool(s.passed[seat]),
            "result": STATUSES[int(s.result[seat])],
            "fate": fate_of(s, seat),
            "pool": actions.mapping(s.pool[seat]),
        }

    # --- the table

    def fight(self, fight: int) -> dict[str, Any]:
        """All keys of a fight, in their order."""
        s, winner = self.s, int(self.s.winner[fight])
        return {
            **{word: self.side(fight, side) for side, word in enumerate(SIDE_NAMES)},
            "secret": self.names.secrets.ids[int(s.secret[fight])],
            "secret_known": seats_of(s.s_known[fight]),
            "secret_old": bool(s.s_old[fight]),
            "winner": None if winner == UNDECIDED else WINNERS[winner],
        }

    def side(self, fight: int, side: int) -> dict[str, Any]:
        """All keys of a fighter with its weapon, in their order."""
        s = self.s
        kind = int(s.w_type[fight, side])
        entry = dict.fromkeys(SIDE_KEYS) | {
            "fighter": self.names.fighters.ids[int(s.fighter[fight, side])],
            "wounds": int(s.wounds[fight, side]),
            **{word: int(s.mod[fight, side, k]) for k, word in enumerate(MOD_KEYS)},
            "weapon": self.names.weapons.ids[int(s.weapon[fight, side])],
            "slot": SLOT_NAMES[int(s.w_slot[fight, side])],
            "damage": int(s.w_damage[fight, side]),
            "type": WEAPON_TYPES[kind - 1] if kind else None,
            "known": seats_of(s.w_known[fight, side]),
            "old": bool(s.w_old[fight, side]),
        }
        if self.window and fight == int(s.fight):
            lasting = has_lasting_wounded(self.rules, int(s.secret[fight]))
            entry |= {
                "rolls": [int(die) for die in s.rolls[side, : int(s.n_rolls[side])]],
                "react_score": int(s.react[side, 0]),
                "react_damage": int(s.react[side, 1]),
                "wounded": bool(s.wounded[side]) if lasting else None,
                "total": int(self.numbers[side, 1]),
            }
        return entry

    def sabotage(self, k: int) -> dict[str, Any]:
        """A Sabotage card on the table."""
        s = self.s
        return {
            "card": self.names.actions.ids[int(s.sab_card[k])],
            "seat": int(s.sab_seat[k]),
            "spot": SPOT_NAMES[int(s.sab_spot[k])],
            "slot": SLOT_NAMES[int(s.sab_slot[k])],
            "time": int(s.sab_time[k]),
            "coin": int(s.sab_coin[k]),
            "shown": bool(s.sab_shown[k]),
            "seen": seats_of(s.sab_seen[k]),
        }

    def pending(self) -> dict[str, Any]:
        """The card being played and what is decided about it."""
        s = self.s
        return {
            "card": self.names.actions.ids[int(s.p_card)],
            "targets": [TARGET_NAMES[int(target)] for target in s.target[: int(s.n_target)]],
            "shown": [bool(answer) for answer in s.show[: int(s.n_show)]],
            "time": int(s.p_time),
        }
