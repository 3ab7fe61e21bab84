"""A photo whose connection is cut midway: the page stays, says so, and sends it once more."""

import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from threading import Event, Thread
from typing import Any

import cv2
import pytest

from tests.support.drawn_table import empty_photo
from tests.support.waiting import until
from tests.torture.proxy import CuttingProxy
from tests.web.conftest import PLAYERS, open_hand, served
from tests.web.fake_table import FakeTable, grey_png
from tests.web.studio_rig import Rig as StudioRig
from tests.web.test_setup import Rig as SetupRig
from web.errors import ActionRefusedError, BusyError, SlowError
from web.ports import CardSeen, TablePort

Serve = Callable[[TablePort], str]

MIAMI = "boston--miami"
LARGE = b"\x89PNG" + bytes(400_000)
PHOTO = {"name": "IMG.png", "mimeType": "image/png", "buffer": LARGE}
NOT_SENT = "What you sent has not reached Companion"
CUT_AFTER_BYTES = 100_000
SPENT_MS = 6_500
"""By then every try that a page made by itself was spent."""

PATIENCE_MS = 60_000
"""For a busy machine; at a table the page tells within twenty seconds."""


class Cutter:
    """Passes connections on to a port, and while `cuts` is set ends each large upload midway."""

    def __init__(self, port: int) -> None:
        self.cuts, self.cut_off = True, 0
        self._port, self._over = port, Event()
        self._threads: list[Thread] = []

    @contextmanager
    def listening(self) -> Iterator[None]:
        with socket.create_server(("127.0.0.1", 0)) as door:
            door.settimeout(0.1)
            self.address = f"http://127.0.0.1:{door.getsockname()[1]}"
            self._begin(self._take, door)
            yield
            self._over.set()
            for thread in self._threads:
                thread.join()

    def _begin(self, do: Callable[..., None], *what: socket.socket) -> None:
        self._threads.append(Thread(target=do, args=what))
        self._threads[-1].start()

    def _take(self, door: socket.socket) -> None:
        while not self._over.is_set():
            with suppress(TimeoutError):
                self._begin(self._carry, door.accept()[0])

    def _carry(self, line: socket.socket) -> None:
        onward = socket.create_connection(("127.0.0.1", self._port))
        with line, onward, suppress(OSError), DefaultSelector() as ways:
            ways.register(line, EVENT_READ, (line, onward))
            ways.register(onward, EVENT_READ, (onward, line))
            sent = 0
            while not self._over.is_set():
                for key, _ in ways.select(0.1):
                    source, target = key.data
                    piece = source.recv(8192)
                    sent += len(piece) if source is line else 0
                    is_cut = self.cuts and sent > CUT_AFTER_BYTES
                    self.cut_off += is_cut
                    if is_cut or not piece:
                        return
                    target.sendall(piece)


@contextmanager
def cutter_before(address: str) -> Iterator[Cutter]:
    cutter = Cutter(int(address.rsplit(":", 1)[1]))
    with cutter.listening():
        yield cutter


def choose(page: Any, words: str) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_text(words).first.click()
    chooser.value.set_files(PHOTO)


@pytest.mark.parametrize("words", ["Take a photo", "Photos taken before"])
def test_a_board_photo_that_is_cut_off_is_kept_and_sent_by_a_tap(
    page: Any, serve: Serve, playing: FakeTable, words: str
) -> None:
    with cutter_before(serve(playing)) as cutter:
        page.goto(f"{cutter.address}/board")
        page.wait_for_load_state("load")
        choose(page, words)
        page.get_by_text(NOT_SENT).wait_for()
        page.get_by_text(words).first.wait_for()  # and no longer "Reading the photo…"
        assert cutter.cut_off > 0
        cutter.cuts = False
        page.get_by_role("button", name="Try again").click()
        page.wait_for_url("**/doubts")
    assert [payload["images"] for name, payload in playing.acts if name == "upload-photo"] == [
        [LARGE]
    ]
    assert not page.get_by_text(NOT_SENT).is_visible()


