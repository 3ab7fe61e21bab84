"""Debian's WebKitGTK, Safari's engine, on a screen that nobody sees, driven by WebKitWebDriver."""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.support.browser_tab import START_S, WAIT_S, Tab, TabError

SCREEN = "1400x1000x24"

READ = {"displayed", "text"}
"""What of an element is asked for by GET."""


def webkit_path() -> str | None:
    """The small browser of WebKit; None where it, its driver or Xvfb is missing."""
    if shutil.which("WebKitWebDriver") is None or shutil.which("Xvfb") is None:
        return None
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    return str(found[-1]) if found else None


@contextmanager
def webkit(profile: Path) -> Iterator["WebKit"]:
    """A WebKit that keeps nothing; raises TabError where it does not start."""
    path = webkit_path()
    if path is None:
        raise TabError("no WebKitWebDriver, MiniBrowser or Xvfb on this machine")
    with ExitStack() as open_now, (profile / "webkit.log").open("wb") as log:
        display = open_now.enter_context(_screen())
        port = _free_port()
        surroundings = {**os.environ, "DISPLAY": display, "HOME": str(profile), "LANGUAGE": "en"}
        surroundings |= {"LANG": "en_US.UTF-8", "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1"}
        surroundings |= {"WEBKIT_DISABLE_DMABUF_RENDERER": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}
        driver = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}"], env=surroundings, stdout=log, stderr=log
        )
        open_now.callback(_end, driver)
        _await_port(port)
        options = {"binary": path, "args": ["--automation"]}
        tab = WebKit(f"http://127.0.0.1:{port}", {"webkitgtk:browserOptions": options})
        open_now.callback(tab.close)
        yield tab


@contextmanager
def _screen() -> Iterator[str]:
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp"]
    screen = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert screen.stdout is not None
        number = screen.stdout.readline().decode().strip()
        if not number:
            raise TabError("Xvfb did not start")
        yield f":{number}"
    finally:
        _end(screen)


def _end(program: "subprocess.Popen[bytes]") -> None:
    program.terminate()
    program.wait(30)
    if program.stdout is not None:
        program.stdout.close()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _await_port(port: int) -> None:
    until_s = time.monotonic() + START_S
    while time.monotonic() < until_s:
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        time.sleep(0.05)
    raise TabError("WebKitWebDriver did not start")


class WebKit(Tab):
    """One tab of it."""

    def __init__(self, driver: str, capabilities: dict[str, Any]) -> None:
        self._address = driver
        asked = {"capabilities": {"alwaysMatch": capabilities}}
        session = self._ask("POST", "/session", asked)["sessionId"]
        self._address = f"{driver}/session/{session}"

    def close(self) -> None:
        """The browser ends."""
        with suppress(TabError, OSError):
            self._ask("DELETE", "")

    def go(self, address: str) -> None:
        """Load a page."""
        self._ask("POST", "/url", {"url": address})

    def back(self) -> None:
        """To the page before."""
        self._ask("POST", "/back", {})

    def run(self, script: str) -> Any:
        """What a script of the page returns."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": []})

    def _screenshot(self) -> str:
        return str(self._ask("GET", "/screenshot"))

    def _find(self, xpath: str) -> dict[str, str]:
        found: dict[str, str] = self._ask("POST", "/element", {"using": "xpath", "value": xpath})
        return found

    def _of_element(self, element: str, what: str, sent: dict[str, Any]) -> Any:
        if what in READ:
            return self._ask("GET", f"/element/{element}/{what}")
        return self._ask("POST", f"/element/{element}/{what}", sent)

    def _ask(self, method: str, path: str, sent: dict[str, Any] | None = None) -> Any:
        body = None if sent is None else json.dumps(sent).encode()
        kind = {"Content-Type": "application/json"}
        asked = Request(self._address + path, data=body, method=method, headers=kind)
        try:
            with urlopen(asked, timeout=START_S + WAIT_S) as answer:
                return json.load(answer)["value"]
        except HTTPError as refused:
            said = json.load(refused)["value"]
            raise TabError(f"{said['error']}: {said['message']}") from None
