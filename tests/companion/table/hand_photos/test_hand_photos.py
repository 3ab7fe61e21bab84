"""Photos of a hand at a real table: read in a process that ends, nothing kept, nothing entered."""

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import RefusalError
from companion.table.camera_feed import CameraFeed
from companion.table.eye import Photo
from companion.table.hand_photos.child import answer
from companion.table.hand_photos.documents import PhotoSeen, crop_key
from companion.table.hand_photos.reader import ProcessReader
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import Board
from scoring.language import Message
from tests.companion.tables import ADA_AND_BEN, OPEN, USA, GreyCamera
from tests.support.drawn_hand import DrawnCard, draw_hand
from tests.support.threads import no_more_threads
from tests.support.ticket_networks import needs_networks
from vision.tickets.deck import Deck, deck_from_json, deck_of
from vision.tickets.joining import PhotoReading
from vision.tickets.reading import TicketSeen, UnreadCard
from web.errors import ActionRefusedError

SQUARE = np.array([[0, 0], [90, 0], [90, 60], [0, 60]], np.float64)
BOSTON, DENVER = ("boston", "miami"), ("denver", "el-paso")


class ToldReader:
    """Tells the readings it was given, one for each photo."""

    is_installed = True

    def __init__(self, *readings: PhotoReading | Message) -> None:
        self.readings = list(readings)
        self.sent: list[bytes] = []
        self.closed = False

    def prepare(self) -> None:
        return

    def close(self) -> None:
        self.closed = True

    def read(self, photos: Sequence[bytes], deck: Deck, first: int) -> list[PhotoSeen]:
        self.sent += photos
        seen = [self.readings.pop(0) for _ in photos]
        return [
            PhotoSeen(None, {}, one)
            if isinstance(one, Message)
            else PhotoSeen(one, {crop_key(c): b"crop" for c in (*one.tickets, *one.unread)})
            for one in seen
        ]


def seen(pair: tuple[str, str], photo: int = 0, *others: tuple[str, str]) -> TicketSeen:
    points = USA_POINTS[pair]
    return TicketSeen(pair, points, 0.9, bool(others), SQUARE + 100 * photo, photo, others)


USA_POINTS = {pair: max(values) for pair, values in deck_of(USA).points.items()}


def lay(folder: Path, reader: ToldReader | ProcessReader | None) -> Table:
    table = Table(TableConfig([USA], folder, hand_reader=reader))
    OPEN.append(table)
    table.act("start", {**ADA_AND_BEN, "camera": False})
    return table


def test_cards_are_told_by_their_tickets_and_nothing_is_entered(tmp_path: Path) -> None:
    unread = UnreadCard(SQUARE + 500, "no-names", 0)
    reader = ToldReader(PhotoReading((seen(BOSTON), seen(DENVER, 0, BOSTON)), (unread,)))
    table = lay(tmp_path, reader)
    hand = table.read_hand([b"photo"], None)
    assert [(card.tickets, card.is_sure, card.why) for card in hand.cards] == [
        (("boston--miami",), True, ""),
        (("denver--el-paso", "boston--miami"), False, ""),
        ((), False, "no-names"),
    ]
    assert [card.crop for card in hand.cards] == [b"crop"] * 3
    assert table.state()["tickets"]["red"] == []


def test_two_photos_of_one_hand_join_and_a_bad_one_takes_nothing_away(tmp_path: Path) -> None:
    blurred = Message("vision.photo.blurred", again=Message("vision.take-another"))
    table = lay(
        tmp_path,
        ToldReader(
            PhotoReading((seen(BOSTON),), ()),
            blurred,
            PhotoReading((seen(BOSTON, 2), seen(DENVER, 2)), ()),
        ),
    )
    one = table.read_hand([b"1"], None)
    two = table.read_hand([b"2"], one)
    assert [card.tickets for card in two.cards] == [("boston--miami",)]
    assert [remark["key"] for remark in two.remarks] == ["vision.photo.blurred"]
    three = table.read_hand([b"3"], two)
    assert [card.tickets for card in three.cards] == [("boston--miami",), ("denver--el-paso",)]
    assert three.remarks == ()


class OneATurn(ToldReader):
    """Every photo takes long."""

    def read(self, photos: Sequence[bytes], deck: Deck, first: int) -> list[PhotoSeen]:
        assert first == len(self.sent)
        return super().read(photos[:1], deck, first)


def test_photos_that_take_long_are_read_in_several_turns_and_none_is_lost(tmp_path: Path) -> None:
    blurred = Message("vision.photo.blurred", again=Message("vision.take-another"))
    last = PhotoReading((seen(DENVER, 2),), ())
    table = lay(tmp_path, OneATurn(PhotoReading((seen(BOSTON),), ()), blurred, last))
    turns: list[str] = []

    @contextmanager
    def turn() -> Iterator[None]:
        turns.append("begins")
        yield
        turns.append("ends")

    hand = table.read_hand([b"1", b"2", b"3"], None, turn)
    assert [card.tickets for card in hand.cards] == [("boston--miami",), ("denver--el-paso",)]
    assert [remark["key"] for remark in hand.remarks] == ["vision.photo.blurred"]
    assert turns == ["begins", "ends"] * 3


