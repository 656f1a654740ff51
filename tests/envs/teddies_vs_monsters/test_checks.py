"""Every check of `teddies_vs_monsters.checks` can fail: sound states are broken, one thing at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from cardzoo.envs import load
from cardzoo.envs.core.state import State
from cardzoo.envs.teddies_vs_monsters import cards, checks, state

Change = Callable[[State], None]

FAR: dict[str, Any] = {"monsters_0": {"action": "wait", "lands": 900}}
TABLE: dict[str, Any] = {
    "tick": 40,
    "keys": {"teddies": 1},
    "rooms": {
        1: {
            "bedroom": "b2_01",
            "teddies": {"row": ["heart", "yellow_knight"], "traps": ["blue_web", "red_web"], "paid": 1},
            "monsters": {"row": ["fang"]},
        },
        2: {"bedroom": "b2_05", "claimed": "monsters", "monsters": {"row": ["claw", "slime", "slime", "claw"]}},
        3: {"bedroom": "b2_07"},
    },
    "players": {
        "teddies_0": {"hand": ["star", "star", "moon"], "last": {"action": "place", "room": 1, "tick": 30}},
        "monsters_0": {"hand": ["eye", "eye"], "sleeve": ["shadow"]},
    },
    "pending": {"monsters_0": {"action": "place eye 3", "lands": 47}},
}
MISTAKES: dict[str, Any] = {
    "rooms": {
        1: {"bedroom": "b2_01", "teddies": {"row": ["heart", "red_baker"]}},
        2: {"bedroom": "b2_05", "claimed": "monsters", "mistake": True, "monsters": {"row": ["red_imp", "blue_imp"]}},
        3: {"bedroom": "b2_02", "teddies": {"row": ["star", "honey", "moon", "heart"]}},
    },
    "pending": FAR,
}
TAKEN = {"hand": ["eye", "eye"], "sleeve": [], "deck": ["fang"], "reserve": False, "known": ["eye"]}
POSITIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "start": ({}, {}),
    "table": ({}, TABLE),
    "four": ({"seats": 4}, {}),
    "mistakes": ({"allow_mistakes": True}, MISTAKES),
    "discount": ({"allow_mistakes": True, "review": "discount"}, {**MISTAKES, "sudden_death": 0}),
    "taken": ({}, {"players": {"monsters_0": TAKEN}, "pending": FAR}),
    "picked": ({}, {"rooms": {1: {"bedroom": "b2_01"}, 2: {"bedroom": "b2_05"}}, "picked": "heart", "pending": FAR}),
    "sudden": (
        {"sudden_death_win": "completion"},
        {"sudden_death": 1, "rooms": {1: {"bedroom": "b2_01", "teddies": {"row": ["heart"]}}}, "pending": FAR},
    ),
    "down": ({"start_hand": "face_down"}, {"pending": FAR}),
    "over": ({}, {"over": True, "keys": {"teddies": 3, "monsters": 1}}),
    "cut": ({"max_rounds": 2}, {"over": True, "round": 2}),
}
POSITIONS["picked"][1]["players"] = {"teddies_0": {"hand": ["heart"]}}


@cache
def found(name: str) -> State:
    """A sound state."""
    options, position = POSITIONS[name]
    game = load("teddies_vs_monsters", **options)
    at = game.from_position(position)
    assert at.problems() == []
    return at


def bits(at: State) -> int:
    return int(at.game.kernels.problems(at.states, 0, at.game.rules))


def put(field: str, value: int) -> Change:
    """Set a number of the record."""

    def change(at: State) -> None:
        at.states[field][0] = value

    return change


def put_at(field: str, place: int | tuple[int, ...], value: int) -> Change:
    """Set an entry of an array of the record."""

    def change(at: State) -> None:
        at.states[field][(0, *place) if isinstance(place, tuple) else (0, place)] = value

    return change


def add_at(field: str, place: int | tuple[int, ...], step: int = 1) -> Change:
    """Add to an entry of an array of the record."""

    def change(at: State) -> None:
        at.states[field][(0, *place) if isinstance(place, tuple) else (0, place)] += step

    return change


def number(at: State, card: str) -> int:
    """The type number of a card in its team."""
    return next(k for own in cards.team_cards(at.game.cards) for k, found in enumerate(own) if found.id == card)


def deck_of_one(at: State) -> None:
    """The second deck has one card twice, and lacks another."""
    s = at.states[0]
    s.deck[2, 0] = next(card for card in s.deck[2, :54].tolist() if card != s.deck[2, 0])


def lose_reserve(at: State) -> None:
    """A second deck is gone, and nobody has its cards."""
    s = at.states[0]
    s.deck[2], s.deck_n[2] = 0, 0


def unused_row(at: State) -> None:
    """A card of a row was never used, consistently for its seat."""
    s = at.states[0]
    card = int(s.row[0, 0, 0])
    s.used[0, card] -= 1
    s.deck[0, s.deck_n[0]] = card
    s.deck_n[0] += 1


def unused_trap(at: State) -> None:
    """A trap on a pile was never used."""
    s = at.states[0]
    card = int(s.trap[0, 0, 0])
    s.used[1, card] -= 1
    s.deck[1, s.deck_n[1]] = card
    s.deck_n[1] += 1


def big_hand(at: State) -> None:
    """Six cards in a hand, consistently."""
    s = at.states[0]
    for _ in range(6 - int(s.hand_n[0])):
        top = int(s.deck_n[0]) - 1
        s.hand[0, s.deck[0, top]] += 1
        s.deck[0, top] = 0
        s.deck_n[0] = top
        s.hand_n[0] += 1


def big_sleeve(at: State) -> None:
    """Five cards in a sleeve, consistently."""
    s = at.states[0]
    top = int(s.deck_n[0]) - 1
    s.sleeve[0, s.deck[0, top]] += 1
    s.deck[0, top] = 0
    s.deck_n[0] = top
    s.sleeve_n[0] += 1


def bomb_in_row(at: State) -> None:
    """A bomb lies in a row."""
    at.states[0].row[0, 0, 1] = number(at, "pillow_bomb")


def too_long(at: State) -> None:
    """A card lies on a full row."""
    s = at.states[0]
    s.row[0, 2, 4] = number(at, "heart")
    s.row_n[0, 2] = 5
    s.row_sym[0, 2] = 5
    s.open[0, 2] = 0


def wrong_row(at: State) -> None:
    """A wrong row, consistently, where no mistakes are allowed."""
    s = at.states[0]
    s.row[0, 0, 0] = number(at, "star")
    s.open[0, 0] = 0


def foe_row(at: State) -> None:
    """The foe's row lies in a claimed room, consistently."""
    s = at.states[0]
    s.row[0, 1, 0] = number(at, "heart")
    s.row_n[0, 1] = 1
    s.row_sym[0, 1] = 1


