"""Broken invariants of a record, as bits: what `State.problems`, the property tests and the fuzzing look for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.checks import rest_is_zero, within
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records
from cardzoo.envs.teddies_vs_monsters.actions import LAST, ROOM_BLOCKS
from cardzoo.envs.teddies_vs_monsters.cards import ANY_SYMBOL, COPIES, FILL_A, FILLS, LENGTH, SNARE
from cardzoo.envs.teddies_vs_monsters.information import decks_of, has_verb, usable_types
from cardzoo.envs.teddies_vs_monsters.legal import legal
from cardzoo.envs.teddies_vs_monsters.observe import ROOM_KINDS
from cardzoo.envs.teddies_vs_monsters.rules import returns
from cardzoo.envs.teddies_vs_monsters.state import (
    BOTH_OPEN,
    CALL,
    DISARM,
    DISCARD,
    DRAW,
    IDLE,
    LEFT,
    MAX_DECK,
    MAX_LENGTH,
    MAX_ROOMS,
    MAX_ROW,
    MAX_SEATS,
    MAX_TRAPS,
    MAX_TYPES,
    MONSTERS,
    NO_CARD,
    NO_ROOM,
    NOBODY,
    READINGS,
    TEAMS,
    TRAP_PRICE,
    WAIT,
)
from cardzoo.envs.teddies_vs_monsters.tables import MAX_BEDROOMS, Rules

PROBLEMS = (
    "the cards of a seat are not those of its deck, or of both once the second is taken",
    "more cards of a type lie in rows and on trap piles than their team has used",
    "an entry that is not in use is not 0, or a number names something that there is not",
    "a number of the game or of the clock is out of its range, or a hand lies face down that should not",
    "the size of a hand or a sleeve is not the number of its cards, or above its limit",
    "more is known of a hand than it holds, or something is though no second deck was taken",
    "the cards of a row cannot lie there, or its symbols or open readings are not theirs",
    "a claimed room has an unfit row, cards of the other team, or traps",
    "a card on a trap pile is no trap, or symbols are paid where none lies",
    "the deal has the wrong rooms, or goes on though they decide the round",
    "an act under way is none of its card, or has landed already",
    "the last act of a seat that was seen is none, or lies ahead",
    "the wrong seat is to decide",
    "a seat is to decide without a choice, or somebody may act after the end",
    "a card whose target is owed is not there, or has no choice of targets",
    "the game is over without a reason, or goes on in spite of one",
    "the returns are not those of the keys",
    "keys, round, tick or used cards changed as they cannot, or a deck grew that was not taken",
    "a new deal did not begin with everything in its place",
    "a claimed room changed",
    "something changed though nobody was seen to act",
)
(
    COPIES_LOST,
    TABLE_LOST,
    NOT_ZERO,
    OUT_OF_RANGE,
    BAD_COUNTS,
    BAD_KNOWN,
    BAD_ROW,
    BAD_CLAIM,
    BAD_TRAPS,
    BAD_ROOMS,
    BAD_ACT,
    BAD_LAST,
    BAD_ACTOR,
    NO_CHOICE,
    BAD_PICKED,
    BAD_END,
    BAD_RETURNS,
    NOT_MONOTONE,
    BAD_DEAL,
    CLAIM_CHANGED,
    UNSEEN_CHANGE,
) = tuple(1 << bit for bit in range(len(PROBLEMS)))

MAX_ACTIONS = 2 * MAX_TYPES + ROOM_BLOCKS * MAX_ROOMS + LAST
MAX_SYMBOLS = MAX_LENGTH + 1


# --- what other checks look things up by


@kernel
def list_fits(cards: NDArray[np.int8], n: int, kinds: int) -> bool:
    """Whether a list has n entries that are types below `kinds`, and zeros behind them."""
    if not within(n, 0, len(cards)):
        return False
    for k in range(len(cards)):
        if not within(int(cards[k]), 0, kinds - 1 if k < n else 0):
            return False
    return True


@kernel
def counts_fit(counts: NDArray[np.int8], kinds: int) -> bool:
    """Whether counts by type are none below 0, and 0 for types that are not there."""
    for card in range(MAX_TYPES):
        if int(counts[card]) < 0 or (int(counts[card]) > 0 and card >= kinds):
            return False
    return True


@kernel
def room_is_real(s: Record, rules: Rules, room: int) -> bool:
    """Whether everything in a room is there, and in a room that is not there nothing."""
    bedroom = int(s.bedroom[room])
    if not within(bedroom, NO_ROOM, MAX_BEDROOMS - 1):
        return False
    there = bedroom != NO_ROOM
    if there and int(rules.bedrooms[bedroom, LENGTH]) == 0:
        return False
    most = 1 if there else 0
    if not within(int(s.claimed[room]), NOBODY, MONSTERS if there else NOBODY) or int(s.mistake[room]) > most:
        return False
    for team in range(TEAMS):
        if not (
            within(int(s.row_n[team, room]), 0, MAX_ROW * most)
            and within(int(s.row_sym[team, room]), 0, MAX_SYMBOLS * most)
            and int(s.open[team, room]) <= BOTH_OPEN * most
            and within(int(s.trap_n[team, room]), 0, MAX_TRAPS * most)
            and list_fits(s.row[team, room], int(s.row_n[team, room]), int(rules.team_types[team]))
            and list_fits(s.trap[team, room], int(s.trap_n[team, room]), int(rules.team_types[1 - team]))
        ):
            return False
    return True


@kernel
def act_is_real(s: Record, rules: Rules, seat: int) -> bool:
    """Whether the act under way of a seat names only what is there and what its kind needs."""
    kind = int(s.p_kind[seat])
    if not within(kind, IDLE, WAIT):
        return False
    has_card = kind != IDLE and kind <= DISCARD
    has_room = ROOM_KINDS >> kind & 1
    has_side = kind == CALL or kind == DRAW
    room = int(s.p_room[seat])
    return (
        within(int(s.p_card[seat]), 0, int(rules.team_types[seat % TEAMS]) - 1 if has_card else 0)
        and within(room, 0, MAX_ROOMS - 1 if has_room else 0)
        and (not has_room or int(s.bedroom[room]) != NO_ROOM)
        and within(int(s.p_side[seat]), 0, 1 if has_side else 0)
        and (kind != IDLE or int(s.p_due[seat]) == 0)
    )


@kernel
def last_is_real(s: Record, seat: int) -> bool:
    """Whether the last act of a seat that was seen names only what is there and what its kind needs."""
    kind = int(s.l_kind[seat])
    if not within(kind, IDLE, WAIT - 1):
        return False
    has_card = kind != IDLE and kind <= DISCARD
    has_room = ROOM_KINDS >> kind & 1
    room = int(s.l_room[seat])
    return (
        within(room, 0, MAX_ROOMS - 1 if has_room else 0)
        and (not has_room or int(s.bedroom[room]) != NO_ROOM)
        and int(s.l_lost[seat]) <= (1 if has_card else 0)
        and (kind != IDLE or int(s.l_tick[seat]) == 0)
    )


@kernel
def seat_is_real(s: Record, rules: Rules, seat: int) -> bool:
    """Whether all cards and acts of a seat are there, and a seat that is not there has none."""
    there = seat < int(rules.num_seats)
    types = int(rules.team_types[seat % TEAMS]) if there else 0
    if not (
        counts_fit(s.hand[seat], types)
        and counts_fit(s.sleeve[seat], types)
        and counts_fit(s.used[seat], types)
        and counts_fit(s.known[seat], types)
        and int(s.face_down[seat]) <= 1
        and list_fits(s.deck[seat], int(s.deck_n[seat]), int(rules.team_types[seat % TEAMS]))
        and act_is_real(s, rules, seat)
        and last_is_real(s, seat)
    ):
        return False
    return there or (
        int(s.hand_n[seat]) == 0
        and int(s.sleeve_n[seat]) == 0
        and int(s.face_down[seat]) == 0
        and int(s.p_kind[seat]) == IDLE
        and int(s.l_kind[seat]) == IDLE
    )


@kernel
def is_real(s: Record, rules: Rules) -> bool:
    """Whether everything that is looked up by is there, and everything unused is 0."""
    actor = int(s.actor)
    if not within(actor, NOBODY, int(rules.num_seats) - 1):
        return False
    kinds = int(rules.team_types[actor % TEAMS]) if actor != NOBODY else 0
    if not within(int(s.picked), NO_CARD, kinds - 1) or not rest_is_zero(s.tape, int(s.n_tape)):
        return False
    for room in range(MAX_ROOMS):
        if not room_is_real(s, rules, room):
            return False
    for seat in range(MAX_SEATS):
        if not seat_is_real(s, rules, seat):
            return False
    return True


# --- cards


@kernel
def deck_copies(s: Record, owner: int, card: int) -> int:
    """Copies of a card in a deck."""
    count = 0
    for k in range(int(s.deck_n[owner])):
        if int(s.deck[owner, k]) == card:
            count += 1
    return count


@kernel
def cards_add_up(s: Record, rules: Rules) -> bool:
    """Per seat and type: deck, hand, sleeve and used cards are all copies; a second deck that is there is full."""
    for seat in range(int(rules.num_seats)):
        team = seat % TEAMS
        decks = decks_of(s, rules, seat)
        for card in range(int(rules.team_types[team])):
            copies = int(rules.cards[team, card, COPIES])
            seen = int(s.hand[seat, card]) + int(s.sleeve[seat, card]) + int(s.used[seat, card])
            if seen + deck_copies(s, seat, card) != decks * copies:
                return False
            if int(rules.num_seats) == TEAMS and decks == 1 and deck_copies(s, TEAMS + seat, card) != copies:
                return False
    return True


@kernel
def table_adds_up(s: Record, rules: Rules) -> bool:
    """Per team and type: no more lie in rows and on trap piles than were used; the rest are discards."""
    for team in range(TEAMS):
        left = np.zeros(MAX_TYPES, np.int64)
        for seat in range(team, int(rules.num_seats), TEAMS):
            for card in range(MAX_TYPES):
                left[card] += int(s.used[seat, card])
        for room in range(MAX_ROOMS):
            for k in range(int(s.row_n[team, room])):
                left[int(s.row[team, room, k])] -= 1
            for k in range(int(s.trap_n[1 - team, room])):
                left[int(s.trap[1 - team, room, k])] -= 1
        for card in range(MAX_TYPES):
            if left[card] < 0:
                return False
    return True


@kernel
def counts_agree(s: Record, rules: Rules) -> bool:
    """Hands and sleeves have as many cards as is said, and not more than their sizes."""
    for seat in range(int(rules.num_seats)):
        hand = 0
        sleeve = 0
        for card in range(MAX_TYPES):
            hand += int(s.hand[seat, card])
            sleeve += int(s.sleeve[seat, card])
        if hand != int(s.hand_n[seat]) or sleeve != int(s.sleeve_n[seat]):
            return False
        if hand > int(rules.hand_size) or sleeve > int(rules.sleeve_size):
            return False
    return True


@kernel
def known_is_held(s: Record, rules: Rules) -> bool:
    """What is known of a hand is in it, and nothing is before its owner took a second deck."""
    for seat in range(int(rules.num_seats)):
        taken = decks_of(s, rules, seat) == 2
        for card in range(MAX_TYPES):
            known = int(s.known[seat, card])
            if known > int(s.hand[seat, card]) or (known > 0 and not taken):
                return False
    return True


# --- rooms


@kernel
def matches(rules: Rules, team: int, bedroom: int, place: int, symbol: int) -> bool:
    """Whether a card's symbol matches a place of a sequence."""
    printed = int(rules.sequences[bedroom, team, place])
    return printed == symbol or printed == ANY_SYMBOL or symbol == ANY_SYMBOL


