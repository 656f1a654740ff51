"""What every registered game does in every variant, through State, PettingZoo's AEC environment and BatchEnv."""

from __future__ import annotations

import copy
import importlib
import pickle
import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, render_test, seed_test

from cardzoo.envs import BatchEnv, IllegalAction, OptionError, State, load
from cardzoo.envs.core.aec import ILLEGAL_REWARD
from cardzoo.envs.core.registry import game_class, names
from tests.support.aec import DUPLICATES, check_copies, check_game, early_steps, play, take_turn

# A game of several hundred decisions a round, which is dealt anew each time: two rounds show what nine do.
SHORTER: dict[str, dict[str, Any]] = {"teddies_vs_monsters": {"keys_to_win": 1, "max_rounds": 2, "max_sudden": 1}}
MAKERS = ("raw_env", "env")
VARIANTS = [(name, variant) for name in names() for variant in game_class(name).variants]
CASES = [pytest.param(name, variant, id=f"{name}-{variant}") for name, variant in VARIANTS]
CAPPED: list[tuple[str, dict[str, Any], bool]] = [  # and whether some have left before
    ("bedroom_battle", {"max_rounds": 1}, False),
    ("battle_requiem", {"max_turns": 2}, False),
    ("battle_requiem", {"seats": 6, "max_turns": 40}, True),
    ("battle_requiem", {"teams": [0, 1, 0, 1], "max_turns": 40}, False),
    ("battle_requiem", {"teams": [0, 1, 2, 0, 1, 2], "max_turns": 80}, True),
    ("teddies_vs_monsters", {"round_ticks": 100, "max_sudden": 0, "max_rounds": 1}, False),
    ("teddies_vs_monsters", {"seats": 4, "round_ticks": 100, "max_sudden": 0, "max_rounds": 1}, False),
]
# Games in which seats leave early, in which seats are out while their team plays on, and in which neither happens.
COPIED = [
    ("bedroom_battle", "quick", 0),
    ("battle_requiem", "default", 0),
    ("battle_requiem", "six", 3),
    ("battle_requiem", "teams_2v2", 0),
    ("battle_requiem", "teams_2v2v2", 2),
    ("teddies_vs_monsters", "short", 0),
]


def options_of(name: str, variant: str) -> dict[str, Any]:
    return {**SHORTER.get(name, {}), **game_class(name).variants[variant]}


def make(name: str, maker: str, **options: Any) -> Any:
    """An environment as the game's own PettingZoo module makes it."""
    return getattr(importlib.import_module(f"cardzoo.envs.{name}_v0"), maker)(**options)


def random_moves(state: State, rng: np.random.Generator, moves: int = 100_000) -> State:
    """Play up to so many random moves."""
    for _ in range(moves):
        if state.is_over:
            break
        state.apply(int(rng.choice(state.legal_actions())))
    return state


# --- PettingZoo and Gymnasium


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(("name", "variant"), CASES)
def test_pettingzoo_finds_nothing(strict, capsys, name, variant, maker):
    options = options_of(name, variant)
    api_test(make(name, maker, **options), num_cycles=300)
    seed_test(lambda: make(name, maker, **options), num_cycles=60)
    capsys.readouterr()
    render_test(lambda render_mode=None: make(name, maker, render_mode=render_mode, **options))
    assert capsys.readouterr().out.count("\n") > 10


@pytest.mark.parametrize("name", names())
def test_gymnasium_knows_the_game(name):
    ids = {spec.kwargs["game"]: key for key, spec in gymnasium.registry.items() if key.startswith("cardzoo/")}
    assert ids[name] == f"cardzoo/{game_class(name).title.title().replace(' ', '')}-v{game_class(name).version}"


# --- the interfaces agree


def seats_leave_early(game) -> bool:
    """Whether the games of the test below have a seat that is out for good while others play on."""
    if game.name == "bloodsport_gambler":  # who has a result leaves, if the objective is not a race that it ends
        return (
            game.num_seats == 2 and game.options["objective"] != "race" and game.options["finished_seat"] != "restart"
        )
    return game.num_teams > 2


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_whole_games_agree_with_the_state_and_the_batch(name, variant):
    options = options_of(name, variant)
    game = load(name, **options)
    choose = np.random.default_rng(0)
    left_early = sum(check_game(make(name, MAKERS[seed % 2], **options), game, seed, choose) for seed in range(4))
    assert (left_early > 0) == seats_leave_early(game)


