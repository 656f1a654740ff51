"""The odds of fights: 100,000 fights of each kind against an exact programme over wounds and fight rounds.

The programme knows the printed numbers of the card file and the rules, and nothing of the engine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from cardzoo.envs import BatchEnv, load
from cardzoo.envs.bloodsport_gambler.game import BloodsportGambler
from cardzoo.envs.core.random import seed_states
from tests.support.bloodsport_fights import STATS, round_chances

GAMES = 100_000
PART = 5_000  # games that are played at a time
WINNERS = (1, 2, 3)  # left, right, none: as a record has them
CARDS = yaml.safe_load(Path(BloodsportGambler.cards_path).read_text(encoding="utf-8"))

# What no secret of the card file does, two copies each to make up twelve.
MORE_SECRETS = {
    "second_wind": ["score(wounded, +2)", "heal(wounded, 1)"],
    "wet_hands": ["weapon_type(both, WORST)", "dice(favourite, low)"],
    "thin_air": ["stat(both, str -7, dex -7)", "life(underdog, -9)"],
    "cork_on_the_points": ["ties(both)", "damage(both, -1)"],
    "two_minds": ["dice(left, high)", "dice(left, low)"],
    "bad_blood": ["dice(both, high)", "wound(wounded, 1)"],
}


class Fight(NamedTuple):
    """Who fights with what, and the secret of the fight."""

    left: str
    left_weapon: str
    right: str
    right_weapon: str
    secret: str


class Table(NamedTuple):
    """Three fights of one round of the game, and its option `max_fight_rounds`."""

    fights: list[Fight]
    rounds: int = 20


TABLES = [
    # The first two secrets do nothing at even odds.
    Table(
        [
            Fight("deceased_mantrasuly", "scimitar", "gutter_knight", "triple_axe", "crowds_darling"),
            Fight("insect", "rapier", "silk_duelist", "war_pick", "debt_to_the_syndicate"),
            Fight("marsh_ogre", "chained_anvil", "ember_monk", "trident", "mutated_by_the_mirage"),
        ]
    ),
    # Stats of 0 and -1, so totals that would be below 1; a weapon without damage left.
    Table(
        [
            Fight("tavern_bruiser", "throwing_stars", "bog_urchin", "stone_maul", "forgotten_training"),
            Fight("chain_widow", "barbed_whip", "moth_acolyte", "war_scythe", "debt_to_the_syndicate"),
            Fight("grave_filler", "great_flail", "demon_spawn", "quarterstaff", "crowds_darling"),
        ]
    ),
    # Both of the second fight may go down in one round.
    Table(
        [
            Fight("blade_freak", "barbed_whip", "iron_matron", "war_pick", "smell_of_blood"),
            Fight("bone_colossus", "broken_bottle", "two_headed_brute", "spiked_shield", "festering_cut"),
            Fight("clockwork_page", "serpent_spear", "putrid_snake_beast", "rusty_cleaver", "second_skin"),
        ]
    ),
    Table(
        [
            Fight("demon_spawn", "stone_maul", "marsh_ogre", "barbed_whip", "kissed_by_the_mirage"),
            Fight("insect", "chained_anvil", "iron_matron", "scimitar", "left_hand_of_fate"),
            Fight("silk_duelist", "trident", "two_headed_brute", "quarterstaff", "drugged_wine"),
        ]
    ),
    Table(
        [
            Fight("moth_acolyte", "broken_bottle", "tavern_bruiser", "war_scythe", "blinded_by_the_sun"),
            Fight("putrid_snake_beast", "throwing_stars", "blade_freak", "serpent_spear", "old_scars"),
            Fight("gutter_knight", "butcher_hook", "bone_colossus", "rapier", "debt_to_the_syndicate"),
        ]
    ),
    # Many fights end without a victor.
    Table(
        [
            Fight("chain_widow", "rapier", "deceased_mantrasuly", "scimitar", "second_skin"),
            Fight("ember_monk", "great_flail", "grave_filler", "twin_daggers", "smell_of_blood"),
            Fight("bog_urchin", "barbed_whip", "clockwork_page", "rusty_cleaver", "festering_cut"),
        ],
        rounds=3,
    ),
    Table(
        [
            Fight("insect", "quarterstaff", "marsh_ogre", "war_pick", "second_wind"),
            Fight("bone_colossus", "scimitar", "moth_acolyte", "trident", "wet_hands"),
            Fight("gutter_knight", "triple_axe", "chain_widow", "barbed_whip", "thin_air"),
        ]
    ),
    Table(
        [
            Fight("ember_monk", "war_pick", "grave_filler", "spiked_shield", "cork_on_the_points"),
            Fight("iron_matron", "twin_daggers", "demon_spawn", "butcher_hook", "two_minds"),
            Fight("blade_freak", "barbed_whip", "tavern_bruiser", "quarterstaff", "bad_blood"),
        ]
    ),
]
CASES = [
    pytest.param(number, k, id=f"{number}-{fight.left_weapon}-{fight.right_weapon}-{fight.secret}")
    for number, table in enumerate(TABLES)
    for k, fight in enumerate(table.fights)
]
# A secret that should change nothing: nobody is favourite or underdog, or high and low dice cancel.
IDLE = [(0, 0), (0, 1), (7, 1)]
WEAK = [(1, 0), (6, 2)]  # both fighters' totals may have to be brought up to 1
BRIEF = 5  # the table whose fights are short


# --- the exact programme


class Effect(NamedTuple):
    """An effect of a secret: `wound`, `both`, [1]; `stat`, `right`, [-1, 1]; `dice`, `left`, ["high"]."""

    verb: str
    who: str
    values: list[Any]


@dataclass(frozen=True)
class Side:
    """The printed numbers of a fighter and of its weapon."""

    rank: int
    str: int
    dex: int
    life: int
    type: str
    damage: int


def read_effect(text: str) -> Effect:
    """An effect as the card file has it, for instance `stat(right, str -1, dex +1)`."""
    verb, _, rest = text.removesuffix(")").partition("(")
    who, *values = [part.split()[-1] for part in rest.split(",")]
    return Effect(verb, who, [int(value) if value[-1].isdigit() else value for value in values])


def read_side(fighter: str, weapon: str) -> Side:
    """The numbers of a fighter and a weapon of the card file."""
    printed = {card["id"]: card for card in (*CARDS["fighters"], *CARDS["weapons"])}
    card = printed[fighter] | {key: printed[weapon][key] for key in ("type", "damage")}
    return Side(**{key: card[key] for key in Side.__annotations__})


def read_fight(fight: Fight) -> tuple[tuple[Side, Side], list[Effect]]:
    """The sides of a fight and the effects of its secret."""
    secrets = {card["id"]: card["effects"] for card in CARDS["secrets"]} | MORE_SECRETS
    sides = read_side(fight.left, fight.left_weapon), read_side(fight.right, fight.right_weapon)
    return sides, [read_effect(text) for text in secrets[fight.secret]]


def reaches(who: str, side: int, sides: tuple[Side, Side], wounds: list[int]) -> bool:
    """Whether an effect of a secret is on a side; favourite and underdog go by printed ranks (R23)."""
    lead = sides[side].rank - sides[1 - side].rank
    places = {"both": True, "left": side == 0, "right": side == 1}
    return (places | {"favourite": lead > 0, "underdog": lead < 0, "wounded": wounds[side] > 0})[who]


def numbers_now(side: Side, effects: list[Effect]) -> tuple[int, int, int, int, bool]:
    """What a side adds to its die, its dice mode (R12), damage, life, and whether it wins equal totals."""

    def total(verb: str, k: int = 0) -> int:
        values = [effect.values[k] for effect in effects if effect.verb == verb]
        return sum({"high": 1, "low": -1}.get(value, value) for value in values)

    types = [side.type, *(effect.values[0] for effect in effects if effect.verb == "weapon_type")]
    stat = STATS[types[-1]](side.str + total("stat", 0), side.dex + total("stat", 1))
    ties = any(effect.verb == "ties" for effect in effects)
    damage, life = max(0, side.damage + total("damage")), max(1, side.life + total("life"))
    return stat + total("score"), total("dice"), damage, life, ties


def odds(sides: tuple[Side, Side], effects: list[Effect], rounds: int) -> NDArray[np.float64]:
    """Chances that left wins, that right wins, and of a dead heat (R9, R10), float64 (3,)."""

    @cache
    def from_here(left: int, right: int, fight_round: int) -> NDArray[np.float64]:
        wounds = [left, right]
        lasting: list[list[Effect]] = [[], []]
        for effect, side in product(effects, (0, 1)):  # wounds in every round, the rest for this round (R11)
            if reaches(effect.who, side, sides, wounds):
                if effect.verb in ("wound", "heal"):
                    wounds[side] += effect.values[0] * (1 if effect.verb == "wound" else -1)
                    wounds[side] = max(0, wounds[side])
                else:
                    lasting[side].append(effect)
        add, mode, damage, life, ties = zip(*map(numbers_now, sides, lasting), strict=True)
        win, loss = round_chances(*add, *mode, 0 if ties[0] == ties[1] else 1 if ties[0] else 2)
        left, right = wounds
        chances = np.zeros(3)
        for p, after in (
            (win, (left, right + damage[0])),
            (loss, (left + damage[1], right)),
            (1 - win - loss, (left, right)),
        ):
            down = [have >= can for have, can in zip(after, life, strict=True)]
            if any(down):
                chances[2 if all(down) else down.index(False)] += p
            elif fight_round == rounds:
                chances[2] += p
            else:
                chances += p * from_here(*after, fight_round + 1)
        return chances

    return from_here(0, 0, 1)


# --- the engine


@cache
def shares(number: int) -> NDArray[np.float64]:
    """How often each fight of a table is won by left, by right, and by nobody: float64 (3 fights, 3)."""
    table = TABLES[number]
    options: dict[str, Any] = {"seats": 1, "max_fight_rounds": table.rounds}
    with TemporaryDirectory() as folder:
        if table.fights[0].secret in MORE_SECRETS:
            secrets = [
                {"id": name, "name": name, "copies": 2, "effects": effects} for name, effects in MORE_SECRETS.items()
            ]
            options["cards"] = Path(folder) / "cards.yaml"
            options["cards"].write_text(yaml.safe_dump(CARDS | {"secrets": secrets}), encoding="utf-8")
        game = load("bloodsport_gambler", **options)
    fights = {
        f"f{k}": {
            "left": {"fighter": fight.left, "weapon": fight.left_weapon},
            "right": {"fighter": fight.right, "weapon": fight.right_weapon},
            "secret": fight.secret,
        }
        for k, fight in enumerate(table.fights, 1)
    }
    # A seat alone, without cards, is at its last wager: next come the fights, then its loan turn.
    start = game.from_position({"at": "bet", "fight": 3, "fights": fights}).states
    batch = BatchEnv(game, PART)
    counts = np.zeros((3, 3), np.int64)
    for rngs in np.split(seed_states(number, GAMES), GAMES // PART):
        states = np.repeat(start, PART).view(np.recarray)
        states.rng[:] = rngs
        batch.reset_to(states)
        batch.step(np.full(PART, game.parse("nobet 3")))
        counts += (batch.states.winner[:, :, None] == WINNERS).sum(0)
    assert (counts.sum(1) == GAMES).all()
    return counts / GAMES


def deviation(number: int, k: int, expected: NDArray[np.float64]) -> float:
    """The largest difference in a fight's shares, in standard errors; one game is too many of what cannot happen."""
    spread = np.sqrt(np.clip(expected * (1 - expected), 1e-15, None) / GAMES)
    return float((np.abs(shares(number)[k] - expected) / spread).max())


