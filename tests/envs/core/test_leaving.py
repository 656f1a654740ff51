"""Seats that leave before the end: the AEC environment's steps with None, and the batch, on the game for many seats."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import tests.last_one
from cardzoo.envs import BatchEnv, IllegalAction
from cardzoo.envs.core import loops
from cardzoo.envs.core.aec import ILLEGAL_REWARD, make_env, make_raw_env
from cardzoo.envs.core.dispatch import Kernels, game_left, register_kernels
from tests.last_one import BURST, DTYPE, KINDS, REST, STRIKE, LastOne
from tests.support.aec import DUPLICATES, check_copies, check_game, early_steps, play, strict_warnings
from tests.support.fuzzing import REASONS, fuzz

pytestmark = pytest.mark.usefixtures("last_one_registered")

ALL = [{"seats": seats} for seats in range(2, 7)]
ALL += [{"seats": 6, "team_size": 2}, {"seats": 6, "team_size": 3}, {"seats": 4, "team_size": 2}]
ALL += [{"seats": seats, "max_moves": 7} for seats in range(2, 7)]


def started(lives, actor, make=make_raw_env, **options):
    """An environment with these lives, in which everybody holds a strike and a burst."""
    env = make("last_one", seats=len(lives), lives=9, **options)
    env.reset(seed=1)
    hands = ["strike burst" if life else "" for life in lives]
    table = env.unwrapped
    table._states[0] = table.game.from_position({"actor": actor, "hands": hands, "lives": lives}).states[0]
    table._states.rng[0] = (1, 2, 3, 4)
    table.agent_selection = f"seat_{actor}"
    table.__setstate__(table.__getstate__())
    return env


def seats_of(names):
    return [int(name[-1]) for name in names]


THIRD = 1 / 3
STEPS = [
    # lives, actor, action, options; who leaves with which reward, who acts next
    ([2, 1, 2, 2], 0, STRIKE, {}, {1: -1.0}, 2),
    ([2, 2, 2, 1], 2, STRIKE, {}, {3: -1.0}, 0),
    ([1, 2, 2, 2], 3, STRIKE, {}, {0: -1.0}, 1),
    ([1, 2, 2, 2], 0, BURST, {}, {0: -1.0}, 1),
    ([2, 2, 2, 1], 3, BURST, {}, {3: -1.0}, 0),
    ([2, 1, 2, 1], 0, BURST, {}, {1: -2 * THIRD, 3: -2 * THIRD}, 2),
    ([2, 1, 2, 1], 3, BURST, {}, {1: -2 * THIRD, 3: -2 * THIRD}, 0),
    ([1, 1, 2, 2], 1, BURST, {}, {0: -2 * THIRD, 1: -2 * THIRD}, 2),
    ([1, 2, 2, 1], 3, BURST, {}, {0: -2 * THIRD, 3: -2 * THIRD}, 1),
    ([2, 1, 1, 1, 2], 4, BURST, {}, {1: -0.5, 2: -0.5, 3: -0.5}, 0),
    ([1, 1, 1, 1, 2, 2], 2, BURST, {}, {0: -0.4, 1: -0.4, 2: -0.4, 3: -0.4}, 4),
    # A seat that is out while its team plays on stays, unselected.
    ([2, 2, 1, 2, 2, 2], 0, STRIKE, {"team_size": 2}, {}, 1),
    ([2, 1, 2, 2, 2, 2], 1, BURST, {"team_size": 2}, {}, 2),
    ([1, 2, 2, 1, 2, 2], 0, BURST, {"team_size": 2}, {}, 1),
    # Its team leaves together, the member that fell long ago too.
    ([2, 2, 0, 1, 2, 2], 0, STRIKE, {"team_size": 2}, {2: -1.0, 3: -1.0}, 1),
    ([0, 1, 2, 2, 2, 2], 1, BURST, {"team_size": 2}, {0: -1.0, 1: -1.0}, 2),
    ([2, 2, 1, 1, 0, 1], 3, BURST, {"team_size": 2}, {2: -0.5, 3: -0.5, 4: -0.5, 5: -0.5}, None),
]


@pytest.mark.parametrize(("lives", "actor", "action", "options", "leaving", "following"), STEPS)
@pytest.mark.parametrize("make", [make_raw_env, make_env])
def test_steps_of_seats_that_leave(lives, actor, action, options, leaving, following, make):
    env = started(lives, actor, make, **options)
    assert env.agent_selection == f"seat_{actor}"
    env.step(action)
    everybody = list(range(len(lives)))
    table = env.unwrapped.table
    if following is None:  # two teams go at once and one is left: the game is over for all
        assert all(env.terminations.values())
        assert [env.rewards[f"seat_{seat}"] for seat in leaving] == list(leaving.values())
        return
    assert env.rewards == pytest.approx({f"seat_{seat}": leaving.get(seat, 0.0) for seat in everybody})
    assert env.terminations == {f"seat_{seat}": seat in leaving for seat in everybody}
    assert not any(env.truncations.values())
    assert seats_of(env.agents) == everybody
    gone = []
    for seat, reward in leaving.items():  # one after the other, in seat order
        assert env.agent_selection == f"seat_{seat}"
        observation, earned, terminated, truncated, info = env.last()
        assert (earned, terminated, truncated) == (pytest.approx(reward), True, False)
        assert info == {"outcome": f"seat {seat} is out, others play on", "winners": ()}
        np.testing.assert_array_equal(observation["observation"], table.observe(seat))
        assert not observation["action_mask"].any()
        env.step(None)
        gone.append(seat)
        assert seats_of(env.agents) == [other for other in everybody if other not in gone]
        assert set(env.terminations) == set(env.truncations) == set(env.rewards) == set(env.infos) == set(env.agents)
        assert not any(env.rewards.values())
        assert env.unwrapped.table == table
    assert env.agent_selection == f"seat_{following}"
    observation, earned, terminated, truncated, info = env.last()
    assert (earned, terminated, truncated, info) == (0.0, False, False, {})
    np.testing.assert_array_equal(observation["action_mask"], table.action_mask())
    np.testing.assert_array_equal(observation["observation"], table.observe(following))


@pytest.mark.parametrize(("lives", "actor", "action", "options", "leaving", "following"), STEPS)
def test_a_wrong_action_between_steps_with_none_changes_nothing(lives, actor, action, options, leaving, following):
    if following is None:
        return
    env = started(lives, actor, **options)
    env.step(action)
    for seat in leaving:
        before = pickle.dumps(env.__getstate__())
        for wrong in (STRIKE, BURST, -1, 99, "strike", True):
            message = f"the game is over for seat_{seat}, so the only action is None, not {re.escape(repr(wrong))}"
            with pytest.raises(IllegalAction, match=message):
                env.step(wrong)
        assert pickle.dumps(env.__getstate__()) == before
        env.step(None)
    before = pickle.dumps(env.__getstate__())
    wrong = [kind for kind in range(3) if not env.table.action_mask()[kind]]
    for one in [None, 99, *wrong]:
        with pytest.raises(IllegalAction, match=r"not legal|not 99|None is only for"):
            env.step(one)
    assert pickle.dumps(env.__getstate__()) == before
    env.step(STRIKE)


@pytest.mark.parametrize("actor", range(3))
def test_the_game_ends_together_for_those_who_are_still_there(actor):
    env = started([1, 1, 1], actor)
    env.step(BURST)
    assert env.terminations == dict.fromkeys(env.agents, True)
    assert env.rewards == dict.fromkeys(env.agents, 0.0)  # all share the middle place
    order = []
    for agent in env.agent_iter():
        assert env.last()[1:4] == (0.0, True, False)
        order.append(int(agent[-1]))
        env.step(None)
    assert sorted(order) == [0, 1, 2]
    assert env.agents == []


def test_a_seat_that_left_is_not_touched_by_the_end_nor_by_the_cap():
    env = started([2, 1, 2, 2], 0, max_moves=2)
    env.step(STRIKE)
    assert env.agent_selection == "seat_1"
    env.step(None)
    assert env.agent_selection == "seat_2"
    env.step(STRIKE)
    assert env.truncations == {"seat_0": True, "seat_2": True, "seat_3": True}
    assert not any(env.terminations.values())
    assert env.rewards == pytest.approx({"seat_0": THIRD, "seat_2": THIRD, "seat_3": THIRD})
    for _ in range(3):
        assert env.last()[1] == pytest.approx(THIRD)
        env.step(None)
    assert env.agents == []
    with pytest.raises(IllegalAction, match="no game is on"):
        env.step(None)


def test_a_seat_that_leaves_without_any_reward_is_noticed():
    """The third of five earns 0, so nothing but its bit tells that it is out."""
    env = started([3, 1, 1, 2, 3], 0)
    env.step(BURST)
    assert [env.agent_selection, env.last()[1]] == ["seat_1", -0.75]
    env.step(None)
    env.step(None)
    for seat in (3, 4):
        assert env.agent_selection == f"seat_{seat}"
        env.step(STRIKE)
    assert env.agent_selection == "seat_0"
    env.step(STRIKE)
    assert env.agent_selection == "seat_3"
    assert env.last()[1:4] == (0.0, True, False)
    assert not any(env.rewards.values())
    env.step(None)
    assert env.agents == ["seat_0", "seat_4"]
    assert env.agent_selection == "seat_4"


def test_rewards_wait_for_a_seat_until_it_looks():
    """What a living seat earned on others' moves is still there after the steps with None in between."""
    env = started([2, 2, 1, 0, 2, 2], 0, team_size=2)
    env._cumulative_rewards["seat_1"] = 0.25  # as if earned earlier
    env.step(STRIKE)
    assert seats_of(env.agents) == [0, 1, 2, 3, 4, 5]
    for seat in (2, 3):
        assert (env.agent_selection, env.last()[1]) == (f"seat_{seat}", -1.0)
        env.step(None)
    assert (env.agent_selection, env.last()[1]) == ("seat_1", 0.25)


