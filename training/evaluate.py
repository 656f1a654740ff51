"""Comparing players on paired deals, with intervals.

A round robin for two seats one of which wins what the other loses; a `tournament` for all other games.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardzoo.agents.base import Agent, make_agent
from cardzoo.agents.files import write_atomically
from cardzoo.envs.core.errors import ConfigError
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.records import Records
from cardzoo.training.arena import FORFEIT_RULE, MatchRecords, play_matches
from cardzoo.training.chunks import Chunks, count_reasons, identity
from cardzoo.training.files import versions, write_json
from cardzoo.training.players import Player
from cardzoo.training.report import percent, plain, short, tournament_csv, tournament_table
from cardzoo.training.statistics import Rate, grouped_rate
from cardzoo.training.tournament import Tournament, tournament

CHUNK_DEALS = 1024
CHUNK_GAMES = 512  # played at once; fixed, so that results do not depend on threads
WIN, DRAW, LOSS, CAPPED = 1, 0, -1, 2
"""Result codes of one game, from the first player's side."""
SEATINGS = np.array([[0, 1], [1, 0]], dtype=np.intp)
"""How two players sit, one row for each way."""


@dataclass
class PairResult:
    """One pairing, from the side of `first`.

    Wins, losses, draws and capped games add up to `games`. Capped games (stopped by a limit of the rules) are left
    out of the rate; a draw counts half. A forfeited game is a loss of the player that forfeited it.
    """

    first: str
    second: str
    games: int
    wins: int
    losses: int
    draws: int
    capped: int
    forfeits: tuple[int, int]
    rate: Rate
    opening: Rate
    seat_0: Rate


@dataclass
class Standing:
    """One player's games against all others together."""

    label: str
    games: int
    wins: int
    losses: int
    draws: int
    capped: int
    rate: Rate