# --- tests


def test_every_card_is_in_a_fight() -> None:
    fights = [fight for table in TABLES for fight in table.fights]
    for kind, used in (
        ("fighters", {name for fight in fights for name in (fight.left, fight.right)}),
        ("weapons", {name for fight in fights for name in (fight.left_weapon, fight.right_weapon)}),
        ("secrets", {fight.secret for fight in fights} - set(MORE_SECRETS)),
    ):
        assert used == {card["id"] for card in CARDS[kind]}


@pytest.mark.parametrize(("number", "k"), CASES)
def test_odds(number: int, k: int) -> None:
    table = TABLES[number]
    expected = odds(*read_fight(table.fights[k]), table.rounds)
    assert expected.sum() == pytest.approx(1)
    assert deviation(number, k, expected) < 4


@pytest.mark.parametrize("side", [0, 1], ids=["left", "right"])
@pytest.mark.parametrize(("number", "k"), CASES)
def test_a_point_more_is_noticed(number: int, k: int, side: int) -> None:
    """A programme with one more on a stat is far off; with one more damage or life too, unless as many hits decide."""
    table = TABLES[number]
    sides, effects = read_fight(table.fights[k])
    expected = odds(sides, effects, table.rounds)
    for keys in (("str", "dex"), ("damage",), ("life",)):
        changed = list(sides)
        changed[side] = replace(sides[side], **{key: getattr(sides[side], key) + 1 for key in keys})
        other = odds((changed[0], changed[1]), effects, table.rounds)
        same = keys != ("str", "dex") and other == pytest.approx(expected, rel=0, abs=1e-12)
        assert same or deviation(number, k, other) > 10, keys


@pytest.mark.parametrize(("number", "k"), CASES)
def test_a_secret_less_is_noticed(number: int, k: int) -> None:
    table = TABLES[number]
    sides, effects = read_fight(table.fights[k])
    other = odds(sides, [], table.rounds)
    if (number, k) in IDLE:
        assert (other == odds(sides, effects, table.rounds)).all()
    else:
        assert deviation(number, k, other) > 10


@pytest.mark.parametrize("more", [-1, 1])
@pytest.mark.parametrize("k", [0, 1])
def test_another_limit_of_fight_rounds_is_noticed(k: int, more: int) -> None:
    table = TABLES[BRIEF]
    assert deviation(BRIEF, k, odds(*read_fight(table.fights[k]), table.rounds + more)) > 10


@pytest.mark.parametrize(("number", "k"), WEAK)
def test_totals_below_1_are_noticed(number: int, k: int) -> None:
    """Nine points more for both change nothing but that no total is brought up to 1."""
    table = TABLES[number]
    sides, effects = read_fight(table.fights[k])
    left, right = (replace(side, str=side.str + 9, dex=side.dex + 9) for side in sides)
    assert deviation(number, k, odds((left, right), effects, table.rounds)) > 5
