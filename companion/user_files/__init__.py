"""Files that users wrote: games to score, boards and card sets of a table."""
