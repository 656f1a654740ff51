"""A start by imitation: the network learns to choose as a heuristic player does."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from cardzoo.agents.base import Agent, Decisions, make_agent
from cardzoo.agents.model import ModelAgent, PolicyNetwork
from cardzoo.agents.random import sample_legal
from cardzoo.envs import BatchEnv
from cardzoo.envs.core.game import Game
from cardzoo.training.ppo import CardPolicy, CheckedPPO, TrainingDiverged, network_sizes, network_tensors
from cardzoo.training.settings import TrainSettings


class Lesson(NamedTuple):
    """Decisions of some whole games, with what the teacher would do and what the seat's game returned."""

    observations: npt.NDArray[np.float32]  # (n, D)
    masks: npt.NDArray[np.bool_]  # (n, A)
    actions: npt.NDArray[np.int64]  # (n,)
    returns: npt.NDArray[np.float32]  # (n,)


class Progress(NamedTuple):
    """How far the imitation has come."""

    games: int
    loss: float
    agreement: float
    """Share of decisions with a choice in which the network, before learning them, chose as the teacher did."""


def imitate(
    game: Game,
    learner: CheckedPPO,
    settings: TrainSettings,
    games_done: int = 0,
    report: Callable[[Progress], None] | None = None,
) -> None:
    """Teach the learner's policy and value by supervised learning, in rounds of games played for it.

    Some moves are played by the network itself (the teacher still says what it would have done), so that the network
    also learns what to do in positions that the teacher would not have got into.

    Args:
        game: what is played.
        learner: its policy is changed in place.
        settings: `settings.teacher` must be given.
        games_done: games of an earlier, interrupted imitation.
        report: called after each round.

    Raises:
        AgentError: an unknown teacher.
        TrainingDiverged: a loss that is not finite.
    """
    teacher_settings = settings.teacher
    assert teacher_settings is not None
    student = PolicyNetwork(network_sizes(game, settings.network)).eval()
    policy = learner.policy
    optimizer = policy.optimizer
    while games_done < teacher_settings.games:
        generator = np.random.default_rng([settings.seed, 3, games_done])
        student.load_state_dict(network_tensors(policy))
        teacher = make_agent(teacher_settings.agent, game, seed=int(generator.integers(2**32)))
        pupil = ModelAgent(game, student, sample=True, seed=int(generator.integers(2**32)))
        count = min(teacher_settings.games_at_once, teacher_settings.games - games_done)
        lesson = play_lesson(
            game,
            teacher,
            pupil,
            count,
            student_share=teacher_settings.student_share,
            random_share=teacher_settings.random_share,
            generator=generator,
            threads=settings.run.threads,
        )
        rate = teacher_settings.learning_rate * (1 - 0.9 * games_done / teacher_settings.games)
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss, agreement = _learn(learner, lesson, settings, generator)
        games_done += count
        if report:
            report(Progress(games_done, loss, agreement))


def play_lesson(
    game: Game,
    teacher: Agent,
    pupil: Agent,
    count: int,
    *,
    student_share: float,
    random_share: float,
    generator: np.random.Generator,
    threads: int = 1,
) -> Lesson:
    """Play `count` games; the teacher is asked at every decision, whoever moves. Capped games are left out."""
    batch = BatchEnv(game, count, threads=threads)
    step = batch.reset_to(game.new_states(count, int(generator.integers(2**32))))
    running = np.ones(count, dtype=np.bool_)
    returns = np.zeros((count, game.num_seats), dtype=np.float32)
    capped = np.zeros(count, dtype=np.bool_)
    kept: list[tuple[npt.NDArray[np.intp], npt.NDArray[np.int8], Lesson]] = []  # games, seats
    while running.any():
        rows = np.flatnonzero(running)
        decisions = Decisions.of_batch(game, batch.states, step.actor, step.observations, step.action_mask).subset(rows)
        advice = teacher.act(decisions)
        played = advice.copy()
        whose = generator.random(len(rows))
        by_pupil = np.flatnonzero(whose < student_share)
        if len(by_pupil):
            played[by_pupil] = pupil.act(decisions.subset(by_pupil))
        by_chance = np.flatnonzero((whose >= student_share) & (whose < student_share + random_share))
        if len(by_chance):
            played[by_chance] = sample_legal(decisions.masks[by_chance], generator)
        kept.append(
            (rows, decisions.seats, Lesson(decisions.observations, decisions.masks, advice, np.empty(0, np.float32)))
        )
        actions = np.full(count, -1, dtype=np.int64)
        actions[rows] = played
        step = batch.step(actions)
        ended = running & step.done
        returns[ended] = step.final_returns[ended]
        capped[ended] = step.truncated[ended]
        running &= ~ended
    games = np.concatenate([rows for rows, _, _ in kept])
    seats = np.concatenate([seats for _, seats, _ in kept])
    lesson = Lesson(
        np.concatenate([part.observations for _, _, part in kept]),
        np.concatenate([part.masks for _, _, part in kept]),
        np.concatenate([part.actions for _, _, part in kept]),
        returns[games, seats],
    )
    if not capped.any():  # the observations are gigabytes: copying them once more takes a quarter of the time
        return lesson
    good = ~capped[games]
    return Lesson(*(values[good] for values in lesson))


def _learn(
    learner: CheckedPPO, lesson: Lesson, settings: TrainSettings, generator: np.random.Generator
) -> tuple[float, float]:
    """Do the passes over one lesson; return mean loss of the last and agreement in the first."""
    teacher_settings = settings.teacher
    assert teacher_settings is not None
    policy = learner.policy
    assert isinstance(policy, CardPolicy)
    policy.set_training_mode(True)
    choice = np.count_nonzero(lesson.masks, axis=1) > 1
    hits = 0.0
    losses: list[float] = []
    for epoch in range(teacher_settings.num_epochs):
        losses = []
        order = generator.permutation(len(lesson.actions))
        for start in range(0, len(order), teacher_settings.batch_size):
            rows = order[start : start + teacher_settings.batch_size]
            observations = torch.from_numpy(lesson.observations[rows])
            masks = torch.from_numpy(lesson.masks[rows])
            actions = torch.from_numpy(lesson.actions[rows])
            distribution, values = policy.evaluate(observations, masks)
            if epoch == 0:
                same = (distribution.logits.argmax(dim=1) == actions) & torch.from_numpy(choice[rows])
                hits += float(same.sum())
            loss = -distribution.log_prob(actions).mean()
            loss = loss + teacher_settings.value_weight * torch.nn.functional.mse_loss(
                values.flatten(), torch.from_numpy(lesson.returns[rows])
            )
            if not torch.isfinite(loss):
                raise TrainingDiverged("the loss of the imitation is not finite")
            policy.optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(policy.parameters(), settings.ppo.max_grad_norm)
            policy.optimizer.step()
            losses.append(float(loss.detach()))
    return float(np.mean(losses)), hits / max(1, int(choice.sum()))
