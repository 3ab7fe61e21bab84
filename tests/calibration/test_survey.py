"""What a look at the photo of an empty board tells: where it lies, how well, what to do."""

import cv2
import numpy as np
import pytest

from calibration.advice import advise, advise_frame, is_too_narrow
from calibration.survey import _uneven, survey
from scoring.board.board import load_board
from tests.support.drawn_table import USA, empty_photo, full_photo
from vision.registration.board_geometry import board_centres_mm
from vision.registration.recognition import which_board

BOARDS = [load_board(name) for name in ("germany", "france", "usa")]


def codes(photo_bgr: object, corners_px: object) -> list[str]:
    told = advise(photo_bgr, USA, corners_px)  # type: ignore[arg-type]
    return [one.code for one in told if not one.good]


def test_the_board_is_recognised_among_others() -> None:
    assert which_board(empty_photo().image_bgr, BOARDS) is BOARDS[2]
    assert which_board(empty_photo().image_bgr, BOARDS[:2]) is None


def test_an_empty_board_is_found_space_for_space() -> None:
    photo = empty_photo()
    found = survey(photo.image_bgr, USA)
    assert found.is_usable
    assert found.claimed == ()
    away = np.linalg.norm(found.spaces_px.mean(axis=1) - photo.spaces_px.mean(axis=1), axis=1)
    assert np.median(away) < 2.0, "pixels, of which a millimetre has 1.8"
    assert found.seen.mean() > 0.95


def test_corners_may_be_given_in_any_turn() -> None:
    photo = empty_photo()
    found = survey(photo.image_bgr, USA, np.roll(photo.corners_px, 2, axis=0))
    assert np.abs(found.corners_px - photo.corners_px).max() < 0.01


def test_wagons_are_named_and_a_person_may_vouch() -> None:
    photo = full_photo()
    found = survey(photo.image_bgr, USA, photo.corners_px)
    assert {"denver--omaha", "atlanta--miami"} <= set(found.claimed)
    assert not found.is_usable
    assert survey(photo.image_bgr, USA, photo.corners_px, really_empty=True).is_usable


def test_a_good_photo_needs_nothing() -> None:
    photo = empty_photo()
    assert codes(photo.image_bgr, photo.corners_px) == []
    light = next(
        one for one in advise(photo.image_bgr, USA, photo.corners_px) if one.code == "light"
    )
    assert light.message.key == "calibration.advice.light", "no lamp's"


def test_a_lamp_mirrored_in_the_board_is_told_by_the_nearest_place() -> None:
    photo = empty_photo()
    unit = np.array([[[0, 0]], [[1, 0]], [[1, 1]], [[0, 1]]], np.float32)
    to_photo = cv2.getPerspectiveTransform(unit, photo.corners_px.astype(np.float32)[:, None])
    miami = USA.place_by_id["miami"]
    at = cv2.perspectiveTransform(np.array([[[miami.x, miami.y]]], np.float64), to_photo)[0, 0]
    glaring = photo.image_bgr.copy()
    cv2.circle(glaring, (round(at[0]), round(at[1])), 40, (255, 255, 255), -1)
    (told,) = [one for one in advise(glaring, USA, photo.corners_px) if one.code == "glare"]
    assert "Miami" in told.message.text()
    assert "Miami" in told.message.text("it")


def test_a_corner_out_of_the_picture_is_named() -> None:
    photo = empty_photo()
    left, bottom = photo.corners_px[3]
    cut, corners = photo.image_bgr[: round(bottom) - 5], photo.corners_px
    said = [one.message.text() for one in advise(cut, USA, corners) if one.code == "corner"]
    assert any("lower left corner" in one for one in said)
    assert left > 0


def test_a_small_soft_or_dark_photo_says_so() -> None:
    photo = empty_photo()
    small = cv2.resize(photo.image_bgr, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    assert "resolution" in codes(small, photo.corners_px / 2), "1.1 mm a pixel"
    assert is_too_narrow(small)
    assert "sharpness" in codes(cv2.GaussianBlur(photo.image_bgr, (0, 0), 12), photo.corners_px)
    assert "light" in codes((photo.image_bgr * 0.12).astype(np.uint8), photo.corners_px)


def test_a_live_picture_is_judged_without_knowing_the_board() -> None:
    assert all(one.good for one in advise_frame(empty_photo().image_bgr))
    table = np.full((900, 1200, 3), (60, 90, 120), np.uint8)
    assert [one.code for one in advise_frame(table)] == ["no-board"]
    right_half = np.ascontiguousarray(empty_photo().image_bgr[:, 800:])
    assert "cut" in [one.code for one in advise_frame(right_half) if not one.good]
    half_size = cv2.resize(empty_photo().image_bgr, None, fx=0.5, fy=0.5)
    far = cv2.copyMakeBorder(half_size, 300, 300, 400, 400, cv2.BORDER_REPLICATE)
    assert [one.code for one in advise_frame(far) if not one.good] == ["nearer"]


@pytest.mark.parametrize("language", ["en", "it"])
def test_all_advice_can_be_said(language: str) -> None:
    photo = empty_photo()
    for one in advise(photo.image_bgr, USA, photo.corners_px - 400):
        assert one.message.text(language)


@pytest.mark.parametrize(
    ("off_mm", "told"), [(3.0, ("top-right", 3.0)), (0.8, None)], ids=["a fold", "as good as flat"]
)
def test_the_corner_that_does_not_lie_flat_is_named(
    off_mm: float, told: tuple[str, float] | None
) -> None:
    own_mm = board_centres_mm(USA)
    right, upper = own_mm[:, 0] > USA.frame.size_mm[0] * 2 / 3, own_mm[:, 1] < 525 / 3
    seen_px = 2 * own_mm
    seen_px[right & upper, 0] += 2 * off_mm
    found = _uneven(seen_px, USA)
    assert found == told if told is None else found == (told[0], pytest.approx(told[1], abs=0.3))
