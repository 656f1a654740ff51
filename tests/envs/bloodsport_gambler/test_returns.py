"""Returns of each objective, as rules: races, own results, fates, the round limit, and what finished seats do."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from cardzoo.envs import State, load
from tests.support.players import game_with

PAID = [3, 4, 5, 6, 7]  # only 8 is open
PAYS_OFF = {"coin": 20, "chance": 0, "paid": PAID}
DEFEATED = {"coin": 2, "chance": 0}
SKIPS = {"coin": 2, "chance": 1}  # the engine skips for it
SEATS = ("seat0", "seat1")


def settle(seats: list[dict[str, Any]], dice: list[int] | None = None, **options: Any) -> State:
    """After the fights: seats have their loan turns, which the engine takes where there is no choice."""
    game = game_with("bloodsport_gambler", json.dumps({"seats": len(seats), **options}))
    entries = {f"seat{number}": seat for number, seat in enumerate(seats)}
    return game.from_position({"at": "settle", "dice": dice or [], **entries})


def play(state: State, *moves: str) -> State:
    for move in moves:
        state.apply(move)
    assert state.problems() == []
    return state


def fate(state: State, seat: int) -> dict[str, Any]:
    found: dict[str, Any] = state.to_position()[f"seat{seat}"]["fate"]
    return found


# --- race


RACES: tuple[tuple[str, dict[str, Any], dict[str, Any], tuple[str, ...], float], ...] = (
    # what decides, the seats, moves, the return of the first
    ("paid off beats still in", PAYS_OFF, SKIPS, (), 1),
    ("paid off beats still in with more coins", PAYS_OFF, {"coin": 60}, ("pay 3", "done"), 1),
    ("paid off beats defeated", PAYS_OFF, DEFEATED, (), 1),
    ("still in beats defeated", SKIPS, DEFEATED, (), 1),
    ("both paid off: more coins left", PAYS_OFF | {"coin": 9}, PAYS_OFF | {"coin": 8}, (), 1),
    ("both paid off with as many coins", PAYS_OFF, PAYS_OFF, (), 0),
    ("both defeated: larger sum paid, not more payments", DEFEATED | {"paid": [8]}, DEFEATED | {"paid": [3, 4]}, (), 1),
    ("both defeated: the sum goes before coins", DEFEATED | {"paid": [4]}, DEFEATED | {"paid": [3], "coin": 2}, (), 1),
    (
        "both defeated, equal sums: more coins",
        DEFEATED | {"paid": [7]},
        {"coin": 1, "chance": 0, "paid": [3, 4]},
        (),
        1,
    ),
    ("both defeated, all the same", DEFEATED | {"paid": [7]}, DEFEATED | {"paid": [3, 4]}, (), 0),
)


@pytest.mark.parametrize("mirrored", [False, True], ids=["seat0", "seat1"])
@pytest.mark.parametrize(
    ("one", "two", "moves", "value"), [case[1:] for case in RACES], ids=[case[0] for case in RACES]
)
def test_a_race_is_won_by(one: Any, two: Any, moves: tuple[str, ...], value: float, mirrored: bool) -> None:
    """The round in which a seat finishes ends the race, whoever is first; the other seat has the negative."""
    seats = [two, one] if mirrored else [one, two]
    state = play(settle(seats), *moves)
    assert state.is_over
    assert state.outcome is not None
    assert not state.outcome.truncated
    assert state.returns[int(mirrored)] == value
    assert state.returns.sum() == 0
    assert state.outcome.winners == (() if value == 0 else (int(mirrored),))


@pytest.mark.parametrize("finished_seat", ["leave", "continue", "restart"])
def test_a_race_ends_with_the_first_result_whatever_finished_seats_would_do(finished_seat: str) -> None:
    state = settle([PAYS_OFF, {"coin": 60}], finished_seat=finished_seat)
    assert state.returns.tolist() == [0, 0]
    play(state, "pay 3", "done")
    assert state.returns.tolist() == [1, -1]
    assert state.is_over
    assert [state.to_position()[seat]["result"] for seat in SEATS] == ["paid_off", "in"]


# --- outcome


@pytest.mark.parametrize(
    ("one", "two", "returns"),
    [(PAYS_OFF, PAYS_OFF, [1, 1]), (DEFEATED, DEFEATED, [-1, -1]), (PAYS_OFF, DEFEATED, [1, -1])],
    ids=["both win", "both lose", "one each"],
)
def test_an_outcome_is_a_seat_s_own(one: Any, two: Any, returns: list[float]) -> None:
    """Coins, payments and the other seat do not matter; both may win, and both may lose."""
    assert settle([one, two], objective="outcome").returns.tolist() == returns
    assert settle([two, one], objective="outcome").returns.tolist() == returns[::-1]
    assert settle([one]).returns.tolist() == returns[:1]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("entry", "value"), [(PAYS_OFF, 1), (DEFEATED, -1)], ids=["paid off", "defeated"])
def test_a_seat_earns_when_it_finishes_and_the_other_plays_on(seat: int, entry: Any, value: int) -> None:
    """The whole return comes with the result, the other seat's with its own, and no move changes it in between."""
    seats = [entry, SKIPS | {"hand": {"hurl_flagon": 1}}]
    state = settle(seats if seat == 0 else seats[::-1], objective="outcome")
    rng = np.random.default_rng(seat)
    while not state.is_over:
        assert (state.returns[seat], state.returns[1 - seat]) == (value, 0)
        assert state.actor == 1 - seat
        state.apply(int(rng.choice(state.legal_actions())))
    assert state.returns[seat] == value
    assert abs(state.returns[1 - seat]) == 1