def trap_in_claimed(at: State) -> None:
    """A trap lies in a claimed room."""
    s = at.states[0]
    s.trap[1, 1, 0] = number(at, "red_yarn")
    s.trap_n[1, 1] = 1


def short_claim(at: State) -> None:
    """A claimed row lacks a card, consistently."""
    s = at.states[0]
    s.row[1, 1, 3] = 0
    s.row_n[1, 1] = 3
    s.row_sym[1, 1] = 3


def no_trap(at: State) -> None:
    """A symbol lies on a pile."""
    at.states[0].trap[0, 0, 1] = number(at, "eye")


def all_claimed(at: State) -> None:
    """The second of three rooms is claimed by the same team, so that the round is decided."""
    s = at.states[0]
    for room in (0, 2):
        s.claimed[room] = 1


def more_rooms(at: State) -> None:
    """The same bedroom in two rooms."""
    s = at.states[0]
    s.bedroom[2] = s.bedroom[1]


def complete_in_sudden_death(at: State) -> None:
    """A row is complete where that wins."""
    s = at.states[0]
    for k, card in enumerate(("heart", "moon", "star", "honey")):
        s.row[0, 0, k] = number(at, card)
    s.row_n[0, 0] = s.row_sym[0, 0] = 4


def claimed_in_sudden_death(at: State) -> None:
    """A room is claimed where that wins."""
    complete_in_sudden_death(at)
    at.states[0].claimed[0] = 0


def wrong_verb(at: State) -> None:
    """A bomb is being placed."""
    at.states[0].p_card[1] = number(at, "slime_bomb")


def idle_before(at: State) -> None:
    """The seat after the lowest idle one is to decide."""
    s = at.states[0]
    s.p_kind[1] = s.p_card[1] = s.p_room[1] = s.p_due[1] = 0
    at.states["actor"][0] = 1


