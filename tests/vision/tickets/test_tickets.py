"""Hands of drawn ticket cards: every ticket told, nothing missed in silence, nothing made up."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board.board import Board, Place, Ticket, load_board
from tests.support.drawn_hand import DrawnCard, draw_hand
from tests.support.ticket_networks import needs_networks
from vision.errors import NoTicketsError
from vision.tickets import reader
from vision.tickets.looks import look_at_cards
from vision.tickets.networks import load_text_networks
from vision.tickets.reader import read_tickets
from vision.tickets.reading import HandReading

pytestmark = needs_networks

USA = load_board("usa")


def _sure(reading: HandReading) -> set[tuple[str, str]]:
    return {seen.ticket for seen in reading.tickets if not seen.review}


def _taught(names: dict[str, str], tickets: list[tuple[str, str, int]]) -> Board:
    """The USA board under other names, as a table may have taught it."""
    places = tuple(Place(id, name, "city", 0.5, 0.5) for id, name in names.items())
    deck = tuple(Ticket(f"{a}--{b}", (a, b), points, "") for a, b, points in tickets)
    return replace(USA, id="taught", places=places, routes=(), tickets=deck)


def test_cards_lying_every_way_round() -> None:
    photo = draw_hand(
        [
            DrawnCard(("BOSTON - MIAMI",), 12, 320, 300, 8),
            DrawnCard(("Denver - El Paso",), 4, 1000, 280, 178),
            DrawnCard(("SEATTLE", "NEW YORK"), 20, 380, 840, -88),
            DrawnCard(("Dallas", "New York"), 11, 1100, 850, 95),
        ]
    )
    reading = read_tickets([photo], USA)
    assert _sure(reading) == {
        ("boston", "miami"), ("denver", "el-paso"), ("seattle", "new-york"), ("dallas", "new-york"),
    }  # fmt: skip
    assert (reading.cards, reading.unread, reading.warnings) == (4, 0, ())
    assert {seen.ticket: seen.points for seen in reading.tickets}["boston", "miami"] == 12


def test_corners_go_round_from_the_top_left_as_printed() -> None:
    photo = draw_hand([DrawnCard(("Denver - El Paso",), 4, 800, 600, 180)])
    (seen,) = read_tickets([photo], USA).tickets
    # 480 x 310 px around (800, 600), upside down: its top left lies at the bottom right.
    expected = [[1040, 755], [560, 755], [560, 445], [1040, 445]]
    np.testing.assert_allclose(seen.corners_px, expected, atol=12)


def test_a_fan_that_shows_only_names() -> None:
    names = ["BOSTON - MIAMI", "DENVER - EL PASO", "DALLAS - NEW YORK", "CHICAGO - SANTA FE"]
    fan = [
        DrawnCard((words,), 9, 760 + 12 * k, 350 + 95 * k, 4 - 2 * k)
        for k, words in enumerate(names)
    ]
    reading = read_tickets([draw_hand(fan)], USA)
    assert reading.cards == 4
    assert _sure(reading) == {
        ("boston", "miami"), ("denver", "el-paso"), ("dallas", "new-york"), ("chicago", "santa-fe"),
    }  # fmt: skip


def test_a_taught_board_whose_names_are_spelled_otherwise_on_the_cards() -> None:
    board = _taught(
        {"a": "Sankt Gallen", "b": "Zürich", "c": "Château-d'Œx", "d": "Genève"},
        [("a", "b", 3), ("c", "d", 7)],
    )
    photo = draw_hand(
        [
            DrawnCard(("ST. GALLEN", "ZUERICH"), 3, 400, 400),
            DrawnCard(("GENEVE", "CHATEAU D OEX"), 7, 1050, 700),
        ]
    )
    assert _sure(read_tickets([photo], board)) == {("a", "b"), ("c", "d")}


def test_a_card_that_lies_face_down_is_counted_and_told() -> None:
    photo = draw_hand(
        [
            DrawnCard(("BOSTON - MIAMI",), 12, 350, 400),
            DrawnCard((), 0, 1000, 400, 5),
            DrawnCard(("DENVER - EL PASO",), 4, 700, 850),
        ]
    )
    reading = read_tickets([photo], USA)
    assert _sure(reading) == {("boston", "miami"), ("denver", "el-paso")}
    assert (reading.cards, reading.unread) == (3, 1)
    assert [warning.code for warning in reading.warnings] == ["no-names"]


def test_places_that_are_no_ticket_here_are_never_made_one() -> None:
    photo = draw_hand(
        [
            DrawnCard(("BOSTON - MIAMI",), 12, 400, 400),
            DrawnCard(("ATLANTA - HELENA",), 9, 1000, 800),  # no ticket of the board
        ]
    )
    reading = read_tickets([photo], USA)
    assert _sure(reading) == {("boston", "miami")}
    assert (reading.cards, reading.unread) == (2, 1)
    assert [warning.code for warning in reading.warnings] == ["other-deck"]


def test_cards_of_a_deck_with_other_places_are_counted_and_not_read() -> None:
    photo = draw_hand(
        [
            DrawnCard(("STOCKHOLM - TROMSO",), 17, 400, 400),
            DrawnCard(("BERGEN - HELSINKI",), 9, 1000, 800),
        ]
    )
    reading = read_tickets([photo], USA)
    assert _sure(reading) == set()
    assert reading.cards == 2


def test_points_that_contradict_the_names_are_asked_about() -> None:
    cards = [
        DrawnCard(("BOSTON - MIAMI",), 12, 320, 300),
        DrawnCard(("DENVER - EL PASO",), 4, 1000, 300),
        DrawnCard(("DALLAS - NEW YORK",), 11, 320, 800),
        DrawnCard(("CHICAGO - SANTA FE",), 20, 1000, 800),  # the deck's has 9
    ]
    reading = read_tickets([draw_hand(cards)], USA)
    asked = [seen for seen in reading.tickets if seen.review]
    assert [(seen.ticket, seen.printed) for seen in asked] == [(("chicago", "santa-fe"), 20)]
    assert len(asked[0].alternatives) == 2


def test_the_same_ticket_twice_is_asked_about() -> None:
    cards = [
        DrawnCard(("BOSTON - MIAMI",), 12, 350, 350),
        DrawnCard(("BOSTON - MIAMI",), 12, 1100, 800),
    ]
    reading = read_tickets([draw_hand(cards)], USA)
    assert sorted(seen.review for seen in reading.tickets) == [False, True]
    assert [warning.code for warning in reading.warnings] == ["same-ticket-twice"]


def test_two_photos_of_one_hand_are_one_hand() -> None:
    one = DrawnCard(("BOSTON - MIAMI",), 12, 350, 350)
    two = DrawnCard(("DENVER - EL PASO",), 4, 1000, 350)
    three = DrawnCard(("DALLAS - NEW YORK",), 11, 700, 850)
    reading = read_tickets([draw_hand([one, two]), draw_hand([two, three])], USA)
    assert reading.cards == 3
    assert _sure(reading) == {("boston", "miami"), ("denver", "el-paso"), ("dallas", "new-york")}
    assert {seen.ticket: seen.photo for seen in reading.tickets}["dallas", "new-york"] == 1


def test_a_table_without_cards_is_refused_and_the_photo_named() -> None:
    card = DrawnCard(("BOSTON - MIAMI",), 12, 800, 600)
    with pytest.raises(NoTicketsError, match="No ticket card") as refused:
        read_tickets([draw_hand([card]), draw_hand([])], USA)
    assert refused.value.photo == 1


def test_no_further_card_is_looked_at_when_the_photo_has_taken_long_enough() -> None:
    photo = draw_hand([DrawnCard(("BOSTON - MIAMI",), 12, 800, 600)])
    card = np.array([[560.0, 445], [1040, 445], [1040, 755], [560, 755]])
    networks = load_text_networks()
    assert look_at_cards(photo, [card], networks.limited_to(1)) != []
    assert look_at_cards(photo, [card], networks.limited_to(0)) == []


def test_a_page_of_text_is_refused_instead_of_read_for_minutes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three cards' names are longer than the 600 pixels that may be read here."""
    names = ("BOSTON - MIAMI", "DENVER - EL PASO", "DALLAS - NEW YORK")
    cards = [DrawnCard((name,), 8, 500, 300 + 350 * k) for k, name in enumerate(names)]
    photo = draw_hand(cards)
    assert len(read_tickets([photo], USA).tickets) == 3
    monkeypatch.setattr(reader, "MOST_TEXT_PX", 600)
    with pytest.raises(NoTicketsError, match="far more text") as refused:
        read_tickets([photo], USA)
    assert refused.value.photo == 0


