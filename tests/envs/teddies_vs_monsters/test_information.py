"""Sampled worlds: their seat cannot tell them from the true one, and nothing but its knowledge makes them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import load
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.state import State
from cardzoo.envs.teddies_vs_monsters import cards, state
from cardzoo.envs.teddies_vs_monsters.game import TeddiesVsMonsters
from tests.support.worlds import (
    GENERATOR,
    assert_alike,
    check_play_in_worlds,
    check_worlds,
    same_world,
    share_that_differs,
)

NAME = "teddies_vs_monsters"
VARIANTS: dict[str, dict[str, Any]] = {
    **TeddiesVsMonsters.variants,
    "open_face_down": {"seats": 4, "open_team": True, "start_hand": "face_down"},
    "quick": {"seats": 4, "open_team": True, "pace": [10, 100, 10, 100], "jitter": 0, "reaction": 0},
    "big_zones": {"hand_size": 9, "sleeve_size": 9, "jitter": 50},
    "no_sleeve": {"sleeve_size": 0, "tempo": {"wait": 90}},
}
ACT = ("p_kind", "p_card", "p_room", "p_side", "p_due")
HIDDEN = ("hand", "deck", "picked", "tape", "n_tape", *ACT)
SHOWN_ROOMS = (state.PLACE, state.ATTACK, state.BOMB, state.TRAP, state.DISARM, state.CLAIM, state.CALL)


def is_partner(game: Game, seat: int, other: int) -> bool:
    return game.num_seats == 4 and (seat + 2) % 4 == other


def composition(game: Game, seat: int) -> np.ndarray:
    return game.rules[0].cards[seat % 2, :, cards.COPIES].astype(int)


def assert_hands(at: State, seat: int, world: State) -> None:
    """Hands that a seat sees and cards that all can tell stay; the others have as many cards; reserves are full."""
    s, w, game = at.states[0], world.states[0], at.game
    for other in range(game.num_seats):
        open_hand = other == seat or (game.rules[0].open_team and is_partner(game, seat, other))
        if open_hand and not s.face_down[other]:
            assert (w.hand[other] == s.hand[other]).all()
        assert (w.hand[other] >= s.known[other]).all()
        assert w.hand[other].sum() == s.hand_n[other]
    if game.num_seats == 2:
        for owner in (2, 3):
            n = int(s.deck_n[owner])
            copies = np.bincount(w.deck[owner, :n], minlength=state.MAX_TYPES)
            assert n == 0 or (copies == composition(game, owner)).all()


def shortest(game: Game, seat: int, kind: int) -> int:
    return int(game.rules[0].duration[seat, kind])


def assert_acts(at: State, seat: int, world: State) -> None:
    """What a seat does itself stays, and of an open partner what shows; others act as they can have begun to."""
    s, w, game = at.states[0], world.states[0], at.game
    actor = int(s.actor)
    assert w.picked == (s.picked if actor == seat else state.NO_CARD)
    for other in range(game.num_seats):
        kind, due = int(w.p_kind[other]), int(w.p_due[other])
        if other == seat:
            assert all(w[field][seat] == s[field][seat] for field in ACT)
            continue
        if game.rules[0].open_team and is_partner(game, seat, other):
            assert kind == s.p_kind[other]
            assert kind not in SHOWN_ROOMS or w.p_room[other] == s.p_room[other]
        if kind == state.IDLE:
            assert other >= actor or at.is_over
            continue
        began = due - shortest(game, other, kind)
        jitter = 0 if kind == state.WAIT else int(game.rules[0].jitter[other])
        assert began >= s.l_tick[other]
        assert s.tick < due
        assert began - jitter <= s.tick


def assert_like(at: State, seat: int, world: State) -> None:
    """Observation, actor and legal actions of the seat are those of the true state, and the world is sound."""
    assert_alike(at, seat, world, HIDDEN)
    assert_hands(at, seat, world)
    assert_acts(at, seat, world)
    assert world.states[0].n_tape == 0
    assert not world.states[0].tape.any()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(VARIANTS)), moves=st.integers(0, 300))
def test_a_seat_cannot_tell_a_sampled_world_from_the_true_one(seed: int, variant: str, moves: int) -> None:
    """Equal observations and masks for every seat; depends on the generator and the seat's knowledge alone."""
    check_worlds(load(NAME, **VARIANTS[variant]), seed, moves, assert_like)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from(sorted(set(VARIANTS) - {"mistakes", "mistakes_four"})))
