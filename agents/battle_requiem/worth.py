"""What cards are worth to a seat, and what it can tell of the cards it does not see."""

from __future__ import annotations

from typing import Final

from cardzoo.envs.battle_requiem.cards import ARMAMENT_BITS, ARMOR, BRN, COPIES, SHIELD
from cardzoo.envs.battle_requiem.duel import attack_value, defence_value
from cardzoo.envs.battle_requiem.information import own_face_down, shows_hand
from cardzoo.envs.battle_requiem.legal import is_of, kind_of
from cardzoo.envs.battle_requiem.tables import Rules
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.records import Record

BRAWLER: Final = 0
DUELIST: Final = 1
TACTICIAN: Final = 2

KEEP_SHIELD: Final = 9.0
KEEP_USEFUL: Final = 6.0  # an item or relic
ARMOR_SHARE: Final = 0.8  # of its defence

# --- prices


@kernel
def keep(rules: Rules, character: int, card: int) -> float:
    """Keep value: what having a card is worth to a character."""
    kind = kind_of(rules, card)
    if kind == SHIELD:
        return KEEP_SHIELD
    if kind == ARMOR:
        return ARMOR_SHARE * defence_value(rules, character, card)
    if is_of(rules, card, ARMAMENT_BITS):
        return float(max(attack_value(rules, character, card), defence_value(rules, character, card)))
    return KEEP_USEFUL


@kernel
def cost(rules: Rules, strategy: int, character: int, card: int) -> float:
    """What it costs to defend with a card, in HP; negative for junk that the tactician is glad to have replaced."""
    if strategy == DUELIST:
        return 0.2 * keep(rules, character, card)
    kind = kind_of(rules, card)
    if kind == SHIELD:
        return 3.0
    if kind == ARMOR:
        return 0.3 * (defence_value(rules, character, card) - 3.0)
    return 0.35 * (keep(rules, character, card) - 2.5)


# --- cards unseen


@kernel
def seen_copies(s: Record, rules: Rules, seat: int, other: int, card: int) -> int:
    """Copies of a card that a seat knows to be in a hand or face-down before its owner: all, if it sees that hand."""
    if seat == other or shows_hand(rules, seat, other):
        return int(s.hand[other, card]) + own_face_down(s, other, card)
    return int(s.known[other, card])


@kernel
def unseen(s: Record, rules: Rules, seat: int, card: int) -> int:
    """Copies of a card that a seat does not see: in the draw pile, in other hands or face-down before other seats."""
    count = int(rules.types[card, COPIES]) - int(s.box[card]) - int(s.in_disc[card])
    if int(s.eff_card) == card:
        count -= 1
    for other in range(int(rules.num_seats)):
        count -= seen_copies(s, rules, seat, other, card)
    return count


@kernel
def unseen_shares(s: Record, rules: Rules, seat: int) -> tuple[float, float, float]:
    """Of the cards a seat does not see: the share of armaments, the share of shields, the mean BRN of the armaments."""
    cards = 0
    armaments = 0
    shields = 0
    ratings = 0
    for card in range(int(rules.num_types)):
        count = unseen(s, rules, seat, card)
        cards += count
        if is_of(rules, card, ARMAMENT_BITS):
            armaments += count
            ratings += count * int(rules.types[card, BRN])
        elif kind_of(rules, card) == SHIELD:
            shields += count
    total = max(1.0, float(cards))
    return armaments / total, shields / total, ratings / max(1.0, float(armaments))


# --- what is known of a foe's hand


@kernel
def known_of(s: Record, rules: Rules, foe: int, kinds: int) -> int:
    """Cards of some kinds (bit mask) that all seats know to be in a hand."""
    count = 0
    for card in range(int(rules.num_types)):
        if is_of(rules, card, kinds):
            count += int(s.known[foe, card])
    return count
