"""Keys and returns, as rules: which team takes a key, when the game is won, who earns what, and the round limit."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from cardzoo.envs import BatchEnv, State
from tests.support.players import game_with

TEAMS = ("teddies", "monsters")
FULL = {"teddies": ["heart", "moon", "star", "honey"], "monsters": ["claw", "eye", "slime", "fang"]}  # of b2_01
CLAIMED = {
    "teddies": [("b1_02", ["star", "moon", "honey"]), ("b1_03", ["moon", "honey", "heart"])],
    "monsters": [("b1_04", ["fang", "claw", "slime"]), ("b1_05", ["claw", "claw", "eye"])],
}


def claimed(team: str, number: int = 0) -> dict[str, Any]:
    """A room that a team has claimed."""
    bedroom, row = CLAIMED[team][number]
    return {"bedroom": bedroom, "claimed": team, team: {"row": row}}


def before_claim(team: str, seats: int, seat: int = -1, **position: Any) -> dict[str, Any]:
    """Each team has half of the other rooms, the last one is complete for a team; only a seat of that team is idle."""
    actor = TEAMS.index(team) if seat < 0 else seat
    agents = [f"{TEAMS[number % 2]}_{number // 2}" for number in range(seats)]
    half = [claimed(side, number) for number in range(seats // 2) for side in TEAMS]
    rooms = [{"bedroom": "b2_01", team: {"row": FULL[team]}}, *half]
    return {
        "rooms": {str(number): room for number, room in enumerate(rooms, 1)},
        "pending": {agent: {"action": "wait", "lands": 900} for agent in agents if agent != agents[actor]},
        **position,
    }


def start(position: dict[str, Any], **options: Any) -> State:
    state = game_with("teddies_vs_monsters", json.dumps({"jitter": 0, **options})).from_position(position)
    assert state.problems() == []
    return state


def play(state: State, *moves: str) -> State:
    for move in moves:
        assert state.returns.tolist() == [0] * state.game.num_seats
        state.apply(move)
    assert state.problems() == []
    return state


def keys(state: State) -> list[int]:
    return [int(number) for number in state.states[0].keys]


def assert_won(state: State, team: str) -> None:
    """The game is over: +1 for each seat of the team, -1 for each of the others."""
    seats = range(state.game.num_seats)
    assert state.is_over
    assert state.returns.tolist() == [1 if TEAMS[seat % 2] == team else -1 for seat in seats]
    assert state.outcome is not None
    assert not state.outcome.truncated
    assert state.outcome.winners == tuple(seat for seat in seats if TEAMS[seat % 2] == team)


def assert_cut_off(state: State) -> None:
    """The game is over, and nobody earns anything."""
    assert state.is_over
    assert state.returns.tolist() == [0] * state.game.num_seats
    assert state.outcome is not None
    assert state.outcome.truncated
    assert state.outcome.winners == ()


# --- the last key


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("enough", [1, 2, 3])
def test_the_last_key_wins_for_every_seat_of_the_team(enough: int, team: str, seats: int) -> None:
    """F2: with the other team one key behind the end, too; the table stays as it is."""
    position = before_claim(team, seats, keys=dict.fromkeys(TEAMS, enough - 1))
    state = play(start(position, seats=seats, keys_to_win=enough), "claim 1")
    assert_won(state, team)
    assert sorted(keys(state)) == [enough - 1, enough]
    assert state.to_position()["rooms"]["1"]["claimed"] == team


@pytest.mark.parametrize("seat", range(4))
def test_any_seat_of_the_team_may_make_the_last_claim(seat: int) -> None:
    """R11."""
    position = before_claim(TEAMS[seat % 2], 4, seat, keys=dict.fromkeys(TEAMS, 2))
    assert_won(play(start(position, seats=4), "claim 1"), TEAMS[seat % 2])


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("own", [0, 1])
def test_another_key_only_goes_on_to_the_next_round(team: str, own: int) -> None:
    """No rewards on the way, whoever leads; the loser of a round may still win the game."""
    other = TEAMS[1 - TEAMS.index(team)]
    state = play(start(before_claim(team, 2, keys={team: own, other: 2}, round=4)), "claim 1")
    found = state.to_position()
    assert (found["keys"], found["round"], found["over"]) == ({team: own + 1, other: 2}, 5, False)
    assert state.returns.tolist() == [0, 0]


def ways(team: str) -> dict[str, tuple[dict[str, Any], dict[str, Any], str]]:
    """How a team comes to a key: options, position, and the move that does it."""
    other = TEAMS[1 - TEAMS.index(team)]
    row = FULL[team]
    full, fresh = {"bedroom": "b2_01", team: {"row": row}}, {"bedroom": "b2_05"}
    short = {"bedroom": "b2_01", team: {"row": row[:-1]}}
    wrong = [
        {"bedroom": bedroom, "claimed": other, "mistake": True, other: {"row": [card] * places}}
        for bedroom, card, places in zip(("b2_02", "b1_06"), FULL[other], (4, 3), strict=False)
    ]
    sudden: dict[str, Any] = {"sudden_death": 1}
    return {
        "two of three rooms": ({}, {"rooms": {"1": full, "2": claimed(team), "3": fresh}}, "claim 1"),
        "most of all rooms": (
            {"play_out": True},
            {"rooms": {"1": full, "2": claimed(team), "3": claimed(other)}},
            "claim 1",
        ),
        "a claim in a sudden death": ({}, {**sudden, "rooms": {"1": full, "2": fresh}}, "claim 1"),
        "a complete row in a sudden death": (
            {"sudden_death_win": "completion"},
            {**sudden, "rooms": {"1": short, "2": fresh}, "players": {f"{team}_0": {"hand": row[-1:], "sleeve": []}}},
            f"play {row[-1]}",
        ),
        "more rooms when the round stops": (
            {"stall_result": "most_rooms", "round_ticks": 100},
            {"tick": 99, "rooms": {"1": claimed(team), "2": fresh, "3": {"bedroom": "b2_06"}}},
            "wait",
        ),
        "the only right room": (
            {"allow_mistakes": True, "review": "discount"},
            {"rooms": {"1": full, "2": wrong[0], "3": wrong[1]}},
            "claim 1",
        ),
    }


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("way", ways("teddies"))
def test_every_way_to_the_last_key_wins(way: str, team: str) -> None:
    """R16, R17, R19, R20, R24, for both teams."""
    options, position, move = ways(team)[way]
    agents = [f"{name}_0" for name in TEAMS if name != team]
    position |= {
        "keys": dict.fromkeys(TEAMS, 2),
        "pending": {name: {"action": "wait", "lands": 900} for name in agents},
    }
    assert_won(play(start(position, **options), move), team)


# --- nobody's key


@pytest.mark.parametrize(("sudden", "follows"), [(0, (1, 1)), (1, (1, 2)), (2, (2, 0))])
def test_a_tie_pays_nobody_and_goes_on(sudden: int, follows: tuple[int, int]) -> None:
    """R17, R19: to a sudden death, to another, and after the last of them to the next round."""
    position = {"sudden_death": sudden, "tick": 99, "keys": {"teddies": 2, "monsters": 1}}
    state = play(start(position, round_ticks=100, max_sudden=2), "wait", "wait")
    found = state.to_position()
    assert (found["round"], found["sudden_death"], found["tick"]) == (*follows, 0)
    assert found["keys"] == position["keys"]
    assert not state.is_over


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("leads", [(0, 0), (2, 0), (1, 2)])
def test_after_the_last_round_without_a_winner_nobody_earns_anything(leads: tuple[int, int], seats: int) -> None:
    """Also not the team with more keys: the game is truncated, not lost."""
    position = {"round": 5, "tick": 99, "keys": dict(zip(TEAMS, leads, strict=True))}
    state = play(start(position, seats=seats, round_ticks=100, max_sudden=0, max_rounds=5), *["wait"] * seats)
    assert_cut_off(state)
    assert keys(state) == list(leads)


@pytest.mark.parametrize("team", TEAMS)
def test_a_key_of_the_last_round_that_is_not_enough_is_taken_and_the_game_is_cut_off(team: str) -> None:
    other = TEAMS[1 - TEAMS.index(team)]
    state = play(start(before_claim(team, 2, round=3, keys={other: 1}), max_rounds=3), "claim 1")
    assert_cut_off(state)
    assert state.to_position()["keys"] == {team: 1, other: 1}


@pytest.mark.parametrize("team", TEAMS)
def test_a_key_of_the_last_round_that_is_enough_wins(team: str) -> None:
    state = play(start(before_claim(team, 2, round=3, keys={team: 2}), max_rounds=3), "claim 1")
    assert_won(state, team)


@pytest.mark.parametrize(("review", "result"), [("sudden_death", "tie"), ("discount", "key")])
def test_a_wrong_room_is_nobodys_and_may_undo_the_round(review: str, result: str) -> None:
    """R24: the teddies' wrong claim of the last room makes a tie, or counts for nobody, so that the others decide."""
    position = before_claim("teddies", 2, keys=dict.fromkeys(TEAMS, 2))
    position["rooms"]["1"]["teddies"]["row"] = ["heart", "moon", "star", "star"]
    position["rooms"]["2"] = claimed("monsters", 1)
    state = play(start(position, allow_mistakes=True, review=review), "claim 1")
    if result == "key":
        assert_won(state, "monsters")
    else:
        assert keys(state) == [2, 2]
        assert (state.is_over, int(state.states[0].sudden)) == (False, 1)


