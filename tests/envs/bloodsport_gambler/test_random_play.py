"""Counts of move sequences, what is legal, seats that are alike, the longest game, and figures of random play."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import BatchEnv, Game, State, load
from cardzoo.envs.bloodsport_gambler.game import BloodsportGambler
from tests.support.bloodsport_gambler import CUSTOM_CARDS
from tests.support.counting import perft, slow_perft
from tests.support.players import error_of

VARIANTS = BloodsportGambler.variants
SPOTS = ("1L", "1R", "2L", "2R", "3L", "3R")
FIGHTS = ("F1", "F2", "F3")


# --- what is legal, told by the position alone


def arguments(effect: str) -> list[str]:
    """The verb of an effect of the card file and what stands in its brackets."""
    return re.findall(r"[\w+-]+", effect)


class Questions:
    """What the rules allow in a position of a game, in words, from the card file alone."""

    def __init__(self, game: Game) -> None:
        document = yaml.safe_load(game.cards.text)
        self.cards = {entry["id"]: entry for entry in document["types"]}
        self.ranks = {entry["id"]: entry["rank"] for entry in document["fighters"]}

    def legal(self, position: Mapping[str, Any]) -> set[str]:
        """The texts of all legal actions but ratting."""
        own = position[f"seat{position['actor']}"]
        found: set[str] = getattr(self, position["at"])(position, own)
        return found

    def may_rat(self, position: Mapping[str, Any]) -> bool:
        """R15: with the guard level up and a chance left, and not in the middle of playing a card."""
        in_time = position["at"] in ("act", "bet", "react", "loan", "discard", "window")
        return in_time and position["guard"] > 1 and position[f"seat{position['actor']}"]["chance"] > 0

    # --- playing cards

    def act(self, position: Mapping[str, Any], own: Mapping[str, Any]) -> set[str]:
        """R24, R26: no React; a look needs something unknown, a Sabotage needs room for it."""
        found = {"pass"}
        for card in own["hand"]:
            kind = self.cards[card]["kind"]
            full = kind == "sabotage" and len(position["sabotage"]) >= 12
            blind = self.look(card) and not self.unknown(position, self.look(card)[0])
            if kind != "react" and not full and not blind:
                found.add(f"play {card}")
        return found

    def react(self, position: Mapping[str, Any], own: Mapping[str, Any]) -> set[str]:
        """React cards only."""
        return {"pass"} | {f"play {card}" for card in own["hand"] if self.cards[card]["kind"] == "react"}

    def look(self, card: str) -> list[str]:
        """Scope and number of what a card looks at; empty if at nothing."""
        return next((words[1:] for words in map(arguments, self.cards[card]["effects"]) if words[0] == "look"), [])

    def unknown(self, position: Mapping[str, Any], scope: str) -> set[str]:
        """Where a look of a scope shows the deciding seat something that it does not know."""
        seat, fights = position["actor"], position["fights"]
        weapons = {spot for spot in SPOTS if seat not in known_at(fights, spot)}
        secrets = {fight for fight in FIGHTS if seat not in known_at(fights, fight)}
        cards = {laid["spot"] for laid in position["sabotage"] if seat not in laid["seen"]}
        around = {fight for fight in FIGHTS if {f"{fight[1]}L", f"{fight[1]}R"} & weapons}
        return {
            "weapon": weapons,
            "secret": secrets,
            "any": weapons | secrets,
            "fighter": weapons | cards,
            "fight": secrets | around,
        }[scope]

    def targets(self, position: Mapping[str, Any]) -> set[str]:
        """What the card being played may still be aimed at."""
        pending = position["pending"]
        card = self.cards[pending["card"]]
        if card["kind"] == "sabotage":
            found = set(SPOTS)
        elif card["kind"] == "react":
            found = {f"{position['fight']}L", f"{position['fight']}R"}
        elif "replace_secret" in card["effects"]:
            found = set(FIGHTS)
        else:
            found = self.unknown(position, self.look(card["id"])[0]) if self.look(card["id"]) else set()
        most = int(self.look(card["id"])[1]) if self.look(card["id"])[1:] else 1
        return found - set(pending["targets"]) if len(pending["targets"]) < most else set()

    def questions_to_show(self, position: Mapping[str, Any]) -> int:
        """R24, R25: a Sabotage is one; of a look, what the other seat does not know."""
        other, pending = 1 - position["actor"], position["pending"]
        if not (position[f"seat{other}"] or {}).get("playing"):
            return 0
        if self.cards[pending["card"]]["kind"] == "sabotage":
            return 1
        shown = list(pending["targets"]) if self.look(pending["card"]) else []
        if self.look(pending["card"])[:1] == ["fight"]:
            shown += [f"{fight[1]}{side}" for fight in pending["targets"] for side in "LR"]
        return sum(other not in known_at(position["fights"], target) for target in shown)

    def decision(self, position: Mapping[str, Any]) -> tuple[str, ...]:
        """The decision about the card being played that is open: all targets, then showing, then tokens."""
        if self.targets(position):
            return ("target",)
        answers = len(position["pending"]["shown"])
        return ("show",) if answers < self.questions_to_show(position) else ("time", "coin")

    def risk(self, position: Mapping[str, Any]) -> int:
        """Risk of the card being played with what is shown; a No Risk card that is not shown has none (R4)."""
        printed = self.cards[position["pending"]["card"]]["risk"]
        return (0 if printed == "none" else printed) + sum(position["pending"]["shown"])

    def target(self, position: Mapping[str, Any], own: Mapping[str, Any]) -> set[str]:
        return {f"target {place}" for place in self.targets(position)}

    def show(self, position: Mapping[str, Any], own: Mapping[str, Any]) -> set[str]:
        return {"show", "hide"}

    def time(self, position: Mapping[str, Any], own: Mapping[str, Any]) -> set[str]:
        """R5: never more than the risk."""
        return {f"time {n}" for n in range(min(own["time"], self.risk(position)) + 1)}

    def coin(self, position: Mapping[str, Any], own: Mapping[str, Any]) -> set[str]:
        """R5: what Time has left of the risk."""
        left = self.risk(position) - position["pending"]["time"]
        return {f"coin {n}" for n in range(min(own["coin"], left) + 1)}

    # --- the rest of a round

    def bet(self, position: Mapping[str, Any], own: Mapping[str, Any]) -> set[str]:
        """R23: by printed ranks; on a favourite one coin more than it is ahead, else 1 to 3."""
        number = position["fight"]
        fight = position["fights"][f"f{number}"]
        left, right = (self.ranks[fight[side]["fighter"]] for side in ("left", "right"))
        found = {f"nobet {number}"}
        for side, ahead in (("L", left - right), ("R", right - left)):
            for coins in [ahead + 1] if ahead > 0 else [1, 2, 3]:
                if coins <= own["coin"]:
                    found.add(f"bet {number}{side} {coins}")
        return found

    def window(self, position: Mapping[str, Any], own: Mapping[str, Any]) -> set[str]:
        return {"proceed"}

    def loan(self, position: Mapping[str, Any], own: Mapping[str, Any]) -> set[str]:
        """R21: any unpaid amount that the purse holds; skipping before the first payment, stopping after it."""
        found = {f"pay {amount}" for amount in range(3, 9) if amount not in own["paid"] and amount <= own["coin"]}
        if own["paid_now"]:
            found.add("done")
        elif own["chance"]:
            found.add("skip")
        return found

    def discard(self, position: Mapping[str, Any], own: Mapping[str, Any]) -> set[str]:
        return {"keep"} | {f"discard {card}" for card in own["hand"]}


def known_at(fights: Mapping[str, Any], place: str) -> list[int]:
    """The seats that know the weapon at a spot, or the secret of a fight."""
    if place in FIGHTS:
        return list(fights[f"f{place[1]}"]["secret_known"])
    return list(fights[f"f{place[0]}"]["left" if place[1] == "L" else "right"]["known"])


def assert_legal(state: State, questions: Questions) -> None:
    """The mask is what the rules say, its count is right, and the decision is none of those that nobody is asked."""
    position = state.to_position()
    options = questions.legal(position)
    assert set(state.legal_texts()) == options | ({"rat"} if questions.may_rat(position) else set()), position
    game, mask = state.game, np.ones(state.game.num_actions, np.bool_)
    assert game.kernels.legal(state.states, 0, game.rules, mask) == mask.sum() == len(state.legal_texts())
    assert len(options) > 1 or (position["at"] == "window" and questions.may_rat(position)), position  # R27


GAMES: dict[str, dict[str, Any]] = {
    **VARIANTS,
    "face_up_two": {"face_up": True},
    "custom": {"cards": CUSTOM_CARDS},
    "custom_solo": {"cards": CUSTOM_CARDS, "seats": 1, "objective": "fate"},
    "custom_continue": {
        "cards": CUSTOM_CARDS,
        "objective": "outcome",
        "finished_seat": "continue",
        "pass_rule": "final",
    },
}


@pytest.mark.parametrize("name", GAMES)
def test_the_mask_is_what_the_rules_say_and_nobody_is_asked_what_has_one_answer(name: str) -> None:
    """The whole mask and its count in every state of some games, and R27."""
    game = load("bloodsport_gambler", **GAMES[name])
    questions = Questions(game)
    for seed in range(2):
        state = game.new_state(seed)
        rng = np.random.default_rng(seed)
        while not state.is_over:
            assert_legal(state, questions)
            state.apply(int(rng.choice(state.legal_actions())))
        mask = np.ones(game.num_actions, np.bool_)
        assert game.kernels.legal(state.states, 0, game.rules, mask) == 0
        assert not mask.any()


def test_decisions_about_a_card_are_its_targets_then_what_it_shows_then_tokens() -> None:
    """R24, R25: each is asked as long as there is something to decide, and nothing else is."""
    for name, options in GAMES.items():
        game = load("bloodsport_gambler", **options)
        questions = Questions(game)
        state = game.new_state(3)
        rng = np.random.default_rng(3)
        while not state.is_over:
            if state.states[0].p_card >= 0:
                position = state.to_position()
                assert position["at"] in questions.decision(position), (name, position["at"], position["pending"])
            state.apply(int(rng.choice(state.legal_actions())))


# --- counts of move sequences

PERFT: tuple[tuple[str, dict[str, Any], dict[str, Any], list[int]], ...] = (
    (
        "two seats: targets, showing, Time, coins, passes, ratting",
        {},
        {
            "at": "act",
            "guard": 2,
            "dice": [5, 3, 6, 2],
            "seat0": {"coin": 2, "time": 2, "chance": 1, "hand": {"bribe_the_armorer": 1, "sorcerous_succor": 1}},
            "seat1": {"coin": 1, "time": 1, "chance": 0, "hand": {"search_the_quarters": 1, "hags_bargain": 1}},
            "fights": {"f1": {"left": {"known": [0, 1]}, "right": {"known": [1]}}, "f2": {"left": {"known": [0]}}},
        },
        [4, 16, 48, 121, 307, 868, 2539, 6663],
    ),
    (
        "two seats, final passes: bets, a window, a fight with React cards, settlement",
        {"pass_rule": "final", "objective": "outcome"},
        {
            "at": "bet",
            "fight": 3,
            "actor": 1,
            "guard": 2,
            "dice": [4, 2, 5, 3, 6, 1, 4, 2, 5, 3, 6, 1, 2, 5, 3, 4],
            "fights": {
                "f1": {
                    "left": {"fighter": "insect", "weapon": "rapier"},
                    "right": {"fighter": "marsh_ogre", "weapon": "scimitar"},
                },
                "f3": {
                    "left": {"fighter": "blade_freak"},
                    "right": {"fighter": "bone_colossus"},
                    "secret": "smell_of_blood",
                },
            },
            "sabotage": [{"card": "warped_grip", "seat": 0, "spot": "1L", "time": 1}],
            "seat0": {"coin": 4, "time": 2, "hand": {"hurl_flagon": 1}},
            "seat1": {"coin": 3, "time": 1, "hand": {"toss_a_potion": 1, "blinding_mirror": 1}},
        },
        [6, 15, 50, 110, 240, 570, 1402, 3580],
    ),
    (
        "one seat: looks at anything, draws, a new secret, then bets",
        {"seats": 1},
        {
            "at": "act",
            "dice": [6, 2, 5, 3],
            "action_deck": ["hurl_flagon", "loosened_hilt"],
            "seat0": {"coin": 3, "time": 1, "hand": {"loose_tongues": 1, "call_in_favours": 1, "hags_bargain": 1}},
            "fights": {f"f{k}": {side: {"known": [0]} for side in ("left", "right")} for k in (2, 3)},
        },
        [4, 17, 63, 202, 613, 2227, 8642, 35149],
    ),
    (
        "one seat after the fights: loans, fate, discards, the deal of the next round",
        {"seats": 1, "objective": "fate"},
        {
            "at": "loan",
            "guard": 2,
            "seat0": {"coin": 13, "chance": 2, "paid": [3, 5, 6, 7], "hand": {"hurl_flagon": 2, "inside_man": 1}},
        },
        [4, 13, 33, 98, 351, 1460, 5926, 21714],
    ),
)


@pytest.mark.parametrize(
    ("options", "position", "counts"), [case[1:] for case in PERFT], ids=[case[0] for case in PERFT]
)
def test_perft(options: dict[str, Any], position: dict[str, Any], counts: list[int]) -> None:
    """Numbers of legal move sequences, which pin the mask and the rules at once.

    They are those that the engine gave; the test above and the next two say independently what is legal.
    """
    state = load("bloodsport_gambler", **options).from_position(position)
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts
    assert slow_perft(state, 4) == counts[3]


@dataclass(frozen=True)
class Purse:
    """A seat after the fights: what it has, owes and holds; `out` once it is paid off or defeated."""

    coins: int
    chances: int
    owes: frozenset[int]
    hand: tuple[str, ...] = ()
    payments: int = 0
    out: bool = False


@dataclass(frozen=True)
class Evening:
    """Loans and discards of the last round, in which seats with a result leave: a programme of its own."""

    seats: tuple[Purse, ...]
    guard: int
    phase: str = "loan"
    turn: int = 0

    def change(self, **fields: Any) -> Evening:
        """The evening after a change of the seat whose turn it is."""
        seats = list(self.seats)
        seats[self.turn] = replace(seats[self.turn], **fields)
        return replace(self, seats=tuple(seats))

    def following(self) -> Evening:
        """The next turn: of the next seat, of the first one that has cards to discard, or nobody's any more."""
        turns = range(self.turn + 1, len(self.seats))
        if self.phase == "discard":
            turn = next((k for k in turns if not self.seats[k].out), None)
            return replace(self, phase="over") if turn is None else replace(self, turn=turn)
        if turns:
            return replace(self, turn=turns[0])
        staying = [k for k, seat in enumerate(self.seats) if not seat.out]
        return replace(self, phase="discard", turn=staying[0]) if staying else replace(self, phase="over")

    def paid(self, amount: int) -> Evening:
        """An amount is paid; with the sixth the seat is paid off."""
        seat = self.seats[self.turn]
        owes = seat.owes - {amount}
        after = self.change(coins=seat.coins - amount, owes=owes, payments=seat.payments + 1, out=not owes)
        return after if owes else after.following()

    def options(self) -> list[Evening]:
        """What each choice of the turn, ratting apart, leads to."""
        seat = self.seats[self.turn]
        if self.phase == "discard":
            cards = sorted(set(seat.hand))
            hands = [seat.hand[: seat.hand.index(card)] + seat.hand[seat.hand.index(card) + 1 :] for card in cards]
            return [*(self.change(hand=hand) for hand in hands), self.following()]
        found = [self.paid(amount) for amount in seat.owes if amount <= seat.coins]
        if seat.payments:
            found.append(self.following())
        elif seat.chances:
            found.append(self.change(chances=seat.chances - 1).following())
        return found

    def asked(self) -> Evening:
        """The evening at the next choice between several things, or at its end."""
        evening = self
        while evening.phase != "over":
            options = evening.options()
            if len(options) > 1:
                break
            evening = options[0] if options else evening.change(out=True).following()
        return evening

    def sequences(self, depth: int) -> int:
        """Sequences of so many choices."""
        here = self.asked()
        if depth == 0:
            return 1
        if here.phase == "over":
            return 0
        following = here.options()
        chances = here.seats[here.turn].chances
        if here.guard > 1 and chances > 0:
            following.append(replace(here.change(chances=chances - 1), guard=1))
        return sum(after.sequences(depth - 1) for after in following)


