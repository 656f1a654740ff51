"""Counts of legal move sequences."""

from __future__ import annotations

from typing import Any

import pytest

from cardzoo.envs import load
from tests.support.counting import perft, slow_perft
from tests.support.teddies_model import APART, LAST_DEAL, OURS, THEIRS, Plain, begin_apart, read_table

PERFT: tuple[tuple[str, dict[str, Any], dict[str, Any], list[int]], ...] = (
    (
        "two seats: places, an attack, a bomb, payments for a trap, a draw, the second deck, claims, the end",
        {},
        {
            "rooms": {
                "1": {
                    "bedroom": "b2_01",
                    "teddies": {"row": ["heart", "moon", "star"]},
                    "monsters": {"row": ["claw", "yellow_ogre"]},
                },
                "2": {"bedroom": "b2_05", "teddies": {"traps": ["red_web"], "paid": 2}},
                "3": THEIRS,
            },
            "players": {
                "teddies_0": {"hand": ["yellow_baker"], "sleeve": ["honey"], "deck": ["star"], "reserve": False},
                "monsters_0": {"hand": ["slime_bomb"], "sleeve": ["fang"], "deck": [], "reserve": ["eye"]},
            },
        },
        [7, 34, 196, 930, 3931, 16545, 66242, 262499, 1081828],
    ),
    (
        "two seats that make mistakes: wrong cards, calls, a wrong claim, the review, a row too long",
        {"allow_mistakes": True, "trap_blocks_claim": True, "late_cards": "returned"},
        {
            "rooms": {
                "1": {"bedroom": "b2_01", "teddies": {"row": ["heart", "star", "moon"]}, "monsters": {"row": ["fang"]}},
                "2": OURS,
                "3": THEIRS,
            },
            "players": {
                "teddies_0": {"hand": ["blue_baker", "star"], "sleeve": [], "deck": [], "reserve": False},
                "monsters_0": {"hand": ["green_web"], "sleeve": ["claw"], "deck": [], "reserve": False},
            },
        },
        [6, 36, 164, 716, 2712, 9730, 30716, 89685, 238453],
    ),
    (
        "four seats: partners collide and claim, a seat that is out plays from its partner's sleeve",
        {},
        {
            "rooms": {
                "1": {"bedroom": "b2_01", "teddies": {"row": ["heart", "moon"]}, "monsters": {"row": ["claw"]}},
                "2": OURS,
                "3": {**OURS, "bedroom": "b1_05", "teddies": {"row": ["heart", "heart", "moon"]}},
                "4": THEIRS,
                "5": {**THEIRS, "bedroom": "b1_03", "monsters": {"row": ["eye", "fang", "claw"]}},
            },
            "players": {
                "teddies_0": {"hand": ["star"], "sleeve": ["honey"], "deck": []},
                "monsters_0": {"hand": ["eye"], "sleeve": [], "deck": ["purple_web"]},
                "teddies_1": {"hand": [], "sleeve": [], "deck": []},
                "monsters_1": {"hand": [], "sleeve": ["eye"], "deck": []},
            },
        },
        [4, 20, 60, 194, 687, 2204, 6491, 16755, 39095],
    ),
    (
        "four seats that make mistakes: face-down hands, own mistakes called, wrong rooms that count for nobody",
        {"allow_mistakes": True, "call_by": "owner", "review": "discount", "start_hand": "face_down"},
        {
            "rooms": {
                "1": {
                    "bedroom": "b1_04",
                    "teddies": {"row": ["honey", "star"]},
                    "monsters": {"row": ["slime", "fang"]},
                },
                "2": OURS,
                "3": {**OURS, "bedroom": "b1_05", "teddies": {"row": ["heart", "heart", "moon"]}},
                "4": THEIRS,
                "5": {**THEIRS, "bedroom": "b1_03", "monsters": {"row": ["eye", "fang", "claw"]}},
            },
            "players": {
                "teddies_0": {"hand": ["star"], "sleeve": [], "deck": []},
                "monsters_0": {"hand": ["eye"], "sleeve": ["claw"], "deck": [], "face_down": False},
                "teddies_1": {"hand": [], "sleeve": ["red_yarn"], "deck": []},
                "monsters_1": {"hand": [], "sleeve": [], "deck": []},
            },
        },
        [3, 18, 90, 360, 1390, 5368, 19014, 64137, 206942],
    ),
)


@pytest.mark.parametrize(
    ("options", "position", "counts"), [case[1:] for case in PERFT], ids=[case[0] for case in PERFT]
)
def test_perft(options: dict[str, Any], position: dict[str, Any], counts: list[int]) -> None:
    """Numbers of legal move sequences, which pin the mask and the rules at once; nothing in them is random.

    The first four are those of the plain model above, too. A sequence that reaches the end of the deal goes no further.
    """
    seats = len(position["players"])
    game = load("teddies_vs_monsters", seats=seats, **options, **LAST_DEAL, **APART[seats])
    state = game.from_position({**position, "pending": begin_apart(game)})
    plain, table = Plain(game), read_table(game, state.to_position())
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts
    assert [plain.sequences(table, depth) for depth in range(1, 5)] == counts[:4]
    assert slow_perft(state, 4) == counts[3]
