"""The learned player: a policy network in one .safetensors file.

The file holds float32 tensors and, as JSON, all that is needed to use them: game, options, card set and layout hashes,
network sizes, versions. It is data, not code: reading one never unpickles anything.
"""

from __future__ import annotations

import copy
import json
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as safetensors_bytes
from torch import nn

from cardzoo.agents.base import Agent, Decisions
from cardzoo.agents.files import write_atomically
from cardzoo.envs.core.errors import ModelError
from cardzoo.envs.core.game import Game

FORMAT = "cardzoo-policy"
FORMAT_VERSION = 1
ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh, "silu": nn.SiLU}
MASKED_LOGIT = -1e8  # finite, so that a softmax over a row never gives NaN


@dataclass(frozen=True)
class NetworkSizes:
    """Shape of a policy network.

    Attributes:
        observation_size: features in, D.
        num_actions: logits out, A.
        trunk: widths of the layers that policy and value share; may be empty.
        policy: widths of the policy's own hidden layers.
        value: widths of the value's own hidden layers.
        activation: one of ACTIVATIONS.
        standardize: whether the trunk begins with a fixed `Standardize`.
    """

    observation_size: int
    num_actions: int
    trunk: tuple[int, ...] = (512,)
    policy: tuple[int, ...] = (256,)
    value: tuple[int, ...] = (256,)
    activation: str = "relu"
    standardize: bool = False


@dataclass(frozen=True)
class ModelInfo:
    """What a model file says about itself, beside the tensors.

    Attributes:
        game: name of the game.
        num_seats: seats it was trained for.
        card_hash: content hash of the card set.
        layout_hash: see `layout_hash`.
        options: the game's options in training.
        network: sizes of the network.
        steps: learner decisions it was trained on.
        versions: versions of what it was made with.
    """

    game: str
    num_seats: int
    card_hash: str
    layout_hash: str
    options: dict[str, Any]
    network: NetworkSizes
    steps: int = 0
    versions: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, network: NetworkSizes, steps: int, versions: dict[str, str]) -> ModelInfo:
        """Describe a network made for `game`."""
        options = json.loads(json.dumps(dict(game.options), default=str))
        return cls(
            game.name, game.num_seats, game.hash, layout_hash(game), options, network, steps=steps, versions=versions
        )


def layout_hash(game: Game) -> str:
    """Say what every feature and every action means: a model fits only a game in which all of it is the same."""
    return f"{game.observations.hash}-{game.actions.hash}-v{game.version}"


