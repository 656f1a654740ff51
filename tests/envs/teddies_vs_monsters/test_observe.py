"""What a seat may know can be read back from its observation: a wider one, made of the record, is rebuilt from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import load
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.state import State
from cardzoo.envs.teddies_vs_monsters import cards, state
from cardzoo.envs.teddies_vs_monsters.card_file import CARDS_YAML
from cardzoo.envs.teddies_vs_monsters.game import TeddiesVsMonsters
from cardzoo.envs.teddies_vs_monsters.legal import partner_usable

NAME = "teddies_vs_monsters"
GAMES: tuple[dict[str, Any], ...] = (
    *TeddiesVsMonsters.variants.values(),
    {"seats": 4, "open_team": True, "start_hand": "face_down", "play_out": True, "sudden_death_win": "completion"},
    {"hand_size": 9, "sleeve_size": 9, "pace": [10, 1000], "reaction": [0, 100], "jitter": [50, 0], "max_sudden": 9},
    {"seats": 4, "allow_mistakes": True, "levels": [3], "trap_blocks_claim": True, "late_cards": "returned"},
)
TYPES, SEATS, ROOMS, LENGTH = state.MAX_TYPES, state.MAX_SEATS, state.MAX_ROOMS, state.MAX_LENGTH
SYMBOL_KINDS = 5  # of the wider observation: four and `?`
WIDE = 1197
ROOM_KINDS = ("place", "attack", "bomb", "trap", "disarm", "claim", "call")


class Seen:
    """The observation of one seat, read block by block."""

    def __init__(self, game: Game, vector: np.ndarray) -> None:
        self.game = game
        self.vector = vector.astype(np.float64)

    def block(self, name: str) -> np.ndarray:
        if name not in self.game.observations:
            return np.zeros(0)
        block = self.game.observations.block(name)
        return self.vector[block.slice].reshape(block.shape)


def seen_by(at: State, seat: int) -> Seen:
    return Seen(at.game, at.observe(seat))


def one_hot(size: int, place: int) -> np.ndarray:
    """Zeros, with a one at a place if that is not below 0."""
    row = np.zeros(size)
    if place >= 0:
        row[place] = 1
    return row


def padded(row: np.ndarray, size: int) -> np.ndarray:
    return np.concatenate([row, np.zeros(size - len(row))])


# --- a wider observation, with a number for each fact and some of them twice, from the record


def order(game: Game, seat: int) -> list[int]:
    """Me, then the others in seat order after me."""
    return [(seat + k) % game.num_seats for k in range(game.num_seats)]


def wide_game(at: State, seat: int) -> list[float]:
    s, rules = at.states[0], at.game.rules[0]
    team = seat % 2
    there = s.bedroom >= 0
    mine, theirs = int((s.claimed == team).sum()), int((s.claimed == 1 - team).sum())
    needed = 1 if s.sudden else max(0, int(there.sum()) // 2 + 1 - mine)
    partner = game_is_of_four(at.game) and bool(partner_usable(s, rules, seat))
    return [
        s.tick / rules.round_ticks,
        s.round_no / rules.max_rounds,
        s.keys[team] / 3,
        s.keys[1 - team] / 3,
        rules.keys_to_win / 3,
        s.sudden / 3,
        game_is_of_four(at.game),
        int((there & (s.claimed < 0)).sum()) / 5,
        mine / 5,
        theirs / 5,
        needed / 3,
        rules.mistakes,
        rules.returned,
        rules.trap_blocks_claim,
        rules.completion,
        rules.play_out,
        rules.open_team,
        s.face_down[seat],
        partner,
        s.picked >= 0 and s.actor == seat,
    ]


def game_is_of_four(game: Game) -> bool:
    return game.num_seats == 4


def wide_cards(at: State, seat: int) -> np.ndarray:
    """Blocks picked to partner."""
    s, rules = at.states[0], at.game.rules[0]
    seats = order(at.game, seat)
    four = game_is_of_four(at.game)
    sleeves, used = np.zeros((SEATS, TYPES)), np.zeros((SEATS, TYPES))
    sleeves[: len(seats)] = s.sleeve[seats] / 4
    used[: len(seats)] = s.used[seats] / 6
    partner = np.zeros(TYPES + 12 + ROOMS)
    if four and rules.open_team:
        other = (seat + 2) % 4
        kind = int(s.p_kind[other])
        room = int(s.p_room[other]) if state.KINDS[kind] in ROOM_KINDS else -1
        hand = s.hand[other] / 5 * (s.face_down[other] == 0)
        partner = np.concatenate([hand, one_hot(12, kind - 1), one_hot(ROOMS, room)])
    return np.concatenate(
        [
            one_hot(TYPES, int(s.picked) if s.actor == seat else -1),
            s.hand[seat] / 5 * (s.face_down[seat] == 0),
            sleeves.ravel(),
            used.ravel(),
            np.zeros(TYPES) if four else s.known[1 - seat] / 5,
            partner,
        ]
    )


def wide_seat(at: State, seat: int) -> np.ndarray:
    s, rules = at.states[0], at.game.rules[0]
    kind = int(s.l_kind[seat])
    reserve = not game_is_of_four(at.game) and s.deck_n[2 + seat] > 0
    numbers = [1, s.hand_n[seat] / 5, s.sleeve_n[seat] / 4, s.deck_n[seat] / 64, reserve, s.face_down[seat]]
    numbers += [rules.pace[seat] / 200, rules.reaction[seat] / 10, rules.jitter[seat] / 10]
    room = int(s.l_room[seat]) if state.KINDS[kind] in ROOM_KINDS else -1
    age = min(int(s.tick) - int(s.l_tick[seat]), 60) / 60
    return np.concatenate([numbers, one_hot(11, kind - 1), [s.l_lost[seat]], one_hot(ROOMS, room), [age]])


def symbols_at(sequence: np.ndarray, place: int) -> np.ndarray:
    """A symbol or `?`, one-hot; zeros outside the sequence."""
    inside = 0 <= place < len(sequence)
    return one_hot(SYMBOL_KINDS, int(sequence[place]) - 1 if inside else -1)


def wide_side(at: State, team: int, room: int) -> np.ndarray:
    s, rules = at.states[0], at.game.rules[0]
    bedroom = int(s.bedroom[room])
    length = int(rules.bedrooms[bedroom, cards.LENGTH])
    sequence = rules.sequences[bedroom, team]
    done, readings, n = int(s.row_sym[team, room]), int(s.open[team, room]), int(s.row_n[team, room])
    parts = [symbols_at(sequence, place) for place in range(LENGTH)]
    parts.append(symbols_at(sequence[:length], done) * (readings & 1))
    parts.append(symbols_at(sequence[:length], length - 1 - done) * (readings >> 1))
    row = [rules.cards[team, card] for card in s.row[team, room, :n]]
    wrong = 0
    while readings == 0 and fits_some_reading(sequence[:length], row[:wrong]):
        wrong += 1
    parts.append(np.array([done / 6, n / 6, readings & 1, readings >> 1, done == length and readings > 0, wrong / 6]))
    removed = np.zeros(5)
    for colour in range(1, 6):
        hit = [k for k, card in enumerate(row) if card[cards.COLOUR] in (colour, cards.ANY_COLOUR)]
        removed[colour - 1] = sum(int(card[cards.FILLS]) for card in row[hit[0] :]) / 6 if hit else 0
    traps = [int(rules.cards[1 - team, card, cards.SNARE]) for card in s.trap[team, room, : s.trap_n[team, room]]]
    colours = np.zeros(5)
    for k, trap in enumerate(traps):
        for colour in range(1, 6):
            if trap in (colour, cards.ANY_COLOUR):
                colours[colour - 1] = 1 if k == len(traps) - 1 else 0.5
    parts += [removed, np.array([len(traps) / 10]), colours, np.array([s.paid[team, room] / 3])]
    return np.concatenate(parts)


def fits_some_reading(sequence: np.ndarray, row: list[np.ndarray]) -> bool:
    """Whether cards follow a sequence from one of its ends; a pair lies as printed."""
    for right in (False, True):
        places: list[tuple[int, int]] = []
        for card in row:
            count, done = int(card[cards.FILLS]), len(places)
            first = len(sequence) - done - count if right else done
            places += [(first + k, int(card[cards.FILL_A + k])) for k in range(count)]
        if all(
            0 <= place < len(sequence) and (symbol in (5, sequence[place]) or sequence[place] == 5)
            for place, symbol in places
        ):
            return True
    return False


def wide_room(at: State, seat: int, room: int) -> np.ndarray:
    s, rules = at.states[0], at.game.rules[0]
    if s.bedroom[room] < 0:
        return np.zeros(124)
    team, owner = seat % 2, int(s.claimed[room])
    level, length = (int(number) for number in rules.bedrooms[s.bedroom[room]])
    head = [1, owner == team, owner == 1 - team, s.mistake[room], length / 6]
    sides = [wide_side(at, team, room), wide_side(at, 1 - team, room)]
    return np.concatenate([head, one_hot(3, level - 1), *sides])


def wide(at: State, seat: int) -> np.ndarray:
    """The whole of it, of one size for all numbers of seats."""
    seats = [wide_seat(at, other) for other in order(at.game, seat)]
    seats += [np.zeros(27)] * (SEATS - len(seats))
    rooms = [wide_room(at, seat, room) for room in range(ROOMS)]
    vector = np.concatenate([wide_game(at, seat), wide_cards(at, seat), *seats, *rooms])
    assert len(vector) == WIDE
    return vector


# --- the same, from the present observation


def rebuilt_game(seen: Seen) -> list[float]:
    game, rooms = seen.block("game"), seen.block("rooms")
    four = game_is_of_four(seen.game)
    open_team, usable = game[13:15] if four else (0, 0)
    owners = rooms[:, 0]
    return [
        *game[:4],
        game[7],
        game[4] * 5 / 3,
        four,
        game[5],
        (owners == 1).sum() / 5,
        (owners == -1).sum() / 5,
        game[6],
        *game[8:13],
        open_team,
        seen.block("seats")[0, 2],
        usable,
        seen.block("picked").sum(),
    ]


def rebuilt_cards(seen: Seen) -> np.ndarray:
    def slots(name: str, rows: int, scale: float = 1) -> np.ndarray:
        block = np.zeros((rows, TYPES))
        found = np.atleast_2d(seen.block(name))
        block[: len(found), : found.shape[1]] = found * scale
        return block.ravel()

    act = seen.block("partner_act") if game_is_of_four(seen.game) else np.zeros(12 + ROOMS)
    return np.concatenate(
        [
            slots("picked", 1),
            slots("hand", 1),
            slots("sleeves", SEATS, 5 / 4),
            slots("used", SEATS),
            slots("known", 1),
            slots("partner", 1),
            act,
        ]
    )


def rebuilt_seat(seen: Seen, place: int) -> np.ndarray:
    four = game_is_of_four(seen.game)
    row = seen.block("seats")[place]
    rooms = 5 if four else 3
    sleeve = seen.block("sleeves")[place].sum() * 5 / 4
    reserve = 0 if four else row[19 + rooms]
    numbers = [1, row[0], sleeve, row[1], reserve, row[2], row[3] * 5 / 2, row[4] * 5, row[5] * 5 / 2]
    return np.concatenate([numbers, row[8:19], [row[7]], padded(row[19 : 19 + rooms], ROOMS), [row[6]]])


def with_any(symbols: np.ndarray) -> np.ndarray:
    """Four ones, which stand for `?`, as a fifth one."""
    return one_hot(SYMBOL_KINDS, 4) if symbols.all() else padded(symbols, SYMBOL_KINDS)


def rebuilt_side(side: np.ndarray, longest: int) -> np.ndarray:
    places = [with_any(row) for row in side[: 4 * longest].reshape(longest, 4)]
    places += [np.zeros(SYMBOL_KINDS)] * (LENGTH - longest)
    rest = side[4 * longest :]
    left, right, numbers = rest[:4], rest[4:8], rest[8:]
    symbols, count, full_left, full_right, wrong = numbers[:5]
    open_left, open_right = (flag or reading.any() for flag, reading in ((full_left, left), (full_right, right)))
    row = [symbols, count, open_left, open_right, full_left or full_right, wrong]
    return np.concatenate([*places, with_any(left), with_any(right), row, numbers[5:]])


def rebuilt_room(seen: Seen, room: int) -> np.ndarray:
    rooms = seen.block("rooms")
    if room >= len(rooms):
        return np.zeros(124)
    longest = int(seen.game.rules[0].max_length)
    size = (rooms.shape[1] - 4) // 2
    own, foe = rooms[room, 4 : 4 + size], rooms[room, 4 + size :]
    if not own[: 4 * longest].any():
        assert not rooms[room].any()
        return np.zeros(124)
    length = int(own[: 4 * longest].reshape(longest, 4).any(axis=1).sum())
    head = [1, rooms[room, 0] == 1, rooms[room, 0] == -1, rooms[room, 1], length / 6]
    level = one_hot(3, length - 3)  # so in the reference card set
    return np.concatenate([head, level, rebuilt_side(own, longest), rebuilt_side(foe, longest)])


def rebuilt(seen: Seen) -> np.ndarray:
    """The wider observation as a function of the present one."""
    seats = [rebuilt_seat(seen, place) for place in range(seen.game.num_seats)]
    seats += [np.zeros(27)] * (SEATS - len(seats))
    rooms = [rebuilt_room(seen, room) for room in range(ROOMS)]
    return np.concatenate([rebuilt_game(seen), rebuilt_cards(seen), *seats, *rooms])


def assert_recoverable(at: State, seat: int) -> None:
    """Nothing of the wider observation is lost, and nothing is out of range."""
    vector = at.observe(seat)
    assert np.abs(vector).max() <= at.game.observation_limit
    assert np.abs(rebuilt(Seen(at.game, vector)) - wide(at, seat)).max() < 1e-5


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), options=st.sampled_from(GAMES))
def test_a_wider_observation_is_a_function_of_this_one(seed: int, options: dict[str, Any]) -> None:
    """All that was left out can be worked out from what is there, all through random games."""
    game = load(NAME, **options)
    rng = np.random.default_rng(seed)
    at = game.new_state(seed)
    for _ in range(600):
        if rng.random() < 0.05 or at.is_over or at.states[0].picked >= 0:
            for seat in range(game.num_seats):
                assert_recoverable(at, seat)
        if at.is_over:
            return
        at.apply(int(rng.choice(at.legal_actions())))


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), options=st.sampled_from(GAMES))
def test_every_entry_is_written(seed: int, options: dict[str, Any]) -> None:
    """Whatever was in the row before does not show."""
    game = load(NAME, **options)
    rng = np.random.default_rng(seed)
    at = game.new_state(seed)
    for _ in range(300):
        seat = int(rng.integers(game.num_seats))
        rows = np.full((2, game.observation_size), 7, np.float32)
        rows[1] = -7
        for row in rows:
            game.kernels.observe(at.states, 0, game.rules, seat, row)
        assert (rows[0] == rows[1]).all()
        if at.is_over:
            return
        at.apply(int(rng.choice(at.legal_actions())))


@pytest.mark.parametrize(("seats", "width"), [(2, 558), (4, 940)])
def test_every_feature_is_named_and_the_vector_is_short(seats: int, width: int) -> None:
    """The layout fills the vector; its size depends on the seats and the card file only."""
    game = load(NAME, seats=seats)
    rules = game.rules[0]
    types, rooms, side = int(rules.num_types), int(rules.num_rooms), 4 * int(rules.max_length) + 25
    partner = 0 if seats == 2 else 3 + 12 + rooms
    one_seat = 19 + rooms + (1 if seats == 2 else 0)
    fitted = (3 + 2 * seats) * types + 13 + partner + seats * one_seat + rooms * (4 + 2 * side)
    assert game.observation_size == sum(block.size for block in game.observations) == fitted == width
    assert all(block.text for block in game.observations)
    others = [options for options in GAMES if options.get("seats", 2) == seats]
    assert len(others) > 3
    assert all(load(NAME, **options).observations == game.observations for options in others)


def test_a_team_with_fewer_types_and_short_sequences_has_zeros_behind(tmp_path: Path) -> None:
    """Rows of counts and sequences are written in whole vectors; what lands behind them is 0 or written again."""
    document = yaml.safe_load(CARDS_YAML.read_text(encoding="utf-8"))
    document["strict_counts"] = False
    document["types"] = [card for card in document["types"] if card["id"] not in ("purple_web", "blue_yarn", "red_web")]
    document["bedrooms"] = [
        {**room, "teddies": room["teddies"][:2], "monsters": room["monsters"][:2]} for room in document["bedrooms"]
    ]
    path = tmp_path / "short.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    for seats in (2, 4):
        game = load(NAME, path, seats=seats)
        rng = np.random.default_rng(1)
        at = game.new_state(1)
        while not at.is_over:
            if rng.random() < 0.05:
                seen = Seen(game, at.observe(0))
                assert seen.block("sleeves").shape == (seats, 30)
                assert not seen.block("sleeves")[1::2, 29:].any()  # the monsters have 29 types
                assert np.array_equal(
                    np.rint(seen.block("used") * 6), at.states[0].used[order(game, 0)][:, :30].clip(max=12)
                )
                for room in range(int(game.rules[0].num_rooms)):
                    mine = rebuilt_room(seen, room)
                    wanted = wide_room(at, 0, room)
                    wanted[5:8] = mine[5:8]  # levels and lengths do not go together here
                    assert np.abs(mine - wanted).max() < 1e-5
            at.apply(int(rng.choice(at.legal_actions())))


# --- block by block


FAR = {"monsters_0": {"action": "wait", "lands": 900}}


def start(position: dict[str, Any], **options: Any) -> State:
    return load(NAME, **options).from_position({"pending": FAR, **position})


def number(game: Game, card: str) -> int:
    """The type number of a card in its team."""
    for own in cards.team_cards(game.cards):
        for index, found in enumerate(own):
            if found.id == card:
                return index
    raise AssertionError(card)


def counted(game: Game, row: np.ndarray, scale: float) -> dict[int, float]:
    """Types of a row of counts with their numbers."""
    return {int(card): round(float(row[card]) * scale, 4) for card in np.flatnonzero(row)}


def test_the_numbers_of_the_game() -> None:
    """All of them at once, for both seats."""
    options: dict[str, Any] = {"keys_to_win": 2, "allow_mistakes": True, "late_cards": "returned"}
    options |= {"trap_blocks_claim": True, "sudden_death_win": "completion", "round_ticks": 200, "max_rounds": 4}
    won = {"bedroom": "b1_01", "claimed": "teddies", "teddies": {"row": ["heart", "star", "moon"]}}
    at = start({"tick": 50, "round": 3, "keys": {"teddies": 1}, "rooms": {2: won}}, **options)
    wanted = [0.25, 0.75, 1 / 3, 0, 0, 2 / 5, 1 / 3, 2 / 3, 1, 1, 1, 1, 1]
    assert np.allclose(seen_by(at, 0).block("game"), wanted)
    wanted[2:4], wanted[6] = [0, 1 / 3], 2 / 3
    assert np.allclose(seen_by(at, 1).block("game"), wanted)
    at = start({"sudden_death": 2})
    assert np.allclose(seen_by(at, 0).block("game"), [0, 1 / 9, 0, 0, 2 / 5, 2 / 5, 1 / 3, 1, 0, 0, 0, 0, 0])
    play_out = load(NAME, play_out=True, seats=4).new_state(1)
    game = seen_by(play_out, 3).block("game")
    assert np.allclose(game, [0, 1 / 9, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, 1])


def test_hand_sleeves_and_used_cards() -> None:
    """In the slots of each seat's own team; the foe's hand is not there."""
    rooms = {1: {"bedroom": "b2_01", "teddies": {"row": ["heart", "moon"]}, "monsters": {"traps": ["red_yarn"]}}}
    players = {
        "teddies_0": {"hand": ["star", "star", "cuddle"], "sleeve": ["moon"]},
        "monsters_0": {"hand": ["eye"], "sleeve": ["slime", "slime", "red_web"]},
    }
    at = start({"rooms": rooms, "players": players, "discards": {"monsters": ["fang", "fang"]}})
    game = at.game
    star, cuddle, heart, moon, yarn = (number(game, card) for card in ("star", "cuddle", "heart", "moon", "red_yarn"))
    slime, web, fang, eye = (number(game, card) for card in ("slime", "red_web", "fang", "eye"))
    mine, theirs = seen_by(at, 0), seen_by(at, 1)
    assert counted(game, mine.block("hand"), 5) == {star: 2, cuddle: 1}
    assert counted(game, theirs.block("hand"), 5) == {eye: 1}
    own, foe = {moon: 1}, {slime: 2, web: 1}
    assert [counted(game, row, 5) for row in mine.block("sleeves")] == [own, foe]
    assert [counted(game, row, 5) for row in theirs.block("sleeves")] == [foe, own]
    own, foe = {heart: 1, moon: 1, yarn: 1}, {fang: 2}
    assert [counted(game, row, 6) for row in mine.block("used")] == [own, foe]
    assert [counted(game, row, 6) for row in theirs.block("used")] == [foe, own]


def test_four_seats_follow_in_seat_order() -> None:
    """Me, foe, partner, foe."""
    names = ("teddies_0", "monsters_0", "teddies_1", "monsters_1")
    sleeves = (["heart"], ["fang"], ["moon"], ["slime"])
    players = {name: {"sleeve": sleeve} for name, sleeve in zip(names, sleeves, strict=True)}
    at = load(NAME, seats=4).from_position({"players": players})
    numbers = [number(at.game, sleeve[0]) for sleeve in sleeves]
    assert numbers == [0, 1, 2, 3]
    for seat in range(4):
        seen = seen_by(at, seat).block("sleeves").argmax(axis=1)
        assert seen.tolist() == [(seat + k) % 4 for k in range(4)]
        assert seen_by(at, seat).block("game")[-1] == (seat >= 2)  # which of its team


def test_what_is_known_of_the_foes_hand() -> None:
    """The foe has taken its second deck; its owner is not told."""
    foe = {"hand": ["eye", "eye", "fang"], "sleeve": [], "deck": [], "reserve": False, "known": ["eye", "fang"]}
    at = start({"players": {"monsters_0": foe}})
    eye, fang = number(at.game, "eye"), number(at.game, "fang")
    assert counted(at.game, seen_by(at, 0).block("known"), 5) == {eye: 1, fang: 1}
    assert not seen_by(at, 1).block("known").any()
    assert seen_by(at, 0).block("seats")[:, -1].tolist() == [1, 0]  # only my second deck is there


def test_a_face_down_hand_is_not_seen_before_it_is_picked_up() -> None:
    """Not even by its owner; that it lies there is."""
    at = load(NAME, start_hand="face_down", jitter=0).new_state(3)
    seen = seen_by(at, 0)
    assert not seen.block("hand").any()
    assert seen.block("seats")[:, 2].tolist() == [1, 1]
    assert seen.block("seats")[:, 0].tolist() == [1, 1]
    at.apply("look")
    at.apply("wait")
    while at.actor != 0:
        at.apply("wait")
    seen = seen_by(at, 0)
    assert np.rint(seen.block("hand").sum() * 5) == 5
    assert seen.block("seats")[:, 2].tolist() == [0, 1]


def test_only_who_owes_a_target_sees_the_picked_card() -> None:
    """One-hot, and gone with the target."""
    rooms = {1: {"bedroom": "b2_01"}, 2: {"bedroom": "b2_05"}}
    at = start({"rooms": rooms, "players": {"teddies_0": {"hand": ["star", "heart"], "sleeve": []}}})
    assert not seen_by(at, 0).block("picked").any()
    at.apply("play heart")
    assert counted(at.game, seen_by(at, 0).block("picked"), 1) == {number(at.game, "heart"): 1}
    assert not seen_by(at, 1).block("picked").any()
    at.apply("to own 1")
    assert not seen_by(at, 0).block("picked").any()


def test_the_numbers_and_the_last_act_of_a_seat() -> None:
    """Scaled so that the largest options are 2; a room only where the act has one."""
    last = {"action": "place", "room": 2, "lost": True, "tick": 20}
    players = {
        "teddies_0": {"hand": ["heart"] * 2, "sleeve": ["star"], "last": last},
        "monsters_0": {"hand": ["eye"], "sleeve": [], "last": {"action": "draw", "tick": 3}},
    }
    options: dict[str, Any] = {"pace": [100, 1000], "reaction": [4, 100], "jitter": [5, 50]}
    at = start({"tick": 50, "players": players}, **options)
    s = at.states[0]
    mine, theirs = seen_by(at, 0).block("seats")
    assert np.allclose(mine[:8], [2 / 5, s.deck_n[0] / 64, 0, 0.2, 0.08, 0.2, 0.5, 1])
    assert np.allclose(theirs[:8], [1 / 5, s.deck_n[1] / 64, 0, 2, 2, 2, 47 / 60, 0])
    assert np.flatnonzero(mine[8:19]).tolist() == [state.PLACE - 1]
    assert np.flatnonzero(theirs[8:19]).tolist() == [state.DRAW - 1]
    assert mine[19:].tolist() == [0, 1, 0, 1]
    assert theirs[19:].tolist() == [0, 0, 0, 1]
    nothing = seen_by(start({"tick": 70}), 0).block("seats")[0]
    assert nothing[6] == 1
    assert not nothing[7:22].any()


def side(at: State, seat: int, room: int, foe: bool = False) -> dict[str, Any]:
    """A side of a room, decoded: whole numbers, symbols as texts of the team's numbers."""
    longest = int(at.game.rules[0].max_length)
    size = 4 * longest + 25
    first = 4 + (size if foe else 0)
    row = seen_by(at, seat).block("rooms")[room - 1, first : first + size]

    def texts(symbols: np.ndarray) -> list[str]:
        return ["".join(str(k + 1) for k in np.flatnonzero(place)) for place in symbols.reshape(-1, 4)]

    rest = row[4 * longest :]
    whole = np.rint(rest[8:10] * 6).astype(int).tolist()
    return {
        "sequence": texts(row[: 4 * longest]),
        "left": texts(rest[:4])[0],
        "right": texts(rest[4:8])[0],
        "symbols": whole[0],
        "cards": whole[1],
        "complete": rest[10:12].astype(int).tolist(),
        "wrong": round(rest[12] * 6),
        "struck": np.rint(rest[13:18] * 6).astype(int).tolist(),
        "traps": round(rest[18] * 10),
        "colours": rest[19:24].tolist(),
        "paid": round(rest[24] * 3),
    }


