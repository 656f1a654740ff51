"""Every check of `battle_requiem.checks` can fail: sound states are broken, one thing at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from cardzoo.envs import load
from cardzoo.envs.battle_requiem import checks, state
from cardzoo.envs.battle_requiem.cards import ARMOR
from cardzoo.envs.core.state import State

ASKERS = ("cinder_duelist", "briar_broker", "storm_caller", "forge_warden")


@cache
def found(phase: str, seats: int = 4, **options: Any) -> State:
    """A sound state of random play in a phase, not too early; in attack and defend one card of each is committed."""
    fallen = options.pop("fallen", None)
    if seats == 4 and not options:
        options = {"characters": ASKERS, "reward_scope": "any", "returns": "placement"}
    teams = [0, 1, 0, 1] if options.pop("teamed", False) else None
    game = load("battle_requiem", seats=seats, teams=teams, **options)
    for seed in range(100):
        rng = np.random.default_rng(seed)
        at = game.new_state(seed)
        while True:
            s = at.states[0]
            enough = int(s.active) == 2 if phase == "draft" else int(s.turn) > 12
            if phase in ("attack", "defend"):
                enough = enough and int(s.n_att) == 1 and (phase == "attack" or int(s.n_dfn) == 1)
            if fallen is not None:
                enough = enough and (s.hp[: game.num_seats] == 0).any() == fallen
            if state.PHASES[s.phase] == phase and enough:
                assert at.problems() == []
                return at
            if at.is_over:
                break
            at.apply(int(rng.choice(at.legal_actions())))
    raise AssertionError(f"no state in phase {phase}")


def bits(at: State) -> int:
    return int(at.game.kernels.problems(at.states, 0, at.game.rules))


def put(field: str, value: int) -> Callable[[State], None]:
    """Set a number of the record."""

    def change(at: State) -> None:
        at.states[field][0] = value

    return change


def put_at(field: str, place: int | tuple[int, int], value: int) -> Callable[[State], None]:
    """Set an entry of an array of the record."""

    def change(at: State) -> None:
        at.states[field][(0, *place) if isinstance(place, tuple) else (0, place)] = value

    return change


def of_active(field: str, value: int) -> Callable[[State], None]:
    """Set an entry of the active seat, which lives."""

    def change(at: State) -> None:
        at.states[field][0, int(at.states[0].active)] = value

    return change


def of_fallen(field: str, value: int) -> Callable[[State], None]:
    """Set an entry of an eliminated seat."""

    def change(at: State) -> None:
        fallen = int(np.flatnonzero(at.states[0].hp[: at.game.num_seats] == 0)[0])
        at.states[field][0, fallen] = value

    return change


def add(field: str, place: int | tuple[int, int], step: int = 1) -> Callable[[State], None]:
    """Add to an entry of an array of the record."""

    def change(at: State) -> None:
        at.states[field][(0, *place) if isinstance(place, tuple) else (0, place)] += step

    return change


def swap_order(at: State) -> None:
    """Two seats change places in the turn order, consistently."""
    s = at.states[0]
    seats = s.order[:2].tolist()
    s.order[:2] = seats[::-1]
    s.rank[seats[0]], s.rank[seats[1]] = 1, 0
    at.states["pos"][0] = s.rank[s.active]


def know_more(at: State) -> None:
    """One more known copy than the active seat holds."""
    s = at.states[0]
    card = int(s.hand[s.active].argmax())
    s.known[s.active, card] = s.hand[s.active, card] + 1


def drawn_twice(at: State) -> None:
    """A card of the draw pile was not in it."""
    s = at.states[0]
    s.mix[int(s.draw[0])] = 0


def fresh_twice(at: State) -> None:
    """Seats drew more copies than lay in the pile."""
    s = at.states[0]
    s.fresh[0, 0] += int(s.mix[0]) + 1


def other_character(at: State) -> None:
    """Seat 1 has seat 0's character."""
    at.states[0].char[1] = at.states[0].char[0]


