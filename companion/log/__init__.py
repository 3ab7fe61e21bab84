"""The log on disk: sealed rows, kept twice, and what can be saved of a damaged one."""
