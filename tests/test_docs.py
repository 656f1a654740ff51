"""docs/add_a_game.md: its code is that of the tiny game, or runs as printed."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import tests.tiny_game

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "docs" / "add_a_game.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", GUIDE, re.DOTALL)


def test_guide_quotes_the_tiny_game_word_for_word():
    source = Path(tests.tiny_game.__file__).read_text(encoding="utf-8")
    quoted = [text for kind, text in BLOCKS if kind == "python" and not text.startswith("from cardzoo")]
    assert len(quoted) == 6
    for text in quoted:
        assert text in source


@pytest.mark.parametrize("code", [text for kind, text in BLOCKS if text.startswith("from cardzoo")])
def test_guide_example_runs(python, code):
    assert "table: -" in python("-c", code).stdout


@pytest.mark.parametrize("line", [line for kind, text in BLOCKS if kind == "bash" for line in text.splitlines()])
def test_guide_command_runs(line):
    program, *arguments = shlex.split(line)
    assert program == "python"
    result = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, result.stderr
    assert "tiny" in result.stdout


def test_guide_names_files_that_exist():
    for name in re.findall(r"(?:envs|tests)/[\w/]+\.(?:py|md)", GUIDE):
        assert (ROOT / name).exists()
