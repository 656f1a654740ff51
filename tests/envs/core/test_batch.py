"""BatchEnv: one game is played the same whatever surrounds it; autoreset, views, refusals, threads and processes."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import os
import pickle
import re
import threading
import time

import numpy as np
import pytest

from cardzoo.envs import BatchEnv, IllegalAction, OptionError
from cardzoo.envs.core.batch import BatchStep
from cardzoo.envs.core.loops import SKIP, WAITING, open_desk
from cardzoo.envs.core.state import State
from tests.tiny_game import TinyGame


def choose(step, count):
    """A legal action for each row that depends on the row's own history only: by the row's number of moves."""
    actions = np.empty(len(step.actor), np.int64)
    for row, mask in enumerate(step.action_mask):
        legal = np.flatnonzero(mask)
        actions[row] = legal[(count * 7 + row) % len(legal)]
    return actions


def play(batch, steps, seed=None):
    """Everything that `steps` steps return, as copies."""
    step = batch.reset(seed)
    history = [copy.deepcopy(step)]
    for count in range(steps):
        step = batch.step(choose(step, count))
        history.append(copy.deepcopy(step))
    return history


def equal(first, second, rows=slice(None)):
    for one, other in zip(first, second, strict=True):
        for name, a, b in zip(one._fields, one, other, strict=True):
            if name.startswith("final"):  # defined where done only
                a, b = a[rows][one.done[rows]], b[rows][other.done[rows]]
                assert np.array_equal(a, b), name
            else:
                assert np.array_equal(a[rows], b[rows]), name


def test_rows_follow_the_plain_states(tiny):
    """The same seed and actions through State give every number that the batch gives, over many games."""
    batch = BatchEnv(tiny, 6, seed=3)
    step = batch.reset()
    states = [State(tiny, tiny.new_states(6, 3)[row : row + 1]) for row in range(6)]
    finished = 0
    for count in range(40):
        for row, state in enumerate(states):
            assert step.actor[row] == state.actor
            assert np.array_equal(step.observations[row], state.observe(state.actor))
            assert np.array_equal(step.action_mask[row], state.action_mask())
            assert batch.states[row].tobytes() == state.states[0].tobytes()
        actions = choose(step, count)
        step = batch.step(actions)
        for row, state in enumerate(states):
            before = state.returns
            state.apply(int(actions[row]))
            assert np.array_equal(step.rewards[row], (state.returns - before).astype(np.float32))
            assert step.done[row] == state.is_over
            if state.is_over:
                finished += 1
                assert step.truncated[row] == state.outcome.truncated
                assert np.array_equal(step.final_returns[row], state.returns.astype(np.float32))
                assert np.array_equal(step.final_observations[row], [state.observe(seat) for seat in range(2)])
                record = tiny.blank_states(1)
                record.rng[:] = state.states.rng  # the documented rule: on from the generator state it ended with
                tiny.kernels.setup(record, 0, tiny.rules)
                states[row] = State(tiny, record)
            else:
                assert not step.truncated[row]
    assert finished == 6 * 5


def test_capped_games_are_truncated():
    batch = BatchEnv(TinyGame(max_tricks=1), 4)
    batch.reset()
    step = batch.step(choose(batch.reset(), 0))
    step = batch.step(choose(step, 1))
    assert step.done.all()
    assert step.truncated.all()
    assert not step.rewards.any()


def test_final_returns_are_the_sums_of_rewards(tiny):
    totals = np.zeros((5, 2))
    for step in play(BatchEnv(tiny, 5), 200)[1:]:
        totals += step.rewards
        assert np.array_equal(totals[step.done], step.final_returns[step.done])
        assert np.array_equal(step.final_returns[step.done].sum(axis=1), np.zeros(step.done.sum()))
        totals[step.done] = 0


@pytest.mark.parametrize(("num_envs", "threads"), [(1, 1), (3, 2), (8, 8), (8, 3), (5, 100)])
def test_games_do_not_depend_on_batch_size_or_threads(tiny, num_envs, threads):
    expected = play(BatchEnv(tiny, 8), 30)
    equal(expected, play(BatchEnv(tiny, 8, threads=threads), 30))
    smaller = play(BatchEnv(tiny, num_envs, threads=threads), 30)
    for one, other in zip(expected, smaller, strict=True):
        assert np.array_equal(one.observations[:num_envs], other.observations)
        assert np.array_equal(one.rewards[:num_envs], other.rewards)


def test_interleaved_batches_and_global_random_state_do_not_matter(tiny):
    expected = play(BatchEnv(tiny, 4, seed=9), 20)
    first, second = BatchEnv(tiny, 4, seed=9), BatchEnv(TinyGame(hand=1), 7, seed=1)
    step, other = first.reset(), second.reset()
    history = [copy.deepcopy(step)]
    for count in range(20):
        np.random.seed(count)  # noqa: NPY002
        other = second.step(choose(other, count))
        step = first.step(choose(step, count))
        history.append(copy.deepcopy(step))
    equal(expected, history)


def test_seeds_repeat_and_resets_without_a_seed_go_on(tiny):
    batch = BatchEnv(tiny, 4, seed=1)
    first = batch.reset().observations.copy()
    second = batch.reset().observations.copy()
    assert not np.array_equal(first, second)
    assert np.array_equal(batch.reset(seed=1).observations, first)
    assert np.array_equal(batch.reset().observations, second)
    assert not np.array_equal(BatchEnv(tiny, 4, seed=2).reset().observations, first)
    fresh = [BatchEnv(tiny, 50, seed=None).reset().observations for _ in range(2)]
    assert not np.array_equal(*fresh)


def test_first_game_is_the_one_that_new_state_starts(tiny):
    batch = BatchEnv(tiny, 3, seed=21)
    batch.reset()
    assert batch.states[0].tobytes() == tiny.new_state(21).states[0].tobytes()


def test_rows_play_different_games_in_turn(tiny):
    batch = BatchEnv(tiny, 64)
    deals = {record.tobytes() for record in batch.reset() and batch.states}
    step = batch.reset()
    for count in range(8):  # to the end of the first games, which restart
        step = batch.step(choose(step, count))
    assert step.done.all()
    deals |= {record.tobytes() for record in batch.states}
    assert len(deals) == 128


def test_returned_arrays_are_views_that_the_next_step_overwrites_unless_copies_are_asked_for(tiny):
    batch = BatchEnv(tiny, 4)
    step = batch.reset()
    kept = step.observations.copy()
    following = batch.step(choose(step, 0))
    assert np.shares_memory(step.observations, following.observations)
    assert not np.array_equal(step.observations, kept)

    batch = BatchEnv(tiny, 4, copy=True)
    step = batch.reset()
    kept = copy.deepcopy(step)
    for count in range(10):
        batch.step(choose(step, 0) if count == 0 else choose(batch._step, count))
    equal([kept], [step])


def test_writing_into_returned_arrays_changes_no_game(tiny):
    expected = play(BatchEnv(tiny, 4), 20)
    batch = BatchEnv(tiny, 4)
    step = batch.reset()
    for count in range(20):
        actions = choose(step, count)
        for array in step:
            array[...] = 1
        step = batch.step(actions)
        equal([expected[count + 1]], [step])


def test_spoilt_mask_does_not_make_an_action_legal(tiny):
    batch = BatchEnv(tiny, 4)
    step = batch.reset()
    illegal = [int(np.flatnonzero(~mask)[0]) if not mask.all() else SKIP for mask in step.action_mask]
    step.action_mask[:] = True
    with pytest.raises(IllegalAction):
        batch.step(illegal)


def test_minus_one_leaves_a_game_untouched(tiny):
    batch = BatchEnv(tiny, 4)
    step = batch.reset()
    for count in range(30):
        actions = choose(step, count)
        actions[2] = SKIP
        before = (batch.states[2].tobytes(), step.observations[2].copy(), step.action_mask[2].copy(), step.actor[2])
        step = batch.step(actions)
        assert batch.states[2].tobytes() == before[0]
        assert np.array_equal(step.observations[2], before[1])
        assert np.array_equal(step.action_mask[2], before[2])
        assert step.actor[2] == before[3]
        assert not step.done[2]
        assert not step.rewards[2].any()
        actions[:] = SKIP


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 0], "actions are 3 integers, one for each game, not an array of type int64 and shape (2,)."),
        ([[0], [0], [0]], "actions are 3 integers"),
        ([0.0, 0.0, 0.0], "actions are 3 integers, one for each game, not an array of type float64"),
        ([True, True, True], "not an array of type bool"),
        ([SKIP, 3, SKIP], "game 1: the actions of tiny are 0 to 2 (or -1 to leave it as it is), not 3."),
        ([SKIP, SKIP, -2], "game 2: the actions of tiny are 0 to 2 (or -1 to leave it as it is), not -2."),
        (np.array([0, 0, 2**64 - 1], np.uint64), "there is no action 18446744073709551615."),
    ],
)
def test_what_is_no_action_is_refused_and_changes_nothing(tiny, actions, message):
    batch = BatchEnv(tiny, 3, seed=0)
    batch.reset()
    before = batch.states.tobytes()
    with pytest.raises(IllegalAction, match=re.escape(message)):
        batch.step(actions)
    assert batch.states.tobytes() == before


def test_one_illegal_action_is_named_with_its_game_and_no_game_is_changed(tiny):
    position = {"hands": [["cat", "cat"], ["dog", "mouse"]], "deck": ["mouse", "mouse", "dog", "cat"]}
    batch = BatchEnv(tiny, 2)
    batch.reset_to(np.repeat(tiny.from_position(position).states, 2).view(np.recarray))
    before = batch.states.tobytes()
    message = r"action 2 \('play dog'\) is not legal for game 1, seat 0; legal are: play cat\."
    with pytest.raises(IllegalAction, match=message):
        batch.step([1, 2])
    assert batch.states.tobytes() == before
    assert batch.step(np.array([1, 1], np.int8)).actor.tolist() == [1, 1]


def test_step_before_reset_and_bad_sizes_are_refused(tiny):
    with pytest.raises(IllegalAction, match=r"call reset\(\) before step\(\)"):
        BatchEnv(tiny, 2).step([0, 0])
    for arguments in ({"num_envs": 0}, {"num_envs": 2, "threads": 0}, {"num_envs": 2.0}, {"num_envs": True}):
        with pytest.raises(OptionError, match="is an integer of at least 1"):
            BatchEnv(tiny, **arguments)


def test_reset_to_goes_on_from_given_games(tiny):
    batch = BatchEnv(tiny, 2)
    states = tiny.new_states(2, 77)
    step = batch.reset_to(states)
    assert batch.states.tobytes() == states.tobytes()
    assert np.array_equal(step.observations[1], tiny.observe(states, 1, int(states.actor[1])))
    batch.step(choose(step, 0))
    assert states.tobytes() == tiny.new_states(2, 77).tobytes()  # copied
    states.actor[1] = -1
    with pytest.raises(OptionError, match="game 1 is over"):
        batch.reset_to(states)
    with pytest.raises(OptionError, match="needs 2 records of tiny"):
        batch.reset_to(tiny.new_states(3))


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
@pytest.mark.parametrize("threads", [1, 2])
def test_copies_go_on_alike_and_share_nothing(tiny, duplicate, threads):
    batch = BatchEnv(tiny, 5, threads=threads)
    step = batch.reset()
    for count in range(5):
        step = batch.step(choose(step, count))
    twin = duplicate(batch)
    for count in range(5, 25):
        actions = choose(step, count)
        before = batch.states.tobytes()
        other = copy.deepcopy(twin.step(actions))
        assert batch.states.tobytes() == before
        step = batch.step(actions)
        equal([step], [other])


def test_memory_is_accounted_for():
    game = TinyGame()
    batch = BatchEnv(game, 1000)
    per_game = (
        game.dtype.itemsize + 2 * game.num_actions + 4 * game.observation_size * (1 + 2) + 8 + 1 + 2 * 8 + 2 * 4 * 2 + 2
    )
    counters = 128  # a cache line for one thread, and one for all
    assert batch.nbytes == 1000 * per_game + game.dtype.itemsize + counters
    arrays = [value for value in vars(batch).values() if isinstance(value, np.ndarray)] + list(batch._step)
    assert sum(array.nbytes for array in arrays) == batch.nbytes


def play_at_random(batch, steps, seed=None):
    """What `steps` steps of the batch's own random actions return, as copies."""
    step = batch.reset(seed)
    history = [copy.deepcopy(step)]
    for _ in range(steps):
        step = batch.step(step.sampled)
        history.append(copy.deepcopy(step))
    return history


