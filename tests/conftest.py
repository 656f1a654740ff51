"""Fixtures for all tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.last_one import LastOne
from tests.tiny_game import TinyGame

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def tiny() -> TinyGame:
    """The smallest complete game."""
    return TinyGame()


@pytest.fixture
def tiny_registered(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of the tiny game, registered for one test."""
    from cardzoo.envs.core import registry

    monkeypatch.setattr(registry, "_games", {**registry._games, TinyGame.name: TinyGame})
    return TinyGame.name


@pytest.fixture
def last_one_registered(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of the game for many seats, registered for one test."""
    from cardzoo.envs.core import registry

    monkeypatch.setattr(registry, "_games", {**registry._games, LastOne.name: LastOne})
    return LastOne.name


@pytest.fixture
def python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run Python code or arguments in a process of its own, in the project's root, with `tests` importable."""

    def run(
        *arguments: str, env: dict[str, str | None] | None = None, check: bool = True, **options: object
    ) -> subprocess.CompletedProcess[str]:
        variables = {**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}
        command = [sys.executable, *(arguments if arguments[0].startswith("-") else ("-c", *arguments))]
        result = subprocess.run(
            command,
            env={name: value for name, value in variables.items() if value is not None},
            cwd=options.pop("cwd", ROOT),
            capture_output=True,
            text=True,
            timeout=600,
            **options,
        )
        if check and result.returncode:
            pytest.fail(f"exit code {result.returncode}\n{result.stdout}\n{result.stderr}")
        return result

    return run
