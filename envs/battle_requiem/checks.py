"""Broken invariants of a record, as bits: what `State.problems`, the property tests and the fuzzing look for."""

from __future__ import annotations

import numpy as np

from cardzoo.envs.battle_requiem.cards import (
    AGE,
    ALLY,
    ARMAMENT_BITS,
    COPIES,
    ITEM,
    LEVY,
    ONE,
    REALM,
    RELIC,
    ROB,
    SALVAGE,
    TRIBUTE,
    VERB,
    WHO,
)
from cardzoo.envs.battle_requiem.information import add_face_down
from cardzoo.envs.battle_requiem.legal import effect_row, is_of, kind_of, legal, step_value
from cardzoo.envs.battle_requiem.rules import returns
from cardzoo.envs.battle_requiem.seats import (
    count_living,
    count_teams,
    first_of,
    in_mask,
    is_alive,
    same_team,
    team_lives,
)
from cardzoo.envs.battle_requiem.state import (
    ATTACK,
    CHOOSE,
    DEFEND,
    DRAFT,
    LAST_DEFENCES,
    LAST_TURNS,
    MAX_BOOST,
    MAX_CARDS,
    MAX_CHARACTERS,
    MAX_DUEL,
    MAX_EXTRA,
    MAX_INVENTORY,
    MAX_SEATS,
    MAX_SKIP,
    MAX_TAPE,
    MAX_TYPES,
    NO_CARD,
    NO_CHARACTER,
    NOBODY,
    OVER,
    PICK,
    REWARD,
    TARGET,
    TRIM,
    TURN,
)
from cardzoo.envs.battle_requiem.state import LEVY as PHASE_LEVY
from cardzoo.envs.battle_requiem.state import TRIBUTE as PHASE_TRIBUTE
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.checks import rest_is_zero, within
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records

PROBLEMS = (
    "the copies of a card in all zones do not add up to the copies in the game",
    "the size of a hand, or the counts of the discard pile, are not what they count",
    "an entry that is not in use is not 0, or a length does not fit its list",
    "more copies of a card are known than a seat holds",
    "the draw pile and what was drawn from it do not fit the last reshuffle",
    "a number of a seat or of the flow is out of its range",
    "an eliminated seat holds cards, or is still to play",
    "the turn order is not by age, or the place of a seat or of the active one in it is wrong",
    "a character is taken twice, is missing, or does not fit the team",
    "the teams that are out, or their places, are not those without a living member",
    "the duel on the table does not fit the phase",
    "the effect being carried out does not fit the phase",
    "the wrong seat is to decide, or an action is legal for nobody",
    "the game is over with several teams in, or goes on with one",
    "the returns do not sum to 0, or differ within a team",
    "the turn or the round fell, a seat came back to life, or what is fixed for the game changed",
    "a decision with a single choice was asked",
    "a seat began a turn short of cards that it could have drawn",
)
(
    COPIES_LOST,
    BAD_COUNTS,
    NOT_ZERO,
    KNOWN_ABOVE,
    BAD_PILE,
    OUT_OF_RANGE,
    NOT_GONE,
    BAD_ORDER,
    BAD_CHARACTER,
    BAD_PLACES,
    BAD_DUEL,
    BAD_EFFECT,
    BAD_ACTOR,
    BAD_END,
    BAD_RETURNS,
    NOT_MONOTONE,
    SINGLE_CHOICE,
    NOT_REFILLED,
) = tuple(1 << bit for bit in range(len(PROBLEMS)))

NUM_LAST_TURNS = len(LAST_TURNS)
NUM_LAST_DEFENCES = len(LAST_DEFENCES)
MAX_ACTIONS = 3 * MAX_TYPES + MAX_CHARACTERS + 19
TOLERANCE = 1e-9  # returns are fractions, summed as floats


@kernel
def lengths_fit(s: Record) -> bool:
    """Whether all lists are as long as they may be at most, and zero behind; what indexes by them relies on it."""
    return (
        rest_is_zero(s.draw, int(s.n_draw))
        and rest_is_zero(s.disc, int(s.n_disc))
        and rest_is_zero(s.att, int(s.n_att))
        and rest_is_zero(s.dfn, int(s.n_dfn))
        and rest_is_zero(s.steals, int(s.n_steals))
    )


