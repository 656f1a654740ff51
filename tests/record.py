"""`python -m tests.record [GAME ...]`: write the recorded games anew (all registered games, and those of the tests)."""

from __future__ import annotations

import sys

from cardzoo.envs.core import registry
from cardzoo.envs.core.game import Game
from tests.last_one import LastOne
from tests.support.recording import FOLDER, path_of, record
from tests.tiny_game import TinyGame


def recorded_games() -> dict[str, type[Game]]:
    """All games that have recordings, by name."""
    own = {kind.name: kind for kind in (TinyGame, LastOne)}
    return {**{name: registry.game_class(name) for name in registry.names()}, **own}


def main(names: list[str]) -> int:
    """Write the recordings of the named games (none named: all)."""
    FOLDER.mkdir(exist_ok=True)
    games = recorded_games()
    for name in names or games:
        for variant, options in games[name].variants.items():
            path = path_of(name, variant)
            path.write_text(record(games[name](**options), variant), encoding="utf-8")
            print(path.relative_to(FOLDER.parents[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
