"""The shortage of rooms, against plain Python that tries everything."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from cardzoo.envs import load
from cardzoo.envs.core.game import Game
from cardzoo.envs.teddies_vs_monsters.shortage import HOPELESS, shortage
from cardzoo.envs.teddies_vs_monsters.supply import supply_of
from tests.support.teddies_rows import cards_of, plain_shortage, shuffled_table, wrong_open_and_claimed
from tests.support.teddies_vs_monsters import CUSTOM_CARDS


@pytest.fixture(scope="module", params=[None, CUSTOM_CARDS], ids=["reference", "custom"])
def game(request: pytest.FixtureRequest) -> Game:
    return load("teddies_vs_monsters", cards=request.param, levels=[1, 2, 3])


def test_shortage_is_the_least_of_all_ways(game: Game) -> None:
    rng, rules, seen = np.random.default_rng(1), game.rules[0], Counter[int]()
    for _ in range(600):
        s, seat = shuffled_table(game, rng)
        cards, supply = cards_of(s, rules, seat), supply_of(s, rules, seat)
        for room in range(int(rules.num_rooms)):
            least = plain_shortage(s, rules, seat, room, cards)
            assert shortage(s, rules, seat, room, supply) == least
            seen[least] += 1
    assert all(seen[least] > 30 for least in range(5))


def test_wrong_and_claimed_rows_and_hands_not_looked_at() -> None:
    s, rules = wrong_open_and_claimed()
    supply = supply_of(s, rules, 0)
    assert supply == (2 << 8, 0, 0, 0)  # the stars of the sleeve
    assert shortage(s, rules, 0, 0, supply) == HOPELESS
    assert shortage(s, rules, 0, 1, supply) == 1
    s.face_down[0] = 0
    supply = supply_of(s, rules, 0)
    assert shortage(s, rules, 0, 1, supply) == 0
