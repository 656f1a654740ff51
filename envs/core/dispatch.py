"""One name for each thing a game does, picked by the type of the state record.

A generic loop that took a game's kernel as an argument would be compiled anew in every process, because numba cannot
find it in any cache. A loop that calls `game_apply(states, i, rules, action)` can be cached: the call is resolved by
`numba.extending.overload` from the record type of `states`, which is part of the loop's signature. Interpreted, the
same names look the game up by `states.dtype`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.core import types as nbtypes
from numba.extending import overload

from cardzoo.envs.core.kernels import kernels_of_record, python_function, stubs


class Kernels(NamedTuple):
    """The functions that make a game, each decorated with `@kernel`.

    `states` is a recarray of the game's dtype, `i` the index of a game in it, `rules` the game's NamedTuple of arrays.
    """

    setup: Callable[..., Any]
    """(states, i, rules): a record that is zero except `rng` becomes a new game at its first decision."""
    apply: Callable[..., Any]
    """(states, i, rules, action): a legal action is carried out, up to the next decision or the end."""
    legal: Callable[..., Any]
    """(states, i, rules, mask) -> int: the actor's mask bool[A], written whole; the number of Trues; none when over."""
    observe: Callable[..., Any]
    """(states, i, rules, seat, out): out float32[D] is written whole with what `seat` may know."""
    returns: Callable[..., Any]
    """(states, i, rules, out): out float64[S] gets each seat's return so far (a reward is a difference of two)."""
    resample: Callable[..., Any]
    """(states, i, rules, seat, rng): in place, a world that `seat` cannot tell from this; rng uint32[4] is advanced.
    It depends only on what `seat` knows and on rng; the record's own rng is reseeded from it."""
    problems: Callable[..., Any]
    """(states, i, rules) -> int: one bit for each broken invariant, named by `Game.problem_names`."""
    changes: Callable[..., Any]
    """(states, i, rules, before, j) -> int: the same for invariants between before[j] and its successor states[i]."""


FIELDS = Kernels._fields
REQUIRED = {"rng": ("<u4", (4,)), "actor": ("|i1", ()), "truncated": ("|i1", ())}
OPTIONAL = {"left": ("|u1", ())}
"""`left`: bit mask of the seats whose game is over for good while others play on. Nothing can change their return any
more, they never act again, and a bit once set stays set. A game that does not have it ends for all seats together."""

_games: dict[np.dtype[Any], Kernels] = {}


def register_kernels(dtype: np.dtype[Any], kernels: Kernels) -> None:
    """Say which functions play the game whose states have this dtype; done once, when the game's module is imported.

    Raises ValueError if a field that every record has is missing, if `left` is there with another type, or if another
    game has the very same record.
    """
    for name, (kind, shape) in {**REQUIRED, **OPTIONAL}.items():
        field = dtype.fields.get(name) if dtype.fields else None
        if field is None and name in OPTIONAL:
            continue
        if field is None or (field[0].base.str, field[0].shape) != (kind, shape):
            raise ValueError(
                f"a game's record needs the field {name!r} of type {kind}{list(shape) or ''}; {dtype} has not"
            )
    for name in dtype.names or ():
        if hasattr(np.record, name):
            raise ValueError(f"a record's field cannot be called {name!r}: interpreted, that is a method of the record")
    known = _games.get(dtype)
    if known is not None and [_name(f) for f in known] != [_name(f) for f in kernels]:
        raise ValueError(
            f"the record of {_name(kernels.setup)} is the same as that of {_name(known.setup)}; rename a field"
        )
    _games[dtype] = kernels
    kernels_of_record[dtype] = tuple(kernels)


def kernels_for(dtype: np.dtype[Any]) -> Kernels:
    """The functions registered for a record dtype; KeyError if there are none."""
    kernels = _games.get(dtype)
    if kernels is None:
        raise KeyError(f"no game is registered for the record {dtype}")
    return kernels


def _name(function: Callable[..., Any]) -> str:
    python = python_function(function)
    return f"{python.__module__}.{python.__qualname__}"


def game_setup(states: Any, i: int, rules: Any) -> None:
    """`Kernels.setup` of the game that `states` belong to."""
    kernels_for(states.dtype).setup(states, i, rules)


