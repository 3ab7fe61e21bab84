"""Reads one player of a game's document. Conflicts between players are checked later."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scoring.board.board import Board
from scoring.board.game_names import game_name
from scoring.documents.routes import read_routes
from scoring.documents.stations import read_bonuses, station_cities, stations_left
from scoring.documents.ticket import TicketBook, read_ticket
from scoring.fields import LONGEST_NAME, FieldReader
from scoring.game.colours import COLOURS
from scoring.game.game import TYPED_TABLES, HeldTicket, Player
from scoring.game.rules import ANY_MAP_ID, CARD_COLOURS, CARD_GAME_ID, Rules
from scoring.language import Message

PLAYER_KEYS: tuple[str, ...] = (
    "name",
    "colour",
    "routes",
    "route_lengths",
    "tickets",
    "completed",
    "failed",
    "first_pass",
    "passengers",
    "flags",
    "cards",
    "stations",
    "bonuses",
    "marker",
    "wagons_counted",
)
"""Every field of a player that any game knows."""


MOST_FLAGS = 50


@dataclass(frozen=True, slots=True)
class GameContext:
    """What all players of one game share while they are read."""

    game: str
    rules: Rules
    board: Board | None
    book: TicketBook

    @property
    def name(self) -> Message | str:
        """What the game is called."""
        return game_name(self.game) if self.board is None else self.board.name

    @property
    def colours(self) -> tuple[str, ...]:
        """Colours that the game's pieces have."""
        return COLOURS if self.board is None else self.board.player_colours

    @property
    def fields(self) -> frozenset[str]:
        """Fields that this game scores, besides everybody's name, colour, tickets and marker."""
        if self.game == CARD_GAME_ID:
            return frozenset({"completed", "failed", "first_pass", "cards"})
        names = {"routes"}
        if self.game in TYPED_TABLES:
            names.add("route_lengths")
        if self.rules.stations:
            names.add("stations")
        if self.game == ANY_MAP_ID or (self.board is not None and self.board.hand_bonuses):
            names.add("bonuses")
        if self.rules.bonuses.flag:
            names.add("flags")
        if self.rules.bonuses.passengers[0]:
            names.add("passengers")
        return frozenset(names)


def read_player(
    value: object, number: int, context: GameContext, problems: list[Message]
) -> Player:
    """The player at that place of the list (1 is the first), as far as it could be read.

    >>> from scoring.board.board import load_board
    >>> from scoring.documents.ticket import book_of_board
    >>> usa = load_board("usa")
    >>> context = GameContext("usa", usa.rules, usa, book_of_board(usa))
    >>> problems: list[Message] = []
    >>> read_player({"name": "Ada", "routes": ["denver--omaha"]}, 1, context, problems).routes
    ('denver--omaha',)
    """
    reader = FieldReader(f"player {number}", "player", problems)
    entries = reader.entries(value)
    name = _name(entries, reader) if isinstance(value, dict) else None
    own = FieldReader(name or reader.who, "player", problems)
    own.known_keys(entries, PLAYER_KEYS)
    _foreign_fields(entries, own, context)
    return Player(
        name=own.who,
        colour=_colour(entries.get("colour"), own.at("colour"), context),
        routes=_routes(entries.get("routes", []), own.at("routes"), context),
        route_lengths=_route_lengths(entries, own.at("route_lengths")),
        tickets=_hand(entries, own, context),
        first_pass=_tickets(entries, "first_pass", own, context, stated=True),
        passengers=_passengers(entries, own.at("passengers"), context),
        flags=own.at("flags").number(entries.get("flags", 0), high=MOST_FLAGS),
        cards=_cards(entries, own.at("cards")),
        stations=station_cities(entries, own.at("stations"), context.board, context.rules.stations),
        stations_left=stations_left(
            entries, own.at("stations"), context.board, context.rules.stations
        ),
        bonuses=read_bonuses(entries, own.at("bonuses"), context.board),
        marker=_number(entries, "marker", own),
        wagons_counted=_number(entries, "wagons_counted", own),
    )


