"""Reads tickets as a game's document names or types them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from scoring.board.board import Board, load_board
from scoring.board.names import place_name
from scoring.documents.fields import Spot, nearest
from scoring.game.game import CardSet, HeldTicket, held
from scoring.game.names import game_name
from scoring.game.rules import BIG_CITIES, LOCOMOTIVE, TRAIN_COLOURS
from scoring.likeness import misspelt
from scoring.message import shown

KEYS: tuple[str, ...] = ("id", "from", "to", "points", "completed", "cards")
"""Fields of a ticket that is written as an object."""

MOST_TICKET_POINTS = 100


@dataclass(frozen=True, slots=True)
class TicketBook:
    """What a ticket's name is looked up in; `known_places` is None where no map is known."""

    title: object
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
    """The tickets and places of a board."""
    tickets = [held(ticket) for ticket in board.tickets]
    names = {place.name.casefold(): place.id for place in board.places}
    called = {place.id: place.name for place in board.places}
    return _book(game_name(board.id, board), tickets, board.place_by_id, names, called)


def book_of_cards(card_set: CardSet | None) -> TicketBook:
    """The tickets of a taught Card Game, or an empty book; its places are no map's.

    Most of them are cities of the base game's map, so a slip away from one of those is told.
    """
    tickets = () if card_set is None else card_set.tickets
    own = {place for ticket in tickets for place in ticket.places or ()}
    usual = dict.fromkeys((*BIG_CITIES, *load_board("usa").place_by_id, *sorted(own)))
    return replace(_book(game_name("card-game"), tickets, None, {}, {}), usual_places=tuple(usual))


def empty_book(game: str) -> TicketBook:
    """For a game of which no tickets are known."""
    return _book(game_name(game), (), None, {}, {})


def _book(
    title: object,
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
    """Tickets that their places name; where two have the same ones, only an id tells them apart."""
    found: dict[frozenset[str], list[HeldTicket]] = {}
    for ticket in tickets:
        found.setdefault(frozenset(ticket.places or ()), []).append(ticket)
    return MappingProxyType({places: some[0] for places, some in found.items() if len(some) == 1})


def read_ticket(value: object, spot: Spot, book: TicketBook) -> HeldTicket | None:
    """One ticket in any of the contracts' shapes; None after a problem."""
    if isinstance(value, str):
        return _by_id(value, spot, book)
    if isinstance(value, dict):
        return _typed(value, spot, book)
    if isinstance(value, list) and len(value) == 2:
        return _named(value[0], value[1], spot, book)
    spot.complain("ticket_shape", value=shown(value))
    return None


def _by_id(name: str, spot: Spot, book: TicketBook) -> HeldTicket | None:
    ticket = book.by_id.get(name)
    if ticket is None:
        spot.complain("ticket_unknown", ticket=shown(name), game=book.title)
    return ticket


def _named(first: object, second: object, spot: Spot, book: TicketBook) -> HeldTicket | None:
    places = _places(first, second, spot, book)
    if places is None:
        return None
    ticket = book.by_places.get(frozenset(places))
    if ticket is None:
        spot.complain("ticket_unknown", ticket=book.pair(places), game=book.title)
        return None
    return replace(ticket, places=places)


def _typed(entries: Mapping[str, object], spot: Spot, book: TicketBook) -> HeldTicket | None:
    """A ticket written as an object: by id, by places, or only by its value."""
    before = len(spot.problems)
    spot.known_keys(entries, KEYS)
    stated = spot.yes_or_no(entries["completed"]) if "completed" in entries else None
    recipe = _recipe(entries["cards"], spot) if "cards" in entries else None
    points = _points(entries, spot)
    ticket = _find(entries, spot, book, points)
    if len(spot.problems) > before:
        return None
    if ticket is not None and recipe in (None, ticket.recipe):
        named = _entry_places(entries, spot, book) or ticket.places
        return replace(ticket, places=named, stated=stated)
    places = ticket.places if ticket else _entry_places(entries, spot, book)
    if ticket is not None and points is None:
        points = ticket.points
    if points is None:
        spot.complain("ticket_points_missing")
        return None
    return HeldTicket(points, places, None, stated, recipe)


def _points(entries: Mapping[str, object], spot: Spot) -> int | None:
    if "points" not in entries:
        return None
    return spot.at(f"{spot.field}.points").number(entries["points"], high=MOST_TICKET_POINTS)


def _find(
    entries: Mapping[str, object], spot: Spot, book: TicketBook, points: int | None
) -> HeldTicket | None:
    """The ticket of the set that an object means; one typed with another value is another."""
    if "id" in entries:
        word = spot.at(f"{spot.field}.id").word(entries["id"])
        return None if word is None else _by_id(word, spot, book)
    places = _entry_places(entries, spot, book)
    ticket = book.by_places.get(frozenset(places)) if places else None
    same_value = ticket is not None and points in (None, ticket.points)
    if places and ticket is None and points is None:
        spot.complain("ticket_unknown", ticket=book.pair(places), game=book.title)
    return ticket if same_value else None


def _entry_places(
    entries: Mapping[str, object], spot: Spot, book: TicketBook
) -> tuple[str, str] | None:
    if "from" not in entries and "to" not in entries:
        return None
    return _places(entries.get("from"), entries.get("to"), spot, book)


def _places(first: object, second: object, spot: Spot, book: TicketBook) -> tuple[str, str] | None:
    one, other = _place(first, spot, book), _place(second, spot, book)
    if one is None or other is None:
        return None
    if one == other:
        spot.complain("ticket_same_places", place=book.called(one))
        return None
    return one, other


def _place(value: object, spot: Spot, book: TicketBook) -> str | None:
    """A place's id from its id or its printed name."""
    word = spot.word(value)
    if word is None:
        return None
    if book.known_places is None:
        return _unmapped(word, spot, book)
    if word in book.known_places:
        return word
    found = book.place_by_name.get(word.casefold())
    if found is None:
        meant = _meant(word, book)
        name = "place_unknown" if meant is None else "place_misspelt"
        spot.complain(name, place=shown(word), game=book.title, meant=meant)
    return found


def _meant(word: str, book: TicketBook) -> str | None:
    """The printed name of the place that was likely meant; ids are compared too."""
    called = {book.called(place): place for place in book.known_places or ()}
    found = nearest(word, called)
    if found is None:
        place = nearest(word, book.known_places or ())
        found = None if place is None else book.called(place)
    return found


def _unmapped(word: str, spot: Spot, book: TicketBook) -> str | None:
    """The id of a place on no known map; a slip away from a usual one is told, not taken."""
    place = "-".join(word.lower().split())
    meant = None
    if place not in book.usual_places and place.replace("-", "").isalpha():
        meant = misspelt(place, book.usual_places)
    if meant is None:
        return place
    spot.complain("place_like", place=shown(word), meant=book.called(meant))
    return None


def _recipe(value: object, spot: Spot) -> Mapping[str, int]:
    inner = spot.at(f"{spot.field}.cards")
    recipe = inner.counts(value, (*TRAIN_COLOURS, LOCOMOTIVE), high=20)
    if isinstance(value, dict) and not sum(recipe.values()):
        inner.complain("recipe_empty")
    return MappingProxyType({colour: count for colour, count in recipe.items() if count})
