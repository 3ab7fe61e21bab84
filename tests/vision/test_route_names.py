"""How warnings call a route: by its ends, and by its number where several lines join them."""

from dataclasses import replace

from scoring.board.board import load_board
from vision.reading import route_name

USA = load_board("usa")


def test_a_line_alone_in_its_group_has_no_number() -> None:
    routes = tuple(
        replace(route, parallel_group="of-one") if route.id == "denver--omaha" else route
        for route in USA.routes
    )
    board = replace(USA, routes=routes)
    assert route_name(board, board.route_by_id["denver--omaha"]) == "Denver – Omaha"


def test_a_line_of_a_double_is_told_by_its_place_in_the_file() -> None:
    assert route_name(USA, USA.route_by_id["dallas--houston-2"]) == "Dallas – Houston (2)"
