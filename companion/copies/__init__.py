"""Copies of a whole table: on a stick that is plugged in, or on the device that asks."""
