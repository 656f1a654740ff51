"""BatchEnv: many games of one kind at once, for training, evaluation and anything else that needs millions of steps."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardzoo.envs.core.errors import IllegalAction, OptionError
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.kernels import entry
from cardzoo.envs.core.loops import LINE, SKIP, START, VIEW, WAITING, accept, advance, closed_desk
from cardzoo.envs.core.random import seed_states
from cardzoo.envs.core.records import Records
from cardzoo.envs.core.state import refusal, stuck
from cardzoo.envs.core.threads import Helpers

PART = 64  # games that a thread takes at a time
INT64 = np.dtype(np.int64)
APART = np.uint32(0x5BD1E995)  # turns a game's generator state into another one


class BatchStep(NamedTuple):
    """What `BatchEnv.reset` and `step` return, one row a game.

    Rewards and flags belong to the action just played; actor, mask and observation to the next decision, which is
    the first one of a new game where `done`.
    """

    observations: NDArray[np.float32]
    """(N, D) what the actor may know."""
    action_mask: NDArray[np.bool_]
    """(N, A) the actor's legal actions."""
    actor: NDArray[np.int8]
    """(N,) the seat to act; -1 only without autoreset, where the game is over."""
    rewards: NDArray[np.float32]
    """(N, S) what the step earned each seat."""
    done: NDArray[np.bool_]
    """(N,) whether the step ended the game (which has restarted already, unless autoreset is off)."""
    truncated: NDArray[np.bool_]
    """(N,) whether it was a cap that ended it."""
    final_returns: NDArray[np.float32]
    """(N, S) what each seat earned in the game that ended; valid where `done`."""
    final_observations: NDArray[np.float32]
    """(N, S, D) what each seat knew at its end; valid where `done`."""
    sampled: NDArray[np.int64]
    """(N,) a uniformly random legal action; empty (0,) unless the batch was made with sample=True."""


