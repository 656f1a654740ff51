"""How features vary, and networks that begin by making them vary alike."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from cardzoo.agents.model import ModelAgent, PolicyNetwork, load_network
from cardzoo.envs import BatchEnv
from cardzoo.training.features import GAMES, feature_statistics
from cardzoo.training.ppo import LEAST_DEVIATION, network_sizes, network_tensors, standardize_features
from cardzoo.training.run import Run
from tests.training.conftest import small
from tests.training.test_ppo import learner

STANDARD = {"standardize": True, "trunk": [16, 8], "policy": [8], "value": [4]}


def test_means_and_deviations_are_those_of_what_random_games_show(tiny):
    mean, deviation = feature_statistics(tiny, steps=50, seed=3)
    batch = BatchEnv(tiny, GAMES, seed=3, sample=True)
    step, seen = batch.reset(), []
    for _ in range(50):
        seen.append(step.observations.copy())
        step = batch.step(step.sampled)
    seen = np.concatenate(seen).astype(np.float64)
    assert mean.dtype == deviation.dtype == np.float32
    np.testing.assert_allclose(mean, seen.mean(axis=0), atol=1e-6)
    np.testing.assert_allclose(deviation, seen.std(axis=0), atol=1e-5)
    assert deviation.min() < 0.5 * deviation.max()  # there is something to make alike


def test_a_standardized_network_sees_features_around_zero_that_vary_alike(tiny):
    mean, deviation = feature_statistics(tiny)
    policy = learner(tiny, network=STANDARD).policy
    standardize_features(policy, mean, deviation)
    first = policy.features_extractor.layers[0]
    batch = BatchEnv(tiny, 4000, seed=9, sample=True)
    step = batch.reset()
    seen = []
    for _ in range(7):
        seen.append(first(torch.from_numpy(step.observations)).numpy().copy())
        step = batch.step(step.sampled)
    seen = np.concatenate(seen)
    np.testing.assert_allclose(seen.mean(axis=0), 0, atol=0.2)
    np.testing.assert_allclose(seen.std(axis=0), deviation / (deviation + LEAST_DEVIATION), atol=0.1)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_training_leaves_the_standardization_as_it_is_and_the_exported_network_has_it(tiny, precision):
    settings = small(network={**STANDARD, "precision": precision})
    model = learner(tiny, network=settings.network.model_dump())
    standardize_features(model.policy, *feature_statistics(tiny))
    before = network_tensors(model.policy)
    model.learn(256)
    after = network_tensors(model.policy)
    for name in ("trunk.0.mean", "trunk.0.scale"):
        assert torch.equal(before[name], after[name])
    assert not torch.equal(before["trunk.1.weight"], after["trunk.1.weight"])
    network = PolicyNetwork(network_sizes(tiny, settings.network))
    network.load_state_dict(after)
    observations, masks = torch.rand(20, tiny.observation_size), torch.ones(20, tiny.num_actions, dtype=torch.bool)
    distribution, _ = model.policy.evaluate(observations, masks)
    tolerance = 1e-5 if precision == "float32" else 0.05
    torch.testing.assert_close(
        torch.log_softmax(network(observations, masks), dim=1), distribution.logits, atol=tolerance, rtol=tolerance
    )


@pytest.mark.usefixtures("tiny_registered")
def test_a_run_goes_on_with_its_standardization_and_its_model_has_it(tmp_path, monkeypatch, tiny):
    settings = small(network=STANDARD, run={"total_steps": 256})
    Run(settings, tmp_path, quiet=True).train()
    network, info = load_network(tmp_path / "model.safetensors", tiny)
    assert info.network.standardize
    assert network.trunk[0].mean.any()
    # Other statistics than those of the checkpoint would be another network.
    monkeypatch.setattr("cardzoo.training.run.feature_statistics", lambda game: feature_statistics(game, 3, seed=5))
    resumed = network_tensors(Run(settings, tmp_path, resume=True, quiet=True).learner.policy)
    assert all(torch.equal(resumed[name], tensor) for name, tensor in network.state_dict().items())
    step = BatchEnv(tiny, 4, seed=1).reset()
    assert ModelAgent.load(tiny, tmp_path).logits(step.observations, step.action_mask).isfinite().all()
