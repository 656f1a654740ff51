"""The chance that the left fighter of a fight wins, as a seat can tell it: the mean over the weapons it has not seen.

A fight is laid out as a small table of numbers: what is printed, and what Sabotage and secrets do to it. What matters
of a weapon is the stat it attacks with (STR or DEX, whatever its type) and the hits that it needs. So weapons that have
both in common are one class, and the chances of all pairs of weapons are those of a few classes.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardzoo.agents.bloodsport_gambler.wagers import stakes, value
from cardzoo.envs.bloodsport_gambler import cards
from cardzoo.envs.bloodsport_gambler.cards import (
    DAMAGE,
    DEX,
    LIFE,
    NUM_EFFECTS,
    SECRET_COPIES,
    SECRET_EFFECTS,
    STR,
    SWAP_WEAPONS,
    TYPE,
    TYPE_BEST,
    TYPE_DEX,
    TYPE_STR,
    VERB,
    WEAPON_COPIES,
    WHO,
    WOUNDED,
    A,
    B,
)
from cardzoo.envs.bloodsport_gambler.chances import (
    HITS,
    LEFT_TIES,
    NEVER,
    NO_TIES,
    RIGHT_TIES,
    fill_races,
    hits_needed,
    round_share,
    success,
)
from cardzoo.envs.bloodsport_gambler.effects import is_weapon_verb, reaches
from cardzoo.envs.bloodsport_gambler.fights import secret_reaches
from cardzoo.envs.bloodsport_gambler.legal import needs_roll, risk_of
from cardzoo.envs.bloodsport_gambler.looks import knows_secret, knows_weapon
from cardzoo.envs.bloodsport_gambler.seats import knows
from cardzoo.envs.bloodsport_gambler.state import (
    FIGHTS,
    LEFT,
    MAX_SECRETS,
    MAX_WEAPONS,
    MOD_DEX,
    MOD_DICE,
    MOD_LIFE,
    MOD_SCORE,
    MOD_STR,
    MOD_TIES,
    NEW,
    NOBODY,
    RIGHT,
    SIDES,
)
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

UNKNOWN: Final = -1  # a weapon or secret
LIKELY: Final = 0.5  # success chance from which on the own Sabotage is reckoned with

# Columns of a side of a fight. The last four belong to the weapon.
AS_STR: Final = 0
AS_DEX: Final = 1
AS_LIFE: Final = 2  # less wounds; what heals counts like more life
AS_SCORE: Final = 3
AS_DICE: Final = 4
AS_TIES: Final = 5
AS_WEAPON: Final = 6  # type, or UNKNOWN
AS_SLOT: Final = 7
AS_DAMAGE: Final = 8  # added to what is printed
AS_TYPE: Final = 9  # weapon type + 1 that takes the place of the printed one, else 0
COLUMNS: Final = 10

STATS: Final = 2  # a weapon attacks with STR (0) or DEX (1)
CLASSES: Final = STATS * HITS


class Desk(NamedTuple):
    """Where one decision after another is worked out; made once, because allocating takes longer than the work."""

    weapons: NDArray[np.int64]  # (MAX_WEAPONS,) copies that the seat has not seen
    secrets: NDArray[np.int64]  # (MAX_SECRETS,)
    sides: NDArray[np.int64]  # (FIGHTS, SIDES, COLUMNS) the fights with the Sabotage reckoned with, without secrets
    trial: NDArray[np.int64]  # (SIDES, COLUMNS) one of them with what is tried on it
    weight: NDArray[np.float64]  # (STATS, HITS) chance of each class of weapons of a side; all 0 between uses
    class_stat: NDArray[np.int64]  # (SIDES, CLASSES)
    class_hits: NDArray[np.int64]  # (SIDES, CLASSES)
    class_weight: NDArray[np.float64]  # (SIDES, CLASSES)
    given_right: NDArray[np.float64]  # (CLASSES,) chance of left when right has a weapon of the class
    race: NDArray[np.float64]  # (STATS, STATS, HITS, HITS)
    gains: NDArray[np.float64]  # (FIGHTS, 5) see `looks`


@kernel
def new_desk() -> Desk:
    """An empty desk."""
    return Desk(
        np.zeros(MAX_WEAPONS, np.int64),
        np.zeros(MAX_SECRETS, np.int64),
        np.zeros((FIGHTS, SIDES, COLUMNS), np.int64),
        np.zeros((SIDES, COLUMNS), np.int64),
        np.zeros((STATS, HITS), np.float64),
        np.zeros((SIDES, CLASSES), np.int64),
        np.zeros((SIDES, CLASSES), np.int64),
        np.zeros((SIDES, CLASSES), np.float64),
        np.zeros(CLASSES, np.float64),
        np.zeros((STATS, STATS, HITS, HITS), np.float64),
        np.zeros((FIGHTS, 5), np.float64),
    )


# --- cards unseen


@kernel
def count_weapons(desk: Desk, s: Record, rules: Rules, seat: int) -> None:
    """Count the weapons that a seat has not seen; all there are, if it has seen all."""
    total = 0
    for weapon in range(int(rules.num_weapons)):
        desk.weapons[weapon] = int(rules.weapons[weapon, WEAPON_COPIES]) - int(s.wea_disc[weapon])
        total += desk.weapons[weapon]
    for fight in range(FIGHTS):
        for side in range(SIDES):
            if knows_weapon(s, seat, SIDES * fight + side):
                desk.weapons[int(s.weapon[fight, side])] -= 1
                total -= 1
    if total == 0:
        for weapon in range(int(rules.num_weapons)):
            desk.weapons[weapon] = int(rules.weapons[weapon, WEAPON_COPIES])


@kernel
def count_secrets(desk: Desk, s: Record, rules: Rules, seat: int) -> None:
    """Count the secrets that a seat has not seen; all there are, if it has seen all."""
    total = 0
    for secret in range(int(rules.num_secrets)):
        desk.secrets[secret] = int(rules.secrets[secret, SECRET_COPIES]) - int(s.sec_disc[secret])
        total += desk.secrets[secret]
    for fight in range(FIGHTS):
        if knows_secret(s, seat, fight):
            desk.secrets[int(s.secret[fight])] -= 1
            total -= 1
    if total == 0:
        for secret in range(int(rules.num_secrets)):
            desk.secrets[secret] = int(rules.secrets[secret, SECRET_COPIES])


# --- a fight as numbers


@kernel
def lay_out_side(desk: Desk, s: Record, rules: Rules, seat: int, fight: int, side: int) -> None:
    """Write a fighter as it stands, with its weapon if the seat knows it."""
    row = desk.sides[fight, side]
    fighter = int(s.fighter[fight, side])
    row[AS_STR] = int(rules.fighters[fighter, STR]) + int(s.mod[fight, side, MOD_STR])
    row[AS_DEX] = int(rules.fighters[fighter, DEX]) + int(s.mod[fight, side, MOD_DEX])
    row[AS_LIFE] = int(rules.fighters[fighter, LIFE]) + int(s.mod[fight, side, MOD_LIFE])
    row[AS_LIFE] -= int(s.wounds[fight, side])
    row[AS_SCORE] = s.mod[fight, side, MOD_SCORE]
    row[AS_DICE] = s.mod[fight, side, MOD_DICE]
    row[AS_TIES] = s.mod[fight, side, MOD_TIES]
    row[AS_WEAPON] = int(s.weapon[fight, side]) if knows_weapon(s, seat, SIDES * fight + side) else UNKNOWN
    row[AS_SLOT] = s.w_slot[fight, side]
    row[AS_DAMAGE] = s.w_damage[fight, side]
    row[AS_TYPE] = s.w_type[fight, side]


@kernel
def holder(sides: NDArray[np.int64], slot: int) -> int:
    """The side that holds the weapon dealt to a slot; NOBODY if it is replaced."""
    for side in range(SIDES):
        if sides[side, AS_SLOT] == slot:
            return side
    return NOBODY


@kernel
def add_effect(row: NDArray[np.int64], verb: int, a: int, b: int) -> None:
    """Write an effect on a side; verbs that change no number of it do nothing."""
    if verb == cards.STAT:
        row[AS_STR] += a
        row[AS_DEX] += b
    elif verb == cards.SCORE:
        row[AS_SCORE] += a
    elif verb == cards.DICE:
        row[AS_DICE] += a
    elif verb == cards.TIES:
        row[AS_TIES] = 1
    elif verb == cards.WOUND:
        row[AS_LIFE] -= a
    elif verb == cards.HEAL or verb == cards.ADD_LIFE:
        row[AS_LIFE] += a
    elif verb == cards.ADD_DAMAGE:
        row[AS_DAMAGE] += a
    elif verb == cards.WEAPON_TYPE:
        row[AS_TYPE] = a + 1
    elif verb == cards.REPLACE_WEAPON:
        row[AS_WEAPON] = UNKNOWN
        row[AS_SLOT] = NEW
        row[AS_DAMAGE] = 0
        row[AS_TYPE] = 0


@kernel
def exchange_weapons(sides: NDArray[np.int64]) -> None:
    """The fighters exchange weapons with all that sticks to them."""
    for column in range(AS_WEAPON, COLUMNS):
        one = sides[LEFT, column]
        sides[LEFT, column] = sides[RIGHT, column]
        sides[RIGHT, column] = one


@kernel
def add_sabotage(sides: NDArray[np.int64], rules: Rules, card: int, target: int, slot: int) -> None:
    """Write what a Sabotage does, if it succeeds.

    Args:
        sides: (SIDES, COLUMNS) the fight.
        rules: the game's rules.
        card: the card.
        target: the side it lies at.
        slot: where the weapon was dealt that lay there when it was played.
    """
    for k in range(int(rules.actions[card, NUM_EFFECTS])):
        verb = int(rules.action_effects[card, k, VERB])
        who = int(rules.action_effects[card, k, WHO])
        aim = target
        if is_weapon_verb(verb):
            aim = holder(sides, slot)
            if aim == NOBODY:
                continue
        if verb == SWAP_WEAPONS:
            exchange_weapons(sides)
            continue
        for side in range(SIDES):
            if reaches(who, side, aim):
                a = int(rules.action_effects[card, k, A])
                add_effect(sides[side], verb, a, int(rules.action_effects[card, k, B]))


@kernel
def add_secret(sides: NDArray[np.int64], s: Record, rules: Rules, fight: int, secret: int) -> None:
    """Write what a secret does in a fight; effects on the wounded are left out."""
    for k in range(int(rules.secrets[secret, SECRET_EFFECTS])):
        who = int(rules.secret_effects[secret, k, WHO])
        if who == WOUNDED:
            continue
        for side in range(SIDES):
            if secret_reaches(s, rules, fight, side, who, False):
                verb = int(rules.secret_effects[secret, k, VERB])
                a = int(rules.secret_effects[secret, k, A])
                add_effect(sides[side], verb, a, int(rules.secret_effects[secret, k, B]))


@kernel
def reckons_with(s: Record, rules: Rules, seat: int, k: int) -> bool:
    """Whether a seat expects the k-th Sabotage on the table to succeed: its own if that is likely, any other it knows.

    Those of the other seat are taken to succeed however risky they are: it laid them.
    """
    if int(s.sab_seat[k]) != seat:
        return knows(int(s.sab_seen[k]), seat)
    card = int(s.sab_card[k])
    shown = int(s.sab_shown[k])
    remaining = risk_of(rules, card, shown) - int(s.sab_time[k]) - int(s.sab_coin[k])
    return not needs_roll(rules, card, shown) or success(s, remaining) >= LIKELY


@kernel
def lay_out_fights(desk: Desk, s: Record, rules: Rules, seat: int) -> None:
    """Write down all that a seat knows of the fights, but for secrets."""
    count_weapons(desk, s, rules, seat)
    count_secrets(desk, s, rules, seat)
    for fight in range(FIGHTS):
        for side in range(SIDES):
            lay_out_side(desk, s, rules, seat, fight, side)
    for k in range(int(s.n_sab)):
        if reckons_with(s, rules, seat, k):
            spot = int(s.sab_spot[k])
            add_sabotage(desk.sides[spot // SIDES], rules, int(s.sab_card[k]), spot % SIDES, int(s.sab_slot[k]))


@kernel
def take_up(desk: Desk, fight: int) -> None:
    """Copy a fight to the trial."""
    for side in range(SIDES):
        for column in range(COLUMNS):
            desk.trial[side, column] = desk.sides[fight, side, column]


@kernel
def known_secret(s: Record, seat: int, fight: int) -> int:
    """The secret of a fight, if the seat knows it, else UNKNOWN."""
    return int(s.secret[fight]) if knows_secret(s, seat, fight) else UNKNOWN


# --- chances


@kernel
def add_weapon(desk: Desk, rules: Rules, side: int, weapon: int, weight: float) -> None:
    """Count a weapon that a side of the trial may have into its class."""
    row = desk.trial[side]
    foe = desk.trial[1 - side]
    kind = row[AS_TYPE] - 1 if row[AS_TYPE] > 0 else int(rules.weapons[weapon, TYPE])
    if row[AS_STR] == row[AS_DEX] or kind == TYPE_STR:
        stat = 0
    elif kind == TYPE_DEX:
        stat = 1
    else:
        stat = 0 if (row[AS_STR] > row[AS_DEX]) == (kind == TYPE_BEST) else 1
    damage = int(rules.weapons[weapon, DAMAGE]) + row[AS_DAMAGE]
    desk.weight[stat, hits_needed(foe[AS_LIFE], damage)] += weight


@kernel
def list_classes(desk: Desk, rules: Rules, side: int) -> int:
    """List the classes of weapons that a side of the trial may have, with their chances; return their number."""
    known = desk.trial[side, AS_WEAPON]
    if known != UNKNOWN:
        add_weapon(desk, rules, side, known, 1.0)
    else:
        total = 0
        for weapon in range(int(rules.num_weapons)):
            total += desk.weapons[weapon]
        for weapon in range(int(rules.num_weapons)):
            if desk.weapons[weapon] > 0:
                add_weapon(desk, rules, side, weapon, desk.weapons[weapon] / total)
    n = 0
    for stat in range(STATS):
        for hits in range(HITS):
            if desk.weight[stat, hits] > 0.0:
                desk.class_stat[side, n] = stat
                desk.class_hits[side, n] = hits
                desk.class_weight[side, n] = desk.weight[stat, hits]
                desk.weight[stat, hits] = 0.0
                n += 1
    return n


@kernel
def most_hits(desk: Desk, side: int, n: int) -> int:
    """The most hits that a weapon of the n classes of a side needs, NEVER apart."""
    most = 0
    for k in range(n):
        if desk.class_hits[side, k] != NEVER:
            most = max(most, desk.class_hits[side, k])
    return most


@kernel
def fill_all_races(desk: Desk, left_classes: int, right_classes: int) -> None:
    """Tabulate the chances of the trial by the stats that the fighters attack with and the hits that they need."""
    left = desk.trial[LEFT]
    right = desk.trial[RIGHT]
    ties = NO_TIES
    if left[AS_TIES] > 0 and right[AS_TIES] <= 0:
        ties = LEFT_TIES
    elif right[AS_TIES] > 0 and left[AS_TIES] <= 0:
        ties = RIGHT_TIES
    left_most = most_hits(desk, LEFT, left_classes)
    right_most = most_hits(desk, RIGHT, right_classes)
    for one in range(STATS):
        for two in range(STATS):
            share = round_share(
                left[AS_STR + one] + left[AS_SCORE],
                right[AS_STR + two] + right[AS_SCORE],
                left[AS_DICE],
                right[AS_DICE],
                ties,
            )
            fill_races(share, left_most, right_most, desk.race[one, two])


@kernel
def outlook(
    desk: Desk, rules: Rules, stake: tuple[int, int, int, int]
) -> tuple[float, tuple[float, float, float, float]]:
    """What the fight of the trial promises.

    Args:
        desk: with the trial.
        rules: the game's rules.
        stake: `stakes` of the fight.

    Returns:
        The chance that left wins, and the mean value of the best wager when the weapon of nobody, of left, of right, of
        both is seen before it is made (bit mask of sides).
    """
    left_classes = list_classes(desk, rules, LEFT)
    right_classes = list_classes(desk, rules, RIGHT)
    fill_all_races(desk, left_classes, right_classes)
    for b in range(right_classes):
        desk.given_right[b] = 0.0
    chance = 0.0
    left_seen = 0.0
    both_seen = 0.0
    for a in range(left_classes):
        given_left = 0.0
        weight = desk.class_weight[LEFT, a]
        for b in range(right_classes):
            pair = desk.race[
                desk.class_stat[LEFT, a], desk.class_stat[RIGHT, b], desk.class_hits[LEFT, a], desk.class_hits[RIGHT, b]
            ]
            given_left += desk.class_weight[RIGHT, b] * pair
            desk.given_right[b] += weight * pair
            both_seen += weight * desk.class_weight[RIGHT, b] * value(stake, pair)
        chance += weight * given_left
        left_seen += weight * value(stake, given_left)
    right_seen = 0.0
    for b in range(right_classes):
        right_seen += desk.class_weight[RIGHT, b] * value(stake, desk.given_right[b])
    return chance, (value(stake, chance), left_seen, right_seen, both_seen)


@kernel
def win_chance(desk: Desk, s: Record, rules: Rules, seat: int, fight: int) -> float:
    """P: the chance that left wins a fight, by all that a seat knows."""
    take_up(desk, fight)
    secret = known_secret(s, seat, fight)
    if secret != UNKNOWN:
        add_secret(desk.trial, s, rules, fight, secret)
    chance, _ = outlook(desk, rules, stakes(s, rules, fight, 0))
    return chance
