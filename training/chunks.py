"""The finished games of a comparison in a file, so that it can go on after an interruption."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from cardzoo.agents.files import write_atomically
from cardzoo.envs.core.errors import ConfigError
from cardzoo.envs.core.game import Game
from cardzoo.training.players import Player


def identity(game: Game, players: Sequence[Player], seed: int, games: int, keep_seats: bool) -> dict[str, Any]:
    """What a stored chunk depends on; chunks of anything else are never mixed in."""
    return {
        "game": game.name,
        "options": json.loads(json.dumps(dict(game.options), default=str)),
        "card_hash": game.hash,
        "players": [[player.label, player.spec] for player in players],
        "seed": seed,
        "games_per_pair": games,
        **({"keep_seats": True} if keep_seats else {}),
    }


class Chunks:
    """Finished chunks in a JSON-lines file: the first line says what they belong to."""

    def __init__(self, path: Path | None, identity: dict[str, Any]) -> None:
        """Open or begin the file; with path None nothing is kept.

        Raises:
            ConfigError: the file belongs to another comparison.
        """
        self._path = path
        self._known: dict[tuple[int, int], dict[str, Any]] = {}
        if path is None:
            return
        if path.exists():
            self._read(path, identity)
        else:
            write_atomically(path, (json.dumps(identity) + "\n").encode())

    def _read(self, path: Path, identity: dict[str, Any]) -> None:
        good: list[str] = []
        for line in path.read_text().splitlines():
            try:
                value = json.loads(line)
            except json.JSONDecodeError:
                break  # a kill in the middle of writing this line; it is played again
            if not good and value != identity:
                raise ConfigError(
                    f"{path}: holds the games of another comparison (other players, games, options or seed, or made by "
                    f"another version); delete it or use another file"
                )
            if good:
                self._known[value["pair"], value["start"]] = value
            good.append(line)
        if not good:
            good = [json.dumps(identity)]
        write_atomically(path, ("\n".join(good) + "\n").encode())

    def get(self, pair: int, start: int) -> dict[str, Any] | None:
        """A finished chunk of a table (a pairing, say), None if it is still to be played."""
        return self._known.get((pair, start))

    def put(self, pair: int, start: int, chunk: dict[str, Any]) -> None:
        """Keep a finished chunk."""
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps({"pair": pair, "start": start, **chunk}) + "\n")


def count_reasons(reasons: Iterable[str]) -> list[str]:
    """Sum reasons of forfeits up, "3 x REASON" each."""
    counts: dict[str, int] = {}
    for text in reasons:
        counts[text] = counts.get(text, 0) + 1
    return [f"{count} x {text}" for text, count in counts.items()]
