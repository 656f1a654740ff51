"""What a seat may know can be read back from its observation: the vector is decoded and compared with the record."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import load
from cardzoo.envs.bloodsport_gambler import cards, fights, state
from cardzoo.envs.bloodsport_gambler.game import BloodsportGambler
from cardzoo.envs.bloodsport_gambler.legal import risk_of
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.state import State

GAMES: tuple[dict[str, Any], ...] = (
    *BloodsportGambler.variants.values(),
    *({"objective": objective} for objective in ("outcome", "race", "fate")),
    *({"seats": 1, "objective": objective} for objective in ("outcome", "fate")),
    {"objective": "fate", "finished_seat": "restart"},
    {"objective": "outcome", "finished_seat": "continue"},
    {"pass_rule": "final", "max_fight_rounds": 2},
)
ASKING = ("target", "show", "time", "coin")


class Seen:
    """The observation of one seat, read block by block."""

    def __init__(self, game: Game, vector: np.ndarray) -> None:
        self.game = game
        self.vector = vector

    def block(self, name: str) -> np.ndarray:
        block = self.game.observations.block(name)
        return self.vector[block.slice].reshape(block.shape)

    def counts(self, name: str, scale: float = 2) -> list[int]:
        return whole(self.block(name), scale)


def whole(values: np.ndarray, scale: float = 1) -> Any:
    """Numbers that were divided by a scale, as integers; they must be whole."""
    numbers = np.asarray(values, np.float64) * scale
    assert np.abs(numbers - np.rint(numbers)).max(initial=0) < 1e-4
    return np.rint(numbers).astype(int).tolist()


def knows(mask: int, seat: int) -> bool:
    return bool(int(mask) >> seat & 1)


def unlocated(state_: State, seat: int) -> np.ndarray:
    """Section 5: action cards that a seat cannot locate."""
    s, rules = state_.states[0], state_.game.rules[0]
    left = rules.actions[:, cards.COPIES].astype(int) - s.hand[seat] - s.act_disc - s.used
    for k in range(s.n_sab):
        if knows(s.sab_seen[k], seat):
            left[s.sab_card[k]] -= 1
    if s.p_card >= 0:
        sabotage = rules.actions[s.p_card, cards.KIND] == cards.SABOTAGE
        if s.actor == seat or not sabotage or s.show[0] == 1:
            left[s.p_card] -= 1
    return left


def assert_piles(at: State, seat: int, seen: Seen) -> None:
    """Hands, discards, decks."""
    s, rules = at.states[0], at.game.rules[0]
    n = int(rules.num_actions)
    assert seen.counts("hand") == s.hand[seat, :n].tolist()
    assert seen.counts("discard") == s.act_disc[:n].tolist()
    assert seen.counts("used") == s.used[:n].tolist()
    left = unlocated(at, seat)
    assert left.min() >= 0
    assert seen.counts("deck") == np.minimum(left, s.pool[seat])[:n].tolist()
    weapons, fighters, secrets = (
        np.zeros(size, int) for size in (rules.num_weapons, rules.num_fighters, len(s.sec_disc))
    )
    for card in s.wea_deck[: s.n_wea]:
        weapons[card] += 1
    for card in s.fig_deck[: s.n_fig]:
        fighters[card] += 1
    for card in s.sec_deck[: s.n_sec]:
        secrets[card] += 1
    for fight in range(3):
        for side in range(2):
            if s.weapon[fight, side] >= 0 and not knows(s.w_known[fight, side], seat):
                weapons[s.weapon[fight, side]] += -1 if s.w_old[fight, side] else 1
        if s.secret[fight] >= 0 and not knows(s.s_known[fight], seat):
            secrets[s.secret[fight]] += -1 if s.s_old[fight] else 1
    assert seen.counts("weapons") == weapons.tolist()
    assert seen.counts("fighters") == fighters.tolist()
    assert seen.counts("secrets") == secrets[: rules.num_secrets].tolist()


def assert_flow(at: State, seat: int, seen: Seen) -> None:
    """Node, clock and the seats."""
    s = at.states[0]
    node = state.NODES[s.node]
    marks = seen.block("node")
    assert [name for name, mark in zip(state.NODES, marks, strict=False) if mark] == ([] if node == "over" else [node])
    clock = seen.block("clock")
    assert whole(clock[0]) == int(s.actor == seat)
    assert whole(clock[1], 9) == min(18, int(s.round_no))
    fighting = s.fight_round > 0 or node == "window"
    assert whole(clock[2:5]) == [int((fighting or node == "bet") and s.fight == fight) for fight in range(3)]
    assert whole(clock[5], 20) == min(40, int(s.fight_round))
    assert whole(clock[6], 2) == s.guard - 1
    assert whole(clock[7:9]) == [int(s.caught), int(s.first == seat)]
    last = s.passes > 0 and node in ("act", "react")
    assert whole(clock[9]) == int((last and s.actor == seat) or s.passed[1 - seat])
    assert whole(clock[10]) == int((last and s.actor != seat) or s.passed[seat])
    assert whole(clock[11]) == int(s.playing.all())
    assert whole(clock[12], 28) == s.n_act
    for row, other in zip(seen.block("seats"), (seat, 1 - seat), strict=True):
        coins = int(s.coin[other]) + (int(s.bet_coin[other].sum()) if other != seat else 0)
        assert whole(row[0], 40) == min(80, coins)
        assert [whole(row[1], 6), whole(row[2], 3)] == [s.time[other], s.chance[other]]
        assert whole(row[3:9]) == s.paid[other].tolist()
        assert [whole(row[9], 6), whole(row[10], 12)] == [s.paid_now[other], min(24, int(s.n_hand[other]))]
        assert whole(row[11:]) == [{0: 0, 1: 1, 2: -1}[int(code)] for code in (s.status[other], s.result[other])]


def weapon_numbers(at: State, fight: int, side: int) -> list[int]:
    """Type as two numbers and damage of a weapon."""
    s, rules = at.states[0], at.game.rules[0]
    weapon = rules.weapons[s.weapon[fight, side]]
    kind = int(s.w_type[fight, side]) - 1 if s.w_type[fight, side] else int(weapon[cards.TYPE])
    damage = max(0, int(weapon[cards.DAMAGE]) + int(s.w_damage[fight, side]))
    if s.fight_round > 0 and s.fight == fight:
        kind = fights.current_type(s, rules, fight, side)
        damage = fights.current_damage(s, rules, fight, side)
    return [
        *{"STR": (1, 0), "DEX": (0, 1), "BEST": (1, 1), "WORST": (-1, -1)}[cards.WEAPON_TYPES[kind]],
        min(8, damage),
    ]


def assert_fights(at: State, seat: int, seen: Seen) -> None:
    """The three fights, and dice and modifiers of the one being fought."""
    s, rules = at.states[0], at.game.rules[0]
    if s.fighter[0, 0] < 0:
        return  # cleared after the last round
    for fight, row in enumerate(seen.block("fights")):
        for side in range(2):
            part = row[10 * side : 10 * side + 10]
            fighter = rules.fighters[s.fighter[fight, side]]
            assert whole(part[0], 3) == fighter[cards.RANK]
            assert whole(part[1:4], 6) == [fighter[cards.STR], fighter[cards.DEX], fighter[cards.LIFE]]
            assert whole(part[4], 6) == min(12, int(s.wounds[fight, side]))
            known = knows(s.w_known[fight, side], seat)
            assert whole(part[5]) == (1 if known else -int(s.w_old[fight, side]))
            assert whole(part[6]) == int(knows(s.w_known[fight, side], 1 - seat))
            numbers = weapon_numbers(at, fight, side) if known else [0, 0, 0]
            assert [*whole(part[7:9]), whole(part[9], 4)] == numbers
        common = row[20:27]
        side = {0: 0, 1: 1, 2: -1}[int(s.bet_side[seat, fight])]
        assert whole(common[0], 3) == side * s.bet_coin[seat, fight]
        known = knows(s.s_known[fight], seat)
        assert whole(common[1]) == (1 if known else -int(s.s_old[fight]))
        assert whole(common[2]) == int(knows(s.s_known[fight], 1 - seat))
        winner = state.WINNERS[s.winner[fight]]
        assert whole(common[3:5]) == {"": [0, 0], "left": [1, 1], "right": [1, -1], "none": [1, 0]}[winner]
        assert whole(common[5:7]) == [s.lost[seat, fight], s.lost[1 - seat, fight]]
        assert np.flatnonzero(row[28:]).tolist() == ([int(s.secret[fight])] if known else [])  # 27: test_forecast.py
        assert row[28:].sum() == int(known)
    if s.fight_round == 0 and state.NODES[s.node] != "window":
        assert not seen.block("duel").any()
        return
    for side, row in enumerate(seen.block("duel")):
        assert whole(row[:5], 3) == np.clip(s.mod[s.fight, side, :5], -6, 6).tolist()
        assert whole(row[5]) == s.mod[s.fight, side, 5]
        if s.n_rolls[side]:
            assert whole(row[6], 6) == fights.kept_die(s, rules, int(s.fight), side)
            assert whole(row[7], 12) == min(24, fights.total_score(s, rules, int(s.fight), side))
        else:
            assert not row[6:].any()


def assert_sabotage(at: State, seat: int, seen: Seen) -> None:
    """The stack in order, and once more by spot."""
    s, rules = at.states[0], at.game.rules[0]
    spots = np.zeros((6, rules.num_sabotage + 1), int)
    stack = seen.block("stack").T
    for k, row in enumerate(stack):
        if k >= s.n_sab:
            assert not row.any()
            continue
        spot = int(s.sab_spot[k])
        assert whole(row[0]) == (1 if s.sab_seat[k] == seat else -1)
        assert np.flatnonzero(row[1:4]).tolist() == [spot // 2]
        assert whole(row[1 + spot // 2]) == (-1 if spot % 2 else 1)
        known = knows(s.sab_seen[k], seat)
        kind = int(rules.sabotage_index[s.sab_card[k]])
        assert whole(row[4], rules.num_sabotage) == (kind + 1 if known else 0)
        assert whole(row[5:7], 6) == [s.sab_time[k], s.sab_coin[k]]
        assert row[7] == (1 if s.sab_shown[k] else 0.5 if s.sab_seen[k] == 3 else 0)
        spots[spot, kind if known else -1] += 1
    assert seen.counts("sabotage", 4) == spots.tolist()


def items_to_show(at: State) -> list[int]:
    """Cards that `show` asks about, in order: weapons 0..5, secrets 6..8 (ruling R24)."""
    s, rules = at.states[0], at.game.rules[0]
    if rules.actions[s.p_card, cards.KIND] != cards.DISCOVER:
        return []
    scope = next(e[cards.WHO] for e in rules.action_effects[s.p_card] if e[cards.VERB] == cards.LOOK)
    items: list[int] = []
    for target in s.target[: s.n_target].tolist():
        items += [2 * (target - 6), 2 * (target - 6) + 1, target] if scope == cards.LOOK_FIGHT else [target]
    masks = [*s.w_known.ravel().tolist(), *s.s_known.tolist()]
    return [item for item in items if not knows(masks[item], 1 - int(s.actor))]


def assert_pending(at: State, seat: int, seen: Seen) -> None:
    """The card being played, only for the seat that plays it."""
    s, rules = at.states[0], at.game.rules[0]
    if s.p_card < 0 or s.actor != seat:
        assert not seen.block("card").any()
        assert not seen.block("pending").any()
        return
    assert state.NODES[s.node] in ASKING
    assert np.flatnonzero(seen.block("card")).tolist() == [int(s.p_card)]
    halves = whole(seen.block("pending")[:9], 2)
    assert [k for k, n in enumerate(halves) if n & 1] == sorted(s.target[: s.n_target].tolist())
    items = items_to_show(at)
    asked = [items[s.n_show]] if state.NODES[s.node] == "show" and items else []
    assert [k for k, n in enumerate(halves) if n & 2] == asked
    shown = int(s.show.sum())
    assert [whole(seen.block("pending")[9], 3), whole(seen.block("pending")[11], 6)] == [shown, s.p_time]
    assert whole(seen.block("pending")[10], 9) == risk_of(rules, int(s.p_card), shown)


def assert_recoverable(at: State, seat: int) -> None:
    """Everything public, and what the seat knows beside it."""
    vector = at.observe(seat)
    assert np.abs(vector).max() <= at.game.observation_limit
    seen = Seen(at.game, vector)
    for check in (assert_piles, assert_flow, assert_fights, assert_sabotage, assert_pending):
        check(at, seat, seen)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), options=st.sampled_from(GAMES))
def test_what_a_seat_may_know_is_in_its_observation(seed: int, options: dict[str, Any]) -> None:
    """Section 8 the other way round: nothing a seat may know is lost in the encoding."""
    game = load("bloodsport_gambler", **options)
    rng = np.random.default_rng(seed)
    at = game.new_state(seed)
    while not at.is_over:
        if rng.random() < 0.1 or state.NODES[at.states[0].node] in ("window", "react", "show", "coin"):
            for seat in range(game.num_seats):
                assert_recoverable(at, seat)
        at.apply(int(rng.choice(at.legal_actions())))
    for seat in range(game.num_seats):
        assert_recoverable(at, seat)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), options=st.sampled_from(GAMES))
def test_every_entry_is_written(seed: int, options: dict[str, Any]) -> None:
    """Whatever was in the row before does not show."""
    game = load("bloodsport_gambler", **options)
    rng = np.random.default_rng(seed)
    at = game.new_state(seed)
    while True:
        seat = int(rng.integers(game.num_seats))
        rows = np.full((2, game.observation_size), 7, np.float32)
        rows[1] = -7
        for row in rows:
            game.kernels.observe(at.states, 0, game.rules, seat, row)
        assert (rows[0] == rows[1]).all()
        if at.is_over:
            return
        at.apply(int(rng.choice(at.legal_actions())))


@pytest.mark.parametrize("seats", [1, 2])
def test_every_feature_is_named_and_the_vector_is_short(seats: int) -> None:
    """The layout fills the vector, with a size that depends on the card file only."""
    game = load("bloodsport_gambler", seats=seats)
    rules = game.rules[0]
    assert game.observation_size == sum(block.size for block in game.observations)
    fitted = 5 * rules.num_actions + 6 * rules.num_sabotage + rules.num_weapons + rules.num_fighters
    assert game.observation_size == fitted + 4 * rules.num_secrets + 263 == 495
    assert all(block.text for block in game.observations)


def test_the_other_seat_is_zero_in_one_seat_play() -> None:
    """Whoever is not there has no coins, knows nothing and owns nothing."""
    game = load("bloodsport_gambler", seats=1)
    rng = np.random.default_rng(1)
    at = game.new_state(1)
    while not at.is_over:
        seen = Seen(game, at.observe(0))
        assert not seen.block("seats")[1].any()
        fights_ = seen.block("fights")
        assert not fights_[:, [6, 16, 22, 26]].any()
        assert not (seen.block("stack")[0] < 0).any()
        assert not seen.block("stack")[7].any()
        assert not seen.block("clock")[[9, 11]].any()
        at.apply(int(rng.choice(at.legal_actions())))


def reached(node: str, seed: int = 0, **wanted: Any) -> State:
    """A state of random play in a node, at which a test of the record holds."""
    game = load("bloodsport_gambler")
    for number in range(seed, seed + 200):
        rng = np.random.default_rng(number)
        at = game.new_state(number)
        while not at.is_over:
            s = at.states[0]
            if state.NODES[s.node] == node and all(test(s) for test in wanted.values()):
                return at
            at.apply(int(rng.choice(at.legal_actions())))
    raise AssertionError(f"no state at {node}")


def assert_hidden_from(at: State, seat: int, changed: State) -> None:
    """A change of the record is invisible to a seat, but not to the other one."""
    assert at.states.tobytes() != changed.states.tobytes()
    assert (at.observe(seat) == changed.observe(seat)).all()
    assert (at.observe(1 - seat) != changed.observe(1 - seat)).any()


def test_the_other_hand_does_not_matter() -> None:
    """A card of the other hand and one of the deck change places."""
    at = reached("act", hand=lambda s: s.n_hand[1] > 2 and s.n_act > 2)
    changed = at.copy()
    s = changed.states[0]
    held = int(np.flatnonzero(s.hand[1])[0])
    place = next(k for k in range(s.n_act) if s.act_deck[k] != held)
    s.hand[1, held] -= 1
    s.hand[1, s.act_deck[place]] += 1
    s.act_deck[place] = held
    assert_hidden_from(at, 0, changed)


def test_the_wagers_of_the_other_seat_do_not_matter() -> None:
    """Coins move from a wager back to the purse, and a wager changes sides."""
    at = reached("react", wager=lambda s: s.bet_coin[1].sum() > 0)
    changed = at.copy()
    s = changed.states[0]
    fight = int(np.flatnonzero(s.bet_coin[1])[0])
    s.coin[1] += s.bet_coin[1, fight]
    s.bet_coin[1, fight] = 0
    s.bet_side[1, fight] = 0
    assert_hidden_from(at, 0, changed)


def test_cards_that_only_the_other_seat_has_looked_at_do_not_matter() -> None:
    """That it has looked is seen, what it saw is not."""
    at = reached("act", known=lambda s: ((s.w_known == 2) & (s.w_old == 0)).any() and s.n_wea > 0)
    changed = at.copy()
    s = changed.states[0]
    fight, side = (int(k) for k in np.argwhere((s.w_known == 2) & (s.w_old == 0))[0])
    top = s.n_wea - 1
    s.weapon[fight, side], s.wea_deck[top] = int(s.wea_deck[top]), int(s.weapon[fight, side])
    assert_hidden_from(at, 0, changed)
    at = reached("act", known=lambda s: ((s.s_known == 2) & (s.s_old == 0)).any() and s.n_sec > 0)
    changed = at.copy()
    s = changed.states[0]
    fight = int(np.flatnonzero((s.s_known == 2) & (s.s_old == 0))[0])
    top = s.n_sec - 1
    s.secret[fight], s.sec_deck[top] = int(s.sec_deck[top]), int(s.secret[fight])
    assert_hidden_from(at, 0, changed)


def test_face_down_sabotage_does_not_matter() -> None:
    """It changes places with a card of its owner's hand."""
    rules = load("bloodsport_gambler").rules[0]

    def kept(s: Any) -> list[int]:
        held = np.flatnonzero(s.hand[1])
        return [int(c) for c in held if rules.actions[c, cards.KIND] == cards.SABOTAGE and c != s.sab_card[0]]

    at = reached("act", laid=lambda s: s.n_sab > 0 and s.sab_seen[0] == 2 and len(kept(s)) > 0)
    changed = at.copy()
    s = changed.states[0]
    card = kept(s)[0]
    s.hand[1, card] -= 1
    s.hand[1, s.sab_card[0]] += 1
    s.sab_card[0] = card
    assert_hidden_from(at, 0, changed)


def test_features_stay_within_the_limit() -> None:
    """Wounds, coins, rounds and modifiers far beyond what play reaches are clipped."""
    at = reached("react")
    s = at.states[0]
    s.coin[:] = 500
    s.wounds[:] = 99
    s.mod[:, :, :5] = 99
    s.w_damage[:] = 99
    s.react[:] = 99
    at.states["round_no"][0] = 99
    at.states["fight_round"][0] = 100
    for seat in range(2):
        assert np.abs(at.observe(seat)).max() == at.game.observation_limit
