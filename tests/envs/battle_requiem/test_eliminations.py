"""Elimination: at each seat, of several at once, in an answer, by effects, in teams; and what the fallen earn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardzoo.envs import State, load

YOUNGEST_FIRST = ["fox_kit", "ash_squire", "glass_apprentice", "cinder_duelist", "thorn_archer", "tide_corsair"]


def start(seats: list[dict[str, Any]], active: int = 0, draw: list[str] | None = None, **options: Any) -> State:
    """A turn with nothing on the table; the cards that are named nowhere are in the box."""
    game = load("battle_requiem", **{"seats": len(seats), **options})
    position = {"box": "rest", "seats": seats, "active": active, "draw": draw or ["spark", "sling", "spark"]}
    return game.from_position(position)


def play(state: State, *moves: str) -> State:
    for move in moves:
        state.apply(move)
        assert state.problems() == []
    return state


def left(state: State) -> list[int]:
    """The seats whose team is out."""
    return [seat for seat in range(state.game.num_seats) if int(state.states[0].left) >> seat & 1]


def play_on(state: State, never: set[int], seed: int = 1) -> State:
    """Play at random to the end; the fallen never act again."""
    rng = np.random.default_rng(seed)
    while not state.is_over:
        assert state.actor not in never
        actions = state.legal_actions()
        state.apply(int(actions[rng.integers(len(actions))]))
        assert state.problems() == []
    return state


@pytest.mark.parametrize(("seats", "victim"), [(n, seat) for n in range(2, 7) for seat in range(n)])
def test_a_seat_falls_in_a_duel_wherever_it_sits(seats: int, victim: int) -> None:
    attacker = (victim + 1) % seats
    table: list[dict[str, Any]] = [
        {"character": name, "hand": ["shortbow" if seat < 3 else "longbow"], "inventory": 1}
        for seat, name in enumerate(YOUNGEST_FIRST[:seats])
    ]
    table[victim] |= {"hp": 1, "hand": ["dagger"]}
    table[attacker] |= {"hand": ["greataxe"]}
    state = start(table, active=attacker)
    play(state, f"duel left {(victim - attacker) % seats}", "pass")
    assert left(state) == [victim]
    assert state.returns[victim] == pytest.approx(-1 / (seats - 1))
    if seats == 2:
        assert state.is_over
        assert state.returns.tolist() == [1.0 if seat == attacker else -1.0 for seat in range(2)]
        return
    assert state.actor == attacker
    assert state.to_position()["phase"] == "reward"
    play(state, "reward heal")
    after = (attacker + 1) % seats
    assert state.actor == (after if after != victim else (after + 1) % seats)
    assert state.to_position()["seats"][victim]["hand"] == {}
    state = play_on(state, {victim})
    assert state.returns.sum() == pytest.approx(0)
    assert state.returns[victim] == pytest.approx(-1 / (seats - 1))


def test_several_fall_by_one_effect_and_share_their_place() -> None:
    state = start(
        [
            {"character": "flame_oracle", "hand": ["rainbow_relic"], "inventory": 1},
            {"character": "fox_kit", "hp": 4, "hand": ["dagger"]},
            {"character": "ash_squire", "hp": 5, "hand": ["hatchet"], "inventory": 1},
            {"character": "thorn_archer", "hp": 2, "hand": ["sling"]},
            {"character": "iron_marshal", "hand": ["spark"], "inventory": 1},
        ],
        returns="placement",
    )
    play(state, "play rainbow_relic")
    assert left(state) == [1, 3]
    assert state.to_position()["seats"][1]["place"] == state.to_position()["seats"][3]["place"] == 4.5
    assert state.returns.tolist() == pytest.approx([0, 1 - 2 * 3.5 / 4, 0, 1 - 2 * 3.5 / 4, 0])
    # The fallen hands are laid down in turn order from the active seat: Fox Kit's (age 11) before Thorn Archer's (27).
    assert state.to_position()["discard"] == ["rainbow_relic", "sling", "dagger"]
    play_on(state, {1, 3})


def test_a_seat_falls_while_it_answers_and_the_next_one_is_asked() -> None:
    state = start(
        [
            {"character": "storm_caller", "hand": ["rainbow_relic"], "inventory": 1},
            {"character": "iron_marshal", "hp": 4, "hand": ["golden_shield"]},
            {"character": "tide_dragon", "hand": ["chain_mail"], "inventory": 1},
        ]
    )
    play(state, "play rainbow_relic")
    assert (state.actor, left(state)) == (1, [])
    play(state, "suffer")
    assert (state.actor, left(state)) == (2, [1])
    assert state.to_position()["phase"] == "levy"
    play(state, "discard chain_mail")
    assert state.actor == 0


def test_a_seat_that_cannot_pay_falls_without_being_asked() -> None:
    state = start(
        [
            {"character": "storm_caller", "hand": ["rainbow_relic"], "inventory": 1},
            {"character": "iron_marshal", "hp": 4, "hand": ["dagger"]},
            {"character": "tide_dragon", "hand": ["chain_mail"], "inventory": 1},
        ]
    )
    play(state, "play rainbow_relic")
    assert (state.actor, left(state)) == (2, [1])


def test_with_reward_scope_any_the_reward_comes_before_the_next_answer() -> None:
    state = start(
        [
            {"character": "storm_caller", "hp": 9, "hand": ["rainbow_relic"], "inventory": 1},
            {"character": "iron_marshal", "hp": 4, "hand": ["golden_shield"]},
            {"character": "tide_dragon", "hand": ["chain_mail"], "inventory": 1},
        ],
        reward_scope="any",
    )
    play(state, "play rainbow_relic", "suffer")
    assert (state.actor, state.to_position()["phase"]) == (0, "reward")
    play(state, "reward restock")
    assert state.to_position()["seats"][0]["hand"] == {"golden_shield": 1}
    assert (state.actor, state.to_position()["phase"]) == (2, "levy")


def test_the_last_opponent_falls_in_an_answer_to_an_ability() -> None:
    state = start(
        [
            {"character": "cinder_duelist", "hand": ["rainbow_relic"], "inventory": 1},
            {"character": "iron_marshal", "hp": 7, "hand": ["dagger", "sling"]},
        ]
    )
    play(state, "play rainbow_relic", "suffer")
    assert state.is_over
    assert state.returns.tolist() == [1, -1]
    assert state.to_position()["discard"] == ["rainbow_relic", "sling", "dagger"]


def test_several_rewards_are_chosen_one_fallen_seat_after_another() -> None:
    state = start(
        [
            {"character": "flame_oracle", "hp": 9, "hand": ["rainbow_relic"], "inventory": 1},
            {"character": "iron_marshal", "hp": 4, "hand": ["meteor"]},
            {"character": "mirror_seer", "hp": 3, "hand": ["golden_shield"]},
            {"character": "tide_dragon", "hand": ["dagger"], "inventory": 1},
        ],
        reward_scope="any",
    )
    play(state, "play rainbow_relic")
    assert state.to_position()["fallen"] == [1, 2]
    play(state, "reward heal")
    assert state.to_position()["seats"][0]["hp"] == 14
    assert state.to_position()["seats"][1]["hand"] == {}
    assert state.to_position()["seats"][2]["hand"] == {"golden_shield": 1}
    play(state, "reward restock")
    assert state.to_position()["seats"][0]["hand"] == {"golden_shield": 1}
    assert state.actor == 3


def test_a_fallen_member_of_a_living_team_is_not_out_and_shares_its_result() -> None:
    teams = [0, 1, 0, 1]
    state = start(
        [
            {"character": "flame_oracle", "hand": ["meteor"], "inventory": 1},
            {"character": "fox_kit", "hp": 1, "hand": ["dagger"]},
            {"character": "iron_marshal", "hp": 5, "hand": ["sling"], "inventory": 1},
            {"character": "moss_healer", "hp": 2, "hand": ["hatchet"], "inventory": 1},
        ],
        active=0,
        teams=teams,
    )
    k = next(k for k in range(1, 4) if int(state.states[0].order[(int(state.states[0].rank[0]) + k) % 4]) == 1)
    play(state, f"duel left {k}", "pass", "reward heal")
    assert left(state) == []
    assert state.returns.tolist() == [0, 0, 0, 0]
    while not state.is_over:
        assert state.actor != 1
        legal = state.legal_texts()
        duels = [text for text in legal if text.startswith("duel")]
        plays = [text for text in legal if text.startswith("play")]
        state.apply((duels or plays or legal)[0])
        assert state.problems() == []
    assert state.returns[0] == state.returns[2] == -state.returns[1] == -state.returns[3]
    assert abs(state.returns[0]) == 1


def test_three_teams_of_two_lose_one_after_another() -> None:
    state = start(
        [
            {"character": "ash_squire", "hand": ["greataxe"], "inventory": 1},
            {"character": "fox_kit", "hp": 0},
            {"character": "glass_apprentice", "hand": ["golden_shield"], "inventory": 1},
            {"character": "iron_marshal", "hand": ["dagger"], "inventory": 1},
            {"character": "elder_treant", "hp": 1, "hand": ["sling"]},
            {"character": "tide_dragon", "hand": ["golden_shield"], "inventory": 1},
        ],
        teams=[0, 1, 2, 0, 1, 2],
    )
    k = next(k for k in range(1, 6) if int(state.states[0].order[(int(state.states[0].rank[0]) + k) % 6]) == 4)
    play(state, f"duel left {k}", "pass")
    assert left(state) == [1, 4]
    assert state.returns.tolist() == [0, -0.5, 0, 0, -0.5, 0]