class BatchEnv:
    """N games at once; finished games restart by themselves, in the same step.

    **Autoreset.** When a step ends a game, `rewards`, `done`, `truncated`, `final_returns` and `final_observations` of
    that row belong to the game that ended; `observations`, `action_mask` and `actor` already belong to the new one. A
    new game takes its chance from the generator state that the old one ended with, so every game depends on the seed,
    its row and the actions played in its row, and on nothing else: not on N, not on threads, not on other batches.

    With ``autoreset=False`` a finished game stays as it ended instead: its actor is -1, its mask empty, its observation
    zero, and its only action is -1 until `begin` deals a new one.

    **Seats that leave.** Where seats may leave before the end (the record's field `left`), `done` still means that the
    game is over for all. Who has no more use for a game can give it up: see `begin`.

    **Views.** The arrays in a `BatchStep` are the environment's own buffers, which the next `step` or `reset`
    overwrites; copy what you keep, or ask for ``copy=True``. Writing into them changes no game.

    **Threads.** With ``threads=n`` the rows are shared out over n threads; results do not depend on it. They are
    made at the first step, and again in a forked process.

    **Random play.** With ``sample=True`` each step also draws a legal action for every game, from generators beside the
    games' own: ``step = batch.step(step.sampled)`` plays at random, faster than choosing from the masks outside.

    Deep copies and pickles go on exactly like the original and share nothing with it.

    Attributes:
        game: the game.
        num_envs: N.
        states: the N records; see `reset_to` before writing into it.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seed: int | None = 0,
        threads: int = 1,
        copy: bool = False,
        sample: bool = False,
        autoreset: bool = True,
    ) -> None:
        """Make the batch; `reset` starts the games.

        Args:
            game: the game.
            num_envs: N, at least 1.
            seed: of the first `reset`; None for fresh entropy.
            threads: how many threads share the work of a step.
            copy: return copies that later steps leave alone.
            sample: whether to draw a random legal action for each next decision.
            autoreset: whether a finished game begins anew at once.

        Raises:
            OptionError: num_envs or threads is no integer of at least 1.
        """
        for name, value in (("num_envs", num_envs), ("threads", threads)):
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
                raise OptionError(f"{name} is an integer of at least 1, not {value!r}.")
        self.game = game
        self.num_envs = int(num_envs)
        self.threads = int(threads)
        self.copy = bool(copy)
        self.autoreset = bool(autoreset)
        self.states: Records = game.blank_states(self.num_envs)
        self._sampling = np.zeros((self.num_envs if sample else 0, 4), np.uint32)
        self._seed(seed)
        self._started = False
        self._legal = np.zeros((self.num_envs, game.num_actions), np.bool_)
        self._standing = np.zeros((self.num_envs, game.num_seats), np.float64)
        self._actions = np.zeros(self.num_envs, np.int64)
        n, seats, features = self.num_envs, game.num_seats, game.observation_size
        self._step = BatchStep(
            observations=np.zeros((n, features), np.float32),
            action_mask=np.zeros((n, game.num_actions), np.bool_),
            actor=np.zeros(n, np.int8),
            rewards=np.zeros((n, seats), np.float32),
            done=np.zeros(n, np.bool_),
            truncated=np.zeros(n, np.bool_),
            final_returns=np.zeros((n, seats), np.float32),
            final_observations=np.zeros((n, seats, features), np.float32),
            sampled=np.zeros(len(self._sampling), np.int64),
        )
        self._bind()

    def _bind(self) -> None:
        """Make what cannot be copied: machine code is fetched at first use, threads are started then."""
        self._blank = self.game.blank_states(1)
        self._calls: list[Callable[[], int]] = []  # the kernel of a step, the caller's share first
        self._accept: Callable[..., int] | None = None
        self._helpers: Helpers | None = None
        self._owner = 0
        threads = 1 if numba.config.DISABLE_JIT else self.threads  # interpreted, they would only take turns
        self._desk = closed_desk(min(threads, self.num_envs), self.num_envs)

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays that the batch keeps."""
        own = (self.states, self._blank, self._legal, self._standing, self._actions, self._sampling, self._desk)
        arrays: tuple[NDArray[Any], ...] = (*own, *self._step)
        return sum(array.nbytes for array in arrays)

    def _seed(self, seed: int | None) -> None:
        """Set the generators of the games, and those of the samples apart from them."""
        self.states.rng[:] = seed_states(seed, self.num_envs)
        if len(self._sampling):
            self._sampling[:] = self.states.rng ^ APART

    def reset(self, seed: int | None = None) -> BatchStep:
        """Start all games anew.

        Args:
            seed: start the games of this seed; None: the first time those of the constructor's seed, later new ones
                that follow from where the games stand.
        """
        if seed is not None:
            self._seed(seed)
        self._actions[:] = START
        return self._run()

    def reset_to(self, states: Records) -> BatchStep:
        """Go on from given games instead.

        Args:
            states: recarray (N,) of the game's dtype, copied; games in progress, none of them over.

        Raises:
            OptionError: wrong dtype or number, or a game that is over.
        """
        if states.dtype != self.game.dtype or states.shape != (self.num_envs,):
            raise OptionError(
                f"reset_to needs {self.num_envs} records of {self.game.name}, not an array of shape {states.shape}."
            )
        over = np.flatnonzero(np.asarray(states["actor"]) < 0)
        if len(over):
            raise OptionError(f"reset_to needs games in progress; game {over[0]} is over.")
        self.states[:] = states
        self._actions[:] = VIEW
        return self._run()

    def begin(self, rows: ArrayLike) -> BatchStep:
        """Give up the games of some rows, wherever they stand, and begin new ones there; the others stay as they are.

        A new game takes its chance from the generator state that the old one stands at, as after an end, so that it
        depends on nothing but what was played in its own row.

        Args:
            rows: indices of games, or bool (N,).

        Returns:
            A step in which nobody played: rewards are 0 and `done` is False everywhere, so use what you need of the
            step before first. The chosen rows hold the first decision of their new games.

        Raises:
            IllegalAction: before the first `reset`.
        """
        if not self._started:
            raise IllegalAction("call reset() before begin().")
        self._actions[:] = SKIP
        self._actions[np.asarray(rows)] = START
        return self._run()

    def step(self, actions: ArrayLike) -> BatchStep:
        """Play one action in every game.

        Args:
            actions: integers (N,): a legal action of each game's actor, or -1 to leave a game as it is (its row then
                has reward 0 and done False, and its other entries do not change).

        Raises:
            IllegalAction: an action is not legal, named with its game; or wrong shape or type. Nothing was changed.
        """
        if not self._started:
            raise IllegalAction("call reset() before step().")
        given = actions
        if type(given) is not np.ndarray or given.dtype is not INT64 or given.shape != self._actions.shape:
            given = self._as_actions(actions)
        if self._accept is None:
            self._accept = entry(accept, self._actions, self._legal, self._actions)
        bad = self._accept(np.ascontiguousarray(given), self._legal, self._actions)
        if bad >= 0:
            raise IllegalAction(self._refusal(bad, int(given[bad])))
        return self._run()

    def _as_actions(self, actions: ArrayLike) -> NDArray[np.int64]:
        """What a caller gave as N integers, int64 (N,)."""
        given = np.asarray(actions)
        if given.dtype == np.uint64 and given.size and given.max() >= 2**63:
            raise IllegalAction(f"there is no action {given.max()}.")  # it would wrap to a negative number
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise IllegalAction(
                f"actions are {self.num_envs} integers, one for each game, not an array of type {given.dtype} "
                f"and shape {given.shape}."
            )
        return given.astype(np.int64)

    def _refusal(self, index: int, action: int) -> str:
        game = self.game
        if not 0 <= action < game.num_actions:
            allowed = f"0 to {game.num_actions - 1} (or {SKIP} to leave it as it is)"
            return f"game {index}: the actions of {game.name} are {allowed}, not {action}."
        seat = int(self._step.actor[index])
        return refusal(game, action, self._legal[index], seat, f"game {index}, seat {seat}")

    def _run(self) -> BatchStep:
        """Carry out self._actions in all games."""
        if not self._calls:
            self._calls = self._bind_kernel()
        if len(self._calls) > 1:
            self._wake_helpers()
        found = self._calls[0]()
        if found == WAITING:
            found = self._wait()
        if found < 0:
            raise stuck(self.game, self.states, -1 - found)
        self._started = True
        return BatchStep._make(array.copy() for array in self._step) if self.copy else self._step

    def _bind_kernel(self) -> list[Callable[[], int]]:
        """The kernel of a step with its arguments, once for each thread's share of the games."""
        before = (self.states, self._blank, self.game.rules, self._actions, self.autoreset, self._desk)
        step: tuple[Any, ...] = self._step
        after = (PART, self._legal, self._standing, *step, self._sampling)
        run = entry(advance, *before, 0, *after)
        shares = len(self._desk) // LINE - 1
        return [partial(run, *before, share, *after) for share in range(shares)]

    def _wake_helpers(self) -> None:
        """Have the threads beside the caller's own look for games; a forked process starts its own."""
        if self._helpers is None or self._owner != os.getpid():
            self._helpers = Helpers(self._calls[1:])
            self._owner = os.getpid()
            weakref.finalize(self, self._helpers.close)
        self._helpers.wake()

    def _wait(self) -> int:
        """Sleep until the helpers have finished the step; 0, or -1 - i if game i is stuck."""
        assert self._helpers is not None
        try:
            while self._desk[-LINE] < self.num_envs:
                self._helpers.check()
                time.sleep(0)
        except BaseException:
            self.close()
            self._desk[:-LINE] = self.num_envs  # closed, or the next step's threads would begin before it does
            raise
        return -int(self._desk[1 - LINE])

    def close(self) -> None:
        """End the threads; a later step starts them again."""
        if self._helpers is not None and self._owner == os.getpid():
            self._helpers.close()
        self._helpers = None

    def __getstate__(self) -> dict[str, Any]:
        gone = {"_blank", "_calls", "_accept", "_helpers", "_owner", "_desk"}
        kept = {name: value for name, value in self.__dict__.items() if name not in gone}
        kept["states"] = self.states.view(np.ndarray)
        return kept

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.states = np.ascontiguousarray(self.states).view(self.game.dtype).view(np.recarray)
        self._bind()

    def __repr__(self) -> str:
        return f"<BatchEnv: {self.num_envs} games of {self.game.name}, {self.threads} thread(s)>"
