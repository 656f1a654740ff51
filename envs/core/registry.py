"""The games by name. A game's module is imported when it is asked for, not before."""

from __future__ import annotations

import difflib
import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardzoo.envs.core.errors import OptionError

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game

_games: dict[str, str | type[Game]] = {
    "battle_requiem": "cardzoo.envs.battle_requiem.game:BattleRequiem",
    "bedroom_battle": "cardzoo.envs.bedroom_battle.game:BedroomBattle",
    "bloodsport_gambler": "cardzoo.envs.bloodsport_gambler.game:BloodsportGambler",
    "teddies_vs_monsters": "cardzoo.envs.teddies_vs_monsters.game:TeddiesVsMonsters",
}


def names() -> tuple[str, ...]:
    """The names that `load` knows, in alphabetical order."""
    return tuple(sorted(_games))


def register(name: str, game: str | type[Game]) -> None:
    """Add a game: its class, or "module:Class" to import it when it is first loaded.

    Raises:
        OptionError: another game has this name, or `game` is neither of the two.
    """
    if not isinstance(game, type) and not (isinstance(game, str) and game.count(":") == 1):
        raise OptionError(f"register a game by its class or as 'module:Class', not {game!r}.")
    if name in _games and _games[name] != game:
        raise OptionError(f"there is already a game named {name!r}.")
    _games[name] = game


def game_class(name: str) -> type[Game]:
    """The class of a game; OptionError naming the games there are."""
    entry = _games.get(name) if isinstance(name, str) else None
    if entry is None:
        near = difflib.get_close_matches(str(name), _games, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else "."
        raise OptionError(f"there is no game {name!r}; the games are {', '.join(names())}{hint}")
    if isinstance(entry, str):
        module, attribute = entry.split(":")
        found: type[Game] = getattr(importlib.import_module(module), attribute)
        return found
    return entry


def load(name: str, cards: str | Path | None = None, **options: Any) -> Game:
    """Load a game.

    Args:
        name: e.g. "bedroom_battle".
        cards: path of a card file; None for the game's own.
        options: the game's options.

    Raises:
        OptionError: unknown game or option, or a value out of range.
        CardError: the card file cannot be read or is not valid.
    """
    return game_class(name)(cards, **options)
