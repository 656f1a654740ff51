"""Heuristic players of Battle Requiem: brawler (simple), duelist (greedy) and tactician (planner)."""

from cardzoo.agents.battle_requiem.players import Brawler, Duelist, Tactician

__all__ = ["HEURISTICS", "ROLES", "Brawler", "Duelist", "Tactician"]

HEURISTICS = {"brawler": Brawler, "duelist": Duelist, "tactician": Tactician}
ROLES = {"simple": "brawler", "greedy": "duelist", "planner": "tactician"}
