"""Impossible games: every problem is found at once, each sentence naming player and field."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import AssumptionError, GameError, UnknownBoardError
from scoring.sheet.sheet import score_game
from tests.support.documents import changed

GERMANY: dict[str, Any] = {
    "game": "germany",
    "players": [
        {
            "name": "Ada",
            "colour": "red",
            "routes": ["berlin--magdeburg"],
            "tickets": [["frankreich", "leipzig"]],
            "passengers": {"green": 2},
        },
        {"name": "Bo", "colour": "white", "routes": [], "tickets": [["emden", "hamburg"]]},
    ],
}
PARIS: dict[str, Any] = {
    "game": "paris",
    "players": [{"name": "Ada", "route_lengths": {"1": 2}, "tickets": [], "flags": 1}],
}
CARDS: dict[str, Any] = {
    "game": "card-game",
    "players": [
        {
            "name": "Ada",
            "cards": {"red": 2},
            "tickets": [{"from": "omaha", "to": "miami", "points": 5, "cards": {"red": 1}}],
        }
    ],
}


def problems_of(game: object) -> list[str]:
    with pytest.raises(GameError) as caught:
        score_game(game)
    return caught.value.problems


ADA, BO = ("players", 0), ("players", 1)

ONE_PROBLEM: list[tuple[Any, str]] = [
    (
        changed(GERMANY, *ADA, "routes", to=["berlin--magdeburg", "dallas--houston-1"]),
        'Ada: routes: "dallas--houston-1" is a route of Ticket to Ride (USA), '
        "not of Ticket to Ride Germany",
    ),
    (
        changed(GERMANY, *ADA, "routes", to=["berlin-magdeburg"]),
        'Ada: routes: "berlin-magdeburg" is no route of Ticket to Ride Germany; '
        "did you mean berlin--magdeburg?",
    ),
    (
        changed(GERMANY, *ADA, "routes", to=["leipzig--berlin"]),
        'Ada: routes: "leipzig--berlin" is no route of Ticket to Ride Germany; '
        "did you mean berlin--leipzig?",
    ),
    (
        changed(GERMANY, *ADA, "routes", to=["hamburg--berlin"]),
        'Ada: routes: "hamburg--berlin" is no route of Ticket to Ride Germany; '
        "did you mean berlin--hamburg-1?",
    ),
    (
        changed(GERMANY, *ADA, "routes", to=[7]),
        "Ada: routes: 7 is no route of Ticket to Ride Germany",
    ),
    (
        changed(GERMANY, *ADA, "routes", to="berlin--magdeburg"),
        'Ada: routes: must be a list, not "berlin--magdeburg"',
    ),
    (
        changed(GERMANY, *BO, "routes", to=["berlin--magdeburg"]),
        "Ada, Bo: routes: Berlin – Magdeburg can belong to one of them only",
    ),
    (
        changed(GERMANY, *ADA, "routes", to=["berlin--magdeburg"] * 2),
        "Ada: routes: Berlin – Magdeburg is listed twice",
    ),
    (
        changed(GERMANY, *ADA, "colour", to="blue"),
        'Ada: colour: "blue" is none of white, red, purple, yellow, black',
    ),
    (
        changed(GERMANY, *BO, "colour", to="red"),
        "Ada, Bo: colour: all of them play red",
    ),
    (
        changed(GERMANY, *BO, "name", to="Ada"),
        "Ada: name: 2 players have this name",
    ),
    (
        changed(GERMANY, *BO, "name", to=""),
        'player 2: name: must be a text on one line, not ""',
    ),
    (
        changed(GERMANY, *BO, "name", to="Bo\nthe Second"),
        'player 2: name: must be a text on one line, not "Bo\N{REPLACEMENT CHARACTER}the Second"',
    ),
    (
        changed(GERMANY, *BO, "name", to="\ud800"),
        'player 2: name: must be a text on one line, not "\N{REPLACEMENT CHARACTER}"',
    ),
    (
        changed(GERMANY, *BO, "tickets", to=[["leipzig", "frankreich"]]),
        "Ada, Bo: tickets: Leipzig – Frankreich can be held by one of them only",
    ),
    (
        changed(GERMANY, *BO, "tickets", to=[["emden", "hamburg"], "emden--hamburg"]),
        "Bo: tickets: Emden – Hamburg is given twice",
    ),
    (
        changed(GERMANY, *BO, "tickets", to=[["emden", "ulm"]]),
        "Bo: tickets.1: Emden – Ulm is no ticket of Ticket to Ride Germany; "
        "a ticket of another set is typed as from, to and points",
    ),
    (
        changed(GERMANY, *BO, "tickets", to=[["emden", "hambrug"]]),
        'Bo: tickets.1: "hambrug" is no place of Ticket to Ride Germany; did you mean Hamburg?',
    ),
    (
        changed(GERMANY, *BO, "tickets", to=[["emden", "emden"]]),
        "Bo: tickets.1: a ticket joins two different places, not Emden with itself",
    ),
    (
        changed(GERMANY, *BO, "tickets", to=[["emden", "hamburg", "kiel"]]),
        "Bo: tickets.1: a ticket is two places, an id, or an object with points, not […]",
    ),
    (
        changed(GERMANY, *BO, "tickets", to=[{"points": 4}]),
        "Bo: tickets.1: no map can tell whether the ticket is completed; "
        "add completed: true or false",
    ),
    (
        changed(GERMANY, *BO, "tickets", to=[{"from": "emden", "to": "ulm", "points": "8"}]),
        'Bo: tickets.1.points: must be a whole number from 0 to 100, not "8"',
    ),
    (
        changed(GERMANY, *ADA, "passengers", to={"green": -1}),
        "Ada: passengers.green: must be a whole number from 0 to 1000, not -1",
    ),
    (
        changed(GERMANY, *ADA, "passengers", to={"green": True}),
        "Ada: passengers.green: must be a whole number from 0 to 1000, not true",
    ),
    (
        changed(GERMANY, *ADA, "passengers", to={"green": float("nan")}),
        "Ada: passengers.green: must be a whole number from 0 to 1000, not nan",
    ),
    (
        changed(GERMANY, *ADA, "passengers", to={"green": 10**400}),
        "Ada: passengers.green: must be a whole number from 0 to 1000, not …",
    ),
    (
        changed(GERMANY, *ADA, "passengers", to={"green": 11}),
        "passengers (green): 11 in all, but the bag holds 10; Ada (11)",
    ),
    (
        changed(
            changed(GERMANY, *ADA, "passengers", to={"green": 6}),
            *BO,
            "passengers",
            to={"green": 5},
        ),
        "passengers (green): 11 in all, but the bag holds 10; Ada (6), Bo (5)",
    ),
    (
        changed(GERMANY, *ADA, "passengers", to={"purple": 1}),
        'Ada: passengers: "purple" is none of red, green, yellow, black, blue, white',
    ),
    (
        changed(GERMANY, *ADA, "flags", to=2),
        "Ada: flags: Ticket to Ride Germany doesn't score these",
    ),
    (
        changed(GERMANY, *ADA, "bonuses", to={"mandala": 3}),
        "Ada: bonuses: Ticket to Ride Germany doesn't score these",
    ),
    (
        changed(GERMANY, *ADA, "tikets", to=[]),
        'Ada: player: there is no field "tikets"; did you mean tickets?',
    ),
    (
        changed(GERMANY, *ADA, "marker", to=-3),
        "Ada: marker: must be a whole number from 0 to 1000, not -3",
    ),
    (
        changed(GERMANY, "settings", to={"globetroter-needs-a-ticket": True}),
        'game: settings: there is no setting "globetroter-needs-a-ticket"; '
        "did you mean globetrotter-needs-a-ticket?",
    ),
    (
        changed(GERMANY, "settings", to={"big-city-tie": "some"}),
        'game: big-city-tie: "some" is none of all, none',
    ),
    (
        changed(GERMANY, *BO, "tickets", to=[{"points": 1, "completed": True}] * 1001),
        "Bo: tickets: 1001 entries are more than any game has (1000)",
    ),
    (
        changed(GERMANY, "players", to=[]),
        "game: players: 0 players, but Ticket to Ride Germany is for 1 to 5",
    ),
    (
        changed(PARIS, *ADA, "route_lengths", to={"4": 1}),
        "Ada: route_lengths: the table of points has no row for length 4; "
        "give it in settings route-points",
    ),
    (
        changed(PARIS, *ADA, "route_lengths", to={"one": 1}),
        'Ada: route_lengths: "one" is no route length; lengths are 1 to 20',
    ),
    (
        changed(PARIS, *ADA, "route_lengths", to={"21": 1}),
        'Ada: route_lengths: "21" is no route length; lengths are 1 to 20',
    ),
    (
        changed(PARIS, *ADA, "tickets", to=[{"points": 4, "completed": "yes"}]),
        'Ada: tickets.1: must be true or false, not "yes"',
    ),
    (
        changed(CARDS, *ADA, "cards", to={"red": 11}),
        "cards (red): 11 in all, but the deck holds 10; Ada (11)",
    ),
    (
        changed(CARDS, *ADA, "cards", to={"crimson": 1}),
        'Ada: cards: "crimson" is none of pink, purple, blue, orange, white, green, yellow, '
        "black, red, locomotive",
    ),
    (
        changed(CARDS, *ADA, "cards", to={"pink": 1, "purple": 1}),
        "Ada: cards: pink and purple are two words for one card; use one of them",
    ),
    (
        changed(
            changed(CARDS, *ADA, "cards", to={"purple": 1}),
            *ADA,
            "tickets",
            to=[{"points": 5, "cards": {"pink": 1}}],
        ),
        "Ada: cards: pink and purple are two words for one card; use one of them",
    ),
    (
        changed(CARDS, *ADA, "tickets", to=[{"from": "omaha", "to": "miami", "points": 5}]),
        "Ada: tickets.1: add the ticket's cards, or completed: true or false",
    ),
    (
        changed(CARDS, *ADA, "tickets", to=[["omaha", "miami"]]),
        "Ada: tickets.1: Omaha – Miami is no ticket of Ticket to Ride The Card Game; "
        "a ticket of another set is typed as from, to and points",
    ),
    (
        changed(CARDS, *ADA, "failed", to=[{"points": 1}] * 46),
        "47 tickets are held in all, but the set has 46: please check the tickets that were typed",
    ),
]


@pytest.mark.parametrize(("game", "problem"), ONE_PROBLEM, ids=lambda value: str(value)[:50])
def test_each_mistake_is_named_with_its_player_and_field(game: object, problem: str) -> None:
    assert problems_of(game) == [problem]


@pytest.mark.parametrize("ticket", ["chicago--atlanta", "atlanta--chicago"])
def test_a_ticket_s_id_may_have_either_place_first(ticket: str) -> None:
    """The file has Chicago first, a route's id would have Atlanta: 5 points, not completed."""
    game = {"game": "usa", "players": [{"name": "Ada", "colour": "red", "tickets": [ticket]}]}
    (ada,) = score_game(game).players
    assert (ada.total, ada.tickets_completed) == (-5, 0)
    assert problems_of(changed(game, *ADA, "tickets", to=[ticket, "chicago--atlanta"]))


