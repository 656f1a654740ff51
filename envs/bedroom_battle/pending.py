"""The card being resolved, as a position names it: read and checked against the card's effects and the battlefield."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from cardzoo.envs.bedroom_battle.notation import GONE, Names, read_slot
from cardzoo.envs.bedroom_battle.state import (
    ATTACH,
    DEST,
    DISCARD,
    ITEM,
    MODE,
    PART_COST,
    PART_MODE,
    PART_PLAY,
    PARTS,
    PHASES,
    SWAP,
    TARGET,
)
from cardzoo.envs.core.notation import as_flag, as_mapping, as_whole, as_word, bad
from cardzoo.envs.core.records import Record

ENTRIES: Final = ("card", "by", "at", "part", "mode", "step", "left", "first", "item", "extra", "end")
DISCARDS: Final = ("discard", "own_discard", "opp_discard")
ITEM_VERBS: Final = ("discard_item", "return_item", "move_item")
VERBS: Final[Mapping[int, tuple[str, ...]]] = {  # what a phase can be resolving
    TARGET: ("sacrifice", "discard_char", "move_char", "return_char", "swap_char", *ITEM_VERBS),
    ITEM: ITEM_VERBS,
    DEST: ("move_item",),
    SWAP: ("swap_char",),
    DISCARD: DISCARDS,
}
ONE_OF: Final = ("", "any", "own", "opp")  # scopes with a choice


@dataclass
class Pending:
    """What the rest of a position needs to know of the card being resolved."""

    card: int
    actor: int  # seat that decides
    held: bool  # the card is neither in play nor gone: it counts as a place of its own
    count: int | None = None  # phase `discard`: cards that the effect takes
    left: Any = None  # phase `discard`: cards still to discard as the position says, None when omitted

    def write_left(self, hand: int, s: Record) -> None:
        """Write the cards still to discard, once the discarding hand (of `hand` cards) is known."""
        if self.count is None:
            return
        most = min(hand, self.count)
        if most == 0:
            raise bad("pending", f"asks seat {self.actor} to discard, but that hand is empty")
        s.p_left = most if self.left is None else as_whole("pending", self.left, 1, most)


def read_pending(names: Names, value: Any, phase: int, s: Record) -> Pending:
    """Read the `pending` mapping into the p_* fields of the record `s`, whose board is filled already."""
    entry = {name: item for name, item in as_mapping("pending", value, ENTRIES).items() if item is not None}
    for name in ("card", "by"):
        if name not in entry:
            raise bad("pending", f"must name {name}")
    card = names.card("pending", entry["card"])
    by = as_whole("pending", entry["by"], 0, 1)
    s.p_card, s.p_by = card, by
    _read_part(entry, phase, s)
    held = _read_place(names, entry, phase, s)
    s.p_extra = as_flag("pending", entry.get("extra", False))
    s.p_end = as_flag("pending", entry.get("end", False))
    verb = _read_step(names, entry, phase, s)
    _read_first(names, entry, phase, s)
    actor = 1 - by if phase == DISCARD and verb == "opp_discard" else by
    pending = Pending(card, actor, held)
    if phase == DISCARD:
        pending.count = _effects(names, s)[int(s.p_step) - 1].number
        pending.left = entry.get("left")
        if pending.count is None:
            raise bad("pending", "names a step that discards a whole hand, which leaves nothing to choose")
    elif "left" in entry:
        raise bad("pending", f'must have no left in the phase "{PHASES[phase]}"')
    return pending


def _read_part(entry: Mapping[str, Any], phase: int, s: Record) -> None:
    """Part of the card and chosen mode."""
    fixed = {ATTACH: PART_PLAY, MODE: PART_MODE}.get(phase)
    if "part" not in entry:
        if fixed is None:
            raise bad("pending", "must name the part of the card: cost, play or mode")
        s.p_part = fixed
    else:
        s.p_part = 1 + as_word("pending", entry["part"], PARTS[1:])
        if fixed is not None and int(s.p_part) != fixed:
            raise bad("pending", f'must have the part {PARTS[fixed]} in the phase "{PHASES[phase]}"')
    needs_mode = int(s.p_part) == PART_MODE and phase != MODE
    if needs_mode and "mode" not in entry:
        raise bad("pending", "must say which mode was chosen")
    if "mode" in entry and not needs_mode:
        raise bad("pending", "must have no mode before one is chosen")


def _effects(names: Names, s: Record) -> tuple[Any, ...]:
    """The effects of the present part of the pending card."""
    card = names.cards[int(s.p_card)]
    if int(s.p_part) == PART_COST:
        return tuple(card.cost)
    if int(s.p_part) == PART_PLAY:
        return tuple(card.play)
    return tuple(card.choice[int(s.p_mode) - 1])


def _read_step(names: Names, entry: Mapping[str, Any], phase: int, s: Record) -> str:
    """Mode and step; returns the verb being carried out, "" where there is none."""
    name = names.card_ids[int(s.p_card)]
    modes = len(names.cards[int(s.p_card)].choice)
    if int(s.p_part) == PART_MODE and modes == 0:
        raise bad("pending", f"has the part mode, but {name} has no modes")
    if "mode" in entry:
        s.p_mode = as_whole("pending", entry["mode"], 1, modes)
    if phase in (ATTACH, MODE):
        if entry.get("step", 1) != 1:
            raise bad("pending", f'must have the step 1 in the phase "{PHASES[phase]}"')
        s.p_step = 1
        return ""
    effects = _effects(names, s)
    step = entry.get("step", 1)
    if type(step) is not int or not 1 <= step <= len(effects):
        raise bad(
            "pending", f"names step {step}, but the {PARTS[int(s.p_part)]} part of {name} has {len(effects)} steps"
        )
    s.p_step = step
    effect = effects[step - 1]
    if effect.verb not in VERBS[phase] or effect.scope not in ONE_OF:
        raise bad("pending", f'names the step "{effect}", which does not lead to the phase "{PHASES[phase]}"')
    return str(effect.verb)


def _read_place(names: Names, entry: Mapping[str, Any], phase: int, s: Record) -> bool:
    """Where the card stands, or its host; returns whether the card is still held."""
    card = int(s.p_card)
    kind = names.cards[card].kind
    if phase == ATTACH and kind not in ("item", "attribute"):
        raise bad("pending", f"names {names.card_ids[card]}, but only items and attributes are attached")
    if kind == "special" or phase == ATTACH or int(s.p_part) == PART_COST:
        if "at" in entry:
            raise bad("pending", f"must have no at, because {names.card_ids[card]} is not on the battlefield")
        return True
    if "at" not in entry:
        raise bad("pending", f"must say in at where {names.card_ids[card]} is, or {GONE}")
    s.p_placed = 1
    if entry["at"] == GONE:
        s.p_slot = -1
        return False
    side, slot = read_slot("pending", entry["at"], int(s.p_by), [int(n) for n in s.n_chars])
    s.p_side, s.p_slot = side, slot
    if kind == "character":
        there = int(s.chars[side, slot]) == card
    else:
        there = card in _attachments(s, side, slot)
    if not there:
        raise bad(
            "pending", f"says that {names.card_ids[card]} is at {entry['at']}, but the board has another card there"
        )
    return False


def _attachments(s: Record, side: int, slot: int) -> list[int]:
    """Attachments on a character, oldest first."""
    return [
        int(s.att_card[k]) for k in range(int(s.n_att)) if int(s.att_side[k]) == side and int(s.att_slot[k]) == slot
    ]


def _read_first(names: Names, entry: Mapping[str, Any], phase: int, s: Record) -> None:
    """First target and item on its way, in the phases that have them."""
    for name, phases in (("first", (ITEM, DEST, SWAP)), ("item", (DEST,))):
        if name in entry and phase not in phases:
            raise bad("pending", f'must have no {name} in the phase "{PHASES[phase]}"')
        if name not in entry and phase in phases:
            raise bad("pending", f'must name {name} in the phase "{PHASES[phase]}"')
    if phase not in (ITEM, DEST, SWAP):
        return
    side, slot = read_slot("pending", entry["first"], int(s.p_by), [int(n) for n in s.n_chars])
    s.p_first_side, s.p_first_slot = side, slot
    items = [card for card in _attachments(s, side, slot) if names.cards[card].kind == "item"]
    if phase == SWAP:
        if side != int(s.p_by):
            raise bad("pending", "must name an own character in first, because a swap starts with one")
    elif not items:
        raise bad("pending", f"names {entry['first']} in first, but there is no item on that character")
    if phase == DEST:
        item = names.card("pending", entry["item"])
        if item not in items:
            raise bad("pending", f"names the item {entry['item']}, which is not on the character at {entry['first']}")
        s.p_item = item
