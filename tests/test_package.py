"""What the Debian package is made of: its unit, its configuration, its health check."""

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.config import read_config
from hardware.console.pins import PinMap

ROOT = Path(__file__).parents[1]
DEBIAN = ROOT / "packaging/debian"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_the_unit_is_hardened() -> None:
    words = ["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=20"]
    done = subprocess.run(
        [*words, str(DEBIAN / "companion.service")], capture_output=True, text=True, check=False
    )
    exposure = re.search(r"exposure level for companion.service: ([0-9.]+)", done.stdout)
    if exposure is None:
        pytest.skip("this systemd cannot look at a unit that is not installed")
    assert float(exposure[1]) <= 2.0


def test_the_configuration_that_is_installed_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_CONFIG", str(DEBIAN / "companion.toml"))
    config = read_config(Path("/nowhere"))
    assert config.troubles == ()
    assert config.serve == {"port": 80, "camera": "auto"}
    assert config.pins == PinMap()


def test_every_line_that_is_commented_out_is_right_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = (DEBIAN / "companion.toml").read_text("utf-8")
    whole = re.sub(r"^# (?=\[|\w+ = )", "", text, flags=re.MULTILINE)
    (tmp_path / "whole.toml").write_text(whole, "utf-8")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "whole.toml"))
    config = read_config(tmp_path)
    assert config.troubles == ()
    assert config.keys is not None
    assert config.hosts == ("raspberrypi.fritz.box",)
    assert config.serve["language"] == "it"


class Installed:
    """Two versions side by side, as the package's script leaves them after an upgrade."""

    def __init__(self, base: Path) -> None:
        self.base = base
        for version in ("0.0.9", "1.0", "2.0"):
            self.program(version, "exit 1")
        (base / "current").symlink_to("versions/2.0")
        (base / "pending").write_text("2.0\n")
        (base / "previous").write_text("1.0\n")

    def program(self, version: str, answers: str) -> None:
        folder = self.base / "versions" / version / "bin"
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("companion", "python"):
            (folder / name).write_text(f"#!/bin/sh\ncat > /dev/null\n{answers}\n")
            (folder / name).chmod(0o755)

    def health(self) -> subprocess.CompletedProcess[str]:
        times = {"COMPANION_HEALTH_TRIES": "4", "COMPANION_HEALTH_PAUSE": "0"}
        return subprocess.run(
            ["sh", str(DEBIAN / "health")],
            env={**os.environ, "COMPANION_BASE": str(self.base), **times},
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def runs(self) -> str:
        return str((self.base / "current").readlink())


@pytest.fixture
def installed(tmp_path: Path) -> Installed:
    return Installed(tmp_path)


def test_a_version_that_answers_stays_and_older_ones_go(installed: Installed) -> None:
    installed.program("2.0", "exit 0")
    done = installed.health()
    assert (done.returncode, done.stdout) == (0, "Companion 2.0 works.\n")
    assert installed.runs == "versions/2.0"
    kept = sorted(path.name for path in (installed.base / "versions").iterdir())
    assert kept == ["1.0", "2.0"], "the one before is kept for the next time"
    assert not (installed.base / "pending").exists()


def test_a_version_that_does_not_answer_gives_way_to_the_one_before(installed: Installed) -> None:
    done = installed.health()
    assert "version 1.0 runs again" in done.stderr
    assert installed.runs == "versions/1.0"
    assert (installed.base / "rolled-back").read_text() == "2.0 1.0\n"
    assert installed.health().stdout == "", "settled: it is not asked again"


def test_without_a_version_before_nothing_is_switched(installed: Installed) -> None:
    (installed.base / "previous").unlink()
    done = installed.health()
    assert done.returncode == 1
    assert "no version before it" in done.stderr
    assert installed.runs == "versions/2.0"


def test_the_lock_file_is_read_for_another_python() -> None:
    spec = importlib.util.spec_from_file_location("lock_for", ROOT / "scripts/lock_for.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    marker = "python_full_version < '3.13' and platform_machine == 'aarch64'"
    lock = f"numpy==2.4.6\n    # via x\nlgpio==0.2.2.0 ; {marker}\n"
    assert module.lines_for(lock, "3.11", "aarch64") == ["numpy==2.4.6", "lgpio==0.2.2.0"]
    assert module.lines_for(lock, "3.13", "aarch64") == ["numpy==2.4.6"]


@pytest.mark.parametrize("script", ["postinst", "prerm", "postrm", "health", "wrapper"])
def test_the_scripts_are_shell(script: str) -> None:
    subprocess.run(["sh", "-n", str(DEBIAN / script)], check=True)


def test_an_image_that_cannot_be_made_here_says_what_is_missing(tmp_path: Path) -> None:
    done = subprocess.run(
        [str(ROOT / "packaging/image/make-image")],
        env={**os.environ, "PI_GEN": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "git clone" in line