def owing(*paid: int) -> frozenset[int]:
    """The amounts that are not paid."""
    return frozenset(range(3, 9)) - set(paid)


@pytest.mark.parametrize(
    ("guard", "seats"),
    [
        (
            2,
            (
                Purse(12, 1, owing(3, 4), ("hurl_flagon", "hurl_flagon")),
                Purse(9, 0, owing(3, 5, 7, 8), ("inside_man",)),
            ),
        ),
        (3, (Purse(2, 0, owing(3)), Purse(15, 2, owing(3, 4, 5, 6), ("bribe_the_armorer", "call_in_favours")))),
        (2, (Purse(15, 0, owing(3, 4, 5, 6)), Purse(8, 0, owing(3, 4, 5, 6, 7)))),
        (3, (Purse(19, 2, owing(4), ("inside_man", "loose_tongues")),)),
        (1, (Purse(33, 3, owing()),)),
    ],
    ids=["two seats", "one defeated, one may pay off", "both leave at times", "one seat", "one seat, all 33 coins"],
)
def test_settlements_have_as_many_sequences_as_a_plain_count_finds(guard: int, seats: tuple[Purse, ...]) -> None:
    """R15, R21, R27, and the end: every choice of a last round, with loans, discards and ratting, to any depth."""
    game = load("bloodsport_gambler", seats=len(seats), objective="outcome", max_rounds=1)
    position: dict[str, Any] = {"at": "loan", "guard": guard}
    for number, seat in enumerate(seats):
        paid = sorted(owing() - seat.owes)
        position[f"seat{number}"] = {"coin": seat.coins, "chance": seat.chances, "paid": paid, "hand": list(seat.hand)}
    state = game.from_position(position)
    evening = Evening(seats, guard)
    counts = [evening.sequences(depth) for depth in range(1, 9)]
    assert [perft(state, depth) for depth in range(1, 9)] == counts


