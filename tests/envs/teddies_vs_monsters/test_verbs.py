"""Effects, colours and sequences that the reference cards do not show, with a card set of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardzoo.envs import State, load
from tests.support.fuzzing import fuzz
from tests.support.players import game_with
from tests.support.scenarios import play_scenario, read_scenarios
from tests.support.teddies_vs_monsters import COUNTED, CUSTOM_CARDS, assert_sound

SCENARIOS = read_scenarios(Path(__file__).parent / "custom_scenarios.yaml")


def start(options: Mapping[str, Any], position: Any) -> State:
    """A position with the custom cards, and nothing random."""
    chosen = {"cards": str(CUSTOM_CARDS), "jitter": 0, **options}
    return game_with("teddies_vs_monsters", json.dumps(chosen)).from_position(position)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario["id"] for scenario in SCENARIOS])
def test_custom_cards(scenario: dict[str, Any]) -> None:
    play_scenario(scenario, start, assert_sound, COUNTED)


def test_every_form_of_every_verb_is_on_a_card() -> None:
    """A verb added to the vocabulary, or one on another number of symbols, needs a card and a scenario."""
    found = set()
    for game in (load("teddies_vs_monsters"), load("teddies_vs_monsters", cards=CUSTOM_CARDS)):
        file: Any = game.cards.file
        for effect in (effect for card in file.types for effect in card.card_effects):
            words = [word if word == "any" else "" for word in (*effect.symbols, effect.colour) if word]
            found.add((effect.verb, *sorted(words), *([effect.number] if effect.number else [])))
    fills = {("fill", ""), ("fill", "any"), ("fill", "", ""), ("fill", "", "any"), ("fill", "any", "any")}
    colours = {(verb, colour) for verb in ("strike", "snare", "unlock") for colour in ("", "any")}
    assert found == fills | colours | {("blast",), ("pay", 1), ("pay", 2), ("pay", 3)}


def test_every_custom_card_is_in_a_scenario() -> None:
    file: Any = load("teddies_vs_monsters", cards=CUSTOM_CARDS).cards.file
    assert {card.id for card in file.types} <= set(re.findall(r"\w+", str(SCENARIOS)))


def test_sequences_have_two_to_six_places_and_the_teams_different_numbers_of_types() -> None:
    file: Any = load("teddies_vs_monsters", cards=CUSTOM_CARDS).cards.file
    assert {len(bedroom.teddies) for bedroom in file.bedrooms} == {2, 3, 4, 6}
    assert sum(card.team == "teddies" for card in file.types) == 17
    assert sum(card.team == "monsters" for card in file.types) == 13


@pytest.mark.parametrize("seats", [2, 4])
def test_what_a_team_has_no_card_for_is_never_legal(seats: int) -> None:
    """Both teams have as many action numbers; those of the monsters beyond their 13 types stand for nothing."""
    game = load("teddies_vs_monsters", cards=CUSTOM_CARDS, seats=seats, keys_to_win=1)
    beyond = [game.parse(f"{word} #{number}", 1) for word in ("play", "discard") for number in range(13, 17)]
    assert [game.text(action, 0) for action in beyond[:2]] == ["play rocket", "play thicket"]
    met = set()
    for seed in range(4):
        state = game.new_state(seed)
        rng = np.random.default_rng(seed)
        while not state.is_over:
            legal = set(beyond) & set(state.legal_actions())
            assert not legal or (state.actor or 0) % 2 == 0
            met |= legal
            state.apply(int(rng.choice(state.legal_actions())))
    assert met == set(beyond)  # the teddies' cards with these numbers


@pytest.mark.parametrize(
    "options",
    [
        {"levels": [1, 2, 3]},
        {"levels": [3], "seats": 4, "partner_sleeve": "always", "open_team": True, "late_cards": "returned"},
        {"levels": [1, 3], "allow_mistakes": True, "start_hand": "face_down"},
        {"levels": [2, 3], "allow_mistakes": True, "seats": 4, "review": "discount", "call_by": "owner"},
    ],
    ids=str,
)
def test_random_games_with_other_cards_break_nothing(options: dict[str, Any]) -> None:
    """States, moves, observations and sampled worlds of whole games."""
    game = load("teddies_vs_monsters", cards=CUSTOM_CARDS, keys_to_win=1, max_rounds=3, **options)
    result = fuzz(game, 20, seed=1)
    assert result.failures == []
    assert result.truncated < result.games
    assert result.other_worlds > 0.9 * result.worlds
