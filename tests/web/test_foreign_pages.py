"""In a real browser: a page of another site tries to change the game, hold seats and read hands."""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from tests.support.chromium import chromium_path
from tests.web.conftest import BROWSER_SWITCHES, STILL
from tests.web.fake_table import FakeTable
from web.ports import TablePort

Serve = Callable[[TablePort], str]

NAMES = ("evil.example", "a_b.evil.example", "box.lan")
"""Names that this browser finds at 127.0.0.1, as by a name server that lies."""

ATTACK = """<!doctype html><meta name="referrer" content="no-referrer">
<iframe sandbox="allow-forms allow-scripts" srcdoc='<meta name="referrer" content="no-referrer">
<form id="f" method="post" action="BOX/api/act/scan"></form><script>f.submit()</script>'></iframe>
<iframe name="frame"></iframe>
<form id="plain" method="post" action="BOX/api/act/scan" target="frame"></form>
<script>
plain.submit();
const text = {"Content-Type": "text/plain"};
const send = (init) => fetch("BOX/api/act/scan", {method: "POST", ...init}).catch(() => 0);
window.read = "";
const tries = [send({mode: "no-cors"}), send({}), send({mode: "no-cors", headers: text}),
  fetch("BOX/api/state").then((a) => a.text()).then((t) => window.read += t).catch(() => 0)];
const line = new EventSource("BOX/events");
line.addEventListener("version", (e) => window.read += e.data);
Promise.all(tries).then(() => setTimeout(() => document.title = "done", 700));
</script>"""


class ForeignSite(ThreadingHTTPServer):
    """Serves the attack on the box at the address that `box` names."""

    box = ""


class _Pages(BaseHTTPRequestHandler):
    server: ForeignSite

    def do_GET(self) -> None:
        body = ATTACK.replace("BOX", self.server.box).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing to the terminal."""


@pytest.fixture
def foreign() -> Iterator[ForeignSite]:
    site = ForeignSite(("127.0.0.1", 0), _Pages)
    thread = Thread(target=site.serve_forever, args=(0.02,))
    thread.start()
    yield site
    site.shutdown()
    thread.join()
    site.server_close()


@pytest.fixture(scope="module")
def misled_browser(browser: Any) -> Iterator[Any]:
    """It finds the foreign names at this machine."""
    rules = ", ".join(f"MAP {name} 127.0.0.1" for name in NAMES)
    kind = browser.browser_type
    again = kind.launch(
        executable_path=chromium_path(),
        args=[*BROWSER_SWITCHES, f"--host-resolver-rules={rules}"],
    )
    yield again
    again.close()


@pytest.fixture
def misled(misled_browser: Any) -> Iterator[Any]:
    """A tab of that browser, which has visited nothing yet."""
    tab = misled_browser.new_page(**STILL)
    yield tab
    tab.close()


@pytest.mark.parametrize("box_name", ["127.0.0.1", "localhost", "box.lan", "a_b.evil.example"])
@pytest.mark.parametrize("own_name", ["127.0.0.1", "evil.example"])
def test_a_foreign_page_changes_nothing_and_reads_nothing(
    misled: Any,
    serve: Serve,
    foreign: ForeignSite,
    playing: FakeTable,
    box_name: str,
    own_name: str,
) -> None:
    port = serve(playing).rsplit(":", 1)[1]
    foreign.box = f"http://{box_name}:{port}"
    misled.goto(f"http://{own_name}:{foreign.server_port}/")
    misled.wait_for_function("document.title === 'done'")
    assert playing.acts == []
    assert misled.evaluate("window.read") == ""


@pytest.mark.parametrize("name", ["a_b.evil.example", "evil.example"])
def test_a_name_that_is_turned_to_the_box_reads_nothing(
    misled: Any, serve: Serve, playing: FakeTable, name: str
) -> None:
    playing.act("add-ticket", {"player": "red", "ticket": "helena--los-angeles"})
    port = serve(playing).rsplit(":", 1)[1]
    for path in ("api/state", "api/tickets/red", "tickets/red", "board"):
        answer = misled.goto(f"http://{name}:{port}/{path}")
        assert answer.status == 403
        assert "Ada" not in answer.text()
        assert "helena" not in answer.text()


def test_a_name_of_the_home_network_works_in_the_same_browser(
    misled: Any, serve: Serve, playing: FakeTable
) -> None:
    port = serve(playing).rsplit(":", 1)[1]
    misled.goto(f"http://box.lan:{port}/board")
    misled.get_by_role("button", name="Look at the board").click()
    misled.locator(".doubt").first.wait_for()
    assert [action for action, _ in playing.acts] == ["scan"]
