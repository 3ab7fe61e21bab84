"""What the rules forbid although the final position is clear: reported beside the sheet.

All breaches are found in one go, as in python-chess's `Board.status()`. Contradictions that
leave open who holds what are no violations but make the game unusable (`scoring.game.checks`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.board.board import Board
from scoring.board.names import place_name, places_name, route_name
from scoring.game.game import Game, HeldTicket, Player
from scoring.game.rules import CARD_GAME_ID, DECK, PARIS_TICKETS
from scoring.language import Message
from scoring.language.lists import listed
from scoring.network import components, joins


@dataclass(frozen=True, slots=True)
class Violation:
    """One breach: a `code` for programs, a sentence for people, and whom and what it concerns."""

    code: str
    message: Message
    players: tuple[str, ...]
    routes: tuple[str, ...] = ()

    def to_json(self, language: str = "en") -> dict[str, object]:
        """The JSON document of one violation."""
        return {
            "code": self.code,
            "text": self.message.text(language),
            "players": list(self.players),
            "routes": list(self.routes),
        }


def find_violations(game: Game) -> tuple[Violation, ...]:
    """Every breach in a game, in the order of the rulebook's chapters.

    >>> from scoring.documents.game import parse_game
    >>> both = ["dallas--houston-1", "dallas--houston-2"]
    >>> game = parse_game({"game": "usa", "players": [{"name": "Ada", "routes": both}]})
    >>> [violation.code for violation in find_violations(game)]
    ['double-by-one']
    """
    return (
        *_parallel_lines(game),
        *_too_many_pieces(game),
        *_crossings(game),
        *_stations_together(game),
        *_too_many_tickets(game),
        *_typed_twice(game),
        *_too_many_cards(game),
        *_statements_against_the_map(game),
        *_first_pass_without_need(game),
    )


def _parallel_lines(game: Game) -> Iterator[Violation]:
    """One player never holds two lines of a double; with few players only one line is open."""
    if game.board is None:
        return
    count, open_from = len(game.players), game.rules.doubles_open_from
    for routes in game.board.parallel_groups.values():
        held = [route.id for route in routes if route.id in game.owner_by_route]
        owners = [game.owner_by_route[route] for route in held]
        for owner in sorted(set(owners)):
            mine = tuple(r for r, o in zip(held, owners, strict=True) if o == owner)
            if len(mine) > 1:
                yield _violation("double-by-one", (game.players[owner],), mine, board=game.board)
        if len(set(owners)) > 1 and count < open_from:
            players = tuple(game.players[owner] for owner in dict.fromkeys(owners))
            yield _violation("double-closed", players, tuple(held), board=game.board, count=count)


def _too_many_pieces(game: Game) -> Iterator[Violation]:
    most = game.rules.pieces
    for player in game.players:
        used = pieces_used(game, player)
        if most is not None and used > most:
            yield _violation("too-many-wagons", (player,), (), used=used, most=most)


def pieces_used(game: Game, player: Player) -> int:
    """Wagons (buses in Paris) that a player has on the board.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "routes": ["denver--omaha", "atlanta--miami"]}
    >>> game = parse_game({"game": "usa", "players": [ada]})
    >>> pieces_used(game, game.players[0])
    9
    """
    if player.route_lengths is not None:
        return sum(length * count for length, count in player.route_lengths.items())
    if game.board is None:
        return 0
    return sum(game.board.route_by_id[name].length for name in player.routes)


def pieces_left(game: Game, player: Player) -> int | None:
    """Pieces that should still lie before a player, never below 0; None where there are none.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "routes": ["denver--omaha"]}
    >>> game = parse_game({"game": "usa", "players": [ada]})
    >>> pieces_left(game, game.players[0])  # 45 less a route of 4
    41
    """
    most = game.rules.pieces
    return None if most is None else max(0, most - pieces_used(game, player))


CROSSING_BY_TRACKS: tuple[str, ...] = ("crossing", "crossing-track", "crossing-tracks")
"""The breach of two lines that cross, by how many of them are built and not claimed."""


def _crossings(game: Game) -> Iterator[Violation]:
    """Of two lines that cross only one can be built (rulebook 002)."""
    crossings = () if game.board is None else game.board.crossings
    for pair in crossings:
        if not all(map(game.is_built, pair)):
            continue
        tracks = [route for route in pair if route not in game.owner_by_route]
        owners = dict.fromkeys(game.owner_by_route[one] for one in pair if one not in tracks)
        holders = tuple(game.players[owner] for owner in owners)
        code = CROSSING_BY_TRACKS[len(tracks)]
        track = ", ".join(route_name(game.board, route) for route in tracks)
        yield _violation(code, holders, pair, board=game.board, track=track)


def _stations_together(game: Game) -> Iterator[Violation]:
    """A city has room for one station (an edition's own rule, as it is generally known)."""
    owners: dict[str, list[Player]] = {}
    for player in game.players:
        for city in player.stations:
            owners.setdefault(city, []).append(player)
    for city, players in owners.items():
        if len(players) > 1:
            yield _violation(
                "station-twice", tuple(players), (), place=place_name(game.board, city)
            )


def _too_many_tickets(game: Game) -> Iterator[Violation]:
    """No player is named: how many tickets each holds is nobody else's business."""
    most = tickets_in_set(game)
    held = sum(len(player.tickets) for player in game.players)
    if most is not None and held > most:
        yield _violation("too-many-tickets", (), (), total=held, most=most)


def tickets_in_set(game: Game) -> int | None:
    """Tickets that the set holds; None where nobody knows.

    >>> from scoring.documents.game import parse_game
    >>> tickets_in_set(parse_game({"game": "paris", "players": [{"name": "Ada"}]}))
    20
    """
    if game.board is not None:
        return len(game.board.tickets) or None
    return PARIS_TICKETS if game.id == "paris" else None


def may_be_one_card(tickets: Sequence[HeldTicket]) -> bool:
    """Whether some of these tickets may be the same card: of a set's, those of one id.

    >>> typed = HeldTicket(9, ("Dieppe", "Paris"))
    >>> first, second = (HeldTicket(9, ("Paris", "Dieppe"), id=id) for id in ("a", "b"))
    >>> may_be_one_card([first, second]), may_be_one_card([first, typed])
    (False, True)
    """
    return any(
        one.places is not None
        and other.places is not None
        and frozenset(one.places) == frozenset(other.places)
        and (one.id == other.id or None in (one.id, other.id))
        for one, other in combinations(tickets, 2)
    )


def _typed_twice(game: Game) -> Iterator[Violation]:
    """Two typed tickets of the same places may be one card typed twice, or two editions' cards.

    Two that a set tells apart by their ids are two cards.
    """
    holders: dict[frozenset[str], list[tuple[Player, HeldTicket]]] = {}
    for player in game.players:
        for ticket in (*player.tickets, *player.first_pass):
            if ticket.places is not None:
                holders.setdefault(frozenset(ticket.places), []).append((player, ticket))
    for held in holders.values():
        if may_be_one_card([ticket for _, ticket in held]):
            named = tuple(dict.fromkeys(player.name for player, _ in held))
            words = Message(
                "scoring.violation.ticket-twice",
                players=listed(named),
                routes="",
                ticket=places_name(game.board, held[0][1].places or ()),
            )
            yield Violation("ticket-twice", words, named)


def _too_many_cards(game: Game) -> Iterator[Violation]:
    """Piles that together hold more of a colour than the deck, where that is no contradiction."""
    for colour, most in DECK.items() if game.id == CARD_GAME_ID else ():
        holders = tuple(player for player in game.players if player.cards.get(colour))
        total = sum(player.cards[colour] for player in holders)
        if total > most:
            yield _violation("too-many-cards", holders, (), colour=colour, total=total, most=most)


def _statements_against_the_map(game: Game) -> Iterator[Violation]:
    """A ticket said to be done (or not) although the player's own routes say otherwise."""
    for player in game.players:
        if game.board is None or player.route_lengths is not None:
            continue
        found = components(game.board, player.ticket_routes)
        for ticket in player.tickets:
            if ticket.places is None or ticket.stated is None:
                continue
            if joins(found, ticket.places) != ticket.stated:
                named = places_name(game.board, ticket.places)
                yield _violation("ticket-disagrees", (player,), (), ticket=named)


def _first_pass_without_need(game: Game) -> Iterator[Violation]:
    """With two or three players the Card Game has one pass only (rulebook 003)."""
    if len(game.players) in (2, 3):
        early = tuple(player for player in game.players if player.first_pass)
        if early:
            yield _violation("first-pass", early, (), count=len(game.players))


def _violation(
    code: str,
    players: tuple[Player, ...],
    routes: tuple[str, ...],
    board: Board | None = None,
    **values: object,
) -> Violation:
    names = tuple(player.name for player in players)
    called = listed([route_name(board, route) for route in routes])
    words = Message(f"scoring.violation.{code}", players=listed(names), routes=called, **values)
    return Violation(code, words, names, routes)
