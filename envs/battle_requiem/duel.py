"""Duels: committing cards face-down, totals, and the loss (rulings R7, R8, R12, R23)."""

from __future__ import annotations

from cardzoo.envs.battle_requiem.cards import (
    ARMAMENT_BITS,
    ARMOR,
    ATTACK_MELEE,
    ATTACK_TOTAL,
    BRN,
    DEFEND_MELEE,
    DEFEND_TOTAL,
    SHIELD,
)
from cardzoo.envs.battle_requiem.falls import ASK, RESOLVE, eliminate, hurt
from cardzoo.envs.battle_requiem.legal import count_of, kind_of
from cardzoo.envs.battle_requiem.piles import forget, lose_hidden, to_discard
from cardzoo.envs.battle_requiem.state import (
    ATTACK,
    DEFEND,
    DUELED,
    MAX_DUEL,
    NOBODY,
    PASSED,
    WITH_ARMAMENTS,
    WITH_ARMOR,
    WITH_SHIELD,
)
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record


@kernel
def start_duel(s: Record, defender: int) -> int:
    """The active seat attacks; returns what comes next."""
    s.last_turn[int(s.active)] = DUELED
    s.defender = defender
    s.phase = ATTACK
    return ASK


@kernel
def start_defence(s: Record) -> int:
    """All attack cards lie on the table: the defender answers."""
    s.phase = DEFEND
    s.actor = s.defender
    return ASK


@kernel
def commit_attack(s: Record, rules: Rules, card: int) -> int:
    """The attacker commits an armament; after the third, or the last in hand, the defender answers."""
    lose_hidden(s, int(s.active), card)
    s.att[int(s.n_att)] = card
    s.n_att += 1
    if int(s.n_att) == MAX_DUEL or count_of(s, rules, int(s.active), ARMAMENT_BITS) == 0:
        return start_defence(s)
    return ASK


@kernel
def commit_defence(s: Record, rules: Rules, card: int) -> int:
    """The defender commits a card; armor and shields stand alone, armaments may be up to three."""
    defender = int(s.defender)
    lose_hidden(s, defender, card)
    s.dfn[int(s.n_dfn)] = card
    s.n_dfn += 1
    kind = kind_of(rules, card)
    if kind == ARMOR or kind == SHIELD:
        return RESOLVE
    if int(s.n_dfn) == MAX_DUEL or count_of(s, rules, defender, ARMAMENT_BITS) == 0:
        return RESOLVE
    return ASK


@kernel
def attack_value(rules: Rules, character: int, card: int) -> int:
    """What an armament counts in a character's attack: its rating and the modifier of its kind, at least 0 (R8)."""
    return max(0, int(rules.types[card, BRN]) + int(rules.modifiers[character, ATTACK_MELEE + kind_of(rules, card)]))


@kernel
def defence_value(rules: Rules, character: int, card: int) -> int:
    """What an armament or armor counts in a character's defence: its rating and modifier, at least 0 (R8)."""
    return max(0, int(rules.types[card, BRN]) + int(rules.modifiers[character, DEFEND_MELEE + kind_of(rules, card)]))


@kernel
def attack_total(s: Record, rules: Rules) -> int:
    """The attacker's total: cards, flat modifier, boost; at least 0 (R8, R23)."""
    attacker = int(s.active)
    character = int(s.char[attacker])
    total = int(rules.modifiers[character, ATTACK_TOTAL]) + int(s.att_boost[attacker])
    for k in range(int(s.n_att)):
        total += attack_value(rules, character, int(s.att[k]))
    return max(0, total)


@kernel
def defence_total(s: Record, rules: Rules) -> int:
    """The defender's total: cards, flat modifier if there are any, boost in any case; at least 0 (R8, R23)."""
    defender = int(s.defender)
    character = int(s.char[defender])
    total = int(s.def_boost[defender])
    if int(s.n_dfn) > 0:
        total += int(rules.modifiers[character, DEFEND_TOTAL])
    for k in range(int(s.n_dfn)):
        total += defence_value(rules, character, int(s.dfn[k]))
    return max(0, total)


@kernel
def kind_of_defence(s: Record, rules: Rules) -> int:
    """What the defender did, as `last_def` keeps it."""
    if int(s.n_dfn) == 0:
        return PASSED
    kind = kind_of(rules, int(s.dfn[0]))
    if kind == SHIELD:
        return WITH_SHIELD
    return WITH_ARMOR if kind == ARMOR else WITH_ARMAMENTS


@kernel
def resolve(s: Record, rules: Rules) -> int:
    """Reveal, compare, take the loss, and clear the table, in the order of R12; returns what comes next."""
    attacker = int(s.active)
    defender = int(s.defender)
    defence = kind_of_defence(s, rules)
    s.last_def[defender] = defence
    if defence != WITH_SHIELD:
        hurt(s, defender, max(0, attack_total(s, rules) - defence_total(s, rules)))
    s.att_boost[attacker] = 0
    s.def_boost[defender] = 0
    for k in range(int(s.n_att)):
        forget(s, attacker, int(s.att[k]))
        to_discard(s, int(s.att[k]))
        s.att[k] = 0
    for k in range(int(s.n_dfn)):
        forget(s, defender, int(s.dfn[k]))
        to_discard(s, int(s.dfn[k]))
        s.dfn[k] = 0
    s.n_att = 0
    s.n_dfn = 0
    s.defender = NOBODY
    s.actor = s.active
    return eliminate(s, rules, 1 << defender if int(s.hp[defender]) == 0 else 0, True)
