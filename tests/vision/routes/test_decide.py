"""One owner a route, and a question wherever what is seen does not settle it."""

import itertools
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from scoring.board.board import Board, load_board
from vision.reading import Why
from vision.routes.decide import decide_routes
from vision.routes.rule_warnings import rule_warnings
from vision.spaces.evidence import SpaceEvidence

USA = load_board("usa")
FRANCE = load_board("france")
GERMANY = load_board("germany")


def evidence(
    board: Board, seen: Mapping[str, list[str] | str], sure: float = 0.999
) -> SpaceEvidence:
    """Each named route shows the words given (one for all spaces, or one a space); others empty.

    A word may end in "?": then it is hardly likelier than "empty" (or a blue wagon).
    """
    labels = ("empty", "occluded", *board.player_colours)
    rows = []
    for route in board.routes:
        words = seen.get(route.id, "empty")
        for word in [words] * route.length if isinstance(words, str) else words:
            rows.append(distribution(word, labels, sure))
    return SpaceEvidence(labels, np.array(rows))


def distribution(word: str, labels: tuple[str, ...], sure: float) -> list[float]:
    name = word.rstrip("?")
    if name != word:
        sure = 0.55
        other = "blue" if name == "empty" else "empty"
        row = [0.01 / len(labels)] * len(labels)
        row[labels.index(other)] += 0.99 - sure
    else:
        row = [(1 - sure) / (len(labels) - 1)] * len(labels)
    row[labels.index(name)] += sure - row[labels.index(name)]
    return list(np.array(row) / sum(row))


def showing(
    seen: SpaceEvidence, board: Board, route: str, *spaces: Mapping[str, float]
) -> SpaceEvidence:
    """The same evidence but for a route's first spaces, which show just these probabilities."""
    rows = seen.probabilities.copy()
    for row, shown in zip(rows[board.spaces_of[route]], spaces, strict=False):
        row[:] = [shown.get(label, 0.0) for label in seen.labels]
    return replace(seen, probabilities=rows)


def test_an_empty_board_has_no_owners_and_no_questions() -> None:
    routes = decide_routes(evidence(USA, {}), USA)
    assert list(routes) == [route.id for route in USA.routes]
    assert {route.owner for route in routes.values()} == {None}
    assert not [name for name, route in routes.items() if route.review]


def test_a_route_full_of_one_colour_belongs_to_it() -> None:
    routes = decide_routes(evidence(USA, {"denver--omaha": "green"}), USA)
    assert routes["denver--omaha"].owner == "green"
    assert not routes["denver--omaha"].review
    assert [space.label for space in routes["denver--omaha"].spaces] == ["green"] * 4


def test_one_wagon_fallen_off_a_long_route_does_not_take_it_away() -> None:
    seen = {"miami--new-orleans": ["red", "red", "empty", "red", "red", "red"]}
    route = decide_routes(evidence(USA, seen), USA)["miami--new-orleans"]
    assert route.owner == "red"
    assert not route.review


def test_one_wagon_lying_on_an_empty_route_is_asked_about() -> None:
    seen = {"miami--new-orleans": ["empty", "empty", "red", "empty", "empty", "empty"]}
    route = decide_routes(evidence(USA, seen), USA)["miami--new-orleans"]
    assert route.owner is None
    assert route.review


def test_half_empty_half_claimed_is_asked_about_with_both_answers_offered() -> None:
    seen = {"atlanta--charleston": ["red", "empty"]}
    route = decide_routes(evidence(USA, seen), USA)["atlanta--charleston"]
    assert route.review
    assert {owner for owner, _ in route.alternatives[:2]} == {"red", None}


def test_a_hidden_route_is_asked_about_and_never_called_empty_for_sure() -> None:
    seen = {"denver--omaha": "occluded"}
    route = decide_routes(evidence(USA, seen), USA)["denver--omaha"]
    assert route.review
    assert route.confidence < 0.9


def test_what_is_seen_of_a_half_hidden_route_settles_it() -> None:
    seen = {"denver--omaha": ["green", "green", "green", "occluded"]}
    route = decide_routes(evidence(USA, seen), USA)["denver--omaha"]
    assert route.owner == "green"
    assert not route.review


def test_an_unsure_space_is_asked_about() -> None:
    route = decide_routes(evidence(USA, {"atlanta--nashville": "red?"}), USA)["atlanta--nashville"]
    assert route.review


def test_a_single_space_has_to_be_surely_empty_where_longer_routes_need_less() -> None:
    routes = decide_routes(evidence(USA, {}, sure=0.99), USA)
    assert {route.length for route in USA.routes if routes[route.id].review} == {1}
    assert all(routes[route.id].review for route in USA.routes if route.length == 1)
    assert not any(r.review for r in decide_routes(evidence(USA, {}, sure=0.999), USA).values())


