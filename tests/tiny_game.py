"""The smallest complete game: two seats play tricks with a few hidden cards. docs/add_a_game.md walks through it.

Both seats hold two cards. The leader lays one, the other answers, the higher rank wins the trick and leads next (equal
ranks: nobody wins, the leader stays), both draw a card while there are any. With no cards left most tricks win.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from cardzoo.envs.core.cards import Card, CardFile
from cardzoo.envs.core.dispatch import Kernels, register_kernels
from cardzoo.envs.core.errors import OptionError, PositionError
from cardzoo.envs.core.fields import Whole
from cardzoo.envs.core.game import Game, Outcome, Parts
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.layout import Block, Layout
from cardzoo.envs.core.random import reseed, shuffle

MAX_TYPES = 8
MAX_CARDS = 24

DTYPE = np.dtype(
    [
        ("rng", np.uint32, (4,)),  # every game has these three
        ("actor", np.int8),  # seat to act, -1 when over
        ("truncated", np.int8),  # 1: ended by the cap
        ("hand", np.int8, (2, MAX_TYPES)),  # counts by type; hidden from the other seat
        ("deck", np.int8, (MAX_CARDS,)),  # types, top at the end; hidden
        ("n_deck", np.int16),
        ("played", np.int8, (MAX_TYPES,)),  # counts by type; public, like all that follows
        ("table", np.int8),  # the leader's card as type + 1, 0 for none
        ("leader", np.int8),
        ("points", np.int16, (2,)),
        ("tricks", np.int16),  # finished ones
    ]
)


class Rules(NamedTuple):
    """What the kernels need beside the state: few arrays, since each costs a little at every call."""

    copies: np.ndarray  # int64 (T,)
    ranks: np.ndarray  # int64 (T,)
    limits: np.ndarray  # int64 (2,): cards in a hand, tricks before the game is cut off (0: never)


@kernel
def draw(s, seat):
    if s.n_deck > 0:
        s.n_deck -= 1
        s.hand[seat, s.deck[s.n_deck]] += 1
        s.deck[s.n_deck] = 0  # unused slots stay 0


@kernel
def setup(states, i, rules):
    s = states[i]
    n = 0
    for t in range(len(rules.copies)):
        for _ in range(rules.copies[t]):
            s.deck[n] = t
            n += 1
    shuffle(s.rng, s.deck, n)
    s.n_deck = n
    for _ in range(rules.limits[0]):
        draw(s, 0)
        draw(s, 1)


@kernel
def apply(states, i, rules, action):
    s = states[i]
    seat = int(s.actor)
    s.hand[seat, action] -= 1
    s.played[action] += 1
    if s.table == 0:
        s.table = action + 1
        s.actor = 1 - seat
        return
    lead = rules.ranks[int(s.table) - 1]
    if rules.ranks[action] != lead:
        if rules.ranks[action] > lead:
            s.leader = seat
        s.points[s.leader] += 1
    s.table = 0
    s.tricks += 1
    draw(s, s.leader)
    draw(s, 1 - s.leader)
    s.actor = s.leader
    if s.hand[s.leader].sum() == 0:
        s.actor = -1
    elif s.tricks == rules.limits[1]:
        s.actor = -1
        s.truncated = 1


@kernel
def legal(states, i, rules, mask):
    s = states[i]
    count = 0
    for t in range(len(mask)):
        mask[t] = s.actor >= 0 and s.hand[s.actor, t] > 0
        count += mask[t]
    return count


@kernel
def returns(states, i, rules, out):
    s = states[i]
    out[:] = 0.0
    if s.actor < 0 and s.truncated == 0 and s.points[0] != s.points[1]:
        out[0] = 1.0 if s.points[0] > s.points[1] else -1.0
        out[1] = -out[0]


@kernel
def observe(states, i, rules, seat, out):
    s = states[i]
    types = len(rules.copies)
    out[:] = 0.0
    for t in range(types):
        out[t] = s.hand[seat, t] / 2
        out[types + t] = s.played[t] / rules.copies[t]
    if s.table > 0:
        out[2 * types + s.table - 1] = 1.0
    out[3 * types] = s.points[seat] / 8
    out[3 * types + 1] = s.points[1 - seat] / 8
    out[3 * types + 2] = s.n_deck / 16
    out[3 * types + 3] = s.leader == seat
    out[3 * types + 4] = s.tricks / 16


@kernel
def resample(states, i, rules, seat, rng):
    s = states[i]
    n = 0
    others = int(s.hand[1 - seat].sum())
    s.deck[:] = 0
    for t in range(len(rules.copies)):  # in type order, so that nothing hidden decides the outcome
        s.hand[1 - seat, t] = 0
        for _ in range(rules.copies[t] - s.played[t] - s.hand[seat, t]):
            s.deck[n] = t
            n += 1
    shuffle(rng, s.deck, n)
    s.n_deck = n
    for _ in range(others):
        draw(s, 1 - seat)
    reseed(s.rng, rng)


@kernel
def problems(states, i, rules):
    s = states[i]
    bits = 0
    for t in range(len(rules.copies)):
        in_deck = 0
        for k in range(s.n_deck):
            in_deck += s.deck[k] == t
        if (
            s.hand[0, t] < 0
            or s.hand[1, t] < 0
            or s.hand[0, t] + s.hand[1, t] + s.played[t] + in_deck != rules.copies[t]
        ):
            bits |= 1
    if s.hand[s.leader].sum() + (s.table > 0) != s.hand[1 - s.leader].sum():
        bits |= 2
    return bits


@kernel
def changes(states, i, rules, before, j):
    fewer = states[i].tricks < before[j].tricks or states[i].played.sum() != before[j].played.sum() + 1
    return 4 if fewer else 0


register_kernels(DTYPE, Kernels(setup, apply, legal, observe, returns, resample, problems, changes))


class TrickCard(Card):
    rank: Annotated[int, Whole(1, 9)]


class TrickCards(CardFile):
    types: tuple[TrickCard, ...]

    def features(self):
        return ("rank",), np.array([[card.rank / 9] for card in self.types], np.float32)


class TrickOptions(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    hand: Annotated[int, Whole(1, 4)] = 2
    max_tricks: Annotated[int, Whole(0, 99)] = 0


class TinyGame(Game):
    """Two seats, tricks, hidden hands."""

    name = "tiny"
    dtype = DTYPE
    problem_names = ("cards were lost or doubled", "hands have the wrong sizes", "a move did not play one card")
    options_model = TrickOptions
    card_file = TrickCards
    cards_path = Path(__file__).with_name("tiny_game.yaml")
    variants = {"default": {}, "capped": {"max_tricks": 2}}  # noqa: RUF012

    def _build(self, cards, options):
        counts = cards.counts.astype(np.int64)
        if len(cards) > MAX_TYPES or counts.sum() > MAX_CARDS or counts.sum() % 2 or counts.sum() < 2 * options.hand:
            raise OptionError(
                f"tiny: hand={options.hand} with {counts.sum()} cards of {len(cards)} types cannot be played."
            )
        ranks = np.array([card.rank for card in cards], np.int64)
        types = (len(cards),)
        rules = Rules(counts, ranks, np.array([options.hand, options.max_tricks], np.int64))
        actions = Layout([Block("play", types, "play a card of the type")])
        observations = Layout(
            [
                Block("hand", types, "own cards of the type / 2"),
                Block("played", types, "share of the type's copies that was played"),
                Block("table", types, "the card to beat, one-hot"),
                Block("scalars", (5,), "own and other points / 8, deck / 16, whether leading, tricks / 16"),
            ]
        )
        return Parts(rules, actions, observations, num_seats=2)

    def _texts(self, seat):
        return [f"play {card.id}" for card in self.cards]

    def dump_position(self, states):
        s, ids = states[0], self.cards.ids
        return {
            "actor": None if s.actor < 0 else int(s.actor),
            "leader": int(s.leader),
            "hands": [[card for t, card in enumerate(ids) for _ in range(s.hand[seat, t])] for seat in range(2)],
            "deck": [ids[t] for t in s.deck[: s.n_deck][::-1]],
            "played": [card for t, card in enumerate(ids) for _ in range(s.played[t])],
            "table": None if s.table == 0 else ids[s.table - 1],
            "points": s.points.tolist(),
            "tricks": int(s.tricks),
            "truncated": bool(s.truncated),
        }

    def load_position(self, position):
        states = self.blank_states(1)
        s = states[0]
        unknown = set(position) - set(self.dump_position(states))
        if unknown:
            raise PositionError(f"tiny: a position has no key {min(unknown)!r}.")

        def types(key, ids):
            for card in ids:
                if card not in self.cards.ids:
                    raise PositionError(f"tiny: {key} names the unknown card {card!r}.")
            return [self.cards.index(card) for card in ids]

        for seat, hand in enumerate(position["hands"]):
            for t in types("hands", hand):
                s.hand[seat, t] += 1
        for t in types("played", position.get("played", ())):
            s.played[t] += 1
        deck = types("deck", position.get("deck", ()))[::-1]
        s.deck[: len(deck)], s.n_deck = deck, len(deck)
        s.table = 1 + types("table", [position["table"]])[0] if position.get("table") else 0
        s.leader, s.tricks = position.get("leader", 0), position.get("tricks", 0)
        s.points, s.truncated = position.get("points", (0, 0)), position.get("truncated", False)
        actor = position.get("actor", 1 - s.leader if s.table else s.leader)
        s.actor = -1 if actor is None else actor
        return states

    def outcome(self, states):
        points = states.points[0]
        if states.actor[0] >= 0:
            return None
        if states.truncated[0]:
            return Outcome("the cap on tricks", (), True)
        winners = () if points[0] == points[1] else (int(points[1] > points[0]),)
        return Outcome(f"{points[0]} tricks to {points[1]}", winners, False)

    def render(self, state, viewer=None):
        position: dict[str, Any] = state.to_position()
        lines = [f"deck {len(position['deck'])}, tricks {position['points'][0]} to {position['points'][1]}"]
        for seat, hand in enumerate(position["hands"]):
            shown = " ".join(hand) if viewer in (None, seat) else f"{len(hand)} cards"
            lines.append(f"{'>' if state.actor == seat else ' '} seat {seat}: {shown}")
        lines.append(f"  table: {position['table'] or '-'}")
        return "\n".join(lines)

    def explain(self, action, seat=0):
        card = self.cards[self.parse(action, seat) if isinstance(action, str) else action]
        return f"Lay a {card.name} of rank {card.rank}."
