"""The board as pages draw it: boxes, names, lines, colours, and the photo beneath."""
