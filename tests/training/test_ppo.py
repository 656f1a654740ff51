"""The learner itself: masks, gradients, translation into a model file."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.utils import get_action_masks

from cardzoo.agents.model import PolicyNetwork
from cardzoo.agents.random import RandomAgent
from cardzoo.envs import IllegalAction
from cardzoo.training.ppo import (
    MaskedCategorical,
    TrainingDiverged,
    load_network_tensors,
    make_ppo,
    network_sizes,
    network_tensors,
    sharpen,
)
from cardzoo.training.vec_env import SelfPlayVecEnv
from tests.training.conftest import small
from tests.training.scripted_game import Scripted
from tests.training.test_vec_env import Fixed


def learner(game, seed=0, **changes):
    settings = small(**changes)
    env = SelfPlayVecEnv(game, 8, Fixed(RandomAgent(game, 1)), seed=seed)
    return make_ppo(env, settings.ppo, settings.network, seed)


def test_an_untrained_learner_plays_perfectly_when_one_legal_action_is_left():
    game = Scripted(length=9, only_right=True)
    model = learner(game)
    observations = model.env.reset()
    returns = []
    for _ in range(30):
        actions, _ = model.predict(observations, action_masks=get_action_masks(model.env))
        observations, _, _, infos = model.env.step(actions)
        returns += [info["episode"]["r"] for info in infos if info]
    assert returns
    assert set(returns) == {0.0}  # a single wrong answer would cost 1


def test_the_same_learner_fails_when_the_mask_is_ignored():
    game = Scripted(length=9, only_right=True)
    model = learner(game)
    actions, _ = model.predict(model.env.reset())
    with pytest.raises(IllegalAction):  # of 8 games with 4 actions each
        model.env.step(actions)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_training_never_plays_an_illegal_action_and_never_updates_on_one(tiny, precision):
    """The environment refuses illegal actions, so a training that ends has played none."""
    model = learner(tiny, network={"precision": precision})
    before = network_tensors(model.policy)
    model.learn(512)
    masks = model.rollout_buffer.action_masks
    actions = model.rollout_buffer.actions.astype(int)[:, 0]
    assert masks[np.arange(len(actions)), actions].all()
    after = network_tensors(model.policy)
    assert any(not torch.equal(before[name], after[name]) for name in before)


def test_masked_distributions_stay_finite_with_extreme_logits_and_one_legal_action():
    logits = torch.tensor([[1e4, -1e4, 0.0], [-1e4, 1e4, 1e4], [0.0, 0.0, 0.0]], requires_grad=True)
    masks = torch.tensor([[False, True, False], [True, True, False], [True, True, True]])
    distribution = MaskedCategorical(logits, masks)
    assert distribution._validate_args
    loss = distribution.log_prob(torch.tensor([1, 0, 2])).sum() + distribution.entropy().sum()
    loss.backward()
    assert torch.isfinite(loss)
    assert torch.isfinite(logits.grad).all()
    assert distribution.log_prob(torch.tensor([1, 0, 2]))[0] == 0
    for _ in range(200):
        drawn = distribution.draw()
        assert masks[torch.arange(3), drawn].all()


def test_the_distribution_draws_by_its_probabilities():
    torch.manual_seed(0)
    logits = torch.tensor([[0.0, 1.0, 2.0, 3.0]]).repeat(40000, 1)
    masks = torch.tensor([[True, True, False, True]]).repeat(40000, 1)
    distribution = MaskedCategorical(logits, masks)
    counts = torch.bincount(distribution.draw(), minlength=4) / 40000
    torch.testing.assert_close(counts, distribution.probs[0], atol=0.01, rtol=0)


def test_logits_that_are_not_numbers_are_refused():
    with pytest.raises(ValueError, match="logits"):
        MaskedCategorical(torch.tensor([[float("nan"), 0.0]]), torch.tensor([[True, True]]))


def test_training_stops_at_the_first_weight_that_is_not_finite(tiny):
    model = learner(tiny)
    model.learn(128)
    with torch.no_grad():
        model.policy.action_net.weight[0, 0] = float("nan")
    with pytest.raises(TrainingDiverged):
        model.train()


def test_exported_network_gives_the_learners_logits(tiny):
    settings = small(network={"trunk": [16, 8], "policy": [8], "value": [4]})
    model = learner(tiny, network=settings.network.model_dump())
    network = PolicyNetwork(network_sizes(tiny, settings.network))
    network.load_state_dict(network_tensors(model.policy))
    observations = torch.rand(20, tiny.observation_size)
    masks = torch.rand(20, tiny.num_actions) < 0.6
    masks[:, 0] = True
    distribution, _ = model.policy.evaluate(observations, masks)
    torch.testing.assert_close(torch.log_softmax(network(observations, masks), dim=1), distribution.logits)


def test_sharpening_multiplies_the_logits_and_leaves_the_values(tiny):
    model = learner(tiny)
    observations, masks = torch.as_tensor(model.env.reset()), torch.as_tensor(get_action_masks(model.env))
    with torch.no_grad():
        before, values = model.policy.evaluate(observations, masks)
        sharpen(model.policy, 2.5)
        after, same_values = model.policy.evaluate(observations, masks)
    assert torch.equal(values, same_values)
    assert torch.allclose(after.probs, torch.softmax(2.5 * before.logits, dim=1), atol=1e-5)
    assert (after.entropy() < before.entropy()).all()


def test_loading_weights_keeps_the_optimizers_grip_on_them(tiny):
    model, other = learner(tiny, seed=0), learner(tiny, seed=1)
    load_network_tensors(model.policy, network_tensors(other.policy))
    for name, tensor in network_tensors(model.policy).items():
        assert torch.equal(tensor, network_tensors(other.policy)[name])
    held = {id(parameter) for group in model.policy.optimizer.param_groups for parameter in group["params"]}
    assert held == {id(parameter) for parameter in model.policy.parameters()}
