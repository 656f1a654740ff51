"""Words of the position notation: its keys, and the ids of cards and characters in both directions.

A position is a mapping (YAML or JSON) with the keys below; RULES.md explains each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from cardzoo.envs.battle_requiem.state import MAX_CARDS
from cardzoo.envs.core.reading import Ids

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game

KEYS: Final = (
    "seats",
    "active",
    "phase",
    "turn",
    "round",
    "extra",
    "draw",
    "discard",
    "box",
    "duel",
    "effect",
    "fallen",
    "steals",
    "mix",
    "truncated",
)
DERIVED: Final = ("actor", "returns")  # written, and ignored when read
SEAT_KEYS: Final = (
    "character",
    "hp",
    "inventory",
    "hand",
    "known",
    "skip",
    "veil",
    "attack_boost",
    "defend_boost",
    "last_turn",
    "last_defence",
    "fresh",
    "place",
)
DUEL_KEYS: Final = ("defender", "attack", "defence")
EFFECT_KEYS: Final = ("card", "step", "branch", "foe", "ally", "queue", "need")
REST: Final = "rest"


class Names:
    """Ids of a game's cards and characters, with readers that check what a position names."""

    def __init__(self, game: Game) -> None:
        self.cards: tuple[Any, ...] = game.cards.cards
        self.characters: tuple[Any, ...] = tuple(game.cards.file.characters)  # type: ignore[attr-defined]
        self.card_ids: tuple[str, ...] = game.cards.ids
        self.character_ids: tuple[str, ...] = tuple(character.id for character in self.characters)
        self.types = Ids(self.card_ids, "card", MAX_CARDS)
        self.roles = Ids(self.character_ids, "character", 1)

    def card(self, key: str, value: Any) -> int:
        """Type index of a card id."""
        return self.types.number(key, value)

    def card_list(self, key: str, value: Any) -> list[int]:
        """Type indices of a list of card ids."""
        return self.types.numbers(key, value)

    def counts(self, key: str, value: Any) -> list[int]:
        """Copies of each type in a mapping id: count, or in a list of ids."""
        return self.types.counts(key, value)

    def character(self, key: str, value: Any) -> int:
        """Index of a character id."""
        return self.roles.number(key, value)

    def mapping(self, counts: Sequence[int]) -> dict[str, int]:
        """Counts by type as a mapping without zeros."""
        return self.types.mapping(counts)
