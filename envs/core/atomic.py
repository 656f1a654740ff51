"""Counters that several threads may draw from inside kernels, without Python's lock."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types as nbtypes
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from cardzoo.envs.core.kernels import stubs


def fetch_add(counters: NDArray[np.int64], index: int, amount: int) -> int:
    """Add `amount` to counters[index] and return what it was before; in compiled kernels as one atomic operation.

    Interpreted, threads take turns anyway.
    """
    before = int(counters[index])
    counters[index] = before + amount
    return before


@intrinsic
def _atomic_add(typing_context: Any, counters: Any, index: Any, amount: Any) -> Any:
    """Make numba's code for `fetch_add`."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        return builder.atomic_rmw("add", place, arguments[2], "seq_cst")

    return nbtypes.int64(counters, nbtypes.int64, nbtypes.int64), codegen


def _typed(counters: Any, index: Any, amount: Any) -> Any:
    """Choose the atomic operation for a contiguous 1-d array of int64."""
    if isinstance(counters, nbtypes.Array) and counters.dtype == nbtypes.int64 and counters.ndim == 1:

        def body(counters: Any, index: Any, amount: Any) -> Any:
            return _atomic_add(counters, index, amount)

        return body
    return None


stubs.add(fetch_add)
overload(fetch_add, jit_options={"nogil": True})(_typed)
