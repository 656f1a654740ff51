"""What is printed on cards, on one line each, and other words for people."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from cardzoo.envs.teddies_vs_monsters.cards import ANY
from cardzoo.envs.teddies_vs_monsters.words import ANY_SIGN

if TYPE_CHECKING:
    from cardzoo.envs.teddies_vs_monsters.card_file import TeddiesCard

WIDTH: Final = 100
INDENT: Final = "    "


def wrapped(text: str, indent: str = INDENT) -> list[str]:
    """A text as lines of the table's width; further lines are indented."""
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]


def describe_card(card: TeddiesCard) -> str:
    """A card: name, kind, effects."""
    return f"{card.name}; {card.kind}; {', '.join(str(effect) for effect in card.card_effects)}"


def symbols_text(symbols: Sequence[str]) -> str:
    """Symbols as they are printed, from the left."""
    return " ".join(ANY_SIGN if symbol == ANY else symbol for symbol in symbols)


def card_label(card: TeddiesCard) -> str:
    """A card on the table: its id, and the symbols that it supplies unless the id says them."""
    fill = card.effect("fill")
    return card.id if fill is None or fill.symbols == (card.id,) else f"{card.id} ({symbols_text(fill.symbols)})"


def listed(labels: Sequence[str]) -> str:
    """Labels of cards with how often each is there: `2 heart, star`."""
    counts = dict.fromkeys(labels, 0)
    for label in labels:
        counts[label] += 1
    return ", ".join(label if count == 1 else f"{count} {label}" for label, count in counts.items())


def counted(count: int, word: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {word}{'' if count == 1 else 's'}"
