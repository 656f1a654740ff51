"""The table as text, as a seat may see it: the seats in turn order, duel, effect, piles, and what is being asked."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from cardzoo.envs.battle_requiem.cards import RELIC
from cardzoo.envs.battle_requiem.describe import effect_text, modifiers_text, seats_text
from cardzoo.envs.battle_requiem.notation import Names
from cardzoo.envs.battle_requiem.state import (
    ATTACK,
    CHOOSE,
    DEFEND,
    DRAFT,
    LAST_DEFENCES,
    LAST_TURNS,
    LEVY,
    NO_CARD,
    NO_CHARACTER,
    NOBODY,
    OVER,
    PICK,
    REWARD,
    TARGET,
    TRIBUTE,
    TRIM,
    TURN,
)

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game
    from cardzoo.envs.core.records import Records

WIDTH: Final = 100
INDENT: Final = "    "
SHOWN_CARDS: Final = 8  # cards of a pile from the top


def render(game: Game, states: Records, viewer: int | None = None) -> str:
    """Draw the first record of `states` as a table of at most 100 columns.

    Args:
        game: the game.
        states: np.recarray of `state.DTYPE`.
        viewer: seat that looks, which sees what that seat may know; None sees everything.
    """
    return "\n".join(_Table(game, states, viewer).lines())


def wrapped(text: str, indent: str = INDENT) -> list[str]:
    """A text as lines of the table's width; further lines are indented."""
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]