def test_sampled_actions_are_legal_and_uniform_and_leave_the_games_alone(tiny):
    batch = BatchEnv(tiny, 3000, seed=1, sample=True)
    step = batch.reset()
    assert np.array_equal(step.observations, BatchEnv(tiny, 3000, seed=1).reset().observations)
    counts = step.action_mask.sum(axis=1)
    assert step.action_mask[np.arange(3000), step.sampled].all()
    first = (np.argmax(step.action_mask, axis=1) == step.sampled)[counts == 2]
    assert len(first) > 500
    assert abs(first.mean() - 1 / 2) < 4 * np.sqrt(1 / 4 / len(first))


@pytest.mark.parametrize("threads", [1, 3])
def test_sampled_play_repeats_with_the_seed_whatever_the_threads(tiny, threads):
    expected = play_at_random(BatchEnv(tiny, 8, sample=True), 30, seed=6)
    equal(expected, play_at_random(BatchEnv(tiny, 8, seed=2, threads=threads, sample=True), 30, seed=6))
    fewer = play_at_random(BatchEnv(tiny, 3, threads=threads, sample=True), 30, seed=6)
    equal([BatchStep._make(part[:3] for part in step) for step in expected], fewer)
    batch = BatchEnv(tiny, 8, sample=True)
    step = batch.reset(seed=6)
    for _ in range(10):
        step = batch.step(step.sampled)
    twin = pickle.loads(pickle.dumps(batch))
    actions = step.sampled.copy()
    equal([copy.deepcopy(batch.step(actions))], [twin.step(actions)])
    actions = batch._step.sampled.copy()
    equal([batch.step(actions)], [twin.step(actions)])


