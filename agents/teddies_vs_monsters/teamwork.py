"""What a seat can tell of its partner's plans (planner), so that the two do not reach for the same thing."""

from __future__ import annotations

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record
from cardzoo.envs.teddies_vs_monsters.legal import partner_of
from cardzoo.envs.teddies_vs_monsters.state import CLAIM, PLACE, TEAMS
from cardzoo.envs.teddies_vs_monsters.tables import Rules


@kernel
def placed_lately(s: Record, rules: Rules, seat: int, room: int) -> bool:
    """Whether a seat was last seen placing a card in a room, no longer ago than a claim takes it."""
    if int(s.l_kind[seat]) != PLACE or int(s.l_room[seat]) != room or int(s.l_lost[seat]) == 1:
        return False
    return int(s.tick) - int(s.l_tick[seat]) <= int(rules.duration[seat, CLAIM]) + int(rules.jitter[seat])


@kernel
def begun(s: Record, rules: Rules, seat: int, kind: int, room: int) -> bool:
    """Whether a partner whose acts are shown (`open_team`) has begun an act of a kind in a room."""
    return int(rules.open_team) == 1 and int(s.p_kind[seat]) == kind and int(s.p_room[seat]) == room


@kernel
def partner_builds(s: Record, rules: Rules, seat: int, room: int) -> bool:
    """Whether a room is the partner's to place in, as far as a seat can tell."""
    if int(rules.num_seats) == TEAMS:
        return False
    partner = partner_of(seat)
    if begun(s, rules, partner, PLACE, room) or begun(s, rules, partner, CLAIM, room):
        return True
    return placed_lately(s, rules, partner, room)


@kernel
def partner_claims(s: Record, rules: Rules, seat: int, room: int) -> bool:
    """Whether the claim of a complete row is the partner's: it has begun it, or laid the last card."""
    if int(rules.num_seats) == TEAMS:
        return False
    partner = partner_of(seat)
    if begun(s, rules, partner, CLAIM, room):
        return True
    own_later = placed_lately(s, rules, seat, room) and int(s.l_tick[seat]) >= int(s.l_tick[partner])
    return placed_lately(s, rules, partner, room) and not own_later
