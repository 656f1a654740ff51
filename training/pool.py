"""Who the learner plays against: itself as it was, heuristic players, a random player."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError

from cardzoo.agents.base import Agent, make_agent
from cardzoo.agents.model import ModelAgent, ModelInfo, PolicyNetwork, load_network, save_model
from cardzoo.envs.core.errors import ModelError
from cardzoo.envs.core.game import Game
from cardzoo.training.settings import PoolSettings


class Pool:
    """Opponents by shares; see `PoolSettings`.

    At any time few networks play: the newest snapshot and `active` older ones, so that a batch of opponents costs few
    forward passes. Which older ones is drawn anew in `redraw`; games that are under way then go on with the new ones.
    All players draw from streams of their own.

    Attributes:
        agents: the players; "latest" and "past" are slots for snapshots.
        names: a group name for each: "latest", "past", a heuristic player's name, or "random".
        snapshots: file names, oldest first.
    """

    def __init__(
        self, game: Game, settings: PoolSettings, info: ModelInfo, folder: Path, seed: int, half: bool = False
    ) -> None:
        """Make the players that are no snapshots, and empty slots.

        Args:
            game: what is played.
            settings: shares.
            info: goes into the snapshots' files, which are model files; its steps are replaced.
            folder: where the snapshots are.
            seed: start of all streams.
            half: compute the snapshots' hidden layers in bfloat16.

        Raises:
            AgentError: an unknown heuristic player.
        """
        self._game = game
        self._settings = settings
        self._info = info
        self._folder = folder
        self._half = half
        self._generator = np.random.default_rng(np.random.SeedSequence([seed, 0]))
        self.snapshots: list[str] = []
        self.agents: list[Agent] = []
        self.names: list[str] = []
        weights: list[float] = []
        others = [*settings.heuristics.items(), ("random", settings.random)]
        for number, (name, share) in enumerate(others):
            if share > 0:
                own_seed = int(np.random.SeedSequence([seed, 1, number]).generate_state(1)[0])
                self.agents.append(make_agent(name, game, seed=own_seed))
                self.names.append(name)
                weights.append(share)
        self._slots: list[int] = []
        slots = [("latest", settings.latest)] + [("past", settings.past / settings.active)] * settings.active
        for number, (name, share) in enumerate(slots):
            own_seed = int(np.random.SeedSequence([seed, 2, number]).generate_state(1)[0])
            network = PolicyNetwork(info.network).eval()
            self._slots.append(len(self.agents))
            self.agents.append(ModelAgent(game, network, name=name, sample=settings.sample, seed=own_seed))
            self.names.append(name)
            weights.append(share)
        self._weights = np.array(weights) / sum(weights)

    def assign(self, count: int) -> npt.NDArray[np.intp]:
        """Choose `count` opponents, independent of each other: (count,) indices into `agents`."""
        return self._generator.choice(len(self.agents), size=count, p=self._weights)

    def add(self, tensors: dict[str, torch.Tensor], steps: int) -> None:
        """Save the learner as it is now as the newest snapshot.

        Args:
            tensors: state dict of a `PolicyNetwork`.
            steps: learner decisions so far; names the file.
        """
        name = f"snapshot_{steps:012d}.safetensors"
        info = ModelInfo(**{**self._info.__dict__, "steps": steps})
        save_model(self._folder / name, tensors, info)
        if name not in self.snapshots:
            self.snapshots.append(name)
        self._thin()
        self._put(0, tensors)

    def redraw(self) -> None:
        """Choose which older snapshots play from now on."""
        older = self.snapshots[:-1] or self.snapshots
        chosen = self._generator.choice(
            len(older), size=self._settings.active, replace=len(older) < self._settings.active
        )
        for slot, index in enumerate(chosen, start=1):
            self._load(slot, older[index])

    def averaged(self, tensors: dict[str, torch.Tensor], since: int) -> dict[str, torch.Tensor]:
        """Return the mean of the weights `tensors` and of those of all snapshots from `since` decisions on."""
        parts = [tensors]
        for name in self.snapshots:
            if steps_of(name) >= since:
                parts.append(load_network(self._folder / name, self._game)[0].state_dict())
        return {name: torch.stack([part[name].double() for part in parts]).mean(dim=0).float() for name in tensors}

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs, JSON-able; the snapshots themselves are files."""
        return {"snapshots": list(self.snapshots), "generator": self._generator.bit_generator.state}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state; snapshots whose files are damaged or gone are left out with a warning."""
        self._generator.bit_generator.state = state["generator"]
        self.snapshots = []
        for name in state["snapshots"]:
            try:
                load_network(self._folder / name, self._game)
            except (ModelError, SafetensorError, OSError) as error:
                warnings.warn(f"left out of the pool: {error}", stacklevel=2)
            else:
                self.snapshots.append(name)
        for agent in self.agents:
            agent.reset(int(self._generator.integers(2**32)))
        if self.snapshots:
            self._load(0, self.snapshots[-1])

    def _put(self, slot: int, tensors: dict[str, torch.Tensor]) -> None:
        """Give the player in a slot these weights."""
        agent = self.agents[self._slots[slot]]
        assert isinstance(agent, ModelAgent)
        agent.network.load_state_dict(tensors)
        if self._half:
            agent.network.use_bfloat16()

    def _load(self, slot: int, name: str) -> None:
        network, _ = load_network(self._folder / name, self._game)
        self._put(slot, network.state_dict())

    def _thin(self) -> None:
        """Keep the oldest, the newest, and others as evenly spread over the training as possible."""
        while len(self.snapshots) > max(2, self._settings.keep):
            steps = [steps_of(name) for name in self.snapshots]
            gaps = [steps[i + 1] - steps[i - 1] for i in range(1, len(steps) - 1)]
            del self.snapshots[1 + int(np.argmin(gaps))]


def steps_of(name: str) -> int:
    """After how many of the learner's decisions a snapshot was made."""
    return int(name.removeprefix("snapshot_").removesuffix(".safetensors"))


def delete_unused(folder: Path, used: Sequence[str]) -> None:
    """Delete snapshot files that neither the pool nor a checkpoint needs any more."""
    for path in folder.glob("snapshot_*.safetensors"):
        if path.name not in used:
            path.unlink(missing_ok=True)
