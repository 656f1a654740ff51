"""Results of comparisons as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
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


def percent(rate: Rate) -> str:
    """A rate with its interval, 24 characters."""
    if np.isnan(rate.value):
        return f"{'-':>8}  {'':<15}"
    return f"{100 * rate.value:>6.1f} %  {f'{100 * rate.low:.1f} .. {100 * rate.high:.1f}':<15}"


def tournament_table(result: Tournament) -> str:
    """Return the result as text for a terminal."""
    size = len(set(result.teams))
    unit = "seat" if size == len(result.teams) else "team"
    lines = [
        f"{result.game}: {len(result.teams)} seats{f' in {size} teams' if unit == 'team' else ''}, "
        f"{result.deals} deals, seed {result.seed}; 95 % intervals; par is {100 / size:.1f} %",
    ]
    if result.pairs:
        title = f"one against {size - 1} others" if size > 2 else "pairing"
        lines += ["", f"{title}: {result.games_per_pair} games each, every {unit} in turn on the same deals"]
        lines += _rows("pairing", result.pairs, size)
    if result.mixed:
        lines += ["", f"mixed: {result.mixed_games} games, everybody on every {unit} of each deal"]
        lines += _rows("player", sorted(result.mixed, key=lambda s: (-s.rate.value, -s.mean_return.value)), size)
    lines += ["", "advantage of the seats, over all games", *_rows("seat", result.seats, size)]
    lines += [f"{'first to act':<40} {percent(result.opening)}"]
    if result.failures:
        lines += ["", f"forfeited games ({result.forfeit_rule}):", *(f"  {text}" for text in result.failures)]
    return "\n".join(lines)


def _rows(title: str, scores: list[Score], size: int) -> list[str]:
    head = f"{title:<40} {'win rate':>8}  {'interval':<15} {'games':>6} {'capped':>6} {'return':>8} {'place':>6}"
    rows = [f"{head}  {' '.join(f'{k:>4}' for k in range(1, size + 1))} (% of games)"]
    for score in scores:
        who = f"{short(score.first)} - {short(score.second)}" if score.second else score.first
        rows.append(
            f"{who:<40} {percent(score.rate)} {score.games:>6} {score.capped:>6} {score.mean_return.value:>8.3f} "
            f"{score.mean_place.value:>6.2f}  {' '.join(f'{100 * share:>4.0f}' for share in score.places)}"
        )
    return rows


def tournament_csv(result: Tournament) -> str:
    """Return one row per pairing, player and seat; every row also carries what is needed to repeat it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    values = ("rate", "mean_return", "mean_place")
    head = ["table", "first", "second", "games", "capped", "forfeits", "fair"]
    head += [f"{name}{part}" for name in values for part in ("", "_low", "_high")]
    head += [f"place_{place}" for place in range(1, len(set(result.teams)) + 1)]
    writer.writerow([*head, "game", "card_hash", "seed", "options"])
    tables = {"pair": result.pairs, "mixed": result.mixed, "seat": result.seats}
    for name, scores in tables.items():
        for score in scores:
            row: list[Any] = [name, score.first, score.second, score.games, score.capped, score.forfeits]
            row += [f"{number:.6f}" for number in (score.fair, *score.rate, *score.mean_return, *score.mean_place)]
            row += [f"{share:.6f}" for share in score.places]
            writer.writerow([*row, result.game, result.card_hash, result.seed, json.dumps(result.options)])
    return text.getvalue()
