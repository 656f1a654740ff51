"""Limits of single numbers: zones, trap piles, rows, used cards, ticks, sudden deaths, rounds (R13, R17, R19, R22).

That nobody begins more acts than there are ticks for is in test_lengths.py.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from cardzoo.envs import BatchEnv, State
from tests.support.players import game_with
from tests.support.teddies_vs_monsters import CUSTOM_CARDS, assert_sound

OURS: dict[str, Any] = {"bedroom": "a1", "claimed": "teddies", "teddies": {"row": ["sun", "leaf"]}}
THEIRS: dict[str, Any] = {"bedroom": "a2", "claimed": "monsters", "monsters": {"row": ["skull", "bat"]}}
TRAPS = [*["glue"] * 4, *["chain"] * 4, *["snag"] * 2]  # all of the monsters' two decks
FAR = {"monsters_0": {"action": "wait", "lands": 900}}


def start(position: dict[str, Any], cards: Path | None = CUSTOM_CARDS, **options: Any) -> State:
    chosen = {"jitter": 0, **({"cards": str(cards)} if cards else {}), **options}
    state = game_with("teddies_vs_monsters", json.dumps(chosen)).from_position(position)
    assert_sound(state)
    return state


def play(state: State, *moves: str) -> State:
    for move in moves:
        state.apply(move)
        assert_sound(state)
    return state


def side(state: State, team: str) -> dict[str, Any]:
    found: dict[str, Any] = state.to_position()["rooms"]["1"][team]
    return found


# --- hands and sleeves


@pytest.mark.parametrize(("hand", "sleeve"), [(1, 0), (1, 1), (5, 4), (9, 9), (2, 9)])
def test_r13_a_zone_is_filled_up_to_its_size_and_no_further(hand: int, sleeve: int) -> None:
    """From one card less: one draw to each fills both, and no other is legal."""
    players = {
        "teddies_0": {
            "hand": ["sun", "leaf", "drop", "cloud", "sun", "leaf", "drop", "cloud"][: hand - 1],
            "sleeve": ["prism", "purse", "pit", "scout", "twins", "prism", "hunter", "rocket"][: max(0, sleeve - 1)],
        }
    }
    state = start({"players": players, "pending": FAR}, hand_size=hand, sleeve_size=sleeve)
    assert ("draw sleeve" in state.legal_texts()) == (sleeve > 0)
    play(state, "draw hand", *(["draw sleeve"] if sleeve else []))
    record = state.states[0]
    assert (record.hand_n[0], record.sleeve_n[0]) == (hand, sleeve)
    assert not {"draw hand", "draw sleeve"} & set(state.legal_texts())


@pytest.mark.parametrize(
    "options", [{"hand_size": 1, "sleeve_size": 0}, {"hand_size": 9, "sleeve_size": 9, "seats": 4}, {}], ids=str
)
def test_zones_piles_and_rows_keep_to_their_sizes_in_random_play(options: dict[str, Any]) -> None:
    """R13, and the price of a trap; cards that are drawn fill the zones again."""
    game = game_with("teddies_vs_monsters", json.dumps({"cards": str(CUSTOM_CARDS), "levels": [3], **options}))
    batch = BatchEnv(game, 32, seed=5, sample=True)
    step = batch.reset()
    seats, sizes = game.num_seats, (game.options["hand_size"], game.options["sleeve_size"])
    refilled = 0
    for _ in range(500):
        before = batch.states.hand_n.copy()
        step = batch.step(step.sampled)
        states = batch.states
        for zone, size in zip((states.hand_n, states.sleeve_n), sizes, strict=True):
            assert zone.min() >= 0
            assert zone.max() <= size
        refilled += int(((before < sizes[0]) & (states.hand_n == sizes[0]))[:, :seats].sum())
        assert states.row_n.max() <= 6
        assert states.row_sym.max() <= 6
        assert states.trap_n.max() <= 10
        assert (states.paid <= np.where(states.trap_n > 0, 2, 0)).all()
    assert refilled > 50


# --- trap piles


@pytest.mark.parametrize("seats", [2, 4])
def test_ten_traps_lie_in_a_pile_and_all_go_with_a_claim(seats: int) -> None:
    """All snares of a team: of two seats by who has taken the second deck, of four by both together."""
    players: dict[str, Any] = {"monsters_0": {"hand": ["snag"], "sleeve": ["bone"]}}
    if seats == 2:
        players["monsters_0"] |= {"deck": [], "reserve": False}
    rooms = {"1": {"bedroom": "a4", "teddies": {"row": ["cloud", "sun"], "traps": TRAPS[:-1]}}, "2": OURS, "3": THEIRS}
    agents = ["teddies_0", "teddies_1", "monsters_1"][: 1 if seats == 2 else 3]
    pending = {agent: {"action": "wait", "lands": 14 + number} for number, agent in enumerate(agents)}
    state = start({"rooms": rooms, "players": players, "pending": pending}, seats=seats)
    play(state, "play snag", *(["to foe 1"] if seats == 4 else []))
    assert state.actor == 0
    assert side(state, "teddies")["traps"] == ["snag", *TRAPS[:-1]]
    state.apply("claim 1")
    while state.states[0].claimed[0] < 0 and state.states[0].round_no == 1:
        state.apply("wait")
    assert state.states[0].keys.tolist() == ([1, 0] if seats == 2 else [0, 0])
    if seats == 4:
        assert side(state, "teddies")["traps"] == []
        assert Counter(state.to_position()["discards"]["monsters"]) == Counter(TRAPS)


def test_ten_traps_are_removed_from_the_top_one_by_one() -> None:
    """By cards of their colours, and by payments of 3 (R10)."""
    rooms = {"1": {"bedroom": "b1", "teddies": {"traps": TRAPS}}, "2": OURS, "3": THEIRS}
    players = {
        "teddies_0": {"hand": ["purse", "purse", "gardener"], "sleeve": ["twins", "captain"]},
        "monsters_0": {"hand": [], "sleeve": [], "deck": [], "reserve": False},
    }
    state = start({"rooms": rooms, "players": players, "pending": FAR})
    for card, left in (("twins", 9), ("gardener", 8), ("purse", 7), ("captain", 6), ("purse", 5)):
        play(state, f"play {card}")
        assert (side(state, "teddies")["traps"], side(state, "teddies")["paid"]) == (TRAPS[10 - left :], 0)


# --- rows


SIX = ["sun", "leaf", "drop", "cloud", "sun"]  # c1 without its last place


@pytest.mark.parametrize(
    ("last", "symbols", "readings"),
    [("drop", 6, ["left"]), ("leaf", 6, []), ("captain", 7, []), ("twins", 7, [])],
    ids=["six right ones", "a wrong last one", "a pair that would fit", "any any"],
)
def test_r22_a_row_has_at_most_six_cards_and_seven_symbols(last: str, symbols: int, readings: list[str]) -> None:
    """A pair may overfill a row of five by one, which is wrong whatever its symbols; then the row is full."""
    rooms = {"1": {"bedroom": "c1", "teddies": {"row": SIX}}, "2": OURS, "3": THEIRS}
    players = {"teddies_0": {"hand": [last, "prism", "scout"], "sleeve": []}}
    position = {"rooms": rooms, "players": players, "pending": FAR}
    state = play(start(position, allow_mistakes=True), f"play {last}")
    assert side(state, "teddies")["row"] == [*SIX, last]
    assert (side(state, "teddies")["symbols"], side(state, "teddies")["readings"]) == (symbols, readings)
    texts = set(state.legal_texts())
    assert "claim 1" in texts
    assert not {"play prism", "play scout"} & texts
    assert ("call own 1" in texts) == (not readings)
    if not readings:  # R23: the last card is the first wrong one
        play(state, "call own 1")
        assert side(state, "teddies")["row"] == SIX


def test_r22_a_claimed_room_may_hold_seven_symbols() -> None:
    """Under `discount` it counts for nobody, and the row stays as it was laid."""
    row = [*SIX, "captain"]
    rooms = {"1": {"bedroom": "c1", "teddies": {"row": row}}, "2": {"bedroom": "b1"}, "3": THEIRS}
    state = start({"rooms": rooms, "pending": FAR}, allow_mistakes=True, review="discount")
    play(state, "claim 1")
    found = state.to_position()["rooms"]["1"]
    assert (found["claimed"], found["mistake"], found["teddies"]["row"]) == ("teddies", True, row)
    assert found["teddies"]["symbols"] == 7


def test_without_mistakes_the_last_place_takes_no_pair() -> None:
    rooms = {"1": {"bedroom": "c1", "teddies": {"row": SIX}}, "2": OURS, "3": THEIRS}
    players = {"teddies_0": {"hand": ["drop", "captain", "twins"], "sleeve": []}}
    texts = start({"rooms": rooms, "players": players, "pending": FAR}).legal_texts()
    assert "play drop" in texts
    assert not {"play captain", "play twins"} & set(texts)


# --- cards


def test_a_seat_may_use_both_decks_up_with_63_copies_of_a_card(tmp_path: Path) -> None:
    """126 used cards of one type: the most that the record counts."""
    document = yaml.safe_load(CUSTOM_CARDS.read_text(encoding="utf-8"))
    own = [{**card, "copies": copies} for card, copies in zip(document["types"][:2], (63, 1), strict=True)]
    document["types"] = own + [card for card in document["types"] if card["team"] == "monsters"]
    path = tmp_path / "many.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    players = {"teddies_0": {"hand": ["sun", "sun"], "sleeve": ["leaf"], "deck": [], "reserve": False}}
    state = start({"players": players, "pending": FAR}, cards=path)
    play(state, "discard sun", "discard sun", "discard leaf")
    assert state.states[0].used[0, :2].tolist() == [126, 2]
    assert state.observe(1).max() <= state.game.observation_limit


# --- ticks


@pytest.mark.parametrize(("lands", "key"), [(99, 1), (100, 1), (101, 0)])
@pytest.mark.parametrize("sudden", [0, 1])
def test_r17_what_lands_at_the_last_tick_counts_and_nothing_after_it(lands: int, key: int, sudden: int) -> None:
    """Whether it stops is told by the earliest landing: that of the monsters is far behind."""
    rooms = {"1": {"bedroom": "a4", "teddies": {"row": ["sun", "cloud"]}}, "2": OURS, "3": THEIRS}
    if sudden:
        rooms = {"1": rooms["1"], "2": {"bedroom": "a3"}}
    pending = {**FAR, "teddies_0": {"action": "claim 1", "lands": lands}}
    state = start({"tick": 90, "sudden_death": sudden, "rooms": rooms, "pending": pending}, round_ticks=100)
    assert state.states[0].keys.tolist() == [key, 0]
    assert state.states[0].tick == 0
    assert state.states[0].sudden == (0 if key else 1 + sudden)


def test_r17_the_clock_runs_on_as_long_as_anything_lands_in_time() -> None:
    """An act that lands too late does not stop the other seat, which acts until the last tick."""
    pending = {"monsters_0": {"action": "wait", "lands": 101}}
    state = start({"tick": 0, "pending": pending}, round_ticks=100)
    ticks = []
    while state.states[0].sudden == 0:
        ticks.append(int(state.states[0].tick))
        assert state.actor == 0
        state.apply("wait")
    assert ticks == list(range(0, 101, 4))


def test_the_slowest_act_lands_in_the_longest_round() -> None:
    """Tempo 500 ten times as slow, the latest reaction and the widest jitter."""
    position = {
        "rooms": {"1": {"bedroom": "b1"}, "2": OURS, "3": THEIRS},
        "players": {"teddies_0": {"hand": ["sun", "leaf"], "sleeve": []}},
        "pending": {"monsters_0": {"action": "wait", "lands": 30_000}},
        "tick": 24_850,
        "dice": [50],
    }
    slow = {"tempo": {"place": 500}, "pace": [1000, 100], "reaction": 100, "jitter": 50, "round_ticks": 30_000}
    state = play(start(position, **slow), "play sun")
    assert (state.states[0].tick, state.actor) == (30_000, 0)
    assert side(state, "teddies")["row"] == ["sun"]


# --- sudden deaths and rounds


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize(("max_sudden", "max_rounds"), [(0, 1), (0, 99), (1, 3), (9, 2)])
def test_r19_ties_are_followed_by_so_many_sudden_deaths_in_so_many_rounds(
    max_sudden: int, max_rounds: int, seats: int
) -> None:
    """All wait: every deal of every round is a tie, and after the last one the game is cut off."""
    options = {"seats": seats, "round_ticks": 100, "max_sudden": max_sudden, "max_rounds": max_rounds}
    state = game_with("teddies_vs_monsters", json.dumps({"tempo": {"wait": 100}, **options})).new_state(0)
    deals: list[tuple[int, int]] = []
    while not state.is_over:
        record = state.states[0]
        deal = (int(record.round_no), int(record.sudden))
        deals += [deal] if deals[-1:] != [deal] else []
        state.apply("wait")
    assert deals == [(number, sudden) for number in range(1, max_rounds + 1) for sudden in range(max_sudden + 1)]
    assert state.outcome is not None
    assert state.outcome.truncated
    assert state.states[0].keys.tolist() == [0, 0]


def test_r19_a_key_in_a_sudden_death_begins_the_next_round_with_an_ordinary_deal() -> None:
    rooms = {"1": {"bedroom": "a4", "teddies": {"row": ["sun", "cloud"]}}, "2": {"bedroom": "a3"}}
    state = play(start({"sudden_death": 9, "rooms": rooms, "pending": FAR}, max_sudden=9), "claim 1")
    assert (state.states[0].round_no, state.states[0].sudden) == (2, 0)
    assert state.states[0].keys.tolist() == [1, 0]
