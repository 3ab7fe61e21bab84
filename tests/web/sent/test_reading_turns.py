"""Photos of several hands: no hand waits until all of another's are read."""

import io
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from threading import Event
from typing import Any

import pytest

from tests.support.waiting import until
from tests.web.fake_table import FakeTable, grey_png
from tests.web.test_hand_photos import key_on
from web.app import create_app
from web.errors import BusyError
from web.ports import CardSeen, HandSeen, TablePort, Turn
from web.sent.reading_turns import HandQueues, ReadingTurns
from web.sent.uploads import Uploads

MIAMI = CardSeen(("boston--miami",), True, grey_png())
HELENA = CardSeen(("helena--los-angeles",), True, grey_png())


class SlowTable(FakeTable):
    """Reads one photo a turn; the first waits until `may_go_on`."""

    def __init__(self) -> None:
        super().__init__()
        self.order: list[bytes] = []
        self.began, self.may_go_on = Event(), Event()

    def read_hand(
        self, images: Sequence[bytes], earlier: HandSeen | None, turn: Turn = nullcontext
    ) -> HandSeen:
        for number in range(len(images)):
            with turn():
                self.order.append(images[number])
                self.began.set()
                assert self.may_go_on.wait(20)
        known = () if earlier is None else earlier.cards
        return HandSeen((*known, *(MIAMI,) * len(images)))


@pytest.fixture
def slow() -> SlowTable:
    table = SlowTable()
    table.offer_hand_photos("ready")
    table.act("start", {"board": "usa", "players": THREE, "camera": False})
    return table


THREE = [
    {"name": "Ada", "colour": "red"},
    {"name": "Ben", "colour": "blue"},
    {"name": "Cleo", "colour": "green"},
]


def send(app: Any, colour: str, count: int) -> str:
    """Send photos of a hand; gives the page with what they show."""
    client = app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
    images = [(io.BytesIO(f"{colour} {n}".encode()), "x.jpg") for n in range(1, count + 1)]
    answer = client.post(f"/tickets/{colour}/photo", data={"images": images})
    assert answer.location.startswith(f"/tickets/{colour}?hand=")
    return str(client.get(answer.location).text)


def test_six_photos_of_one_hand_let_those_of_the_others_in_between(slow: SlowTable) -> None:
    app = create_app(slow)
    client = app.test_client()

    def waits(colour: str) -> bool:
        return bool(client.get(f"/tickets/{colour}/photo").json == {"waits": True})

    with ThreadPoolExecutor() as players:
        ada = players.submit(send, app, "red", 6)
        assert slow.began.wait(20)
        ben = players.submit(send, app, "blue", 2)
        until(lambda: waits("blue"))
        cleo = players.submit(send, app, "green", 1)
        until(lambda: waits("green"))
        assert not waits("red"), "its own are read"
        slow.may_go_on.set()
        pages = [one.result() for one in (ada, ben, cleo)]
    assert slow.order == [
        *(b"red 1", b"blue 1", b"green 1"),
        *(b"red 2", b"blue 2"),
        *(b"red 3", b"red 4", b"red 5", b"red 6"),
    ]
    assert [f"{n} cards lie here" in page for n, page in zip((6, 2), pages, strict=False)] == [
        True,
        True,
    ]
    assert "One card lies here" in pages[2]
    assert len({key_on(page) for page in pages}) == 3
    assert not any(waits(colour) for colour in ("red", "blue", "green"))


def test_a_hand_that_sends_again_and_again_waits_behind_one_that_sent_once() -> None:
    turns, order = ReadingTurns(), list[str]()

    def read(whose: str) -> None:
        with turns.of(whose, 20.0):
            order.append(whose)

    with ThreadPoolExecutor() as senders:
        with turns.of("red", 1.0):
            again = [senders.submit(read, "red") for _ in range(2)]
            until(lambda: len(turns._waiting) == 2)
            others = [senders.submit(read, "blue"), senders.submit(read, "")]
            until(lambda: len(turns._waiting) == 4)
        for one in (*again, *others):
            one.result()
    assert sorted(order[:2]) == ["", "blue"]
    assert order[2:] == ["red", "red"]


def test_two_devices_that_photograph_one_hand_at_once_both_count(slow: SlowTable) -> None:
    """Mother's photo showed one card, which was gone when the child's two had been read."""
    app = create_app(slow)
    with ThreadPoolExecutor() as devices:
        mother = devices.submit(send, app, "red", 1)
        assert slow.began.wait(20)
        child = devices.submit(send, app, "red", 2)
        time.sleep(0.2)
        slow.may_go_on.set()
        assert "One card lies here" in mother.result()
        assert "3 cards lie here" in child.result()
    assert slow.order == [b"red 1", b"red 1", b"red 2"]
    assert "3 cards lie here" in opened(app, "red")


def test_cards_that_another_device_has_found_wait_after_those_of_this_one_are_entered() -> None:
    table = FakeTable()
    table.offer_hand_photos("ready")
    table.act("start", {"board": "usa", "players": THREE, "camera": False})
    table.photographed = [(MIAMI,), (HELENA,)]
    app = create_app(table)
    mother, _ = send(app, "red", 1), send(app, "red", 1)
    sent = {"hand": key_on(mother), "card-0": "boston--miami"}
    app.test_client().post("/tickets/red/photo/enter", data=sent)
    assert [one["ticket"] for one in table.state()["tickets"]["red"]] == ["boston--miami"]
    assert "2 cards lie here" in opened(app, "red")


def opened(app: Any, colour: str) -> str:
    """The hand as the next device opens it."""
    client = app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
    return str(client.post(f"/tickets/{colour}", follow_redirects=True).text)


def test_only_two_uploads_of_a_hand_wait_for_the_one_before() -> None:
    hands = HandQueues()

    def read() -> None:
        with hands.of(1, 20.0):
            pass

    with ThreadPoolExecutor() as senders:
        with hands.of(1, 20.0):
            again = [senders.submit(read) for _ in range(2)]
            until(lambda: len(hands._uploads) == 3)
            with pytest.raises(BusyError), hands.of(1, 20.0):
                pytest.fail("a third that waits")
            with hands.of(2, 0.0):
                pass
        for one in again:
            one.result()
    with hands.of(1, 20.0), pytest.raises(BusyError), hands.of(1, 0.01):
        pytest.fail("two at once")
    assert hands._uploads == []


def test_whoever_loses_patience_leaves_the_turn_to_the_next() -> None:
    uploads = Uploads(patience_s=0.01)
    with uploads.reading("red"), pytest.raises(BusyError), uploads.reading():
        pytest.fail("two at once")
    with uploads.reading("blue"):
        pass


def test_who_waits_for_others_photos_is_told_so(
    page: Any, serve: Callable[[TablePort], str], slow: SlowTable
) -> None:
    address = serve(slow)
    page.goto(f"{address}/tickets/blue")
    page.wait_for_load_state("load")
    photo = {"name": "hand.png", "mimeType": "image/png", "buffer": grey_png()}
    page.evaluate(
        """address => { const fields = new FormData();
        fields.append("images", new Blob(["red 1"]), "x.jpg");
        fetch(address, {method: "POST", body: fields}); }""",
        f"{address}/tickets/red/photo",
    )
    assert slow.began.wait(20)
    page.locator("[data-photo] input[type=file]").first.set_input_files(photo)
    page.get_by_text("Others' photos are read first").wait_for()
    slow.may_go_on.set()
    page.get_by_text("One card lies here, and it was read.").wait_for()
    assert slow.order == [b"red 1", grey_png()]
