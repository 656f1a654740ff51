"""Each rule of the three strategies, as a position and the choice that the rule demands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardzoo.envs.bloodsport_gambler.state import NODES
from tests.support.players import Choices

CHOICES = Choices("bloodsport_gambler", Path(__file__).parent / "choices.yaml")


@pytest.mark.parametrize(("player", "case"), CHOICES.parameters())
def test_rule(player: str, case: dict[str, Any]) -> None:
    CHOICES.check(player, case)


def test_every_player_has_a_rule_for_every_node() -> None:
    """The list of cases misses none: nodes with a choice, each for each player."""
    nodes = {(player, CHOICES.state(case).to_position()["at"]) for case in CHOICES.cases for player in case["players"]}
    assert nodes == {(player, node) for player in ("punter", "bookmaker", "fixer") for node in NODES if node != "over"}
