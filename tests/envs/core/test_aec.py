"""The AEC environment: PettingZoo's own tests, whole games, refusals, copies, and the standard wrappers."""

from __future__ import annotations

import copy
import pickle
import re

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils import wrappers

from cardzoo.envs import IllegalAction, OptionError
from cardzoo.envs.core.aec import ILLEGAL_REWARD, TableEnv, make_env, make_raw_env
from tests.tiny_game import TinyGame

pytestmark = pytest.mark.usefixtures("tiny_registered")


def raw(**options):
    return make_raw_env("tiny", **options)


def play(env, seed=None, choose=lambda legal, step: legal[step % len(legal)]):
    """One whole game: everything that `last` returned, with the action chosen."""
    env.reset(seed=seed)
    history = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        legal = np.flatnonzero(observation["action_mask"])
        action = None if terminated or truncated else int(choose(legal, len(history)))
        history.append((agent, observation, reward, terminated, truncated, info, action))
        env.step(action)
    return history


def same(first, second):
    assert len(first) == len(second)
    for one, other in zip(first, second, strict=True):
        assert one[0] == other[0]
        assert one[2:] == other[2:]
        for key in ("observation", "action_mask"):
            assert np.array_equal(one[1][key], other[1][key])


@pytest.mark.parametrize("make", [make_raw_env, make_env])
@pytest.mark.parametrize("options", TinyGame.variants.values(), ids=TinyGame.variants)
def test_pettingzoo_api_test(strict, make, options):
    api_test(make("tiny", **options), num_cycles=100)


@pytest.mark.parametrize("make", [make_raw_env, make_env])
def test_pettingzoo_seed_test(strict, make):
    seed_test(lambda: make("tiny"), num_cycles=100)


@pytest.mark.parametrize("make", [make_raw_env, make_env])
def test_pettingzoo_render_test(strict, make, capsys):
    render_test(lambda render_mode=None: make("tiny", render_mode=render_mode))
    assert "table:" in capsys.readouterr().out


def test_whole_games_with_one_seed_are_equal_whatever_else_draws_random_numbers():
    first, second = raw(), raw()
    games = [play(first, seed=5)]
    other = raw()
    np.random.seed(1)  # noqa: NPY002
    play(other, seed=8)
    same(games[0], play(second, seed=5))


def test_interleaved_environments_do_not_disturb_each_other():
    expected = [play(raw(), seed=seed) for seed in range(4)]
    envs = [raw() for _ in range(4)]
    for seed, env in enumerate(envs):
        env.reset(seed=seed)
    histories = [[] for _ in envs]
    while any(env.agents for env in envs):
        for env, history in zip(envs, histories, strict=True):
            if env.agents:
                observation, reward, terminated, truncated, info = env.last()
                legal = np.flatnonzero(observation["action_mask"])
                action = None if terminated or truncated else int(legal[len(history) % len(legal)])
                history.append((env.agent_selection, observation, reward, terminated, truncated, info, action))
                env.step(action)
    for one, other in zip(expected, histories, strict=True):
        same(one, other)


def test_resets_without_a_seed_are_new_games_and_repeat_from_the_first_seed_whatever_was_played():
    env = raw()
    env.reset(seed=3)
    deals = [env.table]
    for _ in range(5):
        env.reset()
        deals.append(env.table)
    assert len({deal.states.tobytes() for deal in deals}) == 6
    env.reset(seed=3)
    assert env.table == deals[0]
    for deal in deals[1:]:
        env.step(env.table.legal_actions()[0])
        env.reset()
        assert env.table == deal
    fresh = [raw(), raw()]
    for one in fresh:
        one.reset()
    assert fresh[0].table != fresh[1].table


def test_the_seeds_game_is_that_of_the_other_interfaces(tiny):
    env = raw()
    env.reset(seed=12)
    assert env.table == tiny.new_state(12)


@pytest.mark.parametrize("options", TinyGame.variants.values(), ids=TinyGame.variants)
def test_rewards_of_last_and_of_each_step_add_up_to_the_returns(options):
    env = raw(**options)
    drawn = 0
    for seed in range(20):
        env.reset(seed=seed)
        by_last = dict.fromkeys(env.possible_agents, 0.0)
        by_step = dict.fromkeys(env.possible_agents, 0.0)
        seen_dead = []
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            by_last[agent] += reward
            if terminated or truncated:
                seen_dead.append(agent)
                assert truncated == bool(options)
                assert terminated != truncated
                env.step(None)
            else:
                env.step(np.flatnonzero(observation["action_mask"])[0])
            for name, earned in env.rewards.items():
                by_step[name] += earned
        returns = dict(zip(env.possible_agents, env.table.returns, strict=True))
        assert by_last == by_step == returns
        drawn += not any(returns.values())
        assert sorted(seen_dead) == env.possible_agents  # one dead turn each
        assert env.agents == []
        assert env.rewards == env.terminations == env.truncations == env.infos == {}
    assert drawn < 20 or options


