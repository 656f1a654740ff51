"""Loops over games, written once for all: they call games through the stubs of `dispatch`.

Shapes: N games, A actions, D observation features, S seats. Every loop works on games lo..hi-1, so that threads can
share a batch; no result depends on how it is shared.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardzoo.envs.core.atomic import fetch_add, swap
from cardzoo.envs.core.borrow import borrowed
from cardzoo.envs.core.dispatch import (
    game_apply,
    game_changes,
    game_left,
    game_legal,
    game_observe,
    game_problems,
    game_resample,
    game_returns,
    game_setup,
)
from cardzoo.envs.core.kernels import kernel
from cardzoo.envs.core.random import below
from cardzoo.envs.core.records import Records

# Numbers that stand for something else than an action in `advance`.
SKIP = -1  # leave the game as it is
START = -2  # begin a new game, whatever the state of this one
VIEW = -3  # only write actor, mask and observation anew

WAITING = -(2**62)  # `advance`: helpers are still at work

LINE = 8  # int64 in a cache line: counters of different threads do not share one
# A desk (int64) is where threads find the games of a step: a line for each thread's share, with how many games of it
# are taken, and a last line, with how many games are finished and, if the rules fail, the number of a game plus one.
SPINS = 50_000  # looks at a counter before a thread would rather sleep: a few hundred microseconds

# Why `fuzz` stopped.
FINE = 0
BROKEN_STATE = 1  # `problems` of the state
BROKEN_MOVE = 2  # `changes` between a state and its successor
NO_ACTION = 3  # the actor has no legal action
BAD_ACTOR = 4  # actor outside -1..S-1, or a legal action when over
BAD_NUMBER = 5  # an observation feature or a return that is not finite or out of range
TOO_LONG = 6  # more moves than allowed
WORLD_OBSERVATION = 7  # a sampled world looks different to its seat
WORLD_MASK = 8  # a sampled world allows other actions
WORLD_BROKEN = 9  # `problems` of a sampled world
WORLD_ACTOR = 10  # another seat is to act in a sampled world, or others have left
WORLD_PEEKS = 11  # a world sampled from a sampled world differs: `resample` read something hidden
BROKEN_LEFT = 12  # a seat that has left acts, earns or is back


@kernel
def restart(states: Records, blank: Records, i: int, rules: tuple[NDArray[np.generic], ...]) -> None:
    """Begin a new game in states[i] from the generator state that is there; `blank` is a recarray (1,) of zeros."""
    r0 = states[i].rng[0]
    r1 = states[i].rng[1]
    r2 = states[i].rng[2]
    r3 = states[i].rng[3]
    states[i] = blank[0]
    states[i].rng[0] = r0
    states[i].rng[1] = r1
    states[i].rng[2] = r2
    states[i].rng[3] = r3
    game_setup(states, i, rules)


def closed_desk(threads: int, games: int) -> NDArray[np.int64]:
    """A desk for `threads` threads, from which there is nothing to take yet."""
    desk = np.full((threads + 1) * LINE, games, np.int64)
    desk[-LINE:] = 0
    return desk


@kernel
def open_desk(desk: NDArray[np.int64]) -> None:
    """Give out the games of a step: from here on, helpers may take some."""
    last_line = len(desk) - LINE
    swap(desk, last_line, 0)
    swap(desk, last_line + 1, 0)
    desk[last_line + 2] = 1 - desk[last_line + 2]
    for line in range(0, last_line, LINE):
        swap(desk, line, 0)


@kernel
def take(desk: NDArray[np.int64], share: int, part: int, games: int) -> tuple[int, int]:
    """Take up to `part` games of a share, lo..hi-1; lo == hi when all are taken."""
    last_line = len(desk) - LINE
    shares = last_line // LINE
    first = games * share // shares
    size = games * (share + 1) // shares - first
    begin = min(fetch_add(desk, share * LINE, part), size)
    end = min(begin + part, size)
    if desk[last_line + 2] == 1:
        return first + size - end, first + size - begin
    return first + begin, first + end


@kernel
def next_part(desk: NDArray[np.int64], share: int, part: int, games: int) -> tuple[int, int]:
    """Take games for a thread, lo..hi-1: of its own share, then of the others'; lo == hi when it should go.

    A helper (a share above 0) first looks out for the next step's games for a moment.
    """
    shares = len(desk) // LINE - 1
    for turn in range(shares):
        lo, hi = take(desk, (share + turn) % shares, part, games)
        if lo < hi:
            return lo, hi
    if share > 0:
        for _ in range(SPINS):
            if fetch_add(desk, share * LINE, 0) < part:
                return take(desk, share, part, games)
    return games, games


@kernel
def all_finished(desk: NDArray[np.int64], games: int) -> bool:
    """Wait for helpers, who are at their last part; False if that takes so long that the caller should sleep."""
    for _ in range(SPINS):
        if fetch_add(desk, len(desk) - LINE, 0) >= games:
            return True
    return False


@kernel
def pick(mask: NDArray[np.bool_], count: int, rng: NDArray[np.uint32]) -> int:
    """A uniformly random True entry of `mask` (A,), which has `count` > 0 of them; `rng` uint32[4] is advanced."""
    left = below(rng, count)
    for action in range(len(mask)):
        if mask[action]:
            if left == 0:
                return action
            left -= 1
    return -1


@kernel
def advance(
    states: Records,
    blank: Records,
    rules: tuple[NDArray[np.generic], ...],
    actions: NDArray[np.int64],
    autoreset: bool,
    desk: NDArray[np.int64],
    share: int,
    part: int,
    legal: NDArray[np.bool_],
    standing: NDArray[np.float64],
    observations: NDArray[np.float32],
    masks: NDArray[np.bool_],
    actors: NDArray[np.int8],
    rewards: NDArray[np.float32],
    done: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
    final_returns: NDArray[np.float32],
    final_observations: NDArray[np.float32],
    sampled: NDArray[np.int64],
    rngs: NDArray[np.uint32],
) -> int:
    """Play one legal action in each of the N games, and write what the next actors see.

    The batch, the AEC environment and their resets are this one loop, so that the rules are compiled for it only once.

    Args:
        states: (N,) the games.
        blank: (1,) a record of zeros.
        rules: the game's data.
        actions: (N,) legal actions, or SKIP, START, VIEW.
        autoreset: whether a finished game begins anew at once.
        desk: ((threads + 1) * LINE,) where threads find games; the caller's is closed, this opens it for share 0.
        share: this thread's own share, a run of games that stay in its cache; it helps with the others' after it.
        part: games that a thread takes at a time.
        legal: (N, A) mask of the actor; the caller's own, which `masks` repeats for others to read or spoil.
        standing: (N, S) returns so far; the caller's own, kept from step to step.
        observations: (N, D) what the actor may know; zeros when over.
        masks: (N, A) the same as `legal`.
        actors: (N,) seat to act, -1 when over.
        rewards: (N, S) what this step earned each seat.
        done: (N,) whether this step ended the game.
        truncated: (N,) whether a cap ended it.
        final_returns: (N, S) returns of the game that ended, only written where `done`.
        final_observations: (N, S, D) what each seat knew at its end, only written where `done`.
        sampled: (N,) a random legal action of the next decision, SKIP when over; or (0,): none is wanted.
        rngs: uint32 (N, 4) generator states that `sampled` is drawn with; or (0, 4).

    Returns:
        For share 0: the number of games, of those it played itself, that ended or in which some seat earned or left;
        if the rules leave an actor without any action in game i, -1 - i; WAITING while helpers are still at work.
    """
    states = borrowed(states)
    rules = borrowed(rules)
    legal = borrowed(legal)
    standing = borrowed(standing)
    observations = borrowed(observations)
    final_observations = borrowed(final_observations)
    rngs = borrowed(rngs)
    seats = rewards.shape[1]
    events = 0
    games = len(actions)
    last_line = len(desk) - LINE
    after = np.empty(seats, np.float64)
    if share == 0:
        open_desk(desk)
    lo, hi = next_part(desk, share, part, games)
    # Three short loops over a part, not one over all: each then finds its machine code in the processor's cache.
    while lo < hi:
        for i in range(lo, hi):
            action = actions[i]
            done[i] = False
            truncated[i] = False
            for seat in range(seats):
                rewards[i, seat] = 0.0
            if action == SKIP:
                continue
            begin = action == START
            if action >= 0:
                left = game_left(states, i)
                game_apply(states, i, rules, action)
                game_returns(states, i, rules, after)
                event = game_left(states, i) != left
                for seat in range(seats):
                    if after[seat] != standing[i, seat]:
                        rewards[i, seat] = after[seat] - standing[i, seat]
                        standing[i, seat] = after[seat]
                        event = True
                if states[i].actor < 0:
                    event = True
                    done[i] = True
                    truncated[i] = states[i].truncated != 0
                    for seat in range(seats):
                        final_returns[i, seat] = after[seat]
                        game_observe(states, i, rules, seat, final_observations[i, seat])
                    begin = autoreset
                if event:
                    events += 1
            if begin:
                restart(states, blank, i, rules)
            if action < 0 or begin:
                game_returns(states, i, rules, standing[i])
            actors[i] = states[i].actor
        for i in range(lo, hi):
            if actions[i] != SKIP:
                count = game_legal(states, i, rules, legal[i])
                if len(sampled) > 0:
                    sampled[i] = pick(legal[i], count, rngs[i]) if count > 0 else SKIP
                if count == 0 and actors[i] >= 0:
                    swap(desk, last_line + 1, i + 1)
                # A loop compiles faster than an assignment, which may raise with a message.
                for k in range(legal.shape[1]):
                    masks[i, k] = legal[i, k]
        for i in range(lo, hi):
            if actions[i] == SKIP:
                continue
            if actors[i] >= 0:
                game_observe(states, i, rules, actors[i], observations[i])
            else:
                observations[i, :] = 0.0
        fetch_add(desk, last_line, hi - lo)
        lo, hi = next_part(desk, share, part, games)
    if share == 0 and not all_finished(desk, games):
        return WAITING
    stuck = desk[last_line + 1]
    return events if stuck == 0 else -stuck


@kernel
def accept(given: NDArray[np.int64], legal: NDArray[np.bool_], actions: NDArray[np.int64]) -> int:
    """Copy N actions that are legal, by (N, A) `legal`, or SKIP; return the first game whose action is not, or -1."""
    count = legal.shape[1]
    for i in range(len(given)):
        action = given[i]
        if action != SKIP and (action < 0 or action >= count or not legal[i, action]):
            return i
        actions[i] = action
    return -1


@kernel
def perft(
    states: Records,
    rules: tuple[NDArray[np.generic], ...],
    masks: NDArray[np.bool_],
    cursors: NDArray[np.int64],
    depth: int,
) -> int:
    """Count the sequences of `depth` legal actions that can be played from states[0] (chance is fixed by its `rng`).

    Args:
        states: (depth + 1,) the position, then room for its successors.
        rules: the game's data.
        masks: (depth + 1, A) room for masks.
        cursors: (depth + 1,) room for the next action to try at each level.
        depth: length of the sequences, at least 1.
    """
    count = masks.shape[1]
    total = 0
    level = 0
    cursors[0] = 0
    here = game_legal(states, 0, rules, masks[0])
    if depth == 1:
        return here
    while level >= 0:
        action = cursors[level]
        while action < count and not masks[level, action]:
            action += 1
        if action >= count:
            level -= 1
            continue
        cursors[level] = action + 1
        states[level + 1] = states[level]
        game_apply(states, level + 1, rules, action)
        here = game_legal(states, level + 1, rules, masks[level + 1])
        if level + 2 == depth:
            total += here
        elif here > 0:
            level += 1
            cursors[level] = 0
    return total


@kernel
def same_bytes(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> bool:
    """Whether two byte arrays of one length are equal."""
    for k in range(len(a)):  # numba compiles a loop, not all() of a generator
        if a[k] != b[k]:
            return False
    return True


@kernel
def check_world(
    states: Records,
    raw: NDArray[np.uint8],
    rules: tuple[NDArray[np.generic], ...],
    seat: int,
    masks: NDArray[np.bool_],
    observations: NDArray[np.float32],
    rngs: NDArray[np.uint32],
    tally: NDArray[np.int64],
) -> int:
    """The information test for one seat at states[0]; see `fuzz` for the arrays. Returns FINE or what is wrong."""
    states[2] = states[0]
    for k in range(4):
        rngs[2, k] = rngs[1, k]
    game_resample(states, 2, rules, seat, rngs[1])
    states[3] = states[2]
    game_resample(states, 3, rules, seat, rngs[2])
    tally[3] += 1
    if not same_bytes(raw[2], raw[3]):
        return WORLD_PEEKS
    # The generator is always new, so hidden cards differ if the worlds do with it put aside.
    states[3].rng[0] = states[0].rng[0]
    states[3].rng[1] = states[0].rng[1]
    states[3].rng[2] = states[0].rng[2]
    states[3].rng[3] = states[0].rng[3]
    if not same_bytes(raw[3], raw[0]):
        tally[4] += 1
    if int(states[2].actor) != int(states[0].actor):
        return WORLD_ACTOR
    if game_left(states, 2) != game_left(states, 0):
        return WORLD_ACTOR
    if game_problems(states, 2, rules) != 0:
        return WORLD_BROKEN
    game_observe(states, 0, rules, seat, observations[0])
    game_observe(states, 2, rules, seat, observations[1])
    for k in range(observations.shape[1]):
        if observations[0, k] != observations[1, k]:
            return WORLD_OBSERVATION
    if int(states[0].actor) == seat:
        game_legal(states, 2, rules, masks[1])
        for k in range(masks.shape[1]):
            if masks[0, k] != masks[1, k]:
                return WORLD_MASK
    return FINE


@kernel
def fuzz(
    states: Records,
    raw: NDArray[np.uint8],
    blank: Records,
    rules: tuple[NDArray[np.generic], ...],
    seeds: NDArray[np.uint32],
    first: int,
    stop: int,
    max_moves: int,
    limit: float,
    masks: NDArray[np.bool_],
    observations: NDArray[np.float32],
    returns: NDArray[np.float64],
    rngs: NDArray[np.uint32],
    tally: NDArray[np.int64],
    report: NDArray[np.int64],
) -> int:
    """Play random games, and check everything that holds for every game after every move.

    Checked: `problems` and `changes` report nothing, the actor has a legal action, features are finite and in range,
    seats that have left neither act nor earn nor come back, and for each seat a sampled world looks the same, allows
    the same, is sound, and depends only on what the seat knows. Now and then play goes on in a sampled world, so that
    those are played to the end too.

    Args:
        states: (4,) the game, its predecessor, a sampled world, a second one.
        raw: uint8 (4, itemsize), the bytes of `states`.
        blank: (1,) a record of zeros.
        rules: the game's data.
        seeds: uint32 (n, 4), generator states; game g depends on seeds[g] only.
        first: first game.
        stop: game after the last.
        max_moves: a longer game is an error.
        limit: every feature lies in -limit..limit.
        masks: (2, A) room.
        observations: (2, D) room.
        returns: (S,) room.
        rngs: uint32 (3, 4) room.
        tally: int64 (6,), added to: games, moves, truncated games, sampled worlds, those with other hidden cards; and
            the length of the longest game.
        report: int64 (4,) on failure: game, move, seat, bits of `problems` or `changes`.

    Returns:
        FINE, or why it stopped.
    """
    seats = len(returns)
    before = np.empty(seats, np.float64)  # returns before the latest move
    for game in range(first, stop):
        report[0] = game
        report[2] = -1
        report[3] = 0
        for k in range(4):
            states[0].rng[k] = seeds[game, k]
            # One stream for the moves and one for the worlds, unlike the game's own.
            rngs[0, k] = seeds[game, k] ^ np.uint32(0x5BD1E995)
            rngs[1, k] = seeds[game, k] ^ np.uint32(0x9E3779B9)
        restart(states, blank, 0, rules)
        move = 0
        gone = 0  # seats that had left before the latest move
        while True:
            report[1] = move
            bits = game_problems(states, 0, rules)
            if bits != 0:
                report[3] = bits
                return BROKEN_STATE
            actor = int(states[0].actor)
            count = game_legal(states, 0, rules, masks[0])
            if actor < -1 or actor >= seats or (actor < 0 and count > 0):
                return BAD_ACTOR
            game_returns(states, 0, rules, returns)
            left = game_left(states, 0)
            if left >> seats != 0 or left & gone != gone or (actor >= 0 and (left >> actor) & 1 == 1):
                return BROKEN_LEFT
            for seat in range(seats):
                report[2] = seat
                if (gone >> seat) & 1 == 1 and returns[seat] != before[seat]:
                    return BROKEN_LEFT
                if not np.isfinite(returns[seat]):
                    return BAD_NUMBER
                verdict = check_world(states, raw, rules, seat, masks, observations, rngs, tally)
                if verdict != FINE:
                    return verdict
                for k in range(observations.shape[1]):
                    if not (-limit <= observations[0, k] <= limit):
                        return BAD_NUMBER
            report[2] = actor
            if actor < 0:
                break
            if count == 0:
                return NO_ACTION
            if move >= max_moves:
                return TOO_LONG
            if below(rngs[1], 64) == 0:
                game_resample(states, 0, rules, actor, rngs[1])
            gone = left
            game_returns(states, 0, rules, before)
            states[1] = states[0]
            game_apply(states, 0, rules, pick(masks[0], count, rngs[0]))
            bits = game_changes(states, 0, rules, states, 1)
            if bits != 0:
                report[3] = bits
                return BROKEN_MOVE
            move += 1
        tally[0] += 1
        tally[1] += move
        if states[0].truncated != 0:
            tally[2] += 1
        if move > tally[5]:
            tally[5] = move
    return FINE
