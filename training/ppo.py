"""MaskablePPO with our network, and its translation to and from model files."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.distributions import MaskableCategorical
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn
from torch.distributions import Distribution

from cardzoo.agents.model import ACTIVATIONS, MASKED_LOGIT, NetworkSizes, Standardize, bfloat16_copy, mlp
from cardzoo.envs.core.errors import CardzooError
from cardzoo.envs.core.game import Game
from cardzoo.training.settings import NetworkSettings, PPOSettings
from cardzoo.training.vec_env import SelfPlayVecEnv


class TrainingDiverged(CardzooError):
    """A value that is not finite turned up in training; going on would be useless."""


class Trunk(BaseFeaturesExtractor):
    """The layers that policy and value share."""

    def __init__(
        self, observation_space: spaces.Box, widths: tuple[int, ...], activation: str, standardize: bool
    ) -> None:
        size = int(observation_space.shape[0])
        super().__init__(observation_space, features_dim=widths[-1] if widths else size)
        self.layers = mlp(size, widths, activation, standardize)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Float32 (n, D) to (n, last width)."""
        features: torch.Tensor = self.layers(observations)
        return features


class MaskedCategorical(MaskableCategorical):
    """The masked distribution, made at once: the class it refines makes an unmasked one first. Validation stays on."""

    def __init__(self, logits: torch.Tensor, masks: torch.Tensor) -> None:
        self.masks = masks
        self._original_logits = logits
        self.logits: torch.Tensor = torch.log_softmax(logits.masked_fill(~masks, MASKED_LOGIT), dim=-1)
        self._param = self.logits
        self._num_events = logits.shape[-1]
        Distribution.__init__(self, logits.shape[:-1])

    def log_prob(self, value: torch.Tensor) -> torch.Tensor:
        """Return the log probability of each row's action: float32 (n,) for int64 (n,)."""
        if self._validate_args:
            self._validate_sample(value)  # type: ignore[no-untyped-call]
        return self.logits.gather(-1, value.long().unsqueeze(-1)).squeeze(-1)

    def draw(self) -> torch.Tensor:
        """Draw an action for each row, (n,), faster than `sample`: the smallest of exponentials with these rates."""
        return torch.argmax(self.probs / torch.empty_like(self.probs).exponential_(), dim=-1)


class CardPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy; hidden layers may be computed in bfloat16, weights and outputs stay float32."""

    def __init__(self, *args: Any, half: bool = False, **kwargs: Any) -> None:
        self._half = half
        self._copies: tuple[nn.Module, nn.Module] | None = None
        super().__init__(*args, **kwargs)

    def set_training_mode(self, mode: bool) -> None:
        """Switch between collecting, for which the weights are converted to bfloat16 once, and learning."""
        super().set_training_mode(mode)
        self._copies = None
        if self._half and not mode:
            self._copies = (bfloat16_copy(self.features_extractor), bfloat16_copy(self.mlp_extractor))

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return actions, values and log probabilities for observations float32 (n, D) and masks bool (n, A)."""
        distribution, values = self.evaluate(obs, action_masks)
        actions = torch.argmax(distribution.logits, dim=1) if deterministic else distribution.draw()
        return actions, values, distribution.log_prob(actions)

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return values, log probabilities of actions (n,), and entropies."""
        distribution, values = self.evaluate(obs, action_masks)
        return values, distribution.log_prob(actions), distribution.entropy()

    def predict_values(self, obs: Any) -> torch.Tensor:
        """Return values, (n, 1)."""
        values: torch.Tensor = self.value_net(self._latents(obs)[1])
        return values

    def evaluate(self, obs: torch.Tensor, action_masks: Any) -> tuple[MaskedCategorical, torch.Tensor]:
        """Return the distribution over actions and the values, (n, 1)."""
        latent_policy, latent_value = self._latents(obs)
        logits = self.action_net(latent_policy)
        if action_masks is None:
            masks = torch.ones_like(logits, dtype=torch.bool)
        else:
            masks = torch.as_tensor(action_masks, dtype=torch.bool).reshape(logits.shape)
        return MaskedCategorical(logits, masks), self.value_net(latent_value)

    def _latents(self, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        if self._copies is not None:
            features, heads = self._copies
            latent_policy, latent_value = heads(features(obs.bfloat16()))
        else:
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self._half):
                latent_policy, latent_value = self.mlp_extractor(self.features_extractor(obs))
        return latent_policy.float(), latent_value.float()


class FlatRolloutBuffer(MaskableRolloutBuffer):
    """MaskablePPO's buffer with less copying: memory is taken once, masks are bool, and nothing is reordered."""

    _arrays: dict[str, npt.NDArray[Any]] | None = None

    def reset(self) -> None:
        """Make the buffer empty."""
        if self._arrays is None:
            super().reset()
            self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), dtype=np.bool_)
            self._arrays = {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        # `get` replaced them by flat views
        self.__dict__.update(self._arrays)
        self.pos, self.full, self.generator_ready = 0, False, False

    @staticmethod
    def swap_and_flatten(arr: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Flatten (steps, games, ...) to (steps * games, ...), a view: the samples are drawn in random order anyway."""
        return arr.reshape(arr.shape[0] * arr.shape[1], *(arr.shape[2:] or (1,)))


def bfloat16_is_fast() -> bool:
    """Whether this processor has matrix units for bfloat16."""
    check = getattr(torch.cpu, "_is_amx_tile_supported", None)
    return bool(check and check())


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


LEAST_DEVIATION = 0.1
"""Added to the standard deviation of a feature, so that one that seldom moves does not shout when it does."""


def standardize_features(
    policy: MaskableActorCriticPolicy, mean: npt.NDArray[np.float32], deviation: npt.NDArray[np.float32]
) -> None:
    """Set the shift and scale of the trunk's `Standardize`, from each feature's mean and standard deviation, (D,)."""
    trunk = policy.features_extractor
    assert isinstance(trunk, Trunk)
    first = trunk.layers[0]
    assert isinstance(first, Standardize)
    first.mean.copy_(torch.from_numpy(mean))
    first.scale.copy_(torch.from_numpy(1 / (deviation + LEAST_DEVIATION)))


def sharpen(policy: MaskableActorCriticPolicy, factor: float) -> None:
    """Multiply the policy's logits by a factor: the most likely actions stay so, and become more likely above 1."""
    with torch.no_grad():
        for tensor in policy.action_net.parameters():
            tensor.mul_(factor)


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


def uses_half(settings: NetworkSettings) -> bool:
    """Whether hidden layers are computed in bfloat16."""
    return settings.precision == "bfloat16" or (settings.precision == "auto" and bfloat16_is_fast())


def network_sizes(game: Game, settings: NetworkSettings) -> NetworkSizes:
    """Return the network's sizes for a game."""
    return NetworkSizes(
        game.observation_size,
        game.num_actions,
        trunk=tuple(settings.trunk),
        policy=tuple(settings.policy),
        value=tuple(settings.value),
        activation=settings.activation,
        standardize=settings.standardize,
    )


def make_ppo(env: SelfPlayVecEnv, ppo: PPOSettings, network: NetworkSettings, seed: int) -> CheckedPPO:
    """Make the learner. Seeds NumPy's and torch's global streams, which MaskablePPO draws from."""
    first, last = ppo.learning_rate, ppo.final_learning_rate
    policy_kwargs: dict[str, Any] = {
        "features_extractor_class": Trunk,
        "features_extractor_kwargs": {
            "widths": tuple(network.trunk),
            "activation": network.activation,
            "standardize": network.standardize,
        },
        "net_arch": {"pi": list(network.policy), "vf": list(network.value)},
        "activation_fn": ACTIVATIONS[network.activation],
        "half": uses_half(network),
    }
    model = CheckedPPO(
        CardPolicy,
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
        rollout_buffer_class=FlatRolloutBuffer,
        seed=seed,
        device="cpu",
    )
    model.entropy_range = (ppo.entropy, ppo.final_entropy)
    return model
