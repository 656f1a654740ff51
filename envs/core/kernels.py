"""`@kernel`: compile a rules function with numba, and keep the machine code on disk in a cache that is never stale.

A kernel is a plain function over arrays and records. It is compiled at its first call (never at import), runs without
the GIL, and under ``NUMBA_DISABLE_JIT=1`` it stays plain Python.

Why not numba's own ``cache=True``: it watches only the file of the cached function, so after a change in another module
that the function calls it silently runs old rules; its index file lets two processes that start cold at once map one
signature to another's code; and it fails where the package folder cannot be written. Here

* only functions called from Python are cached, one file each; what they call is compiled into them;
* the file's name is a hash of the *loaded* code: of the function, of every function it can reach (through globals,
  closures, modules, and the kernels that `dispatch` picks for the record types in the signature), of every constant
  they read, of the argument types, and of the versions and settings of numba, numpy, Python and the processor. So there
  is nothing to go stale, and an edit made after the import cannot be stored under the new source's name;
* a file is written whole under another name and then renamed, carries a checksum, and a damaged one counts as absent;
* the directory is ``$CARDZOO_CACHE_DIR``, else the user's cache directory, else a private one under the temporary
  directory; where none can be written, nothing is cached and everything still works.

Numba's global settings are not touched.
"""

from __future__ import annotations

import contextlib
import dis
import hashlib
import os
import pickle
import sys
import time
import types as pytypes
import uuid
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np
from numba.core import compiler, config, serialize
from numba.core import types as nbtypes
from numba.core.registry import CPUDispatcher

F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED: bool = bool(config.DISABLE_JIT)
OPTIONS = {"nopython": True, "nogil": True}
MAGIC = b"cardzoo kernel 1\n"
# Numba's settings (environment variables) that change the machine code; the processor is in the target's own tuple.
CODE_SETTINGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DISABLE_INTEL_SVML")
KEEP_DAYS = 30
KEEP_BYTES = 512 * 1024 * 1024

# dtype -> functions that stubs may call for states of that dtype; filled by dispatch.register_kernels.
kernels_of_record: dict[np.dtype[Any], tuple[Callable[..., Any], ...]] = {}

# Functions that numba replaces by a game's kernels (dispatch's stubs): their own Python code is not what gets compiled.
stubs: set[Callable[..., Any]] = set()


def kernel(function: F) -> F:
    """Decorator for a rules function; see the module's text. Returns `function` itself under NUMBA_DISABLE_JIT=1."""
    if INTERPRETED:
        return function
    dispatcher = KernelDispatcher(py_func=function, targetoptions=OPTIONS)
    dispatcher._cache = KernelCache(dispatcher)
    return cast(F, dispatcher)


class KernelDispatcher(CPUDispatcher):  # type: ignore[misc]  # numba has no type information
    """Numba's dispatcher for calls from Python; calls from other kernels are compiled by one of their own.

    So what Python calls is always optimised, and stored on disk, as a whole of its own, in whatever order things are
    called; and what only kernels call needs no wrapper that unpacks Python objects (measured: 15 % of compiling).
    """

    _inner_dispatcher: InnerDispatcher | None = None

    @property
    def _inner(self) -> InnerDispatcher:
        if self._inner_dispatcher is None:
            options = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
            self._inner_dispatcher = InnerDispatcher(py_func=self.py_func, targetoptions=options)
        return self._inner_dispatcher

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Type a call from another kernel (numba calls this)."""
        return self._inner.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """The code for a call from another kernel (numba calls this)."""
        return self._inner.get_overload(sig)

    @property
    def is_compiling(self) -> bool:
        """Whether a compilation is in progress; numba sees by this that a kernel calls itself."""
        return bool(super().is_compiling or (self._inner_dispatcher and self._inner_dispatcher.is_compiling))


class InnerDispatcher(CPUDispatcher):  # type: ignore[misc]  # numba has no type information
    """Compiles a kernel for calls from other kernels.

    Integers are taken as int64 whatever field they were read from: otherwise numba compiles a helper once for each
    mixture of integer types (measured: twice the functions, twice the time).
    """

    def compile(self, sig: Any) -> Any:
        """Compile for one signature (numba calls this)."""
        if isinstance(sig, tuple):
            sig = tuple(nbtypes.int64 if isinstance(kind, nbtypes.Integer) else kind for kind in sig)
        return super().compile(sig)


class KernelCache:
    """What numba calls a function's cache (numba.core.caching._Cache), one file per function, signature and content."""

    def __init__(self, dispatcher: KernelDispatcher) -> None:
        self._dispatcher = dispatcher
        self._enabled = True

    @property
    def cache_path(self) -> str | None:
        """The directory in use, or None when nothing is cached."""
        directory = cache_directory()
        return None if directory is None else str(directory)

    def enable(self) -> None:
        """Use the disk (the default)."""
        self._enabled = True

    def disable(self) -> None:
        """Compile afresh from now on."""
        self._enabled = False

    def flush(self) -> None:
        """Nothing to do: a file's name is its content, so no entry can be out of date."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for `sig`, or None if it has to be compiled."""
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        payload = None if path is None else read_payload(path)
        if payload is not None:
            # The file is the user's own (see `usable`); whatever is wrong with it, the answer is to compile.
            with contextlib.suppress(Exception):
                return compiler.CompileResult._rebuild(target_context, *pickle.loads(payload))  # noqa: S301
        announce_compiling()
        return None

    def save_overload(self, sig: Any, result: Any) -> None:
        """Store a freshly compiled function; failing to is no error."""
        if result.lifted or result.library.has_dynamic_globals:
            return
        path = self._path(sig, result.codegen)
        if path is None:
            return
        try:
            write_payload(path, serialize.dumps(result._reduce()))
            prune(path.parent)
        except OSError:
            return

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        directory = cache_directory() if self._enabled else None
        if directory is None:
            return None
        key = content_key(self._dispatcher, sig, codegen.magic_tuple())
        return None if key is None else directory / f"{self._dispatcher.py_func.__name__}-{key}.kernel"


