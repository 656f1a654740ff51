"""`python -m tests.fuzz GAME --games N`: random games with every invariant checked after every move.

GAME is a registered name or "module:Class". Options of the game: ``--option key=value`` (YAML values), or one of its
variants by ``--variant``. A failure prints how to see it again; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import importlib
import sys

import yaml

from cardzoo.envs.core import registry
from cardzoo.envs.core.game import Game
from tests.support.fuzzing import FuzzResult, fuzz


def find(name: str) -> type[Game]:
    """The class of a game by its name or "module:Class"."""
    if ":" in name:
        module, attribute = name.split(":")
        return getattr(importlib.import_module(module), attribute)
    return registry.game_class(name)


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first game, to see one again")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--variant", default="all", help="a variant of the game, or all: the games are shared among them"
    )
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="instead of a variant")
    given = parser.parse_args(arguments)

    kind = find(given.game)
    if given.option:
        variants = {
            "given": {key: yaml.safe_load(value) for key, value in (pair.split("=", 1) for pair in given.option)}
        }
    elif given.variant == "all":
        variants = dict(kind.variants)
    else:
        variants = {given.variant: kind.variants[given.variant]}

    failed = False
    shares = [given.games // len(variants) + (index < given.games % len(variants)) for index in range(len(variants))]
    for (name, options), games in zip(variants.items(), shares, strict=True):
        game = kind(**options)

        def progress(result: FuzzResult, name: str = name, games: int = games) -> None:
            rate = result.games / max(result.seconds, 1e-9)
            line = f"{given.game} {name}: {result.games:,} of {games:,} games, {rate:,.0f} a second"
            print(f"\r{line}", end="", file=sys.stderr, flush=True)

        result = fuzz(game, games, given.seed, given.first, given.threads, progress if sys.stderr.isatty() else None)
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        print(f"{given.game} {name}: {result}")
        for failure in result.failures:
            failed = True
            print(failure)
            options_text = "".join(f" --option {key}={value}" for key, value in options.items()) or f" --variant {name}"
            number = failure.split()[1]
            again = f"--seed {given.seed} --first {number} --games 1{options_text}"
            print(f"see it again: python -m tests.fuzz {given.game} {again}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
