"""Questions about seats: who plays, who is alone, whose turn comes after whose; and ratting."""

from __future__ import annotations

from cardzoo.envs.bloodsport_gambler.state import ACT, BET, DISCARD, LOAN, NOBODY, REACT, SEATS, WINDOW
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record


@kernel
def num_playing(s: Record) -> int:
    """Seats still at the table."""
    return int(s.playing[0]) + int(s.playing[1])


@kernel
def has_company(s: Record, seat: int) -> bool:
    """Whether the other seat is at the table too."""
    return int(s.playing[1 - seat]) == 1


@kernel
def all_seats(rules: Rules) -> int:
    """Bit mask of the seats of the game."""
    return (1 << int(rules.num_seats)) - 1


@kernel
def known_at_deal(rules: Rules) -> int:
    """Bit mask of the seats that know a weapon or secret as it is dealt: all under `face_up` (R29), else none."""
    return all_seats(rules) if int(rules.face_up) == 1 else 0


@kernel
def knows(mask: int, seat: int) -> bool:
    """Whether a bit mask of seats holds a seat."""
    return (int(mask) >> seat) & 1 == 1


@kernel
def seat_in_order(s: Record, k: int) -> int:
    """The k-th seat of the round's order, 0 or 1; also one that has left."""
    return int(s.first) if k == 0 else 1 - int(s.first)


@kernel
def turns_taken(s: Record) -> int:
    """Seats that are done with loans or discards, in the order: `actor` was the last, NOBODY before the first."""
    if int(s.actor) == NOBODY:
        return 0
    return 1 if int(s.actor) == int(s.first) else SEATS


@kernel
def may_rat(s: Record) -> bool:
    """Whether the deciding seat may rat (R15): guard above 1, a chance to spend, and a node that allows it."""
    node = int(s.node)
    if node != ACT and node != BET and node != REACT and node != LOAN and node != DISCARD and node != WINDOW:
        return False
    return int(s.guard) > 1 and int(s.chance[int(s.actor)]) > 0


@kernel
def rat(s: Record) -> None:
    """The deciding seat rats: guard level 1 for a chance."""
    s.guard = 1
    s.chance[int(s.actor)] -= 1


@kernel
def clear_passes(s: Record) -> None:
    """A phase or window begins: nobody has passed."""
    s.passes = 0
    for seat in range(SEATS):
        s.passed[seat] = 0