@pytest.mark.parametrize(("name", "options", "leaving"), CAPPED, ids=str)
def test_cut_off_games_are_truncated_for_all_who_are_still_there(name, options, leaving):
    game = load(name, **options)
    choose = np.random.default_rng(0)
    env = make(name, "raw_env", **options)
    endings = set()
    for seed in range(12):
        left_early = check_game(env, game, seed, choose)
        endings.add((env.table.outcome.truncated, left_early > 0))
    assert ((True, True) in endings) == leaving
    assert {True} <= {truncated for truncated, _ in endings}


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_games_repeat_with_their_seed_whatever_is_played_beside_them(name, variant):
    options = options_of(name, variant)
    seeds = range(3)
    expected = [play(make(name, "raw_env", **options), seed) for seed in seeds]
    assert len({str(history) for history in expected}) == len(seeds)
    envs = [make(name, "env", **options) for _ in seeds]
    choices = [np.random.default_rng(seed) for seed in seeds]
    histories: list[list[Any]] = [[] for _ in seeds]
    other = random_moves(load(name).new_state(7), np.random.default_rng(7), 20)
    for env, seed in zip(envs, seeds, strict=True):
        env.reset(seed=seed)
    while any(env.agents for env in envs):
        np.random.seed(len(histories[0]))  # noqa: NPY002 - somebody else's global stream
        random_moves(other, choices[0].spawn(1)[0], 1)
        for env, choose, history in zip(envs, choices, histories, strict=True):
            if env.agents:
                history.append(take_turn(env, choose))
    assert histories == expected


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), case=st.sampled_from(VARIANTS))
def test_a_game_replays_bit_for_bit(seed: int, case: tuple[str, str]) -> None:
    """A copied record with the same actions gives the same bytes, whatever else draws random numbers."""
    game = load(case[0], **options_of(*case))
    state = game.new_state(seed)
    twin = state.copy()
    rng = np.random.default_rng(seed)
    while not state.is_over:
        action = int(rng.choice(state.legal_actions()))
        state.apply(action)
        np.random.seed(action)  # noqa: NPY002 - somebody else's global stream
        twin.apply(action)
    assert twin.states.tobytes() == state.states.tobytes()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), case=st.sampled_from(VARIANTS))
def test_legal_actions_apply_and_all_others_are_refused(seed: int, case: tuple[str, str]) -> None:
    """Each offered action changes the state, each withheld one is refused and changes nothing."""
    game = load(case[0], **options_of(*case))
    rng = np.random.default_rng(seed)
    state = game.new_state(seed)
    while not state.is_over:
        legal = state.legal_actions()
        assert legal == sorted(set(legal))
        before = state.states.tobytes()
        if rng.random() < 0.05:
            for action in range(game.num_actions):
                if action in legal:
                    successor = state.copy()
                    successor.apply(action)
                    assert successor.states.tobytes() != before
                else:
                    with pytest.raises(IllegalAction):
                        state.apply(action)
            assert state.states.tobytes() == before
        state.apply(int(rng.choice(legal)))


# --- copies


