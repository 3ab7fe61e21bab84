"""Networks of up to 14 routes in any shape, also unlikely ones, against the second referee."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.board.board import load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.sheet.sheet import score_game
from tests.support.plain_scorer import plain_result

MOST_ROUTES = 14


@st.composite
def small_games(draw: st.DrawFn) -> dict[str, Any]:
    """Two or three players whose routes lie close together, with tickets and passengers."""
    board = load_board(draw(st.sampled_from(BOARDS_WITH_DATA)))
    start = draw(st.integers(0, len(board.places) - 1))
    near = _nearest_routes(board.id, start)
    count = draw(st.integers(1, 3))
    owners = draw(st.lists(st.integers(0, count), min_size=len(near), max_size=len(near)))
    tickets = draw(
        st.lists(st.sampled_from(board.tickets), max_size=3 * count, unique_by=lambda t: t.id)
    )
    players = []
    for index, colour in enumerate(board.player_colours[:count]):
        routes = [name for name, owner in zip(near, owners, strict=True) if owner == index]
        player: dict[str, Any] = {
            "name": colour,
            "colour": colour,
            "routes": routes[:MOST_ROUTES],
            "tickets": [list(ticket.places) for ticket in tickets[index::count]],
        }
        if board.passengers_in_bag:
            counts = st.integers(0, 3)
            player["passengers"] = {c: draw(counts) for c in board.passengers_in_bag}
        players.append(player)
    return {"game": board.id, "players": players}


def _nearest_routes(board_id: str, start: int) -> list[str]:
    """Routes in the order in which one meets them from a place: small networks then connect."""
    board = load_board(board_id)
    reached = [board.places[start].id]
    found: dict[str, None] = {}
    for place in reached:
        for route in board.routes:
            if place in route.ends:
                found[route.id] = None
                reached += [end for end in route.ends if end not in reached]
    return list(found)[: 3 * MOST_ROUTES]


@settings(max_examples=150, deadline=None)
@given(small_games())
def test_small_networks_score_as_the_second_referee_says(game: dict[str, Any]) -> None:
    sheet = score_game(game).to_json()
    found = [
        {
            "total": player["total"],
            "rank": player["rank"],
            "longest": player["longest_path"]["length"],
            "done": player["tickets_completed"],
        }
        for player in sheet["players"]
    ]
    assert found == plain_result(game)


@settings(max_examples=60, deadline=None)
@given(small_games())
def test_a_route_more_never_shortens_the_path_nor_undoes_a_ticket(game: dict[str, Any]) -> None:
    before = score_game(game).to_json()["players"][0]
    board = load_board(game["game"])
    held = {name for player in game["players"] for name in player["routes"]}
    free = next(route.id for route in board.routes if route.id not in held)
    game["players"][0]["routes"].append(free)
    after = score_game(game).to_json()["players"][0]
    assert after["longest_path"]["length"] >= before["longest_path"]["length"]
    assert after["tickets_completed"] >= before["tickets_completed"]
    assert after["wagons_used"] == before["wagons_used"] + board.route_by_id[free].length