@dataclass
class Evaluation:
    """The result of a comparison, and all that is needed to repeat it."""

    game: str
    options: dict[str, Any]
    objective: str
    card_hash: str
    seed: int
    deals: int
    games_per_pair: int
    seats_kept: bool
    players: list[Player]
    standings: list[Standing]
    pairs: list[PairResult]
    opening: Rate
    seat_0: Rate
    decisions: int
    failures: list[str] = field(default_factory=list)
    forfeit_rule: str = FORFEIT_RULE
    versions: dict[str, str] = field(default_factory=versions)

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON-able values; rates are {"value", "low", "high"}, null where nothing was counted."""
        return dict(plain(asdict(self)))


def evaluate(
    game: Game,
    players: Sequence[Player],
    games: int,
    *,
    seed: int = 0,
    threads: int = 1,
    agents: Sequence[Agent] | None = None,
    against_first: bool = False,
    keep_seats: bool = False,
    store: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation | Tournament:
    """Play everybody against everybody on the same deals.

    Two seats against each other, whose returns sum to 0, give an `Evaluation`, all other games a `Tournament`.

    Args:
        game: what is played.
        players: at least two at a table of two, at least one otherwise.
        games: games per pairing (in a tournament also of all mixed line-ups together, and with one seat per player);
            rounded up to whole deals, each of which is played once for every seating.
        seed: fixes deals and players' random streams; one seed gives one result.
        threads: chunks of games played at the same time; changes nothing in the result.
        agents: the players themselves, if they are not to be made from their specs.
        against_first: play only the pairings of the first player.
        keep_seats: the first player of a pairing always plays team 0 (without teams: seat 0), so that options by seat
            are handicaps of players; only with two teams whose returns sum to 0.
        store: file that finished chunks are added to; if it exists already and belongs to the same comparison, only
            the missing chunks are played. Deleted by nobody but the caller.
        progress: called with (games finished, games in all).

    Raises:
        AgentError, ModelError: a player cannot be made.
        ConfigError: too few players or games, `keep_seats` in another game, or `store` belongs to another comparison.
    """
    for_two = game.num_seats == game.num_teams == 2 and game.zero_sum
    if len(players) < (2 if for_two else 1):
        raise ConfigError(
            f"a comparison needs at least {'two players' if for_two else 'one player'}, "
            f"got {', '.join(p.label for p in players) or 'none'}"
        )
    if games < 1:
        raise ConfigError(f"games per pairing must be at least 1, not {games}")
    if keep_seats and not (game.num_teams == 2 and game.zero_sum):
        raise ConfigError("seats can be kept only in games of two seats or two teams whose returns sum to 0")
    if agents is None:
        agents = [make_agent(player.spec, game, seed=seed) for player in players]
    if not for_two:
        return tournament(
            game,
            players,
            agents,
            games,
            seed=seed,
            threads=threads,
            against_first=against_first,
            keep_seats=keep_seats,
            store=store,
            progress=progress,
        )
    pattern = SEATINGS[:1] if keep_seats else SEATINGS
    deals_count = -(-games // len(pattern))
    deals = game.new_states(deals_count, seed)
    pairs = [pair for pair in itertools.combinations(range(len(players)), 2) if not against_first or pair[0] == 0]
    per_pair = deals_count * len(pattern)
    chunks = Chunks(store, identity(game, players, seed, per_pair, keep_seats))
    finished = 0
    results: list[PairResult] = []
    tables: list[_PairTable] = []
    failures: list[str] = []
    for number, (a, b) in enumerate(pairs):
        table = _PairTable(deals_count, pattern)
        for start in range(0, deals_count, CHUNK_DEALS):
            stop = min(start + CHUNK_DEALS, deals_count)
            cached = chunks.get(number, start)
            if cached is None:
                cached = _play(game, [agents[a], agents[b]], pattern, deals[start:stop], (seed, number, start), threads)
                chunks.put(number, start, cached)
            table.put(start, cached)
            finished += (stop - start) * len(pattern)
            if progress:
                progress(finished, per_pair * len(pairs))
        tables.append(table)
        failures += [f"{players[a].label} - {players[b].label}: {text}" for text in table.failures]
        results.append(table.result(players[a].label, players[b].label))
    return Evaluation(
        game=game.name,
        options=json.loads(json.dumps(dict(game.options), default=str)),
        objective=game.objective,
        card_hash=game.hash,
        seed=seed,
        deals=deals_count,
        games_per_pair=per_pair,
        seats_kept=keep_seats,
        players=list(players),
        standings=[
            _standing(
                player.label,
                [(table, 1 if k == a else -1) for (a, b), table in zip(pairs, tables, strict=True) if k in (a, b)],
            )
            for k, player in enumerate(players)
        ],
        pairs=results,
        opening=_pooled(tables, lambda table: table.opening),
        seat_0=_pooled(tables, lambda table: table.seat_0),
        decisions=sum(table.decisions for table in tables),
        failures=failures,
    )


def _play(
    game: Game,
    agents: Sequence[Agent],
    pattern: npt.NDArray[np.intp],
    deals: Records,
    seed: tuple[int, int, int],
    threads: int,
) -> dict[str, Any]:
    """Play one chunk of deals in every seating; JSON-able, one entry per game, the seatings of a deal side by side."""
    games = len(deals) * len(pattern)
    seating = np.tile(pattern, (len(deals), 1))
    own_seed = int(np.random.SeedSequence(list(seed)).generate_state(1)[0])
    records = play_matches(
        game, agents, seating, np.repeat(deals, len(pattern)), seed=own_seed, chunk=CHUNK_GAMES, threads=threads
    )
    return {
        "results": _codes(records, seating).tolist(),
        "openers": seating[np.arange(games), records.first].tolist(),
        "forfeits": np.where(records.forfeits < 0, -1, seating[np.arange(games), records.forfeits]).tolist(),
        "decisions": int(records.decisions.sum()),
        "failures": count_reasons(records.reasons.values()),
    }


def _codes(records: MatchRecords, seating: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
    """Result code of each game for player 0: the higher mean return over its seats wins."""
    own = seating == 0
    mine = np.where(own, records.returns, 0).sum(axis=1) / own.sum(axis=1)
    theirs = np.where(own, 0, records.returns).sum(axis=1) / (~own).sum(axis=1)
    codes = np.where(mine > theirs, WIN, np.where(mine < theirs, LOSS, DRAW))
    return np.where(records.truncated, CAPPED, codes)


class _PairTable:
    """Results of one pairing: (deals, seatings) arrays from the first player's side."""

    def __init__(self, deals: int, pattern: npt.NDArray[np.intp]) -> None:
        shape = (deals, len(pattern))
        self.codes = np.zeros(shape, dtype=np.int64)
        self.openers = np.zeros(shape, dtype=np.int64)
        self.forfeits = np.full(shape, -1, dtype=np.int64)
        self.seat_0_player = np.broadcast_to(pattern[:, 0], shape)
        self.decisions = 0
        self.failures: list[str] = []

    def put(self, start: int, chunk: dict[str, Any]) -> None:
        """Fill in a chunk made by `_play`."""
        rows = len(chunk["results"]) // self.codes.shape[1]
        for target, key in ((self.codes, "results"), (self.openers, "openers"), (self.forfeits, "forfeits")):
            target[start : start + rows] = np.array(chunk[key]).reshape(rows, -1)
        self.decisions += chunk["decisions"]
        self.failures += chunk["failures"]

    @property
    def counted(self) -> npt.NDArray[np.float64]:
        """1 for each game that counts in rates, 0 for a capped one."""
        return (self.codes != CAPPED).astype(np.float64)

    def points(self, side: int = 1) -> npt.NDArray[np.float64]:
        """Points of the first player (side 1) or the second (-1) in each game."""
        return np.where(self.codes == CAPPED, 0.0, (1 + side * self.codes) / 2)

    @property
    def opening(self) -> npt.NDArray[np.float64]:
        """Points of the player that made the first decision."""
        return np.where(self.openers == 0, self.points(1), self.points(-1))

    @property
    def seat_0(self) -> npt.NDArray[np.float64]:
        """Points of the player on seat 0."""
        return np.where(self.seat_0_player == 0, self.points(1), self.points(-1))

    def result(self, first: str, second: str) -> PairResult:
        """Sum the pairing up."""
        games = self.counted.sum(axis=1)
        return PairResult(
            first=first,
            second=second,
            games=self.codes.size,
            wins=int((self.codes == WIN).sum()),
            losses=int((self.codes == LOSS).sum()),
            draws=int((self.codes == DRAW).sum()),
            capped=int((self.codes == CAPPED).sum()),
            forfeits=(int((self.forfeits == 0).sum()), int((self.forfeits == 1).sum())),
            rate=grouped_rate(self.points().sum(axis=1), games),
            opening=grouped_rate(self.opening.sum(axis=1), games),
            seat_0=grouped_rate(self.seat_0.sum(axis=1), games),
        )


