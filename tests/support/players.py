"""Ask players what they do: in a position, all through a game, or in a match."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from cardzoo.agents import Agent, Decisions, make_agent
from cardzoo.envs import State, load
from cardzoo.envs.core.game import Game
from cardzoo.training.arena import play_matches


def decisions_of(states: Sequence[State]) -> Decisions:
    """Make the decisions of states of one game, none of them over."""
    game = states[0].game
    records: np.recarray[Any, Any] = np.concatenate([state.states for state in states]).view(np.recarray)
    seats = records.actor.copy()
    observations = np.stack([state.observe(int(seat)) for state, seat in zip(states, seats, strict=True)])
    masks = np.stack([state.action_mask() for state in states])
    return Decisions.of_batch(game, records, seats, observations, masks)


def answer(agent: Agent, state: State) -> str:
    """What a player does, as text; checked to be legal."""
    text = state.game.text(int(agent.act(decisions_of([state]))[0]), state.actor)
    assert text in state.legal_texts()
    return text


# --- rules of a strategy, each as a position and the choice it demands (choices.yaml)


class Choices:
    """The cases of a file: mappings of `rule`, `players`, `position`, `answer`, and if need be `options`, `moves`."""

    def __init__(self, game_name: str, path: Path) -> None:
        self.game_name = game_name
        self.cases: list[dict[str, Any]] = yaml.safe_load(path.read_text())

    def parameters(self) -> list[Any]:
        """(player, case) for pytest, one for each player of each case."""
        return [
            pytest.param(player, case, id=f"{player}-{case['rule']}")
            for case in self.cases
            for player in case["players"]
        ]

    def state(self, case: dict[str, Any]) -> State:
        """The position of a case after its moves."""
        state = game_with(self.game_name, json.dumps(case.get("options", {}))).from_position(case["position"])
        for move in case.get("moves", ()):
            state.apply(move)
        return state

    def check(self, player: str, case: dict[str, Any]) -> None:
        """The player chooses what the case demands."""
        state = self.state(case)
        assert answer(make_agent(player, state.game), state) == case["answer"]

    def phases(self) -> set[tuple[str, str]]:
        """(player, phase) of all cases."""
        return {(player, self.state(case).to_position()["phase"]) for case in self.cases for player in case["players"]}


@cache
def game_with(name: str, options: str) -> Game:
    """The game with some options, given as JSON."""
    return load(name, **json.loads(options))


# --- games


def played_states(game: Game, players: Sequence[str], seed: int) -> list[State]:
    """Every decision of one game between players, one for each seat."""
    agents = [make_agent(player, game, seed=seed + 1) for player in players]
    state = game.new_state(seed)
    states = []
    while not state.is_over:
        states.append(state.copy())
        state.apply(answer(agents[state.actor or 0], state))
    return states


def wins(game: Game, first: str, second: str, games: int, seed: int = 0) -> float:
    """Share of games with two seats that the first player wins; every deal is played with both seatings."""
    number = np.arange(games)
    seating = np.array([[0, 1], [1, 0]])[number % 2]
    deals = game.new_states((games + 1) // 2, seed=seed)[number // 2]
    agents = [make_agent(first, game), make_agent(second, game)]
    records = play_matches(game, agents, seating, deals, seed=seed, threads=2)
    assert not records.reasons
    return float((records.returns[number, number % 2] > 0).mean())


def error_of(share: float, games: int, measured: int = 500) -> float:
    """Standard error of the difference between a share of `games` games and one that was measured over others."""
    return float(np.sqrt(max(share * (1 - share), 0.002) * (1 / measured + 1 / games)))