def test_a_colour_never_seen_elsewhere_needs_more_than_a_hunch() -> None:
    """A dark printed space may look a little like a black wagon; black is not in the game."""
    others = {"denver--omaha": "green", "calgary--seattle": "red", "atlanta--nashville": "black?"}
    route = decide_routes(evidence(USA, others), USA)["atlanta--nashville"]
    assert route.owner is None
    assert route.review


def test_one_colour_on_both_lines_of_a_double_is_read_as_seen_and_asked_about() -> None:
    """Boards are staged, not only played: a rule may make us ask, never turn the owner round."""
    seen = {"denver--kansas-city-1": "red", "denver--kansas-city-2": "red"}
    routes = decide_routes(evidence(USA, seen), USA)
    assert routes["denver--kansas-city-1"].owner == "red"
    assert routes["denver--kansas-city-2"].owner == "red"
    assert routes["denver--kansas-city-1"].review
    assert routes["denver--kansas-city-2"].review
    assert {routes[f"denver--kansas-city-{line}"].why for line in (1, 2)} == {(Why.DOUBLE,)}
    warnings = {warning.code: warning for warning in rule_warnings(routes, USA)}
    twice = warnings["double-held-twice"]
    assert twice.routes == ("denver--kansas-city-1", "denver--kansas-city-2")
    assert "one of Denver – Kansas City (1), Denver – Kansas City (2)." in str(twice.message)


def test_a_shaky_second_line_of_a_double_is_not_given_to_the_owner_of_the_first() -> None:
    """Wagons lean into the neighbouring line: the rules tip the balance, and a person is asked."""
    seen = {
        "denver--kansas-city-1": "red",
        "denver--kansas-city-2": ["red?", "red?", "empty?", "red?"],
    }
    routes = decide_routes(evidence(USA, seen), USA)
    assert routes["denver--kansas-city-1"].owner == "red"
    assert routes["denver--kansas-city-2"].review


def test_three_players_close_the_second_line_of_a_double() -> None:
    """USA: "In two or three player games, only one of the double routes can be used." What is half
    blue, half nobody's is then nobody's; a line full of wagons is read as it stands. Four may use
    both."""
    read = {}
    for shown, players in itertools.product(("blue?", "blue"), (3, 4)):
        board = replace(USA, player_colours=("blue", "red", "green", "black")[:players])
        seen = {"denver--kansas-city-1": "red", "denver--kansas-city-2": shown}
        routes = decide_routes(evidence(board, seen), board)
        assert routes["denver--kansas-city-1"].owner == "red"
        read[shown, players] = routes["denver--kansas-city-2"].owner
    assert read == {
        ("blue?", 3): None,
        ("blue?", 4): "blue",
        ("blue", 3): "blue",
        ("blue", 4): "blue",
    }


def test_wagons_knocked_between_two_lines_are_asked_about_on_both() -> None:
    """Red's wagons lie mostly on the first line, and one of them as much on the second."""
    seen = {"denver--kansas-city-1": "red", "denver--kansas-city-2": ["empty"] * 3 + ["red"]}
    routes = decide_routes(evidence(USA, seen), USA)
    assert routes["denver--kansas-city-1"].review
    assert routes["denver--kansas-city-2"].review


def with_another_length(line: str, length: int) -> Board:
    """USA, this line of a double printed longer or shorter: a place apart from its neighbour."""
    other = replace(USA.route_by_id[line], length=length)
    return replace(USA, routes=tuple(other if r.id == line else r for r in USA.routes))


def test_a_wagon_between_two_lines_of_a_place_is_no_question_and_between_two_places_one() -> None:
    """8 % of blue on the doubtful second space speak of the first line's wagon."""
    one, other = "portland--seattle-1", "portland--seattle-2"
    for board, asked in ((USA, False), (with_another_length(one, 2), True)):
        seen = evidence(board, {one: "blue"}, sure=0.999)
        seen = showing(seen, board, other, {"empty": 0.92, "blue": 0.08})
        routes = decide_routes(seen, board)
        assert (routes[one].owner, routes[other].owner) == ("blue", None)
        assert (routes[one].review, routes[other].review) == (asked, asked)


def test_traces_of_a_neighbours_wagons_add_up_over_a_line_that_seems_free() -> None:
    """Two of its four spaces are red by 35 %: together 0.7 of a wagon of the line beside it."""
    one, other = "denver--kansas-city-1", "denver--kansas-city-2"
    board = with_another_length(one, 5)
    seen = evidence(board, {one: "red"}, sure=0.9999)
    assert not decide_routes(seen, board)[other].review
    for part, asked in ((0.35, True), (0.2, False)):
        seen = showing(seen, board, other, *[{"empty": 1 - part, "red": part}] * 2)
        routes = decide_routes(seen, board)
        assert (routes[one].owner, routes[other].owner) == ("red", None)
        assert routes[other].confidence > 0.985
        assert (routes[one].review, routes[other].review) == (asked, asked)


