"""Interpreted, compiled and bounds-checked kernels play the same games, with overflow warnings as errors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardzoo.envs.core.game import Game
from tests.record import recorded_games
from tests.support.trajectories import trajectory_digests

SHORT = {"max_turns": 20}  # of Battle Requiem, whose interpreted games of six seats take long
ONE_KEY = {"keys_to_win": 1, "max_rounds": 2}  # of Teddies vs Monsters, whose random games take a thousand decisions
GAMES: dict[str, list[tuple[dict[str, Any], int]]] = {  # options, and how many games
    "tiny": [(dict(options), 20) for options in recorded_games()["tiny"].variants.values()],
    "last_one": [(dict(options), 3) for options in recorded_games()["last_one"].variants.values()],
    "bedroom_battle": [(dict(options), 1) for options in recorded_games()["bedroom_battle"].variants.values()],
    "battle_requiem": [
        ({}, 1),
        ({"seats": 3, "characters": "draft", "returns": "placement", "heal_cap": "start"}, 1),
        ({"seats": 6, "reward_scope": "any", **SHORT}, 1),
        ({"teams": [0, 1, 0, 1], "team_hands": "shown", "obs_seats": 6, **SHORT}, 1),
        ({"teams": [0, 1, 2, 0, 1, 2], "characters": "draft", **SHORT}, 1),
    ],
    "bloodsport_gambler": [
        ({}, 1),
        ({"seats": 1, "objective": "fate"}, 1),
        ({"objective": "outcome", "finished_seat": "restart", "coin_supply": "limited"}, 1),
        ({"objective": "outcome", "pass_rule": "final"}, 1),
    ],
    "teddies_vs_monsters": [
        ({**ONE_KEY}, 1),
        ({"seats": 4, "open_team": True, "partner_sleeve": "always", **ONE_KEY}, 1),
        ({"sudden_death_win": "completion", "late_cards": "returned", "pace": [100, 150], **ONE_KEY}, 1),
    ],
}
TESTED_BY_MODES = ("battle_requiem", "bloodsport_gambler", "teddies_vs_monsters")
CODE = """
import json, sys
from cardzoo.envs.core.kernels import INTERPRETED
from tests.envs.core.test_trajectories import digests
print(json.dumps([INTERPRETED, digests(sys.argv[1])]))
"""


def digests(name: str) -> list[list[str]]:
    """The digests of a game of `GAMES`; also called by the other processes."""
    kind: type[Game] = recorded_games()[name]
    return [trajectory_digests(kind(**options), games) for options, games in GAMES[name]]


# tests/envs/test_modes.py asks the same of the larger games, sampled worlds included.
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] if name in TESTED_BY_MODES else []) for name in GAMES],
)
def test_interpreted_kernels_play_the_same_games(python, name):
    interpreted = json.loads(python("-W", "error", "-c", CODE, name, env={"NUMBA_DISABLE_JIT": "1"}).stdout)
    assert interpreted == [True, digests(name)]


@pytest.mark.parametrize(
    "name", ["tiny", "last_one", *(pytest.param(name, marks=pytest.mark.long) for name in list(GAMES)[2:])]
)
def test_bounds_checked_kernels_play_the_same_games(python, name):
    """Compiled code does not check indices: with checks on, nothing is raised and nothing changes."""
    checked = json.loads(python("-W", "error", "-c", CODE, name, env={"NUMBA_BOUNDSCHECK": "1"}).stdout)
    assert checked == [False, digests(name)]


def test_every_registered_game_is_among_them():
    assert set(GAMES) == set(recorded_games())
