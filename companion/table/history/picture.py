"""The result of an evening as a picture to share: names, points and who won, drawn by OpenCV.

OpenCV 5 brings a TrueType face with it, so names come out with their accents; an older one draws
plain letters only, and names lose theirs.
"""

import unicodedata
from datetime import datetime
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.table.history.drawn_name import drawn_name
from companion.table.history.marks import MARKS
from scoring.board.board import Board
from scoring.board.game_names import game_title
from scoring.game.colours import COLOURS, HEX, rgb_of
from scoring.game.mapless import MaplessGame
from scoring.language import text
from scoring.language.figures import figure
from scoring.language.lists import join_names
from vision.images.encode import png
from web.days import CLOCK_SET_S
from web.drawing.board_svg import draw_board
from web.drawing.colour_styles import ink_on
from web.history_port import EveningSummary, OldEvening, PlayerResult
from web.sheet.sheet import tie_break_in_words

Picture = npt.NDArray[np.uint8]
"""ndarray of shape (H, W, 3), uint8, BGR."""

WIDTH_PX = 1080
MARGIN_PX = 64
HEAD_PX = 300
ROW_PX = 128
FOOT_PX = 90
GAP_PX = 24
MOST_MAP_PX = 760
"""A map that is taller than wide is made this high."""

PAPER_BGR = (220, 235, 243)
DEEP_BGR = (69, 63, 29)
CREAM_BGR = (224, 244, 253)
BRASS_BGR = (76, 180, 233)
INK_BGR = (25, 32, 42)
SOFT_BGR = (70, 87, 103)
GROUND_BGR = (178, 205, 220)
MAP_BGR = (195, 223, 236)
FREE_BGR = (176, 203, 215)


def result_png(opened: OldEvening, language: str) -> bytes:
    """The result as the bytes of a PNG."""
    title = _title(opened.board, language)
    reason = drawn_name(tie_break_of(opened, language))
    picture = draw_result(opened.summary, title, language, draw_map(opened), reason)
    return png(picture)


def tie_break_of(opened: OldEvening, language: str) -> str:
    """What decided between players level on points, as the sheet says it; empty where none were."""
    return tie_break_in_words(opened.sheet, language)


def draw_result(
    evening: EveningSummary,
    title: str,
    language: str,
    board: Picture | None = None,
    reason: str = "",
) -> Picture:
    """The result as a picture, the best player on top and `board` under the headline.

    `reason` says beside the date why one of two players level on points has won.
    """
    rows = evening.in_order
    map_px = 0 if board is None else board.shape[0] + GAP_PX
    height = HEAD_PX + map_px + len(rows) * ROW_PX + FOOT_PX
    canvas: Picture = np.full((height, WIDTH_PX, 3), PAPER_BGR, np.uint8)
    _draw_head(canvas, evening, title, language, reason)
    if board is not None:
        left = (WIDTH_PX - board.shape[1]) // 2
        canvas[HEAD_PX : HEAD_PX + board.shape[0], left : left + board.shape[1]] = board
    most = max(1, *(abs(one.total) for one in rows))
    for number, one in enumerate(rows):
        _draw_row(canvas, one, HEAD_PX + map_px + number * ROW_PX, most, language)
    write(canvas, "Companion", (MARGIN_PX, height - 34), 28, SOFT_BGR)
    return canvas


def draw_map(opened: OldEvening) -> Picture | None:
    """The board with everybody's wagons; None where its file gives no positions."""
    if not any(route.spaces for route in opened.board.routes):
        return None
    drawing = draw_board(opened.board)
    scale = min((WIDTH_PX - 2 * MARGIN_PX) / drawing.width, MOST_MAP_PX / drawing.height)
    size = round(drawing.height * scale), round(drawing.width * scale)
    canvas: Picture = np.full((*size, 3), MAP_BGR, np.uint8)
    owners = {
        route: player.colour or "grey" for player in opened.game.players for route in player.routes
    }
    for route in drawing.routes:
        ink = _bgr(owners[route.id]) if route.id in owners else FREE_BGR
        for box in route.boxes:
            corners = np.array(box.corners) * scale
            _fill(canvas, corners, ink, has_rim=route.id in owners)
            if route.id in owners:
                x, y = corners.mean(axis=0)
                _draw_mark(canvas, owners[route.id], (x, y), WAGON_MARK_PX)
    for place in drawing.places:
        for x, y in place.dots:
            centre = (round(x * scale), round(y * scale))
            cv2.circle(canvas, centre, 6, PAPER_BGR, -1, cv2.LINE_AA)
            cv2.circle(canvas, centre, 6, INK_BGR, 2, cv2.LINE_AA)
    return canvas


