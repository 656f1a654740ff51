"""What is legal: one question for each phase, and the action mask made of the answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.battle_requiem.actions import (
    DONE,
    GROW,
    PASS,
    PLAY,
    SUFFER,
    TARGETS,
    answer_start,
    choose_start,
    discard_start,
    draft_start,
    duel_start,
    pick_start,
    reward_start,
    target_start,
)
from cardzoo.envs.battle_requiem.cards import (
    ABILITY,
    ALL_KINDS,
    ALLY,
    ARMAMENT_BITS,
    ARMOR,
    ITEM,
    KIND,
    REALM,
    RELIC,
    SALVAGE,
    SHIELD,
    STEP_KINDS,
    VERB,
    WHO,
    N,
)
from cardzoo.envs.battle_requiem.seats import is_alive, is_foe, same_team, seat_after
from cardzoo.envs.battle_requiem.state import (
    ATTACK,
    CHOOSE,
    DEFEND,
    DRAFT,
    LEVY,
    MAX_INVENTORY,
    NO_CHARACTER,
    PICK,
    REWARD,
    TARGET,
    TRIBUTE,
    TRIM,
    TURN,
)
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record, Records


@kernel
def kind_of(rules: Rules, card: int) -> int:
    """Kind of a card type."""
    return int(rules.types[card, KIND])


@kernel
def is_of(rules: Rules, card: int, kinds: int) -> bool:
    """Whether a card type is of one of some kinds (bit mask)."""
    return (kinds >> kind_of(rules, card)) & 1 == 1


@kernel
def effect_row(s: Record, rules: Rules) -> int:
    """Row of the effect in progress: the card's own, or for a relic the ability of the active seat's character."""
    card = int(s.eff_card)
    if kind_of(rules, card) == RELIC:
        return ABILITY + int(s.char[int(s.active)])
    return card


@kernel
def step_value(s: Record, rules: Rules, column: int) -> int:
    """A column of the current step of the effect in progress."""
    return int(rules.effects[effect_row(s, rules), int(s.eff_step), column])


@kernel
def count_of(s: Record, rules: Rules, seat: int, kinds: int) -> int:
    """Cards of some kinds (bit mask) in a hand."""
    count = 0
    for card in range(int(rules.num_types)):
        if is_of(rules, card, kinds):
            count += int(s.hand[seat, card])
    return count


@kernel
def count_discarded(s: Record, rules: Rules, kinds: int) -> int:
    """Cards of some kinds (bit mask) in the discard pile."""
    count = 0
    for card in range(int(rules.num_types)):
        if is_of(rules, card, kinds):
            count += int(s.in_disc[card])
    return count


# --- characters


@kernel
def realm_of_team(s: Record, rules: Rules, team: int) -> int:
    """The realm that a team's members come from; -1 while it has none."""
    for seat in range(int(rules.num_seats)):
        if int(rules.team[seat]) == team and int(s.char[seat]) != NO_CHARACTER:
            return int(rules.characters[int(s.char[seat]), REALM])
    return -1


@kernel
def realm_size(rules: Rules, realm: int) -> int:
    """Characters of a realm."""
    count = 0
    for character in range(int(rules.num_characters)):
        if int(rules.characters[character, REALM]) == realm:
            count += 1
    return count


@kernel
def realm_is_free(s: Record, rules: Rules, realm: int) -> bool:
    """Whether no team has a realm yet, and it has characters for a whole team."""
    for team in range(int(rules.num_teams)):
        if realm_of_team(s, rules, team) == realm:
            return False
    return realm_size(rules, realm) >= int(rules.team_size)


@kernel
def may_draft(s: Record, rules: Rules, character: int) -> bool:
    """Whether the drafting seat may take a character: free, and of its team's realm or of one no other team has."""
    for seat in range(int(rules.num_seats)):
        if int(s.char[seat]) == character:
            return False
    if int(rules.team_size) == 1:  # without teams realms do not matter
        return True
    realm = int(rules.characters[character, REALM])
    own = realm_of_team(s, rules, int(rules.team[int(s.active)]))
    return realm == own if own >= 0 else realm_is_free(s, rules, realm)


