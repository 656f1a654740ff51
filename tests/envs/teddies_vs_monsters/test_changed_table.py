"""Acts are judged on the table of the tick on which they land (R1, R6, R7, R12)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cardzoo.envs import State
from cardzoo.envs.teddies_vs_monsters.game import TeddiesVsMonsters
from tests.support.scenarios import play_scenario, read_scenarios
from tests.support.teddies_vs_monsters import COUNTED, assert_sound

SCENARIOS = read_scenarios(Path(__file__).parent / "changed_table.yaml")


def start(options: Mapping[str, Any], position: Any) -> State:
    return TeddiesVsMonsters(**{"jitter": 0, **options}).from_position(position)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario["id"] for scenario in SCENARIOS])
def test_changed_table(scenario: dict[str, Any]) -> None:
    play_scenario(scenario, start, assert_sound, COUNTED)
