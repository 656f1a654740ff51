"""The command line, `cardzoo`. Each command imports what it needs when it runs, so `--help` is quick."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from cardzoo.envs.core.errors import CardzooError, ConfigError, OptionError

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game

BAD_INPUT, FORFEITED, INTERRUPTED = 2, 3, 130
"""Exit codes beside 0: bad input, a comparison in which a player forfeited games, stopped with Ctrl-C."""

EXTRA = {"torch", "stable_baselines3", "sb3_contrib", "safetensors", "tensorboard", "pettingzoo", "rlcard", "pygame"}


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Read when torch is imported. Threads that wait for each other by spinning slow a training down to a third when
    # anything else runs on the machine; sleeping costs next to nothing when nothing does.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        options, rest = _parser().parse_known_args(given)
        options.overrides = _overrides(options, rest)
        options.command_line = ["cardzoo", *given]
        run: Callable[[argparse.Namespace], int] = options.run
        return run(options)
    except CardzooError as error:
        print(f"cardzoo: {error}", file=sys.stderr)
        return BAD_INPUT
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in EXTRA:
            raise
        print(
            f"cardzoo: this needs {error.name}, which is not installed: pip install 'cardzoo[train]'", file=sys.stderr
        )
        return BAD_INPUT
    except KeyboardInterrupt:
        print("\ncardzoo: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains again when it exits
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="cardzoo", description="Tabletop card games: train opponents, compare players, play.")
    commands = parser.add_subparsers(dest="name", metavar="COMMAND", required=True, parser_class=_Parser)

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        own = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        own.set_defaults(run=run, takes_settings=False)
        return own

    command("games", _games, "list the games with their options and players")

    train = command("train", _train, "train an opponent by self-play")
    train.set_defaults(takes_settings=True)
    train.add_argument("target", nargs="?", metavar="GAME|FILE.yaml", help="a game, or a YAML file with settings")
    train.add_argument("--config", metavar="NAME", help="another of the game's configurations, for example demo")
    train.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="change a setting; --KEY VALUE does the same"
    )
    train.add_argument("--out", type=Path, metavar="DIR", help="folder of the run (runs/NAME unless given)")
    train.add_argument("--resume", type=Path, metavar="DIR", help="continue the run in this folder")
    train.add_argument("--quiet", action="store_true", help="show no progress")
    train.add_argument("--settings", action="store_true", help="list all settings and their defaults, then stop")

    demo = command("demo", _demo, "train a small opponent in a few minutes and compare it")
    demo.set_defaults(takes_settings=True)
    demo.add_argument("--out", type=Path, metavar="DIR", help="folder of the run")
    demo.add_argument("--quiet", action="store_true", help="show no progress")

    evaluate = command("evaluate", _evaluate, "compare players on the same deals with seats rotated")
    _game_arguments(evaluate)
    evaluate.add_argument("--agents", required=True, metavar="A,B,..", help="players; name@label renames one")
    evaluate.add_argument(
        "--games",
        type=int,
        default=1000,
        help="games per pairing (default 1000), and of mixed tables; with one seat games per player",
    )
    evaluate.add_argument(
        "--keep-seats",
        action="store_true",
        help="the first player keeps seat 0 (team 0), for handicaps by seat",
    )
    evaluate.add_argument("--seed", type=_seed, default=0, help="fixes everything (default 0)")
    evaluate.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="changes no result")
    evaluate.add_argument("--json", type=Path, metavar="FILE", help="write everything as JSON")
    evaluate.add_argument("--csv", type=Path, metavar="FILE", help="write one row per pairing (and player and seat)")
    evaluate.add_argument(
        "--store", type=Path, metavar="FILE", help="keep finished games here, and play only those missing if it exists"
    )
    evaluate.add_argument("--quiet", action="store_true", help="show no progress")

    balance = command("balance", _balance, "let one player play all seats, and show what each faction wins")
    _game_arguments(balance)
    balance.add_argument("--agent", default="planner", metavar="PLAYER", help="who plays (default planner)")
    balance.add_argument("--games", type=int, default=2000, help="games, each on its own deal (default 2000)")
    balance.add_argument("--seed", type=_seed, default=0, help="fixes everything (default 0)")
    balance.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="changes no result")
    balance.add_argument("--quiet", action="store_true", help="show no progress")

    play = command("play", _play, "play against a player in the terminal")
    _game_arguments(play)
    play.add_argument(
        "--against", default="greedy", metavar="PLAYER", help="who plays the other seats (default greedy)"
    )
    play.add_argument("--seat", type=int, help="your seat (drawn unless given)")
    play.add_argument("--seed", type=_seed, help="fixes the deal")

    watch = command("watch", _watch, "show a game between players move by move")
    _game_arguments(watch, optional=True)
    watch.add_argument("--agents", metavar="A,B", help="one player for each seat (default greedy for all)")
    watch.add_argument("--seed", type=_seed, default=0, help="fixes the game (default 0)")
    watch.add_argument("--save", type=Path, metavar="FILE", help="save the game as text")
    watch.add_argument("--replay", type=Path, metavar="FILE", help="show a saved game instead")
    watch.add_argument(
        "--viewer", type=int, metavar="SEAT", help="show what this seat may see (everything unless given)"
    )
    watch.add_argument("--moves-only", action="store_true", help="leave the table out")
    watch.add_argument("--pause", type=float, default=0.0, metavar="SECONDS", help="wait between moves")

    cards = command("cards", _cards, "show or validate card sets")
    actions = cards.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=_Parser)
    show = actions.add_parser("show", help="list a card set")
    _game_arguments(show)
    validate = actions.add_parser("validate", help="check a card file")
    validate.add_argument("file", type=Path, metavar="FILE")
    validate.add_argument("--game", help="the game it is for (all are tried unless given)")

    bench = command("bench", _bench, "measure speed against PettingZoo's Leduc hold'em in the same loop")
    bench.add_argument("game", nargs="?", metavar="GAME", help="one game (default: all)")
    bench.add_argument("--repeats", type=int, default=5, help="runs of each loop; medians are shown (default 5)")
    bench.add_argument("--seconds", type=float, default=1.0, help="length of a run (default 1)")
    bench.add_argument("--matches", type=int, default=2000, help="games of greedy against planner; 0 for none")
    return parser


def _game_arguments(parser: argparse.ArgumentParser, optional: bool = False) -> None:
    if optional:
        parser.add_argument("game", nargs="?", metavar="GAME")
    else:
        parser.add_argument("game", metavar="GAME")
    parser.add_argument("--cards", metavar="FILE", help="card file instead of the game's own cards")
    parser.add_argument(
        "--option", action="append", default=[], metavar="KEY=VALUE", help="option of the game; may be repeated"
    )


def _seed(text: str) -> int:
    value = int(text)
    if not 0 <= value < 2**32:
        raise argparse.ArgumentTypeError(f"must be from 0 to 4294967295, not {text}")
    return value


def _overrides(options: argparse.Namespace, rest: list[str]) -> list[str]:
    """Turn "--ppo.learning_rate 3e-4" and "--ppo.learning_rate=3e-4" into "ppo.learning_rate=3e-4"."""
    if rest and not options.takes_settings:
        raise ConfigError(f"unknown argument {rest[0]!r}; `cardzoo {options.name} --help` lists what there is")
    overrides = list(getattr(options, "set", []))
    while rest:
        word = rest.pop(0)
        if not word.startswith("--") or len(word) == 2:
            raise ConfigError(f"unknown argument {word!r}; settings are written --KEY VALUE or --set KEY=VALUE")
        if "=" in word:
            overrides.append(word[2:])
        elif rest and not rest[0].startswith("--"):
            overrides.append(f"{word[2:]}={rest.pop(0)}")
        elif getattr(options, "resume", None) is not None and options.target is not None:
            # Without a game in front of it, argparse takes the setting's value for the game.
            overrides.append(f"{word[2:]}={options.target}")
            options.target = None
        else:
            raise ConfigError(f"setting {word!r} has no value: write {word} VALUE")
    return overrides


def _load(options: argparse.Namespace) -> Game:
    """Load the game that a command names, with --cards and --option."""
    import yaml

    from cardzoo.envs import load

    values: dict[str, Any] = {}
    for item in options.option:
        key, equals, text = item.partition("=")
        if not equals:
            raise OptionError(f"option {item!r}: write it as key=value")
        try:
            values[key.strip()] = yaml.safe_load(text)
        except yaml.YAMLError:
            raise OptionError(f"option {key}: the value cannot be read: {text!r}") from None
    return load(options.game, cards=options.cards, **values)


def _games(options: argparse.Namespace) -> int:
    from cardzoo.training.listing import games

    print(games())
    return 0


def _train(options: argparse.Namespace) -> int:
    from cardzoo.training.settings import describe_settings, load_settings

    if options.settings:
        print(describe_settings())
        return 0
    if options.resume is not None:
        if options.target or options.config or options.out:
            raise ConfigError(
                "--resume continues a run with its own settings: give only the run's folder (and run. settings)"
            )
        from cardzoo.training.run import resume

        resume(options.resume, options.overrides, quiet=options.quiet, command=options.command_line)
        return 0
    if not options.target:
        raise ConfigError("what is to be trained? give a game, a YAML file, or --resume with a run's folder")
    settings = load_settings(options.target, options.overrides, options.config)
    name = Path(options.target).stem + (f"_{options.config}" if options.config else "")
    from cardzoo.training.run import Run, default_folder

    folder = options.out or default_folder(name)
    run = Run(settings, folder, quiet=options.quiet, command=shlex.join(options.command_line))
    if not options.quiet:
        print(
            f"training {settings.game} in {folder}; continue it with: cardzoo train --resume {folder}", file=sys.stderr
        )
    try:
        run.train()
    except KeyboardInterrupt:
        print(f"\ncardzoo: interrupted; continue with: cardzoo train --resume {folder}", file=sys.stderr)
        return INTERRUPTED
    print(f"trained player: model:{folder / 'model.safetensors'}", file=sys.stderr)
    return 0


def _demo(options: argparse.Namespace) -> int:
    options.target, options.config, options.resume, options.settings = "bedroom_battle", "demo", None, False
    return _train(options)


def _evaluate(options: argparse.Namespace) -> int:
    from cardzoo.training.evaluate import evaluate, table, write_csv, write_evaluation
    from cardzoo.training.players import parse_players
    from cardzoo.training.progress import Display

    game = _load(options)
    players = parse_players(options.agents)
    if any(player.spec.split(":")[0] == "human" for player in players):
        raise ConfigError("a human cannot be compared over many games: use `cardzoo play`")
    with Display("playing", 1, "games", options.quiet or not sys.stderr.isatty()) as display:
        result = evaluate(
            game,
            players,
            options.games,
            seed=options.seed,
            threads=options.threads,
            keep_seats=options.keep_seats,
            store=options.store,
            progress=display.of,
        )
    if options.json:
        write_evaluation(result, options.json)
    if options.csv:
        write_csv(result, options.csv)
    print(table(result))
    return FORFEITED if result.failures else 0


def _balance(options: argparse.Namespace) -> int:
    from cardzoo.training.balance import balance, table
    from cardzoo.training.progress import Display

    if options.games < 1:
        raise ConfigError(f"--games must be at least 1, not {options.games}")
    game = _load(options)
    done = 0

    with Display("playing", options.games, "games", options.quiet or not sys.stderr.isatty()) as display:

        def progress(more: int) -> None:
            nonlocal done
            done += more
            display.update(done)

        result = balance(game, options.agent, options.games, options.seed, options.threads, progress)
    print(table(result))
    return 0


def _play(options: argparse.Namespace) -> int:
    from cardzoo.training.table import play

    return play(_load(options), options.against, options.seat, options.seed)


def _watch(options: argparse.Namespace) -> int:
    from cardzoo.training.table import replay, watch

    if options.replay:
        if options.game or options.agents or options.save:
            raise ConfigError("--replay shows a saved game: give no game, players or --save with it")
        return replay(options.replay, options.viewer, not options.moves_only, options.pause, options.cards)
    if not options.game:
        raise ConfigError("which game is to be shown? give its name, or --replay FILE")
    return watch(
        _load(options),
        options.agents,
        options.seed,
        save=options.save,
        viewer=options.viewer,
        tables=not options.moves_only,
        pause=options.pause,
    )


def _cards(options: argparse.Namespace) -> int:
    from cardzoo.training.listing import card_table, validate

    if options.action == "show":
        print(card_table(_load(options)))
    else:
        print(validate(options.file, options.game))
    return 0


def _bench(options: argparse.Namespace) -> int:
    from cardzoo.envs.core.registry import names
    from cardzoo.training.bench import bench

    chosen = names() if options.game is None else (options.game,)
    print(bench(chosen, options.repeats, options.seconds, options.matches))
    return 0


if __name__ == "__main__":
    sys.exit(main())
