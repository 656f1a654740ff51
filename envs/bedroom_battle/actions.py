"""The actions of Bedroom Battle: their numbers, and how a target action names a slot as the acting seat sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cardzoo.envs.bedroom_battle.state import MAX_SLOTS
from cardzoo.envs.bedroom_battle.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.layout import Block, Layout

PASS: Final = 0
DECLINE: Final = 1
ACCEPT: Final = 2
BAIL_OUT: Final = 3
CHALLENGE_A: Final = 4  # .. 6: letters a, b, c
MODE_1: Final = 7  # .. 10
TARGET_OWN: Final = 11  # .. 26: own slots 1..16
TARGET_OPP: Final = TARGET_OWN + MAX_SLOTS  # .. 42
PLAY: Final = TARGET_OPP + MAX_SLOTS  # .. PLAY + T - 1; then T `pick` and R `reward` actions

NUM_LETTERS: Final = 3
MAX_MODES: Final = 4


@kernel
def pick_start(rules: Rules) -> int:
    """Number of the first `pick` action."""
    return PLAY + int(rules.num_types)


@kernel
def reward_start(rules: Rules) -> int:
    """Number of the first `reward` action."""
    return PLAY + 2 * int(rules.num_types)


@kernel
def target_side(action: int, seat: int) -> int:
    """Side that a `target` action of `seat` names."""
    return seat if action < TARGET_OPP else 1 - seat


@kernel
def target_slot(action: int) -> int:
    """Slot, from 0, that a `target` action names."""
    return (action - TARGET_OWN) % MAX_SLOTS


def action_layout(num_types: int, num_rewards: int) -> Layout:
    """The action numbers as named blocks."""
    return Layout(
        [
            Block("words", (4,), "pass, decline, accept, bail"),
            Block("challenge", (NUM_LETTERS,), "pick the challenge of a letter"),
            Block("mode", (MAX_MODES,), "choose a mode of the card being resolved"),
            Block("target_own", (MAX_SLOTS,), "name an own character by its slot"),
            Block("target_opp", (MAX_SLOTS,), "name an opposing character by its slot"),
            Block("play", (num_types,), "play a card from the hand"),
            Block("pick", (num_types,), "draft a card, discard it, or choose this item"),
            Block("reward", (num_rewards,), "take a reward card"),
        ]
    )


def action_texts(card_ids: Sequence[str], reward_ids: Sequence[str]) -> list[str]:
    """The text of each action number, all different."""
    return [
        "pass",
        "decline",
        "accept",
        "bail",
        *(f"challenge {letter}" for letter in "abc"),
        *(f"mode {number}" for number in range(1, MAX_MODES + 1)),
        *(f"target own {slot}" for slot in range(1, MAX_SLOTS + 1)),
        *(f"target opp {slot}" for slot in range(1, MAX_SLOTS + 1)),
        *(f"play {card}" for card in card_ids),
        *(f"pick {card}" for card in card_ids),
        *(f"reward {reward}" for reward in reward_ids),
    ]
