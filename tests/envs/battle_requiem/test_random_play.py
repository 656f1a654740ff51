"""Counts of move sequences, games without an end, what is legal, and seats that are alike."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cardzoo.envs import Game, load
from cardzoo.envs.battle_requiem.game import BattleRequiem
from tests.support.counting import perft, slow_perft

VARIANTS = BattleRequiem.variants


@pytest.mark.parametrize("variant", [name for name in VARIANTS if "draft" not in name])
def test_an_endless_game_is_cut_off_and_pays_nobody(variant: str) -> None:
    """Nobody ever duels: all turns but the lost ones are discards, up to the limit of 100 for each seat."""
    game = load("battle_requiem", **VARIANTS[variant])
    state = game.new_state(0)
    while not state.is_over:
        state.apply(next(text for text in state.legal_texts() if text.startswith("discard")))
    assert state.outcome is not None
    assert state.outcome.truncated
    assert state.returns.tolist() == [0] * game.num_seats
    assert state.to_position()["turn"] == 100 * game.num_seats


PERFT: tuple[tuple[str, dict[str, Any], dict[str, Any], list[int]], ...] = (
    (
        "a duel with armaments, armor and a shield",
        {},
        {
            "seats": [
                {"character": "ash_squire", "hand": ["longsword", "spark", "chain_mail"], "inventory": 3},
                {"character": "iron_marshal", "hand": ["sling", "leather_coat", "golden_shield"], "inventory": 3},
            ],
            "draw": ["dagger", "meteor", "hatchet", "longbow", "frostbite", "sling"],
        },
        [4, 14, 52, 182, 640, 2252, 7831],
    ),
    (
        "effects: branches, targets, steals, turns won and lost",
        {"seats": 3},
        {
            "seats": [
                {"character": "fox_kit", "hand": ["twin_vial", "thiefs_glove", "rainbow_relic"], "inventory": 3},
                {"character": "mirror_seer", "hand": ["dream_sand", "rainbow_relic"], "inventory": 2},
                {"character": "forge_warden", "hand": ["rainbow_relic", "scrap_magnet"], "inventory": 2},
            ],
            "draw": ["dagger", "hourglass", "smoke_bomb", "chain_mail", "spark"],
            "discard": ["golden_shield", "hatchet", "longbow"],
        },
        [6, 18, 72, 278, 978, 3801, 14371],
    ),
    (
        "a levy and a tribute that are answered, and falls on the way",
        {"seats": 3},
        {
            "seats": [
                {"character": "cinder_duelist", "hand": ["rainbow_relic", "dagger"], "inventory": 2},
                {"character": "storm_caller", "hp": 7, "hand": ["rainbow_relic", "sling", "spark"], "inventory": 3},
                {"character": "briar_broker", "hp": 4, "hand": ["rainbow_relic", "golden_shield"], "inventory": 2},
            ],
            "draw": ["hatchet", "leather_coat", "longbow", "fireball"],
        },
        [5, 13, 51, 173, 567, 1948, 6755],
    ),
    (
        "rewards: HP, a hand that is too large, a larger hand",
        {"seats": 3, "reward_scope": "any"},
        {
            "seats": [
                {"character": "flame_oracle", "hand": ["greataxe", "fire_flask", "spark"], "inventory": 3},
                {"character": "iron_marshal", "hp": 3, "hand": ["meteor", "sling"], "inventory": 2},
                {"character": "tide_dragon", "hp": 4, "hand": ["dagger", "chain_mail"], "inventory": 2},
            ],
            "active": 0,
            "draw": ["hatchet", "longbow", "hourglass", "shortbow"],
        },
        [6, 18, 50, 174, 543, 1793, 6348],
    ),
    (
        "two teams of two, one seat out, one veiled",
        {"teams": [0, 1, 0, 1]},
        {
            "seats": [
                {"character": "flame_oracle", "hp": 5, "hand": ["twin_vial", "spark"], "inventory": 2},
                {"character": "moss_healer", "hp": 4, "hand": ["rainbow_relic", "hatchet"], "inventory": 2},
                {"character": "iron_marshal", "veil": True, "hand": ["rainbow_relic", "dagger"], "inventory": 2},
                {"character": "fox_kit", "hp": 0},
            ],
            "draw": ["sling", "longbow", "fire_flask", "meteor"],
        },
        [4, 12, 39, 134, 442, 1385, 4242],
    ),
)


@pytest.mark.parametrize(
    ("options", "position", "counts"), [case[1:] for case in PERFT], ids=[case[0] for case in PERFT]
)
def test_perft(options: dict[str, Any], position: dict[str, Any], counts: list[int]) -> None:
    """Numbers of legal move sequences, which pin the mask and the rules at once."""
    state = load("battle_requiem", **options).from_position({"box": "rest", **position})
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts
    assert slow_perft(state, 4) == counts[3]


# --- what is legal, told by the position alone

GROUPS = {"armament": ("melee", "missile", "spell"), "guard": ("armor", "shield")}


def of_kinds(words: str) -> set[str]:
    """The kinds that a step names, joined by +."""
    if words == "any":
        return {"melee", "missile", "spell", "armor", "shield", "item", "relic"}
    return {kind for word in words.split("+") for kind in GROUPS.get(word, (word,))}


class Questions:
    """What the rules allow in a position of a game, in words, from the card file and the options."""

    def __init__(self, game: Game) -> None:
        document = yaml.safe_load(game.cards.text)
        self.types = {entry["id"]: entry for entry in document["types"]}
        self.characters = {entry["id"]: entry for entry in document["characters"]}
        self.teams = game.options["teams"] or list(range(game.num_seats))
        self.drafts_realms = len(set(self.teams)) < game.num_seats

    def cards(self, word: str, cards: Iterable[str], kinds: Collection[str] | None = None) -> set[str]:
        """The actions of a word for cards of some kinds (None: of all)."""
        return {f"{word} {card}" for card in cards if kinds is None or self.types[card]["kind"] in kinds}

    def drafts(self, position: Mapping[str, Any]) -> set[str]:
        """The characters that the drafting seat may take."""
        taken = [entry.get("character") for entry in position["seats"]]
        realms = {
            team: self.characters[name]["realm"]
            for team, name in zip(self.teams, taken, strict=True)
            if name is not None
        }
        own = realms.get(self.teams[position["actor"]])
        found = set()
        for name, entry in self.characters.items():
            fits = entry["realm"] == own if own else entry["realm"] not in realms.values()
            if name not in taken and (fits or not self.drafts_realms):
                found.add(f"draft {name}")
        return found

    def legal(self, position: Mapping[str, Any]) -> set[str]:
        """The texts of all legal actions."""
        phase, seats = position["phase"], position["seats"]
        if phase == "draft":
            return self.drafts(position)
        own, active = seats[position["actor"]], position["active"]
        order = sorted(range(len(seats)), key=lambda seat: (self.characters[seats[seat]["character"]]["age"], seat))
        left = {(order.index(seat) - order.index(active)) % len(seats): seat for seat in order}
        living = {k: seat for k, seat in left.items() if seats[seat]["hp"] > 0}
        foes = {k: seat for k, seat in living.items() if self.teams[seat] != self.teams[active]}
        if phase == "turn":
            found = self.cards("discard", own["hand"]) | self.cards("play", own["hand"], {"item", "relic"})
            armed = self.cards("play", own["hand"], GROUPS["armament"])
            return found | {f"duel left {k}" for k, seat in foes.items() if armed and not seats[seat]["veil"]}
        if phase in ("attack", "defend"):
            begun = position["duel"]["attack" if phase == "attack" else "defence"]
            kinds = GROUPS["armament"] + (() if phase == "attack" or begun else GROUPS["guard"])
            stop = {"done"} if begun else {"pass"} if phase == "defend" else set()
            return self.cards("play", own["hand"], kinds) | stop
        if phase == "reward":
            return {"reward heal", "reward restock", *(["reward grow"] if own["inventory"] < 12 else [])}
        if phase == "trim":
            return self.cards("discard", own["hand"])
        return self.answers(position, own, foes, living)

    def answers(
        self, position: Mapping[str, Any], own: Mapping[str, Any], foes: Mapping[int, int], living: Mapping[int, int]
    ) -> set[str]:
        """The legal actions in the middle of an effect."""
        phase, seats, effect = position["phase"], position["seats"], position["effect"]
        entry = self.types[effect["card"]]
        if entry["kind"] == "relic":
            entry = self.characters[seats[position["active"]]["character"]]["ability"]
        if phase == "choose":
            return {"choose first", "choose second"}
        verb, *words = entry["effect"][effect["step"]].removeprefix("first ").removeprefix("second ").split()
        if phase == "target":
            friends = {k for k, seat in living.items() if self.teams[seat] == self.teams[position["active"]]}
            targets = friends if words[-1] == "ally" else foes
            return {f"target left {k}" if k else "target self" for k in targets}
        if phase == "levy":
            whole = effect["need"] == int(words[0])
            return self.cards("discard", own["hand"], of_kinds(words[1])) | ({"suffer"} if whole else set())
        if phase == "tribute":
            return self.cards("pick", own["hand"])
        if verb == "rob":
            return self.cards("pick", seats[effect["foe"]]["hand"])
        return self.cards("pick", position["discard"], of_kinds(words[1]))


ASKERS = ["cinder_duelist", "briar_broker", "storm_caller", "forge_warden", "mirror_seer", "fox_kit"]
ALWAYS_ASKED = ("turn", "choose", "reward", "over")


@pytest.mark.parametrize(
    "options",
    [*VARIANTS.values(), {"seats": 6, "characters": ASKERS, "reward_scope": "any"}],
    ids=[*VARIANTS, "askers"],
)
def test_the_mask_is_what_the_rules_say_and_nobody_is_asked_what_has_one_answer(options: dict[str, Any]) -> None:
    """The whole mask and its count in every state of some games, and R27."""
    game = load("battle_requiem", **options)
    questions = Questions(game)
    for seed in range(3):
        state = game.new_state(seed)
        rng = np.random.default_rng(seed)
        while not state.is_over:
            position = state.to_position()
            assert set(state.legal_texts()) == questions.legal(position), position
            mask = np.ones(game.num_actions, np.bool_)
            assert game.kernels.legal(state.states, 0, game.rules, mask) == mask.sum() == len(state.legal_texts())
            first_defence = position["phase"] == "defend" and not position["duel"]["defence"]
            assert len(state.legal_texts()) > 1 or position["phase"] in ALWAYS_ASKED or first_defence
            state.apply(int(rng.choice(state.legal_actions())))
        mask = np.ones(game.num_actions, np.bool_)
        assert game.kernels.legal(state.states, 0, game.rules, mask) == 0
        assert not mask.any()


# --- the seats are alike


def seated(position: Mapping[str, Any], chairs: Sequence[int]) -> dict[str, Any]:
    """The position after seat k has moved to seat chairs[k]."""

    def moved(seat: int | None) -> int | None:
        return None if seat is None else chairs[seat]

    def by_seat(values: Sequence[Any]) -> list[Any]:
        return [values[chairs.index(seat)] for seat in range(len(chairs))]

    found = dict(position)
    found |= {key: by_seat(position[key]) for key in ("seats", "returns")}
    found |= {key: moved(position[key]) for key in ("active", "actor")}
    if position["duel"] is not None:
        found["duel"] = position["duel"] | {"defender": moved(position["duel"]["defender"])}
    if position["effect"] is not None:
        effect = position["effect"]
        queue = sorted(chairs[seat] for seat in effect["queue"])
        found["effect"] = effect | {"foe": moved(effect["foe"]), "ally": moved(effect["ally"]), "queue": queue}
    if position["fallen"] is not None:
        found["fallen"] = sorted(chairs[seat] for seat in position["fallen"])
    return found


def in_seat_order(position: dict[str, Any]) -> dict[str, Any]:
    """The position with its sets of seats in ascending order."""
    return seated(position, range(len(position["seats"])))


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), variant=st.sampled_from([name for name in VARIANTS if "draft" not in name]))
def test_moving_to_other_seats_moves_everything(seed: int, variant: str) -> None:
    """Turn order goes by age, and actions count in it: the same game is played wherever its characters sit."""
    options = VARIANTS[variant]
    game = load("battle_requiem", **options)
    rng = np.random.default_rng(seed)
    chairs = [int(seat) for seat in rng.permutation(game.num_seats)]
    elsewhere = game
    if options.get("teams"):
        teams = [options["teams"][chairs.index(seat)] for seat in range(game.num_seats)]
        elsewhere = load("battle_requiem", **{**options, "teams": teams})
    start = game.new_state(seed).to_position()
    state, other = game.from_position(start), elsewhere.from_position(seated(start, chairs))
    assert state.states.rng.tobytes() == other.states.rng.tobytes()
    while not state.is_over:
        assert other.legal_texts() == state.legal_texts()
        action = int(rng.choice(state.legal_actions()))
        state.apply(action)
        other.apply(action)
        assert in_seat_order(other.to_position()) == seated(state.to_position(), chairs)
        for seat in range(game.num_seats):
            assert np.array_equal(other.observe(chairs[seat]), state.observe(seat))
