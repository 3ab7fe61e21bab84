"""How well photos are read that light, glass, a phone or a messenger has spoilt.

`python -m tests.bench spoilt`: the labelled photos and renders beside the checkout, each spoilt in
every way, by as much as a number drawn for it says, and read alone. Without them boards of our own
drawing. Nothing may be surely wrong; what a person could not tell either is to be asked about.
"""

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.bench.accuracy import draw_set
from tests.support.shared import SHARED
from vision.errors import VisionError
from vision.evaluate.labels import LABELS, Labelled, load_labels
from vision.evaluate.result import PlaceCounts, Result, count
from vision.images.light import from_linear, to_linear
from vision.images.photo import decode_photo, load_photo
from vision.reader import read_photos
from vision.registration.board_geometry import board_centres_mm, outline_mm
from vision.registration.geometry import homography_of_quads, project
from vision.spaces.camera_pose import lean_at_mm
from vision.synthetic.light import black_body
from vision.synthetic.pieces import PLASTICS

Picture = NDArray[np.uint8]
Light = NDArray[np.float64]
Dice = np.random.Generator
Spoil = Callable[[Picture, Labelled, Dice], Picture]

RENDERS = 15
"""So many of the renders, evenly from all, beside the real photos."""

SEED = 3

QUALITY = 90
"""Of the JPEG that is read, where a spoil does not say otherwise."""

WAGON_MM = (22.0, 8.0)
HEAPED, HEAP_MM = 60, 55.0
"""So many wagons of that length and width lie about the heap's middle, by that deviation."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one spoilt photo: why it was refused, or its places as they were read."""

    photo: str
    failure: str = ""
    places: PlaceCounts = field(default_factory=PlaceCounts)


def run() -> None:
    """Print the figures, way by way."""
    with tempfile.TemporaryDirectory() as folder:
        drawn = Path(folder)
        if not (SHARED / "photos" / LABELS).is_file():
            draw_set(drawn)
        photos = range(len(_images(drawn)))
        print(f"\n{len(photos)} photos, spoilt in {len(SPOILS)} ways, read alone")
        with ProcessPoolExecutor(os.cpu_count()) as workers:
            for name in SPOILS:
                _report(name, list(workers.map(partial(_read, drawn, name), photos)))


