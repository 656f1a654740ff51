"""Game and State: text and numbers, copies, positions, errors."""

from __future__ import annotations

import copy
import pickle
import re

import numpy as np
import pytest

from cardzoo.envs import CardError, CardzooError, IllegalAction, OptionError, PositionError, load, names, register
from tests.solo_game import Solo
from tests.tiny_game import TinyGame


def play_through(state):
    while not state.is_over:
        yield state
        state.apply(state.legal_actions()[-1])
    yield state


def test_facts_of_a_game(tiny):
    assert (tiny.name, tiny.num_seats, tiny.num_actions, tiny.observation_size) == ("tiny", 2, 3, 14)
    assert tiny.agents == ("seat_0", "seat_1")
    assert tiny.options == {"hand": 2, "max_tricks": 0}
    assert repr(TinyGame(hand=3)) == "<tiny: 2 seats, 3 card types, hand=3>"


def test_what_returns_measure_unless_a_game_says_otherwise(tiny):
    assert tiny.objective == "winning: +1 won, -1 lost, 0 drawn or cut off"
    assert tiny.zero_sum
    assert not Solo().zero_sum  # there is nobody to lose what it earns
    assert tiny.goal == ""
    assert tiny.reached(tiny.new_states(1, 3)).tolist() == [False, False]


def test_texts_and_numbers_are_inverse(tiny):
    assert [tiny.parse(tiny.text(action)) for action in range(tiny.num_actions)] == list(range(tiny.num_actions))
    assert tiny.parse("  play   cat ") == 1
    assert tiny.text(np.int32(1)) == "play cat"
    assert "Cat" in tiny.explain("play cat")
    assert tiny.explain("play cat") == tiny.explain(1)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (3, "tiny has actions 0 to 2, not 3."),
        (-1, "tiny has actions 0 to 2, not -1."),
        (1.0, "an action of tiny is an integer from 0 to 2, not 1.0."),
        (None, "an action of tiny is an integer from 0 to 2, not None."),
        (True, "an action of tiny is an integer from 0 to 2, not True."),
        ("play cta", "tiny has no action 'play cta'; did you mean 'play cat' or 'play dog'?"),
        ("quit", "tiny has no action 'quit'."),
    ],
)
def test_what_is_no_action_is_refused_and_changes_nothing(tiny, action, message):
    state = tiny.new_state(7)
    before = state.copy()
    with pytest.raises(IllegalAction, match=f"^{re.escape(message)}"):
        state.apply(action)
    assert state == before


def test_illegal_action_lists_what_is_legal_and_changes_nothing(tiny):
    state = tiny.from_position({"hands": [["cat", "cat"], ["dog", "mouse"]], "deck": ["mouse", "mouse", "dog", "cat"]})
    before = state.copy()
    for action in ("play dog", 2):
        with pytest.raises(
            IllegalAction, match=r"action 2 \('play dog'\) is not legal for seat 0; legal are: play cat\."
        ):
            state.apply(action)
    assert state == before


def test_action_after_the_end_is_refused(tiny):
    *_, state = play_through(tiny.new_state(1))
    before = state.copy()
    with pytest.raises(IllegalAction, match="the game is over, so 0 cannot be played"):
        state.apply(0)
    assert state == before
    assert state.actor is None
    assert state.legal_actions() == []
    assert not state.action_mask().any()


def test_outcome_and_returns_agree(tiny):
    reasons = set()
    for seed in range(40):
        *_rest, state = play_through(tiny.new_state(seed))
        assert state.outcome is not None
        reasons.add(len(state.outcome.winners))
        expected = [0.0, 0.0]
        for winner in state.outcome.winners:
            expected[winner], expected[1 - winner] = 1.0, -1.0
        assert state.returns.tolist() == expected
        assert not state.outcome.truncated
    assert reasons == {0, 1}  # draws too
    assert tiny.new_state(0).outcome is None
    *_, cut_off = play_through(TinyGame(max_tricks=1).new_state(0))
    assert cut_off.outcome.truncated
    assert cut_off.outcome.winners == ()


def test_mask_of_a_seat_that_is_not_to_act_is_empty(tiny):
    state = tiny.new_state(3)
    assert state.action_mask(state.actor).any()
    assert state.action_mask().any()
    assert not state.action_mask(1 - state.actor).any()


def test_returned_arrays_are_the_callers_own(tiny):
    state = tiny.new_state(3)
    twin = state.copy()
    for array in (state.action_mask(), state.observe(0), state.returns):
        array[:] = 1
    assert state.legal_actions() == twin.legal_actions()
    assert np.array_equal(state.observe(0), twin.observe(0))
    assert state == twin


@pytest.mark.parametrize("method", ["observe", "action_mask", "resample", "render"])
@pytest.mark.parametrize("seat", [-1, 2, "0", True])
def test_seats_that_do_not_exist_are_refused(tiny, method, seat):
    with pytest.raises(ValueError, match="tiny has seats 0 to 1, not"):
        getattr(tiny.new_state(0), method)(seat)


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s)), lambda s: s.copy()]
)
def test_copies_go_on_alike_and_share_nothing(tiny, duplicate):
    for state in play_through(tiny.new_state(5)):
        twin = duplicate(state)
        assert twin == state
        assert twin.to_position() == state.to_position()
        if not state.is_over:
            untouched = state.copy()
            first, second = state.copy(), duplicate(state)
            for step in play_through(first):
                assert step == second
                if not step.is_over:
                    second.apply(step.legal_actions()[-1])
            assert state == untouched


