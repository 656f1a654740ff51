"""The generic loops: counting, picking, and the fuzz loop, which has to find every kind of mistake it looks for."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import tests.fuzz
import tests.tiny_game
from cardzoo.envs.core import loops, registry
from cardzoo.envs.core.random import seed_states
from tests.fuzz import main as fuzz_main
from tests.support.counting import perft, slow_perft
from tests.support.fuzzing import REASONS, FuzzResult, fuzz
from tests.tiny_game import TinyGame

POSITION = {"hands": [["mouse", "cat"], ["cat", "dog"]], "deck": ["dog", "mouse", "mouse", "cat"]}


@pytest.mark.parametrize(("depth", "count"), list(enumerate([2, 4, 7, 12, 21, 36, 36, 36, 0, 0], start=1)))
def test_perft_of_a_fixed_position(tiny, depth, count):
    """Depth 3 by hand: mouse-cat leaves the winner two dogs (1), the other tricks two different cards (2 each)."""
    state = tiny.from_position(POSITION)
    assert slow_perft(state, depth) == count
    assert perft(state, depth) == count


def test_perft_leaves_the_state_alone_and_counts_nothing_after_the_end(tiny):
    state = tiny.from_position(POSITION)
    before = state.copy()
    perft(state, 4)
    assert state == before
    while not state.is_over:
        state.apply(state.legal_actions()[0])
    assert [perft(state, depth) for depth in (1, 2)] == [0, 0]


def test_pick_is_uniform_over_the_legal_actions():
    mask = np.array([False, True, False, True, True, False])
    rng = seed_states(1, 1)[0]
    counts = Counter(loops.pick(mask, 3, rng) for _ in range(6000))
    assert sorted(counts) == [1, 3, 4]
    assert max(counts.values()) - min(counts.values()) < 250


@pytest.mark.parametrize("options", TinyGame.variants.values(), ids=TinyGame.variants)
def test_fuzz_finds_nothing_wrong_with_the_tiny_game(options):
    result = fuzz(TinyGame(**options), 3000, seed=1, threads=2)
    assert result.failures == []
    assert result.games == 3000
    assert result.truncated == (3000 if options else 0)
    assert result.moves == 3000 * (4 if options else 8)
    assert result.longest == (4 if options else 8)
    assert result.worlds == 2 * (result.moves + result.games)
    assert 0.2 < result.other_worlds / result.worlds < 0.9
    assert "3,000 games" in str(result)


def test_fuzz_does_not_depend_on_threads_and_can_start_anywhere(tiny):
    whole = fuzz(tiny, 900, seed=4)
    parts = [fuzz(tiny, 450, seed=4, first=first, threads=2) for first in (0, 450)]
    assert whole.other_worlds == sum(part.other_worlds for part in parts)


# What is changed in the tiny game's source, by what the fuzz loop has to call it.
MISTAKES = {
    "cards were lost or doubled": (
        "s.hand[seat, s.deck[s.n_deck]] += 1",
        "s.hand[seat, s.deck[s.n_deck]] += 1 + (s.n_deck == 1)",
    ),
    "a move did not play one card": ("s.hand[seat, action] -= 1", "s.played[action] += 1; s.hand[seat, action] -= 1"),
    loops.NO_ACTION: ("mask[t]\n    return count", "mask[t]\n    return 0 if s.tricks == 2 else count"),
    loops.BAD_ACTOR: ("s.actor = -1\n    elif", "s.actor = -2\n    elif"),
    loops.BAD_NUMBER: ("out[3 * types + 4] = s.tricks / 16", "out[3 * types + 4] = s.tricks"),
    loops.TOO_LONG: ("import annotations", "import annotations  # nothing; see below"),
    loops.WORLD_OBSERVATION: ("= s.n_deck / 16", "= s.hand[1 - seat, 0] / 16"),
    loops.WORLD_MASK: ("s.hand[s.actor, t] > 0", "(s.hand[s.actor, t] > 0 or s.deck[0] == t)"),
    loops.WORLD_BROKEN: (
        "s.n_deck = n\n    for _ in range(others)",
        "s.n_deck = max(n - 1, 0)\n    for _ in range(others)",
    ),
    loops.WORLD_ACTOR: ("reseed(s.rng, rng)\n", "reseed(s.rng, rng)\n    s.actor = 1 - seat\n"),
    loops.WORLD_PEEKS: ("shuffle(rng, s.deck, n)\n    s.n_deck", "shuffle(s.rng, s.deck, n)\n    s.n_deck"),
}


@pytest.mark.parametrize("mistake", list(MISTAKES), ids=lambda mistake: str(REASONS.get(mistake, mistake)))
def test_fuzz_finds_the_mistake_and_says_how_to_see_it_again(mistake, python, tmp_path):
    """Interpreted, so that a dozen broken games need no compiling."""
    source = Path(tests.tiny_game.__file__).read_text()
    good, bad = MISTAKES[mistake]
    assert source.count(good) == 1
    (tmp_path / "broken.py").write_text(source.replace(good, bad))
    (tmp_path / "tiny_game.yaml").write_text(TinyGame.cards_path.read_text())
    limit = 5 if mistake == loops.TOO_LONG else 99
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from tests.support import fuzzing; "
        f"fuzzing.MAX_MOVES = {limit}; from tests.fuzz import main; sys.exit(main(sys.argv[1:]))"
    )
    arguments = ["broken:TinyGame", "--games", "60", "--threads", "1", "--variant", "default"]
    text = REASONS.get(mistake, mistake)
    first = python("-c", code, *arguments, env={"NUMBA_DISABLE_JIT": "1"}, check=False)
    assert first.returncode == 1, first.stdout + first.stderr
    assert text in first.stdout
    if not isinstance(mistake, str) and mistake >= loops.WORLD_OBSERVATION:
        assert "sampled world: {" in first.stdout
    again = first.stdout.split("see it again: python -m tests.fuzz ")[1].split()
    second = python("-c", code, *again, env={"NUMBA_DISABLE_JIT": "1"}, check=False)
    assert second.returncode == 1
    assert text in second.stdout


@pytest.mark.parametrize(
    "code",
    [
        "env = TableEnv(TinyGame()); env.reset(seed=1)\nwhile env.agents: env.step(env.table.legal_actions()[0])",
        "b = BatchEnv(TinyGame(), 2, threads=2); s = b.reset()\nwhile True: s = b.step(s.action_mask.argmax(axis=1))",
    ],
    ids=["AEC", "batch"],
)
def test_actor_without_an_action_is_an_error_at_once(code, python, tmp_path):
    good, bad = MISTAKES[loops.NO_ACTION]
    bad = "mask[t]\n    if s.tricks == 2:\n        mask[:] = False\n        return 0\n    return count"
    (tmp_path / "broken.py").write_text(Path(tests.tiny_game.__file__).read_text().replace(good, bad))
    (tmp_path / "tiny_game.yaml").write_text(TinyGame.cards_path.read_text())
    imports = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nfrom broken import TinyGame\n"
    imports += "from cardzoo.envs.core.aec import TableEnv\nfrom cardzoo.envs.core.batch import BatchEnv\n"
    result = python("-c", imports + code, env={"NUMBA_DISABLE_JIT": "1"}, check=False)
    assert re.search(r"RuntimeError: tiny: seat [01] has no legal action in game [01]: \{'actor'", result.stderr)


def test_fuzz_command_shares_the_games_among_the_variants(python):
    result = python("-m", "tests.fuzz", "tests.tiny_game:TinyGame", "tests.last_one:LastOne", "--games", "101")
    lines = result.stdout.splitlines()
    assert [line.split(",")[0] for line in lines] == [
        "tests.tiny_game:TinyGame default: 51 games",
        "tests.tiny_game:TinyGame capped: 50 games",
        "tests.last_one:LastOne default: 26 games",
        "tests.last_one:LastOne six: 25 games",
        "tests.last_one:LastOne teams: 25 games",
        "tests.last_one:LastOne capped: 25 games",
    ]
    assert [", 50 cut off (100.00%), " in line for line in lines[:2]] == [False, True]
    result = python("-m", "tests.fuzz", "tests.tiny_game:TinyGame", "--games", "10", "--option", "hand=1")
    assert "given: 10 games, 80 moves" in result.stdout


def test_fuzz_command_without_a_name_plays_all_registered_games(tiny_registered, monkeypatch, capsys):
    chosen = {TinyGame.name: TinyGame, "again": TinyGame}
    monkeypatch.setattr(registry, "_games", chosen)
    assert fuzz_main(["--games", "20"]) == 0
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        f"{name} {variant}" for name in sorted(chosen) for variant in TinyGame.variants
    ]


def test_fuzz_command_says_how_to_see_a_failure_again_with_the_same_options(monkeypatch, capsys):
    """Options with blanks and brackets are quoted for the shell."""
    failure = "game 7 of seed 3, after 2 moves: x"
    monkeypatch.setattr(tests.fuzz, "fuzz", lambda *_: FuzzResult(failures=[failure]))
    options = ["--option", "teams=[0, 1, 0, 1]", "--option", "returns=placement"]
    for chosen in (options, ["--variant", "teams_2v2"]):
        assert fuzz_main(["battle_requiem", "--seed", "3", *chosen]) == 1
        command = capsys.readouterr().out.splitlines()[-1].removeprefix("see it again: python -m tests.fuzz ")
        assert shlex.split(command) == ["battle_requiem", "--seed", "3", "--first", "7", "--games", "1", *chosen]
