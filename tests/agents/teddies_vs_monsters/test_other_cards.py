"""The players with other cards than the reference set; that they play them well and legally is in test_players.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardzoo.agents import make_agent
from cardzoo.envs import load
from tests.support.players import decisions_of, played_states
from tests.support.teddies_vs_monsters import CUSTOM_CARDS

PLAYERS = ("builder", "brawler", "planner")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seats": 4, "open_team": True, "partner_sleeve": "always"},
        {"allow_mistakes": True, "late_cards": "returned"},
    ],
    ids=str,
)
def test_they_do_not_look_at_what_is_hidden(options: dict[str, Any]) -> None:
    """A world that the seat cannot tell from the true one, with other hands, decks and acts, gives the same choice."""
    game = load("teddies_vs_monsters", cards=CUSTOM_CARDS, levels=[1, 2, 3], keys_to_win=1, **options)
    for seed, player in enumerate(PLAYERS):
        states = played_states(game, [player, "random", *PLAYERS][: game.num_seats], seed=seed)
        rng = np.random.default_rng(seed)
        worlds = [state.resample(state.actor or 0, rng) for state in states]
        assert any((a.states.hand != b.states.hand).any() for a, b in zip(states, worlds, strict=True))
        agent = make_agent(player, game)
        assert (agent.act(decisions_of(states)) == agent.act(decisions_of(worlds))).all()
