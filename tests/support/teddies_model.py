"""The rules of Teddies vs Monsters in plain words, read from the card file and from positions alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import yaml

from cardzoo.envs import Game, load
from cardzoo.envs.teddies_vs_monsters.game import TeddiesVsMonsters
from tests.support.teddies_vs_monsters import CUSTOM_CARDS

TEAMS = ("teddies", "monsters")
REACTING = ("place", "attack", "bomb", "trap", "disarm", "claim", "call")
TWO_ROUNDS: dict[str, Any] = {"keys_to_win": 2, "max_rounds": 2, "max_sudden": 1}
LAST_DEAL: dict[str, Any] = {"keys_to_win": 1, "max_rounds": 1, "max_sudden": 0}
OURS: dict[str, Any] = {"bedroom": "b1_01", "claimed": "teddies", "teddies": {"row": ["heart", "star", "moon"]}}
THEIRS: dict[str, Any] = {"bedroom": "b1_02", "claimed": "monsters", "monsters": {"row": ["slime", "eye", "fang"]}}
GAMES: dict[str, dict[str, Any]] = {
    **TeddiesVsMonsters.variants,
    "four_never": {"seats": 4, "partner_sleeve": "never", "late_cards": "returned"},
    "completion": {"sudden_death_win": "completion", "late_cards": "returned"},
    "stopped": {"stall_result": "most_rooms", "play_out": True, "round_ticks": 500, "levels": [2]},
    "custom": {"cards": CUSTOM_CARDS, "levels": [1, 2, 3]},
    "custom_four": {"cards": CUSTOM_CARDS, "levels": [3], "seats": 4, "partner_sleeve": "always"},
    "custom_mistakes": {"cards": CUSTOM_CARDS, "levels": [1, 3], "allow_mistakes": True, "sleeve_size": 2},
}


@dataclass(frozen=True)
class Card:
    """What the card file says that a card can do."""

    fill: tuple[str, ...] = ()
    colour: str | None = None
    strike: str | None = None
    blast: bool = False
    snare: str | None = None
    pay: int = 0
    unlock: str | None = None


def read_card(entry: Mapping[str, Any]) -> Card:
    """A card of the file, by its kind or by its own effects."""
    colour, symbols = entry.get("colour"), tuple(entry.get("symbols", ()))
    if "effects" not in entry:
        return {
            "symbol": Card(symbols, colour, pay=1),
            "character": Card(symbols, colour, strike=colour, pay=2, unlock=colour),
            "bomb": Card(blast=True),
            "trap": Card(colour=colour, snare=colour, unlock="any"),
        }[entry["kind"]]
    card = Card(colour=colour)
    for effect in entry["effects"]:
        verb, *words = re.findall(r"\w+", effect)
        value = {"fill": tuple(words), "blast": True, "pay": int(words[0]) if verb == "pay" else 0}
        card = replace(card, **{verb: value.get(verb, words[0] if words else None)})
    return card


def match(one: str | None, other: str | None) -> bool:
    """Symbols or colours that are the same, or of which one is `any`; no colour matches nothing."""
    return one is not None and other is not None and (one == other or "any" in (one, other))


@dataclass
class Side:
    """A team's side of a room; the traps are the other team's, top first."""

    row: list[str]
    traps: list[str]
    paid: int


@dataclass
class Room:
    bedroom: str
    claimed: str | None
    mistake: bool
    sides: dict[str, Side]


@dataclass
class Seat:
    """A seat; decks top first, other cards sorted; what a person at the table saw it do last."""

    team: str
    hand: list[str]
    sleeve: list[str]
    deck: list[str]
    reserve: Any
    down: bool
    used: list[str]
    known: list[str]
    last: Any
    act: str | None
    lands: int


@dataclass
class Table:
    """A game, as a position tells it."""

    tick: int
    round: int
    sudden: int
    keys: dict[str, int]
    rooms: dict[str, Room]
    seats: list[Seat]
    picked: str | None
    actor: int | None
    cut: bool = False
    dealt: bool = field(default=False, compare=False)  # a new deal followed: cards and bedrooms are anybody's guess

    def copy(self) -> Table:
        """A table that shares nothing that changes."""
        rooms = {
            number: replace(
                room, sides={t: Side([*side.row], [*side.traps], side.paid) for t, side in room.sides.items()}
            )
            for number, room in self.rooms.items()
        }
        lists = ("hand", "sleeve", "deck", "used", "known")
        seats = [replace(seat, **{name: [*getattr(seat, name)] for name in lists}) for seat in self.seats]
        return replace(self, keys=dict(self.keys), rooms=rooms, seats=seats)

    def score(self) -> tuple[Any, ...]:
        """What does not depend on the deal."""
        return self.round, self.sudden, self.keys, self.actor is None, self.cut


def read_table(game: Game, position: Mapping[str, Any]) -> Table:
    """The table that a dumped position tells of."""
    rooms = {
        number: Room(
            room["bedroom"],
            room["claimed"],
            room["mistake"],
            {team: Side(room[team]["row"], room[team]["traps"], room[team]["paid"]) for team in TEAMS},
        )
        for number, room in position["rooms"].items()
        if room is not None
    }
    seats = []
    for agent in game.agents:
        entry, act = position["players"][agent], position["pending"].get(agent, {"action": None, "lands": 0})
        cards = [sorted(entry[name]) for name in ("hand", "sleeve")]
        more = [sorted(entry[name]) for name in ("used", "known")]
        seats.append(
            Seat(
                agent.split("_")[0],
                *cards,
                entry["deck"],
                entry["reserve"],
                entry["face_down"],
                *more,
                entry["last"],
                act["action"],
                act["lands"],
            )
        )
    numbers = (position[name] for name in ("tick", "round", "sudden_death"))
    actor = None if position["actor"] is None else game.agents.index(position["actor"])
    return Table(*numbers, position["keys"], rooms, seats, position["picked"], actor, position["truncated"])


@cache
def read_file(text: str) -> Any:
    """A card file."""
    return yaml.safe_load(text.replace('"?"', "any"))


class Plain:
    """What is legal at a table of a game, and (jitter 0, nobody lands together) what follows."""

    def __init__(self, game: Game) -> None:
        document = read_file(game.cards.text)
        self.cards = {
            team: {entry["id"]: read_card(entry) for entry in document["types"] if entry["team"] == team}
            for team in TEAMS
        }
        self.bedrooms = {entry["id"]: entry for entry in document["bedrooms"]}
        self.options: Any = game.options

    # --- rows

    def places(self, team: str, room: Room) -> list[str]:
        """The sequence of a team in a room, from the left."""
        found: list[str] = self.bedrooms[room.bedroom][team]
        return found

    def symbols(self, team: str, row: list[str]) -> int:
        """How many symbols a row has."""
        return sum(len(self.cards[team][card].fill) for card in row)

    def follows(self, team: str, room: Room, row: list[str]) -> bool:
        """R4, R5: whether a row follows its sequence from one of the two ends; pairs lie as printed."""
        places = self.places(team, room)
        for from_left in (True, False):
            done, fits = 0, True
            for card in row:
                fill = self.cards[team][card].fill
                first = done if from_left else len(places) - done - len(fill)
                done += len(fill)
                fits &= done <= len(places) and all(match(s, places[first + k]) for k, s in enumerate(fill))
                if not fits:
                    break
            if fits:
                return True
        return False

    def complete(self, team: str, room: Room) -> bool:
        """Whether the row is the exact sequence."""
        row = room.sides[team].row
        return self.symbols(team, row) == len(self.places(team, room)) and self.follows(team, room, row)

    def first_wrong(self, team: str, room: Room) -> int | None:
        """R23: the lowest card up to which a row follows neither reading."""
        row = room.sides[team].row
        return next((k for k in range(len(row)) if not self.follows(team, room, row[: k + 1])), None)

    # --- what is legal

    def is_target(self, table: Table, team: str, name: str, block: str, number: str) -> bool:
        """Whether a card of a team can be used on the own row (`own`), the foe's side or the own traps of a room."""
        card, room = self.cards[team][name], table.rooms[number]
        foe = TEAMS[1 - TEAMS.index(team)]
        mine, theirs = room.sides[team], room.sides[foe]
        if room.claimed is not None:
            return False
        if block == "own":
            if not card.fill or mine.traps:
                return False
            if self.options["allow_mistakes"]:
                return self.symbols(team, mine.row) < len(self.places(team, room))
            return self.follows(team, room, [*mine.row, name])
        if block == "foe":
            return (
                any(match(card.strike, self.cards[foe][other].colour) for other in theirs.row)
                or (card.blast and len(theirs.row) > 0)
                or (card.snare is not None and len(theirs.traps) < 10)
            )
        return len(mine.traps) > 0 and (card.pay > 0 or match(card.unlock, self.cards[foe][mine.traps[0]].snare))

    def targets(self, table: Table, team: str, name: str) -> list[str]:
        """All targets of a card, as `own 1`."""
        blocks = ("own", "foe", "trap")
        return [f"{b} {n}" for b in blocks for n in table.rooms if self.is_target(table, team, name, b, n)]

    def partner(self, table: Table, seat: int) -> Seat | None:
        """R15: the partner whose sleeve a seat may use."""
        own, rule = table.seats[seat], self.options["partner_sleeve"]
        if len(table.seats) == 2 or rule == "never":
            return None
        out = not own.hand and not own.sleeve and not own.deck
        return table.seats[(seat + 2) % 4] if rule == "always" or out else None

    def may_claim(self, table: Table, team: str, number: str) -> bool:
        """R9, R11, R22."""
        room = table.rooms[number]
        if room.claimed is not None or (self.options["trap_blocks_claim"] and room.sides[team].traps):
            return False
        if self.options["allow_mistakes"]:
            return self.symbols(team, room.sides[team].row) >= len(self.places(team, room))
        return self.complete(team, room)

    def may_call(self, table: Table, team: str, number: str) -> bool:
        """R23: whether there is a mistake to call in a team's row."""
        room = table.rooms[number]
        wrong = room.claimed is None and self.first_wrong(team, room) is not None
        return bool(self.options["allow_mistakes"]) and wrong

    def draws(self, seat: Seat) -> set[str]:
        """R13, R14: what can be drawn."""
        found = set()
        if seat.deck and len(seat.hand) < self.options["hand_size"] and not seat.down:
            found.add("draw hand")
        if seat.deck and len(seat.sleeve) < self.options["sleeve_size"]:
            found.add("draw sleeve")
        if not seat.deck and seat.reserve:
            found.add("take deck")
        return found

    def legal(self, table: Table, seat: int) -> set[str]:
        """The texts of all that an idle seat may do."""
        own = table.seats[seat]
        foe = TEAMS[1 - TEAMS.index(own.team)]
        if table.picked is not None and seat == table.actor:
            return {f"to {target}" for target in self.targets(table, own.team, table.picked)}
        cards = {*own.sleeve, *([] if own.down else own.hand)}
        found = {"wait", *self.draws(own), *(f"discard {card}" for card in cards)}
        partner = self.partner(table, seat)
        cards |= set(partner.sleeve) if partner else set()
        found |= {f"play {card}" for card in cards if self.targets(table, own.team, card)}
        for number in table.rooms:
            if self.may_claim(table, own.team, number):
                found.add(f"claim {number}")
            if self.may_call(table, own.team, number):
                found.add(f"call own {number}")
            if self.options["call_by"] == "any" and self.may_call(table, foe, number):
                found.add(f"call foe {number}")
        return found | ({"look"} if own.down else set())

    def asked(self, table: Table) -> int | None:
        """R26: the lowest idle seat with more to do than to wait."""
        idle = [k for k, seat in enumerate(table.seats) if seat.act is None]
        return next((k for k in idle if len(self.legal(table, k)) > 1), None)

    # --- acts

    def act(self, team: str, card: str, target: str) -> str:
        """The act of using a card on a target, in full."""
        block, number = target.split()
        printed = self.cards[team][card]
        against = "attack" if printed.strike else "bomb" if printed.blast else "trap"
        return f"{ {'own': 'place', 'foe': against, 'trap': 'disarm'}[block] } {card} {number}"

    def ticks(self, seat: int, act: str) -> int:
        """How long an act takes without jitter."""
        kind = act.split()[0]
        ticks: int = max(1, (self.options["tempo"][kind] * self.options["pace"][seat] + 50) // 100)
        return ticks + (self.options["reaction"][seat] if kind in REACTING else 0)

    def commit(self, table: Table, seat: int, act: str) -> None:
        """A seat begins an act."""
        table.seats[seat].act, table.seats[seat].lands = act, table.tick + self.ticks(seat, act)

    def after(self, table: Table, action: str) -> Table:
        """The table at the next decision after an action, or at the end of the game or of the deal."""
        table = table.copy()
        seat = table.actor
        assert seat is not None
        team, (word, *rest) = table.seats[seat].team, action.split()
        if word == "play":
            targets = self.targets(table, team, rest[0])
            if len(targets) > 1:
                table.picked = rest[0]
                return table
            self.commit(table, seat, self.act(team, rest[0], targets[0]))
        elif word == "to":
            assert table.picked is not None
            self.commit(table, seat, self.act(team, table.picked, " ".join(rest)))
            table.picked = None
        else:
            self.commit(table, seat, action)
        self.go_on(table)
        return table

    def go_on(self, table: Table) -> None:
        """R1, R2, R17, R26: ask, or run on to the next landing, until somebody has a choice or the deal is over."""
        while True:
            table.actor = self.asked(table)
            if table.actor is not None:
                return
            for number, seat in enumerate(table.seats):
                if seat.act is None:
                    self.commit(table, number, "wait")
            stalled = all(seat.act == "wait" for seat in table.seats) and all(
                len(self.legal(table, number)) == 1 for number in range(len(table.seats))
            )
            due = min(seat.lands for seat in table.seats)
            if stalled or due > self.options["round_ticks"]:
                most = not table.sudden and self.options["stall_result"] == "most_rooms"
                self.end(table, self.leader(table) if most else "tie")
                return
            table.tick = due
            landing = [number for number, seat in enumerate(table.seats) if seat.lands == due]
            assert len(landing) == 1, "the order of landings is drawn"
            self.land(table, landing[0])
            table.seats[landing[0]].act, table.seats[landing[0]].lands = None, 0
            winner = self.decided(table)
            if winner is not None:
                self.end(table, winner)
                return

    # --- landings

    def land(self, table: Table, number: int) -> None:
        """The act of a seat lands."""
        seat = table.seats[number]
        assert seat.act is not None
        kind, *words = seat.act.split()
        seen: str | None = None  # the room of an act that people see, "" for an act without one
        lost = False
        if kind in ("place", "attack", "bomb", "trap", "disarm"):
            done = self.use_at(table, number, kind, *words)
            seen, lost = (None if done == "nothing" else words[1]), done == "lost"
        elif kind == "discard" and self.take(table, number, words[0], False):
            seen = ""
        elif kind == "claim" and self.may_claim(table, seat.team, words[0]):
            room = table.rooms[words[0]]
            room.claimed, room.mistake = seat.team, not self.complete(seat.team, room)
            room.sides[TEAMS[1 - TEAMS.index(seat.team)]].row.clear()
            for side in room.sides.values():
                side.traps, side.paid = [], 0
            seen = words[0]
        elif kind == "call":
            team = seat.team if words[0] == "own" else TEAMS[1 - TEAMS.index(seat.team)]
            if self.may_call(table, team, words[1]):
                room = table.rooms[words[1]]
                del room.sides[team].row[self.first_wrong(team, room) :]
                seen = words[1]
        elif kind in ("draw", "take") and " ".join((kind, *words)) in self.draws(seat):
            if kind == "take":
                seat.deck, seat.reserve, seat.known = seat.reserve, False, [*seat.hand]
            else:
                zone = getattr(seat, words[0])
                zone.append(seat.deck.pop(0))
                zone.sort()
            seen = ""
        elif kind == "look":
            seat.down, seen = False, ""
        if seen is not None:
            seat.last = {"action": kind, "room": int(seen) if seen else None, "lost": lost, "tick": table.tick}

    def take(self, table: Table, number: int, card: str, partner: bool) -> bool:
        """R12: a card leaves the own sleeve, else the own hand, else the partner's sleeve; False if it is nowhere."""
        seat = table.seats[number]
        other = self.partner(table, number) if partner else None
        if card in seat.sleeve:
            seat.sleeve.remove(card)
            seat.used = sorted([*seat.used, card])
        elif card in seat.hand and not seat.down:
            seat.hand.remove(card)
            seat.used = sorted([*seat.used, card])
            if card in seat.known:
                seat.known.remove(card)
        elif other is not None and card in other.sleeve:
            other.sleeve.remove(card)
            other.used = sorted([*other.used, card])
        else:
            return False
        return True

    def use_at(self, table: Table, number: int, kind: str, card: str, where: str) -> str:
        """R6, R7: a card is used in a room, or lost, or nothing happens."""
        seat, room = table.seats[number], table.rooms[where]
        block = {"place": "own", "disarm": "trap"}.get(kind, "foe")
        possible = self.is_target(table, seat.team, card, block, where)
        if not possible and room.claimed is None and self.options["late_cards"] == "returned":
            return "nothing"
        if not self.take(table, number, card, True):
            return "nothing"
        if not possible:
            return "lost"
        foe = TEAMS[1 - TEAMS.index(seat.team)]
        mine, theirs, printed = room.sides[seat.team], room.sides[foe], self.cards[seat.team][card]
        if kind == "place":
            mine.row.append(card)
        elif kind == "attack":
            hit = [match(printed.strike, self.cards[foe][other].colour) for other in theirs.row]
            del theirs.row[hit.index(True) :]
        elif kind == "bomb":
            theirs.row.clear()
        elif kind == "trap":
            theirs.traps.insert(0, card)
        else:
            mine.paid += printed.pay
            if match(printed.unlock, self.cards[foe][mine.traps[0]].snare) or mine.paid >= 3:
                del mine.traps[0]
                mine.paid = 0
        return "used"

    # --- the end of a deal

    def leader(self, table: Table) -> str:
        """The team with more right rooms."""
        right = Counter(room.claimed for room in table.rooms.values() if not room.mistake)
        one, two = (right[team] for team in TEAMS)
        return "tie" if one == two else TEAMS[two > one]

    def decided(self, table: Table) -> str | None:
        """R16, R19, R20, R24: who takes the key, or a tie; None while the deal goes on."""
        rooms = table.rooms.values()
        owners = Counter(room.claimed for room in rooms)
        wrong = any(room.mistake for room in rooms)
        discount = self.options["review"] == "discount"
        if table.sudden:
            if self.options["sudden_death_win"] == "completion":
                for room in rooms:
                    for team in TEAMS:
                        if room.claimed is None and self.complete(team, room):
                            return team
            for room in rooms:
                if room.claimed is not None and not room.mistake:
                    return room.claimed
            return "tie" if (wrong and not discount) or not owners[None] else None
        most = max(owners[team] for team in TEAMS)
        if owners[None] and (self.options["play_out"] or 2 * most < len(rooms)):
            return None
        return "tie" if wrong and not discount else self.leader(table)

    def end(self, table: Table, winner: str) -> None:
        """R18, R19, and the end of the game."""
        table.actor, table.dealt, table.picked = None, True, None
        for seat in table.seats:
            seat.act, seat.lands = None, 0
        if winner == "tie" and table.sudden < self.options["max_sudden"]:
            table.sudden += 1
            table.actor = 0
            return
        if winner != "tie":
            table.keys[winner] += 1
        if max(table.keys.values()) < self.options["keys_to_win"]:
            if table.round >= self.options["max_rounds"]:
                table.cut = True
            else:
                table.round, table.sudden, table.actor = table.round + 1, 0, 0
        table.dealt = table.actor is not None

    # --- counts

    def sequences(self, table: Table, depth: int) -> int:
        """Sequences of so many choices; no new deal may be reached."""
        assert not table.dealt
        if table.actor is None:
            return 0
        legal = self.legal(table, table.actor)
        return len(legal) if depth == 1 else sum(self.sequences(self.after(table, a), depth - 1) for a in legal)


# Without jitter, with durations that are multiples of the number of seats, and with a seat each that begins at tick
# 0, 1, .., no two acts of a deal land together, so that nothing is drawn.
APART: dict[int, dict[str, Any]] = {
    2: {"jitter": 0, "tempo": {"draw": 6}},
    4: {"jitter": 0, "tempo": {"place": 12, "trap": 12, "draw": 8, "call": 16, "look": 12}},
}


@cache
def game_apart(name: str) -> Game:
    """A game whose acts never land together, if the seats begin as `begin_apart` says; most games have short rows."""
    levels = {} if name in ("default", "four") else {"levels": [1]}
    options = {**levels, **GAMES[name], **TWO_ROUNDS, **APART[GAMES[name].get("seats", 2)]}
    return load("teddies_vs_monsters", **options | ({"pace": [100, 200]} if "pace" in options else {}))


def begin_apart(game: Game) -> dict[str, Any]:
    """The first seat is asked at tick 0, the second at 1, and so on."""
    return {agent: {"action": "wait", "lands": seat} for seat, agent in enumerate(game.agents) if seat}
