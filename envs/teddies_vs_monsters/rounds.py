"""The end of a round, a sudden death and a game (R16 to R20, R24)."""

from __future__ import annotations

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record
from cardzoo.envs.teddies_vs_monsters.clock import drop_act
from cardzoo.envs.teddies_vs_monsters.flow import DEAL, END, KEY_0, LAND, TIE
from cardzoo.envs.teddies_vs_monsters.rows import is_unclaimed, row_complete
from cardzoo.envs.teddies_vs_monsters.state import MAX_SEATS, NO_ROOM, NOBODY, TEAMS
from cardzoo.envs.teddies_vs_monsters.tables import Rules


@kernel
def rooms_of(s: Record, rules: Rules, team: int) -> int:
    """How many rooms a team (or NOBODY) has claimed."""
    count = 0
    for room in range(int(rules.num_rooms)):
        if int(s.bedroom[room]) != NO_ROOM and int(s.claimed[room]) == team:
            count += 1
    return count


@kernel
def right_rooms(s: Record, rules: Rules, team: int) -> int:
    """How many rooms a team has claimed with the right row."""
    count = 0
    for room in range(int(rules.num_rooms)):
        if int(s.claimed[room]) == team and int(s.mistake[room]) == 0:
            count += 1
    return count


@kernel
def has_mistake(s: Record, rules: Rules) -> bool:
    """Whether the review finds a room that was claimed with a wrong row."""
    for room in range(int(rules.num_rooms)):
        if int(s.mistake[room]) == 1:
            return True
    return False


@kernel
def most_rooms(s: Record, rules: Rules) -> int:
    """The key for the team with more right rooms, or a tie."""
    own = right_rooms(s, rules, 0)
    other = right_rooms(s, rules, 1)
    if own == other:
        return TIE
    return KEY_0 if own > other else KEY_0 + 1


@kernel
def after_landing(s: Record, rules: Rules) -> int:
    """Whether the round is decided: a key, a tie, or the next landing."""
    if int(s.sudden) > 0:
        return after_sudden_landing(s, rules)
    unclaimed = rooms_of(s, rules, NOBODY)
    if unclaimed > 0:
        if int(rules.play_out) == 1:
            return LAND
        half = int(rules.num_rooms) // 2
        if rooms_of(s, rules, 0) <= half and rooms_of(s, rules, 1) <= half:
            return LAND
    if int(rules.discount) == 0 and has_mistake(s, rules):
        return TIE
    return most_rooms(s, rules)


@kernel
def after_sudden_landing(s: Record, rules: Rules) -> int:
    """Whether a sudden death is decided (R19, R24): a key, a tie, or the next landing."""
    unclaimed = 0
    for room in range(int(rules.num_rooms)):
        owner = int(s.claimed[room])
        if is_unclaimed(s, room):
            unclaimed += 1
            if int(rules.completion) == 1:
                for team in range(TEAMS):
                    if row_complete(s, rules, team, room):
                        return KEY_0 + team
        elif owner != NOBODY:
            if int(s.mistake[room]) == 0:
                return KEY_0 + owner
            if int(rules.discount) == 0:
                return TIE
    return LAND if unclaimed > 0 else TIE


@kernel
def stop(s: Record, rules: Rules) -> int:
    """The round cannot go on (R17): a key or a tie."""
    if int(s.sudden) == 0 and int(rules.stall_rooms) == 1:
        return most_rooms(s, rules)
    return TIE


@kernel
def tie(s: Record, rules: Rules) -> int:
    """Nobody won: sudden death, or none any more (R19); returns what comes next."""
    if int(s.sudden) < int(rules.max_sudden):
        s.sudden += 1
        return DEAL
    return next_round(s, rules)


@kernel
def key(s: Record, rules: Rules, team: int) -> int:
    """A team takes a key; returns what comes next."""
    s.keys[team] += 1
    if int(s.keys[team]) >= int(rules.keys_to_win):
        return end_game(s)
    return next_round(s, rules)


@kernel
def next_round(s: Record, rules: Rules) -> int:
    """The next ordinary round, or the end by the limit of rounds; returns what comes next."""
    if int(s.round_no) >= int(rules.max_rounds):
        s.truncated = 1
        return end_game(s)
    s.round_no += 1
    s.sudden = 0
    return DEAL


@kernel
def end_game(s: Record) -> int:
    """The game is over; the table stays as it is, acts under way are dropped."""
    s.actor = NOBODY
    for seat in range(MAX_SEATS):
        drop_act(s, seat)
    return END
