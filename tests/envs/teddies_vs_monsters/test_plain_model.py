"""What is legal and what follows, as a plain model of the rules tells."""

from __future__ import annotations

import numpy as np
import pytest

from cardzoo.envs import State
from tests.support.teddies_model import GAMES, Plain, Table, begin_apart, game_apart, read_table

# --- what is legal, and who is asked


def check_mask(state: State, plain: Plain, table: Table) -> None:
    """The mask is what the rules say and its count is right; who is asked has a choice and is the first who has."""
    legal = plain.legal(table, table.actor or 0)
    assert set(state.legal_texts()) == legal, state.to_position()
    game, mask = state.game, np.ones(state.game.num_actions, np.bool_)
    assert game.kernels.legal(state.states, 0, game.rules, mask) == mask.sum() == len(legal)
    assert len(legal) > 1
    assert table.actor == next(number for number, seat in enumerate(table.seats) if seat.act is None)


@pytest.mark.parametrize("name", GAMES)
def test_the_mask_is_what_the_rules_say_and_nobody_is_asked_what_has_one_answer(name: str) -> None:
    """R2, R3 to R5, R8 to R10, R13 to R15, R22, R23, R26, also where several seats are idle, as when a deal begins."""
    game = game_apart(name)
    plain = Plain(game)
    seed = list(GAMES).index(name)
    state = game.new_state(seed)
    rng = np.random.default_rng(seed)
    for _ in range(60):
        if state.is_over:
            break
        check_mask(state, plain, read_table(game, state.to_position()))
        state.apply(str(rng.choice(state.legal_texts())))


# --- what follows


@pytest.mark.parametrize("deals", [1, pytest.param(20, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", GAMES)
def test_what_follows_is_what_the_rules_say(name: str, deals: int) -> None:
    """Random deals, every number of the position: R1, R2, R4, R6 to R14, R17 to R20, R22 to R24, keys, the end.

    Ordinary deals and sudden deaths by turns; every second game begins with a sudden death.
    """
    game = game_apart(name)
    plain = Plain(game)
    first = list(GAMES).index(name)
    for seed in range(first, first + deals):
        rng = np.random.default_rng(seed)
        sudden = seed % 2
        at = {"seed": seed, "round": 1 + sudden, "sudden_death": sudden, "keys": {"teddies": 1}}
        state = game.from_position({**at, "pending": begin_apart(game)})
        table = read_table(game, state.to_position())
        while table.actor is not None:
            check_mask(state, plain, table)
            action = str(rng.choice(state.legal_texts()))
            expected = plain.after(table, action)
            state.apply(action)
            table = read_table(game, state.to_position())
            assert table.score() == expected.score()
            if expected.dealt:
                break
            assert table == expected
        mask = np.ones(game.num_actions, np.bool_)
        assert (game.kernels.legal(state.states, 0, game.rules, mask) == 0) == state.is_over == (not mask.any())
