"""The options of Teddies vs Monsters: defaults, ranges, mutual demands, fields of the rules record."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cardzoo.envs.core.errors import OptionError
from cardzoo.envs.core.options import parse_options
from cardzoo.envs.teddies_vs_monsters import tables
from cardzoo.envs.teddies_vs_monsters.card_file import MIN_DECK, load
from cardzoo.envs.teddies_vs_monsters.cards import tables as card_tables
from cardzoo.envs.teddies_vs_monsters.options import MAX_ZONE, TeddiesOptions
from cardzoo.envs.teddies_vs_monsters.state import KINDS, MAX_SEATS, NUM_KINDS

TEMPO = {
    "place": 10,
    "attack": 12,
    "bomb": 12,
    "trap": 10,
    "disarm": 8,
    "discard": 4,
    "draw": 5,
    "claim": 20,
    "call": 14,
    "take": 20,
    "look": 10,
    "wait": 4,
}
DEFAULTS = {
    "seats": 2,
    "levels": [2],
    "keys_to_win": 3,
    "hand_size": 5,
    "sleeve_size": 4,
    "start_hand": "seen",
    "allow_mistakes": False,
    "call_by": "any",
    "review": "sudden_death",
    "late_cards": "lost",
    "trap_blocks_claim": False,
    "partner_sleeve": "when_out",
    "open_team": False,
    "stall_result": "tie",
    "sudden_death_win": "claim",
    "play_out": False,
    "tempo": TEMPO,
    "pace": [100, 100],
    "reaction": [4, 4],
    "jitter": [4, 4],
    "round_ticks": 3000,
    "max_sudden": 2,
    "max_rounds": 9,
}


def parse(**options: Any) -> TeddiesOptions:
    return parse_options(TeddiesOptions, options, "teddies_vs_monsters")


def test_defaults() -> None:
    assert parse().model_dump() == DEFAULTS
    assert list(DEFAULTS) == list(TeddiesOptions.model_fields)
    shown = {name: field.default for name, field in TeddiesOptions.model_fields.items()}
    assert json.loads(json.dumps(shown)) == DEFAULTS


def test_every_option_explains_itself() -> None:
    assert all(field.description for field in TeddiesOptions.model_fields.values())


def test_every_act_has_a_tempo() -> None:
    assert tuple(parse().tempo) == KINDS[1:]


# --- what is filled in


@pytest.mark.parametrize(
    ("options", "sleeve_size"),
    [
        ({}, 4),
        ({"seats": 4}, 3),
        ({"seats": np.int8(4), "sleeve_size": None}, 3),
        ({"sleeve_size": "none"}, 4),
        ({"seats": 4, "sleeve_size": 4}, 4),
        ({"sleeve_size": 0}, 0),
        ({"sleeve_size": np.int64(9)}, 9),
    ],
)
def test_sleeve_size_depends_on_the_seats(options: dict[str, Any], sleeve_size: int) -> None:
    assert parse(**options).sleeve_size == sleeve_size
    assert type(parse(**options).sleeve_size) is int


@pytest.mark.parametrize("name", ["pace", "reaction", "jitter"])
def test_one_number_holds_for_all_seats(name: str) -> None:
    default = {"pace": 100, "reaction": 4, "jitter": 4}[name]
    assert getattr(parse(seats=4), name) == (default,) * 4
    assert getattr(parse(**{name: 50}), name) == (50, 50)
    assert getattr(parse(**{name: np.int16(50)}, seats=4), name) == (50,) * 4
    assert getattr(parse(**{name: [10, 50]}), name) == (10, 50)
    assert getattr(parse(**{name: (10, 50, 20, 30)}, seats=4), name) == (10, 50, 20, 30)


def test_part_of_a_tempo_keeps_the_other_defaults() -> None:
    assert parse(tempo={}).tempo == TEMPO
    assert parse(tempo={"wait": 500, "place": np.int8(1)}).tempo == TEMPO | {"wait": 500, "place": 1}
    assert list(parse(tempo={"wait": 6, "place": 7}).tempo) == list(parse().tempo)
    changed = parse()
    changed.tempo["place"] = 99
    assert parse().tempo == TEMPO, "models share the default"


@pytest.mark.parametrize(
    ("levels", "expected"), [(1, (1,)), ([3], (3,)), ((3, 1), (1, 3)), ([2, np.int8(1), 3], (1, 2, 3))]
)
def test_levels(levels: Any, expected: tuple[int, ...]) -> None:
    assert parse(levels=levels).levels == expected


def test_mistakes_need_a_played_out_round() -> None:
    assert parse(allow_mistakes=True).play_out
    assert parse(allow_mistakes=True, play_out=True).play_out
    assert not parse(allow_mistakes=False).play_out
    assert not parse(play_out=True).allow_mistakes


def test_largest_deal_fits_into_the_smallest_deck() -> None:
    largest = parse(hand_size=MAX_ZONE, sleeve_size=MAX_ZONE)
    assert largest.hand_size + largest.sleeve_size <= MIN_DECK


# --- the same options again

seats_of = st.sampled_from([2, 4])
per_seat = {"pace": (10, 1000), "reaction": (0, 100), "jitter": (0, 50)}


@st.composite
def choices(draw: st.DrawFn) -> dict[str, Any]:
    """Some options with allowed values."""
    seats = draw(seats_of)
    chosen: dict[str, Any] = {
        "seats": seats,
        "levels": draw(st.lists(st.integers(1, 3), min_size=1, max_size=3, unique=True)),
        "sleeve_size": draw(st.one_of(st.none(), st.integers(0, 9))),
        "allow_mistakes": draw(st.booleans()),
        "partner_sleeve": draw(st.sampled_from(["never", "when_out", "always"])),
        "tempo": draw(st.dictionaries(st.sampled_from([*TEMPO]), st.integers(1, 500))),
        "max_sudden": draw(st.integers(0, 9)),
    }
    for name, (low, high) in per_seat.items():
        number = st.integers(low, high)
        chosen[name] = draw(st.one_of(number, st.lists(number, min_size=seats, max_size=seats)))
    kept = draw(st.sets(st.sampled_from([*chosen])))
    left_out = [name for name in chosen if name not in kept and (name != "seats" or kept.isdisjoint(per_seat))]
    for name in left_out:
        del chosen[name]
    return chosen


@given(choices())
def test_resolved_options_give_the_same_options_again(options: dict[str, Any]) -> None:
    """Models and results carry the resolved options, as JSON or YAML."""
    chosen = parse(**options)
    values = chosen.model_dump()
    assert json.loads(json.dumps(values)) == values
    assert yaml.safe_load(yaml.safe_dump(values)) == values
    assert parse(**values) == chosen
    assert pickle.loads(pickle.dumps(chosen)) == chosen


def test_numpy_numbers_come_back_as_plain_ones() -> None:
    values = parse(seats=np.int8(4), levels=[np.int64(3)], pace=np.int16(70), tempo={"claim": np.int32(3)}).model_dump()
    assert json.loads(json.dumps(values)) == values


# --- what is refused, and how it is said

ALL = ", ".join([*DEFAULTS][:-1]) + " and max_rounds"
ALL_ACTS = ", ".join([*KINDS[1:-1]]) + " and wait"
LEVELS = "must be a list of one or more different levels from 1 to 3"
SLEEVE = "must be none or a whole number from 0 to 9"
PACE = "must be a whole number from 10 to 1000, or a list with one for each seat"
REACTION = "must be a whole number from 0 to 100, or a list with one for each seat"
JITTER = "must be a whole number from 0 to 50, or a list with one for each seat"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 2}, f'option "seat" is unknown; allowed are {ALL} (did you mean seats?).'),
        ({"seats": 1}, 'option "seats" must be 2 or 4, not 1.'),
        ({"seats": 3}, 'option "seats" must be 2 or 4, not 3.'),
        ({"seats": 5}, 'option "seats" must be 2 or 4, not 5.'),
        ({"seats": "4"}, 'option "seats" must be 2 or 4, not "4".'),
        ({"seats": True}, 'option "seats" must be 2 or 4, not true.'),
        ({"seats": None, "sleeve_size": None}, 'option "seats" must be 2 or 4, not nothing.'),
        ({"levels": []}, f'option "levels" {LEVELS}, not [].'),
        ({"levels": [1, 1]}, f'option "levels" {LEVELS}, not [1, 1].'),
        ({"levels": [1, 4]}, f'option "levels" {LEVELS}, not [1, 4].'),
        ({"levels": 0}, f'option "levels" {LEVELS}, not 0.'),
        ({"levels": "all"}, f'option "levels" {LEVELS}, not "all".'),
        ({"levels": [True]}, f'option "levels" {LEVELS}, not [True].'),
        ({"keys_to_win": 0}, 'option "keys_to_win" must be a whole number from 1 to 3, not 0.'),
        ({"keys_to_win": 4}, 'option "keys_to_win" must be a whole number from 1 to 3, not 4.'),
        ({"hand_size": 0}, 'option "hand_size" must be a whole number from 1 to 9, not 0.'),
        ({"hand_size": 10}, 'option "hand_size" must be a whole number from 1 to 9, not 10.'),
        ({"sleeve_size": -1}, f'option "sleeve_size" {SLEEVE}, not -1.'),
        ({"sleeve_size": 10}, f'option "sleeve_size" {SLEEVE}, not 10.'),
        ({"sleeve_size": "few"}, f'option "sleeve_size" {SLEEVE}, not "few".'),
        (
            {"start_hand": "facedown"},
            'option "start_hand" must be seen or face_down, not "facedown" (did you mean face_down?).',
        ),
        ({"allow_mistakes": 1}, 'option "allow_mistakes" must be true or false, not 1.'),
        (
            {"allow_mistakes": True, "play_out": False},
            'option "play_out" must be true when "allow_mistakes" is true.',
        ),
        ({"call_by": "all"}, 'option "call_by" must be any or owner, not "all".'),
        ({"review": None}, 'option "review" must be sudden_death or discount, not nothing.'),
        ({"late_cards": "lots"}, 'option "late_cards" must be lost or returned, not "lots" (did you mean lost?).'),
        ({"trap_blocks_claim": "no"}, 'option "trap_blocks_claim" must be true or false, not "no".'),
        (
            {"partner_sleeve": "out"},
            'option "partner_sleeve" must be never, when_out or always, not "out".',
        ),
        ({"open_team": 0}, 'option "open_team" must be true or false, not 0.'),
        (
            {"stall_result": "rooms"},
            'option "stall_result" must be tie or most_rooms, not "rooms" (did you mean most_rooms?).',
        ),
        ({"sudden_death_win": "row"}, 'option "sudden_death_win" must be claim or completion, not "row".'),
        ({"play_out": None}, 'option "play_out" must be true or false, not nothing.'),
        ({"tempo": 10}, 'option "tempo" must be a mapping (act: ticks), not 10.'),
        (
            {"tempo": {"plase": 5}},
            f'option "tempo" has an unknown act "plase"; allowed are {ALL_ACTS} (did you mean place?).',
        ),
        ({"tempo": {1: 5}}, f'option "tempo" has an unknown act 1; allowed are {ALL_ACTS}.'),
        ({"tempo": {"": 5}}, f'option "tempo" has an unknown act ""; allowed are {ALL_ACTS}.'),
        (
            {"tempo": {"claim": 0}},
            'option "tempo" has a wrong value: claim must be a whole number from 1 to 500, not 0.',
        ),
        (
            {"tempo": {"wait": 501}},
            'option "tempo" has a wrong value: wait must be a whole number from 1 to 500, not 501.',
        ),
        ({"pace": 9}, f'option "pace" {PACE}, not 9.'),
        ({"pace": 1001}, f'option "pace" {PACE}, not 1001.'),
        ({"pace": "slow"}, f'option "pace" {PACE}, not "slow".'),
        ({"pace": [100, 5]}, f'option "pace" {PACE}, not [100, 5].'),
        ({"pace": None}, f'option "pace" {PACE}, not nothing.'),
        ({"pace": 1.5}, f'option "pace" {PACE}, not 1.5.'),
        ({"pace": []}, 'option "pace" must list 2 numbers, one for each seat, not 0.'),
        ({"pace": [100]}, 'option "pace" must list 2 numbers, one for each seat, not 1.'),
        ({"pace": [100] * 4}, 'option "pace" must list 2 numbers, one for each seat, not 4.'),
        ({"seats": 4, "jitter": [1, 2]}, 'option "jitter" must list 4 numbers, one for each seat, not 2.'),
        ({"reaction": -1}, f'option "reaction" {REACTION}, not -1.'),
        ({"reaction": 101}, f'option "reaction" {REACTION}, not 101.'),
        ({"reaction": [4, True]}, f'option "reaction" {REACTION}, not [4, True].'),
        ({"jitter": -1}, f'option "jitter" {JITTER}, not -1.'),
        ({"jitter": [51, 0]}, f'option "jitter" {JITTER}, not [51, 0].'),
        ({"round_ticks": 99}, 'option "round_ticks" must be a whole number from 100 to 30000, not 99.'),
        ({"round_ticks": 30_001}, 'option "round_ticks" must be a whole number from 100 to 30000, not 30001.'),
        ({"max_sudden": -1}, 'option "max_sudden" must be a whole number from 0 to 9, not -1.'),
        ({"max_sudden": 10}, 'option "max_sudden" must be a whole number from 0 to 9, not 10.'),
        ({"max_rounds": 0}, 'option "max_rounds" must be a whole number from 1 to 99, not 0.'),
        ({"max_rounds": 100}, 'option "max_rounds" must be a whole number from 1 to 99, not 100.'),
    ],
)
def test_bad_option_is_refused_with_one_clear_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        parse(**options)
    assert str(caught.value) == f"teddies_vs_monsters: {message}"


# --- the rules record

FIELDS = tables.RULES_DTYPE.names[tables.RULES_DTYPE.names.index("num_seats") :][:24]
PLAIN = [name for name in FIELDS if name not in ("duration", "pace", "reaction", "jitter")]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, (2, 3, 2, 3, 5, 4, 0, 0, 1, 0, 0, 0, tables.WHEN_OUT, 0, 0, 0, 0, 2, 9, 3000)),
        (
            {"seats": 4, "keys_to_win": 1, "hand_size": 9, "start_hand": "face_down", "partner_sleeve": "never"},
            (4, 5, 3, 1, 9, 3, 1, 0, 1, 0, 0, 0, tables.NEVER, 0, 0, 0, 0, 2, 9, 3000),
        ),
        (
            {
                "allow_mistakes": True,
                "call_by": "owner",
                "review": "discount",
                "late_cards": "returned",
                "trap_blocks_claim": True,
                "partner_sleeve": "always",
                "open_team": True,
                "stall_result": "most_rooms",
                "sudden_death_win": "completion",
                "max_sudden": 0,
                "max_rounds": 99,
                "round_ticks": 30_000,
            },
            (2, 3, 2, 3, 5, 4, 0, 1, 0, 1, 1, 1, tables.ALWAYS, 1, 1, 1, 1, 0, 99, 30_000),
        ),
    ],
)
def test_fields_of_the_rules_record(options: dict[str, Any], expected: tuple[int, ...]) -> None:
    fields = parse(**options).rules_fields()
    assert tuple(fields) == FIELDS
    assert FIELDS[-1] == "jitter"
    assert {name: fields[name] for name in PLAIN} == dict(zip(PLAIN, expected, strict=True))
    record = tables.rules_record(card_tables(load()), (2,), fields)[0]
    assert {name: int(record[name]) for name in PLAIN} == {name: fields[name] for name in PLAIN}
    for name in ("duration", "pace", "reaction", "jitter"):
        assert record[name].tolist() == fields[name]


@pytest.mark.parametrize(
    ("switch", "field"),
    [
        ({"start_hand": "face_down"}, {"face_down": 1}),
        ({"allow_mistakes": True}, {"mistakes": 1, "play_out": 1}),
        ({"call_by": "owner"}, {"call_any": 0}),
        ({"review": "discount"}, {"discount": 1}),
        ({"late_cards": "returned"}, {"returned": 1}),
        ({"trap_blocks_claim": True}, {"trap_blocks_claim": 1}),
        ({"open_team": True}, {"open_team": 1}),
        ({"stall_result": "most_rooms"}, {"stall_rooms": 1}),
        ({"sudden_death_win": "completion"}, {"completion": 1}),
        ({"play_out": True}, {"play_out": 1}),
    ],
)
def test_each_switch_changes_its_field_alone(switch: dict[str, Any], field: dict[str, int]) -> None:
    before, after = parse().rules_fields(), parse(**switch).rules_fields()
    assert {name: value for name, value in after.items() if value != before[name]} == field


@pytest.mark.parametrize(
    ("levels", "pool"),
    [([1], range(8)), ([2], range(8, 16)), ([3], range(16, 32)), ([1, 3], [*range(8), *range(16, 32)])],
)
def test_pool_of_the_levels(levels: list[int], pool: Any) -> None:
    options = parse(levels=levels)
    record = tables.rules_record(card_tables(load()), options.levels, options.rules_fields())[0]
    assert record.pool[: record.num_pool].tolist() == list(pool)


def durations(options: TeddiesOptions, seat: int) -> dict[str, int]:
    """The durations of a seat by kind of act; the kind without one is 0."""
    row = options.rules_fields()["duration"][seat]
    assert len(row) == NUM_KINDS
    assert row[0] == 0
    return dict(zip(KINDS[1:], row[1:], strict=True))


DEFAULT_DURATIONS = {
    **{"place": 14, "attack": 16, "bomb": 16, "trap": 14, "disarm": 12, "claim": 24, "call": 18},
    **{"discard": 4, "draw": 5, "take": 20, "look": 10, "wait": 4},
}


def test_durations() -> None:
    """With the reaction for acts on rooms; seats that the game does not have are 0."""
    fields = parse().rules_fields()
    assert durations(parse(), 0) == durations(parse(), 1) == DEFAULT_DURATIONS
    assert fields["duration"][2:] == [[0] * NUM_KINDS] * 2
    assert fields["pace"] == [100, 100, 0, 0]
    assert fields["reaction"] == fields["jitter"] == [4, 4, 0, 0]
    assert durations(parse(seats=4), 3) == DEFAULT_DURATIONS


def test_durations_differ_by_seat() -> None:
    options = parse(seats=4, pace=[200, 100, 50, 1000], reaction=[0, 10, 4, 0], jitter=[50, 0, 1, 2])
    assert durations(options, 0) == {act: 2 * ticks for act, ticks in TEMPO.items()}
    assert durations(options, 1) == DEFAULT_DURATIONS | {
        **{"place": 20, "attack": 22, "bomb": 22, "trap": 20, "disarm": 18, "claim": 30, "call": 24},
    }
    assert durations(options, 2) == {  # halves are rounded up
        **{"place": 9, "attack": 10, "bomb": 10, "trap": 9, "disarm": 8, "claim": 14, "call": 11},
        **{"discard": 2, "draw": 3, "take": 10, "look": 5, "wait": 2},
    }
    assert durations(options, 3) == {act: 10 * ticks for act, ticks in TEMPO.items()}
    assert options.rules_fields()["jitter"] == [50, 0, 1, 2]


def test_an_act_takes_a_tick_at_least() -> None:
    options = parse(tempo=dict.fromkeys(TEMPO, 1), pace=[10, 50], reaction=[0, 3])
    assert set(durations(options, 0).values()) == {1}
    assert durations(options, 1)["wait"] == durations(options, 1)["discard"] == 1
    assert durations(options, 1)["place"] == 4


@given(choices())
def test_durations_are_those_of_tempo_pace_and_reaction(options: dict[str, Any]) -> None:
    chosen = parse(**options)
    fields = chosen.rules_fields()
    assert all(len(fields[name]) == MAX_SEATS for name in ("duration", "pace", "reaction", "jitter"))
    for seat in range(chosen.seats):
        for act, ticks in durations(chosen, seat).items():
            if act in ("place", "attack", "bomb", "trap", "disarm", "claim", "call"):
                ticks -= chosen.reaction[seat]
            assert ticks >= 1
            assert ticks == 1 or abs(100 * ticks - chosen.tempo[act] * chosen.pace[seat]) <= 50
