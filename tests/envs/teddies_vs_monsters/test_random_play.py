"""Figures of random play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from cardzoo.envs import BatchEnv, load
from tests.support.players import error_of
from tests.support.teddies_model import LAST_DEAL, TEAMS

MEASURED: dict[str, tuple[dict[str, Any], int, dict[str, float], dict[str, float]]] = {
    # options; games of another implementation of the same rules; its means, and its shares of games and of deals
    "two seats": ({}, 2000, {"decisions": 1157, "rounds": 4.12, "ticks": 976}, {"teddies": 0.509, "stalled": 0.034}),
    "four seats": (
        {"seats": 4},
        2000,
        {"decisions": 1736, "rounds": 4.13, "ticks": 676},
        {"teddies": 0.51, "stalled": 0.134},
    ),
    "level 1": (
        {"levels": [1]},
        400,
        {"decisions": 749, "rounds": 4.15, "ticks": 657},
        {"teddies": 0.47, "stalled": 0.001},
    ),
    "level 3": (
        {"levels": [3]},
        400,
        {"decisions": 1655, "rounds": 4.14, "ticks": 1257},
        {"teddies": 0.45, "stalled": 0.138},
    ),
}
DEALS = 4.2  # of a game, about
USES = {"plain": (16.5, 16.5), "any": (12.7, 12.7), "character": (1.5, 3.0), "bomb": (7.4, 7.4), "trap": (4.2, 4.3)}
"""How often a type of a kind landed in a game of two seats, all copies of both teams: lowest and highest."""


@dataclass
class Games:
    """Random games at their ends: the records, decisions of each, and how often each seat chose each action."""

    states: Any
    decisions: np.ndarray
    actions: np.ndarray  # (games, teams, actions)


def play_games(games: int, **options: Any) -> Games:
    """Random games to their ends."""
    game = load("teddies_vs_monsters", **options)
    batch = BatchEnv(game, games, seed=1, sample=True, autoreset=False)
    step = batch.reset()
    decisions, chosen = np.zeros(games), np.zeros((games, len(TEAMS), game.num_actions), np.int32)
    live = np.ones(games, np.bool_)
    while live.any():
        at, actions = np.flatnonzero(live), np.where(live, step.sampled, -1)
        decisions += live
        chosen[at, step.actor[at] % 2, actions[at]] += 1
        step = batch.step(actions)
        live &= ~step.done
    return Games(batch.states.copy(), decisions, chosen)


@pytest.mark.parametrize("name", MEASURED)
@pytest.mark.parametrize("games", [200, pytest.param(10_000, marks=pytest.mark.long)])
def test_figures_of_random_play(name: str, games: int) -> None:
    """Games are as long and as even as an independent simulation found: within four standard errors.

    The clock of a deal is seen at the end of the game, so games of one ordinary deal give those of ordinary deals, and
    games that go on to a sudden death those of the others.
    """
    options, measured, means, shares = MEASURED[name]
    found = play_games(games, **options)
    one = play_games(games, **options, **LAST_DEAL).states
    more = play_games(games, **options, **{**LAST_DEAL, "max_sudden": 9}).states
    ticks = np.concatenate([one.tick, more.tick[more.sudden > 0]])
    samples = {"decisions": found.decisions, "rounds": found.states.round_no, "ticks": ticks}
    for key, mean in means.items():
        others = measured * (DEALS if key == "ticks" else 1)
        spread = samples[key].std() * np.sqrt(1 / len(samples[key]) + 1 / others)
        rounding = 0.5 * 10.0 ** -len(str(mean).partition(".")[2])
        assert abs(samples[key].mean() - mean) < 4 * spread + rounding, key
    share = float((found.states.keys[:, 0] == 3).mean())
    assert abs(share - shares["teddies"]) < 4 * error_of(shares["teddies"], games, measured)
    assert (found.states.keys.max(axis=1) == 3).all()
    assert not found.states.truncated.any()
    stalled = one[one.truncated > 0]  # nobody took the key: with an odd number of rooms only a stop can do that
    error = error_of(shares["stalled"], games, int(measured * DEALS))
    assert abs(len(stalled) / games - shares["stalled"]) < 4 * error + 0.0005
    assert one.tick.max() < 3000
    for zone in (stalled.hand_n, stalled.sleeve_n, stalled.deck_n):
        assert not zone.any()


@pytest.mark.parametrize("games", [200, pytest.param(10_000, marks=pytest.mark.long)])
def test_every_card_is_played_as_often_as_an_independent_simulation_found(games: int) -> None:
    """Acts begun are a few more than those that land in time: up to 5 %. The teams' cards are alike."""
    found = play_games(games)
    file: Any = load("teddies_vs_monsters").cards.file
    own = [card for card in file.types if card.team == "teddies"]
    played = found.actions[:, :, : len(own)]
    for number, card in enumerate(own):
        low, high = USES["any" if card.symbols == ("any",) else card.kind if card.kind in USES else "plain"]
        uses = played[:, :, number].sum(axis=1)
        spread = 4 * uses.std() / np.sqrt(games)
        assert low - 0.05 - spread < uses.mean() < 1.05 * high + 0.05 + spread, card.id
        difference = played[:, 0, number] - played[:, 1, number]
        assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(games), card.id
