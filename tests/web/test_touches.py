"""A finger on the drawn board: the route that was meant opens, or is offered by name."""

from collections.abc import Callable
from typing import Any

import pytest

from scoring.board.board import load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from tests.web.conftest import PLAYERS, READING
from tests.web.fake_table import FakeTable
from web.drawing.parallel_lines import sides_of_lines
from web.ports import TablePort

Serve = Callable[[TablePort], str]

TOUCHES = """async () => {
  // Touches up to 8 px from random points of every route, and a second one where the board comes
  // nearer. The generator is fixed (mulberry32), so that a failure can be repeated.
  const { STEP, meaning } = await import("/static/near.js");
  const { geometry } = await import("/static/map.js");
  const svg = document.querySelector("svg#board");
  const { routes } = geometry(svg);
  let seed = 20;
  const random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const near = (route, scale) => {
    const box = route.boxes[Math.floor(random() * route.boxes.length)];
    const [u, v] = [(2 * random() - 1) * box.along, (2 * random() - 1) * box.across];
    const [turn, off] = [2 * Math.PI * random(), (8 * Math.sqrt(random())) / scale];
    return [box.x + u * box.cos - v * box.sin + off * Math.cos(turn),
            box.y + u * box.sin + v * box.cos + off * Math.sin(turn)];
  };
  const scale = svg.getScreenCTM().a;
  const sum = { routes: routes.length, touches: 0, opened: 0, offered: 0, most: 0, wrong: 0 };
  for (const route of routes) {
    for (let i = 0; i < 40; i += 1) {
      let said = meaning(routes, ...near(route, scale), scale, "touch", true);
      if (said.nearer) {
        said = meaning(routes, ...near(route, scale * STEP), scale * STEP, "touch", false);
      }
      const shown = said.offer ?? [said.open];
      sum.touches += 1;
      sum.most = Math.max(sum.most, shown.length);
      if (!shown.includes(route.id)) sum.wrong += 1;
      else if (said.open) sum.opened += 1;
      else sum.offered += 1;
    }
  }
  return sum;
}"""


def playing_on(board: str) -> FakeTable:
    table = FakeTable(READING if board == "usa" else {})
    first, second = load_board(board).player_colours[:2]
    players = [{**PLAYERS[0], "colour": first}, {**PLAYERS[1], "colour": second}]
    table.act("start", {"board": board, "players": players, "camera": True})
    return table


@pytest.mark.parametrize("board", BOARDS_WITH_DATA)
def test_a_touch_8_pixels_beside_a_route_shows_that_route_and_never_only_another(
    phone: Any, serve: Serve, board: str
) -> None:
    phone.goto(f"{serve(playing_on(board))}/board")
    sum_ = phone.evaluate(TOUCHES)
    assert sum_["routes"] == len(load_board(board).routes)
    assert sum_["wrong"] == 0
    assert sum_["opened"] + sum_["offered"] == sum_["touches"] == 40 * sum_["routes"]
    assert sum_["most"] <= 3, "nobody chooses from a long list"


def middle_of(page: Any, route: str) -> tuple[float, float]:
    x, y, width, height = page.locator(f"#r-{route} .space").first.bounding_box().values()
    return x + width / 2, y + height / 2


def test_a_finger_between_two_lines_chooses_by_their_names(phone: Any, serve: Serve) -> None:
    table = playing_on("usa")
    phone.goto(f"{serve(table)}/board")
    phone.touchscreen.tap(*middle_of(phone, "dallas--houston-1"))
    dialog = phone.get_by_role("dialog")
    dialog.get_by_role("heading", name="Which route?").wait_for()
    assert phone.locator(".route.chosen").count() == 2
    assert phone.locator("#letters text").all_text_contents() == ["A", "B"]
    rows = [" ".join(row.split()) for row in dialog.locator("li").all_inner_texts()]
    # on the board the first line lies to the left of the second
    assert rows == [
        "A Dallas – Houston (1): nobody left line, printed in grey",
        "B Dallas – Houston (2): nobody right line, printed in grey",
    ]
    dialog.get_by_role("link", name="Dallas – Houston (2)").tap()
    dialog.get_by_role("heading", name="Whose is Dallas – Houston (2)?").wait_for()
    assert phone.locator(".route.chosen").get_attribute("data-route") == "dallas--houston-2"
    dialog.get_by_role("button", name="Ben red").tap()
    phone.locator("#r-dallas--houston-2.claimed.c-red").wait_for()
    assert phone.locator(".route.chosen").count() == 0


