"""What to play, or to pass: the heart of each strategy, for the phases `battle` and `extra`."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardzoo.agents.bedroom_battle.lookahead import NEVER, Work, best_end, margin
from cardzoo.agents.bedroom_battle.worth import Values
from cardzoo.envs.bedroom_battle.actions import DECLINE, PASS, PLAY
from cardzoo.envs.bedroom_battle.cards import ATTRIBUTE, CHARACTER, ITEM, KIND, SPECIAL, VALUE
from cardzoo.envs.bedroom_battle.legal import host_ok
from cardzoo.envs.bedroom_battle.state import EXTRA
from cardzoo.envs.bedroom_battle.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records

ENOUGH: Final = 5  # a lead above this is no better (steward)
DRAWS_ENOUGH: Final = 1  # net cards that make a card worth playing for the cards (steward)
DRAWS_ENOUGH_SPECIAL: Final = 2  # a special leaves nothing on the board
WORTH_FIGHTING: Final = 2  # reward cards in the pot (steward)


@kernel
def no_play(s: Record) -> int:
    """`pass`, or `decline` of an extra play."""
    return DECLINE if int(s.phase) == EXTRA else PASS


@kernel
def look_at_plays(
    s: Record, rules: Rules, values: Values, scratch: Records, work: Work, mask: NDArray[np.bool_]
) -> None:
    """Write to `work.best` the largest margin that each legal play reaches, NEVER for the others."""
    for card in range(int(rules.num_types)):
        work.best[card] = best_end(s, rules, values, scratch, work, PLAY + card) if mask[PLAY + card] else NEVER


@kernel
def largest_best(rules: Rules, values: Values, work: Work, above: int) -> int:
    """The play that reaches the largest margin above `above`, of equal ones the card worth least; -1: none."""
    chosen = -1
    for card in range(int(rules.num_types)):
        best = work.best[card]
        if best > above and (
            chosen < 0
            or best > work.best[chosen]
            or (best == work.best[chosen] and values.worth[card] < values.worth[chosen])
        ):
            chosen = card
    return chosen


# --- brawler


@kernel
def has_natural_host(s: Record, rules: Rules, card: int, seat: int) -> bool:
    """Whether an attachment has a legal host on the side it is meant for: the other one if it spoils, else the own."""
    side = 1 - seat if rules.types[card, VALUE] < 0 else seat
    found = False
    for slot in range(int(s.n_chars[side])):
        found = found or host_ok(s, rules, card, seat, side, slot)
    return found


@kernel
def brawler_play(s: Record, rules: Rules, mask: NDArray[np.bool_]) -> int:
    """Behind or level: the biggest character, else the biggest attachment that fits, else any special."""
    seat = 0 + int(s.actor)
    if margin(s, rules, seat) > 0:
        return no_play(s)
    character = -1
    attachment = -1
    special = -1
    for card in range(int(rules.num_types)):
        if not mask[PLAY + card]:
            continue
        kind = int(rules.types[card, KIND])
        size = abs(int(rules.types[card, VALUE]))
        if kind == CHARACTER:
            if character < 0 or size > int(rules.types[character, VALUE]):
                character = card
        elif kind in (ITEM, ATTRIBUTE):
            bigger = attachment < 0 or size > abs(int(rules.types[attachment, VALUE]))
            if bigger and has_natural_host(s, rules, card, seat):
                attachment = card
        elif special < 0:
            special = card
    if character >= 0:
        return PLAY + character
    if attachment >= 0:
        return PLAY + attachment
    if special >= 0:
        return PLAY + special
    return no_play(s)


# --- bidder


@kernel
def bidder_play(s: Record, rules: Rules, values: Values, scratch: Records, work: Work, mask: NDArray[np.bool_]) -> int:
    """Behind or level: the cheapest card that takes the lead, else the one that gains most; never gives a round up."""
    now = margin(s, rules, 0 + int(s.actor))
    if now > 0:
        return no_play(s)
    look_at_plays(s, rules, values, scratch, work, mask)
    winner = -1
    for card in range(int(rules.num_types)):
        best = work.best[card]
        if best > 0 and (
            winner < 0
            or values.worth[card] < values.worth[winner]
            or (values.worth[card] == values.worth[winner] and best > work.best[winner])
        ):
            winner = card
    if winner < 0:
        winner = largest_best(rules, values, work, now)
    return PLAY + winner if winner >= 0 else no_play(s)


# --- steward


@kernel
def brings_cards(rules: Rules, values: Values, mask: NDArray[np.bool_], card: int) -> bool:
    """Whether a card is a legal play that brings enough cards to be played for them."""
    enough = DRAWS_ENOUGH_SPECIAL if rules.types[card, KIND] == SPECIAL else DRAWS_ENOUGH
    return mask[PLAY + card] and values.net[card] >= enough


@kernel
def card_source(s: Record, rules: Rules, values: Values, scratch: Records, work: Work, mask: NDArray[np.bool_]) -> int:
    """The play that brings most cards, of equal ones the one with the largest margin; -1: none brings enough."""
    most = 0
    equals = 0
    chosen = -1
    for card in range(int(rules.num_types)):
        if brings_cards(rules, values, mask, card) and values.net[card] >= most:
            if values.net[card] > most:
                most = values.net[card]
                equals = 0
                chosen = card
            equals += 1
    if equals < 2:
        return chosen
    highest = NEVER
    for card in range(int(rules.num_types)):
        if brings_cards(rules, values, mask, card) and values.net[card] == most:
            best = best_end(s, rules, values, scratch, work, PLAY + card)
            if best > highest:
                highest = best
                chosen = card
    return chosen


@kernel
def two_plays_win(rules: Rules, work: Work, now: int) -> bool:
    """Whether the two largest gains together would take the lead."""
    first = NEVER
    second = NEVER
    for card in range(int(rules.num_types)):
        best = work.best[card]
        if best > first:
            second = first
            first = best
        elif best > second:
            second = best
    return second > NEVER and first + second - now > 0


@kernel
def steward_play(s: Record, rules: Rules, values: Values, scratch: Records, work: Work, mask: NDArray[np.bool_]) -> int:
    """Behind or level: cards first, then a win at its price, else fight only for the last round or a big pot."""
    now = margin(s, rules, 0 + int(s.actor))
    if now > 0:
        return no_play(s)
    winner = card_source(s, rules, values, scratch, work, mask)
    if winner >= 0:
        return PLAY + winner
    look_at_plays(s, rules, values, scratch, work, mask)
    profit = 0.0
    for card in range(int(rules.num_types)):
        if work.best[card] > 0:
            score = min(work.best[card], ENOUGH) - values.worth[card]
            if winner < 0 or score > profit:
                winner = card
                profit = score
    fights = int(s.n_pile) == 0 or (int(s.n_pot) >= WORTH_FIGHTING and two_plays_win(rules, work, now))
    if winner < 0 and fights:
        winner = largest_best(rules, values, work, now)
    return PLAY + winner if winner >= 0 else no_play(s)
