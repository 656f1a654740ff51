"""Episodes of the Gymnasium environment, played at random."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cardzoo.agents.gym_env import SingleAgentEnv


class Episode(NamedTuple):
    """What was seen and earned from reset to end; episodes that went the same way are equal."""

    seen: list[bytes]  # the observations
    rewards: list[float]
    seat: int
    terminated: bool
    truncated: bool
    outcome: str | None
    winners: tuple[int, ...] | None


def play_on(env: SingleAgentEnv, generator: np.random.Generator) -> Episode:
    """Play an episode that has begun to its end; the masks of `info` and `action_masks` must be the same."""
    seen, rewards = [], []
    while True:
        action = generator.choice(np.flatnonzero(env.action_masks()))
        observation, reward, terminated, truncated, info = env.step(action)
        assert observation in env.observation_space
        np.testing.assert_array_equal(info["action_mask"], env.action_masks())
        seen.append(observation.tobytes())
        rewards.append(float(reward))
        if terminated or truncated:
            end: dict[str, Any] = {key: info.get(key) for key in ("outcome", "winners")}
            return Episode(seen, rewards, info["seat"], terminated, truncated, **end)


def episode(env: SingleAgentEnv, generator: np.random.Generator, seed: int | None = None) -> Episode:
    """Reset, and play to the end."""
    observation, info = env.reset(seed=seed)
    np.testing.assert_array_equal(info["action_mask"], env.action_masks())
    played = play_on(env, generator)
    return played._replace(seen=[observation.tobytes(), *played.seen])
