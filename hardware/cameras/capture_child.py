"""The child process of a camera: a line on stdin asks for a frame, header and pixels go to stdout.

Drivers can hang for good, and a thread cannot be stopped; a process can. The child may run under
the system's own Python (see `hardware/cameras/system_python.py`), so it needs nothing but the
standard library and what the camera's own driver brings.
"""

import json
import os
import sys
from typing import Any, BinaryIO

from hardware.cameras.camera import Camera, Frame
from hardware.cameras.open import open_camera, parse_spec
from hardware.errors import CameraError, EndOfRecordingError, HardwareError


def main(words: str) -> int:
    """Serve a camera until the parent closes the pipe; returns the exit code."""
    out = _take_stdout()
    try:
        with open_camera(parse_spec(words)) as camera:
            _send(out, {"ready": camera.name, "warning": _warning(camera)})
            _serve(camera, sys.stdin.buffer, out)
    except HardwareError as error:
        _send(out, _error_header(error))
    except Exception as error:  # drivers raise errors of every family; the parent has to know why
        _send(out, _error_header(CameraError("hardware.camera.failed", reason=error)))
    return 0


def _take_stdout() -> BinaryIO:
    """The pipe to the parent; what a driver prints goes to stderr from now on."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return pipe


def _warning(camera: Camera) -> dict[str, Any] | None:
    return None if camera.warning is None else _error_header(camera.warning)


def _serve(camera: Camera, requests: BinaryIO, out: BinaryIO) -> None:
    """Answer every request: an empty line asks for a frame, `preview` for one for watching."""
    while request := requests.readline():
        match request.strip():
            case b"renew":
                camera.renew_locks()
                _send(out, {"ready": camera.name, "warning": _warning(camera)})
            case b"preview":
                _send_frame(out, camera.read_preview())
            case _:
                _send_frame(out, camera.read())


def _send_frame(out: BinaryIO, frame: Frame) -> None:
    """The header and the pixels as they lie, without a copy where they lie one after another."""
    image = frame.image_bgr
    _send(out, _frame_header(frame), image.data if image.flags.c_contiguous else image.tobytes())


def _frame_header(frame: Frame) -> dict[str, Any]:
    return {"shape": list(frame.image_bgr.shape), "name": frame.name, "t_s": frame.t_s}


def _error_header(error: HardwareError) -> dict[str, Any]:
    return {**error.message.to_json(), "end": isinstance(error, EndOfRecordingError)}


def _send(out: BinaryIO, header: dict[str, Any], pixels: bytes | memoryview = b"") -> None:
    out.write(json.dumps(header).encode() + b"\n")
    out.write(pixels)
    out.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
