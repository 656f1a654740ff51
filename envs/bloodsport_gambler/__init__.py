"""Bloodsport Gambler: bets on fights with hidden cards, spying, sabotage and two loans, for one or two seats."""
