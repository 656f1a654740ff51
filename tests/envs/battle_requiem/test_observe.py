"""What a seat may know can be read back from its observation: the vector is decoded and compared with the position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import load
from cardzoo.envs.battle_requiem.cards import ABILITY, KINDS, STEP_KINDS, VERB, VERBS, M, N
from cardzoo.envs.battle_requiem.game import BattleRequiem
from cardzoo.envs.battle_requiem.observe import CHARACTER_AT, FLAGS, LAST_DEFENCE_AT, LAST_TURN_AT, NUMBERS_AT
from cardzoo.envs.battle_requiem.state import LAST_DEFENCES, LAST_TURNS, PHASES
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.state import State

GAMES: tuple[dict[str, Any], ...] = (
    *BattleRequiem.variants.values(),
    {"seats": 6, "reward_scope": "any", "max_turns": 60},
    {"teams": [0, 1, 2, 0, 1, 2], "team_hands": "shown", "characters": "draft", "reward_scope": "any"},
)


class Decoded:
    """The observation of one seat, read block by block."""

    def __init__(self, game: Game, vector: np.ndarray) -> None:
        self.game = game
        self.vector = vector
        self.ids = [card.id for card in game.cards]
        self.characters = [character.id for character in game.characters]  # type: ignore[attr-defined]

    def block(self, name: str) -> np.ndarray:
        block = self.game.observations.block(name)
        return self.vector[block.slice].reshape(block.shape)

    def counts(self, name: str) -> Counter[str]:
        return self.copies(self.block(name))

    def copies(self, values: np.ndarray) -> Counter[str]:
        return self.by_id(np.rint(values * 6).astype(int))

    def by_id(self, counts: Sequence[int] | np.ndarray) -> Counter[str]:
        return Counter({card: int(n) for card, n in zip(self.ids, counts, strict=True) if n})

    def scalar(self, index: int, scale: float) -> int:
        return int(np.rint(self.block("scalars")[index] * scale))

    def discard_top(self) -> list[str]:
        """The weights have different sums, so the order can be read even of equal cards."""
        eighths = np.rint(self.block("discard_top") * 8).astype(int)
        return [card for weight in (4, 2, 1) for card, value in zip(self.ids, eighths, strict=True) if value & weight]

    def in_use(self) -> str | None:
        """The card of an effect: its kinds cannot be committed to a duel."""
        used = [
            card.id
            for card, value in zip(self.game.cards, self.block("table"), strict=True)
            if card.kind in ("item", "relic") and value == 1
        ]
        return used[0] if used else None

    def committed(self) -> Counter[str]:
        table = [
            0 if card.kind in ("item", "relic") else int(np.rint(value * 4))
            for card, value in zip(self.game.cards, self.block("table"), strict=True)
        ]
        return self.by_id(table)


class DecodedSeat:
    """The block of one seat."""

    def __init__(self, seen: Decoded, k: int) -> None:
        self.seen = seen
        self.known = seen.copies(seen.block("known")[k])
        self.values = seen.block("seats")[k]
        self.flags = self.values[:FLAGS].astype(int).tolist()

    def number(self, index: int, scale: float) -> int:
        return int(np.rint(self.values[NUMBERS_AT + index] * scale))

    def one_hot(self, start: int, names: Sequence[str]) -> str:
        """The name that is marked; the first name stands for no mark."""
        marks = self.values[start : start + len(names) - 1]
        assert set(marks.tolist()) <= {0.0, 1.0}
        assert marks.sum() <= 1
        return names[1 + int(marks.argmax())] if marks.any() else names[0]

    @property
    def character(self) -> str | None:
        marks = self.values[CHARACTER_AT:]
        assert marks.sum() <= 1
        return self.seen.characters[int(marks.argmax())] if marks.any() else None


def face_down(position: dict[str, Any], seat: int) -> Counter[str]:
    """A seat's own cards in the duel."""
    duel = position["duel"]
    found: Counter[str] = Counter()
    if duel:
        found += Counter(duel["attack"]) if seat == position["active"] else Counter()
        found += Counter(duel["defence"]) if seat == duel["defender"] else Counter()
    return found


