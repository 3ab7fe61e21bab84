"""The Pi's camera under the system's Python: beside the system's packages, not beside ours."""

import os
import sys
import venv
from pathlib import Path

import numpy as np
import pytest

from hardware.cameras.camera import CameraSpec
from hardware.cameras.process import ProcessCamera
from hardware.cameras.system_python import SYSTEM_PACKAGES, child_command, has_picamera2
from hardware.errors import CameraError

PICAMERA2 = """
import importlib.util, sys
import numpy

print("a driver that talks")
assert importlib.util.find_spec("flask") is None, "our environment is seen"


class Request:
    def make_array(self, name):
        return numpy.full((4, 6, 3), 7, numpy.uint8)

    def release(self):
        pass


class Picamera2:
    frames = 0

    def create_still_configuration(self, main, queue):
        return {}

    def configure(self, configuration):
        pass

    def start(self):
        pass

    def set_controls(self, controls):
        pass

    def capture_metadata(self):
        Picamera2.frames += 1
        return {
            "ExposureTime": 1000 * DRIFT**self.frames,
            "AnalogueGain": 1.0,
            "ColourGains": (1.0, 1.0),
        }

    def capture_request(self):
        return Request()

    def close(self):
        pass
"""


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """A system whose Python has numpy and, in `packages`, what apt would have installed."""
    root = tmp_path / "system"
    venv.create(root / "usr", with_pip=False)
    packages = root / SYSTEM_PACKAGES
    packages.mkdir(parents=True)
    (site,) = (root / "usr/lib").glob("python3.*/site-packages")
    (site / "apt.pth").write_text(str(packages))
    ours = Path(np.__file__).parents[1]
    for library in ("numpy", "numpy.libs"):
        if (ours / library).exists():
            (packages / library).symlink_to(ours / library)
    return root


def install(root: Path, words: str) -> None:
    package = root / SYSTEM_PACKAGES / "picamera2"
    package.mkdir()
    (package / "__init__.py").write_text(words)


def opened(root: Path) -> ProcessCamera:
    return ProcessCamera(CameraSpec("pi"), child=child_command("pi", root))


def test_frames_come_from_the_system_s_picamera2(
    system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not has_picamera2(system)
    install(system, PICAMERA2.replace("DRIFT", "1"))
    assert has_picamera2(system)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    with opened(system) as camera:
        np.testing.assert_array_equal(camera.read().image_bgr, np.full((4, 6, 3), 7, np.uint8))
        assert camera.warning is None


def test_a_light_that_is_not_held_is_known_on_this_side(system: Path) -> None:
    install(system, PICAMERA2.replace("DRIFT", "2"))
    with opened(system) as camera:
        assert "does not hold its exposure" in str(camera.warning)
        assert camera.read().image_bgr.shape == (4, 6, 3)


def test_a_picamera2_of_another_numpy_says_so(system: Path) -> None:
    install(system, "raise ValueError('numpy.dtype size changed')")
    with pytest.raises(CameraError, match=r"does not start \(numpy.dtype size changed\)"):
        opened(system)


def test_a_camera_that_never_starts_is_ended_with_a_sentence() -> None:
    child = [sys.executable, "-c", "import time; time.sleep(600)"]
    with pytest.raises(CameraError, match="did not start in time"):
        ProcessCamera(CameraSpec("pi"), open_timeout_s=0.3, child=child)
