"""Every check of `bloodsport_gambler.checks` can fail: sound states are broken, one thing at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from cardzoo.envs import load
from cardzoo.envs.bloodsport_gambler import cards, checks, state
from cardzoo.envs.core.state import State

Change = Callable[[State], None]
OPTIONS: dict[str, dict[str, Any]] = {
    "race": {},
    "fate": {"objective": "fate"},
    "alone": {"seats": 1},
    "limited": {"objective": "outcome", "coin_supply": "limited"},
    "cut": {"max_rounds": 1},
    "final": {"pass_rule": "final"},
    "face_up": {"face_up": True},
}


def _laid(s: Any) -> bool:
    return bool(s.n_sab > 0)


def _left(s: Any) -> bool:
    return bool(s.left != 0)


WANTED: dict[str, Callable[[Any], bool]] = {
    "any": lambda s: s.round_no > 1,
    "laid": _laid,
    "left": _left,
    "wager": lambda s: s.bet_coin[0].any() and s.fight < 2,
    "sabotage": lambda s: s.p_card >= 0 and s.n_target == 1 and s.n_show == 1 and s.fight_round == 0,
    "cut": lambda s: s.truncated == 1,
    "hurt": lambda s: s.wounds.any(),
}


@cache
def found(node: str, wanted: str = "any", options: str = "race") -> State:
    """A sound state of random play at a node."""
    game = load("bloodsport_gambler", **OPTIONS[options])
    for seed in range(300):
        rng = np.random.default_rng(seed)
        at = game.new_state(seed)
        while True:
            if state.NODES[at.states[0].node] == node and WANTED[wanted](at.states[0]):
                assert at.problems() == []
                return at
            if at.is_over:
                break
            at.apply(int(rng.choice(at.legal_actions())))
    raise AssertionError(f"no state at {node}")


def bits(at: State) -> int:
    return int(at.game.kernels.problems(at.states, 0, at.game.rules))


def put(field: str, value: int) -> Change:
    """Set a number of the record."""

    def change(at: State) -> None:
        at.states[field][0] = value

    return change


def put_at(field: str, place: int | tuple[int, ...], value: int) -> Change:
    """Set an entry of an array of the record."""

    def change(at: State) -> None:
        at.states[field][(0, *place) if isinstance(place, tuple) else (0, place)] = value

    return change


def add_at(field: str, place: int | tuple[int, ...], step: int = 1) -> Change:
    """Add to an entry of an array of the record."""

    def change(at: State) -> None:
        at.states[field][(0, *place) if isinstance(place, tuple) else (0, place)] += step

    return change


def of_actor(field: str, value: int) -> Change:
    """Set an entry of the acting seat."""

    def change(at: State) -> None:
        at.states[field][0, int(at.states[0].actor)] = value

    return change


def other_actor(at: State) -> None:
    """The other seat is to decide."""
    at.states["actor"][0] = 1 - int(at.states[0].actor)


def unpool(at: State) -> None:
    """A seat takes the top card of the deck for impossible."""
    s = at.states[0]
    s.pool[0, s.act_deck[s.n_act - 1]] = 0


def know_nothing(at: State) -> None:
    """The secret of the fight being fought is face down."""
    s = at.states[0]
    s.s_known[s.fight] = 0


def forget_own(at: State) -> None:
    """The owner of a Sabotage does not know it."""
    s = at.states[0]
    s.sab_seen[0] = 1 << (1 - int(s.sab_seat[0]))


def lay_other(at: State) -> None:
    """A card that is no Sabotage lies beside a fighter."""
    rules = at.game.rules[0]
    at.states[0].sab_card[0] = int(np.flatnonzero(rules.actions[:, cards.KIND] == cards.REACT)[0])


def past_fight(at: State) -> None:
    """A Sabotage is left in a fight that is being fought."""
    s = at.states[0]
    k = int(s.n_sab)
    at.states["n_sab"][0] = k + 1
    s.sab_card[k] = int(np.flatnonzero(at.game.rules[0].actions[:, cards.KIND] == cards.SABOTAGE)[0])
    s.sab_spot[k] = s.sab_slot[k] = 2 * int(s.fight)
    s.sab_seen[k] = 1


def stray_roll(at: State) -> None:
    """One more die than the attack roll has."""
    s = at.states[0]
    s.n_rolls[0] = 3 - int(s.n_rolls[0])


def no_target(at: State) -> None:
    """A Sabotage is paid for before it is aimed."""
    at.states["n_target"][0] = 0
    at.states["target"][0] = 0


def early_winner(at: State) -> None:
    """The fight being fought has a winner."""
    s = at.states[0]
    s.winner[s.fight] = 1


def same_slot(at: State) -> None:
    """Two weapons were dealt to one place."""
    s = at.states[0]
    s.w_slot[0, 1] = s.w_slot[0, 0]


def odd_wager(at: State) -> None:
    """Four coins on a fighter."""
    s = at.states[0]
    s.bet_coin[0, int(np.flatnonzero(s.bet_coin[0])[0])] = 4


def lost_later(at: State) -> None:
    """A seat was caught in a fight to come."""
    s = at.states[0]
    s.lost[0, 2] = 1


def all_paid(at: State) -> None:
    """All loans are paid, but the seat has not paid off."""
    at.states[0].paid[0] = 1


def empty_hand(at: State) -> None:
    """The actor has no card left to decide on, consistently."""
    s = at.states[0]
    for card in range(len(s.used)):
        s.used[card] += s.hand[s.actor, card]
    s.hand[s.actor] = 0
    s.n_hand[s.actor] = 0


def gone_returns(at: State) -> None:
    """The seat that left has another return."""
    s = at.states[0]
    s.ret[0 if s.left & 1 else 1] += 0.25


def gone_hand(at: State) -> None:
    """The seat that left is not marked as having left."""
    at.states["left"][0] = 0


def other_fate(at: State) -> None:
    """A seat without a result has a fate."""
    s = at.states[0]
    s.fate_tier[1 if s.left & 1 else 0] = 1


NOT_ZERO: tuple[tuple[int, tuple[str, ...], Change], ...] = tuple(
    (checks.NOT_ZERO, at, change)
    for at, change in (
        (("act",), put("node", 11)),
        (("act",), put("actor", 2)),
        (("act",), put("first", 2)),
        (("act",), put("fight", 3)),
        (("act",), put("left", 4)),
        (("act",), put("n_act", 29)),
        (("act",), put("n_fig", -1)),
        (("act",), put_at("act_deck", 27, 1)),
        (("act",), put_at("act_deck", 0, 20)),
        (("act",), put_at("fig_deck", 17, 1)),
        (("act",), put_at("wea_deck", 17, 1)),
        (("act",), put_at("sec_deck", 11, 1)),
        (("act",), put_at("tape", 0, 1)),
        (("act",), put_at("fighter", (0, 0), -1)),
        (("act",), put_at("weapon", (2, 1), 18)),
        (("act",), put_at("secret", 1, 12)),
        (("act",), put_at("winner", 1, 4)),
        (("act",), put_at("w_slot", (1, 1), 7)),
        (("act",), put_at("bet_side", (1, 1), 3)),
        (("act", "laid"), put("n_sab", 13)),
        (("act", "laid"), put_at("sab_card", 11, 1)),
        (("act", "laid"), put_at("sab_seat", 0, 2)),
        (("act", "laid"), put_at("sab_spot", 0, 6)),
        (("act", "laid"), put_at("sab_coin", 11, 1)),
        (("act", "laid"), put_at("sab_seen", 0, 4)),
        (("act",), put("p_card", 20)),
        (("act",), put("n_target", 1)),
        (("act",), put("p_time", 1)),
        (("act",), put_at("target", 0, 1)),
        (("act",), put_at("show", 2, 1)),
        (("act",), put_at("hand", (0, 20), 1)),
        (("act",), put_at("pool", (1, 20), 1)),
        (("act",), put_at("used", 20, 1)),
        (("act",), put_at("act_disc", 20, 1)),
        *(
            (("act", "any", "alone"), put_at(field, 1, 1))
            for field in (
                *("coin", "time", "chance", "paid_now", "status", "playing", "passed", "result", "done_round"),
                *("fate_tier", "fate_roll", "fate_total", "n_hand", "ret"),
            )
        ),
        *(
            (("act", "any", "alone"), put_at(field, (1, 0), 1))
            for field in ("paid", "bet_side", "bet_coin", "lost", "hand", "pool")
        ),
    )
)

BROKEN: tuple[tuple[int, tuple[str, ...], Change], ...] = (
    *NOT_ZERO,
    (checks.COPIES_LOST, ("act",), add_at("used", 3)),
    (checks.COPIES_LOST, ("act", "laid"), add_at("sab_card", 0)),
    (checks.COPIES_LOST, ("act",), add_at("fig_disc", 3)),
    (checks.COPIES_LOST, ("act",), add_at("wea_disc", 3)),
    (checks.COPIES_LOST, ("act",), add_at("sec_disc", 3)),
    (checks.BAD_HAND, ("act",), add_at("n_hand", 0)),
    (checks.BAD_HAND, ("act",), add_at("hand", (1, 2))),
    (checks.BAD_POOL, ("act",), unpool),
    (checks.BAD_POOL, ("act",), put_at("pool", (0, 0), 3)),
    (checks.OUT_OF_RANGE, ("act",), put("round_no", 0)),
    (checks.OUT_OF_RANGE, ("act",), put("round_no", 21)),
    (checks.OUT_OF_RANGE, ("act",), put("guard", 0)),
    (checks.OUT_OF_RANGE, ("act",), put("guard", 4)),
    (checks.OUT_OF_RANGE, ("act",), put("caught", 2)),
    (checks.OUT_OF_RANGE, ("act",), put("truncated", 2)),
    (checks.OUT_OF_RANGE, ("act",), put("fight", 1)),
    (checks.OUT_OF_RANGE, ("act",), put("passes", 2)),
    (checks.OUT_OF_RANGE, ("react",), put("fight_round", 21)),
    (checks.OUT_OF_RANGE, ("act",), put_at("coin", 0, -1)),
    (checks.OUT_OF_RANGE, ("act",), put_at("time", 1, 7)),
    (checks.OUT_OF_RANGE, ("act",), put_at("chance", 0, 4)),
    (checks.OUT_OF_RANGE, ("act",), put_at("chance", 0, -1)),
    (checks.OUT_OF_RANGE, ("act",), put_at("paid", (0, 0), 2)),
    (checks.OUT_OF_RANGE, ("act",), put_at("paid_now", 0, 7)),
    (checks.OUT_OF_RANGE, ("act",), put_at("status", 0, 3)),
    (checks.OUT_OF_RANGE, ("act",), put_at("passed", 0, 1)),
    (checks.OUT_OF_RANGE, ("act",), put_at("wounds", (0, 0), -1)),
    (checks.OUT_OF_RANGE, ("act",), put_at("mod", (0, 0, 0), 100)),
    (checks.OUT_OF_RANGE, ("act",), put_at("w_type", (0, 0), 5)),
    (checks.OUT_OF_RANGE, ("act",), put_at("w_old", (0, 0), 2)),
    (checks.OUT_OF_RANGE, ("act",), put_at("s_old", 0, 2)),
    (checks.BAD_TOKENS, ("act", "laid"), put_at("sab_time", 0, 6)),
    (checks.BAD_TOKENS, ("act", "any", "limited"), put_at("coin", 0, 67)),
    (checks.BAD_WAGER, ("act",), put_at("bet_side", (0, 0), 1)),
    (checks.BAD_WAGER, ("loan",), put_at("bet_coin", (0, 0), 1)),
    (checks.BAD_WAGER, ("react", "wager"), odd_wager),
    (checks.BAD_WAGER, ("react", "wager"), lost_later),
    (checks.BAD_WAGER, ("loan",), put_at("lost", (0, 0), 1)),
    (checks.BAD_KNOWN, ("react",), know_nothing),
    (checks.BAD_KNOWN, ("act",), put_at("w_known", (0, 0), 4)),
    (checks.BAD_KNOWN, ("act", "any", "alone"), put_at("s_known", 0, 2)),
    (checks.BAD_KNOWN, ("loan",), put_at("w_known", (2, 0), 1)),
    (checks.BAD_KNOWN, ("act", "laid"), forget_own),
    (checks.BAD_KNOWN, ("act", "any", "face_up"), put_at("w_known", (0, 0), 1)),
    (checks.BAD_KNOWN, ("bet", "any", "face_up"), put_at("s_known", 2, 0)),
    (checks.BAD_SABOTAGE, ("act", "laid"), lay_other),
    (checks.BAD_SABOTAGE, ("act", "laid"), put_at("sab_coin", 0, 9)),
    (checks.BAD_SABOTAGE, ("react",), past_fight),
    (checks.BAD_SABOTAGE, ("loan",), past_fight),
    (checks.BAD_PENDING, ("act",), put("p_card", 0)),
    (checks.BAD_PENDING, ("target",), put("p_card", -1)),
    (checks.BAD_PENDING, ("target",), put("p_time", 1)),
    (checks.BAD_PENDING, ("target",), put("fight_round", 1)),
    (checks.BAD_PENDING, ("time", "sabotage"), no_target),
    (checks.BAD_PENDING, ("time", "sabotage"), put("p_time", 1)),
    (checks.BAD_PENDING, ("time", "sabotage"), put("node", state.TARGET)),
    (checks.BAD_FIGHT, ("act",), put_at("winner", 0, 1)),
    (checks.BAD_FIGHT, ("react",), early_winner),
    (checks.BAD_FIGHT, ("loan",), put_at("winner", 0, 0)),
    (checks.BAD_FIGHT, ("act",), put_at("rolls", (0, 0), 1)),
    (checks.BAD_FIGHT, ("act",), put_at("react", (0, 0), 1)),
    (checks.BAD_FIGHT, ("act",), put_at("wounded", 0, 1)),
    (checks.BAD_FIGHT, ("react",), stray_roll),
    (checks.BAD_FIGHT, ("react",), put_at("rolls", (0, 0), 7)),
    (checks.BAD_FIGHT, ("react",), put_at("wounded", 0, 2)),
    (checks.BAD_FIGHT, ("act",), same_slot),
    (checks.BAD_FIGHT, ("act",), put_at("w_slot", (0, 0), 2)),
    (checks.BAD_SEAT, ("act",), all_paid),
    (checks.BAD_SEAT, ("act",), put_at("status", 0, state.PAID_OFF)),
    (checks.BAD_SEAT, ("act",), put_at("status", 0, state.DEFEATED)),
    (checks.BAD_SEAT, ("act",), put_at("playing", 0, 0)),
    (checks.BAD_SEAT, ("act",), put_at("fate_roll", 0, 1)),
    (checks.BAD_SEAT, ("act", "left", "fate"), gone_hand),
    (checks.BAD_SEAT, ("act", "left", "fate"), other_fate),
    (checks.BAD_ACTOR, ("act",), put("actor", -1)),
    (checks.BAD_ACTOR, ("act",), empty_hand),
    (checks.BAD_ACTOR, ("discard",), empty_hand),
    (checks.BAD_ACTOR, ("window",), other_actor),
    (checks.BAD_ACTOR, ("act", "left", "fate"), other_actor),
    (checks.BAD_ACTOR, ("loan",), of_actor("status", state.DEFEATED)),
    (checks.BAD_ACTOR, ("act", "any", "final"), of_actor("passed", 1)),
    (checks.BAD_ACTOR, ("over",), put("actor", 0)),
    (checks.BAD_END, ("act",), put("truncated", 1)),
    (checks.BAD_END, ("act",), put_at("result", 0, 1)),
    (checks.BAD_END, ("over",), put("truncated", 1)),
    (checks.BAD_END, ("over", "cut", "cut"), put("truncated", 0)),
    (checks.BAD_RETURNS, ("act",), put_at("ret", 0, 1)),
    (checks.BAD_RETURNS, ("over",), add_at("ret", 0)),
    (checks.BAD_RETURNS, ("act", "left", "fate"), gone_returns),
)


@pytest.mark.parametrize(("bit", "where", "change"), BROKEN, ids=[f"{n}-{row[1][0]}" for n, row in enumerate(BROKEN)])
def test_a_broken_state_is_noticed(bit: int, where: tuple[str, ...], change: Change) -> None:
    """The sound state has no problem, the broken one has this one (often among others)."""
    at = found(*where).copy()
    change(at)
    assert bits(at) & bit
    assert checks.PROBLEMS[bit.bit_length() - 1] in at.problems()


def more_rounds(at: State) -> None:
    """Two rounds at once."""
    at.states["round_no"][0] += 2


def coin_gone(at: State) -> None:
    """A coin of a seat that does not act vanishes."""
    s = at.states[0]
    s.coin[1 - int(s.actor)] -= 1


def healed(at: State) -> None:
    """Wounds vanish though nothing heals."""
    at.states[0].wounds[:] = 0


CHANGED: tuple[tuple[int, tuple[str, ...], Change], ...] = (
    (checks.NOT_MONOTONE, ("act",), more_rounds),
    (checks.NOT_MONOTONE, ("act",), put("round_no", 1)),
    (checks.NOT_MONOTONE, ("loan",), add_at("chance", 0)),
    (checks.NOT_MONOTONE, ("act", "left", "fate"), put("paid", 0)),
    (checks.NOT_MONOTONE, ("act", "left", "fate"), put("result", 0)),
    (checks.BAD_COINS, ("react",), coin_gone),
    (checks.TABLE_CHANGED, ("act",), add_at("fighter", (0, 0))),
    (checks.TABLE_CHANGED, ("loan",), put_at("winner", 0, 0)),
    (checks.TABLE_CHANGED, ("loan", "hurt"), healed),
)


@pytest.mark.parametrize(("bit", "where", "change"), CHANGED, ids=[f"{n}-{row[1][0]}" for n, row in enumerate(CHANGED)])
def test_a_broken_move_is_noticed(bit: int, where: tuple[str, ...], change: Change) -> None:
    """Nothing is found between a state and itself, this between it and its broken copy."""
    before = found(*where)
    after = before.copy()
    kernels, rules = before.game.kernels, before.game.rules
    assert kernels.changes(after.states, 0, rules, before.states, 0) == 0
    change(after)
    assert kernels.changes(after.states, 0, rules, before.states, 0) & bit


def test_every_problem_can_be_found() -> None:
    """The tables above leave out no bit."""
    seen = 0
    for bit, _, _ in BROKEN + CHANGED:
        seen |= bit
    assert seen == (1 << len(checks.PROBLEMS)) - 1