def test_while_agents_and_agent_iter_are_the_same_loop():
    expected = play(raw(), seed=2)
    env = raw()
    env.reset(seed=2)
    history = []
    while env.agents:
        observation, reward, terminated, truncated, info = env.last()
        legal = np.flatnonzero(observation["action_mask"])
        action = None if terminated or truncated else int(legal[len(history) % len(legal)])
        history.append((env.agent_selection, observation, reward, terminated, truncated, info, action))
        env.step(action)
    same(expected, history)


def test_end_shows_for_every_seat_and_agents_is_full_until_the_dead_turns():
    env = raw()
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(env.table.legal_actions()[0])
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.agents == ["seat_0", "seat_1"]
    assert not env.observe("seat_0")["action_mask"].any()
    for left in (1, 0):
        env.step(None)
        assert len(env.agents) == left


def test_observe_works_for_every_seat_at_any_time_and_changes_nothing():
    env = raw()
    env.reset(seed=6)
    while env.agents:
        table = env.table
        for agent in env.possible_agents * 2:
            view = env.observe(agent)
            assert np.array_equal(view["observation"], table.observe(int(agent[-1])))
            expected = table.action_mask() if agent == env.agent_selection and not table.is_over else np.zeros(3)
            assert np.array_equal(view["action_mask"], expected)
            assert view["action_mask"].dtype == np.int8
            assert env.observation_space(agent).contains(view)
            if agent == env.agent_selection and not table.is_over:
                assert env.action_space(agent).sample(view["action_mask"]) in table.legal_actions()
        assert env.table == table
        env.step(table.legal_actions()[0] if not table.is_over else None)
    with pytest.raises(ValueError, match="tiny has the agents seat_0, seat_1, not 'seat_2'"):
        env.observe("seat_2")


def test_what_the_caller_keeps_never_changes_and_writing_into_it_changes_no_game():
    expected = play(raw(), seed=4)
    env = raw()
    env.reset(seed=4)
    kept, copies = [], []
    for step, (_, _, _, _, _, _, action) in enumerate(expected):
        observation, _, _, _, info = env.last()
        kept.append((observation, info))
        copies.append(copy.deepcopy((observation, info)))
        for agent in env.agents:
            spoilt = env.observe(agent)
            spoilt["observation"][:] = 1
            spoilt["action_mask"][:] = 1
        again = env.last()[0]
        assert all(np.array_equal(again[key], expected[step][1][key]) for key in again)
        env.step(action)
    for one, other in zip(kept, copies, strict=True):
        assert all(np.array_equal(one[0][key], other[0][key]) for key in one[0])
        assert one[1] == other[1]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (2, "action 2 ('play dog') is not legal for seat_0; legal are: play cat."),
        (3, "tiny has actions 0 to 2, not 3."),
        (-1, "tiny has actions 0 to 2, not -1."),
        (None, "None is only for a seat whose game is over; seat_0 has to choose an action."),
        (1.0, "an action of tiny is an integer from 0 to 2, not 1.0."),
        (True, "an action of tiny is an integer from 0 to 2, not True."),
        ("play cat", "an action of tiny is an integer from 0 to 2, not 'play cat'."),
        (np.array([1]), "an action of tiny is an integer from 0 to 2, not array([1])."),
    ],
)
def test_illegal_action_is_refused_and_changes_nothing(tiny, action, message):
    env = raw()
    env.reset(seed=0)
    position = {"hands": [["cat", "cat"], ["dog", "mouse"]], "deck": ["mouse", "mouse", "dog", "cat"]}
    env._states[0] = tiny.from_position(position).states[0]
    env.__setstate__(env.__getstate__())
    before, view = env.table, env.last()
    with pytest.raises(IllegalAction, match=f"^{re.escape(message)}$"):
        env.step(action)
    assert env.table == before
    assert env.agent_selection == "seat_0"
    assert np.array_equal(env.last()[0]["action_mask"], view[0]["action_mask"])
    env.step(np.int32(1))
    assert env.agent_selection == "seat_1"


def test_actions_after_the_end_and_before_the_start_are_refused():
    env = raw()
    with pytest.raises(IllegalAction, match=r"no game is on; call reset\(\) first"):
        env.step(0)
    play_until_over(env)
    with pytest.raises(IllegalAction, match=r"the game is over for seat_[01], so the only action is None, not 0"):
        env.step(0)
    env.step(None)
    env.step(None)
    with pytest.raises(IllegalAction, match=r"no game is on; call reset\(\) first"):
        env.step(None)


