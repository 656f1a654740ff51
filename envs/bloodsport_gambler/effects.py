"""Effects of action cards, and being caught (vocabulary in RULES.md; rulings R6, R7, R11 to R14, R17)."""

from __future__ import annotations

from cardzoo.envs.bloodsport_gambler.cards import (
    ADD_DAMAGE,
    ADD_LIFE,
    BOTH,
    COIN,
    DICE,
    DRAW,
    FOE,
    GUARD,
    HEAL,
    LOOK,
    NUM_EFFECTS,
    REPLACE_SECRET,
    REPLACE_WEAPON,
    REROLL,
    SCORE,
    STAT,
    SWAP_WEAPONS,
    TIES,
    TIME,
    VERB,
    WEAPON_TYPE,
    WHO,
    WOUND,
    A,
    B,
)
from cardzoo.envs.bloodsport_gambler.dice import roll
from cardzoo.envs.bloodsport_gambler.fights import reroll, wound
from cardzoo.envs.bloodsport_gambler.looks import look
from cardzoo.envs.bloodsport_gambler.piles import discard_random, draw_action, draw_secret, draw_weapon
from cardzoo.envs.bloodsport_gambler.seats import all_seats, known_at_deal
from cardzoo.envs.bloodsport_gambler.state import (
    MAX_GUARD,
    MOD_DEX,
    MOD_DICE,
    MOD_LIFE,
    MOD_SCORE,
    MOD_STR,
    MOD_TIES,
    MOST,
    NEW,
    NOBODY,
    REACT_DAMAGE,
    REACT_SCORE,
    SIDES,
    SPOTS,
)
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.bloodsport_gambler.tokens import gain_coins, gain_time
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record


@kernel
def passes_risk(s: Record, remaining: int) -> bool:
    """A risk roll: the die must be higher than the remaining risk and the guard level together."""
    return roll(s) > remaining + int(s.guard)


@kernel
def catch(s: Record, seat: int, fight: int) -> None:
    """A seat is caught (R6, R7): a random card is discarded, the wager on the fight (-1: none) lost, guard goes up."""
    discard_random(s, seat)
    if fight >= 0:
        s.lost[seat, fight] = 1
    s.guard = min(MAX_GUARD, int(s.guard) + 1)
    s.caught = 1


@kernel
def add_mod(s: Record, fight: int, side: int, what: int, n: int) -> None:
    """Change a modifier of a fighter, within its bounds."""
    s.mod[fight, side, what] = min(MOST, max(-MOST, int(s.mod[fight, side, what]) + n))


@kernel
def reaches(who: int, side: int, target: int) -> bool:
    """Whether an effect on `who` is on a side, when the card was aimed at the side `target`."""
    if who == BOTH:
        return True
    return side == (1 - target if who == FOE else target)


# --- effects that are the same for all kinds


@kernel
def own_effect(s: Record, rules: Rules, seat: int, verb: int, n: int) -> bool:
    """What a card does for its owner: coins, Time, cards, guard level; whether the verb was one of these."""
    if verb == COIN:
        gain_coins(s, rules, seat, n)
    elif verb == TIME:
        gain_time(s, seat, n)
    elif verb == DRAW:
        for _ in range(n):
            draw_action(s, rules, seat)
    elif verb == GUARD:
        s.guard = min(MAX_GUARD, max(1, int(s.guard) + n))
    else:
        return False
    return True


# --- Discover and Special


@kernel
def open_effects(s: Record, rules: Rules, seat: int) -> None:
    """The Discover or Special card being played succeeds."""
    card = int(s.p_card)
    for k in range(int(rules.actions[card, NUM_EFFECTS])):
        verb = int(rules.action_effects[card, k, VERB])
        if own_effect(s, rules, seat, verb, int(rules.action_effects[card, k, A])):
            continue
        if verb == LOOK:
            look(s, rules, seat, all_seats(rules))
        elif verb == REPLACE_SECRET:
            fight = int(s.target[0]) - SPOTS
            s.sec_disc[int(s.secret[fight])] += 1
            s.secret[fight] = -1  # a reshuffle marks what lies on the table, and it does not any more
            secret = draw_secret(s)
            s.secret[fight] = secret
            s.s_known[fight] = known_at_deal(rules)
            s.s_old[fight] = 0


# --- React


@kernel
def react_effects(s: Record, rules: Rules, seat: int) -> None:
    """The React card being played succeeds on a fighter of the fight being fought, for this fight round."""
    card = int(s.p_card)
    fight = int(s.fight)
    target = int(s.target[0]) % SIDES
    for k in range(int(rules.actions[card, NUM_EFFECTS])):
        verb = int(rules.action_effects[card, k, VERB])
        n = int(rules.action_effects[card, k, A])
        if own_effect(s, rules, seat, verb, n):
            continue
        for side in range(SIDES):
            if not reaches(int(rules.action_effects[card, k, WHO]), side, target):
                continue
            if verb == REROLL:
                reroll(s, side)
            elif verb == SCORE:
                s.react[side, REACT_SCORE] = min(MOST, max(-MOST, int(s.react[side, REACT_SCORE]) + n))
            elif verb == ADD_DAMAGE:
                s.react[side, REACT_DAMAGE] = min(MOST, max(-MOST, int(s.react[side, REACT_DAMAGE]) + n))
            elif verb == WOUND:
                wound(s, fight, side, n)
            elif verb == HEAL:
                wound(s, fight, side, -n)


