"""Reading the seats of a position: their cards, what they have used, what is known of them, and their last acts.

Every card of a seat is in its hand, its sleeve or its deck, or has been used; the used cards of a team are those in its
rows, its trap piles and its discards.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.notation import as_mapping, as_word, bad
from cardzoo.envs.teddies_vs_monsters.notation import (
    CARD_ACTS,
    LAST_KEYS,
    PENDING_KEYS,
    ROOM_ACTS,
    SEEN_ACTS,
)
from cardzoo.envs.teddies_vs_monsters.read_rooms import num_rooms
from cardzoo.envs.teddies_vs_monsters.reading import Reading, present
from cardzoo.envs.teddies_vs_monsters.state import PLACE, TEAMS

Counts = NDArray[np.int64]


def read_seats(r: Reading) -> None:
    """All cards of the seats; what lies in the rooms and in the discards is known by now."""
    for seat in range(r.num_seats):
        _read_zones(r, seat)
    for team in range(TEAMS):
        _settle_used(r, team)
    for seat in range(r.num_seats):
        _fill_up(r, seat)
        _read_reserve(r, seat)
        _read_knowledge(r, seat)
        _read_last(r, seat)


# --- hand, sleeve, deck


def _read_zones(r: Reading, seat: int) -> None:
    """Hand, sleeve and deck as far as they are named."""
    s, entry = r.s, r.players[seat]
    for name, cards, number, size in (
        ("hand", s.hand, s.hand_n, int(r.rules.hand_size)),
        ("sleeve", s.sleeve, s.sleeve_n, int(r.rules.sleeve_size)),
    ):
        counts = r.counts(seat, name)
        if counts is None:
            continue
        if sum(counts) > size:
            raise bad(r.player_key(seat, name), f"has {sum(counts)} cards, but at most {size} are possible")
        r.take(seat, counts)
        cards[seat, : len(counts)] = counts
        number[seat] = sum(counts)
    if "deck" in entry:
        for name in ("hand", "sleeve"):
            if name not in entry:
                raise bad(r.player_key(seat, name), f'is missing, because "{r.player_key(seat, "deck")}" is given')
        if "deck_top" in entry:
            raise bad(r.player_key(seat, "deck_top"), "must be left out, because the whole deck is given")
    for name in ("deck", "deck_top"):
        if name in entry:
            _take_deck(r, seat, name)


def _take_deck(r: Reading, seat: int, name: str) -> None:
    """Enter the cards of a deck that are named; there is one composition of them at most."""
    counts = _counted(r, seat, _named_deck(r, seat, name))
    _check_deck(r, seat, name, counts)
    r.take(seat, counts.tolist())


def _check_deck(r: Reading, seat: int, name: str, counts: Counts) -> None:
    """Refuse a deck with more cards than one composition has."""
    for card, (count, copies) in enumerate(zip(counts, r.composition(seat), strict=True)):
        if count > copies:
            what = f"{count} copies of {r.ids(seat).ids[card]}, but one deck has {copies}"
            raise bad(r.player_key(seat, name), f"has {what}")


def _named_deck(r: Reading, seat: int, name: str) -> list[int]:
    """Cards of a deck or of the top of a deck, top first."""
    return r.ids(seat).numbers(r.player_key(seat, name), r.players[seat].get(name, []))


def _counted(r: Reading, seat: int, cards: list[int]) -> Counts:
    """Copies of each type in a list."""
    return np.bincount(cards, minlength=len(r.ids(seat))).astype(np.int64)


def _left(r: Reading, seat: int) -> Counts:
    """The cards of a seat that its entry puts nowhere."""
    tally = r.zones[seat]
    return np.array(tally.copies, np.int64) - np.array(tally.used, np.int64)


# --- used cards


def _settle_used(r: Reading, team: int) -> None:
    """Say which seat of a team has used the cards that lie in its rows, its trap piles and its discards.

    A seat whose deck is given has used all that is in none of its places: what of that lies nowhere is discarded.
    """
    named = r.named[team, : len(r.names.cards[team])].copy()
    given = [seat for seat in r.seats_of(team) if "used" in r.players[seat]]
    for seat in given:
        named -= _read_used(r, seat, named)
    for seat in r.seats_of(team):
        if seat in given:
            continue
        left = _left(r, seat)
        part = np.minimum(named, left)
        named -= part
        _write_used(r, seat, left if "deck" in r.players[seat] else part)
    if named.any():
        card = int(np.flatnonzero(named)[0])
        lacking = f"{named[card]} more of {r.names.cards[team].ids[card]}"
        raise bad(r.player_key(given[-1], "used"), f"must have {lacking} for what lies in rows, traps and discards")


def _read_used(r: Reading, seat: int, named: Counts) -> Counts:
    """The used cards that the entry of a seat names; returns those of them that lie somewhere."""
    key = r.player_key(seat, "used")
    counts = r.counts(seat, "used") or []
    used = np.array(counts, np.int64)
    for card, (count, left) in enumerate(zip(counts, _left(r, seat), strict=True)):
        has = f"has {count} copies of {r.ids(seat).ids[card]}, but"
        if count > left or (count < left and "deck" in r.players[seat]):
            raise bad(key, f"{has} {left} are in no hand, sleeve or deck")
        if count > named[card] and "deck" not in r.players[seat]:
            raise bad(key, f"{has} {named[card]} lie in rows, traps and discards")
    _write_used(r, seat, used)
    return np.minimum(named, used)


def _write_used(r: Reading, seat: int, used: Counts) -> None:
    """Enter and write the used cards of a seat."""
    r.zones[seat].take_counts(r.player_key(seat, "used"), used.tolist())
    r.s.used[seat, : len(used)] = used


# --- what is left to chance


def _fill_up(r: Reading, seat: int) -> None:
    """Deal sleeve and hand where they are left out; the rest is the deck, under the top that is named."""
    s, entry = r.s, r.players[seat]
    top = _named_deck(r, seat, "deck" if "deck" in entry else "deck_top")
    rest = r.zones[seat].unplaced()
    r.random.shuffle(rest)
    for name, cards, number, size in (
        ("sleeve", s.sleeve, s.sleeve_n, int(r.rules.sleeve_size)),
        ("hand", s.hand, s.hand_n, int(r.rules.hand_size)),
    ):
        if name in entry:
            continue
        if len(rest) < size:
            raise bad(r.player_key(seat, name), f"is missing, and only {len(rest)} cards are left to deal")
        for _ in range(size):
            cards[seat, rest.pop()] += 1
        number[seat] = size
    _check_deck(r, seat, "deck", _counted(r, seat, rest + top))
    deck = rest + top[::-1]
    s.deck[seat, : len(deck)] = deck
    s.deck_n[seat] = len(deck)


def _read_reserve(r: Reading, seat: int) -> None:
    """The second deck of a seat: a full one in random order under the cards that are named, or none."""
    if r.num_seats > TEAMS or r.taken[seat]:
        return
    value = r.players[seat].get("reserve", True)
    key = r.player_key(seat, "reserve")
    top = [] if value is True else r.ids(seat).numbers(key, value)
    _check_deck(r, seat, "reserve", _counted(r, seat, top))
    rest = r.composition(seat) - _counted(r, seat, top)
    cards = np.repeat(np.arange(len(rest)), rest)
    r.random.shuffle(cards)
    owner = TEAMS + seat
    deck = [*cards.tolist(), *top[::-1]]
    r.s.deck[owner, : len(deck)] = deck
    r.s.deck_n[owner] = len(deck)


# --- what is known, what was seen


def _read_knowledge(r: Reading, seat: int) -> None:
    """Whether the hand lies face down, and which of its cards everybody can tell."""
    s, entry = r.s, r.players[seat]
    key = r.player_key(seat)
    down = bool(r.rules.face_down)
    s.face_down[seat] = r.flag(key, entry, "face_down", down)
    if int(s.face_down[seat]) and not down:
        raise bad(f"{key}.face_down", "must be false, because hands are seen from the start with these options")
    counts = r.counts(seat, "known")
    if counts is None:
        return
    for card, count in enumerate(counts):
        if count > int(s.hand[seat, card]):
            has = f"{count} copies of {r.ids(seat).ids[card]}, but the hand has {int(s.hand[seat, card])}"
            raise bad(f"{key}.known", f"has {has}")
    if any(counts) and not r.taken[seat]:
        raise bad(f"{key}.known", "must be empty, because the seat has not taken its second deck")
    s.known[seat, : len(counts)] = counts


def _read_last(r: Reading, seat: int) -> None:
    """The last act of a seat that was seen."""
    s, key = r.s, r.player_key(seat, "last")
    if "last" not in r.players[seat]:
        return
    entry = present(as_mapping(key, r.players[seat]["last"], LAST_KEYS))
    if "action" not in entry:
        raise bad(f"{key}.action", "is missing")
    kind = PLACE + as_word(f"{key}.action", entry["action"], SEEN_ACTS)
    if not r.names.in_game(kind):
        raise bad(f"{key}.action", f"is {entry['action']}, which nobody can with these options")
    if (kind in ROOM_ACTS) != ("room" in entry):
        wanted = "is missing" if kind in ROOM_ACTS else "must be left out"
        raise bad(f"{key}.room", f"{wanted}, because of the action {entry['action']}")
    s.l_kind[seat] = kind
    s.l_room[seat] = r.number(key, entry, "room", 1, 1, num_rooms(r)) - 1
    s.l_lost[seat] = r.flag(key, entry, "lost")
    if int(s.l_lost[seat]) and kind not in CARD_ACTS:
        raise bad(f"{key}.lost", f"must be false, because of the action {entry['action']}")
    s.l_tick[seat] = r.number(key, entry, "tick", int(s.tick), 0, int(s.tick))


# --- acts under way


def read_pending(r: Reading) -> None:
    """The acts under way; the seats that are not named are idle."""
    s = r.s
    value = r.get("pending")
    entries = present(as_mapping("pending", {} if value is None else value, r.names.agents))
    for agent, item in entries.items():
        seat = r.names.agents.index(agent)
        key = f"pending.{agent}"
        if r.over:
            raise bad(key, "must be left out, because the game is over")
        entry: dict[str, Any] = present(as_mapping(key, item, PENDING_KEYS))
        for name in PENDING_KEYS:
            if name not in entry:
                raise bad(f"{key}.{name}", "is missing")
        kind, card, room, side = r.names.act(f"{key}.action", seat, entry["action"], num_rooms(r))
        s.p_kind[seat], s.p_card[seat], s.p_room[seat], s.p_side[seat] = kind, card, room, side
        s.p_due[seat] = r.landing(f"{key}.lands", entry["lands"])