def test_a_side_of_a_room() -> None:
    """Symbols in the numbers of the side's team: heart star moon honey, eye fang claw slime."""
    own = {"row": ["heart", "yellow_knight"], "traps": ["blue_web", "red_web"], "paid": 2}
    at = start({"rooms": {1: {"bedroom": "b2_01", "teddies": own, "monsters": {"row": ["fang"]}}}})
    mine = side(at, 0, 1)
    assert mine == side(at, 1, 1, foe=True)
    assert mine == {
        "sequence": ["1", "3", "2", "4", ""],  # heart moon star honey
        "left": "4",
        "right": "",
        "symbols": 3,
        "cards": 2,
        "complete": [0, 0],
        "wrong": 0,
        "struck": [0, 0, 0, 2, 0],
        "traps": 2,
        "colours": [0.5, 1, 0, 0, 0],
        "paid": 2,
    }
    theirs = side(at, 0, 1, foe=True)
    assert theirs == side(at, 1, 1)
    assert theirs["sequence"] == ["3", "1", "4", "2", ""]  # claw eye slime fang
    assert [theirs["left"], theirs["right"], theirs["struck"]] == ["", "4", [0] * 5]


def test_both_readings_and_any_symbol() -> None:
    """An empty row is open from both ends; a place with `?` accepts all; a pair opens and closes readings."""
    at = start({"rooms": {1: {"bedroom": "b3_13", "teddies": {"row": ["blue_baker"]}}, 2: {"bedroom": "b2_05"}}})
    room = side(at, 0, 1)
    assert room["sequence"] == ["1", "1", "1234", "2", "4"]
    assert [room["left"], room["right"]] == ["1234", ""]
    empty = side(at, 0, 2)  # heart star star heart
    assert [empty["left"], empty["right"], empty["symbols"], empty["cards"]] == ["1", "1", 0, 0]
    at = start({"rooms": {2: {"bedroom": "b2_05", "teddies": {"row": ["heart", "star"]}}}})
    both = side(at, 0, 2)
    assert [both["left"], both["right"]] == ["2", "2"]


