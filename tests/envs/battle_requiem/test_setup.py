"""Setting up a game: characters, turn order, hands, the first discard (rulings R1, R3, R24, R26)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from cardzoo.envs import State, load
from cardzoo.envs.battle_requiem.cards import AGE, COPIES, HP, INVENTORY, REALM


def character(state: State, seat: int, column: int) -> int:
    """A stat of a seat's character."""
    return int(state.game.rules[0].characters[int(state.states[0].char[seat]), column])


@pytest.mark.parametrize("seats", range(2, 7))
def test_r3_hands_are_full_a_card_is_turned_up_and_the_youngest_begins(seats: int) -> None:
    game = load("battle_requiem", seats=seats)
    for seed in range(20):
        state = game.new_state(seed)
        s = state.states[0]
        ages = [character(state, int(seat), AGE) for seat in s.order[:seats]]
        assert ages == sorted(ages)
        assert state.actor == s.order[0] == s.active
        assert [int(n) for n in s.n_hand[:seats]] == [character(state, seat, INVENTORY) for seat in range(seats)]
        assert [int(n) for n in s.hp[:seats]] == [character(state, seat, HP) for seat in range(seats)]
        assert (int(s.n_disc), int(s.turn), int(s.round_no)) == (1, 1, 1)
        assert int(s.n_draw) == 65 - 1 - int(s.n_hand.sum())
        held = s.hand.sum(axis=0) + s.in_disc + np.bincount(s.draw[: int(s.n_draw)], minlength=len(s.in_disc))
        assert np.array_equal(held, game.rules[0].types[:, COPIES])


def test_r3_whole_hands_come_from_the_top_in_turn_order() -> None:
    game = load("battle_requiem", seats=3, characters=["tide_dragon", "fox_kit", "iron_marshal"])
    state = game.new_state(5)
    s = state.states[0]
    assert s.order[:3].tolist() == [1, 2, 0]
    drafted = load("battle_requiem", seats=3, characters="draft").new_state(5)
    deck = drafted.states[0].draw[:65][::-1].tolist()  # the same seed, the same deck: no random number goes before it
    for seat in s.order[:3]:
        size = int(s.inv[seat])
        dealt, deck = deck[:size], deck[size:]
        assert Counter(dealt) == {card: int(n) for card, n in enumerate(s.hand[seat]) if n}
    assert int(s.disc[0]) == deck[0]


def test_r1_of_equal_ages_the_lower_seat_comes_first(tmp_path) -> None:
    game = load("battle_requiem")
    path = tmp_path / "twins.yaml"
    text = game.cards.text.replace("age: 81", "age: 15")  # Iron Marshal is as young as Ash Squire
    assert text != game.cards.text
    path.write_text(text)
    for names, order in ((["ash_squire", "iron_marshal"], [0, 1]), (["iron_marshal", "ash_squire"], [0, 1])):
        state = load("battle_requiem", cards=path, characters=names).new_state(1)
        assert state.states[0].order[:2].tolist() == order


def test_random_characters_are_different_and_uniform() -> None:
    states = load("battle_requiem", seats=4).new_states(9000, seed=1)
    drawn = states.char[:, :4]
    assert all(len(set(row)) == 4 for row in drawn.tolist())
    share = np.bincount(drawn[:, 2], minlength=18) / 9000
    assert np.abs(share - 1 / 18).max() < 4.5 * np.sqrt(1 / 18 * 17 / 18 / 9000)


@pytest.mark.parametrize("teams", [[0, 1, 0, 1], [0, 1, 0, 1, 0, 1], [0, 1, 2, 0, 1, 2]])
def test_r24_members_of_a_team_share_a_realm_that_no_other_team_has(teams: list[int]) -> None:
    game = load("battle_requiem", teams=teams)
    for seed in range(50):
        state = game.new_state(seed)
        realms = [character(state, seat, REALM) for seat in range(len(teams))]
        assert len(set(zip(teams, realms, strict=True))) == len(set(teams)) == len(set(realms))
        assert len({int(c) for c in state.states[0].char[: len(teams)]}) == len(teams)


def test_r26_seats_draft_in_seat_order_and_the_game_is_dealt_after_the_last() -> None:
    state = load("battle_requiem", seats=3, characters="draft").new_state(3)
    assert len(state.legal_actions()) == 18
    for seat, name in enumerate(["tide_dragon", "fox_kit", "iron_marshal"]):
        assert state.actor == seat
        assert state.problems() == []
        state.apply(f"draft {name}")
        assert state.is_over or f"draft {name}" not in state.legal_texts()
    assert state.to_position()["phase"] == "turn"
    assert state.actor == 1  # Fox Kit, 11
    given = load("battle_requiem", seats=3, characters=["tide_dragon", "fox_kit", "iron_marshal"]).new_state(3)
    assert state.states.hand.tolist() == given.states.hand.tolist()
