"""Explaining a longest path at the table, in both languages, with figures worked out by hand."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from scoring.board.board import load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.documents.game import parse_game
from scoring.explain.explain import Explanation, NoPathError, explain
from scoring.explain.text import paragraphs, path_rows
from scoring.language import LANGUAGES
from tests.support.games import any_game

MOUNTAINS = [
    "portland--seattle-1",  # 1
    "portland--salt-lake-city",  # 6
    "helena--salt-lake-city",  # 3
    "helena--seattle",  # 6
    "denver--helena",  # 4
    "denver--salt-lake-city-1",  # 3
    "denver--omaha",  # 4
    "calgary--helena",  # 4
]
"""31 wagons. Odd are Salt Lake City, Denver (3 routes each), Omaha and Calgary (1 each). The
cheapest pair is Salt Lake City with Denver (3), so 28 remain: Calgary, Helena, Seattle, Portland,
Salt Lake City, Helena, Denver, Omaha."""


def player(name: str, colour: str, *routes: str) -> dict[str, Any]:
    return {"name": name, "colour": colour, "routes": list(routes), "tickets": []}


def told(players: list[dict[str, Any]], game: str = "usa", index: int = 0) -> Explanation:
    parsed = parse_game({"game": game, "players": players})
    return explain(parsed, parsed.players[index])


def words(explanation: Explanation, language: str = "en") -> str:
    return "\n".join([*path_rows(explanation, language), *paragraphs(explanation, language)])


@pytest.fixture(scope="module")
def mountains() -> Explanation:
    return told(
        [
            player("Ada", "red", *MOUNTAINS),
            player("Ben", "blue", "los-angeles--phoenix", "el-paso--phoenix"),
        ]
    )


def test_the_path_is_told_city_by_city_with_the_running_sum(mountains: Explanation) -> None:
    rows = [" ".join(row.split()) for row in path_rows(mountains, "en")]
    one_way = [
        "Calgary",
        "+ 4 → Helena = 4",
        "+ 6 → Seattle = 10",
        "+ 1 → Portland = 11",
        "+ 6 → Salt Lake City = 17",
        "+ 3 → Helena = 20",
        "+ 4 → Denver = 24",
        "+ 4 → Omaha = 28",
    ]
    assert rows[0] in ("Calgary", "Omaha")
    assert rows[-1].endswith("= 28")
    assert len(rows) == len(one_way)
    sums = [int(row.split("= ")[1]) for row in rows[1:]]
    steps = [int(row.split()[1]) for row in rows[1:]]
    assert sums == [sum(steps[: n + 1]) for n in range(len(steps))]


def test_the_proof_names_the_odd_cities_the_pair_and_the_sum(mountains: Explanation) -> None:
    said = words(mountains)
    assert "Ada's longest path has 28 wagons." in said
    for city in ("Salt Lake City (3)", "Denver (3)", "Omaha (1)", "Calgary (1)"):
        assert city in said
    assert "leaving out Denver – Salt Lake City (3)" in said
    assert "There are 6 ways to choose two ends" in said
    assert "31 − 3 = 28" in said


def test_the_worked_example_of_the_documentation_is_what_the_program_says(
    mountains: Explanation,
) -> None:
    page = (Path(__file__).parents[3] / "docs" / "longest-path.md").read_text("utf-8")
    quoted = " ".join(page.replace("\n> ", " ").split())
    assert "\n".join(path_rows(mountains, "en")) in page
    argument = paragraphs(mountains, "en")[2:6]
    assert argument[-1].startswith("31 − 3 = 28")
    assert all(sentence in quoted for sentence in argument)


def test_the_same_in_italian(mountains: Explanation) -> None:
    said = words(mountains, "it")
    assert "Il percorso più lungo di Ada ha 28 vagoni." in said
    assert "lasciando fuori Denver – Salt Lake City (3)" in said
    assert "31 − 3 = 28" in said


def test_the_others_are_compared_and_the_bonus_given(mountains: Explanation) -> None:
    assert "The other players' longest paths: Ben 6." in words(mountains)
    assert "The longest path of all is Ada's, with 28: 10 points." in words(mountains)
    assert mountains.points == 10


def test_tied_players_both_hear_of_their_points() -> None:
    players = [
        player("Ada", "red", "calgary--helena"),
        player("Ben", "blue", "calgary--seattle"),
        player("Cleo", "green", "portland--seattle-1"),
    ]
    assert "with 4, are those of Ada and Ben: 10 points each." in words(told(players))
    assert told(players, index=1).points == 10
    assert told(players, index=2).points == 0


def test_a_path_over_everything_leaves_nothing_to_add() -> None:
    ring = player("Ada", "red", "denver--omaha", "duluth--omaha-1", "duluth--helena")
    assert "The path uses every route of its network, all 12 wagons" in words(told([ring]))


def test_separate_networks_are_weighed() -> None:
    players = [
        player("Ada", "red", "calgary--helena", "los-angeles--phoenix", "boston--new-york-1")
    ]
    said = words(told(players))
    assert "The routes lie in 3 networks that do not touch" in said
    assert "The other networks have 3 and 2 wagons altogether" in said


def test_in_germany_the_length_is_mere_curiosity_and_countries_are_ends() -> None:
    """France is reached twice, over a line of 2 and one of 1; the two ends of it do not meet."""
    routes = ["frankreich--freiburg", "frankreich--saarbruecken", "freiburg--schweiz"]
    explanation = told([player("Ada", "red", *routes)], game="germany")
    said = words(explanation)
    assert explanation.trail.length == 2 + 2
    assert explanation.points == 0
    assert "no points for the longest path" in said
    assert "The network with Frankreich – Saarbrücken has 1 wagon altogether" in said


def test_cases_are_told_where_the_ceiling_alone_is_too_high() -> None:
    """45 wagons; a ring in the west hangs on Seattle by the shortest route only.

    The cheapest pairs would leave out that very route (1) and keep two loose parts. With it, 31:
    Oklahoma City, Denver, Helena, Seattle, Portland, Salt Lake City, San Francisco, Portland.
    """
    explanation = told(
        [
            player(
                "Ada",
                "red",
                "denver--oklahoma-city",  # 4
                "denver--helena",  # 4
                "helena--seattle",  # 6
                "portland--seattle-1",  # 1
                "portland--salt-lake-city",  # 6
                "salt-lake-city--san-francisco-1",  # 5
                "portland--san-francisco-1",  # 5
                "los-angeles--san-francisco-1",  # 3
                "duluth--helena",  # 6
                "calgary--seattle",  # 4
                "seattle--vancouver-1",  # 1
            )
        ]
    )
    said = words(explanation)
    assert explanation.trail.length == 4 + 4 + 6 + 1 + 6 + 5 + 5
    assert not explanation.certificate.is_one_bound
    assert f"So {explanation.certificate.cases} cases are told apart" in said
    assert "with Portland – Seattle" in said
    assert "without Portland – Seattle" in said
    assert "No case allows more than 31, so nothing longer exists." in said


def test_without_a_route_there_is_no_path_and_no_bonus() -> None:
    said = words(told([player("Ada", "red"), player("Ben", "blue")]))
    assert "Ada has no route, so no path." in said
    assert "Nobody has a route, so nobody gets the bonus." in said


def test_games_without_a_map_have_nothing_to_explain() -> None:
    document = {"name": "Ada", "colour": "blue", "route_lengths": {"1": 3}, "tickets": []}
    with pytest.raises(NoPathError):
        told([document], game="paris")


@pytest.mark.parametrize("board", BOARDS_WITH_DATA)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_random_position_can_be_explained(board: str, language: str) -> None:
    random = Random(11)
    for _ in range(25):
        game = parse_game(any_game(load_board(board), random))
        for one in game.players:
            explanation = explain(game, one)
            said = words(explanation, language)
            assert str(explanation.trail.length) in said
            assert "{" not in said
            for ceiling_pairs in _all_pairs(explanation):
                nodes = [node for pair in ceiling_pairs for node in pair.nodes]
                assert len(nodes) == len(set(nodes))


def _all_pairs(explanation: Explanation) -> Any:
    argument = explanation.certificate.argument
    bounds = getattr(argument, "bounds", ())
    for ceiling in bounds:
        pairs = explanation.pairs(ceiling)
        routes = [route for pair in pairs for route in pair.routes]
        assert sorted(routes) == sorted(ceiling.left_out or ())
        assert {node for pair in pairs for node in pair.nodes} <= set(ceiling.odd)
        yield pairs


def test_the_document_names_the_proof_as_programs_read_it() -> None:
    """One route of 4 wagons: the network has no more, so one bound settles it, in one case."""
    document: Any = told([player("Ada", "red", "denver--omaha")]).to_json()
    certificate = document["certificate"]
    assert set(certificate) == {"settled_by_ceiling", "cases", "argument", "verified"}
    assert certificate["settled_by_ceiling"] is True
    assert certificate["cases"] == 1
    (piece,) = certificate["argument"]["pieces"]
    assert (piece["routes"], piece["wagons"], piece["most"]) == (["denver--omaha"], 4, 4)
