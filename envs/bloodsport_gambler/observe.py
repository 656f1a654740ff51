"""What a seat sees, as numbers: the layout of the observation and the kernel that writes it.

TA action card types, TB of them Sabotage, F fighters, W weapons, X secrets. "Other" is the other seat; its entries are
0 in one-seat play. What is an exact function of other entries is left out: sizes of the decks of fighters, weapons and
secrets, the difference in rank, Sabotage that I know at a spot. Numbers with an order are one number, not a one-hot:
guard level, status. A weapon's type is two numbers, whether it uses STR and DEX; a wager is one, with a sign for the
side. Modifiers and dice are written for the fight being fought only: no other has any that matter.
Sabotage cards are lists of numbers in played order (type as a code), and once more the known ones, counted by spot and
type. Chosen targets and the card that `show` asks about are one block of two weights. Added are the first result of a
seat, by which it is paid when it plays on, and the number of unknown Sabotage cards at a spot.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bloodsport_gambler.cards import (
    COPIES,
    DAMAGE,
    DEX,
    FIGHTER_COPIES,
    LIFE,
    RANK,
    SECRET_COPIES,
    STR,
    TYPE,
    TYPE_BEST,
    TYPE_DEX,
    TYPE_STR,
    TYPE_WORST,
    WEAPON_COPIES,
)
from cardzoo.envs.bloodsport_gambler.fights import current_damage, current_type, kept_die, total_score
from cardzoo.envs.bloodsport_gambler.forecast import UNKNOWN
from cardzoo.envs.bloodsport_gambler.information import hides_pending
from cardzoo.envs.bloodsport_gambler.legal import risk_of, shown_now
from cardzoo.envs.bloodsport_gambler.looks import NO_LOOK, item_to_show, look_scope
from cardzoo.envs.bloodsport_gambler.seats import knows
from cardzoo.envs.bloodsport_gambler.state import (
    ACT,
    BET,
    FIGHTS,
    LEFT,
    LOANS,
    MAX_ACTIONS,
    MAX_FIGHTERS,
    MAX_SECRETS,
    MAX_STACK,
    MAX_WEAPONS,
    MODS,
    NO_CARD,
    NODES,
    REACT,
    RIGHT,
    SHOW,
    SIDES,
    SPOTS,
    WINDOW,
)
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.bloodsport_gambler.tokens import wagered
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.layout import Block, Layout
from cardzoo.envs.core.records import Record, Records

LIMIT = 2.0
PLACES = 0xFFFF  # `at &= PLACES` changes nothing, but tells the compiler that no index is negative

ONE = np.float32(1.0)
ZERO = np.float32(0.0)
HALF = np.float32(0.5)
QUARTER = np.float32(0.25)
TWO = np.float32(LIMIT)
# Multiplying is several times as fast as dividing.
PER_3 = np.float32(1.0 / 3.0)
PER_4 = np.float32(1.0 / 4.0)
PER_6 = np.float32(1.0 / 6.0)
PER_9 = np.float32(1.0 / 9.0)
PER_12 = np.float32(1.0 / 12.0)
PER_20 = np.float32(1.0 / 20.0)
PER_28 = np.float32(1.0 / 28.0)
PER_40 = np.float32(1.0 / 40.0)

NUM_NODES = len(NODES) - 1  # without over
CLOCK = 13
SEAT = 7 + LOANS
SIDE = 10
FIGHT = SIDES * SIDE + 8  # and the secret's one-hot
DUEL_SIDE = MODS + 2
STACK_FIELDS = 8
PENDING = SPOTS + FIGHTS + 3


def observation_layout(
    num_actions: int, num_sabotage: int, num_fighters: int, num_weapons: int, num_secrets: int
) -> Layout:
    """The observation of one seat as named blocks; all numbers are clipped to -2..2."""
    types = (num_actions,)
    return Layout(
        [
            Block("hand", types, "own hand, copies / 2"),
            Block("discard", types, "discard of action cards, copies / 2"),
            Block("used", types, "action cards used this round, copies / 2"),
            Block("deck", types, "most copies that the action deck can hold, as far as I know / 2"),
            Block(
                "weapons",
                (num_weapons,),
                "weapons that I do not see: (in the deck or face down since its last reshuffle - face down longer) / 2",
            ),
            Block("fighters", (num_fighters,), "fighters in the deck / 2"),
            Block("secrets", (num_secrets,), "secrets that I do not see, as weapons"),
            Block("node", (NUM_NODES,), "one-hot: " + ", ".join(NODES[:NUM_NODES])),
            Block(
                "clock",
                (CLOCK,),
                "my turn, round / 9, fight bet on or fought one-hot (3), fight round / 20, (guard level - 1) / 2, "
                "a card was caught this round, I am first, the other passed last or is out, I did or am, both seats "
                "play, action deck / 28",
            ),
            Block(
                "seats",
                (2, SEAT),
                "me, then the other: purse / 40 (of the other with its wagers), Time / 6, chances / 3, paid 3..8 (6 "
                "flags), payments this round / 6, hand / 12, status and first result (1 paid off, -1 defeated)",
            ),
            Block(
                "fights",
                (FIGHTS, FIGHT + num_secrets),
                "left, then right: rank / 3, STR / 6, DEX / 6, life / 6 (printed), wounds / 6, weapon known to me (-1: "
                "unknown and dealt before the last reshuffle), to the other, it uses STR, DEX (both -1: the lower), "
                "damage / 4 (0 if unknown; Sabotage counts, while the fight is fought also secret and React). My wager "
                "/ 3 (above 0 on left, below on right), secret known to me (-1 as above), to the other, fight decided, "
                "winner (1 left, -1 right), my wager is lost, the other's is, forecast by what I know (1 left is sure "
                "to win, -1 right is, see forecast.py); secret one-hot (X), 0 if unknown",
            ),
            Block(
                "duel",
                (SIDES, DUEL_SIDE),
                "left and right of the fight being fought: Sabotage on STR / 3, DEX / 3, life / 3, score / 3, dice / 3 "
                "and ties; in a React window kept die / 6 and total / 12",
            ),
            Block(
                "stack",
                (STACK_FIELDS, MAX_STACK),
                "Sabotage cards in played order: owner (1 me, -1 the other), fight 1, 2, 3 (1 left, -1 right), (number "
                "among the Sabotage types + 1) / TB if I know it, Time / 6, coins / 6, known to the seat that does not "
                "own it (1 shown, 1/2 seen by looking)",
            ),
            Block(
                "sabotage",
                (SPOTS, num_sabotage + 1),
                "Sabotage cards that I know at 1L .. 3R by type, then those that I do not, each / 4",
            ),
            Block("card", types, "the card that I am playing, one-hot"),
            Block(
                "pending",
                (PENDING,),
                "of that card: chosen targets (6 spots, 3 fights) 1/2, plus 1 the weapon or secret that `show` asks "
                "about; cards shown / 3, risk / 9, Time spent / 6",
            ),
        ]
    )


@kernel
def within(value: np.float32) -> np.float32:
    """A number held within -LIMIT..LIMIT."""
    value = value if value < TWO else TWO
    return value if value > -TWO else -TWO


# The kernels below write into `out`, float32 (D,), from entry `at` on: a slice for each block would cost more than it.
# A row of counts is a loop of a fixed number of steps in float32, so that it runs as vector instructions. So zeros land
# behind a row (counts of types that are not there); rows are written in their order, and all behind them later.


@kernel
def observe_row(row: NDArray[np.uint8], out: NDArray[np.float32], at: int) -> None:
    """Write counts, uint8 (MAX_ACTIONS,), as copies / 2, float32 (TA,)."""
    at &= PLACES
    for card in range(MAX_ACTIONS):
        count = np.float32(row[card]) * HALF
        out[at + card] = count if count < TWO else TWO


@kernel
def observe_deck(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write the most copies that the action deck can hold: those I cannot locate and did not draw, float32 (TA,)."""
    at &= PLACES
    own = s.hand[seat]
    for card in range(MAX_ACTIONS):
        out[at + card] = -np.float32(own[card]) - np.float32(s.act_disc[card]) - np.float32(s.used[card])
    # A loop of its own: the copies do not lie side by side, which would slow the one above down.
    for card in range(int(rules.num_actions)):
        out[at + card] += np.float32(rules.actions[card, COPIES])
    for k in range(int(s.n_sab)):
        if knows(int(s.sab_seen[k]), seat):
            out[at + int(s.sab_card[k])] -= ONE
    if int(s.p_card) != NO_CARD and not hides_pending(s, rules, seat):
        out[at + int(s.p_card)] -= ONE
    pool = s.pool[seat]
    for card in range(MAX_ACTIONS):
        unseen = out[at + card]
        left = np.float32(pool[card])
        count = (unseen if unseen < left else left) * HALF
        out[at + card] = count if count < TWO else TWO


