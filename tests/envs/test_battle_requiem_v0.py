"""Battle Requiem through PettingZoo: who stays and who leaves; what holds for every game is in test_all_games.py."""

from __future__ import annotations

import numpy as np

from cardzoo.envs import battle_requiem_v0
from cardzoo.envs.battle_requiem.game import BattleRequiem


def test_a_seat_leaves_when_its_team_is_out_and_a_fallen_member_of_a_living_team_stays():
    env = battle_requiem_v0.raw_env(**BattleRequiem.variants["teams_2v2v2"])
    left_early = stayed = False
    for seed in range(10):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while env.agents:
            seats = env.table.to_position()["seats"]
            for number, entry in enumerate(seats):
                agent, mate = f"seat_{number}", seats[(number + 3) % 6]
                if entry["hp"] == 0 and mate["hp"] > 0 and not env.table.is_over:
                    assert agent in env.agents
                    stayed = True
                if entry["place"] is not None and not env.table.is_over:
                    left_early |= agent not in env.agents or env.terminations[agent]
            over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
            mask = env.last()[0]["action_mask"]
            env.step(None if over else int(rng.choice(np.flatnonzero(mask))))
    assert stayed
    assert left_early
