"""Every scenario of the rules, S01..S53: positions, moves, and what must hold."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from cardzoo.envs import State, load
from tests.support.bedroom_battle import assert_sound
from tests.support.scenarios import play_scenario, read_scenarios

HERE = Path(__file__).parent
SCENARIOS = read_scenarios(HERE / "scenarios.yaml")
EXAMPLE = yaml.safe_load((HERE / "example_position.yaml").read_text(encoding="utf-8"))


def start(options: Mapping[str, Any], position: Any) -> State:
    """The state of a scenario; EXAMPLE stands for the example of the position notation."""
    return load("bedroom_battle", **options).from_position(EXAMPLE if position == "EXAMPLE" else position)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario["id"] for scenario in SCENARIOS])
def test_scenario(scenario: dict[str, Any]) -> None:
    play_scenario(scenario, start, assert_sound)


def test_all_scenarios_are_there() -> None:
    assert [scenario["id"][:3] for scenario in SCENARIOS] == [f"S{number:02d}" for number in range(1, 54)]
