"""Intervals: sane at the edges, aware of pairs."""

from __future__ import annotations

import numpy as np
import pytest

from cardzoo.training.statistics import grouped_rate, wilson


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_the_interval_at_0_and_100_percent_has_a_sensible_width(rate):
    value, low, high = grouped_rate(np.full(50, 2 * rate), np.full(50, 2.0))
    assert value == rate
    assert 0.03 < high - low < 0.2
    assert 0 <= low <= value <= high <= 1


def test_no_games_no_rate():
    assert np.isnan(grouped_rate(np.zeros(3), np.zeros(3))).all()


def test_one_deal_tells_little():
    _, low, high = grouped_rate(np.array([1.0]), np.array([2.0]))
    assert high - low > 0.7


def test_wilson_agrees_with_a_known_case():
    low, high = wilson(0.5, 100)
    assert (low, high) == (pytest.approx(0.4038, abs=1e-4), pytest.approx(0.5962, abs=1e-4))


def test_games_that_depend_on_each_other_widen_the_interval_and_opposed_ones_narrow_it():
    generator = np.random.default_rng(0)
    wins = generator.random(400) < 0.5
    same = grouped_rate(2.0 * wins, np.full(400, 2.0))
    split = grouped_rate(np.where(generator.random(400) < 0.9, 1.0, 2.0 * wins), np.full(400, 2.0))
    independent = grouped_rate((generator.random((400, 2)) < 0.5).sum(axis=1).astype(float), np.full(400, 2.0))

    def width(rate):
        return rate.high - rate.low

    assert width(same) > 1.2 * width(independent) > 1.2 * 1.2 * width(split)


@pytest.mark.parametrize("chance", [0.02, 0.5, 0.9])
def test_95_percent_intervals_hold_the_truth_about_95_times_in_100(chance):
    generator = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        luck = generator.normal(size=200)[:, None] * 0.5  # of the deal, shared by both games
        games = luck + generator.normal(size=(200, 2))
        threshold = np.quantile(generator.normal(size=200000) * np.sqrt(1.25), chance)
        rate = grouped_rate((games < threshold).sum(axis=1).astype(float), np.full(200, 2.0))
        held += rate.low <= chance <= rate.high
    assert 0.91 <= held / 400 <= 0.99
