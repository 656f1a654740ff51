"""The kernel cache: never stale, found again, safe for several processes, and at worst absent."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from cardzoo.envs.core import kernels
from cardzoo.envs.core.kernels import MAGIC, content_key, describe_reachable, entry, kernel

ROOT = Path(__file__).parents[3]
COMPILING = "cardzoo: compiling the rules"

# A game in two modules: the entry function is in one, what it calls and reads is in the other.
HELPERS = """
from cardzoo.envs.core.kernels import kernel
STEP = 3
@kernel
def advance(s):
    s.x[0] += STEP
"""
GAME = """
import sys
import numpy as np
from cardzoo.envs.core.dispatch import Kernels, game_setup, register_kernels
from cardzoo.envs.core.kernels import kernel
import helpers
from helpers import advance
DTYPE = np.dtype([("rng", "u4", 4), ("actor", "i1"), ("truncated", "i1"), ("x", "i8", 2)])
@kernel
def setup(states, i, rules):
    advance(states[i])
    states[i].x[1] += helpers.STEP
@kernel
def other(states, i, rules):
    return 0
register_kernels(DTYPE, Kernels(setup, other, other, other, other, other, other, other))
@kernel
def loop(states, rules):
    for i in range(len(states)):
        game_setup(states, i, rules)
def play():
    states = np.zeros(2, DTYPE).view(np.recarray)
    loop(states, (np.zeros(1),))
    return states.x.tolist()
