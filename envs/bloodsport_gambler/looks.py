"""What a look may show: targets that are unknown to the seat, and what it may show on to the other seat (R24)."""

from __future__ import annotations

from cardzoo.envs.bloodsport_gambler.cards import (
    LOOK,
    LOOK_ANY,
    LOOK_FIGHT,
    LOOK_FIGHTER,
    LOOK_SECRET,
    LOOK_WEAPON,
    NUM_EFFECTS,
    VERB,
    WHO,
    A,
)
from cardzoo.envs.bloodsport_gambler.seats import knows
from cardzoo.envs.bloodsport_gambler.state import FIGHTS, SIDES, SPOTS
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

NO_LOOK = 0


@kernel
def look_scope(rules: Rules, card: int) -> int:
    """What a card lets its player look at: LOOK_WEAPON .. LOOK_FIGHT; NO_LOOK if at nothing."""
    for k in range(int(rules.actions[card, NUM_EFFECTS])):
        if int(rules.action_effects[card, k, VERB]) == LOOK:
            return int(rules.action_effects[card, k, WHO])
    return NO_LOOK


@kernel
def look_targets(rules: Rules, card: int) -> int:
    """How many targets a look has at most."""
    scope = look_scope(rules, card)
    if scope == LOOK_FIGHTER or scope == LOOK_FIGHT:
        return 1
    for k in range(int(rules.actions[card, NUM_EFFECTS])):
        if int(rules.action_effects[card, k, VERB]) == LOOK:
            return int(rules.action_effects[card, k, A])
    return 0


@kernel
def knows_weapon(s: Record, seat: int, spot: int) -> bool:
    """Whether a seat knows the weapon at a spot."""
    return knows(int(s.w_known[spot // SIDES, spot % SIDES]), seat)


@kernel
def knows_secret(s: Record, seat: int, fight: int) -> bool:
    """Whether a seat knows the secret of a fight."""
    return knows(int(s.s_known[fight]), seat)


@kernel
def unseen_sabotage(s: Record, seat: int, spot: int) -> bool:
    """Whether a Sabotage lies at a spot that a seat has not seen."""
    for k in range(int(s.n_sab)):
        if int(s.sab_spot[k]) == spot and not knows(int(s.sab_seen[k]), seat):
            return True
    return False


@kernel
def is_chosen(s: Record, target: int) -> bool:
    """Whether a target of the card being played is chosen already."""
    for k in range(int(s.n_target)):
        if int(s.target[k]) == target:
            return True
    return False


@kernel
def look_ok(s: Record, seat: int, scope: int, target: int) -> bool:
    """Whether a look of a scope may be aimed at a target (spot 0..5, fight 6..8): something there is unknown."""
    if target < SPOTS:
        if scope == LOOK_WEAPON or scope == LOOK_ANY:
            return not knows_weapon(s, seat, target)
        if scope == LOOK_FIGHTER:
            return not knows_weapon(s, seat, target) or unseen_sabotage(s, seat, target)
        return False
    fight = target - SPOTS
    if scope == LOOK_SECRET or scope == LOOK_ANY:
        return not knows_secret(s, seat, fight)
    if scope == LOOK_FIGHT:
        return not (
            knows_secret(s, seat, fight)
            and knows_weapon(s, seat, SIDES * fight)
            and knows_weapon(s, seat, SIDES * fight + 1)
        )
    return False


@kernel
def can_look(s: Record, seat: int, scope: int) -> bool:
    """Whether a look of a scope has a target at all."""
    for target in range(SPOTS + FIGHTS):
        if look_ok(s, seat, scope, target):
            return True
    return False


@kernel
def num_items(scope: int) -> int:
    """Cards that one target of a look shows, Sabotage apart."""
    return 3 if scope == LOOK_FIGHT else 1


@kernel
def item_of(scope: int, target: int, k: int) -> int:
    """The k-th card that a target of a look shows: the weapon at a spot 0..5, or the secret of fight 6..8."""
    if scope == LOOK_FIGHT and k < SIDES:
        return SIDES * (target - SPOTS) + k
    return target


@kernel
def is_known(s: Record, seat: int, item: int) -> bool:
    """Whether a seat knows a card: the weapon at a spot 0..5, or the secret of fight 6..8."""
    return knows_weapon(s, seat, item) if item < SPOTS else knows_secret(s, seat, item - SPOTS)


@kernel
def item_to_show(s: Record, rules: Rules, seat: int, n: int) -> int:
    """The n-th card looked at that the other seat does not know, in target order; -1 if there are no more."""
    scope = look_scope(rules, int(s.p_card))
    for t in range(int(s.n_target)):
        for k in range(num_items(scope)):
            item = item_of(scope, int(s.target[t]), k)
            if not is_known(s, 1 - seat, item):
                if n == 0:
                    return item
                n -= 1
    return -1


@kernel
def learn(s: Record, item: int, mask: int) -> None:
    """Seats (bit mask) get to know the weapon at a spot 0..5, or the secret of fight 6..8."""
    if item < SPOTS:
        s.w_known[item // SIDES, item % SIDES] = int(s.w_known[item // SIDES, item % SIDES]) | mask
    else:
        s.s_known[item - SPOTS] = int(s.s_known[item - SPOTS]) | mask


@kernel
def look(s: Record, rules: Rules, seat: int, everyone: int) -> None:
    """The look of the card being played succeeds: its player sees all, the other seat what is shown to it."""
    scope = look_scope(rules, int(s.p_card))
    shown = 0
    for t in range(int(s.n_target)):
        target = int(s.target[t])
        for k in range(num_items(scope)):
            item = item_of(scope, target, k)
            if not is_known(s, 1 - seat, item):
                if shown < int(s.n_show) and int(s.show[shown]) == 1:
                    learn(s, item, everyone)
                shown += 1
            learn(s, item, 1 << seat)
        if scope == LOOK_FIGHTER:
            for j in range(int(s.n_sab)):
                if int(s.sab_spot[j]) == target:
                    s.sab_seen[j] = int(s.sab_seen[j]) | 1 << seat
