"""Effects of items and relics, step by step (vocabulary in RULES.md; rulings R6, R9, R11, R15 to R22, R25)."""

from __future__ import annotations

from cardzoo.envs.battle_requiem.cards import (
    ALL,
    ALLY,
    ATTACKER,
    BOOST,
    BRANCH,
    BURN,
    DRAIN,
    DRAW,
    HARM,
    HEAL,
    HEAL_MODIFIER,
    LEVY,
    ONE,
    PAY,
    RECLAIM,
    REDRAW,
    RELIC,
    RESIZE,
    REVEAL,
    ROB,
    ROLE,
    SALVAGE,
    SELF,
    SHATTER,
    SKIP,
    STEAL,
    STEP_KINDS,
    SWAP,
    TEAM,
    TRIBUTE,
    TURNS,
    VEIL,
    VERB,
    WHO,
    M,
    N,
)
from cardzoo.envs.battle_requiem.falls import ASK, END_TURN, QUEUE, STEP, eliminate, heal, hurt
from cardzoo.envs.battle_requiem.legal import count_discarded, count_of, effect_row, is_of, kind_of, step_value
from cardzoo.envs.battle_requiem.piles import (
    discard,
    discard_hand,
    discard_kinds,
    draw_card,
    gain,
    lose,
    put_away,
    show_hand,
    take_from_discard,
    topmost,
)
from cardzoo.envs.battle_requiem.seats import first_of, is_alive, is_foe, same_team, seat_after
from cardzoo.envs.battle_requiem.state import (
    CHOOSE,
    MAX_BOOST,
    MAX_EXTRA,
    MAX_INVENTORY,
    MAX_SKIP,
    NOBODY,
    PICK,
    TARGET,
    USED_ITEM,
    USED_RELIC,
)
from cardzoo.envs.battle_requiem.state import LEVY as PHASE_LEVY
from cardzoo.envs.battle_requiem.state import TRIBUTE as PHASE_TRIBUTE
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.piles import random_card, take_at
from cardzoo.envs.core.records import Record

# --- using a card


@kernel
def start_effect(s: Record, rules: Rules, card: int) -> int:
    """The active seat lays an item or relic on the table; returns what comes next."""
    active = int(s.active)
    lose(s, active, card)
    s.eff_card = card
    s.last_turn[active] = USED_RELIC if kind_of(rules, card) == RELIC else USED_ITEM
    if has_branches(s, rules):
        s.phase = CHOOSE
        return ASK
    return STEP


@kernel
def has_branches(s: Record, rules: Rules) -> bool:
    """Whether the effect in progress asks for a branch before anything happens."""
    row = effect_row(s, rules)
    for step in range(int(rules.num_steps[row])):
        if int(rules.effects[row, step, BRANCH]) != 0:
            return True
    return False


@kernel
def next_step(s: Record, rules: Rules) -> int:
    """Carry out the current step, or ask for what it needs; returns what comes next."""
    row = effect_row(s, rules)
    if int(s.eff_step) >= int(rules.num_steps[row]):
        put_away(s)
        return END_TURN
    branch = step_value(s, rules, BRANCH)
    if branch != 0 and branch != int(s.eff_branch):
        s.eff_step += 1
        return STEP
    who = step_value(s, rules, WHO)
    if who == ONE and int(s.eff_foe) == NOBODY and not choose_alone(s, rules):
        s.phase = TARGET
        return ASK
    if who == ALLY and int(s.eff_ally) == NOBODY and not stands_alone(s, rules):
        s.phase = TARGET
        return ASK
    if who == ONE and not is_alive(s, int(s.eff_foe)):
        s.eff_step += 1  # the chosen opponent has fallen: nothing happens
        return STEP
    return carry_out(s, rules)


@kernel
def choose_alone(s: Record, rules: Rules) -> bool:
    """Take the only living opponent as the target; False if there are several."""
    foe = NOBODY
    for seat in range(int(rules.num_seats)):
        if is_foe(s, rules, int(s.active), seat):
            if foe != NOBODY:
                return False
            foe = seat
    s.eff_foe = foe
    return True


@kernel
def stands_alone(s: Record, rules: Rules) -> bool:
    """Take the user itself as the ally if it has no living teammate; False if it has."""
    active = int(s.active)
    for seat in range(int(rules.num_seats)):
        if seat != active and same_team(rules, active, seat) and is_alive(s, seat):
            return False
    s.eff_ally = active
    return True


@kernel
def targets(s: Record, rules: Rules) -> int:
    """Bit mask of the living seats that the current step reaches."""
    who = step_value(s, rules, WHO)
    active = int(s.active)
    if who == SELF:
        return 1 << active
    if who == ALLY:
        return 1 << int(s.eff_ally)
    if who == ONE:
        return 1 << int(s.eff_foe)
    mask = 0
    for seat in range(int(rules.num_seats)):
        own = who == TEAM and same_team(rules, active, seat) and is_alive(s, seat)
        if own or (who == ALL and is_foe(s, rules, active, seat)):
            mask |= 1 << seat
    return mask