@kernel
def fits_reading(s: Record, rules: Rules, team: int, room: int, reading: int) -> bool:
    """Whether a row follows its sequence in a reading, symbol by symbol (R4, R5)."""
    bedroom = int(s.bedroom[room])
    length = int(rules.bedrooms[bedroom, LENGTH])
    done = 0
    for k in range(int(s.row_n[team, room])):
        card = int(s.row[team, room, k])
        count = int(rules.cards[team, card, FILLS])
        if done + count > length:
            return False
        first = done if reading == LEFT else length - done - count
        for j in range(count):
            if not matches(rules, team, bedroom, first + j, int(rules.cards[team, card, FILL_A + j])):
                return False
        done += count
    return True


@kernel
def row_fits(s: Record, rules: Rules, team: int, room: int) -> bool:
    """Symbols and open readings are those of the cards, and the cards may lie there (R3, R22)."""
    length = int(rules.bedrooms[int(s.bedroom[room]), LENGTH])
    done = 0
    for k in range(int(s.row_n[team, room])):
        count = int(rules.cards[team, int(s.row[team, room, k]), FILLS])
        if count == 0 or done >= length:
            return False
        done += count
    readings = 0
    for reading in range(READINGS):
        if fits_reading(s, rules, team, room, reading):
            readings |= 1 << reading
    if done != int(s.row_sym[team, room]) or readings != int(s.open[team, room]):
        return False
    return int(rules.mistakes) == 1 or (readings != 0 and done <= length)


