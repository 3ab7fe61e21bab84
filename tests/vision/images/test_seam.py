"""A JPEG that lost a piece in its middle decodes to shifted colours: it is refused, nothing else.

A loss adds the same to every pixel that follows. The pictures here are drawn with such a shift.
"""

import struct

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.drawn_table import full_photo
from vision.errors import ImageError
from vision.images.headers import read_header
from vision.images.photo import decode_photo
from vision.images.seam import has_seam

Picture = NDArray[np.uint8]

ROW = 400
"""Begins a block of 8 and a pair of blocks."""


def _board() -> Picture:
    return full_photo().image_bgr.copy()


def _shifted(picture: Picture, levels: tuple[int, int, int], x: int = 0, row: int = ROW) -> Picture:
    """From a place in a row of blocks on, blue, green and red are other by so many levels."""
    after = picture.astype(np.int16)
    after[row : row + 16, x:] += np.array(levels, np.int16)
    after[row + 16 :] += np.array(levels, np.int16)
    return np.clip(after, 0, 255).astype(np.uint8)


def _jpeg(picture: Picture, quality: int = 95) -> bytes:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return data.tobytes()


def _turned(data: bytes) -> bytes:
    """The same file with the EXIF of a phone held upright."""
    exif = (
        b"Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00"
        b"\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"
    )
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]


@pytest.mark.parametrize("x", [0, 304, 800, 1104])
@pytest.mark.parametrize("levels", [(-60, -60, -60), (30, 30, 30), (35, -6, -14)])
def test_a_jpeg_whose_colours_are_shifted_behind_a_loss_is_refused(
    levels: tuple[int, int, int], x: int
) -> None:
    """Darker, brighter, bluer; the loss is anywhere in its row of blocks."""
    data = _jpeg(_shifted(_board(), levels, x))
    for file in (data, _turned(data)):
        with pytest.raises(ImageError, match=r"damaged, or put together from several"):
            decode_photo(file)


def test_two_photos_of_one_table_joined_in_a_picture_are_not_just_called_damaged() -> None:
    """Its upper half by day and its lower one by a lamp: the board goes on, the light does not."""
    lamp = np.clip(_board() * [0.5, 0.75, 1.1], 0, 255).astype(np.uint8)
    joined = np.vstack([_board()[:ROW], lamp[ROW:]])
    with pytest.raises(ImageError) as refused:
        decode_photo(_jpeg(joined))
    assert "put together from several pictures" in refused.value.message.text("en")
    assert "composto da più immagini" in refused.value.message.text("it")


def test_text_on_cards_is_read_all_the_same() -> None:
    damaged = _jpeg(_shifted(_board(), (-60, -60, -60)))
    assert decode_photo(damaged, colours_matter=False).shape == _board().shape


def test_a_whole_photo_is_not_taken_for_one_that_lost_a_piece() -> None:
    data = _jpeg(_board())
    for file in (data, _turned(data)):
        decode_photo(file)


def test_a_faint_step_of_colour_alone_is_an_edge_s_and_one_of_twice_as_much_a_loss() -> None:
    """A difference of blue by 0.564 x (12 - 0.2) = 7 levels, and of 14."""
    assert not has_seam(_shifted(_board(), (12, -2, 0)), turned=False)
    assert has_seam(_shifted(_board(), (24, -5, 0)), turned=False)


def test_the_steps_of_a_coarse_jpeg_are_no_loss_and_a_loss_in_it_is_one() -> None:
    """At quality 15 libjpeg stores a block's red in steps of 57 eighths of a level: 7.125.

    A table that grows redder towards the lamp goes up by one such step at a row of blocks.
    """
    grain = np.random.default_rng(4).normal(0, 20, 80).repeat(8)
    table = np.array([60, 105, 130]) + grain[:, None] + np.zeros((480, 1, 1))
    table[..., 2] += np.linspace(0, 40, 480)[:, None]
    coarse = _jpeg(np.clip(table, 0, 255).astype(np.uint8), 15)
    header = read_header(coarse)
    assert header is not None
    assert header.step == 57 / 8
    decode_photo(coarse)
    with pytest.raises(ImageError, match="damaged"):
        decode_photo(_jpeg(_shifted(_board(), (-60, -60, -60)), 15))


def test_a_shadow_with_a_hard_edge_is_no_loss() -> None:
    """It takes a part of each pixel, and more from a bright one."""
    for part in (0.3, 0.5, 0.7):
        shaded = _board()
        shaded[ROW:] = (shaded[ROW:] * part).astype(np.uint8)
        assert not has_seam(shaded, turned=False)


def test_bars_of_a_screenshot_and_edges_of_a_table_are_no_loss() -> None:
    for grey in (0, 60, 200, 255):
        barred = _board()
        barred[:ROW] = grey
        assert not has_seam(barred, turned=False)
    for margin in (200, 60):  # of 1600: a board that nearly fills the picture is well photographed
        edge = _board()
        edge[ROW:, margin:-margin] = np.clip(
            edge[ROW:, margin:-margin].astype(np.int16) - 40, 0, 255
        )
        assert not has_seam(edge, turned=False), "a board's own edge ends before the picture does"