# The key of a cache file


def content_key(function: Callable[..., Any], sig: Any, target: tuple[Any, ...]) -> str | None:
    """40 hex digits that stand for all that decides the machine code of `function` for `sig` on `target`.

    None if the function reads something whose content cannot be told (it is then compiled in every process).
    """
    signature = sig if isinstance(sig, tuple) else (sig.args, sig.return_type)
    settings = [str(getattr(config, name, None)) for name in CODE_SETTINGS]
    versions = (numba.__version__, llvmlite.__version__, np.__version__, sys.version)
    # A NamedTuple's type does not tell the names of its fields, which decide what `rules.copies` is.
    fields = [
        (kind.instance_class.__qualname__, kind.fields)
        for kind in nbtypes_in(signature)
        if hasattr(kind, "instance_class")
    ]
    digest = hashlib.sha256(repr((versions, target, settings, str(signature), fields)).encode())
    roots: list[Any] = [function]
    for record in record_dtypes(signature):
        roots.extend(kernels_of_record.get(record, ()))
    described = describe_reachable(roots)
    if described is None:
        return None
    for line in described:
        digest.update(line.encode())
    return digest.hexdigest()[:40]


def record_dtypes(signature: Any) -> Iterator[np.dtype[Any]]:
    """The dtypes of the records in a signature's argument types, in order."""
    for kind in nbtypes_in(signature):
        if isinstance(kind, nbtypes.Record):
            yield kind.dtype


def nbtypes_in(value: Any) -> Iterator[Any]:
    """All numba types in a signature: tuples, what is in them, and the elements of arrays."""
    if isinstance(value, nbtypes.BaseTuple):  # type: ignore[attr-defined]
        yield value
    if isinstance(value, (tuple, list, nbtypes.BaseTuple)):  # type: ignore[attr-defined]
        for part in value:
            yield from nbtypes_in(part)
    elif isinstance(value, nbtypes.Array):
        yield from nbtypes_in(value.dtype)
    elif isinstance(value, nbtypes.Type):
        yield value


def describe_reachable(roots: list[Any]) -> list[str] | None:
    """One line for each function and value that `roots` can reach, sorted; None if a value cannot be described."""
    lines: set[str] = set()
    finished: set[int] = set()
    path: list[Any] = []  # the functions from a root to the one being visited
    pending: list[tuple[Any, bool]] = [(python_function(root), False) for root in roots]
    while pending:
        function, leaving = pending.pop()
        if leaving:
            finished.add(id(path.pop()))
            continue
        if any(function is other for other in path):
            names = ", ".join(other.__qualname__ for other in path[path.index(function) :])
            complain(f"{names} call each other in a circle, and numba cannot load such code; use a loop")
            return None
        if id(function) in finished:
            continue
        own, reached, complete = describe_function(function)
        if not complete:
            return None
        lines.update(own)
        path.append(function)
        pending.append((function, True))
        pending.extend((other, False) for other in reached)
    return sorted(lines)


def complain(what: str) -> None:
    """Warn that a kernel is not cached."""
    warnings.warn(f"cardzoo: not cached, so compiled in every process: {what}", stacklevel=2)


_described: dict[int, tuple[Any, tuple[list[str], list[Any], bool]]] = {}