@kernel
def rows_fit(s: Record, rules: Rules) -> bool:
    """All rows are as they may be."""
    for room in range(MAX_ROOMS):
        for team in range(TEAMS):
            if int(s.bedroom[room]) != NO_ROOM and not row_fits(s, rules, team, room):
                return False
    return True


@kernel
def is_complete(s: Record, rules: Rules, team: int, room: int) -> bool:
    """Whether a row is the exact sequence; symbols and readings are checked elsewhere."""
    length = int(rules.bedrooms[int(s.bedroom[room]), LENGTH])
    return int(s.row_sym[team, room]) == length and int(s.open[team, room]) != 0


@kernel
def claim_fits(s: Record, rules: Rules, room: int) -> bool:
    """A claimed room has a row as long as its sequence, right unless it is marked, and nothing else in it."""
    owner = int(s.claimed[room])
    wrong = int(s.mistake[room]) == 1
    if owner == NOBODY:
        return not wrong
    for team in range(TEAMS):
        if int(s.trap_n[team, room]) > 0:
            return False
    if wrong and int(rules.mistakes) == 0:
        return False
    length = int(rules.bedrooms[int(s.bedroom[room]), LENGTH])
    return (
        int(s.row_n[1 - owner, room]) == 0
        and int(s.row_sym[owner, room]) >= length
        and is_complete(s, rules, owner, room) != wrong
    )


