"""State: one game in progress, for people, tests and tools; a thin, safe view on one record and the game's kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.dispatch import game_left
from cardzoo.envs.core.errors import IllegalAction, PositionError
from cardzoo.envs.core.random import seed_states
from cardzoo.envs.core.records import Records

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game, Outcome

SHOWN = 12  # legal actions that an error message lists


class State:
    """One game in progress. Copies share nothing; two states are equal if their records are, byte for byte.

    Attributes:
        game: the game.
        states: the record, a recarray (1,).
    """

    __slots__ = ("_mask", "game", "states")

    def __init__(self, game: Game, states: Records) -> None:
        """Wrap a copy of states[0]; `states` is a recarray of the game's dtype."""
        self.game = game
        self.states = game.blank_states(1)
        self.states[0] = states[0]
        self._mask: NDArray[np.bool_] | None = None

    @property
    def actor(self) -> int | None:
        """The seat to decide, or None when the game is over."""
        seat = int(self.states.actor[0])
        return None if seat < 0 else seat

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.actor is None

    def has_left(self, seat: int) -> bool:
        """Whether nothing is open for a seat any more: the game is over, or goes on without it."""
        left = game_left(self.states, 0) >> self._seat(seat) & 1
        return self.is_over or left == 1

    @property
    def returns(self) -> NDArray[np.float64]:
        """Each seat's return so far: float64 (S,)."""
        return self.game.returns(self.states, 0)

    @property
    def outcome(self) -> Outcome | None:
        """Why the game ended and who won; None while it goes on."""
        return self.game.outcome(self.states)

    def action_mask(self, seat: int | None = None) -> NDArray[np.bool_]:
        """The legal actions of a seat (None: the actor): bool (A,). All False for a seat that is not to act."""
        if seat is not None and self._seat(seat) != self.actor:
            return np.zeros(self.game.num_actions, np.bool_)
        return self._legal().copy()

    def legal_actions(self) -> list[int]:
        """The numbers of the legal actions, ascending; none when the game is over."""
        return [int(action) for action in np.flatnonzero(self._legal())]

    def legal_texts(self) -> list[str]:
        """The same as texts, in the same order."""
        actor = self.actor
        return [] if actor is None else [self.game.text(action, actor) for action in self.legal_actions()]

    def apply(self, action: int | str) -> None:
        """Carry out an action of the actor, given by number or text, up to the next decision or the end.

        Raises:
            IllegalAction: lists what is legal; the state is unchanged.
            PositionError: the position that the game came from fixed a chance that cannot come about; likewise.
        """
        seat = self.actor
        if seat is None:
            raise IllegalAction(f"the game is over, so {action!r} cannot be played; start another game.")
        number = self.game.parse(action, seat) if isinstance(action, str) else self.game.action_number(action)
        if not self._legal()[number]:
            raise IllegalAction(refusal(self.game, number, self._legal(), seat, f"seat {seat}"))
        before = self.states.copy()
        try:
            self.game.kernels.apply(self.states, 0, self.game.rules, number)
        except ValueError as error:
            self.states[:] = before
            raise PositionError(f"{self.game.text(number, seat)}: {error}.") from None
        self._mask = None

    def observe(self, seat: int) -> NDArray[np.float32]:
        """What a seat may know: float32 (D,)."""
        return self.game.observe(self.states, 0, self._seat(seat))

    def problems(self) -> list[str]:
        """The invariants that the state breaks, in words; [] for a sound state."""
        return self.game.describe_problems(int(self.game.kernels.problems(self.states, 0, self.game.rules)))

    def copy(self) -> State:
        """An independent copy."""
        return State(self.game, self.states)

    def resample(self, seat: int, rng: int | NDArray[np.uint32] | np.random.Generator | None = None) -> State:
        """A world that a seat cannot tell from this one: what it does not know is drawn anew.

        Args:
            seat: the seat whose knowledge is kept.
            rng: a seed, a uint32[4] generator state (advanced in place), a numpy generator, or None for fresh entropy.
        """
        world = self.copy()
        self.game.kernels.resample(world.states, 0, self.game.rules, self._seat(seat), generator(rng))
        return world

    def to_position(self) -> dict[str, Any]:
        """The state as a plain dict, everything by name; `Game.from_position` is the inverse."""
        return self.game.dump_position(self.states)

    def render(self, viewer: int | None = None) -> str:
        """The table as text, as seat `viewer` may see it (None: everything)."""
        return self.game.render(self, None if viewer is None else self._seat(viewer))

    def _legal(self) -> NDArray[np.bool_]:
        if self._mask is None:
            self._mask = self.game.action_mask(self.states, 0)
        return self._mask

    def _seat(self, seat: int) -> int:
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < self.game.num_seats:
            raise ValueError(f"{self.game.name} has seats 0 to {self.game.num_seats - 1}, not {seat!r}")
        return int(seat)

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.game, self.states.tobytes())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game == other.game and self.states.tobytes() == other.states.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a state changes, so it cannot be a key

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"<State of {self.game.name}: {'over' if self.is_over else f'seat {self.actor} to act'}>"


def _restore(game: Game, data: bytes) -> State:
    """Make a pickled state again."""
    states = game.blank_states(1)
    states.view(np.uint8)[:] = np.frombuffer(data, np.uint8)
    return State(game, states)


def generator(rng: int | NDArray[np.uint32] | np.random.Generator | None) -> NDArray[np.uint32]:
    """A uint32[4] generator state from a seed, from itself, from a numpy generator, or from fresh entropy (None)."""
    if isinstance(rng, np.ndarray):
        if rng.dtype != np.uint32 or rng.shape != (4,):
            raise ValueError(f"a generator state is uint32 of shape (4,), not {rng.dtype} of shape {rng.shape}")
        return rng
    if isinstance(rng, np.random.Generator):
        return seed_states(int(rng.integers(2**63)), 1)[0]
    return seed_states(rng, 1)[0]


def refusal(game: Game, action: int, mask: NDArray[np.bool_], seat: int, who: str) -> str:
    """The sentence for an action of a seat that is not in its mask bool (A,)."""
    legal = np.flatnonzero(mask)
    texts = ", ".join(game.text(number, seat) for number in legal[:SHOWN])
    rest = f" and {len(legal) - SHOWN} more" if len(legal) > SHOWN else ""
    return f"action {action} ({game.text(action, seat)!r}) is not legal for {who}; legal are: {texts}{rest}."


def stuck(game: Game, states: Records, index: int) -> RuntimeError:
    """Make the error for rules that leave an actor without any action, so that no policy ever meets an empty mask."""
    state = State(game, states[index : index + 1])
    return RuntimeError(f"{game.name}: seat {state.actor} has no legal action in game {index}: {state.to_position()}")
