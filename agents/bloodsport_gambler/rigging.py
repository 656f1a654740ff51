"""What a Sabotage is worth, and beside whom to lay it."""

from __future__ import annotations

from typing import Final

from cardzoo.agents.bloodsport_gambler.estimator import (
    UNKNOWN,
    Desk,
    add_sabotage,
    add_secret,
    known_secret,
    outlook,
    take_up,
)
from cardzoo.agents.bloodsport_gambler.wagers import stakes
from cardzoo.envs.bloodsport_gambler.state import FIGHTS, MAX_WAGER, NO_CARD, NOBODY, SIDES
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

CAUGHT: Final = 0.7  # what being caught costs: a card, and a higher guard level


@kernel
def rigged_value(desk: Desk, s: Record, rules: Rules, seat: int, fight: int, card: int, side: int) -> float:
    """Value of the best wager on a fight with a further Sabotage of some side; `card` NO_CARD: as it is now."""
    take_up(desk, fight)
    if card != NO_CARD:
        add_sabotage(desk.trial, rules, card, side, int(s.w_slot[fight, side]))
    secret = known_secret(s, seat, fight)
    if secret != UNKNOWN:
        add_secret(desk.trial, s, rules, fight, secret)
    _, values = outlook(desk, rules, stakes(s, rules, fight, int(s.coin[seat])))
    return values[0]


@kernel
def plan_sabotage(desk: Desk, s: Record, rules: Rules, seat: int, card: int, chance: float) -> tuple[float, int]:
    """The spot where a Sabotage brings most, and what; spot NOBODY if it raises the value of no fight.

    Args:
        desk: with the fights laid out.
        s: the game.
        rules: its rules.
        seat: who plays it.
        card: the Sabotage.
        chance: that it succeeds; if not, the wager is lost too.
    """
    best = NOBODY
    highest = 0.0
    for fight in range(FIGHTS):
        now = rigged_value(desk, s, rules, seat, fight, NO_CARD, 0)
        for side in range(SIDES):
            then = rigged_value(desk, s, rules, seat, fight, card, side)
            if then <= now:
                continue
            gain = chance * then - (1.0 - chance) * (MAX_WAGER + CAUGHT) - now
            if best == NOBODY or gain > highest:
                best = SIDES * fight + side
                highest = gain
    return highest, best
