"""The doctor on machines that have something, nothing, or something broken."""

import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.doctor import doctor
from companion.doctor.doctor import BROKEN, GOOD, MISSING, CheckResult, examine
from companion.doctor.raspberry_pi import PiSoftware, look
from companion.studio.boards import TaughtBoards
from tests.support.small_board import station_board


def found(findings: list[CheckResult], name: str) -> list[tuple[str, str]]:
    return [(f.status, f.message.text("en")) for f in findings if f.name == name]


def machine(root: Path, cameras: dict[str, str], chips: int) -> Path:
    """A machine's /sys and /dev as far as the doctor looks."""
    (root / "dev").mkdir()
    for device, name in cameras.items():
        folder = root / "sys/class/video4linux" / device
        folder.mkdir(parents=True)
        (folder / "name").write_text(f"{name}\n")
        (root / "dev" / device).touch()
    for number in range(chips):
        (root / "dev" / f"gpiochip{number}").touch()
    return root


PI = PiSoftware(
    picamera2="",
    lgpio="",
    lgpio_version="0.2.2.0",
    python=(3, 11),
    system=(3, 11),
    executable="/c/.venv/bin/python",
    venv="/c/.venv",
)
"""A Raspberry Pi on which everything is as it should be."""

MAKE = "`scripts/make-venv /c/.venv requirements.lock`"


@pytest.mark.parametrize(
    ("software", "sentence"),
    [
        # Bookworm, an environment without lgpio: PyPI has it.
        (replace(PI, lgpio=None), "`/c/.venv/bin/python -m pip install lgpio==0.2.2.0`"),
        # Trixie: neither PyPI nor, so far, apt.
        (
            replace(PI, lgpio=None, python=(3, 13), system=(3, 13)),
            f"`sudo apt install python3-lgpio`, then {MAKE}",
        ),
        # The Debian package's own environment sees what apt installs.
        (
            replace(PI, lgpio=None, python=(3, 13), venv="/opt/companion/versions/0.1.0"),
            "`sudo apt install python3-lgpio`, then `sudo systemctl restart companion`.",
        ),
        # Trixie, apt's package came after the environment.
        (replace(PI, lgpio=None, python=(3, 13), system=(3, 13), apt_lgpio=True), MAKE),
        # An environment of another Python never sees apt's packages.
        (
            replace(PI, lgpio=None, python=(3, 12), system=(3, 13), apt_lgpio=True),
            "Delete /c/.venv and run `PYTHON=/usr/bin/python3 scripts/make-venv",
        ),
        # What pip takes where there is no wheel.
        (replace(PI, lgpio="", lgpio_version="0.0.0.2"), "-m pip uninstall --yes lgpio`"),
        (replace(PI, lgpio="no folder for its pipe"), "no folder for its pipe"),
    ],
)
def test_whatever_keeps_the_pins_away_is_named_with_its_command(
    tmp_path: Path, software: PiSoftware, sentence: str
) -> None:
    findings = examine(tmp_path, machine(tmp_path, {}, 1), software)
    ((status, said),) = found(findings, "gpio")
    assert status == BROKEN
    assert sentence in said


def test_pins_and_camera_of_a_sound_pi_are_good(tmp_path: Path) -> None:
    findings = examine(tmp_path, machine(tmp_path, {}, 1), PI)
    assert found(findings, "gpio")[0][0] == GOOD
    assert found(findings, "pi-camera")[0][0] == GOOD


def test_a_lamp_s_number_is_not_taken_for_its_pin_s(tmp_path: Path) -> None:
    ((_, sentence),) = found(examine(tmp_path, tmp_path), "pins")
    assert "Scan button GPIO 5; " in sentence
    assert "lamp 1 GPIO 17; lamp 2 GPIO 27; " in sentence


def test_a_picamera2_that_does_not_start_is_told_with_its_reason(tmp_path: Path) -> None:
    broken = replace(PI, picamera2="ValueError: numpy.dtype size changed")
    ((status, said),) = found(examine(tmp_path, tmp_path, broken), "pi-camera")
    assert status == BROKEN
    assert "numpy.dtype size changed" in said
    assert "`sudo apt install --reinstall python3-picamera2 python3-simplejpeg" in said
    missing = replace(PI, picamera2=None)
    ((status, said),) = found(examine(tmp_path, tmp_path, missing), "pi-camera")
    assert (status, "`sudo apt install python3-picamera2`" in said) == (MISSING, True)


