"""Card Game: which tickets each player completes, and with which cards of the pile.

Every player takes the selection with the best own final result. The big-city bonuses make that
depend on the others, so it starts from what is known of them (tickets of the first pass and
tickets stated as completed). Then every player in turn changes to a selection that is strictly
better against the others' present ones, until nobody gains by a change (a Nash equilibrium). The
turns follow what the players hold, not where they stand in the document, so that a game always
gives the same sheet.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.game.game import Game, Player
from scoring.game.rules import CARD_GAME_ID, Settings
from scoring.sheet.assignment import Allotment, Job, Prize, best_selection, lay_out, worth
from scoring.sheet.bonuses import city_count

MOST_ROUNDS = 20
"""Limit on the rounds, in case the players' choices never settle."""


@dataclass(frozen=True, slots=True)
class CardChoice:
    """One player's tickets in hand, decided; entries stand in the order of the tickets."""

    done: tuple[bool, ...]
    allotments: tuple[Allotment, ...]
    """Cards laid on each ticket, and what a ticket left over still lacks."""

    def evidence(self, index: int) -> dict[str, object]:
        """What completes a ticket, or what it lacks."""
        allotment = self.allotments[index]
        if self.done[index]:
            return {"cards": dict(allotment.cards)}
        return {"missing": dict(allotment.lacks)}


def choose_cards(game: Game) -> tuple[CardChoice | None, ...]:
    """The choice of every player; None for every player of a game with a board.

    >>> from scoring.documents.game import parse_game
    >>> ticket = {"from": "chicago", "to": "miami", "points": 5, "cards": {"red": 1}}
    >>> ada = {"name": "Ada", "cards": {"red": 1}, "tickets": [ticket]}
    >>> (choice,) = choose_cards(parse_game({"game": "card-game", "players": [ada]}))
    >>> choice.done if choice else None
    (True,)
    """
    if game.id != CARD_GAME_ID:
        return (None,) * len(game.players)
    done = _settle(game)
    return tuple(map(_laid_out, game.players, done))


def _settle(game: Game) -> list[tuple[bool, ...]]:
    """Completed tickets of every player once no player gains by a change."""
    known = [tuple(bool(ticket.stated) for ticket in player.tickets) for player in game.players]
    done = [_best(game, known, index) for index in range(len(known))]
    for _ in range(MOST_ROUNDS):
        before = list(done)
        for index in _turns(game):
            done[index] = _reconsidered(game, done, index)
        if done == before:
            break
    return done


def _turns(game: Game) -> list[int]:
    """The players by what they hold; equal hands are told apart by name."""

    def hand(index: int) -> tuple[str, str]:
        player = game.players[index]
        cards = sorted(player.cards.items())
        tickets = sorted(
            repr((t.points, t.places, sorted((t.recipe or {}).items()), t.stated))
            for t in player.tickets
        )
        return repr((cards, tickets)), player.name

    return sorted(range(len(game.players)), key=hand)


def _reconsidered(game: Game, done: Sequence[tuple[bool, ...]], index: int) -> tuple[bool, ...]:
    """The present selection unless another is strictly better."""
    player = game.players[index]
    prizes = _prizes(game, done, index)
    better = _best(game, done, index)
    jobs = _jobs(player)
    now, then = (worth(jobs, prizes, _of_jobs(player, each)) for each in (done[index], better))
    return better if then > now else done[index]


def _best(game: Game, done: Sequence[tuple[bool, ...]], index: int) -> tuple[bool, ...]:
    player = game.players[index]
    selected = best_selection(player.cards, _jobs(player), _prizes(game, done, index))
    return _merge(player, selected)


def _jobs(player: Player) -> list[Job]:
    """The tickets whose completion is still to be decided."""
    return [
        Job(ticket.points, ticket.recipe or {}, frozenset(ticket.places or ()))
        for ticket in player.tickets
        if ticket.stated is None
    ]


def _of_jobs(player: Player, done: Sequence[bool]) -> list[bool]:
    return [
        is_done
        for ticket, is_done in zip(player.tickets, done, strict=True)
        if ticket.stated is None
    ]


def _merge(player: Player, selected: Sequence[bool]) -> tuple[bool, ...]:
    """Stated tickets as they are, the others as selected."""
    selections = iter(selected)
    return tuple(
        next(selections) if ticket.stated is None else ticket.stated for ticket in player.tickets
    )


def _prizes(game: Game, done: Sequence[tuple[bool, ...]], index: int) -> list[Prize]:
    """Each big city's card with the number of further tickets that wins it for one player."""
    return [
        Prize(city, points, _needed(game, done, index, city))
        for city, points in game.settings.big_cities.items()
    ]


def _needed(game: Game, done: Sequence[tuple[bool, ...]], index: int, city: str) -> int:
    counts = [
        city_count(city, player, each) for player, each in zip(game.players, done, strict=True)
    ]
    others = max((count for i, count in enumerate(counts) if i != index), default=0)
    player = game.players[index]
    fixed = _merge(player, [False] * len(_jobs(player)))
    return _threshold(others, game.settings) - city_count(city, player, fixed)


def _threshold(others: int, settings: Settings) -> int:
    """Completed tickets that win a city's card against the best of the others."""
    return max(1, others if settings.big_city_tie == "all" else others + 1)


def _laid_out(player: Player, done: Sequence[bool]) -> CardChoice:
    """Stated tickets carry no cards of the pile: the players know how they were completed."""
    laid = iter(lay_out(player.cards, _jobs(player), _of_jobs(player, done)))
    allotments = tuple(
        next(laid) if ticket.stated is None else Allotment({}, {}) for ticket in player.tickets
    )
    return CardChoice(tuple(done), allotments)
