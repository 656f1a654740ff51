"""What is built from this checkout: the wheel and the sdist hold every file, and work in an empty folder.

The traps: card data that is in the source tree but not in the wheel; a new sub-package missing from the list in
pyproject.toml; a core dependency that only the developers have.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import textwrap
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from cardzoo.envs import load

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FOLDERS = PROJECT["tool"]["setuptools"]["package-dir"]  # "cardzoo.envs" -> "envs"
EXTRAS = PROJECT["project"]["optional-dependencies"]


def files_of_the_packages() -> set[str]:
    """Every file under the four roots, as the wheel names it (cardzoo/envs/...), without caches."""
    found = set()
    for package, folder in FOLDERS.items():
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith("."):
                found.add(f"{package.replace('.', '/')}/{path.relative_to(ROOT / folder).as_posix()}")
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from it, made from a copy of the checkout."""
    source = tmp_path_factory.mktemp("source")
    for path in ROOT.iterdir():
        if path.is_file() and not path.name.startswith("."):
            shutil.copy(path, source)
    for folder in FOLDERS.values():
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel was installed."""
    target = tmp_path_factory.mktemp("site")
    (wheel,) = built.glob("*.whl")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target)]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True)
    return target


def run_installed(installed: Path, folder: Path, code: str) -> dict:
    """Run `code` in `folder` with the installed wheel; what it prints is JSON."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"PYTHONPATH": str(installed), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_list_of_packages_is_the_tree() -> None:
    found = set()
    for package, folder in FOLDERS.items():
        for path in (ROOT / folder).rglob("__init__.py"):
            found.add(".".join([package, *path.parent.relative_to(ROOT / folder).parts]))
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == found


def test_every_folder_with_code_is_a_package() -> None:
    for folder in FOLDERS.values():
        for path in (ROOT / folder).rglob("*.py"):
            assert (path.parent / "__init__.py").exists(), f"{path.parent} would not be installed"


def test_wheel_holds_every_file(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == files_of_the_packages()
    for game in ("bedroom_battle", "battle_requiem", "bloodsport_gambler", "teddies_vs_monsters"):
        assert {f"cardzoo/envs/{game}/cards.yaml", f"cardzoo/envs/{game}/RULES.md"} <= names


def test_sdist_holds_every_file(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    folders = {package.replace(".", "/"): folder for package, folder in FOLDERS.items()}
    for name in files_of_the_packages():
        package = "/".join(name.split("/")[:2])
        assert name.replace(package, folders[package], 1) in names
    assert {"LICENSE", "CHANGELOG.md", "README.md", "pyproject.toml"} <= names


@pytest.mark.parametrize(
    ("name", "options", "cards"),
    [
        ("bedroom_battle", {"preset": "quick"}, 64),
        ("battle_requiem", {"seats": 6}, 29),
        ("bloodsport_gambler", {"seats": 1}, 20),
        ("teddies_vs_monsters", {"seats": 4}, 62),
    ],
)
def test_installed_wheel_plays_with_core_dependencies_alone(
    installed: Path, tmp_path: Path, name: str, options: dict[str, Any], cards: int
) -> None:
    """In an empty folder, with nothing of the extras: cards, options, a few moves, PettingZoo and Gymnasium."""
    names = [Requirement(line).name for extra in EXTRAS.values() for line in extra]
    modules = sorted({name.replace("-", "_") for name in names} - {"setuptools", "wheel"})
    seen = run_installed(
        installed,
        tmp_path,
        f"""
        import json, sys

        class Refuse:
            def find_spec(self, name, path=None, target=None):
                if name in {modules!r}:
                    raise ImportError(name + " is no core dependency")

        sys.meta_path.insert(0, Refuse())
        import cardzoo.envs
        from cardzoo.envs import {name}_v0, load

        game = load("{name}", **{options!r})
        state = game.new_state(seed=1)
        for _ in range(30):
            state.apply(state.legal_actions()[0])
        env = {name}_v0.env(**{options!r})
        env.reset(seed=1)
        print(json.dumps({{
            "where": cardzoo.envs.__file__, "cards": len(game.cards), "round": state.to_position()["round"],
            "agent": env.agent_selection,
        }}))
        """,
    )
    assert Path(seen["where"]).is_relative_to(installed)
    assert seen["cards"] == cards
    assert seen["round"] >= 1
    assert seen["agent"] in load(name, **options).agents


def test_installed_wheel_has_its_configs(installed: Path, tmp_path: Path) -> None:
    seen = run_installed(
        installed,
        tmp_path,
        """
        import json
        from importlib import resources

        names = sorted(path.name for path in resources.files("cardzoo.configs").iterdir())
        print(json.dumps({"configs": [name for name in names if name.endswith(".yaml")]}))
        """,
    )
    assert seen["configs"] == sorted(path.name for path in (ROOT / "configs").glob("*.yaml"))
    assert seen["configs"]


def test_installed_command_works_in_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    seen = run_installed(
        installed,
        tmp_path,
        """
        import contextlib, importlib.metadata, io, json, sys

        (entry,) = importlib.metadata.entry_points(group="console_scripts", name="cardzoo")
        output = io.StringIO()
        sys.argv = ["cardzoo", "games"]
        with contextlib.redirect_stdout(output):
            try:
                code = entry.load()()
            except SystemExit as end:
                code = end.code
        print(json.dumps({"output": output.getvalue(), "code": code or 0}))
        """,
    )
    assert seen["code"] == 0
    assert "bedroom_battle" in seen["output"]
    assert "battle_requiem" in seen["output"]


def test_pins_fit_the_ranges() -> None:
    """Everything that pyproject.toml asks for has an exact pin in constraints.txt, within its range."""
    pins = {}
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, version = line.partition("==")
            assert version, f"{line} is no exact pin"
            pins[canonicalize_name(name)] = version
    wanted = [*PROJECT["project"]["dependencies"], *(line for extra in EXTRAS.values() for line in extra)]
    for requirement in map(Requirement, wanted):
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)]), requirement
        assert not any(part.operator in ("==", "<", "<=", "~=") for part in requirement.specifier), "ranges are open"
