"""The teams are alike: exchanging them exchanges everything."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from cardzoo.envs import Game, State, load
from cardzoo.envs.teddies_vs_monsters.game import TeddiesVsMonsters
from tests.support.teddies_model import APART, TEAMS, begin_apart, read_file


@cache
def twins(game: Game) -> dict[str, str]:
    """Words of positions by what they are called with the teams exchanged: every seat becomes the one after it."""
    document = read_file(game.cards.text)
    own, other = ([entry["id"] for entry in document["types"] if entry["team"] == team] for team in TEAMS)
    words = {**dict(zip(own, other, strict=True)), **dict(zip(other, own, strict=True))}
    beds = {(*entry["teddies"], *entry["monsters"]): entry["id"] for entry in document["bedrooms"]}
    for entry in document["bedrooms"]:
        swapped = [words.get(symbol, symbol) for symbol in (*entry["monsters"], *entry["teddies"])]
        words[entry["id"]] = beds[tuple(swapped)]
    words |= {"teddies": "monsters", "monsters": "teddies"}
    return words | {agent: game.agents[(seat + 1) % game.num_seats] for seat, agent in enumerate(game.agents)}


def mirrored(value: Any, words: Mapping[str, str]) -> Any:
    """A position, or a part of one, with the teams exchanged."""
    if isinstance(value, dict):
        return {mirrored(key, words): mirrored(inner, words) for key, inner in value.items()}
    if isinstance(value, list):
        return [mirrored(inner, words) for inner in value]
    return " ".join(words.get(word, word) for word in value.split()) if isinstance(value, str) else value


EVERY = 10  # whole tables are compared at ticks that are multiples; what seats see always is


@dataclass
class Played:
    """A deal that was played: what each seat saw and did, the table at some ticks, and how it ended."""

    seats: dict[int, list[tuple[Any, ...]]]
    tables: dict[int, dict[str, Any]]
    end: dict[str, Any]


def play_deal(state: State, seed: int, shift: int, first: int) -> Played:
    """Play a deal at random.

    Args:
        state: the deal.
        seed: of the choices; each seat has a generator of its own.
        shift: what is subtracted from the number of a seat: by this number it is known, and chooses.
        first: the number of the seat that lands first where two land together (of two seats).
    """
    game, found = state.game, Played(defaultdict(list), {}, {})
    rngs = [np.random.default_rng([seed, number]) for number in range(game.num_seats)]
    jitter, record = game.options["jitter"][0], state.states[0]
    deal = (int(record.round_no), int(record.sudden))
    while not state.is_over and deal == (int(record.round_no), int(record.sudden)):
        seat = state.actor or 0
        number = (seat - shift) % game.num_seats
        action = int(rngs[number].choice(state.legal_actions()))
        if int(record.tick) % EVERY == 0 and int(record.tick) not in found.tables:
            position = state.to_position()
            found.tables[int(record.tick)] = {
                key: position[key] for key in ("keys", "rooms", "players", "discards", "returns")
            }
        seen = state.observe(seat)
        if game.num_seats == 4:
            seen[game.observations.block("game").slice.stop - 1] = 0  # which of its team's two it is, is not mirrored
        found.seats[number].append((int(record.tick), state.action_mask().tobytes(), seen.tobytes(), action))
        tape = []
        if jitter:
            trial = state.copy()
            trial.apply(action)
            if int(trial.states[0].picked) < 0 and game.text(action, seat) != "wait":  # an act begins, with a draw
                tape = [int(rngs[number].integers(jitter + 1))]
        tape += [(first + shift) % 2] * (16 - len(tape)) if game.num_seats == 2 else []
        record.tape[: len(tape)], record.n_tape = tape, len(tape)
        state.apply(action)
        record = state.states[0]
        record.tape[:], record.n_tape = 0, 0
    position = state.to_position()
    always = ("round", "sudden_death", "keys", "over", "truncated", "returns")
    found.end = {key: position[key] for key in (*always, *(["rooms", "players", "tick"] if state.is_over else []))}
    return found


@pytest.mark.parametrize("times", [1, pytest.param(10, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("deals", "options"),
    [
        (2, {}),
        (2, {"jitter": 5, "keys_to_win": 1, "levels": [1, 2, 3], "sudden_death_win": "completion"}),
        (4, {"levels": [1], "reaction": 0, "tempo": dict.fromkeys(TeddiesVsMonsters().options["tempo"], 10)}),
        (2, {"allow_mistakes": True, "keys_to_win": 1}),
        (2, {"start_hand": "face_down", "late_cards": "returned", "levels": [3], "keys_to_win": 1}),
        (2, {"seats": 4}),
        (2, {"seats": 4, "open_team": True, "partner_sleeve": "always", "levels": [1, 3]}),
        (2, {"seats": 4, "allow_mistakes": True, "call_by": "owner", "max_rounds": 1, "max_sudden": 1}),
    ],
    ids=str,
)
def test_exchanging_the_teams_exchanges_everything(deals: int, options: dict[str, Any], times: int) -> None:
    """Cards, bedrooms, seats and draws mirrored: every seat sees and may do the same, and the deal ends the same way.

    Two seats that land together (always, where all acts take 10 ticks) do so in the order that a tape says; four are
    kept apart, in the mirrored game too.
    """
    seats = options.get("seats", 2)
    game = load("teddies_vs_monsters", **{"jitter": 0, **(APART[4] if seats == 4 else {}), **options})
    words = twins(game)
    for seed in range(deals * times):
        pending = begin_apart(game) if seats == 4 else {}
        deal = game.from_position({"seed": seed, "sudden_death": seed % 2, "pending": pending})
        position = {**deal.to_position(), "seed": 0}
        mirror = game.from_position(mirrored(position, words))
        played = [play_deal(state, seed, shift, seed // 2 % 2) for shift, state in enumerate((deal, mirror))]
        assert played[0].seats == played[1].seats
        assert mirrored(played[0].tables, words) == played[1].tables
        assert mirrored(played[0].end, words) == played[1].end
        assert set(played[0].seats) == set(range(seats))
