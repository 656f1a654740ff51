"""Verbs, targets and limits that the reference cards do not show, with a card set of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cardzoo.envs import State, load
from cardzoo.envs.bloodsport_gambler.words import ACTION_WHOS, FORMS, SECRET, SECRET_WHOS
from tests.support.bloodsport_gambler import CUSTOM_CARDS, assert_sound
from tests.support.fuzzing import fuzz
from tests.support.players import game_with
from tests.support.scenarios import play_scenario, read_scenarios

SCENARIOS = read_scenarios(Path(__file__).parent / "custom_scenarios.yaml")


def start(options: Mapping[str, Any], position: Any) -> State:
    """A position of one seat (unless the options say two) with the custom cards."""
    chosen = {"cards": str(CUSTOM_CARDS), "seats": 1, **options}
    return game_with("bloodsport_gambler", json.dumps(chosen)).from_position(position)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario["id"] for scenario in SCENARIOS])
def test_custom_cards(scenario: dict[str, Any]) -> None:
    play_scenario(scenario, start, assert_sound)


def test_every_verb_stands_on_a_card_of_each_kind_that_may_have_it() -> None:
    """A verb or target added to the vocabulary, or to a kind of card, needs a card and a scenario."""
    verbs, whos = set(), set()
    for game in (load("bloodsport_gambler"), load("bloodsport_gambler", cards=CUSTOM_CARDS)):
        file: Any = game.cards.file
        kinds = [*((card.kind, card) for card in file.types), *((SECRET, card) for card in file.secrets)]
        verbs |= {(effect.verb, kind) for kind, card in kinds for effect in card.effects}
        whos |= {(effect.who, kind) for kind, card in kinds for effect in card.effects if effect.who}
    assert verbs == {(verb, kind) for verb, form in FORMS.items() for kind in form.kinds}
    assert whos == {(who, kind) for kind in ("sabotage", "react") for who in ACTION_WHOS} | {
        (who, SECRET) for who in SECRET_WHOS
    }


def test_every_custom_card_is_in_a_scenario() -> None:
    file: Any = load("bloodsport_gambler", cards=CUSTOM_CARDS).cards.file
    words = set(re.findall(r"\w+", str(SCENARIOS)))
    assert {card.id for card in (*file.types, *file.fighters, *file.weapons, *file.secrets)} <= words


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seats": 1, "objective": "fate"},
        {"objective": "outcome", "finished_seat": "restart", "coin_supply": "limited"},
        {"objective": "fate", "finished_seat": "continue", "pass_rule": "final", "max_fight_rounds": 3},
    ],
    ids=str,
)
def test_random_games_with_other_cards_break_nothing(options: dict[str, Any]) -> None:
    """States, moves, observations and sampled worlds of whole games."""
    result = fuzz(load("bloodsport_gambler", cards=CUSTOM_CARDS, **options), 60, seed=1)
    assert result.failures == []
    assert result.truncated == 0
    assert result.other_worlds > 0.9 * result.worlds
