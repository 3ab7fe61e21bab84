"""Where a command writes a picture: the name checked before the work, the file written after."""

from pathlib import Path

import cv2
import numpy as np

from companion.errors import UsageError
from scoring.plain_file import is_folder


def overlay_path(words: str | None) -> Path | None:
    """Checked before the photos are read: a minute's work should not end in a wrong name."""
    if words is None:
        return None
    path = Path(words)
    if path.suffix.lower() not in (".png", ".jpg", ".jpeg", ".webp"):
        raise UsageError("companion.error.overlay-name", path=words)
    if not is_folder(path.parent):
        raise UsageError("companion.error.no-overlay-folder", path=path.parent)
    return path


def write_picture(path: Path, image_bgr: np.ndarray) -> None:
    """Write it in the format of the name; raises UsageError where that fails."""
    done, data = cv2.imencode(path.suffix.lower(), image_bgr)
    try:
        path.write_bytes(bytes(data) if done else b"")
    except OSError as error:
        raise UsageError(
            "companion.error.overlay-unwritten", path=path, reason=error.strerror
        ) from None