def shown_cards(state: State, position: dict[str, Any], seat: int, other: int) -> Counter[str]:
    """The cards of another seat that a seat knows: the known ones, or all of a teammate whose hand it sees."""
    teams = state.game.options["teams"]
    entry = position["seats"][other]
    if state.game.options["team_hands"] == "shown" and teams is not None and teams[seat] == teams[other]:
        return Counter(entry.get("hand") or {}) + face_down(position, other)
    return Counter(entry.get("known") or {})


def pile_bound(state: State, position: dict[str, Any], seat: int) -> Counter[str]:
    """Section 8 of the rules in sets: the most copies that the draw pile may hold as far as a seat knows."""
    unseen = Counter({card.id: card.copies for card in state.game.cards})
    own = position["seats"][seat]
    for cards in (position["box"], own.get("hand") or {}, face_down(position, seat), Counter(position["discard"])):
        unseen.subtract(cards)
    if position["effect"]:
        unseen[position["effect"]["card"]] -= 1
    for other in range(state.game.num_seats):
        if other != seat:
            unseen.subtract(shown_cards(state, position, seat, other))
    assert min(unseen.values()) >= 0
    drawable = Counter(position["mix"])
    drawable.subtract(own.get("fresh") or {})
    return +Counter({card: min(n, drawable[card]) for card, n in unseen.items()})


def turn_order(state: State, seat: int) -> list[int]:
    """All seats in turn order from a seat on."""
    order = state.states[0].order[: state.game.num_seats].tolist()
    place = order.index(seat)
    return order[place:] + order[:place]


def assert_recoverable(state: State, seat: int) -> None:
    """Everything public, and the seat's own cards, as the position has them."""
    game, position = state.game, state.to_position()
    vector = state.observe(seat)
    assert np.abs(vector).max() <= game.observation_limit
    seen = Decoded(game, vector)
    assert seen.counts("hand") == Counter(position["seats"][seat].get("hand") or {})
    assert seen.counts("discard") == Counter(position["discard"])
    assert seen.discard_top() == position["discard"][:3]
    assert seen.counts("pile_bound") == pile_bound(state, position, seat)
    assert seen.committed() == face_down(position, seat)
    phase = seen.block("phase")
    assert (PHASES[int(phase.argmax())] if phase.any() else "over") == position["phase"]
    assert phase.sum() == (0 if state.is_over else 1)
    assert_scalars(state, seen, position)
    assert_effect(state, seen, position)
    for k, other in enumerate(turn_order(state, seat)):
        assert_seat(state, DecodedSeat(seen, k), position, seat, other)
    assert not seen.block("known")[game.num_seats :].any()
    assert not seen.block("seats")[game.num_seats :].any()


def assert_scalars(state: State, seen: Decoded, position: dict[str, Any]) -> None:
    """The numbers of the flow."""
    duel = position["duel"] or {"attack": [], "defence": []}
    assert seen.scalar(0, state.game.options["max_turns"]) == (position["turn"] or 0)
    assert [seen.scalar(1, 80), seen.scalar(2, 80)] == [len(position["draw"]), len(position["discard"])]
    assert seen.scalar(3, 9) == (position["extra"] or 0)
    assert [seen.scalar(7, 3), seen.scalar(8, 3)] == [len(duel["attack"]), len(duel["defence"])]
    due = position["effect"]["need"] if position["effect"] else 0
    if position["phase"] == "trim":
        own = position["seats"][position["active"]]
        due = sum(own["hand"].values()) - own["inventory"]
    assert seen.scalar(4, 4) == min(4, due)


def assert_effect(state: State, seen: Decoded, position: dict[str, Any]) -> None:
    """The card in use and its current step."""
    effect = position["effect"]
    verb, kinds = seen.block("verb"), seen.block("kinds")
    assert seen.in_use() == (effect["card"] if effect else None)
    if effect is None:
        assert not verb.any()
        assert not kinds.any()
        assert [seen.scalar(5, 10), seen.scalar(6, 10)] == [0, 0]
        return
    card = state.game.cards.index(effect["card"])
    rules = state.game.rules[0]
    row = card
    if state.game.cards[card].kind == "relic":
        row = ABILITY + int(state.states[0].char[position["active"]])
    if effect["step"] == rules.num_steps[row]:  # a reward after the last step
        assert not verb.any()
        return
    step = rules.effects[row, effect["step"]]
    assert VERBS[int(verb.argmax())] == VERBS[step[VERB] - 1]
    assert verb.sum() == 1
    assert [bool(kind) for kind in kinds] == [bool(step[STEP_KINDS] >> k & 1) for k in range(len(KINDS))]
    assert [seen.scalar(5, 10), seen.scalar(6, 10)] == [step[N], step[M]]


