"""MaskablePPO with our network, and its translation to and from model files."""

from __future__ import annotations

from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from cardzoo.agents.model import ACTIVATIONS, NetworkSizes, mlp
from cardzoo.envs.core.errors import CardzooError
from cardzoo.envs.core.game import Game
from cardzoo.training.settings import NetworkSettings, PPOSettings
from cardzoo.training.vec_env import SelfPlayVecEnv


class TrainingDiverged(CardzooError):
    """A value that is not finite turned up in training; going on would be useless."""


class Trunk(BaseFeaturesExtractor):
    """The layers that policy and value share."""

    def __init__(self, observation_space: spaces.Box, widths: tuple[int, ...], activation: str) -> None:
        size = int(observation_space.shape[0])
        super().__init__(observation_space, features_dim=widths[-1] if widths else size)
        self.layers = mlp(size, widths, activation)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Float32 (n, D) to (n, last width)."""
        features: torch.Tensor = self.layers(observations)
        return features


# Names of the same tensors in the learner's policy and in a `PolicyNetwork`.
PREFIXES = {
    "features_extractor.layers.": "trunk.",
    "mlp_extractor.policy_net.": "policy.",
    "action_net.": "policy_out.",
    "mlp_extractor.value_net.": "value.",
    "value_net.": "value_out.",
}


def network_tensors(policy: MaskableActorCriticPolicy) -> dict[str, torch.Tensor]:
    """Return the policy's weights under a `PolicyNetwork`'s names, copied."""
    tensors = {}
    for name, tensor in policy.state_dict().items():
        for prefix, own in PREFIXES.items():
            if name.startswith(prefix):
                tensors[own + name.removeprefix(prefix)] = tensor.detach().clone()
    return tensors


def load_network_tensors(policy: MaskableActorCriticPolicy, tensors: dict[str, torch.Tensor]) -> None:
    """Put weights with a `PolicyNetwork`'s names into the policy, in place (the optimizer keeps its grip on them)."""
    with torch.no_grad():
        for name, tensor in policy.state_dict().items():
            for prefix, own in PREFIXES.items():
                if name.startswith(prefix):
                    tensor.copy_(tensors[own + name.removeprefix(prefix)])


class CheckedPPO(MaskablePPO):
    """MaskablePPO that stops at the first value that is not finite, and whose entropy weight falls linearly."""

    entropy_range: tuple[float, float] = (0.0, 0.0)

    def train(self) -> None:
        """Update the policy.

        Raises:
            TrainingDiverged: the update made weights that are not finite, or met such values.
        """
        first, last = self.entropy_range
        self.ent_coef = last + (first - last) * max(0.0, self._current_progress_remaining)
        try:
            super().train()
        except ValueError as error:  # torch's check of the distribution's parameters, which stays switched on
            raise TrainingDiverged(f"the policy's distribution broke after {self.num_timesteps} steps") from error
        for name, tensor in self.policy.named_parameters():
            if not torch.isfinite(tensor).all():
                raise TrainingDiverged(f"{name} is not finite after {self.num_timesteps} steps")


def network_sizes(game: Game, settings: NetworkSettings) -> NetworkSizes:
    """Return the network's sizes for a game."""
    return NetworkSizes(
        game.observation_size,
        game.num_actions,
        trunk=tuple(settings.trunk),
        policy=tuple(settings.policy),
        value=tuple(settings.value),
        activation=settings.activation,
    )


def make_ppo(env: SelfPlayVecEnv, ppo: PPOSettings, network: NetworkSettings, seed: int) -> CheckedPPO:
    """Make the learner. Seeds NumPy's and torch's global streams, which MaskablePPO draws from."""
    first, last = ppo.learning_rate, ppo.final_learning_rate
    policy_kwargs: dict[str, Any] = {
        "features_extractor_class": Trunk,
        "features_extractor_kwargs": {"widths": tuple(network.trunk), "activation": network.activation},
        "net_arch": {"pi": list(network.policy), "vf": list(network.value)},
        "activation_fn": ACTIVATIONS[network.activation],
    }
    model = CheckedPPO(
        MaskableActorCriticPolicy,
        env,
        learning_rate=lambda remaining: (
            last + (first - last) * max(0.0, remaining)
        ),  # the last update overshoots a little
        n_steps=ppo.num_steps,
        batch_size=ppo.batch_size,
        n_epochs=ppo.num_epochs,
        gamma=ppo.gamma,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip_range,
        ent_coef=ppo.entropy,
        vf_coef=ppo.value_weight,
        max_grad_norm=ppo.max_grad_norm,
        target_kl=ppo.target_kl,
        policy_kwargs=policy_kwargs,
        seed=seed,
        device="cpu",
    )
    model.entropy_range = (ppo.entropy, ppo.final_entropy)
    return model