def test_a_full_row_says_from_which_end_it_was_read() -> None:
    """Nothing fits any more, so that the readings have flags of their own."""
    rooms: dict[int, Any] = {
        1: {"bedroom": "b2_01", "teddies": {"row": ["heart", "moon", "star", "honey"]}},
        2: {"bedroom": "b2_03", "teddies": {"row": ["star", "honey", "heart", "moon"]}},  # from the right
        3: {"bedroom": "b2_05", "teddies": {"row": ["heart", "cuddle", "cuddle"]}},
    }
    at = start({"rooms": rooms})
    assert [side(at, 0, room)["complete"] for room in (1, 2, 3)] == [[1, 0], [0, 1], [0, 0]]
    assert [side(at, 0, room)["left"] + side(at, 0, room)["right"] for room in (1, 2)] == ["", ""]
    rooms[3]["teddies"]["row"] = ["heart", "cuddle", "cuddle", "heart"]
    assert side(start({"rooms": rooms}), 0, 3)["complete"] == [1, 1]


def test_what_my_cards_cannot_supply() -> None:
    """To each row of my team that is unclaimed, from hand and sleeve; a hand not looked at does not count."""
    rooms: dict[int, Any] = {
        1: {"bedroom": "b2_01", "teddies": {"row": ["heart"]}},  # heart moon star honey
        2: {"bedroom": "b2_05", "teddies": {"row": ["heart", "heart"]}},  # a mistake
        3: {"bedroom": "b1_01", "claimed": "teddies", "teddies": {"row": ["heart", "star", "moon"]}},
    }
    players = {"teddies_0": {"hand": ["star"], "sleeve": ["honey"], "face_down": True}}
    game = load(NAME, allow_mistakes=True, start_hand="face_down")
    at = game.from_position({"rooms": rooms, "players": players})
    assert np.allclose(seen_by(at, 0).block("rooms")[:, 2:4], [[2 / 6, 0], [1, 0], [0, 0]])
    players["teddies_0"]["face_down"] = False
    at = game.from_position({"rooms": rooms, "players": players})
    assert np.allclose(seen_by(at, 0).block("rooms")[:, 2:4], [[1 / 6, 0], [1, 0], [0, 0]])
    players["teddies_0"]["sleeve"] = ["honey", "moon"]
    at = game.from_position({"rooms": rooms, "players": players})
    assert np.allclose(seen_by(at, 0).block("rooms")[:, 2:4], [[0, 1], [1, 0], [0, 0]])