def describe_function(function: Any) -> tuple[list[str], list[Any], bool]:
    """(lines, functions it refers to, whether everything could be described) of one Python function; remembered."""
    known = _described.get(id(function))
    if known is not None and known[0] is function:
        return known[1]
    name = f"{function.__module__}.{function.__qualname__}"
    lines = [f"{name} code {code_text(function.__code__, function.__doc__)} defaults {function.__defaults__!r}\n"]
    reached: list[Any] = []
    complete = True
    for label, value in referenced_values(function):
        text = describe_value(value, reached)
        if text is None:
            complain(
                f"{name} reads {label}, a {type(value).__qualname__}, whose content the cache cannot watch; "
                "pass it as an argument or make it a number, string, tuple or array"
            )
            complete = False
        else:
            lines.append(f"{name} reads {label} {text}\n")
    result = (lines, reached, complete)
    _described[id(function)] = (function, result)
    return result


def referenced_values(function: Any) -> Iterator[tuple[str, Any]]:
    """(name, value) of the globals, closure cells and module attributes that a function's code names."""
    if function.__closure__ is not None:
        for name, cell in zip(function.__code__.co_freevars, function.__closure__, strict=True):
            yield name, cell.cell_contents
    names = sorted(code_names(function.__code__))
    read = global_names(function.__code__)
    for name in names:
        if name in read and name in function.__globals__:
            value = function.__globals__[name]
            yield name, value
            yield from module_attributes(name, value, names, 0)


def module_attributes(label: str, value: Any, names: list[str], depth: int) -> Iterator[tuple[str, Any]]:
    """The attributes of a module of ours that the code may read: any of its names (an over-estimate does no harm)."""
    if (
        not isinstance(value, pytypes.ModuleType)
        or depth > 3
        or value.__name__.split(".")[0] in ("numpy", "numba", "math")
    ):
        return
    for name in names:
        if name in vars(value):
            inner = vars(value)[name]
            yield f"{label}.{name}", inner
            yield from module_attributes(f"{label}.{name}", inner, names, depth + 1)


def code_names(code: pytypes.CodeType) -> set[str]:
    """The global and attribute names in a code object and the code objects inside it."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, pytypes.CodeType):
            names |= code_names(constant)
    return names


def global_names(code: pytypes.CodeType) -> set[str]:
    """The names that a code object and those inside it look up as globals (a field may be called like a kernel)."""
    names = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    for constant in code.co_consts:
        if isinstance(constant, pytypes.CodeType):
            names |= global_names(constant)
    return names


def code_text(code: pytypes.CodeType, doc: str | None = None) -> str:
    """What a code object does, without its comments, docstring and line numbers."""
    constants = [
        code_text(constant) if isinstance(constant, pytypes.CodeType) else plain_text(constant)
        for constant in code.co_consts
        if doc is None or constant != doc
    ]
    shape = (code.co_argcount, code.co_varnames, code.co_names, code.co_freevars, code.co_cellvars)
    return f"{code.co_code.hex()} {constants} {shape}"


def plain_text(value: Any) -> str | None:
    """A text equal for equal values in every process, for numbers, strings, tuples and the like; else None."""
    if (
        value is None
        or value is Ellipsis
        or isinstance(value, (bool, int, float, complex, str, bytes, np.generic, np.dtype))
    ):
        return f"{type(value).__qualname__} {value!r}"
    if isinstance(value, (tuple, list, frozenset, set, dict)):
        items = value.items() if isinstance(value, dict) else value
        parts = [plain_text(item) for item in items]
        if any(part is None for part in parts):
            return None
        texts = [str(part) for part in parts]
        return f"{type(value).__qualname__} {sorted(texts) if isinstance(value, (frozenset, set)) else texts}"
    return None


def describe_value(value: Any, reached: list[Any]) -> str | None:
    """A text that stands for a value that a kernel reads; functions are added to `reached`. None: cannot be told."""
    text = plain_text(value)
    if text is not None:
        return text
    if isinstance(value, np.ndarray):
        return (
            f"array {value.dtype!r} {value.shape} {hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
        )
    if isinstance(value, pytypes.ModuleType):
        return f"module {value.__name__}"
    if isinstance(value, nbtypes.Type):
        return f"numba type {value}"
    function = python_function(value)
    if isinstance(function, pytypes.FunctionType):
        if function not in stubs and (function.__module__ or "").split(".")[0] not in ("numpy", "numba"):
            reached.append(function)
        options = {k: v for k, v in getattr(value, "targetoptions", {}).items() if plain_text(v) is not None}
        return f"function {function.__module__}.{function.__qualname__} {sorted(options.items())}"
    if isinstance(value, type):
        constants = {k: v for k, v in vars(value).items() if not k.startswith("__")}
        members = sorted((k, plain_text(v)) for k, v in constants.items() if plain_text(v) is not None)
        return f"class {value.__module__}.{value.__qualname__} {members}"
    if isinstance(value, (pytypes.BuiltinFunctionType, np.ufunc)) or type(value).__module__.split(".")[0] in (
        "typing",
        "numpy",
    ):
        return f"builtin {getattr(value, '__module__', '')}.{getattr(value, '__name__', value)}"
    return None


def python_function(value: Any) -> Any:
    """The Python function behind a compiled one, or the value itself."""
    return getattr(value, "py_func", value)


# The files


_directory: tuple[tuple[str | None, ...], Path | None] | None = None


def cache_directory() -> Path | None:
    """The directory for compiled kernels, made if need be, or None if nothing can be written."""
    global _directory
    asked = tuple(
        os.environ.get(name) for name in ("CARDZOO_CACHE_DIR", "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA", "TMPDIR")
    )
    if _directory is None or _directory[0] != asked:
        _directory = (asked, next(filter(None, (usable(path, private) for path, private in candidates())), None))
    return _directory[1]


def candidates() -> Iterator[tuple[Path, bool]]:
    """(directory, whether others could have made it) in order of preference."""
    if os.environ.get("CARDZOO_CACHE_DIR"):
        yield Path(os.environ["CARDZOO_CACHE_DIR"]) / "kernels", False
    if sys.platform == "win32":
        base: Path | None = Path(os.environ["LOCALAPPDATA"]) if os.environ.get("LOCALAPPDATA") else None
    elif os.environ.get("XDG_CACHE_HOME"):
        base = Path(os.environ["XDG_CACHE_HOME"])
    elif os.environ.get("HOME"):
        base = Path(os.environ["HOME"]) / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    else:
        base = None
    if base is not None and base.is_absolute():
        yield base / "cardzoo" / "kernels", False
    import tempfile

    user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    try:
        yield Path(tempfile.gettempdir()) / f"cardzoo-{user}", True
    except OSError:  # no temporary directory either
        return


def usable(path: Path, shared_parent: bool) -> Path | None:
    """`path` if it can be made and written, and, where its parent is open to all, belongs to this user alone."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if shared_parent and hasattr(os, "getuid"):
            status = os.lstat(path)
            # Compiled code is loaded from here, so nobody else may write it.
            if status.st_uid != os.getuid() or status.st_mode & 0o077 or not path.is_dir() or path.is_symlink():
                return None
        probe = path / f"probe.{uuid.uuid4().hex}"
        probe.touch()
        probe.unlink()
    except OSError:
        return None
    return path


