"""The boards that ship with the program, and what a board file must keep to."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from scoring.board.board import board_from_json, load_board, terminal
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.errors import BoardDataError, UnknownBoardError
from tests.support.documents import changed

DATA = Path(__file__).parents[3] / "scoring" / "board" / "data"
SHARED = Path(__file__).parents[4] / "shared" / "boards"

COUNTS = {
    "usa": {"cities": 36, "countries": 0, "routes": 100, "spaces": 309, "tickets": 69},
    "germany": {"cities": 35, "countries": 5, "routes": 110, "spaces": 313, "tickets": 89},
    "france": {"cities": 42, "countries": 6, "routes": 157, "spaces": 416, "tickets": 58},
}


@pytest.mark.parametrize(("board_id", "counts"), COUNTS.items())
def test_each_board_has_its_printed_counts(board_id: str, counts: dict[str, int]) -> None:
    board = load_board(board_id)
    assert board.counts() == counts
    assert all(len(route.spaces) == route.length for route in board.routes)


@pytest.mark.parametrize("board_id", COUNTS)
def test_a_flat_list_of_spaces_falls_into_routes(board_id: str) -> None:
    board = load_board(board_id)
    flat = [(route.id, place) for route in board.routes for place in range(route.length)]
    for route in board.routes:
        own = [(route.id, place) for place in range(route.length)]
        assert flat[board.spaces_of[route.id]] == own
    with pytest.raises(KeyError):
        board.spaces_of["atlanta--mars"]


def test_each_set_has_its_pieces() -> None:
    assert {name: load_board(name).wagons_per_player for name in COUNTS} == {
        "usa": 45,
        "germany": 45,
        "france": 40,
    }
    assert load_board("france").player_colours == ("blue", "red", "green", "yellow", "black")
    assert load_board("germany").passengers_in_bag == dict.fromkeys(
        ("red", "green", "yellow", "black", "blue", "white"), 10
    )


def test_lines_into_a_country_end_apart_and_lines_into_a_city_meet() -> None:
    board = load_board("germany")
    into_france = [route for route in board.routes if "frankreich" in route.ends]
    assert len({terminal(board, route, "frankreich") for route in into_france}) == 3
    assert {terminal(board, route, "berlin") for route in board.routes} == {"berlin"}


@pytest.mark.parametrize("board_id", COUNTS)
@pytest.mark.skipif(not SHARED.is_dir(), reason="the facts in ../shared/boards are not here")
def test_ids_order_lengths_and_positions_are_those_of_the_facts(board_id: str) -> None:
    facts = json.loads((SHARED / f"{board_id}.json").read_text("utf-8"))
    board = load_board(board_id)
    assert [place.id for place in board.places] == [city["id"] for city in facts["cities"]]
    for route, fact in zip(board.routes, facts["routes"], strict=True):
        assert (route.id, *route.ends, route.length) == (
            fact["id"],
            fact["a"],
            fact["b"],
            fact["length"],
        )
        spaces = [[space.x, space.y, space.angle_deg] for space in route.spaces]
        assert spaces == fact["spaces"]
    tickets = [(t.id, *t.places, t.points) for t in board.tickets]
    assert tickets == [(t["id"], t["from"], t["to"], t["points"]) for t in facts["tickets"]]


def test_an_unknown_board_is_named_with_the_known_ones() -> None:
    with pytest.raises(UnknownBoardError, match=r"unknown board 'mars'; known boards: usa, germ"):
        load_board("mars")


def small_board() -> dict[str, Any]:
    """A board of three places that keeps every rule."""
    return {
        "format": 1,
        "id": "garden",
        "title": "The garden",
        "version": 1,
        "players": [2, 3],
        "player_colours": ["red", "blue", "green"],
        "wagons_per_player": 12,
        "route_points": {"1": 1, "2": 2},
        "places": [
            {"id": "gate", "name": "Gate"},
            {"id": "pond", "name": "Pond"},
            {"id": "shed", "name": "Shed"},
        ],
        "routes": [
            {"id": "gate--pond", "from": "gate", "to": "pond", "length": 2, "colour": "red"},
            {"id": "pond--shed", "from": "pond", "to": "shed", "length": 1, "colour": "grey"},
        ],
        "tickets": [{"id": "gate--shed", "from": "gate", "to": "shed", "points": 4}],
    }


def test_a_board_without_positions_can_be_scored() -> None:
    board = board_from_json(small_board())
    assert board.counts()["spaces"] == 3
    assert board.routes[0].spaces == ()


def test_a_board_longer_than_any_table_is_refused() -> None:
    huge = {**small_board(), "frame": {"reference": "outer", "size_mm": [5000, 3300]}}
    with pytest.raises(BoardDataError, match=r"size_mm: must be a number from 0\.1 to 2000"):
        board_from_json(huge)


def test_a_board_that_names_no_bonus_pays_the_base_game_s_longest_path() -> None:
    assert board_from_json(small_board()).bonuses.longest_path == 10
    own = board_from_json({**small_board(), "bonuses": {"globetrotter": 7}})
    assert (own.bonuses.longest_path, own.bonuses.globetrotter) == (0, 7)


def test_a_taught_paris_pays_flags_and_no_path() -> None:
    paris = board_from_json({**small_board(), "id": "paris"})
    assert (paris.bonuses.flag, paris.bonuses.longest_path) == (4, 0)
    assert paris.tie_breaks == ("tickets",)


TWIN = {"id": "pond--gate", "from": "pond", "to": "gate", "points": 4}
PARALLEL = {"id": "gate--pond-2", "from": "gate", "to": "pond", "length": 2, "colour": "red"}


BROKEN: list[tuple[list[Any], Any, str]] = [
    (["format"], 2, "board: format: must be 1, the format that this program reads, not 2"),
    (["id"], "The Garden", "board: id: an id is made of small letters, digits and hyphens"),
    (["players"], [2, 4], "board: player_colours: 3 colours for 4 players"),
    (["player_colours", 0], "cyan", 'board: player_colours: "cyan" is none of blue, red'),
    (["routes", 0, "length"], "2", "route gate--pond: length: must be a whole number"),
    (["routes", 0, "length"], True, "route gate--pond: length: must be a whole number"),
    (["routes", 0, "length"], 3, "route gate--pond: length: the table of points has no row"),
    (["routes", 0, "spaces"], [[0.1, 0.1, 0]], "route gate--pond: spaces: one space, but length 2"),
    (["routes", 0, "to"], "lake", 'route gate--pond: to: there is no place "lake"'),
    (["routes", 0, "id"], "pond--gate", "route pond--gate: id: must be gate--pond"),
    (["routes", 1, "id"], "gate--pond", 'board: routes: "gate--pond" appears 2 times'),
    (["routes", 1], PARALLEL, "route gate--pond: parallel_group: gate--pond, gate--pond-2 share"),
    (["routes", 0, "parallel_group"], 7, "route gate--pond: parallel_group: must be a text"),
    (["places", 1, "name"], "", "place pond: name: must be a text on one line"),
    (["places", 2, "kind"], "sea", 'place shed: kind: "sea" is none of city, country'),
    (["places", 2, "x"], float("nan"), "place shed: x: must be a number from −1.0 to 2.0, not"),
    (["routes"], [], "board: places: pond is not connected to gate"),
    (["tickets", 0, "points"], -1, "ticket gate--shed: points: must be a whole number from 0"),
    (["tickets", 0, "to"], "gate", "ticket gate--shed: to: both ends are gate"),
    (["crossings"], [["gate--pond", "x"]], 'board: crossings.1: there is no route "x"'),
    (["bonuses"], {"longest-path": "ten"}, "board: bonuses.longest-path: must be a whole"),
    (["bonuses"], {"shortest-path": 10}, 'board: bonuses: "shortest-path" is none of'),
    (["tie_breaks"], ["beauty"], 'board: tie_breaks: "beauty" is none of tickets'),
    (["space_size_mm"], [], "board: space_size_mm: must be a list of two"),
    (["prints"], {}, "board: prints: must be a list"),
    (["prints"], [{}], "board: prints: another print needs the spaces of the routes themselves"),
    (["prints"], [{"name": ""}], "board: prints.1.name: must be a text on one line"),
    (["titel"], "x", 'board: document: there is no field "titel"; did you mean title?'),
]


@pytest.mark.parametrize(("path", "to", "problem"), BROKEN)
def test_a_broken_board_file_says_where(path: list[Any], to: Any, problem: str) -> None:
    with pytest.raises(BoardDataError) as caught:
        board_from_json(changed(small_board(), *path, to=to))
    assert any(found.startswith(problem) for found in caught.value.problems), caught.value


def printed_board() -> dict[str, Any]:
    """The small board with positions, and a second print that lies a tenth further down."""
    data = small_board()
    spaces = {"gate--pond": [[0.1, 0.2, 0], [0.2, 0.2, 0]], "pond--shed": [[0.4, 0.2, 90]]}
    lower = {name: [[x, y + 0.1, turn] for x, y, turn in line] for name, line in spaces.items()}
    for route in data["routes"]:
        route["spaces"] = spaces[route["id"]]
    return {**data, "prints": [{"name": "lower", "spaces": lower}]}


def test_a_board_is_known_in_each_of_its_prints() -> None:
    own, lower = board_from_json(printed_board()).as_printed
    assert [space.y for route in own.routes for space in route.spaces] == [0.2, 0.2, 0.2]
    assert [round(s.y, 3) for route in lower.routes for s in route.spaces] == [0.3, 0.3, 0.3]
    assert lower.routes[1].spaces[0].angle_deg == 90
    assert (lower.counts(), lower.id) == (own.counts(), own.id)


PRINT = ["prints", 0, "spaces"]
BROKEN_PRINTS: list[tuple[list[Any], Any, str]] = [
    (PRINT, {"pond--shed": [[0, 0, 0]]}, "board: prints.1.spaces: gate--pond is missing; a print"),
    ([*PRINT, "pond--shed"], [], "board: prints.1.spaces.pond--shed: 0 spaces, but length 1"),
    ([*PRINT, "pond--shed"], [[0, 0]], "board: prints.1.spaces.pond--shed.1: a space is x, y"),
    ([*PRINT, "pond--moon"], [], 'board: prints.1.spaces: there is no route "pond--moon"'),
    (["prints"], printed_board()["prints"] * 2, 'board: prints: "lower" appears 2 times'),
]


@pytest.mark.parametrize(("path", "to", "problem"), BROKEN_PRINTS)
def test_a_broken_print_says_where(path: list[Any], to: Any, problem: str) -> None:
    with pytest.raises(BoardDataError) as caught:
        board_from_json(changed(printed_board(), *path, to=to))
    assert any(found.startswith(problem) for found in caught.value.problems), caught.value


def test_all_problems_of_a_board_are_reported_together() -> None:
    data = small_board()
    data["places"].append({"id": "moon", "name": "Moon"})
    data["tickets"].append(TWIN)
    data["tickets"].append({"id": "pond--gate", "from": "gate", "to": "shed", "points": 4})
    with pytest.raises(BoardDataError) as caught:
        board_from_json(data)
    assert caught.value.problems == [
        "ticket pond--gate: from: names the same two places as gate--shed",
        'board: tickets: "pond--gate" appears 2 times',
        "board: places: moon is not connected to gate",
    ]


@pytest.mark.parametrize("nonsense", [None, [], 3, "board", {}, {"format": 1}])
def test_what_is_no_board_at_all_is_refused(nonsense: Any) -> None:
    with pytest.raises(BoardDataError):
        board_from_json(nonsense)


NONSENSE = (None, True, -1, 1e999, "x", [], [[]], [None], {}, {"x": {}}, [{"id": 3}])


def test_every_field_may_be_nonsense_without_a_crash() -> None:
    whole = json.loads((DATA / "germany.json").read_text("utf-8"))
    for key in whole:
        for nonsense in NONSENSE:
            with suppress(BoardDataError):
                board_from_json({**whole, key: nonsense})


def test_the_shipped_boards_are_the_ones_that_are_listed() -> None:
    assert sorted(path.stem for path in DATA.glob("*.json")) == sorted(BOARDS_WITH_DATA)