class BusyTable(FakeTable):
    """Takes no photo while it reads another one."""

    refused = 0

    def act(self, action: str, payload: Mapping[str, Any], request_id: str = "") -> int:
        if action == "upload-photo" and self.state()["camera"]["status"] == "looking":
            self.refused += 1
            raise BusyError("companion.refused.looking")
        return super().act(action, payload, request_id)


@pytest.mark.parametrize(
    ("language", "words", "follows"),
    [
        ("en", "Take a photo", "what you sent follows by itself"),
        ("it", "Scatta una foto", "parte da solo subito dopo"),
    ],
)
def test_a_second_photo_follows_by_itself_however_long_the_first_is_read(
    browser: Any, serve: Serve, language: str, words: str, follows: str
) -> None:
    """It was sent again and again, four times within five seconds, and then waited for a tap."""
    table = BusyTable()
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    context = browser.new_context(locale=language)
    page = context.new_page()
    page.goto(f"{serve(table)}/board")
    page.wait_for_load_state("load")
    table.set_camera("looking")
    choose(page, words)
    page.get_by_text(follows).wait_for()
    page.wait_for_timeout(SPENT_MS)
    assert page.get_by_text(follows).is_visible()
    assert table.refused == 1
    with page.expect_response("**/upload-photo*", timeout=PATIENCE_MS) as came:
        table.set_camera("none")
    assert came.value.ok
    page.get_by_text(follows).wait_for(state="hidden")
    context.close()


@pytest.mark.parametrize("words", ["Take a photo", "Photos taken before"])
def test_a_photo_is_sent_whatever_the_table_did_while_it_was_taken(
    page: Any, serve: Serve, playing: FakeTable, words: str
) -> None:
    """Its form was exchanged under the phone's camera, and the photo lost without a word."""
    page.goto(f"{serve(playing)}/board")
    page.wait_for_load_state("load")
    with page.expect_file_chooser() as chooser:
        page.get_by_text(words).first.click()
    playing.set_camera("looking")
    with page.expect_response("**/board"):  # the page has heard of it
        playing.act("upload-photo", {"images": [b"of somebody else"]})
    page.wait_for_timeout(500)
    chooser.value.set_files(PHOTO)
    until(lambda: len(photos_of(playing)) == 2)
    assert photos_of(playing)[1] == [LARGE]
    page.wait_for_url("**/doubts")


