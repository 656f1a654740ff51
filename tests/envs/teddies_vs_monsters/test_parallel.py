"""The parallel environment: who is asked when, what busy seats see, and that it plays the AEC environment's games."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test

from cardzoo.envs import IllegalAction, load, teddies_vs_monsters_v0
from cardzoo.envs.teddies_vs_monsters.game import TeddiesVsMonsters
from cardzoo.envs.teddies_vs_monsters.parallel import ParallelTable

ONE_KEY: dict[str, Any] = {"keys_to_win": 1, "max_rounds": 2}
GAMES = {name: {**options, **ONE_KEY} for name, options in TeddiesVsMonsters.variants.items()}


def choices(seats: int) -> list[np.random.Generator]:
    """A generator for each seat, so that a seat's n-th choice is the same in whichever order the seats are asked."""
    return [np.random.default_rng([7, seat]) for seat in range(seats)]


@pytest.mark.parametrize("name", GAMES)
def test_both_interfaces_play_the_same_game(name: str) -> None:
    """Every seat sees, may do and does the same at each of its decisions, and gets the same return."""
    aec = teddies_vs_monsters_v0.raw_env(**GAMES[name])
    both = teddies_vs_monsters_v0.parallel_env(**GAMES[name])
    agents = aec.possible_agents
    for seed in range(2):
        one_by_one: dict[str, list[bytes]] = {agent: [] for agent in agents}
        rngs = dict(zip(agents, choices(len(agents)), strict=True))
        returns = dict.fromkeys(agents, 0.0)
        aec.reset(seed)
        while not any(aec.terminations.values()) and not any(aec.truncations.values()):
            agent = aec.agent_selection
            seen = aec.observe(agent)
            one_by_one[agent].append(seen["observation"].tobytes() + seen["action_mask"].tobytes())
            aec.step(int(rngs[agent].choice(np.flatnonzero(seen["action_mask"]))))
            for name_, reward in aec.rewards.items():
                returns[name_] += reward

        at_once: dict[str, list[bytes]] = {agent: [] for agent in agents}
        rngs = dict(zip(agents, choices(len(agents)), strict=True))
        totals, together = dict.fromkeys(agents, 0.0), 0
        observations, _ = both.reset(seed)
        while both.agents:
            actions = {}
            for agent, seen in observations.items():
                legal = np.flatnonzero(seen["action_mask"])
                if len(legal) > 1:
                    at_once[agent].append(seen["observation"].tobytes() + seen["action_mask"].tobytes())
                    actions[agent] = int(rngs[agent].choice(legal))
                else:
                    assert both.game.text(int(legal[0])) == "wait"
            assert actions
            together += len(actions) > 1
            observations, rewards, terminations, truncations, infos = both.step(actions)
            for agent, reward in rewards.items():
                totals[agent] += reward
        assert at_once == one_by_one
        assert totals == returns
        assert (terminations, truncations, infos) == (aec.terminations, aec.truncations, aec.infos)
        assert all(not seen["action_mask"].any() for seen in observations.values())
        assert together > 0


def texts(env: ParallelTable, seen: dict[str, Any], agent: str) -> list[str]:
    """The legal actions of an agent."""
    seat = env.possible_agents.index(agent)
    return [env.game.text(int(action), seat) for action in np.flatnonzero(seen[agent]["action_mask"])]


def stepped(env: ParallelTable, **actions: str) -> dict[str, Any]:
    """The observations after a step, by agent."""
    game = env.game
    return env.step({agent: game.parse(text, game.agents.index(agent)) for agent, text in actions.items()})[0]


def test_a_busy_seat_keeps_the_observation_of_its_last_decision() -> None:
    """That time has gone on would tell it that the other's act, which nobody sees yet, has landed."""
    env = teddies_vs_monsters_v0.parallel_env(jitter=0)
    seen, _ = env.reset(1)
    discard = next(text for text in texts(env, seen, "teddies_0") if text.startswith("discard"))
    seen = stepped(env, teddies_0=discard, monsters_0="wait")  # both take 4 ticks
    seen = stepped(env, teddies_0="draw hand", monsters_0="wait")  # 5 and 4
    assert texts(env, seen, "teddies_0") == ["wait"]
    assert len(texts(env, seen, "monsters_0")) > 1
    last = seen["monsters_0"]["observation"]
    seen = stepped(env, monsters_0="wait", teddies_0="look")  # what a busy seat says is not looked at
    assert len(texts(env, seen, "teddies_0")) > 1
    assert texts(env, seen, "monsters_0") == ["wait"]
    assert (seen["monsters_0"]["observation"] == last).all()
    assert not (seen["teddies_0"]["observation"] == last).all()


