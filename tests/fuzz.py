"""`python -m tests.fuzz [GAME ...] --games N`: random games with every invariant checked after every move.

GAME is a registered name or "module:Class"; none: all registered games. N games of each (rounds, where a game consists
of several rounds that are dealt anew) are shared among its variants;
``--variant`` takes one of them, ``--option key=value`` (YAML values) other options. A failure prints how to see it
again; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import importlib
import shlex
import sys
from typing import Any

import yaml

from cardzoo.envs.core import registry
from cardzoo.envs.core.game import Game
from tests.support.fuzzing import FuzzResult, fuzz

# A game of Teddies vs Monsters is about four rounds of several hundred decisions each, dealt anew every time.
ROUNDS = {"teddies_vs_monsters": 4}


def find(name: str) -> type[Game]:
    """The class of a game by its name or "module:Class"."""
    if ":" in name:
        module, attribute = name.split(":")
        return getattr(importlib.import_module(module), attribute)
    return registry.game_class(name)


def variants_of(kind: type[Game], given: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """The options to play with, by the name of the variant."""
    if given.option:
        return {"given": {key: yaml.safe_load(value) for key, value in (pair.split("=", 1) for pair in given.option)}}
    names = list(kind.variants) if given.variant == "all" else [given.variant]
    return {name: dict(kind.variants[name]) for name in names}


def fuzz_game(name: str, given: argparse.Namespace) -> bool:
    """Fuzz one game and print what was found; whether nothing was wrong."""
    kind = find(name)
    variants = variants_of(kind, given)
    fine = True
    games_in_all = max(1, given.games // ROUNDS.get(name, 1)) if given.variant == "all" else given.games
    shares = [games_in_all // len(variants) + (index < games_in_all % len(variants)) for index in range(len(variants))]
    for (variant, options), games in zip(variants.items(), shares, strict=True):

        def progress(result: FuzzResult, variant: str = variant, games: int = games) -> None:
            rate = result.games / max(result.seconds, 1e-9)
            line = f"{name} {variant}: {result.games:,} of {games:,} games, {rate:,.0f} a second"
            print(f"\r{line}", end="", file=sys.stderr, flush=True)

        shown = progress if sys.stderr.isatty() else None
        result = fuzz(kind(**options), games, given.seed, given.first, given.threads, shown)
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        print(f"{name} {variant}: {result}", flush=True)
        for failure in result.failures:
            fine = False
            print(failure)
            again = [name, "--seed", str(given.seed), "--first", failure.split()[1], "--games", "1"]
            again += [part for pair in given.option for part in ("--option", pair)] or ["--variant", variant]
            print(f"see it again: python -m tests.fuzz {shlex.join(again)}", flush=True)
    return fine


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="*", help="names of games; none: all that are registered")
    parser.add_argument("--games", type=int, default=10_000, help="random games of each of them")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first game, to see one again")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--variant", default="all", help="a variant of the game, or all: the games are shared among them"
    )
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="instead of a variant")
    given = parser.parse_args(arguments)
    return int(not all([fuzz_game(name, given) for name in given.game or registry.names()]))


if __name__ == "__main__":
    sys.exit(main())
