"""The games' names in Gymnasium: `gymnasium.make("cardzoo/BedroomBattle-v0", opponent="greedy")`.

The environment is one seat of a game against named players, so it belongs to `cardzoo.agents`; it is named here by a
string, and imported when somebody makes it.
"""

from __future__ import annotations

import gymnasium

from cardzoo.envs.core.registry import names

ENTRY_POINT = "cardzoo.agents.gym_env:SingleAgentEnv"


def register_all() -> None:
    """Register every game that is not registered yet."""
    for name in names():
        gymnasium_id = f"cardzoo/{''.join(part.capitalize() for part in name.split('_'))}-v0"
        if gymnasium_id not in gymnasium.registry:
            gymnasium.register(gymnasium_id, entry_point=ENTRY_POINT, kwargs={"game": name})
