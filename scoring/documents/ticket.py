"""Reads tickets as a game's document names or types them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from scoring.board.board import Board, load_board
from scoring.board.game_names import game_name
from scoring.board.names import place_name
from scoring.board.spellings import place_meant, places_by_spelling
from scoring.fields import FieldReader, nearest
from scoring.game.game import CardSet, HeldTicket, held
from scoring.game.rules import BIG_CITIES, CARD_COLOURS, CARD_GAME_ID
from scoring.language import Message
from scoring.language.foreign import shown
from scoring.likeness import misspelt

KEYS: tuple[str, ...] = ("id", "from", "to", "points", "completed", "cards")
"""Fields of a ticket that is written as an object."""

MOST_TICKET_POINTS = 100


@dataclass(frozen=True, slots=True)
class TicketBook:
    """What a ticket's name is looked up in; `known_places` is None where no map is known."""

    title: Message | str
    """The game's name in a sentence."""
    by_id: Mapping[str, HeldTicket]
    by_places: Mapping[frozenset[str], HeldTicket]
    known_places: Collection[str] | None
    place_by_name: Mapping[str, str]
    name_of: Mapping[str, str]
    """Printed names of the known places."""
    usual_places: Collection[str] = ()
    """Places that are likely meant where no map is known; others are taken as they are typed."""

    def called(self, place: str) -> str:
        """A place's printed name, or its id made readable."""
        return self.name_of.get(place) or place_name(None, place)

    def pair(self, places: tuple[str, str]) -> str:
        """A ticket's two places by name."""
        return " – ".join(map(self.called, places))


def book_of_board(board: Board) -> TicketBook:
    """The tickets and places of a board.

    >>> from scoring.board.board import load_board
    >>> book_of_board(load_board("usa")).by_id["las-vegas--miami"].points
    21
    """
    tickets = [held(ticket) for ticket in board.tickets]
    called = {place.id: place.name for place in board.places}
    return _book(board.name, tickets, board.place_by_id, places_by_spelling(board), called)


def book_of_cards(card_set: CardSet | None) -> TicketBook:
    """The tickets of a taught Card Game, or an empty book; no map limits its places.

    Most of them are cities of the base game's map: those are found however they are written, and a
    slip away from one of them is told.

    >>> book_of_cards(None).by_id
    mappingproxy({})
    """
    usa = load_board("usa")
    tickets = () if card_set is None else card_set.tickets
    own = {place for ticket in tickets for place in ticket.places or ()}
    usual = dict.fromkeys((*BIG_CITIES, *usa.place_by_id, *sorted(own)))
    book = _book(game_name(CARD_GAME_ID), tickets, None, places_by_spelling(usa), {})
    return replace(book, usual_places=tuple(usual))


def read_big_cities(reader: FieldReader, value: object) -> Mapping[str, int]:
    """The values of the Card Game's big cities; each is found however it is written.

    >>> dict(read_big_cities(FieldReader("Ada", "big-cities", []), {"NY": 8, "miami": 6}))
    {'new-york': 8, 'miami': 6}
    """
    entries = reader.entries(value)
    if not set(entries) <= set(BIG_CITIES):
        book = book_of_cards(None)
        named = [(_unmapped(city, reader, book), points) for city, points in entries.items()]
        reader.unique([city for city, _ in named])
        entries = {city: points for city, points in named if city is not None}
    return reader.counts(entries, BIG_CITIES)


def empty_book(game: str) -> TicketBook:
    """For a game of which no tickets are known.

    >>> str(empty_book("paris").title)
    'Ticket to Ride Paris'
    """
    return _book(game_name(game), (), None, {}, {})


def _book(
    title: Message | str,
    tickets: Collection[HeldTicket],
    places: Collection[str] | None,
    names: Mapping[str, str],
    called: Mapping[str, str],
) -> TicketBook:
    return TicketBook(
        title=title,
        by_id=MappingProxyType({t.id: t for t in tickets if t.id is not None}),
        by_places=_by_places(tickets),
        known_places=places,
        place_by_name=names,
        name_of=called,
    )


def _by_places(tickets: Collection[HeldTicket]) -> Mapping[frozenset[str], HeldTicket]:
    """Tickets that their places name; two tickets of the same places need an id."""
    found: dict[frozenset[str], list[HeldTicket]] = {}
    for ticket in tickets:
        found.setdefault(frozenset(ticket.places or ()), []).append(ticket)
    return MappingProxyType({places: some[0] for places, some in found.items() if len(some) == 1})


def read_ticket(value: object, reader: FieldReader, book: TicketBook) -> HeldTicket | None:
    """One ticket in any of the shapes of a game's document; None after a problem.

    >>> from scoring.board.board import load_board
    >>> book = book_of_board(load_board("usa"))
    >>> ticket = read_ticket(["las-vegas", "miami"], FieldReader("Ada", "tickets", []), book)
    >>> ticket.points if ticket else None
    21
    """
    if isinstance(value, str):
        return _by_id(value, reader, book)
    if isinstance(value, dict):
        return _typed(value, reader, book)
    if isinstance(value, list) and len(value) == 2:
        return _named(value[0], value[1], reader, book)
    reader.report("ticket_shape", value=shown(value))
    return None


def _by_id(name: str, reader: FieldReader, book: TicketBook) -> HeldTicket | None:
    """A ticket by its id, whichever of the two places that has first."""
    ticket = book.by_id.get(name) or book.by_places.get(frozenset(name.split("--")))
    if ticket is None:
        reader.report("ticket_unknown", ticket=shown(name), game=book.title)
    return ticket


