"""Losing and regaining HP, elimination, places, and how a game ends (rulings R10 to R14, R21, R24, R25)."""

from __future__ import annotations

from cardzoo.envs.battle_requiem.cards import HP
from cardzoo.envs.battle_requiem.piles import discard_hand, put_away
from cardzoo.envs.battle_requiem.seats import count_teams, in_mask, seat_after, team_lives
from cardzoo.envs.battle_requiem.state import NOBODY, OVER
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

# What the rules do next (`rules.run`).
ASK = 0  # phase and actor are set: a seat has a decision
STEP = 1  # carry out the next step of the effect
QUEUE = 2  # the next seat answers the effect
RESOLVE = 3  # resolve the duel
REWARDS = 4  # the next fallen seat is rewarded
AFTER = 5  # go on with the effect, or end the turn
END_TURN = 6
END = 7  # the game is over


@kernel
def heal_cap(s: Record, rules: Rules, seat: int) -> int:
    """The HP above which nothing heals a seat (R10)."""
    if int(rules.heal_start) == 1:
        return int(rules.characters[int(s.char[seat]), HP])
    return int(rules.tracker_max)


@kernel
def heal(s: Record, rules: Rules, seat: int, amount: int) -> None:
    """A seat regains HP up to the cap; a heal never lowers HP (R10)."""
    s.hp[seat] = max(int(s.hp[seat]), min(int(s.hp[seat]) + amount, heal_cap(s, rules, seat)))


@kernel
def hurt(s: Record, seat: int, amount: int) -> int:
    """A seat loses HP, down to 0 (which does not eliminate it yet); returns what it really lost."""
    lost = min(int(s.hp[seat]), amount)
    s.hp[seat] = int(s.hp[seat]) - lost
    return lost


@kernel
def set_places(s: Record, rules: Rules) -> None:
    """Give their shared place to the teams that have just lost their last member, and let their seats leave."""
    gone = 0
    for team in range(int(rules.num_teams)):
        if not team_lives(s, rules, team) and not has_left(s, rules, team):
            gone += 1
    if gone == 0:
        return
    # k teams are left and j go at once: they share the mean of the places k + 1 .. k + j.
    place2 = 2 * count_teams(s, rules) + gone + 1
    for seat in range(int(rules.num_seats)):
        if not team_lives(s, rules, int(rules.team[seat])) and not in_mask(int(s.left), seat):
            s.place2[seat] = place2
            s.left = int(s.left) | 1 << seat


@kernel
def has_left(s: Record, rules: Rules, team: int) -> bool:
    """Whether a team is out already."""
    for seat in range(int(rules.num_seats)):
        if int(rules.team[seat]) == team:
            return in_mask(int(s.left), seat)
    return True


@kernel
def discard_hands(s: Record, rules: Rules, mask: int) -> None:
    """Fallen hands go to the discard pile, in turn order from the active seat."""
    for k in range(int(rules.num_seats)):
        seat = seat_after(s, rules, int(s.active), k)
        if in_mask(mask, seat):
            discard_hand(s, rules, seat)


@kernel
def finish(s: Record) -> int:
    """The game is over."""
    s.phase = OVER
    s.actor = NOBODY
    s.fallen = 0
    return END


@kernel
def eliminate(s: Record, rules: Rules, mask: int, rewarded: bool) -> int:
    """Seats (bit mask) whose HP have come to 0 are out; returns what comes next.

    With a single team left the game ends without a reward (R14). Hands of seats for which the active seat is rewarded
    stay until after the reward (R12); the others are discarded now.
    """
    if mask == 0:
        return AFTER
    for seat in range(int(rules.num_seats)):
        if in_mask(mask, seat):
            s.hp[seat] = 0
            s.skip[seat] = 0
            s.veil[seat] = 0
            s.att_boost[seat] = 0
            s.def_boost[seat] = 0
    set_places(s, rules)
    if count_teams(s, rules) == 1:
        discard_hands(s, rules, mask)
        put_away(s)
        return finish(s)
    if rewarded:
        s.fallen = mask
        return REWARDS
    discard_hands(s, rules, mask)
    return AFTER


@kernel
def cut_off(s: Record, rules: Rules) -> int:
    """The turn limit ends the game; the teams still in share the places at the top."""
    s.truncated = 1
    return finish(s)