@pytest.mark.parametrize("options", ALL)
@pytest.mark.parametrize("make", [make_raw_env, make_env])
def test_whole_games_agree_with_the_state_and_the_batch(options, make):
    env, game = make("last_one", **options), LastOne(**options)
    choose = np.random.default_rng(0)
    left_early = sum(check_game(env, game, seed, choose) for seed in range(15))
    assert (left_early > 0) == (game.num_teams > 2)


@pytest.mark.parametrize("duplicate", DUPLICATES)
@pytest.mark.parametrize("make", [make_raw_env, make_env])
@pytest.mark.parametrize("options", [{"seats": 6}, {"seats": 6, "team_size": 2}])
def test_copies_at_any_point_go_on_alike_and_share_nothing(make, duplicate, options):
    games = {seed: play(make("last_one", **options), seed, np.random.default_rng(3)) for seed in range(20)}
    seed = max(games, key=lambda seed: early_steps(games[seed]))
    expected = games[seed]
    assert early_steps(expected) >= 2
    check_copies(lambda: make("last_one", **options), seed, expected, range(len(expected) + 1), duplicate)


@pytest.mark.parametrize("make", [make_raw_env, make_env])
@pytest.mark.parametrize("options", ALL)
def test_pettingzoo_finds_nothing(make, options):
    with strict_warnings():
        api_test(make("last_one", **options), num_cycles=200)
        seed_test(lambda: make("last_one", **options), num_cycles=60)


