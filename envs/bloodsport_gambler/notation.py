"""Words of the position notation: its keys, the names of spots and fights, and the ids of cards in both directions.

A position is a mapping (YAML or JSON) with the keys below; RULES.md explains each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from cardzoo.envs.bloodsport_gambler.actions import SPOT_NAMES
from cardzoo.envs.bloodsport_gambler.state import (
    FIGHTS,
    MAX_ACTIONS,
    MAX_FIGHTERS,
    MAX_SECRETS,
    MAX_WEAPONS,
    NODES,
)
from cardzoo.envs.core.reading import Ids

if TYPE_CHECKING:
    from cardzoo.envs.bloodsport_gambler.card_file import GamblerCardFile
    from cardzoo.envs.core.game import Game

KEYS: Final = (
    "at",
    "round",
    "first",
    "actor",
    "passes",
    "guard",
    "caught",
    "fight",
    "fight_round",
    "dice",
    "seed",
    "seat0",
    "seat1",
    "fights",
    "sabotage",
    "pending",
    "action_deck",
    "fighter_deck",
    "weapon_deck",
    "secret_deck",
    "action_discard",
    "fighter_discard",
    "weapon_discard",
    "secret_discard",
    "used",
)
DERIVED: Final = ("truncated", "returns")  # written, and ignored when read
SEAT_KEYS: Final = (
    "coin",
    "time",
    "chance",
    "hand",
    "paid",
    "paid_now",
    "wagers",
    "lost",
    "status",
    "playing",
    "passed",
    "result",
    "fate",
    "pool",
)
WAGER_KEYS: Final = ("side", "coin")
FATE_KEYS: Final = ("result", "round", "tier", "roll", "total")
FIGHT_NAMES: Final = tuple(f"f{fight + 1}" for fight in range(FIGHTS))
SIDE_NAMES: Final = ("left", "right")
FIGHT_KEYS: Final = (*SIDE_NAMES, "secret", "secret_known", "secret_old", "winner")
MOD_KEYS: Final = ("str", "dex", "life", "score", "dice", "ties")  # in the order of the record's `mod`
WINDOW_KEYS: Final = ("rolls", "react_score", "react_damage", "wounded")  # of the fight with an open React window
TOTAL: Final = "total"  # written there too, and ignored when read
SIDE_KEYS: Final = (
    "fighter",
    "wounds",
    *MOD_KEYS,
    "weapon",
    "slot",
    "damage",
    "type",
    "known",
    "old",
    *WINDOW_KEYS,
    TOTAL,
)
SABOTAGE_KEYS: Final = ("card", "seat", "spot", "slot", "time", "coin", "shown", "seen")
PENDING_KEYS: Final = ("card", "targets", "shown", "time")

SLOT_NAMES: Final = (*SPOT_NAMES, "new")
TARGET_NAMES: Final = (*SPOT_NAMES, *(f"F{fight + 1}" for fight in range(FIGHTS)))

ENTRIES: Final = ("setup", "order", "fight", "settle", "reset")  # words for `at` beside the nodes
PLACES: Final = (*NODES, *ENTRIES)

# Numbers that the rules do not bound have a bound here.
MAX_PURSE: Final = 999
MAX_SEED: Final = 2**63 - 1


class Names:
    """Ids of a game's cards, of all four kinds."""

    def __init__(self, game: Game) -> None:
        file = cast("GamblerCardFile", game.cards.file)
        self.file = file
        self.actions = Ids([card.id for card in file.types], "action card", MAX_ACTIONS)
        self.fighters = Ids([card.id for card in file.fighters], "fighter", MAX_FIGHTERS)
        self.weapons = Ids([card.id for card in file.weapons], "weapon", MAX_WEAPONS)
        self.secrets = Ids([card.id for card in file.secrets], "secret", MAX_SECRETS)

    def kinds(self) -> dict[str, Ids]:
        """The four kinds by the word that begins the keys of their piles."""
        return {
            "action": self.actions,
            "fighter": self.fighters,
            "weapon": self.weapons,
            "secret": self.secrets,
        }


# Fields of the record for the piles of each kind: deck, its size, discard.
PILE_FIELDS: Final[dict[str, tuple[str, str, str]]] = {
    "action": ("act_deck", "n_act", "act_disc"),
    "fighter": ("fig_deck", "n_fig", "fig_disc"),
    "weapon": ("wea_deck", "n_wea", "wea_disc"),
    "secret": ("sec_deck", "n_sec", "sec_disc"),
}


def seats_of(mask: Any) -> list[int]:
    """The seats of a bit mask."""
    return [seat for seat in range(2) if (int(mask) >> seat) & 1]