def test_an_attack_hits_the_lowest_card_of_its_colour() -> None:
    """And takes all above it."""
    foe = {"row": ["red_ghoul", "blue_ghoul"]}  # eye fang, fang claw
    game = load(NAME, allow_mistakes=True)
    at = game.from_position({"rooms": {1: {"bedroom": "b3_01", "monsters": foe}}, "pending": FAR})
    assert side(at, 0, 1, foe=True)["struck"] == [4, 2, 0, 0, 0]
    foe["row"] = ["eye", "red_ogre", "red_ghoul"]
    at = game.from_position({"rooms": {1: {"bedroom": "b3_01", "monsters": foe}}, "pending": FAR})
    assert side(at, 0, 1, foe=True)["struck"] == [4, 0, 0, 0, 0]


def test_mistakes_are_seen() -> None:
    """The number of the first card that fits no reading, also in a room that was claimed so."""
    rooms = {
        1: {"bedroom": "b2_01", "monsters": {"row": ["claw", "slime", "fang"]}},
        2: {"bedroom": "b2_02", "teddies": {"row": ["moon", "red_baker", "blue_baker"]}},
        3: {
            "bedroom": "b1_05",
            "claimed": "monsters",
            "mistake": True,
            "monsters": {"row": ["eye", "eye", "eye"]},
        },
    }
    at = start({"rooms": rooms}, allow_mistakes=True)
    foe, own = side(at, 0, 1, foe=True), side(at, 0, 2)
    assert [foe["wrong"], foe["left"], foe["right"], foe["complete"]] == [2, "", "", [0, 0]]
    assert [own["wrong"], own["symbols"], own["cards"], own["complete"]] == [1, 5, 3, [0, 0]]
    rooms_seen = seen_by(at, 0).block("rooms")
    assert rooms_seen[:, :2].tolist() == [[0, 0], [0, 0], [-1, 1]]
    assert seen_by(at, 1).block("rooms")[2, :2].tolist() == [1, 1]