def _standing(label: str, tables: list[tuple[_PairTable, int]]) -> Standing:
    """Sum up one player's games; the same deals came up in every pairing, so a deal is one group over all of them."""
    points = np.sum([table.points(side).sum(axis=1) for table, side in tables], axis=0)
    games = np.sum([table.counted.sum(axis=1) for table, _ in tables], axis=0)
    return Standing(
        label=label,
        games=sum(table.codes.size for table, _ in tables),
        wins=sum(int((table.codes == side).sum()) for table, side in tables),
        losses=sum(int((table.codes == -side).sum()) for table, side in tables),
        draws=sum(int((table.codes == DRAW).sum()) for table, _ in tables),
        capped=sum(int((table.codes == CAPPED).sum()) for table, _ in tables),
        rate=grouped_rate(points, games),
    )


def _pooled(tables: list[_PairTable], points: Callable[[_PairTable], npt.NDArray[np.float64]]) -> Rate:
    return grouped_rate(
        np.sum([points(table).sum(axis=1) for table in tables], axis=0),
        np.sum([table.counted.sum(axis=1) for table in tables], axis=0),
    )


def write_evaluation(evaluation: Evaluation | Tournament, path: Path) -> None:
    """Write everything as JSON, atomically."""
    write_json(path, evaluation.to_json())


def write_csv(evaluation: Evaluation | Tournament, path: Path) -> None:
    """Write one row per pairing (in a tournament also per player and per seat), atomically.

    Every row also carries what is needed to repeat it.
    """
    if isinstance(evaluation, Tournament):
        write_atomically(path, tournament_csv(evaluation).encode())
        return
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    rates = ("rate", "opening", "seat_0")
    head = ["first", "second", "games", "wins", "losses", "draws", "capped", "forfeits_first", "forfeits_second"]
    head += [f"{name}{part}" for name in rates for part in ("", "_low", "_high")]
    writer.writerow([*head, "game", "card_hash", "seed", "options", "objective"])
    made_by = [evaluation.game, evaluation.card_hash, evaluation.seed, json.dumps(evaluation.options)]
    for pair in evaluation.pairs:
        row = [pair.first, pair.second, pair.games, pair.wins, pair.losses, pair.draws, pair.capped, *pair.forfeits]
        row += [f"{value:.6f}" for name in rates for value in getattr(pair, name)]
        writer.writerow([*row, *made_by, evaluation.objective])
    write_atomically(path, text.getvalue().encode())


def table(evaluation: Evaluation | Tournament) -> str:
    """Return the result as text for a terminal."""
    if isinstance(evaluation, Tournament):
        return tournament_table(evaluation)
    lines = [
        f"{evaluation.game}: {evaluation.games_per_pair} games per pairing on {evaluation.deals} deals, "
        f"{'the first player on seat 0' if evaluation.seats_kept else 'seats rotated'}, "
        f"seed {evaluation.seed}; 95 % intervals",
        f"returns: {evaluation.objective}",
        "",
        f"{'pairing':<40} {'win rate':>8}  {'interval':<15} {'wins':>6} {'losses':>6} {'draws':>6} {'capped':>6}",
    ]
    for pair in evaluation.pairs:
        lines.append(
            f"{short(pair.first) + ' - ' + short(pair.second):<40} {percent(pair.rate)} "
            f"{pair.wins:>6} {pair.losses:>6} {pair.draws:>6} {pair.capped:>6}"
        )
    lines += ["", f"{'player':<40} {'win rate':>8}  {'interval':<15} {'games':>6}"]
    for standing in sorted(evaluation.standings, key=lambda s: -s.rate.value):
        lines.append(f"{standing.label:<40} {percent(standing.rate)} {standing.games:>6}")
    lines += [
        "",
        f"{'advantage of the seat that acts first':<40} {percent(evaluation.opening)}",
        f"{'advantage of seat 0':<40} {percent(evaluation.seat_0)}",
    ]
    if evaluation.failures:
        lines += ["", f"forfeited games ({evaluation.forfeit_rule}):", *(f"  {text}" for text in evaluation.failures)]
    return "\n".join(lines)
