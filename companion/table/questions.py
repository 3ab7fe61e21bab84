"""Which open questions could change the ranking: they are asked first; pure.

Whether a route matters can be said once every player's tickets are in. With few questions every
combination of their likely owners is scored, place by place, at most MOST_SCORED once after each
change. Beyond that the players' best and worst totals decide, in 0.1 s at most: a question too
many may then be called decisive, never one too few.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, product

from companion.session.state import State, by_place, doubtful_routes, owner_of
from scoring.board.board import Board
from scoring.game.game import Game
from scoring.game.mapless import MaplessGame
from scoring.sheet.what_if import decisive_places

LIKELY = 0.01
"""An owner of a doubtful route less probable than that changes no question."""

Owners = tuple[str | None, ...]
"""An owner for each line of a place, in the order of the lines; None is nobody."""

ASIDE = "first_pass"
"""Tickets that were set aside are no longer in the hand."""

MOST_SCORED = 512
"""Nine routes with two likely owners each: no wait on a Raspberry Pi either."""


@dataclass(frozen=True, slots=True)
class Questions:
    """The routes that wait for a person, in the order in which they are asked, place by place.

    `decisive` are those that could change the ranking; None where that cannot be said yet.
    """

    routes: tuple[str, ...] = ()
    decisive: frozenset[str] | None = None


def open_questions(
    state: State, board: Board | None, game_of: Callable[[], Game | None]
) -> Questions:
    """The open questions, those that could change the ranking first.

    `game_of` gives the state as a game, None where it contradicts itself; it is only asked for
    where the questions' order depends on it.
    """
    doubtful = doubtful_routes(state)
    places = by_place(state, doubtful)
    routes = _lines_of(places, doubtful)
    if board is None or not routes or empty_hands(state, board):
        return Questions(routes)
    game = game_of()
    if game is None:
        return Questions(routes)
    owners = {place: possible_together(state, place, doubtful) for place in places}
    decisive = frozenset(decisive_places(game, owners, MOST_SCORED).places)
    ordered = sorted(places, key=lambda place: place not in decisive)
    matters = frozenset(chain.from_iterable(decisive)).intersection(doubtful)
    return Questions(_lines_of(ordered, doubtful), matters)


def _lines_of(places: Iterable[tuple[str, ...]], doubtful: Collection[str]) -> tuple[str, ...]:
    """The doubtful lines of these places, those of one place together."""
    return tuple(line for place in places for line in place if line in doubtful)


def possible_together(
    state: State, place: tuple[str, ...], doubtful: Collection[str]
) -> tuple[Owners, ...]:
    """Who may hold the lines of a place together, each bag of owners once.

    Which line is whose scores nothing. What a person said of a line stands.
    """
    each = [
        possible_owners(state, line) if line in doubtful else (owner_of(state, line),)
        for line in place
    ]
    bags = {bag_of(owners): owners for owners in reversed(allowed_together(each))}
    return tuple(reversed(bags.values()))


def allowed_together(each: Sequence[Iterable[str | None]]) -> list[Owners]:
    """Every way to choose an owner for each line of a place among those who may hold it.

    The rules let nobody hold two lines of a double; where no way is left that keeps them, all are.
    """
    every = list(product(*each))
    return [one for one in every if all(n == 1 for o, n in Counter(one).items() if o)] or every


def bag_of(owners: Owners) -> frozenset[tuple[str | None, int]]:
    """The owners whatever the line, each with how many lines of the place are theirs."""
    return frozenset(Counter(owners).items())


def possible_owners(state: State, route: str) -> tuple[str | None, ...]:
    """Who may hold a doubtful route: its owner as it now stands, and whoever is likely enough.

    Anybody may, where the owners that the camera named leave room for others.
    """
    odds = state.proposed.routes[route].odds
    everybody = (None, *state.facts.colours)
    if 1 - sum(odds.values()) >= LIKELY:
        return everybody
    now = owner_of(state, route)
    return tuple(one for one in everybody if one == now or odds.get(one, 0.0) >= LIKELY)


def empty_hands(state: State, board: Board | None) -> tuple[str, ...]:
    """The colours, in seat order, whose hand holds no ticket although the rules ask for some.

    Whether more are to come to the other hands nobody can tell.
    """
    if board is None or not (board.tickets or isinstance(board, MaplessGame)):
        return ()
    entries = state.facts.entries
    return tuple(
        c for c in state.facts.colours if not (entries[c].tickets or entries[c].typed.get(ASIDE))
    )
