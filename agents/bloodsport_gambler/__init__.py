"""Heuristic players of Bloodsport Gambler: punter (simple), bookmaker (greedy) and fixer (planner)."""

from cardzoo.agents.bloodsport_gambler.players import Bookmaker, Fixer, Punter

__all__ = ["HEURISTICS", "ROLES", "Bookmaker", "Fixer", "Punter"]

HEURISTICS = {"punter": Punter, "bookmaker": Bookmaker, "fixer": Fixer}
ROLES = {"simple": "punter", "greedy": "bookmaker", "planner": "fixer"}
