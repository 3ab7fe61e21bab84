"""By an evening lamp: the light is worked out on the board, and most of it taken away."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board.board import Board, load_board
from tests.support.drawn_table import CLAIMED, USA, full_photo
from vision.errors import BoardNotFoundError
from vision.images.board_light import light_on_board
from vision.images.light import balanced, is_cast, light_of_all, without_grain
from vision.reader import read_photos
from vision.reading import Registration
from vision.registration import register as registration
from vision.registration.register import register

Image = NDArray[np.uint8]

WHOLE = np.array([[0, 0], [40, 0], [40, 30], [0, 30]], np.float64)
LINEAR_OF_LEVEL = {188: 0.5029, 137: 0.2502, 64: 0.0513}
"""The sRGB curve, by hand: ((level / 255 + 0.055) / 1.055) ** 2.4."""


def plain(bgr: tuple[int, int, int]) -> Image:
    return np.full((30, 40, 3), bgr, np.uint8)


def by_lamp(image_bgr: Image, parts_bgr: tuple[float, float, float]) -> Image:
    """An image as if only these parts of the daylight fell on it, channel by channel."""
    level = image_bgr / 255
    linear = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4) * parts_bgr
    back = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(255 * back), np.uint8)


def test_the_light_is_told_in_linear_parts() -> None:
    light = light_on_board(plain((64, 137, 188)), WHOLE)
    assert light == pytest.approx([LINEAR_OF_LEVEL[k] for k in (64, 137, 188)], rel=0.01)
    assert is_cast(light), "0.50 is ten times 0.05"
    assert not is_cast(light_of_all(plain((137, 150, 188)))), "0.50 is twice 0.25"


def test_the_light_is_that_inside_the_outline_alone() -> None:
    image = plain((64, 137, 188))
    image[:, 20:] = 255
    light = light_on_board(image, WHOLE * (0.4, 1.0))
    assert light == pytest.approx([LINEAR_OF_LEVEL[k] for k in (64, 137, 188)], rel=0.01)


def by_lamp_and_window(window: float) -> Image:
    """A pale board with black marks in every cell by a lamp, whose right third mirrors a window
    that adds this part of white to all three channels."""
    image = np.full((320, 480, 3), (64, 137, 188), np.uint8)
    image[::5, ::5] = 0
    level = image / 255
    linear = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)
    linear[:, 320:] += window
    back = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(255 * back.clip(0, 1)), np.uint8)


def test_a_window_mirrored_in_a_part_of_the_board_leaves_the_lamp_s_light() -> None:
    """All of the board together has more than twice the lamp's blue: blue wagons, balanced by that,
    were left green."""
    whole = WHOLE * (12.0, 320 / 30)
    lamp = [LINEAR_OF_LEVEL[k] for k in (64, 137, 188)]
    image = by_lamp_and_window(0.3)
    assert light_of_all(image)[0] > 2 * lamp[0]
    assert light_on_board(image, whole) == pytest.approx(lamp, rel=0.03)


def test_a_blue_sea_on_the_print_is_no_window() -> None:
    """Its darkest is as dark as elsewhere: nothing lies over it."""
    image = by_lamp_and_window(0.0)
    image[:, 320:] = (188, 137, 64)
    image[::5, ::5] = 0
    whole = WHOLE * (12.0, 320 / 30)
    assert light_on_board(image, whole) == pytest.approx(light_of_all(image), rel=0.01)


def test_a_print_by_a_lamp_becomes_grey_wholly_or_in_part() -> None:
    """Linear 0.42 is level 173; 0.42 / 9.8 ** 0.3, the rest of blue's cast, is 0.212: 127."""
    image = plain((64, 137, 188))
    light = light_of_all(image)
    assert balanced(image, light, part=1.0)[0, 0] == pytest.approx([173, 173, 173], abs=1)
    blue, green, red = balanced(image, light)[0, 0]
    assert (blue, red) == (pytest.approx(127, abs=2), pytest.approx(173, abs=1))
    assert blue < green < red


