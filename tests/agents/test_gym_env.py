"""One seat as a Gymnasium environment."""

from __future__ import annotations

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env as gymnasium_check
from stable_baselines3.common.env_checker import check_env as sb3_check

from cardzoo.agents import base
from cardzoo.agents.gym_env import SingleAgentEnv
from cardzoo.envs import AgentError, IllegalAction, OptionError
from cardzoo.envs.core import registry
from cardzoo.envs.core.registry import names
from tests.support.episodes import episode, play_on
from tests.training.scripted_game import Scripted

pytestmark = pytest.mark.usefixtures("tiny_registered")


@pytest.fixture
def scripted(monkeypatch, tiny_registered):
    monkeypatch.setattr(registry, "_games", {**registry._games, "scripted": Scripted})
    return "scripted"


ONE_KEY = {"keys_to_win": 1, "max_rounds": 3}  # of Teddies vs Monsters
GAMES = [
    ("tiny", {}),
    ("bedroom_battle", {"preset": "quick"}),
    ("battle_requiem", {}),
    ("battle_requiem", {"seats": 4}),
    ("battle_requiem", {"teams": [0, 1, 0, 1]}),
    ("bloodsport_gambler", {"seats": 1}),
    ("bloodsport_gambler", {"seats": 1, "objective": "fate"}),
    ("bloodsport_gambler", {"objective": "outcome"}),
    ("teddies_vs_monsters", {**ONE_KEY}),
    ("teddies_vs_monsters", {**ONE_KEY, "seats": 4}),
    ("teddies_vs_monsters", {**ONE_KEY, "allow_mistakes": True, "start_hand": "face_down"}),
    ("teddies_vs_monsters", {**ONE_KEY, "seats": 4, "allow_mistakes": True, "open_team": True}),
]


def test_every_game_is_among_these():
    assert {name for name, _ in GAMES} == {"tiny", *names()}


@pytest.mark.parametrize("seat", [0, "last", "alternate", "random"])
@pytest.mark.parametrize(("game", "options"), GAMES, ids=str)
def test_the_checkers_of_gymnasium_and_sb3_find_nothing(game, options, seat):
    arguments = {"seat": SingleAgentEnv(game, **options).game.num_seats - 1 if seat == "last" else seat, **options}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*not having a spec.*|.*different types.*render.*")
        gymnasium_check(SingleAgentEnv(game, render_mode="ansi", **arguments), skip_render_check=False)
        sb3_check(SingleAgentEnv(game, **arguments), warn=True)


def test_rewards_of_an_episode_add_up_to_the_seats_return_losses_included(scripted):
    generator = np.random.default_rng(0)
    for seat in (0, 1):
        env = SingleAgentEnv(scripted, seat=seat, length=7)
        totals = []
        for _ in range(30):
            rewards = episode(env, generator).rewards
            assert sum(rewards) == pytest.approx(env.state.returns[seat])
            totals.append(sum(rewards))
        assert min(totals) < 0


def test_wins_and_losses_both_arrive_in_each_seat():
    generator = np.random.default_rng(0)
    for seat in (0, 1):
        env = SingleAgentEnv("tiny", seat=seat)
        results = {episode(env, generator).rewards[-1] for _ in range(40)}
        assert {-1.0, 1.0} <= results


def test_games_without_a_decision_are_dealt_anew_and_counted(scripted, monkeypatch):
    from tests.training.test_vec_env import Always

    monkeypatch.setitem(base._registered, "scripted", ({"ender": lambda game, seed=0: Always(game, 3)}, {}))
    env = SingleAgentEnv(scripted, opponent="ender", seat="alternate", lead=True)
    for _ in range(5):
        _, info = env.reset()
        assert info["seat"] == 0
    assert env.games_without_decision == 4


def test_resets_without_a_seed_go_on_and_the_whole_sequence_repeats():
    env = SingleAgentEnv("tiny", seat="random")
    first = [episode(env, np.random.default_rng(k), seed=5 if k == 0 else None) for k in range(6)]
    assert len({tuple(game.seen) for game in first}) == 6
    np.random.seed(3)  # noqa: NPY002 - the global stream does not matter
    again = [episode(env, np.random.default_rng(k), seed=5 if k == 0 else None) for k in range(6)]
    assert first == again
    assert first == [
        episode(other, np.random.default_rng(k), seed=5 if k == 0 else None)
        for other in [SingleAgentEnv("tiny", seat="random")]
        for k in range(6)
    ]