@kernel
def claims_fit(s: Record, rules: Rules) -> bool:
    """All claimed rooms are as they may be."""
    for room in range(MAX_ROOMS):
        if not claim_fits(s, rules, room):
            return False
    return True


@kernel
def traps_fit(s: Record, rules: Rules) -> bool:
    """Trap piles have traps, and symbols are paid, fewer than the price, only where one lies."""
    for room in range(MAX_ROOMS):
        for team in range(TEAMS):
            count = int(s.trap_n[team, room])
            if not within(int(s.paid[team, room]), 0, TRAP_PRICE - 1 if count > 0 else 0):
                return False
            for k in range(count):
                if int(rules.cards[1 - team, int(s.trap[team, room, k]), SNARE]) == 0:
                    return False
    return True


@kernel
def rooms_are_there(s: Record, rules: Rules) -> bool:
    """A deal has its number of rooms, the first ones, with different bedrooms."""
    rooms = int(rules.num_rooms) if int(s.sudden) == 0 else int(rules.sudden_rooms)
    for room in range(MAX_ROOMS):
        if (int(s.bedroom[room]) != NO_ROOM) != (room < rooms):
            return False
        for other in range(room):
            if room < rooms and int(s.bedroom[room]) == int(s.bedroom[other]):
                return False
    return True


@kernel
def is_decided(s: Record, rules: Rules) -> bool:
    """Whether the rooms decide the round (R16, R19, R20, R24)."""
    rooms = 0
    unclaimed = 0
    own = np.zeros(TEAMS, np.int64)
    for room in range(MAX_ROOMS):
        if int(s.bedroom[room]) == NO_ROOM:
            continue
        rooms += 1
        if int(s.claimed[room]) != NOBODY:
            own[int(s.claimed[room])] += 1
            if int(s.sudden) > 0 and (int(s.mistake[room]) == 0 or int(rules.discount) == 0):
                return True
            continue
        unclaimed += 1
        for team in range(TEAMS):
            if int(s.sudden) > 0 and int(rules.completion) == 1 and is_complete(s, rules, team, room):
                return True
    if unclaimed == 0:
        return True
    return int(s.sudden) == 0 and int(rules.play_out) == 0 and max(own[0], own[1]) > rooms // 2


