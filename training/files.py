"""Writing results, and saying what they were made with."""

from __future__ import annotations

import importlib.metadata
import json
import platform
from pathlib import Path
from typing import Any

from cardzoo.agents.files import write_atomically

REPORTED = ("cardzoo", "numpy", "numba", "gymnasium", "pettingzoo", "torch", "stable-baselines3", "sb3-contrib")


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON, atomically."""
    write_atomically(path, (json.dumps(value, indent=2) + "\n").encode())


def versions() -> dict[str, str]:
    """Return the versions of what a result depends on, as far as installed; nothing is imported for it."""
    found = {"python": platform.python_version()}
    for name in REPORTED:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