def test_a_doubtful_line_with_a_part_of_its_neighbours_wagons_is_asked_about_with_it() -> None:
    """Seen steeply: of three spaces one is a third blue and half hidden, one wholly hidden."""
    one, other = "los-angeles--san-francisco-2", "los-angeles--san-francisco-1"
    seen = evidence(USA, {one: "blue"}, sure=0.9999)
    for shown, asked in ((0.3, True), (0.0, False)):
        first = {"empty": 0.5 - shown, "occluded": 0.5, "blue": shown}
        last = {"empty": 0.5, "occluded": 0.5}
        routes = decide_routes(showing(seen, USA, other, first, {"occluded": 1.0}, last), USA)
        assert routes[other].review
        assert (routes[one].owner, routes[one].review) == ("blue", asked)


def test_a_free_line_with_a_trace_of_white_is_asked_about_and_of_another_colour_is_not() -> None:
    """White wagons on pale print are missed the most: 2 % of one on one space of two is enough."""
    route = next(r for r in GERMANY.routes if r.length == 2 and r.parallel_group is None)
    for colour, asked in (("white", True), ("red", False)):
        seen = evidence(GERMANY, {}, sure=0.9999)
        seen = showing(seen, GERMANY, route.id, {"empty": 0.98, colour: 0.02})
        read = decide_routes(seen, GERMANY)[route.id]
        assert (read.owner, read.review) == (None, asked)
    read = decide_routes(evidence(GERMANY, {route.id: "white"}, sure=0.9999), GERMANY)[route.id]
    assert (read.owner, read.review) == ("white", False), "a whole claim of white is no trace"


def test_a_doubtful_line_leaves_its_neighbour_alone_where_no_wagon_of_it_shows() -> None:
    seen = {"denver--kansas-city-1": "red", "denver--kansas-city-2": ["empty"] * 3 + ["blue"]}
    routes = decide_routes(evidence(USA, seen), USA)
    assert not routes["denver--kansas-city-1"].review
    assert routes["denver--kansas-city-2"].review


def test_crossing_routes_of_france_are_both_read_and_reported() -> None:
    first, second = FRANCE.crossings[0]
    routes = decide_routes(evidence(FRANCE, {first: "red", second: "blue"}), FRANCE)
    assert (routes[first].owner, routes[second].owner) == ("red", "blue")
    codes = {warning.code: warning.routes for warning in rule_warnings(routes, FRANCE)}
    assert codes["crossing-built-over"] == (first, second)


def test_a_doubtful_route_is_free_where_one_that_crosses_it_is_built() -> None:
    """Where one lies the other is closed: what is half blue, half nobody's is then nobody's."""
    first, second = FRANCE.crossings[0]
    alone = decide_routes(evidence(FRANCE, {second: "blue?"}), FRANCE)
    beside = decide_routes(evidence(FRANCE, {first: "red", second: "blue?"}), FRANCE)
    assert (alone[second].owner, beside[second].owner) == ("blue", None)
    assert (beside[first].owner, beside[second].review) == ("red", True)


def test_a_board_file_that_makes_everything_cross_is_decided_all_the_same() -> None:
    """Twenty routes of six possible owners each, every two of them said to cross."""
    tangle = [route.id for route in USA.routes if route.length > 2][:20]
    board = replace(USA, crossings=tuple(itertools.combinations(tangle, 2)))
    seen = {tangle[0]: "red", tangle[7]: ["green", "green", "green?"] + ["green"] * 3}
    seen[tangle[7]] = seen[tangle[7]][: USA.route_by_id[tangle[7]].length]
    routes = decide_routes(evidence(board, seen), board)
    claimed = {name: routes[name].owner for name in tangle if routes[name].owner}
    assert claimed == {tangle[0]: "red", tangle[7]: "green"}


def test_more_wagons_than_the_set_has_is_reported_with_its_routes() -> None:
    long_routes = [route.id for route in USA.routes if route.length == 6][:8]
    routes = decide_routes(evidence(USA, dict.fromkeys(long_routes, "blue")), USA)
    codes = {warning.code: warning.routes for warning in rule_warnings(routes, USA)}
    assert set(codes["too-many-wagons"]) == set(long_routes)
    all_of_them = [*long_routes[:7], "calgary--vancouver"]
    routes = decide_routes(evidence(USA, dict.fromkeys(all_of_them, "blue")), USA)
    assert sum(USA.route_by_id[name].length for name in all_of_them) == 45
    assert rule_warnings(routes, USA) == []


