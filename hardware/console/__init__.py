"""Buttons and lamps, real and virtual."""
