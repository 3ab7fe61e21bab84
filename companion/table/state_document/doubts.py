"""What is asked of the board, for the panel: each place with its answers and why it is asked."""

from collections.abc import Collection

from companion.session.state import State, by_place
from companion.table.choices import choices_for, line_odds
from companion.table.questions import Questions
from scoring.language import Message, MessageJson
from vision.reading import COVERED, SEEN_FROM_ANOTHER_SIDE
from web.table_state import Alternative, Doubt, PlaceChoice


def doubts_of(state: State, questions: Questions, covered: Collection[str] | None) -> list[Doubt]:
    """The open questions, one a place, in the order in which they are asked.

    `covered` are the routes over which something lies, as the camera has seen since its last look;
    None where that look still tells it.
    """
    hidden = _lies_under(state, covered)
    places = by_place(state, questions.routes)
    return [_doubt(state, questions, place, hidden) for place in places]


def _doubt(
    state: State, questions: Questions, place: tuple[str, ...], hidden: frozenset[str]
) -> Doubt:
    """Every answer on offer, in the box's order, with the camera's probability (0 if not named)."""
    decisive = questions.decisive
    route = next(line for line in place if line in questions.routes)
    return Doubt(
        route=route,
        alternatives=[
            Alternative(owner=owner, probability=p) for owner, p in line_odds(state, route).items()
        ],
        decisive=None if decisive is None else not decisive.isdisjoint(place),
        routes=list(place),
        choices=[
            PlaceChoice(owners=list(one.owners), probability=one.probability)
            for one in choices_for(state, route)
        ],
        why=_why(state, route),
        other_side=_seen_better_elsewhere(state, route),
        lies_over=not hidden.isdisjoint(place),
    )


def _why(state: State, route: str) -> list[MessageJson]:
    """Why a place is asked about; a newer version may know reasons that cannot be told here."""
    place = state.proposed.places.get(route)
    reasons = [Message(f"vision.why.{code}") for code in (place.why if place else ())]
    told = [*_otherwise_said(state, route), *reasons]
    return [reason.to_json() for reason in told if reason.can_be_told()]


def _otherwise_said(state: State, route: str) -> list[Message]:
    """What a person had said of a route that the camera now sees otherwise."""
    answer = state.facts.answers.get(route)
    if answer is None or answer.track:
        return []
    names = {player.colour: player.name for player in state.facts.players}
    if answer.owner in names:
        return [Message("companion.doubt.said", name=names[answer.owner])]
    return [Message("companion.doubt.said-free")]


def _seen_better_elsewhere(state: State, route: str) -> bool:
    """Whether a place is in doubt because of what this photo cannot show."""
    place = state.proposed.places.get(route)
    return place is not None and not SEEN_FROM_ANOTHER_SIDE.isdisjoint(place.why)


def _lies_under(state: State, covered: Collection[str] | None) -> frozenset[str]:
    """The routes over which something lies, of those that the last look told."""
    notices = (one for one in state.proposed.notices if one.code == COVERED)
    told = frozenset(route for one in notices for route in one.routes)
    return told if covered is None else told.intersection(covered)
