"""Each rule of the three strategies, as a position and the choice that the rule demands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.players import Choices

CHOICES = Choices("teddies_vs_monsters", Path(__file__).parent / "choices.yaml")


@pytest.mark.parametrize(("player", "case"), CHOICES.parameters())
def test_rule(player: str, case: dict[str, Any]) -> None:
    CHOICES.check(player, case)