@pytest.mark.parametrize(("turn", "read"), [({"turn_s": 0.0}, 1), ({"turn_s": 60.0}, 3), ({}, 3)])
def test_the_process_begins_no_further_photo_when_its_turn_is_over(
    turn: dict[str, float], read: int
) -> None:
    head = {"deck": deck_of(USA).to_json(), "first": 0, "sizes": [8] * 3, **turn}
    assert len(answer(BytesIO(json.dumps(head).encode() + b"\n" + b"no photo" * 3))) == read


def test_without_a_thread_no_process_waits_for_a_photo() -> None:
    """It would have waited for ever, and the page that asked for it failed."""
    reader = ProcessReader([sys.executable, "-c", "input()"])
    with no_more_threads():
        reader.prepare()
    assert reader.waiting is None


def test_what_cannot_be_done_is_refused_with_a_sentence(tmp_path: Path) -> None:
    table = lay(tmp_path / "a", None)
    assert "hand_photos" not in table.state()
    with pytest.raises(ActionRefusedError):
        table.read_hand([b"photo"], None)
    table = lay(tmp_path / "b", ToldReader(PhotoReading((seen(BOSTON),), ())))
    assert table.state()["hand_photos"] == "ready"
    with pytest.raises(ActionRefusedError, match="no camera"):
        table.read_hand([], None)
    table.act("finish", {})
    with pytest.raises(ActionRefusedError, match="final"):
        table.read_hand([b"photo"], None)


def test_the_own_camera_sees_the_cards_and_not_the_board(tmp_path: Path) -> None:
    reader = ToldReader(PhotoReading((seen(BOSTON),), ()))
    feed = CameraFeed(GreyCamera, interval_s=0.01)
    covered: list[str] = []

    def cover(photo_bgr: Photo, board: Board) -> Photo:
        covered.append(board.id)
        return np.zeros_like(photo_bgr)

    config = TableConfig([USA], tmp_path, feed=feed, hand_reader=reader, cover_board=cover)
    table = Table(config)
    OPEN.append(table)
    table.act("start", {**ADA_AND_BEN, "camera": True})
    assert table.state()["hand_camera"]
    assert [card.tickets for card in table.read_hand([], None).cards] == [("boston--miami",)]
    assert covered == ["usa"]
    (sent,) = reader.sent
    assert int(cv2.imdecode(np.frombuffer(sent, np.uint8), cv2.IMREAD_COLOR).max()) < 8


@pytest.mark.parametrize(
    "program",
    [
        "raise SystemExit(1)",
        "print('[')",
        "print('[{}]')",
        "print('[]')",
        "import time; time.sleep(9)",
    ],
)
def test_a_process_that_fails_is_told_of_and_ended(program: str) -> None:
    command = [sys.executable, "-c", program]
    reader = ProcessReader(command, photo_s=0.2, ready_s=0.2, turn_s=0.0)
    with pytest.raises(RefusalError, match="add the tickets by hand"):
        reader.read([b"photo"], deck_of(USA), 0)


def test_a_machine_that_starts_no_other_process_says_so() -> None:
    """No memory is left, or the program was updated under a table that still runs."""
    reader = ProcessReader(["/nowhere/python"])
    reader.prepare()
    assert reader.waiting is None
    with pytest.raises(RefusalError, match="add the tickets by hand"):
        reader.read([b"photo"], deck_of(USA), 0)


def test_a_process_that_was_started_ahead_does_not_wait_for_ever() -> None:
    reader = ProcessReader([sys.executable, "-c", "input()"], ready_s=0.1)
    reader.prepare()
    started = reader.waiting
    assert started is not None
    started.wait(timeout=20)
    assert reader.waiting is None


def test_a_deck_comes_through_to_another_process_as_it_is() -> None:
    deck = deck_of(USA)
    assert deck_from_json(deck.to_json()) == deck


PEAK = """
import re, sys
from companion.table.hand_photos.child import main
main()
status = open("/proc/self/status").read()
open(sys.argv[1], "w").write(re.search(r"VmHWM:\\s*(\\d+)", status)[1])
"""
"""Most memory of the process itself in kB; `getrusage` would count that of its parent as well."""


@needs_networks
def test_a_photo_of_twelve_megapixels_takes_less_than_350_mb_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", None)
    cards = [
        DrawnCard(("BOSTON - MIAMI",), 12, 400, 300, 8),
        DrawnCard(("DENVER - EL PASO",), 4, 1000, 800, 178),
    ]
    photo = cv2.resize(draw_hand(cards), (4000, 3000), interpolation=cv2.INTER_CUBIC)
    data = bytes(cv2.imencode(".jpg", photo)[1])
    reader = ProcessReader([sys.executable, "-c", PEAK, str(tmp_path / "peak")])
    hand = lay(tmp_path / "data", reader).read_hand([data, b"no photo"], None)
    assert {card.tickets for card in hand.cards} == {("boston--miami",), ("denver--el-paso",)}
    assert all(card.crop.startswith(b"\xff\xd8") for card in hand.cards)
    assert [remark["key"] for remark in hand.remarks] == ["vision.photo.no-photo"]
    assert int((tmp_path / "peak").read_text()) < 350_000
    assert list((tmp_path / "temporary").iterdir()) == []
