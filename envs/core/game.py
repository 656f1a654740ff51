"""Game: the rules, card set and options of one game, ready to play; immutable and shared by all its states.

A game subclasses `Game`, fills in the class attributes, implements the methods that say so, and registers its kernels
(`dispatch.register_kernels`). docs/add_a_game.md walks through the smallest complete one.
"""

from __future__ import annotations

import difflib
import operator
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from cardzoo.envs.core.cards import CardFile, CardSet, load_cards, parse_cards
from cardzoo.envs.core.dispatch import Kernels, kernels_for
from cardzoo.envs.core.errors import IllegalAction, PositionError
from cardzoo.envs.core.layout import Layout
from cardzoo.envs.core.options import parse_options
from cardzoo.envs.core.random import seed_states
from cardzoo.envs.core.records import Records
from cardzoo.envs.core.standings import places, team_returns

if TYPE_CHECKING:
    from cardzoo.envs.core.state import State


class Outcome(NamedTuple):
    """How a game ended."""

    reason: str
    """In words, e.g. "seat 0 won more rewards"."""
    winners: tuple[int, ...]
    """Seats that won; empty for a draw or a game that was cut off, several for a shared win."""
    truncated: bool
    """Whether a cap ended it, not the rules."""


class Parts(NamedTuple):
    """What a game builds from its cards and options."""

    rules: Any
    """NamedTuple of a few arrays: all that the kernels read beside the state."""
    actions: Layout
    observations: Layout
    num_seats: int
    teams: tuple[int, ...] = ()
    """The team of each seat, numbers from 0 on without a gap; empty: every seat plays for itself."""


