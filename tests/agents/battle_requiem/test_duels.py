"""The formulas of duels against sums done by hand, and the best defence against trying all plans."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from cardzoo.agents.battle_requiem.duels import (
    attack_strength,
    best_defence,
    expected_attack,
    expected_defence,
    expected_loss,
    kill_share,
    mean_hit,
    open_chance,
)
from cardzoo.agents.battle_requiem.worth import DUELIST, TACTICIAN, cost, keep, unseen_shares
from cardzoo.envs import State, load
from cardzoo.envs.battle_requiem.cards import ARMAMENT_BITS, ARMOR, DEFEND_TOTAL, KIND
from cardzoo.envs.battle_requiem.duel import defence_value
from cardzoo.envs.battle_requiem.state import DEFEND
from cardzoo.envs.core.game import Game
from tests.support.players import played_states


@pytest.fixture(scope="module")
def game() -> Game:
    return load("battle_requiem")


@pytest.mark.parametrize(
    ("character", "card", "value"),
    [
        ("iron_marshal", "fireball", 5.0),
        ("storm_caller", "fireball", 7.0),
        ("wolf_matron", "dagger", 4.0),  # its defence of 2 is lower
        ("cinder_duelist", "dagger", 3.0),
        ("iron_marshal", "chain_mail", 5.6),
        ("forge_warden", "chain_mail", 7.2),
        ("iron_marshal", "golden_shield", 9.0),
        ("iron_marshal", "hourglass", 6.0),
        ("iron_marshal", "rainbow_relic", 6.0),
    ],
)
def test_keep(game: Game, character: str, card: str, value: float) -> None:
    names = [each.id for each in game.cards.file.characters]  # type: ignore[attr-defined]
    assert keep(game.rules[0], names.index(character), game.cards.ids.index(card)) == pytest.approx(value)


def test_unseen_cards(game: Game) -> None:
    """Of the foe's cards the known ones are seen; own cards, the discard pile and the box are seen."""
    seats = [
        {"character": "ash_squire", "hand": ["meteor"]},
        {"character": "elder_treant", "hand": ["greataxe", "golden_shield", "dagger"], "known": ["dagger"]},
    ]
    state = game.from_position({"box": "rest", "draw": ["hatchet", "hourglass"], "discard": ["sling"], "seats": seats})
    armed, shielded, rating = unseen_shares(state.states[0], game.rules[0], 0)
    assert (armed, shielded, rating) == (2 / 4, 1 / 4, (8 + 3) / 2)
    # The foe: one armament known, two cards unknown; nothing is added to each card, 2 in all.
    assert expected_defence(state.states[0], game.rules[0], 1, armed, rating) == (1 + 0.5 * 2) * 5.5 + 2
    assert open_chance(state.states[0], game.rules[0], 1, shielded) == pytest.approx(1 - 0.7 * (1 - 0.75**2))


def test_attack_strength(game: Game) -> None:
    """The three best of four, modifier of each, flat modifier, boost."""
    hand = ["dagger", "longbow", "longbow", "sling", "hourglass"]
    seats = [
        {"character": "tide_corsair", "hand": hand, "attack_boost": 3},
        {"character": "elder_treant", "hand": ["dagger"]},
    ]
    state = game.from_position({"box": "rest", "seats": seats})
    assert attack_strength(state.states[0], game.rules[0], 0) == 7 + 7 + 3 + 1 + 3


def test_means() -> None:
    """Means over -6, -3, 0, 3, 6 (hits) and -4, -2, 0, 2, 4 (losses, with 8 for the end)."""
    assert mean_hit(1.0) == pytest.approx((1 + 4 + 7) / 5)
    assert kill_share(10.0, 13) == pytest.approx(2 / 5)
    assert expected_loss(1.0, 19) == pytest.approx((1 + 3 + 5) / 5)
    assert expected_loss(1.0, 3) == pytest.approx((1 + 3 + 8 + 5 + 8) / 5)


def plain_plans(state: State, strategy: int) -> list[tuple[float, str]]:
    """Loss and cost of every plan in all, with its first action, by trying all sets of cards."""
    game, record, rules = state.game, state.states[0], state.game.rules[0]
    seat = int(record.actor)
    character = int(record.char[seat])
    laid = [int(card) for card in record.dfn[: record.n_dfn]]
    kinds = rules.types[:, KIND]
    hand = [card for card in range(len(game.cards)) for _ in range(int(record.hand[seat, card]))]
    armaments = [card for card in hand if ARMAMENT_BITS >> int(kinds[card]) & 1]
    plans: list[tuple[int, ...]] = [()]
    for size in range(1, 4 - len(laid)):
        plans += combinations(armaments, size)
    if not laid:
        plans += [(card,) for card in hand if kinds[card] == ARMOR]
    threat = expected_attack(record, rules, seat)
    found = []
    for plan in plans:
        values = {card: int(defence_value(rules, character, card)) for card in (*laid, *plan)}
        total = sum(values[card] for card in (*laid, *plan))
        total += int(rules.modifiers[character, DEFEND_TOTAL]) if (*laid, *plan) else 0
        price = sum(cost(rules, strategy, character, card) for card in plan)
        first = max(plan, key=lambda card: (values[card], -card)) if plan else -1
        action = f"play {game.cards.ids[first]}" if plan else ("done" if laid else "pass")
        found.append((expected_loss(threat - total, int(record.hp[seat])) + price, action))
    shields = [card for card in hand if "shield" in game.cards.ids[card]]
    found += [(cost(rules, strategy, character, card), f"play {game.cards.ids[card]}") for card in shields if not laid]
    return found


@pytest.mark.parametrize("strategy", [DUELIST, TACTICIAN])
def test_best_defence_is_the_best_of_all_plans(game: Game, strategy: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(12):
        for state in played_states(game, ("random", "tactician"), seed):
            if int(state.states[0].phase) != DEFEND:
                continue
            chosen = game.text(best_defence(state.states[0], game.rules[0], strategy, state.action_mask()))
            plans = plain_plans(state, strategy)
            least = min(total for total, _ in plans)
            assert any(action == chosen and np.isclose(total, least) for total, action in plans)
            seen[chosen.split()[0]] += 1
    assert seen["play"] > 50
    assert seen["done"] > 0 or seen["pass"] > 0
