"""The Raspberry Pi's own camera through picamera2, with exposure and white balance locked.

picamera2 comes from the system (`apt`), not from this project's environment, so it is imported
only here and only when asked for.
"""

import importlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardware.cameras.camera import ClosesItself, Frame
from hardware.cameras.optics import PI_PX
from hardware.errors import CameraError

SETTLE_FRAMES = 60
"""Most frames to wait until the automatic exposure stops moving."""

LOCK_FRAMES = 30
"""Most frames to wait until a lock shows in the frames' own metadata."""

MANUAL_FOCUS = 0
"""`libcamera.controls.AfModeEnum.Manual`."""

LENS_TOLERANCE = 0.1
"""Dioptres: at a metre of distance a tenth of the depth of field."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """Exposure of a frame from its metadata: time, gain and (red, blue) colour gains."""

    exposure_us: int
    gain: float
    colour_gains: tuple[float, float]

    def is_near(self, other: "Exposure") -> bool:
        """The same but for the sensor's own rounding (2 %)."""
        pairs = (
            (self.exposure_us, other.exposure_us),
            (self.gain, other.gain),
            *zip(self.colour_gains, other.colour_gains, strict=True),
        )
        return all(abs(a - b) <= 0.02 * max(abs(a), abs(b)) for a, b in pairs)


class PiCamera(ClosesItself):
    """The first camera of a Raspberry Pi; raises CameraError where there is none.

    `held` is the locked exposure, None if the frames' metadata never showed the lock: the pictures
    are usable, but their colours may drift.
    """

    def __init__(self, device: Callable[[], Any] | None = None) -> None:
        self.held: Exposure | None = None
        self._camera = _open_device(device or _load_picamera2())
        try:
            self._start()
        except RuntimeError as error:
            self.close()
            raise CameraError("hardware.camera.pi-failed", reason=error) from error

    @property
    def name(self) -> str:
        return "pi"

    @property
    def warning(self) -> CameraError | None:
        return CameraError("hardware.camera.light-not-held") if self.held is None else None

    def read(self) -> Frame:
        try:
            request = self._camera.capture_request()
        except RuntimeError as error:
            raise CameraError("hardware.camera.pi-failed", reason=error) from error
        try:
            # What picamera2 calls "RGB888" lies in memory as blue, green, red.
            image_bgr = np.ascontiguousarray(request.make_array("main")[:, :, :3], dtype=np.uint8)
        finally:
            request.release()
        return Frame(image_bgr, None, time.monotonic() - self._start_s)

    def renew_locks(self) -> None:
        self.held = None
        automatic: dict[str, Any] = {"AeEnable": True, "AwbEnable": True}
        try:
            self._camera.set_controls(automatic)
            self._hold(self._settled())
        except RuntimeError as error:
            raise CameraError("hardware.camera.pi-failed", reason=error) from error

    def close(self) -> None:
        self._camera.close()

    def _start(self) -> None:
        main = {"size": PI_PX, "format": "RGB888"}
        self._camera.configure(self._camera.create_still_configuration(main=main, queue=False))
        self._camera.start()
        self._start_s = time.monotonic()
        self._hold(self._settled())

    def _focus(self) -> float | None:
        """Focus once on what lies there; returns the lens position, None without a movable lens.

        Focussing by itself all evening would blur the very frames in which a hand goes away.
        """
        if "AfMode" not in getattr(self._camera, "camera_controls", {}):
            return None
        self._camera.autofocus_cycle()
        position: float | None = self._camera.capture_metadata().get("LensPosition")
        return position

    def _settled(self) -> Exposure:
        """The exposure once two frames in a row agree, or after `SETTLE_FRAMES`."""
        before = self._light()
        for _ in range(SETTLE_FRAMES):
            now = self._light()
            if now.is_near(before):
                break
            before = now
        return now

    def _hold(self, light: Exposure) -> None:
        """Lock exposure and focus; they count as locked once the frames' metadata shows it."""
        lens = self._focus()
        focus = {} if lens is None else {"AfMode": MANUAL_FOCUS, "LensPosition": lens}
        self._camera.set_controls(
            {
                "AeEnable": False,
                "AwbEnable": False,
                "ExposureTime": light.exposure_us,
                "AnalogueGain": light.gain,
                "ColourGains": light.colour_gains,
                **focus,
            }
        )
        for _ in range(LOCK_FRAMES):
            if self._light().is_near(light) and self._is_focused_at(lens):
                self.held = light
                return

    def _is_focused_at(self, lens: float | None) -> bool:
        if lens is None:
            return True
        now: float = self._camera.capture_metadata().get("LensPosition", -1.0)
        return abs(now - lens) <= LENS_TOLERANCE

    def _light(self) -> Exposure:
        data: Mapping[str, Any] = self._camera.capture_metadata()
        red, blue = data["ColourGains"]
        return Exposure(int(data["ExposureTime"]), float(data["AnalogueGain"]), (red, blue))


def _load_picamera2() -> Callable[[], Any]:
    try:
        module = importlib.import_module("picamera2")
    except Exception as error:  # two builds of numpy raise ValueError, for one
        if isinstance(error, ImportError) and error.name == "picamera2":
            raise CameraError("hardware.camera.no-picamera2") from error
        raise CameraError("hardware.camera.picamera2-broken", reason=error) from error
    device: Callable[[], Any] = module.Picamera2
    return device


def _open_device(device: Callable[[], Any]) -> Any:
    try:
        return device()
    except (RuntimeError, IndexError) as error:
        # picamera2 raises IndexError where libcamera lists no camera at all.
        raise CameraError("hardware.camera.no-pi-camera", reason=error) from error
