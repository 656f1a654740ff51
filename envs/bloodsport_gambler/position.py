"""Positions by name: reading one into a state record, and (in position_dump.py) writing one.

A position says what a person would: what lies in the fights, who holds what, what is being decided. Everything that it
leaves out has a default, and everything that cannot occur in a game is refused with the key that is wrong. After
reading, the engine takes its forced steps, so the result is at a decision or over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cardzoo.envs.bloodsport_gambler.flow import AT_FIGHT, AT_NODE, AT_ORDER, AT_RESET, AT_SETTLE, AT_SETUP
from cardzoo.envs.bloodsport_gambler.notation import ENTRIES
from cardzoo.envs.bloodsport_gambler.position_dump import dump_position
from cardzoo.envs.bloodsport_gambler.read_cards import place_rest, read_hands, read_piles, read_pools
from cardzoo.envs.bloodsport_gambler.read_checks import write_returns
from cardzoo.envs.bloodsport_gambler.read_seats import (
    check_coins,
    find_actor,
    read_numbers,
    read_results,
    read_statuses,
    read_wagers,
)
from cardzoo.envs.bloodsport_gambler.read_table import (
    check_pending,
    check_rat_window,
    deal_fights,
    read_fights,
    read_pending,
    read_sabotage,
    read_window,
)
from cardzoo.envs.bloodsport_gambler.reading import Reading
from cardzoo.envs.bloodsport_gambler.rules import resume
from cardzoo.envs.bloodsport_gambler.state import ACT, BET, DISCARD, LOAN, MAX_GUARD, MAX_TAPE, NODES, OVER
from cardzoo.envs.core.notation import as_flag, as_list, as_whole, bad
from cardzoo.envs.core.records import Records

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game

__all__ = ["dump_position", "load_position"]

# For the words of `at` that are no node: the node that the record has until the engine goes on, and where it enters.
ENTRY_POINTS: Final = {
    "setup": (ACT, AT_SETUP),
    "order": (ACT, AT_ORDER),
    "fight": (BET, AT_FIGHT),
    "settle": (LOAN, AT_SETTLE),
    "reset": (DISCARD, AT_RESET),
}


def load_position(game: Game, position: Mapping[str, Any]) -> Records:
    """Make a state record from a position, at the next decision or the end of the game.

    Args:
        game: the game whose cards and options the position is read with.
        position: the mapping; derived keys are ignored. Its `seed` fixes what it leaves to chance: the cards that are
            dealt, the order of the decks, and all random numbers after it.

    Returns:
        np.recarray of `state.DTYPE`, shape (1,).

    Raises:
        PositionError: the position is malformed or cannot occur; the sentence names the key.
    """
    r = Reading(game, position)
    r.s.node = ENTRY_POINTS[r.at][0] if r.at in ENTRIES else NODES.index(r.at)
    read_statuses(r)
    _read_flow(r)
    read_hands(r)
    read_pending(r)
    read_sabotage(r)
    r.s.actor = find_actor(r)
    read_numbers(r)
    read_results(r)
    read_fights(r)
    decks = read_piles(r)
    deal_fights(r)
    place_rest(r, decks)
    read_wagers(r)
    check_coins(r)
    read_window(r)
    read_pools(r)
    check_rat_window(r)
    check_pending(r)
    write_returns(r.states, 0, game.rules)
    if int(r.s.node) != OVER:
        resume(r.states, 0, game.rules, ENTRY_POINTS[r.at][1] if r.at in ENTRIES else AT_NODE)
    return r.states


def _read_flow(r: Reading) -> None:
    """Round, order, passes, guard level, and the tape of dice."""
    s = r.s
    s.round_no = r.whole("round", 1, 1, int(r.rules.max_rounds))
    playing = r.playing()
    s.first = r.seat("first", (playing or [0])[0] if r.get("first") is None else r.get("first"))
    settled = ("setup", "order", "discard", "reset", "over")  # a seat that was first may have left by then
    if int(s.first) not in playing and r.at not in settled:
        raise bad("first", f"is {int(s.first)}, but that seat has left")
    passing = r.at in ("act", "react")
    s.passes = r.whole("passes", 0, 0, len(playing) - 1 if passing else 0)
    s.guard = r.whole("guard", 1, 1, MAX_GUARD)
    s.caught = 0 if r.get("caught") is None else as_flag("caught", r.get("caught"))
    given = [] if r.get("dice") is None else as_list("dice", r.get("dice"), "dice")
    dice = [as_whole("dice", die, 1, 6) for die in given]
    if len(dice) > MAX_TAPE:
        raise bad("dice", f"has {len(dice)} dice, but at most {MAX_TAPE} are possible")
    s.tape[: len(dice)] = dice
    s.n_tape = len(dice)