def test_a_page_whose_camera_was_closed_without_a_photo_follows_again(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    page.goto(f"{serve(playing)}/board")
    page.wait_for_load_state("load")
    with page.expect_file_chooser():
        page.get_by_text("Take a photo").first.click()
    with page.expect_response("**/board"):
        playing.act("upload-photo", {"images": [b"of somebody else"]})
    page.wait_for_timeout(500)
    assert page.url.endswith("/board")
    page.mouse.click(5, 400)  # the camera was closed, which not every browser says
    page.wait_for_url("**/doubts")


def photos_of(table: FakeTable) -> list[list[bytes]]:
    """What was sent of the board, one entry a sending."""
    return [payload["images"] for name, payload in table.acts if name == "upload-photo"]


def test_a_photo_that_came_too_slowly_is_told_so_and_of_no_others(page: Any, serve: Serve) -> None:
    """It was told that others' photos are read, and nobody went nearer to the Wi-Fi."""

    class FarTable(FakeTable):
        def act(self, action: str, payload: Mapping[str, Any], request_id: str = "") -> int:
            if action == "upload-photo":
                raise SlowError("web.error.slow")
            return super().act(action, payload, request_id)

    table = FarTable()
    table.act("start", {"board": "usa", "players": PLAYERS, "camera": False})
    page.goto(f"{serve(table)}/board")
    page.wait_for_load_state("load")
    page.locator("input[type=file]").first.set_input_files(PHOTO)
    told = page.locator("#not-sent p")
    page.locator("#not-sent").wait_for()
    assert "go nearer to the Wi-Fi" in (told.text_content() or "")


def test_a_photo_on_a_line_that_went_without_a_word_is_told_and_goes_once_one_is_there(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    """Its phone left the Wi-Fi: it read "Reading the photo…" until the browser gave up, minutes
    later."""
    network = CuttingProxy(int(serve(playing).rsplit(":", 1)[1]))
    with network.listening() as port:
        page.goto(f"http://127.0.0.1:{port}/board")
        page.wait_for_load_state("load")
        network.is_deaf = True
        choose(page, "Take a photo")
        page.get_by_text(NOT_SENT).wait_for(timeout=PATIENCE_MS)
        assert page.get_by_role("button", name="Try again").is_visible()
        assert page.get_by_text("Take a photo").is_visible(), "and no longer that it is read"
        network.is_deaf = False
        page.wait_for_url("**/doubts", timeout=PATIENCE_MS)
    assert [payload["images"] for name, payload in playing.acts if name == "upload-photo"] == [
        [LARGE]
    ]


def test_a_board_photo_that_is_not_to_be_sent_is_dropped_by_one_tap(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    page.goto(f"{serve(playing)}/board")
    page.wait_for_load_state("load")
    page.route("**/api/act/upload-photo", lambda route: route.abort())
    page.context.set_offline(True)
    choose(page, "Take a photo")
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.get_by_text(NOT_SENT).wait_for()
    page.locator(".tabs a").nth(2).click()
    page.wait_for_timeout(300)
    assert asked == ["beforeunload"], "whoever leaves the page loses it, and is asked"
    page.get_by_role("button", name="Don't send it").click()
    page.context.set_offline(False)
    page.wait_for_timeout(500)
    assert playing.acts == []
    assert page.get_by_text("Take a photo").is_visible()


def wait_while_the_table_moves_on(page: Any, address: str, table: FakeTable) -> None:
    """A board photo stands unsent on its page when tickets are asked for."""
    page.goto(f"{address}/board")
    page.wait_for_load_state("load")
    page.route("**/api/act/upload-photo", lambda route: route.abort())
    page.route("**/api/state", lambda route: route.abort())  # so it is not sent by itself
    choose(page, "Take a photo")
    page.get_by_text(NOT_SENT).wait_for()
    with page.expect_response("**/board"):
        table.act("show", {"phase": "tickets"})
    page.wait_for_timeout(500)


def test_a_waiting_board_photo_stays_though_the_table_moves_on(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    wait_while_the_table_moves_on(page, serve(playing), playing)
    assert page.url.endswith("/board")
    assert page.get_by_text(NOT_SENT).is_visible()


def test_a_page_whose_photo_is_not_to_be_sent_catches_up_with_the_table(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    wait_while_the_table_moves_on(page, serve(playing), playing)
    page.get_by_role("button", name="Don't send it").click()
    page.wait_for_url("**/tickets")


def refuse(table: FakeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(images: list[bytes]) -> None:
        raise ActionRefusedError("web.camera.lost")

    monkeypatch.setattr(table, "_upload_photo", refusing)


REFUSED = "The camera has gone"


def test_a_refused_photo_can_be_chosen_once_more(
    page: Any, serve: Serve, playing: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse(playing, monkeypatch)
    page.goto(f"{serve(playing)}/board")
    page.wait_for_load_state("load")
    for _ in range(2):
        choose(page, "Take a photo")
        page.locator("#toast").get_by_text(REFUSED).wait_for()
        page.evaluate("document.querySelector('#toast').hidden = true")
    assert [name for name, _ in playing.acts] == ["upload-photo"] * 2


def test_without_script_a_refused_photo_is_told_on_the_page_that_sent_it(
    browser: Any, serve: Serve, playing: FakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse(playing, monkeypatch)
    context = browser.new_context(java_script_enabled=False, locale="en")
    page = context.new_page()
    page.goto(f"{serve(playing)}/board")
    form = page.locator('form[action="/api/act/upload-photo"]').first
    form.locator("input[type=file]").set_input_files(PHOTO)
    form.get_by_role("button", name="Send the photos").click()
    page.get_by_role("alert").get_by_text(REFUSED).wait_for()
    assert page.get_by_text("Take a photo", exact=True).is_visible()
    assert page.locator("#board").is_visible()
    context.close()


def test_a_ticket_photo_that_is_cut_off_leaves_the_page_and_goes_once(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    playing.offer_hand_photos("ready")
    playing.photographed = [(CardSeen((MIAMI,), True, grey_png()),)]
    with cutter_before(serve(playing)) as cutter:
        open_hand(page, f"{cutter.address}/tickets/red")
        choose(page, "Photograph my tickets")
        page.wait_for_timeout(1000)
        assert cutter.cut_off > 0
        assert page.url == f"{cutter.address}/tickets/red"
        cutter.cuts = False
        page.get_by_text("One card lies here, and it was read.").wait_for()
    assert playing.images == [[LARGE]]


def test_a_ticket_photo_that_never_gets_through_waits_behind_its_curtain(
    page: Any, serve: Serve, playing: FakeTable
) -> None:
    """The box answers, but no photo arrives whole."""
    playing.offer_hand_photos("ready")
    playing.photographed = [(CardSeen((MIAMI,), True, grey_png()),)]
    with cutter_before(serve(playing)) as cutter:
        open_hand(page, f"{cutter.address}/tickets/red")
        choose(page, "Photograph my tickets")
        page.get_by_role("button", name="Send it").wait_for()
        assert cutter.cut_off > 3
        cutter.cuts = False
        page.get_by_role("button", name="Send it").click()
        page.get_by_text("One card lies here, and it was read.").wait_for()
    assert playing.images == [[LARGE]]


def test_a_photo_of_set_up_is_sent_by_a_tap_and_its_refusal_is_told_in_the_page(
    page: Any, tmp_path: Path
) -> None:
    with served(SetupRig(tmp_path).app) as address, cutter_before(address) as cutter:
        page.goto(f"{cutter.address}/setup/photo")
        page.wait_for_load_state("load")
        choose(page, "Choose a photo")
        page.get_by_text(NOT_SENT).wait_for()
        assert not page.locator("#waiting").is_visible()
        cutter.cuts = False
        page.get_by_role("button", name="Try again").click()
        page.locator("#main [role=alert]").wait_for()
        assert page.url == f"{cutter.address}/setup/photo"
        page.locator("[data-live-picture] img[src]").wait_for(state="attached")


@pytest.mark.parametrize("where", ["", "/boards"])
def test_a_photo_or_file_for_the_studio_is_sent_by_a_tap(
    page: Any, tmp_path: Path, where: str
) -> None:
    rig = StudioRig(tmp_path)
    with rig.served() as address, cutter_before(address) as cutter:
        page.goto(f"{cutter.address}/studio")
        page.wait_for_load_state("load")
        form = page.locator(f'form[action="/studio{where}"]')
        form.locator("input[type=file]").set_input_files(PHOTO)
        if where:
            form.evaluate("form => form.requestSubmit()")
        page.get_by_text(NOT_SENT).wait_for()
        cutter.cuts = False
        page.get_by_role("button", name="Try again").click()
        page.locator("#main [role=alert]").wait_for()
    rig.table.close()


def test_a_refused_photo_of_cards_is_told_beside_the_board_in_work(
    page: Any, tmp_path: Path
) -> None:
    rig = StudioRig(tmp_path)
    image = cv2.imencode(".jpg", empty_photo().image_bgr)[1].tobytes()
    rig.studio._read_cards = lambda *_: ([], [])
    key = rig.studio.begin(image, "usa", really_empty=False)
    with rig.served() as address:
        page.goto(f"{address}/studio/{key}?at=tickets")
        page.wait_for_load_state("load")
        page.locator("input[name=images]").set_input_files([PHOTO, {**PHOTO, "buffer": b""}])
        page.locator("#studio-side [role=alert]").wait_for()
        assert page.url == f"{address}/studio/{key}?at=tickets"
    rig.table.close()