# --- fate


@pytest.mark.parametrize("seats", [1, 2])
@pytest.mark.parametrize(("die", "tier"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4)])
def test_a_defeat_is_milder_the_higher_the_die(seats: int, die: int, tier: int) -> None:
    """1, 2-3, 4-5, 6; coins do not count, and nobody rolls twice."""
    dice = [die, 7 - die][:seats]
    state = settle([DEFEATED] * seats, dice, objective="fate")
    assert state.returns[0] == pytest.approx(-(5 - tier) / 4)
    assert fate(state, 0) == {"result": "defeated", "round": 1, "tier": tier, "roll": die, "total": die}
    assert state.to_position()["dice"] == []


@pytest.mark.parametrize(
    ("die", "coins", "tier"),
    [(1, 0, 1), (6, 4, 1), (6, 5, 2), (1, 10, 2), (6, 14, 2), (1, 20, 3), (6, 15, 3), (6, 60, 3)],
)
def test_a_victory_is_better_with_more_coins(die: int, coins: int, tier: int) -> None:
    """The die and what is left after the last payment: to 10, to 20, above. A seat alone rolls once."""
    state = settle([PAYS_OFF | {"coin": 8 + coins}], [die], objective="fate")
    assert state.returns[0] == pytest.approx(tier / 3)
    assert fate(state, 0) == {"result": "paid_off", "round": 1, "tier": tier, "roll": die, "total": die + coins}


@pytest.mark.parametrize("mirrored", [False, True], ids=["seat0", "seat1"])
@pytest.mark.parametrize(
    ("other", "options", "twice"),
    [
        (SKIPS, {}, True),
        (DEFEATED, {}, False),
        (PAYS_OFF, {}, False),
        ({"status": "defeated", "playing": False}, {}, False),
        ({"status": "paid_off", "playing": False}, {}, False),
        ({"result": "defeated"} | SKIPS, {"finished_seat": "restart"}, False),
        ({"status": "paid_off", "result": "paid_off"}, {"finished_seat": "continue"}, False),
    ],
    ids=["still in", "defeated now", "paid off now", "was defeated", "paid off before", "started over", "goes on"],
)
def test_r22_who_pays_off_first_of_two_keeps_the_higher_of_two_dice(
    other: Any, options: Any, twice: bool, mirrored: bool
) -> None:
    """First means that the other seat has no result, neither of this round nor of an earlier one."""
    seats = [other, PAYS_OFF] if mirrored else [PAYS_OFF, other]
    seat = int(mirrored)
    rolls_before = mirrored and other in (DEFEATED, PAYS_OFF)  # seat 0 rolls first
    dice = [3] * rolls_before + [2, 5, 4]
    position: dict[str, Any] = {"at": "settle", "dice": dice, "seat0": seats[0], "seat1": seats[1]}
    state = game_with("bloodsport_gambler", json.dumps({"objective": "fate", **options})).from_position(position)
    assert fate(state, seat)["roll"] == (5 if twice else 2)
    assert fate(state, seat)["total"] == (5 if twice else 2) + 12


@pytest.mark.parametrize("objective", ["outcome", "race", "fate"])
def test_fates_are_rolled_in_every_objective(objective: str) -> None:
    state = settle([PAYS_OFF, DEFEATED], [6, 4], objective=objective)
    assert [fate(state, seat)["tier"] for seat in range(2)] == [2, 3]
    assert state.returns.tolist() == pytest.approx([2 / 3, -0.5] if objective == "fate" else [1, -1])
    for seat, result in enumerate(("paid_off", "defeated")):
        assert state.game.ending(state.states, seat, state.outcome)["fate"] == {
            **fate(state, seat),
            "result": result,
            "round": 1,
        }


# --- the round limit


@pytest.mark.parametrize(
    ("seats", "objective"), [(1, "outcome"), (1, "fate"), (2, "outcome"), (2, "race"), (2, "fate")]
)
def test_at_the_round_limit_who_has_no_result_earns_nothing(seats: int, objective: str) -> None:
    state = settle([{"coin": 60, "paid": PAID}, SKIPS][:seats], objective=objective, max_rounds=1)
    play(state, "skip")
    assert state.outcome is not None
    assert state.outcome.truncated
    assert state.outcome.winners == ()
    assert all(state.game.ending(state.states, seat, state.outcome)["fate"] is None for seat in range(seats))
    assert state.returns.tolist() == [0] * seats


