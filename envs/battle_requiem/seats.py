"""Questions about seats: who is alive, who is whose opponent, who comes after whom."""

from __future__ import annotations

from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record


@kernel
def is_alive(s: Record, seat: int) -> bool:
    """Whether a seat has HP."""
    return int(s.hp[seat]) > 0


@kernel
def same_team(rules: Rules, seat: int, other: int) -> bool:
    """Whether two seats (or one and itself) belong to a team."""
    return int(rules.team[seat]) == int(rules.team[other])


@kernel
def is_foe(s: Record, rules: Rules, seat: int, other: int) -> bool:
    """Whether `other` is a living opponent of a seat."""
    return is_alive(s, other) and not same_team(rules, seat, other)


@kernel
def seat_after(s: Record, rules: Rules, seat: int, k: int) -> int:
    """The k-th seat after a seat in turn order, the fallen counted (R2); k in 0..S-1."""
    return int(s.order[(int(s.rank[seat]) + k) % int(rules.num_seats)])


@kernel
def in_mask(mask: int, seat: int) -> bool:
    """Whether a bit mask of seats holds a seat."""
    return (int(mask) >> seat) & 1 == 1


@kernel
def first_of(s: Record, rules: Rules, mask: int) -> int:
    """The first seat of a bit mask in turn order from the active seat on; -1 of an empty one."""
    for k in range(int(rules.num_seats)):
        seat = seat_after(s, rules, int(s.active), k)
        if in_mask(mask, seat):
            return seat
    return -1


@kernel
def count_living(s: Record, rules: Rules) -> int:
    """Living seats."""
    count = 0
    for seat in range(int(rules.num_seats)):
        if is_alive(s, seat):
            count += 1
    return count


@kernel
def team_lives(s: Record, rules: Rules, team: int) -> bool:
    """Whether a team has a living member."""
    for seat in range(int(rules.num_seats)):
        if int(rules.team[seat]) == team and is_alive(s, seat):
            return True
    return False


@kernel
def count_teams(s: Record, rules: Rules) -> int:
    """Teams with a living member."""
    count = 0
    for team in range(int(rules.num_teams)):
        if team_lives(s, rules, team):
            count += 1
    return count
