"""Recorded games: one seeded random game as text, so that a diff shows every change of rules or encodings.

The file of variant V of game G is tests/recordings/G-V.txt. The first step shows everything; later ones what changed:
keys of the position, blocks of each seat's observation (entries that are not zero), and always actions and rewards.
After DETAILED moves only these are written, and at the end everything that has changed since.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import yaml

from cardzoo.envs.core import loops
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.random import seed_states
from cardzoo.envs.core.state import State

FOLDER = Path(__file__).parents[1] / "recordings"
SEED = 2024
DETAILED = 120
MAX_MOVES = 20_000


def path_of(game: str, variant: str) -> Path:
    """Where the recording of a variant is."""
    return FOLDER / f"{game}-{variant}.txt"


def record(game: Game, variant: str, seed: int = SEED) -> str:
    """Play one game with random moves and write it down."""
    state = game.new_state(seed)
    rng = seed_states(seed + 1, 1)[0]
    lines = [
        "# One random game, written by `make record`. A change of rules or encodings shows here: raise the version.",
        f"game: {game.name} v{game.version}",
        f"variant: {variant} {flow(game.options)}",
        f"seed: {seed}",
        f"cards: {game.hash}",
        f"actions: {len(game.actions)} {game.actions.hash}",
        f"observations: {len(game.observations)} {game.observations.hash}",
    ]
    shown: dict[str, str] = {}
    moves = 0
    while True:
        seat = state.actor
        if moves <= DETAILED or seat is None:
            facts = all_facts(state)
            lines.append("")
            lines.append(f"== {moves}: {'over' if seat is None else f'seat {seat}'}")
            lines += [f"{key}: {value}" for key, value in facts.items() if shown.get(key) != value]
            lines += [f"{key}: gone" for key in shown if key not in facts]
            shown = facts
        if seat is None:
            break
        legal = state.legal_texts()
        if moves <= DETAILED:
            lines.append(f"legal: {' | '.join(legal)}")
        action = int(loops.pick(state.action_mask(), len(legal), rng))
        before = state.returns
        state.apply(action)
        rewards = " ".join(f"{reward:g}" for reward in state.returns - before)
        lines.append(f"-> {game.text(action, seat)} (rewards {rewards})")
        moves += 1
        if moves > MAX_MOVES:
            raise AssertionError(f"{game.name} {variant}: the recorded game does not end")
    lines.append(f"outcome: {flow(state.outcome._asdict())}")  # type: ignore[union-attr]
    return "\n".join(lines) + "\n"


def all_facts(state: State) -> dict[str, str]:
    """All that a step may show."""
    facts: dict[str, str] = {}
    for key, value in state.to_position().items():
        facts |= position_facts(f"position {key}", value)
    for seat in range(state.game.num_seats):
        observation = state.observe(seat)
        for block in state.game.observations:
            facts |= block_facts(f"seat {seat} {block.name}", observation[block.slice].reshape(block.shape))
    return facts


def position_facts(key: str, value: Any) -> dict[str, str]:
    """A key of a position; what consists of mappings (seats) entry by entry, so that a step changes little."""
    parts = dict(enumerate(value)) if isinstance(value, list) else value
    if isinstance(parts, dict) and parts and all(isinstance(part, dict) for part in parts.values()):
        return {f"{key}.{n}.{name}": flow(inner) for n, part in parts.items() for name, inner in part.items()}
    return {key: flow(value)}


def block_facts(key: str, values: np.ndarray) -> dict[str, str]:
    """A block of an observation, one with rows row by row."""
    if values.ndim < 2:
        return {key: entries(values)}
    return {f"{key}[{n}]": entries(row.ravel()) for n, row in enumerate(values)}


def entries(values: np.ndarray) -> str:
    """The entries of a block that are not zero, as index=value."""
    return " ".join(f"{k}={values[k]:.6g}" for k in np.flatnonzero(values)) or "-"


def flow(value: Any) -> str:
    """A plain value on one line of YAML."""
    text = yaml.safe_dump(value, default_flow_style=True, width=10**9, sort_keys=False, allow_unicode=True)
    return text.removesuffix("\n").removesuffix("\n...")