def test_games_that_are_over_have_no_sampled_action(tiny):
    batch = BatchEnv(tiny, 20, seed=3, sample=True, autoreset=False)
    step = batch.reset()
    for _ in range(200):
        over = ~step.action_mask.any(axis=1)
        assert (step.sampled[over] == SKIP).all()
        assert step.action_mask[~over, step.sampled[~over]].all()
        step = batch.step(step.sampled)
    assert over.all()


def test_nothing_is_sampled_unless_asked(tiny):
    assert BatchEnv(tiny, 4).reset().sampled.shape == (0,)


def in_a_worker(batch, queue):
    queue.put([step.rewards.copy() for step in play(batch, 20, seed=4)])


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_worker_processes_play_on_after_the_parent_used_its_threads(tiny, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    batch = BatchEnv(tiny, 6, threads=3)
    expected = [step.rewards.copy() for step in play(batch, 20, seed=4)]
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    workers = [context.Process(target=in_a_worker, args=(batch, queue)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for _ in workers:
        assert all(np.array_equal(a, b) for a, b in zip(expected, queue.get(timeout=120), strict=True))
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    batch.step(choose(batch.reset(), 0))  # and so does the parent


def test_threads_are_made_anew_after_closing(tiny):
    batch = BatchEnv(tiny, 6, threads=3)
    step = batch.reset()
    batch.close()
    batch.close()
    assert batch.step(choose(step, 0)).actor.shape == (6,)
    assert batch._owner == os.getpid()


def threads_of(batch):
    """Reset a new batch; return the threads that it started (those of others may end meanwhile)."""
    before = set(threading.enumerate())
    batch.reset()
    return set(threading.enumerate()) - before


def wait_for_end(threads):
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()


def leaving_all_to_threads(batch):
    """A call for the caller's share of a step that opens it and takes no game."""

    def call():
        open_desk(batch._desk)
        return WAITING

    return call


def test_error_in_a_thread_reaches_the_caller_and_the_next_step_has_new_threads(tiny):
    batch = BatchEnv(tiny, 4, threads=2)
    threads = threads_of(batch)
    real = batch._calls

    def fail():
        raise MemoryError("from the thread")

    batch.close()
    wait_for_end(threads)
    batch._calls = [leaving_all_to_threads(batch), fail]
    with pytest.raises(MemoryError):
        batch.reset()
    batch._calls = real
    equal(play(batch, 10, seed=5), play(BatchEnv(tiny, 4), 10, seed=5))


def test_caller_waits_for_a_slow_thread(tiny):
    batch = BatchEnv(tiny, 4, threads=2)
    threads = threads_of(batch)
    batch.close()
    wait_for_end(threads)
    helper = batch._calls[1]

    def slow():
        time.sleep(0.2)
        return helper()

    batch._calls = [leaving_all_to_threads(batch), slow]
    expected = BatchEnv(tiny, 4)
    equal([batch.reset(seed=8)], [expected.reset(seed=8)])


def test_threads_of_a_dropped_batch_end(tiny):
    batch = BatchEnv(tiny, 6, threads=3)
    threads = threads_of(batch)
    assert len(threads) == 2
    del batch
    gc.collect()
    wait_for_end(threads)
