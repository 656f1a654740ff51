"""Cards in lists and in counts, as the kernels of all games keep them: a list is an array and the number of its cards.

The callers keep that number; entries behind it are 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.random import below


@kernel
def take_top(cards: NDArray[np.uint8], n: int) -> int:
    """Take the top card off a pile of n > 0 cards and return it."""
    card = int(cards[n - 1])
    cards[n - 1] = 0
    return card


@kernel
def take_at(cards: NDArray[np.uint8], n: int, place: int) -> int:
    """Take the card at a place of a list of n cards and return it; later ones close up."""
    card = int(cards[place])
    for k in range(place + 1, n):
        cards[k - 1] = cards[k]
    cards[n - 1] = 0
    return card


@kernel
def take_out(cards: NDArray[np.uint8], n: int, card: int) -> None:
    """Take the first copy of a card out of a list of n cards that holds it; later ones close up."""
    place = 0
    while int(cards[place]) != card:
        place += 1
    take_at(cards, n, place)


@kernel
def random_card(rng: NDArray[np.uint32], counts: NDArray[np.uint8], n: int) -> int:
    """A random one of n > 0 cards that are given as counts by type; `rng` uint32[4] is advanced."""
    left = below(rng, n)
    card = 0
    while left >= int(counts[card]):
        left -= int(counts[card])
        card += 1
    return card
