"""What is legal and what follows, told by a plain model; counts of move sequences; mirrored games; random play."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import yaml

from cardzoo.envs import BatchEnv, Game, State, load
from cardzoo.envs.teddies_vs_monsters.game import TeddiesVsMonsters
from tests.support.counting import perft, slow_perft
from tests.support.players import error_of
from tests.support.teddies_vs_monsters import CUSTOM_CARDS

TEAMS = ("teddies", "monsters")
REACTING = ("place", "attack", "bomb", "trap", "disarm", "claim", "call")
TWO_ROUNDS: dict[str, Any] = {"keys_to_win": 2, "max_rounds": 2, "max_sudden": 1}
GAMES: dict[str, dict[str, Any]] = {
    **TeddiesVsMonsters.variants,
    "four_never": {"seats": 4, "partner_sleeve": "never", "late_cards": "returned"},
    "completion": {"sudden_death_win": "completion", "late_cards": "returned"},
    "stopped": {"stall_result": "most_rooms", "play_out": True, "round_ticks": 500, "levels": [2]},
    "custom": {"cards": CUSTOM_CARDS, "levels": [1, 2, 3]},
    "custom_four": {"cards": CUSTOM_CARDS, "levels": [3], "seats": 4, "partner_sleeve": "always"},
    "custom_mistakes": {"cards": CUSTOM_CARDS, "levels": [1, 3], "allow_mistakes": True, "sleeve_size": 2},
}


# --- the rules in plain words, read from the card file and from positions alone


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


# --- what is legal, and who is asked


def check_mask(state: State, plain: Plain, table: Table) -> None:
    """The mask is what the rules say and its count is right; who is asked has a choice and is the first who has."""
    legal = plain.legal(table, table.actor or 0)
    assert set(state.legal_texts()) == legal, state.to_position()
    game, mask = state.game, np.ones(state.game.num_actions, np.bool_)
    assert game.kernels.legal(state.states, 0, game.rules, mask) == mask.sum() == len(legal)
    assert len(legal) > 1
    assert table.actor == next(number for number, seat in enumerate(table.seats) if seat.act is None)


@pytest.mark.parametrize("name", GAMES)
def test_the_mask_is_what_the_rules_say_and_nobody_is_asked_what_has_one_answer(name: str) -> None:
    """R2, R3 to R5, R8 to R10, R13 to R15, R22, R23, R26, also where several seats are idle, as when a deal begins."""
    game = game_apart(name)
    plain = Plain(game)
    seed = list(GAMES).index(name)
    state = game.new_state(seed)
    rng = np.random.default_rng(seed)
    for _ in range(60):
        if state.is_over:
            break
        check_mask(state, plain, read_table(game, state.to_position()))
        state.apply(str(rng.choice(state.legal_texts())))


# --- what follows


@pytest.mark.parametrize("deals", [1, pytest.param(20, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", GAMES)
def test_what_follows_is_what_the_rules_say(name: str, deals: int) -> None:
    """Random deals, every number of the position: R1, R2, R4, R6 to R14, R17 to R20, R22 to R24, keys, the end.

    Ordinary deals and sudden deaths by turns; every second game begins with a sudden death.
    """
    game = game_apart(name)
    plain = Plain(game)
    first = list(GAMES).index(name)
    for seed in range(first, first + deals):
        rng = np.random.default_rng(seed)
        sudden = seed % 2
        at = {"seed": seed, "round": 1 + sudden, "sudden_death": sudden, "keys": {"teddies": 1}}
        state = game.from_position({**at, "pending": begin_apart(game)})
        table = read_table(game, state.to_position())
        while table.actor is not None:
            check_mask(state, plain, table)
            action = str(rng.choice(state.legal_texts()))
            expected = plain.after(table, action)
            state.apply(action)
            table = read_table(game, state.to_position())
            assert table.score() == expected.score()
            if expected.dealt:
                break
            assert table == expected
        mask = np.ones(game.num_actions, np.bool_)
        assert (game.kernels.legal(state.states, 0, game.rules, mask) == 0) == state.is_over == (not mask.any())


# --- counts of move sequences

LAST_DEAL: dict[str, Any] = {"keys_to_win": 1, "max_rounds": 1, "max_sudden": 0}
OURS: dict[str, Any] = {"bedroom": "b1_01", "claimed": "teddies", "teddies": {"row": ["heart", "star", "moon"]}}
THEIRS: dict[str, Any] = {"bedroom": "b1_02", "claimed": "monsters", "monsters": {"row": ["slime", "eye", "fang"]}}
PERFT: tuple[tuple[str, dict[str, Any], dict[str, Any], list[int]], ...] = (
    (
        "two seats: places, an attack, a bomb, payments for a trap, a draw, the second deck, claims, the end",
        {},
        {
            "rooms": {
                "1": {
                    "bedroom": "b2_01",
                    "teddies": {"row": ["heart", "moon", "star"]},
                    "monsters": {"row": ["claw", "yellow_ogre"]},
                },
                "2": {"bedroom": "b2_05", "teddies": {"traps": ["red_web"], "paid": 2}},
                "3": THEIRS,
            },
            "players": {
                "teddies_0": {"hand": ["yellow_baker"], "sleeve": ["honey"], "deck": ["star"], "reserve": False},
                "monsters_0": {"hand": ["slime_bomb"], "sleeve": ["fang"], "deck": [], "reserve": ["eye"]},
            },
        },
        [7, 34, 196, 930, 3931, 16545, 66242, 262499, 1081828],
    ),
    (
        "two seats that make mistakes: wrong cards, calls, a wrong claim, the review, a row too long",
        {"allow_mistakes": True, "trap_blocks_claim": True, "late_cards": "returned"},
        {
            "rooms": {
                "1": {"bedroom": "b2_01", "teddies": {"row": ["heart", "star", "moon"]}, "monsters": {"row": ["fang"]}},
                "2": OURS,
                "3": THEIRS,
            },
            "players": {
                "teddies_0": {"hand": ["blue_baker", "star"], "sleeve": [], "deck": [], "reserve": False},
                "monsters_0": {"hand": ["green_web"], "sleeve": ["claw"], "deck": [], "reserve": False},
            },
        },
        [6, 36, 164, 716, 2712, 9730, 30716, 89685, 238453],
    ),
    (
        "four seats: partners collide and claim, a seat that is out plays from its partner's sleeve",
        {},
        {
            "rooms": {
                "1": {"bedroom": "b2_01", "teddies": {"row": ["heart", "moon"]}, "monsters": {"row": ["claw"]}},
                "2": OURS,
                "3": {**OURS, "bedroom": "b1_05", "teddies": {"row": ["heart", "heart", "moon"]}},
                "4": THEIRS,
                "5": {**THEIRS, "bedroom": "b1_03", "monsters": {"row": ["eye", "fang", "claw"]}},
            },
            "players": {
                "teddies_0": {"hand": ["star"], "sleeve": ["honey"], "deck": []},
                "monsters_0": {"hand": ["eye"], "sleeve": [], "deck": ["purple_web"]},
                "teddies_1": {"hand": [], "sleeve": [], "deck": []},
                "monsters_1": {"hand": [], "sleeve": ["eye"], "deck": []},
            },
        },
        [4, 20, 60, 194, 687, 2204, 6491, 16755, 39095],
    ),
    (
        "four seats that make mistakes: face-down hands, own mistakes called, wrong rooms that count for nobody",
        {"allow_mistakes": True, "call_by": "owner", "review": "discount", "start_hand": "face_down"},
        {
            "rooms": {
                "1": {
                    "bedroom": "b1_04",
                    "teddies": {"row": ["honey", "star"]},
                    "monsters": {"row": ["slime", "fang"]},
                },
                "2": OURS,
                "3": {**OURS, "bedroom": "b1_05", "teddies": {"row": ["heart", "heart", "moon"]}},
                "4": THEIRS,
                "5": {**THEIRS, "bedroom": "b1_03", "monsters": {"row": ["eye", "fang", "claw"]}},
            },
            "players": {
                "teddies_0": {"hand": ["star"], "sleeve": [], "deck": []},
                "monsters_0": {"hand": ["eye"], "sleeve": ["claw"], "deck": [], "face_down": False},
                "teddies_1": {"hand": [], "sleeve": ["red_yarn"], "deck": []},
                "monsters_1": {"hand": [], "sleeve": [], "deck": []},
            },
        },
        [3, 18, 90, 360, 1390, 5368, 19014, 64137, 206942],
    ),
)


@pytest.mark.parametrize(
    ("options", "position", "counts"), [case[1:] for case in PERFT], ids=[case[0] for case in PERFT]
)
def test_perft(options: dict[str, Any], position: dict[str, Any], counts: list[int]) -> None:
    """Numbers of legal move sequences, which pin the mask and the rules at once; nothing in them is random.

    The first four are those of the plain model above, too. A sequence that reaches the end of the deal goes no further.
    """
    seats = len(position["players"])
    game = load("teddies_vs_monsters", seats=seats, **options, **LAST_DEAL, **APART[seats])
    state = game.from_position({**position, "pending": begin_apart(game)})
    plain, table = Plain(game), read_table(game, state.to_position())
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts
    assert [plain.sequences(table, depth) for depth in range(1, 5)] == counts[:4]
    assert slow_perft(state, 4) == counts[3]


# --- the teams are alike


@cache
def twins(game: Game) -> dict[str, str]:
    """Words of positions by what they are called with the teams exchanged: every seat becomes the one after it."""
    document = read_file(game.cards.text)
    own, other = ([entry["id"] for entry in document["types"] if entry["team"] == team] for team in TEAMS)
    words = {**dict(zip(own, other, strict=True)), **dict(zip(other, own, strict=True))}
    beds = {(*entry["teddies"], *entry["monsters"]): entry["id"] for entry in document["bedrooms"]}
    for entry in document["bedrooms"]:
        swapped = [words.get(symbol, symbol) for symbol in (*entry["monsters"], *entry["teddies"])]
        words[entry["id"]] = beds[tuple(swapped)]
    words |= {"teddies": "monsters", "monsters": "teddies"}
    return words | {agent: game.agents[(seat + 1) % game.num_seats] for seat, agent in enumerate(game.agents)}


def mirrored(value: Any, words: Mapping[str, str]) -> Any:
    """A position, or a part of one, with the teams exchanged."""
    if isinstance(value, dict):
        return {mirrored(key, words): mirrored(inner, words) for key, inner in value.items()}
    if isinstance(value, list):
        return [mirrored(inner, words) for inner in value]
    return " ".join(words.get(word, word) for word in value.split()) if isinstance(value, str) else value


EVERY = 10  # whole tables are compared at ticks that are multiples; what seats see always is


@dataclass
class Played:
    """A deal that was played: what each seat saw and did, the table at some ticks, and how it ended."""

    seats: dict[int, list[tuple[Any, ...]]]
    tables: dict[int, dict[str, Any]]
    end: dict[str, Any]


def play_deal(state: State, seed: int, shift: int, first: int) -> Played:
    """Play a deal at random.

    Args:
        state: the deal.
        seed: of the choices; each seat has a generator of its own.
        shift: what is subtracted from the number of a seat: by this number it is known, and chooses.
        first: the number of the seat that lands first where two land together (of two seats).
    """
    game, found = state.game, Played(defaultdict(list), {}, {})
    rngs = [np.random.default_rng([seed, number]) for number in range(game.num_seats)]
    jitter, record = game.options["jitter"][0], state.states[0]
    deal = (int(record.round_no), int(record.sudden))
    while not state.is_over and deal == (int(record.round_no), int(record.sudden)):
        seat = state.actor or 0
        number = (seat - shift) % game.num_seats
        action = int(rngs[number].choice(state.legal_actions()))
        if int(record.tick) % EVERY == 0 and int(record.tick) not in found.tables:
            position = state.to_position()
            found.tables[int(record.tick)] = {
                key: position[key] for key in ("keys", "rooms", "players", "discards", "returns")
            }
        view = (int(record.tick), state.action_mask().tobytes(), state.observe(seat).tobytes())
        found.seats[number].append((*view, action))
        tape = []
        if jitter:
            trial = state.copy()
            trial.apply(action)
            if int(trial.states[0].picked) < 0 and game.text(action, seat) != "wait":  # an act begins, with a draw
                tape = [int(rngs[number].integers(jitter + 1))]
        tape += [(first + shift) % 2] * (16 - len(tape)) if game.num_seats == 2 else []
        record.tape[: len(tape)], record.n_tape = tape, len(tape)
        state.apply(action)
        record = state.states[0]
        record.tape[:], record.n_tape = 0, 0
    position = state.to_position()
    always = ("round", "sudden_death", "keys", "over", "truncated", "returns")
    found.end = {key: position[key] for key in (*always, *(["rooms", "players", "tick"] if state.is_over else []))}
    return found


@pytest.mark.parametrize("times", [1, pytest.param(10, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("deals", "options"),
    [
        (2, {}),
        (2, {"jitter": 5, "keys_to_win": 1, "levels": [1, 2, 3], "sudden_death_win": "completion"}),
        (4, {"levels": [1], "reaction": 0, "tempo": dict.fromkeys(TeddiesVsMonsters().options["tempo"], 10)}),
        (2, {"allow_mistakes": True, "keys_to_win": 1}),
        (2, {"start_hand": "face_down", "late_cards": "returned", "levels": [3], "keys_to_win": 1}),
        (2, {"seats": 4}),
        (2, {"seats": 4, "open_team": True, "partner_sleeve": "always", "levels": [1, 3]}),
        (2, {"seats": 4, "allow_mistakes": True, "call_by": "owner", "max_rounds": 1, "max_sudden": 1}),
    ],
    ids=str,
)
def test_exchanging_the_teams_exchanges_everything(deals: int, options: dict[str, Any], times: int) -> None:
    """Cards, bedrooms, seats and draws mirrored: every seat sees and may do the same, and the deal ends the same way.

    Two seats that land together (always, where all acts take 10 ticks) do so in the order that a tape says; four are
    kept apart, in the mirrored game too.
    """
    seats = options.get("seats", 2)
    game = load("teddies_vs_monsters", **{"jitter": 0, **(APART[4] if seats == 4 else {}), **options})
    words = twins(game)
    for seed in range(deals * times):
        pending = begin_apart(game) if seats == 4 else {}
        deal = game.from_position({"seed": seed, "sudden_death": seed % 2, "pending": pending})
        position = {**deal.to_position(), "seed": 0}
        mirror = game.from_position(mirrored(position, words))
        played = [play_deal(state, seed, shift, seed // 2 % 2) for shift, state in enumerate((deal, mirror))]
        assert played[0].seats == played[1].seats
        assert mirrored(played[0].tables, words) == played[1].tables
        assert mirrored(played[0].end, words) == played[1].end
        assert set(played[0].seats) == set(range(seats))


# --- how long deals are


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"seats": 4, "pace": [100, 300, 75, 10], "round_ticks": 1001},
        {"allow_mistakes": True, "tempo": {"wait": 1}, "round_ticks": 101},
        {"start_hand": "face_down", "round_ticks": 100, "max_rounds": 2},
    ],
    ids=str,
)
def test_who_always_waits_begins_no_more_acts_than_there_are_ticks_for(options: dict[str, Any]) -> None:
    """R17: round_ticks / shortest act of them land in a deal, and one more is begun; then the next deal follows."""
    game = load("teddies_vs_monsters", **{"max_rounds": 1, "max_sudden": 1, **options})
    chosen = game.options
    state = game.new_state(0)
    begun: Counter[tuple[int, int, int]] = Counter()
    while not state.is_over:
        record = state.states[0]
        begun[int(record.round_no), int(record.sudden), state.actor or 0] += 1
        state.apply("wait")
    bounds = [
        chosen["round_ticks"] // max(1, (chosen["tempo"]["wait"] * pace + 50) // 100) + 1 for pace in chosen["pace"]
    ]
    rounds = range(1, chosen["max_rounds"] + 1)
    assert begun == {(r, sudden, seat): n for r in rounds for sudden in range(2) for seat, n in enumerate(bounds)}
    assert state.outcome is not None
    assert state.outcome.truncated


@pytest.mark.parametrize("options", [{}, {"seats": 4}, {"allow_mistakes": True, "start_hand": "face_down"}], ids=str)
def test_no_seat_begins_more_acts_in_a_deal_than_there_are_ticks_for(options: dict[str, Any]) -> None:
    """All acts as short as a wait, and a hundred ticks: random play comes close to the bound, and never above it."""
    tempo = dict.fromkeys(TeddiesVsMonsters().options["tempo"], 4)
    limits = {"round_ticks": 100, "tempo": tempo, "reaction": 0, "jitter": 0, "max_rounds": 2}
    game = load("teddies_vs_monsters", **limits, **options)
    most = 0
    for seed in range(2):
        state = game.new_state(seed)
        rng = np.random.default_rng(seed)
        begun: Counter[tuple[int, int, int]] = Counter()
        while not state.is_over:
            record, actor = state.states[0], state.actor or 0
            deal = (int(record.round_no), int(record.sudden), actor)
            state.apply(int(rng.choice(state.legal_actions())))
            begun[deal] += int(state.states[0].picked) < 0
        most = max(most, *begun.values())
    assert most == 100 // 4 + 1


LEFT: list[tuple[str, dict[str, Any], dict[str, Any], tuple[str, ...], int]] = [
    # what is left, options, position beside claimed rooms, moves of the teddies, the tick at which the round stops
    ("one card", {}, {"hand": ["heart"]}, ("discard heart",), 4),
    ("a face-down hand", {"start_hand": "face_down"}, {"hand": ["star"]}, ("look", "discard star"), 14),
    ("a card in the deck", {"sleeve_size": 0}, {"deck": ["star"]}, ("draw hand", "discard star"), 9),
    ("a wrong row", {"allow_mistakes": True}, {"row": ["heart", "heart"]}, ("call own 1",), 18),
    ("a row that cannot be claimed", {"trap_blocks_claim": True}, {"row": ["heart", "moon", "star", "honey"]}, (), 0),
]


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize(("options", "left", "moves", "tick"), [case[1:] for case in LEFT], ids=[c[0] for c in LEFT])
def test_a_round_in_which_nobody_can_do_anything_stops_at_once(
    options: dict[str, Any], left: dict[str, Any], moves: tuple[str, ...], tick: int, seats: int
) -> None:
    """R17: not when its ticks are over, and not before the last seat has done what it could."""
    game = load("teddies_vs_monsters", seats=seats, jitter=0, round_ticks=30_000, **LAST_DEAL, **options)
    nothing: dict[str, Any] = {"hand": [], "sleeve": [], "deck": [], "face_down": False}
    nothing |= {"reserve": False} if seats == 2 else {}
    players = {agent: dict(nothing) for agent in game.agents}
    players["teddies_0"] |= {key: cards for key, cards in left.items() if key != "row"}
    players["teddies_0"]["face_down"] = "start_hand" in options
    side = {"row": left.get("row", []), "traps": ["red_web"] if "trap_blocks_claim" in options else []}
    rooms = {"1": {"bedroom": "b2_01", "teddies": side}, "2": OURS, "3": THEIRS}
    if seats == 4:
        rooms["4"] = {**OURS, "bedroom": "b1_05", "teddies": {"row": ["heart", "heart", "moon"]}}
        rooms["5"] = {**THEIRS, "bedroom": "b1_03", "monsters": {"row": ["eye", "fang", "claw"]}}
    pending = {agent: {"action": "wait", "lands": 20_000} for agent in game.agents[1:]}
    state = game.from_position({"rooms": rooms, "players": players, "pending": pending})
    for move in moves:
        assert not state.is_over
        state.apply(move)
    assert state.is_over
    assert state.outcome is not None
    assert state.outcome.truncated
    assert state.states[0].tick == tick


# --- figures of random play

MEASURED: dict[str, tuple[dict[str, Any], int, dict[str, float], dict[str, float]]] = {
    # options; games of another implementation of the same rules; its means, and its shares of games and of deals
    "two seats": ({}, 2000, {"decisions": 1157, "rounds": 4.12, "ticks": 976}, {"teddies": 0.509, "stalled": 0.034}),
    "four seats": (
        {"seats": 4},
        2000,
        {"decisions": 1736, "rounds": 4.13, "ticks": 676},
        {"teddies": 0.51, "stalled": 0.134},
    ),
    "level 1": (
        {"levels": [1]},
        400,
        {"decisions": 749, "rounds": 4.15, "ticks": 657},
        {"teddies": 0.47, "stalled": 0.001},
    ),
    "level 3": (
        {"levels": [3]},
        400,
        {"decisions": 1655, "rounds": 4.14, "ticks": 1257},
        {"teddies": 0.45, "stalled": 0.138},
    ),
}
DEALS = 4.2  # of a game, about
USES = {"plain": (16.5, 16.5), "any": (12.7, 12.7), "character": (1.5, 3.0), "bomb": (7.4, 7.4), "trap": (4.2, 4.3)}
"""How often a type of a kind landed in a game of two seats, all copies of both teams: lowest and highest."""


@dataclass
class Games:
    """Random games at their ends: the records, decisions of each, and how often each seat chose each action."""

    states: Any
    decisions: np.ndarray
    actions: np.ndarray  # (games, teams, actions)


def play_games(games: int, **options: Any) -> Games:
    """Random games to their ends."""
    game = load("teddies_vs_monsters", **options)
    batch = BatchEnv(game, games, seed=1, sample=True, autoreset=False)
    step = batch.reset()
    decisions, chosen = np.zeros(games), np.zeros((games, len(TEAMS), game.num_actions), np.int32)
    live = np.ones(games, np.bool_)
    while live.any():
        at, actions = np.flatnonzero(live), np.where(live, step.sampled, -1)
        decisions += live
        chosen[at, step.actor[at] % 2, actions[at]] += 1
        step = batch.step(actions)
        live &= ~step.done
    return Games(batch.states.copy(), decisions, chosen)


@pytest.mark.parametrize("name", MEASURED)
@pytest.mark.parametrize("games", [200, pytest.param(10_000, marks=pytest.mark.long)])
def test_figures_of_random_play(name: str, games: int) -> None:
    """Games are as long and as even as an independent simulation found: within four standard errors.

    The clock of a deal is seen at the end of the game, so games of one ordinary deal give those of ordinary deals, and
    games that go on to a sudden death those of the others.
    """
    options, measured, means, shares = MEASURED[name]
    found = play_games(games, **options)
    one = play_games(games, **options, **LAST_DEAL).states
    more = play_games(games, **options, **{**LAST_DEAL, "max_sudden": 9}).states
    ticks = np.concatenate([one.tick, more.tick[more.sudden > 0]])
    samples = {"decisions": found.decisions, "rounds": found.states.round_no, "ticks": ticks}
    for key, mean in means.items():
        others = measured * (DEALS if key == "ticks" else 1)
        spread = samples[key].std() * np.sqrt(1 / len(samples[key]) + 1 / others)
        rounding = 0.5 * 10.0 ** -len(str(mean).partition(".")[2])
        assert abs(samples[key].mean() - mean) < 4 * spread + rounding, key
    share = float((found.states.keys[:, 0] == 3).mean())
    assert abs(share - shares["teddies"]) < 4 * error_of(shares["teddies"], games, measured)
    assert (found.states.keys.max(axis=1) == 3).all()
    assert not found.states.truncated.any()
    stalled = one[one.truncated > 0]  # nobody took the key: with an odd number of rooms only a stop can do that
    error = error_of(shares["stalled"], games, int(measured * DEALS))
    assert abs(len(stalled) / games - shares["stalled"]) < 4 * error + 0.0005
    assert one.tick.max() < 3000
    for zone in (stalled.hand_n, stalled.sleeve_n, stalled.deck_n):
        assert not zone.any()


@pytest.mark.parametrize("games", [200, pytest.param(10_000, marks=pytest.mark.long)])
def test_every_card_is_played_as_often_as_an_independent_simulation_found(games: int) -> None:
    """Acts begun are a few more than those that land in time: up to 5 %. The teams' cards are alike."""
    found = play_games(games)
    file: Any = load("teddies_vs_monsters").cards.file
    own = [card for card in file.types if card.team == "teddies"]
    played = found.actions[:, :, : len(own)]
    for number, card in enumerate(own):
        low, high = USES["any" if card.symbols == ("any",) else card.kind if card.kind in USES else "plain"]
        uses = played[:, :, number].sum(axis=1)
        spread = 4 * uses.std() / np.sqrt(games)
        assert low - 0.05 - spread < uses.mean() < 1.05 * high + 0.05 + spread, card.id
        difference = played[:, 0, number] - played[:, 1, number]
        assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(games), card.id
