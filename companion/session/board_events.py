"""Who owns what on the board: the camera proposes it, a person says it."""

from dataclasses import dataclass

from companion.session.event_base import EventBase
from companion.session.event_fields import (
    LineOwners,
    PlaceLines,
    PlayerColour,
    RouteId,
    RouteOwner,
    TrackLine,
    Wagons,
)
from companion.session.json_values import FieldError
from companion.session.proposals import ProposedPlaces, ProposedRoutes, ReadNotice


@dataclass(frozen=True, slots=True)
class ReadingProposed(EventBase, kind="reading-proposed", action="scan", is_offered=False):
    """The camera's reading of some routes; `whole` if a person had it look at all of them anew.

    `places` names the places of several lines, and those of one line with a reason for a question.
    A route in none of them is a place by itself; so is every route in older logs.
    """

    routes: ProposedRoutes
    whole: bool = True
    notices: tuple[ReadNotice, ...] = ()
    places: ProposedPlaces = ()


@dataclass(frozen=True, slots=True)
class RouteConfirmed(
    EventBase, kind="route-confirmed", action="confirm-route", is_for_players=True
):
    """A person confirms the camera's reading of a route."""

    route: RouteId


@dataclass(frozen=True, slots=True)
class RouteCorrected(
    EventBase, kind="route-corrected", action="correct-route", is_for_players=True
):
    """A person says who owns a route (None: nobody), whatever the camera says."""

    route: RouteId
    owner: RouteOwner


@dataclass(frozen=True, slots=True)
class TrackLaid(EventBase, kind="track-laid", action="lay-track", is_for_players=True):
    """France: a track piece lies on a line, which is built and which nobody has claimed yet."""

    route: TrackLine


@dataclass(frozen=True, slots=True)
class PlaceAnswered(EventBase, kind="place-answered", action="answer-place", is_for_players=True):
    """A person says who owns the lines of a place; `owners` in the order of `routes`.

    One event, so that undo takes back all lines at once.
    """

    routes: PlaceLines
    owners: LineOwners

    def __post_init__(self) -> None:
        """Raises FieldError where a line has no owner given, or stands there twice."""
        if not self.routes or len(self.routes) != len(self.owners):
            raise FieldError("companion.field.owners")
        if len(set(self.routes)) < len(self.routes):
            raise FieldError("companion.field.line-twice")


@dataclass(frozen=True, slots=True)
class WagonsCounted(EventBase, kind="wagons-counted", action="count-wagons", is_for_players=True):
    """How many wagons somebody counted before a player (None: the count is dropped)."""

    colour: PlayerColour
    wagons: Wagons
