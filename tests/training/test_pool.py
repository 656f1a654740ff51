"""Opponents: shares, snapshots, streams."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from cardzoo.agents.base import Decisions
from cardzoo.agents.model import ModelAgent, ModelInfo, NetworkSizes, PolicyNetwork
from cardzoo.training.pool import Pool, delete_unused
from cardzoo.training.settings import PoolSettings

NETWORK = NetworkSizes(14, 3, trunk=(8,), policy=(), value=())


def make(tiny, folder, seed=0, **settings):
    values = {"heuristics": {}, "latest": 0.5, "past": 0.3, "random": 0.2, "active": 2, "keep": 4, **settings}
    info = ModelInfo.of(tiny, NETWORK, 0, {})
    return Pool(tiny, PoolSettings(**values), info, folder, seed)


def weights(seed):
    torch.manual_seed(seed)
    return PolicyNetwork(NETWORK).state_dict()


def test_opponents_come_by_their_shares(tiny, tmp_path):
    pool = make(tiny, tmp_path)
    chosen = pool.assign(20000)
    names = np.array(pool.names)[chosen]
    for name, share in {"latest": 0.5, "past": 0.3, "random": 0.2}.items():
        assert (names == name).mean() == pytest.approx(share, abs=0.02)


def test_few_networks_play_at_a_time_whatever_the_number_of_snapshots(tiny, tmp_path):
    pool = make(tiny, tmp_path, active=2, keep=50)
    for steps in range(0, 3000, 100):
        pool.add(weights(steps), steps)
    pool.redraw()
    assert sum(isinstance(agent, ModelAgent) for agent in pool.agents) == 3
    latest = pool.agents[pool.names.index("latest")].network
    assert torch.equal(latest.policy_out.weight, weights(2900)["policy_out.weight"])
    slots = [agent for agent, name in zip(pool.agents, pool.names, strict=True) if name == "past"]
    drawn = set()
    for _ in range(40):
        pool.redraw()
        drawn |= {agent.network.policy_out.weight[0, 0].item() for agent in slots}
    assert len(drawn) > 15


def test_old_snapshots_are_thinned_evenly_and_their_files_deleted(tiny, tmp_path):
    pool = make(tiny, tmp_path, keep=5)
    for steps in range(0, 10000, 100):
        pool.add(weights(0), steps)
    kept = [int(name.split("_")[1].split(".")[0]) for name in pool.snapshots]
    assert len(kept) == 5
    assert kept[0] == 0
    assert kept[-1] == 9900
    delete_unused(tmp_path, pool.snapshots)
    assert sorted(path.name for path in tmp_path.iterdir()) == pool.snapshots


def test_snapshots_sample_from_their_own_stream(tiny, tmp_path):
    """Players that always took their best move would give the learner the same few games."""

    def answers(seed):
        pool = make(tiny, tmp_path, seed=seed)
        pool.add(weights(1), 0)
        agent = pool.agents[pool.names.index("latest")]
        np.random.seed(5)  # noqa: NPY002 - nobody else's stream matters
        torch.manual_seed(5)
        states = tiny.new_states(1, 1)
        observations = np.repeat(tiny.observe(states, 0, 0)[None], 200, axis=0)
        masks = np.ones((200, 3), dtype=bool)
        return agent.act(Decisions(tiny, observations, masks, np.zeros(200, np.int8)))

    first = answers(1)
    assert len(set(first.tolist())) == 3
    np.testing.assert_array_equal(first, answers(1))
    assert (first != answers(2)).any()


def test_a_restored_pool_goes_on_where_it_was(tiny, tmp_path):
    pool = make(tiny, tmp_path)
    for steps in (0, 100, 200):
        pool.add(weights(steps), steps)
    pool.assign(7)
    state = pool.state()
    pool.redraw()
    other = make(tiny, tmp_path)
    other.restore(state)
    assert other.snapshots == pool.snapshots
    latest = other.agents[other.names.index("latest")].network
    assert torch.equal(latest.policy_out.weight, weights(200)["policy_out.weight"])


def test_bfloat16_opponents_follow_a_change_of_weights(tiny, tmp_path):
    info = ModelInfo.of(tiny, NETWORK, 0, {})
    pool = Pool(tiny, PoolSettings(heuristics={}), info, tmp_path, 0, half=True)
    observations, masks = np.random.default_rng(0).random((9, 14), np.float32), np.ones((9, 3), dtype=bool)
    for seed in (1, 2):
        pool.add(weights(seed), seed)
        exact = PolicyNetwork(NETWORK)
        exact.load_state_dict(weights(seed))
        agent = pool.agents[pool.names.index("latest")]
        expected = ModelAgent(tiny, exact).logits(observations, masks)
        torch.testing.assert_close(agent.logits(observations, masks), expected, atol=0.02, rtol=0.02)
