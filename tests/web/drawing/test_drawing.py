"""The drawn board: everything where it is printed, and names that can be told apart."""

import pytest

from scoring.board.board import load_board
from web.drawing.board_svg import BoardDrawing, Drawings, draw_board

BOARDS = ("usa", "germany", "france")


@pytest.fixture(params=BOARDS)
def drawing(request: pytest.FixtureRequest) -> BoardDrawing:
    return draw_board(load_board(request.param))


def test_every_route_is_drawn_with_all_its_boxes(drawing: BoardDrawing) -> None:
    board = load_board(drawing.board)
    lengths = {route.id: len(route.boxes) for route in drawing.routes}
    assert lengths == {route.id: route.length for route in board.routes}


def test_every_box_lies_on_the_sheet(drawing: BoardDrawing) -> None:
    for route in drawing.routes:
        for box in route.boxes:
            assert 0 < box.x < drawing.width
            assert 0 < box.y < drawing.height


def test_a_box_has_the_printed_size() -> None:
    box = draw_board(load_board("usa")).by_route["atlanta--charleston"].boxes[0]
    top_left, top_right, bottom_right, _ = box.corners
    along = ((top_right[0] - top_left[0]) ** 2 + (top_right[1] - top_left[1]) ** 2) ** 0.5
    across = ((bottom_right[0] - top_right[0]) ** 2 + (bottom_right[1] - top_right[1]) ** 2) ** 0.5
    assert (along, across) == pytest.approx((25.0, 9.0))


def test_a_line_runs_from_its_first_city_to_its_second() -> None:
    board = load_board("usa")
    line = draw_board(board).by_route["atlanta--charleston"].line
    atlanta, charleston = board.place_by_id["atlanta"], board.place_by_id["charleston"]
    assert line[0] == pytest.approx(((atlanta.x or 0) * 795, (atlanta.y or 0) * 525))
    assert line[-1] == pytest.approx(((charleston.x or 0) * 795, (charleston.y or 0) * 525))


@pytest.mark.parametrize(("board", "country"), [("germany", "frankreich"), ("france", "espagne")])
def test_every_line_into_a_country_ends_in_a_dot_of_its_own(board: str, country: str) -> None:
    known = load_board(board)
    drawing = draw_board(known)
    place = next(place for place in drawing.places if place.id == country)
    assert len(set(place.dots)) == sum(country in route.ends for route in known.routes)


def test_a_country_line_leads_outwards(drawing: BoardDrawing) -> None:
    board = load_board(drawing.board)
    for route in drawing.routes:
        first, last = (board.place_by_id[end] for end in route.ends)
        if first.is_country == last.is_country:
            continue
        line = route.line if last.is_country else route.line[::-1]
        city, outermost, end = line[0], line[-2], line[-1]
        assert _distance(city, end) > _distance(city, outermost)


def _distance(a: tuple[float, float], b: tuple[float, float]) -> float:
    return ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5


def test_no_name_hides_another(drawing: BoardDrawing) -> None:
    boxes = [_box(drawing, place.label, place.name) for place in drawing.places]
    for i, one in enumerate(boxes):
        for other in boxes[i + 1 :]:
            apart = (
                one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            )
            assert apart


def _box(drawing: BoardDrawing, label: object, name: str) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a name, a little tighter than the placing keeps free."""
    x, y, anchor = label.x, label.y, label.anchor  # type: ignore[attr-defined]
    width, height = len(name) * drawing.label_mm * 0.5, drawing.label_mm * 0.7
    left = x - {"start": 0, "middle": width / 2, "end": width}[anchor]
    return (left, y - height, left + width, y)


def test_names_stand_on_the_sheet_beside_their_own_city(drawing: BoardDrawing) -> None:
    dots = [(dot, place.id) for place in drawing.places for dot in place.dots]
    for place in drawing.places:
        left, top, right, bottom = _box(drawing, place.label, place.name)
        assert left > -8
        assert right < drawing.width + 8
        assert top > -8
        assert bottom < drawing.height + 8

        def gap(
            dot: tuple[float, float], box: tuple[float, ...] = (left, top, right, bottom)
        ) -> float:
            beside = max(box[0] - dot[0], 0, dot[0] - box[2])
            above = max(box[1] - dot[1], 0, dot[1] - box[3])
            return (beside**2 + above**2) ** 0.5

        own = min(gap(dot) for dot in place.dots)
        assert own <= 2 * drawing.label_mm
        others = min(gap(dot) for dot, owner in dots if owner != place.id)
        assert own <= others + 0.35 * drawing.label_mm


def test_the_same_board_is_drawn_once() -> None:
    drawings = Drawings(draw_board)
    usa, germany = load_board("usa"), load_board("germany")
    assert drawings.of(usa) is drawings.of(usa)
    assert drawings.of(germany).board == "germany"
