"""What the referee asks before the sheet: whether the reading and the entries are whole."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from scoring.board.names import place_name, places_name
from scoring.game.game import Game, Player
from scoring.game.rules import BIG_CITIES, CARD_GAME_ID, LAST_ROUND_AT
from scoring.language.lists import listed
from scoring.referee.bounds import most_flags, most_passengers
from scoring.referee.last_round import last_round, wagons_left
from scoring.referee.remark import Remark, make_remark
from scoring.sheet.account import account_of
from scoring.sheet.markers import check_markers
from scoring.sheet.violations import may_be_one_card


def remarks_before_sheet(game: Game) -> tuple[Remark, ...]:
    """Every remark on a game that is about to be scored, the surest mistakes first.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "routes": ["denver--omaha"]}
    >>> game = parse_game({"game": "usa", "players": [ada]})
    >>> [remark.code for remark in remarks_before_sheet(game)]
    ['one-player', 'no-tickets', 'nobody-ended', 'wagons-left']
    """
    return (
        *_one_player(game),
        *_flags(game),
        *_passengers(game),
        *_no_passengers(game),
        *_no_cards(game),
        *_markers(game),
        *_tickets(game),
        *_shared_tickets(game),
        *_big_cities(game),
        *_no_routes(game),
        *_nobody_ended(game),
        *_other_counts(game),
        *_unanswered(game),
        *_wagons_left(game),
    )


def _one_player(game: Game) -> Iterator[Remark]:
    if len(game.players) == 1:
        yield make_remark("one-player", (game.players[0].name,), who=game.players[0].name)


def _flags(game: Game) -> Iterator[Remark]:
    for player in game.players:
        most = most_flags(game, player)
        if most is not None and player.flags > most:
            yield make_remark(
                "flags", (player.name,), who=player.name, flags=player.flags, most=most
            )


def _passengers(game: Game) -> Iterator[Remark]:
    for player in game.players:
        most, count = most_passengers(game, player), sum(player.passengers.values())
        if most is not None and count > most:
            routes = len(player.routes)
            yield make_remark(
                "passengers",
                (player.name,),
                who=player.name,
                passengers=count,
                most=most,
                lines=routes,
            )


def _no_passengers(game: Game) -> Iterator[Remark]:
    """Whoever claims a route takes passengers along; with routes and none they were forgotten."""
    if any(game.rules.bonuses.passengers):
        players = game.players
        forgot = [one.name for one in players if one.routes and not any(one.passengers.values())]
        yield from _forgotten("no-passengers", forgot)


def _no_cards(game: Game) -> Iterator[Remark]:
    """Tickets wait for the cards of a pile that was not counted, and would all have failed."""
    forgot = [one.name for one in game.players if _waits_for_cards(one)]
    yield from _forgotten("no-cards", forgot)


def _waits_for_cards(player: Player) -> bool:
    """A pile that the first pass used up is none that was forgotten."""
    waiting = any(one.recipe and one.stated is None for one in player.tickets)
    return waiting and not any(player.cards.values()) and not player.first_pass


def _forgotten(code: str, names: Sequence[str]) -> Iterator[Remark]:
    if names:
        yield make_remark(code, tuple(names), who=listed(names))


def _markers(game: Game) -> Iterator[Remark]:
    """Markers stand where the routes and flags put them, tickets and bonuses are not added yet."""
    if all(player.marker is None for player in game.players):
        return
    accounts = [account_of(game, player) for player in game.players]
    for check in check_markers(game, accounts):
        if check.difference:
            yield make_remark(
                "marker",
                (check.name,),
                who=check.name,
                marker=check.marker,
                expected=check.expected,
            )


def _tickets(game: Game) -> Iterator[Remark]:
    """Fewer than the rules deal or the table agreed; none at all is always asked about."""
    if game.board is not None and not game.board.tickets:
        return
    for player in game.players:
        count = len(player.tickets) + len(player.first_pass)
        if not count:
            yield make_remark("no-tickets", (player.name,), who=player.name)
        elif count < game.fewest_tickets:
            yield make_remark(
                "few-tickets",
                (player.name,),
                who=player.name,
                count=count,
                fewest=game.fewest_tickets,
            )


def _shared_tickets(game: Game) -> Iterator[Remark]:
    """One card in two hands; neither the card nor a player is named, for hands are secret."""
    for one, other in combinations(game.players, 2):
        if any(map(may_be_one_card, product(one.tickets, other.tickets))):
            yield make_remark("ticket-shared")
            return


def _big_cities(game: Game) -> Iterator[Remark]:
    """Cities by name whose card has no value: their bonus is left out of the sheet."""
    if game.id != CARD_GAME_ID:
        return
    missing = [city for city in BIG_CITIES if city not in game.settings.big_cities]
    if missing:
        cities = ", ".join(place_name(None, city) for city in missing)
        yield make_remark("big-cities", count=len(missing), cities=cities, most=len(BIG_CITIES))


def _no_routes(game: Game) -> Iterator[Remark]:
    """No board was read and no route typed; what the wagons left say then says nothing."""
    if wagons_left(game) and not any(map(_holds_routes, game.players)):
        yield make_remark("no-routes" if game.board is not None else "no-lengths")


def _holds_routes(player: Player) -> bool:
    return bool(player.routes) or any((player.route_lengths or {}).values())


def _nobody_ended(game: Game) -> Iterator[Remark]:
    left = wagons_left(game)
    if not left or last_round(game) is not None or not any(map(_holds_routes, game.players)):
        return
    fewest = min(left.values())
    names = tuple(name for name, count in left.items() if count == fewest)
    yield make_remark("nobody-ended", names, who=", ".join(names), left=fewest, end=LAST_ROUND_AT)


def _other_counts(game: Game) -> Iterator[Remark]:
    """Pieces that somebody counted otherwise than the board says."""
    left = wagons_left(game)
    for player in game.players:
        counted = player.wagons_counted
        if counted is not None and counted != left.get(player.name, counted):
            yield make_remark(
                "wagons-differ",
                (player.name,),
                who=player.name,
                counted=counted,
                left=left[player.name],
            )


def _unanswered(game: Game) -> Iterator[Remark]:
    """Questions about the board that nobody answered; the lines of one double are one name."""
    known = {} if game.board is None else game.board.route_by_id
    asked = [places_name(game.board, known[route].ends) for route in game.unanswered]
    if asked:
        routes = ", ".join(dict.fromkeys(asked))
        yield make_remark("unanswered", (), game.unanswered, asked=routes)


def _wagons_left(game: Game) -> Iterator[Remark]:
    """Settles in five seconds whether the reading is whole."""
    left = wagons_left(game)
    if left:
        counts = ", ".join(f"{name} {count}" for name, count in left.items())
        yield make_remark("wagons-left", tuple(left), counts=counts)
