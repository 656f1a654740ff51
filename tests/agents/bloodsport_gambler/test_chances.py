"""Chances against a small exact programme that plays out dice and wounds, written without the estimator's tables."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from cardzoo.agents.bloodsport_gambler.estimator import Desk, lay_out_fights, new_desk, outlook, win_chance
from cardzoo.agents.bloodsport_gambler.wagers import stakes
from cardzoo.envs import State, load
from cardzoo.envs.bloodsport_gambler.chances import (
    HITS,
    LEFT_TIES,
    NEVER,
    NO_ROUND,
    NO_TIES,
    RIGHT_TIES,
    fill_races,
    hits_needed,
    round_share,
)
from cardzoo.envs.core.game import Game
from tests.support.bloodsport_fights import STATS, round_chances


@pytest.fixture(scope="module")
def game() -> Game:
    return load("bloodsport_gambler")


# --- the exact programme


def fight_chance(left_life: int, right_life: int, left_damage: int, right_damage: int, p: float, q: float) -> float:
    """Chance that left wins a fight, wound by wound; rounds without a winner are left out."""
    p, q = (p if left_damage > 0 else 0.0), (q if right_damage > 0 else 0.0)
    if p + q == 0:
        return 0.5

    def from_here(left: int, right: int) -> float:
        if left <= 0 or right <= 0:
            return float(left > 0)
        win = p * from_here(left, right - left_damage) if p > 0 else 0.0
        loss = q * from_here(left - right_damage, right) if q > 0 else 0.0
        return (win + loss) / (p + q)

    return from_here(left_life, right_life)


def exact(game: Game, left: str, right: str, left_weapons: list[str], right_weapons: list[str]) -> float:
    """Mean chance of left over weapons of both sides, nothing else at work."""
    file: Any = game.cards.file
    fighters = {fighter.id: fighter for fighter in file.fighters}
    weapons = {weapon.id: weapon for weapon in file.weapons}
    one, two = fighters[left], fighters[right]
    total = 0.0
    for a, b in product(left_weapons, right_weapons):
        own, foe = weapons[a], weapons[b]
        p, q = round_chances(STATS[own.type](one.str, one.dex), STATS[foe.type](two.str, two.dex), 0, 0, NO_TIES)
        total += fight_chance(one.life, two.life, own.damage, foe.damage, p, q)
    return total / len(left_weapons) / len(right_weapons)


def all_weapons(game: Game) -> list[str]:
    file: Any = game.cards.file
    return [weapon.id for weapon in file.weapons for _ in range(weapon.copies)]


# --- dice and hits


@pytest.mark.parametrize("ties", [NO_TIES, LEFT_TIES, RIGHT_TIES])
@pytest.mark.parametrize(("left_mode", "right_mode"), list(product((-2, -1, 0, 1, 2), repeat=2)))
def test_round_shares(left_mode: int, right_mode: int, ties: int) -> None:
    for left, right in product(range(-12, 16), repeat=2):
        wins, losses = round_chances(left, right, left_mode, right_mode, ties)
        share = round_share(left, right, left_mode, right_mode, ties)
        assert share == pytest.approx(wins / (wins + losses) if wins + losses > 0 else NO_ROUND)


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 0.9, 1.0])
def test_races(share: float) -> None:
    race = np.full((HITS, HITS), np.nan)
    fill_races(share, 6, 5, race)
    for left, right in product([*range(1, 7), NEVER], [*range(1, 6), NEVER]):
        damages = (int(left != NEVER), int(right != NEVER))
        lives = (right if right != NEVER else 1, left if left != NEVER else 1)
        expected = fight_chance(*lives, *damages, share, 1 - share)
        assert race[left, right] == pytest.approx(expected), (left, right)


def test_nobody_ever_wins_a_round() -> None:
    race = np.full((HITS, HITS), np.nan)
    fill_races(NO_ROUND, 3, 3, race)
    assert (race[np.ix_([1, 2, 3, NEVER], [1, 2, 3, NEVER])] == 0.5).all()


def test_hits() -> None:
    assert [hits_needed(5, damage) for damage in (1, 2, 3, 4, 5, 9)] == [5, 3, 2, 2, 1, 1]
    assert hits_needed(3, 0) == NEVER
    assert hits_needed(-2, 2) == 1
    assert hits_needed(99, 1) == HITS - 2


# --- fights


def laid_out(state: State) -> Desk:
    desk = new_desk()
    lay_out_fights(desk, state.states[0], state.game.rules[0], int(state.actor or 0))
    return desk


def chance(state: State, fight: int = 0) -> float:
    return float(win_chance(laid_out(state), state.states[0], state.game.rules[0], int(state.actor or 0), fight))


def side(fighter: str, weapon: str | None = None, **more: Any) -> dict[str, Any]:
    return {"fighter": fighter, **({"weapon": weapon, "known": [0]} if weapon else {}), **more}


def act(game: Game, f1: dict[str, Any], **more: Any) -> State:
    """Seat 0 is to act, with a card that it may play."""
    return game.from_position({"at": "act", "fights": {"f1": f1}, "seat0": {"hand": {"call_in_favours": 1}}, **more})


@pytest.mark.parametrize(
    ("left", "right"), [("insect", "deceased_mantrasuly"), ("marsh_ogre", "chain_widow"), ("bog_urchin", "insect")]
)
@pytest.mark.parametrize(("one", "two"), [("rapier", "triple_axe"), ("broken_bottle", "quarterstaff")])
def test_fights_with_known_weapons(game: Game, left: str, right: str, one: str, two: str) -> None:
    state = act(game, {"left": side(left, one), "right": side(right, two)})
    assert chance(state) == pytest.approx(exact(game, left, right, [one], [two]))


def test_fights_with_unknown_weapons(game: Game) -> None:
    weapons = all_weapons(game)
    state = act(game, {"left": side("silk_duelist"), "right": side("bone_colossus")})
    assert chance(state) == pytest.approx(exact(game, "silk_duelist", "bone_colossus", weapons, weapons))


def test_weapons_seen_are_no_candidates(game: Game) -> None:
    """Known on the table, or discarded."""
    state = act(
        game,
        {"left": side("silk_duelist", "triple_axe"), "right": side("bone_colossus")},
        weapon_discard={"rapier": 1, "trident": 1},
    )
    rest = [weapon for weapon in all_weapons(game) if weapon not in ("triple_axe", "rapier", "trident")]
    assert chance(state) == pytest.approx(exact(game, "silk_duelist", "bone_colossus", ["triple_axe"], rest))


# Left has STR 5, DEX 3, life 3 and a weapon of STR 2; right STR 4, DEX 1, life 4 and one of DEX 1.
@pytest.mark.parametrize(
    ("cards", "stats", "lives", "damages"),
    [
        ([], (5, 1), (3, 4), (2, 1)),
        ([("sorcerous_succor", "1R", 2)], (5, 2), (3, 4), (2, 1)),
        ([("poisoned_edge", "1R", 1)], (5, 1), (3, 4), (2, 3)),
        ([("loosened_hilt", "1R", 1)], (5, 1), (3, 4), (2, 0)),
        ([("warped_grip", "1L", 2)], (3, 1), (3, 4), (2, 1)),
        ([("switched_scabbards", "1R", 1)], (3, 4), (3, 4), (1, 2)),
        # what is laid beside a weapon goes with it
        ([("switched_scabbards", "1R", 1), ("poisoned_edge", "1L", 1)], (3, 4), (3, 4), (1, 4)),
        ([("bedchamber_scorpion", "1R", 5)], (5, 1), (3, 1), (2, 1)),
        ([("bedchamber_scorpion", "1R", 2)], (5, 1), (3, 4), (2, 1)),  # too likely to be caught
    ],
)
def test_own_sabotage(
    game: Game,
    cards: list[tuple[str, str, int]],
    stats: tuple[int, int],
    lives: tuple[int, int],
    damages: tuple[int, int],
) -> None:
    sabotage = [{"card": card, "seat": 0, "spot": spot, "time": time} for card, spot, time in cards]
    state = act(
        game,
        {"left": side("demon_spawn", "war_pick"), "right": side("marsh_ogre", "barbed_whip")},
        sabotage=sabotage,
    )
    wins, losses = round_chances(*stats, 0, 0, NO_TIES)
    assert chance(state) == pytest.approx(fight_chance(*lives, *damages, wins, losses))


def test_sabotage_of_the_other_seat_counts_once_it_is_seen(game: Game) -> None:
    f1 = {"left": side("demon_spawn", "war_pick"), "right": side("marsh_ogre", "barbed_whip")}
    plain = chance(act(game, f1))
    for seen, mode in (([1], 0), ([0, 1], -1)):
        sabotage = [{"card": "sleeping_draught", "seat": 1, "spot": "1L", "seen": seen}]
        wins, losses = round_chances(5, 1, mode, 0, NO_TIES)
        found = chance(act(game, f1, sabotage=sabotage))
        assert found == pytest.approx(fight_chance(3, 4, 2, 1, wins, losses))
        assert (found == pytest.approx(plain)) == (mode == 0)


def test_a_replaced_weapon_is_unknown_again(game: Game) -> None:
    sabotage = [{"card": "vanishing_blade", "seat": 0, "spot": "1L", "time": 1}]
    f1 = {"left": side("demon_spawn", "war_pick"), "right": side("marsh_ogre", "barbed_whip")}
    rest = [weapon for weapon in all_weapons(game) if weapon not in ("war_pick", "barbed_whip")]
    state = act(game, f1, sabotage=sabotage)
    assert chance(state) == pytest.approx(exact(game, "demon_spawn", "marsh_ogre", rest, ["barbed_whip"]))


@pytest.mark.parametrize(
    ("secret", "stats", "lives", "damages", "modes", "ties"),
    [
        ("mutated_by_the_mirage", (5, 1), (3, 4), (2, 1), (1, 0), NO_TIES),
        ("blinded_by_the_sun", (5, 1), (3, 4), (2, 1), (0, -1), NO_TIES),
        ("crowds_darling", (5, 2), (3, 4), (2, 1), (0, 0), NO_TIES),
        ("debt_to_the_syndicate", (4, 1), (3, 4), (1, 1), (0, 0), NO_TIES),
        ("smell_of_blood", (5, 1), (3, 4), (2, 1), (0, 0), NO_TIES),  # nothing, since nobody is wounded for sure
        ("second_skin", (5, 1), (5, 4), (2, 1), (0, 0), NO_TIES),
        ("festering_cut", (5, 1), (2, 3), (2, 1), (0, 0), NO_TIES),
        ("left_hand_of_fate", (5, 1), (3, 4), (2, 1), (0, 0), LEFT_TIES),
        ("forgotten_training", (5, 2), (3, 4), (2, 1), (0, 0), NO_TIES),
    ],
)
def test_known_secrets(
    game: Game,
    secret: str,
    stats: tuple[int, int],
    lives: tuple[int, int],
    damages: tuple[int, int],
    modes: tuple[int, int],
    ties: int,
) -> None:
    f1 = {"left": side("demon_spawn", "war_pick"), "right": side("marsh_ogre", "barbed_whip"), "secret": secret}
    wins, losses = round_chances(*stats, *modes, ties)
    assert chance(act(game, {**f1, "secret_known": [0]})) == pytest.approx(fight_chance(*lives, *damages, wins, losses))
    wins, losses = round_chances(5, 1, 0, 0, NO_TIES)
    assert chance(act(game, f1)) == pytest.approx(fight_chance(3, 4, 2, 1, wins, losses))  # not known


def test_values_of_seeing_weapons(game: Game) -> None:
    """The means over weapons, each with the best wager on the chances that are left."""
    left, right = "marsh_ogre", "chain_widow"  # even odds: three coins on whom is more likely to win
    state = act(game, {"left": side(left), "right": side(right)})
    desk = laid_out(state)
    record, rules = state.states[0], state.game.rules[0]
    win_chance(desk, record, rules, 0, 0)  # lays out the trial
    _, found = outlook(desk, rules, stakes(record, rules, 0, 16))
    weapons = all_weapons(game)
    pairs = np.array([[exact(game, left, right, [one], [two]) for two in weapons] for one in weapons])
    means = [pairs.mean(), pairs.mean(1), pairs.mean(0), pairs]
    assert found == pytest.approx([np.abs(6 * chances - 3).mean() for chances in means])
    assert found[0] < min(found[1:3])
    assert max(found[1:3]) < found[3]