def assert_seat(state: State, block: DecodedSeat, position: dict[str, Any], seat: int, other: int) -> None:
    """One seat as another sees it."""
    entry, effect = position["seats"][other], position["effect"]
    teams = state.game.options["teams"]
    hp = entry.get("hp") or 0
    aimed = bool(effect) and other in (effect["foe"], effect["ally"], *effect["queue"])
    assert block.flags == [
        1,
        int(hp > 0),
        int(seat == other or (teams is not None and teams[seat] == teams[other])),
        int(position["active"] == other),
        int(position["actor"] == other),
        int(bool(position["duel"]) and position["duel"]["defender"] == other),
        int(aimed),
        int(other in (position["fallen"] or [])),
    ]
    assert block.character == entry["character"]
    assert block.one_hot(LAST_TURN_AT, LAST_TURNS) == (entry.get("last_turn") or "none")
    assert block.one_hot(LAST_DEFENCE_AT, LAST_DEFENCES) == (entry.get("last_defence") or "none")
    tracker_max = int(state.game.rules[0].tracker_max)
    assert [block.number(0, tracker_max), block.number(1, 12)] == [hp, entry.get("inventory") or 0]
    assert block.number(2, 30) == min(30, sum((entry.get("hand") or {}).values()))
    assert block.number(3, 5) == int(state.states[0].rank[other])
    assert [block.number(4, 1), block.number(5, 3)] == [int(entry.get("veil") or 0), entry.get("skip") or 0]
    boosts = [entry.get("attack_boost") or 0, entry.get("defend_boost") or 0]
    assert [block.number(6, 20), block.number(7, 20)] == boosts
    assert block.number(8, 60) == min(60, sum((entry.get("fresh") or {}).values()))
    known = Counter(entry.get("known") or {}) if other == seat else shown_cards(state, position, seat, other)
    assert block.known == +known


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), options=st.sampled_from(GAMES))
def test_what_a_seat_may_know_is_in_its_observation(seed: int, options: dict[str, Any]) -> None:
    """Architecture, section 6, the other way round: nothing a seat may know is lost in the encoding."""
    game = load("battle_requiem", **options)
    rng = np.random.default_rng(seed)
    state = game.new_state(seed)
    while not state.is_over:
        if rng.random() < 0.1 or PHASES[state.states[0].phase] in ("choose", "levy", "tribute", "reward", "trim"):
            assert_recoverable(state, int(rng.integers(game.num_seats)))
        state.apply(int(rng.choice(state.legal_actions())))
    for seat in range(game.num_seats):
        assert_recoverable(state, seat)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), options=st.sampled_from(GAMES))
def test_every_entry_is_written(seed: int, options: dict[str, Any]) -> None:
    """Whatever was in the row before does not show."""
    game = load("battle_requiem", **options)
    rng = np.random.default_rng(seed)
    state = game.new_state(seed)
    for _ in range(60):
        if state.is_over:
            break
        seat = int(rng.integers(game.num_seats))
        rows = np.full((2, game.observation_size), 7, np.float32)
        rows[1] = -7
        for row in rows:
            game.kernels.observe(state.states, 0, game.rules, seat, row)
        assert (rows[0] == rows[1]).all()
        state.apply(int(rng.choice(state.legal_actions())))


def test_every_feature_is_named_and_the_vector_is_short() -> None:
    """The layout fills the vector: 48 features, 5 for each type, and 26 + T + C for each seat."""
    sizes = {}
    for seats in range(2, 7):
        game = load("battle_requiem", seats=seats)
        sizes[seats] = game.observation_size
        assert game.observation_size == sum(block.size for block in game.observations)
        assert game.observation_size == 48 + 5 * 29 + seats * (26 + 29 + 18)
        assert all(block.text for block in game.observations)
    assert sizes == {2: 339, 3: 412, 4: 485, 5: 558, 6: 631}
    assert load("battle_requiem", obs_seats=6).observation_size == 631


