"""Reads lists of routes, by their ids."""

from scoring.board.board import Board, load_board
from scoring.board.game_names import game_name
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.fields import FieldReader, nearest
from scoring.language.foreign import shown


def read_routes(value: object, reader: FieldReader, board: Board) -> tuple[str, ...]:
    """The routes of a list, as far as the board has them.

    >>> from scoring.board.board import load_board
    >>> read_routes(["denver--omaha"], FieldReader("Ada", "routes", []), load_board("usa"))
    ('denver--omaha',)
    """
    read = (_route(name, reader, board) for name in reader.items(value))
    return tuple(name for name in read if name is not None)


def read_track_pieces(value: object, reader: FieldReader, board: Board) -> tuple[str, ...]:
    """The lines of a list that track pieces lie on (France); other lines can bear none.

    >>> from scoring.board.board import load_board
    >>> reader = FieldReader("game", "track_pieces", [])
    >>> read_track_pieces(["angers--rennes"], reader, load_board("france"))
    ('angers--rennes',)
    """
    lines = read_routes(value, reader, board)
    for line in lines:
        if line not in board.track_lines:
            reader.report("no_track_line", route=shown(line))
    return tuple(dict.fromkeys(lines))


def route_meant(name: str, board: Board) -> str | None:
    """The route that was likely meant: its places in the other order, else a slip away.

    >>> from scoring.board.board import load_board
    >>> route_meant("omaha--denver", load_board("usa"))
    'denver--omaha'
    >>> route_meant("houston--dallas", load_board("usa"))
    'dallas--houston-1'
    """
    turned = "--".join(reversed(name.split("--")))
    for one in (turned, f"{turned}-1"):
        if one in board.route_by_id:
            return one
    return nearest(name, board.route_by_id)


def _route(name: object, reader: FieldReader, board: Board) -> str | None:
    if isinstance(name, str) and name in board.route_by_id:
        return name
    _report_route(name, reader, board)
    return None


def _report_route(name: object, reader: FieldReader, board: Board) -> None:
    """Report an unknown route, with the route that was probably meant."""
    own = board.name
    if not isinstance(name, str):
        reader.report("route_unknown", route=shown(name), game=own)
        return
    others = [other for other in BOARDS_WITH_DATA if name in load_board(other).route_by_id]
    if others:
        reader.report("route_elsewhere", route=shown(name), game=own, other=game_name(others[0]))
        return
    meant = route_meant(name, board)
    kind = "route_unknown" if meant is None else "route_misspelt"
    reader.report(kind, route=shown(name), game=own, meant=meant)