def wagers(purses: list[int], leads: list[int], chances: list[int], guard: int, turn: int, depth: int) -> int:
    """Sequences of wagers and ratting: seat after seat, fight after fight; left is ahead by `leads` in rank."""
    if depth == 0:
        return 1
    seat, fight = divmod(turn, len(leads))
    fitting = [
        coins
        for ahead in (leads[fight], -leads[fight])
        for coins in ([ahead + 1] if ahead > 0 else [1, 2, 3])
        if coins <= purses[seat]
    ]
    if not fitting:
        return wagers(purses, leads, chances, guard, turn + 1, depth)
    total = wagers(purses, leads, chances, guard, turn + 1, depth - 1)
    for coins in fitting:
        rest = [purse - coins * (k == seat) for k, purse in enumerate(purses)]
        total += wagers(rest, leads, chances, guard, turn + 1, depth - 1)
    if guard > 1 and chances[seat] > 0:
        total += wagers(purses, leads, [n - (k == seat) for k, n in enumerate(chances)], 1, turn, depth - 1)
    return total


@pytest.mark.parametrize(
    ("purses", "chances", "guard", "depth"),
    [([16, 16], [0, 0], 1, 6), ([4, 5], [1, 1], 3, 4), ([4, 2], [0, 1], 2, 3), ([5], [3], 2, 2), ([16], [0], 3, 3)],
    ids=str,
)
def test_wagers_have_as_many_sequences_as_a_plain_count_finds(
    purses: list[int], chances: list[int], guard: int, depth: int
) -> None:
    """R8, R15, R23, R27: as deep as no sequence is over; even odds, a favourite by 1, a favourite by 2."""
    pairs = [("blade_freak", "grave_filler"), ("insect", "ember_monk"), ("gutter_knight", "demon_spawn")]
    fights = {f"f{k}": {"left": {"fighter": a}, "right": {"fighter": b}} for k, (a, b) in enumerate(pairs, 1)}
    position: dict[str, Any] = {"at": "bet", "guard": guard, "fights": fights}
    for seat, coins in enumerate(purses):
        position[f"seat{seat}"] = {"coin": coins, "chance": chances[seat]}
    state = load("bloodsport_gambler", seats=len(purses)).from_position(position)
    counts = [wagers(purses, [0, 1, -2], chances, guard, 0, n) for n in range(1, depth + 1)]
    assert [perft(state, n) for n in range(1, depth + 1)] == counts


