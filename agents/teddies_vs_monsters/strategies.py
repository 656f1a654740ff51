"""One decision of a heuristic player, and the loop over a batch of decisions.

All three read only what their seat knows: the table, the sleeves, what each seat was last seen to do, their own hand,
and, if the option shows it, the act that the partner has begun. A card and its target are two decisions: a card is
chosen for its best target, which the second decision finds again.

Where cards that do not fit may be placed, no player places one or claims with one; they call mistakes.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardzoo.agents.teddies_vs_monsters.needs import needed_types, ready_rooms
from cardzoo.agents.teddies_vs_monsters.teamwork import partner_claims
from cardzoo.agents.teddies_vs_monsters.values import (
    BRAWLER,
    BUILDER,
    NEVER,
    PLANNER,
    brawler_value,
    foe_sleeves,
    is_wild,
    keep_value,
    missing,
    planner_value,
    readings_after,
    strike_value,
)
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records
from cardzoo.envs.teddies_vs_monsters.actions import (
    CALL_FOE,
    CALL_OWN,
    CLAIM_ROOM,
    DRAW_HAND,
    DRAW_SLEEVE,
    LOOK_AT,
    PLAY,
    TO_OWN,
    TO_TRAP,
    WAIT_A_WHILE,
    discard_action,
    other_action,
    room_action,
)
from cardzoo.envs.teddies_vs_monsters.cards import FILLS
from cardzoo.envs.teddies_vs_monsters.legal import foe_set, target_set, trap_set
from cardzoo.envs.teddies_vs_monsters.rows import is_unclaimed, row_complete
from cardzoo.envs.teddies_vs_monsters.state import ATTACK, BOMB, CLAIM, NO_CARD, TEAMS
from cardzoo.envs.teddies_vs_monsters.supply import Supply, supply_of
from cardzoo.envs.teddies_vs_monsters.tables import Rules

NOTHING: Final = -1
MIN_VALUE: Final = 0.04  # of a play that is worth the time
GOOD_VALUE: Final = 0.2  # planner: of one that is worth more than new cards

# --- choices common to several strategies


@kernel
def playable(rules: Rules, mask: NDArray[np.bool_]) -> int:
    """Types (bits) that may be played."""
    types = 0
    for card in range(int(rules.num_types)):
        if mask[PLAY + card]:
            types |= 1 << card
    return types


@kernel
def lowest_claim(s: Record, rules: Rules, team: int, mask: NDArray[np.bool_]) -> int:
    """The claim of the lowest room with the right row, NOTHING if there is none."""
    for room in range(int(rules.num_rooms)):
        action = room_action(rules, CLAIM_ROOM, room)
        if mask[action] and row_complete(s, rules, team, room):
            return action
    return NOTHING


@kernel
def lowest_call(s: Record, rules: Rules, team: int, mask: NDArray[np.bool_]) -> int:
    """The call of an own mistake, else of a foe's that could be claimed, in the lowest room; NOTHING if there is none.

    A mistake of the foes in a shorter row stops them and nobody else.
    """
    for room in range(int(rules.num_rooms)):
        if mask[room_action(rules, CALL_OWN, room)]:
            return room_action(rules, CALL_OWN, room)
    for room in range(int(rules.num_rooms)):
        if mask[room_action(rules, CALL_FOE, room)] and missing(s, rules, 1 - team, room) <= 0:
            return room_action(rules, CALL_FOE, room)
    return NOTHING


@kernel
def lowest_claim_or_call(s: Record, rules: Rules, team: int, mask: NDArray[np.bool_]) -> int:
    """A claim, else a call, in the lowest room; NOTHING if there is none."""
    action = lowest_claim(s, rules, team, mask)
    return action if action != NOTHING else lowest_call(s, rules, team, mask)


@kernel
def first_of(rules: Rules, mask: NDArray[np.bool_], first: int, last: int) -> int:
    """The first legal action of the last block from one offset to another (DRAW_HAND ..), NOTHING if there is none."""
    for offset in range(first, last + 1):
        if mask[other_action(rules, offset)]:
            return other_action(rules, offset)
    return NOTHING


@kernel
def cheapest_discard(s: Record, rules: Rules, strategy: int, seat: int, needed: int, mask: NDArray[np.bool_]) -> int:
    """The discard of the lowest keep value, or to wait."""
    chosen = other_action(rules, WAIT_A_WHILE)
    lowest = 0.0
    for card in range(int(rules.num_types)):
        action = discard_action(rules, card)
        if mask[action]:
            value = keep_value(s, rules, strategy, seat, card, needed)
            if chosen == other_action(rules, WAIT_A_WHILE) or value < lowest:
                chosen = action
                lowest = value
    return chosen


@kernel
def best_play(
    s: Record,
    rules: Rules,
    strategy: int,
    seat: int,
    types: int,
    supply: Supply,
    needed: int,
    shown: int,
) -> tuple[float, int, int, int]:
    """The most valuable target of some cards (bits): value, card, block and room; card NOTHING if there is no target.

    Of equal targets the first one counts: that of the lowest room, or of the highest for the second planner of a team.
    """
    team = seat % TEAMS
    rooms = int(rules.num_rooms)
    highest = 0.0
    best_card = NOTHING
    best_block = 0
    best_room = 0
    for k in range(rooms):
        room = k if strategy == BRAWLER or seat < TEAMS else rooms - 1 - k
        for block in range(TO_TRAP + 1):
            here = target_set(s, rules, team, block, room) & types
            for card in range(int(rules.num_types)):
                if here >> card == 0:
                    break
                if here >> card & 1 == 0:
                    continue
                if block == TO_OWN and readings_after(s, rules, team, room, card) == 0:
                    value = NEVER
                elif strategy == BRAWLER:
                    value = brawler_value(s, rules, team, block, room, card)
                else:
                    value = planner_value(s, rules, seat, block, room, card, supply, needed, shown)
                if best_card == NOTHING or value > highest:
                    highest = value
                    best_card = card
                    best_block = block
                    best_room = room
    return highest, best_card, best_block, best_room


# --- builder


@kernel
def builder_target(s: Record, rules: Rules, team: int, mask: NDArray[np.bool_]) -> int:
    """The own row that misses fewest, else the trapped one that does, else the first target."""
    card = int(s.picked)
    for block in (TO_OWN, TO_TRAP):
        chosen = NOTHING
        fewest = 0
        for room in range(int(rules.num_rooms)):
            action = room_action(rules, block, room)
            if mask[action] and (block == TO_TRAP or readings_after(s, rules, team, room, card) != 0):
                left = missing(s, rules, team, room)
                if chosen == NOTHING or left < fewest:
                    chosen = action
                    fewest = left
        if chosen != NOTHING:
            return chosen
    return int(mask.argmax())


@kernel
def builder_card(s: Record, rules: Rules, team: int, types: int) -> int:
    """The card (of some, bits) that leaves the fewest missing, then rather not a `?`, then a pair; or NOTHING."""
    chosen = NOTHING
    lowest = 0
    for room in range(int(rules.num_rooms)):
        here = target_set(s, rules, team, TO_OWN, room) & types
        for card in range(int(rules.num_types)):
            if here >> card & 1 and readings_after(s, rules, team, room, card) != 0:
                n = int(rules.cards[team, card, FILLS])
                rank = 4 * (missing(s, rules, team, room) - n)
                rank += (2 if is_wild(rules, team, card) else 0) + (0 if n > 1 else 1)
                if chosen == NOTHING or rank < lowest or (rank == lowest and card < chosen):
                    chosen = card
                    lowest = rank
    return chosen


@kernel
def payer(s: Record, rules: Rules, team: int, types: int) -> int:
    """If all own sides of unclaimed rooms are trapped, the first card (of some, bits) that helps; or NOTHING."""
    useful = 0
    for room in range(int(rules.num_rooms)):
        if is_unclaimed(s, room):
            if int(s.trap_n[team, room]) == 0:
                return NOTHING
            useful |= trap_set(s, rules, team, room)
    for card in range(int(rules.num_types)):
        if useful & types & 1 << card:
            return card
    return NOTHING


@kernel
def builder(s: Record, rules: Rules, seat: int, mask: NDArray[np.bool_]) -> int:
    """Builds, never fights."""
    team = seat % TEAMS
    if int(s.picked) != NO_CARD:
        return builder_target(s, rules, team, mask)
    action = lowest_claim_or_call(s, rules, team, mask)
    if action != NOTHING:
        return action
    types = playable(rules, mask)
    card = builder_card(s, rules, team, types)
    if card != NOTHING:
        return PLAY + card
    action = first_of(rules, mask, DRAW_HAND, LOOK_AT)
    if action != NOTHING:
        return action
    card = payer(s, rules, team, types)
    if card != NOTHING:
        return PLAY + card
    for card in range(int(rules.num_types) - 1, -1, -1):
        if mask[discard_action(rules, card)]:
            return discard_action(rules, card)
    return other_action(rules, WAIT_A_WHILE)


# --- brawler


@kernel
def brawler(s: Record, rules: Rules, seat: int, mask: NDArray[np.bool_]) -> int:
    """The best swing of symbols per tick."""
    picked = int(s.picked)
    types = playable(rules, mask) if picked == NO_CARD else 1 << picked
    if picked == NO_CARD:
        action = lowest_claim_or_call(s, rules, seat % TEAMS, mask)
        if action != NOTHING:
            return action
    value, card, block, room = best_play(s, rules, BRAWLER, seat, types, (0, 0, 0, 0), 0, 0)
    if picked != NO_CARD:
        return room_action(rules, block, room)
    if value > MIN_VALUE:
        return PLAY + card
    action = first_of(rules, mask, DRAW_HAND, LOOK_AT)
    return action if action != NOTHING else cheapest_discard(s, rules, BRAWLER, seat, 0, mask)


# --- planner


@kernel
def time_left(s: Record, rules: Rules, team: int) -> int:
    """Ticks, but for jitter, until the last of the foes can land a claim that it began when it was last seen."""
    left = 0
    for foe in range(1 - team, int(rules.num_seats), TEAMS):
        left = max(left, int(s.l_tick[foe]) + int(rules.duration[foe, CLAIM]) - int(s.tick))
    return left


@kernel
def answer_to_complete_row(s: Record, rules: Rules, seat: int, types: int, needed: int) -> int:
    """The card (of some, bits) with the best attack or bomb on a complete foe row, if it comes in time; or NOTHING."""
    team = seat % TEAMS
    left = time_left(s, rules, team)
    chosen = NOTHING
    highest = 0.0
    for room in range(int(rules.num_rooms)):
        if not is_unclaimed(s, room) or not row_complete(s, rules, 1 - team, room):
            continue
        here = foe_set(s, rules, team, room) & types & ~int(rules.snarers[team])
        for card in range(int(rules.num_types)):
            kind = BOMB if int(rules.blasters[team]) >> card & 1 else ATTACK
            if here >> card & 1 and int(rules.duration[seat, kind]) <= left:
                value = strike_value(s, rules, team, room, card, needed)
                if chosen == NOTHING or value > highest:
                    chosen = card
                    highest = value
    return chosen


@kernel
def contested_claim(s: Record, rules: Rules, seat: int, mask: NDArray[np.bool_]) -> int:
    """The claim of the room in which the foe misses fewest, NOTHING if there is none or it is the partner's."""
    team = seat % TEAMS
    chosen = NOTHING
    fewest = 0
    for room in range(int(rules.num_rooms)):
        action = room_action(rules, CLAIM_ROOM, room)
        if mask[action] and row_complete(s, rules, team, room) and not partner_claims(s, rules, seat, room):
            left = missing(s, rules, 1 - team, room)
            if chosen == NOTHING or left < fewest:
                chosen = action
                fewest = left
    return chosen