def test_an_illegal_action_under_the_wrappers_ends_the_game_for_those_who_are_there():
    env = started([2, 1, 2, 2], 0, make_env)
    env.step(STRIKE)
    env.step(None)
    assert env.agent_selection == "seat_2"
    assert not env.last()[0]["action_mask"][REST]
    env.step(REST)
    seen = {}
    for agent in env.agent_iter():
        seen[agent] = env.last()[1]
        env.step(None)
    assert seen == {"seat_0": 0, "seat_2": ILLEGAL_REWARD, "seat_3": 0}
    fresh = make_env("last_one", seats=4, lives=9)
    assert play(env, 5, np.random.default_rng(0)) == play(fresh, 5, np.random.default_rng(0))


def test_reset_in_the_middle_of_steps_with_none_starts_clean():
    env = started([2, 1, 2, 1], 0)
    env.step(BURST)
    env.step(None)
    fresh = make_raw_env("last_one", seats=4, lives=9)
    assert play(env, 8, np.random.default_rng(0)) == play(fresh, 8, np.random.default_rng(0))


def test_observe_shows_every_seat_its_own_view_also_between():
    env = started([2, 1, 2, 1], 0)
    env.step(BURST)
    for _ in range(2):
        for seat, agent in enumerate(env.possible_agents):
            view = env.observe(agent)
            np.testing.assert_array_equal(view["observation"], env.table.observe(seat))
            np.testing.assert_array_equal(view["action_mask"], env.table.action_mask(seat))
        env.step(None)