# --- the clock and who decides


@kernel
def numbers_in_range(s: Record, rules: Rules) -> bool:
    """Round, sudden death, tick and keys as they may be."""
    if not (
        within(int(s.round_no), 1, int(rules.max_rounds))
        and within(int(s.sudden), 0, int(rules.max_sudden))
        and within(int(s.tick), 0, int(rules.round_ticks))
        and int(s.truncated) >= 0
        and int(s.truncated) <= 1
    ):
        return False
    for team in range(TEAMS):
        if not within(int(s.keys[team]), 0, int(rules.keys_to_win)):
            return False
    for seat in range(int(rules.num_seats)):
        if int(s.face_down[seat]) > int(rules.face_down):
            return False
    return True


@kernel
def acts_fit(s: Record, rules: Rules) -> bool:
    """Acts under way land later, and their cards have such an act; after the end there are none."""
    for seat in range(int(rules.num_seats)):
        kind = int(s.p_kind[seat])
        if kind == IDLE:
            continue
        if int(s.actor) == NOBODY or int(s.p_due[seat]) <= int(s.tick):
            return False
        if kind <= DISARM and not has_verb(rules, seat % TEAMS, int(s.p_card[seat]), kind):
            return False
    return True


@kernel
def last_acts_fit(s: Record, rules: Rules) -> bool:
    """What was seen has happened."""
    for seat in range(int(rules.num_seats)):
        if not within(int(s.l_tick[seat]), 0, int(s.tick)):
            return False
    return True


@kernel
def right_actor(s: Record, rules: Rules) -> bool:
    """The lowest idle seat is to decide."""
    actor = int(s.actor)
    if actor == NOBODY:
        return True
    for seat in range(actor):
        if int(s.p_kind[seat]) == IDLE:
            return False
    return int(s.p_kind[actor]) == IDLE


@kernel
def count_legal(states: Records, i: int, rules: Records) -> int:
    """Number of legal actions."""
    r = rules[0]
    mask = np.zeros(MAX_ACTIONS, np.bool_)
    size = 2 * int(r.num_types) + ROOM_BLOCKS * int(r.num_rooms) + LAST
    count = int(legal(states, i, rules, mask[:size]))
    true = 0
    for action in range(MAX_ACTIONS):
        true += 1 if mask[action] else 0
    return count if count == true else -1


@kernel
def end_fits(s: Record, rules: Rules) -> bool:
    """The game is over when one team has its keys, or cut off after the last round with none that has, not before."""
    winners = 0
    for team in range(TEAMS):
        if int(s.keys[team]) >= int(rules.keys_to_win):
            winners += 1
    if int(s.truncated) == 1 and int(s.round_no) != int(rules.max_rounds):
        return False
    return winners + int(s.truncated) == (1 if int(s.actor) == NOBODY else 0)


@kernel
def returns_fit(states: Records, i: int, rules: Records) -> bool:
    """+1 for each seat of the team that won and -1 for the others, 0 for all without a winner."""
    s = states[i]
    r = rules[0]
    out = np.zeros(MAX_SEATS, np.float64)
    returns(states, i, rules, out[: int(r.num_seats)])
    winner = NOBODY
    for team in range(TEAMS):
        if int(s.keys[team]) >= int(r.keys_to_win):
            winner = team
    for seat in range(MAX_SEATS):
        expected = 0.0
        if winner != NOBODY and seat < int(r.num_seats):
            expected = 1.0 if seat % TEAMS == winner else -1.0
        if out[seat] != expected:
            return False
    return True


# --- all of it


@kernel
def card_problems(s: Record, rules: Rules) -> int:
    """Bits of the broken invariants of cards and rooms."""
    found = 0
    if not cards_add_up(s, rules):
        found |= COPIES_LOST
    if not table_adds_up(s, rules):
        found |= TABLE_LOST
    if not counts_agree(s, rules):
        found |= BAD_COUNTS
    if not known_is_held(s, rules):
        found |= BAD_KNOWN
    if not rows_fit(s, rules):
        found |= BAD_ROW
    if not claims_fit(s, rules):
        found |= BAD_CLAIM
    if not traps_fit(s, rules):
        found |= BAD_TRAPS
    return found


