"""Heuristic players of Bedroom Battle."""
