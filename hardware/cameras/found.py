"""Which cameras this machine has, by the names that the kernel gives them."""

from pathlib import Path

from hardware.cameras.camera import CameraSpec
from hardware.errors import CameraError

CODECS = ("bcm2835", "pisp", "rpi")
"""How the kernel's names of a Pi's codecs and image processors begin."""

RIBBON_CAMERAS = ("unicam", "rp1-cfe")
"""How the names of a Pi's receivers for ribbon cameras begin."""


def usb_cameras(root: Path = Path("/")) -> dict[str, str]:
    """Every camera that OpenCV could open, as /dev/video0, with its model."""
    return {
        f"/dev/{path.name}": name
        for path, name in _video_devices(root)
        if not name.startswith((*CODECS, *RIBBON_CAMERAS)) and _is_first(path)
    }


def has_ribbon_camera(root: Path = Path("/")) -> bool:
    """Whether the Pi has a camera of its own."""
    return any(name.startswith(RIBBON_CAMERAS) for _, name in _video_devices(root))


def misses_ribbon_camera(root: Path = Path("/")) -> bool:
    """Whether this is a Pi that sees no camera of its own: none is there, or its cable sits badly.

    It looks for one only at a start.
    """
    is_pi = _text(root / "proc/device-tree/model", "").startswith("Raspberry Pi")
    return is_pi and not has_ribbon_camera(root)


def first_camera(root: Path = Path("/")) -> CameraSpec:
    """The Pi's own camera, else the first USB camera; raises CameraError where there is none."""
    if has_ribbon_camera(root):
        return CameraSpec("pi")
    for device in usb_cameras(root):
        return CameraSpec("v4l2", device)
    key = "none-found-by-a-pi" if misses_ribbon_camera(root) else "none-found"
    raise CameraError(f"hardware.camera.{key}")


def _video_devices(root: Path) -> list[tuple[Path, str]]:
    found = (root / "sys/class/video4linux").glob("video*")
    paths = sorted(found, key=lambda path: int(path.name.removeprefix("video") or 0))
    return [(path, _text(path / "name", "?")) for path in paths]


def _is_first(path: Path) -> bool:
    """A USB camera has a second device, which gives no pictures but data about them."""
    return _text(path / "index", "0") == "0"


def _text(path: Path, otherwise: str) -> str:
    try:
        return path.read_text("utf-8").strip()
    except OSError:
        return otherwise
