"""A tiny game of 2 to 6 seats, alone or in teams, that seats leave at different times: the last team wins.

Every seat holds two hidden cards, each a strike, a burst or a rest, and some lives. Who acts plays one, and draws one.
A strike takes a life of the next living opponent, a burst one of everybody who lives, the actor included, a rest does
nothing. A team whose members are all out has left; those that go at once share the mean of their places, which their
returns are made of: 1 for the first to -1 for the last.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from cardzoo.envs.core.dispatch import Kernels, register_kernels
from cardzoo.envs.core.errors import OptionError
from cardzoo.envs.core.fields import Whole
from cardzoo.envs.core.game import Game, Outcome, Parts
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.layout import Block, Layout
from cardzoo.envs.core.random import below, reseed
from tests.tiny_game import TrickCards

SEATS = 6
STRIKE, BURST, REST = range(3)
KINDS = ("strike", "burst", "rest")
CARDS = 2

DTYPE = np.dtype(
    [
        ("rng", np.uint32, (4,)),
        ("actor", np.int8),
        ("truncated", np.int8),
        ("left", np.uint8),  # bit mask of the seats whose team is out
        ("cards", np.int8, (SEATS, len(KINDS))),  # counts by kind; hidden from the others; none without lives
        ("lives", np.int8, (SEATS,)),
        ("place2", np.int8, (SEATS,)),  # twice the place of a team that is out or won; 0 while it is in
        ("moves", np.int16),
    ]
)


class Rules(NamedTuple):
    limits: np.ndarray  # int64 (3,): seats, lives, moves before the game is cut off (0: never)
    teams: np.ndarray  # int64 (S,)


@kernel
def living_teams(s, rules):
    """Bit mask of the teams with a living member."""
    mask = 0
    for seat in range(rules.limits[0]):
        if s.lives[seat] > 0:
            mask |= 1 << rules.teams[seat]
    return mask


@kernel
def count_bits(mask):
    count = 0
    while mask > 0:
        count += mask & 1
        mask >>= 1
    return count


@kernel
def place(s, rules, mask, place2):
    """Give the teams in a bit mask their place."""
    for seat in range(rules.limits[0]):
        if (mask >> rules.teams[seat]) & 1 == 1:
            s.place2[seat] = place2


@kernel
def setup(states, i, rules):
    s = states[i]
    for seat in range(rules.limits[0]):
        s.lives[seat] = rules.limits[1]
        for _ in range(CARDS):
            s.cards[seat, below(s.rng, len(KINDS))] += 1
    s.actor = below(s.rng, rules.limits[0])


@kernel
def hurt(s, seat):
    if s.lives[seat] > 0:
        s.lives[seat] -= 1
        if s.lives[seat] == 0:
            s.cards[seat, :] = 0


@kernel
def apply(states, i, rules, action):
    s = states[i]
    seats = rules.limits[0]
    seat = int(s.actor)
    before = living_teams(s, rules)
    s.moves += 1
    s.cards[seat, action] -= 1
    s.cards[seat, below(s.rng, len(KINDS))] += 1
    if action == BURST:
        for other in range(seats):
            hurt(s, other)
    elif action == STRIKE:
        for k in range(1, seats):
            other = (seat + k) % seats
            if s.lives[other] > 0 and rules.teams[other] != rules.teams[seat]:
                hurt(s, other)
                break
    alive = living_teams(s, rules)
    fallen = before & ~alive
    place(s, rules, fallen, 2 * count_bits(alive) + count_bits(fallen) + 1)
    for other in range(seats):
        if s.place2[other] > 0:
            s.left |= 1 << other
    s.truncated = count_bits(alive) > 1 and s.moves == rules.limits[2]
    if count_bits(alive) <= 1 or s.truncated == 1:
        place(s, rules, alive, count_bits(alive) + 1)
        s.actor = -1
        return
    for k in range(1, seats + 1):
        other = (seat + k) % seats
        if s.lives[other] > 0:
            s.actor = other
            return


@kernel
def legal(states, i, rules, mask):
    s = states[i]
    count = 0
    for kind in range(len(mask)):
        mask[kind] = s.actor >= 0 and s.cards[s.actor, kind] > 0
        count += mask[kind]
    return count


@kernel
def returns(states, i, rules, out):
    teams = rules.teams[rules.limits[0] - 1] + 1
    for seat in range(rules.limits[0]):
        place2 = int(states[i].place2[seat])
        out[seat] = 1 - (place2 - 2) / (teams - 1) if place2 > 0 else 0.0


@kernel
def observe(states, i, rules, seat, out):
    s = states[i]
    out[:] = 0.0
    for kind in range(len(KINDS)):
        out[kind] = s.cards[seat, kind] / CARDS
    for k in range(rules.limits[0]):
        other = (seat + k) % rules.limits[0]
        out[len(KINDS) + k] = s.lives[other] / rules.limits[1]
    out[len(KINDS) + SEATS] = s.actor == seat
    out[len(KINDS) + SEATS + 1] = min(1.0, s.moves / 64)


@kernel
def resample(states, i, rules, seat, rng):
    s = states[i]
    for other in range(rules.limits[0]):
        if other != seat and s.lives[other] > 0:
            s.cards[other, :] = 0
            for _ in range(CARDS):
                s.cards[other, below(rng, len(KINDS))] += 1
    reseed(s.rng, rng)


@kernel
def problems(states, i, rules):
    s = states[i]
    bits = 0
    for seat in range(SEATS):
        held = int(s.cards[seat, 0]) + int(s.cards[seat, 1]) + int(s.cards[seat, 2])
        if held != (CARDS if s.lives[seat] > 0 else 0):
            bits |= 1
        if s.actor >= 0 and (s.place2[seat] > 0) != ((int(s.left) >> seat) & 1 == 1):
            bits |= 2
    return bits


@kernel
def changes(states, i, rules, before, j):
    return 0 if states[i].moves == before[j].moves + 1 and states[i].left & before[j].left == before[j].left else 4


register_kernels(DTYPE, Kernels(setup, apply, legal, observe, returns, resample, problems, changes))


class LastOneOptions(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    seats: Annotated[int, Whole(2, SEATS)] = 3
    team_size: Annotated[int, Whole(1, 3)] = 1
    lives: Annotated[int, Whole(1, 9)] = 2
    max_moves: Annotated[int, Whole(0, 999)] = 0


class LastOne(Game):
    """See the module's text."""

    name = "last_one"
    objective = "placement: from +1 for the first team to -1 for the last"
    dtype = DTYPE
    problem_names = ("a hand has the wrong size", "left and places differ", "a move went wrong")
    options_model = LastOneOptions
    card_file = TrickCards
    cards_path = Path(__file__).with_name("tiny_game.yaml")  # not used
    variants = {  # noqa: RUF012
        "default": {},
        "six": {"seats": 6},
        "teams": {"seats": 6, "team_size": 2},
        "capped": {"seats": 5, "max_moves": 12},
    }

    def _build(self, cards, options):
        if options.seats % options.team_size or options.seats == options.team_size:
            raise OptionError(f"last_one: {options.seats} seats are no two or more teams of {options.team_size}.")
        count = options.seats // options.team_size
        teams = tuple(seat * count // options.seats for seat in range(options.seats))
        rules = Rules(np.array([options.seats, options.lives, options.max_moves], np.int64), np.array(teams, np.int64))
        observations = Layout(
            [
                Block("cards", (len(KINDS),), "own cards of the kind / 2"),
                Block("lives", (SEATS,), "lives from the own seat on / lives at the start"),
                Block("scalars", (2,), "whether to act, moves / 64"),
            ]
        )
        actions = Layout([Block("play", (len(KINDS),), "play a card of the kind")])
        return Parts(rules, actions, observations, options.seats, teams)

    def _texts(self, seat):
        return list(KINDS)

    def dump_position(self, states):
        s, seats = states[0], self.num_seats
        return {
            "actor": int(s.actor),
            "hands": [
                " ".join(k for k, n in zip(KINDS, hand, strict=True) for _ in range(n)) for hand in s.cards[:seats]
            ],
            "lives": s.lives[:seats].tolist(),
            "places": (s.place2[:seats] / 2).tolist(),
            "left": [seat for seat in range(seats) if int(s.left) >> seat & 1],
            "moves": int(s.moves),
            "truncated": bool(s.truncated),
        }

    def load_position(self, position):
        states = self.blank_states(1)
        s, seats = states[0], self.num_seats
        for seat, hand in enumerate(position["hands"]):
            for kind in hand.split():
                s.cards[seat, KINDS.index(kind)] += 1
        s.actor, s.lives[:seats] = position["actor"], position["lives"]
        s.place2[:seats] = 2 * np.array(position.get("places", [0] * seats))
        s.left = sum(1 << seat for seat in position.get("left", ()))
        s.moves, s.truncated = position.get("moves", 0), position.get("truncated", False)
        return states

    def outcome(self, states):
        if states.actor[0] >= 0:
            return None
        places = self.places(states)
        winners = tuple(int(seat) for seat in np.flatnonzero(places == places.min()))
        capped = bool(states.truncated[0])
        return Outcome("the cap on moves" if capped else "one team at most is left", () if capped else winners, capped)

    def places(self, states):
        return states.place2[0][: self.num_seats] / 2

    def render(self, state, viewer=None):
        position = state.to_position()
        hands = (hand if viewer in (None, seat) else "?" for seat, hand in enumerate(position["hands"]))
        return "\n".join(
            f"{'>' if state.actor == seat else ' '} seat {seat}: {lives} lives, {hand}"
            for seat, (lives, hand) in enumerate(zip(position["lives"], hands, strict=True))
        )