def test_play_goes_on_in_sampled_worlds(seed: int, variant: str) -> None:
    """A game in which the world is sampled anew, for some seat, all the time is sound to its end."""
    check_play_in_worlds(load(NAME, **VARIANTS[variant]), seed)


@pytest.mark.parametrize("variant", ["default", "four", "open_team", "face_down"])
def test_hidden_cards_differ_in_nearly_all_worlds(variant: str) -> None:
    """Sampling that returned the true world would pass all other tests."""
    game = load(NAME, **VARIANTS[variant])
    assert share_that_differs(game, 5, ("deck",)) > 0.99
    assert share_that_differs(game, 5, ("hand",)) > 0.4  # in random play hands are often empty
    assert share_that_differs(game, 5, ("p_card", "p_due")) > 0.4


def test_the_generator_is_the_only_source_of_chance() -> None:
    """It is advanced, and the record's own generator comes from it; a tape would fit other acts and goes."""
    at = load(NAME).new_state(1)
    generator = GENERATOR.copy()
    at.states["tape"][0, :2] = (3, 4)
    at.states["n_tape"][0] = 2
    world = at.resample(0, generator)
    assert (generator != GENERATOR).any()
    assert (world.states[0].rng != at.states[0].rng).any()
    assert world.states[0].n_tape == 0
    at.states["rng"][0] += 1
    at.states["n_tape"][0] = 1
    at.states["tape"][0, 1] = 0
    assert same_world(world, at.resample(0, GENERATOR.copy()))


# --- nothing hidden is read


def played(moves: int, seed: int = 4, **options: Any) -> State:
    """A state after random moves."""
    rng = np.random.default_rng(seed)
    at = load(NAME, **options).new_state(seed)
    for _ in range(moves):
        at.apply(int(rng.choice(at.legal_actions())))
    assert not at.is_over
    return at


def swap_hand(at: State, seat: int) -> None:
    """A card of a hand, if it has one, and one of its deck change places."""
    s = at.states[0]
    unknown = np.flatnonzero(s.hand[seat] - s.known[seat])
    if len(unknown) == 0:
        return
    held = int(unknown[0])
    place = next(k for k in range(s.deck_n[seat]) if s.deck[seat, k] != held)
    s.hand[seat, held] -= 1
    s.hand[seat, s.deck[seat, place]] += 1
    s.deck[seat, place] = held


def assert_unread(at: State, seat: int, changed: State) -> None:
    """A change that a seat cannot see changes no world that is sampled for it."""
    assert not same_world(at, changed)
    for k in range(5):
        generator = GENERATOR + k
        assert same_world(at.resample(seat, generator.copy()), changed.resample(seat, generator.copy()))


@pytest.mark.parametrize("seats", [2, 4])
def test_hands_decks_and_acts_of_others_are_not_read(seats: int) -> None:
    """Nor the order of any deck, the reserves, or when an act lands."""
    for moves in range(60, 100):
        at = played(moves, seats=seats)
        actor = int(at.actor or 0)
        for seat in range(seats):
            changed = at.copy()
            s = changed.states[0]
            for other in range(seats):
                if other != seat:
                    swap_hand(changed, other)
                if other not in (seat, actor):
                    s.p_kind[other], s.p_card[other], s.p_room[other], s.p_side[other] = state.DRAW, 0, 0, 1
                    s.p_due[other] = s.tick + 1
            for owner in range(4):
                n = int(s.deck_n[owner])
                s.deck[owner, :n] = np.roll(s.deck[owner, :n], 1)
            if seat != actor:
                s.picked = state.NO_CARD
            assert_unread(at, seat, changed)


