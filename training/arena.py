"""Matches: any players against any, thousands of games at once."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cardzoo.agents.base import Agent, Decisions
from cardzoo.agents.human import PlayerLeft
from cardzoo.envs import BatchEnv
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.records import Records
from cardzoo.envs.core.standings import places, team_returns

FORFEIT_RULE = (
    "a player that raises an error or answers with an illegal action loses that game at once: its seat gets -1 "
    "(in teams, every seat of its team), the other seats share +1, and the reason is recorded; a goal of the game "
    "counts as missed by the seats that got -1, and for the others as it stood when the game was lost"
)


@dataclass
class MatchRecords:
    """How a number of games went; row g of every array is game g.

    Attributes:
        returns: float64 (G, S), each seat's return; after a forfeit as FORFEIT_RULE says.
        places: float64 (G, S), each seat's place, see `Game.places`; after a forfeit by those returns.
        reached: bool (G, S), who reached the game's goal, see `Game.reached`; all False if it has none.
        truncated: bool (G,), stopped by a cap.
        forfeits: int8 (G,), the seat that lost by forfeit, -1 if none.
        first: int8 (G,), the seat that made the first decision.
        decisions: int32 (G,), how many decisions were made.
        reasons: game -> why it was forfeited.
    """

    returns: npt.NDArray[np.float64]
    places: npt.NDArray[np.float64]
    reached: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    forfeits: npt.NDArray[np.int8]
    first: npt.NDArray[np.int8]
    decisions: npt.NDArray[np.int32]
    reasons: dict[int, str]

    def __len__(self) -> int:
        return len(self.truncated)

    @classmethod
    def empty(cls, games: int, seats: int) -> MatchRecords:
        """Return records of games still to be played."""
        return cls(
            np.zeros((games, seats)),
            np.zeros((games, seats)),
            np.zeros((games, seats), dtype=np.bool_),
            np.zeros(games, dtype=np.bool_),
            np.full(games, -1, dtype=np.int8),
            np.zeros(games, dtype=np.int8),
            np.zeros(games, dtype=np.int32),
            {},
        )

    def put(self, start: int, part: MatchRecords) -> None:
        """Copy the records of games `start`, `start` + 1, ... in."""
        rows = slice(start, start + len(part))
        for name in ("returns", "places", "reached", "truncated", "forfeits", "first", "decisions"):
            getattr(self, name)[rows] = getattr(part, name)
        self.reasons.update({start + game: reason for game, reason in part.reasons.items()})


def play_matches(
    game: Game,
    agents: Sequence[Agent],
    seating: npt.NDArray[np.intp],
    deals: Records,
    *,
    seed: int = 0,
    chunk: int = 1024,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> MatchRecords:
    """Play games to their ends.

    The games are cut into chunks that are played at once; each chunk gets its own copies of the players, started from
    seeds that depend on `seed` and the chunk's number only. So the results depend neither on threads nor on time.

    Args:
        game: what is played.
        agents: the players.
        seating: (G, S), index into `agents` for each game and seat.
        deals: recarray (G,), the records that the games start from (see `Game.new_states`); not changed.
        seed: start of the players' random streams.
        chunk: games played at once.
        threads: chunks played at the same time.
        progress: called with the number of games that were finished since the last call.

    Raises:
        PlayerLeft: a human left.
    """
    total = MatchRecords.empty(len(deals), game.num_seats)
    starts = range(0, len(deals), chunk)

    def run(start: int) -> tuple[int, MatchRecords]:
        stop = min(start + chunk, len(deals))
        seeds = np.random.SeedSequence([seed, start // chunk]).generate_state(len(agents))
        players = [agent.fresh(int(own)) for agent, own in zip(agents, seeds, strict=True)]
        return start, _play_chunk(game, players, seating[start:stop], deals[start:stop])

    if threads <= 1 or len(starts) <= 1:
        finished = map(run, starts)
        for start, part in finished:
            total.put(start, part)
            if progress:
                progress(len(part))
        return total
    with _torch_on_one_thread(), ThreadPoolExecutor(threads) as executor:
        futures = [executor.submit(run, start) for start in starts]
        try:
            for future in as_completed(futures):
                start, part = future.result()
                total.put(start, part)
                if progress:
                    progress(len(part))
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise
    return total


@contextlib.contextmanager
def _torch_on_one_thread() -> Iterator[None]:
    """Let networks compute on one thread each while chunks are played side by side, or they get in each other's way."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _play_chunk(game: Game, agents: Sequence[Agent], seating: npt.NDArray[np.intp], deals: Records) -> MatchRecords:
    count = len(deals)
    records = MatchRecords.empty(count, game.num_seats)
    batch = BatchEnv(game, count, autoreset=False)  # games stay as they ended, to be asked for their places
    step = batch.reset_to(deals)
    records.first[:] = step.actor
    games = np.arange(count)
    running = np.ones(count, dtype=np.bool_)
    while running.any():
        actions = np.full(count, -1, dtype=np.int64)  # -1 leaves a game as it is; a finished one is never moved again
        table = Decisions.of_batch(game, batch.states, step.actor, step.observations, step.action_mask)
        player = np.where(running, seating[games, step.actor], -1)
        for number, agent in enumerate(agents):
            rows = np.flatnonzero(player == number)
            if len(rows):
                actions[rows], faults = ask(agent, table.subset(rows))
                for row, reason in faults.items():
                    lost = int(rows[row])
                    reached = game.reached(batch.states[lost : lost + 1])
                    _forfeit(game, records, lost, int(step.actor[lost]), reached, f"{agent.name}: {reason}")
                    running[lost] = False
        records.decisions += actions >= 0
        step = batch.step(actions)
        ended = running & step.done
        records.returns[ended] = step.final_returns[ended]
        records.truncated[ended] = step.truncated[ended]
        for over in np.flatnonzero(ended):
            records.places[over] = game.places(batch.states[over : over + 1])
            records.reached[over] = game.reached(batch.states[over : over + 1])
        running &= ~ended
    return records


