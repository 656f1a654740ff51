"""Matches: pairing, forfeits, independence of threads."""

from __future__ import annotations

import numpy as np
import pytest

from cardzoo.agents.base import Agent
from cardzoo.agents.human import PlayerLeft
from cardzoo.agents.random import RandomAgent
from cardzoo.training.arena import ask, check_answers, play_matches
from tests.last_one import LastOne
from tests.training.scripted_game import Answering, Blundered, Scripted

BOTH = np.array([[0, 1], [1, 0]], dtype=np.intp)


class Faulty(Agent):
    """Random, except that it misbehaves at some decisions."""

    def __init__(self, game, fault, when):
        super().__init__(game, "faulty")
        self.fault, self.when = fault, when
        self._random = RandomAgent(game, 0)

    def act(self, decisions):
        actions = self._random.act(decisions)
        for row in range(len(decisions)):
            if self.when(decisions.observations[row]):
                if self.fault == "raise":
                    raise RuntimeError("no idea")
                actions[row] = -5 if self.fault == "outside" else int(np.argmin(decisions.masks[row]))
        return actions


@pytest.mark.parametrize("fault", ["raise", "outside", "illegal"])
def test_a_player_that_fails_loses_that_game_only_and_the_reason_is_recorded(tiny, fault):
    scalars = tiny.observations["scalars"]

    def when(seen):  # three tricks done, leading, not all cards in hand: comes up in some games only
        return seen[scalars][4] * 16 == 3 and seen[scalars][3] == 1 and not seen[0:3].all()

    faulty = Faulty(tiny, fault, when)
    deals = np.repeat(tiny.new_states(60, 1), 2)
    records = play_matches(tiny, [faulty, RandomAgent(tiny, 1)], np.tile(BOTH, (60, 1)), deals)
    lost = records.forfeits >= 0
    assert 0 < lost.sum() < 120
    seats = np.tile([0, 1], 60)
    np.testing.assert_array_equal(records.forfeits[lost], seats[lost])
    assert (records.returns[lost, seats[lost]] == -1).all()
    assert (records.returns[lost, 1 - seats[lost]] == 1).all()
    assert set(records.reasons) == set(np.flatnonzero(lost))
    expected = {"raise": "faulty: raised RuntimeError: no idea", "outside": "illegal action -5", "illegal": "illegal"}
    assert all(expected[fault] in reason for reason in records.reasons.values())
    assert (records.decisions[~lost] == 8).all()  # the other games went on to their ends


def test_a_goal_is_recorded_and_after_a_forfeit_only_the_others_keep_what_they_have_reached():
    game = Blundered(length=6)

    class Failing(Answering):
        def act(self, decisions):
            if (decisions.observations[:, 0] >= np.float32(0.04)).any():  # its third decision
                raise RuntimeError("no idea")
            return super().act(decisions)

    deals = np.repeat(game.new_states(5, 1), 2)
    for fails, other, expected in (
        (Answering(game, "wrong"), "wrong", [True, True]),
        (Answering(game, "wrong"), "right", [True, False]),
        (Failing(game, "wrong"), "wrong", [False, True]),
        (Failing(game, "wrong"), "right", [False, False]),
    ):
        records = play_matches(game, [fails, Answering(game, other)], np.tile(BOTH, (5, 1)), deals, chunk=4)
        assert (records.forfeits >= 0).all() == isinstance(fails, Failing)
        np.testing.assert_array_equal(records.reached, np.tile([expected, expected[::-1]], (5, 1)))
    assert not play_matches(Scripted(), [RandomAgent(game, 1)], np.zeros((4, 2), np.intp), deals[:4]).reached.any()


def test_a_forfeit_in_a_team_is_a_missed_goal_for_all_its_seats():
    class Everybody(LastOne):
        goal = "was there"

        def reached(self, states):
            return np.ones(self.num_seats, np.bool_)

    class Broken(Agent):
        def act(self, decisions):
            raise RuntimeError("no idea")

    game = Everybody(seats=6, team_size=2, lives=9)
    seating = np.repeat([[1, 1, 0, 0, 1, 1]], 8, axis=0)
    records = play_matches(game, [Broken(game, "broken"), RandomAgent(game, 1)], seating, game.new_states(8, 1))
    lost = records.forfeits >= 0
    assert lost.sum() > 4
    assert records.reached[~lost].all()
    np.testing.assert_array_equal(records.reached[lost], [[True, True, False, False, True, True]] * lost.sum())


def test_answers_that_are_no_integers_are_a_fault(tiny):
    masks = np.ones((2, 3), dtype=bool)
    with pytest.raises(ValueError, match="2 decisions"):
        check_answers(np.array([0.0, 1.0]), masks)
    with pytest.raises(ValueError, match="2 decisions"):
        check_answers([1], masks)
    actions, faults = check_answers(np.array([1, 2], dtype=np.uint8), masks)
    assert actions.tolist() == [1, 2]
    assert not faults


def test_a_person_who_leaves_ends_the_match(tiny):
    class Leaving(Agent):
        def act(self, decisions):
            raise PlayerLeft("bye")

    with pytest.raises(PlayerLeft):
        play_matches(tiny, [Leaving(tiny, "leaving"), RandomAgent(tiny)], BOTH, np.repeat(tiny.new_states(1, 1), 2))


def test_results_do_not_depend_on_threads(tiny):
    deals = np.repeat(tiny.new_states(40, 3), 2)
    seating = np.tile(BOTH, (40, 1))
    players = [RandomAgent(tiny, 1), RandomAgent(tiny, 2)]
    one = play_matches(tiny, players, seating, deals, seed=9, chunk=16, threads=1)
    two = play_matches(tiny, players, seating, deals, seed=9, chunk=16, threads=3)
    np.testing.assert_array_equal(one.returns, two.returns)
    np.testing.assert_array_equal(one.first, two.first)


def test_deals_are_not_changed_and_seats_are_kept(tiny):
    deals = tiny.new_states(4, 3)
    before = deals.tobytes()
    play_matches(tiny, [RandomAgent(tiny, 1), RandomAgent(tiny, 2)], np.tile(BOTH, (2, 1)), deals)
    assert deals.tobytes() == before


def test_the_better_player_wins_from_both_seats():
    game = Scripted(length=6)

    class Good(Agent):
        def act(self, decisions):
            return np.array([int(state.right) for state in decisions.worlds(np.ones(4, np.uint32))])

    records = play_matches(
        game, [Good(game, "good"), RandomAgent(game, 1)], np.tile(BOTH, (50, 1)), np.repeat(game.new_states(50, 2), 2)
    )
    assert (records.returns[0::2, 0] > records.returns[0::2, 1]).mean() > 0.9
    assert (records.returns[1::2, 1] > records.returns[1::2, 0]).mean() > 0.9


def test_a_batch_is_asked_again_one_by_one_only_when_it_fails(tiny):
    calls = []

    class Counting(RandomAgent):
        def act(self, decisions):
            calls.append(len(decisions))
            return super().act(decisions)

    play_matches(tiny, [Counting(tiny, 1)], np.zeros((10, 2), dtype=np.intp), tiny.new_states(10, 1))
    assert set(calls) == {10}
    assert ask.__doc__
