"""Pictures that commands write: the name is checked first, the file written last."""

from pathlib import Path

import cv2
import numpy as np

from companion.cli.outputs import write_output
from companion.errors import UsageError
from vision.images.plain_file import is_folder

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")


def picture_path(words: str) -> Path:
    """The path of a picture to write, checked before any work is done; raises UsageError."""
    path = Path(words)
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError("companion.error.overlay-name", path=words)
    if not is_folder(path.parent):
        raise UsageError("companion.error.no-overlay-folder", path=path.parent)
    return path


def write_picture(path: Path, image_bgr: np.ndarray) -> None:
    """Write an ndarray of shape (H, W, 3), uint8, BGR; raises UsageError where that fails."""
    done, data = cv2.imencode(path.suffix.lower(), image_bgr)
    assert done, "a picture of a photo is within what its format takes"
    write_output(path, bytes(data))
