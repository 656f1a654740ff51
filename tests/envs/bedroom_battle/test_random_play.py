"""Invariants of whole games of random play, in every variant; `make fuzz` does the same on a larger scale."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import BatchEnv, load
from cardzoo.envs.bedroom_battle.game import BedroomBattle
from cardzoo.envs.core.state import State
from tests.support.counting import perft, slow_perft

VARIANTS = sorted(BedroomBattle.variants)


def random_game(state: State, rng: np.random.Generator) -> list[int]:
    """Play to the end; the actions."""
    actions = []
    while not state.is_over:
        actions.append(int(rng.choice(state.legal_actions())))
        state.apply(actions[-1])
    return actions


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(VARIANTS))
def test_every_end_pays_what_section_9_says(seed: int, variant: str) -> None:
    """Invariants 8 and 9: one winner who won most, +1 and -1; one letter on each won card and on one final."""
    options = BedroomBattle.variants[variant]
    game = load("bedroom_battle", **options)
    state = game.new_state(seed)
    random_game(state, np.random.default_rng(seed))
    end, outcome = state.to_position(), state.outcome
    assert outcome is not None
    assert not outcome.truncated
    (winner,) = outcome.winners
    won = [len(cards) for cards in end["won"]]
    assert won[winner] > won[1 - winner] or (won[0] == won[1] and winner == end["last_winner"])
    weight = float(options.get("challenge_weight", 0))
    assert state.returns[winner] == pytest.approx(1, abs=weight)
    assert state.returns[1 - winner] == pytest.approx(-1, abs=weight)
    if weight == 0:
        assert state.returns.sum() == 0
    if game.options["challenges"] == "play":
        final = [reward for reward in end["performed"] if reward.startswith("final")]
        assert len(final) == 1
        assert set(end["performed"]) == set(end["won"][0]) | set(end["won"][1]) | set(final)
    else:
        assert end["performed"] == {}


def test_an_endless_game_is_cut_off() -> None:
    """R23: always passing draws every round; the cap ends the game as a truncation that pays nobody."""
    game = load("bedroom_battle", small_rewards=1, hot_rewards=1)
    state = game.new_state(0)
    while not state.is_over:
        state.apply("pass" if "pass" in state.legal_texts() else state.legal_actions()[0])
    assert state.outcome is not None
    assert state.outcome.truncated
    assert state.returns.tolist() == [0, 0]
    assert state.to_position()["round"] == 22


PERFT: tuple[tuple[str, dict[str, Any], list[int]], ...] = (
    (
        "attachments on both sides",
        {
            "hands": [["mankini", "granny_nightgown", "fit_body"], ["convertible", "average_joe"]],
            "board": [["drag_queen", "rotting_zombie"], ["average_joe", "fair_maiden"]],
        },
        [4, 11, 35, 114, 308, 794, 2166],
    ),
    (
        "discards, moves and swaps",
        {
            "hands": [["bribe", "stage_magician", "body_swap"], ["caveman", "love_letter"]],
            "board": [["firefighter+convertible", "granny"], ["robot_butler", "fair_maiden+lucky_coin+clown_shoes"]],
        },
        [4, 11, 32, 93, 259, 676, 1817],
    ),
    (
        "costs, modes, extra plays",
        {
            "hands": [["billionaire", "opera_diva", "second_wind", "gossip"], ["energy_drink", "mail_order"]],
            "board": [["average_joe"], ["granny"]],
            "deck": ["maid", "curfew", "granny", "private_jet", "bribe", "fit_body"],
        },
        [5, 16, 47, 152, 467, 1451, 4486],
    ),
    (
        "challenges, bails and the next draft",
        {
            "phase": "challenge",
            "last_winner": 0,
            "starter": 1,
            "won": [["small_01", "small_02"], []],
            "reward": {"cards": ["small_01", "small_02"]},
            "pile": ["hot_01"],
            "deck": ["maid", "bribe", "granny"],
        },
        [3, 6, 15, 30, 81, 180, 468],
    ),
)


@pytest.mark.parametrize(("position", "counts"), [case[1:] for case in PERFT], ids=[case[0] for case in PERFT])
def test_perft(position: dict[str, Any], counts: list[int]) -> None:
    """Numbers of legal move sequences, which pin the mask and the rules at once."""
    state = load("bedroom_battle").from_position(position)
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts
    assert slow_perft(state, 3) == counts[2]


@pytest.mark.long
def test_figures_of_random_play() -> None:
    """Random games are as long, and as even, as an independent simulation of the same rules found (2,000 games)."""
    game = load("bedroom_battle")
    batch = BatchEnv(game, 1000, seed=1, threads=2)
    step = batch.reset()
    rng = np.random.default_rng(0)
    finished = np.zeros(1000, np.int64)
    decisions, wins = 0, 0.0
    starters = batch.states.starter.copy()
    while (finished < 1).any():
        scores = np.where(step.action_mask, rng.random(step.action_mask.shape, dtype=np.float32), -1)
        actions = np.where(finished < 1, scores.argmax(axis=1), -1)
        decisions += int((finished < 1).sum())
        step = batch.step(actions)
        wins += float((step.final_returns[np.arange(1000), starters] > 0)[step.done].sum())
        finished += step.done
    assert decisions / 1000 == pytest.approx(179.6, abs=2.5)
    assert wins / 1000 == pytest.approx(0.516, abs=0.05)
