"""Speed, measured against a yardstick in the same run: absolute times say little about another machine."""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv

from cardzoo.agents.base import agent_names, make_agent
from cardzoo.envs import BatchEnv, load
from cardzoo.envs.core.aec import make_raw_env
from cardzoo.envs.core.borrow import borrowed
from cardzoo.envs.core.dispatch import game_legal, game_observe
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Records
from cardzoo.training.arena import play_matches

GAMES = 1024
YARDSTICK = "leduc_holdem_v4, AEC"
BENCHED: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "battle_requiem": ({"seats": 2}, {"seats": 6}),
    "bloodsport_gambler": ({"seats": 1}, {"seats": 2}),
    "teddies_vs_monsters": ({"seats": 2}, {"seats": 4}),
}
"""Option sets that are measured, for games where one does not say it all."""
NO_HEURISTICS = 3  # names that every game's players have: random, model:PATH, human


@kernel
def view_each(
    states: Records,
    rules: tuple[npt.NDArray[np.generic], ...],
    masks: npt.NDArray[np.bool_],
    observations: npt.NDArray[np.float32],
) -> None:
    """Write every actor's mask (N, A) and observation (N, D), as a step of the batch does."""
    states = borrowed(states)
    rules = borrowed(rules)
    masks = borrowed(masks)
    observations = borrowed(observations)
    for i in range(len(masks)):
        game_legal(states, i, rules, masks[i])
        game_observe(states, i, rules, states[i].actor, observations[i])


def aec_speed(env: AECEnv[Any, Any, Any], seconds: float, seed: int) -> float:
    """Decisions a second of random play in an AEC environment: the loop of PettingZoo's documentation."""
    generator = np.random.default_rng(seed)
    steps = 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        env.reset(seed=seed + steps)
        for _ in env.agent_iter():
            observation, _, termination, truncation, info = env.last()
            if termination or truncation:
                env.step(None)
                continue
            mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
            legal = np.flatnonzero(mask)
            env.step(int(legal[int(generator.random() * len(legal))]))
            steps += 1
    return steps / (time.perf_counter() - started)


def batch_speed(game: Game, seconds: float, seed: int, threads: int) -> float:
    """Decisions a second of random play in a batch of GAMES games, masks and observations included."""
    batch = BatchEnv(game, GAMES, seed=seed, threads=threads, sample=True)
    step = batch.reset()
    rounds = 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        step = batch.step(step.sampled)
        rounds += 1
    speed = rounds * GAMES / (time.perf_counter() - started)
    batch.close()
    return speed


def view_share(game: Game, seconds: float, seed: int) -> float:
    """Share of a batch step's time (on one thread) that goes into writing masks and observations."""
    batch = BatchEnv(game, GAMES, seed=seed, sample=True)
    masks = np.zeros((GAMES, game.num_actions), np.bool_)
    observations = np.zeros((GAMES, game.observation_size), np.float32)
    step = batch.reset()
    stepping = viewing = 0.0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        before = time.perf_counter()
        step = batch.step(step.sampled)
        between = time.perf_counter()
        view_each(batch.states, game.rules, masks, observations)
        stepping += between - before
        viewing += time.perf_counter() - between
    return viewing / stepping


def fresh_process(code: str) -> float:
    """Seconds that Python code takes in a new process, as it measures them itself (it prints them)."""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    return float(out.stdout.split()[-1])


def start_times(name: str) -> tuple[float, float]:
    """Seconds to import cardzoo.envs, and to the end of the first step with a warm cache, each in a new process."""
    clock = "import time; t = time.perf_counter()"
    stop = "print(time.perf_counter() - t)"
    step = "env.reset(seed=1); env.step(int(env.last()[0]['action_mask'].argmax())); env.last()"
    importing = fresh_process(f"{clock}; import cardzoo.envs; {stop}")
    stepping = fresh_process(
        f"import cardzoo.envs; {clock}; from cardzoo.envs.core.aec import make_raw_env; env = make_raw_env({name!r}); "
        f"{step}; {stop}"
    )
    return importing, stepping


