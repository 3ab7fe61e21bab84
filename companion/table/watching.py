"""Between two scans: what the camera sees by itself becomes proposals and a camera status."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.session.events import ProposedPlace, ReadingProposed, RouteProposal
from companion.session.state import (
    Facts,
    RouteAnswer,
    State,
    by_place,
    doubtful_routes,
    last_look,
)
from companion.table.eye import Photo, Seen, nothing
from scoring.board.board import Board
from scoring.language import Message
from vision.reading import COVERED
from vision.watch.events import (
    BLOCKED,
    CLAIMED,
    DOUBT,
    EMPTY_BOARD,
    HAND,
    REMOVED,
    SETTLED,
    WatchEvent,
)

SAYS_SOMETHING_OF_A_ROUTE: tuple[str, ...] = (CLAIMED, REMOVED, DOUBT)

SEES_THE_BOARD: tuple[str, ...] = (EMPTY_BOARD, SETTLED, HAND)


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What one frame told: routes with their crops, and whether the view is blocked.

    None: nothing new. `reason` says why the view shows no board, where more is known than that, or
    what is wrong with a view that does. `covered` are the routes over which something lies on a
    board that has come to rest; `sure` tells those whose owner a board at rest shows for sure.
    """

    seen: Seen | None = None
    blocked: bool | None = None
    reason: Message | None = None
    covered: frozenset[str] | None = None
    sure: Callable[[], Mapping[str, RouteProposal]] = dict


class GameWatcher(Protocol):
    """Whoever follows one game on a fixed camera."""

    def feed(self, image_bgr: Photo, t_s: float) -> Glimpse:
        """Take in the next frame, (H, W, 3), uint8, BGR; raises VisionError if it can't be read."""
        ...

    def confirm(self, route: str, owner: str | None) -> None:
        """A person said who owns a route (None: nobody): believe it, and don't ask again."""
        ...


NewWatcher = Callable[[Board, Sequence[str]], GameWatcher]
"""From a board and the colours in play to a watcher of that game."""


class TableWatch:
    """Watches one game after the other: a new game, or other colours in it, get a new watcher.

    Before each frame the watcher hears what people have answered since the last one.
    """

    def __init__(self, new_watcher: NewWatcher) -> None:
        self._new_watcher = new_watcher
        self._watched: tuple[Facts, GameWatcher] | None = None
        self._answers: Mapping[str, RouteAnswer] = {}

    def see(self, image_bgr: Photo, t_s: float, board: Board, facts: Facts) -> Glimpse:
        """Take in a frame of the game that is on; raises VisionError if it can't be read."""
        if self._watched is None or not self._watched[0].is_same_game(facts):
            self._watched = (facts, self._new_watcher(board, facts.colours))
            self._answers = {}
        watcher = self._watched[1]
        self._pass_on(facts.answers, watcher)
        return watcher.feed(image_bgr, t_s)

    def _pass_on(self, answers: Mapping[str, RouteAnswer], watcher: GameWatcher) -> None:
        """Tell the watcher the answers that are new; one that was taken back is open again."""
        for route, answer in answers.items():
            if self._answers.get(route) != answer:
                watcher.confirm(route, answer.owner)
        self._answers = answers


def glimpse_of(
    events: Sequence[WatchEvent],
    crop: Callable[[str], bytes],
    places: Sequence[tuple[str, ...]] = (),
    put_away: Callable[[], None] = nothing,
    flaw: Message | None = None,
    covered: Callable[[], frozenset[str]] = frozenset,
) -> Glimpse:
    """The events of one frame taken together; `places` are the board's, by their lines.

    `crop` and `put_away` are those of `Seen`; `flaw` is what is wrong with the view of a board that
    is seen; `covered` tells what lies hidden on one at rest.
    """
    routes = {e.route: _proposal(e) for e in events if e.route and _tells_a_route(e)}
    views = [event for event in events if event.kind in (BLOCKED, *SEES_THE_BOARD)]
    told = tuple(
        ProposedPlace(lines)
        for lines in places
        if len(lines) > 1 and not routes.keys().isdisjoint(lines)
    )
    proposed = ReadingProposed(routes, whole=False, places=told)
    seen = Seen(proposed, crop, put_away) if routes else None
    if not views:
        return Glimpse(seen)
    blocked = views[-1].kind == BLOCKED
    at_rest = views[-1].kind in (EMPTY_BOARD, SETTLED)
    reason = views[-1].reason if blocked else flaw
    return Glimpse(seen, blocked, reason, covered() if at_rest else None)


def uncovered_since(
    state: State, sure: Callable[[], Mapping[str, RouteProposal]]
) -> ReadingProposed:
    """What the watching camera is `sure` of now where a look asked because something lay there.

    A place is left to people until all of its lines are sure. What a look doubted of a route in
    plain sight is theirs as well.
    """
    covered = {r for one in state.proposed.notices if one.code == COVERED for r in one.routes}
    then, now = last_look(state), state.proposed.routes
    asked = [route for route in doubtful_routes(state) if now[route] == then.get(route)]
    places = [place for place in by_place(state, asked) if not covered.isdisjoint(place)]
    known = sure() if places else {}
    told = [place for place in places if known.keys() >= set(place)]
    return ReadingProposed(
        {line: known[line] for place in told for line in place},
        whole=False,
        places=tuple(ProposedPlace(place) for place in told if len(place) > 1),
    )


def _tells_a_route(event: WatchEvent) -> bool:
    return event.kind in SAYS_SOMETHING_OF_A_ROUTE


def _proposal(event: WatchEvent) -> RouteProposal:
    """A removal leaves the route to nobody; a doubt is asked, the rest is believed."""
    owner = None if event.kind == REMOVED else event.owner
    confidence = 1.0 if event.confidence is None else event.confidence
    alternatives = event.alternatives or ((owner, confidence),)
    return RouteProposal(owner, confidence, event.kind == DOUBT, alternatives)
