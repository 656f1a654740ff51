"""The learner's side of many games at once, as a Stable-Baselines3 vector environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from cardzoo.agents.base import Agent, Decisions
from cardzoo.envs import BatchEnv
from cardzoo.envs.core.dispatch import has_left
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.standings import team_returns, win_shares

NO_INFO: dict[str, Any] = {}
"""Shared by every game that did not just end: do not write into it."""


class Opponents(Protocol):
    """Who plays the other teams; `cardzoo.training.pool.Pool` is one."""

    @property
    def agents(self) -> Sequence[Agent]:
        """The players; a game names its opponents by the index."""

    def assign(self, count: int) -> npt.NDArray[np.intp]:
        """Choose `count` opponents: (count,) indices into `agents`."""


class GameResult(NamedTuple):
    """A game that is over for the learner."""

    opponents: tuple[int, ...]
    """Indices into the pool: who plays the other teams, in their order from the learner's on."""
    team: int
    """The learner's; without teams, its seat."""
    returned: float
    """The learner's return: the mean of its seats'."""
    points: float
    """Its share of the win: 1 alone, less if others have the same return. A learner that leaves while others play on
    has won if its return is above all others'."""
    reached: float
    """The share of its seats that reached the game's goal, see `Game.reached`."""
    decisions: int
    """How many the learner made, for all its seats."""
    truncated: bool
    """Whether a cap ended it."""


