"""Opens any camera: the only module that knows them all."""

import os
import re
from pathlib import Path

from hardware.cameras.camera import DEFAULT_FPS, Camera, CameraSpec
from hardware.errors import CameraSpecError


def parse_spec(words: str) -> CameraSpec:
    """Parse a camera specification: `still:FILE`, `replay:DIR`, `v4l2:0`, `/dev/video0`, `pi`.

    A plain path works too: a folder is replayed, a file is a still picture. Raises
    CameraSpecError if the form is unknown or the file or folder is missing.
    """
    kind, colon, where = words.partition(":")
    if words == "pi":
        return CameraSpec("pi")
    if re.fullmatch(r"/dev/video\d+", words):
        return CameraSpec("v4l2", words)
    if kind == "v4l2" and re.fullmatch(r"\d+", where):
        return CameraSpec("v4l2", f"/dev/video{where}")
    if kind == "v4l2" and where.startswith("/dev/"):
        return CameraSpec("v4l2", where)
    if colon and kind in ("still", "replay"):
        return _existing(CameraSpec(kind, where))
    if _is_folder(words) or _is_file(words):
        return CameraSpec("replay" if _is_folder(words) else "still", words)
    raise CameraSpecError("hardware.camera.unknown-spec", spec=words)


def _existing(spec: CameraSpec) -> CameraSpec:
    if spec.kind == "replay" and not _is_folder(spec.where):
        raise CameraSpecError("hardware.camera.no-folder", path=spec.where)
    if spec.kind == "still" and not _is_file(spec.where):
        raise CameraSpecError("hardware.camera.no-file", path=spec.where)
    return spec


# `Path.is_dir` raises where a name is too long; these say False.
def _is_folder(name: str) -> bool:
    return os.path.isdir(name)  # noqa: PTH112


def _is_file(name: str) -> bool:
    return os.path.isfile(name)  # noqa: PTH113


def open_camera(spec: CameraSpec, fps: float = DEFAULT_FPS, live: bool = False) -> Camera:
    """Open the camera of a specification in this process.

    With `live` a recording keeps real time and stays on its last picture; without it, frames
    come as fast as they are read, and then end. Raises CameraError if there is no such camera,
    CameraSpecError for a folder without pictures.
    """
    # Each driver is imported only when asked for: most machines have only some of them.
    match spec.kind:
        case "still":
            from hardware.cameras.recordings import StillCamera

            return StillCamera(Path(spec.where), rests=live)
        case "replay":
            from hardware.cameras.recordings import ReplayCamera

            return ReplayCamera(Path(spec.where), fps, live)
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

    return ProcessCamera(spec) if spec.is_live else open_camera(spec, fps, live)