@pytest.mark.parametrize("duplicate", DUPLICATES, ids=["deepcopy", "pickle"])
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(("name", "variant", "early"), COPIED)
def test_environments_copied_at_any_point_go_on_alike_and_share_nothing(name, variant, early, maker, duplicate):
    """Also before and between the steps with None of seats that have left early."""
    options = options_of(name, variant)
    games = {seed: play(make(name, "raw_env", **options), seed) for seed in range(4)}
    seed = max(games, key=lambda seed: early_steps(games[seed]))
    expected = games[seed]
    assert early_steps(expected) >= early
    dead = [k for k, entry in enumerate(expected) if entry[-1] is None]
    stops = sorted({*range(0, len(expected), len(expected) // 4), *dead[:3], *dead[-2:], len(expected)})
    check_copies(lambda: make(name, maker, **options), seed, expected, stops, duplicate)


@pytest.mark.parametrize("duplicate", DUPLICATES, ids=["deepcopy", "pickle"])
@pytest.mark.parametrize(("name", "variant"), CASES)
def test_copied_states_and_batches_go_on_alike_and_share_nothing(name, variant, duplicate):
    game = load(name, **options_of(name, variant))
    state = random_moves(game.new_state(1), np.random.default_rng(1), 40)
    before = state.states.tobytes()
    assert random_moves(duplicate(state), np.random.default_rng(2)) == random_moves(
        state.copy(), np.random.default_rng(2)
    )
    assert state.states.tobytes() == before

    batch = BatchEnv(game, 5, seed=3, threads=2, sample=True)
    step = batch.reset()
    for _ in range(30):
        step = batch.step(step.sampled)
    twin = duplicate(batch)
    for _ in range(30):
        actions = step.sampled.copy()
        before = batch.states.tobytes()
        other = copy.deepcopy(twin.step(actions))
        assert batch.states.tobytes() == before
        step = batch.step(actions)
        assert twin.states.tobytes() == batch.states.tobytes()
        assert all(np.array_equal(a, b) for a, b in zip(step[:5], other[:5], strict=True))


# --- mistakes


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_what_is_no_legal_action_is_refused_with_its_reason_and_changes_nothing(name, variant):
    options = options_of(name, variant)
    env = make(name, "raw_env", **options)
    with pytest.raises(IllegalAction, match=r"^no game is on; call reset\(\) first"):
        env.step(0)
    env.reset(seed=1)
    last = env.game.num_actions - 1
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    text = env.game.text(illegal)
    actor, seat = env.agent_selection, env.table.actor
    for action, message in {
        illegal: f"action {illegal} ({text!r}) is not legal for {actor}; legal are: {env.table.legal_texts()[0]}",
        last + 1: f"{name} has actions 0 to {last}, not {last + 1}.",
        -1: f"{name} has actions 0 to {last}, not -1.",
        None: f"None is only for a seat whose game is over; {actor} has to choose an action.",
        text: f"an action of {name} is an integer from 0 to {last}, not {text!r}.",
        1.5: f"an action of {name} is an integer from 0 to {last}, not 1.5.",
    }.items():
        before = env.table
        with pytest.raises(IllegalAction, match=f"^{re.escape(message)}"):
            env.step(action)
        assert env.table == before
        assert env.agent_selection == actor
    state = env.table
    for action, message in {
        illegal: f"action {illegal} ({text!r}) is not legal for seat {seat}; legal are: {state.legal_texts()[0]}",
        text: f"action {illegal} ({text!r}) is not legal for seat {seat}; legal are: {state.legal_texts()[0]}",
        "fold": f"{name} has no action 'fold'",
        text[:-1]: f"{name} has no action {text[:-1]!r}; did you mean",
    }.items():
        with pytest.raises(IllegalAction, match=f"^{re.escape(message)}"):
            state.apply(action)
        assert state == env.table
    batch = BatchEnv(load(name, **options), 2, seed=1)
    batch.reset()
    before = batch.states.tobytes()
    with pytest.raises(IllegalAction, match=re.escape(f"({text!r}) is not legal for game 0, seat {seat}; legal are: ")):
        batch.step([illegal, -1])
    assert batch.states.tobytes() == before


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_seats_whose_game_is_over_take_none_and_nothing_else(name, variant):
    env = make(name, "raw_env", **options_of(name, variant))
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    refused = 0
    while env.agents:
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            before = pickle.dumps(env.__getstate__())
            for action in (0, int(env.game.num_actions), env.game.text(0)):
                message = f"the game is over for {agent}, so the only action is None, not {action!r}"
                with pytest.raises(IllegalAction, match=f"^{re.escape(message)}"):
                    env.step(action)
            assert pickle.dumps(env.__getstate__()) == before
            refused += 1
        take_turn(env, rng)
    assert refused == env.game.num_seats
    with pytest.raises(IllegalAction, match=r"^no game is on; call reset\(\) first"):
        env.step(None)
    with pytest.raises(IllegalAction, match=r"^the game is over, so 0 cannot be played; start another game"):
        env.table.apply(0)


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_illegal_action_under_the_standard_wrappers_loses_and_leaves_the_next_game_alone(name, variant):
    options = options_of(name, variant)
    env = make(name, "env", **options)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(9):
        take_turn(env, rng)
    culprit = env.agent_selection
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        totals[agent] += env.last()[1]
        env.step(None)
    assert totals == {agent: ILLEGAL_REWARD * (agent == culprit) for agent in env.possible_agents}
    assert play(env, 2) == play(make(name, "env", **options), 2)


@pytest.mark.parametrize("name", names())
def test_options_and_render_modes_are_checked_when_the_environment_is_made(name):
    for maker in MAKERS:
        with pytest.raises(OptionError, match=f'^{name}: option "colour" is unknown; allowed are '):
            make(name, maker, colour="red")
        with pytest.raises(OptionError, match="render_mode is 'human', 'ansi' or None, not 'rgb_array'"):
            make(name, maker, render_mode="rgb_array")


# --- size


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_a_thousand_games_take_less_than_21_megabytes(name, variant):
    assert BatchEnv(load(name, **options_of(name, variant)), 1024, threads=2).nbytes < 21e6
