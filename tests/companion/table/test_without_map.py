"""The Card Game and Paris by counts at the real table: first pass, box and refusals."""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from companion.session.events import SeatedPlayer, Started, TicketAdded, TypedSet
from companion.session.reducer import fold
from companion.table.first_pass import first_pass_of
from companion.table.live_score import reckon
from companion.table.table import Table
from companion.user_files.board_choice import games_here
from hardware.console.console import Button, Lamp
from hardware.console.virtual import VirtualConsole
from scoring.documents.card_set import card_set_from_json
from scoring.game.mapless import card_game, mapless_games
from scoring.language import Message
from tests.companion.tables import new_table
from tests.web.test_taught_board import small_paris
from web.app import create_app
from web.errors import ActionRefusedError

FOUR = [
    {"name": name, "colour": colour}
    for name, colour in zip(
        ("Ada", "Ben", "Cleo", "Dan"), ("blue", "red", "green", "yellow"), strict=True
    )
]


def ticket(start: str, end: str, points: int, **cards: int) -> dict[str, Any]:
    return {"from": start, "to": end, "points": points, "cards": cards}


@pytest.fixture
def console() -> VirtualConsole:
    return VirtualConsole()


@pytest.fixture
def table(tmp_path: Path, console: VirtualConsole) -> Iterator[Table]:
    return new_table(tmp_path, console=console, open_camera=None, boards=mapless_games())


def start(table: Table, board: str, players: list[dict[str, str]]) -> None:
    table.act("start", {"board": board, "players": players, "camera": True})


def typed(table: Table, colour: str) -> Mapping[str, Any]:
    return table.state()["figures"][colour]


@pytest.mark.parametrize("address", ["/api/act", "/api/v1/actions"])
def test_paris_is_played_by_counts_until_somebody_teaches_its_map(
    table: Table, address: str
) -> None:
    """Two lines of 1, one of 2 and a flag: 2 + 2 + 4."""
    lengths = {"player": "red", "route_lengths": {"1": 2, "2": 1}}
    with create_app(table).test_client() as client:
        game = {"board": "paris", "players": FOUR[:2], "camera": False}
        assert client.post(f"{address}/start", json=game).status_code == 200
        client.post(f"{address}/set-route-lengths", json=lengths)
        client.post(f"{address}/set-flags", json={"player": "red", "flags": 1})
        client.post(f"{address}/finish", json={})
        sheet = client.get("/api/v1/sheet").json
        client.post(f"{address}/new-game", json={})
        table.offer(small_paris())
        client.post(f"{address}/start", json=game)
        taught = client.get("/api/state").json["board"]
    assert sheet is not None
    assert (sheet["game"], [one["total"] for one in sheet["players"]]) == ("paris", [0, 8])
    assert taught == "paris"


def test_the_first_pass_takes_what_scores_most_and_subtracts_nothing(table: Table) -> None:
    """Three reds: 9 for two and 4 for one make 13, which beats 10 for all three."""
    start(table, "card-game", FOUR)
    table.act("set-cards", {"player": "blue", "cards": {"red": 3, "white": 2}})
    for one in (
        ticket("denver", "omaha", 10, red=3),
        ticket("helena", "duluth", 9, red=2),
        ticket("reno", "boston", 4, red=1),
        ticket("miami", "boston", 30, green=1),
    ):
        table.act("add-ticket", {"player": "blue", "ticket": one})
    table.act("score-first-pass", {})
    aside = table.state()["set_aside"]["blue"]
    assert sorted(one["points"] for one in aside) == [4, 9]
    assert typed(table, "blue")["cards"] == {"red": 0, "white": 2}
    assert [one["points"] for one in table.state()["tickets"]["blue"]] == [10, 30]