# --- each phase


@kernel
def may_duel(s: Record, rules: Rules, k: int) -> bool:
    """Whether the active seat may duel `left k`; that it has an armament is looked up apart."""
    if k >= int(rules.num_seats):
        return False
    other = seat_after(s, rules, int(s.active), k)
    return is_foe(s, rules, int(s.active), other) and int(s.veil[other]) == 0


@kernel
def may_target(s: Record, rules: Rules, k: int) -> bool:
    """Whether the current step may choose `left k` (0: the active seat itself)."""
    if k >= int(rules.num_seats):
        return False
    active = int(s.active)
    other = seat_after(s, rules, active, k)
    if step_value(s, rules, WHO) == ALLY:
        return is_alive(s, other) and same_team(rules, active, other)
    return is_foe(s, rules, active, other)


@kernel
def card_actions(s: Record, rules: Rules) -> int:
    """First of the T actions, one a card type, from which the phase lets choose; -1 if it is not about cards."""
    phase = int(s.phase)
    if phase == TURN or phase == ATTACK or phase == DEFEND:
        return PLAY
    if phase == LEVY or phase == TRIM:
        return discard_start(rules)
    if phase == PICK or phase == TRIBUTE:
        return pick_start(rules)
    return -1


@kernel
def card_kinds(s: Record, rules: Rules) -> int:
    """Kinds of cards (bit mask) among which a phase that is about cards lets choose."""
    phase = int(s.phase)
    if phase == TURN:
        return 1 << ITEM | 1 << RELIC
    if phase == ATTACK or (phase == DEFEND and int(s.n_dfn) > 0):
        return ARMAMENT_BITS
    if phase == DEFEND:
        return ARMAMENT_BITS | 1 << ARMOR | 1 << SHIELD
    if phase == LEVY or (phase == PICK and step_value(s, rules, VERB) == SALVAGE):
        return step_value(s, rules, STEP_KINDS)
    return ALL_KINDS


@kernel
def chooses_from_discard(s: Record, rules: Rules) -> bool:
    """Whether the cards to choose from lie in the discard pile (salvage), and not in a hand."""
    return int(s.phase) == PICK and step_value(s, rules, VERB) == SALVAGE


@kernel
def hand_to_choose_from(s: Record) -> int:
    """The seat whose hand the cards are chosen from: the robbed one's, else that of the deciding seat."""
    return int(s.eff_foe) if int(s.phase) == PICK else int(s.actor)


@kernel
def mark_cards(copies: NDArray[np.uint8], rules: Rules, kinds: int, mask: NDArray[np.bool_], first: int) -> int:
    """Mark the types of some kinds (bit mask) that are there, by `copies` (T,), from mask[first] on; return how many.

    Without branches: which types a hand holds cannot be predicted, and every wrong guess costs as much as ten types.
    """
    count = 0
    for card in range(int(rules.num_types)):
        there = (int(copies[card]) > 0) & ((kinds >> int(rules.types[card, KIND])) & 1 == 1)
        mask[first + card] = there
        count += there
    return count


@kernel
def only_card(copies: NDArray[np.uint8], rules: Rules, kinds: int) -> int:
    """The only type of some kinds (bit mask) that is there, by `copies` (T,); -1 if there is none, -2 if several."""
    found = -1
    for card in range(int(rules.num_types)):
        if int(copies[card]) > 0 and is_of(rules, card, kinds):
            if found >= 0:
                return -2
            found = card
    return found


@kernel
def answer_of(s: Record, rules: Rules) -> int:
    """The one of the actions done, pass and suffer that the phase allows; -1 if none."""
    phase = int(s.phase)
    if phase == ATTACK and int(s.n_att) > 0:
        return answer_start(rules) + DONE
    if phase == DEFEND:
        return answer_start(rules) + (PASS if int(s.n_dfn) == 0 else DONE)
    if phase == LEVY and int(s.eff_need) == step_value(s, rules, N):
        return answer_start(rules) + SUFFER
    return -1


