"""Boards of our own drawing for training: endless prints, so that none can be learnt by heart.

`python -m vision.training.drawn_data OUT --first 0 --last 99` draws, for every number, one print
under one camera and lamp: its empty board and two games with players of any colours.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from scoring.board.board import Board, load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.game.colours import COLOURS
from vision.evaluate.labelled import LabelledImage
from vision.synthetic import DrawnPhoto, Oddities, draw_photo, random_owners

GAMES_A_PRINT = 2

TRACKED = Oddities(track_pieces_per_route=0.25)
"""More track pieces than France has: flat on the spaces, they are what is most like a wagon."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--last", type=int, default=99)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    for number in range(options.first, options.last + 1):
        draw_print(options.out, number)


def board_of(number: int) -> str:
    """Whose routes the print of a number shows."""
    return BOARDS_WITH_DATA[number % len(BOARDS_WITH_DATA)]


def draw_print(out: Path, number: int) -> None:
    """Draw and save one print: `<number>-0` is empty, the others are games."""
    board = _with_colours(load_board(board_of(number)), number)
    for game in range(GAMES_A_PRINT + 1):
        path = out / f"{number:04d}-{game}.jpg"
        if path.exists():
            continue
        seed = 100 * number + game
        # Now and then the reference is of another day: another camera and another lamp.
        rig = seed if number % 4 == 3 else 100 * number
        owners = {} if game == 0 else random_owners(board, seed=seed)
        photo = draw_photo(
            board,
            owners,
            seed=seed,
            print_seed=number,
            rig_seed=rig,
            oddities=Oddities.none() if game == 0 else TRACKED,
        )
        _save(path, board, photo)


def _with_colours(board: Board, number: int) -> Board:
    """The board with other player colours, so that every colour is learnt."""
    chosen = np.random.default_rng(number).permutation(COLOURS)[:5]
    return replace(board, player_colours=tuple(str(colour) for colour in chosen))


def _save(path: Path, board: Board, photo: DrawnPhoto) -> None:
    np.savez(
        path.with_suffix(".npz"),
        board=board.id,
        players=np.array(board.player_colours),
        labels=np.array(photo.wagons),
        visible=np.array([0.0 if label == "occluded" else 1.0 for label in photo.labels]),
        owners=np.array([photo.owners[route.id] or "" for route in board.routes]),
        spaces_px=photo.spaces_px,
        corners_px=photo.corners_px,
        tracks=np.array(photo.tracks, dtype=str),
    )
    cv2.imwrite(str(path), photo.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 93])


def drawn_images(folder: Path) -> Iterator[LabelledImage]:
    """All drawn photos of a folder with their truth."""
    for path in sorted(folder.glob("*.npz")):
        number, game = path.stem.split("-")
        with np.load(path) as truth:
            board = replace(
                load_board(str(truth["board"])), player_colours=tuple(map(str, truth["players"]))
            )
            owners = [str(owner) or None for owner in truth["owners"]]
            yield LabelledImage(
                path=path.with_suffix(".jpg"),
                board=board,
                source="drawn",
                state=f"drawn-{number}-{game}",
                rig=f"drawn-{number}" if int(number) % 4 != 3 else f"drawn-{number}-{game}",
                print_id=f"drawn-{number}",
                players=board.player_colours,
                labels=tuple(map(str, truth["labels"])),
                owners=dict(zip(board.route_by_id, owners, strict=True)),
                visible=truth["visible"],
                ambiguous=np.zeros(board.space_count, dtype=bool),
                spaces_px=truth["spaces_px"],
                corners_px=truth["corners_px"],
                tracks=frozenset(map(str, truth["tracks"])),
            )


if __name__ == "__main__":
    main()
