"""Prints a reading: who holds what, and which routes need an answer."""

from collections.abc import Iterator

from scoring.board.board import Board
from scoring.game.colours import SYMBOL
from scoring.language import text
from vision.reading import EMPTY, OCCLUDED, Reading, RouteReading, SpaceReading
from vision.routes.decide import DECISIONS


def scan_report(reading: Reading, board: Board, language: str) -> str:
    """The whole reading in lines."""
    return "\n".join(_lines(reading, board, language))


def _lines(reading: Reading, board: Board, language: str) -> Iterator[str]:
    where = reading.registration
    yield text(
        "companion.scan.found",
        language,
        board=board.title,
        method=text(f"companion.scan.method.{where.method}", language),
        error=f"{where.error_px:.1f}",
        seconds=f"{reading.timing_ms.get('total', 0.0) / 1000:.1f}",
    )
    for colour in dict.fromkeys(r.owner for r in reading.routes.values() if r.owner):
        yield from _owner_lines(colour, reading, board, language)
    yield from _review_lines(reading, board, language)
    yield from (f"! {warning.sentence(language)}" for warning in reading.warnings)


def _owner_lines(colour: str, reading: Reading, board: Board, language: str) -> Iterator[str]:
    routes = [board.route_by_id[name] for name, r in reading.routes.items() if r.owner == colour]
    yield text(
        "companion.scan.owner",
        language,
        owner=owner_words(colour, language),
        routes=len(routes),
        wagons=sum(route.length for route in routes),
        points=sum(board.route_points[route.length] for route in routes),
    )
    for route in routes:
        mark = " ?" if reading.routes[route.id].review else ""
        yield f"    {route.id} ({route.length}){mark}"


def _review_lines(reading: Reading, board: Board, language: str) -> Iterator[str]:
    if not reading.review:
        yield text("companion.scan.sure", language)
        return
    yield text("companion.scan.review", language, count=len(reading.review))
    for name in reading.review:
        route = reading.routes[name]
        yield text(
            "companion.scan.asked",
            language,
            route=name,
            choices=_choices(route, language),
            why=text(f"companion.scan.why.{why_asked(route, board)}", language),
        )


def why_asked(route: RouteReading, board: Board) -> str:
    """Why a route is doubtful, as the last part of its key in the catalogue."""
    seen = [s for s in route.spaces if s.probabilities[OCCLUDED] < DECISIONS.clear_space]
    if len(seen) < DECISIONS.enough_seen * len(route.spaces):
        return "hidden"
    if any(space.label != (route.owner or EMPTY) for space in seen):
        return "disagree"
    if route.confidence < DECISIONS.review_below:
        return "unsure"
    if len(route.spaces) == 1 and route.spaces[0].confidence < DECISIONS.alone_below:
        return "single"
    if route.owner is None and any(_may_be_white(space) for space in seen):
        return "unsure"
    return "double" if board.route_by_id[route.route].parallel_group else "unsure"


def _may_be_white(space: SpaceReading) -> bool:
    return space.probabilities.get("white", 0.0) > DECISIONS.white_trace


def _choices(route: RouteReading, language: str) -> str:
    """The likelier owners with their probabilities, from 2 % on.

    Shown as 99 % at most: nothing that is asked about is certain.
    """
    choices = route.alternatives or ((route.owner, route.confidence),)
    likely = [(owner, p) for owner, p in choices if p >= 0.02] or choices[:1]
    return ", ".join(f"{owner_words(owner, language)} {min(p, 0.99):.0%}" for owner, p in likely)


def owner_words(owner: str | None, language: str) -> str:
    """An owner as symbol and name."""
    if owner is None:
        return text("companion.scan.nobody", language)
    return f"{SYMBOL[owner]} {text(f'scoring.colour.{owner}', language)}"
