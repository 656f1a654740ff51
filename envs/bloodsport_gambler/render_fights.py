"""The three fights as text, as a seat may see them: fighters, weapons, secret, odds, dice of an open React window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardzoo.envs.bloodsport_gambler.actions import SPOT_NAMES
from cardzoo.envs.bloodsport_gambler.cards import RANK, WEAPON_TYPES
from cardzoo.envs.bloodsport_gambler.describe import INDENT, effects_text, wrapped
from cardzoo.envs.bloodsport_gambler.notation import MOD_KEYS, Names, seats_of
from cardzoo.envs.bloodsport_gambler.read_checks import window_numbers
from cardzoo.envs.bloodsport_gambler.state import DEAD_HEAT, NEW, SIDES, UNDECIDED, WINNERS

if TYPE_CHECKING:
    from cardzoo.envs.core.records import Records


def fight_lines(names: Names, rules: Records, states: Records, fight: int, viewer: int | None) -> list[str]:
    """A fight: its secret, and what each fighter has on it."""
    s = states[0]
    winner = int(s.winner[fight])
    head = f"FIGHT {fight + 1}"
    if winner != UNDECIDED:
        head += " (dead heat)" if winner == DEAD_HEAT else f" (won by {WINNERS[winner]})"
    elif int(s.fight_round) and fight == int(s.fight):
        head += f" (round {int(s.fight_round)})"
    secret = names.file.secrets[int(s.secret[fight])]
    text = f"{secret.id}: {effects_text(secret.effects)}"
    lines = wrapped(f"{head}, secret {known_as(text, s.s_known[fight], viewer, int(rules[0].num_seats))}", INDENT)
    for side in range(SIDES):
        lines += wrapped(f"  {'; '.join(side_words(names, rules, states, fight, side, viewer))}", INDENT * 2)
    return lines


def known_as(text: str, mask: Any, viewer: int | None, num_seats: int) -> str:
    """A card as the viewer may see it, and who knows it if not all do."""
    seats = seats_of(mask)
    if viewer is not None and viewer not in seats:
        return f"hidden{f', seat {seats[0]} knows it' if seats else ''}"
    if len(seats) == num_seats:
        return text
    return f"{text} [{f'only seat {seats[0]} knows it' if seats else 'face down'}]"


def side_words(names: Names, rules: Records, states: Records, fight: int, side: int, viewer: int | None) -> list[str]:
    """A fighter with its printed numbers, odds, wounds, weapon, effects, and its roll in an open React window."""
    s = states[0]
    fighter = names.file.fighters[int(s.fighter[fight, side])]
    printed = f"rank {fighter.rank}, STR {fighter.str}, DEX {fighter.dex}, life {fighter.life}"
    words = [f"{SPOT_NAMES[SIDES * fight + side]} {fighter.id} ({printed}) {odds(rules[0], s, fight, side)}"]
    if int(s.wounds[fight, side]):
        words.append(f"wounds {int(s.wounds[fight, side])}")
    weapon = names.file.weapons[int(s.weapon[fight, side])]
    text = f"{weapon.id} ({weapon.type} {weapon.damage})"
    words.append(f"weapon {known_as(text, s.w_known[fight, side], viewer, int(rules[0].num_seats))}")
    words += weapon_words(s, fight, side)
    mods = [
        key if key == "ties" else f"{key} {int(value):+d}"
        for key, value in zip(MOD_KEYS, s.mod[fight, side], strict=True)
        if int(value)
    ]
    words += [f"effects: {', '.join(mods)}"] if mods else []
    return words + (window_words(rules, states, side) if int(s.fight_round) and fight == int(s.fight) else [])


def weapon_words(s: Any, fight: int, side: int) -> list[str]:
    """What Sabotage did to a weapon, and where it was dealt."""
    words = []
    if int(s.w_damage[fight, side]):
        words.append(f"damage {int(s.w_damage[fight, side]):+d}")
    if int(s.w_type[fight, side]):
        words.append(f"counts as {WEAPON_TYPES[int(s.w_type[fight, side]) - 1]}")
    slot = int(s.w_slot[fight, side])
    if slot != SIDES * fight + side:
        words.append("brought by a Sabotage" if slot == NEW else f"dealt to {SPOT_NAMES[slot]}")
    return words


def window_words(rules: Records, states: Records, side: int) -> list[str]:
    """Dice, total and React effects of a fighter while a React window is open."""
    s = states[0]
    numbers = np.zeros((SIDES, 2), np.int64)
    window_numbers(states, 0, rules, numbers)
    dice = " ".join(str(int(die)) for die in s.rolls[side, : int(s.n_rolls[side])])
    words = [f"rolled {dice}, total {int(numbers[side, 1])}"]
    for key, value in zip(("score", "damage"), s.react[side], strict=True):
        words += [f"React {key} {int(value):+d}"] if int(value) else []
    return words


def odds(rules: Any, s: Any, fight: int, side: int) -> str:
    """The odds of a fighter: `1:1`, `3:1 favourite`, `1:3 underdog`."""
    ranks = [int(rules.fighters[int(s.fighter[fight, k]), RANK]) for k in range(SIDES)]
    ahead = ranks[side] - ranks[1 - side]
    if ahead == 0:
        return "1:1"
    return f"{ahead + 1}:1 favourite" if ahead > 0 else f"1:{1 - ahead} underdog"