def test_rooms_that_are_not_there_are_zero() -> None:
    """A sudden death has one room less with two seats, two with four."""
    for seats, rooms in ((2, 2), (4, 3)):
        at = load(NAME, seats=seats).from_position({"sudden_death": 1})
        block = seen_by(at, 0).block("rooms")
        assert not block[rooms:].any()
        assert all(row.any() for row in block[:rooms])


def test_cards_and_traps_of_any_colour_show_in_all_five(tmp_path: Path) -> None:
    """A character that every attack hits, and a trap that every character removes."""
    document = yaml.safe_load(CARDS_YAML.read_text(encoding="utf-8"))
    for card in document["types"]:
        if card["id"] in ("red_ghoul", "red_web"):
            card["colour"] = "any"
    path = tmp_path / "any.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    game = load(NAME, path)
    foe = {"row": ["blue_ogre", "red_ghoul"]}  # slime eye, eye fang
    rooms = {1: {"bedroom": "b2_01", "teddies": {"traps": ["blue_web", "red_web"]}}, 2: {"bedroom": "b3_01"}}
    at = game.from_position({"rooms": rooms, "pending": FAR})
    assert side(at, 0, 1)["colours"] == [0.5, 1, 0.5, 0.5, 0.5]
    rooms[1]["teddies"] = {"traps": ["red_web", "blue_web"]}
    at = game.from_position({"rooms": rooms, "pending": FAR})
    assert side(at, 0, 1)["colours"] == [1, 1, 1, 1, 1]
    game = load(NAME, path, allow_mistakes=True)
    at = game.from_position({"rooms": {1: {"bedroom": "b2_01", "monsters": foe}}, "pending": FAR})
    assert side(at, 0, 1, foe=True)["struck"] == [2, 4, 2, 2, 2]


