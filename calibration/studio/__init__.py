"""The board studio's engine: from one photo of an empty board to proposed spaces, lines, places."""
