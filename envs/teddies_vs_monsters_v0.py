"""PettingZoo's module of Teddies vs Monsters.

`env()` has the standard wrappers, `raw_env()` none, and in `parallel_env()` all idle seats choose at once.
Options are those of the game (envs/teddies_vs_monsters/RULES.md), and `cards`, the path of a card file.
"""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from cardzoo.envs.core.aec import Observation, TableEnv, make_env, make_raw_env
from cardzoo.envs.core.registry import load
from cardzoo.envs.teddies_vs_monsters.parallel import ParallelTable

NAME = "teddies_vs_monsters"


def env(render_mode: str | None = None, **options: Any) -> AECEnv[str, Observation, int | None]:
    """Make the environment with PettingZoo's standard wrappers; see `cardzoo.envs.core.aec.make_env`."""
    return make_env(NAME, render_mode, **options)


def raw_env(render_mode: str | None = None, **options: Any) -> TableEnv:
    """Make the bare environment; see `cardzoo.envs.core.aec.TableEnv`."""
    return make_raw_env(NAME, render_mode, **options)


def parallel_env(render_mode: str | None = None, **options: Any) -> ParallelTable:
    """Make the environment in which all idle seats choose at once; see `cardzoo.envs.teddies_vs_monsters.parallel`."""
    return ParallelTable(load(NAME, **options), render_mode)
