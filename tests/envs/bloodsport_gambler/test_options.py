"""The options of Bloodsport Gambler: defaults, ranges, mutual demands, fields of the rules record."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest

from cardzoo.envs.bloodsport_gambler import cards, tables
from cardzoo.envs.bloodsport_gambler.card_file import load
from cardzoo.envs.bloodsport_gambler.cards import tables as card_tables
from cardzoo.envs.bloodsport_gambler.game import BloodsportGambler
from cardzoo.envs.bloodsport_gambler.options import GamblerOptions
from cardzoo.envs.bloodsport_gambler.state import ACT, NO_CARD
from cardzoo.envs.core.errors import OptionError
from cardzoo.envs.core.options import parse_options
from cardzoo.envs.core.state import State

ALL = "seats, objective, finished_seat, pass_rule, coin_supply, face_up, max_fight_rounds and max_rounds"


def parse(**options: Any) -> GamblerOptions:
    return parse_options(GamblerOptions, options, "bloodsport_gambler")


def test_defaults() -> None:
    assert parse().model_dump() == {
        "seats": 2,
        "objective": "race",
        "finished_seat": "leave",
        "pass_rule": "consecutive",
        "coin_supply": "open",
        "face_up": False,
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
        {"seats": 1, "face_up": True},
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
        ({"face_up": 1}, 'option "face_up" must be true or false, not 1.'),
        ({"face_up": "yes"}, 'option "face_up" must be true or false, not "yes".'),
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
        ({}, (2, tables.RACE, tables.LEAVE, 0, 0, 0, 20, 20)),
        ({"seats": 1, "finished_seat": "restart"}, (1, tables.OUTCOME, tables.RESTART, 0, 0, 0, 20, 20)),
        (
            {
                "objective": "fate",
                "finished_seat": "continue",
                "pass_rule": "final",
                "coin_supply": "limited",
                "face_up": True,
                "max_fight_rounds": 3,
                "max_rounds": 9,
            },
            (2, tables.FATE, tables.CONTINUE, 1, 1, 1, 3, 9),
        ),
    ],
)
def test_fields_of_the_rules_record(options: dict[str, Any], expected: tuple[int, ...]) -> None:
    fields = parse(**options).rules_fields()
    names = (
        *("num_seats", "objective", "finished", "final_passes", "coins_limited", "face_up"),
        *("max_fight_rounds", "max_rounds"),
    )
    assert fields == dict(zip(names, expected, strict=True))
    record = tables.rules_record(card_tables(load()), fields)[0]
    assert {name: int(record[name]) for name in names} == fields
    assert (record.num_actions, record.num_sabotage) == (20, 8)


# --- face_up


def looks_of(state: State) -> dict[str, int]:
    """Ids of the cards that look, and at what."""
    rules = state.game.rules[0]
    return {
        card: int(effect[cards.WHO])
        for k, card in enumerate(state.game.cards.ids)
        for effect in rules.action_effects[k, : rules.actions[k, cards.NUM_EFFECTS]]
        if effect[cards.VERB] == cards.LOOK
    }


def assert_all_is_known(state: State) -> None:
    """Every seat knows every weapon and secret, as far as some lie there."""
    s, everyone = state.states[0], (1 << state.game.num_seats) - 1
    known = everyone if s.secret[0] != NO_CARD else 0
    assert set(s.w_known.ravel().tolist()) | set(s.s_known.tolist()) == {known}
    assert state.problems() == []


@pytest.mark.parametrize("options", [{"seats": 1}, {}, {"objective": "outcome", "finished_seat": "restart"}])
def test_face_up_all_know_what_is_dealt_and_nothing_is_left_to_look_at(options: dict[str, Any]) -> None:
    """From the deal to the end of random games; but unseen Sabotage beside a fighter can still be looked at."""
    game = BloodsportGambler(**options, face_up=True)
    rng = np.random.default_rng(3)
    held = at_sabotage = 0
    for seed in range(20):
        state = game.new_state(seed)
        looks = looks_of(state)
        while not state.is_over:
            assert_all_is_known(state)
            s, seat = state.states[0], state.actor
            unseen = any(not s.sab_seen[k] >> seat & 1 for k in range(s.n_sab))
            if s.node == ACT:
                held += sum(bool(s.hand[seat, game.cards.ids.index(card)]) for card in looks)
            for text in state.legal_texts():
                word, _, card = text.partition(" ")
                if word == "play" and card in looks:
                    assert looks[card] == cards.LOOK_FIGHTER
                    assert unseen
                    at_sabotage += 1
            state.apply(int(rng.choice(state.legal_actions())))
        assert_all_is_known(state)
    assert held > 100
    assert (at_sabotage > 0) == (game.num_seats > 1)


@pytest.mark.parametrize(("face_up", "known"), [(False, []), (True, [0, 1])])
def test_what_replaces_a_secret_is_known_if_it_is_face_up(face_up: bool, known: list[int]) -> None:
    """Hag's Bargain with a drawn secret, also after a reshuffle of the secrets."""
    for deck in (["old_scars"], []):
        position: dict[str, Any] = {
            "dice": [6],
            "fights": {"f2": {"secret": "drugged_wine"}},
            "secret_deck": deck,
            "seat0": {"hand": ["hags_bargain", "inside_man"]},
            "seat1": {"hand": ["toss_a_potion", "fleece_a_drunkard"]},
        }
        state = BloodsportGambler(face_up=face_up).from_position(position)
        for text in ("play hags_bargain", "target F2", "hide", "time 1"):
            if text != "hide" or text in state.legal_texts():
                state.apply(text)
        fight = state.to_position()["fights"]["f2"]
        assert fight["secret"] == "old_scars" or not deck
        assert (fight["secret_known"], fight["secret_old"]) == (known, False)
        assert state.problems() == []


@pytest.mark.parametrize("face_up", [False, True])
def test_a_weapon_that_replaces_one_is_known_to_all(face_up: bool) -> None:
    """Vanishing Blade brings it face up in any case; the other fights are hidden or not as they were dealt."""
    position = {
        "at": "fight",
        "dice": [6, 3, 4],
        "fights": {"f1": {"left": {"weapon": "rapier"}, "secret": "old_scars"}},
        "weapon_deck": ["great_flail"],
        "sabotage": [{"card": "vanishing_blade", "seat": 0, "spot": "1L", "time": 1}],
        "seat0": {"hand": ["hurl_flagon"]},
    }
    state = BloodsportGambler(face_up=face_up).from_position(position)
    fights = state.to_position()["fights"]
    assert (fights["f1"]["left"]["weapon"], fights["f1"]["left"]["known"]) == ("great_flail", [0, 1])
    assert fights["f2"]["left"]["known"] == fights["f3"]["secret_known"] == ([0, 1] if face_up else [])
    assert state.problems() == []


def test_face_up_changes_nothing_but_what_is_known_at_the_deal() -> None:
    """The same cards lie there with the same generator, and an observation has the same layout."""
    games = [BloodsportGambler(face_up=face_up) for face_up in (False, True)]
    hidden, shown = (game.new_state(5) for game in games)
    differ = {name for name in hidden.states.dtype.names if (hidden.states[name] != shown.states[name]).any()}
    assert differ == {"w_known", "s_known"}
    assert games[0].observations.hash == games[1].observations.hash
    assert games[0].actions.hash == games[1].actions.hash
    assert all((hidden.observe(seat) != shown.observe(seat)).any() for seat in range(2))
