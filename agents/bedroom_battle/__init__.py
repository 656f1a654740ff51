"""Heuristic players of Bedroom Battle: brawler (simple), bidder (greedy) and steward (planner)."""

from cardzoo.agents.bedroom_battle.players import Bidder, Brawler, Steward

__all__ = ["HEURISTICS", "ROLES", "Bidder", "Brawler", "Steward"]

HEURISTICS = {"brawler": Brawler, "bidder": Bidder, "steward": Steward}
ROLES = {"simple": "brawler", "greedy": "bidder", "planner": "steward"}