def test_a_photo_of_the_whole_board_is_no_hand_of_many_cards() -> None:
    """All 36 names of the map where they are printed."""
    board = np.full((1400, 2100, 3), (170, 205, 215), np.uint8)
    for place in USA.places:
        assert place.x is not None
        assert place.y is not None
        at = round(place.x * 1800) + 60, round(place.y * 1250) + 60
        font = cv2.FONT_HERSHEY_DUPLEX
        cv2.putText(board, place.name.upper(), at, font, 1.1, (40, 40, 40), 2, cv2.LINE_AA)
    with pytest.raises(NoTicketsError, match="photograph them alone") as refused:
        read_tickets([board], USA)
    assert refused.value.photo == 0


def test_a_card_cut_by_the_edge_is_not_made_up() -> None:
    cards = [
        DrawnCard(("BOSTON - MIAMI",), 12, 500, 400),
        DrawnCard(("LOS ANGELES - NEW YORK",), 21, 1590, 800),  # only LOS ANG… is in the photo
    ]
    reading = read_tickets([draw_hand(cards)], USA)
    assert _sure(reading) == {("boston", "miami")}
    assert reading.cards == 2


def test_twenty_cards_are_read_and_the_number_remarked_on() -> None:
    decks = [ticket for ticket in USA.tickets if len("".join(ticket.places)) < 16][:20]
    names = {place.id: place.name for place in USA.places}
    cards = [
        DrawnCard(
            tuple(names[place].replace("é", "e") for place in ticket.places),
            ticket.points,
            190 + 305 * (k % 5),
            150 + 225 * (k // 5),
        )
        for k, ticket in enumerate(decks)
    ]
    reading = read_tickets([draw_hand(cards, scale=0.58)], USA)
    assert reading.cards == 20
    assert {seen.ticket for seen in reading.tickets} == {ticket.places for ticket in decks}
    assert "many-cards" in [warning.code for warning in reading.warnings]


def _on_a_screen(photo: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The photo as a screen shows it: dark lines between its rows of dots, and a moiré over it."""
    down, along = np.mgrid[0 : photo.shape[0], 0 : photo.shape[1]].astype(np.float32)
    lines = 1 - 0.25 * (along % 3 == 0)
    moire = 1 + 0.2 * np.sin(along * 0.21 + down * 0.03)
    return np.clip(photo * (lines * moire)[:, :, None], 0, 255).astype(np.uint8)


def test_a_photo_of_a_screen_is_read_like_the_cards_themselves() -> None:
    cards = [
        DrawnCard(("BOSTON - MIAMI",), 12, 400, 350),
        DrawnCard(("DENVER - EL PASO",), 4, 1050, 800),
    ]
    reading = read_tickets([_on_a_screen(draw_hand(cards))], USA)
    assert reading.cards == 2
    assert _sure(reading) == {("boston", "miami"), ("denver", "el-paso")}


def test_two_cards_that_touch_are_both_read() -> None:
    # 480 x 310 px each, end to end: for the eye of the program they are one long shape.
    cards = [
        DrawnCard(("BOSTON - MIAMI",), 12, 400, 300),
        DrawnCard(("DENVER - EL PASO",), 4, 880, 300, 180),
        DrawnCard(("DALLAS - NEW YORK",), 11, 700, 850),
    ]
    reading = read_tickets([draw_hand(cards)], USA)
    assert reading.cards == 3
    assert _sure(reading) == {("boston", "miami"), ("denver", "el-paso"), ("dallas", "new-york")}


def test_a_back_that_touches_a_card_is_counted() -> None:
    cards = [
        DrawnCard(("BOSTON - MIAMI",), 12, 400, 300),
        DrawnCard((), 0, 880, 300),
        DrawnCard(("DALLAS - NEW YORK",), 11, 700, 850),
    ]
    reading = read_tickets([draw_hand(cards)], USA)
    assert (reading.cards, reading.unread) == (3, 1)
    assert _sure(reading) == {("boston", "miami"), ("dallas", "new-york")}
