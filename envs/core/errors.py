"""The errors of cardzoo: each says in one sentence what is wrong, where, and what is allowed."""

from __future__ import annotations


class CardzooError(ValueError):
    """Bad input. Every error below is one, so `except CardzooError` catches all that a user can cause."""


class IllegalAction(CardzooError):
    """An action that the rules do not allow now; nothing was changed."""


class PositionError(CardzooError):
    """A position (a dict made by `State.to_position`) that is malformed or cannot occur; names the key."""


class CardError(CardzooError):
    """A card file that is malformed; names the file, the card and the field."""


class OptionError(CardzooError):
    """An unknown game or option, or an option's value out of range."""


class AgentError(CardzooError):
    """An unknown player or a player's bad setting."""


class ModelError(CardzooError):
    """A model file that is damaged or was made for another card set, layout or game."""


class ConfigError(CardzooError):
    """A configuration file or setting of a training run or an evaluation that is malformed."""
