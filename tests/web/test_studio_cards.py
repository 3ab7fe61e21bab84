"""Photos of ticket cards in the studio: read, shown with their pictures, taken once confirmed."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

import cv2
import pytest

from companion.setup.kept import KeptCalibrations
from companion.studio.boards import TaughtBoards
from companion.studio.desk import StudioDesk
from companion.studio.store import StudioStore
from companion.table.hand_photos.reader import ProcessReader
from companion.table.table import Table
from companion.table.table_config import TableConfig
from scoring.board.board import load_board
from scoring.language import Message
from tests.support.drawn_hand import DrawnCard, draw_hand
from tests.support.drawn_table import empty_photo
from tests.support.ticket_networks import needs_networks
from vision.reading import Registration
from web.app import create_app
from web.errors import ActionRefusedError
from web.studio_port import CardToTeach

PATIENCE_S = 600.0
"""What is read counts here, not how soon: beside other work a slow machine takes minutes."""


def photo(*cards: DrawnCard) -> bytes:
    return cv2.imencode(".jpg", draw_hand(cards))[1].tobytes()


class Desk:
    """A table with a studio, and a board in work: USA without its tickets."""

    def __init__(self, data: Path) -> None:
        self.read: list[CardToTeach] = []
        self.troubles: list[Message] = []
        self.known: list[str] = []
        self.table = Table(TableConfig([load_board("usa")], data))
        store, files = StudioStore(data), TaughtBoards(data)
        boards = self.table.boards
        self.studio = StudioDesk(
            store, files, KeptCalibrations(data), lambda: boards, read_cards=self.read_cards
        )
        image = cv2.imencode(".jpg", empty_photo().image_bgr)[1].tobytes()
        self.key = self.studio.begin(image, "usa", really_empty=False)
        for _ in self.studio.board(self.key).tickets:
            self.studio.do(self.key, {"do": "remove-ticket", "ticket": "1"})
        self.visitor = create_app(self.table, studio=self.studio).test_client()

    def read_cards(
        self, photos: Sequence[bytes], known: Sequence[str]
    ) -> tuple[list[CardToTeach], list[Message]]:
        self.known = list(known)
        return self.read, self.troubles

    def post(self, where: str, **form: object) -> str:
        answer = self.visitor.post(f"/studio/{self.key}/{where}", data=form, follow_redirects=True)
        return str(answer.text)

    @property
    def tickets(self) -> list[tuple[set[str], int]]:
        return [(set(one.places), one.points) for one in self.studio.board(self.key).tickets]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    seen = empty_photo()
    found = Registration("corners", seen.corners_px, seen.spaces_px, 0.5)
    monkeypatch.setattr("companion.studio.beginning.register", lambda *args, **more: found)
    monkeypatch.setattr("companion.studio.beginning.reference_of", lambda *args, **more: None)
    made = Desk(tmp_path)
    yield made
    made.table.close()


def image(data: bytes = b"photo") -> tuple[BytesIO, str]:
    return BytesIO(data), "cards.jpg"


def card(one: str, other: str, points: int | None, *, new: bool = False) -> CardToTeach:
    return CardToTeach((one, other), (not new, True), points, b"jpeg")


def test_what_photos_show_is_taken_only_as_somebody_confirms_it(desk: Desk) -> None:
    desk.read = [card("Boston", "Miami", 12), card("Chicaco", "Miami", None, new=True)]
    page = desk.post("cards", images=image())
    assert "Boston" in desk.known, "known places are matched"
    assert page.count("data:image/jpeg;base64,") == 2
    assert page.count("new place") == 1
    assert desk.tickets == [], "nothing is a ticket yet"
    form = {"do": "take-tickets", "at": "tickets"}
    form |= {"take-0": "on", "from-0": "Boston", "to-0": "Miami", "points-0": "12"}
    form |= {"take-1": "on", "from-1": "Chicago", "to-1": "Miami", "points-1": ""}
    asked = desk.post("step", **form)
    assert desk.tickets == [({"Boston", "Miami"}, 12)], "one card holds no other back"
    assert "The other cards are taken" in asked
    assert "card 1 needs two places and points" in asked
    assert asked.count("data:image/jpeg;base64,") == 1
    assert 'value="Chicago"' in asked, "what was typed is still there"
    again = {"do": "take-tickets", "at": "tickets", "take-0": "on", "from-0": "Chicago"}
    assert "card 1 needs" in desk.post("step", **again, **{"to-0": "Miami", "points-0": "x"})
    page = desk.post("step", **again, **{"to-0": "Miami", "points-0": "11"})
    assert desk.tickets == [({"Boston", "Miami"}, 12), ({"Chicago", "Miami"}, 11)]
    assert "data:image/jpeg" not in page, "none is left to confirm"
    assert "Chicaco" not in {place.name for place in desk.studio.board(desk.key).places}


def test_one_card_in_two_photos_and_one_that_is_there_already_are_asked_once(desk: Desk) -> None:
    desk.read = [card("Boston", "Miami", None)]
    desk.post("cards", images=image())
    desk.read = [card("MIAMI", "Boston", 12), card("Denver", "El Paso", 4)]
    desk.post("cards", images=image())
    shown = desk.studio.board(desk.key).cards
    assert [(set(one.names), one.points) for one in shown] == [
        ({"MIAMI", "Boston"}, 12), ({"Denver", "El Paso"}, 4),
    ]  # fmt: skip
    form = {"take-1": "on", "from-1": "Denver", "to-1": "El Paso", "points-1": "4"}
    desk.post("step", do="take-tickets", at="tickets", **form)
    desk.post("cards", images=image())
    assert [set(one.names) for one in desk.studio.board(desk.key).cards] == [{"MIAMI", "Boston"}]
    desk.post("cards/forget")
    assert not desk.studio.board(desk.key).cards


def test_a_photo_that_is_no_good_is_told_and_no_photo_is_refused(desk: Desk) -> None:
    desk.troubles = [Message("vision.tickets.no-cards")]
    assert "No ticket card was found" in desk.post("cards", images=image())
    assert "photo" in desk.post("cards", images=(BytesIO(b""), ""))
    assert desk.tickets == []


def test_cards_cannot_be_read_where_the_networks_are_missing(desk: Desk) -> None:
    desk.studio._read_cards = None
    page = desk.visitor.get(f"/studio/{desk.key}?at=tickets")
    assert "Photograph the cards" not in page.text
    with pytest.raises(ActionRefusedError, match="rapidocr"):
        desk.studio.read_cards(desk.key, [b"photo"])


@needs_networks
def test_a_deck_with_new_names_is_read_from_a_photo(desk: Desk) -> None:
    reader = ProcessReader(photo_s=PATIENCE_S)
    cards = photo(
        DrawnCard(("BOSTON - MIAMI",), 12, 320, 300),
        DrawnCard(("Louvre", "Bastille"), 7, 1000, 300, 4),
        DrawnCard(("Saint-Lazare - Louvre",), 9, 320, 850),
    )
    found, troubles = reader.read_new([cards], ["Boston", "Miami"])
    assert troubles == []
    points = {one.names: one.points for one in found}
    assert points.keys() == {
        ("Boston", "Miami"), ("Louvre", "Bastille"), ("Saint-Lazare", "Louvre"),
    }  # fmt: skip
    assert points["Boston", "Miami"] == 12
    assert points["Louvre", "Bastille"] == 7
    assert points["Saint-Lazare", "Louvre"] in (9, None), "left to the person rather than wrong"
    known = {one.names: one.are_known for one in found}
    assert known["Boston", "Miami"] == (True, True)
    assert known["Louvre", "Bastille"] == (False, False)
    assert all(one.crop.startswith(b"\xff\xd8") for one in found)
    nothing, troubles = reader.read_new([photo()], [])
    assert nothing == []
    assert "No ticket card" in troubles[0].text("en")
