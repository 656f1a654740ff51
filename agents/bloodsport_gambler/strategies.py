"""The three strategies: one decision, node by node, and a loop over a batch of them.

Of the sampled world only what the acting seat knows is read. Ties: left before right, fight 1 to 3, table order, fewer
coins.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardzoo.agents.bloodsport_gambler.estimator import Desk, lay_out_fights, new_desk, win_chance
from cardzoo.agents.bloodsport_gambler.loans import BANKROLL, NO_RESERVE, loan_action
from cardzoo.agents.bloodsport_gambler.looks import (
    all_weapons_known,
    cards_seen,
    fight_known,
    find_gains,
    involves_secrets,
    plan_look,
)
from cardzoo.agents.bloodsport_gambler.rigging import CAUGHT, plan_sabotage
from cardzoo.agents.bloodsport_gambler.wagers import gainful_bet, printed_bet
from cardzoo.envs.bloodsport_gambler.actions import (
    COIN_AT,
    DISCARD_AT,
    PASS_AT,
    PLAY,
    PROCEED_AT,
    RAT_AT,
    SHOW_AT,
    TARGET_AT,
    TIME_AT,
    after_play,
    keep_action,
)
from cardzoo.envs.bloodsport_gambler.cards import COIN as COIN_VERB
from cardzoo.envs.bloodsport_gambler.cards import (
    DISCOVER,
    DRAW,
    FOE,
    HEAL,
    NUM_EFFECTS,
    REACT,
    REROLL,
    RISK,
    SABOTAGE,
    SCORE,
    SPECIAL,
    VERB,
    WHO,
    A,
)
from cardzoo.envs.bloodsport_gambler.cards import (
    TARGET as AIMED,
)
from cardzoo.envs.bloodsport_gambler.chances import success
from cardzoo.envs.bloodsport_gambler.fights import (
    current_damage,
    current_life,
    kept_die,
    total_score,
    wins_ties,
)
from cardzoo.envs.bloodsport_gambler.legal import kind_of, needs_roll, risk_of
from cardzoo.envs.bloodsport_gambler.looks import knows_weapon, look_scope, look_targets
from cardzoo.envs.bloodsport_gambler.state import (
    ACT,
    BET,
    COIN,
    DISCARD,
    FIGHTS,
    LOAN,
    MAX_GUARD,
    NO_CARD,
    NOBODY,
    SHOW,
    SIDES,
    SPOTS,
    TARGET,
    TIME,
    WINDOW,
)
from cardzoo.envs.bloodsport_gambler.state import REACT as NODE_REACT
from cardzoo.envs.bloodsport_gambler.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records

PUNTER: Final = 0
BOOKMAKER: Final = 1
FIXER: Final = 2

BOLD_GUARD: Final = 2  # the bookmaker plays cards up to this guard level
MIN_VALUE: Final = 0.1  # the fixer plays no card that brings less
PER_PLAY: Final = 0.5  # Time that a play is reckoned to cost beside what is spent
SAFE: Final = 2.0 / 3.0 - 1e-9  # the fixer's least success chance of a React
RICH: Final = 6  # purse from which on the fixer spends a coin on a React
HIGH_DIE: Final = 4  # worth a reroll of the foe
LOW_DIE: Final = 2  # worth an own reroll


# --- cards


@kernel
def number_of(rules: Rules, card: int, verb: int) -> int:
    """The numbers of a card's effects with a verb, in all."""
    total = 0
    for k in range(int(rules.actions[card, NUM_EFFECTS])):
        if int(rules.action_effects[card, k, VERB]) == verb:
            total += int(rules.action_effects[card, k, A])
    return total


@kernel
def time_for(s: Record, rules: Rules, card: int) -> int:
    """Time that the deciding seat would spend on a card that is not shown: all that helps."""
    return min(int(s.time[int(s.actor)]), risk_of(rules, card, 0))


@kernel
def play_chance(s: Record, rules: Rules, card: int, coins: int) -> float:
    """Chance that a card which is not shown succeeds with all Time and some coins."""
    if not needs_roll(rules, card, 0):
        return 1.0
    return success(s, max(0, risk_of(rules, card, 0) - time_for(s, rules, card) - coins))