class _Table:
    """One state seen by one viewer."""

    def __init__(self, game: Game, states: Records, viewer: int | None) -> None:
        self.rules: Any = game.rules[0]
        self.names = Names(game)
        self.s = states[0]
        self.num_seats = game.num_seats
        self.viewer = viewer
        self.phase = int(self.s.phase)
        self.active = int(self.s.active)
        self.teams = int(self.rules.team_size) > 1

    def lines(self) -> list[str]:
        """The whole table: header, seats in turn order, what lies on the table, piles, the question."""
        rule = "-" * WIDTH
        parts = [*self.header(), rule]
        for seat in self.s.order[: self.num_seats].tolist():
            parts += self.seat(seat)
        return [*parts, rule, *self.duel(), *self.effect(), *self.piles(), rule, *wrapped(self.question(), "")]

    # --- header

    def header(self) -> list[str]:
        """Round, turn, whose turn it is."""
        s = self.s
        if self.phase == DRAFT:
            return wrapped("Battle Requiem: the seats take their characters")
        words = [
            f"Battle Requiem: round {int(s.round_no)}, turn {int(s.turn)} of at most {int(self.rules.max_turns)}",
            f"seat {self.active}'s turn",
        ]
        if int(s.extra):
            words.append(f"{counted(int(s.extra), 'extra turn')} to come")
        return wrapped("; ".join(words))

    # --- a seat

    def seat(self, seat: int) -> list[str]:
        """One seat: its character, its numbers, what it did last, its hand."""
        s = self.s
        team = f", team {int(self.rules.team[seat])}" if self.teams else ""
        head = f"{'>' if seat == self.active else ' '} SEAT {seat}{' (you)' if seat == self.viewer else ''}{team}"
        number = int(s.char[seat])
        if number == NO_CHARACTER:
            return wrapped(f"{head}  no character yet")
        character = self.names.characters[number]
        head += f"  {character.id} of {character.realm}, age {character.age}"
        if self.phase != DRAFT and not int(s.hp[seat]):
            place = f", place {int(s.place2[seat]) / 2:g}" if int(s.place2[seat]) else ""
            lines = wrapped(f"{head}: eliminated{place}")
            return lines + (self.hand(seat) if int(s.n_hand[seat]) else [])
        if self.phase != DRAFT:
            head += f": HP {int(s.hp[seat])}, Inventory {int(s.inv[seat])}"
        lines = wrapped(head)
        printed = [modifiers_text(character), f"{character.ability.name}: {effect_text(character.ability.effect)}"]
        lines += wrapped(INDENT + "; ".join(text for text in printed if text), INDENT * 2)
        if self.phase == DRAFT:
            return lines
        notes = self.notes(seat)
        return lines + (wrapped(INDENT + "; ".join(notes), INDENT * 2) if notes else []) + self.hand(seat)

    def notes(self, seat: int) -> list[str]:
        """Boosts, veil, turns to lose, last turn, last defence, where the active seat's actions find this seat."""
        s = self.s
        notes = []
        left = (int(s.rank[seat]) - int(s.rank[self.active])) % self.num_seats
        if left:
            notes.append(f"left {left} of seat {self.active}")
        for word, field in (("attack", "att_boost"), ("defence", "def_boost")):
            if int(s[field][seat]):
                notes.append(f"next {word} {int(s[field][seat]):+d}")
        if int(s.veil[seat]):
            notes.append("veiled")
        if int(s.skip[seat]):
            notes.append(f"loses {counted(int(s.skip[seat]), 'turn')}")
        for word, field, names in (("turn", "last_turn", LAST_TURNS), ("defence", "last_def", LAST_DEFENCES)):
            if int(s[field][seat]):
                notes.append(f"last {word}: {names[int(s[field][seat])]}")
        return notes

    def sees(self, seat: int) -> bool:
        """Whether the viewer sees a seat's cards, teammates' being shown by an option."""
        if self.viewer is None or self.viewer == seat:
            return True
        mates = int(self.rules.team[seat]) == int(self.rules.team[self.viewer])
        return mates and bool(self.rules.hands_shown)

    def face_down(self, seat: int) -> list[int]:
        """The seat's own cards in the duel."""
        s = self.s
        if int(s.defender) == NOBODY or seat not in (self.active, int(s.defender)):
            return []
        attacks = seat == self.active
        cards: list[int] = (s.att if attacks else s.dfn)[: int(s.n_att if attacks else s.n_dfn)].tolist()
        return cards

    def hand(self, seat: int) -> list[str]:
        """The hand as the viewer may see it; `*` marks copies that all seats know."""
        s = self.s
        size, down = int(s.n_hand[seat]), self.face_down(seat)
        held, known = s.hand[seat].tolist(), s.known[seat].tolist()
        # A mate sees hand and face-down cards as one, and of other seats' known cards nobody knows which of the two.
        together = down and seat != self.viewer and self.viewer is not None
        label = f"hand {size} and {len(down)} face-down" if together else f"hand {size}"
        if together:
            for card in down:
                held[card] += 1
            size += len(down)
        texts = []
        for name, count, all_know in zip(self.names.card_ids, held, known, strict=False):
            if self.sees(seat):
                marked = min(count, all_know)
                texts += [f"{name}*"] * marked + [name] * (count - marked)
            else:
                texts += [name] * all_know
        if not self.sees(seat) and size > len(texts):
            texts.append(f"{size - len(texts)} hidden")
        note = " (*: known to all)" if any(text.endswith("*") for text in texts) else ""
        return wrapped(f"{INDENT}{label}: {', '.join(texts) or 'empty'}{note}", INDENT * 2)

    # --- the table

    def duel(self) -> list[str]:
        """The duel with its face-down cards; only the viewer's own are seen."""
        s = self.s
        defender = int(s.defender)
        if defender == NOBODY:
            return []
        text = f"duel: seat {self.active} attacks seat {defender} with {self.committed(self.active)}"
        if int(s.n_dfn):
            text += f"; the defence so far: {self.committed(defender)}"
        return wrapped(text)

    def committed(self, seat: int) -> str:
        """The face-down cards of a seat."""
        cards = self.face_down(seat)
        text = counted(len(cards), "face-down card")
        if cards and self.viewer in (None, seat):
            text += f" ({self.card_list(cards)})"
        return text

    def card_list(self, cards: Sequence[int]) -> str:
        """Ids of cards."""
        return ", ".join(self.names.card_ids[card] for card in cards)

    def steps(self) -> Sequence[Any]:
        """The steps of the effect in progress."""
        card = int(self.s.eff_card)
        if int(self.rules.types[card, 0]) == RELIC:
            found: Sequence[Any] = self.names.characters[int(self.s.char[self.active])].ability.effect
            return found
        return self.names.cards[card].effect  # type: ignore[no-any-return]

    def effect(self) -> list[str]:
        """The effect in progress: card, step, what was chosen, who still answers."""
        s = self.s
        if int(s.eff_card) == NO_CARD:
            return []
        steps, at = self.steps(), int(s.eff_step)
        words = [f"effect: {self.names.card_ids[int(s.eff_card)]} of seat {self.active}: {effect_text(steps)}"]
        if int(s.eff_branch):
            words.append(f"branch {('first', 'second')[int(s.eff_branch) - 1]}")
        if self.phase != CHOOSE:
            words.append(f'now "{steps[at]}"' if at < len(steps) else "all steps are done")
        if int(s.eff_foe) != NOBODY:
            words.append(f"target seat {int(s.eff_foe)}")
        if int(s.eff_ally) != NOBODY:
            words.append(f"ally seat {int(s.eff_ally)}")
        if int(s.eff_queue):
            words.append(f"still to answer: {seats_text(self.seats_of(int(s.eff_queue)))}")
        return wrapped("; ".join(words))

    def seats_of(self, mask: int) -> list[int]:
        """The seats of a bit mask in turn order from the active one on."""
        s = self.s
        turns = [int(s.order[(int(s.rank[self.active]) + k) % self.num_seats]) for k in range(self.num_seats)]
        return [seat for seat in turns if (mask >> seat) & 1]

    def piles(self) -> list[str]:
        """Draw pile and discard pile, and the cards out of the game."""
        s = self.s
        text = f"draw pile {int(s.n_draw)}"
        if self.viewer is None:
            text += self.top(s.draw[: int(s.n_draw)].tolist())
        lines = wrapped(text)
        lines += wrapped(f"discard pile {int(s.n_disc)}{self.top(s.disc[: int(s.n_disc)].tolist())}")
        box = [f"{count} {name}" for name, count in self.names.mapping(s.box).items()]
        return lines + (wrapped(f"out of the game: {', '.join(box)}") if box else [])

    def top(self, pile: list[int]) -> str:
        """The top cards of a pile."""
        if not pile:
            return ""
        more = ", ..." if len(pile) > SHOWN_CARDS else ""
        return f", top first: {self.card_list(pile[::-1][:SHOWN_CARDS])}{more}"

    # --- the question

    def question(self) -> str:
        """What the acting seat is asked, in words."""
        if self.phase == OVER:
            return self.ending()
        actor = int(self.s.actor)
        return f"{'You are' if actor == self.viewer else f'Seat {actor} is'} asked to {self.prompt(actor)}."

    def ending(self) -> str:
        """How the game ended."""
        living = {int(self.rules.team[seat]) for seat in range(self.num_seats) if int(self.s.hp[seat]) > 0}
        seats = [seat for seat in range(self.num_seats) if int(self.rules.team[seat]) in living]
        if int(self.s.truncated):
            return f"The game was cut off with {seats_text(seats)} still in."
        team = f"team {living.pop()} ({seats_text(seats)}) wins" if self.teams else f"{seats_text(seats)} wins"
        return f"The game is over: {team}."

    def prompt(self, actor: int) -> str:
        """The end of the sentence "... is asked to"."""
        s = self.s
        if self.phase in (PICK, LEVY, TRIBUTE):
            return self.asked(actor)
        if self.phase == TARGET:
            own = self.steps()[int(s.eff_step)].who == "ally"
            return f'choose {"a member of the team" if own else "an opponent"} for "{self.steps()[int(s.eff_step)]}"'
        if self.phase == REWARD:
            return f"choose the reward for seat {self.seats_of(int(s.fallen))[0]}"
        more = f"one more armament against seat {int(s.defender)} or stop"
        prompts = {
            DRAFT: "take a character",
            TURN: "discard a card, use an item or relic, or attack",
            ATTACK: f"commit {more if int(s.n_att) else f'an armament against seat {int(s.defender)}'}",
            DEFEND: "commit one more armament or stop" if int(s.n_dfn) else "defend or pass",
            CHOOSE: "choose a branch of the effect",
            TRIM: f"discard down to an Inventory of {int(s.inv[actor])}",
        }
        return prompts[self.phase]

    def asked(self, actor: int) -> str:
        """The question of an effect about cards."""
        s = self.s
        step, need = self.steps()[int(s.eff_step)], int(s.eff_need)
        cards = counted(need, "card")
        if self.phase == TRIBUTE:
            return f"give {cards} to seat {self.active}"
        if self.phase == LEVY:
            return f'discard {cards} for "{step}"' + (f" or lose {step.m} HP" if need == step.n else "")
        where = f"hand of seat {int(s.eff_foe)}" if step.verb == "rob" else "discard pile"
        return f'take {cards} of the {where} for "{step}"'


def counted(count: int, word: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {word}{'' if count == 1 else 's'}"