@kernel
def flow_problems(s: Record, rules: Rules) -> int:
    """Bits of the broken invariants of the game and the clock."""
    found = 0
    if not numbers_in_range(s, rules):
        found |= OUT_OF_RANGE
    if not rooms_are_there(s, rules) or (int(s.actor) != NOBODY and is_decided(s, rules)):
        found |= BAD_ROOMS
    if not acts_fit(s, rules):
        found |= BAD_ACT
    if not last_acts_fit(s, rules):
        found |= BAD_LAST
    if not right_actor(s, rules):
        found |= BAD_ACTOR
    if not end_fits(s, rules):
        found |= BAD_END
    return found


@kernel
def problems(states: Records, i: int, rules: Records) -> int:
    """Bits of the broken invariants of game i, named by PROBLEMS; 0 if there are none."""
    s = states[i]
    r = rules[0]
    if not is_real(s, r):
        return NOT_ZERO  # nothing else can be looked up safely
    found = card_problems(s, r) | flow_problems(s, r)
    choices = count_legal(states, i, rules)
    if int(s.picked) != NO_CARD:
        if choices < 2 or not usable_types(s, r, int(s.actor)) >> int(s.picked) & 1:
            found |= BAD_PICKED
    elif choices < 2 if int(s.actor) != NOBODY else choices != 0:
        found |= NO_CHOICE
    if not returns_fit(states, i, rules):
        found |= BAD_RETURNS
    return found


# --- between two decisions


@kernel
def same_deal(after: Record, before: Record) -> bool:
    """Whether no cards were dealt between two decisions: each deal is a round or a sudden death of its own."""
    return int(after.round_no) == int(before.round_no) and int(after.sudden) == int(before.sudden)


@kernel
def is_monotone(after: Record, before: Record, rules: Rules) -> bool:
    """Keys and round never fall, and in a deal neither tick nor used cards; a deck grows only when one is taken."""
    keys = 0
    for team in range(TEAMS):
        gained = int(after.keys[team]) - int(before.keys[team])
        if gained < 0:
            return False
        keys += gained
    rounds = int(after.round_no) - int(before.round_no)
    going_on = int(after.actor) != NOBODY
    if keys > 1 or not within(rounds, 0, 1) or (going_on and keys > rounds):
        return False
    if rounds == 1 and int(after.sudden) != 0:
        return False
    if rounds == 0 and not within(int(after.sudden) - int(before.sudden), 0, 1):
        return False
    if not same_deal(after, before):
        return True
    if int(after.tick) < int(before.tick):
        return False
    for seat in range(int(rules.num_seats)):
        taken = decks_of(after, rules, seat) > decks_of(before, rules, seat)
        if decks_of(after, rules, seat) < decks_of(before, rules, seat):
            return False
        if int(after.deck_n[seat]) > int(before.deck_n[seat]) and not taken:
            return False
        if int(after.face_down[seat]) > int(before.face_down[seat]):
            return False
        for card in range(MAX_TYPES):
            if int(after.used[seat, card]) < int(before.used[seat, card]):
                return False
    return True


@kernel
def is_dealt(s: Record, rules: Rules) -> bool:
    """Whether nothing has happened in a deal: full hands and sleeves, empty rooms, nobody has acted (R18, R21)."""
    if int(s.tick) != 0 or int(s.actor) != 0:
        return False
    for seat in range(int(rules.num_seats)):
        if (
            int(s.hand_n[seat]) != int(rules.hand_size)
            or int(s.sleeve_n[seat]) != int(rules.sleeve_size)
            or int(s.face_down[seat]) != int(rules.face_down)
            or int(s.p_kind[seat]) != IDLE
            or int(s.l_kind[seat]) != IDLE
            or not rest_is_zero(s.used[seat], 0)
            or decks_of(s, rules, seat) != 1
        ):
            return False
    for room in range(MAX_ROOMS):
        if int(s.claimed[room]) != NOBODY:
            return False
        for team in range(TEAMS):
            if int(s.row_n[team, room]) > 0 or int(s.trap_n[team, room]) > 0:
                return False
    return True


