"""Each mistake that other scorers are known for, as a test that would catch it here."""

from typing import Any

from scoring.board.board import load_board
from scoring.sheet.sheet import score_game

RING = [
    "chicago--saint-louis-1",
    "nashville--saint-louis",
    "nashville--pittsburgh",
    "chicago--pittsburgh-1",
]
"""Chicago, Saint Louis, Nashville, Pittsburgh: 2 + 2 + 4 + 3 = 11 wagons."""


def player(name: str, colour: str, *routes: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "colour": colour, "routes": list(routes), "tickets": [], **more}


def sheet_of(game: str, *players: dict[str, Any]) -> dict[str, Any]:
    return score_game({"game": game, "players": list(players)}).to_json()


def longest(game: str, *routes: str) -> int:
    colour = load_board(game).player_colours[0]
    path = sheet_of(game, player("Ada", colour, *routes))["players"][0]["longest_path"]
    return int(path["length"])


def test_a_path_may_pass_a_city_again() -> None:
    """A simple path (no city twice) would stop at 4 + 2 + 2 + 4 = 12."""
    assert longest("usa", *RING, "chicago--toronto") == 15


def test_visited_marks_are_undone_on_the_way_back() -> None:
    """Trying the short arm first must not use it up: 4 + 3 over the long arms of a star."""
    star = ["boston--montreal-1", "montreal--toronto", "montreal--new-york", "chicago--toronto"]
    assert longest("usa", *star) == 3 + 3 + 4
    assert longest("usa", *star[::-1]) == 3 + 3 + 4


def test_both_lines_of_a_double_count_apart() -> None:
    """Merged into one edge, Dallas, Houston and back would be 1."""
    assert longest("usa", "dallas--houston-1", "dallas--houston-2") == 2


def test_the_first_route_counts_in_the_length() -> None:
    assert longest("usa", "atlanta--nashville") == 1
    assert longest("usa", "portland--salt-lake-city", "portland--seattle-1") == 7


def test_the_length_is_in_wagons_not_in_routes() -> None:
    short = ["seattle--vancouver-1", "portland--seattle-1"]
    assert longest("usa", *short, "miami--new-orleans") == 6


def test_the_winner_has_the_most_points_wherever_the_player_stands_in_the_list() -> None:
    strong = player("Zoe", "black", "miami--new-orleans")
    weak = player("Ada", "red", "atlanta--nashville")
    assert sheet_of("usa", strong, weak)["winners"] == ["Zoe"]
    assert sheet_of("usa", weak, strong)["winners"] == ["Zoe"]


def test_a_ticket_search_ends_on_a_loop() -> None:
    ada = player("Ada", "red", *RING, tickets=[["chicago", "boston"]])
    line = sheet_of("usa", ada)["players"][0]["lines"][1]
    assert (line["completed"], line["points"]) == (False, -7)


def test_a_failed_ticket_is_subtracted() -> None:
    ada = player("Ada", "red", tickets=[["seattle", "new-york"], ["vancouver", "portland"]])
    assert sheet_of("usa", ada)["players"][0]["total"] == -22


def test_all_who_tie_get_the_longest_path() -> None:
    sheet = sheet_of(
        "usa",
        player("Ada", "red", "atlanta--miami"),
        player("Bo", "blue", "denver--phoenix"),
        player("Cyd", "green", "atlanta--nashville"),
    )
    assert [one["total"] for one in sheet["players"]] == [10 + 10, 10 + 10, 1]


def test_all_who_tie_are_globetrotters() -> None:
    sheet = sheet_of(
        "germany",
        player(
            "Ada", "red", "hamburg--schwerin", "rostock--schwerin", tickets=[["hamburg", "rostock"]]
        ),
        player("Bo", "white", "berlin--leipzig", tickets=[["berlin", "leipzig"]]),
    )
    kinds = [[line["kind"] for line in one["lines"]] for one in sheet["players"]]
    assert kinds == [["routes", "ticket", "globetrotter"]] * 2


def test_countries_are_not_joined_through_the_middle() -> None:
    """Karlsruhe, France, Saarbrücken is no way from Karlsruhe to Saarbrücken."""
    assert longest("germany", "frankreich--karlsruhe", "frankreich--saarbruecken") == 2
    ada = player(
        "Ada",
        "red",
        "frankreich--karlsruhe",
        "frankreich--freiburg",
        "freiburg--stuttgart",
        tickets=[["kassel", "freiburg"], ["frankreich", "muenchen"]],
    )
    assert sheet_of("germany", ada)["players"][0]["tickets_completed"] == 0


def test_a_country_is_reached_by_any_of_its_lines() -> None:
    for line in ("frankreich--karlsruhe", "frankreich--saarbruecken", "frankreich--freiburg"):
        end = line.removeprefix("frankreich--")
        ticket = {"from": "frankreich", "to": end, "points": 3}
        ada = player("Ada", "red", line, tickets=[ticket])
        assert sheet_of("germany", ada)["players"][0]["tickets_completed"] == 1


def test_germany_has_its_own_colours() -> None:
    assert load_board("germany").player_colours == ("white", "red", "purple", "yellow", "black")


def test_a_route_of_seven_is_worth_eighteen() -> None:
    ada = player("Ada", "red", "berlin--hannover")
    assert sheet_of("germany", ada)["players"][0]["lines"][0]["points"] == 18


def test_germany_never_pays_for_the_longest_path() -> None:
    ada = player("Ada", "red", "berlin--hannover")
    (one,) = sheet_of("germany", ada)["players"]
    assert one["total"] == 18
    assert one["longest_path"] == {"length": 7, "path": ["berlin--hannover"]}