@kernel
def carry_out(s: Record, rules: Rules) -> int:
    """Carry out the current step, whose targets are known; returns what comes next."""
    verb = step_value(s, rules, VERB)
    n = step_value(s, rules, N)
    if verb == ROB:
        return rob(s, rules, n)
    if verb == SALVAGE:
        return salvage(s, rules, n)
    if verb == TRIBUTE or verb == LEVY:
        s.eff_queue = targets(s, rules)
        return QUEUE
    if verb == PAY:
        user = int(s.active)
        s.hp[user] = max(1, int(s.hp[user]) - n)  # R21
    elif verb == TURNS:
        s.extra = min(MAX_EXTRA, int(s.extra) + n)
    elif verb == RECLAIM:
        for _ in range(min(n, int(s.n_disc))):
            gain(s, int(s.active), take_from_discard(s, int(s.n_disc) - 1), True)
    elif verb == SWAP:
        swap_hands(s, rules, int(s.active), int(s.eff_foe))
    elif verb == HARM or verb == DRAIN or verb == BURN:
        return wound(s, rules, verb, n)
    else:
        mask = targets(s, rules)
        for k in range(int(rules.num_seats)):
            seat = seat_after(s, rules, int(s.active), k)
            if (mask >> seat) & 1 == 1:
                touch(s, rules, verb, n, seat)
    s.eff_step += 1
    return STEP


@kernel
def touch(s: Record, rules: Rules, verb: int, n: int, seat: int) -> None:
    """What a step does to one of its targets that costs no HP and asks nothing."""
    if verb == HEAL:
        if kind_of(rules, int(s.eff_card)) != RELIC:  # modifiers count for items only (R9)
            n = max(0, n + int(rules.modifiers[int(s.char[int(s.active)]), HEAL_MODIFIER]))
        heal(s, rules, seat, n)
    elif verb == DRAW:
        for _ in range(n):
            draw_card(s, rules, seat)
    elif verb == REDRAW:
        discard_hand(s, rules, seat)
    elif verb == STEAL:
        steal(s, rules, seat, n)
    elif verb == SHATTER:
        show_hand(s, rules, seat)
        discard_kinds(s, rules, seat, step_value(s, rules, STEP_KINDS))
    elif verb == REVEAL:
        show_hand(s, rules, seat)
    elif verb == SKIP:
        s.skip[seat] = min(MAX_SKIP, int(s.skip[seat]) + n)
    elif verb == VEIL:
        s.veil[seat] = 1
    elif verb == RESIZE:
        s.inv[seat] = min(MAX_INVENTORY, max(1, int(s.inv[seat]) + n))
    elif verb == BOOST and step_value(s, rules, ROLE) == ATTACKER:
        s.att_boost[seat] = min(MAX_BOOST, max(-MAX_BOOST, int(s.att_boost[seat]) + n))
    elif verb == BOOST:
        s.def_boost[seat] = min(MAX_BOOST, max(-MAX_BOOST, int(s.def_boost[seat]) + n))


@kernel
def wound(s: Record, rules: Rules, verb: int, n: int) -> int:
    """Harm, drain or burn all targets at once, then settle who is out (R25); returns what comes next."""
    mask = targets(s, rules)
    lost = 0
    out = 0
    for seat in range(int(rules.num_seats)):
        if (mask >> seat) & 1 == 1:
            amount = n
            if verb == BURN:
                show_hand(s, rules, seat)
                amount = n * count_of(s, rules, seat, step_value(s, rules, STEP_KINDS))
            lost += hurt(s, seat, amount)
            if int(s.hp[seat]) == 0:
                out |= 1 << seat
    if verb == DRAIN:
        heal(s, rules, int(s.active), lost)
    s.eff_step += 1
    return eliminate(s, rules, out, int(rules.reward_any) == 1)


# --- cards that change hands


@kernel
def hand_over(s: Record, giver: int, taker: int, card: int) -> None:
    """A card passes from hand to hand in everybody's sight (R20)."""
    lose(s, giver, card)
    gain(s, taker, card, True)


@kernel
def take_all(s: Record, rules: Rules, giver: int, taker: int) -> None:
    """A whole hand passes to another seat in everybody's sight."""
    for card in range(int(rules.num_types)):
        while int(s.hand[giver, card]) > 0:
            hand_over(s, giver, taker, card)


@kernel
def steal(s: Record, rules: Rules, victim: int, n: int) -> None:
    """The active seat takes n random cards of a hand (all, if there are fewer)."""
    for _ in range(min(n, int(s.n_hand[victim]))):
        hand_over(s, victim, int(s.active), next_stolen(s, rules, victim))