@kernel
def deal_fits(after: Record, before: Record, rules: Rules) -> bool:
    """A new deal has begun as it should, a sudden death with bedrooms that were not on the table before it (R18)."""
    if same_deal(after, before):
        return True
    if not is_dealt(after, rules):
        return False
    if int(after.sudden) == 0:
        return True
    for room in range(MAX_ROOMS):
        for other in range(MAX_ROOMS):
            bedroom = int(after.bedroom[room])
            if bedroom != NO_ROOM and bedroom == int(before.bedroom[other]):
                return False
    return True


@kernel
def same_row(after: Record, before: Record, team: int, room: int) -> bool:
    """Whether a row did not change."""
    for k in range(MAX_ROW):
        if int(after.row[team, room, k]) != int(before.row[team, room, k]):
            return False
    return int(after.row_n[team, room]) == int(before.row_n[team, room])


@kernel
def claims_hold(after: Record, before: Record) -> bool:
    """In a deal bedrooms stay, claimed rooms stay claimed, and their rows do not change."""
    if not same_deal(after, before):
        return True
    for room in range(MAX_ROOMS):
        if int(after.bedroom[room]) != int(before.bedroom[room]):
            return False
        owner = int(before.claimed[room])
        if owner == NOBODY:
            continue
        if int(after.claimed[room]) != owner or int(after.mistake[room]) != int(before.mistake[room]):
            return False
        if not same_row(after, before, owner, room):
            return False
    return True


@kernel
def acted(after: Record, before: Record, seat: int) -> bool:
    """Whether a seat was seen to act: no two of its acts land at one tick."""
    return int(after.l_tick[seat]) > int(before.l_tick[seat])


@kernel
def same_table(after: Record, before: Record) -> bool:
    """Whether rooms, rows and traps did not change."""
    for room in range(MAX_ROOMS):
        if int(after.claimed[room]) != int(before.claimed[room]):
            return False
        for team in range(TEAMS):
            if not same_row(after, before, team, room):
                return False
            if int(after.trap_n[team, room]) != int(before.trap_n[team, room]):
                return False
            if int(after.paid[team, room]) != int(before.paid[team, room]):
                return False
            for k in range(MAX_TRAPS):
                if int(after.trap[team, room, k]) != int(before.trap[team, room, k]):
                    return False
    return True


@kernel
def same_cards(after: Record, before: Record, seat: int) -> bool:
    """Whether hand, sleeve, used cards and decks of a seat did not change."""
    for card in range(MAX_TYPES):
        if (
            int(after.hand[seat, card]) != int(before.hand[seat, card])
            or int(after.sleeve[seat, card]) != int(before.sleeve[seat, card])
            or int(after.used[seat, card]) != int(before.used[seat, card])
            or int(after.known[seat, card]) != int(before.known[seat, card])
        ):
            return False
    for k in range(MAX_DECK):
        if int(after.deck[seat, k]) != int(before.deck[seat, k]):
            return False
    return int(after.face_down[seat]) == int(before.face_down[seat])


@kernel
def changes_are_seen(after: Record, before: Record, rules: Rules) -> bool:
    """Waits, void acts and cards that were returned change nothing but the clock of their seat."""
    if not same_deal(after, before):
        return True
    seats = int(rules.num_seats)
    anybody = False
    for seat in range(seats):
        anybody = anybody or acted(after, before, seat)
    if not anybody and not same_table(after, before):
        return False
    for seat in range(seats):
        own = acted(after, before, seat)
        partner = seats > TEAMS and acted(after, before, (seat + TEAMS) % seats)
        if not own and not partner and not same_cards(after, before, seat):
            return False
    return True


@kernel
def changes(states: Records, i: int, rules: Records, before_states: Records, j: int) -> int:
    """Bits of the invariants broken between game j of `before_states` and its successor, game i."""
    after = states[i]
    before = before_states[j]
    r = rules[0]
    found = 0
    if not is_monotone(after, before, r):
        found |= NOT_MONOTONE
    if not deal_fits(after, before, r):
        found |= BAD_DEAL
    if not claims_hold(after, before):
        found |= CLAIM_CHANGED
    if not changes_are_seen(after, before, r):
        found |= UNSEEN_CHANGE
    return found
