"""The options of Battle Requiem (specification, section 3): defaults, ranges, mutual demands, card sets."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
import yaml

from cardzoo.envs.battle_requiem import tables
from cardzoo.envs.battle_requiem.card_file import CARDS_YAML, RequiemCardFile, load
from cardzoo.envs.battle_requiem.cards import tables as card_tables
from cardzoo.envs.battle_requiem.options import RequiemOptions
from cardzoo.envs.core.cards import CardSet, parse_cards
from cardzoo.envs.core.errors import OptionError
from cardzoo.envs.core.options import parse_options

ALL = "seats, teams, characters, returns, reward_scope, heal_cap, team_hands, max_turns and obs_seats"


def parse(**options: Any) -> RequiemOptions:
    return parse_options(RequiemOptions, options, "battle_requiem")


def smaller_set(characters: list[str] | None = None, copies: int | None = None) -> CardSet:
    """The reference set with some of its characters, and with `copies` daggers only."""
    document = yaml.safe_load(CARDS_YAML.read_text(encoding="utf-8"))
    if characters is not None:
        document["characters"] = [entry for entry in document["characters"] if entry["id"] in characters]
    if copies is not None:
        document["types"] = [document["types"][0] | {"copies": copies}]
    return parse_cards(RequiemCardFile, yaml.safe_dump(document), "deck.yaml")


def test_defaults() -> None:
    assert parse().model_dump() == {
        "seats": 2,
        "teams": None,
        "characters": "random",
        "returns": "winner",
        "reward_scope": "duel",
        "heal_cap": "tracker",
        "team_hands": "hidden",
        "max_turns": 200,
        "obs_seats": 2,
    }
    assert {name: field.default for name, field in RequiemOptions.model_fields.items()} == parse().model_dump()


@pytest.mark.parametrize(
    ("options", "seats", "max_turns", "obs_seats"),
    [
        ({"seats": 5}, 5, 500, 5),
        ({"teams": [0, 1, 0, 1]}, 4, 400, 4),
        ({"characters": ["fox_kit", "ash_squire", "moss_healer"]}, 3, 300, 3),
        ({"characters": "draft"}, 2, 200, 2),
        ({"teams": "none", "seats": 3}, 3, 300, 3),
        ({"seats": 3, "obs_seats": 6, "max_turns": 7}, 3, 7, 6),
        ({"seats": np.int64(4)}, 4, 400, 4),
    ],
)
def test_defaults_that_depend_on_other_options(
    options: dict[str, Any], seats: int, max_turns: int, obs_seats: int
) -> None:
    chosen = parse(**options)
    assert (chosen.seats, chosen.max_turns, chosen.obs_seats) == (seats, max_turns, obs_seats)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seats": 6, "max_turns": 32_000},
        {"teams": (np.int64(0), 1, 1, 0), "team_hands": "shown"},
        {"characters": ("fox_kit", "ash_squire"), "obs_seats": 6},
        {"teams": "none"},
    ],
)
def test_resolved_options_give_the_same_options_again(options: dict[str, Any]) -> None:
    """Models and results carry the resolved options, also as JSON."""
    chosen = parse(**options)
    values = chosen.model_dump()
    assert json.loads(json.dumps(values)) == values
    assert parse(**values) == chosen
    assert pickle.loads(pickle.dumps(chosen)) == chosen


def test_every_option_explains_itself() -> None:
    assert all(field.description for field in RequiemOptions.model_fields.values())


SEATS = "must be a whole number from 2 to 6"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 3}, f'option "seat" is unknown; allowed are {ALL} (did you mean seats?).'),
        ({"seats": 1}, f'option "seats" {SEATS}, not 1.'),
        ({"seats": 7}, f'option "seats" {SEATS}, not 7.'),
        ({"seats": "4"}, f'option "seats" {SEATS}, not "4".'),
        ({"seats": True}, f'option "seats" {SEATS}, not true.'),
        ({"seats": None}, f'option "seats" {SEATS}, not nothing.'),
        (
            {"teams": 2},
            'option "teams" must be none or a list of team numbers by seat such as [0, 1, 0, 1], not 2.',
        ),
        ({"teams": [0]}, 'option "teams" must list the teams of 2 to 6 seats, not of 1.'),
        ({"teams": [0, 1] * 4}, 'option "teams" must list the teams of 2 to 6 seats, not of 8.'),
        ({"teams": [0, "1"]}, 'option "teams" must hold whole numbers only, not "1".'),
        ({"teams": [False, True]}, 'option "teams" must hold whole numbers only, not false.'),
        ({"teams": [1, 2, 1, 2]}, 'option "teams" must number its 2 teams from 0 to 1, not [1, 2, 1, 2].'),
        ({"teams": [0, -1]}, 'option "teams" must number its 2 teams from 0 to 1, not [0, -1].'),
        ({"teams": [0, 0]}, 'option "teams" must have at least two teams, not [0, 0].'),
        ({"teams": [0, 1, 0]}, 'option "teams" must have teams of equal size, not [0, 1, 0].'),
        ({"teams": [0, 1, 0, 1], "seats": 6}, 'option "teams" must list the teams of 6 seats, not of 4.'),
        (
            {"characters": "drafted"},
            'option "characters" must be random, draft or a list of character ids by seat, not "drafted" (did you '
            "mean draft?).",
        ),
        (
            {"characters": None},
            'option "characters" must be random, draft or a list of character ids by seat, not nothing.',
        ),
        ({"characters": ["fox_kit"]}, 'option "characters" must name the characters of 2 to 6 seats, not of 1.'),
        ({"characters": ["fox_kit", 3]}, 'option "characters" must hold character ids only, not 3.'),
        (
            {"characters": ["fox_kit", "fox_kit"]},
            'option "characters" must name different characters, but "fox_kit" is there twice.',
        ),
        (
            {"characters": ["fox_kit", "ash_squire"], "seats": 3},
            'option "characters" must name the characters of 3 seats, not of 2.',
        ),
        (
            {"characters": ["fox_kit", "ash_squire"], "teams": [0, 1, 0, 1]},
            'option "characters" must name the characters of 4 seats, not of 2.',
        ),
        ({"returns": "rank"}, 'option "returns" must be winner or placement, not "rank".'),
        ({"reward_scope": "all"}, 'option "reward_scope" must be duel or any, not "all".'),
        ({"heal_cap": 30}, 'option "heal_cap" must be tracker or start, not 30.'),
        ({"team_hands": True}, 'option "team_hands" must be hidden or shown, not true.'),
        ({"max_turns": 0}, 'option "max_turns" must be a whole number from 1 to 32000, not 0.'),
        ({"max_turns": 32_001}, 'option "max_turns" must be a whole number from 1 to 32000, not 32001.'),
        ({"obs_seats": 7}, f'option "obs_seats" {SEATS}, not 7.'),
        (
            {"seats": 4, "obs_seats": 3},
            'option "obs_seats" must be a whole number from 4 (the number of seats) to 6, not 3.',
        ),
    ],
)
def test_bad_option_is_refused_with_one_clear_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse(**options)
    assert str(caught.value) == f"battle_requiem: {message}"
    assert caught.value.__context__ is None or caught.value.__suppress_context__


@pytest.mark.parametrize(
    "options",
    [
        {"seats": 6},
        {"teams": [0, 1, 2, 0, 1, 2]},
        {"teams": [0, 0, 0, 1, 1, 1], "characters": "draft"},
        {"teams": [0, 1, 2, 3]},  # teams of one are no teams, so three realms are enough
        {"characters": ["fox_kit", "thorn_archer"]},
        {"characters": ["fox_kit", "ash_squire", "moss_healer", "iron_marshal"], "teams": [0, 1, 0, 1]},
    ],
)
def test_options_that_fit_the_reference_set(options: dict[str, Any]) -> None:
    parse(**options).check_cards(load())


FOUR = ["fox_kit", "thorn_archer", "ash_squire", "tide_dragon"]


@pytest.mark.filterwarnings("ignore:battle_requiem")
@pytest.mark.parametrize(
    ("options", "cards", "message"),
    [
        (
            {"seats": 5},
            {"characters": FOUR},
            'option "seats" must be at most 4, not 5, because the card set deck.yaml has no more characters.',
        ),
        (
            {"seats": 4},
            {"characters": FOUR, "copies": 20},
            'option "seats" must be smaller than 4, because the largest hands and the card turned up take 21 cards and '
            "the card set deck.yaml has 20.",
        ),
        (
            {"teams": [0, 1, 0, 1]},
            {"characters": FOUR},
            'option "teams" needs 2 realms with 2 or more characters, one for each team, but the card set deck.yaml '
            "has 1.",
        ),
        (
            {"characters": ["fox_kit", "ash_squier"]},
            {},
            'option "characters" names "ash_squier", but the card set deck.yaml has no such character (did you mean '
            "ash_squire?).",
        ),
        (
            {"characters": ["fox_kit", "thorn_archer", "ash_squire", "tide_dragon"], "teams": [0, 1, 0, 1]},
            {},
            'option "characters" must hold different realms for different teams, not fox_kit of thornwood and '
            "thorn_archer of thornwood in teams 0 and 1.",
        ),
        (
            {"characters": ["fox_kit", "ash_squire", "moss_healer", "tide_dragon"], "teams": [0, 1, 0, 1]},
            {},
            'option "characters" must hold one realm for each team, not ash_squire of emberfell and tide_dragon of '
            "glassmere in team 1.",
        ),
        (
            {"characters": FOUR},
            {"copies": 20},
            'option "characters" must name characters with smaller hands, because these hands and the card turned up '
            "take 21 cards and the card set deck.yaml has 20.",
        ),
    ],
)
def test_options_that_the_card_set_does_not_allow(options: dict[str, Any], cards: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse(**options).check_cards(smaller_set(**cards))
    assert str(caught.value) == f"battle_requiem: {message}"


@pytest.mark.filterwarnings("ignore:battle_requiem")
def test_given_characters_need_no_more_cards_than_their_hands() -> None:
    """Two hands of 6 do not fit beside a third character's, but these hands do."""
    cards = smaller_set(copies=15)
    parse(characters=["fox_kit", "elder_treant", "iron_marshal"]).check_cards(cards)
    with pytest.raises(OptionError, match="must be smaller than 3"):
        parse(seats=3).check_cards(cards)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            {},
            {
                "num_seats": 2,
                "num_teams": 2,
                "team_size": 1,
                "obs_seats": 2,
                "max_turns": 200,
                "deal": tables.RANDOM,
                "placement": 0,
                "reward_any": 0,
                "heal_start": 0,
                "hands_shown": 0,
                "team": [0, 1, -1, -1, -1, -1],
                "given": [0, 0, 0, 0, 0, 0],
            },
        ),
        (
            {"teams": [1, 0, 0, 1], "characters": ["fox_kit", "ash_squire", "cinder_duelist", "moss_healer"]},
            {
                "num_seats": 4,
                "num_teams": 2,
                "team_size": 2,
                "deal": tables.GIVEN,
                "team": [1, 0, 0, 1, -1, -1],
                "given": [6, 0, 1, 10, 0, 0],
            },
        ),
        (
            {
                "seats": 3,
                "characters": "draft",
                "returns": "placement",
                "reward_scope": "any",
                "heal_cap": "start",
                "team_hands": "shown",
                "max_turns": 9,
                "obs_seats": 5,
            },
            {
                "num_teams": 3,
                "obs_seats": 5,
                "max_turns": 9,
                "deal": tables.DRAFTED,
                "placement": 1,
                "reward_any": 1,
                "heal_start": 1,
                "hands_shown": 1,
                "team": [0, 1, 2, -1, -1, -1],
            },
        ),
    ],
)
def test_fields_of_the_rules_record(options: dict[str, Any], expected: dict[str, Any]) -> None:
    cards = load()
    fields = parse(**options).rules_fields(cards)
    assert {name: fields[name] for name in expected} == expected
    record = tables.rules_record(card_tables(cards), fields)[0]
    for name, value in fields.items():
        assert record[name].tolist() == value