def test_an_open_partner_shows_hand_and_act() -> None:
    """Kind and room of its act, no card; without the option nothing, and nothing of the foes."""
    players = {"teddies_1": {"hand": ["heart", "heart", "moon"]}}
    act = {"teddies_1": {"action": "place moon 4", "lands": 7}}
    others = {name: {"action": "wait", "lands": 900} for name in ("monsters_0", "monsters_1")}
    position = {"players": players, "pending": {**others, **act}}
    at = load(NAME, seats=4, open_team=True).from_position(position)
    seen = seen_by(at, 0)
    heart, moon = number(at.game, "heart"), number(at.game, "moon")
    assert counted(at.game, seen.block("partner"), 5) == {heart: 2, moon: 1}
    assert np.flatnonzero(seen.block("partner_act")).tolist() == [state.PLACE - 1, 12 + 3]
    assert seen.block("game")[13] == 1
    wait = np.flatnonzero(seen_by(at, 1).block("partner_act")).tolist()
    assert wait == [state.WAIT - 1]
    idle = seen_by(at, 2).block("partner_act")
    assert not idle.any()
    closed = load(NAME, seats=4).from_position(position)
    assert not seen_by(closed, 0).block("partner").any()
    assert not seen_by(closed, 0).block("partner_act").any()
    assert seen_by(closed, 0).block("game")[13] == 0


