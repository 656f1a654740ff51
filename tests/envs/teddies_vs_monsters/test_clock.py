"""The clock (R1, R2): nothing lands before its time, twice as fast is twice as often, and nobody has priority."""

from __future__ import annotations

import numpy as np
import pytest

from cardzoo.envs import BatchEnv
from cardzoo.envs.teddies_vs_monsters.game import TeddiesVsMonsters
from cardzoo.envs.teddies_vs_monsters.state import IDLE, KINDS

ONE_KEY = {"keys_to_win": 1, "max_rounds": 2}


def played(game, games, seed, steps):
    """States of random games before and after each of so many moves, as (before, after) of records (games,)."""
    batch = BatchEnv(game, games, seed=seed, sample=True, copy=False)
    step = batch.reset()
    for _ in range(steps):
        before = batch.states.copy()
        step = batch.step(step.sampled)
        same_deal = ~step.done & (before.round_no == batch.states.round_no) & (before.sudden == batch.states.sudden)
        yield before[same_deal], batch.states[same_deal].copy()


@pytest.mark.parametrize("options", [{}, {"seats": 4}, {"pace": [50, 200], "reaction": 0, "jitter": [0, 50]}], ids=str)
def test_nothing_lands_before_its_time_and_time_never_runs_backwards(options):
    """An act that is under way stays as it is until the clock reaches its landing, and is gone then."""
    game = TeddiesVsMonsters(**options)
    seats = game.num_seats
    landed = 0
    for before, after in played(game, 64, 3, 400):
        assert (after.tick >= before.tick).all()
        asked = np.arange(seats) == before.actor[:, None]
        under_way = (before.p_kind[:, :seats] != IDLE) & ~asked
        due = before.p_due[:, :seats]
        assert (due[under_way] > np.broadcast_to(before.tick[:, None], due.shape)[under_way]).all()
        early = under_way & (due > after.tick[:, None])
        for field in ("p_kind", "p_card", "p_room", "p_side", "p_due"):
            assert (before[field][:, :seats][early] == after[field][:, :seats][early]).all()
        over = under_way & (due <= after.tick[:, None])
        still = over & (after.p_kind[:, :seats] != IDLE)
        assert (after.p_due[:, :seats][still] > np.broadcast_to(after.tick[:, None], due.shape)[still]).all()
        landed += int(over.sum())
    assert landed > 3000


@pytest.mark.parametrize("jitter", [0, 4])
def test_an_act_lands_after_its_tempo_and_reaction_and_at_most_the_jitter(jitter):
    """Tempo times pace, rounded; reaction for acts that answer the table; no jitter for wait."""
    game = TeddiesVsMonsters(pace=[150, 100], reaction=[3, 4], jitter=jitter, start_hand="face_down")
    tempo = dict(game.options["tempo"])
    answers = ("place", "attack", "bomb", "trap", "disarm", "claim", "call")
    seen = {}
    for before, after in played(game, 64, 5, 600):
        seat = before.actor
        rows = np.arange(len(before))
        begun = (after.p_kind[rows, seat] != IDLE) & (after.tick == before.tick)
        for row in np.flatnonzero(begun):
            kind = KINDS[int(after.p_kind[row, seat[row]])]
            took = int(after.p_due[row, seat[row]]) - int(before.tick[row])
            pace, reaction = ((150, 3), (100, 4))[int(seat[row])]
            least = max(1, (tempo[kind] * pace + 50) // 100) + (reaction if kind in answers else 0)
            assert 0 <= took - least <= (0 if kind == "wait" else jitter)
            seen.setdefault(kind, set()).add(took - least)
    assert {"place", "attack", "trap", "disarm", "discard", "draw", "wait", "look"} <= set(seen)
    assert seen["draw"] == set(range(jitter + 1))


def test_a_seat_twice_as_fast_acts_about_twice_as_often():
    game = TeddiesVsMonsters(pace=[100, 200], reaction=0, jitter=0)
    acts = np.zeros(2)
    for before, _ in played(game, 256, 7, 600):
        acts += np.bincount(before.actor[before.picked < 0], minlength=2)
    assert acts[0] / acts[1] == pytest.approx(2, abs=0.15)


def test_landings_of_one_tick_are_settled_in_each_order_equally_often():
    """R2: both claim the same room; who lands first has it. Four standard errors of 4,000 fair draws."""
    game = TeddiesVsMonsters(jitter=0)
    position = {
        "rooms": {
            1: {"bedroom": "b2_01", "teddies": {"row": ["heart", "moon", "star", "honey"]}},
            2: {"bedroom": "b1_01", "claimed": "teddies", "teddies": {"row": ["heart", "star", "moon"]}},
            3: {"bedroom": "b1_02", "claimed": "monsters", "monsters": {"row": ["slime", "eye", "fang"]}},
        },
        "pending": {"monsters_0": {"action": "claim 1", "lands": 24}},
    }
    position["rooms"][1]["monsters"] = {"row": ["claw", "eye", "slime", "fang"]}
    games = 4000
    states = np.repeat(game.from_position(position).states, games).view(np.recarray)
    states.rng[:] = game.new_states(games, 11).rng
    batch = BatchEnv(game, games, autoreset=False)
    batch.reset_to(states)
    batch.step(np.full(games, game.parse("claim 1")))
    teddies = batch.states.keys[:, 0].sum()
    assert batch.states.keys.sum() == games
    assert abs(teddies - games / 2) < 4 * np.sqrt(games / 4)


@pytest.mark.parametrize("seats", [2, 4])
def test_equal_players_win_equally_often_on_both_sides(seats):
    """Four standard errors over 20,000 games of one key, played at random (of all that is decided)."""
    game = TeddiesVsMonsters(seats=seats, **ONE_KEY)
    batch = BatchEnv(game, 2048, seed=13, threads=2, sample=True)
    step = batch.reset()
    wins = np.zeros(2)
    while wins.sum() < 20_000:
        step = batch.step(step.sampled)
        returns = step.final_returns[step.done]
        wins += [(returns[:, 0] > 0).sum(), (returns[:, 0] < 0).sum()]
    assert abs(wins[0] - wins.sum() / 2) < 4 * np.sqrt(wins.sum() / 4)