@kernel
def is_real(s: Record, rules: Rules) -> bool:
    """Whether all numbers of cards, seats and characters, and the phase, name something that there is."""
    n = int(rules.num_types)
    seats = int(rules.num_seats)
    if not within(int(s.phase), DRAFT, OVER) or not within(int(s.eff_card), NO_CARD, n - 1):
        return False
    for k in range(MAX_CARDS):
        if int(s.draw[k]) >= n or int(s.disc[k]) >= n:
            return False
    for k in range(MAX_DUEL):
        if int(s.att[k]) >= n or int(s.dfn[k]) >= n:
            return False
    for k in range(MAX_TAPE):
        if int(s.steals[k]) >= n:
            return False
    for seat in range(seats):
        if not within(int(s.char[seat]), NO_CHARACTER, int(rules.num_characters) - 1):
            return False
        if not within(int(s.order[seat]), 0, seats - 1) or not within(int(s.rank[seat]), 0, seats - 1):
            return False
    return (
        within(int(s.active), 0, seats - 1)
        and within(int(s.pos), 0, seats - 1)
        and within(int(s.actor), NOBODY, seats - 1)
        and within(int(s.defender), NOBODY, seats - 1)
        and within(int(s.eff_foe), NOBODY, seats - 1)
        and within(int(s.eff_ally), NOBODY, seats - 1)
    )


@kernel
def unused_seats_are_zero(s: Record, rules: Rules) -> bool:
    """Whether seats and card types that are not there have nothing."""
    seats = int(rules.num_seats)
    n = int(rules.num_types)
    for seat in range(MAX_SEATS):
        start = n if seat < seats else 0
        if not (
            rest_is_zero(s.hand[seat], start)
            and rest_is_zero(s.known[seat], start)
            and rest_is_zero(s.fresh[seat], start)
        ):
            return False
        if seat >= seats and int(s.char[seat]) != NO_CHARACTER:
            return False
    if not (
        rest_is_zero(s.order, seats)
        and rest_is_zero(s.rank, seats)
        and rest_is_zero(s.hp, seats)
        and rest_is_zero(s.inv, seats)
        and rest_is_zero(s.skip, seats)
        and rest_is_zero(s.veil, seats)
        and rest_is_zero(s.att_boost, seats)
        and rest_is_zero(s.def_boost, seats)
        and rest_is_zero(s.place2, seats)
        and rest_is_zero(s.last_turn, seats)
        and rest_is_zero(s.last_def, seats)
        and rest_is_zero(s.n_hand, seats)
    ):
        return False
    if int(s.left) >> seats != 0 or int(s.fallen) >> seats != 0 or int(s.eff_queue) >> seats != 0:
        return False
    return rest_is_zero(s.mix, n) and rest_is_zero(s.box, n) and rest_is_zero(s.in_disc, n)


@kernel
def cards_add_up(s: Record, rules: Rules) -> bool:
    """Per type: hands, piles, duel cards, the card in use and the box are all copies in the game."""
    seen = np.zeros(MAX_TYPES, np.int64)
    for card in range(MAX_TYPES):
        seen[card] += int(s.box[card])
        for seat in range(MAX_SEATS):
            seen[card] += int(s.hand[seat, card])
    for k in range(int(s.n_draw)):
        seen[int(s.draw[k])] += 1
    for k in range(int(s.n_disc)):
        seen[int(s.disc[k])] += 1
    for k in range(int(s.n_att)):
        seen[int(s.att[k])] += 1
    for k in range(int(s.n_dfn)):
        seen[int(s.dfn[k])] += 1
    if int(s.eff_card) != NO_CARD:
        seen[int(s.eff_card)] += 1
    for card in range(MAX_TYPES):
        if seen[card] != int(rules.types[card, COPIES]):
            return False
    return True


