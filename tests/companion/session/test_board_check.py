"""What the board in play does not have is refused, in whatever field it comes."""

from typing import Any

import pytest

from companion.errors import RefusalError
from companion.session.board_check import check_event, check_number_of_players, check_state
from companion.session.events import (
    ColourChanged,
    Event,
    PassengersSet,
    PlaceAnswered,
    PlayerAdded,
    ProposedPlace,
    ReadingProposed,
    RouteConfirmed,
    RouteCorrected,
    SeatedPlayer,
    Started,
    TicketAdded,
    TicketsSet,
    TrackLaid,
)
from companion.session.reducer import fold
from scoring.board.board import load_board
from scoring.game.mapless import mapless_games
from tests.companion.tables import sure, unsure

BOARDS = {name: load_board(name) for name in ("usa", "germany", "france")}
ADA, BEN = SeatedPlayer("Ada", "red"), SeatedPlayer("Ben", "blue")
DALLAS, OTHER, DENVER, MARS = (
    "dallas--houston-1",
    "dallas--houston-2",
    "denver--omaha",
    "mars--moon",
)
TYPED = {"from": "Denver", "to": "Omaha", "points": 4}

COLOUR = "has no wagons of the colour white"
ROUTE = "has no route mars--moon"
PLACE = "not lines of equal length"
TICKET = "has no ticket"
BAG = "does not hold that many passengers"


@pytest.mark.parametrize(
    ("board", "event", "sentence"),
    [
        ("usa", Started("usa", (ADA, SeatedPlayer("Ben", "white"))), COLOUR),
        ("usa", PlayerAdded("white", "Cleo"), COLOUR),
        ("usa", ColourChanged("red", "white"), COLOUR),
        ("usa", ReadingProposed({DENVER: sure("white")}), COLOUR),
        ("usa", ReadingProposed({DENVER: unsure("red", "white")}), COLOUR),
        ("usa", ReadingProposed({MARS: sure("red")}), ROUTE),
        ("usa", RouteConfirmed(MARS), ROUTE),
        ("usa", RouteCorrected(MARS, None), ROUTE),
        ("usa", PlaceAnswered((MARS,), ("red",)), ROUTE),
        ("france", TrackLaid(MARS), ROUTE),
        ("usa", TrackLaid(DENVER), "No track piece can lie"),
        ("usa", PlaceAnswered((DALLAS, DENVER), ("red", None)), PLACE),
        ("usa", ReadingProposed({}, places=(ProposedPlace((DALLAS, DALLAS), ()),)), PLACE),
        ("usa", PlaceAnswered(("atlanta--miami", "calgary--seattle"), ("red", None)), PLACE),
        ("usa", ReadingProposed({}, places=(ProposedPlace((DALLAS, DENVER), ()),)), PLACE),
        ("usa", TicketAdded("red", MARS), TICKET),
        ("usa", TicketsSet("red", ("denver--el-paso", MARS)), TICKET),
        ("usa", TicketAdded("red", {"from": "Denver", "to": "Omaha"}), TICKET),
        ("germany", PassengersSet("red", {"green": 11}), BAG),
        ("germany", PassengersSet("red", {"mauve": 1}), BAG),
    ],
)
def test_what_the_board_lacks_is_refused(board: str, event: Event, sentence: str) -> None:
    with pytest.raises(RefusalError, match=sentence):
        check_event(event, BOARDS[board])


@pytest.mark.parametrize(
    ("board", "event"),
    [
        ("usa", Started("usa", (ADA, BEN))),
        (
            "usa",
            ReadingProposed({DENVER: unsure("red", None)}, places=(ProposedPlace((DENVER,), ()),)),
        ),
        ("usa", RouteCorrected(DENVER, None)),
        ("usa", PlaceAnswered((DALLAS, OTHER), ("red", None))),
        ("usa", PlaceAnswered((DENVER,), ("red",))),
        ("france", TrackLaid("clermont-ferrand--rodez")),
        ("usa", TicketAdded("red", "denver--el-paso")),
        ("usa", TicketAdded("red", TYPED)),
        ("germany", PassengersSet("red", {"green": 10})),
    ],
)
def test_what_it_has_is_taken(board: str, event: Event) -> None:
    check_event(event, BOARDS[board])


def test_without_a_map_a_ticket_may_say_less() -> None:
    for game in mapless_games():
        check_event(TicketAdded("red", {"points": 5, "completed": True}), game)


@pytest.mark.parametrize("count", range(1, 7))
def test_germany_is_for_two_to_five(count: int) -> None:
    colours = ("white", "red", "purple", "yellow", "black", "blue")[:count]
    seats = tuple(SeatedPlayer(colour.title(), colour) for colour in colours)
    state = fold([Started("germany", seats)])
    if 2 <= count <= 5:
        check_number_of_players(state, BOARDS["germany"])
    else:
        with pytest.raises(RefusalError, match="for 2 to 5 players"):
            check_number_of_players(state, BOARDS["germany"])


START = Started("germany", (ADA, SeatedPlayer("Ben", "white")))
LINE = "berlin--magdeburg"


@pytest.mark.parametrize(
    "events",
    [
        [Started("germany", (ADA, BEN))],
        [START, RouteCorrected(MARS, "red")],
        [START, ReadingProposed({MARS: sure("red")})],
        [START, ReadingProposed({LINE: sure("blue")})],
        [START, ReadingProposed({}, places=(ProposedPlace((LINE, LINE), ()),))],
        [START, TicketAdded("red", MARS)],
        [START, PassengersSet("white", {"green": 11})],
    ],
)
def test_a_game_that_no_longer_fits_its_board_is_not_taken_up_again(events: list[Any]) -> None:
    """Germany has no blue wagons."""
    state = fold(events)
    with pytest.raises(RefusalError, match="was changed since that game"):
        check_state(state, BOARDS["germany"])


def test_a_game_that_fits_is_taken_up_again() -> None:
    events = [START, RouteCorrected(LINE, "red"), ReadingProposed({LINE: sure("white")})]
    check_state(fold([*events, PassengersSet("white", {"green": 2})]), BOARDS["germany"])
