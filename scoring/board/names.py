"""How places and routes are called at the table: printed names instead of ids."""

from collections.abc import Iterable

from scoring.board.board import Board


def place_name(board: Board | None, place: str) -> str:
    """A place's printed name; where no map is known, its id made readable.

    >>> place_name(None, "los-angeles")
    'Los Angeles'
    """
    known = None if board is None else board.place_by_id.get(place)
    return place.replace("-", " ").title() if known is None else known.name


def route_name(board: Board | None, route: str) -> str:
    """Both ends of a route; of parallel lines also which one it is.

    >>> from scoring.board.board import load_board
    >>> route_name(load_board("usa"), "dallas--houston-2")
    'Dallas–Houston (2)'
    """
    known = None if board is None else board.route_by_id.get(route)
    if board is None or known is None:
        return route.replace("--", "–").replace("-", " ").title()
    ends = "–".join(place_name(board, end) for end in known.ends)
    lines = board.parallel_groups.get(known.parallel_group or "", ())
    return ends if len(lines) < 2 else f"{ends} ({[r.id for r in lines].index(route) + 1})"


def ticket_name(board: Board | None, places: Iterable[str]) -> str:
    """The places of a ticket.

    >>> ticket_name(None, ("las-vegas", "miami"))
    'Las Vegas – Miami'
    """
    return " – ".join(place_name(board, place) for place in places)
