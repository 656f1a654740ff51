"""Scenarios: positions, moves and what must hold, as YAML, for any game.

One scenario is a mapping:
  id        its name
  why       what it shows (not read)
  options   options of the game (default: none)
  position  a position of the game
  moves     action texts in order (default: none)
  after     {n: checks}: what must hold after the n-th move, 0 = after loading
  expect    checks after the last move; `error: key` instead: the position must be refused, naming the key

Checks are a mapping of a dotted path of the dumped position (list places count from 0: seats.1.hp; `n` is the length of
a list: deck.n) to its value, or of
  legal, not_legal, legal_exactly   to lists of action texts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from cardzoo.envs import PositionError

if TYPE_CHECKING:
    from cardzoo.envs import State


def read_scenarios(path: Path) -> list[dict[str, Any]]:
    """The scenarios of a YAML file; their ids differ."""
    scenarios: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    ids = [scenario["id"] for scenario in scenarios]
    assert len(set(ids)) == len(ids), "two scenarios have one id"
    return scenarios


def play_scenario(
    scenario: Mapping[str, Any],
    start: Callable[[Mapping[str, Any], Any], State],
    at_every_state: Callable[[State], None] = lambda state: None,
    unordered: Collection[str] = (),
) -> None:
    """Play a scenario and check it.

    Args:
        scenario: as above.
        start: makes the state of (options, position).
        at_every_state: called after loading and after every move.
        unordered: keys of the position; the order of a list that is there, or in a mapping there, does not matter.
    """
    unknown = set(scenario) - {"id", "why", "options", "position", "moves", "after", "expect"}
    assert not unknown, f"unknown entries {unknown}"
    options, position = scenario.get("options", {}), scenario["position"]
    expect = scenario.get("expect", {})
    if "error" in expect:
        check_refusal(start, options, position, expect["error"])
        return
    state = start(options, position)
    moves = scenario.get("moves", [])
    after = {int(number): checks for number, checks in scenario.get("after", {}).items()}
    assert not after or max(after) <= len(moves), "checks after a move that is not made"
    at_every_state(state)
    check(state, after.get(0, {}), "after loading", unordered)
    for number, move in enumerate(moves, 1):
        assert move in state.legal_texts(), f"move {number} ({move}) is not legal; legal are {state.legal_texts()}"
        state.apply(move)
        at_every_state(state)
        check(state, after.get(number, {}), f"after move {number} ({move})", unordered)
    check(state, expect, "at the end", unordered)


def check_refusal(start: Callable[[Mapping[str, Any], Any], State], options: Any, position: Any, key: str) -> None:
    """The position must be refused with an error that names the key."""
    with pytest.raises(PositionError) as caught:
        start(options, position)
    assert f'"{key}"' in str(caught.value), f"the error does not name {key}: {caught.value}"


def check(state: State, checks: Mapping[str, Any], when: str, unordered: Collection[str] = ()) -> None:
    """Hold a state to checks."""
    position = state.to_position()
    texts = set(state.legal_texts())
    for name, wanted in checks.items():
        if name == "legal":
            assert set(wanted) <= texts, f"{when}: not legal: {sorted(set(wanted) - texts)}; legal are {sorted(texts)}"
        elif name == "not_legal":
            assert not set(wanted) & texts, f"{when}: legal: {sorted(set(wanted) & texts)}"
        elif name == "legal_exactly":
            assert texts == set(wanted), f"{when}: legal are {sorted(texts)}, not {sorted(wanted)}"
        else:
            found = look_up(position, name)
            if set(name.split(".")) & set(unordered):
                found, wanted = ordered(found), ordered(wanted)
            assert same(found, wanted), f"{when}: {name} is {found}, not {wanted}"


def look_up(position: Any, path: str) -> Any:
    """The value at a dotted path."""
    found = position
    for part in path.split("."):
        if isinstance(found, list):
            found = len(found) if part == "n" else found[int(part)]
        else:
            found = found[part]
    return found


def ordered(value: Any) -> Any:
    """The value with its lists sorted, also those in a mapping."""
    if isinstance(value, Mapping):
        return {key: ordered(inner) for key, inner in value.items()}
    return sorted(value) if isinstance(value, list) else value


def same(found: Any, wanted: Any) -> bool:
    """Equality of dumped values; fractional numbers may differ by rounding."""
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(same, found, wanted))
    if isinstance(wanted, Mapping):
        return (
            isinstance(found, Mapping)
            and found.keys() == wanted.keys()
            and all(same(found[key], value) for key, value in wanted.items())
        )
    if isinstance(wanted, float) and isinstance(found, (int, float)):
        return math.isclose(found, wanted, abs_tol=1e-9)
    return bool(found == wanted)