def bench(names: Sequence[str], repeats: int, seconds: float, matches: int) -> str:
    """Measure, and return a text.

    Args:
        names: the games; each with the option sets of BENCHED.
        repeats: runs of each loop, taken in turns; medians are reported.
        seconds: length of a run.
        matches: games of greedy against planner, where there are two seats; 0 for none.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # PettingZoo prefers another way to make it by now
        from pettingzoo.classic import leduc_holdem_v4

    tables = [(name, options) for name in names for options in BENCHED.get(name, ({},))]
    loops: dict[str, Callable[[int], float]] = {
        YARDSTICK: lambda seed: aec_speed(leduc_holdem_v4.raw_env(), seconds, seed)
    }
    games = {label_of(name, options): load(name, **options) for name, options in tables}
    for (name, options), (label, game) in zip(tables, games.items(), strict=True):
        loops |= table_loops(label, name, options, game, seconds)
    for loop in loops.values():
        loop(0)  # compiled and warm
    speeds: dict[str, list[float]] = {label: [] for label in loops}
    shares: dict[str, list[float]] = {label: [] for label in games}
    for repeat in range(max(1, repeats)):
        for label, loop in loops.items():
            speeds[label].append(loop(repeat + 1))
        for label, game in games.items():
            shares[label].append(view_share(game, seconds, repeat + 1))
    width = max(map(len, loops))
    lines = [
        f"{'random play, medians of ' + str(max(1, repeats)):<{width}} {'steps/s':>12} {'spread':>21} {'ratio':>8}"
    ]
    yardstick = median(speeds[YARDSTICK])
    for label, values in speeds.items():
        spread = f"{min(values):,.0f}..{max(values):,.0f}"
        lines.append(f"{label:<{width}} {median(values):>12,.0f} {spread:>21} {median(values) / yardstick:>8,.1f}")
    importing, stepping = start_times(names[0])
    lines.append(f"import cardzoo.envs {importing:.2f} s, first step after it (warm cache) {stepping:.2f} s")
    for label, game in games.items():
        memory = BatchEnv(game, GAMES).nbytes / 1e6
        share = 100 * median(shares[label])
        lines.append(f"{label}: mask and observation take {share:.0f} % of a batch step; {GAMES} games {memory:.1f} MB")
        if matches and game.num_seats == 2 and len(agent_names(game.name)) > NO_HEURISTICS:
            lines.append(f"{label}: {match_speed(game, matches)}")
    return "\n".join(lines)


def label_of(name: str, options: Mapping[str, Any]) -> str:
    """A game with its options, for a table."""
    return ", ".join([name, *(f"{key} {value}" for key, value in options.items())])


def table_loops(
    label: str, name: str, options: Mapping[str, Any], game: Game, seconds: float
) -> dict[str, Callable[[int], float]]:
    """The loops that are timed for one game: each takes a seed and returns steps a second."""
    return {
        f"{label}, AEC": lambda seed: aec_speed(make_raw_env(name, **options), seconds, seed),
        f"{label}, batch of {GAMES}, 1 thread": lambda seed: batch_speed(game, seconds, seed, 1),
        f"{label}, batch of {GAMES}, 2 threads": lambda seed: batch_speed(game, seconds, seed, 2),
    }


def match_speed(game: Game, matches: int) -> str:
    """Time greedy against planner on two threads, and say what the time goes into."""
    players = [make_agent("greedy", game), make_agent("planner", game)]
    seating = np.tile(np.array([[0, 1], [1, 0]], dtype=np.intp), (-(-matches // 2), 1))
    deals = np.repeat(game.new_states(-(-matches // 2), 1), 2)
    play_matches(game, players, seating[:4], deals[:4])  # compiled and warm
    started = time.perf_counter()
    records = play_matches(game, players, seating, deals, chunk=512, threads=2)
    took = time.perf_counter() - started
    return (
        f"{len(deals):,} games greedy against planner on 2 threads: {took:.1f} s, "
        f"{records.decisions.sum() / took:,.0f} decisions/s ({took * 10000 / len(deals):.1f} s for 10,000 games)"
    )
