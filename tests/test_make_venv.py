"""`scripts/make-venv` on a Raspberry Pi: apt's packages are got and seen, whenever they came."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


class FakePi:
    """A Pi with an environment without pip's own work, and an apt-get that writes down its orders.

    Its system Python has the modules that `installed` names.
    """

    def __init__(self, folder: Path, installed: tuple[str, ...]) -> None:
        self.folder = folder
        self.venv = folder / "venv"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.venv], check=True)
        (site,) = (self.venv / "lib").glob("python3.*/site-packages")
        (site / "pip.py").write_text("")
        (folder / "model").write_text("Raspberry Pi 4 Model B Rev 1.1\0")
        has = "|".join(installed) or "nothing"
        self._script("system-python", f'case "$3" in {has}) exit 0;; esac; exit 1')
        self._script("apt-get", f'echo "$@" >> {folder}/orders')
        self._script("id", "echo 0")

    def _script(self, name: str, words: str) -> None:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{words}\n")
        path.chmod(0o755)

    def make(self) -> str:
        done = subprocess.run(
            ["scripts/make-venv", str(self.venv), "requirements.lock"],
            cwd=ROOT,
            env={
                "PATH": f"{self.folder}:/usr/bin:/bin",
                "PYTHON": str(self.venv / "bin/python"),
                "SYSTEM_PYTHON": str(self.folder / "system-python"),
                "PI_MODEL": str(self.folder / "model"),
            },
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stderr

    @property
    def sees_the_system(self) -> bool:
        settings = (self.venv / "pyvenv.cfg").read_text()
        return "include-system-site-packages = true" in settings

    @property
    def orders(self) -> list[str]:
        """What apt-get was told to install."""
        path = self.folder / "orders"
        lines = path.read_text().splitlines() if path.exists() else []
        return [line.split()[-1] for line in lines if line.startswith("install")]


def test_an_environment_made_before_apt_s_lgpio_comes_to_see_it(tmp_path: Path) -> None:
    pi = FakePi(tmp_path, ("lgpio", "picamera2"))
    assert not pi.sees_the_system
    pi.make()
    assert pi.sees_the_system
    assert pi.orders == []


def test_what_is_missing_is_got_with_apt(tmp_path: Path) -> None:
    pi = FakePi(tmp_path, ())
    said = pi.make()
    assert pi.orders == ["python3-picamera2", "python3-lgpio"]
    assert "no lgpio; the buttons and lamps will not work" in said, "apt-get only pretended"


def test_an_environment_that_has_its_own_lgpio_stays_apart(tmp_path: Path) -> None:
    pi = FakePi(tmp_path, ("picamera2",))
    (site,) = (pi.venv / "lib").glob("python3.*/site-packages")
    (site / "lgpio.py").write_text("raise RuntimeError('imported only to look')")
    assert pi.make() == ""
    assert not pi.sees_the_system
    assert pi.orders == []


@pytest.mark.parametrize("model", ["", "Some other board\0"])
def test_elsewhere_nothing_is_asked_of_apt(tmp_path: Path, model: str) -> None:
    pi = FakePi(tmp_path, ())
    (tmp_path / "model").write_text(model)
    pi.make()
    assert pi.orders == []
    assert not pi.sees_the_system
