"""Reads the Card Game's tickets and big-city cards from the file that its owners wrote."""

from collections.abc import Mapping
from types import MappingProxyType

from scoring.board.format import FORMAT
from scoring.documents.ticket import TicketBook, book_of_cards, read_big_cities, read_ticket
from scoring.errors import BoardDataError
from scoring.fields import FieldReader
from scoring.game.game import CardSet, HeldTicket
from scoring.game.rules import CARD_GAME_ID, CARD_GAME_TICKETS
from scoring.language import Message
from scoring.language.foreign import shown

KEYS: tuple[str, ...] = ("format", "id", "title", "tickets", "big_cities", "unverified")


def card_set_from_json(data: object) -> CardSet:
    """The card set of a parsed document; raises BoardDataError with every problem found.

    >>> ticket = {"from": "chicago", "to": "miami", "points": 5, "cards": {"red": 1}}
    >>> document = {"format": 1, "id": "card-game", "title": "Ours", "tickets": [ticket]}
    >>> card_set_from_json(document).title
    'Ours'
    """
    problems: list[Message] = []
    reader = FieldReader(CARD_GAME_ID, "document", problems)
    entries = reader.entries(data)
    if isinstance(data, dict) and entries.get("format") != FORMAT:
        reader.at("format").report("format", value=shown(entries.get("format")), known=FORMAT)
    reader.known_keys(entries, KEYS)
    title = reader.at("title").word(entries.get("title")) or CARD_GAME_ID
    tickets = _tickets(entries.get("tickets"), reader.at("tickets"))
    big_cities = read_big_cities(reader.at("big_cities"), entries.get("big_cities", {}))
    if problems:
        raise BoardDataError(problems)
    return CardSet(title, tickets, MappingProxyType(dict(big_cities)))


def _tickets(value: object, reader: FieldReader) -> tuple[HeldTicket, ...]:
    """Tickets with places, value and recipe; ids are given or made of the places as written."""
    items = reader.items(value)
    if len(items) > CARD_GAME_TICKETS:
        reader.report("many_tickets", count=len(items), most=CARD_GAME_TICKETS)
    book = book_of_cards(None)
    read = [_ticket(item, reader.inside(n), book) for n, item in enumerate(items, start=1)]
    tickets = tuple(ticket for ticket in read if ticket is not None)
    reader.unique([ticket.id for ticket in tickets])
    return tickets


def _ticket(item: object, reader: FieldReader, book: TicketBook) -> HeldTicket | None:
    entries = reader.entries(item)
    typed = {key: value for key, value in entries.items() if key != "id"}
    ticket = read_ticket(typed, reader, book) if isinstance(item, dict) else None
    if ticket is None:
        return None
    if ticket.places is None or ticket.recipe is None or ticket.stated is not None:
        reader.report("card_ticket")
        return None
    name = reader.word(entries["id"]) if "id" in entries else _id(typed)
    return HeldTicket(ticket.points, ticket.places, name, None, ticket.recipe)


def _id(typed: Mapping[str, object]) -> str:
    """Of the places as they are written: logs hold it, whatever spelling is understood later."""
    return "--".join("-".join(str(typed[end]).lower().split()) for end in ("from", "to"))
