"""Reading the seats of a position: characters, turn order, numbers, and the places of teams that are out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardzoo.envs.battle_requiem.cards import AGE, HP, INVENTORY, REALM
from cardzoo.envs.battle_requiem.notation import SEAT_KEYS
from cardzoo.envs.battle_requiem.reading import Reading
from cardzoo.envs.battle_requiem.state import (
    DRAFT,
    LAST_DEFENCES,
    LAST_TURNS,
    MAX_BOOST,
    MAX_INVENTORY,
    MAX_SKIP,
    NO_CHARACTER,
    OVER,
)
from cardzoo.envs.core.fields import shown
from cardzoo.envs.core.notation import as_flag, as_list, as_mapping, as_whole, as_word, bad


def read_seats(r: Reading) -> None:
    """Read everything of `seats` but the cards."""
    r.s.char[:] = NO_CHARACTER
    _read_entries(r)
    _read_characters(r)
    if r.phase == DRAFT:
        _check_draft(r)
        _write_order(r, range(r.num_seats))
        return
    ages = [int(r.rules.characters[int(r.s.char[seat]), AGE]) for seat in range(r.num_seats)]
    _write_order(r, sorted(range(r.num_seats), key=ages.__getitem__))  # of equal ages the lower seat is first (R1)
    for seat, entry in enumerate(r.seats):
        _read_numbers(r, seat, entry)
    _check_teams(r)
    _read_places(r)


def _write_order(r: Reading, order: Sequence[int]) -> None:
    """Write the turn order and the place of each seat in it."""
    for rank, seat in enumerate(order):
        r.s.order[rank] = seat
        r.s.rank[seat] = rank


def _read_entries(r: Reading) -> None:
    """The mappings of the seats, with no other keys than there are; null is the same as an omitted key."""
    if r.get("seats") is None:
        raise bad("seats", "is missing")
    entries = as_list("seats", r.get("seats"), "mappings, one for each seat")
    if len(entries) != r.num_seats:
        raise bad("seats", f"must have {r.num_seats} entries, one for each seat, not {len(entries)}")
    for seat, value in enumerate(entries):
        entry = as_mapping(f"seats.{seat}", value, SEAT_KEYS)
        r.seats.append({key: item for key, item in entry.items() if item is not None})


def _read_characters(r: Reading) -> None:
    """The character of each seat, all different, and of a realm that is open to its team."""
    for seat, entry in enumerate(r.seats):
        key = f"seats.{seat}.character"
        if "character" not in entry:
            if r.phase != DRAFT:
                raise bad(key, "is missing")
            continue
        character = r.names.character(key, entry["character"])
        for other in range(seat):
            if int(r.s.char[other]) == character:
                raise bad(key, f"names {r.names.character_ids[character]}, which seat {other} has")
        _check_realm(r, seat, character)
        r.s.char[seat] = character


def _check_realm(r: Reading, seat: int, character: int) -> None:
    """Members of a team come from one realm, and no other team from the same; without teams realms do not matter."""
    if int(r.rules.team_size) == 1:
        return
    key = f"seats.{seat}.character"
    name, realm = r.names.character_ids[character], int(r.rules.characters[character, REALM])
    size = sum(int(row[REALM]) == realm for row in r.rules.characters[: len(r.names.characters)])
    if size < int(r.rules.team_size):
        raise bad(key, f"names {name}, whose realm has too few characters for a team")
    for other in range(seat):
        if int(r.s.char[other]) == NO_CHARACTER:
            continue
        same_realm = int(r.rules.characters[int(r.s.char[other]), REALM]) == realm
        if r.is_foe(seat, other) and same_realm:
            raise bad(key, f"names {name}, whose realm belongs to the team of seat {other}")
        if not r.is_foe(seat, other) and not same_realm:
            raise bad(key, f"names {name}, but the team's seat {other} comes from another realm")


def _check_draft(r: Reading) -> None:
    """In the draft seats have nothing but characters, which the lower seats take first."""
    if r.options["characters"] != "draft":
        raise bad("phase", "is draft, but the option characters is not")
    free = [seat for seat in range(r.num_seats) if int(r.s.char[seat]) == NO_CHARACTER]
    if not free:
        raise bad("phase", "is draft, but every seat has a character")
    for seat, entry in enumerate(r.seats):
        if "character" in entry and seat > free[0]:
            raise bad(f"seats.{seat}.character", f"must be left out, because seat {free[0]} drafts before")
        for key in entry:
            if key != "character":
                raise bad(f"seats.{seat}.{key}", 'must be left out in the phase "draft"')


def _read_numbers(r: Reading, seat: int, entry: dict[str, Any]) -> None:
    """HP, Inventory, what is pending for a seat, and what it did last."""
    s, stats = r.s, r.rules.characters[int(r.s.char[seat])]

    def whole(name: str, default: int, low: int, high: int) -> int:
        return as_whole(f"seats.{seat}.{name}", entry.get(name, default), low, high)

    s.hp[seat] = whole("hp", int(stats[HP]), 0, int(r.rules.tracker_max))
    s.inv[seat] = whole("inventory", int(stats[INVENTORY]), 1, MAX_INVENTORY)
    s.skip[seat] = whole("skip", 0, 0, MAX_SKIP)
    s.veil[seat] = as_flag(f"seats.{seat}.veil", entry.get("veil", False))
    s.att_boost[seat] = whole("attack_boost", 0, -MAX_BOOST, MAX_BOOST)
    s.def_boost[seat] = whole("defend_boost", 0, -MAX_BOOST, MAX_BOOST)
    s.last_turn[seat] = as_word(f"seats.{seat}.last_turn", entry.get("last_turn", LAST_TURNS[0]), LAST_TURNS)
    s.last_def[seat] = as_word(f"seats.{seat}.last_defence", entry.get("last_defence", LAST_DEFENCES[0]), LAST_DEFENCES)
    for name in ("skip", "veil", "attack_boost", "defend_boost"):
        if not r.is_alive(seat) and entry.get(name):
            raise bad(f"seats.{seat}.{name}", f"must be left out, because seat {seat} is eliminated")


def living_teams(r: Reading) -> set[int]:
    """Teams with a living member."""
    return {r.team(seat) for seat in range(r.num_seats) if r.is_alive(seat)}


def _check_teams(r: Reading) -> None:
    """At least two teams are in, unless the game is over."""
    living = len(living_teams(r))
    if living == 0:
        raise bad("seats", "has no living seat")
    if living == 1 and r.phase != OVER:
        raise bad("seats", "has a single team with a living seat, so the phase must be over")


def _read_places(r: Reading) -> None:
    """Places of the teams that are out; those without one share what the others leave of the last places."""
    s = r.s
    living = living_teams(r)
    given: dict[int, tuple[int, str]] = {}  # team: twice its place, the key that says so
    for seat, entry in enumerate(r.seats):
        if "place" in entry:
            key, team = f"seats.{seat}.place", r.team(seat)
            if team in living:
                raise bad(key, "must be left out while the seat's team is in")
            place2 = _twice(key, entry["place"], int(r.rules.num_teams))
            if given.setdefault(team, (place2, key))[0] != place2:
                raise bad(key, "differs from the place of another member of the team")
    places = range(len(living) + 1, int(r.rules.num_teams) + 1)
    free: set[float] = set(places)
    for place2, key in given.values():
        together = sum(other == place2 for other, _ in given.values())
        # j teams that share a place, the mean of j places, take all of these.
        first = (place2 - together + 1) / 2
        shared = {first + k for k in range(together)}
        if not shared <= set(places):
            raise bad(key, f"must be a place that fallen teams can have beside the others, not {shown(place2 / 2)}")
        free -= shared
    without = int(r.rules.num_teams) - len(living) - len(given)
    if given and (len(free) != without or (free and max(free) - min(free) + 1 != without)):
        raise bad(next(iter(given.values()))[1], "leaves no places that the other fallen teams can share")
    for seat in range(r.num_seats):
        team = r.team(seat)
        if team not in living:
            s.place2[seat] = given[team][0] if team in given else int(min(free) + max(free))
            s.left = int(s.left) | 1 << seat


def _twice(key: str, value: Any, teams: int) -> int:
    """Twice a place, which may be a half."""
    if type(value) not in (int, float) or not 1 < value <= teams or value * 2 != int(value * 2):
        raise bad(key, f"must be a place above 1, at most {teams}, whole or a half, not {shown(value)}")
    return int(value * 2)
