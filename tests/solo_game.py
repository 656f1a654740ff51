"""A game of one seat: ten draws, each kept or passed over; the sum of what was kept, but nothing above 12."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from cardzoo.envs.core.dispatch import Kernels, register_kernels
from cardzoo.envs.core.game import Game, Outcome, Parts
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.layout import Block, Layout
from cardzoo.envs.core.random import below, reseed
from tests.tiny_game import TrickCards

DTYPE = np.dtype(
    [
        ("rng", np.uint32, (4,)),
        ("actor", np.int8),
        ("truncated", np.int8),
        ("shown", np.int8),
        ("kept", np.int16),
        ("draws", np.int16),
    ]
)


class Rules(NamedTuple):
    limits: np.ndarray  # int64 (2,): draws, the most that counts


@kernel
def setup(states, i, rules):
    states[i].shown = 1 + below(states[i].rng, 5)


@kernel
def apply(states, i, rules, action):
    s = states[i]
    if action == 1:
        s.kept += s.shown
    s.draws += 1
    s.shown = 1 + below(s.rng, 5)
    if s.draws == rules.limits[0]:
        s.actor = -1


@kernel
def legal(states, i, rules, mask):
    mask[:] = states[i].actor >= 0
    return 2 if states[i].actor >= 0 else 0


@kernel
def observe(states, i, rules, seat, out):
    out[0] = states[i].shown / 5
    out[1] = states[i].kept / 50
    out[2] = states[i].draws / 10


@kernel
def returns(states, i, rules, out):
    out[0] = states[i].kept if states[i].kept <= rules.limits[1] else 0


@kernel
def resample(states, i, rules, seat, rng):
    reseed(states[i].rng, rng)


@kernel
def problems(states, i, rules):
    return 0


@kernel
def changes(states, i, rules, before, j):
    return 0


register_kernels(DTYPE, Kernels(setup, apply, legal, observe, returns, resample, problems, changes))


class NoOptions(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Solo(Game):
    """See the module's text."""

    name = "solo"
    objective = "sum: what was kept, 0 if that is above 12"
    dtype = DTYPE
    problem_names = ()
    options_model = NoOptions
    card_file = TrickCards
    cards_path = Path(__file__).with_name("tiny_game.yaml")  # not used

    def _build(self, cards, options):
        observations = Layout([Block("scalars", (3,), "what is shown / 5, kept / 50, draws / 10")])
        actions = Layout([Block("answer", (2,), "pass or keep")])
        return Parts(Rules(np.array([10, 12], np.int64)), actions, observations, num_seats=1)

    def _texts(self, seat):
        return ["pass", "keep"]

    def dump_position(self, states):
        return {"shown": int(states.shown[0]), "kept": int(states.kept[0]), "draws": int(states.draws[0])}

    def load_position(self, position):
        states = self.blank_states(1)
        for key, value in position.items():
            states[key] = value
        return states

    def outcome(self, states):
        return Outcome("all draws are made", (0,), False) if states.actor[0] < 0 else None

    def render(self, state, viewer=None):
        return str(state.to_position())