@kernel
def next_stolen(s: Record, rules: Rules, victim: int) -> int:
    """A random card of a hand, or the next one that the position's tape names."""
    n_steals = int(s.n_steals)
    if n_steals > 0:
        card = take_at(s.steals, n_steals, 0)
        s.n_steals = n_steals - 1
        if int(s.hand[victim, card]) > 0:
            return card
        raise ValueError("the tape of steals names a card that the hand does not hold")
    return random_card(s.rng, s.hand[victim], int(s.n_hand[victim]))


@kernel
def swap_hands(s: Record, rules: Rules, seat: int, other: int) -> None:
    """Two seats exchange their whole hands in everybody's sight."""
    for card in range(int(rules.num_types)):
        copies = int(s.hand[seat, card])
        s.hand[seat, card] = s.hand[other, card]
        s.hand[other, card] = copies
    size = int(s.n_hand[seat])
    s.n_hand[seat] = s.n_hand[other]
    s.n_hand[other] = size
    show_hand(s, rules, seat)
    show_hand(s, rules, other)


@kernel
def rob(s: Record, rules: Rules, n: int) -> int:
    """The target's hand is shown; the user takes n cards of its choice, all without a question if there are no more."""
    foe = int(s.eff_foe)
    show_hand(s, rules, foe)
    if int(s.n_hand[foe]) <= n:
        take_all(s, rules, foe, int(s.active))
        s.eff_step += 1
        return STEP
    s.eff_need = n
    s.phase = PICK
    return ASK


@kernel
def salvage(s: Record, rules: Rules, n: int) -> int:
    """The user takes n cards of some kinds of its choice from the discard pile, all without a question if no more."""
    kinds = step_value(s, rules, STEP_KINDS)
    if count_discarded(s, rules, kinds) > n:
        s.eff_need = n
        s.phase = PICK
        return ASK
    for card in range(int(rules.num_types)):
        while is_of(rules, card, kinds) and int(s.in_disc[card]) > 0:
            gain(s, int(s.active), take_from_discard(s, topmost(s, card)), True)
    s.eff_step += 1
    return STEP


@kernel
def picked(s: Record, rules: Rules, card: int) -> int:
    """The user takes one card for rob or salvage; returns what comes next."""
    if step_value(s, rules, VERB) == ROB:
        hand_over(s, int(s.eff_foe), int(s.active), card)
    else:
        gain(s, int(s.active), take_from_discard(s, topmost(s, card)), True)
    s.eff_need -= 1
    if int(s.eff_need) > 0:
        return ASK
    s.eff_step += 1
    return STEP


# --- seats that answer, one after another


@kernel
def next_answer(s: Record, rules: Rules) -> int:
    """Ask the next seat of the queue, or settle what leaves it no choice; returns what comes next."""
    seat = first_of(s, rules, int(s.eff_queue))
    if seat < 0:
        s.actor = s.active
        s.eff_step += 1
        return STEP
    n = step_value(s, rules, N)
    s.eff_need = n
    s.actor = seat
    if step_value(s, rules, VERB) == TRIBUTE:
        if int(s.n_hand[seat]) > n:
            s.phase = PHASE_TRIBUTE
            return ASK
        take_all(s, rules, seat, int(s.active))
        return answered(s)
    if count_of(s, rules, seat, step_value(s, rules, STEP_KINDS)) >= n:
        s.phase = PHASE_LEVY
        return ASK
    return suffer(s, rules)


@kernel
def leave_queue(s: Record) -> None:
    """The seat that answers has answered; after the last one the step is over."""
    s.eff_queue = int(s.eff_queue) & ~(1 << int(s.actor))
    s.eff_need = 0
    s.actor = s.active
    if int(s.eff_queue) == 0:
        s.eff_step += 1


@kernel
def answered(s: Record) -> int:
    """Go on to the next seat of the queue, or to the next step."""
    leave_queue(s)
    return QUEUE if int(s.eff_queue) != 0 else STEP


@kernel
def give(s: Record, rules: Rules, card: int) -> int:
    """The answering seat gives a card of its choice to the user (tribute)."""
    hand_over(s, int(s.actor), int(s.active), card)
    s.eff_need -= 1
    return ASK if int(s.eff_need) > 0 else answered(s)


@kernel
def pay_levy(s: Record, card: int) -> int:
    """The answering seat discards a card to a levy; the first one binds it to the rest."""
    discard(s, int(s.actor), card)
    s.eff_need -= 1
    return ASK if int(s.eff_need) > 0 else answered(s)


@kernel
def suffer(s: Record, rules: Rules) -> int:
    """The answering seat loses HP instead; its elimination is settled before the next answer (R25)."""
    seat = int(s.actor)
    hurt(s, seat, step_value(s, rules, M))
    leave_queue(s)
    return eliminate(s, rules, 1 << seat if int(s.hp[seat]) == 0 else 0, int(rules.reward_any) == 1)


@kernel
def go_on(s: Record) -> int:
    """What comes after an elimination and its rewards: the rest of the queue, the next step, or the end of the turn."""
    s.actor = s.active
    if int(s.eff_card) < 0:
        return END_TURN
    return QUEUE if int(s.eff_queue) != 0 else STEP
