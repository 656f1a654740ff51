"""Games for tests that need a known answer: actions that are right or wrong, rewards at known moments.

`Scripted` has two seats that move in turn, `length` decisions in all. At every decision one action is right; the others
are legal too unless `only_right`. A wrong action costs its seat 1 at once and pays the other seat 0.5, so rewards also
arrive on the other seat's moves. `lead` lets seat 0 end the game with its first move (action 3), so that seat 1 never
gets to decide.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from cardzoo.agents.base import Agent
from cardzoo.envs.core.dispatch import Kernels, register_kernels
from cardzoo.envs.core.fields import Whole
from cardzoo.envs.core.game import Game, Outcome, Parts
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.layout import Block, Layout
from cardzoo.envs.core.random import below, reseed
from tests.tiny_game import TrickCards

ACTIONS = 4
RNG = np.ones(4, np.uint32)

DTYPE = np.dtype(
    [
        ("rng", np.uint32, (4,)),
        ("actor", np.int8),
        ("truncated", np.int8),
        ("right", np.int8),
        ("moves", np.int16),
        ("scripted_paid", np.float32, (2,)),
    ]
)


class Rules(NamedTuple):
    limits: np.ndarray  # int64 (3,): length, only_right, lead


@kernel
def setup(states, i, rules):
    states[i].right = below(states[i].rng, ACTIONS)


@kernel
def apply(states, i, rules, action):
    s = states[i]
    seat = int(s.actor)
    if action != s.right:
        s.scripted_paid[seat] -= 1.0
        s.scripted_paid[1 - seat] += 0.5
    s.moves += 1
    s.right = below(s.rng, ACTIONS)
    s.actor = 1 - seat
    if s.moves == rules.limits[0] or (rules.limits[2] == 1 and s.moves == 1 and action == 3):
        s.actor = -1


@kernel
def legal(states, i, rules, mask):
    s = states[i]
    count = 0
    for action in range(ACTIONS):
        mask[action] = s.actor >= 0 and (rules.limits[1] == 0 or action == s.right)
        count += mask[action]
    return count


@kernel
def observe(states, i, rules, seat, out):
    out[:] = 0.0
    out[0] = states[i].moves / 100
    out[1] = seat


@kernel
def returns(states, i, rules, out):
    out[0] = states[i].scripted_paid[0]
    out[1] = states[i].scripted_paid[1]


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


class Options(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    length: Annotated[int, Whole(1, 99)] = 6
    only_right: bool = False
    lead: bool = False


class Scripted(Game):
    """See the module's text."""

    name = "scripted"
    objective = "answers: -1 for each wrong one, +0.5 for each of the other seat"
    zero_sum = False
    dtype = DTYPE
    problem_names = ()
    options_model = Options
    card_file = TrickCards
    cards_path = Path(__file__).parents[1] / "tiny_game.yaml"

    def _build(self, cards, options):
        rules = Rules(np.array([options.length, options.only_right, options.lead], np.int64))
        actions = Layout([Block("answer", (ACTIONS,), "an answer")])
        return Parts(rules, actions, Layout([Block("scalars", (2,), "moves / 100, seat")]), num_seats=2)

    def _texts(self, seat):
        return [f"answer {action}" for action in range(ACTIONS)]

    def dump_position(self, states):
        raise NotImplementedError

    def load_position(self, position):
        raise NotImplementedError

    def outcome(self, states):
        return Outcome("all answers given", (), False) if states.actor[0] < 0 else None

    def render(self, state, viewer=None):
        position: dict[str, Any] = {"moves": int(state.states.moves[0])}
        return str(position)


class Blundered(Scripted):
    """With a goal, if an odd one: to end below 0."""

    goal = "in the red"

    def reached(self, states):
        return states.scripted_paid[0] < 0


class Answering(Agent):
    """Gives all "right" or all "wrong" answers."""

    def act(self, decisions):
        right = np.array([int(state.right) for state in decisions.worlds(RNG.copy())])
        return right if self.name == "right" else (right + 1) % ACTIONS
