"""Debian's Firefox without a window, driven by Marionette, the protocol that is built into it."""

import base64
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key under which WebDriver names an element."""

START_S, WAIT_S = 60.0, 30.0

PREFERENCES = {
    "marionette.port": 0,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.normandy.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "intl.accept_languages": "en",
}


class FirefoxError(Exception):
    """Firefox refused a command, or what was waited for did not come."""


def firefox_path() -> str | None:
    """Where this machine's Firefox lies."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


@contextmanager
def firefox(profile: Path, size: tuple[int, int] = (1280, 900)) -> Iterator["Firefox"]:
    """A Firefox of its own profile; raises FirefoxError where it does not start."""
    path = firefox_path()
    if path is None:
        raise FirefoxError("no firefox-esr on this machine")
    lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines), "utf-8")
    options = ["--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    with (profile / "firefox.log").open("wb") as log:
        program = subprocess.Popen(
            [path, *options, "--width", str(size[0]), "--height", str(size[1])],
            stdout=log,
            stderr=log,
        )
        try:
            with _connected(profile / "MarionetteActivePort") as line, line.makefile("rb") as read:
                yield Firefox(line, read)
        finally:
            program.terminate()
            program.wait(30)


def _connected(port_file: Path) -> socket.socket:
    until_s = time.monotonic() + START_S
    while time.monotonic() < until_s:
        if port_file.is_file() and port_file.read_text().strip():
            port = int(port_file.read_text())
            return socket.create_connection(("127.0.0.1", port), timeout=WAIT_S)
        time.sleep(0.1)
    raise FirefoxError("firefox did not start")


class Firefox:
    """One tab. Elements are named by XPath, as a person tells them apart: by what they say."""

    def __init__(self, line: socket.socket, read: BinaryIO) -> None:
        self._line, self._read, self._number = line, read, 0
        self._message()  # its greeting
        self._ask("WebDriver:NewSession", {})

    def go(self, address: str) -> None:
        """Load a page."""
        self._ask("WebDriver:Navigate", {"url": address})

    def click(self, xpath: str) -> None:
        """Press what is there, as soon as it is there."""
        self._on(xpath, "WebDriver:ElementClick", {})

    def write(self, xpath: str, words: str) -> None:
        """Type into a field."""
        self._on(xpath, "WebDriver:ElementSendKeys", {"text": words})

    def see(self, xpath: str) -> str:
        """What stands in an element, once it is shown."""
        return str(self._on(xpath, "WebDriver:GetElementText", {}))

    def run(self, script: str) -> Any:
        """What a script of the page returns."""
        return self._ask("WebDriver:ExecuteScript", {"script": script, "args": []})

    def picture(self) -> bytes:
        """What is shown, as PNG."""
        return base64.b64decode(self._ask("WebDriver:TakeScreenshot", {"full": False}))

    def _on(self, xpath: str, command: str, sent: dict[str, Any]) -> Any:
        """Try until it is there and can be touched."""
        until_s = time.monotonic() + WAIT_S
        while True:
            try:
                found = self._ask("WebDriver:FindElement", {"using": "xpath", "value": xpath})
                shown = self._ask("WebDriver:IsElementDisplayed", {"id": found[ELEMENT]})
                if not shown:
                    raise FirefoxError("it is not shown")
                return self._ask(command, {"id": found[ELEMENT], **sent})
            except FirefoxError as error:
                if time.monotonic() > until_s:
                    raise FirefoxError(f"{xpath}: {error}") from error
                time.sleep(0.1)

    def _ask(self, command: str, sent: dict[str, Any]) -> Any:
        self._number += 1
        message = json.dumps([0, self._number, command, sent]).encode()
        self._line.sendall(b"%d:%b" % (len(message), message))
        _, _, error, answer = self._message()
        if error is not None:
            raise FirefoxError(f"{error['error']}: {error['message']}")
        return answer["value"] if isinstance(answer, dict) and set(answer) == {"value"} else answer

    def _message(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            byte = self._read.read(1)
            if not byte:
                raise FirefoxError("firefox is gone")
            length += byte
        return json.loads(self._read.read(int(length[:-1])))
