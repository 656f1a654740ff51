"""The shared layer that every game is built on; nothing in it knows a game."""
