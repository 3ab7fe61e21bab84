#!/usr/bin/python3
"""The page on which a phone tells the box its Wi-Fi; stands in the place of comitup's own.

comitup's page is in English alone, says nothing of a password that was wrong, names an address that
is not the panel's, and never answers again once a neighbour's Wi-Fi has a name that is not UTF-8.
comitup starts and stops this one, and joins the Wi-Fi that was chosen.
"""

import html
import json
import os
import re
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from urllib.parse import parse_qs, quote, urlsplit

OWN_ADDRESS = "10.41.0.1"
OWN_WIFI = re.compile(r"companion-\d{3}")
OWN_CONNECTION = re.compile(r"companion-\d{3}-[0-9a-f]{4}")  # as comitup calls it
TEXTS = {
    language: json.loads((Path(__file__).parent / f"{language}.json").read_text("utf-8"))
    for language in ("en", "it")
}
LIST_LASTS_S = 10
TOLD_TIMES, ACTS_WITHIN_S = 3, 4
SILENCE_S = 30  # a phone that has opened a connection and says nothing is gone
# What NetworkManager calls a join that failed, and the sentence about it.
REASONS = {
    "no-secrets": "failed-password",
    "supplicant-disconnect": "failed-password",
    "supplicant-timeout": "failed-password",
    "ssid-not-found": "failed-away",
    "ip-config-unavailable": "failed-address",
    "ip-config-expired": "failed-address",
}
STYLE = """
body { font: 1.1rem/1.4 system-ui, sans-serif; max-width: 32rem; margin: 0 auto; padding: 1rem;
  color: #1c1c1c; background: #fbfaf7 }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem }
a.wifi, button { display: block; box-sizing: border-box; width: 100%; padding: .8rem;
  margin: .5rem 0; font: inherit; text-align: left; color: #fff; background: #1d4f7c; border: 0;
  border-radius: .5rem; text-decoration: none; overflow-wrap: anywhere }
button { text-align: center }
input { box-sizing: border-box; width: 100%; padding: .8rem; font: inherit; border: 2px solid #555;
  border-radius: .5rem }
.told { padding: .8rem; border: 2px solid #a33; border-radius: .5rem; background: #fff }
.no { padding: .8rem; margin: .5rem 0; color: #555 }
"""


@dataclass(frozen=True, slots=True)
class Wifi:
    """A network that the box sees; `kind` is password, open or login (of a user)."""

    name: str
    signal_dbm: float
    kind: str


