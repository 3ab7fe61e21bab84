"""Frames of a fixed camera become events."""
