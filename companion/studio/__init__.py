"""The board studio: from a photo of an empty board to a board file, one step at a time."""
