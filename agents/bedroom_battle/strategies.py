"""One decision of a heuristic player, phase by phase, and the loop over a batch of decisions."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardzoo.agents.bedroom_battle.lookahead import Work
from cardzoo.agents.bedroom_battle.plays import bidder_play, brawler_play, steward_play
from cardzoo.agents.bedroom_battle.prompts import (
    accept_or_bail,
    best_answer,
    challenge_letter,
    highest_pick,
    lowest_action,
    natural_slot,
)
from cardzoo.agents.bedroom_battle.worth import Values
from cardzoo.envs.bedroom_battle.state import (
    BAIL,
    BATTLE,
    CHALLENGE,
    DISCARD,
    DRAFT,
    EXTRA,
    FINAL,
    ITEM,
    MODE,
    SELECT,
)
from cardzoo.envs.bedroom_battle.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records

BRAWLER: Final = 0
BIDDER: Final = 1
STEWARD: Final = 2


@kernel
def play(
    s: Record, rules: Rules, values: Values, scratch: Records, work: Work, strategy: int, mask: NDArray[np.bool_]
) -> int:
    """What to play, or to pass."""
    if strategy == BRAWLER:
        return brawler_play(s, rules, mask)
    if strategy == BIDDER:
        return bidder_play(s, rules, values, scratch, work, mask)
    return steward_play(s, rules, values, scratch, work, mask)


@kernel
def answer(
    s: Record, rules: Rules, values: Values, scratch: Records, work: Work, strategy: int, mask: NDArray[np.bool_]
) -> int:
    """The action that a strategy takes in one world; `mask` bool (A,) holds what is legal."""
    phase = int(s.phase)
    price = values.magnitude if strategy == BRAWLER else values.worth
    if phase in (BATTLE, EXTRA):
        return play(s, rules, values, scratch, work, strategy, mask)
    if phase == DRAFT:
        return highest_pick(rules, price, mask, 1.0)
    if phase == DISCARD:
        return highest_pick(rules, price, mask, -1.0)
    if phase == CHALLENGE:
        return challenge_letter(s, mask, rules.challenge_weight > 0)
    if phase == BAIL:
        return accept_or_bail(s, rules.challenge_weight > 0)
    if phase in (SELECT, FINAL):
        return lowest_action(mask)
    if strategy != BRAWLER:
        return best_answer(s, rules, values, scratch, work, mask)
    if phase == MODE:
        return lowest_action(mask)
    if phase == ITEM:
        return highest_pick(rules, values.appeal, mask, 1.0)
    return natural_slot(s, rules, mask)


@kernel
def choose(
    worlds: Records,
    start: int,
    stop: int,
    rules: Records,
    values: Records,
    scratch: Records,
    work: Records,
    strategy: int,
    masks: NDArray[np.bool_],
    actions: NDArray[np.int64],
) -> None:
    """Write the actions of decisions start..stop-1.

    Args:
        worlds: (n,) a sampled world for each decision.
        start: first decision.
        stop: decision after the last.
        rules: (1,) the game's rules.
        values: (1,) what its cards are worth.
        scratch: (MAX_CHOICES + 1,) the thread's own room for positions.
        work: (1,) the thread's own notes.
        strategy: BRAWLER, BIDDER or STEWARD.
        masks: (n, A) the legal actions.
        actions: (n,) the answers.
    """
    for i in range(start, stop):
        actions[i] = answer(worlds[i], rules[0], values[0], scratch, work[0], strategy, masks[i])