def game_apply(states: Any, i: int, rules: Any, action: int) -> None:
    """`Kernels.apply` of the game that `states` belong to."""
    kernels_for(states.dtype).apply(states, i, rules, action)


def game_legal(states: Any, i: int, rules: Any, mask: Any) -> int:
    """`Kernels.legal` of the game that `states` belong to."""
    return int(kernels_for(states.dtype).legal(states, i, rules, mask))


def game_observe(states: Any, i: int, rules: Any, seat: int, out: Any) -> None:
    """`Kernels.observe` of the game that `states` belong to."""
    kernels_for(states.dtype).observe(states, i, rules, seat, out)


def game_returns(states: Any, i: int, rules: Any, out: Any) -> None:
    """`Kernels.returns` of the game that `states` belong to."""
    kernels_for(states.dtype).returns(states, i, rules, out)


def game_resample(states: Any, i: int, rules: Any, seat: int, rng: Any) -> None:
    """`Kernels.resample` of the game that `states` belong to."""
    kernels_for(states.dtype).resample(states, i, rules, seat, rng)


def game_problems(states: Any, i: int, rules: Any) -> int:
    """`Kernels.problems` of the game that `states` belong to."""
    return int(kernels_for(states.dtype).problems(states, i, rules))


def game_changes(states: Any, i: int, rules: Any, before: Any, j: int) -> int:
    """`Kernels.changes` of the game that `states` belong to."""
    return int(kernels_for(states.dtype).changes(states, i, rules, before, j))


def game_left(states: Any, i: int) -> int:
    """The field `left` of states[i]; 0 if the record has none."""
    return int(states[i].left) if has_left(states.dtype) else 0


def has_left(dtype: np.dtype[Any]) -> bool:
    """Whether seats of this record's game may leave before its end."""
    return "left" in (dtype.names or ())


def _typed_left(states: Any, i: Any) -> Any:
    """Numba's code for `game_left`."""
    if not isinstance(states, nbtypes.Array) or not isinstance(states.dtype, nbtypes.Record):
        return None

    # Numba compares these parameters with the ones above, annotations included.
    def left(states: Any, i: Any) -> Any:
        return np.int64(states[i].left)

    def nobody(states: Any, i: Any) -> Any:
        return 0

    return left if has_left(states.dtype.dtype) else nobody


stubs.add(game_left)
overload(game_left, jit_options={"nogil": True})(_typed_left)


def _resolve(states: Any, field: str) -> tuple[Any, str] | None:
    """(kernel, a name that no other game's or field's stub has) for the numba type of `states`."""
    if not isinstance(states, nbtypes.Array) or not isinstance(states.dtype, nbtypes.Record):
        return None
    dtype = states.dtype.dtype
    kernels = _games.get(dtype)
    if kernels is None:
        return None
    return getattr(kernels, field), f"game_{field}_{hashlib.sha256(str(dtype).encode()).hexdigest()[:12]}"


def _named(implementation: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Give a stub's body a name of its own: numba builds symbols from it, and two bodies must never share one."""
    implementation.__name__ = name
    implementation.__qualname__ = name
    return implementation


def _overload(stub: Callable[..., Any], field: str, arguments: str) -> None:
    """Teach numba to replace `stub(arguments)` by the game's kernel."""
    scope: dict[str, Any] = {"resolve": _resolve, "named": _named, "field": field}
    # Numba matches parameter names, so the stub's body has to be written out for each list of arguments.
    exec(  # noqa: S102
        f"def typed({arguments}):\n"
        f"    found = resolve(states, field)\n"
        f"    if found is None:\n"
        f"        return None\n"
        f"    chosen, name = found\n"
        f"    def body({arguments}):\n"
        f"        return chosen({arguments})\n"
        f"    return named(body, name)\n",
        scope,
    )
    stubs.add(stub)
    overload(stub, jit_options={"nogil": True})(scope["typed"])


_overload(game_setup, "setup", "states, i, rules")
_overload(game_apply, "apply", "states, i, rules, action")
_overload(game_legal, "legal", "states, i, rules, mask")
_overload(game_observe, "observe", "states, i, rules, seat, out")
_overload(game_returns, "returns", "states, i, rules, out")
_overload(game_resample, "resample", "states, i, rules, seat, rng")
_overload(game_problems, "problems", "states, i, rules")
_overload(game_changes, "changes", "states, i, rules, before, j")
