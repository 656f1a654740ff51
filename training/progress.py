"""What a person sees of a running training: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections import deque
from types import TracebackType
from typing import TextIO


class Lately:
    """Means over the games that were played lately, by group: of opponents, say, where a game may count for several."""

    def __init__(self, window: int = 1000) -> None:
        """Remember the last `window` games of each group."""
        self._window = window
        self._games: dict[str, deque[float]] = {}

    def add(self, group: str, value: float) -> None:
        """Count a game."""
        self._games.setdefault(group, deque(maxlen=self._window)).append(value)

    def means(self) -> dict[str, float]:
        """The mean by group, groups in order of appearance."""
        return {group: sum(games) / len(games) for group, games in self._games.items()}

    def overall(self) -> float:
        """The mean of all games remembered; NaN before the first."""
        games = [value for group in self._games.values() for value in group]
        return sum(games) / len(games) if games else float("nan")


class Display:
    """Shows how far something has come; use it as a context manager.

    On a terminal it is a bar that is redrawn; elsewhere (a log file, a pipe) a line every `pause` seconds.
    """

    def __init__(
        self, label: str, total: int, unit: str, quiet: bool = False, pause: float = 20.0, stream: TextIO | None = None
    ) -> None:
        """Prepare to show `total` units."""
        self._label, self._total, self._unit = label, total, unit
        self._quiet, self._pause = quiet, pause
        self._stream = stream if stream is not None else sys.stderr
        self._terminal = self._stream.isatty()
        self._started = self._shown = time.monotonic()
        self._first: int | None = None
        self._finished = False

    def __enter__(self) -> Display:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._terminal and not self._quiet:
            print(file=self._stream, flush=True)

    def of(self, done: int, total: int) -> None:
        """Show that `done` of `total` are finished, for totals that are known only then."""
        self._total = total
        self.update(done)

    def update(self, done: int, note: str = "") -> None:
        """Show that `done` of the total are finished, with a note such as the win rate."""
        now = time.monotonic()
        if self._first is None:
            self._first = done
        last = done >= self._total and not self._finished  # a training's last update goes a little beyond its total
        if self._quiet or (not last and now - self._shown < (0.2 if self._terminal else self._pause)):
            return
        self._finished = done >= self._total
        self._shown = now
        elapsed = now - self._started
        speed = (done - self._first) / elapsed if elapsed > 0 else 0.0
        left = f", {_clock((self._total - done) / speed)} left" if speed > 0 and done < self._total else ""
        share = min(1.0, done / self._total)
        text = f"{done:,}/{self._total:,} {self._unit}, {speed:,.0f}/s, {_clock(elapsed)}{left}  {note}"
        if self._terminal:
            bar = "#" * int(20 * share) + "." * (20 - int(20 * share))
            print(f"\r{self._label} [{bar}] {100 * share:3.0f} %  {text}\x1b[K", end="", file=self._stream, flush=True)
        else:
            print(f"{self._label} {100 * share:.0f} %  {text}", file=self._stream, flush=True)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"
