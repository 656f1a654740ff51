"""Positions by name: reading one into a state record, and (in position_dump.py) writing one.

A position says what a person would: what lies in the rooms, who holds what, which acts are under way. Everything that
it leaves out has a default, and everything that cannot occur in a game is refused with the key that is wrong. After
reading, the engine takes its forced steps, so the result is at a decision or over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cardzoo.envs.core.notation import as_list, as_mapping, as_whole, bad
from cardzoo.envs.core.records import Records
from cardzoo.envs.teddies_vs_monsters.flow import AT_ASK
from cardzoo.envs.teddies_vs_monsters.notation import MAX_DIE
from cardzoo.envs.teddies_vs_monsters.position_dump import dump_position
from cardzoo.envs.teddies_vs_monsters.read_checks import NOT_THERE, is_decided, targets_of
from cardzoo.envs.teddies_vs_monsters.read_rooms import read_discards, read_rooms
from cardzoo.envs.teddies_vs_monsters.read_seats import read_pending, read_seats
from cardzoo.envs.teddies_vs_monsters.reading import Reading, present
from cardzoo.envs.teddies_vs_monsters.rules import resume
from cardzoo.envs.teddies_vs_monsters.state import IDLE, MAX_TAPE, NO_CARD, NOBODY, TEAM_NAMES

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game

__all__ = ["dump_position", "load_position"]


def load_position(game: Game, position: Mapping[str, Any]) -> Records:
    """Make a state record from a position, at the next decision or the end of the game.

    Args:
        game: the game whose cards and options the position is read with.
        position: the mapping; derived keys are ignored. Its `seed` fixes what it leaves to chance: the bedrooms and
            cards that are dealt, the order of the decks, and all random numbers after it.

    Returns:
        np.recarray of `state.DTYPE`, shape (1,).

    Raises:
        PositionError: the position is malformed or cannot occur; the sentence names the key.
    """
    r = Reading(game, position)
    _read_flow(r)
    read_rooms(r)
    read_discards(r)
    read_seats(r)
    read_pending(r)
    _read_picked(r)
    r.s.actor = NOBODY
    if not r.over:
        try:
            resume(r.states, 0, game.rules, AT_ASK)
        except ValueError as error:
            raise bad("dice", f"does not fit: {error}") from None
    return r.states


def _read_flow(r: Reading) -> None:
    """Clock, round, keys, how the game ended, and the tape of draws."""
    s = r.s
    s.tick = r.whole("tick", 0, 0, int(r.rules.round_ticks))
    s.round_no = r.whole("round", 1, 1, int(r.rules.max_rounds))
    s.sudden = r.whole("sudden_death", 0, 0, int(r.rules.max_sudden))
    enough = int(r.rules.keys_to_win)
    given = r.get("keys")
    entry = present(as_mapping("keys", {} if given is None else given, TEAM_NAMES))
    for team, name in enumerate(TEAM_NAMES):
        s.keys[team] = r.number("keys", entry, name, 0, 0, enough if r.over else enough - 1)
    if r.over:
        _read_end(r)
    tape = [] if r.get("dice") is None else as_list("dice", r.get("dice"), "numbers")
    if len(tape) > MAX_TAPE:
        raise bad("dice", f"has {len(tape)} numbers, but at most {MAX_TAPE} are possible")
    s.tape[: len(tape)] = [as_whole("dice", value, 0, MAX_DIE) for value in tape]
    s.n_tape = len(tape)


def _read_end(r: Reading) -> None:
    """A game is over when one team has its keys, or after the last round."""
    s = r.s
    winners = [name for team, name in enumerate(TEAM_NAMES) if int(s.keys[team]) == int(r.rules.keys_to_win)]
    if len(winners) > 1:
        raise bad("keys", "makes both teams winners")
    if not winners:
        if int(s.round_no) != int(r.rules.max_rounds):
            raise bad("over", "is true, but no team has enough keys and it is not the last round")
        s.truncated = 1


def _read_picked(r: Reading) -> None:
    """The card whose target the first idle seat owes."""
    s = r.s
    s.picked = NO_CARD
    if r.get("picked") is None:
        return
    idle = [seat for seat in range(r.num_seats) if int(s.p_kind[seat]) == IDLE]
    if r.over or not idle:
        raise bad("picked", "must be left out, because no seat is idle")
    card = r.ids(idle[0]).number("picked", r.get("picked"))
    targets = int(targets_of(r.states, 0, r.game.rules, idle[0], card))
    agent = r.names.agents[idle[0]]
    if targets == NOT_THERE:
        raise bad("picked", f"is {r.get('picked')}, which {agent} has not to play")
    if targets < 2:
        raise bad("picked", f"is {r.get('picked')}, which has {targets} targets, so that {agent} owes none")
    if is_decided(r.states, 0, r.game.rules):
        raise bad("picked", "must be left out, because the rooms decide the round")
    s.picked = card
