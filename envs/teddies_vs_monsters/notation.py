"""Words of the position notation: its keys, the ids of cards and bedrooms, and acts written in full.

A position is a mapping (YAML or JSON) with the keys below; RULES.md explains each of them. Seats are named by team, as
PettingZoo names them: `teddies_0`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from cardzoo.envs.core.fields import shown
from cardzoo.envs.core.notation import as_word, bad
from cardzoo.envs.core.reading import Ids
from cardzoo.envs.teddies_vs_monsters.cards import BLAST, FILLS, PAY, SNARE, STRIKE, UNLOCK, team_cards
from cardzoo.envs.teddies_vs_monsters.state import (
    ATTACK,
    BOMB,
    CALL,
    CLAIM,
    DISARM,
    DISCARD,
    DRAW,
    FOE,
    KINDS,
    LOOK,
    MAX_DECK,
    OWN,
    PLACE,
    TAKE,
    TEAM_NAMES,
    TEAMS,
    TO_HAND,
    TO_SLEEVE,
    TRAP,
    WAIT,
)

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game
    from cardzoo.envs.teddies_vs_monsters.card_file import TeddiesCardFile

KEYS: Final = (
    "tick",
    "round",
    "sudden_death",
    "keys",
    "over",
    "rooms",
    "players",
    "discards",
    "pending",
    "picked",
    "dice",
    "seed",
)
DERIVED: Final = ("actor", "truncated", "returns")  # written, and ignored when read
ROOM_KEYS: Final = ("bedroom", "claimed", "mistake", *TEAM_NAMES)
SIDE_KEYS: Final = ("row", "traps", "paid")
SIDE_DERIVED: Final = ("symbols", "readings", "complete")  # written and ignored likewise
PLAYER_KEYS: Final = (
    "hand",
    "sleeve",
    "deck",
    "deck_top",
    "reserve",
    "face_down",
    "used",
    "known",
    "last",
)
LAST_KEYS: Final = ("action", "room", "lost", "tick")
PENDING_KEYS: Final = ("action", "lands")
READINGS: Final = ("left", "right")  # in the order of their bits

# Numbers that the rules do not bound have a bound here.
MAX_DIE: Final = 99
MAX_LANDING: Final = 99_999
MAX_SEED: Final = 2**63 - 1

SEEN_ACTS: Final = KINDS[PLACE:WAIT]  # those that can be the last act of a seat
CARD_ACTS: Final = (PLACE, ATTACK, BOMB, TRAP, DISARM)  # with a card and a room
ROOM_ACTS: Final = (*CARD_ACTS, CLAIM, CALL)
SIDES: Final[dict[int, dict[str, int]]] = {
    CALL: {"own": OWN, "foe": FOE},
    DRAW: {"hand": TO_HAND, "sleeve": TO_SLEEVE},
    TAKE: {"deck": 0},
}
"""The word after that of the act, and the `side` of the act that it stands for."""
VERB_COLUMNS: Final = {PLACE: (FILLS,), ATTACK: (STRIKE,), BOMB: (BLAST,), TRAP: (SNARE,), DISARM: (PAY, UNLOCK)}
"""What a card must have for each act with a card and a room."""
ACT_EXAMPLE: Final = '"place heart 2", "claim 2", "draw hand" or "wait"'


class Names:
    """Ids of a game's cards and bedrooms, its agents, and acts as texts."""

    def __init__(self, game: Game) -> None:
        file = cast("TeddiesCardFile", game.cards.file)
        self.file = file
        self.agents = game.agents
        self.rules: Any = game.rules[0]
        self.cards = tuple(
            Ids([card.id for card in own], f"{team} card", TEAMS * MAX_DECK)
            for team, own in zip(TEAM_NAMES, team_cards(game.cards), strict=True)
        )
        self.bedrooms = Ids([bedroom.id for bedroom in file.bedrooms], "bedroom", 1)

    def of_seat(self, seat: int) -> Ids:
        """The cards of a seat's team."""
        return self.cards[seat % TEAMS]

    def listed(self, team: int, counts: Any) -> list[str]:
        """Counts by type as a list of ids, in type order."""
        ids = self.cards[team].ids
        return [name for name, count in zip(ids, counts, strict=False) for _ in range(int(count))]

    def act_text(self, seat: int, kind: int, card: int, room: int, side: int) -> str:
        """An act in full: `place heart 2`."""
        words = [KINDS[kind]]
        words += [word for word, value in SIDES.get(kind, {}).items() if value == side]
        if kind in (*CARD_ACTS, DISCARD):
            words.append(self.of_seat(seat).ids[card])
        if kind in ROOM_ACTS:
            words.append(str(room + 1))
        return " ".join(words)

    def act(self, key: str, seat: int, value: Any, rooms: int) -> tuple[int, int, int, int]:
        """Kind, card, room and side of an act in full, 0 for what it does not have.

        Args:
            key: of the position.
            seat: whose act it is.
            value: the text.
            rooms: number of rooms.
        """
        words = value.split() if isinstance(value, str) else []
        kind = KINDS.index(words[0]) if words and words[0] in KINDS[PLACE:] else 0
        number = 1 + (kind in SIDES) + (kind in (*CARD_ACTS, DISCARD)) + (kind in ROOM_ACTS)
        if kind == 0 or len(words) != number:
            raise bad(key, f"must be an act in full, such as {ACT_EXAMPLE}, not {shown(value)}")
        side = card = room = 0
        rest = words[1:]
        if kind in SIDES:
            allowed = SIDES[kind]
            side = list(allowed.values())[as_word(key, rest.pop(0), list(allowed))]
        if kind in (*CARD_ACTS, DISCARD):
            card = self.of_seat(seat).number(key, rest.pop(0))
        if kind in ROOM_ACTS:
            room = as_word(key, rest.pop(0), [str(number) for number in range(1, rooms + 1)])
        self._check_act(key, seat, kind, card, side)
        return kind, card, room, side

    def _check_act(self, key: str, seat: int, kind: int, card: int, side: int) -> None:
        """Refuse an act that the card or the options never allow."""
        if kind in VERB_COLUMNS:
            row = self.rules.cards[seat % TEAMS, card]
            if not any(int(row[column]) for column in VERB_COLUMNS[kind]):
                raise bad(key, f"is to {KINDS[kind]} {self.of_seat(seat).ids[card]}, which cannot be used for that")
        elif not self.in_game(kind):
            raise bad(key, f"is to {KINDS[kind]}, which nobody can with these options")
        elif kind == CALL and side == FOE and not int(self.rules.call_any):
            raise bad(key, "is a call in the other team's row, which nobody can make with these options")

    def in_game(self, kind: int) -> bool:
        """Whether the options have a kind of acts at all."""
        if kind == CALL:
            return bool(self.rules.mistakes)
        if kind == TAKE:
            return int(self.rules.num_seats) == TEAMS
        return bool(self.rules.face_down) if kind == LOOK else True


def readings_of(mask: Any) -> list[str]:
    """The open readings of a row, by name."""
    return [name for bit, name in enumerate(READINGS) if int(mask) >> bit & 1]