def test_figures_of_another_game_that_are_all_zero_say_nothing() -> None:
    nothing = {"passengers": {"green": 0}, "flags": 0, "cards": {"red": 0}, "route_lengths": {}}
    game = {"game": "usa", "players": [{"name": "Ada", "colour": "red", **nothing}]}
    assert score_game(game).players[0].total == 0
    (problem,) = problems_of(changed(game, *ADA, "passengers", to={"green": 1}))
    assert problem == "Ada: passengers: Ticket to Ride (USA) doesn't score these"


def test_a_table_that_holds_every_ticket_of_the_set_is_scored() -> None:
    """5 points for the one that two red cards complete, less 45 of a point each."""
    sheet = score_game(changed(CARDS, *ADA, "failed", to=[{"points": 1}] * 45))
    assert [player.total for player in sheet.players] == [-40]


def test_a_map_that_nobody_taught_can_t_have_routes() -> None:
    game = {"game": "paris", "players": [{"name": "Ada", "routes": ["bastille--montmartre"]}]}
    (problem,) = problems_of(game)
    assert problem.startswith(
        "Ada: routes: no map of Ticket to Ride Paris has been taught; give route_lengths"
    )
    both = problems_of(changed(PARIS, *ADA, "routes", to=["bastille--montmartre"]))
    assert both == [problem, "Ada: route_lengths: stands in for routes; give one of the two"]


