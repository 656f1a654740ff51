"""One game at the terminal: played by a person, watched, saved as text, shown again."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from cardzoo.agents.base import Agent, Decisions, make_agent
from cardzoo.agents.files import write_atomically
from cardzoo.agents.human import HumanAgent, PlayerLeft
from cardzoo.envs import load
from cardzoo.envs.core.errors import AgentError, ConfigError, IllegalAction, OptionError
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.state import State
from cardzoo.training.players import parse_players

FORMAT = 1


def decide(agent: Agent, state: State) -> int:
    """Ask a player for one action.

    Raises:
        IllegalAction: it answered with one that is not legal.
    """
    actor = state.actor
    assert actor is not None
    decision = Decisions.of_batch(
        state.game,
        state.states,
        np.array([actor], dtype=np.int8),
        state.observe(actor)[None],
        state.action_mask()[None],
    )
    action = int(agent.act(decision)[0])
    if not state.action_mask()[action]:
        raise IllegalAction(f"{agent.name} answered with an illegal action: {state.game.text(action, actor)}")
    return action


def play(
    game: Game,
    against: str,
    seat: int | None = None,
    seed: int | None = None,
    ask: Callable[[str], str] = input,
    tell: Callable[[str], None] = print,
) -> int:
    """Let a person play a game.

    Args:
        game: what is played.
        against: the player on every other seat.
        seat: the person's; drawn if None.
        seed: fixes deal and players; drawn if None.
        ask: as for `HumanAgent`.
        tell: as for `HumanAgent`.

    Returns:
        0, also when the person leaves.

    Raises:
        OptionError: no such seat.
        AgentError, ModelError: the opponent cannot be made.
    """
    generator = np.random.default_rng(seed)
    deal, own, other = (int(number) for number in generator.integers(2**32, size=3))
    if seat is None:
        seat = int(generator.integers(game.num_seats))
    if not 0 <= seat < game.num_seats:
        raise OptionError(f"seat is one of 0..{game.num_seats - 1}, not {seat}")
    person = HumanAgent(game, own, ask, tell)
    opponent = make_agent(against, game, seed=other)
    state = game.new_state(deal)
    tell(f"{game.name}: you are seat {seat}, the others are {against}")
    try:
        while not state.is_over:
            actor = state.actor
            assert actor is not None
            action = decide(person if actor == seat else opponent, state)
            # Not every game lets everybody see every move.
            if actor != seat and game.public_moves:
                tell(f"seat {actor} ({against}): {game.text(action, actor)}")
            playing = not state.has_left(seat)
            state.apply(action)
            if playing and state.has_left(seat) and not state.is_over:
                tell("you are out; the others play on")
    except PlayerLeft:
        tell("you left the game")
        return 0
    names = [against if other != seat else "you" for other in range(game.num_seats)]
    tell(f"\n{state.render(seat)}\n\n{_ending(state, names)}")
    return 0


def watch(
    game: Game,
    agents: str | None,
    seed: int,
    *,
    save: Path | None = None,
    viewer: int | None = None,
    tables: bool = True,
    pause: float = 0.0,
    tell: Callable[[str], None] = print,
) -> int:
    """Show a game between players.

    Args:
        game: what is played.
        agents: names with commas, one for each seat or one for all; None: greedy.
        seed: fixes deal and players.
        save: file for the game as text.
        viewer: show what this seat may see; None: everything.
        tables: show the table after each move.
        pause: seconds between moves.
        tell: shows a text.

    Returns:
        0.

    Raises:
        AgentError: unknown players, or not as many as seats.
        OptionError: no such viewer.
    """
    _check_viewer(game, viewer)
    names = [player.spec for player in _players(agents or "greedy")]
    if len(names) == 1:
        names *= game.num_seats
    if len(names) != game.num_seats:
        raise AgentError(
            f"{game.name} has {game.num_seats} seats, but {len(names)} players are named: {', '.join(names)}"
        )
    seeds = np.random.SeedSequence([seed, 7]).generate_state(len(names))
    players = [make_agent(name, game, seed=int(own)) for name, own in zip(names, seeds, strict=True)]
    state = game.new_state(seed)
    moves: list[str] = []
    if tables:
        tell(state.render(viewer))
    while not state.is_over:
        actor = state.actor
        assert actor is not None
        action = decide(players[actor], state)
        state.apply(action)
        moves.append(f"{actor} {game.text(action, actor)}")
        _show_move(state, moves, names, viewer, tables, pause, tell)
    ending = _ending(state, names)
    tell(f"\n{ending}")
    if save is not None:
        save_game(save, game, seed, names, moves, ending)
        tell(f"saved as {save}; show it again with: cardzoo watch --replay {save}")
    return 0


def save_game(path: Path, game: Game, seed: int, players: Sequence[str], moves: Sequence[str], ending: str) -> None:
    """Write a game as a YAML text that `replay` reads; every move is "SEAT TEXT"."""
    head = {
        "cardzoo_game": FORMAT,
        "game": game.name,
        "version": game.version,
        "options": {key: list(value) if isinstance(value, tuple) else value for key, value in game.options.items()},
        "cards": game.hash,
        "seed": seed,
        "players": list(players),
        "ending": ending,
        "moves": list(moves),
    }
    write_atomically(path, yaml.safe_dump(head, sort_keys=False, width=120).encode())


def replay(
    path: Path,
    viewer: int | None = None,
    tables: bool = True,
    pause: float = 0.0,
    cards: str | None = None,
    tell: Callable[[str], None] = print,
) -> int:
    """Show a saved game.

    Args:
        path: file made by `watch`.
        viewer: as for `watch`.
        tables: as for `watch`.
        pause: as for `watch`.
        cards: the card file it was played with, if not the game's own.
        tell: shows a text.

    Returns:
        0.

    Raises:
        ConfigError: the file is none of ours, or does not fit this version's rules or cards.
    """
    saved = _read_game(path)
    game = load(saved["game"], cards=cards, **saved["options"])
    _check_viewer(game, viewer)
    if saved["cards"] != game.hash:
        raise ConfigError(
            f"{path}: played with other cards (content hash {saved['cards']}, these are {game.hash}); give --cards"
        )
    state = game.new_state(saved["seed"])
    if tables:
        tell(state.render(viewer))
    for number, move in enumerate(saved["moves"], start=1):
        seat, _, text = str(move).partition(" ")
        try:
            if str(state.actor) != seat:
                raise IllegalAction(f"seat {seat} is not to act")
            state.apply(text)
        except IllegalAction as error:
            raise ConfigError(
                f"{path}: move {number} ({move!r}) cannot be played, so the game was played by other rules: {error}"
            ) from None
        _show_move(state, saved["moves"][:number], saved["players"], viewer, tables, pause, tell)
    tell(f"\n{_ending(state, saved['players'])}")
    return 0


def _read_game(path: Path) -> dict[str, Any]:
    try:
        saved = yaml.safe_load(path.read_text())
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not valid YAML ({' '.join(str(error).split())})") from None
    needed = {
        "cardzoo_game": int,
        "game": str,
        "options": dict,
        "cards": str,
        "seed": int,
        "players": list,
        "moves": list,
    }
    if not isinstance(saved, dict) or "cardzoo_game" not in saved:
        raise ConfigError(f"{path}: not a game saved by `cardzoo watch --save`")
    for key, kind in needed.items():
        if not isinstance(saved.get(key), kind):
            raise ConfigError(f"{path}: {key} is missing or not what it should be")
    if saved["cardzoo_game"] != FORMAT:
        raise ConfigError(f"{path}: format {saved['cardzoo_game']} cannot be read, only {FORMAT}")
    return saved


def _players(text: str) -> list[Any]:
    """Read names; unlike in a comparison, one may be given to several seats."""
    counted: dict[str, int] = {}
    players = []
    for part in text.split(","):
        counted[part] = counted.get(part, 0) + 1
        players.append(part if counted[part] == 1 or "@" in part else f"{part}@copy{counted[part]}")
    return parse_players(",".join(players))


def _check_viewer(game: Game, viewer: int | None) -> None:
    if viewer is not None and not 0 <= viewer < game.num_seats:
        raise OptionError(f"viewer is one of the seats 0..{game.num_seats - 1}, not {viewer}")


def _show_move(
    state: State,
    moves: Sequence[str],
    names: Sequence[str],
    viewer: int | None,
    tables: bool,
    pause: float,
    tell: Callable[[str], None],
) -> None:
    seat, _, text = moves[-1].partition(" ")
    tell(f"{len(moves):>4}. seat {seat} ({names[int(seat)]}): {text}")
    if tables:
        tell(f"\n{state.render(viewer)}\n")
    if pause > 0:
        time.sleep(pause)


def _ending(state: State, names: Sequence[str]) -> str:
    outcome = state.outcome
    if outcome is None:
        return "the game is not over"
    winners = ", ".join(f"seat {seat} ({names[seat]})" for seat in outcome.winners) or "nobody"
    returns = ", ".join(f"{value:g}" for value in state.returns)
    return f"the game is over: {outcome.reason}; won by {winners}; returns {returns}"
