"""Bedroom Battle: a bidding game over rounds for two seats (see RULES.md)."""
