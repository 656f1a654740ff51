"""The rules of Teddies vs Monsters: what each action does, and what the engine does until the next decision."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records
from cardzoo.envs.teddies_vs_monsters.actions import (
    CALL_FOE,
    CALL_OWN,
    DRAW_SLEEVE,
    LOOK_AT,
    ROOM_BLOCKS,
    TAKE_DECK,
    TO_OWN,
    TO_TRAP,
)
from cardzoo.envs.teddies_vs_monsters.acts import land
from cardzoo.envs.teddies_vs_monsters.cards import BLAST, STRIKE
from cardzoo.envs.teddies_vs_monsters.clock import advance, ask, commit, drop_act, next_to_land
from cardzoo.envs.teddies_vs_monsters.deal import deal
from cardzoo.envs.teddies_vs_monsters.flow import (
    ADVANCE,
    ASK,
    AT_DEAL,
    DEAL,
    END,
    KEY_0,
    LAND,
    STOPPED,
    TIE,
)
from cardzoo.envs.teddies_vs_monsters.legal import target_set
from cardzoo.envs.teddies_vs_monsters.rounds import after_landing, key, stop, tie
from cardzoo.envs.teddies_vs_monsters.state import (
    ATTACK,
    BOMB,
    CALL,
    CLAIM,
    DISARM,
    DISCARD,
    DRAW,
    FOE,
    LOOK,
    MAX_ROOMS,
    NO_CARD,
    NO_ROOM,
    OWN,
    PLACE,
    TAKE,
    TEAMS,
    TO_HAND,
    TO_SLEEVE,
    TRAP,
    WAIT,
)
from cardzoo.envs.teddies_vs_monsters.tables import Rules

# Decisions


@kernel
def act_kind(rules: Rules, team: int, card: int, block: int) -> int:
    """What a card does at a target of a kind."""
    if block == TO_OWN:
        return PLACE
    if block == TO_TRAP:
        return DISARM
    if int(rules.cards[team, card, STRIKE]) > 0:
        return ATTACK
    return BOMB if int(rules.cards[team, card, BLAST]) == 1 else TRAP


@kernel
def play(s: Record, rules: Rules, seat: int, card: int) -> int:
    """A card is chosen: with one target the act begins, with more the target is decided next (R26)."""
    team = seat % TEAMS
    targets = 0
    only_block = 0
    only_room = 0
    for block in range(TO_TRAP + 1):
        for room in range(int(rules.num_rooms)):
            if target_set(s, rules, team, block, room) >> card & 1:
                targets += 1
                only_block = block
                only_room = room
    if targets == 1:
        return commit(s, rules, seat, act_kind(rules, team, card, only_block), card, only_room, 0)
    s.picked = card
    return END


@kernel
def choose_target(s: Record, rules: Rules, seat: int, block: int, room: int) -> int:
    """The target of the picked card; returns what comes next."""
    card = int(s.picked)
    s.picked = NO_CARD
    return commit(s, rules, seat, act_kind(rules, seat % TEAMS, card, block), card, room, 0)


@kernel
def act_on_room(s: Record, rules: Rules, seat: int, block: int, room: int) -> int:
    """An action on a room; returns what comes next."""
    if block <= TO_TRAP:
        return choose_target(s, rules, seat, block, room)
    if block == CALL_OWN:
        return commit(s, rules, seat, CALL, 0, room, OWN)
    if block == CALL_FOE:
        return commit(s, rules, seat, CALL, 0, room, FOE)
    return commit(s, rules, seat, CLAIM, 0, room, 0)


@kernel
def other_act(s: Record, rules: Rules, seat: int, offset: int) -> int:
    """An action of the last block; returns what comes next."""
    if offset <= DRAW_SLEEVE:
        return commit(s, rules, seat, DRAW, 0, 0, TO_SLEEVE if offset == DRAW_SLEEVE else TO_HAND)
    if offset == TAKE_DECK:
        return commit(s, rules, seat, TAKE, 0, 0, 0)
    return commit(s, rules, seat, LOOK if offset == LOOK_AT else WAIT, 0, 0, 0)


@kernel
def take(s: Record, rules: Rules, action: int) -> int:
    """Carry out a legal action; returns what comes next."""
    seat = int(s.actor)
    num = int(rules.num_types)
    if action < num:
        return play(s, rules, seat, action)
    if action < 2 * num:
        return commit(s, rules, seat, DISCARD, action - num, 0, 0)
    rest = action - 2 * num
    rooms = int(rules.num_rooms)
    if rest < ROOM_BLOCKS * rooms:
        return act_on_room(s, rules, seat, rest // rooms, rest % rooms)
    return other_act(s, rules, seat, rest - ROOM_BLOCKS * rooms)


# The engine


@kernel
def land_next(s: Record, rules: Rules) -> int:
    """One of the acts that are due lands; returns what comes next."""
    seat = next_to_land(s, rules)
    if seat < 0:
        return ASK
    land(s, rules, seat)
    drop_act(s, seat)
    return after_landing(s, rules)


@kernel
def run(s: Record, rules: Rules, following: int) -> None:
    """Go on from what comes next until a seat has a decision, or the game is over."""
    while following != END:
        if following == ASK:
            following = ask(s, rules)
        elif following == ADVANCE:
            following = advance(s, rules)
        elif following == LAND:
            following = land_next(s, rules)
        elif following == STOPPED:
            following = stop(s, rules)
        elif following == TIE:
            following = tie(s, rules)
        elif following == DEAL:
            following = deal(s, rules)
        else:
            following = key(s, rules, following - KEY_0)


@kernel
def setup(states: Records, i: int, rules: Records) -> None:
    """Start a new game in a record that is zeroed but for `rng`, up to its first decision."""
    s = states[i]
    s.round_no = 1
    for room in range(MAX_ROOMS):
        s.bedroom[room] = NO_ROOM
    run(s, rules[0], DEAL)


@kernel
def apply(states: Records, i: int, rules: Records, action: int) -> None:
    """Carry out a legal action in game i and go on to the next decision or the end of the game."""
    s = states[i]
    run(s, rules[0], take(s, rules[0], action))


@kernel
def resume(states: Records, i: int, rules: Records, entry: int) -> None:
    """Take the engine's steps of a position that was set up by hand: AT_DEAL, or AT_ASK with a table.

    There a round that is decided is settled first; `picked` is the card whose target the lowest idle seat owes.
    """
    s = states[i]
    r = rules[0]
    if entry == AT_DEAL:
        run(s, r, DEAL)
        return
    following = after_landing(s, r)
    run(s, r, ASK if following == LAND else following)


@kernel
def returns(states: Records, i: int, rules: Records, out: NDArray[np.float64]) -> None:
    """Write each seat's return, float64 (S,): +1 for the team that has won, -1 for the other, 0 before the end."""
    s = states[i]
    for seat in range(len(out)):
        team = seat % TEAMS
        won = int(s.keys[team]) >= int(rules[0].keys_to_win)
        lost = int(s.keys[1 - team]) >= int(rules[0].keys_to_win)
        out[seat] = 1.0 if won else (-1.0 if lost else 0.0)
