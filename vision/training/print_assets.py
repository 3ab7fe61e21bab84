"""Prints of our own drawing as assets for the renderer, so that it renders boards nobody sells.

`python -m vision.training.print_assets RENDERER OUT --first 0 --last 99` writes, for every number,
OUT/<number>/assets: the renderer's own data of where spaces lie, and a picture drawn by us where
its art would be. `vision/training/render_print.py` renders it.
"""

import argparse
import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board, load_board
from vision.evaluate.labelled import ART_FRAME
from vision.synthetic.printing import PX_PER_MM, draw_map, lay_out
from vision.synthetic.style import random_style
from vision.training.drawn_data import board_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("renderer", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--last", type=int, default=99)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for number in range(options.first, options.last + 1):
        write_assets(options.renderer / "assets", options.out / f"{number:04d}" / "assets", number)


def write_assets(renderer: Path, out: Path, number: int) -> None:
    """The renderer's assets with a print of our own in place of one board's art."""
    if out.exists():
        return
    partial = out.with_name("assets.part")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    board = load_board(board_of(number))
    for source in renderer.iterdir():
        if source.suffix != ".webp":
            shutil.copyfile(source, partial / source.name)
    art = cv2.imread(str(renderer / f"{board.id}-map.webp"))
    if art is None:
        raise FileNotFoundError(f"{renderer} has no {board.id}-map.webp")
    drawn = draw_art(board, number, (art.shape[1], art.shape[0]))
    # The renderer asks for this name and reads any kind of picture; webp keeps all of it.
    quality = [cv2.IMWRITE_WEBP_QUALITY, 101]
    cv2.imwrite(str(partial / f"{board.id}-map.webp"), drawn, quality)
    partial.rename(out)


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


if __name__ == "__main__":
    main()
