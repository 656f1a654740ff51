"""Reading the seats of a position: status and result, purse and tokens, payments, wagers."""

from __future__ import annotations

from typing import Any

from cardzoo.envs.bloodsport_gambler.cards import RANK
from cardzoo.envs.bloodsport_gambler.loans import defeat_tier, victory_tier
from cardzoo.envs.bloodsport_gambler.notation import (
    FATE_KEYS,
    FIGHT_NAMES,
    MAX_PURSE,
    SEAT_KEYS,
    SIDE_NAMES,
    WAGER_KEYS,
)
from cardzoo.envs.bloodsport_gambler.odds import wager_fits
from cardzoo.envs.bloodsport_gambler.reading import SUB_PLACES, Reading, present
from cardzoo.envs.bloodsport_gambler.state import (
    COIN_TOKENS,
    DEFEATED,
    FIGHTS,
    FIRST_LOAN,
    IN,
    LOANS,
    MAX_TIME,
    MAX_WAGER,
    NOBODY,
    PAID_OFF,
    SEATS,
    START_CHANCES,
    START_COINS,
    STATUSES,
    TIME_TOKENS,
)
from cardzoo.envs.bloodsport_gambler.tables import CONTINUE, LEAVE, RACE, RESTART
from cardzoo.envs.core.notation import as_flag, as_list, as_mapping, as_whole, as_word, bad

PAYING = ("loan", "discard", "reset", "over")  # where payments of the round can have been made
PASSING = ("act", "react", *SUB_PLACES)


# --- who is in


def read_statuses(r: Reading) -> None:
    """The entries of the seats; status, results, and who is at the table."""
    s = r.s
    for seat in range(SEATS):
        key = f"seat{seat}"
        value = r.get(key)
        if seat >= r.num_seats:
            if value is not None:
                raise bad(key, "must be left out, because the game has one seat")
            continue
        entry = present(as_mapping(key, {} if value is None else value, SEAT_KEYS))
        r.seats.append(entry)
        s.status[seat] = as_word(f"{key}.status", entry.get("status", STATUSES[IN]), STATUSES)
        s.playing[seat] = as_flag(f"{key}.playing", entry.get("playing", True))
        s.passed[seat] = as_flag(f"{key}.passed", entry.get("passed", False))
        if int(s.passed[seat]) and not (int(r.rules.final_passes) and r.at in PASSING and r.is_playing(seat)):
            raise bad(f"{key}.passed", f"must be false at {r.at}, for seats that are out, and unless passes are final")
        if not r.is_playing(seat):
            s.left = int(s.left) | 1 << seat
            _check_gone(r, seat)
    if not r.playing() and r.at != "over":
        raise bad("at", "must be over, because no seat is at the table")


def _check_gone(r: Reading, seat: int) -> None:
    """Whether a seat can have left: with a result, if the game goes on without seats that have one."""
    status, finished = int(r.s.status[seat]), int(r.rules.finished)
    leaves = finished == LEAVE or (finished == CONTINUE and status == DEFEATED)
    if status == IN or not leaves or int(r.rules.objective) == RACE:
        word = STATUSES[status]
        raise bad(f"seat{seat}.playing", f"must be true, because with these options no seat leaves that is {word}")


def read_results(r: Reading) -> None:
    """First results and fates; who is to decide is known by now."""
    for seat, entry in enumerate(r.seats):
        _read_result(r, seat, entry)
        _check_status(r, seat)
    enough = 1 if int(r.rules.objective) == RACE else r.num_seats
    ended = sum(int(r.s.result[seat]) != IN for seat in range(r.num_seats)) >= enough
    if r.at != "over":
        if ended:
            raise bad("at", f"is {r.at}, but the results of the seats end the game")
    elif not ended:
        if int(r.s.round_no) != int(r.rules.max_rounds):
            raise bad("at", "is over, but neither the results of the seats nor the round limit end the game")
        r.s.truncated = 1