def test_a_ticket_is_shown_by_the_city_that_its_beginning_meant(table: Table) -> None:
    """Typed as "los ang", it counted for Los Angeles and was shown as "Los Ang"."""
    start(table, "card-game", FOUR)
    one = ticket("los ang", "St. Louis", 5, red=1)
    table.act("add-ticket", {"player": "blue", "ticket": one})
    hand = unescape(
        create_app(table).test_client().post("/tickets/blue", follow_redirects=True).text
    )
    assert "Los Angeles – Saint Louis" in hand
    assert "Los Ang –" not in hand
    table.act("remove-ticket", {"player": "blue", "ticket": one})
    assert table.state()["tickets"]["blue"] == []


def test_a_big_city_s_card_decides_nothing_in_the_first_pass(table: Table) -> None:
    """One red serves 5, or Chicago's 3; Chicago's bonus comes at the end of the second pass."""
    start(table, "card-game", FOUR)
    table.act("set-big-cities", {"big_cities": {"chicago": 50}})
    table.act("set-cards", {"player": "blue", "cards": {"red": 1}})
    table.act("add-ticket", {"player": "blue", "ticket": ticket("denver", "omaha", 5, red=1)})
    table.act("add-ticket", {"player": "blue", "ticket": ticket("chicago", "omaha", 3, red=1)})
    table.act("score-first-pass", {})
    assert [one["points"] for one in table.state()["set_aside"]["blue"]] == [5]


def test_the_cities_points_of_the_last_game_are_offered_until_somebody_saves_them(
    table: Table,
) -> None:
    start(table, "card-game", FOUR[:3])
    assert table.state()["points_before"] == {}
    table.act("set-big-cities", {"big_cities": {"chicago": 8}})
    table.act("new-game", {})
    start(table, "paris-by-counts", FOUR[:2])
    assert table.state()["points_before"] == {}, "another kind of game"
    table.act("new-game", {})
    start(table, "card-game", FOUR[:3])
    assert table.state()["points_before"] == {"big-cities": {"chicago": 8}}
    assert table.state()["table_points"] == {}, "nothing counts that nobody has looked at"
    with create_app(table).test_client() as client:
        page = client.get("/tickets").text
    assert 'name="big_cities-chicago" value="8"' in page
    assert "These are the points of your last game" in page
    table.act("set-big-cities", {"big_cities": {"chicago": 6}})
    assert table.state()["points_before"] == {}


def test_tickets_typed_in_a_finished_game_are_found_by_their_letters_in_the_next(
    table: Table,
) -> None:
    """Ada's and Ben's tickets of last time; of a game that was given up nobody learns a hand."""
    start(table, "card-game", FOUR[:2])
    table.act("add-ticket", {"player": "blue", "ticket": ticket("reno", "omaha", 9, red=2)})
    stated = {**ticket("chicago", "miami", 5, green=1), "completed": True}
    table.act("add-ticket", {"player": "red", "ticket": stated})
    table.act("finish", {})
    table.act("new-game", {})
    start(table, "card-game", FOUR[:2])
    table.act("add-ticket", {"player": "blue", "ticket": ticket("dallas", "boston", 7, blue=1)})
    table.act("new-game", {})
    start(table, "card-game", FOUR[:2])
    last_time = [ticket("reno", "omaha", 9, red=2), ticket("chicago", "miami", 5, green=1)]
    assert table.state()["tickets_before"] == last_time

    with create_app(table).test_client() as client:
        key = {"X-Hand": client.post("/tickets/blue").location.partition("hand=")[2]}

        def found(typed: str) -> list[str]:
            page = client.get(f"/tickets/blue?q={typed}", headers=key).text
            return [
                unescape(one) for one in re.findall(r'hit-row" name="ticket" value="([^"]+)', page)
            ]

        assert found("dallas") == []
        (offered,) = found("chi mia")
        client.post("/api/act/add-ticket", data={"player": "blue", "ticket": offered})
        (held,) = table.state()["tickets"]["blue"]
        assert (held["points"], held["cards"], held["stated"]) == (5, {"green": 1}, None)
        assert found("chi mia") == [], "it is in the hand"
        done = {"player": "blue", "ticket": held["ticket"], "completed": "yes"}
        client.post("/api/act/state-ticket", data=done)
        page = client.get("/tickets/blue?q=chi+mia&lang=en", headers=key).text
        assert "Already in your hand: Chicago – Miami" in page


