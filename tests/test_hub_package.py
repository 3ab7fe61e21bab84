"""What the Debian package of a club's hub is made of. Backup and restore: tests/companion/hub."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
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


SET_UP = """\
#!/bin/sh
# companion hub setup --folder DIR --broker-host NAME --tables N
[ -n "$6" ] || exit 2
mkdir -p "$4/tables"
for file in hub.env authority.pem passwords access broker.key broker.pem mosquitto.conf; do
    touch "$4/$file"
done
[ -z "$POWER_CUT" ] || exit 1
touch "$4/tables/of-$8"
"""


@pytest.fixture
def machine(tmp_path: Path) -> Callable[..., int]:
    """A machine on which the package's scripts run, with stand-ins for what they call."""
    programs, base = tmp_path / "bin", tmp_path / "opt"
    scripts = {
        programs / "id": "#!/bin/sh\necho 0\n",
        **{programs / name: "#!/bin/sh\n" for name in ("chown", "install", "systemctl", "sync")},
        programs / "runuser": "#!/bin/sh\necho 1\n",
        programs / "companion-hub-setup": (PACKAGE / "companion-hub-setup").read_text("utf-8"),
        base / "current/bin/python": "#!/bin/sh\n",
        base / "current/bin/companion": SET_UP,
    }
    for path, script in scripts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script, "utf-8")
        path.chmod(0o755)
    (base / "bin").mkdir()
    (base / "bin/swap").write_text("", "utf-8")

    def run(script: str, *words: str, power_cut: str = "") -> int:
        environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "COMPANION_BASE": str(base),
            "COMPANION_HUB_BASE": str(tmp_path / "hub"),
            "COMPANION_HUB_FOLDER": str(tmp_path / "etc"),
            "COMPANION_HUB_LINK": str(tmp_path / "conf"),
            "POWER_CUT": power_cut,
        }
        command = ["sh", str(PACKAGE / script), *words]
        return subprocess.run(command, env=environment, check=False).returncode

    return run


def test_a_package_that_is_installed_again_has_its_broker_again(
    tmp_path: Path, machine: Callable[..., int]
) -> None:
    """Its tables are those that there were: one that was shut out is not let in again."""
    assert machine("postinst", "configure") == 0
    assert (tmp_path / "conf").resolve() == tmp_path / "etc/mosquitto.conf"
    tables = tmp_path / "etc/tables"
    assert [one.name for one in tables.iterdir()] == ["of-20"]
    (tables / "of-20").unlink()
    assert machine("postrm", "remove") == 0
    assert not (tmp_path / "conf").is_symlink()
    assert machine("postinst", "configure") == 0
    assert (tmp_path / "conf").resolve() == tmp_path / "etc/mosquitto.conf"
    assert list(tables.iterdir()) == []


def test_a_set_up_that_lost_power_is_made_to_its_end_by_the_next_one(
    tmp_path: Path, machine: Callable[..., int]
) -> None:
    """What `dpkg --configure -a` runs; the name of the machine was not on the disk yet either."""
    assert machine("postinst", "configure", power_cut="now") != 0
    (tmp_path / "etc/host").write_text("")
    assert machine("postinst", "configure") == 0
    assert (tmp_path / "conf").resolve() == tmp_path / "etc/mosquitto.conf"
    assert [one.name for one in (tmp_path / "etc/tables").iterdir()] == ["of-20"]
    assert (tmp_path / "etc/host").read_text("utf-8").endswith(".local\n")


@pytest.mark.parametrize("end", ["\n", ""], ids=["whole", "last line without its end"])
def test_the_organisers_pin_is_made_once_and_told_at_the_end(
    tmp_path: Path, machine: Callable[..., int], capfd: pytest.CaptureFixture[str], end: str
) -> None:
    """It stood in a journal, which an organiser without Linux does not read."""
    settings = tmp_path / "etc/hub.env"
    (tmp_path / "etc").mkdir()
    settings.write_text(f"COMPANION_BROKER=mqtts://hub:secret@localhost:8883{end}")
    assert machine("companion-hub-setup", "20") == 0
    broker, pin = settings.read_text("utf-8").splitlines()
    assert broker == "COMPANION_BROKER=mqtts://hub:secret@localhost:8883"
    assert re.fullmatch(r"COMPANION_PIN=[0-9]{6}", pin)
    assert settings.stat().st_mode & 0o777 == 0o640
    settings.write_text(f"{broker}\nCOMPANION_PIN=48291300\n")
    assert machine("companion-hub-setup", "0") == 0
    assert settings.read_text("utf-8") == f"{broker}\nCOMPANION_PIN=48291300\n"
    assert "The organiser's PIN: 48291300\n" in capfd.readouterr().out


def test_the_package_brings_the_versions_that_are_tested() -> None:
    def pinned(lock: str) -> set[str]:
        text = (ROOT / lock).read_text("utf-8")
        return set(re.findall(r"^[a-z][^ ;]*==[^ ;\\\n]+", text, re.MULTILINE))

    assert any(one.startswith("psycopg==") for one in pinned("requirements-hub.lock"))
    windows = {one for one in pinned("requirements-hub.lock") if one.startswith("tzdata==")}
    assert pinned("requirements-hub.lock") - windows <= pinned("requirements-dev.lock")
