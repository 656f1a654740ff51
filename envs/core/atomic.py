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


def swap(counters: NDArray[np.int64], index: int, value: int) -> int:
    """Set counters[index] to `value` and return what it was before; in compiled kernels as one atomic operation.

    A thread that has drawn the new value also sees everything that was written before it.
    """
    before = int(counters[index])
    counters[index] = value
    return before


def _atomic(operation: str) -> Any:
    """Numba's code for an atomic read-modify-write of an array's element."""

    @intrinsic
    def change(typing_context: Any, counters: Any, index: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            place = builder.gep(array.data, [arguments[1]])
            return builder.atomic_rmw(operation, place, arguments[2], "seq_cst")

        return nbtypes.int64(counters, nbtypes.int64, nbtypes.int64), codegen

    return change


_add = _atomic("add")
_exchange = _atomic("xchg")


def _is_counters(counters: Any) -> bool:
    """Whether a numba type is a contiguous 1-d array of int64."""
    return isinstance(counters, nbtypes.Array) and counters.dtype == nbtypes.int64 and counters.ndim == 1


def _typed_fetch_add(counters: Any, index: Any, amount: Any) -> Any:
    """Choose the machine's addition."""

    def body(counters: Any, index: Any, amount: Any) -> Any:
        return _add(counters, index, amount)

    return body if _is_counters(counters) else None


def _typed_swap(counters: Any, index: Any, value: Any) -> Any:
    """Choose the machine's exchange."""

    def body(counters: Any, index: Any, value: Any) -> Any:
        return _exchange(counters, index, value)

    return body if _is_counters(counters) else None


for _function, _typed in ((fetch_add, _typed_fetch_add), (swap, _typed_swap)):
    stubs.add(_function)
    overload(_function, jit_options={"nogil": True})(_typed)
