"""What is seen of a board that somebody may be clearing already."""

from collections.abc import Collection
from dataclasses import replace

from companion.session.events import Notice, ProposedPlace, ReadingProposed, RouteProposal
from companion.session.proposals import FOUND_FREE
from companion.session.state import Facts, State, owner_of
from scoring.language import Message

CLEARING = 3
"""Whoever puts a mistake right takes the wagons of one route away, or of two."""

CLEARED_PART = 0.25
"""Part of the claimed routes whose wagons are gone, from which on a board in play counts as being
cleared: a lamp's glare that was taken for wagons of some routes goes as well."""

WITHIN_S = 120.0
"""Seconds in which they go: the board is seen between two hands only."""


class WhilePlaying:
    """Keeps the routes of a board that is cleared before anybody has said that the game is over.

    From `CLEARING` routes on, and a part of all, they stay as they were before, and nothing that is
    seen counts until their wagons are there again, people have said that all of them are free, or
    somebody has the board looked at. What lay on the board when a game began may be put away as
    long as nothing was claimed since.
    """

    def __init__(self) -> None:
        self._begin(Facts())

    def _begin(self, facts: Facts, at_first: frozenset[str] | None = None) -> None:
        self._facts = facts
        self._at_first = at_first
        self._gone: dict[str, tuple[float, RouteProposal]] = {}
        self._withheld: dict[str, RouteProposal] = {}
        self._places: dict[tuple[str, ...], ProposedPlace] = {}

    def withholds(self, facts: Facts) -> bool:
        """Whether something that was seen in a game does not count yet."""
        return bool(self._withheld) and self._facts.is_same_game(facts)

    def told(self, facts: Facts) -> int:
        """How many routes count as they lay, their wagons gone, until tickets are entered."""
        return len(self._gone) if self.withholds(facts) and facts.phase != "tickets" else 0

    def looked(self, facts: Facts) -> None:
        """Somebody had the whole board looked at: that holds, and nothing of it is of before."""
        self._begin(facts, frozenset())

    def take(self, proposed: ReadingProposed, state: State, t_s: float) -> ReadingProposed:
        """What is to be proposed of what was seen at a time, in seconds of any clock.

        Other colours in play begin anew: their watcher tells all that lies on the board once more.
        """
        if not self._facts.is_same_game(state.facts):
            self._begin(state.facts)
        if self._at_first is None:  # after a restart amid a game nothing is of before
            self._at_first = frozenset() if _held(state) else frozenset(proposed.routes) or None
        self._note_gone(proposed, state, t_s)
        places = {**self._places, **{place.routes: place for place in proposed.places}}
        seen = {**self._withheld, **proposed.routes}
        held = self._gone.keys() | _held(state)
        if not (_are_many(self._gone, held) and self._unsaid(state)):
            self._withheld, self._places = {}, {}
            return replace(proposed, routes=seen, places=tuple(places.values()))
        self._withheld, self._places = seen, places
        back = {
            name: before
            for name, (_, before) in self._gone.items()
            if state.proposed.routes.get(name, before) != before  # a look may have been undone
        }
        return replace(proposed, routes=back, places=())

    def _note_gone(self, proposed: ReadingProposed, state: State, t_s: float) -> None:
        """Which claims are gone for sure; what is asked about, then or now, a person says."""
        if not self._withheld:
            self._gone = {
                name: self._gone[name]
                for name in self._unsaid(state)
                if t_s - self._gone[name][0] <= WITHIN_S
            }
        is_of_before = self._gone.keys() | _held(state) <= (self._at_first or frozenset())
        for name, one in proposed.routes.items():
            before = _proposed_of(name, state)
            if one.owner is not None:
                self._gone.pop(name, None)
            elif _is_gone(name, one, state) and not (one.review or before.review or is_of_before):
                self._gone.setdefault(name, (t_s, before))

    def _unsaid(self, state: State) -> list[str]:
        """The claims that are gone, without those that people say are nobody's."""
        answers = state.facts.answers
        return [name for name in self._gone if name not in answers or answers[name].owner]


def telling_what_is_free(proposed: ReadingProposed, state: State) -> ReadingProposed:
    """A look that somebody asked for counts as it is; where it finds many claims gone, it says so:
    the board may be cleared already, or the photo be that of the empty board. Wagons that are seen
    on the other line of a double are not gone."""
    held = _held(state)
    found = proposed.routes
    lines_of = {line: place.routes for place in proposed.places for line in place.routes}

    def is_beside(name: str) -> bool:
        others = set(lines_of.get(name, ())) - held
        return any(found[line].owner == owner_of(state, name) for line in others & found.keys())

    gone = tuple(
        name
        for name in sorted(held.difference(state.facts.answers))
        if name not in found or (found[name].owner is None and not found[name].review)
        if not is_beside(name)
    )
    if not _are_many(gone, held):
        return proposed
    told = Notice(FOUND_FREE, Message("companion.notice.found-free", count=len(gone)), gone)
    return replace(proposed, notices=(*proposed.notices, told))


class WhileTicketsAreEntered:
    """Takes what the camera then sees by itself: the players may be clearing the board already.

    Wagons that are gone are asked about instead of believed, and their owner keeps the route until
    somebody answers. Where those of `CLEARING` routes are, the board is being cleared: the routes
    stay as they were before, and nothing that is seen from then on counts.
    """

    def __init__(self) -> None:
        self._game: int | None = None
        self._before: dict[str, RouteProposal] = {}
        self._gone: set[str] = set()

    def take(self, proposed: ReadingProposed, state: State) -> ReadingProposed:
        """What is to be proposed of it; outside that phase all."""
        if state.facts.phase != "tickets" or state.facts.number != self._game:
            self._game, self._before, self._gone = state.facts.number, {}, set()
        if state.facts.phase != "tickets":
            return proposed
        self._gone |= {name for name, one in proposed.routes.items() if _is_gone(name, one, state)}
        if len(self._gone) >= CLEARING:
            routes = self._as_before(state)
        else:
            for name in proposed.routes:
                self._before.setdefault(name, _proposed_of(name, state))
            routes = _asked_where_gone(proposed, state)
        places = tuple(p for p in proposed.places if not routes.keys().isdisjoint(p.routes))
        return replace(proposed, routes=routes, places=places)

    def _as_before(self, state: State) -> dict[str, RouteProposal]:
        """The questions about what went or was doubted in this phase are taken back."""
        return {
            name: before
            for name, before in self._before.items()
            if (now := state.proposed.routes.get(name)) is not None and now.review and now != before
        }


def _are_many(gone: Collection[str], held: Collection[str]) -> bool:
    return len(gone) >= max(CLEARING, CLEARED_PART * len(held))


def _held(state: State) -> set[str]:
    named = state.facts.answers.keys() | state.proposed.routes.keys()
    return {name for name in named if owner_of(state, name) is not None}


def _proposed_of(route: str, state: State) -> RouteProposal:
    return state.proposed.routes.get(route, RouteProposal(None, 1.0, False, ((None, 1.0),)))


def _is_gone(route: str, proposal: RouteProposal, state: State) -> bool:
    return proposal.owner is None and owner_of(state, route) is not None


def _asked_where_gone(proposed: ReadingProposed, state: State) -> dict[str, RouteProposal]:
    """Removals as questions; where a person has answered, one is a question already."""
    routes = {}
    for name, one in proposed.routes.items():
        before = owner_of(state, name)
        if _is_gone(name, one, state) and name not in state.facts.answers:
            one = RouteProposal(before, 0.5, True, ((before, 0.5), (None, 0.5)))
        routes[name] = one
    return routes
