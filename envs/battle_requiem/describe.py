"""What is printed on cards and characters, on one line each, and other words for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardzoo.envs.core.fields import alternatives


def describe_card(card: Any) -> str:
    """A card: name, kind, rating, effect."""
    parts = [card.name, card.kind]
    if card.brn is not None:
        parts.append(f"BRN {card.brn}")
    if card.effect:
        parts.append(effect_text(card.effect))
    elif card.kind == "relic":
        parts.append("the Special Ability of the user's character")
    return "; ".join(parts)


def describe_character(character: Any) -> str:
    """A character: name, realm, stats, modifiers, ability."""
    return "; ".join(
        [
            character.name,
            f"{character.realm}, age {character.age}, HP {character.hp}, Inventory {character.inventory}",
            modifiers_text(character) or "no modifiers",
            f"{character.ability.name}: {effect_text(character.ability.effect)}",
        ]
    )


def modifiers_text(character: Any) -> str:
    """The modifiers of a character: `attack melee +1, heal +2`."""
    return ", ".join(f"{key.replace('_', ' ')} {value:+d}" for key, value in character.modifiers.items())


def effect_text(steps: Sequence[Any]) -> str:
    """The steps of an effect."""
    return ", ".join(str(step) for step in steps)


def seats_text(seats: Sequence[int]) -> str:
    """`seat 2`, `seats 0 and 2`."""
    return f"seat{'s' if len(seats) != 1 else ''} {alternatives(seats, 'and')}"