SUBPIXEL_BITS = 4

MARK_SHARE = 0.66
"""How much of a square its shape takes, as on the panel."""

WAGON_MARK_PX = 11
"""Side of the shape on a wagon."""


def _fill(
    canvas: Picture,
    corners_px: npt.NDArray[np.float64],
    ink_bgr: tuple[int, int, int],
    has_rim: bool,
) -> None:
    """A box of four corners, to a sixteenth of a pixel."""
    corners = np.rint(corners_px * 2**SUBPIXEL_BITS).astype(np.int32)
    cv2.fillPoly(canvas, [corners], ink_bgr, cv2.LINE_AA, SUBPIXEL_BITS)
    if has_rim:
        cv2.polylines(canvas, [corners], True, INK_BGR, 1, cv2.LINE_AA, SUBPIXEL_BITS)


def _draw_head(
    canvas: Picture, evening: EveningSummary, title: str, language: str, reason: str
) -> None:
    cv2.rectangle(canvas, (0, 0), (WIDTH_PX, HEAD_PX - 40), DEEP_BGR, -1)
    cv2.rectangle(canvas, (0, HEAD_PX - 40), (WIDTH_PX, HEAD_PX - 32), BRASS_BGR, -1)
    names = join_names([drawn_name(name) for name in evening.winners], language)
    if len(evening.winners) == 1:
        headline = text("companion.picture.winner", language, name=names)
    else:
        headline = text("companion.picture.winners", language, names=names)
    write(canvas, headline, (MARGIN_PX, 110), 66, CREAM_BGR, WIDTH_PX - 2 * MARGIN_PX)
    when = _day(evening.day_s, language)
    write(canvas, drawn_name(title), (MARGIN_PX, 174), 36, CREAM_BGR, WIDTH_PX - 2 * MARGIN_PX)
    said = " · ".join(filter(None, (when, reason)))
    write(canvas, said, (MARGIN_PX, 226), 32, CREAM_BGR, WIDTH_PX - 2 * MARGIN_PX)


def _draw_row(canvas: Picture, one: PlayerResult, top: int, most: int, language: str) -> None:
    """A player's name, colour and points, with a bar as long as they are beside the `most`."""
    _draw_sign(canvas, one.colour, (MARGIN_PX, top + 22), 72)
    name = f"{one.rank}. {drawn_name(one.name)}"
    named = write(canvas, name, (MARGIN_PX + 100, top + 62), 44, INK_BGR, 560)
    colour = text(f"scoring.colour.{one.colour}", language)
    write(canvas, colour, (MARGIN_PX + 124 + named, top + 62), 28, SOFT_BGR)
    write_right(canvas, figure(one.total), top + 66, 60, INK_BGR)
    left, right = MARGIN_PX + 100, WIDTH_PX - MARGIN_PX
    cv2.rectangle(canvas, (left, top + 84), (right, top + 100), GROUND_BGR, -1)
    length = round((right - left) * max(0, one.total) / most)
    if length:
        cv2.rectangle(canvas, (left, top + 84), (left + length, top + 100), _bgr(one.colour), -1)
    cv2.rectangle(canvas, (left, top + 84), (right, top + 100), SOFT_BGR, 1)


def _day(at_s: float, language: str) -> str:
    """A day in words, "" where the clock of the box was never set."""
    if at_s < CLOCK_SET_S:
        return ""
    day = datetime.fromtimestamp(at_s)
    month = text(f"web.month.{day.month}", language)
    return text("companion.picture.day", language, day=day.day, month=month, year=day.year)


