"""The reward of a seat that eliminated others (rulings R11 to R13, R15)."""

from __future__ import annotations

from cardzoo.envs.battle_requiem.actions import GROW, RESTOCK, REWARD_HEAL
from cardzoo.envs.battle_requiem.effects import take_all
from cardzoo.envs.battle_requiem.falls import AFTER, ASK, REWARDS, heal
from cardzoo.envs.battle_requiem.piles import discard, discard_hand
from cardzoo.envs.battle_requiem.seats import first_of
from cardzoo.envs.battle_requiem.state import HEAL_REWARD, REWARD, TRIM
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record


@kernel
def next_reward(s: Record) -> int:
    """Ask for the reward of the next fallen seat; returns what comes next."""
    if int(s.fallen) == 0:
        return AFTER
    s.phase = REWARD
    s.actor = s.active
    return ASK


@kernel
def take_reward(s: Record, rules: Rules, reward: int) -> int:
    """Carry out a reward for the first fallen seat in turn order; its rest goes to the discard pile."""
    active = int(s.active)
    fallen = first_of(s, rules, int(s.fallen))
    if reward == REWARD_HEAL:
        heal(s, rules, active, HEAL_REWARD)
    elif reward == GROW:
        s.inv[active] += 1
    elif reward == RESTOCK:
        take_all(s, rules, fallen, active)
        if int(s.n_hand[active]) > int(s.inv[active]):
            s.phase = TRIM
            return ASK
    return reward_done(s, rules)


@kernel
def trim(s: Record, rules: Rules, card: int) -> int:
    """Discard a card on the way down to the Inventory (R13)."""
    active = int(s.active)
    discard(s, active, card)
    if int(s.n_hand[active]) > int(s.inv[active]):
        return ASK
    return reward_done(s, rules)


@kernel
def reward_done(s: Record, rules: Rules) -> int:
    """The first fallen seat's rest goes to the discard pile; on to the next one."""
    fallen = first_of(s, rules, int(s.fallen))
    discard_hand(s, rules, fallen)
    s.fallen = int(s.fallen) & ~(1 << fallen)
    return REWARDS
