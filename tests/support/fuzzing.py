"""Random games with everything checked after every move: the driver of `cardzoo.envs.core.loops.fuzz`."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import yaml

from cardzoo.envs.core import loops
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.random import seed_states
from cardzoo.envs.core.state import State

CHUNK = 200  # games between two looks at the clock
MAX_MOVES = 20_000

REASONS = {
    loops.BROKEN_STATE: "the state breaks an invariant",
    loops.BROKEN_MOVE: "the move broke an invariant",
    loops.NO_ACTION: "the actor has no legal action",
    loops.BAD_ACTOR: "the actor is no seat, or an action is legal after the end",
    loops.BAD_NUMBER: "an observation or a return is not finite or out of range",
    loops.TOO_LONG: "the game does not end",
    loops.WORLD_OBSERVATION: "a sampled world looks different to its seat",
    loops.WORLD_MASK: "a sampled world allows the seat other actions",
    loops.WORLD_BROKEN: "a sampled world breaks an invariant",
    loops.WORLD_ACTOR: "in a sampled world another seat is to act, or others have left",
    loops.WORLD_PEEKS: "the sampled world depends on what the seat cannot know",
    loops.BROKEN_LEFT: "a seat that has left acts, earns or is back",
}


@dataclass
class FuzzResult:
    """What was played, and the failures as texts that say how to see them again."""

    games: int = 0
    moves: int = 0
    truncated: int = 0
    worlds: int = 0
    other_worlds: int = 0  # sampled worlds with other hidden cards than the true one
    longest: int = 0
    seconds: float = 0.0
    failures: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        share = self.other_worlds / max(self.worlds, 1)
        return (
            f"{self.games:,} games, {self.moves:,} moves (longest game {self.longest:,}), {self.truncated:,} cut off "
            f"({self.truncated / max(self.games, 1):.2%}), "
            f"{self.worlds:,} sampled worlds ({share:.0%} with other hidden cards), {self.seconds:.1f} s"
        )


class Worker:
    """The arrays that one thread needs; see `loops.fuzz`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states = game.blank_states(4)
        self.raw = self.states.view(np.uint8).reshape(4, -1).view(np.ndarray)
        self.blank = game.blank_states(1)
        self.masks = np.zeros((2, game.num_actions), np.bool_)
        self.observations = np.zeros((2, game.observation_size), np.float32)
        self.returns = np.zeros(game.num_seats)
        self.rngs = np.zeros((3, 4), np.uint32)
        self.tally = np.zeros(6, np.int64)
        self.report = np.zeros(4, np.int64)

    def run(self, seeds: np.ndarray, first: int, stop: int) -> int:
        """Play games first..stop-1; loops.FINE or why it stopped."""
        return int(
            loops.fuzz(
                self.states,
                self.raw,
                self.blank,
                self.game.rules,
                seeds,
                first,
                stop,
                MAX_MOVES,
                self.game.observation_limit,
                self.masks,
                self.observations,
                self.returns,
                self.rngs,
                self.tally,
                self.report,
            )
        )

    def failure(self, reason: int, seed: int) -> str:
        """Everything about a failure, with the positions before and at it."""
        number, move, seat, bits = self.report.tolist()
        game = self.game
        lines = [
            f"game {number} of seed {seed}, after {move} moves: {REASONS[reason]}"
            + (f" (seat {seat})" if seat >= 0 else "")
        ]
        if reason == loops.WORLD_BROKEN:
            bits = int(game.kernels.problems(self.states, 2, game.rules))
        lines += [f"  {problem}" for problem in game.describe_problems(bits)]
        shown = {"before": 1, "now": 0}
        if loops.WORLD_OBSERVATION <= reason <= loops.WORLD_PEEKS:
            shown = {"now": 0, "sampled world": 2}
            if reason == loops.WORLD_PEEKS:
                shown["sampled from that"] = 3
        elif move == 0:
            shown = {"now": 0}
        if reason == loops.WORLD_OBSERVATION:
            different = np.flatnonzero(self.observations[0] != self.observations[1])
            lines += [
                f"  feature {game.observations.at(int(k))[0].name}[{k}]: {self.observations[:, k]}"
                for k in different[:10]
            ]
        for label, index in shown.items():
            lines.append(f"  {label}: {describe(game, self.states[index : index + 1])}")
        return "\n".join(lines)


def describe(game: Game, states: Any) -> str:
    """A record as a position on one line, even if it is broken."""
    try:
        return yaml.safe_dump(
            State(game, states).to_position(), default_flow_style=True, width=10**9, sort_keys=False
        ).strip()
    except Exception as problem:  # a broken state may have no position
        return f"(no position: {problem!r})"


def fuzz(
    game: Game,
    games: int,
    seed: int = 0,
    first: int = 0,
    threads: int = 1,
    progress: Callable[[FuzzResult], None] | None = None,
) -> FuzzResult:
    """Play `games` random games, checking everything after every move; stop at the first failure of a thread.

    Game g depends on (seed, g) only, so a failure is seen again with ``first=g, games=1``.
    """
    seeds = seed_states(seed, first + games)
    starts = list(range(first, first + games, CHUNK))
    result = FuzzResult()
    workers = [Worker(game) for _ in range(threads)]
    began = time.perf_counter()

    def share(index: int) -> None:
        for start in starts[index::threads]:
            if result.failures:
                return
            reason = workers[index].run(seeds, start, min(start + CHUNK, first + games))
            if reason != loops.FINE:
                result.failures.append(workers[index].failure(reason, seed))
                return
            if index == 0 and progress is not None:
                progress(collect())

    def collect() -> FuzzResult:
        tallies = np.array([worker.tally for worker in workers])
        result.games, result.moves, result.truncated, result.worlds, result.other_worlds = (
            tallies[:, :5].sum(0).tolist()
        )
        result.longest = int(tallies[:, 5].max())
        result.seconds = time.perf_counter() - began
        return result

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(share, range(threads)))
    return collect()
