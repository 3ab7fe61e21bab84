"""Old evenings: found in the log, summed up in a file beside it, and opened again."""
