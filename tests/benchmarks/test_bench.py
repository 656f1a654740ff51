"""`cardzoo bench` runs and reports every number; how large they are is not asserted: machines differ."""

from __future__ import annotations

from cardzoo.envs import load
from cardzoo.training.bench import bench, view_share


def test_the_benchmark_reports_every_number():
    text = bench(["bedroom_battle", "battle_requiem"], repeats=1, seconds=0.05, matches=4)
    for label in (
        "leduc_holdem_v4, AEC",
        "bedroom_battle, AEC",
        "bedroom_battle, batch of 1024, 1 thread",
        "bedroom_battle, batch of 1024, 2 threads",
        "battle_requiem, seats 6, AEC",
        "bedroom_battle: mask and observation take",
        "import cardzoo.envs",
        "1024 games 14.0 MB",
        "greedy against planner",
    ):
        assert label in text


def test_the_share_of_mask_and_observation_is_a_share():
    assert 0 < view_share(load("bedroom_battle"), 0.1, 0) < 1.5
