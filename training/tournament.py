"""Comparing players at tables of more than two seats, of one seat, or of teams.

Two kinds of games are played, each on the same deals for everybody:

- one against others: for each ordered pair (a, b), a once in the place of each team (without teams: on each seat), b in
  all others. With two teams that is the same question for (b, a), which is then left out.
- mixed: line-ups of all players, in which everybody plays every team once on each deal (see `lineups`).

A win is the highest return of the game, shared equally by the teams that have it, so par is 1 / teams. That holds for
games that a cap ended too; they are counted as well. Places are the game's own (see `Game.places`).
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardzoo.agents.base import Agent
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.records import Records
from cardzoo.envs.core.standings import team_returns, win_shares
from cardzoo.training.arena import FORFEIT_RULE, play_matches
from cardzoo.training.chunks import Chunks, count_reasons, identity
from cardzoo.training.files import versions
from cardzoo.training.lineups import Lineups, mixed_lineups, one_against_others, seated
from cardzoo.training.players import Player
from cardzoo.training.report import plain
from cardzoo.training.statistics import Mean, Rate, grouped_mean, grouped_rate

CHUNK_DEALS = 512
CHUNK_GAMES = 512  # played at once; fixed, so that results do not depend on threads

Floats = npt.NDArray[np.float64]


@dataclass
class Score:
    """How one player, or one seat whoever sat on it, fared in a number of games.

    Attributes:
        first: the player, or "seat 0".
        second: who played all other teams; empty if that were various players.
        games: teams' games that are counted: a player that plays two teams of a game counts twice.
        capped: how many of them a limit of the rules ended.
        forfeits: how many of them it forfeited.
        rate: share of the win.
        fair: what `rate` is if all are equal.
        mean_return: the team's, which is the mean over its seats.
        mean_place: 1 is the best.
        places: share of games in each place, from the first on; who ties shares the places.
    """

    first: str
    second: str
    games: int
    capped: int
    forfeits: int
    rate: Rate
    fair: float
    mean_return: Mean
    mean_place: Mean
    places: list[float]


@dataclass
class Tournament:
    """The result of a comparison, and all that is needed to repeat it.

    Attributes:
        pairs: one `first` against `second` on all other teams.
        mixed: each player among all; empty if only the first player's pairings were asked for.
        seats: each seat's advantage, over all games.
        opening: how often the team won that made the first decision.
    """

    game: str
    options: dict[str, Any]
    card_hash: str
    seed: int
    teams: list[int]
    deals: int
    games_per_pair: int
    mixed_games: int
    players: list[Player]
    pairs: list[Score]
    mixed: list[Score]
    seats: list[Score]
    opening: Rate
    decisions: int
    failures: list[str] = field(default_factory=list)
    forfeit_rule: str = FORFEIT_RULE
    versions: dict[str, str] = field(default_factory=versions)

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON-able values; rates are {"value", "low", "high"}, null where nothing was counted."""
        return dict(plain(asdict(self)))