@kernel
def counts_agree(s: Record) -> bool:
    """`n_hand` and `in_disc` say what the hands and the discard pile hold."""
    for seat in range(MAX_SEATS):
        held = 0
        for card in range(MAX_TYPES):
            held += int(s.hand[seat, card])
        if held != int(s.n_hand[seat]):
            return False
    seen = np.zeros(MAX_TYPES, np.int64)
    for k in range(int(s.n_disc)):
        seen[int(s.disc[k])] += 1
    for card in range(MAX_TYPES):
        if seen[card] != int(s.in_disc[card]):
            return False
    return True


@kernel
def known_are_held(s: Record, rules: Rules) -> bool:
    """No more copies are known than a seat has in its hand and face-down."""
    row = np.zeros(MAX_TYPES, np.uint8)
    for seat in range(int(rules.num_seats)):
        for card in range(MAX_TYPES):
            row[card] = s.hand[seat, card]
        add_face_down(s, seat, row)
        for card in range(MAX_TYPES):
            if int(s.known[seat, card]) > int(row[card]):
                return False
    return True


@kernel
def pile_fits(s: Record) -> bool:
    """The draw pile, and what all seats drew from it, lay in it after the last reshuffle.

    So it lies within every seat's bound: within `mix` but for what the seat drew itself, and, because known cards are
    held (`known_are_held`) and cards add up, within what it does not see.
    """
    drawn = np.zeros(MAX_TYPES, np.int64)
    for k in range(int(s.n_draw)):
        drawn[int(s.draw[k])] += 1
    for card in range(MAX_TYPES):
        for seat in range(MAX_SEATS):
            drawn[card] += int(s.fresh[seat, card])
        if drawn[card] > int(s.mix[card]):
            return False
    return True


@kernel
def seats_in_range(s: Record, rules: Rules) -> bool:
    """The numbers of the seats as they may be at a decision."""
    for seat in range(int(rules.num_seats)):
        least = 0 if int(s.phase) == DRAFT else 1  # nothing is dealt in the draft
        if not (
            within(int(s.hp[seat]), 0, int(rules.tracker_max))
            and within(int(s.inv[seat]), least, MAX_INVENTORY)
            and within(int(s.skip[seat]), 0, MAX_SKIP)
            and within(int(s.veil[seat]), 0, 1)
            and within(int(s.att_boost[seat]), -MAX_BOOST, MAX_BOOST)
            and within(int(s.def_boost[seat]), -MAX_BOOST, MAX_BOOST)
            and within(int(s.last_turn[seat]), 0, NUM_LAST_TURNS - 1)
            and within(int(s.last_def[seat]), 0, NUM_LAST_DEFENCES - 1)
        ):
            return False
    return True


@kernel
def flow_in_range(s: Record, rules: Rules) -> bool:
    """Turn, round and extra turns as they may be at a decision."""
    if int(s.phase) == DRAFT:
        return int(s.turn) == 0 and int(s.round_no) == 0 and int(s.extra) == 0 and int(s.truncated) == 0
    return (
        within(int(s.turn), 1, int(rules.max_turns))
        and within(int(s.round_no), 1, int(s.turn))
        and within(int(s.extra), 0, MAX_EXTRA)
        and within(int(s.truncated), 0, 1)
    )


@kernel
def fallen_are_gone(s: Record, rules: Rules) -> bool:
    """Eliminated seats have no cards, unless their reward is open, and nothing that waits for them."""
    if int(s.phase) == DRAFT:
        return int(s.fallen) == 0
    for seat in range(int(rules.num_seats)):
        if is_alive(s, seat):
            if in_mask(int(s.fallen), seat):
                return False
            continue
        if int(s.n_hand[seat]) > 0 and not in_mask(int(s.fallen), seat):
            return False
        if int(s.skip[seat]) != 0 or int(s.veil[seat]) != 0:
            return False
        if int(s.att_boost[seat]) != 0 or int(s.def_boost[seat]) != 0:
            return False
        if in_mask(int(s.eff_queue), seat) or int(s.defender) == seat:
            return False
        if int(s.phase) != OVER and int(s.active) == seat:
            return False
    return True


