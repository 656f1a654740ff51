"""Balance: how often each faction (a character, a side of the table) wins when one player plays all seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from cardzoo.agents.base import make_agent
from cardzoo.envs.core.errors import OptionError
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.standings import team_returns, win_shares
from cardzoo.training.arena import play_matches
from cardzoo.training.statistics import Rate, grouped_rate


class Faction(NamedTuple):
    """What was seen of one faction."""

    name: str
    games: int
    """Games in which some seat played it."""
    wins: Rate
    """Share of those games that its team won, with a 95 % interval; a shared win counts in parts."""


class Balance(NamedTuple):
    """The factions of a game, best first."""

    factions: tuple[Faction, ...]
    fair: float
    """The share of games that each would win if all were alike: 1 / teams."""
    games: int
    truncated: float
    """Share of the games that were cut off."""
    objective: str
    """What returns measure: the highest wins."""


def balance(
    game: Game,
    player: str,
    games: int,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Balance:
    """Let one player play all seats, and count what each faction wins.

    Args:
        game: what is played; its deals must give each seat a faction (`Game.factions`).
        player: see `make_agent`.
        games: how many, each on a deal of its own.
        seed: fixes everything.
        threads: changes no result.
        progress: called with the number of games that were finished since the last call.

    Raises:
        OptionError: the game has no factions, or its deals do not settle them.
    """
    deals = game.new_states(games, seed)
    names = game.factions(deals)
    if names is None:
        raise OptionError(f"{game.name}: with these options no seat has a faction when the game begins.")
    seating = np.zeros((games, game.num_seats), np.intp)
    agents = [make_agent(player, game, seed=seed)]
    records = play_matches(game, agents, seating, deals, seed=seed, threads=threads, progress=progress)
    teams = np.asarray(game.teams)
    shares = win_shares(team_returns(records.returns, game.teams))[:, teams]
    found = []
    for name in np.unique(names):
        played = names == name
        # Two seats with one faction, if a game allows it, are one observation: their results are not independent.
        rate = grouped_rate((shares * played).sum(axis=1), played.sum(axis=1).astype(np.float64))
        found.append(Faction(str(name), int(played.any(axis=1).sum()), rate))
    found.sort(key=lambda faction: -faction.wins.value)
    return Balance(tuple(found), 1 / len(np.unique(teams)), games, float(records.truncated.mean()), game.objective)


def table(result: Balance) -> str:
    """The result as text, a line for each faction."""
    width = max(len(faction.name) for faction in result.factions)
    lines = [
        f"{result.games:,} games, {100 * result.truncated:.1f} % cut off; a fair share is {100 * result.fair:.1f} %",
        f"returns: {result.objective}",
        f"{'':<{width}} {'games':>8} {'won':>8} {'95 % interval':>16}",
    ]
    for faction in result.factions:
        wins = faction.wins
        interval = f"{100 * wins.low:.1f} .. {100 * wins.high:.1f}"
        lines.append(f"{faction.name:<{width}} {faction.games:>8,} {100 * wins.value:>6.1f} % {interval:>16}")
    return "\n".join(lines)
