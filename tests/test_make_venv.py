"""`scripts/make-venv`: what apt brings is seen; an environment that is no good is made anew."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
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
        (site / "pip-1.dist-info").mkdir()
        (site / "pip-1.dist-info" / "METADATA").write_text("Name: pip\nVersion: 1\n")
        (site / "pip-1.dist-info" / "RECORD").write_text("pip.py,,\n")
        (folder / "model").write_text("Raspberry Pi 4 Model B Rev 1.1\0")
        has = "|".join(installed) or "nothing"
        self.script("system-python", f'case "$3" in {has}) exit 0;; esac; exit 1')
        self.script("apt-get", f'echo "$@" >> {folder}/orders')
        self.script("id", "echo 0")
        self.script("sudo", "exit 1")
        # As the system's Python, but an environment that it makes is the one that `whole` keeps.
        self.whole = folder / "whole"
        shutil.copytree(self.venv, self.whole, symlinks=True)
        self.script(
            "python3",
            f'case "$1" in -m) echo "$@" >> {folder}/made; rm -rf {self.venv};'
            f' cp -a {self.whole} {self.venv};; *) exec {sys.executable} "$@";; esac',
        )

    def script(self, name: str, words: str) -> None:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{words}\n")
        path.chmod(0o755)

    def start(self, options: Sequence[str] = ()) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["scripts/make-venv", str(self.venv), "requirements.lock", *options],
            cwd=ROOT,
            env={
                "PATH": f"{self.folder}:/usr/bin:/bin",
                "PYTHON": str(self.folder / "python3"),
                "SYSTEM_PYTHON": str(self.folder / "system-python"),
                "PI_MODEL": str(self.folder / "model"),
            },
            stderr=subprocess.PIPE,
            text=True,
        )

    def make(self, code: int = 0, options: Sequence[str] = ()) -> str:
        """Run it to its end; returns what it said."""
        started = self.start(options)
        _, said = started.communicate()
        assert started.returncode == code, said
        return said

    @property
    def environments_made(self) -> int:
        path = self.folder / "made"
        return len(path.read_text().splitlines()) if path.exists() else 0

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


def test_an_environment_that_is_whole_is_kept(tmp_path: Path) -> None:
    pi = FakePi(tmp_path, ("lgpio", "picamera2"))
    assert "a minute or two" not in pi.make()
    assert pi.environments_made == 0


def test_what_the_tests_add_to_it_is_told_before_it_is_fetched(tmp_path: Path) -> None:
    pi = FakePi(tmp_path, ("lgpio", "picamera2"))
    (tmp_path / "chromium-headless-shell").symlink_to("/bin/true")
    said = pi.make(options=("--browser",))
    assert "what the tests need" in said
    assert pi.environments_made == 0


def test_an_environment_whose_making_was_broken_off_is_made_anew(tmp_path: Path) -> None:
    pi = FakePi(tmp_path, ("lgpio", "picamera2"))
    (record,) = pi.venv.glob("lib/python3.*/site-packages/pip-1.dist-info/RECORD")
    record.unlink()
    assert "a minute or two" in pi.make()
    assert pi.environments_made == 1
    assert record.exists()


def test_an_environment_that_was_moved_is_made_anew(tmp_path: Path) -> None:
    pi = FakePi(tmp_path, ("lgpio", "picamera2"))
    settings = pi.venv / "pyvenv.cfg"
    settings.write_text(settings.read_text().replace(str(tmp_path), "/home/somebody/before"))
    pi.make()
    assert pi.environments_made == 1


def test_python_is_told_of_the_program_in_letters_that_every_terminal_has(tmp_path: Path) -> None:
    pi = FakePi(tmp_path, ("lgpio", "picamera2"))
    (site,) = pi.venv.glob("lib/python3.*/site-packages")
    note = site / "_editable_impl_ttr_companion.pth"
    note.write_text("/home/anna/Züge/companion", "utf-8")
    pi.make()
    told = note.read_text("utf-8").strip()
    assert not Path(told).is_absolute()
    assert (site / told).resolve() == ROOT


def test_what_an_ordinary_user_cannot_install_is_said_in_one_line_to_copy(tmp_path: Path) -> None:
    pi = FakePi(tmp_path, ())
    pi.script("id", "echo 1000")
    pi.script("python3", "exit 1")  # no Python here, or one without venv
    said = pi.make(code=1)
    assert said == (
        "make-venv: missing here: python3 python3-venv."
        " Type: sudo apt-get update && sudo apt-get install -y python3 python3-venv\n"
    )
    assert pi.orders == []


def test_of_two_at_once_the_second_waits(tmp_path: Path) -> None:
    pi = FakePi(tmp_path, ("lgpio", "picamera2"))
    turn = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(turn, fcntl.LOCK_EX)
    second = pi.start()
    assert second.stderr is not None
    assert "waiting for another one" in second.stderr.readline()
    assert second.poll() is None
    os.close(turn)
    assert second.wait() == 0
    second.stderr.close()


def _wants_an_environment(venv: Path) -> bool:
    """Whether `make demo` would make the environment first."""
    told = subprocess.run(
        ["make", "-n", "demo", f"VENV={venv}"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return "scripts/make-venv" in told.stdout


def test_make_sees_that_its_folder_was_moved(tmp_path: Path) -> None:
    venv = FakePi(tmp_path, ()).venv
    (venv / ".ready").touch()
    assert not _wants_an_environment(venv)
    venv.rename(tmp_path / "elsewhere")
    assert _wants_an_environment(tmp_path / "elsewhere")


def test_make_sees_that_its_python_is_gone(tmp_path: Path) -> None:
    venv = FakePi(tmp_path, ()).venv
    (venv / ".ready").touch()
    for python in (venv / "bin").glob("python*"):
        python.unlink()
    assert _wants_an_environment(venv)


def test_packages_that_cannot_be_fetched_end_in_what_to_do(tmp_path: Path) -> None:
    """Without a network pip's own last words are that a package has no version."""
    pi = FakePi(tmp_path, ())
    (pip,) = pi.venv.glob("lib/python3.*/site-packages/pip.py")
    pip.write_text("raise SystemExit('ERROR: No matching distribution found')")
    assert pi.make(code=1).endswith("the first time it needs a network. Then run make again.\n")
