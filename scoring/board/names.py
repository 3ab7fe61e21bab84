"""How places and routes are called at the table: printed names instead of ids."""

from collections.abc import Iterable

from scoring.board.board import Board, Route


def place_name(board: Board | None, place: str) -> str:
    """A place's printed name; where no map is known, its id made readable.

    >>> from scoring.board.board import load_board
    >>> place_name(load_board("usa"), "el-paso"), place_name(None, "el-paso")
    ('El Paso', 'El Paso')
    """
    known = None if board is None else board.place_by_id.get(place)
    return place.replace("-", " ").title() if known is None else known.name


def route_name(board: Board | None, route: str) -> str:
    """Both ends of a route; of parallel lines also which one it is, as "Dallas – Houston (2)".

    >>> from scoring.board.board import load_board
    >>> route_name(load_board("usa"), "dallas--houston-2")
    'Dallas – Houston (2)'
    """
    known = None if board is None else board.route_by_id.get(route)
    if board is None or known is None:
        return route.replace("--", " – ").replace("-", " ").title()
    return places_name(board, known.ends) + line_mark(board, known)


def line_mark(board: Board, route: Route) -> str:
    """Which of several parallel lines a route is, to stand behind its ends; empty of a single one.

    >>> from scoring.board.board import load_board
    >>> usa = load_board("usa")
    >>> line_mark(usa, usa.route_by_id["dallas--houston-2"])
    ' (2)'
    """
    lines = board.parallel_groups.get(route.parallel_group or "", ())
    return f" ({lines.index(route) + 1})" if len(lines) > 1 else ""


def places_name(board: Board | None, places: Iterable[str]) -> str:
    """The two places of a ticket, or the ends of a route whichever line it is.

    >>> from scoring.board.board import load_board
    >>> places_name(load_board("usa"), ("denver", "el-paso"))
    'Denver – El Paso'
    """
    return " – ".join(place_name(board, place) for place in places)
