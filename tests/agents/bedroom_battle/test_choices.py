"""Each rule of the three strategies, as a position and the choice that the rule demands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.players import Choices

CHOICES = Choices("bedroom_battle", Path(__file__).parent / "choices.yaml")


@pytest.mark.parametrize(("player", "case"), CHOICES.parameters())
def test_rule(player: str, case: dict[str, Any]) -> None:
    CHOICES.check(player, case)


def test_every_player_has_a_rule_for_every_phase() -> None:
    """The list of cases misses none: phases with a choice, each for each player."""
    phases = ("draft", "discard", "mode", "attach", "target", "item", "dest", "swap", "battle", "extra")
    phases += ("select", "challenge", "bail", "final")
    assert CHOICES.phases() == {(player, phase) for player in ("brawler", "bidder", "steward") for phase in phases}
