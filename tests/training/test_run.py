"""Runs: folder, checkpoints, resuming, killing."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import torch
import yaml

from cardzoo.agents import make_agent
from cardzoo.agents.model import read_model
from cardzoo.envs import AgentError, ConfigError
from cardzoo.training import checkpoint, run
from cardzoo.training.evaluate import evaluate
from cardzoo.training.ppo import TrainingDiverged, network_tensors
from cardzoo.training.run import Run, default_folder, resume, start
from tests.conftest import ROOT
from tests.training.conftest import small

pytestmark = pytest.mark.usefixtures("tiny_registered")

# The tiny game is registered by hand, so the command line's own process does it first.
MAIN = (
    "import sys\n"
    "from cardzoo.envs import register\n"
    "from tests.tiny_game import TinyGame\n"
    "register('tiny', TinyGame)\n"
    "from cardzoo.training.cli import main\n"
    "sys.exit(main())\n"
)


@pytest.fixture
def finished(tmp_path):
    """The folder of a small finished run."""
    start(small(), tmp_path / "run", quiet=True)
    return tmp_path / "run"


def test_a_run_leaves_everything_that_is_needed_to_understand_and_repeat_it(finished, tiny):
    config = yaml.safe_load((finished / "config.yaml").read_text())
    assert config["ppo"]["gamma"] == 1.0  # defaults too
    record = json.loads((finished / "run.json").read_text())
    assert record["card_hash"] == tiny.hash
    assert {"python", "torch", "numpy"} <= set(record["starts"][0]["versions"])
    lines = [json.loads(line) for line in (finished / "evaluations.jsonl").read_text().splitlines()]
    assert [line["steps"] for line in lines] == [256, 512]
    assert {pair["second"] for line in lines for pair in line["pairs"]} == {"random"}
    comparison = json.loads((finished / "comparison.json").read_text())
    assert comparison["games_per_pair"] == 40
    assert comparison["seed"] not in {line["seed"] for line in lines}  # fresh games
    assert list((finished / "tensorboard").iterdir())
    assert (finished / "comparison.csv").read_text().count("\n") == 2
    assert make_agent(f"model:{finished}", tiny).info.steps == 768
    snapshots = sorted(path.name for path in (finished / "snapshots").iterdir())
    assert make_agent(f"model:{finished / 'snapshots' / snapshots[-1]}", tiny)


@pytest.mark.parametrize(("share", "averaged"), [(0.0, []), (0.5, [512]), (0.9, [256, 512])])
def test_the_final_model_is_the_mean_of_the_last_snapshots_and_weights(tmp_path, share, averaged):
    folder = tmp_path / "run"
    training = Run(small(run={"average": share}), folder, quiet=True)
    training.train()
    parts = [network_tensors(training.learner.policy)]
    parts += [read_model(folder / "snapshots" / f"snapshot_{steps:012d}.safetensors")[0] for steps in averaged]
    final, info = read_model(folder / "model.safetensors")
    assert info.steps == 768
    for name, tensor in final.items():
        torch.testing.assert_close(tensor, sum(part[name] for part in parts) / len(parts))


def test_the_comparison_at_the_end_is_of_the_final_model(tmp_path, tiny, monkeypatch):
    compared = []

    def watch(game, players, games, agents, **others):
        compared.append({name: tensor.clone() for name, tensor in agents[0].network.state_dict().items()})
        return evaluate(game, players, games, agents=agents, **others)

    monkeypatch.setattr(run, "evaluate", watch)
    training = Run(small(run={"average": 0.9, "evaluate_every": 0}), tmp_path / "run", quiet=True)
    training.train()
    final, _ = read_model(tmp_path / "run" / "model.safetensors")
    assert len(compared) == 1
    assert all(torch.equal(compared[0][name], final[name]) for name in final)
    last = network_tensors(training.learner.policy)
    assert not all(torch.equal(last[name], final[name]) for name in final)


def test_training_is_repeatable(tmp_path, finished):
    start(small(), tmp_path / "again", quiet=True)
    one, two = (checkpoint.newest(folder / "checkpoints") for folder in (finished, tmp_path / "again"))
    assert all(torch.equal(tensor, two.tensors[name]) for name, tensor in one.tensors.items())


def test_resuming_continues_counters_schedules_optimizer_and_numbering(finished):
    before = checkpoint.newest(finished / "checkpoints")
    files = {path: path.read_bytes() for _, path in checkpoint.numbered(finished / "checkpoints")}
    settings = run.load_settings(str(finished / "config.yaml"), ["run.total_steps=1024"])
    resumed = Run(settings, finished, resume=True, quiet=True)
    assert resumed.learner.num_timesteps == 768
    assert resumed.learner._n_updates == before.values["updates"] > 0
    packed = checkpoint.pack_optimizer(resumed.learner.policy.optimizer)
    assert packed
    assert all(torch.equal(tensor, before.tensors[name]) for name, tensor in packed.items())
    assert resumed.pool.snapshots == before.values["pool"]["snapshots"]
    rates = []
    original = resumed.learner._update_learning_rate
    resumed.learner._update_learning_rate = lambda optimizer: (
        original(optimizer),
        rates.append(optimizer.param_groups[0]["lr"]),
    )
    resumed.train()
    assert resumed.learner.num_timesteps == 1024
    # 3e-4 at 0 steps, 3e-5 at 1024, linear; the first update after 768 steps is at 896.
    assert rates == pytest.approx([3e-5 + 2.7e-4 * (1 - 896 / 1024), 3e-5])
    numbers = [number for number, _ in checkpoint.numbered(finished / "checkpoints")]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] > int(before.path.stem.split("_")[1])
    for path, content in files.items():
        assert not path.exists() or path.read_bytes() == content  # deleted perhaps, never written over


def test_a_damaged_newest_checkpoint_is_skipped_with_a_warning_and_not_overwritten(finished):
    *_, (_, older), (number, newest) = checkpoint.numbered(finished / "checkpoints")
    newest.write_bytes(newest.read_bytes()[:1000])
    with pytest.warns(UserWarning, match=f"{newest.name} is damaged"):
        found = checkpoint.newest(finished / "checkpoints")
    assert found.path == older
    with pytest.warns(UserWarning, match="damaged"):
        resume(finished, quiet=True)
    assert newest.stat().st_size == 1000
    assert checkpoint.newest(finished / "checkpoints").path.name == f"checkpoint_{number + 1:06d}.safetensors"


def test_a_checkpoint_with_spoilt_content_is_skipped_too(finished):
    *_, (_, older), (_, newest) = checkpoint.numbered(finished / "checkpoints")
    content = bytearray(newest.read_bytes())
    content[-100] ^= 1
    newest.write_bytes(content)
    with pytest.warns(UserWarning, match="does not match its checksum"):
        assert checkpoint.newest(finished / "checkpoints").path == older


def test_evaluations_after_the_checkpoint_and_half_lines_are_dropped_on_resume(finished):
    path = finished / "evaluations.jsonl"
    path.write_text(path.read_text() + json.dumps({"steps": 99999}) + "\n" + '{"steps": 51')
    Run(run.load_settings(str(finished / "config.yaml")), finished, resume=True, quiet=True)
    assert [json.loads(line)["steps"] for line in path.read_text().splitlines()] == [256, 512]


def test_a_snapshot_that_is_gone_leaves_the_pool_with_a_warning(finished):
    first = sorted((finished / "snapshots").iterdir())[0]
    first.unlink()
    with pytest.warns(UserWarning, match="left out of the pool"):
        resumed = Run(run.load_settings(str(finished / "config.yaml")), finished, resume=True, quiet=True)
    assert first.name not in resumed.pool.snapshots


def test_a_folder_with_a_run_is_not_used_for_another(finished):
    with pytest.raises(ConfigError, match="already holds a training run"):
        start(small(), finished, quiet=True)
    assert default_folder("run", finished.parent) == finished.parent / "run-2"


def test_only_run_settings_change_on_resume(finished, tmp_path):
    with pytest.raises(ConfigError, match="only run"):
        resume(finished, ["ppo.gamma=0.9"], quiet=True)
    with pytest.raises(ConfigError, match="holds no training run"):
        resume(tmp_path / "nothing", quiet=True)


def test_another_card_set_is_refused_on_resume(finished, tmp_path):
    cards = tmp_path / "cards.yaml"
    cards.write_text((ROOT / "tests" / "tiny_game.yaml").read_text().replace("rank: 3", "rank: 4"))
    config = finished / "config.yaml"
    config.write_text(config.read_text().replace("cards: null", f"cards: {cards}"))
    with pytest.raises(ConfigError, match="another card set"):
        resume(finished, quiet=True)


def test_unknown_opponents_and_teachers_are_refused_before_anything_is_written(tmp_path):
    for settings in (
        small(run={"opponents": ["rndom"]}),
        small(pool={"heuristics": {"planer": 0.5}}),
        small(teacher={"agent": "planer"}),
    ):
        with pytest.raises(AgentError, match="unknown player"):
            start(settings, tmp_path / "run", quiet=True)
        assert not (tmp_path / "run").exists()


def test_divergence_names_the_last_good_checkpoint(tmp_path, monkeypatch):
    training = Run(small(), tmp_path / "run", quiet=True)
    original = training.between_updates

    def poison():
        original()
        if training.learner.num_timesteps >= 384:
            with torch.no_grad():
                training.learner.policy.value_net.weight[0, 0] = float("nan")

    monkeypatch.setattr(training, "between_updates", poison)
    with pytest.raises(TrainingDiverged, match=r"training stopped.*last good checkpoint is .*checkpoint_\d+"):
        training.train()
    saved = checkpoint.newest(tmp_path / "run" / "checkpoints")
    assert all(torch.isfinite(tensor).all() for tensor in saved.tensors.values() if tensor.is_floating_point())


def test_an_imitation_that_is_interrupted_ends_as_one_that_is_not(tmp_path, monkeypatch):
    """Also when it is stopped between its last round and what follows it, the sharpening of its choices."""
    from cardzoo.agents import base
    from cardzoo.training import run
    from tests.training.teachers import Lowest

    monkeypatch.setattr(base, "_registered", {"tiny": ({"lowest": Lowest}, {"planner": "lowest"})})
    teacher = {"agent": "planner", "games": 64, "games_at_once": 32, "sharpness": 2.0}
    settings = small(teacher=teacher, run={"total_steps": 128, "opponents": ["random"]})
    straight = Run(settings, tmp_path / "straight", quiet=True)
    straight._imitate()
    stopped = Run(settings, tmp_path / "stopped", quiet=True)
    with monkeypatch.context() as patch:
        patch.setattr(run, "CHECKPOINT_SECONDS", -1.0)  # save after every round
        patch.setattr(run, "sharpen", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            stopped._imitate()
    resumed = Run(settings, tmp_path / "stopped", resume=True, quiet=True)
    assert 0 < resumed.teacher_games < 64
    resumed._imitate()
    assert not resumed.learner.policy.optimizer.state
    for name, tensor in network_tensors(straight.learner.policy).items():
        assert torch.equal(tensor, network_tensors(resumed.learner.policy)[name])


def test_imitation_learns_the_teachers_choices_and_is_not_repeated_on_resume(tmp_path, monkeypatch):
    from cardzoo.agents import base
    from tests.training.teachers import Lowest

    monkeypatch.setattr(base, "_registered", {"tiny": ({"lowest": Lowest}, {"planner": "lowest"})})
    settings = small(
        teacher={"games": 512, "games_at_once": 128, "batch_size": 128, "learning_rate": 0.01},
        run={"total_steps": 128, "opponents": ["random"]},
        ppo={"learning_rate": 1e-9, "final_learning_rate": 0},
    )
    training = Run(settings, tmp_path / "run", quiet=True)
    training.train()
    assert training.teacher_games == 512
    game = training.game
    pupil, teacher = make_agent(f"model:{tmp_path / 'run'}", game), Lowest(game)
    from cardzoo.agents.base import Decisions

    states = game.new_states(50, 3)
    observations = np.stack([game.observe(states, i, int(states.actor[i])) for i in range(50)])
    masks = np.stack([game.action_mask(states, i) for i in range(50)])
    decisions = Decisions.of_batch(game, states, states.actor, observations, masks)
    assert (pupil.act(decisions) == teacher.act(decisions)).mean() > 0.95
    again = Run(settings, tmp_path / "run", resume=True, quiet=True)
    again._imitate()
    assert again.teacher_games == 512
    assert all(
        torch.equal(tensor, network_tensors(again.learner.policy)[name])
        for name, tensor in network_tensors(training.learner.policy).items()
    )


def kill_and_resume(folder, attempts, generator):
    """Start a run, kill it at a random moment, `attempts` times; then let it end. Returns how often it was killed."""
    config = folder.parent / "config.yaml"
    config.write_text(yaml.safe_dump(small(run={"total_steps": 6000, "evaluate_every": 512}).model_dump(mode="json")))
    first = ["train", str(config), "--out", str(folder), "--quiet"]
    again = ["train", "--resume", str(folder), "--quiet"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    killed, steps = 0, 0
    for _ in range(attempts):
        arguments = again if (folder / "config.yaml").exists() else first
        existing = checkpoint.numbered(folder / "checkpoints")
        command = [sys.executable, "-c", MAIN, *arguments]
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 120
        # Past the start-up, so that the kill hits training, saving or evaluating.
        while process.poll() is None and time.monotonic() < deadline:
            if checkpoint.numbered(folder / "checkpoints") != existing:
                break
            time.sleep(0.01)
        time.sleep(generator.random() * 0.6)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            killed += 1
        process.wait()
        assert process.returncode in (0, -signal.SIGKILL), process.stderr.read().decode()
        saved = checkpoint.newest(folder / "checkpoints")
        assert saved.values["steps"] >= steps  # what was reached is never lost again
        steps = saved.values["steps"]
    done = subprocess.run(
        [sys.executable, "-c", MAIN, *again], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert checkpoint.newest(folder / "checkpoints").values["steps"] >= 6000
    assert (folder / "model.safetensors").exists()
    lines = [json.loads(line)["steps"] for line in (folder / "evaluations.jsonl").read_text().splitlines()]
    assert lines == sorted(set(lines))
    return killed


def test_training_killed_at_random_moments_resumes(tmp_path):
    assert kill_and_resume(tmp_path / "run", 2, random.Random(1)) == 2


@pytest.mark.long
def test_training_killed_ten_times_resumes_ten_times(tmp_path):
    assert kill_and_resume(tmp_path / "run", 10, random.Random(2)) == 10


def test_a_kill_in_the_middle_of_saving_leaves_the_last_good_checkpoint(finished, monkeypatch):
    before = checkpoint.newest(finished / "checkpoints")

    def die(self, target):
        raise KeyboardInterrupt

    training = Run(run.load_settings(str(finished / "config.yaml")), finished, resume=True, quiet=True)
    monkeypatch.setattr("pathlib.Path.replace", die)
    with pytest.raises(KeyboardInterrupt):
        training.save()
    monkeypatch.undo()
    after = checkpoint.newest(finished / "checkpoints")
    assert after.path == before.path
    assert all(torch.equal(tensor, before.tensors[name]) for name, tensor in after.tensors.items())