def _read_result(r: Reading, seat: int, entry: dict[str, Any]) -> None:
    """The first result of a seat and the fate that it brought."""
    s, key = r.s, f"seat{seat}"
    fate = present(as_mapping(f"{key}.fate", entry.get("fate", {}), FATE_KEYS))
    # At a loan turn a status may be fresh: its result comes when all seats have had their turns.
    fresh = r.at == "loan" and r.is_playing(seat)
    default = STATUSES[IN if fresh else int(s.status[seat])]
    default = fate.get("result", default)
    result = as_word(f"{key}.result", entry.get("result", default), STATUSES)
    if as_word(f"{key}.fate.result", fate.get("result", STATUSES[result]), STATUSES) != result:
        raise bad(f"{key}.fate.result", f'must be the same as "{key}.result"')
    if not r.is_playing(seat) and result != int(s.status[seat]):
        raise bad(f"{key}.result", "must be the same as the status of a seat that has left")
    s.result[seat] = result
    if result == IN:
        if set(fate) - {"result"}:
            raise bad(f"{key}.fate", "must be left out, because the seat has no result")
        return
    s.done_round[seat] = r.number(f"{key}.fate", fate, "round", int(s.round_no), 1, int(s.round_no))
    roll = r.number(f"{key}.fate", fate, "roll", 1, 1, 6)
    coins = int(s.coin[seat]) if result == PAID_OFF else 0
    most = MAX_PURSE if result == PAID_OFF else 0
    total = r.number(f"{key}.fate", fate, "total", roll + coins, roll, roll + most)
    tier = int(victory_tier(total) if result == PAID_OFF else defeat_tier(roll))
    r.number(f"{key}.fate", fate, "tier", tier, tier, tier)
    s.fate_roll[seat], s.fate_total[seat], s.fate_tier[seat] = roll, total, tier


def _check_status(r: Reading, seat: int) -> None:
    """Whether status and result of a seat at the table can stand together where the game is."""
    s, finished = r.s, int(r.rules.finished)
    status, result = int(s.status[seat]), int(s.result[seat])
    if not r.is_playing(seat):
        return
    if status == IN:
        fits = result == IN or finished == RESTART
    elif r.at == "over":
        fits = result == status or (result != IN and finished == RESTART)
    elif finished == CONTINUE and status == result == PAID_OFF:
        fits = True
    else:  # its loan turn has just ended
        had_turn = r.at == "loan" and seat == int(s.first) and int(s.actor) != seat
        fits = had_turn and (result == IN or finished == RESTART)
    if not fits:
        words = f"is {STATUSES[status]}"
        raise bad(f"seat{seat}.status", f'{words}, but at {r.at} that does not go with the result "{STATUSES[result]}"')


# --- numbers


def read_numbers(r: Reading) -> None:
    """Purse, Time, chances and payments; who is to decide is known by now."""
    for seat, entry in enumerate(r.seats):
        key, s = f"seat{seat}", r.s
        s.coin[seat] = r.number(key, entry, "coin", START_COINS, 0, MAX_PURSE)
        s.time[seat] = r.number(key, entry, "time", max(0, MAX_TIME - _time_laid(r, seat)), 0, MAX_TIME)
        s.chance[seat] = r.number(key, entry, "chance", START_CHANCES, 0, START_CHANCES)
        _read_paid(r, seat, entry)
    _check_tokens(r)


def _time_laid(r: Reading, seat: int) -> int:
    """Time of a seat that lies on Sabotage and on the card being played."""
    s = r.s
    laid = sum(int(s.sab_time[k]) for k in range(int(s.n_sab)) if int(s.sab_seat[k]) == seat)
    return laid + (int(s.p_time) if int(s.actor) == seat else 0)


def _read_paid(r: Reading, seat: int, entry: dict[str, Any]) -> None:
    """Loan payments, all six exactly if the seat is paid off."""
    s, key = r.s, f"seat{seat}.paid"
    paid_off = int(s.status[seat]) == PAID_OFF
    amounts = list(range(FIRST_LOAN, FIRST_LOAN + LOANS))
    default = amounts if paid_off else []
    paid = [
        as_whole(key, item, amounts[0], amounts[-1]) for item in as_list(key, entry.get("paid", default), "amounts")
    ]
    if len(set(paid)) != len(paid):
        raise bad(key, "names an amount twice")
    if (len(paid) == LOANS) != paid_off:
        raise bad(key, f'must have all {LOANS} amounts exactly if "seat{seat}.status" is paid_off')
    for amount in paid:
        s.paid[seat, amount - FIRST_LOAN] = 1
    most = len(paid) if r.at in PAYING else 0
    s.paid_now[seat] = r.number(f"seat{seat}", entry, "paid_now", 0, 0, most)


def _check_tokens(r: Reading) -> None:
    """No more tokens than there are; the key is that of the seat with the most."""
    s, seats = r.s, range(r.num_seats)
    times = [int(s.time[seat]) + _time_laid(r, seat) for seat in seats]
    if sum(times) > TIME_TOKENS:
        most = times.index(max(times))
        raise bad(
            f"seat{most}.time", f"makes {sum(times)} Time held and lying there, but there are {TIME_TOKENS} tokens"
        )