# --- the seats are alike


def mirrored(position: Mapping[str, Any]) -> dict[str, Any]:
    """The position with the seats exchanged."""

    def seats(known: list[int]) -> list[int]:
        return sorted(1 - seat for seat in known)

    def side(entry: dict[str, Any]) -> dict[str, Any]:
        return entry | {"known": seats(entry["known"])}

    found = dict(position)
    found |= {"seat0": position["seat1"], "seat1": position["seat0"], "returns": position["returns"][::-1]}
    found |= {key: None if position[key] is None else 1 - position[key] for key in ("first", "actor")}
    found["sabotage"] = [
        laid | {"seat": 1 - laid["seat"], "seen": seats(laid["seen"])} for laid in position["sabotage"]
    ]
    if position["fights"] is not None:
        found["fights"] = {
            name: fight
            | {"left": side(fight["left"]), "right": side(fight["right"]), "secret_known": seats(fight["secret_known"])}
            for name, fight in position["fights"].items()
        }
    return found


def told(position: dict[str, Any], both_fates: bool) -> dict[str, Any]:
    """The position; without fates, and what they are worth, if both seats have rolled theirs, seat 0 first."""
    if not both_fates:
        return position
    return position | {seat: position[seat] | {"fate": None} for seat in ("seat0", "seat1")} | {"returns": None}


