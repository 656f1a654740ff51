"""Rulings, facts and verbs that S01..S53 leave out: as positions and moves, and where chance plays, by counting."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import State, load
from cardzoo.envs.bedroom_battle.cards import VOCABULARY
from cardzoo.envs.bedroom_battle.legal import also_legal, first_candidate, is_legal_candidate, num_candidates
from tests.support.bedroom_battle import assert_sound
from tests.support.scenarios import play_scenario, read_scenarios

HERE = Path(__file__).parent
CUSTOM_CARDS = HERE / "custom_cards.yaml"
EXTRA = read_scenarios(HERE / "extra_scenarios.yaml")
CUSTOM = read_scenarios(HERE / "custom_scenarios.yaml")
SMALL_GAME = {"small_rewards": 2, "hot_rewards": 2}


@pytest.mark.parametrize("scenario", EXTRA, ids=[scenario["id"] for scenario in EXTRA])
def test_reference_cards(scenario: dict[str, Any]) -> None:
    def start(options: Mapping[str, Any], position: Any) -> State:
        return load("bedroom_battle", **options).from_position(position)

    play_scenario(scenario, start, assert_sound)


@pytest.mark.parametrize("scenario", CUSTOM, ids=[scenario["id"] for scenario in CUSTOM])
def test_custom_cards(scenario: dict[str, Any]) -> None:
    def start(options: Mapping[str, Any], position: Any) -> State:
        return load("bedroom_battle", cards=CUSTOM_CARDS, **(SMALL_GAME | dict(options))).from_position(position)

    play_scenario(scenario, start, assert_sound)


def test_every_verb_stands_on_a_card_of_the_scenarios() -> None:
    """A verb added to the vocabulary needs a card and a scenario here."""
    used = set()
    for cards in (load("bedroom_battle").cards, load("bedroom_battle", cards=CUSTOM_CARDS, **SMALL_GAME).cards):
        for card in cards:
            effects = [*card.cost, *card.play, *card.while_, *(effect for mode in card.choice for effect in mode)]
            used |= {(effect.verb, effect.scope) for effect in effects}
    wanted = {(name, scope) for name, verb in VOCABULARY.verbs.items() for scope in (verb.scopes or [""])}
    # These differ from a sibling that is there only in the side they look at, which is one question for all verbs.
    siblings = {("return_char", "own"), ("return_char", "opp"), ("discard_char", "own"), ("discard_char", "all")}
    siblings |= {("return_item", "own"), ("move_item", "opp")}
    assert wanted - used - siblings == set()


# --- setup and chance


def test_f2_f3_the_setup() -> None:
    """F2: 1 final, 5 small on 7 hot; F3: 8 cards face up, nothing in the pot before the drafts are over."""
    for seed in range(20):
        found = load("bedroom_battle").new_state(seed).to_position()
        assert (found["phase"], found["draft"], found["round"], found["bails"]) == ("draft", "setup_1", 0, [2, 2])
        assert [name.split("_")[0] for name in found["pile"]] == ["small"] * 5 + ["hot"] * 7
        assert (len(found["final"]), len(found["row"]), found["counts"]["deck"], found["pot"]) == (1, 8, 92, [])
        assert found["actor"] == found["starter"]


def test_f3_the_order_of_the_setup_draft() -> None:
    """Starting player first in the first row, the other seat in the second; 8 cards each, all known."""
    for starter in range(2):
        state = load("bedroom_battle", starter=starter).new_state(5)
        actors: dict[str, list[tuple[int, int]]] = {"setup_1": [], "setup_2": []}
        while (found := state.to_position())["phase"] == "draft":
            actors[found["draft"]].append((len(found["row"]), found["actor"]))
            state.apply(state.legal_actions()[0])
        assert found["counts"]["hands"] == [8, 8]
        assert found["known"] == found["hands"]
        assert (found["round"], len(found["pot"]), found["actor"]) == (1, 1, starter)
        assert all(actor == (starter + 8 - left) % 2 for left, actor in actors["setup_1"])
        assert all(actor == (1 - starter + 8 - left) % 2 for left, actor in actors["setup_2"])
        assert len(actors["setup_1"]) >= 2
        assert len(actors["setup_2"]) >= 2


def test_r1_the_starting_player_is_drawn_uniformly_or_given() -> None:
    starters = load("bedroom_battle").new_states(2000, seed=3).starter
    assert abs(float(starters.mean()) - 0.5) < 0.04  # 3.5 standard deviations
    for starter in range(2):
        assert set(load("bedroom_battle", starter=starter).new_states(20, seed=3).starter) == {starter}


def test_every_reward_card_may_lie_anywhere() -> None:
    """F2: each kind is shuffled, and the finals are drawn from all of them."""
    game = load("bedroom_battle")
    states = game.new_states(400, seed=2)
    tops, bottoms, finals, unused = set(), set(), set(), set()
    for index in range(len(states)):
        found = game.dump_position(states[index : index + 1])
        tops.add(found["pile"][0])
        bottoms.add(found["pile"][-1])
        finals.add(found["final"][0])
        unused.add(found["unused_hot"][0])
    assert (len(tops), len(bottoms), len(finals), len(unused)) == (16, 28, 8, 28)


def test_r24_the_whole_selection() -> None:
    """Hot first from the starting player, then small from the other seat; the kept ones are the pile."""
    game = load("bedroom_battle", select_rewards=True, small_rewards=2, hot_rewards=3, starter=1)
    state = game.new_state(8)
    picked: dict[str, list[str]] = {"hot": [], "small": []}
    actors: dict[str, list[int]] = {"hot": [], "small": []}
    rng = np.random.default_rng(0)
    while (found := state.to_position())["phase"] == "select":
        kind = found["select"]["kind"]
        assert len(found["select"]["row"]) == (6 if kind == "hot" else 4) - len(picked[kind])
        actors[kind].append(found["actor"])
        text = str(rng.choice(state.legal_texts()))
        picked[kind].append(text.removeprefix("reward "))
        state.apply(text)
    assert actors == {"hot": [1, 0, 1], "small": [0, 1]}
    assert sorted(found["pile"][:2]) == sorted(picked["small"])
    assert sorted(found["pile"][2:]) == sorted(picked["hot"])
    assert len(found["unused_hot"]) == 25
    assert len(found["unused_small"]) == 14
    assert not set(found["unused_hot"]) & set(picked["hot"])


def test_r24_kept_rewards_are_shuffled() -> None:
    game = load("bedroom_battle", select_rewards=True, small_rewards=0, hot_rewards=4)
    orders = set()
    for seed in range(12):
        state = game.new_state(seed)
        kept = []
        while state.to_position()["phase"] == "select":
            kept.append(state.legal_texts()[0].removeprefix("reward "))
            state.apply(state.legal_actions()[0])
        orders.add(tuple(kept.index(name) for name in state.to_position()["pile"]))
    assert len(orders) > 3


def test_r25_the_deal() -> None:
    """8 cards each, unknown; round 1 begins at once."""
    for starter in range(2):
        found = load("bedroom_battle", draft="none", starter=starter).new_state(4).to_position()
        assert (found["phase"], found["round"], found["actor"]) == ("battle", 1, starter)
        assert (found["counts"]["hands"], found["known"], len(found["pot"])) == ([8, 8], [[], []], 1)


def test_preferences_do_not_change_the_deal() -> None:
    """Section 6: they are drawn after all shuffles, so the same seed deals the same cards with and without them."""
    plain = load("bedroom_battle").new_state(6).to_position()
    weighted = load("bedroom_battle", challenge_weight=0.5).new_state(6).to_position()
    prefs = weighted.pop("prefs")
    assert plain.pop("prefs") == {}
    assert plain == weighted
    values = np.array([prefs[name] for name in prefs])
    assert values.shape == (52, 2, 3)
    assert values.min() >= -100
    assert values.max() <= 100
    assert len(np.unique(values)) > 60


def test_random_hand_cards_are_uniform() -> None:
    """F13: each card of the hand is as likely, equal cards by their number."""
    game = load("bedroom_battle")
    state = game.from_position({"hands": [["cat_burglar"], ["average_joe", "average_joe", "average_joe", "maid"]]})
    taken = []
    for seed in range(1000):
        world = state.copy()
        world.states.rng[0] = np.random.default_rng(seed).integers(1, 2**32, 4, dtype=np.uint32)
        world.apply("play cat_burglar")
        taken.append(world.to_position()["hands"][0][0])
    assert abs(taken.count("maid") - 250) < 50  # 3.6 standard deviations


def test_f13_the_discard_pile_is_shuffled_into_a_new_deck() -> None:
    """Each of three cards is as often on top of the new deck."""
    pile = ["maid", "bribe", "caveman"]
    position = {"hands": [["lucky_coin"], []], "board": [["granny"], []], "discard": pile, "rest": "out"}
    state = load("bedroom_battle").from_position(position)
    drawn = []
    for seed in range(600):
        world = state.copy()
        world.states.rng[0] = np.random.default_rng(seed).integers(1, 2**32, 4, dtype=np.uint32)
        world.apply("play lucky_coin")
        found = world.to_position()
        assert sorted(found["deck"] + found["hands"][0]) == sorted(pile)
        drawn.append(found["hands"][0][0])
    assert all(abs(drawn.count(name) - 200) < 45 for name in pile)  # 3.9 standard deviations


# --- one definition of what is legal


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), custom=st.booleans())
def test_the_mask_is_what_the_questions_say(seed: int, custom: bool) -> None:
    """The mask is written by faster loops than the search for automatic choices; both must agree, the count too."""
    game = load("bedroom_battle", cards=CUSTOM_CARDS, **SMALL_GAME) if custom else load("bedroom_battle")
    state = game.new_state(seed)
    rng = np.random.default_rng(seed)
    while not state.is_over:
        mask = np.ones(game.num_actions, np.bool_)
        assert game.kernels.legal(state.states, 0, game.rules, mask) == mask.sum() == len(state.legal_actions())
        s, rules = state.states[0], game.rules[0]
        first = int(first_candidate(s, rules))
        candidates = range(first, first + int(num_candidates(s, rules)))
        wanted = {action for action in candidates if is_legal_candidate(s, rules, action)}
        also = int(also_legal(s, rules))
        assert set(np.flatnonzero(mask)) == wanted | ({also} if also >= 0 else set())
        state.apply(int(rng.choice(state.legal_actions())))
    mask = np.ones(game.num_actions, np.bool_)
    assert game.kernels.legal(state.states, 0, game.rules, mask) == 0
    assert not mask.any()


# --- the seats are alike

SEATS = ("hands", "known", "board", "won", "bails", "appeal", "totals", "returns")


def mirrored(position: Mapping[str, Any]) -> dict[str, Any]:
    """The position with the seats exchanged."""
    found: dict[str, Any] = dict(position)
    for key in SEATS:
        found[key] = found[key][::-1]
    for key in ("starter", "actor", "last_winner"):
        found[key] = None if found[key] is None else 1 - found[key]
    if found["pending"] is not None:
        found["pending"] = found["pending"] | {"by": 1 - found["pending"]["by"]}
    found["prefs"] = {name: rows[::-1] for name, rows in found["prefs"].items()}
    found["counts"] = found["counts"] | {"hands": found["counts"]["hands"][::-1]}
    return found


MIRRORED: tuple[tuple[Any, dict[str, Any]], ...] = (
    (None, {}),
    (None, {"select_rewards": True, "small_rewards": 2, "hot_rewards": 2, "final_rewards": 2}),
    (None, {"challenge_weight": 0.5, "draft": "none", "preset": "quick"}),
    (CUSTOM_CARDS, {"challenges": "skip", **SMALL_GAME}),
)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), case=st.sampled_from(MIRRORED))
def test_invariant_9_exchanging_the_seats_exchanges_everything(seed: int, case: tuple[Any, dict[str, Any]]) -> None:
    cards, options = case
    game = load("bedroom_battle", cards=cards, **options)
    rng = np.random.default_rng(seed)
    start = game.new_state(seed).to_position()
    state, mirror = game.from_position(start), game.from_position(mirrored(start))
    while not state.is_over:
        assert mirror.legal_texts() == state.legal_texts()
        text = str(rng.choice(state.legal_texts()))
        state.apply(text)
        mirror.apply(text)
        assert mirror.to_position() == mirrored(state.to_position())
        for seat in range(2):
            assert np.array_equal(mirror.observe(1 - seat), state.observe(seat))