def test_games_are_shared_by_copies_and_survive_pickling_without_their_card_file(tmp_path):
    path = tmp_path / "deck.yaml"
    path.write_text("types:\n  - {id: a, name: A, copies: 4, rank: 1}\n  - {id: b, name: B, copies: 4, rank: 2}\n")
    game = TinyGame(cards=path, hand=1)
    assert copy.deepcopy(game) is game
    data = pickle.dumps(game)
    path.unlink()
    twin = pickle.loads(data)
    assert twin == game
    assert twin.options == game.options
    assert twin.hash == game.hash
    assert hash(twin) == hash(game)
    assert twin.new_state(1) == game.new_state(1)
    assert game != TinyGame()
    assert TinyGame() != TinyGame(hand=1)
    assert TinyGame() == TinyGame()


def test_states_cannot_be_keys(tiny):
    with pytest.raises(TypeError):
        {tiny.new_state(0)}


def test_positions_and_states_are_inverse(tiny):
    for seed in range(5):
        for state in play_through(tiny.new_state(seed)):
            assert tiny.from_position(state.to_position()).to_position() == state.to_position()


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"hands": [["cow"], []]}, "hands names the unknown card 'cow'"),
        ({"hands": [[], []], "dekc": []}, "a position has no key 'dekc'"),
        ({"hands": [["cat"], ["cat"]]}, "this position cannot occur in tiny: cards were lost or doubled"),
        (["hands"], "a position is a mapping of keys to values, not list"),
    ],
)
def test_impossible_positions_are_refused(tiny, position, message):
    with pytest.raises(PositionError, match=message):
        tiny.from_position(position)


def test_position_without_a_generator_gets_a_working_one(tiny):
    assert tiny.from_position(tiny.new_state(2).to_position()).states.rng.any()


def test_render_hides_what_the_viewer_may_not_see(tiny):
    state = tiny.from_position({"hands": [["cat", "cat"], ["dog", "mouse"]], "deck": ["mouse", "mouse", "dog", "cat"]})
    assert "mouse dog" in state.render()
    assert "mouse dog" in state.render(1)
    assert str(state) == state.render()
    assert "mouse dog" not in state.render(0)
    assert "2 cards" in state.render(0)


def test_worlds_come_from_seeds_numpy_generators_and_generator_states(tiny):
    state = tiny.new_state(4)
    assert state.resample(0, 9) == state.resample(0, 9)
    assert state.resample(0, np.random.default_rng(1)) == state.resample(0, np.random.default_rng(1))
    rng = np.array([1, 2, 3, 4], np.uint32)
    first, second = state.resample(0, rng), state.resample(0, rng)
    assert first != second
    assert rng.tolist() != [1, 2, 3, 4]
    assert state == tiny.new_state(4)
    assert state.resample(0) != state.resample(0)
    with pytest.raises(ValueError, match="a generator state is uint32 of shape"):
        state.resample(0, np.zeros(4))


def test_same_seed_same_game_other_seed_other_game(tiny):
    assert tiny.new_state(7) == tiny.new_state(7)
    assert len({tiny.new_state(seed).states.tobytes() for seed in range(50)}) == 50
    assert tiny.new_states(5, 3)[0].tobytes() == tiny.new_state(3).states.tobytes()


def test_registry(tiny_registered, monkeypatch):
    assert load("tiny", hand=3).options["hand"] == 3
    assert "tiny" in names()
    assert {"battle_requiem", "bedroom_battle"} <= set(names())
    register("tiny", TinyGame)  # again, the same
    register("tiny_by_text", "tests.tiny_game:TinyGame")
    assert isinstance(load("tiny_by_text"), TinyGame)
    with pytest.raises(OptionError, match="there is already a game named 'tiny'"):
        register("tiny", "elsewhere:Game")
    with pytest.raises(OptionError, match="by its class or as 'module:Class'"):
        register("other", "elsewhere.Game")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: load("tinny"), OptionError, r"there is no game 'tinny'; the games are .*; did you mean 'tiny'\?"),
        (lambda: load(None), OptionError, "there is no game None"),
        (lambda: load("tiny", hands=3), OptionError, "hands"),
        (lambda: load("tiny", hand=0), OptionError, "hand"),
        (lambda: load("tiny", hand="2"), OptionError, "hand"),
        (lambda: load("tiny", cards="nowhere.yaml"), CardError, "nowhere.yaml"),
    ],
)
def test_bad_input_to_load_is_one_sentence(tiny_registered, call, error, message):
    with pytest.raises(error, match=message) as caught:
        call()
    assert isinstance(caught.value, CardzooError)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)


def test_every_lazy_name_of_the_package_is_there():
    import cardzoo.envs

    for name in cardzoo.envs.__all__:
        assert getattr(cardzoo.envs, name) is not None
    assert set(dir(cardzoo.envs)) == set(cardzoo.envs.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        cardzoo.envs.nothing  # noqa: B018