def strange_realm(at: State) -> None:
    """Seat 0 of a team changes to a character of another realm that nobody has."""
    s, rules = at.states[0], at.game.rules[0]
    mine = rules.characters[s.char[0], 0]
    theirs = [int(c) for c in range(rules.num_characters) if rules.characters[c, 0] != mine and c not in s.char]
    s.char[0] = theirs[0]


def armor_in_attack(at: State) -> None:
    """The first attack card is armor."""
    at.states[0].att[0] = next(k for k, card in enumerate(at.game.cards) if at.game.rules[0].types[k, 0] == ARMOR)


def armor_in_defence(at: State) -> None:
    """The first defence card is armor, which would have ended the defence."""
    at.states[0].dfn[0] = next(k for k, card in enumerate(at.game.cards) if at.game.rules[0].types[k, 0] == ARMOR)


def own_defender(at: State) -> None:
    """The attacker attacks itself."""
    at.states["defender"][0] = at.states[0].active


def weapon_in_use(at: State) -> None:
    """A card that has no effect is being carried out."""
    at.states["eff_card"][0] = 0


def foe_of_own_team(at: State) -> None:
    """The effect is aimed at its user."""
    at.states["eff_foe"][0] = at.states[0].active


def ally_of_other_team(at: State) -> None:
    """An opponent is the ally of the effect."""
    at.states["eff_ally"][0] = (int(at.states[0].active) + 1) % at.game.num_seats


def asks_itself(at: State) -> None:
    """The user is among those who answer its effect."""
    at.states["eff_queue"][0] |= 1 << int(at.states[0].active)


def next_actor(at: State) -> None:
    """Another seat is to decide."""
    at.states["actor"][0] = (int(at.states[0].actor) + 1) % at.game.num_seats


def empty_hand(at: State) -> None:
    """The actor has no card left to decide on, consistently."""
    s = at.states[0]
    s.hand[s.actor] = 0
    s.n_hand[s.actor] = 0


def all_but_one_team(at: State) -> None:
    """The opponents of the active seat have no HP."""
    s = at.states[0]
    s.hp[[seat for seat in range(at.game.num_seats) if seat != s.active]] = 0


def other_place(at: State) -> None:
    """A seat that is out has another place."""
    s = at.states[0]
    out = int(np.flatnonzero(s.place2)[0])
    s.place2[out] = 4 if s.place2[out] == 8 else 8


def mates_differ(at: State) -> None:
    """A member of a team that is out has another place than the other."""
    s = at.states[0]
    s.place2[int(np.flatnonzero(s.place2)[0])] = 3