@kernel
def first_legal(mask: NDArray[np.bool_], start: int, stop: int) -> int:
    """The first legal action in start..stop-1, -1 if there is none."""
    for action in range(start, stop):
        if mask[action]:
            return action
    return -1


@kernel
def last_legal(mask: NDArray[np.bool_], start: int, stop: int) -> int:
    """The last legal action in start..stop-1, -1 if there is none."""
    for action in range(stop - 1, start - 1, -1):
        if mask[action]:
            return action
    return -1


# --- bookmaker


@kernel
def is_cheap(s: Record, rules: Rules, card: int) -> bool:
    """Whether the bookmaker takes the risk of a card: none, or one that Time covers while the guard is low."""
    if not needs_roll(rules, card, 0):
        return True
    return risk_of(rules, card, 0) <= int(s.time[int(s.actor)]) and int(s.guard) <= BOLD_GUARD


@kernel
def bookmaker_act(s: Record, rules: Rules, mask: NDArray[np.bool_]) -> int:
    """The look that shows most cards, of those the one with the least risk; else coins or cards to draw; else pass."""
    known = all_weapons_known(s, int(s.actor))
    best = NO_CARD
    most = 0
    least = 0
    for card in range(int(rules.num_actions)):
        if not mask[PLAY + card] or kind_of(rules, card) != DISCOVER or not is_cheap(s, rules, card):
            continue
        scope = look_scope(rules, card)
        if known and not involves_secrets(scope):  # what is left to see is Sabotage
            continue
        seen = cards_seen(scope, look_targets(rules, card))
        risk = int(rules.actions[card, RISK])  # No Risk is -1 and so lowest
        if best == NO_CARD or seen > most or (seen == most and risk < least):
            best = card
            most = seen
            least = risk
    if best != NO_CARD:
        return PLAY + best
    for card in range(int(rules.num_actions)):
        if (
            mask[PLAY + card]
            and kind_of(rules, card) == SPECIAL
            and is_cheap(s, rules, card)
            and (number_of(rules, card, DRAW) > 0 or number_of(rules, card, COIN_VERB) > 0)
        ):
            return PLAY + card
    return after_play(rules, PASS_AT)


@kernel
def fight_key(desk: Desk, s: Record, rules: Rules, seat: int, fight: int) -> float:
    """What the bookmaker orders fights by: those with both weapons known last, then the most open one first."""
    openness = abs(win_chance(desk, s, rules, seat, fight) - 0.5)
    return openness + (1.0 if fight_known(s, seat, fight) else 0.0)


@kernel
def wanted_target(s: Record, rules: Rules, mask: NDArray[np.bool_], fight: int, weapons: bool) -> int:
    """The first action that aims at an unknown weapon of a fight, or that aims at the fight or its secret; else -1."""
    start = after_play(rules, TARGET_AT)
    if not weapons:
        return start + SPOTS + fight if mask[start + SPOTS + fight] else -1
    for spot in range(SIDES * fight, SIDES * fight + SIDES):
        if mask[start + spot] and not knows_weapon(s, int(s.actor), spot):
            return start + spot
    return -1


@kernel
def bookmaker_target(desk: Desk, s: Record, rules: Rules, mask: NDArray[np.bool_]) -> int:
    """The first unknown weapon in the bookmaker's order of fights, else the first fight or secret, else anything."""
    seat = int(s.actor)
    lay_out_fights(desk, s, rules, seat)
    for weapons in (True, False):
        best = -1
        lowest = 0.0
        for fight in range(FIGHTS):
            action = wanted_target(s, rules, mask, fight, weapons)
            if action >= 0:
                key = fight_key(desk, s, rules, seat, fight)
                if best < 0 or key < lowest:
                    best = action
                    lowest = key
        if best >= 0:
            return best
    return first_legal(mask, after_play(rules, TARGET_AT), after_play(rules, SHOW_AT))  # Sabotage beside a known weapon


# --- fixer


