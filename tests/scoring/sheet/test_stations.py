"""Stations: points of those left, and the best routes to borrow for the tickets."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.board.board import Board, board_from_json
from scoring.documents.game import parse_game
from scoring.errors import GameError
from scoring.sheet.sheet import score_game
from scoring.sheet.what_if import decisive_routes
from tests.support.small_board import CITIES, ROUTES, TICKETS, best_tickets, station_board

WOOD = board_from_json(station_board())
GLOBETROTTER = board_from_json(station_board(bonuses={"station": 4, "globetrotter": 15}))


def wood(*players: dict[str, Any]) -> dict[str, Any]:
    return {"game": "wood", "players": list(players)}


def ada(**fields: Any) -> dict[str, Any]:
    """Ada holds Ash–Birch; her tickets to Oak and Pine need Bo's routes."""
    own = {"routes": ["ash--birch"], "tickets": [["ash", "oak"], ["ash", "pine"]]}
    return {"name": "Ada", "colour": "red", **own, **fields}


BO: dict[str, Any] = {
    "name": "Bo",
    "colour": "blue",
    "routes": ["birch--oak", "oak--pine", "fir--pine"],
    "tickets": [],
}


def test_stations_left_give_four_points_each_and_nothing_is_borrowed() -> None:
    """1 for the route, −8 − 11 for the tickets, 3 × 4 for the stations: −6."""
    sheet = score_game(wood(ada(), BO), WOOD)
    assert sheet.players[0].total == 1 - 19 + 12
    (line,) = [line for line in sheet.players[0].lines if line.kind == "stations"]
    assert (line.points, line.evidence["left"], line.evidence["built"]) == (12, 3, [])


def test_a_station_lends_one_route_for_all_tickets_but_no_points_and_no_path() -> None:
    """The station in Oak lends Birch–Oak: Ash–Oak is done (8), Ash–Pine is not (−11)."""
    sheet = score_game(wood(ada(stations=["Oak"]), BO), WOOD)
    one = sheet.players[0]
    assert one.total == 1 + 8 - 11 + 2 * 4
    assert one.longest_path is not None
    assert (one.longest_path.length, one.wagons_used) == (1, 1)
    ticket = one.lines[1].to_json()
    assert ticket["evidence"] == {"path": ["ash--birch", "birch--oak"], "borrowed": ["birch--oak"]}
    (line,) = [line for line in one.lines if line.kind == "stations"]
    assert line.evidence["built"] == [{"city": "oak", "route": "birch--oak", "owner": "Bo"}]


def test_who_has_built_every_station_gets_nothing_for_stations() -> None:
    """Oak lends Birch-Oak and Pine lends Oak-Pine: 1 for the route, 8 + 11 for the tickets."""
    sheet = score_game(wood(ada(stations=["oak", "pine", "cedar"]), BO), WOOD)
    (line,) = [line for line in sheet.players[0].lines if line.kind == "stations"]
    assert (line.points, line.evidence["left"]) == (0, 0)
    assert sheet.players[0].total == 1 + 8 + 11


def test_a_station_stands_in_a_city_however_its_name_was_typed() -> None:
    named = [{"id": city, "name": "Orl\xe9ans" if city == "oak" else city} for city in CITIES]
    board = board_from_json(station_board(places=named))
    typed = ada(stations=["Orle\N{COMBINING ACUTE ACCENT}ans"])
    *_, line = score_game(wood(typed, BO), board).players[0].lines
    assert line.evidence["built"] == [{"city": "oak", "route": "birch--oak", "owner": "Bo"}]


def test_two_stations_lend_a_way_together() -> None:
    """Birch lends Birch–Oak and Pine lends Oak–Pine: both tickets, 1 + 8 + 11 + 4 = 24."""
    sheet = score_game(wood(ada(stations=["birch", "pine"]), BO), WOOD)
    assert sheet.players[0].total == 24


def test_a_station_never_lends_what_nobody_or_its_owner_holds() -> None:
    sheet = score_game(wood(ada(stations=["cedar"]), BO), WOOD)
    (line,) = [line for line in sheet.players[0].lines if line.kind == "stations"]
    assert line.evidence["built"] == [{"city": "cedar", "route": None, "owner": None}]


def test_two_stations_in_one_city_are_against_the_rules_and_scored_all_the_same() -> None:
    sheet = score_game(wood(ada(stations=["oak"]), {**BO, "stations": ["oak"]}), WOOD)
    (violation,) = sheet.violations
    assert (violation.code, violation.players) == ("station-twice", ("Ada", "Bo"))
    assert "Oak" in violation.message.text("it")


@pytest.mark.parametrize(
    ("stations", "problem"),
    [
        (["oka"], 'Ada: stations: "oka" is no place of Wood; did you mean Oak?'),
        (["oak", "ash", "fir", "pine"], "Ada: stations: 4 stations, but a player has 3"),
        (4, "Ada: stations: must be a whole number from 0 to 3, not 4"),
        (["oak", "oak"], 'Ada: stations: "oak" appears 2 times'),
    ],
)
def test_wrong_stations_are_told_by_name(stations: object, problem: str) -> None:
    with pytest.raises(GameError) as caught:
        score_game(wood(ada(stations=stations), BO), WOOD)
    assert caught.value.problems == [problem]