@settings(max_examples=8, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    name=st.sampled_from([name for name, options in GAMES.items() if options.get("seats") != 1]),
)
def test_exchanging_the_seats_exchanges_everything(seed: int, name: str) -> None:
    """Only three things go by seat numbers: the deal and the order roll (R1, R20), and dice for two fates (R22).

    So each round is played from its deal on, and a second time with the seats exchanged.
    """
    game = load("bloodsport_gambler", **GAMES[name])
    rng = np.random.default_rng(seed)
    state = game.new_state(seed)
    while not state.is_over:
        before = start = state.to_position() | {"seed": int(rng.integers(2**32))}
        state, mirror = game.from_position(start), game.from_position(mirrored(start))
        while not state.is_over and before["round"] == start["round"]:
            for seat in range(2):
                assert np.array_equal(mirror.observe(1 - seat), state.observe(seat))
            texts = state.legal_texts()
            assert mirror.legal_texts() == texts
            text = str(rng.choice(texts))
            state.apply(text)
            mirror.apply(text)
            after = state.to_position()
            if after["round"] == start["round"]:
                fresh = [
                    before[seat]["fate"] is None and after[seat]["fate"] is not None for seat in ("seat0", "seat1")
                ]
                assert told(mirror.to_position(), all(fresh)) == told(mirrored(after), all(fresh))
            before = after