@kernel
def take(out: NDArray[np.float32], at: int, card: int, known: bool, old: int) -> None:
    """Take a card on the table, if there is one, from unseen cards / 2: one that I know, twice an unknown old one."""
    taken = HALF if known else (ONE if old == 1 else ZERO)
    if card != NO_CARD:
        count = out[at + card] - taken
        out[at + card] = count if count > -TWO else -TWO


# In the three kernels below a row of copies, less the discard, is held within the limit before cards are taken from it;
# this matters only to a card file with more than four copies of a card.


@kernel
def observe_weapons(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write unseen weapons, float32 (W,)."""
    at &= PLACES
    for card in range(MAX_WEAPONS):
        count = (np.float32(rules.weapons[card, WEAPON_COPIES]) - np.float32(s.wea_disc[card])) * HALF
        out[at + card] = count if count < TWO else TWO
    for fight in range(FIGHTS):
        for side in range(SIDES):
            known = knows(int(s.w_known[fight, side]), seat)
            take(out, at, int(s.weapon[fight, side]), known, int(s.w_old[fight, side]))


@kernel
def observe_fighters(s: Record, rules: Rules, out: NDArray[np.float32], at: int) -> None:
    """Write the fighter deck, float32 (F,)."""
    at &= PLACES
    for card in range(MAX_FIGHTERS):
        count = (np.float32(rules.fighters[card, FIGHTER_COPIES]) - np.float32(s.fig_disc[card])) * HALF
        out[at + card] = count if count < TWO else TWO
    for fight in range(FIGHTS):
        for side in range(SIDES):
            take(out, at, int(s.fighter[fight, side]), True, 0)


@kernel
def observe_secrets(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write unseen secrets, float32 (X,)."""
    at &= PLACES
    for card in range(MAX_SECRETS):
        count = (np.float32(rules.secrets[card, SECRET_COPIES]) - np.float32(s.sec_disc[card])) * HALF
        out[at + card] = count if count < TWO else TWO
    for fight in range(FIGHTS):
        take(out, at, int(s.secret[fight]), knows(int(s.s_known[fight]), seat), int(s.s_old[fight]))


@kernel
def observe_flow(s: Record, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write node and clock."""
    at &= PLACES
    node = int(s.node)
    out[at + node] = 1.0  # over falls on the next entry, which is written after it
    at += NUM_NODES
    out[at] = 1.0 if int(s.actor) == seat else 0.0
    out[at + 1] = within(np.float32(s.round_no) * PER_9)
    fighting = int(s.fight_round) > 0 or node == WINDOW
    out[at + 2 + int(s.fight)] = 1.0 if node == BET or fighting else 0.0
    out[at + 5] = within(np.float32(s.fight_round) * PER_20)
    out[at + 6] = (int(s.guard) - 1) * 0.5
    out[at + 7] = float(int(s.caught))
    out[at + 8] = 1.0 if int(s.first) == seat else 0.0
    # Who passes is followed by the other.
    passed = int(s.passes) > 0 and (node == ACT or node == REACT)
    out[at + 9] = 1.0 if (passed and int(s.actor) == seat) or int(s.passed[1 - seat]) == 1 else 0.0
    out[at + 10] = 1.0 if (passed and int(s.actor) != seat) or int(s.passed[seat]) == 1 else 0.0
    out[at + 11] = float(int(s.playing[0]) & int(s.playing[1]))
    out[at + 12] = np.float32(s.n_act) * PER_28


@kernel
def observe_seat(s: Record, seat: int, coins: int, out: NDArray[np.float32], at: int) -> None:
    """Write the public entries of a seat that has so many coins, float32 (SEAT,)."""
    at &= PLACES
    out[at] = within(np.float32(coins) * PER_40)
    out[at + 1] = np.float32(s.time[seat]) * PER_6
    out[at + 2] = np.float32(s.chance[seat]) * PER_3
    for k in range(LOANS):
        out[at + 3 + k] = np.float32(s.paid[seat, k])
    at += 3 + LOANS
    out[at] = np.float32(s.paid_now[seat]) * PER_6
    out[at + 1] = within(np.float32(s.n_hand[seat]) * PER_12)
    out[at + 2] = float((int(s.status[seat]) & 1) - (int(s.status[seat]) >> 1))
    out[at + 3] = float((int(s.result[seat]) & 1) - (int(s.result[seat]) >> 1))


@kernel
def observe_weapon(kind: int, damage: int, known: bool, out: NDArray[np.float32], at: int) -> None:
    """Write type and damage of a weapon, float32 (3,), zeros if I do not know it."""
    weight = ONE if known else ZERO
    strong = ONE if kind == TYPE_STR or kind == TYPE_BEST else ZERO
    nimble = ONE if kind == TYPE_DEX or kind == TYPE_BEST else ZERO
    worst = ONE if kind == TYPE_WORST else ZERO
    out[at] = weight * (strong - worst)
    out[at + 1] = weight * (nimble - worst)
    out[at + 2] = weight * within(np.float32(damage) * PER_4)


@kernel
def observe_side(s: Record, rules: Rules, seat: int, spot: int, out: NDArray[np.float32], at: int) -> None:
    """Write a fighter and its weapon, float32 (SIDE,)."""
    at &= PLACES
    fight = spot // SIDES
    side = spot % SIDES
    fighter = max(0, int(s.fighter[fight, side]))
    out[at] = np.float32(rules.fighters[fighter, RANK]) * PER_3
    out[at + 1] = np.float32(rules.fighters[fighter, STR]) * PER_6
    out[at + 2] = np.float32(rules.fighters[fighter, DEX]) * PER_6
    out[at + 3] = np.float32(rules.fighters[fighter, LIFE]) * PER_6
    out[at + 4] = within(np.float32(s.wounds[fight, side]) * PER_6)
    known = knows(int(s.w_known[fight, side]), seat)
    out[at + 5] = ONE if known else ZERO - np.float32(s.w_old[fight, side])
    out[at + 6] = ONE if knows(int(s.w_known[fight, side]), 1 - seat) else ZERO
    # An unknown weapon is looked up too, and then multiplied by 0: a branch would be guessed wrong too often.
    weapon = max(0, int(s.weapon[fight, side]))
    kind = int(rules.weapons[weapon, TYPE])
    kind = int(s.w_type[fight, side]) - 1 if int(s.w_type[fight, side]) > 0 else kind
    damage = max(0, int(rules.weapons[weapon, DAMAGE]) + int(s.w_damage[fight, side]))
    observe_weapon(kind, damage, known, out, at + 7)


@kernel
def observe_forecast(s: Record, rules: Rules, seat: int, fight: int) -> np.float32:
    """The forecast of a fight by what a seat knows; 0 without fighters."""
    if int(s.fighter[fight, LEFT]) == NO_CARD or int(s.fighter[fight, RIGHT]) == NO_CARD:
        return ZERO
    left = int(s.weapon[fight, LEFT]) if knows(int(s.w_known[fight, LEFT]), seat) else UNKNOWN
    right = int(s.weapon[fight, RIGHT]) if knows(int(s.w_known[fight, RIGHT]), seat) else UNKNOWN
    forecast: np.float32 = rules.forecasts[int(s.fighter[fight, LEFT]), left, int(s.fighter[fight, RIGHT]), right]
    return forecast


@kernel
def observe_fight(s: Record, rules: Rules, seat: int, fight: int, out: NDArray[np.float32], at: int) -> None:
    """Write one fight, float32 (FIGHT + X,)."""
    at &= PLACES
    known = knows(int(s.s_known[fight]), seat)
    # The entry of an unknown secret is written too, but as 0, like all others; without one the entry before it is.
    out[at + FIGHT + int(s.secret[fight])] = 1.0 if known else 0.0
    for side in range(SIDES):
        observe_side(s, rules, seat, SIDES * fight + side, out, at + SIDE * side)
    at += SIDES * SIDE
    sign = 3 - 2 * int(s.bet_side[seat, fight])
    out[at] = np.float32(sign * int(s.bet_coin[seat, fight])) * PER_3
    out[at + 1] = 1.0 if known else 0.0 - int(s.s_old[fight])
    out[at + 2] = 1.0 if knows(int(s.s_known[fight]), 1 - seat) else 0.0
    winner = int(s.winner[fight])
    out[at + 3] = 1.0 if winner > 0 else 0.0
    out[at + 4] = 1.0 if winner == 1 else (-1.0 if winner == 2 else 0.0)
    out[at + 5] = float(int(s.lost[seat, fight]))
    out[at + 6] = float(int(s.lost[1 - seat, fight]))
    out[at + 7] = observe_forecast(s, rules, seat, fight)


@kernel
def observe_duel(s: Record, rules: Rules, out: NDArray[np.float32], at: int) -> None:
    """Write the modifiers and dice of the fight being fought, float32 (2, DUEL_SIDE)."""
    at &= PLACES
    fight = int(s.fight)
    for side in range(SIDES):
        for k in range(MODS - 1):
            out[at + k] = within(np.float32(s.mod[fight, side, k]) * PER_3)
        out[at + MODS - 1] = float(int(s.mod[fight, side, MODS - 1]))
        if int(s.n_rolls[side]) > 0:
            out[at + MODS] = np.float32(kept_die(s, rules, fight, side)) * PER_6
            out[at + MODS + 1] = within(np.float32(total_score(s, rules, fight, side)) * PER_12)
        at += DUEL_SIDE


@kernel
def observe_fought(s: Record, rules: Rules, out: NDArray[np.float32], at: int) -> None:
    """Write the weapons of the fight being fought again, with secret and React; `at` is where the fight is."""
    at &= PLACES
    fight = int(s.fight)
    for side in range(SIDES):
        kind = current_type(s, rules, fight, side)
        observe_weapon(kind, current_damage(s, rules, fight, side), True, out, at + SIDE * side + 7)


@kernel
def observe_stack(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write the Sabotage cards in played order, float32 (STACK_FIELDS, MAX_STACK), then by spot, (6, TB + 1)."""
    at &= PLACES
    unknown = int(rules.num_sabotage)
    spots = at + STACK_FIELDS * MAX_STACK
    per_type = ONE / np.float32(max(1, unknown))
    for k in range(int(s.n_sab)):
        known = knows(int(s.sab_seen[k]), seat)
        spot = int(s.sab_spot[k])
        kind = int(rules.sabotage_index[int(s.sab_card[k])]) if known else unknown
        out[at + k] = ONE if int(s.sab_seat[k]) == seat else -ONE
        out[at + MAX_STACK * (1 + (spot >> 1)) + k] = ONE if spot & 1 == 0 else -ONE
        out[at + 4 * MAX_STACK + k] = np.float32(kind + 1) * per_type if known else ZERO
        out[at + 5 * MAX_STACK + k] = np.float32(s.sab_time[k]) * PER_6
        out[at + 6 * MAX_STACK + k] = np.float32(s.sab_coin[k]) * PER_6
        seen = HALF if int(s.sab_seen[k]) == 3 else ZERO
        out[at + 7 * MAX_STACK + k] = ONE if int(s.sab_shown[k]) == 1 else seen
        place = spots + spot * (unknown + 1) + kind
        count = out[place] + QUARTER
        out[place] = count if count < TWO else TWO


@kernel
def observe_pending(s: Record, rules: Rules, seat: int, out: NDArray[np.float32], at: int) -> None:
    """Write the card that I am playing, float32 (TA + PENDING,)."""
    card = int(s.p_card)
    out[at + card] = 1.0
    at += int(rules.num_actions)
    for k in range(int(s.n_target)):
        out[at + int(s.target[k])] = 0.5
    if int(s.node) == SHOW and look_scope(rules, card) != NO_LOOK:
        out[at + item_to_show(s, rules, seat, int(s.n_show))] += ONE
    at += SPOTS + FIGHTS
    shown = shown_now(s)
    out[at] = np.float32(shown) * PER_3
    out[at + 1] = within(np.float32(risk_of(rules, card, shown)) * PER_9)
    out[at + 2] = np.float32(s.p_time) * PER_6


@kernel
def observe_cards(s: Record, rules: Rules, seat: int, out: NDArray[np.float32]) -> int:
    """Write the rows of counts, and return where the next entry is."""
    n = int(rules.num_actions)
    observe_row(s.hand[seat], out, 0)
    observe_row(s.act_disc, out, n)
    observe_row(s.used, out, 2 * n)
    observe_deck(s, rules, seat, out, 3 * n)
    at = 4 * n
    observe_weapons(s, rules, seat, out, at)
    at += int(rules.num_weapons)
    observe_fighters(s, rules, out, at)
    at += int(rules.num_fighters)
    observe_secrets(s, rules, seat, out, at)
    return at + int(rules.num_secrets)


@kernel
def observe(states: Records, i: int, rules: Records, seat: int, out: NDArray[np.float32]) -> None:
    """Write what `seat` sees of game i, float32 (D,) as in `observation_layout`, every entry in -LIMIT..LIMIT."""
    s = states[i]
    r = rules[0]
    at = observe_cards(s, r, seat, out)
    out[at:] = 0.0
    observe_flow(s, seat, out, at)
    at += NUM_NODES + CLOCK
    observe_seat(s, seat, int(s.coin[seat]), out, at)
    observe_seat(s, 1 - seat, int(s.coin[1 - seat]) + wagered(s, 1 - seat), out, at + SEAT)
    at += 2 * SEAT
    size = FIGHT + int(r.num_secrets)
    for fight in range(FIGHTS):
        observe_fight(s, r, seat, fight, out, at + size * fight)
    if int(s.fight_round) > 0 or int(s.node) == WINDOW:
        observe_fought(s, r, out, at + size * int(s.fight))
        observe_duel(s, r, out, at + FIGHTS * size)
    at += FIGHTS * size + SIDES * DUEL_SIDE
    observe_stack(s, r, seat, out, at)
    at += STACK_FIELDS * MAX_STACK + SPOTS * (int(r.num_sabotage) + 1)
    if int(s.p_card) != NO_CARD and int(s.actor) == seat:
        observe_pending(s, r, seat, out, at)
