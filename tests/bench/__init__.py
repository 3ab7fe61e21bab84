"""Measured speed, always beside a baseline in the same run: `make bench`."""
