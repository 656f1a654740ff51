"""Threads that stand ready to help with a kernel, and start within microseconds.

A pool of Python's starts a task some 100 microseconds after it was handed in: too long for steps that take a
millisecond. Here every helper sleeps on a lock of its own, and the kernel that it calls looks out for further work
for a moment before it returns, so that in a busy loop nobody sleeps at all.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence


class Helpers:
    """Daemon threads that each make one call, again and again, whenever they are woken.

    The calls say themselves when their work is done (in a counter, for instance); an error ends its thread and is kept
    for `check`.
    """

    def __init__(self, calls: Sequence[Callable[[], object]]) -> None:
        """Start one thread for each call; all sleep at first."""
        self._closed = False
        self._errors: list[BaseException] = []
        self._locks = [threading.Lock() for _ in calls]
        for call, lock in zip(calls, self._locks, strict=True):
            lock.acquire()
            threading.Thread(target=self._work, args=(call, lock), name="cardzoo", daemon=True).start()

    def _work(self, call: Callable[[], object], lock: threading.Lock) -> None:
        while True:
            lock.acquire()
            if self._closed:
                return
            try:
                call()
            except BaseException as error:
                self._errors.append(error)
                return

    def wake(self) -> None:
        """Have every helper make its call (once more, if it is making it now)."""
        for lock in self._locks:
            if lock.locked():  # else it has been woken already, and is still making its call
                lock.release()

    def check(self) -> None:
        """Raise the error that ended a helper, if one did."""
        if self._errors:
            raise self._errors[0]

    def close(self) -> None:
        """Let the threads end as soon as they have made their calls."""
        self._closed = True
        self.wake()
