"""Reading what a position has on the table: fights, Sabotage, and the card being played."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardzoo.envs.bloodsport_gambler.actions import SPOT_NAMES
from cardzoo.envs.bloodsport_gambler.cards import (
    KIND,
    NO_RISK,
    RISK,
    SABOTAGE,
    WEAPON_TYPES,
)
from cardzoo.envs.bloodsport_gambler.notation import (
    FIGHT_KEYS,
    FIGHT_NAMES,
    MOD_KEYS,
    SABOTAGE_KEYS,
    SIDE_KEYS,
    SIDE_NAMES,
    SLOT_NAMES,
    TARGET_NAMES,
    WINDOW_KEYS,
)
from cardzoo.envs.bloodsport_gambler.read_checks import (
    BAD_TARGET,
    FITS,
    TOO_MANY_SHOWN,
    TOO_MUCH_TIME,
    has_lasting_wounded,
    pending_fault,
    window_numbers,
)
from cardzoo.envs.bloodsport_gambler.reading import Reading, present
from cardzoo.envs.bloodsport_gambler.state import (
    DEAD_HEAT,
    MAX_SHOWN,
    MAX_STACK,
    MAX_TARGETS,
    MAX_TIME,
    MOST,
    NEW,
    NO_CARD,
    SIDES,
    WINNERS,
)
from cardzoo.envs.core.notation import as_flag, as_list, as_mapping, as_whole, as_word, bad

# --- fights


def read_fights(r: Reading) -> None:
    """What is named of the three fights; the other cards are dealt later."""
    s = r.s
    s.fighter[:] = s.weapon[:] = NO_CARD
    s.secret[:] = NO_CARD
    value = r.get("fights")
    if r.at == "setup" and value is not None:
        raise bad("fights", "must be left out at setup, where they are dealt")
    r.on_table = r.at != "setup" and (r.at != "over" or value is not None)
    if not r.on_table:
        return
    entries = present(as_mapping("fights", {} if value is None else value, FIGHT_NAMES))
    for fight, name in enumerate(FIGHT_NAMES):
        entry = present(as_mapping(f"fights.{name}", entries.get(name, {}), FIGHT_KEYS))
        r.fights.append([_read_side(r, fight, side, entry.get(word, {})) for side, word in enumerate(SIDE_NAMES)])
        _read_common(r, fight, entry)
        slots = [int(slot) for slot in s.w_slot[fight]]
        if slots[0] == slots[1] != NEW:
            raise bad(f"fights.{name}.right.slot", f"is {SLOT_NAMES[slots[1]]}, where the left weapon was dealt")


def _read_common(r: Reading, fight: int, entry: dict[str, Any]) -> None:
    """Secret, who knows it, winner."""
    s, key = r.s, f"fights.{FIGHT_NAMES[fight]}"
    if "secret" in entry:
        s.secret[fight] = r.names.secrets.number(f"{key}.secret", entry["secret"])
        r.tallies["secret"].take(f"{key}.secret", int(s.secret[fight]))
    s.s_known[fight] = _read_known(r, fight, f"{key}.secret_known", entry.get("secret_known"))
    s.s_old[fight] = as_flag(f"{key}.secret_old", entry.get("secret_old", False))
    if fight < r.finished:
        s.winner[fight] = 1 + as_word(f"{key}.winner", entry.get("winner", WINNERS[DEAD_HEAT]), WINNERS[1:])
    elif "winner" in entry:
        raise bad(f"{key}.winner", f"must be left out at {r.at}, because the fight is not over")


def _read_known(r: Reading, fight: int, key: str, value: Any) -> int:
    """Bit mask of the seats that know a weapon or secret: all of them once its fight has begun, and under `face_up`."""
    face_up = bool(r.options["face_up"])
    known = r.mask(key, [] if value is None else value)
    if face_up and value is not None and known != r.everyone():
        raise bad(key, "must name every seat or be left out, because weapons and secrets are face up in this game")
    return r.everyone() if face_up or fight < r.begun else known


def _read_side(r: Reading, fight: int, side: int, value: Any) -> dict[str, Any]:
    """A fighter and its weapon; returns the entry without nulls."""
    s, key = r.s, f"fights.{FIGHT_NAMES[fight]}.{SIDE_NAMES[side]}"
    entry = present(as_mapping(key, value, SIDE_KEYS))
    if "fighter" in entry:
        s.fighter[fight, side] = r.names.fighters.number(f"{key}.fighter", entry["fighter"])
        r.tallies["fighter"].take(f"{key}.fighter", int(s.fighter[fight, side]))
    if "weapon" in entry:
        s.weapon[fight, side] = r.names.weapons.number(f"{key}.weapon", entry["weapon"])
        r.tallies["weapon"].take(f"{key}.weapon", int(s.weapon[fight, side]))
    s.wounds[fight, side] = r.number(key, entry, "wounds", 0, 0, MOST)
    for k, word in enumerate(MOD_KEYS):
        low, high = (0, 1) if word == "ties" else (-MOST, MOST)
        s.mod[fight, side, k] = r.number(key, entry, word, 0, low, high)
    s.w_damage[fight, side] = r.number(key, entry, "damage", 0, -MOST, MOST)
    if "type" in entry:
        s.w_type[fight, side] = 1 + as_word(f"{key}.type", entry["type"], WEAPON_TYPES)
    slots = (*SPOT_NAMES[SIDES * fight : SIDES * fight + SIDES], SLOT_NAMES[NEW])
    word = slots[as_word(f"{key}.slot", entry.get("slot", slots[side]), slots)]
    s.w_slot[fight, side] = SLOT_NAMES.index(word)
    s.w_known[fight, side] = _read_known(r, fight, f"{key}.known", entry.get("known"))
    s.w_old[fight, side] = as_flag(f"{key}.old", entry.get("old", False))
    for name in WINDOW_KEYS:
        if name in entry and not (r.window and fight == int(s.fight)):
            raise bad(f"{key}.{name}", "must be left out, because no React window of the fight is open")
    return entry


def deal_fights(r: Reading) -> None:
    """Deal the cards that the position leaves open, at random from those that are placed nowhere."""
    if not r.on_table:
        return
    s = r.s
    rests = {kind: r.tallies[kind].unplaced() for kind in ("fighter", "weapon", "secret")}
    for rest in rests.values():
        r.random.shuffle(rest)
    for fight, name in enumerate(FIGHT_NAMES):
        for kind, cards in (("fighter", s.fighter), ("weapon", s.weapon)):
            for side, word in enumerate(SIDE_NAMES):
                if int(cards[fight, side]) == NO_CARD:
                    cards[fight, side] = _deal(r, kind, f"fights.{name}.{word}.{kind}", rests[kind])
        if int(s.secret[fight]) == NO_CARD:
            s.secret[fight] = _deal(r, "secret", f"fights.{name}.secret", rests["secret"])


def _deal(r: Reading, kind: str, key: str, rest: list[int]) -> int:
    """The next card of the shuffled rest."""
    if not rest:
        raise bad(key, "is missing, and no card is left to deal, because all others are named")
    card = rest.pop()
    r.tallies[kind].take(key, card)
    return card


# --- the React window


def read_window(r: Reading) -> None:
    """Attack rolls, effects of React cards, and who counts as wounded."""
    if not r.window:
        return
    s, fight = r.s, int(r.s.fight)
    _read_wounded(r, fight)  # first: the number of dice may depend on it
    numbers = np.zeros((SIDES, 2), np.int64)
    window_numbers(r.states, 0, r.game.rules, numbers)
    for side, word in enumerate(SIDE_NAMES):
        entry, key = r.fights[fight][side], f"fights.{FIGHT_NAMES[fight]}.{word}"
        rolls = [as_whole(f"{key}.rolls", die, 1, 6) for die in as_list(f"{key}.rolls", entry.get("rolls", []), "dice")]
        wanted = int(numbers[side, 0])
        if len(rolls) != wanted:
            raise bad(f"{key}.rolls", f"must have {wanted} dice at {r.at}, not {len(rolls)}")
        s.rolls[side, :wanted] = rolls
        s.n_rolls[side] = wanted
        s.react[side, 0] = r.number(key, entry, "react_score", 0, -MOST, MOST)
        s.react[side, 1] = r.number(key, entry, "react_damage", 0, -MOST, MOST)


def _read_wounded(r: Reading, fight: int) -> None:
    """Which fighters a secret that works on the wounded counts as such (R11)."""
    s = r.s
    for side, word in enumerate(SIDE_NAMES):
        entry, key = r.fights[fight][side], f"fights.{FIGHT_NAMES[fight]}.{word}"
        if has_lasting_wounded(r.rules, int(s.secret[fight])):
            s.wounded[side] = as_flag(f"{key}.wounded", entry.get("wounded", int(s.wounds[fight, side]) > 0))
        elif "wounded" in entry:
            raise bad(f"{key}.wounded", "must be left out, because no lasting effect of the secret asks for it")


# --- Sabotage


def read_sabotage(r: Reading) -> None:
    """The Sabotage cards on the table in played order."""
    s = r.s
    entries = as_list("sabotage", [] if r.get("sabotage") is None else r.get("sabotage"), "mappings")
    if len(entries) > MAX_STACK:
        raise bad("sabotage", f"has {len(entries)} cards, but at most {MAX_STACK} can lie there")
    s.n_sab = len(entries)
    for k, value in enumerate(entries):
        _read_one_sabotage(r, k, present(as_mapping(f"sabotage.{k}", value, SABOTAGE_KEYS)))


def _read_one_sabotage(r: Reading, k: int, entry: dict[str, Any]) -> None:
    """One Sabotage card with its place, owner and tokens."""
    s, key = r.s, f"sabotage.{k}"
    for name in ("card", "spot"):
        if name not in entry:
            raise bad(f"{key}.{name}", "is missing")
    card = r.names.actions.number(f"{key}.card", entry["card"])
    if int(r.rules.actions[card, KIND]) != SABOTAGE:
        raise bad(f"{key}.card", f"names {entry['card']}, which is no Sabotage")
    r.tallies["action"].take(f"{key}.card", card)
    seat = r.seat(f"{key}.seat", entry.get("seat", 0))
    if not r.is_playing(seat):
        raise bad(f"{key}.seat", f"is {seat}, but that seat has left")
    spot = as_word(f"{key}.spot", entry["spot"], SPOT_NAMES)
    if spot // SIDES < r.first_open:
        raise bad(f"{key}.spot", f"is {entry['spot']}, but at {r.at} no Sabotage can lie in that fight")
    slots = (*SPOT_NAMES[spot // SIDES * SIDES :][:SIDES], SLOT_NAMES[NEW])
    slot = slots[as_word(f"{key}.slot", entry.get("slot", SPOT_NAMES[spot]), slots)]
    shown = as_flag(f"{key}.shown", entry.get("shown", False))
    risk = max(0, int(r.rules.actions[card, RISK])) + shown
    time = r.number(key, entry, "time", 0, 0, min(MAX_TIME, risk))
    coin = r.number(key, entry, "coin", 0, 0, risk - time)
    seen = r.mask(f"{key}.seen", entry["seen"]) if "seen" in entry else 1 << seat
    if not (seen >> seat) & 1:
        raise bad(f"{key}.seen", f"must name the owner, seat {seat}")
    s.sab_card[k], s.sab_seat[k], s.sab_spot[k], s.sab_slot[k] = card, seat, spot, SLOT_NAMES.index(slot)
    s.sab_time[k], s.sab_coin[k], s.sab_shown[k] = time, coin, shown
    s.sab_seen[k] = r.everyone() if shown else seen


def check_rat_window(r: Reading) -> None:
    """At a window there is a roll to make, and the owner may rat; else nobody is asked."""
    if r.at != "window":
        return
    s, seat = r.s, int(r.s.actor)
    k = next(k for k in range(int(s.n_sab)) if int(s.sab_spot[k]) // SIDES == int(s.fight))
    if int(r.rules.actions[int(s.sab_card[k]), RISK]) == NO_RISK and not int(s.sab_shown[k]):
        raise bad(f"sabotage.{k}.card", "needs no risk roll, so there is no window for it")
    if int(s.guard) == 1:
        raise bad("guard", "must be above 1 at a window, where its owner may rat")
    if int(s.chance[seat]) == 0:
        raise bad(f"seat{seat}.chance", "must be above 0 at a window, where the seat may rat")


# --- the card being played


def read_pending(r: Reading) -> None:
    """Targets, answers to `show` and Time of the card being played."""
    s, entry = r.s, r.pending
    if entry is None:
        return
    r.tallies["action"].take("pending", int(s.p_card))
    targets = [
        as_word("pending", item, TARGET_NAMES) for item in as_list("pending", entry.get("targets", []), "targets")
    ]
    answers = [as_flag("pending", item) for item in as_list("pending", entry.get("shown", []), "answers")]
    for what, given, most in (("targets", targets, MAX_TARGETS), ("shown", answers, MAX_SHOWN)):
        if len(given) > most:
            raise bad("pending", f"has {len(given)} {what}, but at most {most} are possible")
    s.n_target, s.n_show = len(targets), len(answers)
    s.target[: len(targets)] = targets
    s.show[: len(answers)] = answers
    s.p_time = as_whole("pending", entry.get("time", 0), 0, MAX_TIME)


def check_pending(r: Reading) -> None:
    """Refuse decisions about the card being played that do not lead to the place."""
    if r.pending is None:
        return
    if r.kind(int(r.s.p_card)) == SABOTAGE and int(r.s.n_sab) == MAX_STACK:
        raise bad("pending", f"is a Sabotage, but {MAX_STACK} lie on the table already")
    fault = int(pending_fault(r.states, 0, r.game.rules))
    if fault == FITS:
        return
    words = {
        BAD_TARGET: "has a target that the card cannot have there",
        TOO_MANY_SHOWN: "has more answers in shown than the card asks for",
        TOO_MUCH_TIME: "has more Time than the risk of the card",
    }
    raise bad("pending", words.get(fault, f"does not lead to {r.at}"))