@kernel
def allow(mask: NDArray[np.bool_], action: int) -> int:
    """Mark an action as legal; returns 1, to count it."""
    mask[action] = True
    return 1


@kernel
def legal(states: Records, i: int, rules: Records, mask: NDArray[np.bool_]) -> int:
    """Write the action mask of the acting seat, bool (A,), return the number of legal actions; all False when over."""
    s = states[i]
    r = rules[0]
    for action in range(len(mask)):
        mask[action] = False
    if int(s.actor) < 0:
        return 0
    return legal_now(s, r, mask)


@kernel
def legal_now(s: Record, r: Rules, mask: NDArray[np.bool_]) -> int:
    """Mark what is legal in a mask of Falses, bool (A,), and return how many actions it is."""
    phase = int(s.phase)
    count = 0
    first = card_actions(s, r)
    if first >= 0:
        kinds = card_kinds(s, r)
        if chooses_from_discard(s, r):
            count += mark_cards(s.in_disc, r, kinds, mask, first)
        else:
            count += mark_cards(s.hand[hand_to_choose_from(s)], r, kinds, mask, first)
    if phase == TURN:
        count += legal_turn(s, r, mask)
    elif phase == TARGET:
        for k in range(TARGETS):
            if may_target(s, r, k):
                count += allow(mask, target_start(r) + k)
    elif phase == CHOOSE:
        count += allow(mask, choose_start(r)) + allow(mask, choose_start(r) + 1)
    elif phase == REWARD:
        for reward in range(3):
            if reward != GROW or int(s.inv[int(s.actor)]) < MAX_INVENTORY:
                count += allow(mask, reward_start(r) + reward)
    elif phase == DRAFT:
        for character in range(int(r.num_characters)):
            if may_draft(s, r, character):
                count += allow(mask, draft_start(r) + character)
    answer = answer_of(s, r)
    if answer >= 0:
        count += allow(mask, answer)
    return count


@kernel
def legal_turn(s: Record, r: Rules, mask: NDArray[np.bool_]) -> int:
    """Mark the discards and duels of a turn, and return how many they are."""
    hand = s.hand[int(s.actor)]
    count = mark_cards(hand, r, ALL_KINDS, mask, discard_start(r))
    armaments = 0
    for card in range(int(r.num_types)):
        armaments += int(hand[card]) * ((ARMAMENT_BITS >> int(r.types[card, KIND])) & 1)
    if armaments > 0:
        for k in range(1, int(r.num_seats)):
            if may_duel(s, r, k):
                count += allow(mask, duel_start(r) + k - 1)
    return count


@kernel
def only_choice(s: Record, r: Rules) -> int:
    """The action of a phase that leaves just one, which nobody is asked for (R27); -1 if there are more.

    A turn and the first decision of a defence are always asked.
    """
    phase = int(s.phase)
    if phase == TURN or phase == CHOOSE or phase == REWARD or (phase == DEFEND and int(s.n_dfn) == 0):
        return -1
    found = answer_of(s, r)
    first = card_actions(s, r)
    if first >= 0:
        if chooses_from_discard(s, r):
            card = only_card(s.in_disc, r, card_kinds(s, r))
        else:
            card = only_card(s.hand[hand_to_choose_from(s)], r, card_kinds(s, r))
        if card < 0:
            return found if card == -1 else -1
        return first + card if found < 0 else -1
    if phase == TARGET:
        for k in range(TARGETS):
            if may_target(s, r, k):
                if found >= 0:
                    return -1
                found = target_start(r) + k
    elif phase == DRAFT:
        for character in range(int(r.num_characters)):
            if may_draft(s, r, character):
                if found >= 0:
                    return -1
                found = draft_start(r) + character
    return found
