"""What a seat sees, as numbers: the layout of the observation and the kernel that writes it.

T card types, C characters, m seat blocks. What is an exact function of other entries is left out: how many seats and
teams live (flags of the seats), the modifiers of a character (its number), the unseen cards. The card in use and the
own face-down cards share the block `table`, which no card type can be in both ways; the top three cards of the discard
pile are one block of weights whose sums can be told apart. Added is a flag of fallen seats whose reward is open.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.battle_requiem.cards import COPIES, NUM_KINDS, NUM_VERBS, STEP_KINDS, VERB, M, N
from cardzoo.envs.battle_requiem.information import add_face_down, shows_hand
from cardzoo.envs.battle_requiem.legal import effect_row
from cardzoo.envs.battle_requiem.seats import seat_after
from cardzoo.envs.battle_requiem.state import LAST_DEFENCES, LAST_TURNS, MAX_TYPES, OVER, PHASES, TRIM
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.layout import Block, Layout
from cardzoo.envs.core.records import Record, Records

LIMIT = 1.0
PLACES = 0xFFFF  # `at &= PLACES` changes nothing, but tells the compiler that no index is negative: twice as fast
MOST = 6  # copies of a type that a number within the limit can show

ONE = np.float32(1.0)
SIXTH = np.float32(1.0 / MOST)
QUARTER = np.float32(0.25)
# Multiplying is several times as fast as dividing.
PER_3 = 1.0 / 3.0
PER_4 = 1.0 / 4.0
PER_5 = 1.0 / 5.0
PER_9 = 1.0 / 9.0
PER_10 = 1.0 / 10.0
PER_12 = 1.0 / 12.0
PER_20 = 1.0 / 20.0
PER_30 = 1.0 / 30.0
PER_60 = 1.0 / 60.0
PER_80 = 1.0 / 80.0

NUM_PHASES = len(PHASES) - 1  # without over
SCALARS = 9
FLAGS = 8
NUMBERS = 9
NUM_LAST_TURNS = len(LAST_TURNS) - 1  # without none
NUM_LAST_DEFENCES = len(LAST_DEFENCES) - 1

# A seat's entries. A one-hot follows numbers that are always written: a code of 0 for "none" falls on the number
# before, which is written after it, so that no branch is needed.
LAST_TURN_AT = FLAGS
NUMBERS_AT = LAST_TURN_AT + NUM_LAST_TURNS
LAST_DEFENCE_AT = NUMBERS_AT + NUMBERS
CHARACTER_AT = LAST_DEFENCE_AT + NUM_LAST_DEFENCES


def observation_layout(num_types: int, num_characters: int, obs_seats: int) -> Layout:
    """The observation of one seat as named blocks; all numbers are clipped to -1..1."""
    types = (num_types,)
    return Layout(
        [
            Block("hand", types, "own hand, copies / 6"),
            Block("discard", types, "discard pile, copies / 6"),
            Block("pile_bound", types, "most copies that the draw pile can hold / 6"),
            Block(
                "known",
                (obs_seats, num_types),
                "me, then the others in turn order: cards that all know, copies / 6; "
                "of a teammate whose hand is shown all its cards",
            ),
            Block("discard_top", types, "1/2, 1/4, 1/8 for the top three cards of the discard pile, added up"),
            Block("table", types, "own face-down cards of this duel, copies / 4; 1 the item or relic in use"),
            Block("phase", (NUM_PHASES,), "one-hot: " + ", ".join(PHASES[:NUM_PHASES])),
            Block("verb", (NUM_VERBS,), "one-hot of the current step's verb, in the order of the rules; 0 without one"),
            Block("kinds", (NUM_KINDS,), "kinds of the step: melee, missile, spell, armor, shield, item, relic"),
            Block(
                "scalars",
                (SCALARS,),
                "turn / max_turns, draw pile / 80, discard pile / 80, extra turns / 9, cards still due / 4, "
                "N / 10 and M / 10 of the current step, attack cards / 3, defence cards / 3",
            ),
            Block(
                "seats",
                (obs_seats, CHARACTER_AT + num_characters),
                "me, then the others in turn order: exists, alive, my team, active, must decide, defender, target of "
                "the effect or still to answer, fallen with its reward open; last turn one-hot: discard, item, relic, "
                "duel, lost; HP / tracker_max, Inventory / 12, hand / 30, place in the turn order / 5, veil, lost "
                "turns / 3, attack boost / 20, defend boost / 20, cards drawn since the last reshuffle / 60; last "
                "defence one-hot: pass, armament, armor, shield; character one-hot (C)",
            ),
        ]
    )


@kernel
def within(value: float) -> float:
    """A number held within -LIMIT..LIMIT."""
    return max(-LIMIT, min(LIMIT, value))


# The kernels below write into `out`, float32 (D,), from entry `at` on: a slice for each block would cost more than it.
# A row of counts is one loop of a fixed number of steps in float32, so that it runs as vector instructions: with a step
# for each of T types it would not, as T is too small. So up to MAX_TYPES - 1 zeros land behind a row (counts of types
# that are not there); rows are written in their order, and what follows the last one is longer and written later.


@kernel
def observe_row(row: NDArray[np.uint8], out: NDArray[np.float32], at: int) -> None:
    """Write counts, uint8 (MAX_TYPES,), as copies / 6, float32 (T,)."""
    at &= PLACES
    for card in range(MAX_TYPES):
        count = np.float32(row[card]) * SIXTH
        out[at + card] = count if count < ONE else ONE


@kernel
def observe_unseen(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write the copies of each type that lie in sight of nobody but perhaps their owner, float32 (T,)."""
    at &= PLACES
    own = s.hand[seat]
    known = s.known[seat]
    # Rows of seats that are not there are 0.
    for card in range(MAX_TYPES):
        out[at + card] = (
            np.float32(known[card])
            - np.float32(own[card])
            - np.float32(s.box[card])
            - np.float32(s.in_disc[card])
            - np.float32(s.known[0, card])
            - np.float32(s.known[1, card])
            - np.float32(s.known[2, card])
            - np.float32(s.known[3, card])
            - np.float32(s.known[4, card])
            - np.float32(s.known[5, card])
        )
    # A loop of its own: the copies do not lie side by side, which would slow the one above down.
    for card in range(int(rules.num_types)):
        out[at + card] += np.float32(rules.types[card, COPIES])