# --- how long games are


@pytest.mark.parametrize("seats", [1, 2])
def test_who_skips_and_pays_as_little_as_possible_is_done_after_nine_rounds(seats: int) -> None:
    """R21: three chances and six payments; a purse that lets all of it happen."""
    rich = {f"seat{seat}": {"coin": 60} for seat in range(seats)}
    state = load("bloodsport_gambler", seats=seats, objective="outcome").from_position({"at": "setup", **rich})
    while not state.is_over:
        position = state.to_position()
        wanted = {"act": "pass", "bet": f"nobet {position['fight']}", "react": "pass", "discard": "keep"}
        texts = state.legal_texts()
        loan = "skip" if "skip" in texts else "done" if "done" in texts else texts[0]
        state.apply(wanted.get(position["at"], loan))
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.truncated) == (tuple(range(seats)), False)
    assert state.to_position()["round"] == 9


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_at_its_round_limit_is_cut_off_and_pays_nobody(variant: str) -> None:
    """Nobody is done after two rounds of skipping: the third is not begun."""
    game = load("bloodsport_gambler", **{**VARIANTS[variant], "max_rounds": 2})
    state = game.new_state(0)
    while not state.is_over:
        texts = state.legal_texts()
        state.apply("skip" if "skip" in texts else "pass" if "pass" in texts else texts[-1])
    assert state.outcome is not None
    assert state.outcome.truncated
    assert state.outcome.winners == ()
    assert state.returns.tolist() == [0] * game.num_seats
    assert state.to_position()["round"] == 2


