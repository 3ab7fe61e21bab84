"""Drivers of cameras that this machine has not: on the path of the program that is measured."""
