"""The actions of Bloodsport Gambler: one layout for all options, and the text of each action.

T action card types. A spot is a fighter, or the weapon there: 1L 1R 2L 2R 3L 3R. F1..F3 are fights, or their secrets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cardzoo.envs.bloodsport_gambler.state import FIGHTS, FIRST_LOAN, LOANS, MAX_TIME, MAX_WAGER, SPOTS
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.layout import Block, Layout

SPOT_NAMES: Final = ("1L", "1R", "2L", "2R", "3L", "3R")
MAX_COIN: Final = 9  # risk 6 and three shown cards

PLAY: Final = 0  # first action of the block `play`; the other blocks start at T plus:
TARGET_AT: Final = 0  # `target 1L`; six spots, then `target F1` ..
SHOW_AT: Final = TARGET_AT + SPOTS + FIGHTS  # show, hide
TIME_AT: Final = SHOW_AT + 2  # time 0 ..
COIN_AT: Final = TIME_AT + MAX_TIME + 1  # coin 0 ..
PASS_AT: Final = COIN_AT + MAX_COIN + 1  # pass, proceed, rat
PROCEED_AT: Final = PASS_AT + 1
RAT_AT: Final = PASS_AT + 2
BET_AT: Final = PASS_AT + 3  # bet 1L 1, bet 1L 2 ..
NOBET_AT: Final = BET_AT + SPOTS * MAX_WAGER  # nobet 1 ..
PAY_AT: Final = NOBET_AT + FIGHTS  # pay 3 ..
DONE_AT: Final = PAY_AT + LOANS  # done, skip
SKIP_AT: Final = DONE_AT + 1
DISCARD_AT: Final = DONE_AT + 2  # discard of type 0; keep follows after T of them


def action_layout(num_actions: int) -> Layout:
    """The action numbers as named blocks."""
    return Layout(
        [
            Block("play", (num_actions,), "play an action card"),
            Block("target", (SPOTS + FIGHTS,), "a spot (fighter or weapon) 1L 1R .. 3R, or a fight (or secret) F1..F3"),
            Block("show", (2,), "show, hide"),
            Block("time", (MAX_TIME + 1,), "spend 0..6 Time on the risk"),
            Block("coin", (MAX_COIN + 1,), "spend 0..9 coins on the risk"),
            Block("answer", (3,), "pass, proceed, rat"),
            Block("bet", (SPOTS, MAX_WAGER), "wager 1..3 coins on a fighter"),
            Block("nobet", (FIGHTS,), "no wager on a fight"),
            Block("pay", (LOANS,), "pay the loan amount 3..8"),
            Block("settle", (2,), "done, skip"),
            Block("discard", (num_actions,), "discard an action card"),
            Block("keep", (1,), "keep the rest"),
        ]
    )


def action_texts(card_ids: Sequence[str]) -> list[str]:
    """The text of every action, in the order of the layout."""
    return [
        *(f"play {card}" for card in card_ids),
        *(f"target {spot}" for spot in SPOT_NAMES),
        *(f"target F{fight + 1}" for fight in range(FIGHTS)),
        "show",
        "hide",
        *(f"time {n}" for n in range(MAX_TIME + 1)),
        *(f"coin {n}" for n in range(MAX_COIN + 1)),
        "pass",
        "proceed",
        "rat",
        *(f"bet {spot} {n}" for spot in SPOT_NAMES for n in range(1, MAX_WAGER + 1)),
        *(f"nobet {fight + 1}" for fight in range(FIGHTS)),
        *(f"pay {FIRST_LOAN + k}" for k in range(LOANS)),
        "done",
        "skip",
        *(f"discard {card}" for card in card_ids),
        "keep",
    ]


@kernel
def after_play(rules: Rules, at: int) -> int:
    """The action number of an offset such as TIME_AT."""
    return int(rules.num_actions) + at


@kernel
def keep_action(rules: Rules) -> int:
    """The action `keep`, the last one."""
    return 2 * int(rules.num_actions) + DISCARD_AT
