"""The generator in the record: the published algorithm, uniform, the same compiled and interpreted."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from cardzoo.envs.core.random import below, next_uint32, reseed, seed_states, shuffle, uniform


def reference(state, n):
    """xoshiro128++ transcribed from the authors' C with numpy's wrapping 32-bit arithmetic."""
    s = [np.uint32(word) for word in state]
    out = []

    def rotl(x, k):
        return np.uint32((int(x) << k | int(x) >> (32 - k)) & 0xFFFFFFFF)

    with np.errstate(over="ignore"):
        for _ in range(n):
            out.append(int(rotl(s[0] + s[3], 7) + s[0]))
            t = s[1] << np.uint32(9)
            s[2] ^= s[0]
            s[3] ^= s[1]
            s[1] ^= s[2]
            s[0] ^= s[3]
            s[2] ^= t
            s[3] = rotl(s[3], 11)
    return out, s


@pytest.mark.parametrize("state", [[1, 2, 3, 4], [0, 0, 0, 1], [0xFFFFFFFF] * 4, [0xDEADBEEF, 0, 0x80000000, 7]])
def test_it_is_xoshiro128_plus_plus(state):
    rng = np.array(state, np.uint32)
    expected, end = reference(state, 1000)
    assert [next_uint32(rng) for _ in range(1000)] == expected
    assert rng.tolist() == end


def test_first_numbers_from_the_authors_example_state():
    rng = np.array([1, 2, 3, 4], np.uint32)
    assert [next_uint32(rng) for _ in range(3)] == [641, 1573767, 3222811527]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 100])
def test_below_is_uniform(n):
    rng = seed_states(5, 1)[0]
    draws = 20_000
    counts = np.bincount([below(rng, n) for _ in range(draws)], minlength=n)
    assert len(counts) == n
    chi2 = ((counts - draws / n) ** 2 / (draws / n)).sum()
    assert chi2 < 3 * n + 20


def test_below_is_exact_for_bounds_where_a_plain_remainder_is_badly_biased():
    rng = seed_states(6, 1)[0]
    n = 3 * 2**29  # three quarters of 2**31: a biased method favours some thirds by a factor of two
    thirds = np.bincount([below(rng, n) // 2**29 for _ in range(30_000)], minlength=3)
    assert abs(thirds - 10_000).max() < 400


def test_below_accepts_small_integer_types_without_overflow():
    assert 0 <= below(seed_states(1, 1)[0], np.int8(100)) < 100


def test_shuffle_gives_every_order_equally_often():
    rng = seed_states(7, 1)[0]
    counts = dict.fromkeys(itertools.permutations(range(4)), 0)
    for _ in range(12_000):
        cards = np.arange(6, dtype=np.uint8)
        shuffle(rng, cards, 4)
        assert cards[4:].tolist() == [4, 5]  # only the first n
        counts[tuple(cards[:4].tolist())] += 1
    assert min(counts.values()) > 400
    assert max(counts.values()) < 600


def test_uniform_lies_in_the_unit_interval():
    rng = seed_states(8, 1)[0]
    values = [uniform(rng) for _ in range(5000)]
    assert 0 <= min(values) < 0.01
    assert 0.99 < max(values) < 1
    assert abs(np.mean(values) - 0.5) < 0.02


def test_reseed_depends_on_the_source_only_and_advances_it():
    first, second = np.zeros(4, np.uint32), np.full(4, 9, np.uint32)
    source = seed_states(3, 1)[0]
    before = source.copy()
    reseed(first, source.copy())
    reseed(second, source)
    assert first.tolist() == second.tolist()
    assert source.tolist() != before.tolist()


def test_seeds_give_different_games_and_a_prefix_of_a_larger_batch():
    small, large = seed_states(11, 10), seed_states(11, 1000)
    assert np.array_equal(small, large[:10])
    everything = np.concatenate([seed_states(seed, 500) for seed in range(20)])
    assert len({row.tobytes() for row in everything}) == 20 * 500
    assert everything.any(axis=1).all()


def test_no_seed_means_fresh_entropy_and_numpys_global_state_is_not_touched():
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    assert seed_states(None, 1).tolist() != seed_states(None, 1).tolist()
    seed_states(3, 4)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True])
def test_bad_seeds_are_refused(seed):
    with pytest.raises(ValueError, match="a seed is an integer >= 0 or None"):
        seed_states(seed, 1)