def test_a_partner_that_is_out_may_use_my_sleeve() -> None:
    """The flag is its own, not mine."""
    out = {"hand": [], "sleeve": [], "deck": []}
    at = load(NAME, seats=4).from_position({"players": {"teddies_1": out}})
    assert [seen_by(at, seat).block("game")[14] for seat in range(4)] == [0, 0, 1, 0]
    always = load(NAME, seats=4, partner_sleeve="always").new_state(1)
    assert [seen_by(always, seat).block("game")[14] for seat in range(4)] == [1, 1, 1, 1]


# --- what must not show


def assert_hidden_from(at: State, seats: list[int], changed: State) -> None:
    """A change of the record is invisible to some seats."""
    assert at.states.tobytes() != changed.states.tobytes()
    for seat in seats:
        assert (at.observe(seat) == changed.observe(seat)).all()


def played(moves: int, **options: Any) -> State:
    """A state after random moves."""
    rng = np.random.default_rng(4)
    at = load(NAME, **options).new_state(4)
    for _ in range(moves):
        at.apply(int(rng.choice(at.legal_actions())))
    assert not at.is_over
    return at


def test_other_hands_do_not_matter() -> None:
    """A card of a hand and one of its deck change places."""
    at = played(60, seats=4)
    changed = at.copy()
    s = changed.states[0]
    held = int(np.flatnonzero(s.hand[1])[0])
    place = next(k for k in range(s.deck_n[1]) if s.deck[1, k] != held)
    s.hand[1, held] -= 1
    s.hand[1, s.deck[1, place]] += 1
    s.deck[1, place] = held
    assert_hidden_from(at, [0, 2, 3], changed)
    assert (at.observe(1) != changed.observe(1)).any()


