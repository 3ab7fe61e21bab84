"""Boards as data: places, routes with their printed spaces, tickets; their format and checks."""