def test_the_system_s_picamera2_is_tried_with_the_system_s_python(tmp_path: Path) -> None:
    (tmp_path / "usr/bin").mkdir(parents=True)
    (tmp_path / "usr/lib/python3/dist-packages/picamera2").mkdir(parents=True)
    python = tmp_path / "usr/bin/python3.13"
    python.write_text("#!/bin/sh\necho Traceback >&2; echo ValueError: two builds >&2; exit 1\n")
    python.chmod(0o755)
    (tmp_path / "usr/bin/python3").symlink_to("python3.13")
    found_here = look(tmp_path)
    assert found_here.picamera2 == "ValueError: two builds"
    assert found_here.system == (3, 13)


def test_a_bare_machine_lacks_things_but_nothing_is_broken(tmp_path: Path) -> None:
    findings = examine(tmp_path, machine(tmp_path, {}, 0))
    assert found(findings, "usb-camera")[0][0] == MISSING
    assert found(findings, "gpio")[0][0] == MISSING
    assert found(findings, "storage")[0][0] == GOOD
    assert BROKEN not in {finding.status for finding in findings}


@pytest.mark.parametrize(
    ("port", "end"), [("", ":8000/."), ("port = 80", "/."), ("port = 81", ":81/.")]
)
def test_the_panel_s_address_has_the_configured_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, port: str, end: str
) -> None:
    monkeypatch.setattr(doctor, "answers", lambda address: True)
    (tmp_path / "companion.toml").write_text(f"[serve]\n{port}\n")
    root = machine(tmp_path, {}, 0)
    ((_, said),) = found(examine(tmp_path, root), "network")
    assert re.search(r"http://[\w.-]+" + re.escape(end) + "$", said)
    ((_, taken),) = found(examine(tmp_path, root, port=8001), "network")
    assert ":8001/" in taken, "the panel knows which one it has"


def test_a_panel_that_does_not_run_is_told_and_one_that_runs_asks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A box whose service had ended said that tablets reach its panel."""
    root = machine(tmp_path, {}, 0)
    asked = list[str]()
    monkeypatch.setattr(doctor, "lan_address", lambda: "192.168.1.20")
    monkeypatch.setattr(doctor, "answers", lambda address: bool(asked.append(address)))
    ((status, said),) = found(examine(tmp_path, root), "network")
    assert status == MISSING
    assert "Nobody answers at http://192.168.1.20:8000/: Companion does not run" in said
    assert asked == ["http://192.168.1.20:8000/"]
    assert found(examine(tmp_path, root, port=8000), "network")[0][0] == GOOD
    assert len(asked) == 1


def test_a_panel_whose_port_another_program_has_is_found_at_the_usual_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = machine(tmp_path, {}, 0)
    (tmp_path / "companion.toml").write_text("[serve]\nport = 80\n")
    monkeypatch.setattr(doctor, "lan_address", lambda: "192.168.1.20")
    monkeypatch.setattr(doctor, "answers", lambda address: ":8000" in address)
    told = found(examine(tmp_path, root), "network")
    assert told == [(GOOD, "Tablets in this network reach the panel at http://192.168.1.20:8000/.")]


def test_a_pi_whose_ribbon_cable_sits_badly_is_told_so(tmp_path: Path) -> None:
    """It stood there with a tick, because picamera2 is installed."""
    root = machine(tmp_path, {}, 1)
    (root / "proc/device-tree").mkdir(parents=True)
    (root / "proc/device-tree/model").write_text("Raspberry Pi 4 Model B Rev 1.4\0")
    ((status, sentence),) = found(examine(tmp_path, root, PI), "pi-camera")
    assert status == MISSING
    assert "check the cable at both ends" in sentence
    (root / "sys/class/video4linux/video0").mkdir(parents=True)
    (root / "sys/class/video4linux/video0/name").write_text("unicam-image\n")
    ((status, sentence),) = found(examine(tmp_path, root, PI), "pi-camera")
    assert (status, sentence.startswith("picamera2 is installed")) == (GOOD, True)


def test_cameras_are_named_and_a_pi_s_codecs_are_none(tmp_path: Path) -> None:
    cameras = {"video0": "HD Webcam C920", "video10": "bcm2835-codec-decode", "video20": "pispbe"}
    ((status, sentence),) = found(examine(tmp_path, machine(tmp_path, cameras, 1)), "usb-camera")
    assert status == GOOD
    assert sentence == "USB camera /dev/video0: HD Webcam C920. Use it with --camera /dev/video0."


def test_wrong_pins_and_old_damage_are_told(tmp_path: Path) -> None:
    (tmp_path / "box.json").write_text('{"pins": {"scan": 99}}')
    (tmp_path / "evening.damaged-1.sqlite3").touch()
    findings = examine(tmp_path, machine(tmp_path, {}, 0))
    assert found(findings, "configuration")[0][0] == BROKEN
    assert "pin 99" in found(findings, "configuration")[0][1]
    assert "evening.damaged-1" in found(findings, "storage")[1][1]


def test_a_board_whose_file_was_cut_short_is_told(tmp_path: Path) -> None:
    """It is on no list of the panel, and only the terminal said why."""
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "ours.json").write_text('{"format": 1, "id": "ours", "title": "Our b')
    ((status, said),) = found(examine(tmp_path), "boards")
    assert status == BROKEN
    assert said.startswith("A board of your own is not offered, because its file cannot be used (")
    assert "ours.json is not a complete JSON document" in said
    TaughtBoards(tmp_path).write({**station_board(), "id": "ours"})
    assert found(examine(tmp_path), "boards") == [], "saved again, as it was told"


def test_a_folder_that_is_not_there_yet_is_judged_by_its_parent(tmp_path: Path) -> None:
    data = tmp_path / "not" / "yet"
    assert found(examine(data, tmp_path), "storage")[0][0] == GOOD
    assert not data.exists()


def test_a_sign_that_the_terminal_does_not_have_is_replaced(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "doctor", "--data", str(tmp_path)]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        command, env=environment, capture_output=True, check=True, cwd=Path(__file__).parents[3]
    )
    assert done.stdout.startswith(b"? Python")


def test_a_data_folder_that_cannot_be_looked_into_is_told(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    findings = examine(tmp_path / "loop", tmp_path)
    assert [finding.status for finding in findings if finding.name == "storage"] == [BROKEN]


def test_a_file_in_the_place_of_the_data_folder_is_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Dear Ada,\n")
    monkeypatch.setenv("COMPANION_DATA", str(file))
    for words in (["doctor", "--data", str(file)], ["doctor", "--json"]):
        assert main([*words, "--language", "en"]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert told.err.startswith(f"companion doctor: the data folder {file} is a file;")


def test_who_forgets_sudo_on_a_box_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service's folder is closed to all others; another folder would be another table."""
    table, real = tmp_path / "table", os.access
    table.mkdir()
    if os.getuid() == 0:
        os.chown(table, 1, 1)
    else:
        monkeypatch.setattr(os, "getuid", lambda: table.stat().st_uid + 1)
    monkeypatch.setattr(os, "access", lambda path, mode: path != table and real(path, mode))
    ((status, sentence),) = found(examine(table, tmp_path), "storage")
    assert status == BROKEN
    assert "`sudo companion doctor`" in sentence