def _named(
    first: object, second: object, reader: FieldReader, book: TicketBook
) -> HeldTicket | None:
    places = _places(first, second, reader, book)
    if places is None:
        return None
    ticket = book.by_places.get(frozenset(places))
    if ticket is None:
        reader.report("ticket_unknown", ticket=book.pair(places), game=book.title)
        return None
    return replace(ticket, places=places)


def _typed(
    entries: Mapping[str, object], reader: FieldReader, book: TicketBook
) -> HeldTicket | None:
    """A ticket written as an object: by id, by places, or only by its value."""
    before = len(reader.problems)
    reader.known_keys(entries, KEYS)
    stated = reader.yes_or_no(entries["completed"]) if "completed" in entries else None
    recipe = _recipe(entries["cards"], reader) if "cards" in entries else None
    points = _points(entries, reader)
    ticket = _find(entries, reader, book, points)
    if len(reader.problems) > before:
        return None
    if ticket is not None and recipe in (None, ticket.recipe):
        named = _entry_places(entries, reader, book) or ticket.places
        return replace(ticket, places=named, stated=stated)
    places = ticket.places if ticket else _entry_places(entries, reader, book)
    if ticket is not None and points is None:
        points = ticket.points
    if points is None:
        reader.report("ticket_points_missing")
        return None
    return HeldTicket(points, places, None, stated, recipe)


def _points(entries: Mapping[str, object], reader: FieldReader) -> int | None:
    if "points" not in entries:
        return None
    return reader.at(f"{reader.field}.points").number(entries["points"], high=MOST_TICKET_POINTS)


def _find(
    entries: Mapping[str, object], reader: FieldReader, book: TicketBook, points: int | None
) -> HeldTicket | None:
    """The ticket of the set that an object means; one typed with another value is another."""
    if "id" in entries:
        word = reader.at(f"{reader.field}.id").word(entries["id"])
        return None if word is None else _by_id(word, reader, book)
    places = _entry_places(entries, reader, book)
    ticket = book.by_places.get(frozenset(places)) if places else None
    same_value = ticket is not None and points in (None, ticket.points)
    if places and ticket is None and points is None:
        reader.report("ticket_unknown", ticket=book.pair(places), game=book.title)
    return ticket if same_value else None


def _entry_places(
    entries: Mapping[str, object], reader: FieldReader, book: TicketBook
) -> tuple[str, str] | None:
    if "from" not in entries and "to" not in entries:
        return None
    return _places(entries.get("from"), entries.get("to"), reader, book)


def _places(
    first: object, second: object, reader: FieldReader, book: TicketBook
) -> tuple[str, str] | None:
    one, other = _place(first, reader, book), _place(second, reader, book)
    if one is None or other is None:
        return None
    if one == other:
        reader.report("ticket_same_places", place=book.called(one))
        return None
    return one, other


def _place(value: object, reader: FieldReader, book: TicketBook) -> str | None:
    """A place's id from its id or any of its spellings."""
    word = reader.word(value)
    if word is None:
        return None
    if book.known_places is None:
        return _unmapped(word, reader, book)
    if word in book.known_places:
        return word
    found = place_meant(book.place_by_name, word)
    if found is None:
        meant = _meant(word, book)
        name = "place_unknown" if meant is None else "place_misspelt"
        reader.report(name, place=shown(word), game=book.title, meant=meant)
    return found


def _meant(word: str, book: TicketBook) -> str | None:
    """The printed name of the place that was likely meant; ids are compared too."""
    called = {book.called(place): place for place in book.known_places or ()}
    found = nearest(word, called)
    if found is None:
        place = nearest(word, book.known_places or ())
        found = None if place is None else book.called(place)
    return found


def _begun(word: str, known: Collection[str]) -> str | None:
    """The one known place that begins with these letters, three at least.

    >>> _begun("los-ang", ["los-angeles", "new-york"]), _begun("new", ["new-orleans", "new-york"])
    ('los-angeles', None)
    """
    found = [place for place in known if len(word) > 2 and place.startswith(word)]
    return found[0] if len(found) == 1 else None


def unmapped_place(word: str, book: TicketBook) -> str:
    """The id of a place on no known map. The beginning of a single usual one means it: with "los
    ang" a ticket named no big city.

    >>> book = book_of_cards(None)
    >>> unmapped_place("Los Ang", book), unmapped_place("Lower Bay", book)
    ('los-angeles', 'lower-bay')
    """
    place = "-".join(word.lower().split())
    if place in book.usual_places:
        return place
    spelt = (place_meant(book.place_by_name, one) for one in (word, word.replace(".", "")))
    return next(filter(None, spelt), None) or _begun(place, book.usual_places) or place


def _unmapped(word: str, reader: FieldReader, book: TicketBook) -> str | None:
    """As `unmapped_place`; a slip away from a usual one is told, not taken."""
    place = unmapped_place(word, book)
    meant = None
    if place not in book.usual_places and place.replace("-", "").isalpha():
        meant = misspelt(place, book.usual_places)
    if meant is None:
        return place
    reader.report("place_like", place=shown(word), meant=book.called(meant))
    return None


def _recipe(value: object, reader: FieldReader) -> Mapping[str, int]:
    inner = reader.at(f"{reader.field}.cards")
    recipe = inner.counts(value, CARD_COLOURS, high=20)
    if isinstance(value, dict) and not sum(recipe.values()):
        inner.report("recipe_empty")
    return MappingProxyType({colour: count for colour, count in recipe.items() if count})
