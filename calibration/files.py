"""Calibration files: one zip with a JSON document and the picture of the empty board.

The picture is written anew as JPEG, so that nothing of the photo's own metadata (place, owner)
travels with the file.
"""

import io
import json
import lzma
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.calibration import Calibration, Lab
from calibration.errors import CalibrationError, CalibrationFileError
from scoring.language import Message
from scoring.language.foreign import shown
from vision.images.encode import FULL_COLOUR, jpeg
from vision.images.photo import decode_photo
from vision.images.plain_file import NotPlainFileError, open_plain, read_member

FORMAT = 1
"""Version of the file format that this program reads and writes."""

DOCUMENT, PICTURE = "calibration.json", "empty-board.jpg"

LARGEST_DOCUMENT = 4_000_000
"""Bytes: ten times what a board of 1,000 spaces takes."""

LONGEST_TEXT = 1_000
"""Characters of a name, an id or a moment: more than any board's."""

FARTHEST_PX = 1e6
"""Beyond the side of any photo: a point farther out is none of any board's."""

LARGEST_LAB = 1e3
"""Lab ends at a few hundreds."""

LARGEST_PICTURE = 80_000_000
"""Bytes; what `vision/images/photo.py` accepts of a photo."""


class _DamageError(CalibrationError, ValueError):
    """What is wrong inside a calibration, as part of the sentence that names its file."""


UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    KeyError,
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
)
"""What a damaged archive raises; RuntimeError is one with a password, or packed in a way that
Python does not know."""

TOO_DEEP = Message("calibration.too-deep")

JPEG_QUALITY = 95
"""Differs from the photo by less than the sensor's noise, at a fifth of PNG's size. With full
colour resolution: wagons are small and told by their colour."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a calibration's file says of itself, without its picture."""

    board_id: str
    board_version: int
    created: str
    name: str


def load_label(path: Path) -> Label:
    """Which table a file is about; the picture is read, to see that it is whole, and not decoded.

    Raises as `load_calibration`.
    """
    try:
        with open_plain(path) as file, zipfile.ZipFile(file) as archive:
            data = json.loads(_member(archive, DOCUMENT, LARGEST_DOCUMENT))
            _member(archive, PICTURE, LARGEST_PICTURE)
        _check_format(data, path)
        board, version = _word(data["board"]), int(data["board_version"])
        return Label(board, version, _word(data["created"]), _word(data.get("name", "")))
    except (FileNotFoundError, NotPlainFileError, CalibrationFileError):
        raise
    except RecursionError:
        raise CalibrationFileError(
            "calibration.not-a-calibration", path=path, reason=TOO_DEEP
        ) from None
    except (*UNREADABLE, TypeError, AttributeError, OverflowError) as error:
        raise CalibrationFileError(
            "calibration.not-a-calibration", path=path, reason=error
        ) from error


