"""The whole job without a camera, on a board drawn by the program."""
