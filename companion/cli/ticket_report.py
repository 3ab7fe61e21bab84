"""Prints the tickets of a hand for people: what is sure, what is asked, what was not told."""

from collections.abc import Iterator

from scoring.board.board import Board
from scoring.board.names import places_name
from scoring.language import text
from vision.tickets.reading import HandReading, TicketSeen


def ticket_report(reading: HandReading, board: Board, language: str) -> str:
    """The whole hand in lines."""
    return "\n".join(_lines(reading, board, language))


def _lines(reading: HandReading, board: Board, language: str) -> Iterator[str]:
    read = len(reading.tickets)
    cards = reading.cards
    yield text("companion.tickets.found", language, cards=cards, read=read, board=board.name)
    for seen in reading.tickets:
        yield f"    {_words(seen, board)}"
        if seen.review:
            choices = ", ".join(
                places_name(board, pair) for pair in (seen.ticket, *seen.alternatives)
            )
            yield "      " + text("companion.tickets.asked", language, choices=choices)
    yield from (f"! {warning.message.text(language)}" for warning in reading.warnings)


def _words(seen: TicketSeen, board: Board) -> str:
    mark = " ?" if seen.review else ""
    return f"{places_name(board, seen.ticket)} ({seen.points}){mark}"
