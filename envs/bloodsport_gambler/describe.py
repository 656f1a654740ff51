"""What is printed on cards, on one line each, and other words and facts for people."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any, Final

from cardzoo.envs.bloodsport_gambler.state import IN, STATUSES
from cardzoo.envs.core.fields import alternatives

WIDTH: Final = 100
INDENT: Final = "    "


def wrapped(text: str, indent: str = INDENT) -> list[str]:
    """A text as lines of the table's width; further lines are indented."""
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]


def describe_card(card: Any) -> str:
    """An action card: name, kind, risk, effects."""
    risk = "no risk" if card.risk is None else f"risk {card.risk}"
    return f"{card.name}; {card.kind}; {risk}; {effects_text(card.effects)}"


def effects_text(effects: Sequence[Any]) -> str:
    """The effects of a card."""
    return ", ".join(str(effect) for effect in effects)


def fate_of(s: Any, seat: int) -> dict[str, Any] | None:
    """The first result of a seat, its round, and the fate that it brought (tier, roll 1 to 6, total); None without."""
    if int(s.result[seat]) == IN:
        return None
    return {
        "result": STATUSES[int(s.result[seat])],
        "round": int(s.done_round[seat]),
        "tier": int(s.fate_tier[seat]),
        "roll": int(s.fate_roll[seat]),
        "total": int(s.fate_total[seat]),
    }


def seats_text(seats: Sequence[int]) -> str:
    """`seat 1`, `seats 0 and 1`."""
    return f"seat{'s' if len(seats) != 1 else ''} {alternatives(seats, 'and')}"


def counted(count: int, word: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {word}{'' if count == 1 else 's'}"