class SelfPlayVecEnv(VecEnv):
    """N games of any number of seats, in which one team learns and a pool of opponents plays the others.

    A seat without a team is a team of one. One step of the learner is one step here: the opponents move inside `step`
    until every game waits for one of the learner's seats again. The rules that follow from it:

    - The learner decides for all seats of its team, each from what that seat sees: a team is what one player makes of
      it, as in a comparison, and every decision made for it is one to learn from.
    - The reward of a step is what the learner's team (the mean of its seats) got from the learner's action up to its
      next decision or the end of the game, so also what arrives on an opponent's move. What it gets in a new game
      before its first decision there is added to the reward of that decision's step.
    - The team that learns goes round from game to game, over all T teams; row k starts with team k mod T.
    - Every other team is played by one player of the pool, drawn anew for each game.
    - When all of the learner's seats have left a game that others play on, the game is over for the learner: it is
      done, with its whole return, and the row begins a new game instead of playing the old one out.
    - A game in which the learner never gets to decide makes no step; it is counted in `games_without_decision`.
    - When a game ends, `dones` is true, the observation and mask already belong to the next game, and the info holds
      "terminal_observation" (what the first of the learner's seats saw at the end), "TimeLimit.truncated", "episode"
      ({"r": return, "l": decisions, "t": 0.0}), "opponents" (indices into the pool) and "team".
    - `action_masks()` are those of the observations that were returned last; all arrays are the caller's to keep.

    Attributes:
        game: what is played.
        games_without_decision: games that ended before the learner's first decision.
    """

    def __init__(self, game: Game, num_envs: int, opponents: Opponents, seed: int = 0, threads: int = 1) -> None:
        """Make the games.

        Args:
            game: what is played.
            num_envs: games at once, N.
            opponents: who plays the other teams.
            seed: fixes the deals.
            threads: of the game engine; changes no result.
        """
        self.game = game
        self.render_mode = None
        self.games_without_decision = 0
        self._opponents = opponents
        # A finished game stays until it has been asked what the learner reached in it.
        self._batch = BatchEnv(game, num_envs, seed=seed, threads=threads, autoreset=False)
        self._rows = np.arange(num_envs)
        self._actions: npt.NDArray[np.int64] | None = None
        self._results: list[GameResult] = []
        self._teams = np.array(game.teams)
        # The seats of each team as bits, like `left`.
        self._bits = np.bincount(self._teams, 1 << np.arange(game.num_seats)).astype(np.uint8)
        self._seats_leave = has_left(game.dtype)
        limit = game.observation_limit
        observation_space = spaces.Box(-limit, limit, (game.observation_size,), np.float32)
        super().__init__(num_envs, observation_space, spaces.Discrete(game.num_actions))

    def reset(self) -> npt.NDArray[np.float32]:
        """Start new games everywhere: float32 (N, D)."""
        seed = self._seeds[0]
        self._reset_seeds()
        self._reset_options()
        self._team = self._rows % self.game.num_teams
        self._players = np.zeros((self.num_envs, self.game.num_teams), dtype=np.intp)  # who plays each other team
        self._choose_players(self._rows)
        self._carried = np.zeros(self.num_envs, dtype=np.float32)  # earned before the first decision of a new game
        self._length = np.zeros(self.num_envs, dtype=np.int64)  # learner's decisions in the game that is played
        self._step = self._batch.reset(seed) if seed is not None else self._batch.reset()
        self._let_opponents_move(self._carried, np.zeros(self.num_envs, dtype=np.bool_), {})
        self._remember()
        return self._observations

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Keep the learner's actions, (N,), for `step_wait`."""
        self._actions = np.asarray(actions, dtype=np.int64)

    def step_wait(
        self,
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the learner's actions, then the opponents' until the learner is to decide everywhere.

        Raises:
            IllegalAction: the learner chose an illegal action; nothing was changed.
        """
        assert self._actions is not None, "step_async comes first"
        self._step = self._batch.step(self._actions)
        self._actions = None
        self._length += 1
        rewards = self._carried
        self._carried = np.zeros(self.num_envs, dtype=np.float32)
        dones = np.zeros(self.num_envs, dtype=np.bool_)
        infos: dict[int, dict[str, Any]] = {}
        self._collect(rewards, dones, infos)
        self._let_opponents_move(rewards, dones, infos)
        self._remember()
        listed = [NO_INFO] * self.num_envs
        for row, info in infos.items():
            listed[row] = info
        return self._observations, rewards, dones, listed

    def _choose_players(self, rows: npt.NDArray[np.intp]) -> None:
        """Give the other teams players for new games in `rows`."""
        others = self.game.num_teams - 1
        places = (self._team[rows][:, None] + 1 + np.arange(others)) % self.game.num_teams
        self._players[rows[:, None], places] = self._opponents.assign(len(rows) * others).reshape(len(rows), others)

    def _remember(self) -> None:
        """Copy what the next step of the batch overwrites."""
        self._observations = self._step.observations.copy()
        self._masks = self._step.action_mask.copy()

    def _let_opponents_move(
        self,
        rewards: npt.NDArray[np.float32],
        dones: npt.NDArray[np.bool_],
        infos: dict[int, dict[str, Any]],
    ) -> None:
        """Move opponents until every game waits for the learner."""
        while True:
            teams = self._teams[self._step.actor]
            waiting = np.flatnonzero(teams != self._team)
            if not len(waiting):
                return
            actions = np.full(self.num_envs, -1, dtype=np.int64)
            table = Decisions.of_batch(
                self.game, self._batch.states, self._step.actor, self._step.observations, self._step.action_mask
            )
            whose = self._players[waiting, teams[waiting]]
            for number in np.unique(whose):
                rows = waiting[whose == number]
                agent = self._opponents.agents[number]
                actions[rows] = agent.act(table.subset(rows))
            self._step = self._batch.step(actions)
            self._collect(rewards, dones, infos)

    def _collect(
        self,
        rewards: npt.NDArray[np.float32],
        dones: npt.NDArray[np.bool_],
        infos: dict[int, dict[str, Any]],
    ) -> None:
        """Book the rewards of one move everywhere, and what follows from games that ended for the learner with it."""
        step = self._step
        earned = team_returns(step.rewards, self.game.teams)[self._rows, self._team]
        # A game that ended earlier in this step is a new one by now: its rewards belong to the next step.
        rewards += np.where(dones, 0, earned)
        self._carried += np.where(dones, earned, 0)
        ended = np.flatnonzero(step.done | self._given_up())
        if not len(ended):
            return
        for row in ended:
            if dones[row] or self._length[row] == 0:
                # The learner had no decision in this game, so there is no step to put the result on.
                self.games_without_decision += 1
                if dones[row]:
                    self._carried[row] = 0
                else:
                    rewards[row] = 0
                continue
            result, seen = self._outcome(int(row), bool(step.done[row]))
            dones[row] = True
            infos[int(row)] = {
                "terminal_observation": seen,
                "TimeLimit.truncated": result.truncated,
                "episode": {"r": result.returned, "l": result.decisions, "t": 0.0},
                "opponents": result.opponents,
                "team": result.team,
            }
            self._results.append(result)
        self._length[ended] = 0
        self._team[ended] = (self._team[ended] + 1) % self.game.num_teams
        self._choose_players(ended)
        self._step = self._batch.begin(ended)  # the last word on `step`: its rewards and flags are gone now

    def _given_up(self) -> npt.NDArray[np.bool_]:
        """Where the learner has left a game that others play on: bool (N,)."""
        if not self._seats_leave:
            return np.zeros(self.num_envs, dtype=np.bool_)
        bits = self._bits[self._team]
        return (self._batch.states["left"] & bits) == bits

    def _outcome(self, row: int, over: bool) -> tuple[GameResult, npt.NDArray[np.float32]]:
        """How the game that ended for the learner in a row went, and what the first of its seats saw last."""
        step, states, game = self._step, self._batch.states, self.game
        team = int(self._team[row])
        seats = np.flatnonzero(self._teams == team)
        if over:
            returns = step.final_returns[row].astype(np.float64)
            seen = step.final_observations[row, seats[0]].copy()
        else:
            returns = game.returns(states, row)
            seen = game.observe(states, row, int(seats[0]))
        by_team = team_returns(returns[None], game.teams)
        points = float(win_shares(by_team)[0, team])
        players = np.roll(self._players[row], -team)[1:]
        result = GameResult(
            opponents=tuple(int(player) for player in players),
            team=team,
            returned=float(np.float32(by_team[0, team])),
            points=points if over or points == 1 else 0.0,
            reached=float(game.reached(states[row : row + 1])[seats].mean()),
            decisions=int(self._length[row]),
            truncated=over and bool(step.truncated[row]),
        )
        return result, seen

    def take_results(self) -> list[GameResult]:
        """Return and forget the games that ended for the learner."""
        results, self._results = self._results, []
        return results

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions of the learner's decisions: bool (N, A), yours to keep."""
        return self._masks

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute once for each game; the mask function too, which is what MaskablePPO looks for."""
        value = getattr(self, attr_name)
        return [value] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute; all games share it."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Call a method; only `action_masks` has one result for each game."""
        if method_name != "action_masks":
            raise AttributeError(f"these games have no method {method_name!r} of their own, only 'action_masks'")
        if indices is None:
            return list(self._masks)
        return [self._masks[index] for index in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """No game is wrapped; but each reports its episodes itself, as a Monitor would."""
        from stable_baselines3.common.monitor import Monitor

        return [wrapper_class is Monitor] * len(list(self._get_indices(indices)))

    def close(self) -> None:
        """Nothing to close: games are arrays."""