# --- figures of random play

MEASURED: dict[str, tuple[dict[str, Any], int, dict[str, float], dict[str, float]]] = {
    # options; games of another implementation of the same rules; its means, and its shares of games
    "race": (
        {},
        2000,
        {
            "decisions": 128,
            "rounds": 2.7,
            "rats": 3.8,
            "act_disc": 0.65,
            "wea_disc": 0.38,
            "fig_disc": 0.07,
            "sec_disc": 0.04,
        },
        {"seat 0": 0.485, "seat 1": 0.494, "nobody": 0.021},
    ),
    "outcome": (
        {"objective": "outcome"},
        1000,
        {"decisions": 139, "rounds": 3.5},
        {"seat 0": 0.0005, "seat 1": 0.0005},
    ),
    "alone": ({"seats": 1}, 2000, {"decisions": 59, "rounds": 3.7}, {"seat 0": 0.004}),
}
PLAYS = {1: (0.77, 0.82), 2: (1.50, 1.62)}
"""Range of the mean number of plays of a type in a race, by its copies."""


def played(game: Game, games: int) -> dict[str, np.ndarray]:
    """Random games: numbers of each, with reshuffles under the name of the discard and plays under that of the card."""
    batch = BatchEnv(game, games, seed=1, threads=2, sample=True, autoreset=False)
    step = batch.reset()
    texts = [f"play {card.id}" for card in game.cards]
    found = {name: np.zeros(games) for name in ("decisions", "rats", *texts)}
    counted = {game.parse(text): text for text in texts} | {game.parse("rat"): "rats"}
    piles = ("act_disc", "fig_disc", "wea_disc", "sec_disc")
    found |= {pile: np.zeros(games) for pile in piles}
    live = np.ones(games, np.bool_)
    while live.any():
        actions = np.where(live, step.sampled, -1)
        found["decisions"] += live
        for row in np.flatnonzero(np.isin(actions, list(counted))):
            found[counted[int(actions[row])]][row] += 1
        before = {pile: batch.states[pile].sum(axis=1, dtype=np.int64) for pile in piles}
        step = batch.step(actions)
        for pile in piles:  # only a reshuffle makes a discard smaller
            found[pile] += batch.states[pile].sum(axis=1, dtype=np.int64) < before[pile]
        live &= ~step.done
    assert not batch.states.truncated.any()
    found["rounds"] = batch.states.round_no.astype(float)
    returns = batch.states.ret[:, : game.num_seats]
    return found | {f"seat {k}": returns[:, k] > 0 for k in range(game.num_seats)} | {"nobody": (returns == 0).all(1)}


@pytest.mark.parametrize("name", MEASURED)
@pytest.mark.parametrize("games", [300, pytest.param(10_000, marks=pytest.mark.long)])
def test_figures_of_random_play(name: str, games: int) -> None:
    """Games are as long, as even and as full as an independent simulation found: within four standard errors."""
    options, measured, means, shares = MEASURED[name]
    found = played(load("bloodsport_gambler", **options), games)
    spread = {key: found[key].std() * np.sqrt(1 / games + 1 / measured) for key in found}
    for key, mean in means.items():
        rounding = 0.5 * 10.0 ** -len(str(mean).partition(".")[2])
        assert abs(found[key].mean() - mean) < 4 * spread[key] + rounding, key
    for key, share in shares.items():
        assert abs(found[key].mean() - share) < 4 * error_of(share, games, measured), key
    assert found["rounds"].max() <= 9
    if name == "race":
        for card in load("bloodsport_gambler").cards:
            low, high = PLAYS[card.copies]
            key = f"play {card.id}"
            assert low - 4 * spread[key] < found[key].mean() < high + 4 * spread[key], key