def play_until_over(env):
    env.reset(seed=0)
    while not env.table.is_over:
        env.step(env.table.legal_actions()[0])


def test_every_offered_action_can_be_played_and_every_other_is_refused(tiny):
    env = raw()
    for seed in range(10):
        env.reset(seed=seed)
        while not env.table.is_over:
            mask = env.last()[0]["action_mask"]
            assert mask.any()
            for action in range(tiny.num_actions):
                twin = copy.deepcopy(env)
                if mask[action]:
                    twin.step(action)
                    assert twin.table != env.table
                else:
                    with pytest.raises(IllegalAction):
                        twin.step(action)
                    assert twin.table == env.table
            env.step(int(np.flatnonzero(mask)[-1]))


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("make", [make_raw_env, make_env])
def test_copies_at_any_point_go_on_alike_and_share_nothing(make, duplicate):
    original = make("tiny")
    expected = play(original, seed=9)
    for stop in range(len(expected) + 1):
        env = make("tiny")
        env.reset(seed=9)
        for entry in expected[:stop]:
            env.step(entry[-1])
        twin = duplicate(env)
        rest = []
        while twin.agents:
            view = twin.last()
            action = expected[stop + len(rest)][-1]
            rest.append((twin.agent_selection, *view, action))
            twin.step(action)
        same(expected[stop:], rest)
        assert env.agents == ([] if stop == len(expected) else env.agents)
        for entry in expected[stop:]:
            env.step(entry[-1])  # the original is where it was
        env.reset()
        twin.reset()
        assert env.unwrapped.table == twin.unwrapped.table  # also the deals to come


def test_copy_of_an_environment_without_a_game(tiny):
    twin = copy.deepcopy(raw())
    twin.reset(seed=1)
    assert twin.table == tiny.new_state(1)


def test_illegal_action_under_the_standard_wrappers_loses_and_leaves_the_next_game_alone(tiny):
    """The wrapper once made the next game begin with the wrong seat and stale masks."""
    for when in range(6):
        env = make_env("tiny")
        env.reset(seed=when)
        for _ in range(when):
            env.step(env.unwrapped.table.legal_actions()[0])
        culprit = env.agent_selection
        mask = env.last()[0]["action_mask"]
        if mask.all():
            continue
        env.step(int(np.flatnonzero(mask == 0)[0]))
        totals = {}
        for agent in env.agent_iter():
            _, reward, terminated, truncated, _ = env.last()
            assert terminated or truncated
            totals[agent] = totals.get(agent, 0) + reward
            env.step(None)
        assert totals == {agent: ILLEGAL_REWARD if agent == culprit else 0 for agent in env.possible_agents}
        same(play(make_env("tiny"), seed=30), play(env, seed=30))


def test_number_outside_the_action_space_fails_under_the_standard_wrappers():
    env = make_env("tiny")
    env.reset(seed=0)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(3)


def test_order_is_enforced_by_the_standard_wrappers():
    env = make_env("tiny")
    assert isinstance(env, wrappers.OrderEnforcingWrapper)
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        env.agents  # noqa: B018


def test_render_modes(capsys):
    env = raw(render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == env.table.render()
    env = raw(render_mode="human")
    env.reset(seed=0)
    assert env.render() is None
    assert capsys.readouterr().out.count("table:") == 2  # once by reset, once by render
    env = raw()
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert env.render() is None
    assert env.metadata["render_modes"] == ["human", "ansi"]


@pytest.mark.parametrize("mode", ["rgb_array", "text", 1])
def test_unknown_render_mode_is_refused_when_the_environment_is_made(mode):
    with pytest.raises(OptionError, match=f"render_mode is 'human', 'ansi' or None, not {mode!r}"):
        raw(render_mode=mode)


def test_options_reach_the_game_and_unknown_ones_are_refused():
    assert raw(hand=3).game.options["hand"] == 3
    with pytest.raises(OptionError, match="hnad"):
        raw(hnad=3)


def test_spaces_are_the_same_objects_each_time_and_the_metadata_is_honest():
    env = raw()
    assert env.observation_space("seat_0") is env.observation_space("seat_0")
    assert env.action_space("seat_1") is env.action_space("seat_1")
    assert env.action_space("seat_0") == gymnasium.spaces.Discrete(3)
    assert env.metadata["is_parallelizable"] is False
    assert env.metadata["name"] == "tiny_v0" == str(env)
    assert isinstance(env, pettingzoo.AECEnv)
    env.close()


def test_a_table_can_be_wrapped_by_hand(tiny):
    env = TableEnv(tiny)
    env.reset(seed=1)
    assert env.num_agents == env.max_num_agents == 2
