"""From a file's bytes to pixels."""
