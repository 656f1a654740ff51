"""What a wager is worth, and the wager to make."""

from __future__ import annotations

from cardzoo.envs.bloodsport_gambler.actions import BET_AT, NOBET_AT, after_play
from cardzoo.envs.bloodsport_gambler.cards import DEX, LIFE, STR
from cardzoo.envs.bloodsport_gambler.odds import lead, payout
from cardzoo.envs.bloodsport_gambler.state import LEFT, MAX_WAGER, RIGHT, SIDES
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

MIN_GAIN = 0.1  # expected coins that a wager must bring
UNDERDOG_LAG = 2  # punter: an underdog this far behind is still worth its odds
FAVOURITE_LEAD = 5  # punter: a favourite must be so far ahead


@kernel
def largest_wager(s: Record, rules: Rules, fight: int, side: int, purse: int) -> int:
    """The largest legal wager on a fighter, 0 if there is none.

    What a wager brings is proportional to its coins (a favourite takes only one number of them), so if any is worth
    making, the largest is the best; and the limit of nine coins in all is three on each fight.
    """
    ahead = lead(s, rules, fight, side)
    if ahead > 0:
        return ahead + 1 if ahead + 1 <= purse else 0
    return max(0, min(MAX_WAGER, purse))


@kernel
def stakes(s: Record, rules: Rules, fight: int, purse: int) -> tuple[int, int, int, int]:
    """The largest wagers on a fight: coins on left and their payout, coins on right and their payout."""
    left = largest_wager(s, rules, fight, LEFT, purse)
    right = largest_wager(s, rules, fight, RIGHT, purse)
    left_pays = payout(lead(s, rules, fight, LEFT), left) if left > 0 else 0
    right_pays = payout(lead(s, rules, fight, RIGHT), right) if right > 0 else 0
    return left, left_pays, right, right_pays


@kernel
def gain_on_left(stake: tuple[int, int, int, int], chance: float) -> float:
    """Coins that the wager on left is expected to bring."""
    return chance * stake[1] - (1.0 - chance) * stake[0]


@kernel
def gain_on_right(stake: tuple[int, int, int, int], chance: float) -> float:
    """Coins that the wager on right is expected to bring."""
    return (1.0 - chance) * stake[3] - chance * stake[2]


@kernel
def value(stake: tuple[int, int, int, int], chance: float) -> float:
    """V: coins that the best wager on a fight is expected to bring when left wins with some chance; at least 0."""
    return max(0.0, max(gain_on_left(stake, chance), gain_on_right(stake, chance)))


# --- what to bet


@kernel
def bet_action(s: Record, rules: Rules, fight: int, side: int, coins: int) -> int:
    """The action that bets some coins on a fighter, or nothing on the fight."""
    if coins <= 0:
        return after_play(rules, NOBET_AT) + fight
    return after_play(rules, BET_AT) + MAX_WAGER * (SIDES * fight + side) + coins - 1


@kernel
def gainful_bet(s: Record, rules: Rules, fight: int, chance: float) -> int:
    """The wager that brings most if left wins with some chance, none if that is hardly anything."""
    stake = stakes(s, rules, fight, int(s.coin[int(s.actor)]))
    left = gain_on_left(stake, chance)
    right = gain_on_right(stake, chance)
    if max(left, right) <= MIN_GAIN:
        return bet_action(s, rules, fight, LEFT, 0)
    if left >= right:
        return bet_action(s, rules, fight, LEFT, stake[0])
    return bet_action(s, rules, fight, RIGHT, stake[2])


@kernel
def printed_sum(s: Record, rules: Rules, fight: int, side: int) -> int:
    """STR + DEX + life as printed."""
    fighter = int(s.fighter[fight, side])
    return int(rules.fighters[fighter, STR]) + int(rules.fighters[fighter, DEX]) + int(rules.fighters[fighter, LIFE])


@kernel
def printed_bet(s: Record, rules: Rules, fight: int) -> int:
    """The punter's wager: by the printed numbers, weapons and secrets left aside."""
    purse = int(s.coin[int(s.actor)])
    ahead = lead(s, rules, fight, LEFT)
    left = printed_sum(s, rules, fight, LEFT)
    right = printed_sum(s, rules, fight, RIGHT)
    if ahead == 0:
        if left == right:
            return bet_action(s, rules, fight, LEFT, 0)
        side = LEFT if left > right else RIGHT
        return bet_action(s, rules, fight, side, largest_wager(s, rules, fight, side, purse))
    favourite = LEFT if ahead > 0 else RIGHT
    margin = left - right if ahead > 0 else right - left  # of the favourite
    if margin <= UNDERDOG_LAG:
        side = 1 - favourite
        return bet_action(s, rules, fight, side, largest_wager(s, rules, fight, side, purse))
    if margin >= FAVOURITE_LEAD:
        return bet_action(s, rules, fight, favourite, largest_wager(s, rules, fight, favourite, purse))
    return bet_action(s, rules, fight, favourite, 0)
