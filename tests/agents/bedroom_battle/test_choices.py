"""Each rule of the three strategies, as a position and the choice that the rule demands."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from cardzoo.agents import make_agent
from cardzoo.envs import load
from cardzoo.envs.core.game import Game
from tests.agents.bedroom_battle.choices import answer

CASES = yaml.safe_load((Path(__file__).parent / "choices.yaml").read_text())


@cache
def game_with(options: tuple[tuple[str, Any], ...]) -> Game:
    return load("bedroom_battle", **dict(options))


@pytest.mark.parametrize(
    ("player", "case"),
    [pytest.param(player, case, id=f"{player}-{case['rule']}") for case in CASES for player in case["players"]],
)
def test_rule(player: str, case: dict[str, Any]) -> None:
    game = game_with(tuple(case.get("options", {}).items()))
    state = game.from_position(case["position"])
    for move in case.get("moves", ()):
        state.apply(move)
    assert answer(make_agent(player, game), state) == case["answer"]


def test_every_player_has_a_rule_for_every_phase() -> None:
    """The list of cases misses none: phases with a choice, each for each player."""
    asked = set()
    for case in CASES:
        state = game_with(tuple(case.get("options", {}).items())).from_position(case["position"])
        for move in case.get("moves", ()):
            state.apply(move)
        asked |= {(player, state.to_position()["phase"]) for player in case["players"]}
    phases = ("draft", "discard", "mode", "attach", "target", "item", "dest", "swap", "battle", "extra")
    phases += ("select", "challenge", "bail", "final")
    assert asked == {(player, phase) for player in ("brawler", "bidder", "steward") for phase in phases}
