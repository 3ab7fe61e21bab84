"""Play by hand: a colour is chosen once, then route after route is touched."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from tests.web.conftest import PLAYERS
from web.ports import TablePort

Serve = Callable[[TablePort], str]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Table]:
    """A table without a camera: Ada (red) and Ben (blue) at USA."""
    with closing(Table(TableConfig([load_board("usa")], tmp_path))) as table:
        table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
        yield table


FIVE = [
    {"name": name, "colour": colour}
    for name, colour in (
        ("Ada", "red"),
        ("Wilma", "white"),
        ("Pia", "purple"),
        ("Yves", "yellow"),
        ("Bo", "black"),
    )
]

IS_SEEN = """(words) => {
  const { left, top, bottom } = words.getBoundingClientRect();
  return [top + 2, bottom - 2].every((y) => words === document.elementFromPoint(left + 9, y));
}"""


def touch(page: Any, route: str) -> None:
    page.locator(f"#r-{route} .space").nth(1).click()


def test_route_after_route_goes_to_the_colour_that_was_chosen(
    page: Any, serve: Serve, evening: Table
) -> None:
    page.goto(f"{serve(evening)}/board")
    page.get_by_role("button", name="Give routes to Ada (red)").click()
    page.get_by_text("Tap the routes of Ada").wait_for()
    for route in ("denver--omaha", "duluth--helena", "calgary--winnipeg"):
        touch(page, route)
        page.locator(f"#r-{route}.c-red").wait_for()
    touch(page, "duluth--helena")
    page.locator("#r-duluth--helena.free").wait_for()
    owners = {name: one["owner"] for name, one in evening.state()["routes"].items()}
    assert {name for name, owner in owners.items() if owner == "red"} == {
        "denver--omaha",
        "calgary--winnipeg",
    }
    # Somebody else says on a phone that Ada plays green.
    evening.act("change-colour", {"player": "red", "colour": "green"})
    page.get_by_role("button", name="Give routes to Ada (green)").click()
    touch(page, "duluth--helena")
    page.locator("#r-duluth--helena.c-green").wait_for()


def test_a_phone_shows_whose_routes_a_tap_gives(phone: Any, serve: Serve, tmp_path: Path) -> None:
    """Under Germany's tall map the words lay behind "Take a photo"."""
    with closing(Table(TableConfig([load_board("germany")], tmp_path))) as table:
        table.act("start", {"board": "germany", "players": FIVE, "camera": False})
        phone.goto(f"{serve(table)}/board")
        phone.get_by_role("button", name="Give routes to Ada (red)").tap()
        words = phone.get_by_text("Tap the routes of Ada")
        words.wait_for()
        assert words.evaluate(IS_SEEN)


def test_a_finger_on_a_double_is_asked_for_no_line_of_it(
    phone: Any, serve: Serve, evening: Table
) -> None:
    """On a phone a finger covers both lines; whichever Ada gets, it scores alike."""
    phone.goto(f"{serve(evening)}/board")
    phone.get_by_role("button", name="Give routes to Ada (red)").tap()
    lines = [phone.locator(f"#r-dallas--houston-{line}") for line in (1, 2)]
    box = lines[1].locator(".space").first.bounding_box()
    at = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    phone.touchscreen.tap(*at)
    phone.locator("#r-dallas--houston-2.c-red").wait_for()
    phone.touchscreen.tap(*at)
    phone.locator("#r-dallas--houston-2.free").wait_for()
    assert phone.get_by_role("heading", name="Which route?").count() == 0

    # Of two players one line is Ben's: the other is closed, so he is asked about.
    evening.act("correct-route", {"route": "dallas--houston-2", "owner": "blue"})
    phone.locator("#r-dallas--houston-2.c-blue").wait_for()
    phone.touchscreen.tap(*at)
    phone.get_by_role("heading", name="Whose is Dallas – Houston (2)?").wait_for()


def test_a_route_of_somebody_else_is_asked_about(page: Any, serve: Serve, evening: Table) -> None:
    evening.act("correct-route", {"route": "denver--omaha", "owner": "blue"})
    page.goto(f"{serve(evening)}/board")
    page.get_by_role("button", name="Give routes to Ada (red)").click()
    touch(page, "denver--omaha")
    page.get_by_role("heading", name="Whose is Denver – Omaha?").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Give routes to Ada (red)").click()
    touch(page, "duluth--helena")
    page.get_by_role("heading", name="Whose is Duluth – Helena?").wait_for()


def test_the_last_claims_are_told_and_each_can_be_taken_back(
    page: Any, serve: Serve, evening: Table
) -> None:
    for route, owner in (("denver--omaha", "blue"), ("duluth--helena", "red")):
        evening.act("correct-route", {"route": route, "owner": owner})
    page.goto(f"{serve(evening)}/board")
    rows = [" ".join(row.split()) for row in page.locator("#recent li a").all_inner_texts()]
    assert rows == ["Duluth – Helena Ada (red)", "Denver – Omaha Ben (blue)"]
    page.get_by_role("button", name="Take back Denver – Omaha").click()
    page.locator("#r-denver--omaha.free").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.locator("#r-denver--omaha.c-blue").wait_for()
    page.get_by_role("button", name="Redo").click()
    page.locator("#r-denver--omaha.free").wait_for()
