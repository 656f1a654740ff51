"""What is shown of a running training."""

from __future__ import annotations

import io

import pytest

from cardzoo.training.progress import Display, Lately


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_means_by_group_forget_old_games():
    rates = Lately(window=4)
    for points in (0, 0, 1, 0.5, 1, 1):
        rates.add("latest", points)
    rates.add("random", 1)
    assert rates.means() == {"latest": 3.5 / 4, "random": 1}
    assert rates.overall() == pytest.approx(4.5 / 5)


def test_a_terminal_gets_one_line_that_is_redrawn_with_the_note():
    stream = Terminal()
    with Display("training", 100, "steps", stream=stream) as display:
        display._shown -= 10
        display.update(50, "wins 61 %")
        display.update(100, "wins 70 %")
    text = stream.getvalue()
    assert text.count("\n") == 1
    assert "[##########..........]  50 %" in text
    assert "wins 61 %" in text
    assert "[####################] 100 %" in text


def test_a_log_gets_a_line_now_and_then_and_one_at_the_end():
    stream = io.StringIO()
    with Display("training", 100, "steps", stream=stream) as display:
        for done in range(0, 130, 10):
            display.update(done)
    assert stream.getvalue().count("\n") == 1
    assert "100 %" in stream.getvalue()


def test_quiet_shows_nothing():
    stream = Terminal()
    with Display("training", 10, "steps", quiet=True, stream=stream) as display:
        display.update(10)
    assert stream.getvalue() == ""
