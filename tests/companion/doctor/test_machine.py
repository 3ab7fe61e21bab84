"""The machine's own troubles: each is one sentence with what to do."""

from datetime import datetime
from pathlib import Path

import pytest

from companion.config import BoxConfig
from companion.doctor.doctor import urgent
from companion.doctor.findings import BROKEN, GOOD, MISSING
from companion.doctor.machine import examine_machine
from hardware.console.keys import KeyMap
from scoring.language import LANGUAGES

NOW = datetime(2026, 11, 22, 20, 15)

DPKG = "Package: companion\nStatus: install {}\n"
WELL = {
    "sys/class/thermal/thermal_zone0/temp": "51200\n",
    "sys/devices/platform/soc/soc:firmware/get_throttled": "0\n",
    "proc/meminfo": "MemTotal: 512000 kB\nMemAvailable: 210000 kB\nSwapFree: 90000 kB\n",
    "proc/mounts": "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\nproc /proc proc rw 0 0\n",
    "sys/fs/ext4/mmcblk0p2/errors_count": "0\n",
    "sys/block/mmcblk0/device/life_time": "0x01 0x01\n",
    "etc/hostname": "companion\n",
    "run/avahi-daemon/pid": "1\n",
    "var/lib/dpkg/status": DPKG.format("ok installed"),
}


def machine(root: Path, **changes: str) -> Path:
    for name, text in {**WELL, **changes}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_a_stick_with_a_space_in_its_name_is_told_by_its_own_mount(tmp_path: Path) -> None:
    stick = r"/dev/sda1 /media/pi/MY\040STICK ext4 ro 0 0"
    root = machine(tmp_path, **{"proc/mounts": f"{WELL['proc/mounts']}{stick}\n"})
    results = examine_machine(Path("/media/pi/MY STICK/companion"), BoxConfig(), root, NOW)
    ((status, told),) = [(r.status, r.message.text("en")) for r in results if r.name == "card"]
    assert status == BROKEN
    assert "/dev/sda1" in told
    assert "can only be read" in told


RFKILL = {"sys/class/rfkill/rfkill0/type": "bluetooth\n", "sys/class/rfkill/rfkill0/soft": "1\n"}


def radio(soft: int, hard: int) -> dict[str, str]:
    return {
        **RFKILL,
        "sys/class/rfkill/rfkill1/type": "wlan\n",
        "sys/class/rfkill/rfkill1/soft": f"{soft}\n",
        "sys/class/rfkill/rfkill1/hard": f"{hard}\n",
    }


