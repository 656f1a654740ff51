"""Phase 1 and the order roll, and that chance is fair: deals, shuffles, dice, random discards (R1, R18, R20, R23)."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

from cardzoo.envs import Game, State
from cardzoo.envs.bloodsport_gambler.cards import COPIES
from tests.support.players import game_with

KINDS = ("fighter", "weapon", "secret")
# Hands that leave something to decide in phase 2, and nothing to deal.
FULL = {"seat0": {"hand": {"inside_man": 2, "bribe_the_armorer": 2, "hurl_flagon": 2}}}
FULL_TWO = FULL | {"seat1": {"hand": {"peer_through_the_grate": 2, "poisoned_edge": 2, "blinding_mirror": 2}}}


def load(**options: Any) -> Game:
    return game_with("bloodsport_gambler", json.dumps(options))


def on_table(found: dict[str, Any]) -> dict[str, list[str]]:
    """The cards in the fights by kind, in the order in which they are dealt."""
    cards: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for fight in found["fights"].values():
        for side in ("left", "right"):
            cards["fighter"].append(fight[side]["fighter"])
            cards["weapon"].append(fight[side]["weapon"])
        cards["secret"].append(fight["secret"])
    return cards


def even(counts: np.ndarray, shares: np.ndarray) -> bool:
    """Whether counts are those of shares, within four and a half standard errors each."""
    total = counts.sum()
    return bool((np.abs(counts - shares * total) <= 4.5 * np.sqrt(total * shares * (1 - shares))).all())


# --- a new game


@pytest.mark.parametrize("seats", [1, 2])
def test_a_new_game(seats: int) -> None:
    """16 coins, 3 chances, 6 Time and 6 cards each; guard level 1; three fights, of which only fighters are known."""
    game = load(seats=seats)
    for seed in range(10):
        found = game.new_state(seed).to_position()
        assert (found["at"], found["round"], found["guard"], found["caught"], found["passes"]) == (
            "act",
            1,
            1,
            False,
            0,
        )
        assert found["actor"] == found["first"]
        for entry in [found[f"seat{seat}"] for seat in range(seats)]:
            assert (entry["coin"], entry["chance"], entry["time"], entry["paid"]) == (16, 3, 6, [])
            assert (sum(entry["hand"].values()), entry["status"], entry["playing"]) == (6, "in", True)
        assert (found["seat1"] is None) == (seats == 1)
        assert (found["sabotage"], found["used"], found["dice"]) == ([], {}, [])
        assert len(found["action_deck"]) == 28 - 6 * seats
        for kind, cards in on_table(found).items():
            deck = found[f"{kind}_deck"]
            assert found[f"{kind}_discard"] == {}
            assert len(set(cards)) == len(cards) == (3 if kind == "secret" else 6)
            assert len(deck) == {"fighter": 12, "weapon": 12, "secret": 9}[kind]
            assert not set(cards) & set(deck)
        for fight in found["fights"].values():
            assert [fight["left"]["known"], fight["right"]["known"], fight["secret_known"]] == [[], [], []]


def test_r20_hands_are_filled_from_the_top_seat_0_first_and_then_the_fights_are_dealt() -> None:
    """All of one seat before the other; per fight the left fighter, the right one, their weapons, the secret."""
    decks = {
        "action_deck": ["hags_bargain", "read_the_bones", "toss_a_potion", "warped_grip", "loosened_hilt"],
        "fighter_deck": [
            "insect",
            "marsh_ogre",
            "ember_monk",
            "blade_freak",
            "bog_urchin",
            "demon_spawn",
            "moth_acolyte",
        ],
        "weapon_deck": ["rapier", "trident", "scimitar", "war_pick", "triple_axe", "stone_maul", "war_scythe"],
        "secret_deck": ["old_scars", "second_skin", "drugged_wine", "smell_of_blood"],
    }
    seats: dict[str, Any] = {
        "seat0": {"hand": {"inside_man": 2, "bribe_the_armorer": 2}},
        "seat1": {"hand": {"peer_through_the_grate": 2, "poisoned_edge": 2}},
    }
    found = load().from_position({"at": "setup", **decks, **seats}).to_position()
    assert found["seat0"]["hand"].items() >= {"hags_bargain": 1, "read_the_bones": 1}.items()
    assert found["seat1"]["hand"].items() >= {"toss_a_potion": 1, "warped_grip": 1}.items()
    assert found["action_deck"] == ["loosened_hilt"]
    for kind, cards in on_table(found).items():
        assert cards == decks[f"{kind}_deck"][:-1]
        assert found[f"{kind}_deck"] == decks[f"{kind}_deck"][-1:]


def test_r20_a_hand_above_six_is_dealt_nothing_and_keeps_its_cards() -> None:
    hand = {"inside_man": 2, "bribe_the_armorer": 2, "hurl_flagon": 2, "warped_grip": 1}
    found = load(seats=1).from_position({"at": "setup", "seat0": {"hand": hand}}).to_position()
    assert sum(found["seat0"]["hand"].values()) == 7
    assert len(found["action_deck"]) == 21


@pytest.mark.parametrize(("before", "after"), [(0, 6), (4, 6), (6, 6)])
def test_time_is_filled_up_to_six_and_not_added(before: int, after: int) -> None:
    seats = {"seat0": FULL_TWO["seat0"] | {"time": before}, "seat1": FULL_TWO["seat1"] | {"time": 6}}
    found = load().from_position({"at": "setup", **seats}).to_position()
    assert (found["seat0"]["time"], found["seat1"]["time"]) == (after, 6)


def test_a_deck_that_runs_out_in_the_deal_is_its_shuffled_discard_and_the_table_is_old() -> None:
    """What lay on the table before the reshuffle cannot be in the new deck."""
    position = {
        "at": "setup",
        "weapon_deck": ["rapier", "trident", "scimitar"],
        "secret_deck": ["old_scars"],
        **FULL_TWO,
    }
    found = load().from_position(position).to_position()
    sides = [found["fights"][name][side] for name in ("f1", "f2", "f3") for side in ("left", "right")]
    assert [side["weapon"] for side in sides[:3]] == ["rapier", "trident", "scimitar"]
    assert [side["old"] for side in sides] == [True] * 3 + [False] * 3
    assert [fight["secret_old"] for fight in found["fights"].values()] == [True, False, False]
    assert (len(found["weapon_deck"]), found["weapon_discard"]) == (18 - 3 - 3, {})
    assert (len(found["secret_deck"]), found["secret_discard"]) == (12 - 1 - 2, {})


# --- the order roll


@pytest.mark.parametrize(("dice", "first", "left"), [([5, 2, 6], 0, [6]), ([2, 5], 1, []), ([3, 3, 1, 1, 1, 2], 1, [])])
def test_r1_the_higher_die_is_first_and_ties_are_rolled_again(dice: list[int], first: int, left: list[int]) -> None:
    found = load().from_position({"at": "order", "dice": dice, **FULL_TWO}).to_position()
    assert (found["first"], found["actor"], found["dice"]) == (first, first, left)


def test_r25_a_seat_alone_is_first_without_a_roll() -> None:
    alone = load(seats=1).from_position({"at": "setup", "dice": [1, 6], **FULL}).to_position()
    assert (alone["first"], alone["actor"], alone["dice"]) == (0, 0, [1, 6])
    for seat in range(2):
        seats: dict[str, Any] = {
            f"seat{seat}": FULL["seat0"],
            f"seat{1 - seat}": {"status": "defeated", "playing": False},
        }
        game = load(objective="outcome")
        found = game.from_position({"at": "setup", "first": 1 - seat, "dice": [6, 1], **seats}).to_position()
        assert (found["first"], found["actor"], found["dice"]) == (seat, seat, [6, 1])


# --- chance is fair


def test_every_card_is_dealt_everywhere_as_often_and_both_seats_are_first_as_often() -> None:
    game = load()
    states = game.new_states(6000, seed=3)
    assert even(np.bincount(states.first), np.full(2, 1 / 2))
    for fight, side in ((0, 1), (2, 0)):
        for cards in (states.fighter, states.weapon):
            assert even(np.bincount(cards[:, fight, side], minlength=18), np.full(18, 1 / 18))
    for fight in range(3):
        assert even(np.bincount(states.secret[:, fight], minlength=12), np.full(12, 1 / 12))
    copies = game.rules[0].actions[:20, COPIES] / 28
    tops = states.act_deck[np.arange(6000), states.n_act - 1]
    assert even(np.bincount(tops, minlength=20), copies)
    for seat in range(2):
        assert even(states.hand[:, seat, :20].sum(axis=0), copies)


def outcomes(state: State, move: str, games: int = 600) -> list[dict[str, Any]]:
    """The position after a move, with many states of the generator."""
    found = []
    for seed in range(games):
        world = state.copy()
        world.states.rng[0] = np.random.default_rng(seed).integers(1, 2**32, 4, dtype=np.uint32)
        world.apply(move)
        found.append(world.to_position())
    return found


@pytest.mark.parametrize(
    ("guard", "tokens", "share"), [(1, 0, 2 / 6), (1, 1, 3 / 6), (2, 1, 2 / 6), (3, 3, 3 / 6), (3, 0, 0)]
)
def test_a_risk_roll_is_higher_than_remaining_risk_and_guard_as_often_as_a_die_is(
    guard: int, tokens: int, share: float
) -> None:
    """Risk 3: coins come if the die is above 3 - tokens + guard."""
    pending = {"card": "fleece_a_drunkard"}
    seats = {"seat0": {"time": 3, "coin": 0, "hand": {"inside_man": 1}}}
    position = {"at": "time", "guard": guard, "pending": pending, **seats}
    state = load(seats=1).from_position(position)
    gained = [found["seat0"]["coin"] == 2 for found in outcomes(state, f"time {tokens}")]
    assert even(np.bincount(gained, minlength=2), np.array([1 - share, share]))


def test_r23_who_is_caught_discards_each_card_of_the_hand_as_often() -> None:
    """Equal cards by their number."""
    hand = {"inside_man": 2, "hurl_flagon": 1, "warped_grip": 1}
    position = {
        "at": "time",
        "dice": [1],
        "pending": {"card": "fleece_a_drunkard"},
        "seat0": {"time": 1, "coin": 0, "hand": hand},
    }
    state = load(seats=1).from_position(position)
    lost = Counter(card for found in outcomes(state, "time 1") for card in found["action_discard"])
    assert even(np.array([lost[card] for card in hand]), np.array([0.5, 0.25, 0.25]))


def test_r18_each_card_of_a_reshuffled_deck_is_left_at_its_bottom_as_often() -> None:
    """Drawn for Call in Favours from three discards; what is used this round stays out of it."""
    discard = {"inside_man": 1, "warped_grip": 1, "toss_a_potion": 1}
    hand = {"call_in_favours": 1, "bribe_the_armorer": 2}
    placed = Counter(discard) + Counter(hand)
    used = {card.id: card.copies - placed[card.id] for card in load().cards}
    position = {"at": "act", "action_deck": [], "action_discard": discard, "seat0": {"hand": hand}, "used": used}
    state = load(seats=1).from_position(position)
    decks = []
    for found in outcomes(state, "play call_in_favours"):
        assert sorted([*found["action_deck"], *(set(found["seat0"]["hand"]) - {"bribe_the_armorer"})]) == sorted(
            discard
        )
        decks += found["action_deck"]
    assert even(np.array([decks.count(card) for card in discard]), np.full(3, 1 / 3))