def pinch(page: Any, x: float, y: float, start: float, finish: float) -> None:
    """Two fingers around a point, moved from one distance of it to another."""
    fingers = page.context.new_cdp_session(page)

    def send(kind: str, half: float) -> None:
        points = [{"x": x - half, "y": y, "id": 0}, {"x": x + half, "y": y, "id": 1}]
        points = [] if kind == "touchEnd" else points
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", start)
    for step in range(1, 9):
        send("touchMove", start + (finish - start) * step / 8)
    send("touchEnd", finish)


def test_after_a_pinch_the_same_finger_opens_the_line_at_once(phone: Any, serve: Serve) -> None:
    phone.goto(f"{serve(playing_on('usa'))}/board")
    before = phone.locator("#r-calgary--winnipeg").bounding_box()["width"]
    at = middle_of(phone, "calgary--winnipeg")
    pinch(phone, *at, 20, 60)
    after = phone.locator("#r-calgary--winnipeg").bounding_box()["width"]
    assert after == pytest.approx(3 * before, rel=0.1)
    x, y = middle_of(phone, "calgary--winnipeg")
    phone.touchscreen.tap(x, y + 8)
    phone.get_by_role("heading", name="Whose is Calgary – Winnipeg?").wait_for()
    assert phone.evaluate("visualViewport.scale") == 1, "the page itself stays as it is"


def test_buttons_wheel_and_keys_move_the_board(page: Any, serve: Serve) -> None:
    page.goto(f"{serve(playing_on('usa'))}/board")
    route = page.locator("#r-denver--omaha")
    width = route.bounding_box()["width"]
    page.get_by_role("button", name="Larger").click()
    assert route.bounding_box()["width"] > 1.4 * width
    page.get_by_role("button", name="Whole board").click()
    assert route.bounding_box()["width"] == pytest.approx(width, rel=0.01)
    page.mouse.move(*middle_of(page, "denver--omaha"))
    page.mouse.wheel(0, -300)
    page.wait_for_timeout(100)
    assert route.bounding_box()["width"] > 2 * width
    route.locator("a").focus()
    page.keyboard.press("0")
    assert route.bounding_box()["width"] == pytest.approx(width, rel=0.01)


def test_arrow_keys_lead_from_route_to_route_and_enter_opens_one(page: Any, serve: Serve) -> None:
    page.goto(f"{serve(playing_on('usa'))}/board")
    assert page.locator("#board [tabindex='0']").count() == 1, "one stop for the Tab key"
    page.locator("#r-duluth--helena a").focus()
    page.keyboard.press("ArrowLeft")
    # the middle of Denver – Helena is the nearest that lies more to the left than up or down
    assert page.evaluate("document.activeElement.closest('.route').id") == "r-denver--helena"
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Whose is Denver – Helena?").wait_for()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.closest('.route')?.id") == "r-denver--helena"


def test_the_lines_of_a_double_are_named_by_where_they_lie() -> None:
    usa, germany = sides_of_lines(load_board("usa")), sides_of_lines(load_board("germany"))
    # Dallas lies north-west of Houston; Denver - Kansas City runs from west to east.
    assert (usa["dallas--houston-1"], usa["dallas--houston-2"]) == ("left", "right")
    assert {usa["denver--kansas-city-1"], usa["denver--kansas-city-2"]} == {"upper", "lower"}
    assert "denver--omaha" not in usa, "a single route needs no such word"
    triples = [group for group in load_board("germany").parallel_groups.values() if len(group) == 3]
    assert triples
    for group in triples:
        assert len({germany[route.id] for route in group}) == 3