def test_whether_others_have_begun_an_act_at_this_tick_is_guessed_from_the_seat_order() -> None:
    """Idle or not, who comes after the seat being asked and was seen just now is idle in the world."""
    at = load(NAME, seats=4).new_state(2)
    at.apply("wait")
    assert at.actor == 1
    world = at.resample(1, GENERATOR.copy()).states[0]
    assert world.p_kind.tolist()[1:] == [state.IDLE] * 3
    assert world.p_kind[0] != state.IDLE
    again = at.resample(3, GENERATOR.copy()).states[0]
    assert again.p_kind.tolist()[1:] == [state.IDLE] * 3
    assert again.p_kind[0] != state.IDLE


# --- hands


def samples(at: State, seat: int, count: int) -> list[Any]:
    """Records of sampled worlds."""
    rng = np.random.default_rng(9)
    return [at.resample(seat, rng).states[0] for _ in range(count)]


FAR = {"monsters_0": {"action": "wait", "lands": 900}}


def start(position: dict[str, Any], **options: Any) -> State:
    return load(NAME, **options).from_position({"pending": FAR, **position})


def number(game: Game, card: str) -> int:
    """The type number of a card in its team."""
    for own in cards.team_cards(game.cards):
        for index, found in enumerate(own):
            if found.id == card:
                return index
    raise AssertionError(card)


def test_the_foes_hand_is_dealt_from_what_nobody_has_seen() -> None:
    """Each card of hand and deck is as likely in the hand."""
    foe = {"hand": ["eye", "fang"], "sleeve": ["red_web"], "deck": ["eye", "claw", "slime_bomb", "shadow"]}
    at = start({"players": {"monsters_0": foe}})
    worlds = samples(at, 0, 3000)
    seen = Counter(card for w in worlds for card in np.repeat(np.arange(state.MAX_TYPES), w.hand[1]).tolist())
    unseen = Counter(number(at.game, card) for card in (*foe["hand"], *foe["deck"]))
    assert set(seen) == set(unseen)
    for card, copies in unseen.items():
        expected = 3000 * 2 * copies / 6
        assert abs(seen[card] - expected) < 5 * expected**0.5
    tops = Counter(int(w.deck[1, 3]) for w in worlds)
    assert set(tops) == set(unseen)


def test_what_is_known_of_a_hand_stays_after_the_second_deck_was_taken() -> None:
    """The rest of the hand comes out of that deck, of which two compositions less what was seen is left."""
    foe = {"hand": ["eye", "eye", "fang"], "sleeve": [], "known": ["eye", "fang"], "reserve": False}
    foe["deck"] = ["claw", "claw", "slime_bomb"]
    at = start({"players": {"monsters_0": foe}})
    eye, fang, claw, bomb = (number(at.game, card) for card in ("eye", "fang", "claw", "slime_bomb"))
    worlds = samples(at, 0, 400)
    third = Counter()
    for w in worlds:
        hand = w.hand[1].copy()
        hand[eye] -= 1
        hand[fang] -= 1
        assert hand.min() == 0
        third[int(hand.argmax())] += 1
    assert set(third) == {eye, claw, bomb}
    assert third[claw] > third[eye] > 40
    assert all(int(w.deck_n[3]) == 0 for w in worlds)


def test_at_take_deck_the_hand_is_known_and_its_cards_leave_one_by_one() -> None:
    """By playing on from an empty first deck."""
    foe = {"hand": ["eye", "eye", "fang"], "sleeve": [], "deck": []}
    won = {"bedroom": "b1_01", "claimed": "teddies", "teddies": {"row": ["heart", "star", "moon"]}}
    pending = {"teddies_0": {"action": "wait", "lands": 900}}
    at = load(NAME, jitter=0).from_position({"rooms": {1: won}, "players": {"monsters_0": foe}, "pending": pending})
    assert len({tuple(w.hand[1]) for w in samples(at, 0, 20)}) == 1  # all cards of the first deck have been seen
    at.apply("take deck")
    assert at.actor == 1
    assert {tuple(w.hand[1]) for w in samples(at, 0, 50)} == {tuple(at.states[0].hand[1])}
    at.apply("draw hand")
    assert len({tuple(w.hand[1]) for w in samples(at, 0, 50)}) > 5
    at.apply("discard eye")
    eye, fang = number(at.game, "eye"), number(at.game, "fang")
    assert at.states[0].known[1, eye] == 1
    for w in samples(at, 0, 50):
        assert w.hand[1, eye] >= 1
        assert w.hand[1, fang] >= 1


