"""What the Debian package of a club's hub is made of. Backup and restore: tests/companion/hub."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "packaging/hub"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
@pytest.mark.parametrize(("unit", "most"), [("companion-hub", 2.0), ("companion-hub-backup", 5.0)])
def test_the_units_are_hardened(unit: str, most: float) -> None:
    words = ["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=99"]
    done = subprocess.run(
        [*words, str(PACKAGE / f"{unit}.service")], capture_output=True, text=True, check=False
    )
    exposure = re.search(rf"exposure level for {unit}.service: ([0-9.]+)", done.stdout)
    if exposure is None:
        pytest.skip("this systemd cannot look at a unit that is not installed")
    assert float(exposure[1]) <= most


def test_every_script_can_be_read_by_a_plain_shell() -> None:
    scripts = [one for one in PACKAGE.iterdir() if one.read_text("utf-8").startswith("#!/bin/sh")]
    assert len(scripts) == 6
    for script in scripts:
        subprocess.run(["sh", "-n", str(script)], check=True)


def test_the_package_brings_the_versions_that_are_tested() -> None:
    def pinned(lock: str) -> set[str]:
        text = (ROOT / lock).read_text("utf-8")
        return set(re.findall(r"^[a-z][^ ;]*==[^ ;\\\n]+", text, re.MULTILINE))

    assert any(one.startswith("psycopg==") for one in pinned("requirements-hub.lock"))
    windows = {one for one in pinned("requirements-hub.lock") if one.startswith("tzdata==")}
    assert pinned("requirements-hub.lock") - windows <= pinned("requirements-dev.lock")