def _number(entries: Mapping[str, object], field: str, reader: FieldReader) -> int | None:
    return reader.at(field).number(entries[field]) if field in entries else None


def _name(entries: Mapping[str, object], reader: FieldReader) -> str | None:
    name = reader.at("name").word(entries.get("name"))
    if name is not None and len(name) > LONGEST_NAME:
        reader.at("name").report("name_long", most=LONGEST_NAME)
    return None if name is None else name[:LONGEST_NAME]


def _colour(value: object, reader: FieldReader, context: GameContext) -> str | None:
    return None if value is None else reader.one_of(value, context.colours)


def _foreign_fields(
    entries: Mapping[str, object], reader: FieldReader, context: GameContext
) -> None:
    """Reports fields that this game does not score, such as passengers in the USA."""
    shared = {"name", "colour", "tickets", "marker", "wagons_counted"}
    for key in PLAYER_KEYS:
        if key not in shared | context.fields and _says_something(entries.get(key)):
            reader.at(key).report("foreign_field", game=context.name)


def _says_something(value: object) -> bool:
    """No list, no figure and no count but zeros: a form may send these for every game."""
    return any(value.values()) if isinstance(value, dict) else bool(value)


def _routes(value: object, reader: FieldReader, context: GameContext) -> tuple[str, ...]:
    if context.board is not None:
        return read_routes(value, reader, context.board)
    if reader.items(value) and context.game in TYPED_TABLES:
        reader.report("routes_without_map", game=game_name(context.game))
    return ()


def _route_lengths(entries: Mapping[str, object], reader: FieldReader) -> Mapping[int, int] | None:
    if "route_lengths" not in entries:
        return None
    if entries.get("routes"):
        reader.report("routes_and_lengths")
    return reader.by_length(entries["route_lengths"])


def _hand(
    entries: Mapping[str, object], reader: FieldReader, context: GameContext
) -> tuple[HeldTicket, ...]:
    """Tickets in hand, then those that a Card Game's players know to be done or not."""
    return (
        *_tickets(entries, "tickets", reader, context, stated=None),
        *_tickets(entries, "completed", reader, context, stated=True),
        *_tickets(entries, "failed", reader, context, stated=False),
    )


def _tickets(
    entries: Mapping[str, object],
    field: str,
    own: FieldReader,
    context: GameContext,
    *,
    stated: bool | None,
) -> tuple[HeldTicket, ...]:
    reader = own.at(field)
    tickets: list[HeldTicket] = []
    for number, value in enumerate(reader.items(entries.get(field, [])), start=1):
        inner = reader.inside(number)
        ticket = read_ticket(value, inner, context.book)
        if ticket is None:
            continue
        if stated is None:
            _report_undecided(ticket, inner, context, lengths="route_lengths" in entries)
            tickets.append(ticket)
        else:
            tickets.append(replace(ticket, stated=stated))
    return tuple(tickets)


def _report_undecided(
    ticket: HeldTicket, reader: FieldReader, context: GameContext, *, lengths: bool
) -> None:
    """Report a ticket of which it cannot be told whether it is completed."""
    if ticket.stated is not None:
        return
    if context.game == CARD_GAME_ID:
        if ticket.recipe is None:
            reader.report("ticket_needs_recipe")
    elif context.board is None or lengths or ticket.places is None:
        reader.report("ticket_needs_completed")


def _passengers(
    entries: Mapping[str, object], reader: FieldReader, context: GameContext
) -> Mapping[str, int]:
    bag = {} if context.board is None else context.board.passengers_in_bag
    if "passengers" not in context.fields or "passengers" not in entries:
        return {}
    return reader.counts(entries["passengers"], bag)


def _cards(entries: Mapping[str, object], reader: FieldReader) -> Mapping[str, int]:
    return reader.counts(entries.get("cards", {}), CARD_COLOURS)
