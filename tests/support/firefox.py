"""Debian's Firefox without a window, driven by Marionette, the protocol that is built into it."""

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from tests.support.browser_tab import START_S, WAIT_S, Tab, TabError

COMMANDS = {
    "displayed": "WebDriver:IsElementDisplayed",
    "click": "WebDriver:ElementClick",
    "value": "WebDriver:ElementSendKeys",
    "text": "WebDriver:GetElementText",
}
"""What is done with an element, in Marionette's words."""

PREFERENCES = {
    "marionette.port": 0,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.normandy.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "intl.accept_languages": "en",
}


def firefox_path() -> str | None:
    """Where this machine's Firefox lies."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


@contextmanager
def firefox(profile: Path, size: tuple[int, int] = (1280, 900)) -> Iterator["Firefox"]:
    """A Firefox of its own profile; raises TabError where it does not start."""
    path = firefox_path()
    if path is None:
        raise TabError("no firefox-esr on this machine")
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
    raise TabError("firefox did not start")


class Firefox(Tab):
    """One tab of it."""

    def __init__(self, line: socket.socket, read: BinaryIO) -> None:
        self._line, self._read, self._number = line, read, 0
        self._message()  # its greeting
        self._ask("WebDriver:NewSession", {})

    def go(self, address: str) -> None:
        """Load a page."""
        self._ask("WebDriver:Navigate", {"url": address})

    def back(self) -> None:
        """To the page before."""
        self._ask("WebDriver:Back", {})

    def run(self, script: str) -> Any:
        """What a script of the page returns."""
        return self._ask("WebDriver:ExecuteScript", {"script": script, "args": []})

    def _screenshot(self) -> str:
        return str(self._ask("WebDriver:TakeScreenshot", {"full": False}))

    def _find(self, xpath: str) -> dict[str, str]:
        found: dict[str, str] = self._ask(
            "WebDriver:FindElement", {"using": "xpath", "value": xpath}
        )
        return found

    def _of_element(self, element: str, what: str, sent: dict[str, Any]) -> Any:
        return self._ask(COMMANDS[what], {"id": element, **sent})

    def _ask(self, command: str, sent: dict[str, Any]) -> Any:
        self._number += 1
        message = json.dumps([0, self._number, command, sent]).encode()
        self._line.sendall(b"%d:%b" % (len(message), message))
        _, _, error, answer = self._message()
        if error is not None:
            raise TabError(f"{error['error']}: {error['message']}")
        return answer["value"] if isinstance(answer, dict) and set(answer) == {"value"} else answer

    def _message(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            byte = self._read.read(1)
            if not byte:
                raise TabError("firefox is gone")
            length += byte
        return json.loads(self._read.read(int(length[:-1])))