@pytest.mark.parametrize(
    ("soft", "hard", "address", "status", "sentence"),
    [
        (1, 0, None, BROKEN, "`sudo rfkill unblock wifi` switches it on"),
        (1, 0, "192.168.1.21", MISSING, "`sudo rfkill unblock wifi` switches it on"),
        (0, 1, None, BROKEN, "off by a switch or a key"),
        (1, 1, None, BROKEN, "off by a switch or a key"),
    ],
)
def test_a_radio_that_is_switched_off_is_told(
    soft: int,
    hard: int,
    address: str | None,
    status: str,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The box opens no Wi-Fi then, and nothing said why."""
    monkeypatch.setattr("companion.doctor.machine.lan_address", lambda: address)
    told = found(machine(tmp_path, **radio(soft, hard)))["wifi"]
    assert told[0] == status
    assert sentence in told[1]


def test_a_radio_that_is_on_and_a_mouse_that_is_off_are_no_trouble(tmp_path: Path) -> None:
    assert "wifi" not in found(machine(tmp_path, **radio(0, 0)))
    assert "wifi" not in found(machine(tmp_path / "none", **RFKILL))


def test_a_clock_that_no_network_has_set_is_told_where_no_battery_keeps_it(tmp_path: Path) -> None:
    """In a hotel's Wi-Fi a Pi's clock stands at last month, and the check-up called it well."""
    root = machine(tmp_path)
    (root / "run/systemd/timesync").mkdir(parents=True)
    status, told = found(root)["clock"]
    assert status == MISSING
    assert "says 22 November 2026, 20:15, and no network has set it" in told
    (root / "run/systemd/timesync/synchronized").touch()
    assert found(root)["clock"] == (GOOD, "The clock says 22 November 2026, 20:15.")
    (root / "run/systemd/timesync/synchronized").unlink()
    (root / "sys/class/rtc/rtc0").mkdir(parents=True)
    assert found(root)["clock"][0] == GOOD


def test_a_clock_is_told_with_the_month_in_the_readers_language(tmp_path: Path) -> None:
    """All other pages write the month out: 2026-11-12 is two days."""
    now = datetime(2026, 11, 12, 9, 5)
    results = examine_machine(tmp_path, BoxConfig(), machine(tmp_path), now)
    (clock,) = [one for one in results if one.name == "clock"]
    assert clock.message.text("it") == "L'orologio segna il 12 novembre 2026, 09:05."


def found(
    root: Path, config: BoxConfig | None = None, now: datetime = NOW
) -> dict[str, tuple[str, str]]:
    results = examine_machine(Path("/var/lib/companion"), config or BoxConfig(), root, now)
    return {one.name: (one.status, one.message.text("en")) for one in results}


def test_a_sound_machine(tmp_path: Path) -> None:
    results = found(machine(tmp_path))
    assert {status for status, _ in results.values()} == {GOOD}
    assert results["temperature"][1] == "The processor has 51 °C."
    assert results["memory"][1] == "300 MB of memory are free."
    assert "companion.local" in results["name"][1]


THERMAL = "sys/class/thermal/thermal_zone0/temp"
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"


@pytest.mark.parametrize(
    ("changes", "name", "sentence"),
    [
        ({THERMAL: "83000"}, "temperature", "83 °C and slows down"),
        ({THROTTLED: "50005"}, "power", "is too weak"),
        ({THROTTLED: "50000"}, "power", "was too weak at some time"),
        ({"proc/meminfo": "MemAvailable: 60000 kB\n"}, "memory", "Only 60 MB"),
        ({"proc/mounts": "/dev/mmcblk0p2 / ext4 ro 0 0\n"}, "card", "can only be read"),
        ({"sys/fs/ext4/mmcblk0p2/errors_count": "7"}, "card", "had 7 errors"),
        ({"sys/block/mmcblk0/device/life_time": "0x02 0x0a"}, "card", "nearly worn out"),
        ({"opt/companion/rolled-back": "0.3 0.2\n"}, "update", "Version 0.3 did not work here"),
        (
            {"var/lib/dpkg/status": DPKG.format("ok half-configured")},
            "update",
            "dpkg --configure -a",
        ),
        (  # as a power cut left it: `dpkg --configure -a` does nothing then
            {
                "var/lib/dpkg/status": DPKG.format("ok installed"),
                "var/lib/dpkg/updates/0000": DPKG.format("reinstreq unpacked"),
                "var/lib/dpkg/updates/0001": DPKG.format("reinstreq half-installed"),
            },
            "update",
            "Give the command that installs it once more",
        ),
        (
            {
                "var/lib/dpkg/status": DPKG.format("ok installed"),
                "var/lib/dpkg/updates/0007": DPKG.format("ok half-configured"),
                "var/lib/dpkg/updates/tmp.i": DPKG.format("ok installed"),
            },
            "update",
            "dpkg --configure -a",
        ),
    ],
)
def test_what_is_wrong_is_told(
    tmp_path: Path, changes: dict[str, str], name: str, sentence: str
) -> None:
    status, text = found(machine(tmp_path, **changes))[name]
    assert status == BROKEN
    assert sentence in text


def test_a_clock_that_was_never_set(tmp_path: Path) -> None:
    status, text = found(machine(tmp_path), now=datetime(1970, 1, 1, 0, 3))["clock"]
    assert (status, "1 January 1970, 00:03" in text) == (BROKEN, True)


def test_what_may_spoil_the_evening_is_urgent_and_what_is_well_or_missing_is_not(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    assert urgent(data, machine(tmp_path), NOW) == []
    worn = machine(tmp_path, **{"sys/block/mmcblk0/device/life_time": "0x02 0x0a"})
    told = [one.message.text("en") for one in urgent(data, worn, datetime(1970, 1, 1))]
    assert len(told) == 2
    assert "1970" in told[0]
    assert "worn out" in told[1]


def test_without_its_name_the_panel_is_found_by_its_address(tmp_path: Path) -> None:
    machine(tmp_path)
    (tmp_path / "run/avahi-daemon/pid").unlink()
    status, text = found(tmp_path)["name"]
    assert (status, "avahi-daemon" in text) == (MISSING, True)


def test_a_number_in_the_name_is_told_with_how_it_is_taken_off(tmp_path: Path) -> None:
    """Only by the card's image, which gives it; who named a box by hand meant the number."""
    machine(tmp_path, **{"etc/hostname": "companion-2\n"})
    told = "Tablets also find the panel by its name, companion-2.local."
    assert found(tmp_path)["name"] == (GOOD, told)
    unit = "etc/systemd/system/companion-forget-number.service"
    machine(tmp_path, **{"etc/hostname": "companion-2\n", unit: ""})
    assert "make an empty file forget-number" in found(tmp_path)["name"][1]
    machine(tmp_path, **{"etc/hostname": "companion\n"})
    assert "forget-number" not in found(tmp_path)["name"][1]


def test_keys_that_are_wanted_are_looked_for(tmp_path: Path) -> None:
    config = BoxConfig(keys=KeyMap(device="/dev/input/event*"))
    assert "keys" not in found(machine(tmp_path))
    assert found(tmp_path, config)["keys"][0] == MISSING
    (tmp_path / "dev/input").mkdir(parents=True)
    (tmp_path / "dev/input/event3").touch()
    assert found(tmp_path, config)["keys"] == (GOOD, "Devices whose keys can be read: 1.")


def test_a_machine_that_tells_nothing_is_no_trouble(tmp_path: Path) -> None:
    results = found(tmp_path)
    assert set(results) == {"clock", "name"}
    for language in LANGUAGES:
        for one in examine_machine(tmp_path, BoxConfig(), tmp_path, NOW):
            assert one.message.text(language)
