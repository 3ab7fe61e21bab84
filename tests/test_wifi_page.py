"""The page of the card image on which a phone tells the box its Wi-Fi."""

import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from urllib.parse import urlencode

import pytest

from tests.support.mosquitto import free_port

FOLDER = Path(__file__).parents[1] / "packaging/image/stage-companion/01-wifi/files/wifi-page"


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("wifi_page", FOLDER / "wifi_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["wifi_page"] = module  # its dataclass looks there for its own names
    spec.loader.exec_module(module)
    return module


PAGE = load()


def seen(name: bytes, signal: str = "-50.00", more: bytes = b"") -> bytes:
    """A network as `iw dev wlan0 scan` prints it."""
    return (
        b"BSS 02:00:00:00:02:00(on wlan0)\n\tfreq: 2437\n\tcapability: ESS ShortSlotTime (0x0401)\n"
        + f"\tsignal: {signal} dBm\n".encode()
        + b"\tSSID: "
        + name
        + b"\n"
        + more
    )


PSK = b"\tRSN:\t * Version: 1\n\t\t * Group cipher: CCMP\n\t\t * Authentication suites: PSK\n"
LOGIN = b"\tRSN:\t * Version: 1\n\t\t * Authentication suites: IEEE 802.1X\n"


def test_the_list_has_each_name_once_the_strongest_first_and_how_it_is_locked() -> None:
    printed = (
        seen(b"Weak", "-80.00", PSK)
        + seen(b"Home", "-70.00", PSK)
        + seen(b"Home", "-40.00", PSK)
        + seen(b"Guests", "-60.00")
        + seen(b"Office", "-65.00", LOGIN)
    )
    found = [(wifi.name, wifi.kind) for wifi in PAGE.read_scan(printed)]
    assert found == [
        ("Home", "password"),
        ("Guests", "open"),
        ("Office", "login"),
        ("Weak", "password"),
    ]


def test_an_open_network_does_not_stand_in_the_place_of_a_locked_one_of_its_name() -> None:
    """Of both the nearer one was shown alone: the page asked for no password, and none fitted."""
    printed = seen(b"Home", "-40.00") + seen(b"Home", "-60.00", PSK) + seen(b"Home", "-70.00", PSK)
    found = [(wifi.name, wifi.kind) for wifi in PAGE.read_scan(printed)]
    assert found == [("Home", "open"), ("Home", "password")]


@pytest.mark.parametrize(
    ("shown", "name"),
    [
        (b"Casa: piano 2", "Casa: piano 2"),
        (rb"M\xc3\xbcller's \x22\xf0\x9f\x8e\xb2\x22", 'Müller\'s "🎲"'),
        (rb"back\x5cslash\x20", "back\\slash "),
    ],
)
def test_a_hard_name_is_read_as_it_is(shown: bytes, name: str) -> None:
    assert [wifi.name for wifi in PAGE.read_scan(seen(shown, more=PSK))] == [name]


def test_a_neighbour_whose_name_is_no_utf_8_stands_in_nobodys_way() -> None:
    """comitup's own page waits for ever for such a list."""
    printed = seen(rb"M\xfcller", "-30.00", PSK) + seen(b"Home", more=PSK)
    assert [wifi.name for wifi in PAGE.read_scan(printed)] == ["Home"]


def test_hidden_names_and_other_boxes_are_left_out() -> None:
    printed = seen(rb"\x00\x00\x00", more=PSK) + seen(b"companion-123") + seen(b"companion-x")
    assert [wifi.name for wifi in PAGE.read_scan(printed)] == ["companion-x"]


def tried(name: str, ended: str) -> str:
    return (
        "<info>  [1.5] device (wlan0): Activation: starting connection "
        f"'{name}' (12345678-1234-1234-1234-123456789abc)\n<info>  [2.5] device (wlan0): {ended}\n"
    )


def failing(reason: str) -> str:
    return f"state change: config -> failed (reason '{reason}', managed-type: 'full')"


JOINED = "Activation: successful, device activated."


@pytest.mark.parametrize(
    ("journal", "failure"),
    [
        ("", None),
        (tried("Home", JOINED), None),
        (tried("Zio's", failing("no-secrets")), ("Zio's", "failed-password")),
        (tried("Home", failing("ssid-not-found")), ("Home", "failed-away")),
        (tried("Home", failing("ip-config-unavailable")), ("Home", "failed-address")),
        (tried("Home", failing("unknown")), ("Home", "failed")),
        (tried("Home", failing("no-secrets")) + tried("Home", JOINED), None),
        (
            tried("companion-123 casa", failing("no-secrets")),
            ("companion-123 casa", "failed-password"),
        ),
        # The box's own Wi-Fi, opened after that, is no Wi-Fi that was joined.
        (
            tried("Home", failing("no-secrets")) + tried("companion-123-0000", JOINED),
            ("Home", "failed-password"),
        ),
    ],
)
def test_why_the_last_wifi_was_not_joined(journal: str, failure: object) -> None:
    assert PAGE.last_failure(journal) == failure


@pytest.mark.parametrize(
    ("name", "password", "kind", "wrong"),
    [
        ("Home", "", "unknown", None),
        ("Home", "", "open", None),
        ("Home", "", "password", ("too-short", 0)),
        ("Home", "1234567", "unknown", ("too-short", 7)),
        ("Home", "12345678", "password", None),
        ("Home", "x" * 63, "password", None),
        ("Home", "x" * 64, "password", ("too-long", 64)),
        ("Home", "0aF9" * 16, "password", None),
        ("Home", 'è "lunga" \\ ' + "x" * 50, "password", None),  # 63 bytes with its accent
        ("", "12345678", "password", ("no-name", 0)),
        ("companion-123", "", "unknown", ("own-name", 0)),
        ("companion-1234", "", "unknown", None),
        ("é" * 17, "12345678", "password", ("long-name", 0)),
    ],
)
def test_what_no_wifi_can_have_is_told_at_once(
    name: str, password: str, kind: str, wrong: object
) -> None:
    assert PAGE.wrong_with(name, password, kind) == wrong


@pytest.mark.parametrize(
    ("host", "second"), [("companion", "companion-2"), ("companion-2", "companion-3")]
)
def test_the_name_of_a_second_box_is_the_one_that_avahi_makes(host: str, second: str) -> None:
    assert PAGE.next_name(host) == second


def test_both_languages_say_everything_with_the_same_values() -> None:
    english, italian = (
        json.loads((FOLDER / f"{one}.json").read_text("utf-8")) for one in ("en", "it")
    )
    fields = {key: set(re.findall(r"{\w+}", text)) for key, text in english.items()}
    assert fields == {key: set(re.findall(r"{\w+}", text)) for key, text in italian.items()}
    source = (FOLDER / "wifi_page.py").read_text("utf-8")
    assert [key for key in english if f'"{key}"' not in source and f"'{key}'" not in source] == [
        "then-away",
        "then-home",
        "then-open",
        "then-failed",
    ]


@contextmanager
def page_on(tmp_path: Path, journal: str, scan: bytes) -> Iterator[str]:
    """The page as the box starts it, with `iw`, `journalctl` and the bus in stand-ins."""
    (tmp_path / "scan").write_bytes(scan)
    (tmp_path / "journal").write_text(journal, "utf-8")
    stand_ins = {
        "iw": 'case "$*" in dev) printf "Interface wlan0\\n\\tssid companion-123\\n";; '
        f"*ap-force) cat {tmp_path}/scan;; *) exit 240;; esac",
        "journalctl": f"cat {tmp_path}/journal",
    }
    for name, body in stand_ins.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "dbus.py").write_text(
        "class SystemBus:\n"
        "    def get_object(self, *_): return self\n"
        "    def connect(self, name, password, dbus_interface):\n"
        f"        open({str(tmp_path / 'told')!r}, 'a').write(name + '|' + password + '\\n')\n"
        "    def state(self, dbus_interface): return states.pop(0), ''\n"
        "states = ['HOTSPOT', 'CONNECTING', 'CONNECTED']\n"
    )
    port = free_port()
    here = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    server = subprocess.Popen(
        [sys.executable, str(FOLDER / "wifi_page.py")],
        env={**here, "PYTHONPATH": str(tmp_path), "WIFI_PAGE_PORT": str(port)},
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait()


def wait_for(address: str) -> None:
    for _ in range(200):
        try:
            get(address)
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the page does not answer")


def get(address: str, language: str = "en-GB,en;q=0.9", data: dict[str, str] | None = None) -> str:
    body = urlencode(data).encode() if data else None
    request = urllib.request.Request(address, body, {"Accept-Language": language})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return str(answer.read().decode("utf-8"))


def test_a_phone_leads_the_box_into_the_homes_wifi(tmp_path: Path) -> None:
    journal = tried("Casa <2>", failing("no-secrets"))
    scan = seen(b"Casa <2>", more=PSK) + seen(b"Office", more=LOGIN)
    with page_on(tmp_path, journal, scan) as address:
        first = get(address + "/", "it-IT,it;q=0.9,en;q=0.8")
        assert "«Casa &lt;2&gt;»: molto probabilmente la password è sbagliata" in first
        assert "10.41.0.1:8000" in first
        (link,) = re.findall(r'class="wifi" href="([^"]+)"', first)
        asked = get(address + link.replace("&amp;", "&"))
        assert "The box joins «Casa &lt;2&gt;»" in asked
        assert "“companion-123”, the Wi-Fi that this phone is in now, goes away." in asked
        own, second = re.findall(r"http://(\S+)\.local\b", asked)
        assert second == PAGE.next_name(own)
        guests = get(address + "/wifi?name=Guests&kind=open")
        assert "sign in on a page" in guests
        assert "play in “companion-123” instead" in guests
        assert "sign in on a page" not in asked
        short = get(address + "/connect", data={"name": "Casa <2>", "password": "gioco"})
        assert "8 characters at least; this one has 5" in short
        assert 'value="gioco"' in short
        assert not (tmp_path / "told").exists()
        joining = get(address + "/connect", data={"name": "Casa <2>", "password": 'è "buono"'})
        assert "The box is joining «Casa &lt;2&gt;»" in joining
        # comitup took no notice of the first time: it is told once more, and no third time.
        once, told = 'Casa <2>|è "buono"\n', tmp_path / "told"
        for _ in range(300):
            if told.exists() and told.read_text() == once * 2:
                break
            time.sleep(0.05)
        time.sleep(PAGE.ACTS_WITHIN_S + 0.5)
        assert told.read_text() == once * 2


def test_whatever_else_a_phone_asks_for_leads_to_the_list(tmp_path: Path) -> None:
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    with page_on(tmp_path, "", b"") as address:
        assert "The box sees no Wi-Fi just now." in get(address + "/")
        with pytest.raises(urllib.error.HTTPError) as led:
            urllib.request.build_opener(Stay).open(address + "/hotspot-detect.html", timeout=10)
        assert (led.value.code, led.value.headers["Location"]) == (302, "http://10.41.0.1/")
        led.value.close()
        # A keyboard's space behind a name that was typed is none of the name's.
        assert "«Nascosto»" in get(address + "/wifi?" + urlencode({"typed": "Nascosto "}))


def test_requests_that_are_none_are_answered(tmp_path: Path) -> None:
    """A length below nothing was waited for without end, and one in words was never answered."""
    form = b"POST /connect HTTP/1.1\r\nHost: box\r\nContent-Length: %b\r\n\r\n"
    with page_on(tmp_path, "", b"") as address:
        for request, first in (
            (form % b"-1", b"HTTP/1.0 200 "),
            (form % b"many", b"HTTP/1.0 200 "),
            (b"GET http://[ HTTP/1.1\r\nHost: box\r\n\r\n", b"HTTP/1.0 400 "),
        ):
            place = ("127.0.0.1", int(address.rpartition(":")[2]))
            with socket.create_connection(place, timeout=10) as connection:
                connection.sendall(request)
                assert connection.recv(100).startswith(first), request