def test_the_box_walks_two_passes_to_the_sheet(table: Table, console: VirtualConsole) -> None:
    start(table, "card-game", FOUR)
    for player in FOUR:
        one = {"points": 3, "completed": player["name"] == "Ada"}
        table.act("add-ticket", {"player": player["colour"], "ticket": one})
    console.press(Button.SCAN)
    console.press(Button.BACK)
    assert table.state()["phase"] == "tickets", "there is nothing to look at"
    assert console.lamps == (Lamp.PULSE, Lamp.OFF, Lamp.OFF, Lamp.OFF)
    for _ in FOUR:
        console.press(Button.CONFIRM)
    assert table.state()["set_aside"]["blue"] != []
    with create_app(table).test_client() as client:
        page = client.get("/tickets").text
    assert page.count("1 ticket set aside") == 1, "Ada's; the others hold what is not completed"
    assert table.state()["phase"] == "tickets"
    assert console.lamps == (Lamp.PULSE, Lamp.OFF, Lamp.OFF, Lamp.OFF), "the second pass begins"
    for _ in FOUR:
        console.press(Button.CONFIRM)
    assert table.state()["phase"] == "tickets", "no big city has its points yet"
    assert console.lamps == (Lamp.BLINK,) * 4
    console.press(Button.CONFIRM)
    assert table.state()["phase"] == "sheet"
    assert console.lamps == (Lamp.ON, Lamp.OFF, Lamp.OFF, Lamp.OFF)
    console.press(Button.BACK)
    assert table.state()["phase"] == "tickets"


def test_no_seat_order_changes_the_first_pass_or_the_sheet() -> None:
    game = card_game()
    hands = {
        "Ada": ({"red": 2}, [ticket("denver", "omaha", 9, red=2), ticket("a", "b", 5, blue=1)]),
        "Ben": ({"blue": 1}, [ticket("helena", "duluth", 7, blue=1)]),
        "Cleo": ({"green": 1}, [ticket("reno", "boston", 4, green=2)]),
        "Dan": ({}, [ticket("miami", "tulsa", 3, white=1)]),
    }
    colour_of = {player["name"]: player["colour"] for player in FOUR}
    seen = set()
    for names in permutations(hands):
        state = fold(
            [
                Started(
                    "card-game", tuple(SeatedPlayer(n, colour_of[n]) for n in names), has_map=False
                ),
                *(TypedSet(colour_of[n], "cards", hands[n][0]) for n in names),
                *(TicketAdded(colour_of[n], one) for n in names for one in hands[n][1]),
            ]
        )
        sheet = reckon(fold([first_pass_of(state, game)], state), game).sheet
        assert sheet is not None
        seen.add(tuple(sorted((player.name, player.total) for player in sheet.players)))
    assert seen == {(("Ada", 4), ("Ben", 7), ("Cleo", -4), ("Dan", -3))}


def test_the_figures_of_a_hand_are_told_by_name_when_they_are_taken_back(table: Table) -> None:
    start(table, "paris-by-counts", FOUR[:2])
    table.act("set-route-lengths", {"player": "blue", "route_lengths": {"1": 3}})
    step = table.state()["undo_step"]
    assert step is not None
    assert (step["action"], step["player"]) == ("set-route-lengths", "blue")
    assert table.state()["undo"] == "set-route-lengths"
    table.act("undo", {})
    assert "route_lengths" not in typed(table, "blue")