def test_all_mistakes_of_a_game_are_reported_together() -> None:
    game = {
        "game": "usa",
        "settings": {"tie-breaks": ["beauty"]},
        "players": [
            {"name": "Ada", "colour": "red", "routes": ["atlanta--miami", "x"], "tickets": [3]},
            {"name": "Bo", "colour": "red", "routes": ["atlanta--miami"], "flags": 1},
            "Cyd",
        ],
    }
    assert problems_of(game) == [
        'game: tie-breaks: "beauty" is none of tickets, longest-path, passengers, bonus-cards',
        'Ada: routes: "x" is no route of Ticket to Ride (USA)',
        "Ada: tickets.1: a ticket is two places, an id, or an object with points, not 3",
        "Bo: flags: Ticket to Ride (USA) doesn't score these",
        'player 3: player: must be an object, not "Cyd"',
        "Ada, Bo: colour: all of them play red",
        "Ada, Bo: routes: Atlanta – Miami can belong to one of them only",
    ]


def test_problems_are_told_in_italian_too() -> None:
    with pytest.raises(GameError) as caught:
        score_game(changed(GERMANY, *ADA, "passengers", to={"green": 11}))
    assert caught.value.in_language("it") == [
        "passeggeri (verde): 11 in tutto, ma il sacchetto ne contiene 10; Ada (11)"
    ]


