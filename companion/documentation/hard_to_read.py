"""Situations that are hard to read, on drawn boards, with what the program reads in them.

The pictures of "Known weaknesses" in docs/reading.md. Their text is made with the picture, so
that it shows what the present networks read.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board, load_board
from vision.empty_board import make_reference
from vision.reader import read_photos
from vision.reading import Reading, RouteReading
from vision.synthetic import DrawnPhoto, Oddities, View, draw_photo, random_owners

CROP_PX = (360, 240)
"""Width and height of the piece of the photo that is shown, before it is enlarged."""

ENLARGED = 1.75
LINE_PX, MARGIN_PX = 24, 8
FONT, FONT_SCALE = cv2.FONT_HERSHEY_SIMPLEX, 0.45

OUTLINE_SHARE = 0.8
"""Outlines let some of what they cross be seen."""

MARK_SHARE = 1.3
"""How far from its space's middle a number stands, in widths of the space."""

OUTLINE_BGR, PAPER_BGR = (255, 0, 255), (255, 255, 255)
INK_BGR, RIGHT_BGR, ASKED_BGR, WRONG_BGR = (40, 40, 40), (60, 110, 20), (0, 90, 190), (0, 0, 200)

NEAT = Oddities.none()

Picture = NDArray[Any]
"""An ndarray of shape (H, W, 3), uint8, BGR."""

Words = tuple[str, tuple[int, int, int]]
"""A line under a picture, and its colour (BGR)."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A moment that is hard to read: the seeds that draw it, and the routes to look at.

    `players` and `fullness` say how much is built (`random_owners`).
    """

    name: str
    board: str
    routes: tuple[str, ...]
    view: View
    print_seed: int
    rig_seed: int
    seed: int
    players: int = 4
    fullness: float = 0.7
    oddities: Oddities = NEAT

    @property
    def owners(self) -> dict[str, str | None]:
        """Who has built what."""
        board = load_board(self.board)
        return random_owners(board, seed=self.seed, players=self.players, fullness=self.fullness)


def _only(**chances: Any) -> Oddities:
    """A tidy board but for these chances."""
    return replace(NEAT, **chances)


SITUATIONS: tuple[Situation, ...] = (
    Situation(
        name="dark-track-piece",
        board="france",
        routes=("bourges--dijon",),
        view=View(tilt_deg=18.0, azimuth_deg=30.0, hfov_deg=66.0, fill=0.93),
        print_seed=7,
        rig_seed=416,
        seed=4,
        fullness=0.5,
        oddities=_only(displaced_per_wagon=0.03, track_pieces_per_route=0.5),
    ),
    Situation(
        name="leaning-wagons",
        board="usa",
        routes=("new-york--washington-1", "new-york--washington-2"),
        view=View(tilt_deg=34.0, azimuth_deg=20.0, hfov_deg=98.0, fill=0.95),
        print_seed=213,
        rig_seed=313,
        seed=1,
        oddities=_only(displaced_per_wagon=0.02),
    ),
    Situation(
        name="red-on-red",
        board="usa",
        routes=("denver--salt-lake-city-1", "denver--salt-lake-city-2"),
        view=View(tilt_deg=24.0, azimuth_deg=200.0, hfov_deg=66.0, fill=0.93),
        print_seed=31,
        rig_seed=41,
        seed=230,
        oddities=_only(displaced_per_wagon=0.03, missing_per_wagon=0.06),
    ),
    Situation(
        name="under-a-card",
        board="usa",
        routes=("duluth--omaha-2",),
        view=View(tilt_deg=21.0, azimuth_deg=15.0, roll_deg=-4.0, hfov_deg=68.0, fill=0.93),
        print_seed=31,
        rig_seed=313,
        seed=234,
        oddities=_only(toppled_per_wagon=0.01, displaced_per_wagon=0.03, cards_per_photo=1.0),
    ),
    Situation(
        name="glare",
        board="usa",
        routes=("duluth--omaha-1", "duluth--omaha-2"),
        view=View(tilt_deg=21.0, azimuth_deg=15.0, roll_deg=-4.0, hfov_deg=68.0, fill=0.93),
        print_seed=213,
        rig_seed=883,
        seed=79,
        players=5,
        fullness=0.9,
        oddities=_only(displaced_per_wagon=0.05),
    ),
)
"""In the order of the page. The seeds were chosen by eye; a test says what they must show."""


def picture_of(situation: Situation) -> Picture:
    """The place that matters, enlarged, its printed spaces outlined, with what was read under it.

    The photo is read twice, beside a photo of the same board empty and by itself; the outlines are
    where the first reading found the spaces.
    """
    board, photo = load_board(situation.board), photo_of(situation)
    reference = make_reference(empty_photo_of(situation).image_bgr, board)
    players = photo.players
    beside = read_photos([photo.image_bgr], board, reference=reference, players=players)
    alone = read_photos([photo.image_bgr], board, players=players)
    crop = _outlined_crop(photo.image_bgr, board, beside, situation.routes)
    lines: list[Words] = []
    for letter, route in zip("AB", situation.routes, strict=False):
        owner = photo.owners[route]
        lines.append((f"{letter}: {_truth(board, route, photo)}", INK_BGR))
        lines.append(verdict_line("Beside the empty board", letter, beside.routes[route], owner))
        lines.append(verdict_line("By the photo alone", letter, alone.routes[route], owner))
    return np.concatenate([crop, _written(lines, crop.shape[1])])


def photo_of(situation: Situation) -> DrawnPhoto:
    """The photo, with the truth about it."""
    return _draw(situation, situation.owners, situation.seed, situation.oddities)


