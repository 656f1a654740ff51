"""One seat of a game as an ordinary Gymnasium environment; named players hold the other seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from cardzoo.agents.base import Agent, Decisions, make_agent
from cardzoo.envs.core.errors import IllegalAction, OptionError
from cardzoo.envs.core.registry import load
from cardzoo.envs.core.state import State

ILLEGAL = ("lose", "raise")
SEATS = ("alternate", "random")


class SingleAgentEnv(gymnasium.Env[npt.NDArray[np.float32], np.int64]):
    """A game from the side of one seat.

    ``gymnasium.make("cardzoo/BedroomBattle-v0", opponent="greedy")``.

    - Observations are float32 (D,) (`game.observations` says what is where); the legal actions are in
      ``info["action_mask"]`` (int8 (A,), which ``action_space.sample(mask)`` takes) and in ``action_masks()`` (bool,
      what MaskablePPO looks for).
    - The reward of a step is everything the seat earned from its action up to its next decision or the end of the game,
      so also what arrives on an opponent's move; over an episode it adds up to the seat's return.
    - ``reset(seed=s)`` fixes the deal, the seat and the opponents' choices; later plain resets continue from there with
      new deals, and the whole sequence repeats when it is started from s again.
    - The episode also ends (terminated) when this seat has left a game that others play on: nothing can change its
      return any more. In a team game a seat that is out goes on as long as its team may still earn something.
    - A game that ends, or that this seat leaves, before it is ever to decide is dealt anew within `reset`, and counted
      in `games_without_decision`.
    - ``info`` also has "seat", and at the end of an episode what `Game.ending` says.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium declares its type

    def __init__(
        self,
        game: str = "bedroom_battle",
        opponent: str | Sequence[str] = "random",
        seat: int | str = "alternate",
        illegal: str = "lose",
        render_mode: str | None = None,
        cards: str | None = None,
        **options: Any,
    ) -> None:
        """Make the environment.

        Args:
            game: name of the game.
            opponent: the player on every other seat (teammates too), or a list with one for each of them in seat order.
            seat: the seat to play: its number, "alternate" (the next one every game) or "random".
            illegal: what an illegal action does: "lose" ends the episode with reward -1 (as PettingZoo does by default)
                and ``info["illegal_action"]``, "raise" raises IllegalAction and changes nothing.
            render_mode: None or "ansi" (`render()` returns the table as this seat may see it).
            cards: card file; None for the game's own.
            options: the game's options.

        Raises:
            OptionError: a bad value of one of these.
            AgentError, ModelError: an opponent cannot be made.
        """
        self.game = load(game, cards=cards, **options)
        seats = self.game.num_seats
        if seat not in (*SEATS, *range(seats)):
            raise OptionError(f"seat is one of 0..{seats - 1}, 'alternate' or 'random', not {seat!r}")
        if illegal not in ILLEGAL:
            raise OptionError(f"illegal is 'lose' or 'raise', not {illegal!r}")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise OptionError(f"render_mode is None or 'ansi', not {render_mode!r}")
        names = [opponent] * (seats - 1) if isinstance(opponent, str) else list(opponent)
        if len(names) != seats - 1:
            raise OptionError(f"{game} has {seats - 1} other seats, but {len(names)} opponents are named")
        self.render_mode = render_mode
        self.opponents: list[Agent] = [make_agent(name, self.game) for name in names]
        self.games_without_decision = 0
        self._seat_rule = seat
        self._illegal = illegal
        self._games = 0
        self._seat = 0
        self._state: State | None = None
        self._forfeited = False  # an illegal action has ended the episode, whose table can still be drawn
        limit = self.game.observation_limit
        self.observation_space = spaces.Box(-limit, limit, (self.game.observation_size,), np.float32)
        self.action_space = spaces.Discrete(self.game.num_actions)

    @property
    def state(self) -> State:
        """The game in progress.

        Raises:
            IllegalAction: before the first `reset`.
        """
        if self._state is None:
            raise IllegalAction("no game has been started yet: call reset() first")
        return self._state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Deal a new game and play up to this seat's first decision."""
        super().reset(seed=seed)
        if seed is not None:
            self._games = 0
            for agent in self.opponents:
                agent.reset(int(self.np_random.integers(2**32)))
        while True:
            self._seat = self._next_seat()
            self._games += 1
            self._state = self.game.new_state(int(self.np_random.integers(2**63)))
            self._forfeited = False
            self._play_others()
            if not self.state.has_left(self._seat):
                self._paid = 0.0  # nothing has been given out of this game's return yet
                return self._observe(), self._info()
            self.games_without_decision += 1

    def step(self, action: np.int64 | int) -> tuple[npt.NDArray[np.float32], SupportsFloat, bool, bool, dict[str, Any]]:
        """Play an action, then the others until this seat is to decide again or the game is over.

        Raises:
            IllegalAction: the action is illegal (with illegal="raise"), or the episode is over.
        """
        state = self.state
        if self._forfeited or state.is_over or state.actor != self._seat:
            raise IllegalAction("this episode is over: call reset() to start another game")
        number = int(action)
        if not (0 <= number < self.game.num_actions and state.action_mask()[number]):
            if self._illegal == "raise":
                state.apply(number)  # raises, listing what is legal
            observation, info = self._observe(), self._info()
            self._forfeited = True
            info["illegal_action"] = number
            info["action_mask"] = np.zeros(self.game.num_actions, dtype=np.int8)
            return observation, -1.0, True, False, info
        state.apply(number)
        self._play_others()
        earned = float(state.returns[self._seat])
        reward, self._paid = earned - self._paid, earned
        info = self._info()
        if not state.has_left(self._seat):
            return self._observe(), reward, False, False, info
        outcome = state.outcome
        info |= self.game.ending(state.states, self._seat, outcome)
        truncated = outcome is not None and outcome.truncated
        return self._observe(), reward, not truncated, truncated, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions, bool (A,); what MaskablePPO looks for. None is legal when the episode is over."""
        if self._forfeited or self.state.actor != self._seat:
            return np.zeros(self.game.num_actions, dtype=np.bool_)
        return self.state.action_mask()

    def render(self) -> str | None:  # type: ignore[override]
        """Return the table as text, as this seat may see it; None without a render mode."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called without a render_mode; give render_mode='ansi' to make()")
            return None
        return self.state.render(self._seat)

    def _next_seat(self) -> int:
        if self._seat_rule == "random":
            return int(self.np_random.integers(self.game.num_seats))
        if self._seat_rule == "alternate":
            return self._games % self.game.num_seats
        return int(self._seat_rule)

    def _play_others(self) -> None:
        """Let the opponents move until this seat is to decide or the game is over for it."""
        state = self.state
        while (actor := state.actor) is not None and actor != self._seat and not state.has_left(self._seat):
            agent = self.opponents[actor - (actor > self._seat)]
            decision = Decisions.of_batch(
                self.game,
                state.states,
                np.array([actor], dtype=np.int8),
                state.observe(actor)[None],
                state.action_mask()[None],
            )
            state.apply(int(agent.act(decision)[0]))

    def _observe(self) -> npt.NDArray[np.float32]:
        return self.state.observe(self._seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.state.action_mask(self._seat).astype(np.int8), "seat": self._seat}