# The batch


@pytest.mark.parametrize("threads", [1, 2])
def test_games_that_are_given_up_begin_anew_and_depend_on_their_row_only(threads):
    """Row k of a batch of 200 is what a batch of its own plays when it is given up at the same moments."""
    game = LastOne(seats=5)
    generator = np.random.default_rng(4)
    batch = BatchEnv(game, 200, seed=9, threads=threads)
    alone = {row: BatchEnv(game, 1, seed=0) for row in (0, 77, 199)}
    step = batch.reset()
    for row, own in alone.items():
        own.reset_to(batch.states[row : row + 1].copy())
    for _ in range(40):
        actions = np.array([generator.choice(np.flatnonzero(mask)) for mask in step.action_mask])
        step = batch.step(actions)
        steps = {row: own.step(actions[row : row + 1]) for row, own in alone.items()}
        for row, one in steps.items():
            assert (one.done[0], one.rewards[0].tolist()) == (step.done[row], step.rewards[row].tolist())
        rows = generator.random(200) < 0.1
        others = batch.states[~rows].tobytes()
        step = batch.begin(rows if generator.random() < 0.5 else np.flatnonzero(rows))
        assert batch.states[~rows].tobytes() == others
        assert (batch.states.moves[rows] == 0).all()
        assert not step.rewards.any()
        assert not step.done.any()
        for row, own in alone.items():
            one = own.begin([rows[row]])
            assert batch.states[row].tobytes() == own.states[0].tobytes()
            np.testing.assert_array_equal(one.action_mask[0], step.action_mask[row])
            np.testing.assert_array_equal(one.observations[0], step.observations[row])
    batch.close()


def test_what_a_game_earned_before_it_was_given_up_is_not_earned_again():
    game = LastOne(seats=4, lives=1)
    batch = BatchEnv(game, 1, seed=3)
    step = batch.reset()
    while not game_left(batch.states, 0):
        step = batch.step([np.flatnonzero(step.action_mask[0])[0]])
    step = batch.begin([0])
    total = np.zeros(4)
    while True:
        step = batch.step([np.flatnonzero(step.action_mask[0])[0]])
        total += step.rewards[0]
        if step.done[0]:
            break
    np.testing.assert_allclose(total, step.final_returns[0], atol=1e-6)


def test_begin_before_the_first_reset_is_refused():
    with pytest.raises(IllegalAction, match="reset"):
        BatchEnv(LastOne(), 2).begin([0])


