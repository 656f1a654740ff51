"""The look-ahead against the plainest search there is: try everything, recursively."""

from __future__ import annotations

from collections.abc import Callable
from subprocess import CompletedProcess

import numpy as np

from cardzoo.agents import make_agent
from cardzoo.agents.bedroom_battle.lookahead import best_end, scratch_states, work_record
from cardzoo.agents.bedroom_battle.worth import card_values
from cardzoo.envs import State, load
from cardzoo.envs.bedroom_battle.appeal import side_total
from cardzoo.envs.bedroom_battle.effects import PROMPT
from cardzoo.envs.bedroom_battle.rules import act
from cardzoo.envs.bedroom_battle.state import DISCARD, EXTRA
from tests.support.players import answer


def plain_best(state: State, action: int, worths: np.ndarray) -> int:
    """Largest margin at the end of a card, by recursion over all choices."""
    game, seat = state.game, int(state.states[0].actor)
    after = state.copy()
    status = act(after.states, 0, game.rules, action)
    record = after.states[0]
    if status != PROMPT or record.actor != seat or record.phase == EXTRA:
        return int(side_total(record, game.rules[0], seat)) - int(side_total(record, game.rules[0], 1 - seat))
    options = after.legal_actions()
    if record.phase == DISCARD:
        pick_start = game.parse(f"pick {game.cards.ids[0]}")
        options = [min(options, key=lambda option: worths[option - pick_start])]
    return max(plain_best(after, option, worths) for option in options)


def compare(seed: int) -> int:
    """Compare all options of all turns of a game; returns how many. For an interpreted process, where it is fast."""
    game = load("bedroom_battle", preset="quick")
    values, scratch, work = card_values(game.rules), scratch_states(game.dtype), work_record()
    agents = [make_agent("brawler", game), make_agent("random", game, seed)]  # they leave many cards on the board
    state = game.new_state(seed)
    compared = 0
    while not state.is_over:
        if state.to_position()["phase"] in ("battle", "attach", "mode", "target", "item", "dest", "swap"):
            for action in state.legal_actions():
                if game.text(action) == "pass":
                    continue
                found = best_end(state.states[0], game.rules[0], values[0], scratch, work[0], action)
                assert found == plain_best(state, action, values[0].worth), game.text(action)
                compared += 1
        state.apply(answer(agents[state.actor or 0], state))
    return compared


def test_the_search_equals_plain_recursion(python: Callable[..., CompletedProcess[str]]) -> None:
    code = "from tests.agents.bedroom_battle.test_lookahead import compare; print(compare(1) + compare(2))"
    interpreted = python(code, env={"NUMBA_DISABLE_JIT": "1"})
    assert int(interpreted.stdout) > 100
