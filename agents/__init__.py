"""The players: random, heuristics, learned, human.

`make_agent("greedy", game)` makes any of them by name. Importing this package imports neither torch nor numba.
"""

from cardzoo.agents.base import Agent, Decisions, agent_names, make_agent, register_agents

__all__ = ["Agent", "Decisions", "agent_names", "make_agent", "register_agents"]