@kernel
def take_table(s: Record, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Take from the unseen cards the one in use and the own face-down ones."""
    if int(s.eff_card) >= 0:
        out[at + int(s.eff_card)] -= ONE
    if int(s.defender) < 0:
        return
    if int(s.active) == seat:
        for k in range(int(s.n_att)):
            out[at + int(s.att[k])] -= ONE
    if int(s.defender) == seat:
        for k in range(int(s.n_dfn)):
            out[at + int(s.dfn[k])] -= ONE


@kernel
def take_shown(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Take from the unseen cards what the seat sees of its teammates beyond what all know, float32 (T,)."""
    row = np.zeros(MAX_TYPES, np.uint8)
    for other in range(int(rules.num_seats)):
        if other != seat and shows_hand(rules, seat, other):
            row[:] = s.hand[other]
            add_face_down(s, other, row)
            for card in range(int(rules.num_types)):
                out[at + card] -= np.float32(row[card]) - np.float32(s.known[other, card])


@kernel
def bound_pile(s: Record, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Turn the unseen cards into what the draw pile can hold of them, copies / 6, float32 (T,)."""
    at &= PLACES
    own = s.fresh[seat]
    for card in range(MAX_TYPES):
        unseen = out[at + card]
        left = np.float32(s.mix[card]) - np.float32(own[card])
        count = (unseen if unseen < left else left) * SIXTH
        out[at + card] = count if count < ONE else ONE


@kernel
def observe_table(s: Record, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write the card in use and the own face-down cards, float32 (T,)."""
    if int(s.eff_card) >= 0:
        out[at + int(s.eff_card)] = 1.0
    if int(s.defender) < 0:
        return
    if int(s.active) == seat:
        for k in range(int(s.n_att)):
            out[at + int(s.att[k])] += QUARTER
    if int(s.defender) == seat:
        for k in range(int(s.n_dfn)):
            out[at + int(s.dfn[k])] += QUARTER


@kernel
def observe_top(s: Record, out: NDArray[np.float32], at: int) -> None:
    """Write the top three cards of the discard pile, float32 (T,)."""
    n_disc = int(s.n_disc)
    weight = 0.5
    for k in range(min(3, n_disc)):
        out[at + int(s.disc[n_disc - 1 - k])] += np.float32(weight)
        weight *= 0.5


@kernel
def observe_known(s: Record, rules: Rules, seat: int, other: int, out: NDArray[np.float32], at: int) -> None:
    """Write what all know of a seat's cards, or of a teammate whose hand is shown all of them, float32 (T,)."""
    if int(rules.hands_shown) == 1 and other != seat and shows_hand(rules, seat, other):
        row = np.empty(MAX_TYPES, np.uint8)
        row[:] = s.hand[other]
        add_face_down(s, other, row)
        observe_row(row, out, at)
    else:
        observe_row(s.known[other], out, at)


@kernel
def observe_rows(s: Record, rules: Rules, seat: int, out: NDArray[np.float32]) -> int:
    """Write the rows of counts, float32 (3 + S, T), and return where the next entry is."""
    n = int(rules.num_types)
    observe_row(s.hand[seat], out, 0)
    observe_row(s.in_disc, out, n)
    observe_unseen(s, rules, seat, out, 2 * n)
    take_table(s, seat, out, 2 * n)
    if int(rules.hands_shown) == 1:
        take_shown(s, rules, seat, out, 2 * n)
    bound_pile(s, seat, out, 2 * n)
    at = 3 * n
    for k in range(int(rules.num_seats)):
        observe_known(s, rules, seat, seat_after(s, rules, seat, k), out, at)
        at += n
    return at


@kernel
def observe_step(s: Record, rules: Rules, out: NDArray[np.float32], at: int) -> None:
    """Write the step of the effect being carried out: verb, kinds, and two scalars, if there is one."""
    row = effect_row(s, rules)
    step = int(s.eff_step)
    if step >= int(rules.num_steps[row]):
        return
    out[at + int(rules.effects[row, step, VERB]) - 1] = 1.0
    kinds = int(rules.effects[row, step, STEP_KINDS])
    at += NUM_VERBS
    for kind in range(NUM_KINDS):
        out[at + kind] = float((kinds >> kind) & 1)
    at += NUM_KINDS
    out[at + 5] = within(int(rules.effects[row, step, N]) * PER_10)
    out[at + 6] = within(int(rules.effects[row, step, M]) * PER_10)


@kernel
def observe_flow(s: Record, rules: Rules, out: NDArray[np.float32], at: int) -> None:
    """Write the phase, the current step and the scalars."""
    at &= PLACES
    phase = int(s.phase)
    if phase != OVER:
        out[at + phase] = 1.0
    at += NUM_PHASES
    if int(s.eff_card) >= 0:
        observe_step(s, rules, out, at)
    at += NUM_VERBS + NUM_KINDS
    out[at] = within(float(int(s.turn)) / float(int(rules.max_turns)))
    out[at + 1] = int(s.n_draw) * PER_80
    out[at + 2] = int(s.n_disc) * PER_80
    out[at + 3] = int(s.extra) * PER_9
    due = int(s.eff_need)
    if phase == TRIM:
        due = int(s.n_hand[int(s.active)]) - int(s.inv[int(s.active)])
    out[at + 4] = within(due * PER_4)
    out[at + 7] = int(s.n_att) * PER_3
    out[at + 8] = int(s.n_dfn) * PER_3


@kernel
def count_fresh(s: Record, seat: int) -> int:
    """Cards that a seat drew since the last reshuffle."""
    count = 0
    for card in range(MAX_TYPES):  # a fixed number of steps becomes a few vector instructions
        count += int(s.fresh[seat, card])
    return count


@kernel
def observe_seat(s: Record, rules: Rules, seat: int, other: int, out: NDArray[np.float32], at: int) -> None:
    """Write the entries of a seat, `other`, as `seat` sees it, float32 (CHARACTER_AT + C,)."""
    at &= PLACES
    if int(s.char[other]) >= 0:
        out[at + CHARACTER_AT + int(s.char[other])] = 1.0
    out[at + LAST_TURN_AT - 1 + int(s.last_turn[other])] = 1.0
    out[at + LAST_DEFENCE_AT - 1 + int(s.last_def[other])] = 1.0
    bit = 1 << other
    out[at] = 1.0
    out[at + 1] = 1.0 if int(s.hp[other]) > 0 else 0.0
    out[at + 2] = 1.0 if int(rules.team[other]) == int(rules.team[seat]) else 0.0
    out[at + 3] = 1.0 if int(s.active) == other else 0.0
    out[at + 4] = 1.0 if int(s.actor) == other else 0.0
    out[at + 5] = 1.0 if int(s.defender) == other else 0.0
    chosen = 1.0 if int(s.eff_foe) == other else 0.0
    chosen = 1.0 if int(s.eff_ally) == other else chosen
    out[at + 6] = 1.0 if (int(s.eff_queue) & bit) != 0 else chosen
    out[at + 7] = 1.0 if (int(s.fallen) & bit) != 0 else 0.0
    at += NUMBERS_AT
    out[at] = float(int(s.hp[other])) / float(int(rules.tracker_max))
    out[at + 1] = int(s.inv[other]) * PER_12
    out[at + 2] = min(1.0, int(s.n_hand[other]) * PER_30)
    out[at + 3] = int(s.rank[other]) * PER_5
    out[at + 4] = float(int(s.veil[other]))
    out[at + 5] = int(s.skip[other]) * PER_3
    out[at + 6] = int(s.att_boost[other]) * PER_20
    out[at + 7] = int(s.def_boost[other]) * PER_20
    out[at + 8] = min(1.0, count_fresh(s, other) * PER_60)


@kernel
def observe(states: Records, i: int, rules: Records, seat: int, out: NDArray[np.float32]) -> None:
    """Write what `seat` sees of game i, float32 (D,) as in `observation_layout`, every entry in -LIMIT..LIMIT."""
    s = states[i]
    r = rules[0]
    at = observe_rows(s, r, seat, out)
    out[at:] = 0.0
    n = int(r.num_types)
    at += (int(r.obs_seats) - int(r.num_seats)) * n
    observe_top(s, out, at)
    observe_table(s, seat, out, at + n)
    at += 2 * n
    observe_flow(s, r, out, at)
    at += NUM_PHASES + NUM_VERBS + NUM_KINDS + SCALARS
    for k in range(int(r.num_seats)):
        observe_seat(s, r, seat, seat_after(s, r, seat, k), out, at)
        at += CHARACTER_AT + int(r.num_characters)
