"""What the steps of effects are worth, in HP: a price list for the duelist and one for the tactician.

Where a step reaches several seats of the own team, the lists price it like one; only healing counts every seat, since
what a heal is worth depends on whom it reaches.
"""

from __future__ import annotations

from typing import Final

from cardzoo.agents.battle_requiem.worth import DUELIST
from cardzoo.envs.battle_requiem.cards import (
    ABILITY,
    ALL,
    ALLY,
    BOOST,
    BRANCH,
    BURN,
    DRAIN,
    DRAW,
    HARM,
    HEAL,
    HEAL_MODIFIER,
    LEVY,
    PAY,
    RECLAIM,
    REDRAW,
    RELIC,
    RESIZE,
    REVEAL,
    ROB,
    SALVAGE,
    SELF,
    SHATTER,
    SKIP,
    STEAL,
    SWAP,
    TRIBUTE,
    TURNS,
    VEIL,
    VERB,
    WHO,
    M,
    N,
)
from cardzoo.envs.battle_requiem.falls import heal_cap
from cardzoo.envs.battle_requiem.legal import kind_of
from cardzoo.envs.battle_requiem.seats import is_alive, is_foe, same_team
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

EACH: Final = 2.0  # the duelist's price of all that changes no HP
KILL: Final = 8.0
LOW_HP: Final = 10
NO_RISK: Final = 4  # HP that must remain after a `pay`

# --- those an effect may reach


@kernel
def count_foes(s: Record, rules: Rules, seat: int) -> int:
    """Living opponents of a seat."""
    count = 0
    for other in range(int(rules.num_seats)):
        if is_foe(s, rules, seat, other):
            count += 1
    return count


@kernel
def weakest_foe_hp(s: Record, rules: Rules, seat: int) -> int:
    """The lowest HP of a living opponent."""
    lowest = 1 << 30
    for other in range(int(rules.num_seats)):
        if is_foe(s, rules, seat, other):
            lowest = min(lowest, int(s.hp[other]))
    return lowest


@kernel
def largest_foe_hand(s: Record, rules: Rules, seat: int) -> int:
    """The most cards that a living opponent holds."""
    largest = 0
    for other in range(int(rules.num_seats)):
        if is_foe(s, rules, seat, other):
            largest = max(largest, int(s.n_hand[other]))
    return largest


@kernel
def heal_price(s: Record, rules: Rules, strategy: int, target: int, amount: int) -> float:
    """What it is worth to heal one seat: the HP it really regains, for the tactician twice that, and more in need."""
    gain = float(max(0, min(amount, heal_cap(s, rules, target) - int(s.hp[target]))))
    if strategy == DUELIST:
        return gain
    return 2.0 * gain * (1.3 if int(s.hp[target]) <= LOW_HP else 1.0)


@kernel
def heal_value(s: Record, rules: Rules, strategy: int, seat: int, who: int, amount: int) -> float:
    """What a heal is worth: for an ally that of the weakest member (who will be chosen), for a team that of all."""
    if who == SELF:
        return heal_price(s, rules, strategy, seat, amount)
    weakest = seat
    total = 0.0
    for other in range(int(rules.num_seats)):
        if same_team(rules, seat, other) and is_alive(s, other):
            total += heal_price(s, rules, strategy, other, amount)
            if int(s.hp[other]) < int(s.hp[weakest]):
                weakest = other
    return heal_price(s, rules, strategy, weakest, amount) if who == ALLY else total


# --- steps


@kernel
def duelist_step(s: Record, rules: Rules, seat: int, row: int, step: int, armed: float) -> float:
    """The duelist's price of a step that is no heal; the arguments are those of `step_price`."""
    verb = int(rules.effects[row, step, VERB])
    n = int(rules.effects[row, step, N])
    foes = count_foes(s, rules, seat) if int(rules.effects[row, step, WHO]) == ALL else 1
    if verb == HARM:
        return float(n * foes)
    if verb == DRAIN:
        return 2.0 * n * foes
    if verb == PAY:
        return -float(n)
    if verb == LEVY:
        return 0.7 * int(rules.effects[row, step, M]) * foes
    if verb == BURN:
        return n * armed * largest_foe_hand(s, rules, seat)
    return EACH