@pytest.mark.parametrize("document", [None, 3, "usa", [], {}, {"game": 3}, {"game": "usa"}])
def test_what_is_no_game_is_refused(document: object) -> None:
    assert problems_of(document)


def test_an_unknown_game_is_named_with_the_known_ones() -> None:
    with pytest.raises(UnknownBoardError, match="known games: usa, germany, france, paris, card"):
        score_game({"game": "mars", "players": []})


@pytest.mark.parametrize(
    ("route", "owner", "words"),
    [
        ("berlin-magdeburg", "red", "did you mean berlin--magdeburg"),
        ("magdeburg--berlin", "red", "did you mean berlin--magdeburg"),
        ("berlin--magdeburg", "green", 'nobody plays "green"; owners here: red; white; or none'),
    ],
)
def test_an_assumption_about_nothing_is_refused(route: str, owner: str, words: str) -> None:
    with pytest.raises(AssumptionError, match=words):
        score_game(GERMANY, assumptions={route: owner})


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = (
    *("name", "colour", "routes", "route_lengths", "tickets", "completed", "failed"),
    *("first_pass", "passengers", "flags", "cards", "marker", "settings", "players"),
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([GERMANY, PARIS, CARDS]), st.sampled_from(FIELDS), JUNK)
def test_any_junk_in_any_field_is_scored_or_refused(
    game: dict[str, Any], field: str, junk: object
) -> None:
    """Never with another error than the one that lists the problems, each on one line."""
    path = (field,) if field in ("settings", "players") else (*ADA, field)
    for problem in refusal(changed(game, *path, to=junk)):
        assert problem.isprintable()


def refusal(game: object) -> list[str]:
    """The problems of a game, none if it was scored."""
    try:
        score_game(game)
    except GameError as error:
        return error.problems
    return []
