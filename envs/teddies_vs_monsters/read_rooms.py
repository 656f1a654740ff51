"""Reading the rooms of a position: bedrooms, rows, claims, traps; and the discards that it names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardzoo.envs.core.fields import alternatives, shown
from cardzoo.envs.core.notation import as_mapping, as_word, bad
from cardzoo.envs.teddies_vs_monsters.cards import FILLS, LENGTH, SNARE
from cardzoo.envs.teddies_vs_monsters.notation import ROOM_KEYS, SIDE_DERIVED, SIDE_KEYS
from cardzoo.envs.teddies_vs_monsters.read_checks import count_row
from cardzoo.envs.teddies_vs_monsters.reading import Reading, present
from cardzoo.envs.teddies_vs_monsters.state import (
    MAX_ROOMS,
    MAX_ROW,
    MAX_TRAPS,
    NO_ROOM,
    NOBODY,
    TEAM_NAMES,
    TEAMS,
    TRAP_PRICE,
)


def num_rooms(r: Reading) -> int:
    """Rooms of the present deal; sudden death is known by now."""
    return int(r.rules.sudden_rooms if int(r.s.sudden) else r.rules.num_rooms)


def read_rooms(r: Reading) -> None:
    """All rooms with what lies in them."""
    rooms = [present(entry) for entry in _room_entries(r)]
    r.s.bedroom[:] = NO_ROOM
    r.s.claimed[:] = NOBODY
    _read_bedrooms(r, rooms)
    for room, entry in enumerate(rooms):
        key = f"rooms.{room + 1}"
        claimed = NOBODY if "claimed" not in entry else as_word(f"{key}.claimed", entry["claimed"], TEAM_NAMES)
        r.s.claimed[room] = claimed
        r.s.mistake[room] = r.flag(key, entry, "mistake")
        for team, name in enumerate(TEAM_NAMES):
            side = as_mapping(f"{key}.{name}", entry.get(name, {}), (*SIDE_KEYS, *SIDE_DERIVED))
            _read_row(r, team, room, present(side))
            _read_traps(r, team, room, present(side))
        _check_claim(r, room)


def _room_entries(r: Reading) -> list[dict[str, Any]]:
    """The entry of each room of the deal; room numbers may be written as numbers or as texts."""
    count = num_rooms(r)
    value = {} if r.get("rooms") is None else r.get("rooms")
    names = [str(number) for number in range(1, count + 1)]
    if not isinstance(value, Mapping):
        raise bad("rooms", f"must be a mapping of {alternatives(names)}, not {shown(value)}")
    found: dict[str, dict[str, Any]] = {name: {} for name in names}
    read = set()
    for number, entry in value.items():
        name = str(number) if type(number) is int else number
        if entry is None and name in [str(other) for other in range(1, MAX_ROOMS + 1)]:
            continue
        if name not in names:
            raise bad("rooms", f"has an unknown entry {shown(number)}; allowed are {alternatives(names)}")
        if name in read:
            raise bad("rooms", f"has room {name} twice")
        read.add(name)
        found[name] = as_mapping(f"rooms.{name}", entry, ROOM_KEYS)
    return list(found.values())


def _read_bedrooms(r: Reading, rooms: list[dict[str, Any]]) -> None:
    """The bedrooms that are named, and others from the pool for the rest."""
    taken: dict[int, int] = {}
    for room, entry in enumerate(rooms):
        if "bedroom" in entry:
            key = f"rooms.{room + 1}.bedroom"
            bedroom = r.names.bedrooms.number(key, entry["bedroom"])
            if bedroom in taken:
                raise bad(key, f"names {entry['bedroom']}, which is the bedroom of room {taken[bedroom] + 1}")
            taken[bedroom] = room
            r.s.bedroom[room] = bedroom
    pool = [int(bedroom) for bedroom in r.rules.pool[: int(r.rules.num_pool)] if int(bedroom) not in taken]
    r.random.shuffle(pool)
    for room in range(len(rooms)):
        if int(r.s.bedroom[room]) == NO_ROOM:
            r.s.bedroom[room] = pool.pop()


def _length(r: Reading, room: int) -> int:
    """Places of the sequence of a room."""
    return int(r.rules.bedrooms[int(r.s.bedroom[room]), LENGTH])


def _read_row(r: Reading, team: int, room: int, side: dict[str, Any]) -> None:
    """The cards of a row in placing order, with what follows from them."""
    s, key = r.s, f"rooms.{room + 1}.{TEAM_NAMES[team]}.row"
    cards = r.names.cards[team].numbers(key, side.get("row", []))
    length = _length(r, room)
    before = 0  # symbols below the card
    for place, card in enumerate(cards):
        symbols = int(r.rules.cards[team, card, FILLS])
        if symbols == 0:
            raise bad(key, f"has {r.names.cards[team].ids[card]}, which cannot be placed in a row")
        if before >= length or place >= MAX_ROW:
            raise bad(key, f"has more cards than a sequence of {length} symbols takes")
        before += symbols
        r.name(key, team, card)
        s.row[team, room, place] = card
    s.row_n[team, room] = len(cards)
    count_row(r.states, 0, r.game.rules, team, room)
    if not int(s.open[team, room]) and not int(r.rules.mistakes):
        bedroom = r.names.bedrooms.ids[int(s.bedroom[room])]
        raise bad(key, f"does not follow the sequence of {bedroom} from the left or from the right")


def _read_traps(r: Reading, team: int, room: int, side: dict[str, Any]) -> None:
    """The other team's traps on a team's side of a room, top first, and what is paid for the top one."""
    s, key, foe = r.s, f"rooms.{room + 1}.{TEAM_NAMES[team]}", 1 - team
    cards = r.names.cards[foe].numbers(f"{key}.traps", side.get("traps", []))
    if len(cards) > MAX_TRAPS:
        raise bad(f"{key}.traps", f"has {len(cards)} traps, but at most {MAX_TRAPS} can lie there")
    for card in cards:
        if int(r.rules.cards[foe, card, SNARE]) == 0:
            raise bad(f"{key}.traps", f"has {r.names.cards[foe].ids[card]}, which is no trap")
        r.name(f"{key}.traps", foe, card)
    s.trap[team, room, : len(cards)] = cards[::-1]
    s.trap_n[team, room] = len(cards)
    s.paid[team, room] = r.number(key, side, "paid", 0, 0, TRAP_PRICE - 1)
    if int(s.paid[team, room]) and not cards:
        raise bad(f"{key}.paid", "must be 0 where no trap lies")


def _check_claim(r: Reading, room: int) -> None:
    """A claimed room has a full row of the team that claimed it and nothing else."""
    s, key = r.s, f"rooms.{room + 1}"
    owner = int(s.claimed[room])
    wrongly = bool(s.mistake[room])
    if owner == NOBODY:
        if wrongly:
            raise bad(f"{key}.mistake", "must be false, because nobody has claimed the room")
        return
    if wrongly and not int(r.rules.mistakes):
        raise bad(f"{key}.mistake", "must be false, because with these options no wrong row can be claimed")
    fits = bool(s.open[owner, room])
    if fits == wrongly or int(s.row_sym[owner, room]) < _length(r, room):
        wanted = "wrong and at least as long as its sequence" if wrongly else "the exact sequence"
        raise bad(f"{key}.{TEAM_NAMES[owner]}.row", f"must be {wanted}, because the room is claimed")
    if int(s.row_n[1 - owner, room]):
        raise bad(f"{key}.{TEAM_NAMES[1 - owner]}.row", "must be empty, because the other team has claimed the room")
    for team in range(TEAMS):
        if int(s.trap_n[team, room]):
            raise bad(f"{key}.{TEAM_NAMES[team]}.traps", "must be empty, because the room is claimed")


def read_discards(r: Reading) -> None:
    """The cards that are named as discards."""
    value = r.get("discards")
    entries = present(as_mapping("discards", {} if value is None else value, TEAM_NAMES))
    for team, name in enumerate(TEAM_NAMES):
        key = f"discards.{name}"
        counts = r.names.cards[team].counts(key, entries.get(name, []))
        r.teams[team].take_counts(key, counts)
        r.named[team, : len(counts)] += counts