def test_a_face_down_hand_is_dealt_anew_for_its_owner_too() -> None:
    """Its deck with it; after `look` it stays."""
    at = load(NAME, start_hand="face_down").new_state(3)
    assert len({tuple(w.hand[0]) for w in samples(at, 0, 30)}) > 20
    assert len({tuple(w.hand[0]) for w in samples(at, 1, 30)}) > 20
    at.apply("look")
    while at.states[0].face_down[0]:
        at.apply("wait")
    assert len({tuple(w.hand[0]) for w in samples(at, 0, 30)}) == 1
    assert len({tuple(w.hand[0]) for w in samples(at, 1, 30)}) > 20
    assert len({tuple(w.deck[0]) for w in samples(at, 0, 30)}) == 30


def test_a_face_down_hand_of_an_open_partner_is_seen_by_nobody() -> None:
    """Once it has been picked up, the partner sees it, the foes do not."""
    at = load(NAME, start_hand="face_down", seats=4, open_team=True).new_state(3)
    assert len({tuple(w.hand[2]) for w in samples(at, 0, 30)}) > 20
    at.apply("wait")
    at.apply("wait")
    at.apply("look")
    while at.states[0].face_down[2]:
        at.apply("wait")
    assert len({tuple(w.hand[2]) for w in samples(at, 0, 30)}) == 1
    assert len({tuple(w.hand[2]) for w in samples(at, 1, 30)}) > 20


def test_reserves_are_shuffled() -> None:
    """The own one too, whose order nobody knows."""
    worlds = samples(load(NAME).new_state(1), 0, 10)
    for owner in (2, 3):
        assert len({tuple(w.deck[owner]) for w in worlds}) == 10


# --- clocks


def clocks_by_hand(
    choices: list[str], duration: dict[str, int], jitter: int, last: int, tick: int, asked: bool, seed: int, count: int
) -> Counter[tuple[str, int]]:
    """Plain Python: how often which act is under way, and when it lands; `asked`: the seat decides before the viewer.

    Acts are drawn one after another from the last one that was seen, each as a player who does anything would; one that
    would have been seen as well is drawn again.
    """
    rng = np.random.default_rng(seed)
    found: Counter[tuple[str, int]] = Counter()
    for _ in range(count):
        clock = last
        while True:
            if clock == tick and not asked:
                found["", 0] += 1
                break
            act = choices[rng.integers(len(choices))]
            lands = clock + duration[act] + (0 if act == "wait" else int(rng.integers(jitter + 1)))
            if lands > tick:
                found[act, lands] += 1
                break
            if act == "wait":
                clock = lands
    return found


def under_way(worlds: list[Any], seat: int) -> Counter[tuple[str, int]]:
    return Counter((state.KINDS[w.p_kind[seat]], int(w.p_due[seat])) for w in worlds)