def busy_actor(at: State) -> None:
    """Who is to decide is doing something."""
    s = at.states[0]
    s.p_kind[0], s.p_due[0] = state.WAIT, 99


def only_wait(at: State) -> None:
    """The actor can do nothing but wait, consistently."""
    s = at.states[0]
    for owner in (0, 2):
        s.deck[owner] = 0
        s.deck_n[owner] = 0
    s.used[0] = 2 * at.game.rules[0].cards[0, :, cards.COPIES]
    s.hand[0] = s.sleeve[0] = 0
    s.hand_n[0] = s.sleeve_n[0] = 0


def pick_bomb(at: State) -> None:
    """The picked card has no target."""
    at.states["picked"][0] = number(at, "pillow_bomb")


def pick_nothing(at: State) -> None:
    """The picked card is not there, consistently."""
    s = at.states[0]
    heart = number(at, "heart")
    s.used[0, heart] += s.hand[0, heart] + s.sleeve[0, heart]
    s.hand_n[0] -= s.hand[0, heart]
    s.sleeve_n[0] -= s.sleeve[0, heart]
    s.hand[0, heart] = s.sleeve[0, heart] = 0


UNREAL: tuple[tuple[str, Change], ...] = (
    ("start", put("actor", 2)),
    ("start", put("actor", -2)),
    ("start", put("picked", 31)),
    ("over", put("picked", 0)),
    ("start", put_at("tape", 0, 1)),
    ("start", put("n_tape", -1)),
    ("start", put_at("bedroom", 0, -2)),
    ("start", put_at("bedroom", 0, 40)),
    ("start", put_at("claimed", 0, 2)),
    ("start", put_at("claimed", 4, 0)),
    ("start", put_at("mistake", 0, 2)),
    ("start", put_at("mistake", 4, 1)),
    ("start", put_at("open", (0, 0), 4)),
    ("start", put_at("open", (0, 4), 3)),
    ("start", put_at("row_sym", (0, 0), 8)),
    ("start", put_at("row_n", (1, 0), 7)),
    ("start", put_at("row_n", (1, 0), -1)),
    ("table", put_at("row", (0, 0, 2), 1)),
    ("table", put_at("row", (0, 0, 0), 31)),
    ("table", put_at("trap", (0, 0, 0), -1)),
    ("table", put_at("trap", (0, 0, 2), 1)),
    ("table", put_at("trap_n", (1, 4), 1)),
    ("start", put_at("hand", (0, 31), 1)),
    ("start", put_at("sleeve", (2, 0), 1)),
    ("start", put_at("used", (0, 0), -1)),
    ("start", put_at("known", (3, 0), 1)),
    ("start", put_at("hand_n", 2, 1)),
    ("start", put_at("sleeve_n", 3, 1)),
    ("start", put_at("face_down", 0, 2)),
    ("start", put_at("face_down", 2, 1)),
    ("start", put_at("deck", (0, 60), 1)),
    ("start", put_at("deck", (0, 0), 31)),
    ("start", put_at("deck_n", 0, 65)),
    ("table", put_at("p_kind", 1, 13)),
    ("table", put_at("p_card", 1, 31)),
    ("table", put_at("p_room", 1, 3)),
    ("table", put_at("p_side", 1, 1)),
    ("table", put_at("p_due", 0, 50)),
    ("start", put_at("p_kind", 2, state.WAIT)),
    ("table", put_at("l_kind", 0, state.WAIT)),
    ("table", put_at("l_room", 0, 4)),
    ("table", put_at("l_lost", 0, 2)),
    ("table", put_at("l_tick", 1, 3)),
    ("start", put_at("l_kind", 3, state.DRAW)),
)

