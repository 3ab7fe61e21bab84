"""Opens any camera: the only module that knows them all."""

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from hardware.cameras.camera import DEFAULT_FPS, Camera, CameraSpec
from hardware.cameras.found import first_camera
from hardware.errors import CameraSpecError

SCHEMES = ("rtsp", "rtsps", "http", "https")
"""How the address of a camera in the network begins."""

VIDEOS = (".mp4", ".mkv", ".mov", ".avi", ".webm")
"""File names that count as videos, by their ending."""


def parse_spec(words: str) -> CameraSpec:
    """Parse a camera specification.

    `auto`, `pi`, `v4l2:0`, `/dev/video0`, `rtsp://…`, `http://…`, `still:FILE`, `replay:DIR`, or
    `replay:FILE` for a video. A plain path works too: a folder or a video is replayed, another file
    is a still picture. Raises CameraSpecError if the form is unknown, an address is none, or the
    file or folder is missing.
    """
    kind, colon, where = words.partition(":")
    if words in ("pi", "auto"):
        return CameraSpec(words)
    if kind in SCHEMES and where.startswith("//") and len(where) > len("//"):
        _require_address(words)
        return CameraSpec("net", words)
    if re.fullmatch(r"/dev/video\d+", words):
        return CameraSpec("v4l2", words)
    if kind == "v4l2" and re.fullmatch(r"\d+", where):
        return CameraSpec("v4l2", f"/dev/video{where}")
    if kind == "v4l2" and where.startswith("/dev/"):
        return CameraSpec("v4l2", where)
    return _recording(kind if colon and kind in ("still", "replay") else None, where, words)


def _require_address(words: str) -> None:
    """Raise CameraSpecError, which repeats nothing, because of the password."""
    try:
        parts = urlsplit(words)
        is_address = bool(parts.hostname) and parts.port != 0
    except ValueError:  # of a port that is no number, or a bracket without its partner
        is_address = False
    if not is_address:
        raise CameraSpecError("hardware.camera.no-address")


def _recording(kind: str | None, where: str, words: str) -> CameraSpec:
    """A file or folder: the one at `where` if a kind is asked for, else what `words` name."""
    # Only here: the child that captures with the system's Python has no `vision`.
    from vision.images.plain_file import is_file, is_folder

    path = Path(words if kind is None else where)
    if path.name.lower().endswith(VIDEOS) and is_file(path):
        return CameraSpec("video", str(path))
    if kind == "still" or (kind is None and is_file(path)):
        _require_file(path)
        return CameraSpec("still", str(path))
    if is_folder(path):
        return CameraSpec("replay", str(path))
    if kind is None:
        raise CameraSpecError("hardware.camera.unknown-spec", spec=words)
    raise CameraSpecError("hardware.camera.no-folder", path=path)


def _require_file(path: Path) -> None:
    """Raise CameraSpecError where no ordinary file can be opened."""
    from vision.images.plain_file import open_plain

    try:
        open_plain(path).close()
    except (FileNotFoundError, ValueError) as error:  # nor has a file a zero byte in its name
        raise CameraSpecError("hardware.camera.no-file", path=path) from error
    except OSError as error:
        raise CameraSpecError("hardware.camera.bad-picture", path=path, reason=error) from error


def open_camera(spec: CameraSpec, fps: float = DEFAULT_FPS, live: bool = False) -> Camera:
    """Open the camera of a specification in this process.

    With `live` a recording keeps real time and stays on its last picture; without it, frames
    come as fast as they are read, and then end. Raises CameraError if there is no such camera,
    CameraSpecError for a folder without pictures.
    """
    # What FFmpeg says of a damaged video would stand before this program's own sentence.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET
    # Each driver is imported only when asked for: most machines have only some of them.
    match spec.kind:
        case "still":
            from hardware.cameras.recordings import StillCamera

            return StillCamera(Path(spec.where), rests=live)
        case "replay":
            from hardware.cameras.recordings import ReplayCamera

            return ReplayCamera(Path(spec.where), fps, live)
        case "video":
            from hardware.cameras.video import VideoCamera

            return VideoCamera(Path(spec.where), fps, live)
        case "net":
            from hardware.cameras.network import NetworkCamera

            return NetworkCamera(spec.where)
        case "auto":
            return open_camera(first_camera(), fps, live)
        case "v4l2":
            from hardware.cameras.v4l2 import V4l2Camera

            return V4l2Camera(spec.where)
        case _:
            from hardware.cameras.pi import PiCamera

            return PiCamera()


def open_apart(spec: CameraSpec, fps: float, live: bool) -> Camera:
    """Open a camera so that its driver cannot block the program: a device gets its own process.

    Raises CameraError if there is no such camera, CameraSpecError for a folder without pictures.
    """
    from hardware.cameras.process import ProcessCamera

    # Looked for anew at every opening, and here: the Pi's own camera needs another Python.
    if spec.kind == "auto":
        spec = first_camera()
    return ProcessCamera(spec) if spec.is_live else open_camera(spec, fps, live)
