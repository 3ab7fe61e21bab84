"""What contradicts itself between the players of one game: such a game cannot be scored.

A breach of the rules that leaves the final position clear is no contradiction; it is scored and
reported (`scoring.sheet.violations`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from scoring.board.board import Board
from scoring.board.names import places_name, route_name
from scoring.game.game import Game, Player
from scoring.game.rules import CARD_GAME_ID, CARD_GAME_TICKETS, DECK
from scoring.language import Message
from scoring.longest_path.search import is_too_dense
from scoring.network import edges


def table_problems(game: Game, shared_tickets: bool = False) -> Iterator[Message]:
    """Every contradiction between (or within) the players, as one sentence each.

    With `shared_tickets` a ticket that several players hold is none, nor are more cards than the
    deck holds in several piles (see `parse_game`).

    >>> from scoring.game.rules import PARIS, Settings
    >>> twins = (Player("Ada"), Player("Ada"))
    >>> [str(problem) for problem in table_problems(Game("paris", PARIS, Settings(), twins))]
    ['Ada: name: 2 players have this name']
    """
    yield from _twice("name_twice", [player.name for player in game.players])
    yield from _colour_twice(game)
    yield from _route_twice(game)
    yield from _ticket_twice(game, shared_tickets)
    yield from _length_unknown(game)
    if game.board is not None:
        yield from _too_dense(game, game.board)
        bag = game.board.passengers_in_bag
        taken = {player.name: player.passengers for player in game.players}
        yield from _too_many("passengers", taken, bag)
    if game.id == CARD_GAME_ID:
        piles = {player.name: player.cards for player in game.players}
        for held in [{name: pile} for name, pile in piles.items()] if shared_tickets else [piles]:
            yield from _too_many("cards", held, DECK)
        yield from _two_words_for_pink(game)
        yield from _too_many_tickets(game)


def _twice(name: str, words: list[str]) -> Iterator[Message]:
    for word, count in Counter(words).items():
        if count > 1:
            yield Message(f"scoring.problem.{name}", who=word, count=count)


def _colour_twice(game: Game) -> Iterator[Message]:
    by_colour: dict[str, list[str]] = {}
    for player in game.players:
        if player.colour is not None:
            by_colour.setdefault(player.colour, []).append(player.name)
    for colour, names in by_colour.items():
        if len(names) > 1:
            yield Message("scoring.problem.colour_twice", who=", ".join(names), colour=colour)


def _route_twice(game: Game) -> Iterator[Message]:
    """A route has one owner: listed by two players, or by one player twice, it is unclear whose."""
    by_route: dict[str, list[str]] = {}
    for player in game.players:
        for route in player.routes:
            by_route.setdefault(route, []).append(player.name)
    for route, names in by_route.items():
        if len(names) > 1:
            yield _held_twice("route", names, route_name(game.board, route))


def _too_dense(game: Game, board: Board) -> Iterator[Message]:
    """A taught board may have hundreds of routes, and the camera may take all for one player's."""
    for player in game.players:
        held = dict.fromkeys(player.routes)
        if is_too_dense(edges(board, held)):
            yield Message("scoring.problem.too_dense", who=player.name, count=len(held))


def _ticket_twice(game: Game, shared_tickets: bool) -> Iterator[Message]:
    """Each ticket of the set is one card."""
    by_ticket: dict[str, list[str]] = {}
    called: dict[str, str] = {}
    for player in game.players:
        for ticket in (*player.tickets, *player.first_pass):
            if ticket.id is not None:
                by_ticket.setdefault(ticket.id, []).append(player.name)
                called[ticket.id] = places_name(game.board, ticket.places or (ticket.id,))
    for ticket_id, names in by_ticket.items():
        if shared_tickets:
            names = [name for name in names if names.count(name) > 1]
        if len(names) > 1:
            yield _held_twice("ticket", names, called[ticket_id])


def _held_twice(what: str, names: list[str], thing: str) -> Message:
    who = ", ".join(dict.fromkeys(names))
    kind = "twice_by_one" if len(set(names)) == 1 else "twice_by_two"
    return Message(f"scoring.problem.{what}_{kind}", who=who, thing=thing)


def _length_unknown(game: Game) -> Iterator[Message]:
    known = game.route_points
    for player in game.players:
        for length in player.route_lengths or ():
            if length not in known:
                yield Message("scoring.problem.length_unknown", who=player.name, length=length)


def _too_many(
    field: str, held: Mapping[str, Mapping[str, int]], supply: Mapping[str, int]
) -> Iterator[Message]:
    """More of a colour in the players' hands than the set holds."""
    for colour, most in supply.items():
        counts = {name: mine[colour] for name, mine in held.items() if mine.get(colour)}
        total = sum(counts.values())
        if total > most:
            who = ", ".join(f"{name} ({count})" for name, count in counts.items())
            yield Message(
                f"scoring.problem.too_many_{field}", who=who, colour=colour, total=total, most=most
            )


def _too_many_tickets(game: Game) -> Iterator[Message]:
    """Nobody is named: how many tickets each holds is a secret while they play."""
    total = sum(len(player.tickets) + len(player.first_pass) for player in game.players)
    if total > CARD_GAME_TICKETS:
        yield Message("scoring.problem.too_many_tickets", total=total, most=CARD_GAME_TICKETS)


def _two_words_for_pink(game: Game) -> Iterator[Message]:
    words = {word for player in game.players for word in _train_colours(player)}
    if {"pink", "purple"} <= words:
        yield Message("scoring.problem.pink_and_purple", who=game.players[0].name)


def _train_colours(player: Player) -> Iterator[str]:
    yield from player.cards
    for ticket in player.tickets:
        yield from ticket.recipe or ()
