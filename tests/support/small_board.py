"""A small invented board with stations, and a plain search for the best routes to borrow on it."""

from collections.abc import Mapping
from itertools import permutations, product
from typing import Any

CITIES = ("ash", "birch", "cedar", "fir", "oak", "pine")

ROUTES: tuple[tuple[str, str, int], ...] = (
    ("ash", "birch", 1),
    ("ash", "cedar", 2),
    ("birch", "fir", 3),
    ("birch", "oak", 2),
    ("cedar", "fir", 1),
    ("cedar", "pine", 4),
    ("fir", "oak", 2),
    ("fir", "pine", 1),
    ("oak", "pine", 3),
)

TICKETS: tuple[tuple[str, str, int], ...] = (
    ("ash", "oak", 8),
    ("ash", "pine", 11),
    ("birch", "cedar", 5),
    ("birch", "pine", 9),
    ("cedar", "oak", 7),
    ("fir", "ash", 6),
)


def station_board(**changes: Any) -> dict[str, Any]:
    """The document of a board of six cities on which everybody has three stations."""
    return {
        "format": 1,
        "id": "wood",
        "title": "Wood",
        "version": 1,
        "players": [2, 4],
        "player_colours": ["red", "blue", "green", "black"],
        "wagons_per_player": 20,
        "route_points": {"1": 1, "2": 2, "3": 4, "4": 7},
        "bonuses": {"station": 4},
        "tie_breaks": ["tickets"],
        "stations": 3,
        "places": [{"id": city, "name": city.title()} for city in CITIES],
        "routes": [
            {"id": f"{a}--{b}", "from": a, "to": b, "length": length, "colour": "grey"}
            for a, b, length in ROUTES
        ],
        "tickets": [
            {"id": "--".join(sorted((a, b))), "from": a, "to": b, "points": points}
            for a, b, points in TICKETS
        ],
        **changes,
    }


def best_tickets(game: Mapping[str, Any], index: int) -> int:
    """Most ticket points of one player, by trying every set of routes to borrow.

    Routes are taken from all that others hold; a set counts if some way of giving its routes to
    the player's stations has each end in its station's city.
    """
    players = game["players"]
    stations = players[index].get("stations", [])
    others = [r for i, p in enumerate(players) if i != index for r in p["routes"]]
    best = _points(players[index]["tickets"], players[index]["routes"])
    for picked in product([None, *others], repeat=len(stations)):
        lent = [route for route in picked if route is not None]
        if len(set(lent)) == len(lent) and _lendable(lent, stations):
            points = _points(players[index]["tickets"], [*players[index]["routes"], *lent])
            best = max(best, points)
    return best


def _lendable(lent: list[str], stations: list[str]) -> bool:
    return any(
        all(city in route.split("--") for route, city in zip(lent, order, strict=False))
        for order in permutations(stations, len(lent))
    )


def _points(tickets: list[list[str]], routes: list[str]) -> int:
    values = {frozenset((a, b)): points for a, b, points in TICKETS}
    return sum(
        values[frozenset(ticket)] * (1 if _joined(ticket[0], ticket[1], routes) else -1)
        for ticket in tickets
    )


def _joined(start: str, goal: str, routes: list[str]) -> bool:
    reached = {start}
    for _ in routes:
        for route in routes:
            ends = set(route.split("--"))
            if ends & reached:
                reached |= ends
    return goal in reached
