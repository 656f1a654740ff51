"""Words of the position notation: its keys, and the ids of cards and characters in both directions.

A position is a mapping (YAML or JSON) with the keys below; RULES.md explains each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from cardzoo.envs.battle_requiem.state import MAX_CARDS
from cardzoo.envs.core.fields import shown, suggestion
from cardzoo.envs.core.notation import as_list, as_whole, bad

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
        self._card_index = {name: index for index, name in enumerate(self.card_ids)}

    def card(self, key: str, value: Any) -> int:
        """Type index of a card id."""
        if not isinstance(value, str) or value not in self._card_index:
            raise bad(key, f"names {shown(value)}, which is no card{suggestion(value, self.card_ids)}")
        return self._card_index[value]

    def card_list(self, key: str, value: Any) -> list[int]:
        """Type indices of a list of card ids."""
        return [self.card(key, item) for item in as_list(key, value, "card ids")]

    def counts(self, key: str, value: Any) -> list[int]:
        """Copies of each type in a mapping id: count, or in a list of ids."""
        found = [0] * len(self.card_ids)
        if isinstance(value, Mapping):
            for name, count in value.items():
                found[self.card(key, name)] = as_whole(key, count, 0, MAX_CARDS)
            return found
        if not isinstance(value, (list, tuple)):
            raise bad(key, f"must be a mapping of card ids to counts, or a list of card ids, not {shown(value)}")
        for card in self.card_list(key, value):
            found[card] += 1
        return found

    def character(self, key: str, value: Any) -> int:
        """Index of a character id."""
        if not isinstance(value, str) or value not in self.character_ids:
            raise bad(key, f"names {shown(value)}, which is no character{suggestion(value, self.character_ids)}")
        return self.character_ids.index(value)

    def mapping(self, counts: Sequence[int]) -> dict[str, int]:
        """Counts by type as a mapping without zeros."""
        return {name: int(count) for name, count in zip(self.card_ids, counts, strict=False) if count}
