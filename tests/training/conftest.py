"""A training small enough for a test: seconds, one thread."""

from __future__ import annotations

from typing import Any

import pytest

from cardzoo.training.settings import TrainSettings, parse_settings

SMALL: dict[str, Any] = {
    "game": "tiny",
    "run": {
        "total_steps": 768,
        "num_envs": 8,
        "threads": 1,
        "checkpoint_every": 128,
        "evaluate_every": 256,
        "evaluation_games": 10,
        "final_games": 40,
    },
    "ppo": {"num_steps": 16, "batch_size": 64, "num_epochs": 2},
    "network": {"trunk": [16], "policy": [], "value": [], "precision": "float32"},
    "pool": {"heuristics": {}, "snapshot_every": 256, "keep": 3},
}


def small(**changes: Any) -> TrainSettings:
    """Settings of the small training with some sections' entries changed."""
    values = {key: dict(value) if isinstance(value, dict) else value for key, value in SMALL.items()}
    for key, value in changes.items():
        values[key] = {**values.get(key, {}), **value} if isinstance(value, dict) else value
    return parse_settings(values, "test")


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """Small tensors are faster on one thread, and tests run side by side."""
    import torch

    torch.set_num_threads(1)