@kernel
def look_plan(desk: Desk, s: Record, rules: Rules, card: int) -> tuple[float, int]:
    """The best targets of a Discover card, and what they bring; `desk` has the gains."""
    scope = look_scope(rules, card)
    return plan_look(desk, s, int(s.actor), scope, look_targets(rules, card))


@kernel
def find_all_gains(desk: Desk, s: Record, rules: Rules, secrets: bool) -> None:
    """Write what looks bring in each of the fights, which are laid out."""
    for fight in range(FIGHTS):
        find_gains(desk, s, rules, int(s.actor), fight, secrets)


@kernel
def wants_gains(rules: Rules, mask: NDArray[np.bool_]) -> int:
    """What gains the Discover cards that can be played ask for: 0 none, 1 those of weapons, 2 also of secrets."""
    wanted = 0
    for card in range(int(rules.num_actions)):
        if mask[PLAY + card] and kind_of(rules, card) == DISCOVER:
            wanted = max(wanted, 2 if involves_secrets(look_scope(rules, card)) else 1)
    return wanted


@kernel
def card_value(desk: Desk, s: Record, rules: Rules, card: int) -> float:
    """Coins that the fixer expects of playing a card; 0 if it is of no use."""
    chance = play_chance(s, rules, card, 0)
    kind = kind_of(rules, card)
    if kind == DISCOVER:
        gain, _ = look_plan(desk, s, rules, card)
        return chance * gain - (1.0 - chance) * CAUGHT
    if kind == SABOTAGE:
        if risk_of(rules, card, 0) > time_for(s, rules, card):
            return 0.0
        gain, spot = plan_sabotage(desk, s, rules, int(s.actor), card, chance)
        return gain if spot != NOBODY else 0.0
    coins = number_of(rules, card, COIN_VERB)
    return chance * coins - (1.0 - chance) * CAUGHT if coins > 0 else 0.0


@kernel
def fixer_act(desk: Desk, s: Record, rules: Rules, mask: NDArray[np.bool_]) -> int:
    """Draw cards if that is no risk; else the card that brings most for its Time; else pass."""
    for card in range(int(rules.num_actions)):
        free = kind_of(rules, card) == SPECIAL and not needs_roll(rules, card, 0)
        if mask[PLAY + card] and free and number_of(rules, card, DRAW) > 0:
            return PLAY + card
    lay_out_fights(desk, s, rules, int(s.actor))
    wanted = wants_gains(rules, mask)
    if wanted > 0:
        find_all_gains(desk, s, rules, wanted == 2)
    best = after_play(rules, PASS_AT)
    highest = 0.0
    for card in range(int(rules.num_actions)):
        if mask[PLAY + card]:
            worth = card_value(desk, s, rules, card)
            rate = worth / (time_for(s, rules, card) + PER_PLAY)
            if worth > MIN_VALUE and rate > highest:
                best = PLAY + card
                highest = rate
    return best


@kernel
def fixer_target(desk: Desk, s: Record, rules: Rules, mask: NDArray[np.bool_]) -> int:
    """The next target of the plan that gave the card its value; the first legal one where there is no plan.

    The plan is made anew for each target. It is the same each time, because nothing that it depends on changes while
    targets are chosen.
    """
    card = int(s.p_card)
    start = after_play(rules, TARGET_AT)
    plan = 0
    kind = kind_of(rules, card)
    if kind == DISCOVER:
        lay_out_fights(desk, s, rules, int(s.actor))
        find_all_gains(desk, s, rules, involves_secrets(look_scope(rules, card)))
        _, plan = look_plan(desk, s, rules, card)
    elif kind == SABOTAGE:
        lay_out_fights(desk, s, rules, int(s.actor))
        _, spot = plan_sabotage(desk, s, rules, int(s.actor), card, play_chance(s, rules, card, 0))
        plan = 1 << spot if spot != NOBODY else 0
    elif kind == REACT:
        side = react_side(s, rules, card)
        plan = 1 << (SIDES * int(s.fight) + side) if side != NOBODY else 0
    for target in range(SPOTS + FIGHTS):
        if (plan >> target) & 1 == 1 and mask[start + target]:
            return start + target
    return first_legal(mask, start, after_play(rules, SHOW_AT))