@pytest.mark.parametrize(
    ("tick", "asked"), [(20, False), (29, False), (29, True), (20, True), (23, True), (23, False), (90, False)]
)
def test_clocks_are_replayed_as_in_plain_python(tick: int, asked: bool) -> None:
    """A seat with a full sleeve and nothing to attack: place 10, discard 4, draw to hand 5, wait 3, jitter 2."""
    sleeves = (["heart", "star", "moon", "honey"], ["eye", "fang", "claw", "slime"])
    names = ("teddies_0", "monsters_0")
    other = 0 if asked else 1
    players: dict[str, Any] = {
        names[other]: {"hand": [], "sleeve": sleeves[other], "last": {"action": "draw", "tick": 20}},
        names[1 - other]: {"hand": [], "sleeve": sleeves[1 - other]},
    }
    rooms = {1: {"bedroom": "b2_01"}, 2: {"bedroom": "b2_02"}, 3: {"bedroom": "b2_03"}}
    pending = {names[other]: {"action": "wait", "lands": tick + 1}}
    game = load(NAME, jitter=2, tempo={"wait": 3}, reaction=0)
    at = game.from_position({"tick": tick, "players": players, "rooms": rooms, "pending": pending})
    assert at.actor == 1 - other
    choices = ["place"] * fitting(at, other) + ["discard"] * 4 + ["draw", "wait"]
    duration = {"place": 10, "discard": 4, "draw": 5, "wait": 3}
    count = 4000
    expected = clocks_by_hand(choices, duration, 2, 20, tick, asked, 1, count)
    got = under_way(samples(at, 1 - other, count), other)
    for key in set(expected) | set(got):
        assert abs(expected[key] - got[key]) < 5 * (expected[key] + got[key] + 9) ** 0.5, key


def fitting(at: State, seat: int) -> int:
    """How many placements a seat's sleeve has in the empty rooms: each type fits one end of some sequences."""
    s, rules = at.states[0], at.game.rules[0]
    count = 0
    for room in range(3):
        bedroom = rules.bedrooms[s.bedroom[room]]
        sequence = rules.sequences[s.bedroom[room], seat % 2, : bedroom[cards.LENGTH]]
        ends = {int(sequence[0]), int(sequence[-1])}
        count += sum(int(rules.cards[seat % 2, card, cards.FILL_A]) in ends for card in np.flatnonzero(s.sleeve[seat]))
    return count


def test_a_seat_that_was_seen_less_than_a_wait_ago_began_its_act_then() -> None:
    """A wait takes four ticks, so nothing lies between."""
    last = {"action": "draw", "tick": 38}
    players = {"monsters_0": {"last": last}}
    at = start({"tick": 40, "players": players}, jitter=0)
    for w in samples(at, 0, 200):
        kind = int(w.p_kind[1])
        assert w.p_due[1] == 38 + at.game.rules[0].duration[1, kind]


def test_a_clock_at_this_tick_is_idle_after_the_seat_that_is_asked_and_not_before() -> None:
    """A foe that was seen just now."""
    foe = {"monsters_0": {"last": {"action": "draw", "tick": 40}}}
    at = start({"tick": 40, "players": foe})
    assert all(w.p_kind[1] == state.IDLE and w.p_due[1] == 0 for w in samples(at, 0, 30))
    me = {"teddies_0": {"last": {"action": "draw", "tick": 40}}}
    pending = {"teddies_0": {"action": "wait", "lands": 44}}
    at = load(NAME).from_position({"tick": 40, "players": me, "pending": pending})
    assert at.actor == 1
    kinds = Counter(int(w.p_kind[0]) for w in samples(at, 1, 60))
    assert state.IDLE not in kinds
    assert len(kinds) > 2


def test_a_seat_that_is_not_asked_keeps_its_own_act() -> None:
    """Who is asked stays idle, and owes no target as far as others know."""
    rooms = {1: {"bedroom": "b2_01"}, 2: {"bedroom": "b2_05"}}
    at = start({"rooms": rooms, "players": {"teddies_0": {"hand": ["heart"]}}})
    at.apply("play heart")
    assert at.states[0].picked >= 0
    for w in samples(at, 1, 20):
        assert w.actor == 0
        assert w.picked == state.NO_CARD
        assert w.p_kind[0] == state.IDLE
        assert [int(w[field][1]) for field in ACT] == [state.WAIT, 0, 0, 0, 900]
    assert all(w.picked == at.states[0].picked for w in samples(at, 0, 5))


# --- partners