BROKEN: tuple[tuple[int, str, Change], ...] = (
    *((checks.NOT_ZERO, name, change) for name, change in UNREAL),
    (checks.COPIES_LOST, "start", add_at("used", (0, 3))),
    (checks.COPIES_LOST, "table", add_at("hand", (1, 0))),
    (checks.COPIES_LOST, "four", add_at("sleeve", (3, 0))),
    (checks.COPIES_LOST, "four", add_at("deck_n", 3, -1)),
    (checks.COPIES_LOST, "start", deck_of_one),
    (checks.COPIES_LOST, "start", lose_reserve),
    (checks.TABLE_LOST, "table", unused_row),
    (checks.TABLE_LOST, "table", unused_trap),
    (checks.OUT_OF_RANGE, "start", put("round_no", 0)),
    (checks.OUT_OF_RANGE, "start", put("round_no", 10)),
    (checks.OUT_OF_RANGE, "start", put("sudden", 3)),
    (checks.OUT_OF_RANGE, "start", put("tick", 3001)),
    (checks.OUT_OF_RANGE, "start", put("tick", -1)),
    (checks.OUT_OF_RANGE, "start", put("truncated", 2)),
    (checks.OUT_OF_RANGE, "start", put_at("keys", 1, -1)),
    (checks.OUT_OF_RANGE, "over", put_at("keys", 0, 4)),
    (checks.OUT_OF_RANGE, "start", put_at("face_down", 1, 1)),
    (checks.BAD_COUNTS, "start", add_at("hand_n", 0)),
    (checks.BAD_COUNTS, "start", add_at("sleeve_n", 1, -1)),
    (checks.BAD_COUNTS, "table", big_hand),
    (checks.BAD_COUNTS, "table", big_sleeve),
    (checks.BAD_KNOWN, "taken", put_at("known", (1, 0), 3)),
    (checks.BAD_KNOWN, "taken", put_at("known", (1, 1), 1)),
    (checks.BAD_KNOWN, "table", put_at("known", (1, 0), 1)),
    (checks.BAD_KNOWN, "four", lambda at: at.states[0].known[2].__setitem__(slice(None), at.states[0].hand[2])),
    (checks.BAD_ROW, "table", put_at("row_sym", (0, 0), 2)),
    (checks.BAD_ROW, "table", put_at("open", (0, 0), 3)),
    (checks.BAD_ROW, "table", bomb_in_row),
    (checks.BAD_ROW, "table", wrong_row),
    (checks.BAD_ROW, "mistakes", put_at("open", (0, 0), 1)),
    (checks.BAD_ROW, "mistakes", too_long),
    (checks.BAD_CLAIM, "table", foe_row),
    (checks.BAD_CLAIM, "table", trap_in_claimed),
    (checks.BAD_CLAIM, "table", short_claim),
    (checks.BAD_CLAIM, "table", put_at("mistake", 1, 1)),
    (checks.BAD_CLAIM, "table", put_at("mistake", 0, 1)),
    (checks.BAD_CLAIM, "mistakes", put_at("mistake", 1, 0)),
    (checks.BAD_TRAPS, "table", no_trap),
    (checks.BAD_TRAPS, "table", put_at("paid", (0, 0), 3)),
    (checks.BAD_TRAPS, "table", put_at("paid", (1, 0), 1)),
    (checks.BAD_ROOMS, "table", all_claimed),
    (checks.BAD_ROOMS, "table", more_rooms),
    (checks.BAD_ROOMS, "start", put("sudden", 1)),
    (checks.BAD_ROOMS, "sudden", put("sudden", 0)),
    (checks.BAD_ROOMS, "sudden", complete_in_sudden_death),
    (checks.BAD_ROOMS, "sudden", claimed_in_sudden_death),
    (checks.BAD_ACT, "table", put_at("p_due", 1, 40)),
    (checks.BAD_ACT, "table", wrong_verb),
    (checks.BAD_ACT, "over", put_at("p_kind", 0, state.WAIT)),
    (checks.BAD_LAST, "table", put_at("l_tick", 0, 41)),
    (checks.BAD_ACTOR, "table", busy_actor),
    (checks.BAD_ACTOR, "table", idle_before),
    (checks.NO_CHOICE, "start", only_wait),
    (checks.BAD_PICKED, "picked", pick_bomb),
    (checks.BAD_PICKED, "picked", pick_nothing),
    (checks.BAD_END, "start", put("actor", -1)),
    (checks.BAD_END, "start", put_at("keys", 0, 3)),
    (checks.BAD_END, "start", put("truncated", 1)),
    (checks.BAD_END, "over", put("actor", 0)),
    (checks.BAD_END, "over", put("truncated", 1)),
    (checks.BAD_END, "cut", put("truncated", 0)),
    (checks.BAD_END, "cut", put("round_no", 1)),
    (checks.BAD_RETURNS, "over", put_at("keys", 1, 3)),
)


