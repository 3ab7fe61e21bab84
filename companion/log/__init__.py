"""The log on disk: sealed rows, kept twice, what can be saved of a damaged one, and the replay."""
