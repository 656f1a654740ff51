"""The actions of Teddies vs Monsters: one layout for all options of a number of seats, and the text of each action.

T types of cards of the acting seat's team, R rooms, numbered from the teddies' left for all seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.layout import Block, Layout
from cardzoo.envs.teddies_vs_monsters.tables import Rules

PLAY: Final = (
    0  # first action of the block `play`; `discard` follows after T of them, then blocks of R rooms, in order:
)
TO_OWN: Final = 0
TO_FOE: Final = 1
TO_TRAP: Final = 2
CLAIM_ROOM: Final = 3
CALL_OWN: Final = 4
CALL_FOE: Final = 5
ROOM_BLOCKS: Final = 6

# Offsets of the last block.
DRAW_HAND: Final = 0
DRAW_SLEEVE: Final = 1
TAKE_DECK: Final = 2
LOOK_AT: Final = 3
WAIT_A_WHILE: Final = 4
LAST: Final = 5


def action_layout(num_types: int, num_rooms: int) -> Layout:
    """The action numbers as named blocks."""
    rooms = (num_rooms,)
    return Layout(
        [
            Block(
                "play", (num_types,), "use a card of hand or sleeve; its target is decided next if there are several"
            ),
            Block("discard", (num_types,), "discard a card of hand or sleeve"),
            Block("to_own", rooms, "target: place it in the own row of a room"),
            Block("to_foe", rooms, "target: attack, bomb or trap, as the card says, the other team's side of a room"),
            Block("to_trap", rooms, "target: pay for removing the top trap of the own side of a room"),
            Block("claim", rooms, "claim a room"),
            Block("call_own", rooms, "call a mistake in the own row of a room"),
            Block("call_foe", rooms, "call a mistake in the other team's row of a room"),
            Block("other", (LAST,), "draw hand, draw sleeve, take deck, look, wait"),
        ]
    )


def action_texts(card_ids: Sequence[str], num_types: int, num_rooms: int) -> list[str]:
    """The text of every action of a seat whose team has these cards, in the order of the layout.

    Numbers of cards that the team does not have, and that are never legal, are called `#number`.
    """
    cards = [*card_ids, *(f"#{number}" for number in range(len(card_ids), num_types))]
    rooms = range(1, num_rooms + 1)
    return [
        *(f"play {card}" for card in cards),
        *(f"discard {card}" for card in cards),
        *(f"to own {room}" for room in rooms),
        *(f"to foe {room}" for room in rooms),
        *(f"to trap {room}" for room in rooms),
        *(f"claim {room}" for room in rooms),
        *(f"call own {room}" for room in rooms),
        *(f"call foe {room}" for room in rooms),
        "draw hand",
        "draw sleeve",
        "take deck",
        "look",
        "wait",
    ]


@kernel
def discard_action(rules: Rules, card: int) -> int:
    """The action `discard card`."""
    return int(rules.num_types) + card


@kernel
def room_action(rules: Rules, block: int, room: int) -> int:
    """An action on a room, by its block (TO_OWN ..)."""
    return 2 * int(rules.num_types) + block * int(rules.num_rooms) + room


@kernel
def other_action(rules: Rules, offset: int) -> int:
    """An action of the last block, by its offset (DRAW_HAND ..)."""
    return 2 * int(rules.num_types) + ROOM_BLOCKS * int(rules.num_rooms) + offset