def team_position(act: dict[str, Any] | None, hand: list[str], **more: Any) -> dict[str, Any]:
    pending: dict[str, Any] = {name: {"action": "wait", "lands": 900} for name in ("monsters_0", "monsters_1")}
    if act:
        pending["teddies_1"] = act
    players = {"teddies_1": {"hand": hand, "sleeve": ["moon"], "last": {"action": "draw", "tick": 35}}}
    rooms = {1: {"bedroom": "b2_01"}, 2: {"bedroom": "b2_05"}}
    return {"tick": 40, "players": players, "pending": pending, "rooms": rooms, **more}


def test_of_an_open_partners_act_kind_and_room_stay() -> None:
    """Its card is one that it has and that can be used so, legal now or not; it began since it was last seen."""
    act = {"action": "place heart 1", "lands": 47}
    game = load(NAME, seats=4, open_team=True, jitter=0)
    at = game.from_position(team_position(act, ["heart", "pillow_bomb", "red_yarn", "red_baker"]))
    worlds = samples(at, 0, 200)
    assert {(int(w.p_kind[2]), int(w.p_room[2])) for w in worlds} == {(state.PLACE, 0)}
    placed = {int(w.p_card[2]) for w in worlds}
    assert placed == {number(game, card) for card in ("heart", "moon", "red_baker")}
    dues = {int(w.p_due[2]) for w in worlds}
    assert dues == {40 + 14 - age for age in range(1, 6)}  # it comes after the seat being asked; last seen 5 ticks ago
    assert all((w.hand[2] == at.states[0].hand[2]).all() for w in worlds)


def test_an_open_partner_without_a_fitting_card_acts_with_any_that_has_the_verb() -> None:
    """It had one when it began."""
    act = {"action": "bomb pillow_bomb 2", "lands": 47}
    game = load(NAME, seats=4, open_team=True)
    at = game.from_position(team_position(act, ["heart"]))
    assert {int(w.p_card[2]) for w in samples(at, 0, 20)} == {number(game, "pillow_bomb")}
    act = {"action": "trap red_yarn 2", "lands": 47}
    at = game.from_position(team_position(act, ["heart"]))
    yarn = {number(game, f"{colour}_yarn") for colour in cards.COLOURS}
    assert {int(w.p_card[2]) for w in samples(at, 0, 100)} == yarn


def test_an_open_partner_is_idle_if_no_act_shows() -> None:
    """Then it is asked after me; of a draw the place is not shown."""
    game = load(NAME, seats=4, open_team=True)
    at = game.from_position(team_position(None, ["heart"]))
    assert at.actor == 0
    assert all(w.p_kind[2] == state.IDLE for w in samples(at, 0, 20))
    at = game.from_position(team_position({"action": "draw hand", "lands": 42}, ["heart"]))
    assert {(int(w.p_kind[2]), int(w.p_side[2])) for w in samples(at, 0, 40)} == {(state.DRAW, 0), (state.DRAW, 1)}


def test_without_the_option_partners_know_no_more_than_foes() -> None:
    """Hand and act are sampled like any other's."""
    game = load(NAME, seats=4)
    at = game.from_position(team_position({"action": "place heart 1", "lands": 47}, ["heart", "moon", "star"]))
    worlds = samples(at, 0, 60)
    assert len({int(w.p_kind[2]) for w in worlds}) > 2
    assert len({tuple(w.hand[2]) for w in worlds}) > 20


def test_only_the_owner_calls_with_that_option() -> None:
    """The row of a shown call is then the own one."""
    wrong = {"bedroom": "b2_02", "teddies": {"row": ["moon"]}, "monsters": {"row": ["fang"]}}
    for call_by, sides in (("any", {0, 1}), ("owner", {0})):
        game = load(NAME, seats=4, open_team=True, allow_mistakes=True, call_by=call_by)
        position = team_position({"action": "call own 3", "lands": 50}, ["heart"])
        position["rooms"][3] = wrong
        at = game.from_position(position)
        assert {int(w.p_side[2]) for w in samples(at, 0, 40)} == sides
