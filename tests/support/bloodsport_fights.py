"""Chances of one fight round of Bloodsport Gambler, counted out over the faces of the dice, without the engine."""

from __future__ import annotations

from functools import cache
from itertools import product

FACES = range(1, 7)
STATS = {"STR": lambda s, d: s, "DEX": lambda s, d: d, "BEST": max, "WORST": min}
"""The stat that a weapon type attacks with, of STR and DEX."""


def die_chances(mode: int) -> dict[int, float]:
    """Chances of the kept die: one, or the higher (mode above 0) or the lower of two."""
    if mode == 0:
        return dict.fromkeys(FACES, 1 / 6)
    keep = max if mode > 0 else min
    chances = dict.fromkeys(FACES, 0.0)
    for one, two in product(FACES, FACES):
        chances[keep(one, two)] += 1 / 36
    return chances


@cache
def round_chances(left: int, right: int, left_mode: int, right_mode: int, ties: int) -> tuple[float, float]:
    """Chances that left and that right wins a fight round, by what they add to their dice; a total is at least 1.

    Equal totals are won by nobody (`ties` 0), left (1) or right (2).
    """
    wins = losses = 0.0
    for (one, p), (two, q) in product(die_chances(left_mode).items(), die_chances(right_mode).items()):
        own, foe = max(1, one + left), max(1, two + right)
        if own > foe or (own == foe and ties == 1):
            wins += p * q
        elif foe > own or ties == 2:
            losses += p * q
    return wins, losses