# --- Sabotage


@kernel
def is_weapon_verb(verb: int) -> bool:
    """Whether an effect of a Sabotage goes with the weapon and not with the fighter (R13)."""
    return verb == ADD_DAMAGE or verb == WEAPON_TYPE or verb == REPLACE_WEAPON or verb == SWAP_WEAPONS


@kernel
def holder_of(s: Record, fight: int, slot: int) -> int:
    """The side that holds the weapon dealt to a slot; NOBODY if it is gone."""
    for side in range(SIDES):
        if int(s.w_slot[fight, side]) == slot:
            return side
    return NOBODY


@kernel
def swap_weapons(s: Record, fight: int) -> None:
    """The fighters exchange weapons, with everything that sticks to them."""
    for field in (s.weapon, s.w_slot, s.w_damage, s.w_type):
        one = int(field[fight, 0])
        field[fight, 0] = field[fight, 1]
        field[fight, 1] = one
    for field in (s.w_known, s.w_old):
        one = int(field[fight, 0])
        field[fight, 0] = field[fight, 1]
        field[fight, 1] = one


@kernel
def replace_weapon(s: Record, rules: Rules, fight: int, side: int) -> None:
    """A fighter's weapon is discarded, the top one of the deck comes face up."""
    s.wea_disc[int(s.weapon[fight, side])] += 1
    s.weapon[fight, side] = -1  # a reshuffle marks what lies on the table, and it does not any more
    weapon = draw_weapon(s)
    s.weapon[fight, side] = weapon
    s.w_slot[fight, side] = NEW
    s.w_damage[fight, side] = 0
    s.w_type[fight, side] = 0
    s.w_known[fight, side] = all_seats(rules)
    s.w_old[fight, side] = 0


@kernel
def weapon_effect(s: Record, rules: Rules, fight: int, holder: int, verb: int, who: int, n: int) -> None:
    """An effect of a Sabotage on the weapon that it was laid beside, wherever that is now."""
    if verb == SWAP_WEAPONS:
        swap_weapons(s, fight)
        return
    for side in range(SIDES):
        if not reaches(who, side, holder):
            continue
        if verb == ADD_DAMAGE:
            s.w_damage[fight, side] = min(MOST, max(-MOST, int(s.w_damage[fight, side]) + n))
        elif verb == WEAPON_TYPE:
            s.w_type[fight, side] = n + 1
        elif verb == REPLACE_WEAPON:
            replace_weapon(s, rules, fight, side)


@kernel
def fighter_effect(s: Record, fight: int, side: int, verb: int, n: int, dex: int) -> None:
    """An effect of a Sabotage on a fighter, for the rest of the fight."""
    if verb == STAT:
        add_mod(s, fight, side, MOD_STR, n)
        add_mod(s, fight, side, MOD_DEX, dex)
    elif verb == SCORE:
        add_mod(s, fight, side, MOD_SCORE, n)
    elif verb == DICE:
        add_mod(s, fight, side, MOD_DICE, n)
    elif verb == TIES:
        s.mod[fight, side, MOD_TIES] = 1
    elif verb == ADD_LIFE:
        add_mod(s, fight, side, MOD_LIFE, n)
    elif verb == WOUND:
        wound(s, fight, side, n)
    elif verb == HEAL:
        wound(s, fight, side, -n)


@kernel
def sabotage_effects(s: Record, rules: Rules, k: int) -> None:
    """The k-th Sabotage on the table succeeds."""
    card = int(s.sab_card[k])
    seat = int(s.sab_seat[k])
    fight = int(s.sab_spot[k]) // SIDES
    target = int(s.sab_spot[k]) % SIDES
    slot = int(s.sab_slot[k])
    for effect in range(int(rules.actions[card, NUM_EFFECTS])):
        verb = int(rules.action_effects[card, effect, VERB])
        who = int(rules.action_effects[card, effect, WHO])
        n = int(rules.action_effects[card, effect, A])
        if own_effect(s, rules, seat, verb, n):
            continue
        if is_weapon_verb(verb):
            holder = holder_of(s, fight, slot)
            if holder != NOBODY:  # else the deed is done on a weapon that is gone (R14)
                weapon_effect(s, rules, fight, holder, verb, who, n)
            continue
        for side in range(SIDES):
            if reaches(who, side, target):
                fighter_effect(s, fight, side, verb, n, int(rules.action_effects[card, effect, B]))
