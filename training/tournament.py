"""Comparing players at tables of more than two seats, of one seat, or of teams, or where both of two seats may win.

Two kinds of games are played, each on the same deals for everybody:

- one against others: for each ordered pair (a, b), a once in the place of each team (without teams: on each seat), b in
  all others. With two teams (b, a) are the same games: left out, unless returns do not sum to 0 (`Game.zero_sum`), when
  they are the other side's.
- mixed: line-ups of all players, in which everybody plays every team once on each deal (see `lineups`). With one team
  everybody plays alone; with two and returns that do not sum to 0 the pairings taken together serve instead.

A win is the highest return of the game, shared equally by the teams that have it, so par is 1 / teams. That holds for
games that a cap ended too; they are counted as well. Places are the game's own (see `Game.places`). In a game of one
team neither says anything: players are compared by their returns, and by how often they reach the game's goal.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

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

KEPT = ("returns", "places", "reached", "capped", "openers", "forfeits")
"""What is kept of each game."""

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass
class Score:
    """How one player, or one seat whoever sat on it, fared in a number of games.

    Attributes:
        first: the player, or "seat 0".
        second: who played all other teams; empty if that were various players.
        games: teams' games that are counted: a player that plays two teams of a game counts twice.
        capped: how many of them a limit of the rules ended.
        forfeits: how many of them it forfeited.
        rate: share of the win; NaN in a game of one team, as is the mean place.
        fair: what `rate` is if all are equal.
        reached: share of the team's seats that reached the game's goal; None if it has none.
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
    reached: Rate | None
    mean_return: Mean
    mean_place: Mean
    places: list[float]


