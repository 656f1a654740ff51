"""A teacher for the tiny game."""

from __future__ import annotations

import numpy as np

from cardzoo.agents.base import Agent


class Lowest(Agent):
    """Plays its lowest card."""

    def __init__(self, game, seed=0):
        super().__init__(game, "lowest")

    def act(self, decisions):
        return np.argmax(decisions.masks, axis=1)
