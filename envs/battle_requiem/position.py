"""Positions by name: reading one into a state record, and (in position_dump.py) writing one.

A position says what a person would: who holds which card, what lies where, what is being decided. Everything that it
leaves out has a default, and everything that cannot occur in a game is refused with the key that is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cardzoo.envs.battle_requiem.legal import legal
from cardzoo.envs.battle_requiem.position_dump import dump_position
from cardzoo.envs.battle_requiem.read_cards import place_rest, read_hands, read_knowledge, read_piles
from cardzoo.envs.battle_requiem.read_seats import living_teams, read_seats
from cardzoo.envs.battle_requiem.read_table import check_need, check_trim, read_duel, read_effect, read_fallen
from cardzoo.envs.battle_requiem.reading import Reading
from cardzoo.envs.battle_requiem.state import (
    DEFEND,
    DRAFT,
    LEVY,
    MAX_EXTRA,
    NO_CHARACTER,
    NOBODY,
    OVER,
    PHASES,
    TRIBUTE,
)
from cardzoo.envs.core.notation import as_flag, bad
from cardzoo.envs.core.records import Records

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game

__all__ = ["dump_position", "load_position"]


def load_position(game: Game, position: Mapping[str, Any], seed: int | None = 0) -> Records:
    """Make a state record from a position; the engine makes no moves (R27).

    Args:
        game: the game whose cards and options the position is read with.
        position: the mapping; derived keys are ignored.
        seed: fixes what the position leaves to chance: hands that are dealt, the order of the cards under the listed
            ones of the draw pile, and all random numbers after it.

    Returns:
        np.recarray of `state.DTYPE`, shape (1,).

    Raises:
        PositionError: the position is malformed or cannot occur; the sentence names the key.
    """
    r = Reading(game, position, seed)
    r.s.phase = r.phase
    read_seats(r)
    _read_flow(r)
    read_fallen(r)
    read_hands(r)
    draw, discard = read_piles(r)
    read_duel(r)
    read_effect(r)
    place_rest(r, draw, discard)
    read_knowledge(r)
    check_need(r)
    check_trim(r)
    r.s.actor = _actor(r)
    _check_decision(game, r)
    return r.states


def _read_flow(r: Reading) -> None:
    """Whose turn it is, the counters, and how the game ended."""
    s = r.s
    drafting = r.phase == DRAFT
    order = [int(seat) for seat in s.order[: r.num_seats]]
    first = next(seat for seat in order if (int(s.char[seat]) == NO_CHARACTER if drafting else r.is_alive(seat)))
    active = first if r.get("active") is None else r.seat("active", r.get("active"))
    if drafting and active != first:
        raise bad("active", f"is {active}, but seat {first} drafts now")
    if not drafting and not r.is_alive(active):
        raise bad("active", f"is {active}, but that seat is eliminated")
    s.active, s.pos = active, s.rank[active]
    s.truncated = 0 if r.get("truncated") is None else as_flag("truncated", r.get("truncated"))
    low, high = (0, 0) if drafting else (1, int(r.rules.max_turns))
    s.turn = r.whole("turn", low, low, high)
    s.round_no = r.whole("round", low, low, int(s.turn))  # every round has a turn
    s.extra = r.whole("extra", 0, 0, 0 if drafting else MAX_EXTRA)
    if s.truncated and int(s.turn) != high:
        raise bad("turn", f"must be {high} in a game that was cut off, not {int(s.turn)}")
    if r.phase == OVER:
        if (len(living_teams(r)) > 1) != bool(s.truncated):
            raise bad("truncated", "must be true if, and only if, the game is over with more than one team left")
    elif s.truncated:
        raise bad("truncated", f'must be false in the phase "{PHASES[r.phase]}"')


def _actor(r: Reading) -> int:
    """The seat to decide, which the phase names."""
    s = r.s
    if r.phase == OVER:
        return NOBODY
    if r.phase == DEFEND:
        return int(s.defender)
    if r.phase in (LEVY, TRIBUTE):
        return r.in_turn_order(r.seats_of(int(s.eff_queue)))[0]
    return int(s.active)


def _check_decision(game: Game, r: Reading) -> None:
    """Refuse a decision without a legal action."""
    if r.phase == OVER:
        return
    mask = np.zeros(game.num_actions, np.bool_)
    if legal(r.states, 0, game.rules, mask) == 0:
        raise bad("phase", f"is {PHASES[r.phase]}, but seat {int(r.s.actor)} has no legal action there")
