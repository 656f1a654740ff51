"""A game's options: declared once as a pydantic model, checked with one clear sentence for each mistake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import pydantic

from cardzoo.envs.core.errors import OptionError
from cardzoo.envs.core.fields import allowed_keys, alternatives, dotted, first_problem, shown, suggestion

M = TypeVar("M", bound=pydantic.BaseModel)


def parse_options(model: type[M], options: Mapping[str, Any], game: str) -> M:
    """Validate the options of a game.

    Args:
        model: the game's model of its options (unknown keys forbidden).
        options: what the user gave, by name.
        game: the game's name for messages.

    Raises:
        OptionError: names the option, the value and what is allowed.
    """
    try:
        return model.model_validate(dict(options))
    except pydantic.ValidationError as problem:
        place, message = first_problem(problem)
    name = dotted(place)
    if message == "is unknown":
        keys = allowed_keys(model)
        raise OptionError(
            f"{game} has no option {shown(name)}{suggestion(name, keys)}; its options are {alternatives(keys, 'and')}."
        ) from None
    raise OptionError(f"{game}: {f'option {shown(name)} ' if name else ''}{message}.") from None
