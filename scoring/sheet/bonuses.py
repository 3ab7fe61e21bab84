"""Bonuses that compare the players: longest path, Globetrotter, passengers and big cities."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.game.game import Game, Player
from scoring.game.rules import CARD_GAME_ID
from scoring.sheet.account import Account


@dataclass(frozen=True, slots=True)
class Bonus:
    """One bonus that one player gets, with every player's count."""

    kind: str
    points: int
    counts: tuple[int, ...]
    """What was compared, one number a player, in the players' order."""
    subject: str | None = None
    """Passengers: their colour; big city: its place."""
    place: int = 1
    """1 for the most, 2 for the second most."""


def bonuses(game: Game, accounts: Sequence[Account]) -> tuple[tuple[Bonus, ...], ...]:
    """The bonuses of every player, in the players' order.

    >>> from scoring.documents.game import parse_game
    >>> from scoring.sheet.account import account_of
    >>> ada, ben = {"name": "Ada", "routes": ["denver--omaha"]}, {"name": "Ben"}
    >>> game = parse_game({"game": "usa", "players": [ada, ben]})
    >>> awarded = bonuses(game, [account_of(game, player) for player in game.players])
    >>> [[bonus.kind for bonus in own] for own in awarded]
    [['longest-path'], []]
    """
    everyone = (
        _longest_path(game, accounts),
        _globetrotter(game, accounts),
        *_passengers(game),
        *_big_cities(game, accounts),
    )
    return tuple(
        tuple(awarded[index] for awarded in everyone if index in awarded)
        for index in range(len(game.players))
    )


Awarded = Mapping[int, Bonus]
"""A bonus by the index of the player who gets it."""


def _longest_path(game: Game, accounts: Sequence[Account]) -> Awarded:
    """Measured in wagons; everybody tied gets it (rulebooks 000 and 002)."""
    points = game.rules.bonuses.longest_path
    lengths = tuple(account.trail.length if account.trail else 0 for account in accounts)
    needs_one = game.settings.longest_path_needs_a_route
    return _to_the_most("longest-path", points, lengths, needs_one=needs_one)


def _globetrotter(game: Game, accounts: Sequence[Account]) -> Awarded:
    """Most completed tickets; failed ones don't matter (rulebooks 001 and 002)."""
    points = game.rules.bonuses.globetrotter
    counts = tuple(account.completed for account in accounts)
    needs_one = game.settings.globetrotter_needs_a_ticket
    return _to_the_most("globetrotter", points, counts, needs_one=needs_one)


def _to_the_most(kind: str, points: int, counts: tuple[int, ...], *, needs_one: bool) -> Awarded:
    best = max(counts)
    if not points or (needs_one and best == 0):
        return {}
    bonus = Bonus(kind, points, counts)
    return {index: bonus for index, count in enumerate(counts) if count == best}


def _passengers(game: Game) -> list[Awarded]:
    """Each colour on its own, in the order of the bag."""
    if game.board is None or not any(game.rules.bonuses.passengers):
        return []
    return [_one_colour(game, colour) for colour in game.board.passengers_in_bag]


def _one_colour(game: Game, colour: str) -> Awarded:
    """Tied for most: nobody is second. One leader: everybody tied second is (rulebook 001)."""
    most, second = game.rules.bonuses.passengers
    counts = tuple(player.passengers.get(colour, 0) for player in game.players)
    first = _at(counts, max(counts))
    if max(counts) == 0:
        return {}
    awarded = {index: Bonus("passengers", most, counts, colour) for index in first}
    rest = [count for count in counts if count < max(counts)]
    enough = 1 if game.settings.passengers_second_needs_one else 0
    if len(first) == 1 and rest and max(rest) >= enough:
        runner_up = Bonus("passengers", second, counts, colour, place=2)
        awarded.update(dict.fromkeys(_at(counts, max(rest)), runner_up))
    return awarded


def _at(counts: Sequence[int], value: int) -> list[int]:
    return [index for index, count in enumerate(counts) if count == value]


def _big_cities(game: Game, accounts: Sequence[Account]) -> list[Awarded]:
    """Most completed tickets that name the city, those of both passes counted (rulebook 003)."""
    awards: list[Awarded] = []
    for city, points in game.settings.big_cities.items() if game.id == CARD_GAME_ID else ():
        counts = tuple(
            city_count(city, player, account.tickets_done)
            for player, account in zip(game.players, accounts, strict=True)
        )
        best = _at(counts, max(counts))
        alone = len(best) == 1 or game.settings.big_city_tie == "all"
        bonus = Bonus("big-city", points, counts, city)
        awards.append(dict.fromkeys(best, bonus) if max(counts) and alone else {})
    return awards


def city_count(city: str, player: Player, done: Sequence[bool]) -> int:
    """How many completed tickets of a player name a city; `done` is for the tickets in hand.

    >>> from scoring.game.game import HeldTicket
    >>> ada = Player("Ada", tickets=(HeldTicket(5, ("chicago", "miami")),))
    >>> city_count("miami", ada, [True]), city_count("miami", ada, [False])
    (1, 0)
    """
    late = sum(
        is_done and city in (ticket.places or ())
        for ticket, is_done in zip(player.tickets, done, strict=True)
    )
    return late + sum(city in (ticket.places or ()) for ticket in player.first_pass)