@pytest.mark.parametrize(("bit", "name", "change"), BROKEN, ids=[f"{n}-{row[1]}" for n, row in enumerate(BROKEN)])
def test_a_broken_state_is_noticed(bit: int, name: str, change: Change) -> None:
    """The sound state has no problem, the broken one has this one (often among others)."""
    at = found(name).copy()
    change(at)
    assert bits(at) & bit
    assert checks.PROBLEMS[bit.bit_length() - 1] in at.problems()


def test_wrong_claims_may_stand_in_a_sudden_death_that_goes_on() -> None:
    """With `review: discount` they count for nobody; otherwise the first one decides."""
    for name, decided in (("mistakes", True), ("discount", False)):
        at = found(name).copy()
        s = at.states[0]
        at.states["sudden"][0] = 1
        s.bedroom[2], s.open[:, 2], s.row[0, 2], s.row_n[0, 2], s.row_sym[0, 2] = -1, 0, 0, 0, 0
        assert bool(bits(at) & checks.BAD_ROOMS) == decided


# --- between two decisions


def next_round(at: State) -> None:
    """The next round, as it is dealt."""
    fresh = at.game.new_state(77).states[0]
    for field in set(at.states.dtype.names) - {"keys"}:
        at.states[field][0] = fresh[field]
    at.states["round_no"][0] = 2


def sudden_death(at: State) -> None:
    """A sudden death, as it is dealt, with a bedroom that was just on the table."""
    before = int(at.states[0].bedroom[0])
    next_round(at)
    s = at.states[0]
    at.states["round_no"][0] = 1
    at.states["sudden"][0] = 1
    free = [k for k in range(8, 16) if k not in found("table").states[0].bedroom]
    s.bedroom[:] = [free[0], free[1], -1, -1, -1]
    s.open[:, 2] = 0
    assert before not in s.bedroom


def both(*changes: Change) -> Change:
    """Several changes, one after the other."""

    def change(at: State) -> None:
        for step in changes:
            step(at)

    return change


def act_of(seat: int) -> Change:
    """A seat is seen to have acted."""

    def change(at: State) -> None:
        s = at.states[0]
        s.tick += 5
        s.l_kind[seat], s.l_room[seat], s.l_tick[seat] = state.DRAW, 0, s.tick

    return change


def grown_deck(at: State) -> None:
    """A used card is in the deck again."""
    s = at.states[0]
    card = int(s.row[0, 0, 0])
    s.deck[0, s.deck_n[0]] = card
    s.deck_n[0] += 1


def give_back_reserve(at: State) -> None:
    """A second deck is there again."""
    at.states[0].deck_n[3] = 54


ALLOWED: tuple[tuple[str, Change], ...] = (
    ("table", put("tick", 44)),
    ("table", add_at("p_due", 1)),
    ("table", both(act_of(0), add_at("hand", (0, 0)))),
    ("table", both(act_of(1), add_at("paid", (0, 0)))),
    ("four", both(act_of(2), add_at("sleeve", (0, 0), -1))),
    ("table", next_round),
    ("table", both(next_round, add_at("keys", 1))),
    ("table", sudden_death),
)

