"""Each rule of the three strategies, as a position and the choice that the rule demands."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from cardzoo.envs import load
from cardzoo.envs.teddies_vs_monsters.state import MAX_SEATS, TEAM_NAMES
from tests.support.players import Choices

CHOICES = Choices("teddies_vs_monsters", Path(__file__).parent / "choices.yaml")


@pytest.mark.parametrize(("player", "case"), CHOICES.parameters())
def test_rule(player: str, case: dict[str, Any]) -> None:
    CHOICES.check(player, case)


@pytest.mark.parametrize(("player", "case"), CHOICES.parameters())
def test_rule_for_the_other_team(player: str, case: dict[str, Any]) -> None:
    """The same with the teams exchanged, which are alike."""
    options = case.get("options", {})
    numbers = {name: value[::-1] for name, value in options.items() if name == "pace"}  # one for each seat
    CHOICES.check(player, {**exchanged(case), "options": {**options, **numbers}})


def exchanged(value: Any) -> Any:
    """A case, or a part of one, with the teams exchanged."""
    if isinstance(value, dict):
        return {exchanged(key): exchanged(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [exchanged(inner) for inner in value]
    return " ".join(twins().get(word, word) for word in value.split()) if isinstance(value, str) else value


@cache
def twins() -> dict[str, str]:
    """Each card, bedroom, seat and team, and what it is called with the teams exchanged."""
    document = yaml.safe_load(load("teddies_vs_monsters").cards.text)
    own, other = ([card["id"] for card in document["types"] if card["team"] == team] for team in TEAM_NAMES)
    words = dict(zip([*own, *other], [*other, *own], strict=True))
    rooms = {(*room["teddies"], *room["monsters"]): room["id"] for room in document["bedrooms"]}
    for room in document["bedrooms"]:
        symbols = (*room["monsters"], *room["teddies"])
        words[room["id"]] = rooms[tuple(words.get(symbol, symbol) for symbol in symbols)]
    for team, foe in (TEAM_NAMES, TEAM_NAMES[::-1]):
        words |= {team: foe, **{f"{team}_{k}": f"{foe}_{k}" for k in range(MAX_SEATS // 2)}}
    return words