# --- any end


@pytest.mark.parametrize(
    "options",
    [
        {"max_rounds": 3},
        {"seats": 4, "max_rounds": 2, "keys_to_win": 1, "max_sudden": 0},
        {"allow_mistakes": True, "round_ticks": 600, "max_rounds": 2, "keys_to_win": 1},
        {"seats": 4, "allow_mistakes": True, "review": "discount", "keys_to_win": 1, "max_rounds": 1},
    ],
    ids=str,
)
def test_returns_follow_from_the_keys_and_come_at_the_end_only(options: dict[str, Any]) -> None:
    """Random games, won by each team and cut off; keys come one by one, at most one in a round; returns sum to 0."""
    game = game_with("teddies_vs_monsters", json.dumps(options))
    enough, last = game.options["keys_to_win"], game.options["max_rounds"]
    batch = BatchEnv(game, 64, seed=3, sample=True, autoreset=False)
    step = batch.reset()
    live = np.ones(64, np.bool_)
    ends = set()
    while live.any():
        keys_before, round_before = batch.states.keys.copy(), batch.states.round_no.copy()
        step = batch.step(np.where(live, step.sampled, -1))
        gained = (batch.states.keys - keys_before).sum(axis=1)
        assert ((gained == 0) | (gained == 1)).all()
        assert (gained <= batch.states.round_no - round_before + step.done).all()
        assert not step.rewards[~step.done].any()
        for row in np.flatnonzero(step.done):
            won = batch.states.keys[row] == enough
            value = won[0] * 1.0 - won[1]
            assert step.final_returns[row].tolist() == [value, -value] * (game.num_seats // 2)
            assert step.rewards[row].tolist() == step.final_returns[row].tolist()
            assert step.truncated[row] == (not won.any())
            assert won.any() or batch.states.round_no[row] == last
            ends.add(float(value))
        live &= ~step.done
    assert ends == {-1.0, 0.0, 1.0}
