"""What the Debian package is made of: its unit, its configuration, its health check."""

import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

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
    assert config.hub is not None
    assert config.is_club
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

    def health(
        self, patience_s: int = 0, config: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        times = {"COMPANION_HEALTH_PATIENCE_S": str(patience_s), "COMPANION_HEALTH_PAUSE": "0.2"}
        given = {} if config is None else {"COMPANION_CONFIG": str(config)}
        return subprocess.run(
            ["sh", str(DEBIAN / "health")],
            env={**os.environ, "COMPANION_BASE": str(self.base), **times, **given},
            capture_output=True,
            text=True,
            check=False,
        )

    def switch_over(self, version: str) -> None:
        """What the package's own script does once a version's program is there."""
        words = 'set -- no; . "$SCRIPT"; version=$VERSION; switch_over'
        given = {"SCRIPT": str(DEBIAN / "postinst"), "VERSION": version}
        env = {**os.environ, "COMPANION_BASE": str(self.base), **given}
        subprocess.run(["sh", "-c", words], env=env, check=True)

    @property
    def runs(self) -> str:
        return str((self.base / "current").readlink())


@pytest.fixture
def installed(tmp_path: Path) -> Installed:
    return Installed(tmp_path)


def test_a_version_that_answers_stays_and_older_ones_go(installed: Installed) -> None:
    installed.program("2.0", "exit 0")
    done = installed.health(patience_s=60)
    assert (done.returncode, done.stdout) == (0, "Companion 2.0 works.\n")
    assert installed.runs == "versions/2.0"
    kept = sorted(path.name for path in (installed.base / "versions").iterdir())
    assert kept == ["1.0", "2.0"], "the one before is kept for the next time"
    assert not (installed.base / "pending").exists()


def test_a_version_that_is_installed_while_one_is_looked_at_is_looked_at_itself(
    installed: Installed,
) -> None:
    base = installed.base
    switch = f"echo 3.0 > {base}/pending; echo 2.0 > {base}/previous"
    installed.program("2.0", f"{switch}; ln -sfn versions/3.0 {base}/current; exit 1")
    installed.program("3.0", "exit 0")
    done = installed.health(patience_s=60)
    assert (done.returncode, done.stdout) == (0, "Companion 3.0 works.\n")
    assert installed.runs == "versions/3.0"
    assert (base / "versions/3.0/bin/companion").exists(), "what runs was deleted as an older one"
    assert not (base / "pending").exists()


def test_a_version_that_does_not_answer_gives_way_to_the_one_before(installed: Installed) -> None:
    done = installed.health()
    assert "version 1.0 runs again" in done.stderr
    assert installed.runs == "versions/1.0"
    assert (installed.base / "rolled-back").read_text() == "2.0 1.0\n"
    assert installed.health().stdout == "", "settled: it is not asked again"


KEPT_BY_SYNC = """#!/bin/sh
cp "$COMPANION_BASE/pending" "$COMPANION_BASE/previous" "$CARD"
[ ! -e "$COMPANION_BASE/rolled-back" ] || cp "$COMPANION_BASE/rolled-back" "$CARD"
"""
CUT_BEHIND_IT = """#!/bin/sh
/usr/bin/env -i PATH=/usr/bin:/bin mv "$@"
kill -9 $PPID
"""


def test_when_the_link_has_moved_the_notes_that_lead_back_are_on_the_card(
    installed: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power fails right behind the link's move: of the notes there is what was synced."""
    commands, card = tmp_path / "commands", tmp_path / "card"
    commands.mkdir()
    card.mkdir()
    for name, text in (("sync", KEPT_BY_SYNC), ("mv", CUT_BEHIND_IT)):
        (commands / name).write_text(text)
        (commands / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    monkeypatch.setenv("CARD", str(card))
    installed.program("3.0", "exit 1")
    with pytest.raises(subprocess.CalledProcessError):
        installed.switch_over("3.0")
    assert installed.runs == "versions/3.0"
    assert (card / "pending").read_text() == "3.0\n"
    assert (card / "previous").read_text() == "1.0\n"

    assert installed.health().returncode == -9
    assert installed.runs == "versions/1.0"
    assert (card / "rolled-back").read_text() == "3.0 1.0\n"


def test_a_note_that_a_power_cut_left_empty_still_has_the_version_looked_at(
    installed: Installed,
) -> None:
    """What runs was taken for settled, and a version that does not answer stayed."""
    (installed.base / "pending").write_text("")
    assert "version 1.0 runs again" in installed.health().stderr
    assert installed.runs == "versions/1.0"


def test_two_versions_in_a_row_that_do_not_answer_give_way_to_the_one_that_did(
    installed: Installed,
) -> None:
    """The second is installed while the first is looked at."""
    installed.program("3.0", "exit 1")
    installed.switch_over("3.0")
    assert installed.runs == "versions/3.0"
    done = installed.health()
    assert "version 1.0 runs again" in done.stderr
    assert installed.runs == "versions/1.0"


def test_a_version_that_has_shown_that_it_works_is_what_the_next_one_gives_way_to(
    installed: Installed,
) -> None:
    installed.program("2.0", "exit 0")
    installed.health(patience_s=60)
    installed.program("3.0", "exit 1")
    installed.switch_over("3.0")
    installed.health()
    assert installed.runs == "versions/2.0"


def test_one_that_was_not_looked_at_to_the_end_is_better_than_none(installed: Installed) -> None:
    (installed.base / "previous").unlink()
    installed.program("3.0", "exit 1")
    installed.switch_over("3.0")
    installed.health()
    assert installed.runs == "versions/2.0"


def test_a_version_that_is_being_unpacked_is_not_tidied_away(installed: Installed) -> None:
    installed.program("2.0", "exit 0")
    installed.program("3.0.new", "exit 0")
    installed.program("2.9.new", "exit 0")
    (installed.base / "installing").write_text("3.0\n")
    installed.health(patience_s=60)
    kept = sorted(path.name for path in (installed.base / "versions").iterdir())
    assert kept == ["1.0", "2.0", "3.0.new"]


def test_a_panel_that_hangs_is_given_up_in_time(installed: Installed) -> None:
    """Each try may take its time; the clock decides, so that the way back is always taken."""
    installed.program("2.0", "sleep 0.6; exit 1")
    installed.health()
    assert installed.runs == "versions/1.0"


def test_a_power_cut_in_the_way_back_leaves_the_version_before(installed: Installed) -> None:
    (installed.base / "current").unlink()
    (installed.base / "current").symlink_to("versions/1.0")
    assert installed.health().returncode == 0
    assert installed.runs == "versions/1.0"
    assert not (installed.base / "pending").exists()


@pytest.mark.parametrize(
    ("kind", "runs"), [("application/json", "versions/2.0"), ("text/html", "versions/1.0")]
)
def test_another_web_server_on_the_panel_s_port_does_not_speak_for_it(
    installed: Installed, tmp_path: Path, kind: str, runs: str
) -> None:
    """An update that did not start stayed where another web server had port 80."""
    python = installed.base / "versions/2.0/bin/python"
    python.unlink(missing_ok=True)
    python.symlink_to(sys.executable)
    for port in (80, 8000):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            pytest.skip("a panel or another web server runs on this machine")
    with web_server(kind) as port:
        (tmp_path / "companion.toml").write_text(f"[serve]\nport = {port}\n")
        patience_s = 60 if runs == "versions/2.0" else 3  # three answers are slow on a busy machine
        installed.health(patience_s, config=tmp_path / "companion.toml")
    assert installed.runs == runs


@contextmanager
def web_server(kind: str) -> Iterator[int]:
    """A server that has a page for every address; its port."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


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


SCRIPTS = [DEBIAN / name for name in ("postinst", "prerm", "postrm", "health", "wrapper")]
STAGE = ROOT / "packaging/image/stage-companion"
WIFI = STAGE / "01-wifi/files"
SETTINGS = STAGE / "00-companion/files/companion-settings"


@pytest.mark.parametrize(
    "script",
    [*SCRIPTS, SETTINGS, *(path for path in WIFI.glob("companion-*") if not path.suffix)],
)
def test_the_scripts_are_shell(script: Path) -> None:
    subprocess.run(["sh", "-n", str(script)], check=True)


def wifi_says(state: str, folder: Path, pause_s: str = "0") -> None:
    """comitup tells `companion-wifi` a state; what it does meanwhile has ended."""
    (folder / "systemctl").write_text(f"#!/bin/sh\necho $1 >> {folder}/told\n")
    (folder / "systemctl").chmod(0o755)
    subprocess.run(
        [str(WIFI / "companion-wifi"), state],
        env={
            **os.environ,
            "PATH": f"{folder}:{os.environ['PATH']}",
            "OPTIONS_FILE": str(folder / "options"),
            "PAUSE_S": pause_s,
        },
        check=True,
        capture_output=True,  # and so waits for what goes on behind it
    )


def test_the_panel_moves_for_the_hotspot_and_back_and_is_not_restarted_for_nothing(
    tmp_path: Path,
) -> None:
    """The page about the Wi-Fi needs port 80 only while the Pi opens a Wi-Fi of its own."""
    options = tmp_path / "options"
    ports = []
    for state in ("CONNECTED", "HOTSPOT", "HOTSPOT", "CONNECTING", "CONNECTED"):
        wifi_says(state, tmp_path)
        ports.append(options.read_text().strip() if options.exists() else None)
    hotspot, home = "COMPANION_OPTIONS=--port 8000", "COMPANION_OPTIONS="
    assert ports == [None, hotspot, hotspot, hotspot, home]
    assert (tmp_path / "told").read_text().split() == ["restart", "restart"]


def test_a_hotspot_of_a_moment_does_not_restart_the_panel(tmp_path: Path) -> None:
    """comitup says HOTSPOT at each start, before it joins the Wi-Fi that it knows."""
    first = Thread(target=wifi_says, args=("HOTSPOT", tmp_path, "1"))
    first.start()
    while not (tmp_path / "options.state").exists():
        first.join(0.01)
    wifi_says("CONNECTED", tmp_path)
    first.join()
    assert not (tmp_path / "told").exists()


@pytest.mark.parametrize(("kept", "stays"), [('{"id": "1234"}', True), ("", False), ("{", False)])
def test_a_number_that_lost_power_while_it_was_written_is_drawn_anew(
    kept: str, stays: bool, tmp_path: Path
) -> None:
    """comitup ended at each start with what was left of the file, and no Wi-Fi was ever opened."""
    (tmp_path / "comitup.json").write_text(kept)
    line = re.search(
        r"^ExecStartPre=/bin/sh -c '(.*)'$", (WIFI / "no-cable.conf").read_text(), re.MULTILINE
    )
    assert line is not None
    command = line[1].replace("/var/lib/comitup", str(tmp_path))
    subprocess.run(["sh", "-c", command], check=True)
    assert (tmp_path / "comitup.json").exists() is stays


@pytest.mark.parametrize(
    ("carriers", "opens"),
    [({"eth0": "1", "wlan0": "0"}, False), ({"eth0": "0", "wlan0": "1"}, True)],
)
def test_with_a_cable_no_wifi_is_opened(
    carriers: dict[str, str], opens: bool, tmp_path: Path
) -> None:
    for name, carrier in carriers.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "carrier").write_text(f"{carrier}\n")
    done = subprocess.run(
        [str(WIFI / "companion-no-cable")],
        env={**os.environ, "NET": str(tmp_path), "PAUSE_S": "0"},
        check=False,
    )
    assert (done.returncode == 0) is opens


NMCLI = """#!/bin/sh
echo "$*" >> {folder}/told
[ "$2" != -f ] || printf '%s\\n' a1:802-11-wireless b2:802-3-ethernet c3:loopback d4:802-11-wireless
"""


def with_nmcli(script: str, folder: Path, **places: Path) -> list[str]:
    """Runs one of the image's scripts beside a stand-in for nmcli; what that was told."""
    (folder / "nmcli").write_text(NMCLI.format(folder=folder))
    (folder / "nmcli").chmod(0o755)
    path = f"{folder}:{os.environ['PATH']}"
    shown = {name: str(place) for name, place in places.items()}
    subprocess.run([str(WIFI / script)], env={**os.environ, "PATH": path, **shown}, check=True)
    told = folder / "told"
    return told.read_text().splitlines() if told.exists() else []


@pytest.mark.parametrize("name", ["forget-wifi", "Forget-WiFi.txt", "forget-wifi.txt.txt"])
def test_a_file_on_the_card_makes_the_box_forget_its_wifis(name: str, tmp_path: Path) -> None:
    """A hotel's Wi-Fi took the box in, no phone reached it there, and nothing led back."""
    card = tmp_path / "card"
    card.mkdir()
    for one in ("companion.toml", name):
        (card / one).touch()
    told = with_nmcli("companion-forget-wifi", tmp_path, SHOWN=card)
    assert told[1:] == ["connection delete uuid a1", "connection delete uuid d4"]
    assert [path.name for path in card.iterdir()] == ["companion.toml"]


def test_without_that_file_no_wifi_is_forgotten(tmp_path: Path) -> None:
    assert with_nmcli("companion-forget-wifi", tmp_path, SHOWN=tmp_path) == []


def test_a_radio_that_was_switched_off_is_switched_on(tmp_path: Path) -> None:
    """With it off the box opened no Wi-Fi, and nobody could tell it one."""
    for name, kind in (("rfkill0", "bluetooth"), ("rfkill1", "wlan")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "type").write_text(f"{kind}\n")
        (tmp_path / name / "soft").write_text("1\n")
    assert with_nmcli("companion-wifi-on", tmp_path, RFKILL=tmp_path) == ["radio wifi on"]
    soft = {name: (tmp_path / name / "soft").read_text() for name in ("rfkill0", "rfkill1")}
    assert soft == {"rfkill0": "1\n", "rfkill1": "0\n"}


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


@pytest.mark.skipif(not Path("/usr/share/zoneinfo/iso3166.tab").exists(), reason="no tzdata")
@pytest.mark.parametrize(
    ("country", "told"),
    [("", "say in which country"), ("it", "say in which country"), ("UK", "Great Britain is GB")],
)
def test_an_image_is_made_for_a_country_that_there_is(
    country: str, told: str, tmp_path: Path
) -> None:
    """Britain is GB: UK would have been handed on to be refused an hour later, if at all."""
    (tmp_path / "build.sh").write_text("exit 1\n")
    (tmp_path / "build.sh").chmod(0o755)
    done = subprocess.run(
        [str(ROOT / "packaging/image/make-image")],
        env={**os.environ, "PI_GEN": str(tmp_path), "COUNTRY": country},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert told in done.stderr


def test_the_guide_says_where_the_installation_stands_still() -> None:
    """It said nothing for minutes, and who thinks that it hangs pulls the plug."""
    said = re.search(r'echo "Companion: ([^;]+);', (DEBIAN / "postinst").read_text("utf-8"))
    assert said is not None
    assert f'"{said[1]}"' in (ROOT / "docs/box.md").read_text("utf-8")
    assert f"«{said[1]}»" in (ROOT / "docs/box.it.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("shown", "used"), [("# mine\r\n", "# mine\r\n"), ("", "# theirs\n"), (None, "# theirs\n")]
)
def test_settings_on_the_part_of_the_card_that_a_computer_shows_are_taken(
    shown: str | None, used: str, tmp_path: Path
) -> None:
    """Who has no command line cannot say otherwise that the table has no camera."""
    there, here = tmp_path / "shown.toml", tmp_path / "used.toml"
    here.write_bytes(b"# theirs\n")
    here.chmod(0o640)
    if shown is not None:
        there.write_bytes(shown.encode())
    subprocess.run(
        [str(SETTINGS)], env={**os.environ, "SHOWN": str(there), "USED": str(here)}, check=True
    )
    assert here.read_bytes() == used.encode()
    assert here.stat().st_mode & 0o777 == 0o640