@pytest.mark.parametrize(("game", "options"), GAMES, ids=str)
def test_copies_go_on_alike_and_share_nothing(game, options):
    env = SingleAgentEnv(game, opponent="random", seat="alternate", **options)
    _, info = env.reset(seed=1)
    env.step(np.flatnonzero(info["action_mask"])[0])
    results = []
    for one in (env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        generator = np.random.default_rng(0)
        results.append((play_on(one, generator), episode(one, generator)))
    assert results[0] == results[1] == results[2]


def test_the_mask_belongs_to_the_observation_and_is_the_callers_own():
    env = SingleAgentEnv("tiny")
    observation, info = env.reset(seed=1)
    hand = env.game.observations["hand"]
    for _ in range(3):
        np.testing.assert_array_equal(info["action_mask"], observation[hand] > 0)
        np.testing.assert_array_equal(info["action_mask"], env.action_masks())
        assert info["action_mask"].dtype == np.int8
        action = env.action_space.sample(info["action_mask"])
        env.action_masks()[:] = False
        kept = info["action_mask"].copy()
        observation, _, _, _, following = env.step(action)
        np.testing.assert_array_equal(info["action_mask"], kept)
        info = following


def test_an_illegal_action_loses_or_raises_as_asked_and_the_next_game_is_untouched():
    env, other = SingleAgentEnv("tiny"), SingleAgentEnv("tiny")
    _, info = env.reset(seed=3)
    while info["action_mask"].all():
        _, _, _, _, info = env.step(0)
    illegal = int(np.argmin(info["action_mask"]))
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, illegal)
    with pytest.raises(IllegalAction, match=r"reset\(\)"):
        env.step(0)
    generator = np.random.default_rng(0)
    assert episode(env, generator, seed=8) == episode(other, np.random.default_rng(0), seed=8)
    strict = SingleAgentEnv("tiny", illegal="raise", seat=0)
    _, info = strict.reset(seed=3)
    before = strict.state.copy()
    with pytest.raises(IllegalAction):
        strict.step(99)
    assert strict.state == before


def test_use_out_of_order_is_one_sentence():
    env = SingleAgentEnv("tiny")
    for call in (env.action_masks, lambda: env.step(0)):
        with pytest.raises(IllegalAction, match=r"reset\(\)"):
            call()
    episode(env, np.random.default_rng(0))
    with pytest.raises(IllegalAction, match="over"):
        env.step(0)


def test_a_capped_game_is_truncated_and_says_why():
    env = SingleAgentEnv("tiny", max_tricks=2)
    assert "cap" in episode(env, np.random.default_rng(0)).outcome
    observation, info = env.reset()
    while True:
        observation, _, terminated, truncated, info = env.step(np.argmax(info["action_mask"]))
        if terminated or truncated:
            break
    assert (terminated, truncated) == (False, True)
    assert observation in env.observation_space


def test_rendering_shows_the_seats_own_view():
    env = SingleAgentEnv("tiny", render_mode="ansi", seat=1)
    env.reset(seed=1)
    text = env.render()
    assert text == env.state.render(1)
    assert "seat 0: 2 cards" in text or "seat 0: 1 cards" in text


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"seat": 2}, OptionError, "seat is one of"),
        ({"seat": "left"}, OptionError, "seat is one of"),
        ({"illegal": "ignore"}, OptionError, "illegal is"),
        ({"render_mode": "human"}, OptionError, "render_mode is"),
        ({"opponent": ["random", "random"]}, OptionError, "1 other seats, but 2"),
        ({"opponent": "rndom"}, AgentError, "unknown player"),
        ({"hands": 3}, OptionError, "hands"),
        ({"game": "chess"}, OptionError, "no game 'chess'"),
    ],
)
def test_bad_arguments_are_one_sentence(arguments, error, message):
    with pytest.raises(error, match=message):
        SingleAgentEnv(**{"game": "tiny", **arguments})


@pytest.mark.parametrize(("game", "options"), GAMES[1:], ids=str)
def test_the_registered_environment_is_found_and_learns_with_maskable_ppo(game, options):
    from sb3_contrib import MaskablePPO

    import cardzoo.envs  # noqa: F401 - registers it

    title = "".join(word.capitalize() for word in game.split("_"))
    env = gymnasium.make(f"cardzoo/{title}-v0", opponent="random", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        observation, info = env.reset(seed=1)
        assert observation in env.observation_space
        env.step(env.action_space.sample(info["action_mask"]))
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=16, n_epochs=1, seed=0, device="cpu")
    model.learn(64)


@pytest.mark.parametrize(("game", "options"), GAMES[1:], ids=str)
def test_after_an_illegal_action_the_table_is_drawn_and_nothing_can_be_played(game, options):
    env = SingleAgentEnv(game, seat=0, render_mode="ansi", **options)
    _, info = env.reset(seed=1)
    legal = int(np.flatnonzero(info["action_mask"])[0])
    _, reward, terminated, _, _ = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, terminated) == (-1, True)
    assert isinstance(env.render(), str)
    assert not env.action_masks().any()
    with pytest.raises(IllegalAction, match="over"):
        env.step(legal)
    env.reset()
    assert env.action_masks().any()