"""


@pytest.fixture
def package(tmp_path):
    """The two modules in a folder, and what a new process that plays them prints."""

    class Package:
        folder = tmp_path / "code"
        cache = tmp_path / "cache"

        def __init__(self):
            self.folder.mkdir()
            self.write(helpers=HELPERS, game=GAME)

        def write(self, **modules):
            for name, text in modules.items():
                (self.folder / f"{name}.py").write_text(text)

        def start(self, code="import game; print(game.play())", **env):
            variables = {**os.environ, "CARDZOO_CACHE_DIR": str(self.cache), "PYTHONDONTWRITEBYTECODE": "1", **env}
            variables = {name: value for name, value in variables.items() if value is not None}
            return subprocess.Popen(
                [sys.executable, "-W", "error", "-c", code],
                env=variables,
                cwd=self.folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )

        def run(self, *arguments, **env):
            """(printed text, whether it compiled)."""
            process = self.start(*arguments, **env)
            out, err = process.communicate(timeout=300)
            assert process.returncode == 0, err
            assert err.replace(f"{COMPILING} (once per version, usually under a minute) ...\n", "") == ""
            return out.strip(), COMPILING in err

        def files(self):
            return sorted(self.cache.rglob("*.kernel"))

    return Package()


def test_second_process_finds_a_loop_over_stubs_and_compiles_nothing(package):
    assert package.run() == ("[[3, 3], [3, 3]]", True)
    assert len(package.files()) == 1  # only what Python calls is stored
    assert package.run() == ("[[3, 3], [3, 3]]", False)
    assert len(package.files()) == 1


def test_change_of_a_function_in_another_module_takes_effect(package):
    package.run()
    package.write(helpers=HELPERS.replace("+= STEP", "+= 10 * STEP"))
    assert package.run() == ("[[30, 3], [30, 3]]", True)


def test_change_of_a_constant_in_another_module_takes_effect(package):
    package.run()
    package.write(helpers=HELPERS.replace("STEP = 3", "STEP = 4"))
    assert package.run() == ("[[4, 4], [4, 4]]", True)


def test_change_of_the_kernel_behind_a_stub_takes_effect(package):
    package.run()
    package.write(game=GAME.replace("x[1] += helpers.STEP", "x[1] += 2 * helpers.STEP"))
    assert package.run() == ("[[3, 6], [3, 6]]", True)


def test_change_of_the_order_of_fields_in_a_named_tuple_takes_effect(package):
    """The two types look the same to numba."""
    rules = (
        "from typing import NamedTuple\nclass Rules(NamedTuple):\n    {}: object\n    {}: object\n@kernel\ndef setup"
    )
    game = GAME.replace("x[1] += helpers.STEP", "x[1] += rules.a[0]").replace(
        "(np.zeros(1),)", "Rules(np.array([5]), np.array([6]))"
    )
    package.write(game=game.replace("@kernel\ndef setup", rules.format("a", "b")))
    assert package.run() == ("[[3, 5], [3, 5]]", True)
    package.write(game=game.replace("@kernel\ndef setup", rules.format("b", "a")))
    assert package.run() == ("[[3, 6], [3, 6]]", True)


def test_going_back_and_changing_a_comment_compile_nothing(package):
    package.run()
    package.write(helpers=HELPERS.replace("STEP = 3", "STEP = 4"))
    package.run()
    package.write(helpers=HELPERS.replace("STEP = 3", "\n\nSTEP = 3  # as before"))
    assert package.run() == ("[[3, 3], [3, 3]]", False)


def test_edit_between_import_and_first_call_is_not_stored_as_the_new_source(package):
    edit = "p = pathlib.Path('helpers.py'); p.write_text(p.read_text().replace('= 3', '= 8'))"
    assert package.run(f"import game, pathlib; {edit}; print(game.play())")[0] == "[[3, 3], [3, 3]]"
    assert package.run()[0] == "[[8, 8], [8, 8]]"


def test_bounds_checks_have_code_of_their_own(package):
    package.run()
    assert package.run(NUMBA_BOUNDSCHECK="1")[1]
    assert not package.run()[1]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: MAGIC + bytes(32) + data[len(MAGIC) + 32 :],
        lambda data: b"something else" * 100,
    ],
    ids=["empty", "truncated", "wrong checksum", "no cache file"],
)
def test_damaged_file_is_compiled_again_and_replaced(package, damage):
    package.run()
    (file,) = package.files()
    sound = file.read_bytes()
    file.write_bytes(damage(sound))
    assert package.run() == ("[[3, 3], [3, 3]]", True)
    assert package.run() == ("[[3, 3], [3, 3]]", False)


def test_file_with_a_right_checksum_but_foreign_content_is_compiled_again(package):
    import hashlib
    import pickle

    package.run()
    (file,) = package.files()
    payload = pickle.dumps(("not", "a", "function"))
    file.write_bytes(MAGIC + hashlib.sha256(payload).digest() + payload)
    assert package.run() == ("[[3, 3], [3, 3]]", True)


def test_processes_that_start_cold_at_once_all_play_by_the_rules(package):
    processes = [package.start() for _ in range(5)]
    for process in processes:
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        assert out.strip() == "[[3, 3], [3, 3]]"
    assert [file.suffix for file in (package.cache / "kernels").iterdir()] == [".kernel"]
    assert package.run() == ("[[3, 3], [3, 3]]", False)


def test_nothing_writable_means_no_cache_and_no_complaint(package):
    code = "import tempfile; tempfile.tempdir = '/dev/null/tmp'; import game; print(game.play())"
    lost = {"CARDZOO_CACHE_DIR": "/dev/null/a", "XDG_CACHE_HOME": "/dev/null/b", "HOME": "/dev/null/c"}
    assert package.run(code, **lost) == ("[[3, 3], [3, 3]]", True)
    assert package.run(code, **lost) == ("[[3, 3], [3, 3]]", True)


def test_read_only_install_without_a_home_uses_a_private_temporary_directory(tmp_path):
    command = [sys.executable]
    if hasattr(os, "getuid") and os.getuid() == 0:  # root may write everywhere, unless it gives up that right
        if shutil.which("setpriv") is None:
            pytest.skip("root cannot be kept from writing without setpriv")
        command = ["setpriv", "--bounding-set", "-dac_override", *command]
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    site = tmp_path / "site"
    shutil.copytree(ROOT / "envs", site / "cardzoo" / "envs", ignore=shutil.ignore_patterns("__pycache__"))
    (site / "helpers.py").write_text(HELPERS)
    (site / "game.py").write_text(GAME)
    folders = [path for path in site.glob("**/*") if path.is_dir()] + [site]
    for path in folders:
        path.chmod(0o555)
    try:
        code = (
            "import sys; sys.path.insert(0, 'site'); import game; print(game.play());"
            "from cardzoo.envs.core.kernels import cache_directory, __file__ as f; print(cache_directory()); print(f)\n"
            "try: open(f + '.new', 'w')\nexcept PermissionError: print('read-only')"
        )
        for compiled in (True, False):
            result = subprocess.run(
                [*command, "-P", "-c", code],
                env={"PATH": os.environ["PATH"], "HOME": "/dev/null/home", "TMPDIR": str(temporary)},
                cwd=tmp_path,
                capture_output=True,
                text=True,
                timeout=300,
            )
            assert result.returncode == 0, result.stderr
            played, used, source, refused = result.stdout.splitlines()
            assert played == "[[3, 3], [3, 3]]"
            assert Path(used).parent == temporary
            assert Path(used).stat().st_mode & 0o077 == 0
            assert (tmp_path / source).is_relative_to(site)
            assert refused == "read-only"
            assert (COMPILING in result.stderr) is compiled
    finally:
        for path in folders:
            path.chmod(0o755)


def test_temporary_directory_that_others_can_write_is_refused(tmp_path):
    open_to_all = tmp_path / "cardzoo"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    assert kernels.usable(open_to_all, shared_parent=True) is None
    assert kernels.usable(open_to_all, shared_parent=False) == open_to_all
    link = tmp_path / "link"
    (tmp_path / "mine").mkdir(mode=0o700)
    link.symlink_to(tmp_path / "mine")
    assert kernels.usable(link, shared_parent=True) is None


def test_old_files_are_pruned(tmp_path, monkeypatch):
    old, recent = tmp_path / "a.kernel", tmp_path / "b.kernel"
    for path in (old, recent, tmp_path / "unrelated.txt"):
        path.write_bytes(bytes(100))
    long_ago = time.time() - 86400 * (kernels.KEEP_DAYS + 1)
    os.utime(old, (long_ago, long_ago))
    os.utime(tmp_path / "unrelated.txt", (long_ago, long_ago))
    kernels.prune(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"b.kernel", "unrelated.txt"}
    monkeypatch.setattr(kernels, "KEEP_BYTES", 150)
    (tmp_path / "c.kernel").write_bytes(bytes(100))
    os.utime(recent, (time.time() - 60, time.time() - 60))
    kernels.prune(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"c.kernel", "unrelated.txt"}


def plain(x):
    return x + OFFSET


OFFSET = 1


def test_key_depends_on_code_constants_types_and_target_but_not_on_the_process(python, monkeypatch):
    signature = (("int64",), None)
    key = content_key(plain, signature, ("cpu",))
    code = f"import tests.envs.core.test_kernels as t; print(t.content_key(t.plain, {signature!r}, ('cpu',)))"
    here = python("-c", code).stdout.strip()
    assert here == python("-c", code, env={"PYTHONHASHSEED": "7"}).stdout.strip()
    assert re.fullmatch("[0-9a-f]{40}", key)
    assert content_key(plain, (("int32",), None), ("cpu",)) != key
    assert content_key(plain, signature, ("other",)) != key
    monkeypatch.setattr(kernels, "_described", {})
    monkeypatch.setitem(globals(), "OFFSET", 2)
    assert content_key(plain, signature, ("cpu",)) != key


def test_reading_what_cannot_be_watched_is_said_and_never_cached(monkeypatch):
    monkeypatch.setattr(kernels, "_described", {})
    monkeypatch.setitem(globals(), "OFFSET", object())
    with pytest.warns(UserWarning, match="reads OFFSET, a object, whose content the cache cannot watch"):
        assert describe_reachable([plain]) is None
    assert content_key(plain, ((), None), ()) is None  # said once, remembered


def ping(n):
    return pong(n - 1) if n > 0 else 0


def pong(n):
    return ping(n - 1) if n > 0 else 1


def countdown(n):
    return countdown(n - 1) if n > 0 else 0


def test_kernels_that_call_each_other_are_not_cached_because_numba_crashes_on_loading_them():
    for function in (ping, countdown):
        with pytest.warns(UserWarning, match="call each other in a circle"):
            assert describe_reachable([function]) is None


def shuffle_in(record):
    return cut(record) + len(record.cut)


def cut(record):
    return record.shuffle_in


def lift(record):
    return record.lift


def test_a_field_with_a_kernels_name_is_no_call_of_it():
    assert describe_reachable([shuffle_in]) is not None
    assert describe_reachable([lift]) is not None


def test_table_read_as_a_global_is_part_of_the_key(monkeypatch):
    keys = []
    for table in (np.array([1, 2]), np.array([1, 3]), np.array([1, 2], np.int8), np.array([1, 2])):
        monkeypatch.setattr(kernels, "_described", {})
        monkeypatch.setitem(globals(), "OFFSET", table)
        keys.append(content_key(plain, ((), None), ()))
    assert keys[0] == keys[3]
    assert len(set(keys)) == 3


def test_importing_compiles_nothing_and_cardzoo_envs_does_not_even_import_numba_or_pettingzoo(python):
    code = """
