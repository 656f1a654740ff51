"""A fight: current numbers of its fighters, and its rounds (steps 3, 4, 6, 7, 8; rulings R9 to R12)."""

from __future__ import annotations

from cardzoo.envs.bloodsport_gambler.cards import (
    ADD_DAMAGE,
    ADD_LIFE,
    BOTH,
    DAMAGE,
    DEX,
    DICE,
    FAVOURITE,
    HEAL,
    LEFT_ONE,
    LIFE,
    RIGHT_ONE,
    SCORE,
    SECRET_EFFECTS,
    STAT,
    STR,
    TIES,
    TYPE,
    TYPE_BEST,
    TYPE_DEX,
    TYPE_STR,
    UNDERDOG,
    VERB,
    WEAPON_TYPE,
    WHO,
    WOUND,
    WOUNDED,
    A,
    B,
)
from cardzoo.envs.bloodsport_gambler.dice import roll
from cardzoo.envs.bloodsport_gambler.odds import lead
from cardzoo.envs.bloodsport_gambler.state import (
    DEAD_HEAT,
    LEFT,
    LEFT_WON,
    MOD_DEX,
    MOD_DICE,
    MOD_LIFE,
    MOD_SCORE,
    MOD_STR,
    MOD_TIES,
    MOST,
    REACT_DAMAGE,
    REACT_SCORE,
    RIGHT,
    RIGHT_WON,
    SIDES,
    UNDECIDED,
)
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

# --- the secret


@kernel
def secret_reaches(s: Record, rules: Rules, fight: int, side: int, who: int, now: bool) -> bool:
    """Whether an effect of the fight's secret is on a fighter; `now`: who is `wounded` is looked up, not remembered."""
    if who == BOTH:
        return True
    if who == LEFT_ONE:
        return side == LEFT
    if who == RIGHT_ONE:
        return side == RIGHT
    if who == FAVOURITE:
        return lead(s, rules, fight, side) > 0
    if who == UNDERDOG:
        return lead(s, rules, fight, side) < 0
    if who == WOUNDED:
        return int(s.wounds[fight, side]) > 0 if now else int(s.wounded[side]) == 1
    return False


@kernel
def secret_sum(s: Record, rules: Rules, fight: int, side: int, verb: int, column: int) -> int:
    """What the secret of the fight being fought adds to a fighter: the numbers of its effects with a verb."""
    total = 0
    if int(s.fight_round) == 0 or fight != int(s.fight):
        return 0
    secret = int(s.secret[fight])
    for k in range(int(rules.secrets[secret, SECRET_EFFECTS])):
        if int(rules.secret_effects[secret, k, VERB]) == verb and secret_reaches(
            s, rules, fight, side, int(rules.secret_effects[secret, k, WHO]), False
        ):
            total += int(rules.secret_effects[secret, k, column])
    return total


@kernel
def secret_type(s: Record, rules: Rules, fight: int, side: int) -> int:
    """The weapon type that the secret gives a fighter's weapon; -1 if none."""
    found = -1
    if int(s.fight_round) == 0 or fight != int(s.fight):
        return found
    secret = int(s.secret[fight])
    for k in range(int(rules.secrets[secret, SECRET_EFFECTS])):
        if int(rules.secret_effects[secret, k, VERB]) == WEAPON_TYPE and secret_reaches(
            s, rules, fight, side, int(rules.secret_effects[secret, k, WHO]), False
        ):
            found = int(rules.secret_effects[secret, k, A])
    return found


@kernel
def secret_ties(s: Record, rules: Rules, fight: int, side: int) -> bool:
    """Whether the secret lets a fighter win equal totals."""
    secret = int(s.secret[fight])
    for k in range(int(rules.secrets[secret, SECRET_EFFECTS])):
        if int(rules.secret_effects[secret, k, VERB]) == TIES and secret_reaches(
            s, rules, fight, side, int(rules.secret_effects[secret, k, WHO]), False
        ):
            return True
    return False


@kernel
def wound(s: Record, fight: int, side: int, n: int) -> None:
    """A fighter takes wounds (a negative number heals), never below 0."""
    s.wounds[fight, side] = min(MOST, max(0, int(s.wounds[fight, side]) + n))


@kernel
def apply_secret(s: Record, rules: Rules) -> None:
    """Step 3: wounds and heals of the secret happen, and who is wounded for its other effects is fixed (R11)."""
    fight = int(s.fight)
    secret = int(s.secret[fight])
    for side in range(SIDES):
        s.wounded[side] = 0
    for k in range(int(rules.secrets[secret, SECRET_EFFECTS])):
        verb = int(rules.secret_effects[secret, k, VERB])
        who = int(rules.secret_effects[secret, k, WHO])
        n = int(rules.secret_effects[secret, k, A])
        for side in range(SIDES):
            if not secret_reaches(s, rules, fight, side, who, True):
                continue
            if verb == WOUND:
                wound(s, fight, side, n)
            elif verb == HEAL:
                wound(s, fight, side, -n)
            elif who == WOUNDED:
                s.wounded[side] = 1


# --- current numbers of a fighter


@kernel
def current_type(s: Record, rules: Rules, fight: int, side: int) -> int:
    """The type of a fighter's weapon: the secret's word counts before a Sabotage's, that before what is printed."""
    secret = secret_type(s, rules, fight, side)
    if secret >= 0:
        return secret
    if int(s.w_type[fight, side]) > 0:
        return int(s.w_type[fight, side]) - 1
    return int(rules.weapons[int(s.weapon[fight, side]), TYPE])