@kernel
def order_is_sound(s: Record, rules: Rules) -> bool:
    """Seats stand by age, in the draft by number; `rank` is the inverse of `order`, and the active seat is at `pos`."""
    for seat in range(int(rules.num_seats)):
        if int(s.order[int(s.rank[seat])]) != seat:
            return False
        if int(s.phase) == DRAFT and int(s.rank[seat]) != seat:
            return False
    if int(s.phase) != DRAFT:
        for k in range(1, int(rules.num_seats)):
            seat = int(s.order[k - 1])
            following = int(s.order[k])
            age = int(rules.characters[int(s.char[seat]), AGE])
            other = int(rules.characters[int(s.char[following]), AGE])
            if age > other or (age == other and seat > following):
                return False
    return int(s.order[int(s.pos)]) == int(s.active)


@kernel
def characters_fit(s: Record, rules: Rules) -> bool:
    """Every seat has a character of its own (those behind the drafting one none); teams have realms of their own."""
    drafting = int(s.phase) == DRAFT
    for seat in range(int(rules.num_seats)):
        character = int(s.char[seat])
        if (character == NO_CHARACTER) != (drafting and seat >= int(s.active)):
            return False
        for other in range(seat):
            if character == NO_CHARACTER or int(s.char[other]) == NO_CHARACTER:
                continue
            if int(s.char[other]) == character:
                return False
            one_realm = int(rules.characters[character, REALM]) == int(rules.characters[int(s.char[other]), REALM])
            if int(rules.team_size) > 1 and one_realm != same_team(rules, seat, other):
                return False
    return True


@kernel
def places_fit(s: Record, rules: Rules) -> bool:
    """A team has left, with a place, exactly if it has no living member."""
    for seat in range(int(rules.num_seats)):
        out = int(s.phase) != DRAFT and not team_lives(s, rules, int(rules.team[seat]))
        if out != in_mask(int(s.left), seat) or out != (int(s.place2[seat]) != 0):
            return False
        if out and not within(int(s.place2[seat]), 4, 2 * int(rules.num_teams)):
            return False
        for other in range(seat):
            if same_team(rules, seat, other) and int(s.place2[seat]) != int(s.place2[other]):
                return False
    return True


@kernel
def duel_fits(s: Record, rules: Rules) -> bool:
    """A duel is on the table exactly in attack and defend, between a living seat and a living opponent, of armaments.

    Armor and shields end the defence, so at a decision there is none.
    """
    phase = int(s.phase)
    n_att = int(s.n_att)
    n_dfn = int(s.n_dfn)
    if phase != ATTACK and phase != DEFEND:
        return int(s.defender) == NOBODY and n_att == 0 and n_dfn == 0
    defender = int(s.defender)
    if defender == NOBODY or same_team(rules, int(s.active), defender) or not is_alive(s, defender):
        return False
    for k in range(n_att):
        if not is_of(rules, int(s.att[k]), ARMAMENT_BITS):
            return False
    for k in range(n_dfn):
        if not is_of(rules, int(s.dfn[k]), ARMAMENT_BITS):
            return False
    if phase == ATTACK:
        return n_att < MAX_DUEL and n_dfn == 0
    return n_att > 0 and n_dfn < MAX_DUEL


@kernel
def step_fits(s: Record, rules: Rules) -> bool:
    """The current step of the effect is one that asks what the phase asks."""
    phase = int(s.phase)
    if int(s.eff_step) >= int(rules.num_steps[effect_row(s, rules)]):
        return phase == REWARD or phase == TRIM  # a reward is asked between two steps
    verb = step_value(s, rules, VERB)
    who = step_value(s, rules, WHO)
    if phase == CHOOSE:
        return int(s.eff_step) == 0 and int(s.eff_branch) == 0
    if phase == TARGET:
        chosen = int(s.eff_foe) if who == ONE else int(s.eff_ally)
        return (who == ONE or who == ALLY) and chosen == NOBODY
    if phase == PICK:
        return verb == SALVAGE or (verb == ROB and int(s.eff_foe) != NOBODY)
    if phase == PHASE_LEVY:
        return verb == LEVY
    if phase == PHASE_TRIBUTE:
        return verb == TRIBUTE
    return True