def test_the_command_speaks_both_languages_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--data", str(tmp_path), "--language", "it"]) == 0
    assert "La cartella dei dati" in capsys.readouterr().out
    assert main(["doctor", "--data", str(tmp_path), "--json"]) == 0
    checks = json.loads(capsys.readouterr().out)["checks"]
    assert {"python", "usb-camera", "pi-camera", "gpio", "pins", "storage", "network"} <= {
        check["name"] for check in checks
    }


def test_a_club_s_hub_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(examine(tmp_path, tmp_path), "hub") == []
    words = '[hub]\naddress = "mqtt://table-3:secret@club.local"\nname = "By the window"\n'
    (tmp_path / "companion.toml").write_text(words)
    monkeypatch.setattr(doctor, "_importable", lambda name: True)
    ((status, sentence),) = found(examine(tmp_path, tmp_path), "hub")
    assert (status, "secret" in sentence) == (GOOD, False)
    assert "club.local:1883: as By the window (table-3)" in sentence
    monkeypatch.setattr(doctor, "_importable", lambda name: name != "paho")
    ((status, sentence),) = found(examine(tmp_path, tmp_path), "hub")
    assert (status, "paho-mqtt is missing" in sentence) == (BROKEN, True)
    assert f"`{sys.executable} -m pip install paho-mqtt`" in sentence, "this Python's, no other's"


def test_a_folder_of_the_service_s_is_told_once_with_the_command_that_may_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The configuration and the boards in it were each called wrong, which they are not."""
    (tmp_path / "data" / "boards").mkdir(parents=True)
    for name in ("companion.toml", "box.json", "boards/ours.json"):
        (tmp_path / "data" / name).write_text("cannot be read by this user")

    def refused(folder: Path) -> Iterator[Path]:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))

    monkeypatch.setattr(Path, "iterdir", refused)
    monkeypatch.setattr(doctor, "owner_if_another", lambda folder: "companion")
    broken = [f for f in examine(tmp_path / "data", machine(tmp_path, {}, 0)) if f.status == BROKEN]
    (one,) = broken
    assert one.message.text("en") == (
        f"The data folder {tmp_path / 'data'} belongs to the user companion: run `sudo companion "
        "doctor` on a box, or give another folder with --data."
    )
