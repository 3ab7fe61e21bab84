"""Why a player's longest path is what it is."""
