"""How long deals are at most, and when they stop."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from cardzoo.envs import load
from cardzoo.envs.teddies_vs_monsters.game import TeddiesVsMonsters
from tests.support.teddies_model import LAST_DEAL, OURS, THEIRS


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seats": 4, "pace": [100, 300, 75, 10], "round_ticks": 1001},
        {"allow_mistakes": True, "tempo": {"wait": 1}, "round_ticks": 101},
        {"start_hand": "face_down", "round_ticks": 100, "max_rounds": 2},
    ],
    ids=str,
)
def test_who_always_waits_begins_no_more_acts_than_there_are_ticks_for(options: dict[str, Any]) -> None:
    """R17: round_ticks / shortest act of them land in a deal, and one more is begun; then the next deal follows."""
    game = load("teddies_vs_monsters", **{"max_rounds": 1, "max_sudden": 1, **options})
    chosen = game.options
    state = game.new_state(0)
    begun: Counter[tuple[int, int, int]] = Counter()
    while not state.is_over:
        record = state.states[0]
        begun[int(record.round_no), int(record.sudden), state.actor or 0] += 1
        state.apply("wait")
    bounds = [
        chosen["round_ticks"] // max(1, (chosen["tempo"]["wait"] * pace + 50) // 100) + 1 for pace in chosen["pace"]
    ]
    rounds = range(1, chosen["max_rounds"] + 1)
    assert begun == {(r, sudden, seat): n for r in rounds for sudden in range(2) for seat, n in enumerate(bounds)}
    assert state.outcome is not None
    assert state.outcome.truncated


@pytest.mark.parametrize("options", [{}, {"seats": 4}, {"allow_mistakes": True, "start_hand": "face_down"}], ids=str)
def test_no_seat_begins_more_acts_in_a_deal_than_there_are_ticks_for(options: dict[str, Any]) -> None:
    """All acts as short as a wait, and a hundred ticks: random play comes close to the bound, and never above it."""
    tempo = dict.fromkeys(TeddiesVsMonsters().options["tempo"], 4)
    limits = {"round_ticks": 100, "tempo": tempo, "reaction": 0, "jitter": 0, "max_rounds": 2}
    game = load("teddies_vs_monsters", **limits, **options)
    most = 0
    for seed in range(2):
        state = game.new_state(seed)
        rng = np.random.default_rng(seed)
        begun: Counter[tuple[int, int, int]] = Counter()
        while not state.is_over:
            record, actor = state.states[0], state.actor or 0
            deal = (int(record.round_no), int(record.sudden), actor)
            state.apply(int(rng.choice(state.legal_actions())))
            begun[deal] += int(state.states[0].picked) < 0
        most = max(most, *begun.values())
    assert most == 100 // 4 + 1


LEFT: list[tuple[str, dict[str, Any], dict[str, Any], tuple[str, ...], int]] = [
    # what is left, options, position beside claimed rooms, moves of the teddies, the tick at which the round stops
    ("one card", {}, {"hand": ["heart"]}, ("discard heart",), 4),
    ("a face-down hand", {"start_hand": "face_down"}, {"hand": ["star"]}, ("look", "discard star"), 14),
    ("a card in the deck", {"sleeve_size": 0}, {"deck": ["star"]}, ("draw hand", "discard star"), 9),
    ("a wrong row", {"allow_mistakes": True}, {"row": ["heart", "heart"]}, ("call own 1",), 18),
    ("a row that cannot be claimed", {"trap_blocks_claim": True}, {"row": ["heart", "moon", "star", "honey"]}, (), 0),
]


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize(("options", "left", "moves", "tick"), [case[1:] for case in LEFT], ids=[c[0] for c in LEFT])
def test_a_round_in_which_nobody_can_do_anything_stops_at_once(
    options: dict[str, Any], left: dict[str, Any], moves: tuple[str, ...], tick: int, seats: int
) -> None:
    """R17: not when its ticks are over, and not before the last seat has done what it could."""
    game = load("teddies_vs_monsters", seats=seats, jitter=0, round_ticks=30_000, **LAST_DEAL, **options)
    nothing: dict[str, Any] = {"hand": [], "sleeve": [], "deck": [], "face_down": False}
    nothing |= {"reserve": False} if seats == 2 else {}
    players = {agent: dict(nothing) for agent in game.agents}
    players["teddies_0"] |= {key: cards for key, cards in left.items() if key != "row"}
    players["teddies_0"]["face_down"] = "start_hand" in options
    side = {"row": left.get("row", []), "traps": ["red_web"] if "trap_blocks_claim" in options else []}
    rooms = {"1": {"bedroom": "b2_01", "teddies": side}, "2": OURS, "3": THEIRS}
    if seats == 4:
        rooms["4"] = {**OURS, "bedroom": "b1_05", "teddies": {"row": ["heart", "heart", "moon"]}}
        rooms["5"] = {**THEIRS, "bedroom": "b1_03", "monsters": {"row": ["eye", "fang", "claw"]}}
    pending = {agent: {"action": "wait", "lands": 20_000} for agent in game.agents[1:]}
    state = game.from_position({"rooms": rooms, "players": players, "pending": pending})
    for move in moves:
        assert not state.is_over
        state.apply(move)
    assert state.is_over
    assert state.outcome is not None
    assert state.outcome.truncated
    assert state.states[0].tick == tick
