"""Cameras as the command line names them: wrong words are wrong usage, a dead device is not."""

from companion.errors import UnusableInputError, UsageError
from hardware.cameras.camera import Camera, CameraSpec
from hardware.cameras.open import open_apart, parse_spec
from hardware.errors import CameraError, CameraSpecError
from vision.images.photo import Photo

WARM_UP_FRAMES = 3
"""Frames to let pass before one is taken for good, while exposure and focus settle."""


def spec_of(words: str) -> CameraSpec:
    """The camera of a `--camera` or SOURCE; raises UsageError."""
    try:
        return parse_spec(words)
    except CameraSpecError as error:
        raise UsageError.saying(error) from error


def opened(spec: CameraSpec, fps: float, live: bool) -> Camera:
    """The camera itself; raises UsageError for an empty folder, UnusableInputError if it fails."""
    try:
        return open_apart(spec, fps, live)
    except CameraSpecError as error:
        raise UsageError.saying(error) from error
    except CameraError as error:
        raise UnusableInputError.saying(error) from error


def one_frame(words: str) -> Photo:
    """One settled picture of a camera; raises as `opened`."""
    spec = spec_of(words)
    with opened(spec, fps=2.0, live=True) as camera:
        try:
            for _ in range(WARM_UP_FRAMES if spec.is_live else 0):
                camera.read()
            return Photo(camera.read().image_bgr, 1.0)
        except CameraError as error:
            raise UnusableInputError.saying(error) from error
