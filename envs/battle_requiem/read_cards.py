"""Reading the cards of a position: hands, piles and box, the deal of what is left open, and what is known of hands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cardzoo.envs.battle_requiem.notation import REST
from cardzoo.envs.battle_requiem.reading import Reading
from cardzoo.envs.battle_requiem.state import DRAFT, MAX_TAPE
from cardzoo.envs.core.notation import as_word, bad


def read_hands(r: Reading) -> None:
    """The hands that are named; eliminated seats hold cards only while a reward for them is open."""
    for seat, entry in enumerate(r.seats):
        if "hand" not in entry:
            continue
        key = f"seats.{seat}.hand"
        counts = r.names.counts(key, entry["hand"])
        if any(counts) and not r.is_alive(seat) and not (int(r.s.fallen) >> seat) & 1:
            raise bad(key, f"must be empty, because seat {seat} is eliminated")
        for card, count in enumerate(counts):
            r.take(key, card, count)
        _write_hand(r, seat, counts)


def _write_hand(r: Reading, seat: int, counts: Sequence[int]) -> None:
    r.s.hand[seat, : len(counts)] = counts
    r.s.n_hand[seat] = sum(counts)


def read_piles(r: Reading) -> tuple[list[int], list[int]]:
    """Box, draw pile and discard pile as far as they are named; returns the piles, top first."""
    if not _takes_rest(r) and r.get("box") is not None:
        for card, count in enumerate(r.names.counts("box", r.get("box"))):
            r.take("box", card, count)
            r.s.box[card] = count
    piles = []
    for key in ("draw", "discard"):
        cards = [] if r.get(key) is None else r.names.card_list(key, r.get(key))
        for card in cards:
            r.take(key, card)
        piles.append(cards)
    if r.phase == DRAFT and piles[1]:
        raise bad("discard", 'must be empty in the phase "draft"')
    return piles[0], piles[1]


def _takes_rest(r: Reading) -> bool:
    """Whether all cards that are named nowhere are out of the game."""
    return isinstance(r.get("box"), str) and as_word("box", r.get("box"), (REST,)) == 0


def place_rest(r: Reading, draw: list[int], discard: list[int]) -> None:
    """Put the cards that are named nowhere in their places: the box, or hands, discard pile and draw pile."""
    rest = r.unplaced()
    if _takes_rest(r):
        for card in rest:
            r.s.box[card] += 1
        rest = []
    elif r.phase != DRAFT:
        np.random.default_rng(r.seed).shuffle(rest)
        _deal(r, rest)
        if r.get("draw") is None and r.get("discard") is None and rest:
            discard = [rest.pop()]
    else:
        np.random.default_rng(r.seed).shuffle(rest)
    _write_pile(r, "draw", [*rest, *draw[::-1]])
    _write_pile(r, "disc", discard[::-1])
    for card in discard:
        r.s.in_disc[card] += 1


def _deal(r: Reading, rest: list[int]) -> None:
    """Hands that are left open are dealt from the shuffled rest up to the Inventory, in turn order."""
    for seat in r.s.order[: r.num_seats].tolist():
        if "hand" in r.seats[seat] or not r.is_alive(seat):
            continue
        counts = [0] * len(r.names.cards)
        for _ in range(min(int(r.s.inv[seat]), len(rest))):
            counts[rest.pop()] += 1
        _write_hand(r, seat, counts)


def _write_pile(r: Reading, name: str, cards: Sequence[int]) -> None:
    """Write a list and its length."""
    r.s[name][: len(cards)] = cards
    r.s["n_" + name] = len(cards)


def read_knowledge(r: Reading) -> None:
    """What is known of hands and of the draw pile, and the tape of random steals."""
    s, names = r.s, r.names
    for seat, entry in enumerate(r.seats):
        key = f"seats.{seat}.known"
        for card, count in enumerate(names.counts(key, entry.get("known", {}))):
            held = int(s.hand[seat, card]) + face_down(r, seat).count(card)
            if count > held:
                where = f"the hand of seat {seat} with its face-down cards has"
                raise bad(key, f"has {count} copies of {names.card_ids[card]}, but {where} {held}")
            s.known[seat, card] = count
    _read_mix(r)
    tape = [] if r.get("steals") is None else names.card_list("steals", r.get("steals"))
    if len(tape) > MAX_TAPE:
        raise bad("steals", f"has {len(tape)} entries, but at most {MAX_TAPE} are allowed")
    _write_pile(r, "steals", tape)


def face_down(r: Reading, seat: int) -> list[int]:
    """The cards of a seat that lie face-down in the duel."""
    cards = []
    if seat == int(r.s.active):
        cards += r.s.att[: int(r.s.n_att)].tolist()
    if seat == int(r.s.defender):
        cards += r.s.dfn[: int(r.s.n_dfn)].tolist()
    return cards


def _read_mix(r: Reading) -> None:
    """The draw pile right after the last reshuffle, and what each seat has drawn of it."""
    s, names = r.s, r.names
    n = len(names.cards)
    in_game = r.rules.types[:n, 1] - s.box[:n]
    mix = in_game if r.get("mix") is None else np.array(names.counts("mix", r.get("mix")))
    left = mix - np.bincount(s.draw[: int(s.n_draw)], minlength=n)
    for card in range(n):
        if int(mix[card]) > int(in_game[card]):
            raise bad("mix", f"has {mix[card]} copies of {names.card_ids[card]}, but {in_game[card]} are in the game")
        if int(left[card]) < 0:
            raise bad("mix", f"has {mix[card]} copies of {names.card_ids[card]}, less than the draw pile")
    s.mix[:n] = mix
    for seat, entry in enumerate(r.seats):
        key = f"seats.{seat}.fresh"
        fresh = np.array(names.counts(key, entry.get("fresh", {})))
        left = left - fresh
        for card in range(n):
            if int(left[card]) < 0:
                raise bad(key, f"has more copies of {names.card_ids[card]} than mix, other seats and draw pile leave")
        s.fresh[seat, :n] = fresh
