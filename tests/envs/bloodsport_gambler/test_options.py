"""The options of Bloodsport Gambler: defaults, ranges, mutual demands, fields of the rules record."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest

from cardzoo.envs.bloodsport_gambler import tables
from cardzoo.envs.bloodsport_gambler.card_file import load
from cardzoo.envs.bloodsport_gambler.cards import tables as card_tables
from cardzoo.envs.bloodsport_gambler.options import GamblerOptions
from cardzoo.envs.core.errors import OptionError
from cardzoo.envs.core.options import parse_options

ALL = "seats, objective, finished_seat, pass_rule, coin_supply, max_fight_rounds and max_rounds"


def parse(**options: Any) -> GamblerOptions:
    return parse_options(GamblerOptions, options, "bloodsport_gambler")


def test_defaults() -> None:
    assert parse().model_dump() == {
        "seats": 2,
        "objective": "race",
        "finished_seat": "leave",
        "pass_rule": "consecutive",
        "coin_supply": "open",
        "max_fight_rounds": 20,
        "max_rounds": 20,
    }
    assert {name: field.default for name, field in GamblerOptions.model_fields.items()} == parse().model_dump()


@pytest.mark.parametrize(
    ("options", "objective"),
    [
        ({"seats": 1}, "outcome"),
        ({"seats": np.int64(1)}, "outcome"),
        ({"seats": 2}, "race"),
        ({"seats": 1, "objective": "fate"}, "fate"),
        ({"seats": 2, "objective": "outcome"}, "outcome"),
    ],
)
def test_objective_depends_on_the_seats(options: dict[str, Any], objective: str) -> None:
    chosen = parse(**options)
    assert chosen.objective == objective
    assert type(chosen.seats) is int


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seats": 1},
        {"objective": "fate", "finished_seat": "restart", "pass_rule": "final", "coin_supply": "limited"},
        {"max_fight_rounds": 100, "max_rounds": 99},
        {"max_fight_rounds": 1, "max_rounds": np.int8(1)},
    ],
)
def test_resolved_options_give_the_same_options_again(options: dict[str, Any]) -> None:
    chosen = parse(**options)
    values = chosen.model_dump()
    assert json.loads(json.dumps(values)) == values
    assert parse(**values) == chosen
    assert pickle.loads(pickle.dumps(chosen)) == chosen


def test_every_option_explains_itself() -> None:
    assert all(field.description for field in GamblerOptions.model_fields.values())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 1}, f'option "seat" is unknown; allowed are {ALL} (did you mean seats?).'),
        ({"seats": 0}, 'option "seats" must be a whole number from 1 to 2, not 0.'),
        ({"seats": 3}, 'option "seats" must be a whole number from 1 to 2, not 3.'),
        ({"seats": True}, 'option "seats" must be a whole number from 1 to 2, not true.'),
        ({"seats": 1, "objective": "race"}, 'option "objective" must be outcome or fate for one seat, not "race".'),
        ({"objective": "rase"}, 'option "objective" must be outcome, race or fate, not "rase" (did you mean race?).'),
        ({"objective": None}, 'option "objective" must be outcome, race or fate, not nothing.'),
        ({"finished_seat": "stay"}, 'option "finished_seat" must be leave, continue or restart, not "stay".'),
        ({"pass_rule": 1}, 'option "pass_rule" must be consecutive or final, not 1.'),
        ({"coin_supply": False}, 'option "coin_supply" must be open or limited, not false.'),
        ({"max_fight_rounds": 0}, 'option "max_fight_rounds" must be a whole number from 1 to 100, not 0.'),
        ({"max_fight_rounds": 101}, 'option "max_fight_rounds" must be a whole number from 1 to 100, not 101.'),
        ({"max_rounds": 0}, 'option "max_rounds" must be a whole number from 1 to 99, not 0.'),
        ({"max_rounds": 100}, 'option "max_rounds" must be a whole number from 1 to 99, not 100.'),
    ],
)
def test_bad_option_is_refused_with_one_clear_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse(**options)
    assert str(caught.value) == f"bloodsport_gambler: {message}"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, (2, tables.RACE, tables.LEAVE, 0, 0, 20, 20)),
        ({"seats": 1, "finished_seat": "restart"}, (1, tables.OUTCOME, tables.RESTART, 0, 0, 20, 20)),
        (
            {
                "objective": "fate",
                "finished_seat": "continue",
                "pass_rule": "final",
                "coin_supply": "limited",
                "max_fight_rounds": 3,
                "max_rounds": 9,
            },
            (2, tables.FATE, tables.CONTINUE, 1, 1, 3, 9),
        ),
    ],
)
def test_fields_of_the_rules_record(options: dict[str, Any], expected: tuple[int, ...]) -> None:
    fields = parse(**options).rules_fields()
    names = ("num_seats", "objective", "finished", "final_passes", "coins_limited", "max_fight_rounds", "max_rounds")
    assert fields == dict(zip(names, expected, strict=True))
    record = tables.rules_record(card_tables(load()), fields)[0]
    assert {name: int(record[name]) for name in names} == fields
    assert (record.num_actions, record.num_sabotage) == (20, 8)
