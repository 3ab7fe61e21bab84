"""Reads one player of a game's document: only shapes and names, not what players share."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scoring.board.board import BOARDS_WITH_DATA, Board, load_board
from scoring.documents.fields import LONGEST_NAME, Spot, nearest
from scoring.documents.stations import read_bonuses, station_cities, stations_left
from scoring.documents.ticket import TicketBook, read_ticket
from scoring.game.colours import COLOURS
from scoring.game.game import ANY_MAP_ID, TYPED_TABLES, HeldTicket, Player
from scoring.game.names import game_name
from scoring.game.rules import LOCOMOTIVE, TRAIN_COLOURS, Rules
from scoring.message import Message, shown

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
)
"""Every field of a player that any game knows."""


MOST_FLAGS = 50


@dataclass(frozen=True, slots=True)
class Table:
    """What all players of one game share while they are read."""

    game: str
    rules: Rules
    board: Board | None
    book: TicketBook

    @property
    def colours(self) -> tuple[str, ...]:
        """Colours that the game's pieces have."""
        return COLOURS if self.board is None else self.board.player_colours

    @property
    def fields(self) -> frozenset[str]:
        """Fields that this game scores, besides everybody's name, colour, tickets and marker."""
        if self.game == "card-game":
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


def read_player(value: object, number: int, table: Table, problems: list[Message]) -> Player:
    """The player at that place of the list (1 is the first), as far as it could be read."""
    spot = Spot(f"player {number}", "player", problems)
    entries = spot.entries(value)
    name = _name(entries, spot) if isinstance(value, dict) else None
    own = Spot(name or spot.who, "player", problems)
    own.known_keys(entries, PLAYER_KEYS)
    _foreign_fields(entries, own, table)
    return Player(
        name=own.who,
        colour=_colour(entries.get("colour"), own.at("colour"), table),
        routes=_routes(entries.get("routes", []), own.at("routes"), table),
        route_lengths=_route_lengths(entries, own.at("route_lengths")),
        tickets=_hand(entries, own, table),
        first_pass=_tickets(entries, "first_pass", own, table, stated=True),
        passengers=_passengers(entries, own.at("passengers"), table),
        flags=own.at("flags").number(entries.get("flags", 0), high=MOST_FLAGS),
        cards=_cards(entries, own.at("cards")),
        stations=station_cities(entries, own.at("stations"), table.board, table.rules.stations),
        stations_left=stations_left(entries, own.at("stations"), table.board, table.rules.stations),
        bonuses=read_bonuses(entries, own.at("bonuses"), table.board),
        marker=own.at("marker").number(entries["marker"]) if "marker" in entries else None,
    )


def _name(entries: Mapping[str, object], spot: Spot) -> str | None:
    name = spot.at("name").word(entries.get("name"))
    if name is not None and len(name) > LONGEST_NAME:
        spot.at("name").complain("name_long", most=LONGEST_NAME)
    return None if name is None else name[:LONGEST_NAME]


def _colour(value: object, spot: Spot, table: Table) -> str | None:
    return None if value is None else spot.one_of(value, table.colours)


def _foreign_fields(entries: Mapping[str, object], spot: Spot, table: Table) -> None:
    """Passengers in the USA score nothing: saying so beats leaving them out silently."""
    shared = {"name", "colour", "tickets", "marker"}
    for key in PLAYER_KEYS:
        if key not in shared | table.fields and entries.get(key):
            spot.at(key).complain("foreign_field", game=game_name(table.game, table.board))


def _routes(value: object, spot: Spot, table: Table) -> tuple[str, ...]:
    names = spot.items(value)
    if names and table.board is None:
        if table.game in TYPED_TABLES:
            spot.complain("routes_without_map", game=game_name(table.game))
        return ()
    read = (_route(name, spot, table.board) for name in names if table.board is not None)
    return tuple(name for name in read if name is not None)


def _route(name: object, spot: Spot, board: Board) -> str | None:
    if isinstance(name, str) and name in board.route_by_id:
        return name
    _complain_of_route(name, spot, board)
    return None


def _complain_of_route(name: object, spot: Spot, board: Board) -> None:
    """Say what an unknown route may have been meant to be."""
    own = game_name(board.id, board)
    if not isinstance(name, str):
        spot.complain("route_unknown", route=shown(name), game=own)
        return
    others = [other for other in BOARDS_WITH_DATA if name in load_board(other).route_by_id]
    if others:
        spot.complain("route_elsewhere", route=shown(name), game=own, other=game_name(others[0]))
        return
    meant = nearest(name, board.route_by_id)
    kind = "route_unknown" if meant is None else "route_misspelt"
    spot.complain(kind, route=shown(name), game=own, meant=meant)


def _route_lengths(entries: Mapping[str, object], spot: Spot) -> Mapping[int, int] | None:
    if "route_lengths" not in entries:
        return None
    if entries.get("routes"):
        spot.complain("routes_and_lengths")
    return spot.by_length(entries["route_lengths"])


def _hand(entries: Mapping[str, object], spot: Spot, table: Table) -> tuple[HeldTicket, ...]:
    """Tickets in hand, then those that a Card Game's players know to be done or not."""
    return (
        *_tickets(entries, "tickets", spot, table, stated=None),
        *_tickets(entries, "completed", spot, table, stated=True),
        *_tickets(entries, "failed", spot, table, stated=False),
    )


def _tickets(
    entries: Mapping[str, object], field: str, own: Spot, table: Table, *, stated: bool | None
) -> tuple[HeldTicket, ...]:
    spot = own.at(field)
    tickets: list[HeldTicket] = []
    for number, value in enumerate(spot.items(entries.get(field, [])), start=1):
        inner = spot.inside(number)
        ticket = read_ticket(value, inner, table.book)
        if ticket is None:
            continue
        if stated is None:
            _complain_of_undecided(ticket, inner, table, lengths="route_lengths" in entries)
            tickets.append(ticket)
        else:
            tickets.append(replace(ticket, stated=stated))
    return tuple(tickets)


def _complain_of_undecided(ticket: HeldTicket, spot: Spot, table: Table, *, lengths: bool) -> None:
    """Nobody could tell whether the ticket is completed."""
    if ticket.stated is not None:
        return
    if table.game == "card-game":
        if ticket.recipe is None:
            spot.complain("ticket_needs_recipe")
    elif table.board is None or lengths or ticket.places is None:
        spot.complain("ticket_needs_completed")


def _passengers(entries: Mapping[str, object], spot: Spot, table: Table) -> Mapping[str, int]:
    bag = {} if table.board is None else table.board.passengers_in_bag
    if "passengers" not in table.fields or "passengers" not in entries:
        return {}
    return spot.counts(entries["passengers"], bag)


def _cards(entries: Mapping[str, object], spot: Spot) -> Mapping[str, int]:
    return spot.counts(entries.get("cards", {}), (*TRAIN_COLOURS, LOCOMOTIVE))
