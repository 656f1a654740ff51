"""Seats that come to a result while the other plays on: leaving, gambling on, starting over (R22, R25, R28)."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from cardzoo.envs import Game, State
from cardzoo.envs.bloodsport_gambler_v0 import env, raw_env
from tests.support.aec import DUPLICATES, check_copies, check_game, early_steps, play
from tests.support.players import game_with

FINISHED = {
    "paid_off": {"coin": 14, "chance": 0, "paid": [3, 4, 5, 6, 7]},
    "defeated": {"coin": 2, "chance": 0, "paid": [3]},
}
OTHER = {"coin": 2, "chance": 1, "hand": {"hurl_flagon": 1}}  # skips, so its first decision is its discard
HAND = {"inside_man": 2, "blinding_mirror": 1}
CASES = [(seat, result) for seat in range(2) for result in FINISHED]


def load(**options: Any) -> Game:
    return game_with("bloodsport_gambler", json.dumps(options))


def settle(seat: int, result: str, coins: int | None = None, **options: Any) -> State:
    """A settlement in which a seat comes to a result, with its own number of coins if given; the other skips."""
    game = load(**{"objective": "outcome", **options})
    seats = {f"seat{seat}": FINISHED[result] | {"hand": HAND}, f"seat{1 - seat}": OTHER}
    if coins is not None:
        seats[f"seat{seat}"]["coin"] = coins
    return game.from_position({"at": "settle", "first": seat, "guard": 2, **seats})


def at_random(state: State, never: int | None = None, seed: int = 1) -> State:
    """Play to the end; a seat that has left never acts, and its return stays."""
    rng = np.random.default_rng(seed)
    returns = state.returns
    while not state.is_over:
        assert never is None or (state.actor != never and state.has_left(never))
        state.apply(int(rng.choice(state.legal_actions())))
        assert state.problems() == []
        assert never is None or state.returns[never] == returns[never]
    return state


# --- leave


@pytest.mark.parametrize(("seat", "result"), CASES)
def test_r28_who_leaves_discards_its_hand_and_keeps_its_last_purse(seat: int, result: str) -> None:
    state = settle(seat, result)
    found = state.to_position()
    gone = found[f"seat{seat}"]
    assert (gone["playing"], gone["status"], gone["result"], gone["hand"]) == (False, result, result, {})
    assert gone["coin"] == (6 if result == "paid_off" else 2)
    assert found["action_discard"] == HAND
    assert (state.actor, found["at"], found["guard"]) == (1 - seat, "discard", 2)
    assert state.has_left(seat)
    assert not state.has_left(1 - seat)
    assert not state.is_over


@pytest.mark.parametrize(("seat", "result"), CASES)
def test_r25_the_seat_that_stays_plays_rounds_of_its_own(seat: int, result: str) -> None:
    """It alone is dealt cards, is first without an order roll, has both turns of phase 2, bets, and reacts."""
    state = settle(seat, result)
    state.states["tape"][0, :2] = (6, 6)  # nobody rolls for the order
    state.states["n_tape"][0] = 2
    state.apply("keep")
    found = state.to_position()
    own, gone = found[f"seat{1 - seat}"], found[f"seat{seat}"]
    assert (found["round"], found["first"], found["actor"], found["dice"]) == (2, 1 - seat, 1 - seat, [6, 6])
    assert (sum(own["hand"].values()), own["time"], gone["hand"], gone["playing"]) == (6, 6, {}, False)
    state.apply("pass")
    assert state.to_position()["at"] == "bet"
    state = at_random(state, never=seat)
    assert state.to_position()[f"seat{1 - seat}"]["result"] != "in"
    assert state.returns[seat] == (1 if result == "paid_off" else -1)


@pytest.mark.parametrize("seat", [0, 1])
def test_r3_a_react_window_of_a_seat_alone_is_its_turn_until_it_passes(seat: int) -> None:
    sides = {
        "left": {"fighter": "blade_freak", "weapon": "rapier", "rolls": [3]},
        "right": {"fighter": "grave_filler", "weapon": "stone_maul", "rolls": [3]},
        "secret": "old_scars",
    }
    seats = {
        f"seat{seat}": {"hand": {"blinding_mirror": 2, "hurl_flagon": 1}},
        f"seat{1 - seat}": {"status": "defeated", "playing": False},
    }
    position = {"at": "react", "fight": 3, "first": seat, "dice": [6, 1, 1], "fights": {"f3": sides}, **seats}
    state = load(objective="outcome").from_position(position)
    for move in ("play blinding_mirror", "target 3R", "time 2"):
        assert state.actor == seat
        state.apply(move)
    found = state.to_position()
    assert (found["at"], found["actor"], found["fight_round"], found["passes"]) == ("react", seat, 1, 0)
    state.apply("pass")
    assert state.to_position()["fight_round"] == 2


# --- continue


@pytest.mark.parametrize("seat", [0, 1])
def test_a_winner_that_goes_on_bets_and_owes_nothing(seat: int) -> None:
    """It keeps its coins and hand, has no loan turn any more, and its return and fate stay what they are."""
    state = settle(seat, "paid_off", coins=60, finished_seat="continue", objective="fate")
    found = state.to_position()
    gambler = found[f"seat{seat}"]
    assert (gambler["playing"], gambler["status"], gambler["coin"], gambler["hand"]) == (True, "paid_off", 52, HAND)
    assert not state.has_left(seat)
    assert state.actor == seat  # it discards as any other
    fate, value = gambler["fate"], float(state.returns[seat])
    rng = np.random.default_rng(seat)
    nodes = set()
    while not state.is_over:
        position = state.to_position()
        assert position[f"seat{seat}"]["fate"] == fate
        assert state.returns[seat] == value
        if state.actor == seat:
            nodes.add(position["at"])
        state.apply(int(rng.choice(state.legal_actions())))
    assert nodes >= {"act", "bet", "discard"}
    assert "loan" not in nodes
    assert state.returns[seat] == value


@pytest.mark.parametrize("seat", [0, 1])
def test_a_loser_leaves_where_winners_go_on(seat: int) -> None:
    state = settle(seat, "defeated", finished_seat="continue")
    assert state.has_left(seat)
    assert state.to_position()[f"seat{seat}"]["playing"] is False
    at_random(state, never=seat)


# --- restart


@pytest.mark.parametrize(("seat", "result"), CASES)
def test_who_starts_over_has_a_clean_start_and_its_first_result(seat: int, result: str) -> None:
    """Payments away, 16 coins, 3 chances, hand kept; the return is that of the first result to the end."""
    state = settle(seat, result, finished_seat="restart")
    found = state.to_position()[f"seat{seat}"]
    assert (found["coin"], found["chance"], found["paid"], found["hand"]) == (16, 3, [], HAND)
    assert (found["playing"], found["status"], found["result"]) == (True, "in", result)
    assert not state.has_left(seat)
    value = 1 if result == "paid_off" else -1
    assert state.returns[seat] == value
    assert at_random(state).returns[seat] == value


@pytest.mark.parametrize("second", ["paid_off", "defeated"])
def test_a_second_result_is_not_counted(second: str) -> None:
    """No fate is rolled for it, and the seat starts over once more."""
    first = "defeated" if second == "paid_off" else "paid_off"
    fate = {"result": first, "round": 1, "roll": 4}
    seats = {"seat0": FINISHED[second] | {"result": first, "fate": fate}, "seat1": OTHER}
    game = load(objective="fate", finished_seat="restart")
    state = game.from_position({"at": "settle", "round": 5, "dice": [1, 2], **seats})
    found = state.to_position()
    value = state.returns[0]
    assert found["dice"] == [1, 2]
    assert (found["seat0"]["result"], found["seat0"]["status"], found["seat0"]["coin"]) == (first, "in", 16)
    assert (found["seat0"]["fate"]["round"], found["seat0"]["fate"]["roll"]) == (1, 4)
    assert (value > 0) == (first == "paid_off")
    assert at_random(state).returns[0] == value


@pytest.mark.parametrize("finished_seat", ["leave", "continue", "restart"])
@pytest.mark.parametrize("result", FINISHED)
def test_the_last_result_ends_the_game_whatever_finished_seats_do(finished_seat: str, result: str) -> None:
    alone = load(seats=1, finished_seat=finished_seat)
    both = load(objective="outcome", finished_seat=finished_seat)
    for game in (alone, both):
        seats = {f"seat{seat}": FINISHED[result] for seat in range(game.num_seats)}
        state = game.from_position({"at": "settle", **seats})
        assert state.is_over
        assert state.returns.tolist() == [1 if result == "paid_off" else -1] * game.num_seats


def test_time_of_a_seat_that_has_left_is_back_in_the_supply() -> None:
    """R17 and R28: it held 6 of the 12 tokens, 6 lie on Sabotage, and still there is one to gain."""
    sabotage = [
        {"card": "bedchamber_scorpion", "seat": 1, "spot": "1L", "time": 5},
        {"card": "poisoned_edge", "seat": 1, "spot": "1L", "time": 1},
    ]
    gone = {"status": "defeated", "playing": False, "time": 6}
    there = {"time": 0, "coin": 0, "hand": {"read_the_bones": 1, "inside_man": 1}}
    position = {"at": "act", "first": 1, "dice": [6], "seat0": gone, "seat1": there, "sabotage": sabotage}
    state = load(objective="outcome").from_position(position)
    state.apply("play read_the_bones")
    state.apply("target F1")
    assert state.to_position()["seat1"]["time"] == 1


# --- through the other interfaces

LEAVING: list[tuple[dict[str, Any], bool]] = [  # cut off, and whether a seat has left before
    ({"objective": "outcome", "max_rounds": 4}, True),
    ({"objective": "fate", "finished_seat": "continue", "max_rounds": 4}, True),
    ({"objective": "outcome", "finished_seat": "restart", "max_rounds": 3}, False),
    ({"max_rounds": 2}, False),
    ({"seats": 1, "max_rounds": 3}, False),
]


@pytest.mark.parametrize(("options", "leaving"), LEAVING, ids=str)
def test_cut_off_games_are_truncated_for_all_who_are_still_there(options: dict[str, Any], leaving: bool) -> None:
    """PettingZoo, State and BatchEnv say the same; a seat that has left has terminated before."""
    game = load(**options)
    choose = np.random.default_rng(0)
    table = raw_env(**options)
    endings = set()
    for seed in range(10):
        left_early = check_game(table, game, seed, choose)
        endings.add((table.table.outcome.truncated, left_early > 0))
    assert ((True, True) in endings) == leaving
    assert any(truncated for truncated, _ in endings)


@pytest.mark.parametrize("duplicate", DUPLICATES, ids=["deepcopy", "pickle"])
@pytest.mark.parametrize("maker", [raw_env, env])
def test_environments_copied_at_any_point_go_on_alike_after_a_seat_has_left(maker: Any, duplicate: Any) -> None:
    """Also before and after the step with None of the seat that leaves early."""
    options = {"objective": "outcome"}
    games = {seed: play(raw_env(**options), seed) for seed in range(4)}
    seed = max(games, key=lambda seed: early_steps(games[seed]))
    expected = games[seed]
    assert early_steps(expected) == 1
    dead = next(k for k, entry in enumerate(expected) if entry[-1] is None)
    stops = [0, len(expected) // 2, dead - 1, dead, dead + 1, len(expected)]
    check_copies(lambda: maker(**options), seed, expected, stops, duplicate)
