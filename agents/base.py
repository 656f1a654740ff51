"""What a player is, what it is shown, and how it is made from its name."""

from __future__ import annotations

import copy
import importlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import yaml

from cardzoo.envs.core.errors import AgentError

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game
    from cardzoo.envs.core.records import Records

ROLES = ("simple", "greedy", "planner")
"""Names that every game gives to three of its heuristic players, weakest first."""

AgentFactory = Callable[..., "Agent"]


class Decisions:
    """A batch of decisions, as the seats that must act see them; what `Agent.act` is given.

    Attributes:
        game: the game that all decisions belong to.
        observations: float32 (n, D), each row as the acting seat sees its game. A view: copy what you keep.
        masks: bool (n, A), the legal actions; every row has at least one. A view: copy what you keep.
        seats: int8 (n,), the seat that acts.

    A player never gets the state records. `worlds` gives what a searching player may have instead: for each decision
    one state drawn from all those that the acting seat cannot tell apart. It works until the games move on, so call
    it inside `act`.
    """

    def __init__(
        self,
        game: Game,
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.bool_],
        seats: npt.NDArray[np.int8],
        sample: Callable[[npt.NDArray[np.uint32], npt.NDArray[np.intp]], Records] | None = None,
        rows: npt.NDArray[np.intp] | None = None,
    ) -> None:
        self.game = game
        self.observations = observations
        self.masks = masks
        self.seats = seats
        self._sample = sample
        self._rows = np.arange(len(seats)) if rows is None else rows

    def __len__(self) -> int:
        return len(self.seats)

    @classmethod
    def of_batch(
        cls,
        game: Game,
        states: Records,
        seats: npt.NDArray[np.int8],
        observations: npt.NDArray[np.float32],
        masks: npt.NDArray[np.bool_],
    ) -> Decisions:
        """Make the decisions of a whole batch: `states` (n,), `seats` (n,), `observations` (n, D), `masks` (n, A)."""

        def sample(rng: npt.NDArray[np.uint32], rows: npt.NDArray[np.intp]) -> Records:
            from cardzoo.agents.worlds import resample_each  # here, because it imports numba

            worlds = states.take(rows)  # take copies: the games themselves are never touched
            resample_each(worlds, game.rules, np.ascontiguousarray(seats[rows]), rng)
            return worlds

        return cls(game, observations, masks, seats, sample)

    def subset(self, index: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> Decisions:
        """Return some of the decisions, picked by an index or bool array."""
        return Decisions(
            self.game,
            self.observations[index],
            self.masks[index],
            self.seats[index],
            self._sample,
            self._rows[index],
        )

    def worlds(self, rng: npt.NDArray[np.uint32]) -> Records:
        """Draw one world for each decision.

        Args:
            rng: uint32 (4,), state of a generator (see cardzoo.envs.core.random); it is advanced.

        Returns:
            recarray (n,) of game records, yours to change. Each depends on what the acting seat knows and on `rng`,
            on nothing else.
        """
        if self._sample is None:
            raise AgentError("these decisions were made without states, so no worlds can be drawn from them")
        return self._sample(rng, self._rows)


class Agent:
    """A player: chooses one action for each decision of a batch.

    Attributes:
        name: how it was asked for, for tables and logs.
        game: the game it plays.
    """

    name: str
    game: Game

    def __init__(self, game: Game, name: str) -> None:
        self.game = game
        self.name = name

    def act(self, decisions: Decisions) -> npt.NDArray[np.int64]:
        """Choose: int64 (n,), each a legal action of its row."""
        raise NotImplementedError

    def reset(self, seed: int) -> None:
        """Start anew from `seed`. A player that draws no random numbers need not do anything."""

    def fresh(self, seed: int) -> Agent:
        """Return an independent copy of this player that starts from `seed`."""
        clone = copy.deepcopy(self)
        clone.reset(seed)
        return clone

    def __repr__(self) -> str:
        return f"<player {self.name} of {self.game.name}>"


_registered: dict[str, tuple[Mapping[str, AgentFactory], Mapping[str, str]]] = {}


def register_agents(
    game_name: str, factories: Mapping[str, AgentFactory], roles: Mapping[str, str] | None = None
) -> None:
    """Add heuristic players for a game that has no package of its own in `cardzoo.agents`.

    Args:
        game_name: the game.
        factories: name -> factory(game, seed=..., **settings).
        roles: "simple", "greedy", "planner" -> one of those names.
    """
    _registered[game_name] = (dict(factories), dict(roles or {}))


def heuristics(game_name: str) -> tuple[Mapping[str, AgentFactory], Mapping[str, str]]:
    """Return a game's heuristic players: name -> factory(game, seed=..., **settings), and role -> name.

    They are the HEURISTICS and ROLES of `cardzoo.agents.<game>`, or those of `register_agents`.
    """
    if game_name in _registered:
        return _registered[game_name]
    module_name = f"cardzoo.agents.{game_name}"
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name != module_name:
            raise
        return {}, {}
    return getattr(module, "HEURISTICS", {}), getattr(module, "ROLES", {})


def agent_names(game_name: str) -> list[str]:
    """List what `make_agent` accepts for a game, the roles first."""
    factories, roles = heuristics(game_name)
    return ["random", *(role for role in ROLES if role in roles), *factories, "model:PATH", "human"]


def make_agent(spec: str, game: Game, seed: int = 0) -> Agent:
    """Make a player.

    Args:
        spec: "random", "human", a role ("simple", "greedy", "planner"), a heuristic player's own name, or "model:PATH"
            with a model file or the folder of a training run. Settings follow a colon: "name:key=value,key=value",
            "model:PATH,sample=true".
        game: the game to play.
        seed: start of the player's own random stream.

    Raises:
        AgentError: unknown name or setting; the message lists what is allowed.
        ModelError: the model file is damaged or made for something else.
    """
    name, colon, rest = spec.partition(":")
    name = name.strip()
    if name == "model":
        path, settings = _split_model(rest)
        if not path:
            raise AgentError("model: give the file as model:PATH, for example model:runs/demo/model.safetensors")
        try:
            from cardzoo.agents.model import ModelAgent
        except ModuleNotFoundError as error:
            raise AgentError(
                f"model players need {error.name}, which is not installed: pip install 'cardzoo[train]'"
            ) from None
        return _build(ModelAgent.load, spec, game, seed, {"path": Path(path), "name": spec, **settings})
    settings = _settings(spec, rest) if colon else {}
    if name == "random":
        from cardzoo.agents.random import RandomAgent

        return _build(RandomAgent, spec, game, seed, settings)
    if name == "human":
        from cardzoo.agents.human import HumanAgent

        return _build(HumanAgent, spec, game, seed, settings)
    factories, roles = heuristics(game.name)
    own_name = roles.get(name, name)
    if own_name not in factories:
        raise AgentError(f"unknown player {name!r} of {game.name}: allowed are {', '.join(agent_names(game.name))}")
    agent = _build(factories[own_name], spec, game, seed, settings)
    agent.name = spec
    return agent


def _build(factory: AgentFactory, spec: str, game: Game, seed: int, settings: dict[str, Any]) -> Agent:
    """Call a factory, after checking that it knows every setting."""
    hidden = {"self", "game", "seed", "path", "name", "ask", "tell"}
    parameters = inspect.signature(factory).parameters
    allowed = [key for key in parameters if key not in hidden]
    for key in settings:
        if key not in allowed and key not in ("path", "name"):
            listed = f"allowed are {', '.join(allowed)}" if allowed else "this player has none"
            raise AgentError(f"player {spec!r}: unknown setting {key!r}; {listed}")
    try:
        return factory(game, seed=seed, **settings)
    except TypeError as error:
        raise AgentError(f"player {spec!r}: bad setting ({error})") from error


def _settings(spec: str, text: str) -> dict[str, Any]:
    """Parse "key=value,key=value"; values are read as YAML scalars (numbers, true/false, words)."""
    settings: dict[str, Any] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals or not key.isidentifier():
            raise AgentError(f"player {spec!r}: settings are written key=value,key=value, not {part!r}")
        if key in settings:
            raise AgentError(f"player {spec!r}: setting {key!r} is given twice")
        try:
            settings[key] = yaml.safe_load(value)
        except yaml.YAMLError:
            raise AgentError(f"player {spec!r}: the value of {key!r} cannot be read: {value!r}") from None
    return settings


def _split_model(text: str) -> tuple[str, dict[str, Any]]:
    """Split "PATH,sample=true" into path and settings; a comma inside the path itself is left alone."""
    parts = text.split(",")
    first = len(parts)
    while first > 1 and parts[first - 1].partition("=")[0].strip() in ("sample", "temperature"):
        first -= 1
    path = ",".join(parts[:first]).strip()
    return path, _settings(f"model:{text}", ",".join(parts[first:])) if first < len(parts) else {}
