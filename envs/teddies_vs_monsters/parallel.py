"""PettingZoo's parallel environment of Teddies vs Monsters: all seats that are idle choose in one step.

That is sensible here because none of them sees what the others choose; a conversion of the AEC environment would not
do, because time decides who acts next. A step takes an action of every seat, and those of busy seats, whose only legal
action is to wait, are not looked at. A busy seat keeps the observation of its last decision: a fresh one would show the
tick, and so tell it that another seat's unseen act has landed.

Acts begin in the order of the seats, as in the AEC environment, so that both play the same game for the same choices.
Therefore a seat that owes a target is asked for it alone, while the choices of later seats are kept; and with
`open_team`, where partners see each other's acts, the later one is asked after the other.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from cardzoo.envs.core.aec import Observation, TableEnv
from cardzoo.envs.core.errors import IllegalAction
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.state import State, refusal
from cardzoo.envs.teddies_vs_monsters.legal import partner_of
from cardzoo.envs.teddies_vs_monsters.state import IDLE, NO_CARD, TEAMS

Infos = dict[str, dict[str, Any]]


class ParallelTable(ParallelEnv[str, Observation, int]):
    """The game as a PettingZoo ParallelEnv; observations are those of the AEC environment.

    Seats stay to the end, where all terminate together, or are truncated after the last round.
    """

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        """Make the environment; `reset` starts a game.

        Args:
            game: Teddies vs Monsters.
            render_mode: "human", "ansi" or None, as of `TableEnv`.

        Raises:
            OptionError: another render mode.
        """
        self.game = game
        self.render_mode = render_mode
        self.possible_agents = list(game.agents)
        self.agents: list[str] = []
        self._table = TableEnv(game, render_mode)
        self.metadata = {**self._table.metadata, "is_parallelizable": True}
        self.observation_spaces = self._table.observation_spaces
        self.action_spaces = self._table.action_spaces
        self._wait = np.zeros(game.num_actions, np.int8)
        self._wait[game.parse("wait")] = 1
        self._asked: dict[int, NDArray[np.bool_]] = {}  # the masks of the seats that choose, in seat order
        self._kept: dict[int, int] = {}  # choices of this tick that have not been carried out
        self._shown: dict[str, Observation] = {}

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """Start a new game; arguments as of `TableEnv.reset`. Returns observations and empty infos by agent."""
        self._table.reset(seed, options)
        self.agents = list(self.possible_agents)
        self._kept = {}
        table = self._table.table
        self._shown = {
            agent: {"observation": table.observe(seat), "action_mask": self._wait}
            for seat, agent in enumerate(self.agents)
        }
        self._ask(table)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Begin the acts of the seats that are asked, and run the clock on to the next decision.

        Args:
            actions: an action of every seat that is asked, by agent; of others it is not looked at.

        Returns:
            Observations, rewards of this step, terminations, truncations and infos (see `TableEnv`), all by agent.

        Raises:
            IllegalAction: an action is missing or not legal, or no game is on. Nothing was changed.
        """
        if not self.agents:
            raise IllegalAction("no game is on; call reset() first.")
        self._kept |= {seat: self._checked(seat, actions) for seat in self._asked}
        agents, table = self.agents, self._table
        rewards = dict.fromkeys(agents, 0.0)
        while self._kept and (seat := table.table.actor) in self._kept:
            table.step(self._kept.pop(seat))
            for agent, reward in table.rewards.items():
                rewards[agent] += reward
        terminations, truncations = dict(table.terminations), dict(table.truncations)
        state = table.table
        if state.is_over:
            self.agents, self._asked = [], {}
            blank = np.zeros(self.game.num_actions, np.int8)
            self._shown = {
                agent: {"observation": state.observe(seat), "action_mask": blank} for seat, agent in enumerate(agents)
            }
        else:
            self._ask(state)
        return self._observations(), rewards, terminations, truncations, dict(table.infos)

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """The same object each time: Dict of the observation's and the mask's boxes."""
        return self._table.observation_space(agent)

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """The same object each time: Discrete(A)."""
        return self._table.action_space(agent)

    def render(self) -> str | None:  # type: ignore[override]  # PettingZoo's own hint leaves texts as they are meant out
        """The whole table, all hands open; see `TableEnv.render`."""
        return self._table.render()

    def close(self) -> None:
        """Nothing to release."""

    def _ask(self, table: State) -> None:
        """Work out who chooses next, and show those seats the table."""
        before = self._asked
        first = table.actor
        assert first is not None
        self._asked = {first: table.action_mask()}
        record = table.states[0]
        if int(record.picked) == NO_CARD and not self._kept:
            for seat in range(first + 1, self.game.num_seats):
                if int(record.p_kind[seat]) == IDLE and not self._after_partner(seat):
                    mask = mask_of(table, seat)
                    if np.count_nonzero(mask) > 1:  # a seat with one answer waits unasked
                        self._asked[seat] = mask
        for seat in before:
            agent = self.possible_agents[seat]
            self._shown[agent] = {**self._shown[agent], "action_mask": self._wait}
        for seat, mask in self._asked.items():
            self._shown[self.possible_agents[seat]] = {
                "observation": table.observe(seat),
                "action_mask": mask.astype(np.int8),
            }

    def _after_partner(self, seat: int) -> bool:
        """Whether a seat is asked after its partner, whose act it may see."""
        return (
            self.game.num_seats > TEAMS
            and int(self.game.rules[0].open_team) == 1
            and int(partner_of(seat)) in self._asked
        )

    def _checked(self, seat: int, actions: dict[str, int]) -> int:
        """The action of a seat that is asked."""
        agent, mask = self.possible_agents[seat], self._asked[seat]
        if agent not in actions:
            raise IllegalAction(f"{agent} has to choose an action, and there is none for it.")
        number = self.game.action_number(actions[agent])
        if not mask[number]:
            raise IllegalAction(refusal(self.game, number, mask, seat, agent))
        return number

    def _observations(self) -> dict[str, Observation]:
        """What each agent sees, as new arrays."""
        return {agent: {name: values.copy() for name, values in shown.items()} for agent, shown in self._shown.items()}


def mask_of(table: State, seat: int) -> NDArray[np.bool_]:
    """The legal actions of an idle seat, bool (A,), as if it were asked now."""
    world = table.copy()
    world.states[0].actor = seat
    return world.action_mask()
