"""Where the board lies in a photo, and every printed space on it."""