def test_without_autoreset_games_stay_as_they_ended():
    game = LastOne()
    batch, other = BatchEnv(game, 20, seed=2, autoreset=False), BatchEnv(game, 20, seed=2)
    step, restarting = batch.reset(), other.reset()
    running = np.ones(20, dtype=bool)
    while running.any():
        actions = np.where(running, np.argmax(step.action_mask, axis=1), -1)
        step, restarting = batch.step(actions), other.step(actions)
        np.testing.assert_array_equal(step.done, restarting.done)
        np.testing.assert_array_equal(step.final_returns[step.done], restarting.final_returns[step.done])
        running &= ~step.done
    assert (step.actor == -1).all()
    assert not step.action_mask.any()
    assert not step.observations.any()
    for row in range(20):
        np.testing.assert_array_equal(game.returns(batch.states, row), step.final_returns[row])
    with pytest.raises(IllegalAction, match="not legal"):
        batch.step(np.zeros(20, np.int64))
    twin = pickle.loads(pickle.dumps(batch))
    step = twin.begin(np.arange(3))
    assert (step.actor[:3] >= 0).all()
    assert (step.actor[3:] == -1).all()


# Random games


@pytest.mark.parametrize("options", [*LastOne.variants.values(), *ALL[:3]])
def test_fuzz_finds_nothing_wrong(options):
    result = fuzz(LastOne(**options), 1000, seed=1)
    assert result.failures == []
    assert result.games == 1000
    assert 0.4 < result.other_worlds / result.worlds < 0.95


@pytest.mark.parametrize(
    ("good", "bad", "reason"),
    [
        ("if place2 > 0 else 0.0", "+ 0.01 * states[i].moves if place2 > 0 else 0.0", loops.BROKEN_LEFT),
        (
            "if s.lives[other] > 0:\n            s.actor = other",
            "if s.lives[other] > 0 or s.place2[other] > 0:\n            s.actor = other",
            loops.BROKEN_LEFT,
        ),
        ("    reseed(s.rng, rng)\n", "    reseed(s.rng, rng)\n    s.left = 0\n", loops.WORLD_ACTOR),
    ],
    ids=["earns", "acts", "world"],
)
def test_fuzz_finds_seats_that_have_left_and_are_still_there(good, bad, reason, python, tmp_path):
    """Interpreted, so that broken games need no compiling."""
    source = Path(tests.last_one.__file__).read_text()
    assert source.count(good) == 1
    (tmp_path / "broken.py").write_text(source.replace(good, bad))
    (tmp_path / "tiny_game.yaml").write_text(LastOne.cards_path.read_text())
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from tests.fuzz import main; sys.exit(main(sys.argv[1:]))"
    )
    arguments = ["broken:LastOne", "--games", "60", "--threads", "1", "--variant", "six"]
    result = python("-c", code, *arguments, env={"NUMBA_DISABLE_JIT": "1"}, check=False)
    assert result.returncode == 1, result.stdout + result.stderr
    assert REASONS[reason] in result.stdout


# The record


def test_the_field_is_checked_when_a_game_is_registered():
    kernels = Kernels(*LastOne().kernels)
    fields = [(name, *DTYPE.fields[name]) for name in DTYPE.names]
    wrong = np.dtype([(name, np.int16 if name == "left" else kind) for name, kind, _ in fields])
    with pytest.raises(ValueError, match="'left' of type"):
        register_kernels(wrong, kernels)


def test_games_without_the_field_end_for_all_together(tiny):
    state = tiny.new_state(1)
    while not state.is_over:
        assert not state.has_left(0)
        assert game_left(state.states, 0) == 0
        state.apply(state.legal_actions()[0])
    assert state.has_left(0)
    assert state.has_left(1)


@pytest.mark.parametrize("options", ALL)
def test_places_by_returns_are_those_that_the_game_gives(options):
    game = LastOne(**options)
    generator = np.random.default_rng(0)
    for seed in range(20):
        state = game.new_state(seed)
        while not state.is_over:
            state.apply(int(generator.choice(state.legal_actions())))
        np.testing.assert_allclose(super(LastOne, game).places(state.states), game.places(state.states))


def test_positions_load_as_they_were_dumped():
    game = LastOne(seats=6, team_size=2)
    state = game.new_state(3)
    while not state.is_over:
        again = game.from_position(state.to_position())
        assert again.to_position() == state.to_position()
        assert again.problems() == []
        state.apply(state.legal_texts()[-1])
    assert set(state.game.texts[0]) == set(KINDS)
