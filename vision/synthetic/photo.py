"""Draws a photo of a board on a table, with everything that stands on it known exactly.

Three seeds, so that a set of photos can share what a real set would share: `print_seed` is the
copy of the board, `rig_seed` the camera, lamps, table and pieces, `seed` the moment.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.reading import OCCLUDED
from vision.synthetic.arrangement import Arrangement, Oddities, arrange
from vision.synthetic.camera import PinholeCamera, Points, View, random_view, stand
from vision.synthetic.canvas import Canvas, Scene
from vision.synthetic.light import Lighting, random_lighting
from vision.synthetic.pieces import Posed, pose, random_pieces
from vision.synthetic.plates import Plate, card, hand
from vision.synthetic.printing import DrawnPrint, make_print
from vision.synthetic.relief import Relief, random_relief
from vision.synthetic.sensor import Sensor, develop, random_sensor
from vision.synthetic.style import Style
from vision.synthetic.texture import checked, cloth, plain, tiles, wood

PHOTO_SIZE_PX = (2028, 1520)
"""Width and height of a photo, as the Pi's camera module gives them in half resolution."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPhoto:
    """A drawn photo and the truth about it.

    `image_bgr` is an ndarray of shape (H, W, 3), uint8. `corners_px` (4, 2) are the board's outer
    corners, `spaces_px` (N, 4, 2) every printed space's, both top-left, top-right, bottom-right,
    bottom-left as printed. `labels` gives each space "empty", "occluded" or its wagon's colour,
    `wagons` the same before anything hid it. `tracks` are the routes under a track piece.
    """

    image_bgr: NDArray[np.uint8]
    corners_px: NDArray[np.float64]
    spaces_px: NDArray[np.float64]
    labels: tuple[str, ...]
    wagons: tuple[str, ...]
    owners: Mapping[str, str | None]
    players: tuple[str, ...]
    tracks: tuple[str, ...]
    oddities: tuple[str, ...]
    view: View
    standing: "StandingWagons"


@dataclass(frozen=True, slots=True, eq=False)
class StandingWagons:
    """Every wagon on the board, strays too, in the order of `colours`.

    `middles_px` (M, 2) is where the middle of each is seen, `angles_deg` (M,) its direction on the
    board, `lying` (M,) whether it has toppled, `hidden` (M,) whether something lies over it.
    """

    colours: tuple[str, ...]
    middles_px: NDArray[np.float64]
    angles_deg: NDArray[np.float64]
    lying: NDArray[np.bool_]
    hidden: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Rig:
    """What stays the same while a fixed camera watches a game."""

    view: View
    camera: PinholeCamera
    lighting: Lighting
    relief: Relief
    table: NDArray[np.uint8]
    sensor: Sensor


def draw_photo(
    board: Board,
    owners: Mapping[str, str | None],
    *,
    seed: int,
    print_seed: int | None = None,
    rig_seed: int | None = None,
    style: Style | None = None,
    camera: View | None = None,
    size_px: tuple[int, int] = PHOTO_SIZE_PX,
    oddities: Oddities | None = None,
) -> DrawnPhoto:
    """Draw a photo of a moment: who owns each route (routes left out are nobody's).

    `seed` alone varies everything; a `print_seed` or `rig_seed` given holds that part fixed. An
    empty reference is the same print and rig with no owners and `Oddities.none()`.
    """
    print_seed = seed if print_seed is None else print_seed
    rig_seed = seed if rig_seed is None else rig_seed
    printed = make_print(board, print_seed, style)
    pieces = random_pieces(np.random.default_rng([print_seed, 23]))
    rig = _set_up(printed, rig_seed, camera, size_px)
    rng = np.random.default_rng([seed, 31])
    moment = arrange(rng, board, printed.layout, owners, oddities or Oddities())
    posed = tuple(_stand_on(rig.relief, [pose(piece, pieces) for piece in moment.pieces]))
    sheets = _sheets(rng, moment, printed, oddities or Oddities())
    canvas = Canvas(Scene(rig.camera, rig.lighting, rig.relief, printed, rig.table, pieces.shine))
    light = canvas.paint(posed, sheets)
    image = develop(rng, light, rig.sensor, canvas.metered(light))
    hidden = canvas.hidden(posed, sheets)
    return DrawnPhoto(
        image_bgr=image,
        corners_px=_corners_px(printed, rig),
        spaces_px=_spaces_px(printed, rig),
        labels=_seen_labels(moment, printed, rig, hidden),
        wagons=moment.labels,
        owners={route.id: owners.get(route.id) for route in board.routes},
        players=tuple(c for c in board.player_colours if c in set(owners.values())),
        tracks=moment.tracks,
        oddities=moment.oddities,
        view=rig.view,
        standing=_standing(moment, rig, hidden),
    )


