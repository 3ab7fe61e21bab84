"""A board taught from its real empty photo as if nobody knew it, then read from photos of games.

`python -m tests.bench teaching`: what the studio proposes is mended where it is wrong, every step
and tap counted, the board saved; then all labelled photos are read with the taught file and its
photo, and with the file of the program beside the same photo. Needs the shared photos. Before that
made-up maps are taught from drawn photos, and only the taps counted.
"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.setup.kept import KeptCalibrations
from companion.setup.references import TableReferences
from companion.studio.boards import TaughtBoards
from companion.studio.desk import StudioDesk
from companion.studio.store import StudioStore
from scoring.board.board import Board, Ticket, load_board
from scoring.language import Message
from tests.support.shared import SHARED
from tests.support.teacher import TAPS, Teacher, seen_in
from vision.empty_board import make_reference
from vision.errors import VisionError
from vision.evaluate.labelled import photos
from vision.evaluate.labels import Labelled, load_labels
from vision.evaluate.report import summary
from vision.evaluate.result import Result, count
from vision.images.photo import load_photo
from vision.reader import read_photos
from vision.registration.reference import Reference
from vision.synthetic import Oddities, draw_photo
from vision.synthetic.maps import make_map

PHOTO = "IMG_4048_blank.jpg"
BOARD = "usa"

MADE_UP = (6, 39, 141)
"""Seeds of maps with 102, 100 and 108 lines, the last of track beds."""


def run() -> None:
    """Teach, read, compare. Ends at once where the photos are not here."""
    if not (SHARED / "photos" / PHOTO).is_file():
        print(f"make teach: there is no photo {SHARED / 'photos' / PHOTO}", file=sys.stderr)
        sys.exit(2)
    cv2.setNumThreads(1)
    for seed in MADE_UP:
        with tempfile.TemporaryDirectory() as folder:
            _teach_made_up(seed, Path(folder))
    truth = load_board(BOARD)
    with tempfile.TemporaryDirectory() as folder:
        taught, reference, same = _taught(truth, Path(folder))
    images = [one for one in load_labels(SHARED / "photos") if not one.is_empty]
    shipped = make_reference(load_photo(SHARED / "photos" / PHOTO), truth)
    _report("the program's own file", images, shipped)
    renamed = [_on(image, taught, same) for image in images]
    _report("the taught file", renamed, reference)


def _teach_made_up(seed: int, data: Path) -> None:
    """A map that nobody prints, taught from a drawn photo of it."""
    drawn = make_map(seed)
    ends = drawn.places[0].id, drawn.places[-1].id
    truth = replace(drawn, title=f"Map {seed}", tickets=(Ticket("one", ends, 8, ""),))
    photo = draw_photo(truth, {}, seed=seed, oddities=Oddities.none(), size_px=(2400, 1800))
    studio = StudioDesk(StudioStore(data), TaughtBoards(data), KeptCalibrations(data), list)
    image = cv2.imencode(".jpg", photo.image_bgr, [int(cv2.IMWRITE_JPEG_QUALITY), 93])[1].tobytes()
    key = studio.begin(image, None, really_empty=False)
    seen = seen_in(StudioStore(data).load(key).corners_px, photo.spaces_px)
    teacher = Teacher(studio, key, truth, seen)
    teacher.teach()
    lines, places = len(truth.routes), len(truth.places)
    taps = teacher.taps + TAPS["save"]
    print(f"\nTeaching a made-up map of {lines} lines and {places} places: {taps} taps")


def _taught(truth: Board, data: Path) -> tuple[Board, Reference, dict[str, str]]:
    """The taught board, its reference, and its route for each of the true board's."""
    kept = KeptCalibrations(data)
    boards: list[Board] = []
    studio = StudioDesk(
        StudioStore(data), TaughtBoards(data, boards.append), kept, lambda: [truth, *boards]
    )
    photo = SHARED / "photos" / PHOTO
    key = studio.begin(photo.read_bytes(), None, really_empty=False)
    printed = next(one for one in photos(SHARED) if one.path.name == PHOTO)
    corners = StudioStore(data).load(key).corners_px
    teacher = Teacher(studio, key, truth, seen_in(corners, printed.spaces_px))
    proposed = teacher.board
    print(f"\nTeaching {truth.title} from {PHOTO}")
    print(
        f"  proposed: {proposed.spaces} spaces, {len(proposed.lines)} lines,"
        f" {len(proposed.places)} places"
    )
    teacher.teach()
    told = ", ".join(f"{name} {times}" for name, times in teacher.steps.most_common())
    print(f"  steps: {told}")
    for remark in teacher.board.remarks:
        print(f"  check: {Message.from_json(remark.message)}")
    studio.save(key, really=False)
    off = teacher.off_mm()
    print(f"  {teacher.taps + TAPS['save']} taps from the photo to the saved board")
    print(
        f"  {len(off)} of {truth.space_count} spaces, in the median {np.median(off):.2f} mm from"
        f" marks made by hand, 95 % within {np.quantile(off, 0.95):.2f} mm"
    )
    (taught,) = boards
    reference = TableReferences(kept).of(taught)
    assert reference is not None, "the photo is kept with the board"
    return taught, reference, _same_routes(teacher, truth, taught)


def _same_routes(teacher: Teacher, truth: Board, taught: Board) -> dict[str, str]:
    """The taught board's route for each of the true one's, by where they lie."""
    middles = {one.id: np.array([(s.x, s.y) for s in one.spaces]) for one in taught.routes}
    same = {}
    for route in truth.routes:
        line = teacher.line_of(route)
        assert line is not None, f"{route.id} was not taught"
        here = np.array([(s.x / 1000, s.y / teacher.board.height) for s in line.spaces])
        same[route.id] = min(
            (name for name, there in middles.items() if len(there) == len(here)),
            key=lambda name: float(np.abs(middles[name].mean(axis=0) - here.mean(axis=0)).sum()),
        )
    assert len(set(same.values())) == len(truth.routes), "each is another one"
    return same


def _on(image: Labelled, taught: Board, same: dict[str, str]) -> Labelled:
    """The same truth, told of the taught board's routes."""
    routes = {same[name]: entry for name, entry in image.routes.items()}
    return replace(image, board=taught, routes=routes)


def _report(name: str, images: Sequence[Labelled], reference: Reference) -> None:
    results = [_read(image, reference) for image in images]
    print(f"\nRead with {name}, beside {PHOTO}")
    print("  " + summary(name, results))
    for result in results:
        if result.failure or result.silent:
            told = result.failure or "silent: " + " ".join(result.silent)
            print(f"  {result.image.path.name}: {told}")


def _read(image: Labelled, reference: Reference) -> Result:
    result = Result(image)
    try:
        photo = load_photo(image.path)
        reading = read_photos([photo], image.board, reference=reference, players=image.players)
    except VisionError as error:
        result.failure = str(error)
        return result
    count(result, reading)
    return result
