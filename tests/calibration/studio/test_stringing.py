"""Boxes laid by hand become the lines that a person would see."""

import numpy as np

from calibration.studio.boxes import Boxes
from calibration.studio.meeting import find_places
from calibration.studio.parallels import find_parallels
from calibration.studio.stringing import string_lines

GREY, RED = (65.0, 0.0, 0.0), (45.0, 40.0, 30.0)

Laid = tuple[float, float, float]
"""Centre and direction of a box of 25 by 9 units."""


def boxes_of(*laid: Laid) -> Boxes:
    at = np.array(laid, float)
    sizes = np.tile([25.0, 9.0], (len(at), 1))
    return Boxes(at[:, :2], at[:, 2] % 180, sizes, np.ones(len(at)))


def strung(*laid: Laid, colours: list[tuple[float, float, float]] | None = None) -> list[set[int]]:
    boxes = boxes_of(*laid)
    prints = np.array(colours or [GREY] * len(laid))
    return sorted((set(line) for line in string_lines(boxes, prints)), key=min)


def test_boxes_in_a_row_are_one_line_in_order() -> None:
    # Laid in no order: the middle one comes last in the list.
    boxes = boxes_of((100, 100, 0), (154, 100, 0), (127, 100, 0))
    assert string_lines(boxes, np.array([GREY] * 3)) == [(0, 2, 1)]


def test_a_bend_is_followed() -> None:
    # A quarter of a circle of radius 60, boxes of 25 every 26 degrees (27 along the arc).
    steps = np.radians([0, 26, 52, 78])
    arc = [(200 + 60 * np.sin(t), 260 - 60 * np.cos(t), np.degrees(t)) for t in steps]
    assert strung(*arc) == [{0, 1, 2, 3}]


def test_a_city_between_two_lines_parts_them() -> None:
    # The gap over the city is 12 wide, those within the lines 2.
    row = [(100, 100, 0), (127, 100, 0), (164, 100, 0), (191, 100, 0)]
    assert strung(*row) == [{0, 1}, {2, 3}]


def test_another_colour_is_another_line() -> None:
    row = [(100, 100, 0), (127, 100, 0), (157, 104, 14), (183, 111, 14)]
    assert strung(*row, colours=[GREY, GREY, RED, RED]) == [{0, 1}, {2, 3}]


def test_a_double_is_two_lines_side_by_side() -> None:
    boxes = boxes_of((100, 100, 0), (100, 110, 0), (127, 100, 0), (127, 110, 0))
    lines = string_lines(boxes, np.array([GREY] * 4))
    assert sorted(map(set, lines), key=min) == [{0, 2}, {1, 3}]
    assert find_parallels(boxes, lines) == [None, 0]


def test_a_triple_names_its_first_line_twice() -> None:
    boxes = boxes_of(*((100 + 27 * k, 100 + 10 * row, 0) for row in range(3) for k in range(3)))
    lines = string_lines(boxes, np.array([GREY] * 9))
    assert [len(line) for line in lines] == [3, 3, 3]
    assert find_parallels(boxes, lines) == [None, 0, 0]


def test_lines_of_different_length_are_no_double() -> None:
    boxes = boxes_of((100, 100, 0), (127, 100, 0), (100, 110, 0))
    lines = string_lines(boxes, np.array([GREY] * 3))
    assert find_parallels(boxes, lines) == [None, None]


def test_crossing_lines_stay_apart() -> None:
    across = [(100 + 27 * k, 100, 0) for k in range(3)]
    down = [(127, 60 + 27 * k, 90) for k in range(4)]
    assert strung(*across, *down) == [{0, 1, 2}, {3, 4, 5, 6}]


def test_three_lines_that_point_at_one_spot_meet_there() -> None:
    # Each ends 13 units before (200, 200): from the left, from above, from the right.
    boxes = boxes_of((174.5, 200, 0), (200, 174.5, 90), (225.5, 200, 0))
    lines = string_lines(boxes, np.array([GREY] * 3))
    places = find_places(boxes, lines)
    assert len(places.centres) == 4
    shared = set.intersection(*(set(pair) for pair in places.of_lines))
    assert len(shared) == 1
    assert np.abs(places.centres[shared.pop()] - (200, 200)).max() < 0.5


def test_both_lines_of_a_double_join_the_same_places_however_wide_it_is() -> None:
    boxes = boxes_of(*((100 + 27 * k, 100 + 14 * row, 0) for row in range(2) for k in range(2)))
    places = find_places(boxes, [(0, 1), (3, 2)])
    assert len(places.centres) == 2
    assert set(places.of_lines[0]) == set(places.of_lines[1]) == {0, 1}
    assert places.of_lines[0] == places.of_lines[1][::-1]  # the second is told the other way round


def test_no_boxes_no_lines() -> None:
    nothing = boxes_of((0, 0, 0)).chosen(np.zeros(1, bool))
    assert string_lines(nothing, np.zeros((0, 3))) == []


def test_a_sharp_bend_at_a_place_where_others_end_is_no_line() -> None:
    # Two doubles meet at a town near (207, 100): one comes from the left, one from below. Their
    # inner lines lie round the corner before each other, 7 units apart.
    left = [(160, 95, 0), (187, 95, 0), (160, 105, 0), (187, 105, 0)]
    below = [(204.5, 122.5, 90), (204.5, 149.5, 90), (214.5, 122.5, 90), (214.5, 149.5, 90)]
    assert strung(*left, *below) == [{0, 1}, {2, 3}, {4, 5}, {6, 7}]


def test_a_sharp_bend_where_nothing_else_ends_is_one_line() -> None:
    # The same corner with one line from each side.
    assert strung((160, 105, 0), (187, 105, 0), (206.5, 122.5, 90)) == [{0, 1, 2}]


def test_a_wide_gap_in_a_line_is_closed_where_nothing_else_ends() -> None:
    # Ends 9 units apart: too far at first, and no town is there, where other lines would end.
    assert strung((100, 100, 0), (134, 100, 0)) == [{0, 1}]
    beside = [(117, 122, 90), (117, 78, 90)]
    assert len(strung((100, 100, 0), (134, 100, 0), *beside)) == 4
