"""Reading the cards of a position: hands, used cards, piles, and what each seat can tell of the action deck."""

from __future__ import annotations

import numpy as np

from cardzoo.envs.bloodsport_gambler.notation import PILE_FIELDS
from cardzoo.envs.bloodsport_gambler.reading import Reading
from cardzoo.envs.bloodsport_gambler.state import NO_CARD
from cardzoo.envs.core.notation import bad


def read_hands(r: Reading) -> None:
    """The hands, empty unless they are given, and the cards used this round."""
    s = r.s
    for seat, entry in enumerate(r.seats):
        key = f"seat{seat}.hand"
        counts = r.names.actions.counts(key, entry.get("hand", {}))
        if any(counts) and not r.is_playing(seat):
            raise bad(key, f"must be empty, because seat {seat} has left")
        r.tallies["action"].take_counts(key, counts)
        s.hand[seat, : len(counts)] = counts
        s.n_hand[seat] = sum(counts)
    if r.get("used") is not None:
        counts = r.names.actions.counts("used", r.get("used"))
        r.tallies["action"].take_counts("used", counts)
        s.used[: len(counts)] = counts


def read_piles(r: Reading) -> dict[str, list[int]]:
    """Decks and discards as far as they are named; returns the named decks by kind, top first."""
    decks = {}
    for kind, ids in r.names.kinds().items():
        key = f"{kind}_deck"
        if r.get(key) is not None:
            decks[kind] = ids.numbers(key, r.get(key))
            for card in decks[kind]:
                r.tallies[kind].take(key, card)
        key = f"{kind}_discard"
        if r.get(key) is not None:
            counts = ids.counts(key, r.get(key))
            r.tallies[kind].take_counts(key, counts)
            r.s[PILE_FIELDS[kind][2]][: len(counts)] = counts
    return decks


def place_rest(r: Reading, decks: dict[str, list[int]]) -> None:
    """Put the cards that are named nowhere into the deck, or the discard if the deck is given; write the decks."""
    for kind, ids in r.names.kinds().items():
        deck_field, size_field, discard_field = PILE_FIELDS[kind]
        rest = r.tallies[kind].unplaced()
        if kind not in decks:
            r.random.shuffle(rest)
            deck = rest
        else:
            deck = decks[kind][::-1]
            if rest and r.get(f"{kind}_discard") is not None:
                missing = f"{len(rest)} cards, {ids.ids[rest[0]]} among them"
                raise bad(f"{kind}_discard", f"is given beside {kind}_deck, but {missing}, are placed nowhere")
            for card in rest:
                r.s[discard_field][card] += 1
        r.s[deck_field][: len(deck)] = deck
        r.s[size_field] = len(deck)


def read_pools(r: Reading) -> None:
    """What may still be in the action deck for each seat: by default all that it cannot see."""
    s, ids = r.s, r.names.actions
    n = len(ids)
    deck = np.bincount(s.act_deck[: int(s.n_act)], minlength=n)
    for seat, entry in enumerate(r.seats):
        least = deck.copy()
        if "pool" not in entry:
            s.pool[seat, :n] = least + _unseen(r, seat)
            continue
        key = f"seat{seat}.pool"
        pool = ids.counts(key, entry["pool"])
        for card, count in enumerate(pool):
            most = r.tallies["action"].copies[card] - int(s.hand[seat, card])
            if not int(least[card]) <= count <= most:
                limits = f"from {least[card]}, as in the deck, to {most}, without the own hand"
                raise bad(key, f"must have {limits}, of {ids.ids[card]}, not {count}")
        s.pool[seat, :n] = pool


def _unseen(r: Reading, seat: int) -> np.ndarray:
    """Cards outside the deck that a seat cannot see or that it saw put down face down."""
    s, n = r.s, len(r.names.actions)
    found = np.zeros(n, np.int64)
    if r.num_seats > 1:
        found += s.hand[1 - seat, :n]
    for k in range(int(s.n_sab)):
        if not (int(s.sab_seen[k]) >> seat) & 1:
            found[int(s.sab_card[k])] += 1
    if int(s.p_card) != NO_CARD and int(s.actor) != seat:
        found[int(s.p_card)] += 1
    return found
