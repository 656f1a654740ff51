"""The actions of Battle Requiem: one layout for all seat counts and options, and the text of each action.

T card types, C characters. `left k` is the k-th seat after the active one in turn order, the fallen counted (R2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cardzoo.envs.battle_requiem.state import MAX_SEATS
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.layout import Block, Layout

PLAY: Final = 0  # first action of the block `play`; the other starts depend on T and C
LEFTS: Final = MAX_SEATS - 1
TARGETS: Final = 1 + LEFTS  # self, left 1..5

# Places within the blocks `choose`, `answer` and `reward`.
FIRST: Final = 0
SECOND: Final = 1
DONE: Final = 0
PASS: Final = 1
SUFFER: Final = 2
REWARD_HEAL: Final = 0
RESTOCK: Final = 1
GROW: Final = 2


def action_layout(num_types: int, num_characters: int) -> Layout:
    """The action numbers as named blocks."""
    types = (num_types,)
    return Layout(
        [
            Block("play", types, "use an item or relic; commit an armament, armor or shield"),
            Block("discard", types, "discard a card: as a turn, to a levy, down to the Inventory"),
            Block("pick", types, "take or give one card of that type for the effect (rob, salvage, tribute)"),
            Block("draft", (num_characters,), "take a character"),
            Block("duel", (LEFTS,), "attack the k-th seat after the active one in turn order"),
            Block("target", (TARGETS,), "self, or the k-th seat after the active one"),
            Block("choose", (2,), "first or second branch of an effect"),
            Block("answer", (3,), "done, pass, suffer"),
            Block("reward", (3,), "heal, restock, grow"),
        ]
    )


def action_texts(card_ids: Sequence[str], character_ids: Sequence[str]) -> list[str]:
    """The text of every action, in the order of the layout."""
    lefts = [f"left {k}" for k in range(1, LEFTS + 1)]
    return [
        *(f"play {card}" for card in card_ids),
        *(f"discard {card}" for card in card_ids),
        *(f"pick {card}" for card in card_ids),
        *(f"draft {character}" for character in character_ids),
        *(f"duel {left}" for left in lefts),
        "target self",
        *(f"target {left}" for left in lefts),
        "choose first",
        "choose second",
        "done",
        "pass",
        "suffer",
        "reward heal",
        "reward restock",
        "reward grow",
    ]


@kernel
def discard_start(rules: Rules) -> int:
    """First action of the block `discard`."""
    return int(rules.num_types)


@kernel
def pick_start(rules: Rules) -> int:
    """First action of the block `pick`."""
    return 2 * int(rules.num_types)


@kernel
def draft_start(rules: Rules) -> int:
    """First action of the block `draft`."""
    return 3 * int(rules.num_types)


@kernel
def duel_start(rules: Rules) -> int:
    """First action of the block `duel`: `duel left 1`."""
    return 3 * int(rules.num_types) + int(rules.num_characters)


@kernel
def target_start(rules: Rules) -> int:
    """First action of the block `target`: `target self`; `target left k` follows at + k."""
    return duel_start(rules) + LEFTS


@kernel
def choose_start(rules: Rules) -> int:
    """First action of the block `choose`."""
    return target_start(rules) + TARGETS


@kernel
def answer_start(rules: Rules) -> int:
    """First action of the block `answer`: done, pass, suffer."""
    return choose_start(rules) + 2


@kernel
def reward_start(rules: Rules) -> int:
    """First action of the block `reward`: heal, restock, grow."""
    return answer_start(rules) + 3
