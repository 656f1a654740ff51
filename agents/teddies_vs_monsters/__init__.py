"""Heuristic players of Teddies vs Monsters: builder (simple), brawler (greedy) and planner."""

from cardzoo.agents.teddies_vs_monsters.players import Brawler, Builder, Planner

__all__ = ["HEURISTICS", "ROLES", "Brawler", "Builder", "Planner"]

HEURISTICS = {"builder": Builder, "brawler": Brawler, "planner": Planner}
ROLES = {"simple": "builder", "greedy": "brawler", "planner": "planner"}