@dataclass
class Tournament:
    """The result of a comparison, and all that is needed to repeat it.

    Attributes:
        objective: what returns measure, see `Game.objective`.
        goal: what `Score.reached` counts, see `Game.goal`; "" for nothing.
        zero_sum: see `Game.zero_sum`.
        pairs: one `first` against `second` on all other teams.
        seats_kept: whether the first player of a pairing plays team 0 in all of them.
        mixed: each player among all; empty if only the first player's pairings were asked for, or they say it all.
        mixed_games: how many were played for that; 0 if `mixed` sums the pairings up.
        seats: each seat's advantage, over all games; empty in a game of one team.
        opening: how often the team won that made the first decision.
    """

    game: str
    options: dict[str, Any]
    objective: str
    goal: str
    zero_sum: bool
    card_hash: str
    seed: int
    teams: list[int]
    deals: int
    games_per_pair: int
    seats_kept: bool
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
    keep_seats: bool = False,
    store: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Tournament:
    """Play all pairings and the mixed line-ups; arguments as for `evaluate.evaluate`.

    `games` is for each pairing, and for all mixed line-ups together; both are rounded up to whole deals. In a game of
    one team it is for each player. `keep_seats`, with two teams, leaves out the mixed line-ups.
    """
    size = game.num_teams
    numbers = range(len(players))
    asked = itertools.combinations(numbers, 2) if size == 2 else itertools.permutations(numbers, 2)
    pairs = [pair for pair in asked if size > 1 and (not against_first or pair[0] == 0)]
    both_sides = size == 2 and not game.zero_sum
    deals = game.new_states(games if keep_seats else -(-games // min(size, len(players))), seed)
    pattern = one_against_others(size)[:1] if keep_seats else one_against_others(size)
    pair_deals = -(-games // len(pattern))
    tables = [_Games(game, np.tile(pattern, (pair_deals, 1, 1))) for _ in pairs]
    if not pairs or not (against_first or both_sides or keep_seats):
        mixed_deals = games if size == 1 else -(-games // len(players))
        tables.append(_Games(game, mixed_lineups(len(players), size, mixed_deals, seed)))
    mixed = tables[len(pairs) :]
    chunks = Chunks(store, {**identity(game, players, seed, games, keep_seats), "kept": list(KEPT)})
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
    sides: dict[tuple[int, int], _Part] = {}
    for pair, table in zip(pairs, tables, strict=False):
        sides[pair] = table.of_teams(table.lineups == 0)
        if both_sides:
            sides[pair[::-1]] = table.of_teams(table.lineups == 1)
    among: list[list[_Part]] = [[table.of_teams(table.lineups == k) for table in mixed] for k in numbers]
    if both_sides and len(pairs) > 1 and not against_first:
        among = [[part for (k, _), part in sides.items() if k == player] for player in numbers]
    return Tournament(
        game=game.name,
        options=json.loads(json.dumps(dict(game.options), default=str)),
        objective=game.objective,
        goal=game.goal,
        zero_sum=game.zero_sum,
        card_hash=game.hash,
        seed=seed,
        teams=list(game.teams),
        deals=max(len(table.lineups) for table in tables),
        games_per_pair=pair_deals * len(pattern) if pairs else 0,
        seats_kept=keep_seats,
        mixed_games=sum(table.lineups[..., 0].size for table in mixed),
        players=list(players),
        pairs=[_score(game, players[a].label, players[b].label, [part]) for (a, b), part in sides.items()],
        mixed=[_score(game, players[k].label, "", parts) for k, parts in enumerate(among) if parts],
        seats=[
            _score(game, f"seat {seat}", "", [table.of_seat(seat) for table in tables])
            for seat in range(game.num_seats)
            if size > 1
        ],
        opening=_opening(tables) if size > 1 else Rate(*[float("nan")] * 3),
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
        "reached": records.reached.astype(int).tolist(),
        "capped": records.truncated.astype(int).tolist(),
        "openers": records.first.tolist(),
        "forfeits": records.forfeits.tolist(),
        "decisions": int(records.decisions.sum()),
        "failures": count_reasons(records.reasons.values()),
    }


class _Part(NamedTuple):
    """Teams, or seats, of a table's games: x of each game, some of which are counted."""

    held: Bools
    """(deals, n, x): which are counted."""
    points: Floats
    """(deals, n, x): their shares of the win; likewise their returns, places, and shares of seats with the goal."""
    returns: Floats
    places: Floats
    reached: Floats
    shares: Floats
    """(deals, n, x, G): how much each has of each place."""
    capped: Bools
    """(deals, n, x): whether a limit ended the game; likewise whether it was forfeited."""
    forfeited: Bools


class _Games:
    """The games of one table: n line-ups (deals, n, G) on each deal, and how each went."""

    def __init__(self, game: Game, lineups: Lineups) -> None:
        games, seats = lineups.shape[:2], game.num_seats
        self.lineups = lineups
        self.teams = np.array(game.teams)
        self.returns = np.zeros((*games, seats))
        self.places = np.zeros((*games, seats))
        self.reached = np.zeros((*games, seats))
        self.capped = np.zeros(games, dtype=np.int64)
        self.openers = np.zeros(games, dtype=np.int64)
        self.forfeits = np.zeros(games, dtype=np.int64)
        self.decisions = 0
        self.failures: list[str] = []

    def put(self, start: int, chunk: dict[str, Any]) -> None:
        """Fill in a chunk made by `_play`."""
        for name in KEPT:
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

    def of_teams(self, held: Bools) -> _Part:
        """The teams, of which those are counted that are True in `held` (deals, n, G)."""
        forfeiter = np.where(self.forfeits < 0, -1, self.teams[self.forfeits])
        return _Part(
            held,
            self.points(),
            self.by_team(self.returns),
            self.by_team(self.places),
            self.by_team(self.reached),
            self.place_shares(),
            np.broadcast_to(self.capped[..., None] == 1, held.shape),
            forfeiter[..., None] == np.arange(held.shape[-1]),
        )

    def of_seat(self, seat: int) -> _Part:
        """One seat, whoever sat on it; the players are spread over the seats evenly."""
        own, team = slice(seat, seat + 1), int(self.teams[seat])
        teams = slice(team, team + 1)
        return _Part(
            np.ones((*self.lineups.shape[:2], 1), dtype=np.bool_),
            self.points()[..., teams],
            self.returns[..., own],
            self.places[..., own],
            self.reached[..., own],
            self.place_shares()[..., teams, :],
            self.capped[..., None] == 1,
            self.forfeits[..., None] == seat,
        )

    def opening(self) -> Floats:
        """Points of the team that made the first decision, (deals, n)."""
        return np.take_along_axis(self.points(), self.teams[self.openers][..., None], axis=2)[..., 0]


def _score(game: Game, first: str, second: str, parts: list[_Part]) -> Score:
    """Sum up; deal d is the same in all parts, and one group over all of them."""
    counts = _by_deal([part.held.sum(axis=(1, 2)).astype(float) for part in parts])

    def sums(name: str) -> Floats:
        return _by_deal([np.where(part.held, getattr(part, name), 0.0).sum(axis=(1, 2)) for part in parts])

    contested = counts if game.num_teams > 1 else np.zeros_like(counts)
    shares = sum(np.where(part.held[..., None], part.shares, 0.0).sum(axis=(0, 1, 2)) for part in parts) / counts.sum()
    return Score(
        first=first,
        second=second,
        games=int(counts.sum()),
        capped=int(sums("capped").sum()),
        forfeits=int(sums("forfeited").sum()),
        rate=grouped_rate(sums("points"), contested),
        fair=1 / len(shares),
        reached=grouped_rate(sums("reached"), counts) if game.goal else None,
        mean_return=grouped_mean(sums("returns"), counts),
        mean_place=grouped_mean(sums("places"), contested),
        places=[round(float(share), 6) for share in shares],
    )


def _opening(tables: list[_Games]) -> Rate:
    """How often the team won that made the first decision."""
    points = [table.opening() for table in tables]
    return grouped_rate(
        _by_deal([part.sum(axis=1) for part in points]),
        _by_deal([np.full(len(part), float(part.shape[1])) for part in points]),
    )


def _by_deal(parts: Sequence[Floats]) -> Floats:
    """Add up arrays (deals,) of several tables, some of which have fewer deals than others."""
    deals = max(map(len, parts))
    return np.asarray(np.sum([np.pad(part, (0, deals - len(part))) for part in parts], axis=0))
