"""A second referee, written apart from the program and as simply as possible, to compare with.

It reads the boards' files as plain JSON and takes only well-formed games. Tickets are decided by
walking the player's lines from place to place, the longest path by walking every trail there is.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tests.support.plain_search import longest_by_walking

DATA = Path(__file__).parents[2] / "scoring" / "board" / "data"

POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18}
LONGEST_PATH = {"usa": 10, "france": 10}
GLOBETROTTER = {"germany": 15, "france": 15}


def plain_result(game: Mapping[str, Any]) -> list[dict[str, Any]]:
    """For each player: total, rank, length of the longest path and completed tickets."""
    board = _file(game["game"])
    lines = {route["id"]: route for route in board["routes"]}
    countries = {p["id"] for p in board["places"] if p.get("kind") == "country"}
    values = {frozenset((t["from"], t["to"])): t["points"] for t in board["tickets"]}
    results = [_own(player, lines, countries, values) for player in game["players"]]
    _add_to_best(results, "longest", LONGEST_PATH.get(game["game"], 0))
    _add_to_best(results, "done", GLOBETROTTER.get(game["game"], 0))
    if game["game"] == "germany":
        _add_passengers(results, game["players"])
    _add_ranks(results, "passengers" if game["game"] == "germany" else "longest")
    return [
        {key: result[key] for key in ("total", "rank", "longest", "done")} for result in results
    ]


@cache
def _file(game: str) -> Any:
    return json.loads((DATA / f"{game}.json").read_text("utf-8"))


def _own(
    player: Mapping[str, Any],
    lines: Mapping[str, Any],
    countries: set[str],
    values: Mapping[frozenset[str], int],
) -> dict[str, Any]:
    mine = [lines[name] for name in player["routes"]]
    total = sum(POINTS[line["length"]] for line in mine)
    done = 0
    for places in player["tickets"]:
        value = values[frozenset(places)]
        if _can_travel(mine, countries, *places):
            total, done = total + value, done + 1
        else:
            total -= value
    return {
        "total": total,
        "done": done,
        "longest": _longest(mine, countries),
        "passengers": sum(player.get("passengers", {}).values()),
    }


def _can_travel(mine: list[Mapping[str, Any]], countries: set[str], start: str, goal: str) -> bool:
    """Walk from place to place; whoever enters a country stays there."""
    seen, here = {start}, {start}
    while here:
        beyond = {
            line["to"] if line["from"] == place else line["from"]
            for place in here
            for line in mine
            if place in (line["from"], line["to"])
        }
        if goal in beyond:
            return True
        here = beyond - seen - countries
        seen |= beyond
    return False


def _longest(mine: list[Mapping[str, Any]], countries: set[str]) -> int:
    edges = [
        (
            line["id"],
            *(f"{end}/{line['id']}" if end in countries else end for end in _ends(line)),
            line["length"],
        )
        for line in mine
    ]
    length = longest_by_walking([(name, a, b, wagons) for name, a, b, wagons in edges])
    assert length is not None
    return length


def _ends(line: Mapping[str, Any]) -> tuple[str, str]:
    return line["from"], line["to"]


def _add_to_best(results: list[dict[str, Any]], what: str, points: int) -> None:
    best = max(result[what] for result in results)
    for result in results:
        if result[what] == best > 0:
            result["total"] += points


def _add_passengers(results: list[dict[str, Any]], players: list[Mapping[str, Any]]) -> None:
    for colour in ("red", "green", "yellow", "black", "blue", "white"):
        counts = [player.get("passengers", {}).get(colour, 0) for player in players]
        ordered = sorted(set(counts) - {0}, reverse=True)
        for result, count in zip(results, counts, strict=True):
            if ordered and count == ordered[0]:
                result["total"] += 20
            elif len(ordered) > 1 and count == ordered[1] and counts.count(ordered[0]) == 1:
                result["total"] += 10


def _add_ranks(results: list[dict[str, Any]], last_rule: str) -> None:
    for result in results:
        mine = (result["total"], result["done"], result[last_rule])
        result["rank"] = 1 + sum(
            (other["total"], other["done"], other[last_rule]) > mine for other in results
        )