def run(*words: str) -> bytes:
    """What a command prints; nothing where it fails or hangs."""
    try:
        return subprocess.run(words, capture_output=True, timeout=10, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return b""


def read_scan(printed: bytes) -> list[Wifi]:
    """The networks in what `iw dev … scan` prints, the strongest first, each name once.

    An open network and one with a password that have one name are two: whoever lives in the second
    would be asked for no password where the first is nearer.
    """
    strongest: dict[tuple[str, str], Wifi] = {}
    for block in re.split(rb"^BSS ", printed, flags=re.MULTILINE)[1:]:
        shown = re.search(rb"^\tSSID: (.+)$", block, re.MULTILINE)
        signal = re.search(rb"^\tsignal: (-?[0-9.]+)", block, re.MULTILINE)
        name = unescape(shown[1]) if shown else None
        if not name or OWN_WIFI.fullmatch(name):
            continue
        wifi = Wifi(name, float(signal[1]) if signal else -100.0, kind_of(block))
        key = name, wifi.kind
        if key not in strongest or strongest[key].signal_dbm < wifi.signal_dbm:
            strongest[key] = wifi
    return sorted(strongest.values(), key=lambda wifi: -wifi.signal_dbm)


def unescape(shown: bytes) -> str | None:
    """The name that `iw` shows with \\x.. for what is no ASCII; None where it is no UTF-8."""
    raw = re.sub(rb"\\x([0-9a-f]{2})", lambda match: bytes.fromhex(match[1].decode()), shown)
    try:
        return None if not raw.strip(b"\0") else raw.decode("utf-8")
    except UnicodeDecodeError:
        return None


def kind_of(block: bytes) -> str:
    suites = b" ".join(re.findall(rb"\* Authentication suites: (.*)", block))
    if suites and not re.search(rb"PSK|SAE", suites):
        return "open" if b"OWE" in suites else "login"
    return "password" if suites or b"Privacy" in block else "open"


def look_around() -> list[Wifi]:
    """The networks around; some radios look only on demand while they are a Wi-Fi themselves."""
    for device in re.findall(rb"Interface (\S+)", run("iw", "dev")):
        for words in (("scan",), ("scan", "ap-force"), ("scan", "dump")):
            if found := read_scan(run("iw", "dev", device.decode(), *words)):
                return found
    return []


def last_failure(journal: str) -> tuple[str, str] | None:
    """The Wi-Fi that could not be joined last, and the key of its sentence.

    None if none failed since one was joined.
    """
    name, failure = None, None
    for line in journal.splitlines():
        if started := re.search(r"Activation: starting connection '(.*)' \([0-9a-f-]{36}\)", line):
            name = None if OWN_CONNECTION.fullmatch(started[1]) else started[1]
        elif name and (ended := re.search(r"-> failed \(reason '([a-z-]+)'", line)):
            failure = (name, REASONS.get(ended[1], "failed"))
        elif name and "Activation: successful" in line:
            failure = None
    return failure


class Box:
    """What the page asks of the box it runs on."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._found: list[Wifi] = []
        self._looked_s = -float("inf")
        words = ("journalctl", "-b", "-a", "-o", "cat", "-u", "NetworkManager", "--no-pager")
        self.failure = last_failure(run(*words).decode("utf-8", "replace"))
        self.own_wifi = self._own_wifi()

    def _own_wifi(self) -> str:
        shown = re.search(rb"ssid (companion-\d{3})", run("iw", "dev"))
        return shown[1].decode() if shown else "companion-…"

    def wifis(self) -> list[Wifi]:
        with self._lock:
            if time.monotonic() - self._looked_s > LIST_LASTS_S:
                self._found = look_around() or self._found
                self._looked_s = time.monotonic()
            return self._found

    def join(self, name: str, password: str) -> None:
        """Tells comitup, again while it stays where it is: it answers first and may fail then.

        Raises whatever the bus raises where comitup is not there.
        """
        import dbus  # comes with comitup

        bus_name = "com.github.davesteele.comitup"
        comitup = dbus.SystemBus().get_object(bus_name, "/com/github/davesteele/comitup")
        for _ in range(TOLD_TIMES):
            comitup.connect(name, password, dbus_interface=bus_name)
            time.sleep(ACTS_WITHIN_S)
            if comitup.state(dbus_interface=bus_name)[0] != "HOTSPOT":
                return
        print("comitup does not try to join", file=sys.stderr, flush=True)


def next_name(host: str) -> str:
    """What Avahi calls a machine whose name is another's already."""
    numbered = re.fullmatch(r"(.+)-([0-9]{1,3})", host)
    return f"{numbered[1]}-{int(numbered[2]) + 1}" if numbered else f"{host}-2"


def wrong_with(name: str, password: str, kind: str) -> tuple[str, int] | None:
    """The key of what is wrong with this name or password, and a count for its sentence."""
    size = len(password.encode())
    if not name:
        return "no-name", 0
    if len(name.encode()) > 32:
        return "long-name", 0
    if OWN_WIFI.fullmatch(name):
        return "own-name", 0  # comitup would forget the Wi-Fi that it opens itself
    if size < 8 and (password or kind == "password"):
        return "too-short", len(password)
    if size > 63 and not re.fullmatch(r"[0-9a-fA-F]{64}", password):
        return "too-long", len(password)
    return None


class Page(BaseHTTPRequestHandler):
    """Answers a phone in the box's own Wi-Fi; whatever else it asks for leads to the list."""

    box: Box
    timeout = SILENCE_S

    def do_GET(self) -> None:
        try:
            asked = urlsplit(self.path)
        except ValueError:  # no address at all, such as http://[
            self.send_error(400)
            return
        words = parse_qs(asked.query)
        # What is typed may end in the space that a phone's keyboard adds to a word.
        name = words.get("name", [""])[0] or words.get("typed", [""])[0].strip()
        if asked.path == "/":
            self.answer(self.choice())
        elif asked.path == "/wifi" and name:
            self.answer(self.question(name, words.get("kind", ["unknown"])[0]))
        else:
            self.send_response(302)
            self.send_header("Location", f"http://{OWN_ADDRESS}/")
            self.send_header("Content-Length", "0")
            self.end_headers()

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        size = min(int(length), 10_000) if re.fullmatch("[0-9]{1,9}", length) else 0
        words = parse_qs(self.rfile.read(size).decode("utf-8", "replace"), keep_blank_values=True)
        name, password, kind = (words.get(one, [""])[0] for one in ("name", "password", "kind"))
        if wrong := wrong_with(name, password, kind):
            told = self.say(wrong[0], count=wrong[1])
            self.answer(self.question(name, kind, told, password))
            return
        try:
            self.answer(self.joining(name))
            self.wfile.flush()
            time.sleep(1)  # the answer is through before the Wi-Fi goes
            self.box.join(name, password)
        except Exception as error:
            print(f"comitup could not be told: {error}", file=sys.stderr, flush=True)

    def language(self) -> str:
        wanted = re.findall(r"\b(it|en)\b", self.headers.get("Accept-Language", "").lower())
        return wanted[0] if wanted else "en"

    def say(self, key: str, **values: object) -> str:
        """A sentence in the phone's language, safe as HTML."""
        safe = {word: html.escape(str(value)) for word, value in values.items()}
        return str(TEXTS[self.language()][key]).format(**safe)

    def choice(self) -> str:
        parts = []
        if self.box.failure:
            name, key = self.box.failure
            parts.append(f'<p class="told" role="alert">{self.say(key, name=name)}</p>')
        parts.append(f"<h1>{self.say('choose')}</h1>")
        wifis = self.box.wifis()
        parts += [self.entry(wifi) for wifi in wifis] or [f"<p>{self.say('none')}</p>"]
        parts.append(f'<p><a href="/">{self.say("again")}</a></p>')
        parts.append(
            f'<form action="/wifi"><p><label for="name">{self.say("missing")}</label></p>'
            f'<input id="name" name="typed" aria-label="{self.say("name")}" required '
            f'maxlength="32" autocapitalize="off" autocorrect="off" spellcheck="false">'
            f"<button>{self.say('go-on')}</button></form>"
        )
        panel = f"http://{OWN_ADDRESS}:8000/"
        parts.append(f'<p>{self.say("without")} <a href="{panel}">{self.say("panel")}</a></p>')
        return "".join(parts)

    def entry(self, wifi: Wifi) -> str:
        note = "" if wifi.kind == "password" else f" ({self.say(wifi.kind)})"
        shown = html.escape(wifi.name) + note
        if wifi.kind == "login":
            return f'<p class="no">{shown}</p>'
        link = f"/wifi?name={quote(wifi.name, '')}&amp;kind={wifi.kind}"
        return f'<a class="wifi" href="{link}">{shown}</a>'

    def question(self, name: str, kind: str, told: str = "", typed: str = "") -> str:
        hint = self.say("password-hint")
        if kind != "password":
            hint += " " + self.say("no-password")
        field = (
            f'<p><label for="password">{self.say("password")}</label></p>'
            f'<input id="password" name="password" value="{html.escape(typed)}" '
            'autocomplete="off" autocapitalize="off" '
            'autocorrect="off" spellcheck="false" autofocus>'
            f"<p>{hint}</p>"
        )
        return (
            (f'<p class="told" role="alert">{told}</p>' if told else "")
            + f"<h1>{self.say('join', name=name)}</h1>"
            + '<form method="post" action="/connect">'
            + f'<input type="hidden" name="name" value="{html.escape(name)}">'
            + f'<input type="hidden" name="kind" value="{html.escape(kind)}">'
            + (f"<p>{self.say('sign-in', own=self.box.own_wifi)}</p>" if kind == "open" else field)
            + f"<button>{self.say('connect')}</button></form>"
            + self.afterwards(name)
            + f'<p><a href="/">{self.say("back")}</a></p>'
        )

    def joining(self, name: str) -> str:
        return f"<h1>{self.say('joining', name=name)}</h1>" + self.afterwards(name)

    def afterwards(self, name: str) -> str:
        host = socket.gethostname().split(".")[0]
        values = {
            "name": name,
            "own": self.box.own_wifi,
            "address": f"http://{host}.local",
            "second": f"http://{next_name(host)}.local",
        }
        steps = [self.say(f"then-{one}", **values) for one in ("away", "home", "open", "failed")]
        return f"<h2>{self.say('then')}</h2><ol><li>{'<li>'.join(steps)}</ol>"

    def answer(self, body: str) -> None:
        page = (
            f'<!DOCTYPE html><html lang="{self.language()}"><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{self.say('title')}</title><style>{STYLE}</style>{body}"
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_: object) -> None:
        """No line for each request: a phone that looks for the internet asks all the time."""


def main() -> None:
    Page.box = Box()
    ThreadingHTTPServer.allow_reuse_address = True
    ThreadingHTTPServer.daemon_threads = True
    port = int(os.environ.get("WIFI_PAGE_PORT", "80"))
    ThreadingHTTPServer(("", port), Page).serve_forever()


if __name__ == "__main__":
    main()
