"""The games, as reinforcement-learning environments.

`load` gives a game, `BatchEnv` plays many at once, and `<game>_v0` are PettingZoo's modules. Nothing is compiled, and
numba is not even imported, before it is needed.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardzoo.envs.gymnasium_ids import register_all

if TYPE_CHECKING:
    from cardzoo.envs import battle_requiem_v0 as battle_requiem_v0
    from cardzoo.envs import bedroom_battle_v0 as bedroom_battle_v0
    from cardzoo.envs import bloodsport_gambler_v0 as bloodsport_gambler_v0
    from cardzoo.envs import teddies_vs_monsters_v0 as teddies_vs_monsters_v0
    from cardzoo.envs.core.batch import BatchEnv as BatchEnv
    from cardzoo.envs.core.batch import BatchStep as BatchStep
    from cardzoo.envs.core.errors import AgentError as AgentError
    from cardzoo.envs.core.errors import CardError as CardError
    from cardzoo.envs.core.errors import CardzooError as CardzooError
    from cardzoo.envs.core.errors import ConfigError as ConfigError
    from cardzoo.envs.core.errors import IllegalAction as IllegalAction
    from cardzoo.envs.core.errors import ModelError as ModelError
    from cardzoo.envs.core.errors import OptionError as OptionError
    from cardzoo.envs.core.errors import PositionError as PositionError
    from cardzoo.envs.core.game import Game as Game
    from cardzoo.envs.core.game import Outcome as Outcome
    from cardzoo.envs.core.state import State as State

_ERRORS = (
    "AgentError",
    "CardError",
    "CardzooError",
    "ConfigError",
    "IllegalAction",
    "ModelError",
    "OptionError",
    "PositionError",
)
_LAZY = {
    "BatchEnv": "core.batch",
    "BatchStep": "core.batch",
    "Game": "core.game",
    "Outcome": "core.game",
    "State": "core.state",
    **dict.fromkeys(_ERRORS, "core.errors"),
}
_MODULES = ("battle_requiem_v0", "bedroom_battle_v0", "bloodsport_gambler_v0", "teddies_vs_monsters_v0")

__all__ = ["load", "names", "register", *_LAZY, *_MODULES]


def load(name: str, cards: str | Path | None = None, **options: Any) -> Game:
    """Load a game; see `cardzoo.envs.core.registry.load`."""
    from cardzoo.envs.core import registry

    return registry.load(name, cards, **options)


def register(name: str, game: str | type[Game]) -> None:
    """Add a game of your own; see `cardzoo.envs.core.registry.register`."""
    from cardzoo.envs.core import registry

    registry.register(name, game)


def names() -> tuple[str, ...]:
    """The names of all games."""
    from cardzoo.envs.core import registry

    return registry.names()


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"cardzoo.envs.{name}")
    if name in _LAZY:
        return getattr(importlib.import_module(f"cardzoo.envs.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


register_all()