def test_wagons_by_an_evening_lamp_are_read_as_by_day() -> None:
    """A bulb of 2,400 K that the camera did not balance: blue has a fortieth of red's light."""
    evening = by_lamp(full_photo().image_bgr, (0.015, 0.2, 0.6))
    routes = read_photos([evening], USA, players=("red", "blue", "green")).routes
    assert {name: r.owner for name, r in routes.items() if r.owner} == CLAIMED


def test_the_grain_of_a_dim_photo_is_evened_and_its_blue_left_out() -> None:
    """Blue flickers between 0 and 255 from pixel to pixel; green and red are even."""
    grainy = plain((0, 120, 200))
    grainy[::2, ::2, 0] = 255
    assert np.array_equal(without_grain(grainy), plain((120, 120, 200)))


def test_grain_finer_than_a_wagon_goes_and_wagons_stay() -> None:
    """On 2,000 px of side, single red pixels melt; a stroke as wide as a wagon, 9 px, stays red."""
    image = np.zeros((2000, 100, 3), np.uint8)
    image[::4, :50, 2] = 255
    image[996:1005, 50:, 2] = 255
    even = without_grain(image)
    assert even[500:600, 20, 2].max() < 160
    assert even[1000, 80, 2] == 255


FOUND = Registration("outline", np.zeros((4, 2)), np.zeros((1, 4, 2)), 1.0)
GERMANY = load_board("germany")


def refused_but_by_fair_light(photo_bgr: Image, board: Board, *, faintly: bool) -> Registration:
    if is_cast(light_of_all(photo_bgr)):
        raise BoardNotFoundError("vision.board.corners")
    return FOUND


def test_a_photo_that_is_refused_by_a_lamp_is_tried_again_balanced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = by_lamp(full_photo().image_bgr, (0.06, 0.3, 0.9))
    monkeypatch.setattr(registration, "by_itself", refused_but_by_fair_light)
    assert register(evening, GERMANY) is FOUND


@pytest.mark.parametrize(
    ("by_the_lamp", "balanced", "taken"),
    [((0.3, True), (0.5, False), 0.5), ((0.3, True), (0.35, True), 0.35), ((0.3, True), None, 0.3)],
)
def test_a_board_that_is_hardly_seen_by_a_lamp_is_taken_from_the_look_that_shows_it_best(
    monkeypatch: pytest.MonkeyPatch,
    by_the_lamp: tuple[float, bool],
    balanced: tuple[float, bool] | None,
    taken: float,
) -> None:
    looks = iter([by_the_lamp, balanced])

    def seen(photo_bgr: Image, board: Board, *, faintly: bool) -> Registration:
        look = next(looks)
        if look is None:
            raise BoardNotFoundError("vision.board.corners")
        return replace(FOUND, evidence=np.array([look[0]]), is_faint=look[1])

    monkeypatch.setattr(registration, "by_itself", seen)
    evidence = register(by_lamp(full_photo().image_bgr, (0.06, 0.3, 0.9)), GERMANY).evidence
    assert evidence is not None
    assert evidence[0] == taken


def test_what_stays_unfound_is_refused_for_the_first_reason_and_daylight_is_tried_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reasons = iter(["vision.board.corners", "vision.photo.dark", "vision.board.corners"])

    def never(photo_bgr: Image, board: Board, *, faintly: bool) -> Registration:
        key = next(reasons)
        raise BoardNotFoundError(key, again="") if "dark" in key else BoardNotFoundError(key)

    monkeypatch.setattr(registration, "by_itself", never)
    for photo in (by_lamp(full_photo().image_bgr, (0.06, 0.3, 0.9)), full_photo().image_bgr):
        with pytest.raises(BoardNotFoundError) as refused:
            register(photo, GERMANY)
        assert refused.value.key == "vision.board.corners"
    assert next(reasons, None) is None
