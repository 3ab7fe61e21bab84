"""A photo without the board is refused soon: nothing is looked at twice for the same answer."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board.board import load_board
from vision.empty_board import make_reference
from vision.errors import BoardNotFoundError
from vision.registration import pattern_fit, without_reference
from vision.registration import register as registering
from vision.registration.diagnosis import _other, nowhere
from vision.registration.outline import (
    PLAIN,
    BoardOutline,
    OutlineSettings,
    find_outlines,
)
from vision.registration.pattern_fit import REGISTRATION_LIMITS
from vision.registration.recognition import which_board
from vision.registration.whole_photo import LONG_SIDES_MM
from vision.registration.without_reference import by_itself
from vision.synthetic import DrawnPhoto, View, draw_photo, random_owners

ABOVE = View(tilt_deg=3.0, azimuth_deg=0.0, roll_deg=2.0, fill=0.9)

Image = NDArray[np.uint8]


@cache
def _played() -> DrawnPhoto:
    board = load_board("usa")
    owners = random_owners(board, seed=5, fullness=0.9)
    return draw_photo(board, owners, seed=71, print_seed=11, rig_seed=72, camera=ABOVE)


@cache
def _blurred(part: float) -> Image:
    """The photo, blurred by that part of its long side."""
    photo = _played().image_bgr
    return np.asarray(cv2.GaussianBlur(photo, (0, 0), part * max(photo.shape)), np.uint8)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, float]]:
    """The size of each picture that was straightened and shown to the network, in millimetres."""
    seen: list[tuple[float, float]] = []
    look = pattern_fit.predict_heatmaps

    def counted(
        photo_bgr: Image, corners_px: NDArray[np.float64], size_mm: tuple[float, float]
    ) -> object:
        seen.append(size_mm)
        return look(photo_bgr, corners_px, size_mm)

    monkeypatch.setattr(pattern_fit, "predict_heatmaps", counted)
    return seen


def _outlined(monkeypatch: pytest.MonkeyPatch, *moved_mm: float) -> None:
    """Let the board be outlined so far to the right of where it lies, one time after another."""
    corners = _played().corners_px
    mm = np.hypot(*(corners[1] - corners[0])) / 795

    def outlines(_photo_bgr: Image) -> Iterator[BoardOutline]:
        moved = (corners + np.array([mm * right, 0.0]) for right in moved_mm)
        return (BoardOutline(there, 1.0, 0.0) for there in moved)

    monkeypatch.setattr(without_reference, "_outlines", outlines)


def test_where_nothing_is_seen_is_looked_at_once_for_each_format_of_board(
    monkeypatch: pytest.MonkeyPatch, looks: list[tuple[float, float]]
) -> None:
    _outlined(monkeypatch, 0, 5, -5, 10, -10, 15, -15, 20)
    with pytest.raises(BoardNotFoundError, match="hold the camera still"):
        by_itself(_blurred(1 / 120), load_board("usa"))
    # USA and Germany have one format, France another; then the whole photo is looked at.
    assert len(looks) == 2 + len(LONG_SIDES_MM)


def test_another_place_is_looked_at_where_nothing_was_seen_in_the_first(
    monkeypatch: pytest.MonkeyPatch, looks: list[tuple[float, float]]
) -> None:
    _outlined(monkeypatch, 0, 5, 60, 65, -60)
    with pytest.raises(BoardNotFoundError):
        by_itself(_blurred(1 / 120), load_board("usa"))
    assert len(looks) == 2 + 2 + len(LONG_SIDES_MM)


def test_a_board_is_found_though_it_was_first_looked_for_on_the_bare_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _outlined(monkeypatch, 700, 690, 0)
    found = by_itself(_played().image_bgr, load_board("usa"))
    assert np.abs(found.corners_px - _played().corners_px).max() < 12


def test_a_board_that_is_seen_badly_is_not_straightened_again_in_nearly_the_same_place(
    monkeypatch: pytest.MonkeyPatch, looks: list[tuple[float, float]]
) -> None:
    board, photo = load_board("usa"), _blurred(1 / 260)
    _outlined(monkeypatch, -8)
    with pytest.raises(BoardNotFoundError, match="hold the camera still"):
        by_itself(photo, board)
    once = len(looks)
    looks.clear()
    _outlined(monkeypatch, -8, -9, -7)
    with pytest.raises(BoardNotFoundError):
        by_itself(photo, board)
    assert len(looks) == once + 2  # each outline's own picture, which shows where the border lies


def test_another_board_of_the_same_format_is_named_by_what_was_seen_already(
    looks: list[tuple[float, float]],
) -> None:
    with pytest.raises(BoardNotFoundError, match="looks like Ticket to Ride"):
        by_itself(_played().image_bgr, load_board("germany"))
    assert len(set(looks)) == 1
    assert len(looks) <= 3


def test_no_board_is_recognised_after_one_look_for_each_format(
    looks: list[tuple[float, float]],
) -> None:
    boards = [load_board(name) for name in ("usa", "germany", "france")]
    assert which_board(_blurred(1 / 120), boards) is None
    assert len(looks) == 2 + len(LONG_SIDES_MM)


@pytest.mark.parametrize(("part", "times"), [(1 / 150, 2), (0.0, 3)])
def test_only_a_sharp_photo_is_looked_at_closer_for_a_small_board(
    monkeypatch: pytest.MonkeyPatch, part: float, times: int
) -> None:
    looked: list[object] = []
    extract = registering.extract

    def counted(*image: Any, **how: Any) -> object:
        looked.append(how)
        return extract(*image, **how)

    empty = draw_photo(load_board("germany"), {}, seed=73, print_seed=11, rig_seed=74, camera=ABOVE)
    reference = make_reference(empty.image_bgr, load_board("germany"), really_empty=True)
    assert registering._map(reference, empty.image_bgr, load_board("germany")) is not None
    monkeypatch.setattr(registering, "extract", counted)
    photo = _blurred(part) if part else _played().image_bgr
    assert registering._map(reference, photo, load_board("germany")) is None
    assert len(looked) == times


def test_outlines_are_the_same_whether_looked_for_together_or_one_by_one() -> None:
    photo = _played().image_bgr
    ways = (PLAIN, OutlineSettings(blur_px=2.0), OutlineSettings(likelier_than=0.8))
    together = list(find_outlines(photo, ways))
    alone = [found for way in ways for found in find_outlines(photo, [way])]
    assert [found.corners_px.tolist() for found in together] == [
        found.corners_px.tolist() for found in alone
    ]
    assert len(together) == 3


@pytest.mark.parametrize(
    ("likeness", "cut", "key"),
    [
        (0.01, 0.0, "none"),
        (0.99, 0.0, "not-this"),
        (0.99, 0.9, "outside"),
        (REGISTRATION_LIMITS.cut_likeness - 0.01, 0.9, "cut-off"),
    ],
)
def test_what_is_no_known_board_is_told_by_how_much_of_it_is_seen(
    likeness: float, cut: float, key: str
) -> None:
    corners = np.array([[100.0, 100], [900, 100], [900, 700], [100, 700]])
    refusal = nowhere(_played().image_bgr, BoardOutline(corners, likeness, cut), load_board("usa"))
    assert refusal.key == f"vision.board.{key}"


@pytest.mark.parametrize(
    ("own", "key"),
    [
        ({}, "other-file"),
        ({"id": "usa-of-ours"}, "other-file"),
        ({"id": "ours", "title": "Ours"}, "other"),
    ],
)
def test_a_file_that_describes_a_known_board_wrongly_is_blamed_itself(
    own: dict[str, Any], key: str
) -> None:
    usa = load_board("usa")
    refusal = _other(usa, replace(usa, **own))
    assert (refusal.key, refusal.seen) == (f"vision.board.{key}", "usa")