@cache
def _images(drawn: Path) -> Sequence[Labelled]:
    """Those beside the checkout, else those in the folder of drawn ones; each worker's own."""
    if not (SHARED / "photos" / LABELS).is_file():
        return _games(drawn)
    folders = [SHARED / "renders" / part for part in ("", "careless", "old-phone")]
    renders = [image for folder in folders for image in _games(folder)]
    return _games(SHARED / "photos") + renders[:: max(1, len(renders) // RENDERS)]


def _games(folder: Path) -> list[Labelled]:
    return [image for image in load_labels(folder) if not image.is_empty]


def _read(drawn: Path, name: str, number: int) -> Outcome:
    """One photo, spoilt in one way and read; numbers are drawn for it alone."""
    cv2.setNumThreads(1)
    image, dice = _images(drawn)[number], np.random.default_rng([SEED, number, *name.encode()])
    players = image.players
    if name == NOBODY_S:
        left_out = int(dice.integers(len(players)))
        players = players[:left_out] + players[left_out + 1 :]
    result = Result(image)
    try:
        photo = _jpeg(SPOILS[name](load_photo(image.path), image, dice), QUALITY)
        count(result, read_photos([photo], image.board, players=players))
    except VisionError as error:
        return Outcome(image.path.name, str(error))
    return Outcome(image.path.name, places=result.places)


def _report(name: str, outcomes: Sequence[Outcome]) -> None:
    read = [outcome.places for outcome in outcomes if not outcome.failure]
    silent, wrong = sum(len(p.silent) for p in read), sum(len(p.wrong) for p in read)
    known, asked = sum(p.known for p in read), sum(len(p.asked) for p in read)
    print(
        f"  {name:<28} {len(read):>3} of {len(outcomes)} read, {wrong:>4} of {known} places wrong,"
        f" {silent} of them silently, {asked / max(1, len(read)):.1f} asked a photo",
        flush=True,
    )
    for outcome in outcomes:
        if outcome.failure:
            print(f"      {outcome.photo}: {outcome.failure}")
        elif outcome.places.silent:
            print(f"      {outcome.photo} silent: {', '.join(outcome.places.silent)}")


def _jpeg(picture: Picture, quality: int) -> Picture:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return decode_photo(data.tobytes())


def _levels(light: Light) -> Picture:
    return np.asarray(np.rint(255 * from_linear(np.clip(light, 0, 1))), np.uint8)


def by_messenger(picture: Picture, image: Labelled, dice: Dice) -> Picture:
    """Shrunk and compressed twice on its way."""
    side_px, quality = (1600, 70) if dice.random() < 0.5 else (1280, 50)
    scale = min(1.0, side_px / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return _jpeg(_jpeg(np.asarray(small, np.uint8), 85), quality)


def under_a_pane(picture: Picture, image: Labelled, dice: Dice) -> Picture:
    """A pane of glass lies over all of it, and mirrors a pale room and a window."""
    light = to_linear(picture) * 0.9 + dice.uniform(0.01, 0.08)
    window = _soft(picture, image, dice, wide=(0.1, 0.25), sharp=True)
    return _levels(light + dice.uniform(0.05, 0.3) * window[..., None])


def window_by_a_lamp(picture: Picture, image: Labelled, dice: Dice) -> Picture:
    """By a lamp, with a window mirrored softly in a part of the board, balanced halfway."""
    lamp = black_body(dice.uniform(2200, 3400))
    lamp /= lamp.max()
    light = to_linear(picture) * lamp * dice.uniform(0.6, 1.0)
    white = np.percentile(light[::8, ::8].max(axis=2), 95)
    window = _soft(picture, image, dice, wide=(0.08, 0.35), sharp=bool(dice.random() < 0.5))
    light = light + dice.uniform(0.1, 0.5) * white * window[..., None]
    gain = (1 / lamp) ** dice.uniform(0.3, 0.7)
    return _levels(light * gain / (gain * lamp).max())


def by_a_mirrored_lamp(picture: Picture, image: Labelled, dice: Dice) -> Picture:
    """A lamp is mirrored so brightly that nothing is seen in its middle."""
    lamp = _soft(picture, image, dice, wide=(0.05, 0.12), sharp=False)
    return _levels(to_linear(picture) + dice.uniform(1.0, 3.0) * lamp[..., None])


def half_in_shadow(picture: Picture, image: Labelled, dice: Dice) -> Picture:
    """The hard edge of a shadow runs across the board."""
    height, width = picture.shape[:2]
    rows, columns = np.mgrid[:height, :width]
    turned = dice.uniform(0, 2 * np.pi)
    middle = np.mean(image.corners_px, axis=0) + dice.normal(0, 0.1 * width, 2)
    away = (columns - middle[0]) * np.cos(turned) + (rows - middle[1]) * np.sin(turned)
    lit = 1 - dice.uniform(0.6, 0.92) * _edge(away / dice.uniform(2, 15))
    return _levels(to_linear(picture) * lit[..., None])


def out_of_focus(picture: Picture, image: Labelled, dice: Dice) -> Picture:
    """Soft, or shaken in one direction."""
    if dice.random() < 0.5:
        sigma_px = dice.uniform(1.0, 2.5) * picture.shape[1] / 2000
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma_px), np.uint8)
    length_px = int(dice.integers(5, 14))
    way = np.zeros((length_px, length_px), np.float32)
    end = int(dice.integers(length_px))
    cv2.line(way, (0, end), (length_px - 1, length_px - 1 - end), (1.0,))
    return np.asarray(cv2.filter2D(picture, -1, way / way.sum()), np.uint8)


def dim_and_grainy(picture: Picture, image: Labelled, dice: Dice) -> Picture:
    """Too little light, lifted again with its grain."""
    light = to_linear(picture) * dice.uniform(0.03, 0.12)
    light = dice.poisson(light * 4000) / 4000 + dice.normal(0, 0.0008, light.shape)
    return _levels(light * dice.uniform(5, 9))


def through_a_filter(picture: Picture, image: Labelled, dice: Dice) -> Picture:
    """Oversharpened and oversaturated, as some phones and all filters do."""
    soft = cv2.GaussianBlur(picture, (0, 0), 2.0).astype(np.float32)
    sharp = soft + dice.uniform(1.8, 3.0) * (picture - soft)
    grey = sharp.mean(axis=2, keepdims=True)
    vivid = grey + dice.uniform(1.2, 1.7) * (sharp - grey)
    return np.asarray(np.clip(128 + dice.uniform(1.0, 1.25) * (vivid - 128), 0, 255), np.uint8)


def from_a_screen(picture: Picture, image: Labelled, dice: Dice) -> Picture:
    """A photo of a screen that shows it: its grid, its stripes, its bluish black."""
    height, width = picture.shape[:2]
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    levels = picture.astype(np.float32)
    pitch, slope = dice.uniform(1.8, 2.3), dice.uniform(-0.05, 0.05)
    stripes = 0.08 * np.sin(columns * dice.uniform(0.05, 0.12) + rows * dice.uniform(0.05, 0.15))
    for channel, phase in enumerate((0.0, 2.09, 4.18)):
        grid = np.sin(columns * pitch + rows * slope + phase) * np.sin(rows * pitch)
        levels[..., channel] *= 0.85 + 0.12 * grid + stripes
    return np.asarray(np.clip(levels * 0.95 + (18, 12, 8), 0, 255), np.uint8)


def with_a_heap(picture: Picture, image: Labelled, dice: Dice) -> Picture:
    """Sixty wagons of all players lie in a heap somewhere on the map."""
    corners_px = np.array(image.corners_px)
    board_to_photo = homography_of_quads(outline_mm(image.board), corners_px)
    middle_mm = dice.choice(board_centres_mm(image.board))
    at_mm = middle_mm + dice.normal(0, HEAP_MM, (HEAPED, 2))
    height, width = picture.shape[:2]
    leans_mm = lean_at_mm(board_to_photo, at_mm, (width, height))
    bright = np.percentile(picture.max(axis=2), 90) / 235
    heaped = picture.copy()
    for middle, lean in zip(at_mm, leans_mm, strict=True):
        turned = dice.uniform(0, np.pi)
        along = np.array([np.cos(turned), np.sin(turned)])
        sides = np.array([along, (-along[1], along[0])]) * np.array(WAGON_MM)[:, None] / 2
        foot_mm = middle + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ sides
        whole = np.concatenate([foot_mm, foot_mm + lean])
        roof_mm = foot_mm + lean
        colour = np.array(PLASTICS[str(dice.choice(image.players))]) * 255 * bright
        for points, shade in ((whole, 0.55), (roof_mm, 1.0)):
            shown_px = np.rint(project(board_to_photo, points)).astype(np.int32)
            cv2.fillConvexPoly(
                heaped, cv2.convexHull(shown_px), tuple((shade * colour).tolist()), cv2.LINE_AA
            )
    return heaped


def as_it_is(picture: Picture, image: Labelled, dice: Dice) -> Picture:
    """Nothing is done to it."""
    return picture


def _soft(
    picture: Picture, image: Labelled, dice: Dice, *, wide: tuple[float, float], sharp: bool
) -> Light:
    """How much of a light is mirrored where, (H, W), 0 to 1: an ellipse, or with `sharp` a window
    with hardly softened edges; its half axes are such parts of the photo's width."""
    height, width = picture.shape[:2]
    corners = np.array(image.corners_px)
    at = corners.mean(axis=0) + dice.normal(0, 0.18, 2) * np.ptp(corners, axis=0)
    rows, columns = np.mgrid[:height, :width].astype(np.float64)
    turned, sides_px = dice.uniform(0, np.pi), dice.uniform(*wide, 2) * width
    x, y = columns - at[0], rows - at[1]
    along = (x * np.cos(turned) + y * np.sin(turned)) / sides_px[0]
    across = (y * np.cos(turned) - x * np.sin(turned)) / sides_px[1]
    if sharp:
        return _edge(15 * (1 - np.maximum(abs(along), abs(across))))
    return np.exp(-(along**2) - across**2)


def _edge(depth: Light) -> Light:
    """From 0 far outside to 1 far inside of a soft edge."""
    return 1 / (1 + np.exp(np.minimum(-depth, 60.0)))


NOBODY_S = "a colour that nobody plays"

SPOILS: Mapping[str, Spoil] = {
    "as it is": as_it_is,
    "by a messenger": by_messenger,
    "out of focus, shaken": out_of_focus,
    "dim and grainy": dim_and_grainy,
    "through a filter": through_a_filter,
    "half in shadow": half_in_shadow,
    "under a pane": under_a_pane,
    "a lamp mirrored": by_a_mirrored_lamp,
    "by a lamp, a window mirrored": window_by_a_lamp,
    "from a screen": from_a_screen,
    "with a heap of wagons": with_a_heap,
    NOBODY_S: as_it_is,
}
"""Each way of spoiling a photo, by its name."""
