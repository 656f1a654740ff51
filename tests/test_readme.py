"""The README's examples run as printed, and what it says of commands is true."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_example_runs_as_printed(example: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 4


def test_commands_exist() -> None:
    """Each command of the README is one of the command line's."""
    from cardzoo.training.cli import main

    commands = set(re.findall(r"^    cardzoo (\w+)", README, flags=re.MULTILINE))
    assert {"games", "train", "evaluate", "play", "watch", "cards", "bench"} <= commands
    for command in commands:
        with pytest.raises(SystemExit) as done:
            main([command, "--help"])
        assert done.value.code == 0