BROKEN: tuple[tuple[int, str, Callable[[State], None]], ...] = (
    (checks.COPIES_LOST, "turn", add("box", 3)),
    (checks.COPIES_LOST, "attack", put_at("att", 0, 1)),
    (checks.BAD_COUNTS, "turn", add("n_hand", 1)),
    (checks.BAD_COUNTS, "turn", add("hand", (0, 2))),
    (checks.BAD_COUNTS, "turn", add("in_disc", 2)),
    (checks.NOT_ZERO, "turn", put_at("draw", 79, 1)),
    (checks.NOT_ZERO, "turn", put_at("disc", 79, 1)),
    (checks.NOT_ZERO, "turn", put_at("att", 0, 1)),
    (checks.NOT_ZERO, "turn", put_at("dfn", 2, 1)),
    (checks.NOT_ZERO, "turn", put_at("steals", 0, 1)),
    (checks.NOT_ZERO, "turn", put("n_draw", 81)),
    (checks.NOT_ZERO, "turn", put("n_disc", -1)),
    (checks.NOT_ZERO, "turn", put("n_att", 4)),
    (checks.NOT_ZERO, "turn", put_at("draw", 0, 29)),
    (checks.NOT_ZERO, "turn", put_at("disc", 0, 29)),
    (checks.NOT_ZERO, "turn", put_at("char", 0, 18)),
    (checks.NOT_ZERO, "turn", put_at("char", 5, 0)),
    (checks.NOT_ZERO, "turn", put_at("order", 0, 4)),
    (checks.NOT_ZERO, "turn", put_at("rank", 0, -1)),
    (checks.NOT_ZERO, "turn", put("active", 4)),
    (checks.NOT_ZERO, "turn", put("pos", 4)),
    (checks.NOT_ZERO, "turn", put("actor", -2)),
    (checks.NOT_ZERO, "turn", put("defender", 4)),
    (checks.NOT_ZERO, "turn", put("eff_foe", 4)),
    (checks.NOT_ZERO, "turn", put("eff_ally", 4)),
    (checks.NOT_ZERO, "turn", put("eff_card", 29)),
    (checks.NOT_ZERO, "turn", put("phase", 12)),
    (checks.NOT_ZERO, "turn", put("left", 1 << 4)),
    (checks.NOT_ZERO, "turn", put("fallen", 1 << 4)),
    (checks.NOT_ZERO, "turn", put("eff_queue", 1 << 4)),
    *(
        (checks.NOT_ZERO, "turn", put_at(field, 4, 1))
        for field in (
            *("order", "rank", "hp", "inv", "skip", "veil", "att_boost", "def_boost"),
            *("place2", "last_turn", "last_def", "n_hand"),
        )
    ),
    *((checks.NOT_ZERO, "turn", put_at(field, (4, 0), 1)) for field in ("hand", "known", "fresh")),
    *((checks.NOT_ZERO, "turn", put_at(field, (0, 29), 1)) for field in ("hand", "known", "fresh")),
    *((checks.NOT_ZERO, "turn", put_at(field, 29, 1)) for field in ("mix", "box", "in_disc")),
    (checks.KNOWN_ABOVE, "turn", know_more),
    (checks.BAD_PILE, "turn", drawn_twice),
    (checks.BAD_PILE, "turn", fresh_twice),
    (checks.OUT_OF_RANGE, "turn", of_active("hp", 31)),
    (checks.OUT_OF_RANGE, "turn", of_active("hp", -1)),
    (checks.OUT_OF_RANGE, "turn", of_active("inv", 0)),
    (checks.OUT_OF_RANGE, "turn", of_active("inv", 13)),
    (checks.OUT_OF_RANGE, "turn", of_active("skip", 4)),
    (checks.OUT_OF_RANGE, "turn", of_active("skip", -1)),
    (checks.OUT_OF_RANGE, "turn", of_active("veil", 2)),
    (checks.OUT_OF_RANGE, "turn", of_active("att_boost", 21)),
    (checks.OUT_OF_RANGE, "turn", of_active("att_boost", -21)),
    (checks.OUT_OF_RANGE, "turn", of_active("def_boost", 21)),
    (checks.OUT_OF_RANGE, "turn", of_active("def_boost", -21)),
    (checks.OUT_OF_RANGE, "turn", of_active("last_turn", 6)),
    (checks.OUT_OF_RANGE, "turn", of_active("last_def", 5)),
    (checks.OUT_OF_RANGE, "turn", put("turn", 0)),
    (checks.OUT_OF_RANGE, "turn", put("turn", 401)),
    (checks.OUT_OF_RANGE, "turn", put("round_no", 0)),
    (checks.OUT_OF_RANGE, "turn", put("round_no", 399)),
    (checks.OUT_OF_RANGE, "turn", put("extra", 10)),
    (checks.OUT_OF_RANGE, "turn", put("extra", -1)),
    (checks.OUT_OF_RANGE, "turn", put("truncated", 2)),
    (checks.OUT_OF_RANGE, "draft", put("turn", 1)),
    (checks.OUT_OF_RANGE, "draft", put("extra", 1)),
    (checks.NOT_GONE, "turn", of_active("hp", 0)),
    (checks.NOT_GONE, "draft", put("fallen", 1)),
    (checks.NOT_GONE, "reward", of_fallen("skip", 1)),
    (checks.NOT_GONE, "reward", of_fallen("veil", 1)),
    (checks.NOT_GONE, "reward", of_fallen("att_boost", 1)),
    (checks.NOT_GONE, "reward", of_fallen("def_boost", -1)),
    (checks.NOT_GONE, "trim", put("fallen", 15)),
    (checks.BAD_ORDER, "turn", swap_order),
    (checks.BAD_ORDER, "turn", put_at("rank", 0, 1)),
    (checks.BAD_ORDER, "draft", swap_order),
    (checks.BAD_CHARACTER, "turn", other_character),
    (checks.BAD_CHARACTER, "turn", put_at("char", 0, -1)),
    (checks.BAD_CHARACTER, "draft", put_at("char", 3, 0)),
    (checks.BAD_PLACES, "turn", put("left", 1)),
    (checks.BAD_PLACES, "reward", put("left", 0)),
    (checks.BAD_PLACES, "reward", of_fallen("place2", 0)),
    (checks.BAD_PLACES, "reward", of_fallen("place2", 9)),
    (checks.BAD_PLACES, "reward", of_fallen("place2", 3)),
    (checks.BAD_DUEL, "turn", put("defender", 1)),
    (checks.BAD_DUEL, "turn", put("n_att", 1)),
    (checks.BAD_DUEL, "turn", put("n_dfn", 1)),
    (checks.BAD_DUEL, "attack", put("defender", -1)),
    (checks.BAD_DUEL, "attack", own_defender),
    (checks.BAD_DUEL, "attack", armor_in_attack),
    (checks.BAD_DUEL, "attack", put("n_dfn", 1)),
    (checks.BAD_DUEL, "attack", put("n_att", 3)),
    (checks.BAD_DUEL, "defend", armor_in_defence),
    (checks.BAD_DUEL, "defend", put("n_dfn", 3)),
    (checks.BAD_EFFECT, "turn", put("eff_step", 1)),
    (checks.BAD_EFFECT, "turn", put("eff_branch", 1)),
    (checks.BAD_EFFECT, "turn", put("eff_foe", 1)),
    (checks.BAD_EFFECT, "turn", put("eff_ally", 1)),
    (checks.BAD_EFFECT, "turn", put("eff_need", 1)),
    (checks.BAD_EFFECT, "turn", put("eff_queue", 1)),
    (checks.BAD_EFFECT, "turn", put("eff_card", 18)),
    (checks.BAD_EFFECT, "turn", put("fallen", 1)),
    (checks.BAD_EFFECT, "reward", put("fallen", 0)),
    (checks.BAD_EFFECT, "choose", put("eff_card", -1)),
    (checks.BAD_EFFECT, "choose", put("eff_branch", 1)),
    (checks.BAD_EFFECT, "choose", put("eff_step", 1)),
    (checks.BAD_EFFECT, "choose", put("eff_step", -1)),
    (checks.BAD_EFFECT, "target", put("eff_step", 4)),
    (checks.BAD_EFFECT, "target", foe_of_own_team),
    (checks.BAD_EFFECT, "target", ally_of_other_team),
    (checks.BAD_EFFECT, "target", put("eff_need", 1)),
    (checks.BAD_EFFECT, "target", put("eff_queue", 15)),
    (checks.BAD_EFFECT, "target", put("eff_branch", 3)),
    (checks.BAD_EFFECT, "pick", put("eff_need", 0)),
    (checks.BAD_EFFECT, "pick", weapon_in_use),
    (checks.BAD_EFFECT, "levy", put("eff_need", 0)),
    (checks.BAD_EFFECT, "levy", put("eff_queue", 0)),
    (checks.BAD_EFFECT, "levy", asks_itself),
    (checks.BAD_EFFECT, "levy", put("phase", state.TRIBUTE)),
    (checks.BAD_EFFECT, "levy", put("phase", state.PICK)),
    (checks.BAD_EFFECT, "tribute", put("phase", state.LEVY)),
    (checks.BAD_EFFECT, "tribute", put("phase", state.TARGET)),
    *((checks.BAD_ACTOR, phase, next_actor) for phase in state.PHASES if phase != "over"),
    (checks.BAD_ACTOR, "turn", put("actor", -1)),
    (checks.BAD_ACTOR, "turn", empty_hand),
    (checks.BAD_ACTOR, "over", put("actor", 0)),
    (checks.BAD_END, "turn", put("truncated", 1)),
    (checks.BAD_END, "turn", all_but_one_team),
    (checks.BAD_END, "over", of_fallen("hp", 1)),
    (checks.BAD_END, "over", put("truncated", 1)),
    (checks.BAD_RETURNS, "over", other_place),
)


