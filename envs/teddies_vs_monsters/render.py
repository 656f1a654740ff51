"""The table as text, as a seat may see it: rooms, seats, discards, and who is being asked for what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardzoo.envs.teddies_vs_monsters.cards import LENGTH, team_cards
from cardzoo.envs.teddies_vs_monsters.describe import (
    INDENT,
    WIDTH,
    card_label,
    counted,
    listed,
    symbols_text,
    wrapped,
)
from cardzoo.envs.teddies_vs_monsters.notation import ROOM_ACTS, Names, readings_of
from cardzoo.envs.teddies_vs_monsters.position_dump import discards_of
from cardzoo.envs.teddies_vs_monsters.state import (
    IDLE,
    KINDS,
    NO_CARD,
    NO_ROOM,
    NOBODY,
    TEAM_NAMES,
    TEAMS,
    TRAP_PRICE,
)

if TYPE_CHECKING:
    from cardzoo.envs.core.game import Game
    from cardzoo.envs.core.records import Records

SHOWN_CARDS: Final = 8  # cards of a deck from the top


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
        self.title = game.title
        self.rules: Any = game.rules[0]
        self.names = Names(game)
        self.labels = [[card_label(card) for card in own] for own in team_cards(game.cards)]
        self.s = states[0]
        self.num_seats = game.num_seats
        self.viewer = viewer
        self.actor = int(self.s.actor)
        self.partner: int | None = None
        if viewer is not None and self.num_seats > TEAMS and int(self.rules.open_team):
            self.partner = (viewer + TEAMS) % self.num_seats

    def lines(self) -> list[str]:
        """The whole table."""
        rule = "-" * WIDTH
        parts = [*wrapped(self.header()), rule]
        for room in range(int(self.rules.num_rooms)):
            parts += self.room(room)
        parts.append(rule)
        for seat in range(self.num_seats):
            parts += self.seat(seat)
        return [*parts, rule, *self.discards(), rule, *wrapped(self.question(), "")]

    def header(self) -> str:
        """Round, clock, keys."""
        s, r = self.s, self.rules
        sudden = f", sudden death {int(s.sudden)}" if int(s.sudden) else ""
        keys = ", ".join(f"{name} {int(s.keys[team])}" for team, name in enumerate(TEAM_NAMES))
        words = [f"{self.title}: round {int(s.round_no)} of at most {int(r.max_rounds)}{sudden}"]
        words += [f"tick {int(s.tick)} of {int(r.round_ticks)}", f"keys ({int(r.keys_to_win)} win): {keys}"]
        return "; ".join(words)

    # --- rooms

    def room(self, room: int) -> list[str]:
        """One room with both sides, or only that of the team that has claimed it."""
        s = self.s
        number, owner = int(s.bedroom[room]), int(s.claimed[room])
        if number == NO_ROOM:
            return []
        bedroom = self.names.file.bedrooms[number]
        head = f"ROOM {room + 1}: {bedroom.id} (level {bedroom.level})"
        if owner != NOBODY:
            head += f", claimed by the {TEAM_NAMES[owner]}{' with a wrong row' if int(s.mistake[room]) else ''}"
        lines = wrapped(head)
        for team, name in enumerate(TEAM_NAMES):
            if owner in (NOBODY, team):
                sequence = f"  {name:<{max(map(len, TEAM_NAMES))}}  {symbols_text(bedroom.sequence_of(name))}"
                lines += wrapped("; ".join([sequence, self.row(team, room), *self.traps(team, room)]), INDENT * 2)
        return lines

    def row(self, team: int, room: int) -> str:
        """The cards of a row, and how far it is."""
        s = self.s
        cards = [self.labels[team][int(card)] for card in s.row[team, room, : int(s.row_n[team, room])]]
        if not cards:
            return "no cards"
        readings = readings_of(s.open[team, room])
        symbols, length = int(s.row_sym[team, room]), int(self.rules.bedrooms[int(s.bedroom[room]), LENGTH])
        if not readings:
            state = f"{symbols} of {length}, wrong"
        elif symbols == length:
            state = "complete"
        else:
            state = f"{symbols} of {length} from the {' or the '.join(readings)}"
        return f"row {', '.join(cards)}: {state}"

    def traps(self, team: int, room: int) -> list[str]:
        """The traps on a team's side of a room, and what is paid for the top one."""
        s = self.s
        ids = self.names.cards[1 - team].ids
        traps = [ids[int(card)] for card in s.trap[team, room, : int(s.trap_n[team, room])]][::-1]
        if not traps:
            return []
        paid = f": {int(s.paid[team, room])} of {TRAP_PRICE} paid" if int(s.paid[team, room]) else ""
        return [f"trapped by {' on '.join(traps)}{paid}"]

    # --- a seat

    def seat(self, seat: int) -> list[str]:
        """One seat: its cards, what it did last, what it does."""
        s = self.s
        shown = seat == self.actor and self.viewer in (None, seat)
        head = f"{'>' if shown else ' '} {self.names.agents[seat].upper()}{' (you)' if seat == self.viewer else ''}: "
        words = [f"hand {int(s.hand_n[seat])}{' face down' if int(s.face_down[seat]) else ''}"]
        words += [f"sleeve {int(s.sleeve_n[seat])}", f"deck {int(s.deck_n[seat])}"]
        if self.num_seats == TEAMS:
            words.append("second deck there" if int(s.deck_n[TEAMS + seat]) else "second deck taken")
        lines = wrapped(head + "; ".join([", ".join(words), *self.pace(seat), *self.last(seat)]), INDENT * 2)
        for text in (self.under_way(seat), self.hand(seat), self.sleeve(seat), *self.decks(seat)):
            lines += wrapped(INDENT + text, INDENT * 2) if text else []
        return lines

    def pace(self, seat: int) -> list[str]:
        """How fast a seat is, if the seats differ in that."""
        r = self.rules
        speeds = [(int(r.pace[k]), int(r.reaction[k]), int(r.jitter[k])) for k in range(self.num_seats)]
        if len(set(speeds)) == 1:
            return []
        pace, reaction, jitter = speeds[seat]
        return [f"pace {pace} %, reaction {reaction}, jitter {jitter}"]

    def last(self, seat: int) -> list[str]:
        """The last act of a seat that was seen."""
        s, kind = self.s, int(self.s.l_kind[seat])
        if kind == IDLE:
            return []
        room = f" in room {int(s.l_room[seat]) + 1}" if kind in ROOM_ACTS else ""
        lost = ", too late" if int(s.l_lost[seat]) else ""
        return [f"last {KINDS[kind]}{room}{lost}, at tick {int(s.l_tick[seat])}"]

    def under_way(self, seat: int) -> str:
        """The act of a seat; of a partner, where an option shows it, its kind and room."""
        s, kind = self.s, int(self.s.p_kind[seat])
        if self.viewer in (None, seat):
            if kind == IDLE:
                return ""
            act = (int(s.p_card[seat]), int(s.p_room[seat]), int(s.p_side[seat]))
            return f"under way: {self.names.act_text(seat, kind, *act)}, lands at tick {int(s.p_due[seat])}"
        if seat != self.partner:
            return ""
        room = f" in room {int(s.p_room[seat]) + 1}" if kind in ROOM_ACTS else ""
        return f"under way: {KINDS[kind]}{room}" if kind != IDLE else "idle"

    def hand(self, seat: int) -> str:
        """The hand as far as the viewer can tell it; a hand that lies face down nobody sees."""
        s, labels = self.s, self.labels[seat % TEAMS]
        seen = self.viewer in (None, seat) or seat == self.partner
        if self.viewer is not None and int(s.face_down[seat]):
            seen = False
        counts = s.hand[seat] if seen else s.known[seat]
        cards = [label for label, count in zip(labels, counts, strict=False) for _ in range(int(count))]
        if not seen and not cards:
            return ""
        hidden = int(s.hand_n[seat]) - len(cards)
        words = [listed(cards)] if cards else []
        words += [f"{hidden} hidden"] if hidden else []
        return f"hand: {', '.join(words)}" if words else ""

    def sleeve(self, seat: int) -> str:
        """The sleeve."""
        labels = self.labels[seat % TEAMS]
        cards = [label for label, count in zip(labels, self.s.sleeve[seat], strict=False) for _ in range(int(count))]
        return f"sleeve: {listed(cards)}" if cards else ""

    def decks(self, seat: int) -> list[str]:
        """The tops of a seat's decks, which only those see who see everything."""
        if self.viewer is not None:
            return []
        owners = {"deck": seat} | ({"second deck": TEAMS + seat} if self.num_seats == TEAMS else {})
        found = []
        for word, owner in owners.items():
            size = int(self.s.deck_n[owner])
            ids = self.names.of_seat(owner).ids
            top = [ids[int(card)] for card in self.s.deck[owner, :size][::-1][:SHOWN_CARDS]]
            if top:
                found.append(f"{word}, top first: {', '.join(top)}{', ...' if size > SHOWN_CARDS else ''}")
        return found

    # --- the rest

    def discards(self) -> list[str]:
        """The discards of each team."""
        lines = []
        for team, name in enumerate(TEAM_NAMES):
            cards = self.names.listed(team, discards_of(self.s, self.rules, team))
            lines += wrapped(f"discards of the {name} ({len(cards)}){': ' if cards else ''}{listed(cards)}")
        return lines

    def question(self) -> str:
        """Who is asked for what; that another seat is idle, or which card it has picked, a viewer cannot know."""
        s = self.s
        if self.actor == NOBODY:
            return self.ending()
        if self.viewer not in (None, self.actor):
            return "Another seat is asked."
        who = "You are" if self.viewer == self.actor else f"{self.names.agents[self.actor]} is"
        if int(s.picked) == NO_CARD:
            return f"{who} asked to act."
        return f"{who} asked for the target of {self.names.of_seat(self.actor).ids[int(s.picked)]}."

    def ending(self) -> str:
        """How the game ended."""
        if int(self.s.truncated):
            return "The game was cut off at the round limit."
        winner = 0 if int(self.s.keys[0]) > int(self.s.keys[1]) else 1
        return f"The game is over: the {TEAM_NAMES[winner]} won with {counted(int(self.s.keys[winner]), 'key')}."
