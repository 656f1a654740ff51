"""A game's options: declared once as a pydantic model, checked with one clear sentence for each mistake."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import pydantic

from cardzoo.envs.core.errors import OptionError
from cardzoo.envs.core.fields import dotted, first_problem, shown

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
        place, message = first_problem(model, problem)
    where = f"option {shown(dotted(place))} " if place else ""
    raise OptionError(f"{game}: {where}{message}.") from None
