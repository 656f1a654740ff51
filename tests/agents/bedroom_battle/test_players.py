"""The players as a whole: names, information, determinism, strength."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest
import yaml

from cardzoo.agents import Decisions, agent_names, make_agent
from cardzoo.agents.bedroom_battle.strategies import choose
from cardzoo.envs import load
from cardzoo.envs.core.errors import AgentError
from cardzoo.envs.core.game import Game
from tests.support.players import answer, decisions_of, played_states, wins

PLAYERS = ("brawler", "bidder", "steward")
CARDS = Path(__file__).parents[3] / "envs" / "bedroom_battle" / "cards.yaml"


@pytest.fixture(scope="module")
def game() -> Game:
    return load("bedroom_battle")


# --- names


def test_names_and_roles(game: Game) -> None:
    assert agent_names("bedroom_battle")[:7] == ["random", "simple", "greedy", "planner", *PLAYERS]
    for role, name in (("simple", "brawler"), ("greedy", "bidder"), ("planner", "steward")):
        assert type(make_agent(role, game)) is type(make_agent(name, game))


def test_threads_must_be_a_number_of_parts(game: Game) -> None:
    with pytest.raises(AgentError, match="threads must be an integer of at least 1, not 0"):
        make_agent("bidder:threads=0", game)


# --- information and determinism


@pytest.mark.parametrize("player", PLAYERS)
def test_choices_do_not_depend_on_hidden_cards(game: Game, player: str) -> None:
    """In worlds that its seat cannot tell apart, a player with the same seed makes the same choices."""
    states = played_states(game, ("bidder", "steward"), seed=11) + played_states(game, ("random", "steward"), seed=12)
    agent = make_agent(player, game, seed=5)
    expected = agent.act(decisions_of(states))
    for seed in range(3):
        others = [state.resample(state.actor, 1000 * seed + k) for k, state in enumerate(states)]
        assert any(bytes(a.states) != bytes(b.states) for a, b in zip(states, others, strict=True))
        agent.reset(5)
        assert np.array_equal(agent.act(decisions_of(others)), expected)


@pytest.mark.parametrize("player", PLAYERS)
def test_choices_do_not_depend_on_threads(game: Game, player: str) -> None:
    decisions = decisions_of(played_states(game, ("bidder", "steward"), seed=3))
    expected = make_agent(player, game, seed=9).act(decisions)
    assert np.array_equal(make_agent(f"{player}:threads=3", game, seed=9).act(decisions), expected)


@pytest.mark.parametrize("player", PLAYERS)
def test_players_leave_the_games_alone(game: Game, player: str) -> None:
    states = played_states(game, ("bidder", "steward"), seed=4)
    records = np.concatenate([state.states for state in states]).view(np.recarray)
    shown = decisions_of(states)
    before = records.tobytes()
    make_agent(player, game).act(Decisions.of_batch(game, records, shown.seats, shown.observations, shown.masks))
    assert records.tobytes() == before


def fingerprint(players: tuple[str, str], seed: int) -> str:
    """Hash of all states of one game; also called by the interpreted process below."""
    states = played_states(load("bedroom_battle", preset="quick"), players, seed)
    return hashlib.sha256(b"".join(bytes(state.states) for state in states)).hexdigest()


@pytest.mark.parametrize("players", [("bidder", "steward"), ("steward", "brawler")])
def test_interpreted_and_compiled_play_the_same(
    python: Callable[..., CompletedProcess[str]], players: tuple[str, str]
) -> None:
    code = f"from tests.agents.bedroom_battle.test_players import fingerprint; print(fingerprint({players}, 21))"
    interpreted = python("-W", "error::RuntimeWarning", "-c", code, env={"NUMBA_DISABLE_JIT": "1"})
    assert interpreted.stdout.strip() == fingerprint(players, 21)


def test_all_callers_use_the_same_machine_code(game: Game) -> None:
    """Copied and pickled players and read-only masks do not make numba compile the strategies once more."""
    decisions = decisions_of(played_states(game, ("bidder", "steward"), seed=6))
    agent = make_agent("steward", game, seed=1)
    expected = agent.act(decisions)
    compiled = len(getattr(choose, "signatures", ()))
    decisions.masks.setflags(write=False)
    for other in (agent.fresh(1), pickle.loads(pickle.dumps(agent)).fresh(1)):
        assert np.array_equal(other.act(decisions), expected)
    assert len(getattr(choose, "signatures", ())) == compiled


# --- variants and other cards


@pytest.mark.parametrize(
    "options",
    [
        {"select_rewards": True, "final_rewards": 3, "challenge_weight": 1.0},
        {"draft": "none", "challenges": "skip", "reshuffle": "eager"},
        {"preset": "quick", "max_turns": 3, "starter": 1},
    ],
)
def test_every_variant_is_played_to_its_end(options: dict[str, object]) -> None:
    game = load("bedroom_battle", **options)
    for first, second in pairwise((*PLAYERS, "random")):
        wins(game, first, second, games=20)  # fails if a player raises or answers with an illegal action


def test_a_card_with_millions_of_ends_is_played_in_a_moment(tmp_path: Path) -> None:
    """The look-ahead is cut off: four modes that move three items each, over two full sides."""
    text = yaml.safe_load(CARDS.read_text())
    juggle = ["move_item any", "move_item any", "move_item any"]
    text["types"].append({"id": "juggler", "name": "Juggler", "copies": 1, "kind": "special", "choice": [juggle] * 4})
    path = tmp_path / "cards.yaml"
    path.write_text(yaml.safe_dump(text))
    game = load("bedroom_battle", cards=path)
    items = ["convertible", "lucky_coin", "clown_shoes", "private_jet", "magic_mirror", "acoustic_guitar"]
    own = ["average_joe+" + "+".join(items), *["average_joe"] * 3, *["granny"] * 3, *["charming_twin"] * 3]
    opp = ["rock_star+convertible+lucky_coin+clown_shoes", "opera_diva", "billionaire", "art_collector", "bodyguard"]
    opp += ["supermodel", "supermodel", "firefighter", "firefighter", "fair_maiden", "fair_maiden"]
    position = {"hands": [["juggler"], []], "board": [own, opp]}
    for player in PLAYERS:
        state = game.from_position(position)
        while state.actor == 0 and not state.is_over:
            state.apply(answer(make_agent(player, game), state))


# --- strength


def test_the_players_stand_in_order(game: Game) -> None:
    """Every player beats the one below it; the bidder beats random play nearly always."""
    assert wins(game, "bidder", "random", games=200) > 0.95
    for better, worse in pairwise(("steward", "bidder", "brawler", "random")):
        assert wins(game, better, worse, games=200) > 0.6


@pytest.mark.long
@pytest.mark.parametrize(
    ("first", "second", "share"),
    [
        ("brawler", "random", 0.964),
        ("bidder", "random", 0.998),
        ("steward", "random", 1.0),
        ("bidder", "brawler", 0.828),
        ("steward", "brawler", 0.98),
        ("steward", "bidder", 0.816),
    ],
)
def test_strength_is_that_of_the_reference_simulation(game: Game, first: str, second: str, share: float) -> None:
    """The shares were measured over 500 games of another implementation: within three standard errors of both."""
    games = 4000
    error = np.sqrt(max(share * (1 - share), 0.002) * (1 / 500 + 1 / games))
    assert abs(wins(game, first, second, games, seed=7) - share) < 3 * error
