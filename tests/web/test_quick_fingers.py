"""Fingers are quicker than the network: no tap is lost, and the next question stands in sight."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from scoring.board.board import load_board
from scoring.game.mapless import mapless_games
from tests.companion.tables import new_table
from tests.web.conftest import open_hand
from tests.web.test_weight import table_with_29_questions, until
from web.ports import TablePort

Serve = Callable[[TablePort], str]

ADA_AND_BEN = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "black"}]


def passengers_on_their_way(page: Any, serve: Serve, tmp_path: Path) -> tuple[Any, list[Any]]:
    """Germany with Ada's hand open, and what is sent of passengers, all of it held back."""
    germany = new_table(tmp_path, boards=[load_board("germany")], open_camera=None)
    germany.act("start", {"board": "germany", "players": ADA_AND_BEN, "camera": False})
    germany.act("show", {"phase": "tickets"})
    held: list[Any] = []
    page.route("**/api/act/set-passengers*", lambda route: held.append(route))
    open_hand(page, f"{serve(germany)}/tickets/red")
    return germany, held


def test_five_quick_taps_count_five_passengers(page: Any, serve: Serve, tmp_path: Path) -> None:
    germany, held = passengers_on_their_way(page, serve, tmp_path)
    for _ in range(5):
        page.get_by_role("button", name="One more: green").click()
    for done in range(5):
        until_held(page, held, done)
        held[done].continue_()
    page.locator("#passengers output", has_text="5").wait_for()
    assert germany.state()["passengers"]["red"]["green"] == 5
    type_a_number_instead(page, germany)


def type_a_number_instead(page: Any, germany: Any) -> None:
    """A bag holds ten of a colour. What is typed last counts with the tap that leaves the hand.

    From number to number a tap each is enough, while the one before is still on its way.
    """
    page.unroute("**/api/act/set-passengers*")
    page.get_by_role("button", name="green: 5. Type the number").click()
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="green: 8. Type the number").click()
    page.keyboard.type("12")
    page.get_by_role("button", name="red: 0. Type the number").click()
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="red: 2. Type the number").wait_for()
    refused = "The bag does not hold that many passengers of the colour green."
    assert page.locator("#toast:visible").inner_text() == refused
    for colour, count in (("black: 0", "6"), ("green: 8", "3")):
        page.get_by_role("button", name=f"{colour}. Type the number").click()
        page.keyboard.type(count)
    page.get_by_role("link", name="Hide and pass to Ben").click()
    page.get_by_role("heading", name="Only Ben looks").wait_for()
    counted = germany.state()["passengers"]["red"]
    assert {name: n for name, n in counted.items() if n} == {"green": 3, "red": 2, "black": 6}


def test_taps_that_are_still_on_their_way_count_when_the_hand_is_passed_on(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    germany, held = passengers_on_their_way(page, serve, tmp_path)
    for _ in range(3):
        page.get_by_role("button", name="One more: green").click()
    page.get_by_role("link", name="Hide and pass to Ben").click(no_wait_after=True)
    for done in range(3):
        until_held(page, held, done)
        held[done].continue_()
    page.get_by_role("heading", name="Only Ben looks").wait_for()
    assert germany.state()["passengers"]["red"]["green"] == 3


def test_a_value_typed_while_the_table_still_answers_is_kept(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    paris = new_table(tmp_path, boards=mapless_games(), open_camera=None)
    paris.act("start", {"board": "paris-by-counts", "players": ADA_AND_BEN, "camera": False})
    held: list[Any] = []
    page.route("**/api/act/add-ticket*", lambda route: held.append(route))
    page.goto(f"{serve(paris)}/tickets/red")
    page.get_by_role("button", name="Show my tickets").click()
    points = page.get_by_label("Points", exact=True)
    points.fill("5")
    page.get_by_role("button", name="Add as completed").click()
    until_held(page, held, 0)
    points.fill("3")
    held[0].continue_()
    page.locator("#held li.done").wait_for()
    page.wait_for_timeout(300)
    expect(points).to_have_value("3")

    page.get_by_role("button", name="Add as not completed").click()
    until_held(page, held, 1)
    held[1].fulfill(status=400, json={"error": "Not now."})
    page.get_by_text("Not now.").wait_for()
    expect(points).to_have_value("3")


def until_held(page: Any, held: list[Any], count: int) -> None:
    """Wait for another request that was stopped on its way."""
    for _ in range(600):
        if len(held) > count:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"no request came after {count}")


def test_what_is_under_a_finger_stays_until_it_is_up(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    usa = new_table(tmp_path, open_camera=None)
    usa.act("start", {"board": "usa", "players": ADA_AND_BEN, "camera": False})
    usa.act("correct-route", {"route": "denver--omaha", "owner": "black"})
    page.goto(f"{serve(usa)}/board")
    page.wait_for_load_state("load")
    page.get_by_role("button", name="Take back Denver – Omaha").hover()
    page.mouse.down()
    with page.expect_response("**/board"):
        usa.act("correct-route", {"route": "duluth--helena", "owner": "red"})
    page.mouse.up()
    page.locator("#r-denver--omaha.free").wait_for()
    page.locator("#r-duluth--helena.claimed").wait_for()


def test_after_an_answer_the_next_question_begins_with_its_name(page: Any, serve: Serve) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{serve(table_with_29_questions())}/doubts")
    page.wait_for_load_state("load")
    page.locator(".side").evaluate("side => side.scrollBy(0, 330)")
    page.locator(".doubt .owner").first.click()
    until(page, "document.querySelectorAll('.doubt').length === 28")
    until(
        page,
        """document.querySelector('.doubt h2').getBoundingClientRect().top
           >= document.querySelector('.side').getBoundingClientRect().top""",
    )


def test_the_button_that_was_tapped_shows_that_its_answer_is_awaited(
    page: Any, serve: Serve, tmp_path: Path
) -> None:
    """All answers grew pale where the network was slow; which was tapped, nobody could see."""
    usa = new_table(tmp_path, open_camera=None)
    usa.act("start", {"board": "usa", "players": ADA_AND_BEN, "camera": False})
    held: list[Any] = []
    page.route("**/api/act/correct-route*", lambda route: held.append(route))
    page.goto(f"{serve(usa)}/route/denver--omaha")
    page.locator("button[name=owner]", has_text="Ben").click()
    tapped = page.locator(".sending")
    assert "Ben" in tapped.inner_text()
    wheel = "getComputedStyle(document.querySelector('.sending'), '::after').opacity === '1'"
    until(page, wheel)
    held[0].continue_()
    tapped.wait_for(state="detached")
    page.get_by_text("Now: Ben (black)").wait_for()
