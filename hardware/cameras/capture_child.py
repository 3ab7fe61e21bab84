"""A camera alone in its own process: one line in asks for a frame, header and pixels go out.

Drivers can lock up for good, and a thread cannot be stopped; a process can. It may run under the
system's own Python (see `hardware.cameras.system_python`), so it needs nothing but the standard
library and what the camera's own driver brings.
"""

import json
import os
import sys
from typing import Any, BinaryIO

from hardware.cameras.camera import Camera, Frame, open_camera, parse_spec
from hardware.errors import CameraError, EndOfRecordingError, HardwareError


def main(words: str) -> int:
    """Serve the camera that the words name until the other side hangs up."""
    out = _take_stdout()
    try:
        with open_camera(parse_spec(words)) as camera:
            _send(out, {"ready": camera.name, "warning": _warning(camera)})
            _serve(camera, sys.stdin.buffer, out)
    except HardwareError as error:
        _send(out, _error_header(error))
    except Exception as error:  # drivers raise whatever they like; the other side has to know why
        _send(out, _error_header(CameraError("hardware.camera.failed", reason=error)))
    return 0


def _take_stdout() -> BinaryIO:
    """The pipe to the other side; what a driver prints goes to stderr from now on."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return pipe


def _warning(camera: Camera) -> dict[str, Any] | None:
    return None if camera.warning is None else _error_header(camera.warning)


def _serve(camera: Camera, requests: BinaryIO, out: BinaryIO) -> None:
    while requests.readline():
        frame = camera.read()
        _send(out, _frame_header(frame), frame.image_bgr.tobytes())


def _frame_header(frame: Frame) -> dict[str, Any]:
    return {"shape": list(frame.image_bgr.shape), "name": frame.name, "t_s": frame.t_s}


def _error_header(error: HardwareError) -> dict[str, Any]:
    return {**error.message.to_json(), "end": isinstance(error, EndOfRecordingError)}


def _send(out: BinaryIO, header: dict[str, Any], pixels: bytes = b"") -> None:
    out.write(json.dumps(header).encode() + b"\n")
    out.write(pixels)
    out.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