CHANGED: tuple[tuple[int, str, Change], ...] = (
    (checks.NOT_MONOTONE, "table", put("tick", 39)),
    (checks.NOT_MONOTONE, "table", put_at("keys", 0, 0)),
    (checks.NOT_MONOTONE, "table", add_at("keys", 0)),
    (checks.NOT_MONOTONE, "table", both(next_round, add_at("keys", 0), add_at("keys", 1))),
    (checks.NOT_MONOTONE, "table", both(next_round, put("round_no", 3))),
    (checks.NOT_MONOTONE, "table", both(next_round, put("sudden", 1))),
    (checks.NOT_MONOTONE, "sudden", put("sudden", 0)),
    (checks.NOT_MONOTONE, "start", put("sudden", 2)),
    (checks.NOT_MONOTONE, "table", put("round_no", 0)),
    (checks.NOT_MONOTONE, "table", both(act_of(0), add_at("used", (0, 0), -1))),
    (checks.NOT_MONOTONE, "table", both(act_of(0), grown_deck)),
    (checks.NOT_MONOTONE, "taken", both(act_of(1), give_back_reserve)),
    (checks.NOT_MONOTONE, "start", put_at("face_down", 0, 1)),
    (checks.BAD_DEAL, "table", both(next_round, put("tick", 1))),
    (checks.BAD_DEAL, "table", both(next_round, put("actor", 1))),
    (checks.BAD_DEAL, "table", both(next_round, add_at("hand_n", 0, -1))),
    (checks.BAD_DEAL, "table", both(next_round, add_at("sleeve_n", 0, -1))),
    (checks.BAD_DEAL, "table", both(next_round, put_at("used", (1, 4), 1))),
    (checks.BAD_DEAL, "table", both(next_round, put_at("p_kind", 1, state.WAIT))),
    (checks.BAD_DEAL, "table", both(next_round, put_at("l_kind", 1, state.DRAW))),
    (checks.BAD_DEAL, "table", both(next_round, put_at("deck_n", 2, 0))),
    (checks.BAD_DEAL, "table", both(next_round, put_at("claimed", 0, 1))),
    (checks.BAD_DEAL, "table", both(next_round, put_at("row_n", (0, 1), 1))),
    (checks.BAD_DEAL, "table", both(next_round, put_at("trap_n", (0, 1), 1))),
    (checks.BAD_DEAL, "down", both(next_round, put_at("face_down", 0, 0))),
    (checks.BAD_DEAL, "table", both(sudden_death, put_at("bedroom", 1, 8))),
    (checks.CLAIM_CHANGED, "table", both(act_of(0), put_at("bedroom", 0, 9))),
    (checks.CLAIM_CHANGED, "table", both(act_of(0), put_at("claimed", 1, 0))),
    (checks.CLAIM_CHANGED, "table", both(act_of(0), put_at("claimed", 1, -1))),
    (checks.CLAIM_CHANGED, "table", both(act_of(0), put_at("mistake", 1, 1))),
    (checks.CLAIM_CHANGED, "table", both(act_of(0), put_at("row", (1, 1, 2), 5))),
    (checks.CLAIM_CHANGED, "table", both(act_of(0), put_at("row_n", (1, 1), 3))),
    (checks.UNSEEN_CHANGE, "table", put_at("row", (0, 0, 0), 3)),
    (checks.UNSEEN_CHANGE, "table", put_at("claimed", 0, 0)),
    (checks.UNSEEN_CHANGE, "table", put_at("trap", (0, 0, 0), 3)),
    (checks.UNSEEN_CHANGE, "table", put_at("trap_n", (0, 0), 1)),
    (checks.UNSEEN_CHANGE, "table", put_at("paid", (0, 0), 2)),
    (checks.UNSEEN_CHANGE, "table", both(act_of(0), add_at("hand", (1, 0)))),
    (checks.UNSEEN_CHANGE, "table", add_at("sleeve", (1, 0))),
    (checks.UNSEEN_CHANGE, "table", add_at("used", (1, 0))),
    (checks.UNSEEN_CHANGE, "taken", put_at("known", (1, 0), 0)),
    (checks.UNSEEN_CHANGE, "table", put_at("deck", (1, 0), 30)),
    (checks.UNSEEN_CHANGE, "down", put_at("face_down", 0, 0)),
    (checks.UNSEEN_CHANGE, "four", both(act_of(1), add_at("hand", (0, 0)))),
)


def found_between(before: State, after: State) -> int:
    return int(before.game.kernels.changes(after.states, 0, before.game.rules, before.states, 0))


@pytest.mark.parametrize(("name", "change"), ALLOWED, ids=[f"{n}-{row[0]}" for n, row in enumerate(ALLOWED)])
def test_what_may_change_is_no_problem(name: str, change: Change) -> None:
    """The clock, what a seat that was seen has done, a new deal."""
    before = found(name)
    after = before.copy()
    assert found_between(before, after) == 0
    change(after)
    assert found_between(before, after) == 0


@pytest.mark.parametrize(("bit", "name", "change"), CHANGED, ids=[f"{n}-{row[1]}" for n, row in enumerate(CHANGED)])
def test_a_broken_move_is_noticed(bit: int, name: str, change: Change) -> None:
    """Nothing is found between a state and itself, this between it and its broken copy."""
    before = found(name)
    after = before.copy()
    change(after)
    assert found_between(before, after) & bit


def test_every_problem_can_be_found() -> None:
    """The tables above leave out no bit."""
    seen = 0
    for bit, _, _ in BROKEN + CHANGED:
        seen |= bit
    assert seen == (1 << len(checks.PROBLEMS)) - 1
