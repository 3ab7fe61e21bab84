"""Prints of our own drawing in the shape of a board's art, for scenes rendered without any."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.evaluate.labelled import ART_FRAME
from vision.synthetic.printing import PX_PER_MM, draw_map, lay_out
from vision.synthetic.style import random_style


def draw_art(board: Board, number: int, size_px: tuple[int, int]) -> NDArray[np.uint8]:
    """A print's picture within its border, of shape (H, W, 3), BGR, in the art's own size."""
    rng = np.random.default_rng([number, 47])
    style = replace(random_style(rng), shift_mm=(0.0, 0.0), stretch=(1.0, 1.0))
    frame = board.frame.size_mm
    around = style.border_mm if board.frame.reference == "art" else 0.0
    layout = lay_out(board, style)
    canvas = draw_map(rng, board, style, layout)
    scale, offset = (np.array(pair) for pair in ART_FRAME[board.id])
    left, top = (offset * frame + around) * PX_PER_MM
    wide, high = scale * frame * PX_PER_MM
    source = np.array([[left, top], [left + wide, top], [left, top + high]], np.float32)
    width, height = size_px
    target = np.array([[0, 0], [width, 0], [0, height]], np.float32)
    soft = cv2.GaussianBlur(canvas, (0, 0), 0.4 * wide / width)
    art = cv2.warpAffine(soft, cv2.getAffineTransform(source, target), size_px)
    return np.asarray(art, dtype=np.uint8)
