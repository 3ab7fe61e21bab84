"""Prints a reading: who holds what, and which routes need an answer."""

from collections.abc import Iterator, Sequence

from scoring.board.board import Board, Route
from scoring.board.names import route_name
from scoring.game.colours import SYMBOL
from scoring.language import text
from scoring.longest_path.search import is_too_dense, longest_trail
from scoring.network import edges
from vision.reading import COVERED, SEEN_FROM_ANOTHER_SIDE, PlaceReading, Reading, RouteReading


def scan_report(reading: Reading, board: Board, language: str) -> str:
    """The whole reading in lines."""
    return "\n".join(_lines(reading, board, language))


def _lines(reading: Reading, board: Board, language: str) -> Iterator[str]:
    where = reading.registration
    yield text(
        "companion.scan.found",
        language,
        board=board.name,
        method=text(f"companion.scan.method.{where.method}", language),
        error=round(where.error_px, 1),
        seconds=round(reading.timing_ms.get("total", 0.0) / 1000, 1),
    )
    owners = _owners(reading)
    for colour in owners:
        yield from _owner_lines(colour, reading, board, language)
    if all(r.owner is None and not r.review for r in reading.routes.values()):
        yield text("companion.scan.empty", language)
    yield from _review_lines(reading, board, language)
    yield from (f"! {warning.message.text(language)}" for warning in reading.warnings)
    if owners:
        if board.bonuses.longest_path:
            player = _colour_word(owners[0], language)
            yield text("companion.scan.why-longest", language, player=player)
        yield text("companion.scan.onward", language)


def _owners(reading: Reading) -> Sequence[str]:
    return list(dict.fromkeys(one.owner for one in reading.routes.values() if one.owner))


def _owner_lines(colour: str, reading: Reading, board: Board, language: str) -> Iterator[str]:
    routes = [board.route_by_id[name] for name, r in reading.routes.items() if r.owner == colour]
    counts = text(
        "companion.scan.owner",
        language,
        owner=owner_words(colour, language),
        routes=len(routes),
        wagons=sum(route.length for route in routes),
        points=sum(board.route_points[route.length] for route in routes),
    )
    yield counts + _longest_path(colour, routes, reading, board, language)
    for route in routes:
        mark = " ?" if reading.routes[route.id].review else ""
        yield f"    {route.length}  {route_name(board, route.id)}{mark}"


def _longest_path(
    colour: str, routes: Sequence[Route], reading: Reading, board: Board, language: str
) -> str:
    """How long a player's longest path is, where the game counts it.

    It says so where a route that is asked about could make it longer or shorter.
    """
    held = edges(board, [route.id for route in routes])
    if not board.bonuses.longest_path or is_too_dense(held):
        return ""
    asked = (
        reading.routes[name] for place in reading.places if place.review for name in place.routes
    )
    is_open = any(one.owner == colour or colour in dict(one.alternatives) for one in asked)
    key = "companion.scan.longest-so-far" if is_open else "companion.scan.longest"
    return text(key, language, longest=longest_trail(held).length)


def _review_lines(reading: Reading, board: Board, language: str) -> Iterator[str]:
    """A line for each place whose owners are in doubt."""
    asked = [place for place in reading.places if place.review]
    if not asked:
        yield text("companion.scan.sure", language)
        return
    yield text("companion.scan.review", language, count=len(asked))
    for place in asked:
        yield text(
            "companion.scan.asked",
            language,
            route=" + ".join(route_name(board, name) for name in place.routes),
            choices=_choices_of(place, reading, language),
            why=why_asked(place, language),
        )
    elsewhere = [p for p in asked if not SEEN_FROM_ANOTHER_SIDE.isdisjoint(p.why)]
    if len(elsewhere) > 1:
        under = {name for one in reading.warnings if one.code == COVERED for name in one.routes}
        is_under = any(not under.isdisjoint(place.routes) for place in elsewhere)
        key = "companion.scan.taken-away" if is_under else "companion.scan.other-side"
        yield text(key, language, count=len(elsewhere), all=len(asked))


def why_asked(place: PlaceReading, language: str) -> str:
    """Why a person is asked about a place, in words."""
    return ", ".join(text(f"vision.why.{why}", language) for why in place.why)


def _choices_of(place: PlaceReading, reading: Reading, language: str) -> str:
    """What is likely on each of a place's lines, one after the other."""
    return " + ".join(_choices(reading.routes[name], language) for name in place.routes)


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
    return f"{SYMBOL[owner]} {_colour_word(owner, language)}"


def _colour_word(owner: str, language: str) -> str:
    return text(f"scoring.colour.{owner}", language)