def test_missing_seats_are_zero_and_change_nothing_else() -> None:
    """One network for all numbers of seats: with obs_seats 6 the other entries are those of the smaller vector."""
    small, wide = load("battle_requiem", seats=3), load("battle_requiem", seats=3, obs_seats=6)
    rng = np.random.default_rng(3)
    state = small.new_state(3)
    while not state.is_over:
        for seat in range(3):
            few, many = Decoded(small, state.observe(seat)), Decoded(wide, State(wide, state.states).observe(seat))
            for block in small.observations:
                if block.name in ("known", "seats"):
                    assert (many.block(block.name)[:3] == few.block(block.name)).all()
                    assert not many.block(block.name)[3:].any()
                else:
                    assert (many.block(block.name) == few.block(block.name)).all()
        state.apply(int(rng.choice(state.legal_actions())))


@pytest.mark.parametrize("seat", [0, 1])
def test_features_stay_within_the_limit_in_extreme_positions(seat: int) -> None:
    """A hand of half the deck, all boosts, a full tracker: everything within -1..1."""
    game = load("battle_requiem")
    hand = {card.id: card.copies for card in list(game.cards)[:18]}
    other = {card.id: card.copies for card in list(game.cards)[18:]}
    extremes = {"hp": 30, "inventory": 12, "skip": 3, "attack_boost": 20, "defend_boost": -20}
    seats = [
        {"character": "ash_squire", "hand": hand, "known": hand, **extremes},
        {"character": "iron_marshal", "hand": other, "known": other, **extremes},
    ]
    state = game.from_position({"seats": seats, "extra": 9, "turn": 200})
    vector = state.observe(seat)
    assert np.isfinite(vector).all()
    assert np.abs(vector).max() == game.observation_limit


def test_three_equal_cards_stay_within_the_limit() -> None:
    """The sums of the blocks `table` and `discard_top` do not go beyond 1 by rounding."""
    seats = [{"character": "ash_squire", "hand": ["dagger"]}, {"character": "iron_marshal", "hand": ["sling"]}]
    game = load("battle_requiem")
    duel = {"defender": 1, "attack": ["spark"] * 3}
    position = {"seats": seats, "box": "rest", "draw": ["meteor"], "discard": ["longsword"] * 3, "duel": duel}
    vector = game.from_position({**position, "phase": "defend", "active": 0}).observe(0)
    assert vector.max() == 1
    assert Decoded(game, vector).committed() == Counter(spark=3)
    assert Decoded(game, vector).discard_top() == ["longsword"] * 3


def test_hidden_cards_of_others_do_not_matter() -> None:
    """Two positions that differ in another hand and the draw pile look the same; to their owner they do not."""
    game = load("battle_requiem")

    def vectors(other: str, below: str) -> list[np.ndarray]:
        seats = [
            {"character": "ash_squire", "hand": ["dagger"], "inventory": 1},
            {"character": "iron_marshal", "hand": [other], "inventory": 1},
        ]
        state = game.from_position({"seats": seats, "box": "rest", "draw": [below]})
        return [state.observe(seat) for seat in range(2)]

    one, two = vectors("spark", "meteor"), vectors("meteor", "spark")
    assert (one[0] == two[0]).all()
    assert (one[1] != two[1]).any()


def test_a_shown_hand_takes_the_place_of_what_is_known() -> None:
    """With team_hands shown a teammate's cards are seen, face-down ones included, those of opponents are not."""
    position = {
        "seats": [
            {"character": "ash_squire", "hand": ["dagger", "meteor"]},
            {"character": "fox_kit", "hand": ["spark"]},
            {"character": "iron_marshal", "hand": ["sling"]},
            {"character": "moss_healer", "hand": ["fireball"]},
        ],
        "box": "rest",
        "draw": ["warhammer"],
        "phase": "attack",
        "active": 0,
        "duel": {"defender": 1, "attack": ["longsword"]},
    }
    for shown in ("shown", "hidden"):
        game = load("battle_requiem", teams=[0, 1, 0, 1], team_hands=shown)
        state = game.from_position(position)
        for seat in (1, 2):
            seen = Decoded(game, state.observe(seat))
            known = {other: DecodedSeat(seen, k).known for k, other in enumerate(turn_order(state, seat))}
            mate = (seat + 2) % 4
            cards = {0: ["dagger", "meteor", "longsword"], 3: ["fireball"]}[mate]
            assert known[mate] == (Counter(cards) if shown == "shown" else Counter())
            assert not known[(seat + 1) % 4]
