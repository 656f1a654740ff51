"""Counters drawn from by several threads at once."""

from __future__ import annotations

import threading

import numpy as np

from cardzoo.envs.core.atomic import fetch_add, swap
from cardzoo.envs.core.kernels import kernel


@kernel
def draw_all(counters, index, out):
    """Take numbers until 100,000 are gone; mark each."""
    number = fetch_add(counters, index, 1)
    while number < 100_000:
        out[number] += 1
        number = fetch_add(counters, index, 1)


def test_every_number_is_drawn_once_whatever_the_threads_do():
    counters, marks = np.zeros(9, np.int64), np.zeros(100_000, np.int64)
    draw_all(np.full(9, 100_000), 8, marks)  # compiled before the threads start
    threads = [threading.Thread(target=draw_all, args=(counters, 8, marks)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (marks == 1).all()
    assert counters[8] == 100_004
    assert not counters[:8].any()


def test_interpreted_it_counts_the_same():
    counters = np.array([5, 7], np.int64)
    assert fetch_add(counters, 1, 3) == 7
    assert counters.tolist() == [5, 10]


@kernel
def set_anew(counters, value):
    """Set the second number and return what it was."""
    return swap(counters, 1, value)


def test_swap_returns_what_was_there():
    for function in (set_anew, lambda counters, value: swap(counters, 1, value)):
        counters = np.array([5, 7], np.int64)
        assert function(counters, -3) == 7
        assert counters.tolist() == [5, -3]
