"""What a seat knows: sampling a world that it cannot tell from the present one.

Hidden from a seat are the other hand but for its known cards, the order of the deck, the face-down reward cards, the
finals set aside, the other seat's preferences and its own for rewards that have never been face up, and the generator's
state. Everything hidden is collected in table order before it is shuffled, so the sampled world depends on nothing but
the seat's knowledge and the given generator.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.bedroom_battle.cards import FINAL as KIND_FINAL
from cardzoo.envs.bedroom_battle.cards import HOT
from cardzoo.envs.bedroom_battle.state import MAX_COPIES, MAX_REWARDS
from cardzoo.envs.bedroom_battle.tables import SELECT_REWARDS, Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.random import below, reseed, shuffle
from cardzoo.envs.core.records import Record, Records


@kernel
def resample_cards(s: Record, rules: Rules, seat: int, rng: NDArray[np.uint32]) -> None:
    """Deal the cards that the seat does not see anew: first the other hand's unknown cards, then the deck."""
    other = 1 - seat
    pool = np.zeros(MAX_COPIES, np.uint8)
    n = 0
    for card in range(int(rules.num_types)):
        hidden = int(s.hand[other, card]) - int(s.known[other, card])
        for _ in range(int(s.deck_left[card]) + hidden):
            pool[n] = card
            n += 1
        s.hand[other, card] = s.known[other, card]
        s.deck_left[card] = 0
    shuffle(rng, pool, n)
    n_hidden = int(s.n_hand[other]) - int(s.n_known[other])
    for k in range(n_hidden):
        s.hand[other, int(pool[k])] += 1
    for k in range(n_hidden, n):
        s.deck[k - n_hidden] = pool[k]
        s.deck_left[int(pool[k])] += 1


@kernel
def shuffle_part(values: NDArray[np.uint8], start: int, stop: int, rng: NDArray[np.uint32]) -> None:
    """Shuffle entries start..stop-1, put in table order first so that their old order does not matter."""
    present = np.zeros(MAX_REWARDS, np.bool_)
    for k in range(start, stop):
        present[int(values[k])] = True
    k = start
    for reward in range(MAX_REWARDS):
        if present[reward]:
            values[k] = reward
            k += 1
    for k in range(stop - start - 1, 0, -1):
        j = below(rng, k + 1)
        value = values[start + k]
        values[start + k] = values[start + j]
        values[start + j] = value


@kernel
def resample_kind(
    pile: NDArray[np.uint8],
    start: int,
    stop: int,
    unused: NDArray[np.uint8],
    n_unused: int,
    apart: bool,
    rng: NDArray[np.uint32],
) -> None:
    """Deal the rewards of one kind in start..stop-1 of the pile and among the unused anew, `apart` each on its own."""
    if apart:
        shuffle_part(pile, start, stop, rng)
        shuffle_part(unused, 0, n_unused, rng)
        return
    n_pile = stop - start
    together = np.zeros(2 * MAX_REWARDS, np.uint8)
    together[:n_pile] = pile[start:stop]
    together[n_pile : n_pile + n_unused] = unused[:n_unused]
    shuffle_part(together, 0, n_pile + n_unused, rng)
    pile[start:stop] = together[:n_pile]
    unused[:n_unused] = together[n_pile : n_pile + n_unused]


@kernel
def resample_finals(s: Record, rules: Rules, rng: NDArray[np.uint32]) -> None:
    """Draw the finals set aside anew from all finals, unless they have been revealed."""
    if int(s.n_final) == 0 or int(s.seen[int(s.final[0])]) == 1:
        return
    finals = np.zeros(MAX_REWARDS, np.uint8)
    n = 0
    for reward in range(int(rules.num_rewards)):
        if rules.rewards[reward] == KIND_FINAL:
            finals[n] = reward
            n += 1
    shuffle(rng, finals, n)
    for k in range(int(s.n_final)):
        s.final[k] = finals[k]


@kernel
def resample_rewards(s: Record, rules: Rules, rng: NDArray[np.uint32]) -> None:
    """Deal the face-down reward cards anew within what both seats know of them: per kind, with selection per zone."""
    n_hot = 0
    for k in range(int(s.n_pile)):
        if rules.rewards[int(s.pile[k])] == HOT:
            n_hot += 1
    apart = int(rules.options[SELECT_REWARDS]) == 1
    resample_kind(s.pile, 0, n_hot, s.unused_hot, int(s.n_unused_hot), apart, rng)
    resample_kind(s.pile, n_hot, int(s.n_pile), s.unused_small, int(s.n_unused_small), apart, rng)
    resample_finals(s, rules, rng)


@kernel
def resample_preferences(s: Record, rules: Rules, seat: int, rng: NDArray[np.uint32]) -> None:
    """Draw the preferences that the seat does not know anew, and the other seat's comfort with them."""
    other = 1 - seat
    s.comfort[other] = 0
    for reward in range(int(rules.num_rewards)):
        for letter in range(3):
            s.prefs[other, reward, letter] = below(rng, 201) - 100
            if int(s.seen[reward]) == 0:
                s.prefs[seat, reward, letter] = below(rng, 201) - 100
        if int(s.done[reward]) > 0:
            level = int(rules.rewards[reward]) + 1
            s.comfort[other] += level * int(s.prefs[other, reward, int(s.done[reward]) - 1])


@kernel
def resample(states: Records, i: int, rules: Records, seat: int, rng: NDArray[np.uint32]) -> None:
    """Turn game i into a world that `seat` cannot tell from it; `rng` uint32[4] is advanced (see the module's text)."""
    s = states[i]
    r = rules[0]
    resample_cards(s, r, seat, rng)
    resample_rewards(s, r, rng)
    if r.challenge_weight > 0:
        resample_preferences(s, r, seat, rng)
    for k in range(int(s.n_random_hand)):
        s.random_hand[k] = 0
    s.n_random_hand = 0
    reseed(s.rng, rng)