def _forfeit(
    game: Game, records: MatchRecords, row: int, seat: int, reached: npt.NDArray[np.bool_], reason: str
) -> None:
    teams = np.array(game.teams)
    own = teams == teams[seat]
    records.returns[row] = np.where(own, -1.0, 1.0 / max(1, (~own).sum()))
    records.places[row] = places(team_returns(records.returns[row : row + 1], game.teams))[0, teams]
    records.reached[row] = reached & ~own
    records.forfeits[row] = seat
    records.reasons[row] = reason


def ask(agent: Agent, decisions: Decisions) -> tuple[npt.NDArray[np.int64], dict[int, str]]:
    """Ask a player, and find out which of its answers are none.

    If it raises over a batch it is asked once more for each decision alone, so that one bad decision costs one game.

    Returns:
        int64 (n,) actions, -1 where there is none; and for those rows the reason.
    """
    try:
        return check_answers(agent.act(decisions), decisions.masks)
    except PlayerLeft:
        raise
    except Exception as error:
        if len(decisions) == 1:
            return np.array([-1]), {0: f"raised {type(error).__name__}: {error}"}
    actions = np.full(len(decisions), -1, dtype=np.int64)
    faults: dict[int, str] = {}
    for row in range(len(decisions)):
        answer, fault = ask(agent, decisions.subset(np.array([row])))
        actions[row] = answer[0]
        if fault:
            faults[row] = fault[0]
    return actions, faults


def check_answers(answers: Any, masks: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int64], dict[int, str]]:
    """Check a player's answers; see `ask`.

    Raises:
        ValueError: not one integer for each decision.
    """
    actions = np.asarray(answers)
    if actions.shape != (len(masks),) or actions.dtype.kind not in "iu":
        raise ValueError(
            f"answered {len(masks)} decisions with an array of shape {actions.shape} and type {actions.dtype}, "
            f"not with one integer each"
        )
    actions = actions.astype(np.int64)
    inside = (actions >= 0) & (actions < masks.shape[1])
    legal = inside & masks[np.arange(len(masks)), np.where(inside, actions, 0)]
    if legal.all():
        return actions, {}
    faults = {int(row): f"answered with the illegal action {int(actions[row])}" for row in np.flatnonzero(~legal)}
    return np.where(legal, actions, -1), faults
