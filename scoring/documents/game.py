"""Reads a game's parsed document (`GAME.json`) and reports every problem that it has at once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from scoring.board.board import Board, load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.documents.player import GameContext, read_player
from scoring.documents.routes import read_routes, read_track_pieces, route_meant
from scoring.documents.settings import read_settings
from scoring.documents.ticket import book_of_board, book_of_cards, empty_book
from scoring.errors import AssumptionError, GameError, UnknownBoardError
from scoring.fields import FieldReader
from scoring.game.checks import table_problems
from scoring.game.game import CardSet, Game, Player, owner_index
from scoring.game.rules import ANY_MAP, ANY_MAP_ID, CARD_GAME, CARD_GAME_ID, PARIS, Rules, Settings
from scoring.language import Message
from scoring.language.foreign import shown

GAMES: tuple[str, ...] = (*BOARDS_WITH_DATA, "paris", CARD_GAME_ID, ANY_MAP_ID)
"""Every game that is scored without being taught."""

Taught = Board | CardSet
"""What players may teach: a board, or the Card Game's tickets."""

GAME_KEYS: tuple[str, ...] = ("game", "players", "settings", "track_pieces", "unanswered")


def parse_game(
    data: object,
    taught: Taught | None = None,
    assumptions: Mapping[str, str | None] = MappingProxyType({}),
    shared_tickets: bool = False,
) -> Game:
    """The game of a parsed JSON document.

    `taught` is the board or card set of a game that the players taught. `assumptions` gives routes
    to another owner (a colour, a player's name, or None for nobody) for the sake of argument.
    With `shared_tickets` a ticket that two players hold is a violation, and both score it; else it
    makes the game contradictory. So are cards of several piles that the deck does not hold
    together. The panel, where hands are secret, sets it: it could not ask one player without giving
    away the other's ticket or pile.
    Raises UnknownBoardError for an unknown game, GameError with every problem found, and
    AssumptionError where an assumed route or owner isn't in the game.

    >>> ada = {"name": "Ada", "colour": "red", "routes": ["denver--omaha"]}
    >>> parse_game({"game": "usa", "players": [ada]}).owner_by_route["denver--omaha"]
    0
    """
    problems: list[Message] = []
    top = FieldReader("game", "document", problems)
    entries = top.entries(data)
    top.known_keys(entries, GAME_KEYS)
    context = _context(entries, top.at("game"), taught) if isinstance(data, dict) else None
    if context is None:
        raise GameError(problems)
    settings = read_settings(entries.get("settings", {}), top.at("settings"))
    if isinstance(taught, CardSet) and not settings.big_cities:
        settings = replace(settings, big_cities=taught.big_cities)
    if context.game == ANY_MAP_ID and context.board is None:
        context = replace(context, rules=_any_rules(settings))
    players = _players(entries, top.at("players"), context)
    assumed = _assumed(assumptions, players, context)
    players = _with_assumed(players, assumed)
    game = Game(context.game, context.rules, settings, players, context.board, assumed)
    game = _with_board_notes(game, entries, top)
    problems.extend(table_problems(game, shared_tickets))
    if problems:
        raise GameError(problems)
    return game


def _with_board_notes(game: Game, entries: Mapping[str, object], top: FieldReader) -> Game:
    """The game with what else is known of its board: track pieces, and questions left open."""
    if game.board is None:
        return game
    tracks, left = top.at("track_pieces"), top.at("unanswered")
    return replace(
        game,
        track_pieces=read_track_pieces(entries.get("track_pieces", []), tracks, game.board),
        unanswered=read_routes(entries.get("unanswered", []), left, game.board),
    )


def _context(
    entries: Mapping[str, object], reader: FieldReader, taught: Taught | None
) -> GameContext | None:
    """The game that a document is about, with its map and tickets as far as they are known."""
    if "game" not in entries:
        reader.report("game_missing", known=", ".join(GAMES))
        return None
    name = reader.word(entries["game"])
    if name is None:
        return None
    if isinstance(taught, Board) and taught.id == name:
        return GameContext(name, taught.rules, taught, book_of_board(taught))
    if name == CARD_GAME_ID:
        card_set = taught if isinstance(taught, CardSet) else None
        return GameContext(name, CARD_GAME, None, book_of_cards(card_set))
    if name == "paris":
        return GameContext(name, PARIS, None, empty_book(name))
    if name == ANY_MAP_ID:
        return GameContext(name, ANY_MAP, None, empty_book(name))
    if name not in BOARDS_WITH_DATA:
        raise UnknownBoardError("scoring.unknown.game", game=shown(name), known=", ".join(GAMES))
    board = load_board(name)
    return GameContext(name, board.rules, board, book_of_board(board))


def _any_rules(settings: Settings) -> Rules:
    """The base game's figures, each replaced by the table's own where it gave one."""
    pieces, stations = settings.wagons_per_player, settings.stations_per_player
    each = settings.station_points
    return replace(
        ANY_MAP,
        pieces=ANY_MAP.pieces if pieces is None else pieces,
        stations=ANY_MAP.stations if stations is None else stations,
        bonuses=ANY_MAP.bonuses if each is None else replace(ANY_MAP.bonuses, station=each),
    )


def _players(
    entries: Mapping[str, object], reader: FieldReader, context: GameContext
) -> tuple[Player, ...]:
    values = reader.items(entries.get("players"))
    most = context.rules.most_players
    if isinstance(entries.get("players"), list) and not 1 <= len(values) <= most:
        reader.report("player_count", count=len(values), most=most, game=context.name)
    return tuple(
        read_player(value, number, context, reader.problems)
        for number, value in enumerate(values[:most], start=1)
    )


def _assumed(
    assumptions: Mapping[str, str | None], players: Sequence[Player], context: GameContext
) -> Mapping[str, int | None]:
    """The assumed routes, each with the index of its player; raises AssumptionError."""
    assumed: dict[str, int | None] = {}
    for route, owner in assumptions.items():
        _check_assumed_route(route, context)
        assumed[route] = None if owner is None else owner_index(owner, players)
    return MappingProxyType(assumed)


def _with_assumed(
    players: tuple[Player, ...], assumed: Mapping[str, int | None]
) -> tuple[Player, ...]:
    """The players with the assumed routes taken from whoever holds them and given away anew."""
    given = [[route for route, to in assumed.items() if to == i] for i in range(len(players))]
    return tuple(
        replace(player, routes=(*(r for r in player.routes if r not in assumed), *own))
        for player, own in zip(players, given, strict=True)
    )


def _check_assumed_route(route: str, context: GameContext) -> None:
    if context.board is None:
        raise AssumptionError("scoring.assumed.no-map", game=context.game)
    if route not in context.board.route_by_id:
        values = {"route": shown(route), "game": context.game}
        meant = route_meant(route, context.board)
        if meant is None:
            raise AssumptionError("scoring.assumed.no-route", **values)
        raise AssumptionError("scoring.assumed.misspelt-route", **values, meant=meant)
