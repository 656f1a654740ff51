"""What looking at hidden cards is worth, and where to look."""

from __future__ import annotations

from typing import Final

from cardzoo.agents.bloodsport_gambler.estimator import (
    UNKNOWN,
    Desk,
    add_secret,
    holder,
    known_secret,
    outlook,
    take_up,
)
from cardzoo.agents.bloodsport_gambler.wagers import stakes
from cardzoo.envs.bloodsport_gambler.cards import LOOK_ANY, LOOK_FIGHT, LOOK_FIGHTER, LOOK_SECRET, LOOK_WEAPON
from cardzoo.envs.bloodsport_gambler.looks import knows_weapon, look_ok
from cardzoo.envs.bloodsport_gambler.state import FIGHTS, LEFT, NOBODY, RIGHT, SIDES, SPOTS
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

# Columns of Desk.gains: the gain of seeing the left weapon, the right one (columns LEFT and RIGHT), ...
SECRET: Final = 2
WEAPONS: Final = 3  # both weapons
ALL: Final = 4  # both weapons and the secret


@kernel
def seen_side(desk: Desk, s: Record, fight: int, side: int) -> int:
    """Bit of the side that will hold the weapon which lies at a side now; 0 if it will be replaced."""
    held = holder(desk.sides[fight], int(s.w_slot[fight, side]))
    return 0 if held == NOBODY else 1 << held


@kernel
def find_gains(desk: Desk, s: Record, rules: Rules, seat: int, fight: int, secrets: bool) -> None:
    """Write what it brings to see cards of a fight: mean value of the best wager afterwards less that now.

    The value now takes an unknown secret for none, so the gain of seeing it may be below 0.

    Args:
        desk: with the fights laid out.
        s: the game.
        rules: its rules.
        seat: who looks.
        fight: 0..2.
        secrets: also find the gains in which secrets have a part.
    """
    stake = stakes(s, rules, fight, int(s.coin[seat]))
    left = seen_side(desk, s, fight, LEFT)
    right = seen_side(desk, s, fight, RIGHT)
    take_up(desk, fight)
    secret = known_secret(s, seat, fight)
    if secret != UNKNOWN:
        add_secret(desk.trial, s, rules, fight, secret)
    _, values = outlook(desk, rules, stake)
    now = values[0]
    gains = desk.gains[fight]
    gains[LEFT] = values[left] - now
    gains[RIGHT] = values[right] - now
    gains[WEAPONS] = values[left | right] - now
    gains[SECRET] = 0.0
    gains[ALL] = gains[WEAPONS]
    if not secrets or secret != UNKNOWN:
        return
    unseen = 0
    secret_seen = 0.0
    all_seen = 0.0
    for card in range(int(rules.num_secrets)):
        count = desk.secrets[card]
        if count > 0:
            take_up(desk, fight)
            add_secret(desk.trial, s, rules, fight, card)
            _, values = outlook(desk, rules, stake)
            unseen += count
            secret_seen += count * values[0]
            all_seen += count * values[left | right]
    gains[SECRET] = secret_seen / unseen - now
    gains[ALL] = all_seen / unseen - now


@kernel
def involves_secrets(scope: int) -> bool:
    """Whether a look may show secrets."""
    return scope == LOOK_SECRET or scope == LOOK_ANY or scope == LOOK_FIGHT


@kernel
def best_single(desk: Desk, s: Record, seat: int, scope: int, plan: int) -> tuple[float, int]:
    """The most gainful target of one card, and its gain, that can be added to a plan; target NOBODY if there is none.

    Of a fight one weapon at most, since two together bring something else than the sum of both.

    Args:
        desk: with the gains.
        s: the game.
        seat: who looks.
        scope: LOOK_WEAPON, LOOK_SECRET or LOOK_ANY.
        plan: bit mask of targets chosen.
    """
    best = NOBODY
    highest = 0.0
    for target in range(SPOTS + FIGHTS):
        if not look_ok(s, seat, scope, target) or (plan >> target) & 1 == 1:
            continue
        if target < SPOTS:
            if (plan >> (target ^ 1)) & 1 == 1:
                continue
            gain = desk.gains[target // SIDES, target % SIDES]
        else:
            gain = desk.gains[target - SPOTS, SECRET]
        if best == NOBODY or gain > highest:
            best = target
            highest = gain
    return highest, best


@kernel
def plan_singles(desk: Desk, s: Record, seat: int, scope: int, n: int) -> tuple[float, int]:
    """The best n cards to look at: gain and targets (bit mask).

    Tried are the n best single ones of different fights, and, if weapons may be seen, both weapons of each fight with
    the best single ones beside them; a secret counts by itself.
    """
    best_gain = 0.0
    best_plan = 0
    for fight in range(-1, FIGHTS):  # -1: no pair
        gain = 0.0
        plan = 0
        chosen = 0
        if fight >= 0:
            if n < SIDES or scope == LOOK_SECRET:
                break
            if knows_weapon(s, seat, SIDES * fight) or knows_weapon(s, seat, SIDES * fight + 1):
                continue
            gain = desk.gains[fight, WEAPONS]
            plan = 3 << (SIDES * fight)
            chosen = SIDES
        while chosen < n:
            more, target = best_single(desk, s, seat, scope, plan)
            if target == NOBODY:
                break
            gain += more
            plan |= 1 << target
            chosen += 1
        if best_plan == 0 or gain > best_gain:
            best_gain = gain
            best_plan = plan
    return best_gain, best_plan


@kernel
def plan_look(desk: Desk, s: Record, seat: int, scope: int, n: int) -> tuple[float, int]:
    """Where a look brings most: gain and targets (bit mask, spots 0..5, fights 6..8).

    Args:
        desk: with the gains.
        s: the game.
        seat: who looks.
        scope: LOOK_WEAPON .. LOOK_FIGHT.
        n: how many targets at most.
    """
    if scope == LOOK_WEAPON or scope == LOOK_SECRET or scope == LOOK_ANY:
        return plan_singles(desk, s, seat, scope, n)
    best_gain = 0.0
    best_plan = 0
    for target in range(SPOTS + FIGHTS):
        if look_ok(s, seat, scope, target):
            if scope == LOOK_FIGHTER:  # Sabotage that lies there is not valued
                gain = desk.gains[target // SIDES, target % SIDES]
            else:
                gain = desk.gains[target - SPOTS, ALL]
            if best_plan == 0 or gain > best_gain:
                best_gain = gain
                best_plan = 1 << target
    return best_gain, best_plan


# --- bookmaker


@kernel
def all_weapons_known(s: Record, seat: int) -> bool:
    """Whether a seat knows all six weapons."""
    for spot in range(SPOTS):
        if not knows_weapon(s, seat, spot):
            return False
    return True


@kernel
def fight_known(s: Record, seat: int, fight: int) -> bool:
    """Whether a seat knows both weapons of a fight."""
    return knows_weapon(s, seat, SIDES * fight) and knows_weapon(s, seat, SIDES * fight + 1)


@kernel
def cards_seen(scope: int, n: int) -> int:
    """Cards that a look shows, Sabotage apart."""
    if scope == LOOK_FIGHT:
        return 3
    return 1 if scope == LOOK_FIGHTER else n
