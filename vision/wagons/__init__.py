"""The second witness: every wagon on the board as a thing of its own, whatever is printed there."""
