"""Teddies vs Monsters: a real-time race to fill rooms, as an environment in which time decides who acts next."""