@kernel
def targets_fit(s: Record, rules: Rules) -> bool:
    """Whom the effect has chosen or still asks: opponents, and a member of the own team."""
    active = int(s.active)
    if int(s.eff_foe) != NOBODY and same_team(rules, active, int(s.eff_foe)):
        return False
    if int(s.eff_ally) != NOBODY and not same_team(rules, active, int(s.eff_ally)):
        return False
    for seat in range(int(rules.num_seats)):
        if in_mask(int(s.eff_queue), seat) and same_team(rules, active, seat):
            return False
    return True


@kernel
def effect_fits(s: Record, rules: Rules) -> bool:
    """A card is on the table exactly in the phases of an effect (perhaps in a reward), at a step that asks that."""
    phase = int(s.phase)
    answering = phase == PHASE_LEVY or phase == PHASE_TRIBUTE
    rewarding = phase == REWARD or phase == TRIM
    asking = answering or phase == CHOOSE or phase == TARGET or phase == PICK
    if (int(s.fallen) != 0) != rewarding:
        return False
    if int(s.eff_card) == NO_CARD:
        return (
            not asking
            and int(s.eff_step) == 0
            and int(s.eff_branch) == 0
            and int(s.eff_foe) == NOBODY
            and int(s.eff_ally) == NOBODY
            and int(s.eff_need) == 0
            and int(s.eff_queue) == 0
        )
    if not asking and not rewarding:
        return False
    kind = kind_of(rules, int(s.eff_card))
    if (kind != ITEM and kind != RELIC) or not within(int(s.eff_branch), 0, 2) or int(s.eff_step) < 0:
        return False
    if (int(s.eff_need) > 0) != (answering or phase == PICK):
        return False
    if not rewarding and (int(s.eff_queue) != 0) != answering:
        return False
    return step_fits(s, rules) and targets_fit(s, rules)


@kernel
def right_actor(s: Record, rules: Rules) -> int:
    """The seat that decides in the present phase."""
    phase = int(s.phase)
    if phase == OVER:
        return NOBODY
    if phase == DEFEND:
        return int(s.defender)
    if phase == PHASE_LEVY or phase == PHASE_TRIBUTE:
        return first_of(s, rules, int(s.eff_queue))
    return int(s.active)


@kernel
def count_legal(states: Records, i: int, rules: Records) -> int:
    """Number of legal actions."""
    r = rules[0]
    mask = np.zeros(MAX_ACTIONS, np.bool_)
    return int(legal(states, i, rules, mask[: 3 * int(r.num_types) + int(r.num_characters) + 19]))


@kernel
def somebody_acts(states: Records, i: int, rules: Records) -> bool:
    """The right seat is to decide and has an action, nobody when the game is over."""
    s = states[i]
    if int(s.actor) != right_actor(s, rules[0]):
        return False
    return (count_legal(states, i, rules) > 0) == (int(s.actor) != NOBODY)


@kernel
def end_fits(s: Record, rules: Rules) -> bool:
    """The game is over when one team is left, or cut off at the last turn with more, and not before."""
    phase = int(s.phase)
    if phase == DRAFT:
        return True
    teams = count_teams(s, rules)
    if int(s.truncated) == 1:
        return phase == OVER and teams > 1 and int(s.turn) == int(rules.max_turns)
    return (teams == 1) if phase == OVER else (teams > 1)


@kernel
def returns_fit(states: Records, i: int, rules: Records) -> bool:
    """Returns are equal within a team, and at the end they sum to 0."""
    s = states[i]
    r = rules[0]
    out = np.zeros(MAX_SEATS, np.float64)
    returns(states, i, rules, out[: int(r.num_seats)])
    for seat in range(int(r.num_seats)):
        for other in range(seat):
            if same_team(r, seat, other) and out[seat] != out[other]:
                return False
    return int(s.phase) != OVER or abs(out.sum()) < TOLERANCE


