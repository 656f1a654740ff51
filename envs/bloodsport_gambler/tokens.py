"""Coins and Time: what there is, and gains (rulings R8, R16, R17)."""

from __future__ import annotations

from cardzoo.envs.bloodsport_gambler.state import COIN_TOKENS, FIGHTS, LOANS, MAX_TIME, SEATS, TIME_TOKENS
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record


@kernel
def num_paid(s: Record, seat: int) -> int:
    """Loan payments made in the present run."""
    count = 0
    for k in range(LOANS):
        count += int(s.paid[seat, k])
    return count


@kernel
def wagered(s: Record, seat: int) -> int:
    """Coins in unsettled wagers."""
    total = 0
    for fight in range(FIGHTS):
        total += int(s.bet_coin[seat, fight])
    return total


@kernel
def coins_left(s: Record) -> int:
    """Coins in the supply: all tokens but purses, wagers, one for each payment, and those on Sabotage."""
    total = COIN_TOKENS
    for seat in range(SEATS):
        if int(s.playing[seat]) == 1:
            total -= int(s.coin[seat]) + wagered(s, seat) + num_paid(s, seat)
    for k in range(int(s.n_sab)):
        total -= int(s.sab_coin[k])
    return total


@kernel
def gain_coins(s: Record, rules: Rules, seat: int, n: int) -> None:
    """A seat gains coins, with a limited supply no more than there are (R16)."""
    if int(rules.coins_limited) == 1:
        n = max(0, min(n, coins_left(s)))
    s.coin[seat] += n


@kernel
def time_left(s: Record) -> int:
    """Time tokens that no seat at the table holds and that lie on no Sabotage (R17, R28)."""
    total = TIME_TOKENS
    for seat in range(SEATS):
        if int(s.playing[seat]) == 1:
            total -= int(s.time[seat])
    for k in range(int(s.n_sab)):
        total -= int(s.sab_time[k])
    return total


@kernel
def gain_time(s: Record, seat: int, n: int) -> None:
    """A seat gains Time up to what it may hold and what there is (R17)."""
    s.time[seat] += max(0, min(n, MAX_TIME - int(s.time[seat]), time_left(s)))