def test_who_owes_a_target_is_asked_for_it_alone() -> None:
    """The other's choice is kept meanwhile, and counts as begun."""
    env = teddies_vs_monsters_v0.parallel_env(jitter=0)
    for seed in range(20):
        seen, _ = env.reset(seed)
        for card in [text for text in texts(env, seen, "teddies_0") if text.startswith("play")]:
            seen, _ = env.reset(seed)
            seen = stepped(env, teddies_0=card, monsters_0="wait")
            targets = texts(env, seen, "teddies_0")
            if targets[0].startswith("to "):
                assert texts(env, seen, "monsters_0") == ["wait"]
                seen = stepped(env, teddies_0=targets[-1])
                assert texts(env, seen, "teddies_0") == ["wait"]  # a card takes longer than to wait
                assert len(texts(env, seen, "monsters_0")) > 1
                return
    pytest.fail("no card has two targets")


def test_with_open_team_a_partner_is_asked_after_the_other() -> None:
    """It may see the act that the other has begun; without the option all four choose at once."""
    for open_team in (False, True):
        env = teddies_vs_monsters_v0.parallel_env(seats=4, open_team=open_team, jitter=0)
        seen, _ = env.reset(3)
        asked = [agent for agent in env.agents if len(texts(env, seen, agent)) > 1]
        assert asked == env.agents[: 2 if open_team else 4]
        if open_team:
            seen = stepped(env, teddies_0="wait", monsters_0="wait")
            assert [agent for agent in env.agents if len(texts(env, seen, agent)) > 1] == env.agents[2:]
            act = env.game.observations.block("partner_act").slice
            assert seen["teddies_1"]["observation"][act].any()


@pytest.mark.parametrize("options", [{}, {"seats": 4, "allow_mistakes": True}], ids=str)
def test_pettingzoo_finds_nothing(options: dict[str, Any]) -> None:
    """Its test of the interface; that of seeds draws actions without a look at the mask."""
    parallel_api_test(teddies_vs_monsters_v0.parallel_env(**options, **ONE_KEY), num_cycles=200)


def test_games_repeat_with_their_seed() -> None:
    """Also when it is given to an environment in the middle of another game; without one, other games follow."""
    env, other = (teddies_vs_monsters_v0.parallel_env() for _ in range(2))
    other.reset(9)
    deals = []
    for seed in (4, 4, None, None):
        rng = np.random.default_rng(1)
        seen, _ = env.reset(seed)
        same, _ = other.reset(seed)
        deals.append(seen["teddies_0"]["observation"].tobytes())
        for _ in range(30):
            for agent, view in seen.items():
                assert all((view[key] == same[agent][key]).all() for key in view)
            actions = {agent: int(rng.choice(np.flatnonzero(seen[agent]["action_mask"]))) for agent in env.agents}
            seen, same = env.step(actions)[0], other.step(actions)[0]
    assert deals[0] == deals[1]
    assert len(set(deals)) == 3


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_alike_and_share_nothing(duplicate: Any) -> None:
    """Wherever they were made."""
    env = teddies_vs_monsters_v0.parallel_env(**ONE_KEY)
    seen, _ = env.reset(5)
    rng, twin = np.random.default_rng(0), duplicate(env)
    for step in range(40):
        twin = duplicate(env) if step % 8 == 0 else twin
        actions = {agent: int(rng.choice(np.flatnonzero(seen[agent]["action_mask"]))) for agent in env.agents}
        seen, rewards = env.step(actions)[:2]
        others, other_rewards = twin.step(actions)[:2]
        assert rewards == other_rewards
        for agent, view in seen.items():
            assert all((view[key] == others[agent][key]).all() for key in view)


def test_wrong_calls_are_refused_and_change_nothing() -> None:
    """With one sentence that says what is allowed."""
    env = teddies_vs_monsters_v0.parallel_env()
    with pytest.raises(IllegalAction, match=r"no game is on; call reset\(\) first"):
        env.step({})
    seen, _ = env.reset(1)
    legal = {agent: int(np.flatnonzero(seen[agent]["action_mask"])[0]) for agent in env.agents}
    wrong = int(np.flatnonzero(seen["monsters_0"]["action_mask"] == 0)[0])
    before = env._table.table
    with pytest.raises(IllegalAction, match="monsters_0 has to choose an action"):
        env.step({"teddies_0": legal["teddies_0"]})
    for action in (wrong, True, None, -1, 10_000, 1.5):
        with pytest.raises(IllegalAction):
            env.step({**legal, "monsters_0": action})  # type: ignore[dict-item]
        assert env._table.table == before
    env.step(legal)


def test_it_is_drawn_as_the_other_environment_is() -> None:
    """The table as text."""
    env = teddies_vs_monsters_v0.parallel_env(render_mode="ansi")
    env.reset(1)
    assert env.render() == load("teddies_vs_monsters").new_state(1).render()