@kernel
def table_problems(s: Record, rules: Rules) -> int:
    """Bits of the broken invariants of cards."""
    found = 0
    if not unused_seats_are_zero(s, rules):
        found |= NOT_ZERO
    if not cards_add_up(s, rules):
        found |= COPIES_LOST
    if not counts_agree(s):
        found |= BAD_COUNTS
    if not known_are_held(s, rules):
        found |= KNOWN_ABOVE
    if not pile_fits(s):
        found |= BAD_PILE
    return found


@kernel
def seat_problems(s: Record, rules: Rules) -> int:
    """Bits of the broken invariants of seats."""
    found = 0
    if not seats_in_range(s, rules) or not flow_in_range(s, rules):
        found |= OUT_OF_RANGE
    if not fallen_are_gone(s, rules):
        found |= NOT_GONE
    if not characters_fit(s, rules):
        found |= BAD_CHARACTER
    elif not order_is_sound(s, rules):
        found |= BAD_ORDER
    if not places_fit(s, rules):
        found |= BAD_PLACES
    return found


@kernel
def problems(states: Records, i: int, rules: Records) -> int:
    """Bits of the broken invariants of game i, named by PROBLEMS; 0 if there are none."""
    s = states[i]
    r = rules[0]
    if not lengths_fit(s) or not is_real(s, r):
        return NOT_ZERO  # nothing else can be looked up safely
    found = table_problems(s, r) | seat_problems(s, r)
    if not duel_fits(s, r):
        found |= BAD_DUEL
    if not effect_fits(s, r):
        found |= BAD_EFFECT
    elif not somebody_acts(states, i, rules):
        found |= BAD_ACTOR
    if not end_fits(s, r):
        found |= BAD_END
    if not returns_fit(states, i, rules):
        found |= BAD_RETURNS
    return found


@kernel
def is_monotone(after: Record, before: Record, rules: Rules) -> bool:
    """Turn and round do not fall, nobody comes back, and what the deal fixes does not change after it."""
    if int(after.turn) < int(before.turn) or int(after.round_no) < int(before.round_no):
        return False
    for card in range(MAX_TYPES):
        if int(after.box[card]) != int(before.box[card]):
            return False
    drafting = int(before.phase) == DRAFT
    if not drafting and (int(after.phase) == DRAFT or count_living(after, rules) > count_living(before, rules)):
        return False
    for seat in range(int(rules.num_seats)):
        if int(before.char[seat]) != NO_CHARACTER and int(after.char[seat]) != int(before.char[seat]):
            return False
        if drafting:
            continue
        if int(after.order[seat]) != int(before.order[seat]) or (is_alive(after, seat) and not is_alive(before, seat)):
            return False
        if in_mask(int(before.left), seat) and int(after.place2[seat]) != int(before.place2[seat]):
            return False
    return True


@kernel
def is_refilled(s: Record, rules: Rules) -> bool:
    """Whether every living seat has the cards of its Inventory, or there is no card to draw."""
    if int(s.n_draw) == 0 and int(s.n_disc) <= 1:
        return True
    for seat in range(int(rules.num_seats)):
        if is_alive(s, seat) and int(s.n_hand[seat]) < int(s.inv[seat]):
            return False
    return True


@kernel
def may_be_single(s: Record) -> bool:
    """Whether a decision is shown even if there is only one choice (R27)."""
    phase = int(s.phase)
    return phase == TURN or phase == OVER or (phase == DEFEND and int(s.n_dfn) == 0)


@kernel
def changes(states: Records, i: int, rules: Records, before_states: Records, j: int) -> int:
    """Bits of the invariants broken between game j of `before_states` and its successor, game i."""
    after = states[i]
    before = before_states[j]
    r = rules[0]
    found = 0
    if not is_monotone(after, before, r):
        found |= NOT_MONOTONE
    if not may_be_single(after) and count_legal(states, i, rules) < 2:
        found |= SINGLE_CHOICE
    if int(after.turn) > int(before.turn) and not is_refilled(after, r):
        found |= NOT_REFILLED
    return found
