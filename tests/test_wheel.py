"""The wheel holds all that the program needs at run time, and nothing of training or tests."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="hatchling is not installed: `make test` installs it")

ROOT = Path(__file__).parents[1]
ROOMS = ("scoring", "vision", "calibration", "hardware", "web", "companion")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def of_the_rooms(wheel: zipfile.ZipFile) -> set[str]:
    return {name for name in wheel.namelist() if ".dist-info/" not in name}


@pytest.mark.parametrize(
    "path",
    [
        "scoring/board/data/usa.json",
        "scoring/board/data/germany.json",
        "scoring/board/data/france.json",
        "scoring/board/other_names.json",
        "scoring/language/en.json",
        "companion/language/it.json",
        "vision/weights/outline.onnx",
        "vision/weights/snap.onnx",
        "vision/weights/spaces.onnx",
        "web/templates/base.html",
        "web/static/panel.css",
        "web/static/panel.js",
        "web/static/icon.svg",
        "web/static/icon-192.png",
        "web/static/manifest.json",
        "companion/cli/commands/demo.py",
        "vision/synthetic/photo.py",
        "scoring/py.typed",
    ],
)
def test_a_file_that_the_program_opens_is_in_it(wheel: zipfile.ZipFile, path: str) -> None:
    assert wheel.read(path) == (ROOT / path).read_bytes()


def test_it_holds_every_file_of_the_rooms_but_training(wheel: zipfile.ZipFile) -> None:
    here = {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    training = {path for path in here if path.startswith("vision/training/")}
    assert training, "training stays in the repository"
    assert of_the_rooms(wheel) == here - training


def test_it_installs_the_command(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert "companion = companion.cli.main:entry" in wheel.read(name).decode()


def test_the_same_source_gives_the_same_wheel_wherever_and_whenever_it_is_built(
    tmp_path: Path,
) -> None:
    """Another folder, other times and other permissions of the files."""
    built = []
    for number, umask in enumerate((0o022, 0o077)):
        source = tmp_path / f"checkout-{number}"
        source.mkdir()
        for name in ("pyproject.toml", "README.md", "LICENSE", *ROOMS):
            _copy(
                ROOT / name, source / name, mode=0o666 & ~umask, at_s=1_000_000_000 * (1 + number)
            )
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(source)]
        subprocess.run(command, cwd=source, check=True, capture_output=True)
        (path,) = source.glob("*.whl")
        built.append(path.read_bytes())
    assert built[0] == built[1]


def _copy(path: Path, to: Path, mode: int, at_s: int) -> None:
    if path.is_dir():
        for one in path.iterdir():
            if one.name != "__pycache__":
                _copy(one, to / one.name, mode, at_s)
        return
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(path.read_bytes())
    to.chmod(mode)
    os.utime(to, (at_s, at_s))