def check_coins(r: Reading) -> None:
    """With a limited supply no more coins than there are; the key is that of the seat with the most."""
    s = r.s
    if not int(r.rules.coins_limited):
        return
    held = [0] * r.num_seats
    for seat in r.playing():
        held[seat] = int(s.coin[seat]) + int(s.bet_coin[seat].sum()) + int(s.paid[seat].sum())
    for k in range(int(s.n_sab)):
        held[int(s.sab_seat[k])] += int(s.sab_coin[k])
    if sum(held) > COIN_TOKENS:
        key = f"seat{held.index(max(held))}.coin"
        raise bad(key, f"makes {sum(held)} coins with all that lie there, but there are {COIN_TOKENS} tokens")


# --- wagers


def read_wagers(r: Reading) -> None:
    """Wagers on the fights that a seat has decided, and those that it has lost by being caught."""
    for seat, entry in enumerate(r.seats):
        key = f"seat{seat}"
        wagers = present(as_mapping(f"{key}.wagers", entry.get("wagers", {}), FIGHT_NAMES))
        decided = _decided(r, seat)
        for name, value in wagers.items():
            fight = FIGHT_NAMES.index(name)
            if fight >= decided:
                raise bad(f"{key}.wagers.{name}", f"cannot be there at {r.at}")
            _read_wager(r, seat, fight, value)
        names = as_list(f"{key}.lost", entry.get("lost", []), "fights")
        for name in names:
            fight = as_word(f"{key}.lost", name, FIGHT_NAMES)
            caught = r.at == "settle" or (decided and fight <= int(r.s.fight) and r.at != "bet")
            if not caught or int(r.s.lost[seat, fight]):
                raise bad(
                    f"{key}.lost", f"names {name}, on which nobody can be caught at {r.at}, or which is named twice"
                )
            r.s.lost[seat, fight] = 1


def _decided(r: Reading, seat: int) -> int:
    """For how many fights, from the first on, a seat has decided on its wager."""
    if not r.is_playing(seat):
        return 0
    if r.at == "bet":
        if int(r.s.actor) == seat:
            return int(r.s.fight)
        return FIGHTS if int(r.s.first) == seat else 0
    return FIGHTS if r.window or r.at in ("window", "fight", "settle") else 0


def _read_wager(r: Reading, seat: int, fight: int, value: Any) -> None:
    """One wager, which has to fit the odds."""
    s, key = r.s, f"seat{seat}.wagers.{FIGHT_NAMES[fight]}"
    entry = present(as_mapping(key, value, WAGER_KEYS))
    for name in WAGER_KEYS:
        if name not in entry:
            raise bad(key, f"must have {name}")
    side = as_word(key, entry["side"], SIDE_NAMES)
    coins = as_whole(key, entry["coin"], 1, MAX_WAGER)
    ranks = [int(r.rules.fighters[int(s.fighter[fight, k]), RANK]) for k in range(len(SIDE_NAMES))]
    ahead = ranks[side] - ranks[1 - side]
    if not wager_fits(ahead, coins):
        raise bad(key, f"is {coins} coins, but on a favourite by {ahead} the wager is {ahead + 1}")
    s.bet_side[seat, fight] = side + 1
    s.bet_coin[seat, fight] = coins


def find_actor(r: Reading) -> int:
    """The seat to decide: the one that is given, or the first that the place asks."""
    s, given = r.s, r.get("actor")
    if r.at in ("over", "setup", "order", "fight", "settle", "reset"):
        if given is not None:
            raise bad("actor", f"must be left out at {r.at}")
        return NOBODY
    order = [int(s.first), 1 - int(s.first)]
    seats = [seat for seat in (order[::-1] if r.window else order) if seat in r.playing() and not int(s.passed[seat])]
    if r.at == "loan":
        seats = [seat for seat in seats if int(s.status[seat]) == IN]
    elif r.at == "window":
        seats = [owner_in_window(r)]
    if not seats:
        raise bad("at", f"is {r.at}, but no seat has anything to decide there")
    actor = seats[0] if given is None else r.seat("actor", given)
    if actor not in seats:
        raise bad("actor", f"is {actor}, but at {r.at} that seat has nothing to decide")
    return actor


def owner_in_window(r: Reading) -> int:
    """The owner of the Sabotage that is next in the fight."""
    s = r.s
    for k in range(int(s.n_sab)):
        if int(s.sab_spot[k]) // 2 == int(s.fight):
            s.sab_seen[k] = r.everyone()
            return int(s.sab_seat[k])
    raise bad("sabotage", f"has no card in fight {int(s.fight) + 1}, which the window is for")
