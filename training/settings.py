"""The settings of a training run: one definition each, with its default, its limits and its help text."""

from __future__ import annotations

import contextlib
import difflib
import types
import typing
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from cardzoo.envs.core.errors import ConfigError

Width = Annotated[int, Field(ge=1, le=8192)]
Share = Annotated[float, Field(ge=0, le=1)]


class Section(BaseModel):
    """A group of settings; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class PPOSettings(Section):
    """The learner (MaskablePPO)."""

    learning_rate: float = Field(3e-4, gt=0, description="step size of Adam at the start")
    final_learning_rate: float = Field(3e-5, ge=0, description="step size at the end; it falls linearly in between")
    num_steps: int = Field(128, ge=1, description="learner decisions of each game between two updates")
    batch_size: int = Field(4096, ge=2, description="decisions in a minibatch")
    num_epochs: int = Field(4, ge=1, description="passes over the collected decisions in an update")
    gamma: float = Field(1.0, gt=0, le=1, description="discount per learner decision")
    gae_lambda: float = Field(0.95, ge=0, le=1, description="lambda of the advantage estimate")
    clip_range: float = Field(0.2, gt=0, lt=1, description="limit of the policy's change in an update")
    entropy: float = Field(0.01, ge=0, description="weight of the entropy bonus at the start")
    final_entropy: float = Field(0.001, ge=0, description="weight of the entropy bonus at the end; linear in between")
    value_weight: float = Field(0.5, ge=0, description="weight of the value loss")
    max_grad_norm: float = Field(0.5, gt=0, description="gradients are scaled down to this norm")
    target_kl: float | None = Field(None, gt=0, description="an update stops early above 1.5 times this divergence")


class NetworkSettings(Section):
    """The policy network."""

    trunk: list[Width] = Field([512], description="widths of the layers shared by policy and value")
    policy: list[Width] = Field([256], description="widths of the policy's own hidden layers")
    value: list[Width] = Field([256], description="widths of the value's own hidden layers")
    activation: Literal["relu", "tanh", "silu"] = Field("relu", description="activation after each hidden layer")
    standardize: bool = Field(
        False, description="shift and scale each feature by its mean and deviation in random games; fixed from then on"
    )
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", description="arithmetic of hidden layers in training; auto: bfloat16 where the processor is made for it"
    )


class PoolSettings(Section):
    """Who plays the other seats while the learner learns. The shares need not add up to 1: they are weights.

    Every other seat draws its own player by them; with teams every other team draws one for all its seats, while the
    learner plays all seats of its own.
    """

    latest: Share = Field(0.4, description="share of opponents that are the newest snapshot of the learner itself")
    past: Share = Field(0.3, description="share of opponents that are older snapshots")
    heuristics: dict[str, Share] = Field(
        {"planner": 0.1, "greedy": 0.1, "simple": 0.05}, description="share of opponents by heuristic player"
    )
    random: Share = Field(0.05, description="share of opponents that play at random")
    snapshot_every: int = Field(200_000, ge=1, description="learner decisions between two snapshots")
    keep: int = Field(20, ge=1, description="snapshots that stay in the pool; older ones are thinned out evenly")
    active: int = Field(2, ge=1, le=16, description="older snapshots that play at the same time; redrawn every update")
    sample: bool = Field(True, description="snapshots draw their actions by probability, so that games differ")

    @model_validator(mode="after")
    def _somebody(self) -> PoolSettings:
        if self.latest + self.past + self.random + sum(self.heuristics.values()) <= 0:
            raise ValueError("all shares are 0, so there is nobody to play against")
        return self


class TeacherSettings(Section):
    """A start by imitation: the network learns to choose as a heuristic player does, and what its games return."""

    agent: str = Field("planner", description="player that is imitated")
    games: int = Field(4000, ge=1, description="games that are played for it")
    games_at_once: int = Field(256, ge=1, description="games played at the same time")
    student_share: Share = Field(
        0.25, description="share of moves played by the network itself, so that it also meets its own mistakes"
    )
    random_share: Share = Field(0.02, description="share of moves played at random")
    batch_size: int = Field(2048, ge=2, description="decisions in a minibatch")
    num_epochs: int = Field(2, ge=1, description="passes over each round of games")
    learning_rate: float = Field(1e-3, gt=0, description="step size of Adam at the start; falls linearly to a tenth")
    value_weight: float = Field(0.5, ge=0, description="weight of the value loss")
    sharpness: float = Field(
        1.0, gt=0, le=100, description="factor of the logits afterwards; above 1 doubtful choices are played less often"
    )


class RunSettings(Section):
    """Length, pace and bookkeeping."""

    total_steps: int = Field(2_000_000, ge=1, description="learner decisions in all")
    num_envs: int = Field(256, ge=1, le=65536, description="games played at the same time")
    threads: int = Field(
        2,
        ge=1,
        le=64,
        description="threads of engine and network; with two runs on two cores 1 each, or they wait for each other",
    )
    checkpoint_every: int = Field(500_000, ge=1, description="learner decisions between two checkpoints")
    keep_checkpoints: int = Field(5, ge=1, description="newest checkpoints that are kept; older ones are deleted")
    evaluate_every: int = Field(
        500_000, ge=0, description="learner decisions between two evaluations; 0: only at the end"
    )
    evaluation_games: int = Field(200, ge=2, description="games against each player in an evaluation during training")
    average: float = Field(
        0.0,
        ge=0,
        lt=1,
        description="last part of the training whose snapshots are averaged, weight by weight, to the final model; "
        "0: it has the last weights",
    )
    final_games: int = Field(1000, ge=2, description="games against each player in the comparison at the end")
    opponents: list[str] = Field([], description="players to compare with; empty: every heuristic player and random")


class TrainSettings(Section):
    """Everything a training run depends on."""

    game: str = Field(description="name of the game")
    cards: str | None = Field(None, description="card file; the game's own cards if none is given")
    options: dict[str, Any] = Field({}, description="the game's options")
    seed: int = Field(0, ge=0, le=2**32 - 1, description="start of every random stream of the run")
    run: RunSettings = Field(RunSettings(), description="length, pace and bookkeeping")
    ppo: PPOSettings = Field(PPOSettings(), description="the learner")
    network: NetworkSettings = Field(NetworkSettings(), description="the policy network")
    pool: PoolSettings = Field(PoolSettings(), description="opponents")
    teacher: TeacherSettings | None = Field(None, description="start by imitation; none unless given")


def load_settings(source: str, overrides: Sequence[str] = (), config: str | None = None) -> TrainSettings:
    """Read settings: from a YAML file, or the file in configs/ that belongs to a game, then overrides.

    Args:
        source: a file name ending in .yaml or .yml, or a game's name.
        overrides: "key.key=value" each; values are read as YAML.
        config: another file in configs/, "demo" for <game>_demo.yaml.

    Raises:
        ConfigError: names the file, the key and what is allowed.
    """
    text, where = _find(source, config)
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"{where}: not valid YAML ({' '.join(str(error).split())})") from None
    if not isinstance(values, dict):
        raise ConfigError(f"{where}: must be a mapping of settings, for example `game: bedroom_battle`")
    settings = parse_settings(values, where)
    if not overrides:
        return settings
    values = settings.model_dump(mode="json")  # whole, so that an override of one entry keeps its neighbours
    for override in overrides:
        _override(values, override)
    return parse_settings(values, "command line")


def parse_settings(values: dict[str, Any], where: str) -> TrainSettings:
    """Check plain values; see `load_settings`."""
    for path in _unknown(values, TrainSettings, ""):
        _refuse_key(path, where)
    try:
        return TrainSettings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "settings"
        message = first["msg"].removeprefix("Value error, ")
        if first["type"] == "missing":
            raise ConfigError(f"{where}: {key} is missing") from None
        raise ConfigError(f"{where}: {key}: {message[0].lower()}{message[1:]}, got {first['input']!r}") from None


def dump_settings(settings: TrainSettings) -> str:
    """Return settings as YAML, every key included, in the order of their definition."""
    return yaml.safe_dump(settings.model_dump(mode="json"), sort_keys=False)


def config_names() -> list[str]:
    """List the YAML files in configs/, without ending."""
    folder = resources.files("cardzoo.configs")
    return sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml"))


def describe_settings() -> str:
    """Return every setting with its default and its help text, one line each."""
    return "\n".join(
        f"{key:<26} {_default(field):<14} {field.description or ''}" for key, field in _walk(TrainSettings, "")
    )


def _find(source: str, config: str | None) -> tuple[str, str]:
    if source.endswith((".yaml", ".yml")):
        if config is not None:
            raise ConfigError(f"give either a file ({source}) or a game with a configuration ({config}), not both")
        try:
            return Path(source).read_text(), source
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{source}: cannot be read ({error})") from None
    name = f"{source}_{config}" if config else source
    if name not in config_names():
        listed = ", ".join(config_names()) or "none"
        raise ConfigError(f"no training configuration {name!r}: there are {listed}; or give a file ending in .yaml")
    return resources.files("cardzoo.configs").joinpath(f"{name}.yaml").read_text(), f"{name}.yaml"


def _override(values: dict[str, Any], override: str) -> None:
    """Put "a.b=value" into nested dicts."""
    path, equals, text = override.partition("=")
    if not equals or not path.strip():
        raise ConfigError(f"setting {override!r}: write it as key=value, for example ppo.learning_rate=3e-4")
    path = path.strip().replace("-", "_")
    for unknown in _unknown_path(path):
        _refuse_key(unknown, "command line")
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        raise ConfigError(f"setting {path}: the value cannot be read: {text!r}") from None
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            value = float(value)  # YAML 1.1 reads 3e-4 as a word
    *parents, last = path.split(".")
    for parent in parents:
        inner = values.get(parent)
        values[parent] = dict(inner) if isinstance(inner, dict) else {}
        values = values[parent]
    values[last] = value


def _unknown_path(path: str) -> Iterator[str]:
    """Yield the path if it names no setting."""
    model: Any = TrainSettings
    for part in path.split("."):
        if model is None:
            return  # inside a free dict such as `options`
        if part not in model.model_fields:
            yield path
            return
        model = _section(model.model_fields[part].annotation)


def _unknown(values: dict[str, Any], model: type[Section], prefix: str) -> Iterator[str]:
    """Yield the keys in nested dicts that name no setting."""
    for key, value in values.items():
        path = f"{prefix}{key}"
        if key not in model.model_fields:
            yield path
            continue
        section = _section(model.model_fields[key].annotation)
        if section is not None and isinstance(value, dict):
            yield from _unknown(value, section, f"{path}.")


def _refuse_key(path: str, where: str) -> None:
    known = [key for key, _ in _walk(TrainSettings, "")] + list(TrainSettings.model_fields)
    close = difflib.get_close_matches(path, known, n=3, cutoff=0.5)
    close += [key for key in known if key.rpartition(".")[2] == path.rpartition(".")[2] and key not in close]
    meant = f"did you mean {' or '.join(close[:3])}?" if close else "`cardzoo train --settings` lists all"
    raise ConfigError(f"{where}: unknown setting {path!r}; {meant}")


def _walk(model: type[Section], prefix: str) -> Iterator[tuple[str, Any]]:
    """Yield every setting with its full name, sections opened."""
    for key, field in model.model_fields.items():
        section = _section(field.annotation)
        if section is not None:
            yield from _walk(section, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", field


def _section(annotation: Any) -> type[Section] | None:
    """Return the section class of an annotation, also of `Section | None`."""
    options = typing.get_args(annotation) if isinstance(annotation, types.UnionType) else (annotation,)
    for option in options:
        if isinstance(option, type) and issubclass(option, Section):
            return option
    return None


def _default(field: Any) -> str:
    return (
        "(needed)"
        if field.is_required()
        else yaml.safe_dump(field.default, default_flow_style=True).split("\n...")[0].strip()
    )
