"""USA, Germany and France in Debian's Chromium, from an empty table to a right sheet.

By hand on a tablet, route by route on the map; and from a drawn photo that a phone sends. Every
total is worked out by hand, and every sheet is the one of `companion score` for the same
`GAME.json`, line by line.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.table.eye import Eye
from companion.table.table import Table
from companion.table.table_config import TableConfig
from companion.table.vision_eye import VisionEye
from scoring.board.board import load_board
from tests.support.command_line import sheet_of_command_line
from tests.support.drawn_table import drawn as at_the_table
from tests.web.conftest import skip_reveal
from vision.empty_board import make_reference
from vision.synthetic import DrawnPhoto
from web.ports import TablePort

Serve = Callable[[TablePort], str]


@dataclass(frozen=True)
class Evening:
    """A short game: who holds which routes, tickets and passengers, and the totals."""

    title: str
    names: Mapping[str, str]
    owners: Mapping[str, str]
    tickets: Mapping[str, str]
    totals: Mapping[str, int]
    passengers: Mapping[str, int] = field(default_factory=dict)


EVENINGS = {
    # Ada: 2 + 2, the ticket of 4. Ben: 15 + 2, the ticket of 8 fails, longest path (8 wagons) 10.
    "usa": Evening(
        "Ticket to Ride (USA)",
        {"red": "Ada", "blue": "Ben"},
        {
            "denver--santa-fe": "red",
            "el-paso--santa-fe": "red",
            "duluth--helena": "blue",
            "duluth--omaha-1": "blue",
        },
        {"red": "denver--el-paso", "blue": "helena--los-angeles"},
        {"Ada": 8, "Ben": 19},
    ),
    # Ada: 7, the ticket of 4, most green passengers 20, globetrotter 15. Ben: 7, a ticket of 4
    # fails, second most passengers 10.
    "germany": Evening(
        "Ticket to Ride Germany",
        {"white": "Ada", "red": "Ben"},
        {"berlin--leipzig": "white", "hannover--magdeburg": "red"},
        {"white": "berlin--leipzig", "red": "koeln--frankfurt"},
        {"Ada": 46, "Ben": 13},
        {"white": 2, "red": 1},
    ),
    # Ada: 7 + 2, the ticket of 6, longest path 10, globetrotter 15. Ben: 10, a ticket of 5 fails.
    "france": Evening(
        "Ticket to Ride France",
        {"blue": "Ada", "red": "Ben"},
        {
            "avignon--lyon-1": "blue",
            "avignon--marseille-1": "blue",
            "cherbourg--le-mans": "red",
        },
        {"blue": "lyon--marseille", "red": "cherbourg--paris"},
        {"Ada": 40, "Ben": 5},
    ),
}


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[Callable[[str, Eye | None], Table]]:
    """Sets a table for a board, with an eye for photos or without."""
    tables: list[Table] = []

    def new(board: str, eye: Eye | None) -> Table:
        tables.append(Table(TableConfig([load_board(board)], tmp_path / board, eye)))
        return tables[-1]

    yield new
    for table in tables:
        table.close()


@pytest.mark.parametrize("board", list(EVENINGS))
def test_a_game_by_hand_from_the_start_page_to_the_sheet(
    page: Any,
    serve: Serve,
    seat: Callable[[str, Eye | None], Table],
    board: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening, table = EVENINGS[board], seat(board, None)
    begin(page, serve(table), evening)
    for route, colour in evening.owners.items():
        claim(page, route, evening.names[colour])
    page.get_by_role("button", name="The game is over: tickets").click()
    tally(page, table, evening)
    assert shown_points(page) == points_of(table.state()["sheet"])
    said = sheet_of_command_line(table, tmp_path, capsys, monkeypatch)
    assert said == table.state()["sheet"]


@pytest.mark.parametrize("board", ["germany", "france"])
def test_a_game_from_a_photo_that_a_phone_sends(
    phone: Any,
    serve: Serve,
    seat: Callable[[str, Eye | None], Table],
    board: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = EVENINGS[board]
    reference = make_reference(drawn(board, {}, 1).image_bgr, load_board(board))
    table, photo = seat(board, VisionEye(reference)), tmp_path / "board.jpg"
    assert cv2.imwrite(str(photo), drawn(board, evening.owners, 2).image_bgr)
    begin(phone, serve(table), evening)
    phone.locator(".photo input[type=file]").set_input_files(photo)
    phone.locator(".route.claimed").first.wait_for(state="attached")
    answer_truly(phone, table, evening)
    table.act("show", {"phase": "tickets"})
    phone.goto(phone.url.rpartition("/")[0] + "/tickets")
    tally(phone, table, evening)
    assert shown_points(phone) == points_of(table.state()["sheet"])
    said = sheet_of_command_line(table, tmp_path, capsys, monkeypatch)
    assert said == table.state()["sheet"]


def drawn(board: str, owners: Mapping[str, str], seed: int) -> DrawnPhoto:
    """A photo of the board, always of the same copy under the same camera."""
    return at_the_table(load_board(board), owners, seed)


def begin(page: Any, address: str, evening: Evening) -> None:
    """From the start page into the game."""
    page.goto(address)
    page.get_by_role("link", name=evening.title).click()
    for colour, name in evening.names.items():
        page.get_by_label(f"Name of the {colour} player").fill(name)
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("heading", name="Standing").wait_for()
    page.wait_for_load_state("load")


def claim(page: Any, route: str, name: str) -> None:
    """Tap a route on the map, choose it where two are near, and say whose it is."""
    dialog = page.get_by_role("dialog")
    page.locator(f"#r-{route} .space").first.click()
    which, owner = dialog.locator(f'[data-choice="{route}"]'), dialog.locator(".owner")
    which.or_(owner.first).first.wait_for()
    if which.count():
        which.click()
    owner.filter(has_text=name).click()
    page.locator(f"#r-{route}.claimed").wait_for(state="attached")
    dialog.wait_for(state="hidden")


def answer_truly(page: Any, table: Table, evening: Evening) -> None:
    """Tap the true owners of every place in doubt."""
    base = page.url.rpartition("/")[0]
    while doubts := table.state()["doubts"]:
        page.goto(f"{base}/doubts")
        route, lines = doubts[0]["route"], doubts[0]["routes"]
        truth = Counter(evening.owners.get(line) for line in lines)
        owners = next(c["owners"] for c in doubts[0]["choices"] if Counter(c["owners"]) == truth)
        words = " ".join(owner or "nobody" for owner in owners)
        button = page.locator(f'[data-key="{route}/{words}"]')
        if not button.is_visible():
            page.locator(f"#more-{route} summary").click()
        button.click()
        page.locator(f"#d-{route}").wait_for(state="detached")


def tally(page: Any, table: Table, evening: Evening) -> None:
    """Everybody's ticket and passengers, one player after another, and the way to the sheet."""
    page.locator("[data-key=enter]").click()
    for number, player in enumerate(table.state()["players"]):
        colour = player["colour"]
        if number:
            page.get_by_role("button", name="Show my tickets").click()
        page.get_by_role("heading", name=f"{player['name']}'s tickets").wait_for()
        page.wait_for_load_state("load")
        first, second = (place_name(table, place) for place in places(table, colour, evening))
        page.get_by_label("Add a ticket").fill(f"{first} {second}")
        page.get_by_role("button", name=f"Add {first} – {second}").click()
        page.get_by_role("button", name=f"Remove {first} – {second}").wait_for()
        for count in range(evening.passengers.get(colour, 0)):
            page.get_by_role("button", name="One more: green").click()
            page.locator("#passengers output", has_text=str(count + 1)).wait_for()
        page.locator(".hand-head a").click()
    page.get_by_role("button", name=re.compile("Show the final sheet|Finish all")).click()
    winner = max(evening.totals, key=lambda name: evening.totals[name])
    skip_reveal(page, f"{winner} wins!")
    assert {name: sum(points) for name, points in shown_points(page).items()} == evening.totals


def places(table: Table, colour: str, evening: Evening) -> tuple[str, str]:
    board = table.moment().board
    assert board is not None
    return board.ticket_by_id[evening.tickets[colour]].places


def place_name(table: Table, place: str) -> str:
    board = table.moment().board
    assert board is not None
    return board.place_by_id[place].name


def shown_points(page: Any) -> dict[str, list[int]]:
    """The points of every line on the page, by player."""
    cards = page.locator("details.score").evaluate_all(
        """cards => cards.map((card) => [
            card.querySelector("summary .who b").textContent,
            [...card.querySelectorAll(".line strong")].map((one) =>
                Number(one.textContent.replace("−", "-")))])"""
    )
    return {name.partition(". ")[2]: points for name, points in cards}


def points_of(sheet: Any) -> dict[str, list[int]]:
    """The same of a sheet's document."""
    players = sheet["players"]
    return {one["name"]: [line["points"] for line in one["lines"]] for one in players}