def _standing(moment: Arrangement, rig: _Rig, hidden: NDArray[np.uint8]) -> StandingWagons:
    wagons = [piece for piece in moment.pieces if piece.kind == "wagon"]
    at_mm = np.array([(piece.x, piece.y) for piece in wagons]).reshape(-1, 2)
    middles = _on_face(at_mm, rig, 5.0)
    height, width = hidden.shape
    column, row = np.clip(np.round(middles), 0, (width - 1, height - 1)).astype(int).T
    outside = ((middles < 0) | (middles >= (width, height))).any(axis=1)
    return StandingWagons(
        colours=tuple(piece.colour for piece in wagons),
        middles_px=middles,
        angles_deg=np.array([piece.angle_deg for piece in wagons]),
        lying=np.array([piece.lying != 0 for piece in wagons], bool),
        hidden=(hidden[row, column] > 127) | outside,
    )


def _set_up(
    printed: DrawnPrint, rig_seed: int, view: View | None, size_px: tuple[int, int]
) -> _Rig:
    rng = np.random.default_rng([rig_seed, 17])
    outer = printed.layout.outer_mm
    random = random_view(rng)
    chosen = random if view is None else view
    camera = stand(chosen, outer, size_px)
    lighting = random_lighting(rng, outer, camera)
    total = np.array(lighting.ambient)
    for lamp in lighting.lamps:
        total = total + lamp.strength * np.array(lamp.colour)
    return _Rig(
        view=chosen,
        camera=camera,
        lighting=lighting,
        relief=random_relief(rng, outer, printed.style.fold),
        table=_table(rng),
        sensor=random_sensor(rng, (float(total[0]), float(total[1]), float(total[2]))),
    )


def _table(rng: np.random.Generator) -> NDArray[np.uint8]:
    """A square of the table's surface at one pixel a millimetre, to be repeated."""
    kinds = (wood, wood, cloth, checked, tiles, plain)
    square = kinds[int(rng.integers(len(kinds)))](rng, 1024)
    return np.asarray(np.clip(square, 0.0, 1.0) * 255, np.uint8)


def _stand_on(relief: Relief, posed: list[Posed]) -> list[Posed]:
    """Pieces lifted to the board's face where they stand."""
    lifted = []
    for one in posed:
        rise = float(relief.height(np.array([one.piece.x, one.piece.y])))
        lifted.append(one.raised(rise))
    return lifted


def _sheets(
    rng: np.random.Generator,
    moment: Arrangement,
    printed: DrawnPrint,
    oddities: Oddities,
) -> tuple[Plate, ...]:
    """Cards beside and on the board, then a hand over it."""
    width, height = printed.layout.outer_mm
    sheets = []
    if oddities.clutter_beside:
        for _ in range(int(rng.integers(0, 5))):
            x, y = rng.uniform(-0.35, 1.35, 2) * (width, height)
            if not (-60 < x < width + 60 and -60 < y < height + 60):
                sheets.append(card(rng, float(x), float(y), float(rng.uniform(0, 360)), -1.5))
    for x, y, angle in moment.cards_at:
        sheets.append(card(rng, x, y, angle, 9.5))
    if moment.hand_at is not None:
        way = rng.uniform(0.0, 2 * np.pi)
        far = (moment.hand_at[0] + np.cos(way), moment.hand_at[1] + np.sin(way))
        sheets.append(hand(rng, moment.hand_at, far, float(rng.uniform(25.0, 60.0))))
    return tuple(sheets)


def _corners_px(printed: DrawnPrint, rig: _Rig) -> NDArray[np.float64]:
    width, height = printed.layout.outer_mm
    corners = np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])
    return _on_face(corners, rig)


def _spaces_px(printed: DrawnPrint, rig: _Rig) -> NDArray[np.float64]:
    return _on_face(printed.layout.spaces_mm, rig)


def _on_face(points_mm: Points, rig: _Rig, above_mm: float = 0.0) -> NDArray[np.float64]:
    """Pixels of points (..., 2) of the board's face, or of a height above it."""
    height = rig.relief.height(points_mm)[..., None] + above_mm
    return rig.camera.project(np.concatenate([points_mm, height], axis=-1))


def _seen_labels(
    moment: Arrangement, printed: DrawnPrint, rig: _Rig, hidden: NDArray[np.uint8]
) -> tuple[str, ...]:
    """Labels with "occluded" where more than half of what a space shows is hidden.

    What a space shows are points on its wagon at half height where one stands, else on the print.
    """
    shares = np.array([(a, b) for a in (0.1, 0.3, 0.5, 0.7, 0.9) for b in (0.2, 0.5, 0.8)])
    quads = printed.layout.spaces_mm
    along, across = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    points = quads[:, :1] + along[:, None] * shares[:, :1] + across[:, None] * shares[:, 1:]
    standing = np.array([label != "empty" for label in moment.labels])
    low, high = _on_face(points, rig), _on_face(points, rig, 6.0)
    pixels = np.round(np.where(standing[:, None, None], high, low)).astype(int)
    height, width = hidden.shape
    columns = np.clip(pixels[..., 0], 0, width - 1)
    rows = np.clip(pixels[..., 1], 0, height - 1)
    outside = ((pixels < 0) | (pixels >= (width, height))).any(axis=-1)
    covered = ((hidden[rows, columns] > 127) | outside).mean(axis=1) > 0.5
    return tuple(
        OCCLUDED if over else label for label, over in zip(moment.labels, covered, strict=True)
    )