@kernel
def trapped_rooms(s: Record, rules: Rules, team: int) -> int:
    """Rooms (bits) whose own side is trapped."""
    rooms = 0
    for room in range(int(rules.num_rooms)):
        if int(s.trap_n[team, room]) > 0:
            rooms |= 1 << room
    return rooms


@kernel
def planner(s: Record, rules: Rules, seat: int, mask: NDArray[np.bool_]) -> int:
    """Plans rooms against its cards, defends in the claim window, hides colours."""
    team = seat % TEAMS
    picked = int(s.picked)
    types = playable(rules, mask) if picked == NO_CARD else 1 << picked
    supply = supply_of(s, rules, seat)
    ready = ready_rooms(s, rules, team, supply)
    needed = needed_types(s, rules, seat, supply, ready)
    if picked == NO_CARD:
        card = answer_to_complete_row(s, rules, seat, types, needed)
        if card != NOTHING:
            return PLAY + card
        action = contested_claim(s, rules, seat, mask)
        if action == NOTHING:
            action = lowest_call(s, rules, team, mask)
        if action != NOTHING:
            return action
    shown = foe_sleeves(s, rules, seat)
    value, card, block, room = best_play(s, rules, PLANNER, seat, types, supply, needed, shown)
    if picked != NO_CARD:
        return room_action(rules, block, room)
    if value > GOOD_VALUE:
        return PLAY + card
    if ready & ~trapped_rooms(s, rules, team) == 0:
        action = first_of(rules, mask, DRAW_HAND, DRAW_SLEEVE)
        if action != NOTHING:
            return action
    if value > MIN_VALUE:
        return PLAY + card
    action = first_of(rules, mask, DRAW_HAND, LOOK_AT)
    return action if action != NOTHING else cheapest_discard(s, rules, PLANNER, seat, needed, mask)


# --- a decision


@kernel
def answer(s: Record, rules: Rules, strategy: int, mask: NDArray[np.bool_]) -> int:
    """The action that a strategy takes in a world."""
    seat = int(s.actor)
    if strategy == BUILDER:
        return builder(s, rules, seat, mask)
    if strategy == BRAWLER:
        return brawler(s, rules, seat, mask)
    return planner(s, rules, seat, mask)


@kernel
def choose(
    worlds: Records,
    start: int,
    stop: int,
    rules: Records,
    strategy: int,
    masks: NDArray[np.bool_],
    actions: NDArray[np.int64],
) -> None:
    """Write the actions of decisions start..stop-1.

    Args:
        worlds: (n,) a sampled world for each decision.
        start: first decision.
        stop: decision after the last.
        rules: (1,) the game's rules.
        strategy: BUILDER, BRAWLER or PLANNER.
        masks: (n, A) the legal actions.
        actions: (n,) the answers.
    """
    for i in range(start, stop):
        actions[i] = answer(worlds[i], rules[0], strategy, masks[i])