@kernel
def current_stat(s: Record, rules: Rules, fight: int, side: int) -> int:
    """The stat that a fighter attacks with, by its weapon's type: STR, DEX, the higher or the lower."""
    fighter = int(s.fighter[fight, side])
    strength = int(rules.fighters[fighter, STR]) + int(s.mod[fight, side, MOD_STR])
    dexterity = int(rules.fighters[fighter, DEX]) + int(s.mod[fight, side, MOD_DEX])
    strength += secret_sum(s, rules, fight, side, STAT, A)
    dexterity += secret_sum(s, rules, fight, side, STAT, B)
    kind = current_type(s, rules, fight, side)
    if kind == TYPE_STR:
        return strength
    if kind == TYPE_DEX:
        return dexterity
    return max(strength, dexterity) if kind == TYPE_BEST else min(strength, dexterity)


@kernel
def current_damage(s: Record, rules: Rules, fight: int, side: int) -> int:
    """Wounds that a fighter deals in a round that it wins, at least 0."""
    damage = int(rules.weapons[int(s.weapon[fight, side]), DAMAGE]) + int(s.w_damage[fight, side])
    damage += secret_sum(s, rules, fight, side, ADD_DAMAGE, A)
    if int(s.fight_round) > 0 and fight == int(s.fight):
        damage += int(s.react[side, REACT_DAMAGE])
    return max(0, damage)


@kernel
def current_life(s: Record, rules: Rules, fight: int, side: int) -> int:
    """Wounds that a fighter goes down at, at least 1."""
    life = int(rules.fighters[int(s.fighter[fight, side]), LIFE]) + int(s.mod[fight, side, MOD_LIFE])
    return max(1, life + secret_sum(s, rules, fight, side, ADD_LIFE, A))


@kernel
def dice_mode(s: Record, rules: Rules, fight: int, side: int) -> int:
    """Above 0: the higher of two dice, below 0: the lower, 0: one die; high and low cancel (R12)."""
    return int(s.mod[fight, side, MOD_DICE]) + secret_sum(s, rules, fight, side, DICE, A)


@kernel
def kept_die(s: Record, rules: Rules, fight: int, side: int) -> int:
    """The die of the attack roll that counts."""
    if int(s.n_rolls[side]) < 2:
        return int(s.rolls[side, 0])
    one = int(s.rolls[side, 0])
    two = int(s.rolls[side, 1])
    return max(one, two) if dice_mode(s, rules, fight, side) >= 0 else min(one, two)


@kernel
def total_score(s: Record, rules: Rules, fight: int, side: int) -> int:
    """Step 6: kept die, stat and score effects, at least 1."""
    total = kept_die(s, rules, fight, side) + current_stat(s, rules, fight, side)
    total += int(s.mod[fight, side, MOD_SCORE]) + secret_sum(s, rules, fight, side, SCORE, A)
    return max(1, total + int(s.react[side, REACT_SCORE]))


@kernel
def wins_ties(s: Record, rules: Rules, fight: int, side: int) -> bool:
    """Whether equal totals count as won by a fighter, if not by both."""
    return int(s.mod[fight, side, MOD_TIES]) > 0 or secret_ties(s, rules, fight, side)


# --- rounds


@kernel
def roll_attacks(s: Record, rules: Rules) -> None:
    """Step 4: a die for left, for right, then the second die of each that rolls two."""
    fight = int(s.fight)
    for side in range(SIDES):
        s.rolls[side, 0] = roll(s)
        s.n_rolls[side] = 1
    for side in range(SIDES):
        if dice_mode(s, rules, fight, side) != 0:
            s.rolls[side, 1] = roll(s)
            s.n_rolls[side] = 2


@kernel
def reroll(s: Record, side: int) -> None:
    """The whole attack roll of a fighter is repeated (R12)."""
    for k in range(int(s.n_rolls[side])):
        s.rolls[side, k] = roll(s)


@kernel
def clear_round(s: Record) -> None:
    """What holds for one fight round is over."""
    for side in range(SIDES):
        s.n_rolls[side] = 0
        s.wounded[side] = 0
        for k in range(2):
            s.rolls[side, k] = 0
            s.react[side, k] = 0


@kernel
def strike(s: Record, rules: Rules) -> int:
    """Steps 6 to 8: totals, wounds, and the winner, UNDECIDED if the fight goes on."""
    fight = int(s.fight)
    left = total_score(s, rules, fight, LEFT)
    right = total_score(s, rules, fight, RIGHT)
    if left == right:
        left_ties = wins_ties(s, rules, fight, LEFT)
        right_ties = wins_ties(s, rules, fight, RIGHT)
        if left_ties and not right_ties:
            left += 1
        elif right_ties and not left_ties:
            right += 1
    if left > right:
        wound(s, fight, RIGHT, current_damage(s, rules, fight, LEFT))
    elif right > left:
        wound(s, fight, LEFT, current_damage(s, rules, fight, RIGHT))
    left_down = int(s.wounds[fight, LEFT]) >= current_life(s, rules, fight, LEFT)
    right_down = int(s.wounds[fight, RIGHT]) >= current_life(s, rules, fight, RIGHT)
    if left_down and right_down:
        return DEAD_HEAT
    if left_down:
        return RIGHT_WON
    if right_down:
        return LEFT_WON
    return DEAD_HEAT if int(s.fight_round) >= int(rules.max_fight_rounds) else UNDECIDED