@kernel
def tactician_step(s: Record, rules: Rules, seat: int, row: int, step: int, armed: float) -> float:
    """The tactician's price of a step that is no heal; the arguments are those of `step_price`."""
    verb = int(rules.effects[row, step, VERB])
    n = int(rules.effects[row, step, N])
    foes = count_foes(s, rules, seat) if int(rules.effects[row, step, WHO]) == ALL else 1
    spread = 1.0 + (foes - 1) / 2.0  # HP lost by others than the one in view count half
    if verb == HARM or verb == DRAIN:
        kill = KILL if weakest_foe_hp(s, rules, seat) <= n else 0.0
        return (2.0 if verb == DRAIN else 1.0) * n * spread + kill
    if verb == PAY:
        return -20.0 if int(s.hp[seat]) <= n + NO_RISK else -float(n)
    if verb == LEVY:
        return 0.8 * int(rules.effects[row, step, M]) * spread
    if verb == BURN:
        return n * armed * largest_foe_hand(s, rules, seat) / 2.0
    if verb == TURNS:
        return 9.0 * n
    if verb == DRAW or verb == RECLAIM:
        return float(n)
    if verb == SALVAGE:
        return 3.0 * n
    if verb == ROB:
        return 2.0 * n
    if verb == STEAL:
        return 1.5 * n * foes
    if verb == TRIBUTE:
        return float(n * foes)
    if verb == BOOST:
        return 0.8 * abs(n) * foes
    if verb == RESIZE:
        return 3.0 * abs(n) * foes
    if verb == VEIL:
        return 6.0
    if verb == SKIP:
        return 7.0 * foes
    if verb == SHATTER:
        return 3.0 * foes
    if verb == REDRAW or verb == REVEAL:
        return 0.5 * foes
    if verb == SWAP:
        return float(foes)
    return 0.0


@kernel
def step_price(
    s: Record, rules: Rules, strategy: int, seat: int, card: int, row: int, step: int, armed: float
) -> float:
    """What a step is worth to the seat that uses it.

    Args:
        s: the game.
        rules: its rules.
        strategy: DUELIST or TACTICIAN.
        seat: the user.
        card: the item or relic.
        row: its effect in the table of effects.
        step: number of the step.
        armed: share of armaments in the cards unseen.
    """
    if int(rules.effects[row, step, VERB]) == HEAL:
        amount = int(rules.effects[row, step, N])
        if kind_of(rules, card) != RELIC:  # modifiers count for items only
            amount += int(rules.modifiers[int(s.char[seat]), HEAL_MODIFIER])
        return heal_value(s, rules, strategy, seat, int(rules.effects[row, step, WHO]), amount)
    if strategy == DUELIST:
        return duelist_step(s, rules, seat, row, step, armed)
    return tactician_step(s, rules, seat, row, step, armed)


# --- effects


@kernel
def branch_value(s: Record, rules: Rules, strategy: int, seat: int, card: int, branch: int, armed: float) -> float:
    """What using an item or relic is worth if its branch (1 or 2; the same without branches) is taken."""
    row = ABILITY + int(s.char[seat]) if kind_of(rules, card) == RELIC else card
    total = 0.0
    for step in range(int(rules.num_steps[row])):
        of = int(rules.effects[row, step, BRANCH])
        if of == 0 or of == branch:
            total += step_price(s, rules, strategy, seat, card, row, step, armed)
    return total


@kernel
def use_value(s: Record, rules: Rules, strategy: int, seat: int, card: int, armed: float) -> float:
    """What using an item or relic is worth, in its better branch."""
    first = branch_value(s, rules, strategy, seat, card, 1, armed)
    return max(first, branch_value(s, rules, strategy, seat, card, 2, armed))