def read_payload(path: Path) -> bytes | None:
    """The content of a cache file, or None if it is absent or damaged. Marks the file as used."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    head = len(MAGIC) + 32
    payload = data[head:]
    if data[: len(MAGIC)] != MAGIC or data[len(MAGIC) : head] != hashlib.sha256(payload).digest():
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return payload


def write_payload(path: Path, payload: bytes) -> None:
    """Write a cache file so that no reader ever sees half of it."""
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        temporary.write_bytes(MAGIC + hashlib.sha256(payload).digest() + payload)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def prune(directory: Path) -> None:
    """Delete files of older versions: those unused for KEEP_DAYS days, and the longest unused beyond KEEP_BYTES."""
    entries = []
    for path in directory.iterdir():
        if path.suffix in (".kernel", ".tmp"):
            try:
                status = path.stat()
            except OSError:
                continue
            entries.append((status.st_mtime, status.st_size, path))
    entries.sort(key=lambda entry: entry[0], reverse=True)
    oldest = time.time() - KEEP_DAYS * 86400
    total = 0
    for used, size, path in entries:
        total += size
        if used < oldest or total > KEEP_BYTES:
            try:
                path.unlink()
            except OSError:
                continue


_announced = False


def announce_compiling() -> None:
    """Say once per process, on standard error, that the first call takes a while."""
    global _announced
    if not _announced:
        _announced = True
        print(
            "cardzoo: compiling the rules (once per version, usually under a minute) ...", file=sys.stderr, flush=True
        )


def entry(function: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    """A kernel's machine code for arguments of these very types, without numba's look-up of types at each call.

    That look-up takes 3 to 6 microseconds for records and NamedTuples, the call itself less than one. Nothing checks
    the arguments any more, so only for a caller that keeps its arrays to itself and always passes the same ones.
    Interpreted, the kernel itself. Cannot be pickled; make it anew.
    """
    if not isinstance(function, KernelDispatcher):
        return function
    compiled: Callable[..., Any] = function.compile(tuple(function.typeof_pyval(argument) for argument in arguments))
    return compiled
