"""The command line: what it prints, and that bad input is one sentence and exit code 2."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import yaml

from cardzoo.agents import base
from cardzoo.agents.random import RandomAgent
from cardzoo.training import table
from cardzoo.training.cli import BAD_INPUT, FORFEITED, INTERRUPTED, main
from tests.conftest import ROOT
from tests.training.conftest import small
from tests.training.teachers import Lowest
from tests.training.test_vec_env import Always

pytestmark = pytest.mark.usefixtures("tiny_registered")


@pytest.fixture(autouse=True)
def players(monkeypatch):
    broken = lambda game, seed=0: Always(game, 99)  # noqa: E731
    factories = {"lowest": Lowest, "random2": lambda game, seed=0: RandomAgent(game, seed), "broken": broken}
    monkeypatch.setattr(base, "_registered", {"tiny": (factories, {"greedy": "lowest", "planner": "lowest"})})


@pytest.fixture
def cardzoo(capsys):
    """Run a command; (exit code, standard output, standard error)."""

    def run(*arguments):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as ended:  # argparse's way
            code = ended.code
        out = capsys.readouterr()
        return code, out.out, out.err

    return run


def test_help_is_quick_and_imports_neither_numba_nor_torch():
    code = (
        "import sys\n"
        "from cardzoo.training.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit: pass\n"
        "print(sorted({'numba', 'torch', 'stable_baselines3'} & set(sys.modules)))\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "[]"
    for name in ("games", "train", "evaluate", "play", "watch", "cards", "bench", "demo"):
        assert f"\n    {name} " in out


def test_games_lists_options_and_players(cardzoo):
    code, out, _ = cardzoo("games")
    assert code == 0
    assert "tiny (version 0): 2 seats, 3 actions, 14 features" in out
    assert "hand=2, max_tricks=0" in out
    assert "returns: winning: +1 won, -1 lost" in out
    assert "random, greedy, planner, lowest" in out
    assert "bedroom_battle" in out
    assert "battle_requiem" in out


def test_train_with_a_file_and_overrides_in_both_spellings_then_evaluate_it(cardzoo, tmp_path):
    config = tmp_path / "tiny.yaml"
    config.write_text(yaml.safe_dump(small(run={"opponents": ["random"]}).model_dump(mode="json")))
    folder = tmp_path / "run"
    code, out, err = cardzoo(
        "train", config, "--out", folder, "--quiet", "--set", "run.total_steps=256", "--ppo.gamma", "0.9", "--seed=5"
    )
    assert code == 0, err
    assert f"model:{folder / 'model.safetensors'}" in err
    saved = yaml.safe_load((folder / "config.yaml").read_text())
    assert (saved["run"]["total_steps"], saved["ppo"]["gamma"], saved["seed"]) == (256, 0.9, 5)
    assert "--ppo.gamma 0.9" in json.loads((folder / "run.json").read_text())["starts"][0]["command"]
    code, out, err = cardzoo("train", "--resume", folder, "--quiet", "--run.total_steps=384")
    assert code == 0, err
    report = tmp_path / "report.json"
    code, out, err = cardzoo(
        *("evaluate", "tiny", "--agents", f"model:{folder}@trained,random,lowest", "--games", 20, "--quiet"),
        *("--json", report, "--csv", tmp_path / "report.csv", "--seed", 3),
    )
    assert code == 0, err
    assert "trained - random" in out
    assert len(json.loads(report.read_text())["pairs"]) == 3


def test_an_interrupted_training_says_how_to_go_on(cardzoo, tmp_path, monkeypatch):
    from cardzoo.training.run import Run

    def interrupt(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "train", interrupt)
    config = tmp_path / "tiny.yaml"
    config.write_text(yaml.safe_dump(small().model_dump(mode="json")))
    code, _, err = cardzoo("train", config, "--out", tmp_path / "run")
    assert code == INTERRUPTED
    assert f"cardzoo train --resume {tmp_path / 'run'}" in err.splitlines()[-1]


def test_evaluate_takes_options_and_tells_forfeits_by_its_exit_code(cardzoo):
    code, out, _ = cardzoo("evaluate", "tiny", "--agents", "broken,random", "--games", 4, "--option", "hand=3")
    assert code == FORFEITED
    assert "answered with the illegal action 99" in out


def test_watch_saves_a_game_that_replays_the_same(cardzoo, tmp_path):
    saved = tmp_path / "game.yaml"
    code, out, err = cardzoo("watch", "tiny", "--agents", "random,lowest", "--seed", 4, "--save", saved)
    assert code == 0, err
    assert "1. seat 0 (random): play " in out
    assert "the game is over" in out
    code, again, _ = cardzoo("watch", "--replay", saved)
    assert code == 0
    assert again == "".join(line for line in out.splitlines(keepends=True) if "saved as" not in line)
    code, short, _ = cardzoo("watch", "--replay", saved, "--moves-only", "--viewer", 1)
    assert len(short.splitlines()) == 10  # eight moves, an empty line, the ending


def test_a_viewer_sees_no_hidden_hand(cardzoo):
    _, out, _ = cardzoo("watch", "tiny", "--viewer", 0, "--seed", 1)
    assert "seat 1: 2 cards" in out
    _, out, _ = cardzoo("watch", "tiny", "--seed", 1)
    assert " cards" not in out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda game: game["moves"].insert(0, game["moves"][0]), "move 2"),
        (lambda game: game.update(moves=["0 play dragon"]), "move 1 ('0 play dragon') cannot be played"),
        (lambda game: game.update(cards="0"), "played with other cards"),
        (lambda game: game.update(game="chess"), "no game 'chess'"),
        (lambda game: game.update(cardzoo_game=99), "format 99"),
        (lambda game: game.pop("seed"), "seed is missing"),
        (lambda game: game.pop("cardzoo_game"), "not a game saved by"),
        (lambda game: game.update(options={"hands": 1}), "hands"),
    ],
)
def test_saved_games_that_do_not_fit_are_refused(cardzoo, tmp_path, change, message):
    saved = tmp_path / "game.yaml"
    cardzoo("watch", "tiny", "--save", saved)
    game = yaml.safe_load(saved.read_text())
    change(game)
    saved.write_text(yaml.safe_dump(game))
    code, _, err = cardzoo("watch", "--replay", saved)
    assert code == BAD_INPUT
    assert message in err


def test_a_person_plays_a_game_to_its_end(tiny):
    told = []
    code = table.play(tiny, "lowest", seat=1, seed=3, ask=lambda prompt: "1", tell=told.append)
    assert code == 0
    assert "you are seat 1" in told[0]
    assert "the game is over" in told[-1]
    assert not any("seat 0: mouse" in text or "seat 0: cat" in text for text in told[:-1])


def test_a_person_may_leave(tiny):
    told = []
    assert table.play(tiny, "lowest", seed=3, ask=lambda prompt: "q", tell=told.append) == 0
    assert told[-1] == "you left the game"


def test_cards_are_shown_and_validated(cardzoo, tmp_path):
    code, out, _ = cardzoo("cards", "show", "tiny")
    assert code == 0
    assert "3 x mouse  Mouse: rank 1" in out
    file = ROOT / "tests" / "tiny_game.yaml"
    code, out, _ = cardzoo("cards", "validate", file)
    assert code == 0
    assert "valid for tiny (3 card types, 8 cards" in out
    bad = tmp_path / "bad.yaml"
    bad.write_text(file.read_text().replace("rank: 2", "rank: 20"))
    code, out, err = cardzoo("cards", "validate", bad, "--game", "tiny")
    assert code == BAD_INPUT
    assert "bad.yaml" in err
    assert "cat" in err
    assert "rank" in err
    code, _, err = cardzoo("cards", "validate", bad)
    assert code == BAD_INPUT
    assert "valid for no game" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["frobnicate"], "invalid choice: 'frobnicate'"),
        ([], "COMMAND"),
        (["evaluate", "chess", "--agents", "random,greedy"], "no game 'chess'"),
        (["evaluate", "tiny", "--agents", "rndom,greedy"], "unknown player 'rndom'"),
        (["evaluate", "tiny", "--agents", "random,random"], "listed twice"),
        (["evaluate", "tiny", "--agents", "random"], "at least two players"),
        (["evaluate", "tiny", "--agents", "random,human"], "cardzoo play"),
        (["evaluate", "tiny", "--agents", "random,greedy", "--games", "0"], "at least 1"),
        (["evaluate", "tiny", "--agents", "random,greedy", "--games", "many"], "--games"),
        (["evaluate", "tiny", "--agents", "random,greedy", "--seed", "-1"], "--seed"),
        (["evaluate", "tiny", "--agents", "random,greedy", "--option", "hands=3"], "hands"),
        (["evaluate", "tiny", "--agents", "random,greedy", "--option", "hand=30"], "hand"),
        (["evaluate", "tiny", "--agents", "random,greedy", "--option", "hand"], "key=value"),
        (["evaluate", "tiny", "--agents", "random,greedy", "--cards", "none.yaml"], "none.yaml"),
        (["evaluate", "tiny", "--agents", "random,greedy", "--wat", "3"], "unknown argument '--wat'"),
        (["evaluate", "tiny", "--agents", "random,model:none.safetensors"], "no such file"),
        (["evaluate", "tiny"], "--agents"),
        (["play", "tiny", "--seat", "7"], "seat is one of 0..1, not 7"),
        (["play", "tiny", "--against", "nobody"], "unknown player 'nobody'"),
        (["watch"], "which game"),
        (["watch", "tiny", "--agents", "random,random,random"], "2 seats, but 3 players"),
        (["watch", "tiny", "--viewer", "2"], "viewer is one of"),
        (["watch", "--replay", "none.yaml"], "none.yaml: cannot be read"),
        (["watch", "tiny", "--replay", "none.yaml"], "--replay shows a saved game"),
        (["cards", "validate", "none.yaml", "--game", "tiny"], "none.yaml"),
        (["cards", "validate", "none.yaml", "--game", "chess"], "no game 'chess'"),
        (["train"], "what is to be trained"),
        (["train", "chess"], "no training configuration 'chess'"),
        (["train", "none.yaml"], "none.yaml: cannot be read"),
        (["train", "bedroom_battle", "--ppo.learnin_rate", "3"], "did you mean ppo.learning_rate"),
        (["train", "bedroom_battle", "--ppo.gamma"], "has no value"),
        (["train", "bedroom_battle", "fast"], "unknown argument 'fast'"),
        (["train", "bedroom_battle", "--options.challenge", "skip", "--quiet", "--out", "/nonexistent"], "challenge"),
        (["train", "--resume", "none"], "holds no training run"),
        (["train", "--resume", "none", "--run.total_steps", "9"], "holds no training run"),
        (["train", "--resume", "none", "--run.total_steps", "9", "--run.threads", "1"], "holds no training run"),
        (["train", "--resume", "none", "--run.total_steps", "--run.threads", "1"], "has no value"),
        (["train", "bedroom_battle", "--resume", "none"], "--resume continues"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(cardzoo, arguments, message):
    code, _, err = cardzoo(*arguments)
    assert code == BAD_INPUT
    assert err.startswith("cardzoo")
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_missing_extra_is_named(tmp_path):
    code = (
        "import sys\n"
        "sys.modules['stable_baselines3'] = None\n"  # as if it were not installed
        "from cardzoo.training.cli import main\n"
        "sys.exit(main(['train', 'bedroom_battle', '--quiet']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == BAD_INPUT
    assert "stable_baselines3" in done.stderr
    assert "pip install 'cardzoo[train]'" in done.stderr
    assert not list(tmp_path.iterdir())


def test_settings_are_listed(cardzoo):
    code, out, _ = cardzoo("train", "--settings")
    assert code == 0
    assert "ppo.learning_rate" in out
