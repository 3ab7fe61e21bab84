"""The evening as a log of events and a pure fold over it."""
