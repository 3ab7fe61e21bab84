"""Photos of a hand of tickets: read in a process of their own, kept by nobody."""
