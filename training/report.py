"""Results of comparisons as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cardzoo.training.statistics import Mean, Rate

if TYPE_CHECKING:
    from cardzoo.training.tournament import Score, Tournament


def plain(value: Any) -> Any:
    """Turn NamedTuples into dicts and NaN into null (dataclasses are dicts already)."""
    if isinstance(value, Rate | Mean):
        return {key: None if np.isnan(number) else round(number, 6) for key, number in value._asdict().items()}
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value


def short(label: str) -> str:
    """A label that fits into a table."""
    return label if len(label) <= 18 else f"...{label[-15:]}"


def percent(rate: Rate | None) -> str:
    """A rate with its interval, 25 characters."""
    if rate is None or np.isnan(rate.value):
        return f"{'-':>8}  {'':<15}"
    return f"{100 * rate.value:>6.1f} %  {f'{100 * rate.low:.1f} .. {100 * rate.high:.1f}':<15}"


def amount(mean: Mean) -> str:
    """A mean with its interval, 28 characters."""
    interval = "" if np.isnan(mean.low) else f"{mean.low:.3f} .. {mean.high:.3f}"
    return f"{mean.value:>8.3f}  {interval:<18}"


def tournament_table(result: Tournament) -> str:
    """Return the result as text for a terminal."""
    size = len(set(result.teams))
    unit = "seat" if size == len(result.teams) else "team"
    width = max(len(_who(score)) for score in (*result.pairs, *result.mixed, *result.seats))
    width = max(width, len("first to act"))
    lines = [
        f"{result.game}: {len(result.teams)} seat{'s' if len(result.teams) > 1 else ''}"
        f"{f' in {size} teams' if unit == 'team' else ''}, {result.deals} deals, seed {result.seed}; 95 % intervals",
        f"returns: {result.objective}",
    ]
    if size > 1:
        lines[0] += f"; par is {100 / size:.1f} %"
    if size > 1 and not result.zero_sum:
        lines.append("wins: who has the highest return, shared by all that have it")
    if result.pairs:
        title = f"one against {size - 1} others" if size > 2 else "pairing"
        turns = f"the first player on {unit} 0" if result.seats_kept else f"every {unit} in turn"
        lines += ["", f"{title}: {result.games_per_pair} games each, {turns} on the same deals"]
        if size == 2 and not result.zero_sum:
            lines[-1] += "; a line for each side, named first"
        lines += _rows("pairing", result.pairs, result, width)
    if result.mixed:
        title = f"mixed: {result.mixed_games} games, everybody on every {unit} of each deal"
        if size == 1:
            title = "everybody on the same deals"
        elif not result.mixed_games:
            title = "all pairings together"
        lines += ["", title]
        lines += _rows("player", sorted(result.mixed, key=lambda s: _merit(s, result), reverse=True), result, width)
    if result.seats:
        lines += ["", "advantage of the seats, over all games", *_rows("seat", result.seats, result, width)]
        lines += [f"{'first to act':<{width}} {percent(result.opening)}"]
    if result.failures:
        lines += ["", f"forfeited games ({result.forfeit_rule}):", *(f"  {text}" for text in result.failures)]
    return "\n".join(lines)


def _merit(score: Score, result: Tournament) -> tuple[float, float]:
    """What players are ranked by: the win rate, or the goal where returns are each seat's own; then the return."""
    first = score.rate if result.zero_sum else score.reached
    return 0.0 if first is None else first.value, score.mean_return.value


def _who(score: Score) -> str:
    return f"{short(score.first)} - {short(score.second)}" if score.second else score.first


def _rows(title: str, scores: list[Score], result: Tournament, width: int) -> list[str]:
    """A head and a line for each score: the columns are those that say something in this game."""
    size = len(set(result.teams))
    head, rows = [f"{title:<{width}}"], [[f"{_who(score):<{width}}"] for score in scores]

    def column(name: str, cell: Callable[[Score], str]) -> None:
        head.append(name)
        for row, score in zip(rows, scores, strict=True):
            row.append(cell(score))

    if size > 1:
        column(f"{'win rate':>8}  {'interval':<15}", lambda score: percent(score.rate))
    if result.goal:
        head_of_goal = f"{result.goal:>8}  {'interval':<15}"
        column(head_of_goal, lambda score: f"{percent(score.reached):>{len(head_of_goal)}}")
    if not result.zero_sum:
        column(f"{'return':>8}  {'interval':<18}", lambda score: amount(score.mean_return))
    column(f"{'games':>6} {'capped':>6}", lambda score: f"{score.games:>6} {score.capped:>6}")
    if not result.zero_sum:
        column("forfeits", lambda score: f"{score.forfeits:>8}")
        return [" ".join(cells) for cells in (head, *rows)]
    column(f"{'return':>8}", lambda score: f"{score.mean_return.value:>8.3f}")
    column(f"{'place':>6} ", lambda score: f"{score.mean_place.value:>6.2f} ")
    places = " ".join(f"{k:>4}" for k in range(1, size + 1))
    column(f"{places} (% of games)", lambda score: " ".join(f"{100 * share:>4.0f}" for share in score.places))
    return [" ".join(cells) for cells in (head, *rows)]


def tournament_csv(result: Tournament) -> str:
    """Return one row per pairing, player and seat; every row also carries what is needed to repeat it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    values = ("rate", "reached", "mean_return", "mean_place")
    head = ["table", "first", "second", "games", "capped", "forfeits", "fair"]
    head += [f"{name}{part}" for name in values for part in ("", "_low", "_high")]
    head += [f"place_{place}" for place in range(1, len(set(result.teams)) + 1)]
    writer.writerow([*head, "game", "card_hash", "seed", "options", "objective", "goal"])
    made_by = [result.game, result.card_hash, result.seed, json.dumps(result.options), result.objective, result.goal]
    tables = {"pair": result.pairs, "mixed": result.mixed, "seat": result.seats}
    for name, scores in tables.items():
        for score in scores:
            row: list[Any] = [name, score.first, score.second, score.games, score.capped, score.forfeits]
            row += [f"{number:.6f}" for number in (score.fair, *score.rate)]
            row += [""] * 3 if score.reached is None else [f"{number:.6f}" for number in score.reached]
            row += [f"{number:.6f}" for number in (*score.mean_return, *score.mean_place, *score.places)]
            writer.writerow([*row, *made_by])
    return text.getvalue()
