"""Each rule of the three strategies, as a position and the choice that the rule demands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardzoo.envs.battle_requiem.state import PHASES
from tests.support.players import Choices

CHOICES = Choices("battle_requiem", Path(__file__).parent / "choices.yaml")


@pytest.mark.parametrize(("player", "case"), CHOICES.parameters())
def test_rule(player: str, case: dict[str, Any]) -> None:
    CHOICES.check(player, case)


def test_every_player_has_a_rule_for_every_phase() -> None:
    """The list of cases misses none: phases with a choice, each for each player."""
    asked = {(player, phase) for player in ("brawler", "duelist", "tactician") for phase in PHASES if phase != "over"}
    assert CHOICES.phases() == asked