def test_a_ticket_over_a_lent_route_counts_for_the_globetrotter() -> None:
    """Ada's station in Birch lends Birch–Oak, which completes Ash–Oak (8); Bo has one ticket too.

    With it both have one completed ticket and both are Globetrotters: 1 + 8 − 11 + 8 + 15 = 21.
    """
    bo = {**BO, "tickets": [["oak", "birch"]]}
    board = board_from_json(
        station_board(
            bonuses={"station": 4, "globetrotter": 15},
            tickets=[
                *station_board()["tickets"],
                {"id": "birch--oak", "from": "birch", "to": "oak", "points": 2},
            ],
        )
    )
    sheet = score_game(wood(ada(stations=["birch"]), bo), board)
    assert sheet.players[0].total == 21


ROUTE_IDS = [f"{a}--{b}" for a, b, _ in ROUTES]


@st.composite
def evenings(draw: st.DrawFn) -> dict[str, Any]:
    """Any owner for each route, any tickets of the set, up to three stations each."""
    count = draw(st.integers(2, 3))
    owners = [draw(st.integers(-1, count - 1)) for _ in ROUTE_IDS]
    hands = [draw(st.integers(0, count - 1)) for _ in TICKETS]
    colours = ("red", "blue", "green")
    players = [
        {
            "name": name,
            "colour": colours[i],
            "routes": [r for r, owner in zip(ROUTE_IDS, owners, strict=True) if owner == i],
            "tickets": [
                list(ticket[:2]) for ticket, hand in zip(TICKETS, hands, strict=True) if hand == i
            ],
            "stations": draw(st.lists(st.sampled_from(CITIES), unique=True, max_size=3)),
        }
        for i, name in enumerate(("Ada", "Bo", "Chi")[:count])
    ]
    return {"game": "wood", "players": players}


def ticket_points(sheet: Any, index: int) -> int:
    return sum(line.points for line in sheet.players[index].lines if line.kind == "ticket")


@settings(max_examples=60, deadline=None)
@given(evenings())
def test_no_other_way_of_borrowing_is_better(game: dict[str, Any]) -> None:
    sheet = score_game(game, WOOD)
    for index in range(len(game["players"])):
        assert ticket_points(sheet, index) == best_tickets(game, index)


def test_the_globetrotter_can_be_worth_more_than_a_dearer_ticket() -> None:
    """Ada's one station in Fir: Fir–Oak completes two tickets (5 + 2), Fir–Pine one (9).

    Tickets alone: 9 − 7 = 2 is more than 7 − 9 = −2. But Bo has two completed tickets, so with
    two of her own Ada is a Globetrotter too: −2 + 15 = 13. Route 1, two stations left 8: 22.
    """
    tickets = [
        ("cedar", "oak", 5),
        ("fir", "oak", 2),
        ("cedar", "pine", 9),
        ("birch", "oak", 1),
        ("birch", "fir", 1),
    ]
    board = board_from_json(
        station_board(
            bonuses={"station": 4, "globetrotter": 15},
            tickets=[
                {"id": "--".join(sorted(pair)), "from": pair[0], "to": pair[1], "points": points}
                for *pair, points in tickets
            ],
        )
    )
    own = {"routes": ["cedar--fir"], "tickets": [list(t[:2]) for t in tickets[:3]]}
    other = ["fir--oak", "fir--pine", "birch--fir"]
    bo = {**BO, "routes": other, "tickets": [list(t[:2]) for t in tickets[3:]]}
    sheet = score_game(wood(ada(**own, stations=["fir"]), bo), board)
    assert sheet.players[0].total == 22
    without = score_game(wood(ada(**own, stations=["fir"]), bo), wood_of(tickets))
    assert without.players[0].total == 1 + 2 + 8


def wood_of(tickets: Any) -> Board:
    """The wood with other tickets and no Globetrotter."""
    entries = [
        {"id": "--".join(sorted((a, b))), "from": a, "to": b, "points": p} for a, b, p in tickets
    ]
    return board_from_json(station_board(tickets=entries))


def test_with_stations_every_doubtful_route_is_decisive() -> None:
    """Any route may be one that is lent, so none is left unasked."""
    game = parse_game(wood(ada(stations=["oak"]), BO), WOOD)
    doubtful = {"birch--oak": ["Bo", None], "ash--cedar": [None, "Ada"], "cedar--fir": [None]}
    found = decisive_routes(game, doubtful)
    assert (found.routes, found.exact) == (("birch--oak", "ash--cedar"), False)


@settings(max_examples=60, deadline=None)
@given(evenings(), st.randoms(use_true_random=False), st.sampled_from([WOOD, GLOBETROTTER]))
def test_the_order_of_the_players_changes_nothing(
    game: dict[str, Any], random: Any, board: Board
) -> None:
    shuffled = {**game, "players": random.sample(game["players"], len(game["players"]))}
    assert figures(score_game(game, board)) == figures(score_game(shuffled, board))


def figures(sheet: Any) -> Any:
    """What must not depend on the order of a file."""
    players = {
        p.name: (p.total, p.rank, sorted((line.kind, line.points) for line in p.lines))
        for p in sheet.players
    }
    violations = {(v.code, frozenset(v.players), frozenset(v.routes)) for v in sheet.violations}
    return players, violations, set(sheet.winners), sheet.tie_break