# --- fixer, React cards


@kernel
def aim(who: int, side: int) -> int:
    """The side to aim a card at so that an effect is on `side` alone; NOBODY for one that is on both."""
    if who == AIMED:
        return side
    return 1 - side if who == FOE else NOBODY


@kernel
def would_fall(s: Record, rules: Rules, side: int, healed: int) -> bool:
    """Whether the foe's hit makes a fighter go down, after some wounds are healed."""
    fight = int(s.fight)
    wounds = max(0, int(s.wounds[fight, side]) - healed)
    return wounds + current_damage(s, rules, fight, 1 - side) >= current_life(s, rules, fight, side)


@kernel
def is_helpful(s: Record, rules: Rules, verb: int, n: int, side: int, on: int) -> bool:
    """Whether a React effect on the fighter `on` serves the fixer, who has bet on `side` and is not ahead."""
    fight = int(s.fight)
    foe = 1 - side
    gap = total_score(s, rules, fight, foe) - total_score(s, rules, fight, side)
    if verb == SCORE:
        return (n < 0 and n <= -gap) if on == foe else (n > 0 and n >= gap)
    if verb == REROLL:
        if on == foe:
            return kept_die(s, rules, fight, foe) >= HIGH_DIE
        # `own if <= 2` is the second choice: only where the foe's die gives no reason
        return kept_die(s, rules, fight, foe) < HIGH_DIE and kept_die(s, rules, fight, side) <= LOW_DIE
    if verb == HEAL and on == side:
        loses = gap > 0 or (wins_ties(s, rules, fight, foe) and not wins_ties(s, rules, fight, side))
        return loses and would_fall(s, rules, side, 0) and not would_fall(s, rules, side, n)
    return False


@kernel
def react_side(s: Record, rules: Rules, card: int) -> int:
    """The fighter that the fixer aims a React at, by its first helpful effect; NOBODY if it does not play the card."""
    seat = int(s.actor)
    fight = int(s.fight)
    side = int(s.bet_side[seat, fight]) - 1
    if side < 0 or int(s.lost[seat, fight]) == 1:
        return NOBODY
    if total_score(s, rules, fight, side) > total_score(s, rules, fight, 1 - side):
        return NOBODY
    for k in range(int(rules.actions[card, NUM_EFFECTS])):
        verb = int(rules.action_effects[card, k, VERB])
        n = int(rules.action_effects[card, k, A])
        for j in range(SIDES):
            on = 1 - side if j == 0 else side
            target = aim(int(rules.action_effects[card, k, WHO]), on)
            if target != NOBODY and is_helpful(s, rules, verb, n, side, on):
                return target
    return NOBODY


@kernel
def react_coins(s: Record) -> int:
    """Coins that the fixer spends on a React."""
    return 1 if int(s.coin[int(s.actor)]) >= RICH else 0


@kernel
def fixer_react(s: Record, rules: Rules, mask: NDArray[np.bool_]) -> int:
    """The first React that helps the own wager and is likely to succeed, with the coin that goes with it; else pass."""
    for card in range(int(rules.num_actions)):
        safe = play_chance(s, rules, card, react_coins(s)) >= SAFE
        if mask[PLAY + card] and safe and react_side(s, rules, card) != NOBODY:
            return PLAY + card
    return after_play(rules, PASS_AT)


# --- discards


@kernel
def bookmaker_discard(rules: Rules, mask: NDArray[np.bool_]) -> int:
    """All React and Sabotage cards go."""
    for card in range(int(rules.num_actions)):
        kind = kind_of(rules, card)
        if mask[after_play(rules, DISCARD_AT) + card] and (kind == REACT or kind == SABOTAGE):
            return after_play(rules, DISCARD_AT) + card
    return keep_action(rules)


