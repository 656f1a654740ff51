"""The table as text, as a seat may see it: both sides with their totals, hands, piles, and what is being asked."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from cardzoo.envs.bedroom_battle.appeal import appeal, is_guarded, is_sealed, side_total
from cardzoo.envs.bedroom_battle.cards import REWARD_KINDS
from cardzoo.envs.bedroom_battle.notation import GONE, LETTERS, Names, slot_text
from cardzoo.envs.bedroom_battle.state import (
    ATTACH,
    BAIL,
    BATTLE,
    CHALLENGE,
    DEST,
    DISCARD,
    DRAFT,
    EXTRA,
    FINAL,
    ITEM,
    MODE,
    NOBODY,
    OVER,
    PART_COST,
    PART_PLAY,
    SELECT,
    SETUP_1,
    SETUP_2,
    SWAP,
    TARGET,
)
from cardzoo.envs.bedroom_battle.tables import SELECT_REWARDS

if TYPE_CHECKING:
    from cardzoo.envs.core.effects import Effect
    from cardzoo.envs.core.game import Game
    from cardzoo.envs.core.records import Records

WIDTH: Final = 100
INDENT: Final = "    "
GENDER_LETTERS: Final = {"male": "m", "female": "f", "both": "m/f", "none": "-"}
SHOWN_DISCARDS: Final = 5
SHOWN_DECK: Final = 5


def render(game: Game, states: Records, viewer: int | None = None) -> str:
    """Draw the first record of `states` as a table of at most 100 columns.

    Args:
        game: the game.
        states: np.recarray of `state.DTYPE`.
        viewer: seat that looks, which sees what that seat may know; None sees everything.
    """
    return "\n".join(_Table(game, states, viewer).lines())


class _Table:
    """One state seen by one viewer."""

    def __init__(self, game: Game, states: Records, viewer: int | None) -> None:
        self.rules = game.rules[0]
        self.names = Names(game)
        self.s = states[0]
        self.viewer = viewer
        self.phase = int(self.s.phase)

    def lines(self) -> list[str]:
        """The whole table: header, the other side, the shared piles, the own side, the question."""
        bottom = self.viewer or 0
        rule = "-" * WIDTH
        parts = [
            *self.header(),
            rule,
            *self.side(1 - bottom),
            rule,
            *self.piles(),
            rule,
            *self.side(bottom),
            rule,
            *self.wrapped(self.question(), ""),
        ]
        return parts + self.preferences()

    def wrapped(self, text: str, indent: str = INDENT) -> list[str]:
        """A text as lines of the table's width; further lines are indented."""
        return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]

    # --- header

    def header(self) -> list[str]:
        """Round, turn, who starts, how the last decided round ended."""
        s = self.s
        when = "setup" if int(s.round_no) == 0 else f"round {int(s.round_no)}"
        if BATTLE <= self.phase < CHALLENGE:
            when += f", turn {int(s.turns) + 1}"
        words = [when, f"seat {int(s.starter)} starts"]
        if int(s.last_winner) != NOBODY:
            words.append(f"the last decided round went to seat {int(s.last_winner)}")
        elif int(s.round_no) > 1:
            words.append("no round won yet")
        if int(s.round_no) > 0 and int(s.n_pile) == 0 and self.phase < CHALLENGE:
            words.append("this is the last round unless it is drawn")
        return self.wrapped(f"Bedroom Battle: {'; '.join(words)}")

    # --- a side

    def side(self, seat: int) -> list[str]:
        """One seat's line, its characters and its hand."""
        s = self.s
        mine = " (you)" if seat == self.viewer else ""
        total = int(side_total(s, self.rules, seat))
        head = f"SEAT {seat}{mine}  total appeal {total}, bails {int(s.bails[seat])}"
        lines = self.wrapped(f"{head}, won {int(s.n_won[seat])}{self.won(seat)}")
        for slot in range(int(s.n_chars[seat])):
            lines += self.character(seat, slot)
        return lines + self.hand(seat)

    def won(self, seat: int) -> str:
        """Reward cards won, with the letter performed."""
        texts = []
        for reward in self.s.won[seat, : int(self.s.n_won[seat])]:
            letter = int(self.s.done[int(reward)])
            texts.append(self.names.reward_ids[int(reward)] + (f"({LETTERS[letter - 1]})" if letter else ""))
        return f": {' '.join(texts)}" if texts else ""

    def character(self, side: int, slot: int) -> list[str]:
        """A character: slot, appeal, gender, attachments with their values, what protects it."""
        s, rules = self.s, self.rules
        card = self.names.cards[int(s.chars[side, slot])]
        attachments = []
        for k in range(int(s.n_att)):
            if int(s.att_side[k]) == side and int(s.att_slot[k]) == slot:
                attachment = self.names.cards[int(s.att_card[k])]
                attachments.append(f"{attachment.id} {attachment.appeal:+d}")
        notes = []
        if is_guarded(s, rules, side, slot, 1 - side):
            notes.append("guarded")
        if is_sealed(s, rules, side, slot):
            notes.append("sealed")
        if int(s.p_placed) and int(s.p_side) == side and int(s.p_slot) == slot:
            notes.append("being resolved" if card.kind == self.pending_kind() else "host of the card being resolved")
        text = f"{slot + 1:>4}  {int(appeal(s, rules, side, slot)):>3}  {card.id}"
        text += f" ({GENDER_LETTERS[card.gender]} {card.appeal})"
        text += "".join(f", {attachment}" for attachment in attachments)
        text += f"  [{', '.join(notes)}]" if notes else ""
        return textwrap.wrap(text, WIDTH, subsequent_indent=" " * 11, drop_whitespace=True, break_on_hyphens=False)

    def hand(self, seat: int) -> list[str]:
        """The hand as the viewer may see it; `*` marks copies that the other seat knows."""
        s = self.s
        size = int(s.n_hand[seat])
        hidden = size - int(s.n_known[seat])
        texts = []
        sees_all = self.viewer is None or self.viewer == seat
        mark = "*" if sees_all else ""
        for name, known, held in zip(self.names.card_ids, s.known[seat].tolist(), s.hand[seat].tolist(), strict=False):
            texts += [name + mark] * known
            if sees_all:
                texts += [name] * (held - known)
        if not sees_all and hidden:
            texts.append(f"{hidden} hidden")
        note = " (*: seen by the other seat)" if sees_all and size > hidden else ""
        return self.wrapped(f"{INDENT}hand {size}: {', '.join(texts) or 'empty'}{note}")

    # --- piles

    def piles(self) -> list[str]:
        """Pot, reward pile, deck, discard pile, and what is laid out."""
        s = self.s
        lines = self.wrapped(f"pot: {self.rewards('pot') or 'empty'}; {self.pile()}")
        lines += self.wrapped(self.deck())
        if int(s.n_row):
            lines += self.wrapped("row: " + ", ".join(self.names.card_ids[int(card)] for card in s.row[: int(s.n_row)]))
        if self.phase == SELECT:
            lines += self.wrapped(f"row: {self.rewards('sel_row')}; kept: {self.rewards('sel_kept') or 'none'}")
        return lines

    def rewards(self, field: str) -> str:
        """A list of reward cards."""
        return ", ".join(self.names.reward_ids[int(card)] for card in self.s[field][: int(self.s["n_" + field])])

    def pile(self) -> str:
        """The reward pile: numbers by kind; the cards where the viewer may know them, in their order for nobody."""
        s = self.s
        pile = [int(card) for card in s.pile[: int(s.n_pile)]]
        counts = [sum(self.names.reward_kinds[card] == kind for card in pile) for kind in range(2)]
        words = [f"{count} {REWARD_KINDS[kind]}" for kind, count in enumerate(counts) if count]
        text = f"reward pile {len(pile)}" + (f" ({', '.join(words)})" if words else "")
        if self.viewer is None and pile:
            text += f", top first: {', '.join(self.names.reward_ids[card] for card in reversed(pile))}"
        elif int(self.rules.options[SELECT_REWARDS]) and pile:
            text += f", in some order: {', '.join(self.names.reward_ids[card] for card in sorted(pile))}"
        text += f"; unused {int(s.n_unused_small)} small, {int(s.n_unused_hot)} hot"
        revealed = self.viewer is None or any(int(s.seen[int(card)]) for card in s.final[: int(s.n_final)])
        return text + f"; final: {self.rewards('final') if revealed else f'{int(s.n_final)} face down'}"

    def deck(self) -> str:
        """Deck and discard pile."""
        s, ids = self.s, self.names.card_ids
        text = f"deck {int(s.n_deck)}"
        if self.viewer is None and int(s.n_deck):
            cards = [ids[int(card)] for card in s.deck[: int(s.n_deck)]][::-1]
            text += f", top first: {', '.join(cards[:SHOWN_DECK])}{', ...' if len(cards) > SHOWN_DECK else ''}"
        text += f"; discard pile {int(s.n_discard)}"
        if int(s.n_discard):
            cards = [ids[int(card)] for card in s.discard[: int(s.n_discard)]][::-1]
            more = ", ..." if len(cards) > SHOWN_DISCARDS else ""
            text += f", top first: {', '.join(cards[:SHOWN_DISCARDS])}{more}"
        return text

    # --- the question

    def question(self) -> str:
        """What the acting seat is asked, in words."""
        s = self.s
        if self.phase == OVER:
            return self.ending()
        actor = int(s.actor)
        seat = "You are" if actor == self.viewer else f"Seat {actor} is"
        return f"{seat} asked to {self.prompt(actor)}."

    def ending(self) -> str:
        """How the game ended."""
        s = self.s
        score = f"{int(s.n_won[0])} to {int(s.n_won[1])} reward cards"
        if int(s.truncated):
            return f"The game was cut off after round {int(s.round_no)} with {score} (seat 0 to seat 1)."
        tie = ", equal cards: the winner of the last round wins" if int(s.n_won[0]) == int(s.n_won[1]) else ""
        return f"The game is over: seat {int(s.game_winner)} wins ({score}, seat 0 to seat 1{tie})."

    def prompt(self, actor: int) -> str:
        """The end of the sentence "... is asked to"."""
        s = self.s
        if ATTACH <= self.phase <= DISCARD:
            return self.pending_prompt(actor)
        passed = f" (seat {1 - actor} has just passed)" if int(s.passes) else ""
        setup = {SETUP_1: " (first row of the setup)", SETUP_2: " (second row of the setup)"}
        prompts = {
            SELECT: "keep a reward of the row",
            DRAFT: f"pick a card of the row{setup.get(int(s.draft_stage), '')}",
            BATTLE: f"play a card or pass{passed}",
            EXTRA: "play one more card or decline",
            FINAL: "choose the final reward",
        }
        return prompts.get(self.phase) or self.challenge_prompt()

    def challenge_prompt(self) -> str:
        """The question about the current reward card."""
        s = self.s
        card = self.names.reward_ids[self.challenged()]
        bailed = [letter for bit, letter in enumerate(LETTERS) if (int(s.bailed) >> bit) & 1]
        note = f" (bailed: {', '.join(bailed)})" if bailed else ""
        if self.phase == BAIL:
            return f"accept challenge {LETTERS[int(s.letter) - 1]} of {card} or to bail{note}"
        return f"pick a challenge of {card}{note}"

    def challenged(self) -> int:
        """Index of the reward card whose challenge is being picked."""
        s = self.s
        if int(s.final_pick):
            return int(s.final_pick) - 1
        winner = int(s.last_winner)
        return int(s.won[winner, int(s.n_won[winner]) - int(s.ch_left)])

    def pending_kind(self) -> str:
        """Kind of the card being resolved."""
        return str(self.names.cards[int(self.s.p_card)].kind)

    def effect(self) -> Effect:
        """The effect being carried out."""
        s = self.s
        card = self.names.cards[int(s.p_card)]
        part = int(s.p_part)
        effects = card.cost if part == PART_COST else card.play if part == PART_PLAY else card.choice[int(s.p_mode) - 1]
        found: Effect = effects[int(s.p_step) - 1]
        return found

    def pending_prompt(self, actor: int) -> str:
        """The question about the card being resolved."""
        s = self.s
        by = int(s.p_by)
        card = self.names.cards[int(s.p_card)]
        if self.phase == ATTACH:
            return f"choose the character that {card.id} is played on"
        if self.phase == MODE:
            modes = (f"{number} = {'; '.join(map(str, mode))}" for number, mode in enumerate(card.choice, 1))
            return f"choose a mode of {card.id}: {', '.join(modes)}"
        where = ""
        if int(s.p_placed):
            where = f" ({GONE if int(s.p_slot) < 0 else slot_text(actor, int(s.p_side), int(s.p_slot))})"
        source = f'for {card.id}{where}, {"cost" if int(s.p_part) == PART_COST else "effect"} "{self.effect()}"'
        first = slot_text(actor, int(s.p_first_side), int(s.p_first_slot))
        if self.phase == TARGET:
            return f"choose a target{' or decline' if self.effect().may else ''} {source}"
        if self.phase == ITEM:
            return f"choose an item of the character at {first} {source}"
        if self.phase == DEST:
            return f"choose who gets {self.names.card_ids[int(s.p_item)]} from the character at {first} {source}"
        if self.phase == SWAP:
            return f"choose whom the character at {first} changes places with {source}"
        count = int(s.p_left)
        return f"discard {count} card{'s' if count > 1 else ''} {source}" + (f" of seat {by}" if by != actor else "")

    # --- private preferences

    def preferences(self) -> list[str]:
        """The viewer's own preferences on the reward cards that are being decided or played for."""
        s = self.s
        if self.rules.challenge_weight <= 0 or self.phase == OVER:
            return []
        if self.phase in (CHALLENGE, BAIL):
            cards = [self.challenged()]
        elif self.phase == FINAL:
            cards = [int(card) for card in s.final[: int(s.n_final)]]
        else:
            cards = [int(card) for card in s.pot[: int(s.n_pot)]]
        lines = []
        for seat in range(2) if self.viewer is None else (self.viewer,):
            owner = "Your" if seat == self.viewer else f"Seat {seat}'s"
            texts = []
            for card in cards:
                values = (f"{letter} {int(s.prefs[seat, card, k]):+d}" for k, letter in enumerate(LETTERS))
                texts.append(f"{self.names.reward_ids[card]} {', '.join(values)}")
            if texts:
                lines += self.wrapped(f"{owner} preferences: {'; '.join(texts)}")
        return lines