def _title(board: Board, language: str) -> str:
    """The game's name; one without a map is called by its own, not by how it is entered."""
    if isinstance(board, MaplessGame):
        return game_title(board.game, "", language)
    return game_title(board.id, board.title, language)


def _draw_sign(canvas: Picture, colour: str, corner: tuple[int, int], side: int) -> None:
    """The player's colour and shape; a white or black one is told from the paper by its rim."""
    x, y = corner
    cv2.rectangle(canvas, (x, y), (x + side, y + side), _bgr(colour), -1)
    cv2.rectangle(canvas, (x, y), (x + side, y + side), INK_BGR, 2)
    inner = side * MARK_SHARE
    _draw_mark(canvas, colour, (x + side / 2, y + side / 2), inner)


def _draw_mark(
    canvas: Picture, colour: str, centre_px: tuple[float, float], side_px: float
) -> None:
    """The player's shape, in the ink that the panel writes it with."""
    corner = np.array(centre_px) - side_px / 2
    outlines = [corner + outline * side_px for outline in MARKS[_known(colour)]]
    corners = [np.rint(one * 2**SUBPIXEL_BITS).astype(np.int32) for one in outlines]
    ink = _bgr_of_hex(ink_on(HEX[_known(colour)]))
    cv2.fillPoly(canvas, corners, ink, cv2.LINE_AA, SUBPIXEL_BITS)


def _known(colour: str) -> str:
    return colour if colour in COLOURS else "grey"


def _bgr(colour: str) -> tuple[int, int, int]:
    return _bgr_of_hex(HEX[_known(colour)])


def _bgr_of_hex(value: str) -> tuple[int, int, int]:
    red, green, blue = rgb_of(value)
    return blue, green, red


# --- letters ---

_NEW: Any = getattr(cv2, "FontFace", None)
"""OpenCV 5's class of TrueType faces, None in an older OpenCV."""

WEIGHT = 600
"""Of the face, from 100 (thin) to 900 (black)."""


def write(
    canvas: Picture,
    words: str,
    foot: tuple[int, int],
    size_px: int,
    ink_bgr: tuple[int, int, int],
    widest_px: int = WIDTH_PX,
) -> int:
    """Write from `foot`, the left end of the baseline; what is too wide becomes smaller.

    Returns the width in pixels.
    """
    width = width_of(words, size_px)
    size = size_px if width <= widest_px else max(12, size_px * widest_px // width)
    if _NEW is None:
        scale = cv2.getFontScaleFromHeight(cv2.FONT_HERSHEY_DUPLEX, round(size * 0.7))
        plain = _without_accents(words)
        cv2.putText(canvas, plain, foot, cv2.FONT_HERSHEY_DUPLEX, scale, ink_bgr, 2, cv2.LINE_AA)
    else:
        cv2.putText(canvas, words, foot, ink_bgr, _NEW("sans"), size, WEIGHT)
    return min(width, widest_px)


def write_right(
    canvas: Picture, words: str, foot_y: int, size_px: int, ink_bgr: tuple[int, int, int]
) -> None:
    """Write so that the text ends at the right margin."""
    left = canvas.shape[1] - MARGIN_PX - width_of(words, size_px)
    write(canvas, words, (left, foot_y), size_px, ink_bgr)


def width_of(words: str, size_px: int) -> int:
    """Width of a text in pixels."""
    if _NEW is None:
        scale = cv2.getFontScaleFromHeight(cv2.FONT_HERSHEY_DUPLEX, round(size_px * 0.7))
        plain = _without_accents(words)
        return int(cv2.getTextSize(plain, cv2.FONT_HERSHEY_DUPLEX, scale, 2)[0][0])
    room: Any = (WIDTH_PX * 4, size_px * 2)
    box: Any = cv2.getTextSize(room, words, (0, size_px), _NEW("sans"), size_px, WEIGHT)
    return int(box[0] + box[2])


def _without_accents(words: str) -> str:
    """Letters that an old OpenCV can draw: accents fall off, other signs become question marks."""
    bare = unicodedata.normalize("NFKD", words.replace("−", "-"))
    kept = "".join(sign for sign in bare if not unicodedata.combining(sign))
    return kept.encode("ascii", "replace").decode()
