"""Odds and wagers: by printed ranks, fixed when the fighters are dealt (R23)."""

from __future__ import annotations

from cardzoo.envs.bloodsport_gambler.cards import RANK
from cardzoo.envs.bloodsport_gambler.state import MAX_WAGER
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record


@kernel
def lead(s: Record, rules: Rules, fight: int, side: int) -> int:
    """Rank of a fighter less that of its opponent: above 0 for a favourite, below for an underdog."""
    own = int(rules.fighters[int(s.fighter[fight, side]), RANK])
    return own - int(rules.fighters[int(s.fighter[fight, 1 - side]), RANK])


@kernel
def wager_fits(ahead: int, coins: int) -> bool:
    """Whether a wager of some coins fits the odds: a favourite by d takes exactly d + 1, others 1..MAX_WAGER."""
    if ahead > 0:
        return coins == ahead + 1
    return 1 <= coins <= MAX_WAGER


@kernel
def payout(ahead: int, coins: int) -> int:
    """Coins won on top of the returned wager: 1 on a favourite, the wager at even odds, times d + 1 on an underdog."""
    if ahead > 0:
        return 1
    return coins * (1 - ahead)


@kernel
def bet_ok(s: Record, rules: Rules, side: int, coins: int) -> bool:
    """Whether the deciding seat may bet some coins on a fighter of the fight being bet on."""
    return coins <= int(s.coin[int(s.actor)]) and wager_fits(lead(s, rules, int(s.fight), side), coins)