@pytest.mark.parametrize(
    ("language", "advice"),
    [("en", "count the routes on the board again"), ("it", "ricontate le tratte sul tabellone")],
)
def test_too_many_typed_buses_are_counted_again(table: Table, language: str, advice: str) -> None:
    """16 of the set's 15. Nothing was read here that could be somebody else's."""
    start(table, "paris-by-counts", FOUR[:2])
    table.act("set-route-lengths", {"player": "blue", "route_lengths": {"1": 16}})
    page = create_app(table).test_client().get("/tickets", headers={"Accept-Language": language})
    assert advice in page.text
    assert "probably somebody else" not in page.text
    assert "di qualcun altro" not in page.text


def test_a_length_without_points_is_refused_and_loses_nothing(table: Table) -> None:
    start(table, "paris-by-counts", FOUR[:2])
    table.act("set-route-lengths", {"player": "blue", "route_lengths": {"3": 1}})
    with pytest.raises(ActionRefusedError):
        table.act("set-route-points", {"route_points": {"1": 1}})
    with pytest.raises(ActionRefusedError):
        table.act("set-route-lengths", {"player": "blue", "route_lengths": {"7": 1}})
    assert typed(table, "blue")["route_lengths"] == {"3": 1}


def test_a_photo_is_refused_in_one_sentence(table: Table) -> None:
    start(table, "card-game", FOUR)
    with pytest.raises(ActionRefusedError) as refused:
        table.act("upload-photo", {"images": [b"no picture"]})
    assert str(refused.value) == "This game has no map, so there is nothing to look at."


def test_no_refusal_tells_what_lies_in_another_s_pile(table: Table) -> None:
    """Ben has 3 of the 10 red cards; that Ada cannot have 8 is told with the sheet."""
    start(table, "card-game", FOUR[:2])
    table.act("set-cards", {"player": "red", "cards": {"red": 3}})
    table.act("set-cards", {"player": "blue", "cards": {"red": 8}})
    assert table.state()["notices"] == []
    with pytest.raises(ActionRefusedError) as refusal:
        table.act("set-cards", {"player": "blue", "cards": {"red": 11}})
    assert "Ben" not in str(refusal.value)
    table.act("finish", {})
    (notice,) = table.state()["notices"]
    told = Message.from_json({"key": notice["key"], "values": notice["values"]})
    assert told.text() == "Ada and Ben have 11 cards of one colour (red), but the deck holds 10"


OWN_CARDS = {
    "format": 1,
    "id": "card-game",
    "title": "Our Card Game",
    "tickets": [ticket("chicago", "miami", 5, red=1), ticket("seattle", "omaha", 6, blue=1)],
    "big_cities": {"chicago": 8},
}


def test_tickets_of_a_taught_set_are_named_by_id_and_bring_recipe_and_cities(
    tmp_path: Path, console: VirtualConsole
) -> None:
    """5 for Chicago – Miami with the red card and Chicago's 8; Ben's 6 fails."""
    game = card_game(card_set_from_json(OWN_CARDS))
    table = new_table(tmp_path, console=console, open_camera=None, boards=[game])
    start(table, "card-game", FOUR[:2])
    table.act("set-cards", {"player": "blue", "cards": {"red": 1}})
    table.act("add-ticket", {"player": "blue", "ticket": "chicago--miami"})
    table.act("add-ticket", {"player": "red", "ticket": "seattle--omaha"})
    table.act("finish", {})
    sheet = table.state()["sheet"]
    table.act("reopen", {})
    said = {"player": "red", "ticket": "seattle--omaha", "completed": True}
    table.act("state-ticket", said)
    held = table.state()["tickets"]["red"][0]
    table.close()
    assert (held["stated"], held["places"], held["points"]) == (True, ["seattle", "omaha"], 6)
    assert sheet is not None
    assert [(one["name"], one["total"]) for one in sheet["players"]] == [("Ada", 13), ("Ben", -6)]


def test_the_panel_offers_the_games_that_scoring_knows(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    names = [board.id for board in games_here(tmp_path)[0]]
    assert names[:5] == ["usa", "germany", "france", "paris-by-counts", "card-game"]
