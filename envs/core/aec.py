"""The PettingZoo AEC environment over any game.

One step is one decision. A seat that can do nothing any more, but whose return is still open (its team plays on), stays
in `agents` and is never selected: so a reward that is decided after its last move reaches it in the ordinary way, in
`rewards` when it arises and in its last `last()`. A seat for which nothing is open any more (the record's field `left`)
terminates at once, with what the step earned it. When the game is over the seats that are still there end together.

A seat that has ended is owed one step with None, after which it leaves `agents`. As PettingZoo has it, such seats are
selected first, one after the other, then the seat that is to act; `while env.agents` and `agent_iter()` are the same
loop.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from cardzoo.envs.core.dispatch import has_left
from cardzoo.envs.core.errors import IllegalAction, OptionError
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.kernels import entry
from cardzoo.envs.core.loops import START, VIEW, advance, closed_desk
from cardzoo.envs.core.random import reseed, seed_states
from cardzoo.envs.core.registry import load
from cardzoo.envs.core.state import State, refusal, stuck

RENDER_MODES = ("human", "ansi")
ILLEGAL_REWARD = -1.0  # what the standard wrappers give for an illegal action

# What a copy of an environment needs beside the record; the rest is made from these.
KEPT = (
    "game",
    "render_mode",
    "metadata",
    "possible_agents",
    "agents",
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
    "observation_spaces",
    "action_spaces",
    "_deals",
    "_skip_agent_selection",
    "_rewarded",
)

Observation = dict[str, NDArray[Any]]


class TableEnv(AECEnv[str, Observation, int | None]):
    """A game as a PettingZoo AEC environment, without wrappers.

    Observations are ``{"observation": float32 (D,), "action_mask": int8 (A,)}``, new arrays each time.
    The mask of a seat that is not to act is all zeros; the seat to act has its own also while others' steps with None
    come first.

    The infos are empty until the game is over for a seat, and then say what `Game.ending` does.

    An illegal action raises `IllegalAction` and changes nothing; so does one after the end, or None while a seat lives.
    """

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        """Make the environment; `reset` starts a game.

        Args:
            game: the game.
            render_mode: "human" (`render` prints the table), "ansi" (`render` returns it as text) or None.

        Raises:
            OptionError: another render mode.
        """
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise OptionError(f"render_mode is {', '.join(map(repr, RENDER_MODES))} or None, not {render_mode!r}.")
        self.game = game
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{game.name}_v{game.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = list(game.agents)
        self.agents: list[str] = []
        self.agent_selection: str = game.agents[0]
        self.rewards: dict[str, float] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        limit = game.observation_limit
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(-limit, limit, (game.observation_size,), np.float32),
                    "action_mask": gymnasium.spaces.Box(0, 1, (game.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        self._states = game.blank_states(1)
        self._deals = np.zeros(4, np.uint32)  # generator of the seeds of resets without a seed; zeros before the first
        self._skip_agent_selection: str | None = None
        self._bind()

    def _bind(self) -> None:
        """Make the buffers of one step and fetch the machine code; nothing here has to survive a copy."""
        game = self.game
        self._legal = np.zeros((1, game.num_actions), np.bool_)
        self._observations = np.zeros((1, game.observation_size), np.float32)
        self._actions = np.zeros(1, np.int64)
        self._desk = closed_desk(1, 1)
        self._actor = np.zeros(1, np.int8)
        self._rewards = np.zeros((1, game.num_seats), np.float32)
        self._returns = np.zeros((1, game.num_seats), np.float32)
        self._truncated = np.zeros(1, np.bool_)
        self._arguments = (
            self._states,
            game.blank_states(1),
            game.rules,
            self._actions,
            False,
            self._desk,
            0,
            1,
            self._legal,
            np.zeros((1, game.num_seats), np.float64),
            self._observations,
            self._legal,
            self._actor,
            self._rewards,
            np.zeros(1, np.bool_),
            self._truncated,
            self._returns,
            np.zeros((1, game.num_seats, game.observation_size), np.float32),
            np.zeros(0, np.int64),
            np.zeros((0, 4), np.uint32),
        )
        self._legal_row = self._legal[0]
        self._mask_row = self._legal.view(np.int8)[0]
        self._observation_row = self._observations[0]
        self._num_actions = game.num_actions
        # Single numbers are read and written faster through these than through the arrays.
        self._is_legal = self._legal_row.data
        self._to_act = self._actor.data
        self._acting: str | None = None  # the seat whose decision the buffers hold
        self._seats_leave = has_left(game.dtype)
        self._chosen = self._actions.data
        self._bound = False

    def _run(self, action: int) -> int:
        """Carry out an action number of `loops.advance` with the buffers of this environment."""
        if not self._bound:
            self._advance: Callable[..., int] = entry(advance, *self._arguments)
            self._bound = True
        self._chosen[0] = action
        return self._advance(*self._arguments)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: starts the game of this seed; None: the next of the games that follow from the latest seed, whatever
                was played in between (the first time, one from fresh entropy).
            options: not used; a game's options are given when the environment is made.
        """
        if seed is not None or not self._deals.any():
            self._states.rng[0] = seed_states(seed, 1)[0]
            self._deals = self._states.rng[0] ^ np.uint32(0x9E3779B9)
        else:
            rng = np.empty(4, np.uint32)
            reseed(rng, self._deals)
            self._states.rng[0] = rng
        if self._run(START) < 0:
            raise stuck(self.game, self._states, 0)
        agents = self.possible_agents
        self.agents = list(agents)
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = {agent: {} for agent in agents}
        self._skip_agent_selection = None
        self._rewarded = False
        self.agent_selection = self._acting = agents[self._to_act[0]]
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Play one action of the selected seat, or None for a seat whose game is over.

        Raises:
            IllegalAction: the action is not legal (the message lists what is), or it is None while the seat lives or
                not None after its end, or no game is on. Nothing was changed.
        """
        agent = self.agent_selection
        if not self.agents:
            raise IllegalAction("no game is on; call reset() first.")
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise IllegalAction(f"the game is over for {agent}, so the only action is None, not {action!r}.")
            self._was_dead_step(action)
            return
        try:
            number = index(action)  # type: ignore[arg-type]
            legal = 0 <= number < self._num_actions and self._is_legal[number] and not isinstance(action, bool)
        except TypeError:
            legal = False
        if not legal:
            raise IllegalAction(self._refusal(agent, action))
        self._chosen[0] = number
        events = self._advance(*self._arguments)
        if events < 0:
            raise stuck(self.game, self._states, 0)
        if self._rewarded:
            self._clear_rewards()
            self._rewarded = False
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        if events:
            self._settle(agent)
        else:
            self.agent_selection = self._acting = self.possible_agents[self._to_act[0]]
        if self.render_mode == "human":
            self.render()

    def _settle(self, agent: str) -> None:
        """Hand out the rewards of a step by `agent`, and end the game for the seats for which it is over."""
        names = self.possible_agents
        for name, reward in zip(names, self._rewards[0].tolist(), strict=True):
            if name in self.rewards:
                self.rewards[name] = reward
        self._rewarded = True
        self._accumulate_rewards()
        actor = self._to_act[0]
        if actor >= 0:
            self.agent_selection = self._acting = names[actor]
            if self._seats_leave:
                self._let_go()
            return
        self._acting = None
        ended = self.truncations if self._truncated.item() else self.terminations
        outcome = self.game.outcome(self._states)
        for seat, name in enumerate(names):
            if name in ended:
                ended[name] = True
                self.infos[name] = self.game.ending(self._states, seat, outcome)
        after = names.index(agent) + 1
        self.agent_selection = next(name for name in names[after:] + names[:after] if name in ended)

    def _let_go(self) -> None:
        """End the game for the seats that have left it; their steps with None come before the actor's."""
        left = int(self._states["left"][0])
        for seat, name in enumerate(self.possible_agents):
            if left >> seat & 1 and not self.terminations.get(name, True):
                self.terminations[name] = True
                self.infos[name] = self.game.ending(self._states, seat, None)
        self._deads_step_first()

    def _refusal(self, agent: str, action: Any) -> str:
        game = self.game
        if action is None:
            return f"None is only for a seat whose game is over; {agent} has to choose an action."
        return refusal(game, game.action_number(action), self._legal_row, self.possible_agents.index(agent), agent)

    def observe(self, agent: str) -> Observation:
        """What a seat may know now, and its mask; at any time, as often as wanted, changing nothing.

        Raises:
            ValueError: no such agent.
        """
        if agent == self._acting:
            return {"observation": self._observation_row.copy(), "action_mask": self._mask_row.copy()}
        if agent not in self.possible_agents:
            raise ValueError(f"{self.game.name} has the agents {', '.join(self.possible_agents)}, not {agent!r}")
        return {
            "observation": self.game.observe(self._states, 0, self.possible_agents.index(agent)),
            "action_mask": np.zeros(self._num_actions, np.int8),
        }

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """The same object each time: Dict of the observation's and the mask's boxes."""
        return self.observation_spaces[agent]  # type: ignore[return-value]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """The same object each time: Discrete(A)."""
        return self.action_spaces[agent]  # type: ignore[return-value]

    def render(self) -> str | None:
        """The whole table, all hands open: a text with render mode "ansi", printed with "human", nothing without."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called on an environment made without a render_mode.")
            return None
        text = self.table.render()
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    @property
    def table(self) -> State:
        """The game as a `State` (a copy), for everything that PettingZoo has no word for."""
        return State(self.game, self._states)

    def close(self) -> None:
        """Nothing to release."""

    def __getstate__(self) -> dict[str, Any]:
        kept: dict[str, Any] = {name: self.__dict__[name] for name in KEPT if name in self.__dict__}
        kept["_states"] = np.array(self._states.view(np.ndarray))
        return kept

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._states = self._states.view(self.game.dtype).view(np.recarray)
        self._bind()
        if self.agents:
            self._run(VIEW)
            if self._to_act[0] >= 0:
                self._acting = self.possible_agents[self._to_act[0]]


def make_raw_env(name: str, render_mode: str | None = None, **options: Any) -> TableEnv:
    """Make the bare environment of a game by name; options as for `load` (also `cards`)."""
    return TableEnv(load(name, **options), render_mode)


def make_env(name: str, render_mode: str | None = None, **options: Any) -> AECEnv[str, Observation, int | None]:
    """Make the environment with PettingZoo's standard wrappers.

    An illegal action ends the game with ILLEGAL_REWARD for the seat that chose it (TerminateIllegalWrapper), a number
    outside the action space fails an assertion, and calls in a wrong order are refused. After an illegal action `reset`
    gives the very game that a fresh environment gives; a test holds PettingZoo to that.
    """
    env: AECEnv[str, Observation, int | None] = make_raw_env(name, render_mode, **options)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=ILLEGAL_REWARD)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)