def empty_photo_of(situation: Situation) -> DrawnPhoto:
    """The same print under the same camera with nothing on it."""
    return _draw(situation, {}, situation.seed + 1, NEAT)


def _draw(
    situation: Situation, owners: Mapping[str, str | None], seed: int, oddities: Oddities
) -> DrawnPhoto:
    return draw_photo(
        load_board(situation.board),
        owners,
        seed=seed,
        print_seed=situation.print_seed,
        rig_seed=situation.rig_seed,
        camera=situation.view,
        oddities=oddities,
    )


def _truth(board: Board, route_id: str, photo: DrawnPhoto) -> str:
    """The route's name, whose it is, and what lies on it, in letters that OpenCV knows."""
    first, second = (board.place_by_id[end].name for end in board.route_by_id[route_id].ends)
    owner = photo.owners[route_id]
    whose = "nobody's" if owner is None else f"{owner}'s"
    if route_id in photo.tracks:
        whose += ", under a flat track piece"
    line = f"{first} - {second}, in truth {whose}"
    return unicodedata.normalize("NFKD", line).encode("ascii", "ignore").decode()


def verdict_line(how: str, letter: str, route: RouteReading, truth: str | None) -> Words:
    """What was read on a route: the owner, whether that is right and whether a person is asked."""
    owner = "nobody" if route.owner is None else route.owner
    verdict = "right" if route.owner == truth else "WRONG"
    asked = "asked" if route.review else "not asked"
    spaces = ", ".join(
        f"{letter}{number} {space.label} {_percent(space.confidence)}"
        for number, space in enumerate(route.spaces, 1)
    )
    line = f"{how}: {owner} {_percent(route.confidence)} % ({verdict}, {asked}); {spaces}"
    unasked_bgr = RIGHT_BGR if route.owner == truth else WRONG_BGR
    return line, ASKED_BGR if route.review else unasked_bgr


def _percent(share: float) -> int:
    """Rounded down, since nothing is quite certain."""
    return int(100 * min(share, 0.999))


def _outlined_crop(
    photo_bgr: NDArray[np.uint8], board: Board, reading: Reading, routes: Sequence[str]
) -> Picture:
    quads = [reading.registration.spaces_px[board.spaces_of[route]] for route in routes]
    points = np.concatenate(quads).reshape(-1, 2)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2.0
    height, width = photo_bgr.shape[:2]
    room = np.array([width, height]) - CROP_PX
    left, top = np.clip(np.round(middle - np.array(CROP_PX) / 2.0), 0, room).astype(int)
    piece = photo_bgr[top : top + CROP_PX[1], left : left + CROP_PX[0]]
    crop = cv2.resize(piece, None, fx=ENLARGED, fy=ENLARGED, interpolation=cv2.INTER_CUBIC)
    centre = (points.mean(axis=0) - (left, top)) * ENLARGED
    for letter, spaces in zip("AB", quads, strict=False):
        _outline(crop, (spaces - (left, top) + 0.5) * ENLARGED - 0.5, letter, centre)
    return crop


def _outline(
    crop: Picture, quads: NDArray[np.float64], letter: str, centre: NDArray[np.float64]
) -> None:
    """Outline a route's spaces and number them on the side that lies away from `centre`."""
    across = (quads[:, 3] - quads[:, 0]).mean(axis=0)
    outwards = across if across @ (quads.mean(axis=(0, 1)) - centre) >= 0 else -across
    fixed = list(np.round(quads * 16).astype(np.int32))
    lined = crop.copy()
    cv2.polylines(lined, fixed, True, OUTLINE_BGR, 1, cv2.LINE_AA, 4)
    cv2.addWeighted(lined, OUTLINE_SHARE, crop, 1.0 - OUTLINE_SHARE, 0.0, dst=crop)
    for number, quad in enumerate(quads, 1):
        _mark(crop, f"{letter}{number}", quad.mean(axis=0) + outwards * MARK_SHARE)


def _mark(crop: Picture, words: str, at: NDArray[np.float64]) -> None:
    """A few letters on a white plate."""
    (width, height), _ = cv2.getTextSize(words, FONT, FONT_SCALE, 1)
    left, foot = round(at[0] - width / 2), round(at[1] + height / 2)
    plate = (left - 3, foot - height - 3, width + 6, height + 6)
    cv2.rectangle(crop, plate, PAPER_BGR, -1)
    cv2.putText(crop, words, (left, foot), FONT, FONT_SCALE, INK_BGR, 1, cv2.LINE_AA)


def _written(lines: Sequence[Words], width_px: int) -> Picture:
    """Lines of text on white."""
    paper = np.full((MARGIN_PX, width_px, 3), 255, np.uint8)
    return np.concatenate([paper, *(_line(words, width_px) for words in lines)])


def _line(words: Words, width_px: int) -> Picture:
    """A line of text, pressed together where it would not fit; what was drawn is measured, since
    versions of OpenCV letter differently."""
    line, colour_bgr = words
    strip = np.full((LINE_PX, 3 * width_px, 3), 255, np.uint8)
    foot = (MARGIN_PX, LINE_PX - 8)
    cv2.putText(strip, line, foot, FONT, FONT_SCALE, colour_bgr, 1, cv2.LINE_AA)
    inked = np.flatnonzero((strip < 255).any(axis=(0, 2)))
    needed_px = max(int(inked.max()) + MARGIN_PX, width_px)
    return cv2.resize(strip[:, :needed_px], (width_px, LINE_PX), interpolation=cv2.INTER_AREA)
