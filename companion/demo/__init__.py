"""The whole job without a camera, on a board of our own drawing."""
