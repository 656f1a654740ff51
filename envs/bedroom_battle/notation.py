"""Words of the position notation: card ids, slots, letters.

A position is a mapping (YAML or JSON) with the keys below; RULES.md explains each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from cardzoo.envs.bedroom_battle.cards import HOT, REWARD_KINDS, SMALL, reward_ids
from cardzoo.envs.core.fields import alternatives, shown, suggestion
from cardzoo.envs.core.notation import as_list, bad

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game

KEYS: Final = (
    "phase",
    "round",
    "turns",
    "passes",
    "starter",
    "actor",
    "hands",
    "known",
    "deck",
    "discard",
    "rest",
    "row",
    "draft",
    "board",
    "pot",
    "pile",
    "unused_hot",
    "unused_small",
    "final",
    "won",
    "bails",
    "last_winner",
    "performed",
    "select",
    "pending",
    "reward",
    "prefs",
    "random_hand",
)
DERIVED: Final = ("appeal", "totals", "counts", "returns", "truncated")  # written, and ignored when read
LETTERS: Final = ("a", "b", "c")
GONE: Final = "gone"
NAMES_OF_SEATS: Final = ("own", "opp")


class Names:
    """Ids of a game's cards in both directions, with readers that check what a position names."""

    def __init__(self, game: Game) -> None:
        self.cards: tuple[Any, ...] = game.cards.cards
        self.card_ids: tuple[str, ...] = game.cards.ids
        rules = game.rules[0]
        self.reward_kinds: list[int] = [int(kind) for kind in rules.rewards[: int(rules.num_rewards)]]
        self.reward_ids: tuple[str, ...] = reward_ids(*(self.reward_kinds.count(kind) for kind in range(3)))
        self._card_index = {name: index for index, name in enumerate(self.card_ids)}
        self._reward_index = {name: index for index, name in enumerate(self.reward_ids)}

    def card(self, key: str, value: Any) -> int:
        """Type index of a battle card id."""
        if not isinstance(value, str) or value not in self._card_index:
            raise bad(key, f"names {shown(value)}, which is no battle card{suggestion(value, self.card_ids)}")
        return self._card_index[value]

    def card_list(self, key: str, value: Any) -> list[int]:
        """Type indices of a list of battle card ids."""
        return [self.card(key, item) for item in as_list(key, value, "battle card ids")]

    def reward(self, key: str, value: Any, kinds: Sequence[int] = (SMALL, HOT)) -> int:
        """Index of a reward card id of one of the kinds."""
        if not isinstance(value, str) or value not in self._reward_index:
            raise bad(key, f"names {shown(value)}, which is no reward card{suggestion(value, self.reward_ids)}")
        index = self._reward_index[value]
        if self.reward_kinds[index] not in kinds:
            allowed = alternatives([REWARD_KINDS[kind] for kind in kinds])
            raise bad(key, f"names {value}, but only {allowed} rewards can be there")
        return index

    def reward_list(self, key: str, value: Any, kinds: Sequence[int] = (SMALL, HOT)) -> list[int]:
        """Indices of a list of reward card ids of one of the kinds."""
        return [self.reward(key, item, kinds) for item in as_list(key, value, "reward card ids")]

    def rewards_of(self, kind: int) -> list[int]:
        """All reward cards of a kind, in table order."""
        return [index for index, other in enumerate(self.reward_kinds) if other == kind]


def as_pair(key: str, value: Any, what: str) -> list[Any]:
    """`value` if it is a list of two: seat 0, seat 1."""
    pair = as_list(key, value, f"two {what}, seat 0 and seat 1")
    if len(pair) != 2:
        raise bad(key, f"must have two entries ({what} of seat 0 and of seat 1), not {len(pair)}")
    return pair


def slot_text(seat: int, side: int, slot: int) -> str:
    """A slot (side, slot from 0) as `seat` sees it: `own 1`, `opp 3`."""
    return f"{NAMES_OF_SEATS[int(side != seat)]} {slot + 1}"


def read_slot(key: str, value: Any, seat: int, sizes: Sequence[int]) -> tuple[int, int]:
    """(side, slot from 0) of a text such as `own 1` as `seat` sees it; `sizes`: characters on each side."""
    words = value.split(" ") if isinstance(value, str) else []
    if len(words) != 2 or words[0] not in NAMES_OF_SEATS or not (words[1].isascii() and words[1].isdigit()):
        raise bad(key, f'must be a slot such as "own 1" or "opp 2", not {shown(value)}')
    side = seat if words[0] == "own" else 1 - seat
    slot = int(words[1]) - 1
    if not 0 <= slot < sizes[side]:
        raise bad(key, f"names {value}, but that side has {sizes[side]} characters")
    return side, slot
