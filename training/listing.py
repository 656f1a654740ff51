"""What there is: games, options, players, cards; as text for the terminal."""

from __future__ import annotations

from pathlib import Path

from cardzoo.agents.base import agent_names
from cardzoo.envs.core.cards import load_cards
from cardzoo.envs.core.errors import CardError
from cardzoo.envs.core.game import Game
from cardzoo.envs.core.registry import game_class, load, names
from cardzoo.training.settings import config_names


def games() -> str:
    """List the games: size, options with defaults, players, training configurations."""
    parts = []
    for name in names():
        game = load(name)
        options = ", ".join(f"{key}={_shown(value)}" for key, value in game.options.items())
        configs = [config for config in config_names() if config == name or config.startswith(f"{name}_")]
        parts.append(
            f"{name} (version {game.version}): {game.num_seats} seats, {game.num_actions} actions, "
            f"{game.observation_size} features, {len(game.cards)} card types\n"
            f"  options: {options}\n"
            f"  returns: {game.objective}\n"
            f"  players: {', '.join(agent_names(name))}\n"
            f"  training: {', '.join(configs) or 'no configuration'}"
        )
    return "\n\n".join(parts)


def card_table(game: Game) -> str:
    """List a game's card set with all numbers that observations show of it."""
    cards = game.cards
    head = f"{cards.source}: {len(cards)} card types, {int(cards.counts.sum())} cards, content hash {cards.hash[:16]}"
    width = max(len(card.id) for card in cards)
    lines = [head, ""]
    for card in cards:
        fields = {key: getattr(card, key) for key in type(card).model_fields if key not in ("id", "name", "copies")}
        detail = ", ".join(f"{key.rstrip('_')} {_shown(value)}" for key, value in fields.items() if value or value == 0)
        lines.append(f"{card.copies:>3} x {card.id:<{width}}  {card.name}: {detail}")
    return "\n".join(lines)


def validate(path: Path, game: str | None = None) -> str:
    """Check a card file; without a game, every game is tried.

    Returns:
        One sentence that says for which games it is valid.

    Raises:
        CardError: it is valid for none; the sentence is that of the game that was named, or of the only one.
        OptionError: no such game.
    """
    tried = [game] if game else list(names())
    valid: list[str] = []
    errors: list[CardError] = []
    for name in tried:
        kind = game_class(name)
        try:
            cards = load_cards(kind.card_file, path)
        except CardError as error:
            errors.append(error)
        else:
            size = f"{len(cards)} card types, {int(cards.counts.sum())} cards"
            valid.append(f"{name} ({size}, content hash {cards.hash[:16]})")
    if valid:
        return f"{path}: valid for {' and '.join(valid)}"
    if len(errors) == 1:
        raise errors[0]
    raise CardError(f"{path}: valid for no game; say with --game for which one it is meant, of {', '.join(names())}")


def _shown(value: object) -> str:
    if isinstance(value, list | tuple):
        return " | ".join(_shown(part) for part in value)
    return "none" if value is None else str(value)