def test_the_order_of_decks_the_generator_and_the_tape_do_not_matter() -> None:
    """Of reserves neither."""
    at = played(60)
    changed = at.copy()
    s = changed.states[0]
    for owner in range(4):
        n = s.deck_n[owner]
        s.deck[owner, :n] = s.deck[owner, :n][::-1].copy()
    s.rng[:] += 1
    s.tape[0] = 3
    changed.states["n_tape"][0] = 1
    assert_hidden_from(at, [0, 1], changed)


def test_acts_under_way_do_not_matter() -> None:
    """Neither one's own: it is known to oneself, but not part of the observation."""
    for options in ({}, {"seats": 4}):
        at = played(60, **options)
        changed = at.copy()
        s = changed.states[0]
        for seat in range(at.game.num_seats):
            if seat != at.actor:
                s.p_kind[seat], s.p_card[seat], s.p_room[seat], s.p_due[seat] = state.ATTACK, 7, 1, s.tick + 9
        assert_hidden_from(at, list(range(at.game.num_seats)), changed)


def test_only_kind_and_room_of_an_open_partners_act_matter() -> None:
    """Its card and its landing are hidden."""
    at = played(60, seats=4, open_team=True)
    other = (int(at.actor or 0) + 2) % 4
    changed = at.copy()
    s = changed.states[0]
    s.p_kind[other], s.p_card[other], s.p_room[other], s.p_due[other] = state.PLACE, 1, 2, s.tick + 1
    again = changed.copy()
    r = again.states[0]
    r.p_card[other], r.p_due[other] = 2, s.tick + 9
    assert_hidden_from(changed, [0, 1, 2, 3], again)
    r.p_room[other] = 3
    assert (changed.observe(int(at.actor or 0)) != again.observe(int(at.actor or 0))).any()


def test_used_cards_are_clipped() -> None:
    """With more than twelve copies used of a type."""
    at = played(10)
    at.states[0].used[1, 3] = 100
    assert seen_by(at, 0).block("used")[1, 3] == at.game.observation_limit
