"""Battle Requiem: duels with hidden cards for 2 to 6 seats, each for itself or in teams."""