def calibration_bytes(calibration: Calibration) -> bytes:
    """A calibration as the bytes of its file; the same one gives the same bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(_entry(DOCUMENT), json.dumps(_to_json(calibration), indent=1))
        archive.writestr(_entry(PICTURE), jpeg(calibration.image_bgr, JPEG_QUALITY, FULL_COLOUR))
    return file.getvalue()


def load_calibration(path: Path) -> Calibration:
    """Read and check a calibration.

    Raises FileNotFoundError where there is no file, NotPlainFileError where it is a device or a
    pipe, CalibrationFileError where it is not a whole calibration of this version.
    """
    try:
        with open_plain(path) as file, zipfile.ZipFile(file) as archive:
            document = _member(archive, DOCUMENT, LARGEST_DOCUMENT)
            picture = _member(archive, PICTURE, LARGEST_PICTURE)
    except (FileNotFoundError, NotPlainFileError):
        raise
    except UNREADABLE as error:
        raise CalibrationFileError(
            "calibration.not-a-calibration", path=path, reason=error
        ) from error
    return _from_parts(document, picture, path)


def _entry(name: str) -> zipfile.ZipInfo:
    """A member with a fixed date."""
    return zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))


def _member(archive: zipfile.ZipFile, name: str, largest: int) -> bytes:
    if archive.getinfo(name).file_size > largest:
        raise _DamageError("calibration.part-too-large", name=name, most=largest)
    return read_member(archive, name)


def _from_parts(document: bytes, picture: bytes, path: Path) -> Calibration:
    try:
        data = json.loads(document)
        _check_format(data, path)
        return _from_json(data, decode_photo(picture))
    except CalibrationFileError:
        raise
    except RecursionError:
        raise CalibrationFileError(
            "calibration.not-a-calibration", path=path, reason=TOO_DEEP
        ) from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        missing = _DamageError("calibration.part-missing", name=error)
        reason = missing if isinstance(error, KeyError) else error
        raise CalibrationFileError(
            "calibration.not-a-calibration", path=path, reason=reason
        ) from error


def _check_format(data: Any, path: Path) -> None:
    if data["format"] != FORMAT:
        raise CalibrationFileError(
            "calibration.other-format", path=path, found=shown(data["format"]), known=FORMAT
        )


def _to_json(calibration: Calibration) -> dict[str, Any]:
    height, width = calibration.image_bgr.shape[:2]
    return {
        "format": FORMAT,
        "board": calibration.board_id,
        "board_version": calibration.board_version,
        "created": calibration.created,
        "image_size_px": [width, height],
        "corners_px": _rounded(calibration.corners_px),
        "spaces_px": _rounded(calibration.spaces_px),
        "wagon_colours_lab": {
            colour: [round(value, 2) for value in lab]
            for colour, lab in calibration.wagon_colours.items()
        },
        "looks_claimed": list(calibration.looks_claimed),
        "vouched": calibration.vouched,
        "name": calibration.name,
    }


def _from_json(data: Any, image_bgr: NDArray[np.uint8]) -> Calibration:
    height, width = image_bgr.shape[:2]
    if list(data["image_size_px"]) != [width, height]:
        raise _DamageError("calibration.part-size", width=width, height=height)
    return Calibration(
        board_id=_word(data["board"]),
        board_version=int(data["board_version"]),
        created=_word(data["created"]),
        image_bgr=image_bgr,
        corners_px=_points(data["corners_px"], "corners_px", (4, 2)),
        spaces_px=_points(data["spaces_px"], "spaces_px", (-1, 4, 2)),
        wagon_colours={c: _lab(lab) for c, lab in data["wagon_colours_lab"].items()},
        looks_claimed=tuple(_word(name) for name in data.get("looks_claimed", [])),
        vouched=data.get("vouched", False) is True,
        name=_word(data.get("name", "")),
    )


def _points(value: Any, name: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
    points = np.asarray(value, np.float64)
    expected = (len(points), *shape[1:]) if shape[0] < 0 else shape
    if points.shape != expected or not (np.abs(points) <= FARTHEST_PX).all():
        size = "×".join(map(str, shape[1:]))
        raise _DamageError("calibration.part-points", name=name, size=size)
    return points


def _lab(value: Any) -> Lab:
    lightness, a, b = (float(number) for number in value)
    if not all(abs(number) <= LARGEST_LAB for number in (lightness, a, b)):
        raise _DamageError("calibration.part-points", name="wagon_colours_lab", size="3")
    return lightness, a, b


def _word(value: Any) -> str:
    """A text that a page and a file can hold: half a character, as in "\\ud800", none can."""
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise _DamageError("calibration.part-text", value=shown(value))
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise _DamageError("calibration.part-text", value=shown(value)) from None
    return value


def _rounded(points: NDArray[np.float64]) -> Any:
    """Hundredths of a pixel: finer than any corner can be found."""
    return np.round(points, 2).tolist()
