"""A training run: a folder that can be killed at any moment and continued."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from cardzoo.agents.base import heuristics, make_agent
from cardzoo.agents.files import write_atomically
from cardzoo.agents.model import ModelAgent, ModelInfo, PolicyNetwork, save_model
from cardzoo.envs import load
from cardzoo.envs.core.errors import ConfigError
from cardzoo.training import checkpoint
from cardzoo.training.evaluate import Evaluation, evaluate, table, write_csv, write_evaluation
from cardzoo.training.features import feature_statistics
from cardzoo.training.files import versions, write_json
from cardzoo.training.players import Player
from cardzoo.training.pool import Pool, delete_unused, steps_of
from cardzoo.training.ppo import (
    TrainingDiverged,
    load_network_tensors,
    make_ppo,
    network_sizes,
    network_tensors,
    sharpen,
    standardize_features,
    uses_half,
)
from cardzoo.training.progress import Display, Lately
from cardzoo.training.settings import TrainSettings, dump_settings, load_settings
from cardzoo.training.teacher import Progress, imitate
from cardzoo.training.tournament import Tournament
from cardzoo.training.vec_env import SelfPlayVecEnv

CHECKPOINT_SECONDS = 120
"""A checkpoint is also written when the last one is this old."""
LEARNER = "learner"
"""Its name in comparisons."""


class Run:
    """One training run and its folder.

    The folder holds config.yaml (every setting), run.json (command, versions, card set), checkpoints/, snapshots/ (the
    learner's past selves, each a model file), tensorboard/, evaluations.jsonl, and at the end model.safetensors and
    comparison.json / .csv.

    Attributes:
        settings: what was asked for.
        folder: where everything is.
        game: what is learned.
        learner: MaskablePPO.
        env: its games.
        pool: its opponents.
        win_rates: the learner's share of the win by group of opponents; among S seats 1/S is par.
        scores: where its returns are its own (`Game.zero_sum` is not so), its "return", and how often it reached the
            game's goal.
    """

    def __init__(
        self, settings: TrainSettings, folder: Path, *, resume: bool = False, quiet: bool = False, command: str = ""
    ) -> None:
        """Set everything up, from the newest good checkpoint if the run is resumed.

        Args:
            settings: what is asked for.
            folder: made if need be; must not hold a run unless `resume`.
            resume: continue.
            quiet: show no progress.
            command: the command line, for the record.

        Raises:
            ConfigError: the folder already holds a run, or holds none that could be resumed.
            CardzooError: the game, an opponent or the teacher cannot be made.
        """
        self.settings = settings
        self.folder = folder
        self._quiet = quiet
        if not resume and (folder / "config.yaml").exists():
            raise ConfigError(
                f"{folder} already holds a training run: continue it with --resume {folder}, or give another folder "
                f"with --out"
            )
        self.game = load(settings.game, cards=settings.cards, **settings.options)
        self.opponents = self._opponents()
        if settings.teacher is not None:
            make_agent(settings.teacher.agent, self.game)  # an unknown one is refused now, not after the set-up
        torch.set_num_threads(settings.run.threads)
        restored = checkpoint.newest(folder / "checkpoints") if resume else None
        steps = restored.values["steps"] if restored else 0
        self._info = ModelInfo.of(self.game, network_sizes(self.game, settings.network), 0, versions())
        half = uses_half(settings.network)
        self.pool = Pool(self.game, settings.pool, self._info, folder / "snapshots", settings.seed, half)
        # A resumed run deals new cards: those of the games that were cut off are not known any more.
        deal_seed = int(np.random.SeedSequence([settings.seed, 4, steps]).generate_state(1)[0])
        self.env = SelfPlayVecEnv(
            self.game, settings.run.num_envs, self.pool, seed=deal_seed, threads=settings.run.threads
        )
        self.learner = make_ppo(self.env, settings.ppo, settings.network, deal_seed)
        self.teacher_games = 0
        self.elapsed = 0.0
        self._marks = {"checkpoint": 0, "evaluation": 0}
        self.last_checkpoint: Path | None = None
        self.win_rates = Lately()
        self.scores = Lately()
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / "config.yaml", dump_settings(settings).encode())
        self._record(command)
        if restored:
            self._restore(restored)
        elif settings.network.standardize:
            standardize_features(self.learner.policy, *feature_statistics(self.game))
        self._trim_evaluations()
        self.learner.set_logger(configure(str(folder / "tensorboard"), ["tensorboard"]))
        self._clock = time.monotonic()
        self._saved_at = self._clock

    def _opponents(self) -> list[Player]:
        """Return who the learner is compared with."""
        factories, _ = heuristics(self.game.name)
        names = self.settings.run.opponents or ["random", *factories]
        for name in names:
            make_agent(name, self.game)
        return [Player(name, name) for name in names]

    def _record(self, command: str) -> None:
        """Add this start of the program to run.json."""
        path = self.folder / "run.json"
        starts: list[dict[str, Any]] = []
        if path.exists():
            try:
                starts = json.loads(path.read_text())["starts"]
            except (json.JSONDecodeError, KeyError):
                starts = []
        starts.append({"command": command, "time": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "versions": versions()})
        write_json(
            path, {"game": self.game.name, "card_hash": self.game.hash, "options": self.game.options, "starts": starts}
        )

    # Checkpoints

    def save(self) -> Path:
        """Write a checkpoint; also deletes snapshots that nothing needs any more."""
        random_tensors, random_values = checkpoint.pack_random()
        tensors = {f"network.{name}": tensor for name, tensor in network_tensors(self.learner.policy).items()}
        tensors |= checkpoint.pack_optimizer(self.learner.policy.optimizer) | random_tensors
        values = {
            "steps": self.learner.num_timesteps,
            "updates": self.learner._n_updates,
            "episodes": self.learner._episode_num,
            "teacher_games": self.teacher_games,
            "marks": self._marks,
            "elapsed": self.elapsed + time.monotonic() - self._clock,
            "pool": self.pool.state(),
            "random": random_values,
            "card_hash": self.game.hash,
        }
        folder = self.folder / "checkpoints"
        self.last_checkpoint = checkpoint.save(folder, tensors, values, self.settings.run.keep_checkpoints)
        used = set(self.pool.snapshots)
        for _, path in checkpoint.numbered(folder):
            used.update(checkpoint.read_values(path).get("pool", {}).get("snapshots", []))
        delete_unused(self.folder / "snapshots", sorted(used))
        self._saved_at = time.monotonic()
        return self.last_checkpoint

    def _restore(self, saved: checkpoint.Checkpoint) -> None:
        values = saved.values
        if values["card_hash"] != self.game.hash:
            raise ConfigError(
                f"{saved.path}: made with another card set (content hash {values['card_hash']}, now {self.game.hash})"
            )
        network = {
            name.removeprefix("network."): tensor
            for name, tensor in saved.tensors.items()
            if name.startswith("network.")
        }
        try:
            load_network_tensors(self.learner.policy, network)
        except (KeyError, RuntimeError):
            raise ConfigError(f"{saved.path}: its network is not the one that config.yaml describes") from None
        checkpoint.unpack_optimizer(self.learner.policy.optimizer, saved.tensors)
        self.learner.num_timesteps = values["steps"]
        self.learner._n_updates = values["updates"]
        self.learner._episode_num = values["episodes"]
        self.teacher_games = values["teacher_games"]
        self._marks = dict(values["marks"])
        self.elapsed = values["elapsed"]
        self.pool.restore(values["pool"])
        checkpoint.unpack_random(saved.tensors, values["random"])
        self.last_checkpoint = saved.path

    # Training

    def train(self) -> Evaluation | Tournament:
        """Train to the end, and compare the result with every opponent on fresh games.

        Raises:
            TrainingDiverged: a value that is not finite; names the last good checkpoint.
        """
        try:
            self._imitate()
            self._learn()
        except TrainingDiverged as error:
            good = (
                f"the last good checkpoint is {self.last_checkpoint}"
                if self.last_checkpoint
                else "there is no checkpoint yet"
            )
            raise TrainingDiverged(f"training stopped: {error}; {good}") from error
        self.save()
        tensors = self._final_tensors()
        save_model(self.folder / "model.safetensors", tensors, self._model_info())
        return self._compare(tensors)

    def _final_tensors(self) -> dict[str, torch.Tensor]:
        """Return the weights that the run ends with: the last ones, or a mean over the last part of the training.

        Updates that see much luck go astray in all directions around where they lead; the mean does so less.
        """
        tensors, share = network_tensors(self.learner.policy), self.settings.run.average
        if share == 0:
            return tensors
        return self.pool.averaged(tensors, since=round((1 - share) * self.learner.num_timesteps))

    def _model_info(self) -> ModelInfo:
        return ModelInfo(**{**self._info.__dict__, "steps": self.learner.num_timesteps})

    def _imitate(self) -> None:
        teacher = self.settings.teacher
        if teacher is None or self.teacher_games >= teacher.games:
            return
        with Display(f"imitating {teacher.agent}", teacher.games, "games", self._quiet) as display:

            def report(progress: Progress) -> None:
                self.teacher_games = progress.games
                display.update(progress.games, f"agreement {100 * progress.agreement:.1f} %, loss {progress.loss:.3f}")
                self.learner.logger.record("teacher/agreement", progress.agreement)
                self.learner.logger.record("teacher/loss", progress.loss)
                self.learner.logger.dump(progress.games)
                # After the last round there is more to do, below, before an interrupted run may go on without this.
                if progress.games < teacher.games and time.monotonic() - self._saved_at > CHECKPOINT_SECONDS:
                    self.save()

            imitate(self.game, self.learner, self.settings, self.teacher_games, report)
        # What follows is another problem: its gradients have nothing to do with the moments gathered so far.
        self.learner.policy.optimizer.state.clear()
        # A network that imitates is as unsure as it is wrong; what it would play by chance is mostly a mistake.
        sharpen(self.learner.policy, teacher.sharpness)
        self.save()

    def _learn(self) -> None:
        left = self.settings.run.total_steps - self.learner.num_timesteps
        if not self.pool.snapshots:
            self.pool.add(network_tensors(self.learner.policy), self.learner.num_timesteps)
        if left <= 0:
            return
        with Display("training", self.settings.run.total_steps, "steps", self._quiet) as display:
            self.learner.learn(left, callback=_Hooks(self, display), reset_num_timesteps=False)

    def between_updates(self) -> None:
        """Do what is due between two updates: snapshot, checkpoint, evaluation; choose other opponents."""
        steps, run = self.learner.num_timesteps, self.settings.run
        if steps - steps_of(self.pool.snapshots[-1]) >= self.settings.pool.snapshot_every:
            self.pool.add(network_tensors(self.learner.policy), steps)
        self.pool.redraw()
        if run.evaluate_every and steps - self._marks["evaluation"] >= run.evaluate_every:
            self._marks["evaluation"] = steps
            self._evaluate(steps)
        due = steps - self._marks["checkpoint"] >= run.checkpoint_every
        if due or time.monotonic() - self._saved_at > CHECKPOINT_SECONDS:
            self._marks["checkpoint"] = steps
            self.save()

    def count_results(self) -> None:
        """Book the games that ended since the last call."""
        for result in self.env.take_results():
            for group in dict.fromkeys(self.pool.names[member] for member in result.opponents):
                self.win_rates.add(group, result.points)
            if not self.game.zero_sum:
                self.scores.add("return", result.returned)
                if self.game.goal:
                    self.scores.add(self.game.goal, result.reached)

    def note(self) -> str:
        """How the learner has fared lately, for the display."""
        scores = self.scores.means()
        shown = [f"return {scores['return']:.3f}"] if scores else []
        shown += [f"{name} {100 * share:.1f} %" for name, share in scores.items() if name != "return"]
        groups = "  ".join(f"{name} {100 * rate:.0f} %" for name, rate in self.win_rates.means().items())
        if groups:
            shown.append(f"wins {100 * self.win_rates.overall():.1f} %  ({groups})")
        return "  ".join(shown)

    # Evaluation

    def _matches(self, tensors: dict[str, torch.Tensor], games: int, seed: list[int]) -> Evaluation | Tournament:
        network = PolicyNetwork(self._info.network).eval()
        network.load_state_dict(tensors)
        learner = ModelAgent(self.game, network, name=LEARNER)
        own_seed = int(np.random.SeedSequence([self.settings.seed, *seed]).generate_state(1)[0])
        return evaluate(
            self.game,
            [Player(LEARNER, "model"), *self.opponents],
            games,
            seed=own_seed,
            threads=self.settings.run.threads,
            agents=[learner, *(make_agent(player.spec, self.game) for player in self.opponents)],
            against_first=True,
        )

    def _evaluate(self, steps: int) -> None:
        result = self._matches(network_tensors(self.learner.policy), self.settings.run.evaluation_games, [5, steps])
        saved = result.to_json()
        line = {"steps": steps, "seed": result.seed, "objective": result.objective}
        line["pairs"] = [pair for pair in saved["pairs"] if pair["first"] == LEARNER]
        for pair in result.pairs:
            if pair.first == LEARNER:
                self.learner.logger.record(f"evaluation/{pair.second}", pair.rate.value)
        if isinstance(result, Tournament) and result.mixed:
            line["mixed"] = saved["mixed"]
        if isinstance(result, Tournament) and not result.zero_sum:
            self._log_scores(result)
        self.learner.logger.dump(steps)
        with (self.folder / "evaluations.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")

    def _log_scores(self, result: Tournament) -> None:
        """Log returns and goals: the learner's against each opponent, or everybody's who played alone."""
        for score in (*result.pairs, *result.mixed):
            values = {"return": score.mean_return.value}
            if score.reached is not None:
                values[tag(result.goal)] = score.reached.value
            for name, value in values.items():
                if not score.second:
                    whose = "" if score.first == LEARNER else f"_{score.first}"
                    self.learner.logger.record(f"evaluation/{name}{whose}", value)
                elif score.first == LEARNER:
                    self.learner.logger.record(f"evaluation/{score.second}_{name}", value)

    def _trim_evaluations(self) -> None:
        """Drop the evaluations made after the checkpoint that the run goes on from, and a line cut short by a kill."""
        path = self.folder / "evaluations.jsonl"
        if not path.exists():
            return
        kept = []
        for line in path.read_text().splitlines():
            try:
                if json.loads(line)["steps"] <= self.learner.num_timesteps:
                    kept.append(line)
            except (json.JSONDecodeError, KeyError, TypeError):
                continue
        write_atomically(path, "".join(f"{line}\n" for line in kept).encode())

    def _compare(self, tensors: dict[str, torch.Tensor]) -> Evaluation | Tournament:
        result = self._matches(tensors, self.settings.run.final_games, [6])
        write_evaluation(result, self.folder / "comparison.json")
        write_csv(result, self.folder / "comparison.csv")
        if not self._quiet:
            print(table(result))
        return result


def tag(name: str) -> str:
    """A name as a part of a TensorBoard tag."""
    return name.replace(" ", "_")


class _Hooks(BaseCallback):
    """Calls of Stable-Baselines3 into the run."""

    def __init__(self, run: Run, display: Display) -> None:
        super().__init__()
        self._run = run
        self._display = display

    def _on_rollout_start(self) -> None:
        self._run.between_updates()

    def _on_step(self) -> bool:
        self._run.count_results()
        self._display.update(self.num_timesteps, self._run.note())
        return True

    def _on_rollout_end(self) -> None:
        for name, rate in self._run.win_rates.means().items():
            self.logger.record(f"wins/{name}", rate)
        for name, mean in self._run.scores.means().items():
            self.logger.record(f"games/{tag(name)}", mean)
        self.logger.record("games/without_decision", self._run.env.games_without_decision)


def start(
    settings: TrainSettings, folder: Path, *, quiet: bool = False, command: Sequence[str] = ()
) -> Evaluation | Tournament:
    """Train from the beginning; see `Run`."""
    return Run(settings, folder, quiet=quiet, command=shlex.join(command or sys.argv)).train()


def resume(
    folder: Path, overrides: Sequence[str] = (), *, quiet: bool = False, command: Sequence[str] = ()
) -> Evaluation | Tournament:
    """Continue a run from its newest good checkpoint, or from the beginning if there is none yet.

    Args:
        folder: the run's.
        overrides: changes of `run.` settings, "run.total_steps=..."; others cannot change in the middle of a run.
        quiet: show no progress.
        command: the command line, for the record.

    Raises:
        ConfigError: the folder holds no run, or an override of something else.
    """
    config = folder / "config.yaml"
    if not config.is_file():
        raise ConfigError(f"{folder} holds no training run (there is no config.yaml in it)")
    for override in overrides:
        if not override.startswith("run."):
            raise ConfigError(f"setting {override!r}: only run. settings can be changed when a run is resumed")
    settings = load_settings(str(config), overrides)
    return Run(settings, folder, resume=True, quiet=quiet, command=shlex.join(command or sys.argv)).train()


def default_folder(name: str, base: Path = Path("runs")) -> Path:
    """Return a folder for a new run that does not exist yet: runs/NAME, runs/NAME-2, ..."""
    folder, number = base / name, 1
    while folder.exists():
        number += 1
        folder = base / f"{name}-{number}"
    return folder