class Game(ABC):
    """One game with its card set and options. Two are equal if class, card set and options are.

    Attributes:
        cards: the card set.
        options: every option with its value, defaults included.
        rules: NamedTuple of arrays for the kernels.
        num_seats, num_actions, observation_size: S, A and D in the shapes of this package.
        actions, observations: layouts of the action numbers and of the observation vector.
        agents: PettingZoo's agent names in seat order.
        teams: the team of each seat, (S,) numbers 0..G-1; without teams every seat is one of its own.
        hash: content hash of the card set.
        kernels: the game's registered functions.
    """

    name: ClassVar[str]
    """The name for `load`, e.g. "bedroom_battle"."""
    title: ClassVar[str] = ""
    """The name for people, e.g. "Bedroom Battle"."""
    version: ClassVar[int] = 0
    """Raised with every change of rules or encodings; `<name>_v<version>` is the PettingZoo module."""
    dtype: ClassVar[np.dtype[Any]]
    """The state record."""
    problem_names: ClassVar[tuple[str, ...]]
    """A sentence for each bit that the kernels `problems` and `changes` can return."""
    options_model: ClassVar[type[BaseModel]]
    """Pydantic model of the options (extra keys forbidden)."""
    card_file: ClassVar[type[CardFile]]
    """Pydantic model of a card file."""
    cards_path: ClassVar[Path]
    """The game's own card file."""
    observation_limit: ClassVar[float] = 2.0
    """Every feature lies within -limit..limit."""
    public_moves: ClassVar[bool] = False
    """Whether every seat sees every move as it is made, so that a player may be told the others' moves."""
    goal: ClassVar[str] = ""
    """What a seat may reach by itself, whatever the others do, as the head of a table: "paid off". See `reached`."""
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {"default": {}}
    """Option sets that are tested and recorded, by name."""

    def __init__(self, cards: str | Path | None = None, **options: Any) -> None:
        """Load the game.

        Args:
            cards: path of a card file; None for the game's own.
            options: the game's options by name.

        Raises:
            OptionError: an unknown option or a value out of range.
            CardError: the card file cannot be read or is not valid.
        """
        self._set_up(load_cards(self.card_file, cards, self.cards_path), options)

    def _set_up(self, cards: CardSet, options: Mapping[str, Any]) -> None:
        parsed = parse_options(self.options_model, options, self.name)
        parts = self._build(cards, parsed)
        self.cards = cards
        self.options: dict[str, Any] = parsed.model_dump()
        self.rules = parts.rules
        self.actions = parts.actions
        self.observations = parts.observations
        self.num_seats = int(parts.num_seats)
        self.num_actions = len(parts.actions)
        self.observation_size = len(parts.observations)
        self.agents = self._agent_names()
        self.teams: tuple[int, ...] = tuple(int(team) for team in parts.teams) or tuple(range(self.num_seats))
        if len(self.teams) != self.num_seats or set(self.teams) != set(range(max(self.teams) + 1)):
            raise ValueError(f"{self.name}: teams {self.teams} do not number the teams of {self.num_seats} seats")
        self.hash = cards.hash
        self.kernels: Kernels = kernels_for(self.dtype)
        for array in self.rules:
            if isinstance(array, np.ndarray) and not array.flags.c_contiguous:
                raise ValueError(
                    f"{self.name}: the arrays in rules have to be contiguous, or kernels are compiled twice"
                )

    # What a game implements

    @abstractmethod
    def _build(self, cards: CardSet, options: Any) -> Parts:
        """Make the rules data and the layouts; `options` is an `options_model`. May raise OptionError."""

    @abstractmethod
    def _texts(self, seat: int) -> list[str]:
        """Make the text of every action as `seat` names it (its own cards, say): A strings, all different."""

    def _agent_names(self) -> tuple[str, ...]:
        """Name the seats for PettingZoo, in seat order; the options and the number of seats are there by now."""
        return tuple(f"seat_{seat}" for seat in range(self.num_seats))

    @abstractmethod
    def load_position(self, position: Mapping[str, Any]) -> Records:
        """Turn a position into a recarray (1,); PositionError names the bad key."""

    @abstractmethod
    def dump_position(self, states: Records) -> dict[str, Any]:
        """Turn states[0] into a position: plain dict, lists, strings and numbers."""

    @abstractmethod
    def render(self, state: State, viewer: int | None = None) -> str:
        """Draw the table as text, as seat `viewer` may see it (None: everything)."""

    @abstractmethod
    def outcome(self, states: Records) -> Outcome | None:
        """Say how states[0] ended; None while it goes on."""

    def ending(self, states: Records, seat: int, outcome: Outcome | None) -> dict[str, Any]:
        """What the info of a seat says when the game is over for it, as it is in states[0].

        Args:
            states: the game.
            seat: whose info it is.
            outcome: what `outcome` says of it, the same for all seats; None while others play on.

        Returns:
            "outcome": why it ended, in words; "winners": seats, none while others play on. Games may add to it.
        """
        if outcome is None:
            return {"outcome": f"seat {seat} is out, others play on", "winners": ()}
        return {"outcome": outcome.reason, "winners": outcome.winners}

    def factions(self, states: Records) -> NDArray[np.str_] | None:
        """What each seat plays as in `states` (n,), e.g. a character: str (n, S). None: there is no such thing."""
        return None

    @property
    def objective(self) -> str:
        """What the returns measure, in a short clause; every report says it."""
        return "winning: +1 won, -1 lost, 0 drawn or cut off"

    @property
    def zero_sum(self) -> bool:
        """Whether the seats' returns sum to 0 in every game that is over, so that players are compared by who wins."""
        return self.num_teams > 1

    def reached(self, states: Records) -> NDArray[np.bool_]:
        """Which seats have reached the `goal` so far in states[0]: bool (S,). Without a goal nobody has."""
        return np.zeros(self.num_seats, np.bool_)

    def explain(self, action: int | str, seat: int = 0) -> str:
        """Say in one sentence what an action of a seat does."""
        return self.text(self.parse(action, seat) if isinstance(action, str) else action, seat)

    def places(self, states: Records) -> NDArray[np.float64]:
        """Each seat's place in the finished game states[0]: (S,), 1 the best; who ties shares the mean of the places.

        By returns, a team by the mean of its seats, unless a game knows better.
        """
        by_team: NDArray[np.float64] = places(team_returns(self.returns(states, 0)[None], self.teams))[0]
        return by_team[list(self.teams)]

    # What every game has

    @cached_property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """The text of every action for each seat, S times A strings; in most games the same for all seats."""
        by_seat = []
        for seat in range(self.num_seats):
            texts = tuple(self._texts(seat))
            if len(texts) != self.num_actions or len(set(texts)) != len(texts):
                counts = f"{len(texts)} action texts, {len(set(texts))} different, for {self.num_actions} actions"
                raise ValueError(f"{self.name}: {counts}")
            by_seat.append(texts)
        return tuple(by_seat)

    @property
    def num_teams(self) -> int:
        """G, the number of teams; S without teams."""
        return max(self.teams) + 1

    @cached_property
    def _numbers(self) -> tuple[dict[str, int], ...]:
        return tuple({text: number for number, text in enumerate(texts)} for texts in self.texts)

    def text(self, action: int, seat: int = 0) -> str:
        """The text of an action number, as a seat names it; IllegalAction outside 0..A-1."""
        return self.texts[seat][self.action_number(action)]

    def parse(self, text: str, seat: int = 0) -> int:
        """The number of an action text of a seat; IllegalAction says which texts are like it."""
        number = self._numbers[seat].get(" ".join(str(text).split()))
        if number is None:
            near = difflib.get_close_matches(str(text), self.texts[seat], n=3, cutoff=0.6)
            hint = f"; did you mean {' or '.join(repr(word) for word in near)}?" if near else "."
            raise IllegalAction(f"{self.name} has no action {text!r}{hint}")
        return number

    def action_number(self, action: Any) -> int:
        """An action given as an int (also numpy's) as a plain int; IllegalAction if it is no integer within 0..A-1."""
        try:
            number = operator.index(action)
        except TypeError:
            number = None
        if number is None or isinstance(action, bool):
            last = self.num_actions - 1
            raise IllegalAction(f"an action of {self.name} is an integer from 0 to {last}, not {action!r}.")
        if not 0 <= number < self.num_actions:
            raise IllegalAction(f"{self.name} has actions 0 to {self.num_actions - 1}, not {number}.")
        return int(number)

    def blank_states(self, n: int) -> Records:
        """A recarray (n,) of zero records, which are not games yet."""
        return np.zeros(n, self.dtype).view(np.recarray)

    def new_states(self, n: int, seed: int | None = None) -> Records:
        """Start n games at their first decision: a recarray (n,). Game k is the same for every n above k."""
        states = self.blank_states(n)
        states.rng[:] = seed_states(seed, n)
        for index in range(n):
            self.kernels.setup(states, index, self.rules)
        return states

    def new_state(self, seed: int | None = None) -> State:
        """Start one game; the same seed starts the same game as `BatchEnv`'s first one and the AEC environment's."""
        from cardzoo.envs.core.state import State

        return State(self, self.new_states(1, seed))

    def from_position(self, position: Mapping[str, Any]) -> State:
        """Make the state that a position describes (inverse of `State.to_position`).

        Raises:
            PositionError: the position is malformed, names the bad key; or breaks an invariant of the game.
        """
        from cardzoo.envs.core.state import State

        if not isinstance(position, Mapping):
            raise PositionError(f"a position is a mapping of keys to values, not {type(position).__name__}.")
        states = self.load_position(position)
        if not states.rng.any():
            states.rng[0] = seed_states(0, 1)[0]  # four zeros would be a generator that only gives zeros
        state = State(self, states)
        problems = state.problems()
        if problems:
            raise PositionError(f"this position cannot occur in {self.name}: {'; '.join(problems)}.")
        return state

    def observe(self, states: Records, index: int, seat: int) -> NDArray[np.float32]:
        """What `seat` may know of states[index]: float32 (D,)."""
        out = np.empty(self.observation_size, np.float32)
        self.kernels.observe(states, index, self.rules, seat, out)
        return out

    def action_mask(self, states: Records, index: int) -> NDArray[np.bool_]:
        """The legal actions of the actor of states[index]: bool (A,), all False when over."""
        out = np.empty(self.num_actions, np.bool_)
        self.kernels.legal(states, index, self.rules, out)
        return out

    def returns(self, states: Records, index: int) -> NDArray[np.float64]:
        """Each seat's return so far in states[index]: float64 (S,)."""
        out = np.empty(self.num_seats, np.float64)
        self.kernels.returns(states, index, self.rules, out)
        return out

    def describe_problems(self, bits: int) -> list[str]:
        """The sentences for the bits of the kernels `problems` and `changes`."""
        return [name for bit, name in enumerate(self.problem_names) if bits >> bit & 1]

    # Copies and comparison

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.cards.text, self.cards.source, self.options)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.cards == self.cards and other.options == self.options

    def __hash__(self) -> int:
        return hash((self.name, self.hash, repr(sorted(self.options.items()))))

    def __repr__(self) -> str:
        defaults = parse_options(self.options_model, {}, self.name).model_dump()
        changed = [f", {key}={value!r}" for key, value in self.options.items() if defaults.get(key) != value]
        return f"<{self.name}: {self.num_seats} seats, {len(self.cards)} card types{''.join(changed)}>"


def _restore(kind: type[Game], text: str, source: str, options: dict[str, Any]) -> Game:
    """Make a pickled game again: from its card file's content, wherever the file is now."""
    game = kind.__new__(kind)
    game._set_up(parse_cards(kind.card_file, text, source), options)
    return game
