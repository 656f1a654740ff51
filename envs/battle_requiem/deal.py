"""Setting up: the shuffled deck, characters, turn order, first hands (rulings R1, R3, R24, R26)."""

from __future__ import annotations

from cardzoo.envs.battle_requiem.cards import AGE, COPIES, HP, INVENTORY, REALM
from cardzoo.envs.battle_requiem.legal import may_draft
from cardzoo.envs.battle_requiem.piles import draw_card, turn_up
from cardzoo.envs.battle_requiem.state import (
    DRAFT,
    MAX_SEATS,
    NO_CARD,
    NO_CHARACTER,
    NOBODY,
    TURN,
)
from cardzoo.envs.battle_requiem.tables import DRAFTED, GIVEN, Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.random import below, shuffle
from cardzoo.envs.core.records import Record


@kernel
def clear_table(s: Record, rules: Rules) -> None:
    """Fields that are not 0 when there is nothing in them, and seats in seat order."""
    s.defender = NOBODY
    s.eff_card = NO_CARD
    s.eff_foe = NOBODY
    s.eff_ally = NOBODY
    for seat in range(MAX_SEATS):
        s.char[seat] = NO_CHARACTER
        if seat < int(rules.num_seats):
            s.order[seat] = seat
            s.rank[seat] = seat


@kernel
def shuffle_deck(s: Record, rules: Rules) -> None:
    """All cards, shuffled, as the draw pile; everybody knows what is in it."""
    n = 0
    for card in range(int(rules.num_types)):
        copies = int(rules.types[card, COPIES])
        s.mix[card] = copies
        for _ in range(copies):
            s.draw[n] = card
            n += 1
    s.n_draw = n
    shuffle(s.rng, s.draw, n)


@kernel
def next_to_draft(s: Record, rules: Rules) -> int:
    """The lowest seat without a character; -1 if all have one (R26)."""
    for seat in range(int(rules.num_seats)):
        if int(s.char[seat]) == NO_CHARACTER:
            return seat
    return -1


@kernel
def random_character(s: Record, rules: Rules) -> int:
    """A random one of the characters that the active seat could draft.

    That is without replacement, and in teams a random realm for the first member and random members of it: every
    realm with enough characters is taken with equal chance, because realms are chosen first.
    """
    if int(rules.team_size) > 1:
        return random_member(s, rules)
    count = 0
    for character in range(int(rules.num_characters)):
        if may_draft(s, rules, character):
            count += 1
    return nth_free(s, rules, below(s.rng, count), -1)


@kernel
def nth_free(s: Record, rules: Rules, n: int, realm: int) -> int:
    """The n-th character, from 0, that the active seat could draft, of a realm (-1: of any)."""
    for character in range(int(rules.num_characters)):
        if may_draft(s, rules, character) and (realm < 0 or int(rules.characters[character, REALM]) == realm):
            if n == 0:
                return character
            n -= 1
    return NO_CHARACTER


@kernel
def count_free(s: Record, rules: Rules, realm: int) -> int:
    """Characters of a realm that the active seat could draft."""
    count = 0
    for character in range(int(rules.num_characters)):
        if int(rules.characters[character, REALM]) == realm and may_draft(s, rules, character):
            count += 1
    return count


@kernel
def random_member(s: Record, rules: Rules) -> int:
    """A random character of a random realm among those that the active seat could draft from."""
    realms = 0
    for realm in range(int(rules.num_realms)):
        if count_free(s, rules, realm) > 0:
            realms += 1
    left = below(s.rng, realms)
    for realm in range(int(rules.num_realms)):
        free = count_free(s, rules, realm)
        if free > 0:
            if left == 0:
                return nth_free(s, rules, below(s.rng, free), realm)
            left -= 1
    return NO_CHARACTER


@kernel
def choose_characters(s: Record, rules: Rules) -> bool:
    """Give all seats their characters; False if they are to be drafted."""
    if int(rules.deal) == DRAFTED:
        return False
    for seat in range(int(rules.num_seats)):
        s.active = seat
        s.char[seat] = rules.given[seat] if int(rules.deal) == GIVEN else random_character(s, rules)
    return True


@kernel
def set_order(s: Record, rules: Rules) -> None:
    """Seats in turn order, youngest first, the lower seat of equal ages before the other (R1)."""
    n = int(rules.num_seats)
    for seat in range(n):
        rank = 0
        age = int(rules.characters[int(s.char[seat]), AGE])
        for other in range(n):
            other_age = int(rules.characters[int(s.char[other]), AGE])
            if other_age < age or (other_age == age and other < seat):
                rank += 1
        s.rank[seat] = rank
        s.order[rank] = seat


@kernel
def deal(s: Record, rules: Rules) -> None:
    """All characters are chosen: stats, order, hands, the first discard, the first turn (R1, R3)."""
    n = int(rules.num_seats)
    for seat in range(n):
        s.hp[seat] = rules.characters[int(s.char[seat]), HP]
        s.inv[seat] = rules.characters[int(s.char[seat]), INVENTORY]
    set_order(s, rules)
    for k in range(n):
        seat = int(s.order[k])
        for _ in range(int(s.inv[seat])):
            draw_card(s, rules, seat)
    turn_up(s)
    s.turn = 1
    s.round_no = 1
    s.pos = 0
    s.active = s.order[0]
    s.actor = s.active
    s.phase = TURN


@kernel
def ask_draft(s: Record, rules: Rules) -> None:
    """The next seat takes a character."""
    s.phase = DRAFT
    s.actor = next_to_draft(s, rules)
    s.active = s.actor
    s.pos = s.actor
