"""The player at the terminal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from cardzoo.agents.base import Agent, Decisions
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.random import seed_states
from cardzoo.envs.core.state import State

HELP = "a number plays that move; ? explains the moves, ? NUMBER one of them; t shows the table again; q leaves"


class PlayerLeft(Exception):
    """The human chose to leave; the game was not finished."""


class HumanAgent(Agent):
    """Shows the table as the acting seat may see it, lists the legal moves, and asks.

    The table is drawn from a sampled world (see `Decisions.worlds`), never from the true state, so nothing that is
    hidden from this seat can reach the screen.
    """

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        ask: Callable[[str], str] = input,
        tell: Callable[[str], None] = print,
    ) -> None:
        """Make the player.

        Args:
            game: what is played.
            seed: start of the stream that worlds are drawn with.
            ask: shows a prompt and returns what was typed; EOFError counts as leaving.
            tell: shows a text.
        """
        super().__init__(game, "human")
        self._ask = ask
        self._tell = tell
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start the stream of worlds anew."""
        self._rng = seed_states(seed, 1)[0]

    def act(self, decisions: Decisions) -> npt.NDArray[np.int64]:
        """Ask for one action after another.

        Raises:
            PlayerLeft: on `q` or at the end of the input.
        """
        worlds = decisions.worlds(self._rng)
        choices = np.empty(len(decisions), dtype=np.int64)
        for row in range(len(decisions)):
            seat = int(decisions.seats[row])
            table = State(self.game, worlds[row : row + 1]).render(seat)
            choices[row] = self._choose(table, [int(a) for a in np.flatnonzero(decisions.masks[row])], seat)
        return choices

    def _choose(self, table: str, legal: list[int], seat: int) -> int:
        texts = [self.game.text(action, seat) for action in legal]
        listing = "\n".join(f"{number:>4}  {text}" for number, text in enumerate(texts, start=1))
        self._tell(f"\n{table}\n\n{listing}")
        while True:
            try:
                typed = self._ask("your move (? for help, q to leave): ").strip().lower()
            except EOFError:
                raise PlayerLeft("the input ended") from None
            if typed == "q":
                raise PlayerLeft("the player left")
            if typed == "t":
                self._tell(f"\n{table}\n\n{listing}")
            elif typed == "?":
                self._tell("\n".join(f"{n:>4}  {self._explain(text, seat)}" for n, text in enumerate(texts, start=1)))
                self._tell(HELP)
            elif typed.startswith("?"):
                index = self._find(typed[1:].strip(), texts)
                if index is not None:
                    self._tell(self._explain(texts[index], seat))
            elif typed:
                index = self._find(typed, texts)
                if index is not None:
                    return legal[index]

    def _explain(self, text: str, seat: int) -> str:
        """Return a move's text and explanation; some games' explanations begin with the text themselves."""
        explanation = self.game.explain(text, seat)
        return explanation if explanation.startswith(text) else f"{text}: {explanation}"

    def _find(self, typed: str, texts: list[str]) -> int | None:
        """Return which move was meant, by number or by its text; says so and returns None if it is none of them."""
        if typed.isdecimal() and 1 <= int(typed) <= len(texts):
            return int(typed) - 1
        if typed in texts:
            return texts.index(typed)
        self._tell(f"{typed!r} is not a move here: type a number from 1 to {len(texts)}, or ? for help")
        return None