@pytest.mark.parametrize("objective", ["outcome", "fate"])
@pytest.mark.parametrize("finished_seat", ["leave", "continue", "restart"])
@pytest.mark.parametrize("entry", [PAYS_OFF, DEFEATED], ids=["paid off", "defeated"])
def test_at_the_round_limit_a_result_keeps_its_worth(objective: str, finished_seat: str, entry: Any) -> None:
    """The first dice are the fate of seat 0: 6 for a win (of two), 1 for a defeat."""
    won = entry is PAYS_OFF
    dice = [2, 6] if won else [1]
    state = settle([entry, SKIPS], dice, objective=objective, finished_seat=finished_seat, max_rounds=1)
    assert state.outcome is not None
    assert state.outcome.truncated
    value = 2 / 3 if won and objective == "fate" else 1 if won else -1
    assert state.returns.tolist() == pytest.approx([value, 0])


# --- any end


def expected(end: Mapping[str, Any], options: Mapping[str, Any]) -> list[float]:
    """The returns that follow from the last position."""
    seats = [end[seat] for seat in SEATS if end[seat] is not None]

    def rank(seat: Mapping[str, Any]) -> tuple[int, ...]:
        """What seats are compared by in a race."""
        if seat["status"] == "in":
            return (1,)
        return (2, seat["coin"]) if seat["status"] == "paid_off" else (0, sum(seat["paid"]), seat["coin"])

    def own(seat: Mapping[str, Any]) -> float:
        if seat["result"] == "in":
            return 0
        won = seat["result"] == "paid_off"
        tier = seat["fate"]["tier"]
        if options["objective"] == "fate":
            return tier / 3 if won else -(5 - tier) / 4
        return 1 if won else -1

    if options["objective"] != "race":
        return [own(seat) for seat in seats]
    if end["truncated"]:
        return [0, 0]
    one, two = map(rank, seats)
    value = (one > two) - (one < two)
    return [value, -value]


ENDS: list[tuple[dict[str, Any], set[str]]] = [  # options, and the pairs of results that have to occur
    (
        {"max_rounds": 1},
        {"paid_off in", "defeated in", "paid_off paid_off", "defeated defeated", "paid_off defeated", "in in"},
    ),
    ({"objective": "outcome"}, {"paid_off paid_off", "paid_off defeated", "defeated defeated"}),
    (
        {"objective": "fate", "finished_seat": "continue"},
        {"paid_off paid_off", "paid_off defeated", "defeated defeated"},
    ),
    (
        {"objective": "fate", "finished_seat": "restart", "max_rounds": 2},
        {"paid_off paid_off", "paid_off defeated", "defeated defeated", "paid_off in", "defeated in"},
    ),
    ({"seats": 1}, {"paid_off", "defeated"}),
    ({"seats": 1, "objective": "fate", "max_rounds": 2}, {"paid_off", "defeated", "in"}),
]


@pytest.mark.parametrize(("options", "wanted"), ENDS, ids=[str(options) for options, _ in ENDS])
def test_returns_follow_from_results_and_never_change_once_a_seat_has_one(
    options: dict[str, Any], wanted: set[str]
) -> None:
    """From random settlements to the end, with all that can happen; rewards are 0 before a result."""
    game = load("bloodsport_gambler", **options)
    order = ("paid_off", "defeated", "in")
    rng = np.random.default_rng(0)
    seen: Counter[str] = Counter()
    for _ in range(80):
        position: dict[str, Any] = {"at": "settle", "seed": int(rng.integers(2**32))}
        for seat in SEATS[: game.num_seats]:
            paid = rng.permutation(range(3, 9))[: rng.integers(2, 6)]
            coins, chances = int(rng.integers(rng.choice([3, 30]))), int(rng.integers(2))
            position[seat] = {"coin": coins, "chance": chances, "paid": [int(amount) for amount in paid]}
        state = game.from_position(position)
        first: dict[int, float] = {}
        while True:
            for seat in range(game.num_seats):
                if state.states[0].result[seat]:
                    assert state.returns[seat] == first.setdefault(seat, float(state.returns[seat]))
                else:
                    assert state.is_over or state.returns[seat] == 0
            if state.is_over:
                break
            state.apply(int(rng.choice(state.legal_actions())))
        end = state.to_position()
        assert state.returns.tolist() == pytest.approx(expected(end, game.options))
        results = sorted((end[seat]["result"] for seat in SEATS[: game.num_seats]), key=order.index)
        seen[" ".join(results)] += 1
    assert set(seen) >= wanted
