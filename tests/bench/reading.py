"""How long reading takes on one core, and how much memory, beside a ResNet-18 over every space."""

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.files import calibration_bytes
from calibration.make import make_calibration
from scoring.board.board import Board, load_board
from tests.bench.resnet import SIDE_PX, resnet18
from tests.bench.timing import Times, time_calls
from tests.support.child import run_measured
from tests.support.shared import SHARED
from vision.empty_board import make_reference
from vision.images.photo import load_photo
from vision.network import Network
from vision.reader import FoundBoard, decide, evidence_of, find_board
from vision.registration.reference import Reference
from vision.synthetic import Oddities, View, draw_photo, random_owners
from vision.watch.watcher import AT_REST, Watcher

Picture = NDArray[np.uint8]

PHOTO_PX = (4000, 3000)
FRAME_PX = (1632, 1224)
ROUNDS = 5
FRAMES = 40
BASELINE_SPACES = 8
"""Spaces that the baseline really reads; the rest of the board is multiplied out."""

VIEW = View(tilt_deg=14.0, azimuth_deg=15.0, roll_deg=-4.0, hfov_deg=68.0, fill=0.93)


@dataclass(frozen=True, slots=True)
class Scene:
    """A photo of 12 megapixels and one of its board when it was empty, as files."""

    board: Board
    photo: Path
    empty: Path
    origin: str


def run() -> None:
    """Print the figures."""
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as folder:
        scene = _scene(Path(folder))
        print(f"\nReading a photo of 12 megapixels ({scene.origin}), processor time of one core")
        reference = make_reference(load_photo(scene.empty), scene.board)
        _, read = _photo_times(scene, reference, "with reference")
        whole, _ = _photo_times(scene, None, "without")
        _baseline(scene.board, {"one look at all spaces": read, "a whole photo, decoded": whole})
        _memory(scene, Path(folder))
    _fixed_camera()


def _scene(folder: Path) -> Scene:
    """From the real photos where they are beside the checkout, else of our own drawing."""
    board = load_board("usa")
    photo, empty = folder / "photo.jpg", folder / "empty.jpg"
    if (SHARED / "photos").is_dir():
        pictures = [load_photo(SHARED / "photos" / f"IMG_{n}.jpg") for n in ("4160", "4048_blank")]
        origin = "a real one, enlarged"
    else:
        pictures = list(_drawn(board, (2028, 1521)))
        origin = "a drawn one, enlarged"
    _write(photo, cv2.resize(pictures[0], PHOTO_PX, interpolation=cv2.INTER_CUBIC))
    _write(empty, pictures[1])
    return Scene(board, photo, empty, origin)


def _drawn(board: Board, size_px: tuple[int, int]) -> tuple[Picture, Picture]:
    """A game and its empty board under one camera."""
    owners = random_owners(board, seed=7)
    played, empty = (
        draw_photo(
            board,
            owns,
            seed=seed,
            print_seed=213,
            rig_seed=313,
            camera=VIEW,
            size_px=size_px,
            oddities=Oddities.none(),
        )
        for owns, seed in ((owners, 8), ({}, 9))
    )
    return played.image_bgr, empty.image_bgr


def _write(path: Path, image: NDArray[np.generic]) -> None:
    cv2.imwrite(str(path), image, [cv2.IMWRITE_JPEG_QUALITY, 93])


def _photo_times(scene: Scene, reference: Reference | None, name: str) -> tuple[Times, Times]:
    """Print the stages; returns the times of the whole and of reading all spaces."""
    photo = load_photo(scene.photo)
    seen = find_board(photo, scene.board, reference=reference)  # also loads what stays loaded
    _read(seen, scene.board, reference)
    decode = _times(lambda: load_photo(scene.photo))
    found = _times(lambda: find_board(photo, scene.board, reference=_anew(reference)))
    read = _times(lambda: _read(seen, scene.board, reference))
    whole = Times(tuple(map(sum, zip(decode.ms, found.ms, read.ms, strict=True))))
    for stage, times in (("decode", decode), ("find", found), ("read and decide", read)):
        print(times.row(f"{name}: {stage}"))
    print(whole.row(f"{name}: whole ({seen.where.method})"))
    return whole, read


def _times(call: Callable[[], object]) -> Times:
    return time_calls(lambda _: call(), range(ROUNDS))


def _anew(reference: Reference | None) -> Reference | None:
    """A copy, so that nothing is known of it from the call before."""
    return None if reference is None else replace(reference)


def _read(found: FoundBoard, board: Board, reference: Reference | None) -> None:
    """As `vision.reader` does: both witnesses, and both weighed."""
    evidence = evidence_of([found.look], board, board.player_colours, reference)
    decide(evidence, board, reference, [found.account])


def _baseline(board: Board, ours: dict[str, Times]) -> None:
    network = Network(resnet18())
    pixels = np.random.default_rng(1).random((BASELINE_SPACES, 3, SIDE_PX, SIDE_PX), np.float32)
    network.run({"pixels": pixels[:1]})
    measured = _times(lambda: [network.run({"pixels": pixels[k : k + 1]}) for k in range(8)])
    scale = board.space_count / BASELINE_SPACES
    multiplied = Times(tuple(ms * scale for ms in measured.ms))
    print(multiplied.row("ResNet-18 over every space"))
    print(
        f"  ({BASELINE_SPACES} spaces of 224 x 224 pixels measured with the same onnxruntime,"
        f" multiplied to the board's {board.space_count}; cutting them out not counted)"
    )
    for name, times in ours.items():
        ratio = multiplied.quantile(0.5) / times.quantile(0.5)
        print(f"  {name}: {ratio:.1f}x faster than the baseline")


def _memory(scene: Scene, folder: Path) -> None:
    print("\nPeak memory of `companion scan` on that photo, a process of its own")
    calibration = folder / "usa.calibration"
    made = make_calibration(load_photo(scene.empty), scene.board, "2026-01-31T20:15:00+00:00")
    calibration.write_bytes(calibration_bytes(made))
    command = ["scan", str(scene.photo), "--board", scene.board.id, "--json"]
    for name, more in (
        ("with --calibration", ["--calibration", str(calibration)]),
        ("with --reference", ["--reference", str(scene.empty)]),
        ("without either", []),
    ):
        child = run_measured([*command, *more])
        print(f"  {name:<34} {child.peak_mb:7.0f} MB" + f" ({child.err})" * (child.code != 0))


def _fixed_camera() -> None:
    """Frames of a table where nobody moves, each with noise of its own."""
    print("\nOne frame of 2 megapixels, nothing moved, processor time of one core (drawn board)")
    board = load_board("usa")
    played, empty = _drawn(board, FRAME_PX)
    watcher = Watcher(board, make_reference(empty, board))
    random = np.random.default_rng(3)
    noise = random.normal(0, 2.0, (4, *played.shape)).astype(np.float32)
    frames = [np.clip(played + n, 0, 255).astype(np.uint8) for n in noise]
    seconds = iter(range(10_000))
    for frame in frames * 5:
        watcher.feed(frame, next(seconds) / 4)
    rest = "at rest" if watcher.state in AT_REST else "not at rest"
    print(f"  the watcher's state: {watcher.state}, {rest}")
    still = [frames[k % 4] for k in range(FRAMES)]
    print(time_calls(lambda frame: watcher.feed(frame, next(seconds) / 4), still).row("a frame"))
