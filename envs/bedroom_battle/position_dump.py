"""Writing a state record as a position: a plain mapping by names that reads back as the same state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardzoo.envs.bedroom_battle import rules as rule_kernels
from cardzoo.envs.bedroom_battle.appeal import appeal
from cardzoo.envs.bedroom_battle.cards import REWARD_KINDS
from cardzoo.envs.bedroom_battle.notation import GONE, LETTERS, Names, slot_text
from cardzoo.envs.bedroom_battle.state import (
    BAIL,
    CHALLENGE,
    DRAFT,
    NOBODY,
    PARTS,
    PHASES,
    SELECT,
    STAGES,
)

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game
    from cardzoo.envs.core.records import Records


def dump_position(game: Game, states: Records) -> dict[str, Any]:
    """The position of the first record of `states` (np.recarray of `state.DTYPE`).

    Returns:
        every key of the notation in its order, then the derived ones; plain dicts, lists, texts, numbers and None.
    """
    return {**_Writer(game, states).position(), **derived(game, states)}


def derived(game: Game, states: Records) -> dict[str, Any]:
    """What follows from a state: appeals and totals of each side, numbers of cards, returns so far, truncation."""
    s, rules = states[0], game.rules[0]
    appeals = [[int(appeal(s, rules, side, slot)) for slot in range(int(s.n_chars[side]))] for side in range(2)]
    returns = np.zeros(2, np.float64)
    rule_kernels.returns(states, 0, game.rules, returns)
    return {
        "appeal": appeals,
        "totals": [sum(side) for side in appeals],
        "counts": {
            "deck": int(s.n_deck),
            "discard": int(s.n_discard),
            "hands": [int(n) for n in s.n_hand],
            "pile": int(s.n_pile),
            "pot": int(s.n_pot),
            "unused_hot": int(s.n_unused_hot),
        },
        "returns": [float(value) for value in returns],
        "truncated": bool(s.truncated),
    }


def _seat(value: Any) -> int | None:
    """A seat number; None for nobody."""
    return None if int(value) == NOBODY else int(value)


class _Writer:
    """One record on its way into one mapping."""

    def __init__(self, game: Game, states: Records) -> None:
        self.names = Names(game)
        self.s = states[0]
        self.phase = int(self.s.phase)

    def position(self) -> dict[str, Any]:
        """All keys of the notation, in its order."""
        s = self.s
        return {
            "phase": PHASES[self.phase],
            "round": int(s.round_no),
            "turns": int(s.turns),
            "passes": int(s.passes),
            "starter": int(s.starter),
            "actor": _seat(s.actor),
            "hands": self.hands("hand"),
            "known": self.hands("known"),
            "deck": self.cards("deck")[::-1],
            "discard": self.cards("discard")[::-1],
            "rest": "out",  # every card of the game has been named
            "row": self.cards("row"),
            "draft": STAGES[int(s.draft_stage)] if self.phase == DRAFT else None,
            "board": [[self.slot(side, slot) for slot in range(int(s.n_chars[side]))] for side in range(2)],
            "pot": self.rewards("pot"),
            "pile": self.rewards("pile")[::-1],
            "unused_hot": self.rewards("unused_hot")[::-1],
            "unused_small": self.rewards("unused_small")[::-1],
            "final": self.rewards("final"),
            "won": [self.won(seat) for seat in range(2)],
            "bails": [int(n) for n in s.bails],
            "last_winner": _seat(s.last_winner),
            "performed": self.performed(),
            "select": self.select() if self.phase == SELECT else None,
            "pending": self.pending() if int(s.p_part) else None,
            "reward": self.reward() if self.phase in (CHALLENGE, BAIL) else None,
            "prefs": self.prefs(),
            "random_hand": self.cards("random_hand"),
        }

    def hands(self, field: str) -> list[list[str]]:
        """Counts per type of both seats as ids in type order."""
        ids = self.names.card_ids
        return [
            [name for name, count in zip(ids, row, strict=False) for _ in range(count)]
            for row in self.s[field].tolist()
        ]

    def cards(self, field: str) -> list[str]:
        """A pile of battle cards in the order of the record."""
        return [self.names.card_ids[int(card)] for card in self.s[field][: int(self.s["n_" + field])]]

    def rewards(self, field: str) -> list[str]:
        """A pile of reward cards in the order of the record."""
        return [self.names.reward_ids[int(card)] for card in self.s[field][: int(self.s["n_" + field])]]

    def won(self, seat: int) -> list[str]:
        """Reward cards of a seat in the order won."""
        return [self.names.reward_ids[int(card)] for card in self.s.won[seat, : int(self.s.n_won[seat])]]

    def slot(self, side: int, slot: int) -> str:
        """A character and its attachments, oldest first, joined by `+`."""
        s, ids = self.s, self.names.card_ids
        parts = [ids[int(s.chars[side, slot])]]
        for k in range(int(s.n_att)):
            if int(s.att_side[k]) == side and int(s.att_slot[k]) == slot:
                parts.append(ids[int(s.att_card[k])])
        return "+".join(parts)

    def performed(self) -> dict[str, str]:
        """Letter performed on each reward card that has one."""
        done = self.s.done.tolist()
        return {name: LETTERS[letter - 1] for name, letter in zip(self.names.reward_ids, done, strict=False) if letter}

    def select(self) -> dict[str, Any]:
        """The reward selection."""
        kind = self.names.reward_kinds[int(self.s.sel_row[0])]
        return {"kind": REWARD_KINDS[kind], "row": self.rewards("sel_row"), "kept": self.rewards("sel_kept")}

    def pending(self) -> dict[str, Any]:
        """The card being resolved, with the entries that it has."""
        s = self.s
        by = int(s.p_by)
        entry: dict[str, Any] = {"card": self.names.card_ids[int(s.p_card)], "by": by}
        if int(s.p_placed):
            entry["at"] = GONE if int(s.p_slot) < 0 else slot_text(by, int(s.p_side), int(s.p_slot))
        entry["part"] = PARTS[int(s.p_part)]
        if int(s.p_mode):
            entry["mode"] = int(s.p_mode)
        entry["step"] = int(s.p_step)
        if int(s.p_left):
            entry["left"] = int(s.p_left)
        phase = PHASES[self.phase]
        if phase in ("item", "dest", "swap"):
            entry["first"] = slot_text(by, int(s.p_first_side), int(s.p_first_slot))
        if phase == "dest":
            entry["item"] = self.names.card_ids[int(s.p_item)]
        if int(s.p_extra):
            entry["extra"] = True
        if int(s.p_end):
            entry["end"] = True
        return entry

    def reward(self) -> dict[str, Any]:
        """The reward cards still to be challenged, the letter on offer, the letters bailed."""
        s = self.s
        if int(s.final_pick):
            cards = [self.names.reward_ids[int(s.final_pick) - 1]]
        else:
            won = self.won(int(s.last_winner))
            cards = won[len(won) - int(s.ch_left) :]
        return {
            "cards": cards,
            "letter": LETTERS[int(s.letter) - 1] if int(s.letter) else None,
            "bailed": [letter for bit, letter in enumerate(LETTERS) if (int(s.bailed) >> bit) & 1],
        }

    def prefs(self) -> dict[str, list[list[int]]]:
        """Preferences on each reward card that has any but 0."""
        rows = np.swapaxes(self.s.prefs, 0, 1).tolist()  # [reward][seat][letter]
        pairs = zip(self.names.reward_ids, rows, strict=False)
        return {name: seats for name, seats in pairs if any(seats[0]) or any(seats[1])}
