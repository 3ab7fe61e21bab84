"""Reading a hand as one straight line: outlines, text, plates, points, decision, all photos joined."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.board import Board
from vision.errors import NoTicketsError
from vision.photo import check_quality
from vision.tickets.choice import Claim, choose, make_claim
from vision.tickets.decide import decide
from vision.tickets.joining import PhotoReading, join_photos
from vision.tickets.left_over import corners_of, outline_of, unread_cards
from vision.tickets.names import Lexicon, make_lexicon, spellings
from vision.tickets.networks import load_text_networks
from vision.tickets.outlines import Outline, find_outlines
from vision.tickets.plates import ReadLine, make_plates
from vision.tickets.points import believed, read_points
from vision.tickets.reading import HandReading, Pair, TicketSeen
from vision.tickets.searching import find_all_lines, read_lines


def read_tickets(images_bgr: Sequence[NDArray[np.uint8]], board: Board) -> HandReading:
    """The ticket cards in photos of one hand, each image of shape (H, W, 3), uint8, BGR.

    Raises NoTicketsError where the board has no tickets or a photo shows no card, ImageError where
    one is too dark or blurred, TicketNetworksMissingError where the networks are not installed;
    the error's `photo` says which photo is meant.
    """
    if not board.tickets:
        raise NoTicketsError("vision.tickets.board-without-tickets", board=board.title)
    load_text_networks()
    lexicon = make_lexicon(board)
    photos = []
    for number, image in enumerate(images_bgr):
        try:
            check_quality(image)
            photos.append(_read_photo(image, board, lexicon, number))
        except (NoTicketsError, ValueError) as error:
            if hasattr(error, "photo"):
                error.photo = number
            raise
    return join_photos(board, photos)


def _read_photo(
    image_bgr: NDArray[np.uint8], board: Board, lexicon: Lexicon, number: int
) -> PhotoReading:
    networks = load_text_networks()
    outlines = find_outlines(image_bgr)
    lines = find_all_lines(image_bgr, outlines, networks)
    read = read_lines(image_bgr, lines, networks, lexicon)
    pairs = tuple(dict.fromkeys(_pair(ticket.places) for ticket in board.tickets))
    claims = choose([make_claim(plate, lexicon, pairs) for plate in make_plates(read, lexicon)])
    cards = [[read[k] for k in claim.plate.lines] for claim in claims]
    points = _points_by_pair(board)
    printed = believed(
        read_points(image_bgr, lines, cards, networks, lexicon),
        [points[claim.tickets[0]] for claim in claims],
    )
    tickets = [
        _ticket_seen(claim, card, value, board, outlines, number)
        for claim, card, value in zip(claims, cards, printed, strict=True)
        if claim.is_ticket
    ]
    strange = [card for claim, card in zip(claims, cards, strict=True) if not claim.is_ticket]
    unread = unread_cards(read, cards, strange, outlines, number)
    if not tickets and not unread:
        raise NoTicketsError("vision.tickets.no-cards")
    return PhotoReading(tuple(tickets), tuple(unread))


def _ticket_seen(
    claim: Claim,
    card: Sequence[ReadLine],
    printed: int | None,
    board: Board,
    outlines: Sequence[Outline],
    photo: int,
) -> TicketSeen:
    points = _points_by_pair(board)
    decision = decide(claim, _letters(claim.tickets[0], board), points, printed)
    values = points[decision.ticket]
    return TicketSeen(
        ticket=decision.ticket,
        points=printed if printed in values and printed is not None else max(values),
        confidence=decision.confidence,
        review=decision.review or (len(values) > 1 and printed not in values),
        corners_px=corners_of(card, outline_of(card, outlines)),
        photo=photo,
        alternatives=decision.alternatives,
        printed=printed,
    )


def _letters(pair: Pair, board: Board) -> int:
    """Letters of both names as the shortest spelling has them."""
    return sum(min(map(len, spellings(board.place_by_id[place].name))) for place in pair)


def _points_by_pair(board: Board) -> dict[Pair, set[int]]:
    values: dict[Pair, set[int]] = {}
    for ticket in board.tickets:
        values.setdefault(_pair(ticket.places), set()).add(ticket.points)
    return values


def _pair(places: tuple[str, str]) -> Pair:
    one, two = sorted(places)
    return one, two