@pytest.mark.parametrize(
    ("bit", "phase", "change"), BROKEN, ids=[f"{n}-{phase}" for n, (_, phase, _) in enumerate(BROKEN)]
)
def test_a_broken_state_is_noticed(bit: int, phase: str, change: Callable[[State], None]) -> None:
    """The sound state has no problem, the broken one has this one (often among others)."""
    at = (found("draft", characters="draft") if phase == "draft" else found(phase)).copy()
    change(at)
    assert bits(at) & bit
    assert checks.PROBLEMS[bit.bit_length() - 1] in at.problems()


def test_teams_are_checked() -> None:
    """A realm for each team, one place for all its members, one return."""
    at = found("turn", teamed=True).copy()
    strange_realm(at)
    assert bits(at) & checks.BAD_CHARACTER
    at = found("over", teamed=True, returns="placement").copy()
    mates_differ(at)
    assert bits(at) & checks.BAD_PLACES
    assert bits(at) & checks.BAD_RETURNS
    at = found("attack", teamed=True, fallen=False).copy()
    at.states["defender"][0] = (int(at.states[0].active) + 2) % 4
    assert bits(at) & checks.BAD_DUEL


def changed(phase: str, change: Callable[[State], None]) -> int:
    """Bits of `changes` between a sound state and itself, changed."""
    before = found("draft", characters="draft") if phase == "draft" else found(phase)
    after = before.copy()
    change(after)
    return int(before.game.kernels.changes(after.states, 0, before.game.rules, before.states, 0))