@pytest.mark.parametrize("board_id", ["usa", "germany", "france"])
def test_every_route_of_the_board_is_decided_with_probabilities(board_id: str) -> None:
    board = load_board(board_id)
    routes = decide_routes(evidence(board, {}), board)
    assert len(routes) == len(board.routes)
    for route in routes.values():
        assert 0 <= route.confidence <= 1
        assert route.alternatives[0][0] == route.owner


def with_doubts(read: SpaceEvidence, share: float, sure: float) -> SpaceEvidence:
    """So large a part of all other spaces than Nashville to Saint Louis' is only so sure: empty."""
    other = [k for k in range(USA.space_count) if k not in range_of("nashville--saint-louis")]
    rows = read.probabilities.copy()
    for k in other[:: round(1 / share)]:
        rows[k] = 0.0
        rows[k, 0], rows[k, 1] = sure, 1 - sure
    return SpaceEvidence(read.labels, rows)


def range_of(route: str) -> range:
    return range(USA.space_count)[USA.spaces_of[route]]


def asked_about_nashville(share: float, sure: float = 0.9) -> bool:
    read = evidence(USA, {"nashville--saint-louis": "green"})
    rows = read.probabilities.copy()
    rows[range_of("nashville--saint-louis")] = distribution("green", read.labels, 0.955)
    clear = SpaceEvidence(read.labels, rows)
    routes = decide_routes(with_doubts(clear, share, sure), USA)
    assert routes["nashville--saint-louis"].owner == "green"
    return routes["nashville--saint-louis"].review


def test_on_a_board_that_is_a_puzzle_more_is_asked_about() -> None:
    assert not asked_about_nashville(share=1 / 40)
    assert not asked_about_nashville(share=1 / 4, sure=0.99)  # many spaces, none of them doubtful
    assert asked_about_nashville(share=1 / 4)


@pytest.mark.parametrize(
    ("seen", "asked", "why"),
    [
        ({"denver--omaha": "occluded"}, "denver--omaha", Why.HIDDEN),
        ({"denver--omaha": ["green", *["occluded"] * 3]}, "denver--omaha", Why.HIDDEN),
        (
            {"miami--new-orleans": ["empty", "empty", "red", "empty", "empty", "empty"]},
            "miami--new-orleans",
            Why.STRAY_WAGON,
        ),
        ({"denver--omaha": ["red", "red", "green", "green"]}, "denver--omaha", Why.DISAGREE),
        ({"atlanta--charleston": ["red", "empty"]}, "atlanta--charleston", Why.UNSURE),
        ({"atlanta--nashville": "red?"}, "atlanta--nashville", Why.SINGLE_SPACE),
        (
            {"denver--kansas-city-1": "red", "denver--kansas-city-2": "red"},
            "denver--kansas-city-2",
            Why.DOUBLE,
        ),
        (
            {"denver--kansas-city-1": "red", "denver--kansas-city-2": ["empty"] * 3 + ["red"]},
            "denver--kansas-city-1",
            Why.NEIGHBOUR,
        ),
    ],
)
def test_the_reading_says_why_it_asks(
    seen: dict[str, list[str] | str], asked: str, why: Why
) -> None:
    assert why in decide_routes(evidence(USA, seen), USA)[asked].why


def test_a_route_asked_about_because_the_board_is_doubtful_says_so() -> None:
    """Its spaces are sure enough of green for a board that is read well."""
    read = evidence(USA, {"nashville--saint-louis": "green"})
    rows = read.probabilities.copy()
    rows[range_of("nashville--saint-louis")] = distribution("green", read.labels, 0.955)
    read = replace(read, probabilities=rows)
    whys = decide_routes(with_doubts(read, 1 / 4, 0.9), USA)["nashville--saint-louis"].why
    assert whys == (Why.WARY_BOARD,)


def test_what_a_witness_doubted_is_named_where_a_route_is_asked_about_and_nowhere_else() -> None:
    asked, sure, other = "atlanta--nashville", "denver--omaha", "atlanta--charleston"
    read = evidence(USA, {asked: "red?", sure: "green", other: ["red", "empty"]})
    doubted = frozenset(n for name in (asked, sure) for n in range_of(name))
    routes = decide_routes(replace(read, doubts={Why.ROOF_COLOUR: doubted}), USA)
    assert Why.ROOF_COLOUR in routes[asked].why
    assert routes[sure].why == ()
    assert routes[other].review
    assert Why.ROOF_COLOUR not in routes[other].why


def test_evidence_that_was_handed_over_cannot_be_written_into() -> None:
    with pytest.raises(ValueError, match="read-only"):
        evidence(USA, {}).probabilities[0, 0] = 1.0