def tournament(
    game: Game,
    players: Sequence[Player],
    agents: Sequence[Agent],
    games: int,
    *,
    seed: int = 0,
    threads: int = 1,
    against_first: bool = False,
    store: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Tournament:
    """Play all pairings and the mixed line-ups; arguments as for `evaluate.evaluate`.

    `games` is for each pairing, and for all mixed line-ups together; both are rounded up to whole deals.
    """
    size = game.num_teams
    numbers = range(len(players))
    asked = itertools.combinations(numbers, 2) if size == 2 else itertools.permutations(numbers, 2)
    pairs = [pair for pair in asked if size > 1 and (not against_first or pair[0] == 0)]
    deals = game.new_states(-(-games // min(size, len(players))), seed)
    pair_deals = -(-games // size)
    tables = [_Games(game, np.tile(one_against_others(size), (pair_deals, 1, 1))) for _ in pairs]
    if not pairs or not against_first:
        tables.append(_Games(game, mixed_lineups(len(players), size, -(-games // len(players)), seed)))
    mixed = tables[len(pairs) :]
    chunks = Chunks(store, identity(game, players, seed, games))
    total = sum(table.lineups[..., 0].size for table in tables)
    finished = 0
    failures: list[str] = []
    for number, table in enumerate(tables):
        is_pair = number < len(pairs)
        chosen = list(pairs[number]) if is_pair else list(numbers)
        for start in range(0, len(table.lineups), CHUNK_DEALS):
            stop = min(start + CHUNK_DEALS, len(table.lineups))
            part = chunks.get(number, start)
            if part is None:
                own_seed = int(np.random.SeedSequence([seed, number, start]).generate_state(1)[0])
                part = _play(
                    game, [agents[k] for k in chosen], table.lineups[start:stop], deals[start:stop], own_seed, threads
                )
                chunks.put(number, start, part)
            table.put(start, part)
            finished += table.lineups[start:stop, :, 0].size
            if progress:
                progress(finished, total)
        labels = [players[k].label for k in chosen]
        where = f"one {labels[0]} against {labels[1]}" if is_pair else "mixed"
        failures += [f"{where}: {text}" for text in table.failures]
    return Tournament(
        game=game.name,
        options=json.loads(json.dumps(dict(game.options), default=str)),
        card_hash=game.hash,
        seed=seed,
        teams=list(game.teams),
        deals=max(len(table.lineups) for table in tables),
        games_per_pair=pair_deals * size if pairs else 0,
        mixed_games=sum(table.lineups[..., 0].size for table in mixed),
        players=list(players),
        pairs=[
            table.score(players[a].label, players[b].label, table.lineups == 0)
            for (a, b), table in zip(pairs, tables, strict=False)
        ],
        mixed=[
            table.score(player.label, "", table.lineups == k) for table in mixed for k, player in enumerate(players)
        ],
        seats=[_seat_score(tables, seat) for seat in range(game.num_seats)],
        opening=grouped_rate(*_by_deal([table.opening() for table in tables])),
        decisions=sum(table.decisions for table in tables),
        failures=failures,
    )


def _play(
    game: Game, agents: Sequence[Agent], lineups: Lineups, deals: Records, seed: int, threads: int
) -> dict[str, Any]:
    """Play a chunk of deals in their line-ups (deals, n, G); JSON-able, one entry a game, a deal's side by side."""
    seating = seated(lineups, game.teams).reshape(-1, game.num_seats)
    records = play_matches(
        game, agents, seating, np.repeat(deals, lineups.shape[1]), seed=seed, chunk=CHUNK_GAMES, threads=threads
    )
    return {
        "returns": records.returns.tolist(),
        "places": records.places.tolist(),
        "capped": records.truncated.astype(int).tolist(),
        "openers": records.first.tolist(),
        "forfeits": records.forfeits.tolist(),
        "decisions": int(records.decisions.sum()),
        "failures": count_reasons(records.reasons.values()),
    }


class _Games:
    """The games of one table: n line-ups (deals, n, G) on each deal, and how each went."""

    def __init__(self, game: Game, lineups: Lineups) -> None:
        games, seats = lineups.shape[:2], game.num_seats
        self.lineups = lineups
        self.teams = np.array(game.teams)
        self.returns = np.zeros((*games, seats))
        self.places = np.zeros((*games, seats))
        self.capped = np.zeros(games, dtype=np.int64)
        self.openers = np.zeros(games, dtype=np.int64)
        self.forfeits = np.zeros(games, dtype=np.int64)
        self.decisions = 0
        self.failures: list[str] = []

    def put(self, start: int, chunk: dict[str, Any]) -> None:
        """Fill in a chunk made by `_play`."""
        for name in ("returns", "places", "capped", "openers", "forfeits"):
            target = getattr(self, name)
            values = np.array(chunk[name])
            deals = len(values) // target.shape[1]
            target[start : start + deals] = values.reshape(deals, *target.shape[1:])
        self.decisions += chunk["decisions"]
        self.failures += chunk["failures"]

    def by_team(self, values: Floats) -> Floats:
        """The mean over each team's seats: (deals, n, G) of (deals, n, S)."""
        flat = team_returns(values.reshape(-1, values.shape[-1]), self.teams.tolist())
        return flat.reshape(*values.shape[:2], -1)

    def points(self) -> Floats:
        """Each team's share of the win, (deals, n, G)."""
        values = self.by_team(self.returns)
        return win_shares(values.reshape(-1, values.shape[-1])).reshape(values.shape)

    def place_shares(self) -> Floats:
        """How much each team has of each place, (deals, n, G, G): who ties shares the places."""
        places = self.by_team(self.places)
        ties = (places[..., :, None] == places[..., None, :]).sum(axis=-1)
        numbers = np.arange(1, places.shape[-1] + 1)
        inside = np.abs(numbers - places[..., None]) <= (ties[..., None] - 1) / 2 + 1e-9
        shares: Floats = inside / np.maximum(1, inside.sum(axis=-1, keepdims=True))
        return shares

    def score(self, first: str, second: str, held: npt.NDArray[np.bool_]) -> Score:
        """Sum up the games of the teams that are True in `held` (deals, n, G)."""
        forfeiter = np.where(self.forfeits < 0, -1, self.teams[self.forfeits])
        return _score(
            first,
            second,
            [(self.points(), self.by_team(self.returns), self.by_team(self.places), self.place_shares(), held)],
            capped=int((held & (self.capped[..., None] == 1)).sum()),
            forfeits=int((held & (forfeiter[..., None] == np.arange(held.shape[-1]))).sum()),
        )

    def opening(self) -> tuple[Floats, Floats]:
        """Points of the team that made the first decision, and games, by deal."""
        points = np.take_along_axis(self.points(), self.teams[self.openers][..., None], axis=2)[..., 0]
        return points.sum(axis=1), np.full(len(points), float(points.shape[1]))


Parts = tuple[Floats, Floats, Floats, Floats, npt.NDArray[np.bool_]]
"""Points, returns, places (deals, n, x), shares of places (deals, n, x, G), and which of x are counted."""


def _score(first: str, second: str, parts: list[Parts], capped: int, forfeits: int) -> Score:
    """Sum up; deal d is the same in all parts, and one group over all of them."""
    counts = _by_deal([(held.sum(axis=(1, 2)).astype(float),) for *_, held in parts])[0]
    points, returned, places = (
        _by_deal([(np.where(part[4], part[k], 0.0).sum(axis=(1, 2)),) for part in parts])[0] for k in range(3)
    )
    shares = sum(np.where(part[4][..., None], part[3], 0.0).sum(axis=(0, 1, 2)) for part in parts) / counts.sum()
    return Score(
        first=first,
        second=second,
        games=int(counts.sum()),
        capped=capped,
        forfeits=forfeits,
        rate=grouped_rate(points, counts),
        fair=1 / len(shares),
        mean_return=grouped_mean(returned, counts),
        mean_place=grouped_mean(places, counts),
        places=[round(float(share), 6) for share in shares],
    )


def _seat_score(tables: list[_Games], seat: int) -> Score:
    """How a seat fared over all games, whoever sat on it; the players are spread over the seats evenly."""
    parts: list[Parts] = []
    for table in tables:
        team = int(table.teams[seat])
        own = slice(seat, seat + 1)
        everywhere = np.ones((*table.lineups.shape[:2], 1), dtype=np.bool_)
        points, shares = table.points()[..., team : team + 1], table.place_shares()[..., team : team + 1, :]
        parts.append((points, table.returns[..., own], table.places[..., own], shares, everywhere))
    capped = sum(int(table.capped.sum()) for table in tables)
    forfeits = sum(int((table.forfeits == seat).sum()) for table in tables)
    return _score(f"seat {seat}", "", parts, capped, forfeits)


def _by_deal(parts: Sequence[tuple[Floats, ...]]) -> tuple[Floats, ...]:
    """Add up arrays (deals,) of several tables, some of which have fewer deals than others."""
    deals = max(len(part[0]) for part in parts)
    return tuple(
        np.sum([np.pad(part[k], (0, deals - len(part[k]))) for part in parts], axis=0) for k in range(len(parts[0]))
    )
