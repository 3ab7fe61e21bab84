"""A finished game as the players state it, the rules of each game, and what a table agreed."""