class PolicyNetwork(nn.Module):
    """Logits and value of a batch of observations: a trunk, then a head each."""

    def __init__(self, sizes: NetworkSizes) -> None:
        super().__init__()
        self.sizes = sizes
        self._copies: tuple[nn.Module, nn.Module] | None = None
        self.trunk = mlp(sizes.observation_size, sizes.trunk, sizes.activation, sizes.standardize)
        width = sizes.trunk[-1] if sizes.trunk else sizes.observation_size
        self.policy = mlp(width, sizes.policy, sizes.activation)
        self.policy_out = nn.Linear(sizes.policy[-1] if sizes.policy else width, sizes.num_actions)
        self.value = mlp(width, sizes.value, sizes.activation)
        self.value_out = nn.Linear(sizes.value[-1] if sizes.value else width, 1)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Return masked logits, float32 (n, A); illegal actions have MASKED_LOGIT."""
        if self._copies is not None:
            trunk, policy = self._copies
            hidden = policy(trunk(observations.bfloat16())).float()
        else:
            hidden = self.policy(self.trunk(observations))
        logits: torch.Tensor = self.policy_out(hidden)
        return logits.masked_fill(~masks, MASKED_LOGIT)

    def use_bfloat16(self) -> None:
        """Compute hidden layers in bfloat16 from now on, with the weights of now; for opponents in training."""
        self._copies = (bfloat16_copy(self.trunk), bfloat16_copy(self.policy))


def bfloat16_copy(module: nn.Module) -> nn.Module:
    """Return a copy that computes in bfloat16."""
    return copy.deepcopy(module).bfloat16()


class Standardize(nn.Module):
    """A fixed shift and scale of each feature: (x - mean) * scale.

    Optimizers find their way much faster when features vary around 0, all about as much.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.mean: torch.Tensor
        self.scale: torch.Tensor
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("scale", torch.ones(size))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(n, D) to (n, D)."""
        return (observations - self.mean) * self.scale


def mlp(inputs: int, widths: tuple[int, ...], activation: str, standardize: bool = False) -> nn.Sequential:
    """Linear layers with an activation after each; before them, if asked for, a `Standardize`."""
    layers: list[nn.Module] = [Standardize(inputs)] if standardize else []
    for before, after in pairwise((inputs, *widths)):
        layers += [nn.Linear(before, after), ACTIVATIONS[activation]()]
    return nn.Sequential(*layers)


def save_model(path: Path, tensors: dict[str, torch.Tensor], info: ModelInfo) -> None:
    """Write a model file: to a temporary name first, then renamed, so that a kill never leaves half a file.

    Args:
        path: the file, usually *.safetensors.
        tensors: a `PolicyNetwork`'s state dict.
        info: what the file says about itself.
    """
    meta = {"format": FORMAT, "format_version": str(FORMAT_VERSION), "info": json.dumps(asdict(info), sort_keys=True)}
    write_atomically(path, safetensors_bytes({k: v.detach().cpu().contiguous() for k, v in tensors.items()}, meta))


def read_model(path: Path) -> tuple[dict[str, torch.Tensor], ModelInfo]:
    """Read a model file.

    Raises:
        ModelError: no such file, damaged, or not one of ours.
    """
    if path.is_dir():
        path = path / "model.safetensors"
    if not path.is_file():
        raise ModelError(f"model {path}: there is no such file")
    try:
        with safe_open(path, framework="pt") as file:
            meta = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
    except (SafetensorError, OSError) as error:
        raise ModelError(f"model {path}: the file is damaged or not a .safetensors file ({error})") from None
    if meta.get("format") != FORMAT:
        raise ModelError(f"model {path}: not a cardzoo model (its format is {meta.get('format')!r}, not {FORMAT!r})")
    if meta.get("format_version") != str(FORMAT_VERSION):
        raise ModelError(
            f"model {path}: format version {meta.get('format_version')!r} cannot be read, only {FORMAT_VERSION}"
        )
    try:
        raw = json.loads(meta["info"])
        sizes = raw.pop("network")
        values: dict[str, Any] = {key: tuple(size) if isinstance(size, list) else size for key, size in sizes.items()}
        network = NetworkSizes(**values)
        info = ModelInfo(network=network, **raw)
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
        raise ModelError(f"model {path}: its description cannot be read ({error!r})") from None
    if network.activation not in ACTIVATIONS:
        raise ModelError(
            f"model {path}: unknown activation {network.activation!r}, allowed are {', '.join(ACTIVATIONS)}"
        )
    return tensors, info


def check_fits(info: ModelInfo, game: Game, what: str) -> None:
    """Refuse a model that was made for something else than `game`.

    Options may differ (a model that was trained without challenges can play with them) as long as seats, cards,
    observations and actions are the same.

    Raises:
        ModelError: says what differs.
    """
    if info.game != game.name:
        raise ModelError(f"{what}: made for the game {info.game!r}, not for {game.name!r}")
    if info.num_seats != game.num_seats:
        raise ModelError(f"{what}: made for {info.num_seats} seats, this game has {game.num_seats}")
    if info.card_hash != game.hash:
        raise ModelError(
            f"{what}: made for another card set (content hash {info.card_hash}, this game's is {game.hash}); "
            f"load the game with the cards it was trained on"
        )
    layout = layout_hash(game)
    if info.layout_hash != layout:
        raise ModelError(
            f"{what}: made for another layout of observations or actions (hash {info.layout_hash}, this version's is "
            f"{layout}); it must be trained again"
        )
    sizes = (info.network.observation_size, info.network.num_actions)
    if sizes != (game.observation_size, game.num_actions):
        raise ModelError(
            f"{what}: its network takes {sizes[0]} features and gives {sizes[1]} actions, this game has "
            f"{game.observation_size} and {game.num_actions}"
        )


def load_network(path: Path, game: Game) -> tuple[PolicyNetwork, ModelInfo]:
    """Read a model file and check that it fits `game`.

    Raises:
        ModelError: see `read_model` and `check_fits`; also tensors that are missing, misshapen or not finite.
    """
    tensors, info = read_model(path)
    check_fits(info, game, f"model {path}")
    network = PolicyNetwork(info.network)
    try:
        network.load_state_dict(tensors)
    except RuntimeError as error:
        reason = str(error).splitlines()[-1].strip()
        raise ModelError(f"model {path}: its tensors do not fit the network it describes ({reason})") from None
    for name, tensor in tensors.items():
        if not torch.isfinite(tensor).all():
            raise ModelError(f"model {path}: tensor {name!r} holds values that are not finite")
    network.eval()
    return network, info


class ModelAgent(Agent):
    """Plays with a policy network, on the CPU, in batches. It is never asked without the mask: `act` applies it.

    Attributes:
        info: what the model file said about itself.
    """

    def __init__(
        self,
        game: Game,
        network: PolicyNetwork,
        info: ModelInfo | None = None,
        *,
        name: str = "model",
        sample: bool = False,
        temperature: float = 1.0,
        seed: int = 0,
    ) -> None:
        """Make the player.

        Args:
            game: what it plays.
            network: its policy; shared, not copied.
            info: what its file said.
            name: for tables.
            sample: draw actions by their probability, from this player's own stream, instead of taking the likeliest.
            temperature: above 1 flattens the probabilities that are sampled from, below 1 sharpens them.
            seed: start of the stream.
        """
        super().__init__(game, name)
        self.network = network
        self.info = info
        self.sample = sample
        self.temperature = temperature
        self._generator = np.random.default_rng(seed)

    @classmethod
    def load(
        cls, game: Game, path: Path, seed: int = 0, sample: bool = False, temperature: float = 1.0, name: str = ""
    ) -> ModelAgent:
        """Load a model file (or the one in a training run's folder).

        Raises:
            ModelError: see `load_network`.
        """
        if not isinstance(sample, bool):
            raise ModelError(f"model {path}: sample must be true or false, not {sample!r}")
        if isinstance(temperature, bool) or not isinstance(temperature, int | float) or not temperature > 0:
            raise ModelError(f"model {path}: temperature must be a number above 0, not {temperature!r}")
        network, info = load_network(path, game)
        return cls(game, network, info, name=name or f"model:{path}", sample=sample, temperature=temperature, seed=seed)

    def act(self, decisions: Decisions) -> npt.NDArray[np.int64]:
        """Take the likeliest legal action of each row, or draw one."""
        logits = self.logits(decisions.observations, decisions.masks)
        if not self.sample:
            return np.asarray(logits.argmax(dim=1).numpy(), dtype=np.int64)
        return draw(logits / self.temperature, decisions.masks, self._generator)

    def logits(self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]) -> torch.Tensor:
        """Return masked logits, float32 (n, A)."""
        with torch.inference_mode():
            logits: torch.Tensor = self.network(
                torch.from_numpy(np.ascontiguousarray(observations)), torch.from_numpy(np.ascontiguousarray(masks))
            )
        return logits

    def reset(self, seed: int) -> None:
        """Start the stream anew."""
        self._generator = np.random.default_rng(seed)

    def fresh(self, seed: int) -> ModelAgent:
        """Return a player with the same network (weights are only read, so they are shared) and its own stream."""
        return ModelAgent(
            self.game,
            self.network,
            self.info,
            name=self.name,
            sample=self.sample,
            temperature=self.temperature,
            seed=seed,
        )


def draw(logits: torch.Tensor, masks: npt.NDArray[np.bool_], generator: np.random.Generator) -> npt.NDArray[np.int64]:
    """Draw an action for each row by the softmax of its masked logits.

    Args:
        logits: float32 (n, A), illegal ones MASKED_LOGIT.
        masks: bool (n, A).
        generator: advanced by n draws.

    Returns:
        int64 (n,); an illegal action is never drawn.
    """
    with torch.inference_mode():
        cumulative = torch.softmax(logits, dim=1).cumsum(dim=1).numpy()
    # An illegal action has probability 0 and adds nothing to the sum, so the first sum above the draw is legal.
    targets = generator.random(len(masks)).astype(np.float32) * cumulative[:, -1]
    actions = np.count_nonzero(cumulative <= targets[:, None], axis=1)
    overrun = actions >= masks.shape[1]  # rounding made the draw equal to the whole sum
    if overrun.any():
        actions[overrun] = masks.shape[1] - 1 - np.argmax(masks[overrun, ::-1], axis=1)
    return np.asarray(actions, dtype=np.int64)
