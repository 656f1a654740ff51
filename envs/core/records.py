"""Names for the two things that kernels take; numpy cannot say in its types which fields a record has."""

from __future__ import annotations

from typing import Any, TypeAlias

Record: TypeAlias = Any
"""One game's state: an element of a `Records` array, a view on it (compiled and interpreted)."""

Records: TypeAlias = Any
"""A batch of games: `np.recarray` of the game's dtype, shape (N,)."""
