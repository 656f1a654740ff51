"""The options of Bedroom Battle (specification, section 3): defaults, presets, ranges, mutual demands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import yaml

from cardzoo.envs.bedroom_battle.card_file import CARDS_YAML, BattleCardFile, load
from cardzoo.envs.bedroom_battle.options import BattleOptions
from cardzoo.envs.core.cards import CardSet, parse_cards
from cardzoo.envs.core.errors import OptionError
from cardzoo.envs.core.options import parse_options

ALL = (
    "small_rewards, hot_rewards, preset, final_rewards, select_rewards, draft, challenges, challenge_weight, "
    "reshuffle, starter, max_turns and max_rounds"
)


def parse(**options: Any) -> BattleOptions:
    return parse_options(BattleOptions, options, "bedroom_battle")


def set_with(**rewards: int) -> CardSet:
    document = yaml.safe_load(CARDS_YAML.read_text(encoding="utf-8"))
    document["rewards"] |= rewards
    return parse_cards(BattleCardFile, yaml.safe_dump(document), "deck.yaml")


def test_defaults() -> None:
    assert parse().model_dump() == {
        "small_rewards": 5,
        "hot_rewards": 7,
        "preset": "none",
        "final_rewards": 1,
        "select_rewards": False,
        "draft": "open",
        "challenges": "play",
        "challenge_weight": 0.0,
        "reshuffle": "lazy",
        "starter": "random",
        "max_turns": 100,
        "max_rounds": 0,
    }


@pytest.mark.parametrize(
    ("options", "small", "hot"),
    [
        ({}, 5, 7),
        ({"preset": "none"}, 5, 7),
        ({"preset": "quick"}, 2, 3),
        ({"preset": "marathon"}, 7, 10),
        ({"preset": "quick", "hot_rewards": 7}, 2, 7),
        ({"preset": "marathon", "small_rewards": 0}, 0, 10),
    ],
)
def test_explicit_numbers_win_over_a_preset(options: dict[str, Any], small: int, hot: int) -> None:
    chosen = parse(**options)
    assert (chosen.small_rewards, chosen.hot_rewards) == (small, hot)


def test_resolved_options_give_the_same_options_again() -> None:
    """Models and results carry the resolved options."""
    for options in ({}, {"preset": "quick", "small_rewards": 4}, {"starter": 1, "challenge_weight": 1}):
        chosen = parse(**options)
        assert parse(**chosen.model_dump()) == chosen


def test_round_limit() -> None:
    """R23: 0 stands for small + hot + 20."""
    assert parse().round_limit == 32
    assert parse(preset="quick").round_limit == 25
    assert parse(max_rounds=3).round_limit == 3


def test_numpy_numbers_are_numbers() -> None:
    chosen = parse(small_rewards=np.int64(3), challenge_weight=np.float32(0.5))
    assert (type(chosen.small_rewards), chosen.small_rewards) == (int, 3)
    assert (type(chosen.challenge_weight), chosen.challenge_weight) == (float, 0.5)


def test_every_option_explains_itself() -> None:
    assert all(field.description for field in BattleOptions.model_fields.values())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"smal_rewards": 3},
            f'option "smal_rewards" is unknown; allowed are {ALL} (did you mean small_rewards?).',
        ),
        ({"small_rewards": -1}, 'option "small_rewards" must be a whole number from 0 to 64, not -1.'),
        ({"small_rewards": 65}, 'option "small_rewards" must be a whole number from 0 to 64, not 65.'),
        ({"hot_rewards": "7"}, 'option "hot_rewards" must be a whole number from 0 to 64, not "7".'),
        ({"hot_rewards": 7.0}, 'option "hot_rewards" must be a whole number from 0 to 64, not 7.0.'),
        ({"hot_rewards": True}, 'option "hot_rewards" must be a whole number from 0 to 64, not true.'),
        ({"preset": "fast"}, 'option "preset" must be none, quick or marathon, not "fast".'),
        ({"preset": ["quick"]}, "option \"preset\" must be none, quick or marathon, not ['quick']."),
        ({"final_rewards": 0}, 'option "final_rewards" must be a whole number from 1 to 8, not 0.'),
        ({"final_rewards": 9}, 'option "final_rewards" must be a whole number from 1 to 8, not 9.'),
        ({"select_rewards": 1}, 'option "select_rewards" must be true or false, not 1.'),
        ({"draft": "opne"}, 'option "draft" must be open or none, not "opne" (did you mean open?).'),
        ({"challenges": True}, 'option "challenges" must be play or skip, not true.'),
        ({"challenge_weight": 1.5}, 'option "challenge_weight" must be a number from 0 to 1, not 1.5.'),
        ({"challenge_weight": -0.1}, 'option "challenge_weight" must be a number from 0 to 1, not -0.1.'),
        ({"challenge_weight": float("nan")}, 'option "challenge_weight" must be a number from 0 to 1, not nan.'),
        ({"challenge_weight": "much"}, 'option "challenge_weight" must be a number from 0 to 1, not "much".'),
        (
            {"challenge_weight": 0.5, "challenges": "skip"},
            'option "challenge_weight" must be 0 when "challenges" is "skip", not 0.5.',
        ),
        ({"reshuffle": None}, 'option "reshuffle" must be lazy or eager, not nothing.'),
        ({"starter": 2}, 'option "starter" must be random, 0 or 1, not 2.'),
        ({"starter": True}, 'option "starter" must be random, 0 or 1, not true.'),
        ({"starter": "0"}, 'option "starter" must be random, 0 or 1, not "0" (did you mean 0?).'),
        ({"max_turns": 0}, 'option "max_turns" must be a whole number from 1 to 32767, not 0.'),
        ({"max_rounds": -1}, 'option "max_rounds" must be a whole number from 0 to 32767, not -1.'),
        (
            {"small_rewards": 0, "hot_rewards": 0},
            'options "small_rewards" and "hot_rewards" must not both be 0.',
        ),
    ],
)
def test_bad_option_is_refused_with_one_clear_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse(**options)
    assert str(caught.value) == f"bedroom_battle: {message}"
    assert caught.value.__context__ is None or caught.value.__suppress_context__


@pytest.mark.parametrize(
    "options",
    [
        {"small_rewards": 16, "hot_rewards": 28, "final_rewards": 8},
        {"small_rewards": 8, "hot_rewards": 14, "select_rewards": True, "final_rewards": 8},
        {"small_rewards": 0},
        {"hot_rewards": 0},
    ],
)
def test_whole_reward_set_may_be_used(options: dict[str, Any]) -> None:
    parse(**options).check_cards(load())


@pytest.mark.parametrize(
    ("options", "rewards", "message"),
    [
        (
            {"small_rewards": 17},
            {},
            'option "small_rewards" must be at most 16, not 17, because the card set deck.yaml holds 16 small rewards.',
        ),
        (
            {"hot_rewards": 15, "select_rewards": True},
            {},
            'option "hot_rewards" must be at most 14, not 15, because the card set deck.yaml holds 28 hot rewards (2 '
            "for each, because select_rewards is on).",
        ),
        (
            {"final_rewards": 3},
            {"final": 2},
            'option "final_rewards" must be at most 2, not 3, because the card set deck.yaml holds 2 final rewards.',
        ),
        (
            {},
            {"small": 3},
            'option "small_rewards" must be at most 3, not 5, because the card set deck.yaml holds 3 small rewards.',
        ),
    ],
)
def test_more_rewards_than_the_set_holds(options: dict[str, Any], rewards: dict[str, int], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse(**options).check_cards(set_with(**rewards))
    assert str(caught.value) == f"bedroom_battle: {message}"