import sys
import cardzoo.envs
print(sorted({"numba", "llvmlite", "pettingzoo", "pydantic", "yaml"} & set(sys.modules)))
import cardzoo.envs.core.batch, cardzoo.envs.core.aec, cardzoo.envs.core.loops, tests.tiny_game
import cardzoo.envs.battle_requiem.rules, cardzoo.envs.bedroom_battle.rules
import gc
from cardzoo.envs.core.kernels import KernelDispatcher
kernels = [k for k in gc.get_objects() if isinstance(k, KernelDispatcher)]
print(len(kernels) > 50, [k for k in kernels if k.overloads])
"""
    result = python(code)
    assert result.stdout.splitlines() == ["[]", "True []"]
    assert result.stderr == ""


def test_numba_settings_of_the_user_are_left_alone(python):
    code = """
import numba
before = {k: getattr(numba.config, k) for k in dir(numba.config) if k.isupper()}
import cardzoo.envs.core.batch, cardzoo.envs.core.aec, tests.tiny_game
cardzoo.envs.core.batch.BatchEnv(tests.tiny_game.TinyGame(), 2).reset()
after = {k: getattr(numba.config, k) for k in dir(numba.config) if k.isupper()}
print({k: (before[k], after[k]) for k in before if before[k] != after[k]})
"""
    assert python(code).stdout.strip() == "{}"


@kernel
def total(array, factor):
    return array.sum() * factor


def test_entry_is_the_same_function_without_the_look_up_of_types():
    array = np.arange(5.0)
    assert entry(total, array, 2)(array, 2) == total(array, 2) == 20.0
    assert entry(plain, 1) is plain