def short_of_cards(at: State) -> None:
    """A new turn begins without the refill."""
    at.states["turn"][0] += 1
    s = at.states[0]
    s.inv[s.active] = int(s.n_hand[s.active]) + 1


CHANGED: tuple[tuple[int, str, Callable[[State], None]], ...] = (
    (checks.NOT_MONOTONE, "turn", put("turn", 1)),
    (checks.NOT_MONOTONE, "turn", put("round_no", 1)),
    (checks.NOT_MONOTONE, "turn", add("box", 0)),
    (checks.NOT_MONOTONE, "turn", swap_order),
    (checks.NOT_MONOTONE, "turn", other_character),
    (checks.NOT_MONOTONE, "turn", put("phase", state.DRAFT)),
    (checks.NOT_MONOTONE, "draft", put_at("char", 0, 17)),
    (checks.NOT_MONOTONE, "reward", of_fallen("hp", 1)),
    (checks.NOT_MONOTONE, "reward", of_fallen("place2", 5)),
    (checks.SINGLE_CHOICE, "attack", empty_hand),
    (checks.SINGLE_CHOICE, "defend", empty_hand),
    (checks.SINGLE_CHOICE, "levy", empty_hand),
    (checks.SINGLE_CHOICE, "tribute", empty_hand),
    (checks.NOT_REFILLED, "turn", short_of_cards),
)


@pytest.mark.parametrize(
    ("bit", "phase", "change"), CHANGED, ids=[f"{n}-{phase}" for n, (_, phase, _) in enumerate(CHANGED)]
)
def test_a_broken_move_is_noticed(bit: int, phase: str, change: Callable[[State], None]) -> None:
    """Nothing is found between a state and itself, this between it and its broken copy."""
    assert changed(phase, lambda at: None) == 0
    assert changed(phase, change) & bit


def test_every_problem_can_be_found() -> None:
    """The tables above leave out no bit."""
    seen = 0
    for bit, _, _ in BROKEN + CHANGED:
        seen |= bit
    assert seen == (1 << len(checks.PROBLEMS)) - 1
