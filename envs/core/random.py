"""The random generator that lives in a game's record: xoshiro128++ on a uint32[4] array.

A game's future depends on its own record and nothing else, so the generator's state is a field of the record and every
kernel that needs chance takes that field. The arithmetic is 32-bit numbers held in 64-bit integers, so it is the same
compiled and interpreted and never overflows.

Source: David Blackman and Sebastiano Vigna, https://prng.di.unimi.it/xoshiro128plusplus.c (public domain).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.kernels import kernel

MASK = 0xFFFFFFFF
LONG_MASK = 0xFFFFFFFFFFFFFFFF
GOLDEN = 0x9E3779B97F4A7C15


@kernel
def next_uint32(rng: NDArray[np.uint32]) -> int:
    """The next 32 random bits as an integer in 0..2**32-1; `rng` uint32[4] is advanced."""
    # 0 + makes them signed 64-bit when compiled, where unsigned and signed operands would not mix.
    s0 = 0 + int(rng[0])
    s1 = 0 + int(rng[1])
    s2 = 0 + int(rng[2])
    s3 = 0 + int(rng[3])
    x = (s0 + s3) & MASK
    result = ((((x << 7) & MASK) | (x >> 25)) + s0) & MASK
    t = (s1 << 9) & MASK
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = ((s3 << 11) & MASK) | (s3 >> 21)
    rng[0] = s0
    rng[1] = s1
    rng[2] = s2
    rng[3] = s3
    return result


@kernel
def below(rng: NDArray[np.uint32], n: int) -> int:
    """A uniform integer in 0..n-1, n in 1..2**31-1, exactly uniform (Lemire's method); `rng` uint32[4] is advanced."""
    n = 0 + int(n)
    m = next_uint32(rng) * n
    low = m & MASK
    if low < n:
        threshold = (MASK + 1 - n) % n
        while low < threshold:
            m = next_uint32(rng) * n
            low = m & MASK
    return m >> 32


@kernel
def shuffle(rng: NDArray[np.uint32], array: NDArray[np.integer], n: int) -> None:
    """Shuffle the first n entries of a 1-d `array` in place (Fisher-Yates); `rng` uint32[4] is advanced."""
    for k in range(n - 1, 0, -1):
        j = below(rng, k + 1)
        a = array[k]
        array[k] = array[j]
        array[j] = a


@kernel
def uniform(rng: NDArray[np.uint32]) -> float:
    """A uniform float in [0, 1) with 32 random bits; `rng` uint32[4] is advanced."""
    return next_uint32(rng) / 4294967296.0


@kernel
def reseed(rng: NDArray[np.uint32], source: NDArray[np.uint32]) -> None:
    """Fill `rng` uint32[4] with numbers drawn from `source` uint32[4], which is advanced; never with four zeros."""
    for k in range(4):
        rng[k] = next_uint32(source)
    if int(rng[0]) == 0 and int(rng[1]) == 0 and int(rng[2]) == 0 and int(rng[3]) == 0:
        rng[0] = 1


def seed_states(seed: int | None, n: int) -> NDArray[np.uint32]:
    """Make n independent generator states, uint32 (n, 4), from one seed (None: fresh entropy of the operating system).

    State k depends on (seed, k) only, so a batch of 10 starts the same games as the first 10 of a batch of 1,000.
    Raises ValueError for a negative seed or one that is no integer.
    """
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0):
        raise ValueError(f"a seed is an integer >= 0 or None, not {seed!r}")
    base = np.random.SeedSequence(None if seed is None else int(seed))
    # A counter hashed into one stream per game: SeedSequence.spawn would build n Python objects.
    return _mix(base.generate_state(4, np.uint32).astype(np.uint32), n)


def _split_mix(z: int) -> int:
    """SplitMix64's output function on a 64-bit integer (Sebastiano Vigna, https://prng.di.unimi.it/splitmix64.c)."""
    z &= LONG_MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & LONG_MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & LONG_MASK
    return z ^ z >> 31


def _mix(words: NDArray[np.uint32], n: int) -> NDArray[np.uint32]:
    """Spread the 128 bits of `words` over n states with SplitMix64 on two lanes; uint32 (n, 4), no row all zeros."""
    if n == 1:  # by far the most frequent, and ten times faster in plain integers
        low = _split_mix((int(words[1]) << 32 | int(words[0])) + GOLDEN)
        high = _split_mix(((int(words[3]) << 32 | int(words[2])) + GOLDEN & LONG_MASK) ^ low)
        numbers = [low & MASK, low >> 32, high & MASK, high >> 32]
        return np.array([numbers if any(numbers) else [1, 0, 0, 0]], np.uint32)
    lanes = words.view(np.uint64)
    index = np.arange(1, n + 1, dtype=np.uint64)
    out = np.empty((n, 2), np.uint64)
    with np.errstate(over="ignore"):
        for lane in range(2):
            z = lanes[lane] + index * np.uint64(GOLDEN)
            if lane == 1:
                z ^= out[:, 0]
            z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            out[:, lane] = z ^ (z >> np.uint64(31))
    states = out.view(np.uint32).reshape(n, 4)
    states[~states.any(axis=1), 0] = 1
    return states
