"""Arrays without reference counts inside kernels.

numba counts references to an array whenever a row is taken from it or it is handed on, with an atomic operation each
time: some ten a step, 5 nanoseconds each. A kernel's arguments outlive its call, so it need not count them.
"""

from __future__ import annotations

from typing import Any, TypeVar

from numba.core import cgutils
from numba.core import types as nbtypes
from numba.extending import intrinsic, overload

from cardzoo.envs.core.kernels import stubs

Array = TypeVar("Array")


def borrowed(array: Array) -> Array:
    """The same array (or a tuple as it is), for use during this call only: do not return it."""
    return array


@intrinsic
def _uncounted(typing_context: Any, array: Any) -> Any:
    """Numba's code for `borrowed`: the array's struct without its owner."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        struct = context.make_array(signature.args[0])(context, builder, arguments[0])
        struct.meminfo = cgutils.get_null_value(struct.meminfo.type)
        return struct._getvalue()

    return array(array), codegen


def _typed(array: Any) -> Any:
    """Choose the compiled `borrowed`."""

    def body(array: Any) -> Any:
        return _uncounted(array)

    def unchanged(array: Any) -> Any:
        return array

    return body if isinstance(array, nbtypes.Array) else unchanged


stubs.add(borrowed)
overload(borrowed, jit_options={"nogil": True})(_typed)
