"""The forecast in the observation: the chance of a fight by printed numbers, and by no more than the seat knows."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from cardzoo.envs import load
from cardzoo.envs.bloodsport_gambler.cards import tables
from cardzoo.envs.bloodsport_gambler.forecast import UNKNOWN, forecasts
from tests.support.bloodsport_fights import STATS, round_chances


@pytest.fixture(scope="module")
def game():
    return load("bloodsport_gambler")


@pytest.fixture(scope="module")
def table(game):
    return forecasts(tables(game.cards))


def wound_by_wound(left, left_weapon, right, right_weapon) -> float:
    """Chance that left wins less that right does, from the cards of the file, wound by wound."""
    own = STATS[left_weapon.type](left.str, left.dex)
    foe = STATS[right_weapon.type](right.str, right.dex)
    win, lose = round_chances(own, foe, 0, 0, 0)

    @cache
    def from_here(life: int, foe_life: int) -> float:
        if life <= 0 or foe_life <= 0:
            return 1.0 if foe_life <= 0 else -1.0
        hit = from_here(life, foe_life - left_weapon.damage)
        return (win * hit + lose * from_here(life - right_weapon.damage, foe_life)) / (win + lose)

    return from_here(left.life, right.life)


def test_forecasts_are_the_chances_of_fights_counted_out_wound_by_wound(game, table):
    file = game.cards.file
    rng = np.random.default_rng(5)
    armed = [number for number, weapon in enumerate(file.weapons) if weapon.damage > 0]
    for _ in range(300):
        left, right = rng.choice(len(file.fighters), 2, replace=False)
        one, other = rng.choice(armed, 2, replace=False)
        exact = wound_by_wound(file.fighters[left], file.weapons[one], file.fighters[right], file.weapons[other])
        assert table[left, one, right, other] == pytest.approx(exact, abs=1e-6)


def test_an_unknown_weapon_is_any_of_the_files_by_its_copies(game, table):
    copies = np.array([weapon.copies for weapon in game.cards.file.weapons], np.float64)
    share, kinds = copies / copies.sum(), len(copies)
    fighters = len(game.cards.file.fighters)
    known = table[:fighters, :kinds, :fighters, :kinds].astype(np.float64)
    assert np.allclose(table[:fighters, UNKNOWN, :fighters, :kinds], np.tensordot(share, known, (0, 1)), atol=1e-6)
    both = np.tensordot(np.tensordot(known, share, (3, 0)), share, (1, 0))
    assert np.allclose(table[:fighters, UNKNOWN, :fighters, UNKNOWN], both, atol=1e-6)


def test_left_and_right_have_opposite_forecasts(table):
    assert np.allclose(table, -table.transpose(2, 3, 0, 1), atol=1e-6)


def test_weapons_without_damage_make_a_fight_even(game, tmp_path):
    text = game.cards.text.replace("type: STR, damage: 2", "type: STR, damage: 0")
    assert text != game.cards.text
    path = tmp_path / "blunt.yaml"
    path.write_text(text)
    other = load("bloodsport_gambler", cards=path)
    blunt = [number for number, weapon in enumerate(other.cards.file.weapons) if weapon.damage == 0]
    sharp = next(number for number, weapon in enumerate(other.cards.file.weapons) if weapon.damage > 0)
    table = forecasts(tables(other.cards))
    assert table[0, blunt[0], 1, blunt[0]] == 0
    assert table[0, sharp, 1, blunt[0]] == 1
    assert table[0, blunt[0], 1, sharp] == -1


def test_a_seat_is_told_the_forecast_by_the_weapons_that_it_knows(game, table):
    position = {
        "fights": {
            "f1": {
                "left": {"fighter": "gutter_knight", "weapon": "scimitar", "known": [0]},
                "right": {"fighter": "moth_acolyte", "weapon": "rapier", "known": [0, 1]},
            }
        }
    }
    state = game.from_position(position)
    fighters = [fighter.id for fighter in game.cards.file.fighters]
    weapons = [weapon.id for weapon in game.cards.file.weapons]
    left, right = fighters.index("gutter_knight"), fighters.index("moth_acolyte")
    scimitar, rapier = weapons.index("scimitar"), weapons.index("rapier")
    fights = game.observations.block("fights")
    number = fights.start + fights.shape[1] - len(game.cards.file.secrets) - 1
    assert state.observe(0)[number] == table[left, scimitar, right, rapier]
    assert state.observe(1)[number] == table[left, UNKNOWN, right, rapier]
    assert state.observe(0)[number] != state.observe(1)[number]
