"""The players: random, heuristics, learned, human."""
