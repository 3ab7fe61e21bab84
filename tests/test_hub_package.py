"""What the Debian package of a club's hub is made of. Backup and restore: tests/companion/hub."""

import os
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


def test_a_backup_that_the_disk_refuses_leaves_nothing_behind(tmp_path: Path) -> None:
    """Programs stand in that write until the disk is full; a power cut left a file two days ago."""
    programs, folder = tmp_path / "bin", tmp_path / "backups"
    programs.mkdir()
    folder.mkdir()
    whole, left = folder / "companion-20260301-043000.dump", folder / "companion-1.dump.part"
    for file in (whole, left):
        file.write_text("a copy")
    os.utime(left, (0, 0))
    stand_in = (
        "#!/bin/sh\nfor word; do case $word in --file=*) echo half > ${word#--file=};; esac; done\n"
    )
    (programs / "pg_dump").write_text(f"{stand_in}echo 'No space left on device' >&2; exit 1\n")
    (programs / "pg_dump").chmod(0o755)
    done = subprocess.run(
        ["sh", str(PACKAGE / "companion-hub-backup"), str(folder)],
        env={
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "COMPANION_HUB_ADMIN": "env",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert "no copy was written" in done.stderr
    assert list(folder.iterdir()) == [whole]


def test_the_package_brings_the_versions_that_are_tested() -> None:
    def pinned(lock: str) -> set[str]:
        text = (ROOT / lock).read_text("utf-8")
        return set(re.findall(r"^[a-z][^ ;]*==[^ ;\\\n]+", text, re.MULTILINE))

    assert any(one.startswith("psycopg==") for one in pinned("requirements-hub.lock"))
    windows = {one for one in pinned("requirements-hub.lock") if one.startswith("tzdata==")}
    assert pinned("requirements-hub.lock") - windows <= pinned("requirements-dev.lock")