@kernel
def fixer_discard(s: Record, rules: Rules, mask: NDArray[np.bool_]) -> int:
    """While more than one Sabotage is held, the one with the highest risk goes; then likewise React cards."""
    for kind in (SABOTAGE, REACT):
        held = 0
        worst = NO_CARD
        for card in range(int(rules.num_actions)):
            if mask[after_play(rules, DISCARD_AT) + card] and kind_of(rules, card) == kind:
                held += int(s.hand[int(s.actor), card])
                if worst == NO_CARD or int(rules.actions[card, RISK]) > int(rules.actions[worst, RISK]):
                    worst = card
        if held > 1:
            return after_play(rules, DISCARD_AT) + worst
    return keep_action(rules)


# --- a decision


@kernel
def act(desk: Desk, s: Record, rules: Rules, strategy: int, mask: NDArray[np.bool_]) -> int:
    """Play a card or pass."""
    if strategy == BOOKMAKER:
        return bookmaker_act(s, rules, mask)
    return fixer_act(desk, s, rules, mask) if strategy == FIXER else after_play(rules, PASS_AT)


@kernel
def aim_card(desk: Desk, s: Record, rules: Rules, strategy: int, mask: NDArray[np.bool_]) -> int:
    """Choose a target. The punter has none to choose, but positions may ask it."""
    if strategy == BOOKMAKER:
        return bookmaker_target(desk, s, rules, mask)
    if strategy == FIXER:
        return fixer_target(desk, s, rules, mask)
    return first_legal(mask, after_play(rules, TARGET_AT), after_play(rules, SHOW_AT))


@kernel
def bet(desk: Desk, s: Record, rules: Rules, strategy: int) -> int:
    """Make a wager on the fight being bet on."""
    fight = int(s.fight)
    if strategy == PUNTER:
        return printed_bet(s, rules, fight)
    seat = int(s.actor)
    lay_out_fights(desk, s, rules, seat)
    return gainful_bet(s, rules, fight, win_chance(desk, s, rules, seat, fight))


@kernel
def spend_coins(s: Record, rules: Rules, strategy: int, mask: NDArray[np.bool_]) -> int:
    """No coins, but one of the fixer's on a React."""
    coins = 0
    if strategy == FIXER and kind_of(rules, int(s.p_card)) == REACT:
        coins = react_coins(s)
    return last_legal(mask, after_play(rules, COIN_AT), after_play(rules, COIN_AT) + coins + 1)


@kernel
def answer(desk: Desk, s: Record, rules: Rules, strategy: int, mask: NDArray[np.bool_]) -> int:
    """The action that a strategy takes in a world."""
    node = int(s.node)
    if node == ACT:
        return act(desk, s, rules, strategy, mask)
    if node == TARGET:
        return aim_card(desk, s, rules, strategy, mask)
    if node == SHOW:
        return after_play(rules, SHOW_AT) + 1  # hide
    if node == TIME:
        return last_legal(mask, after_play(rules, TIME_AT), after_play(rules, COIN_AT))
    if node == COIN:
        return spend_coins(s, rules, strategy, mask)
    if node == BET:
        return bet(desk, s, rules, strategy)
    if node == WINDOW:
        rats = strategy == FIXER and int(s.guard) == MAX_GUARD and int(s.chance[int(s.actor)]) >= 2
        return after_play(rules, RAT_AT if rats else PROCEED_AT)
    if node == NODE_REACT:
        return fixer_react(s, rules, mask) if strategy == FIXER else after_play(rules, PASS_AT)
    if node == LOAN:
        return loan_action(s, rules, mask, BANKROLL if strategy == FIXER else NO_RESERVE)
    if node == DISCARD and strategy == BOOKMAKER:
        return bookmaker_discard(rules, mask)
    if node == DISCARD and strategy == FIXER:
        return fixer_discard(s, rules, mask)
    return keep_action(rules)


@kernel
def choose(
    worlds: Records,
    start: int,
    stop: int,
    rules: Records,
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
        strategy: PUNTER, BOOKMAKER or FIXER.
        masks: (n, A) the legal actions.
        actions: (n,) the answers.
    """
    desk = new_desk()
    for i in range(start, stop):
        actions[i] = answer(desk, worlds[i], rules[0], strategy, masks[i])
