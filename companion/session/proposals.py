"""What the camera proposes: owners of routes, places in doubt, and notices about a reading."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from companion.session.event_fields import (
    FieldType,
    PlaceLines,
    Probability,
    ReadableMessage,
    RouteId,
    read_as,
)
from companion.session.json_values import document, text
from scoring.language import Message


@dataclass(frozen=True, slots=True)
class RouteProposal:
    """What the camera says of one route.

    `alternatives` lists (owner, probability), the likeliest first; owner None is nobody.
    """

    owner: str | None
    confidence: Probability
    review: bool
    alternatives: tuple[tuple[str | None, Probability], ...] = ()

    @property
    def odds(self) -> Mapping[str | None, float]:
        """Every owner that the camera names, its own first, each with its probability."""
        return {self.owner: self.confidence, **dict(self.alternatives)}


@dataclass(frozen=True, slots=True)
class ProposedPlace:
    """Lines that score as one place, and why its bag of owners is in doubt, as `vision` codes it.

    Which of the lines is whose scores nothing, so they are asked about together.
    """

    routes: PlaceLines
    why: tuple[str, ...] = ()


NOT_IN_PLAY = "not-in-play"
"""Code of the notice, as `vision` gives it, of wagons of a colour that nobody plays."""

FOUND_FREE = "found-free"
"""Code of the notice of a look that finds many routes free which were somebody's before."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to know about a reading as a whole."""

    code: str
    message: ReadableMessage
    routes: tuple[str, ...] = ()


def _notice(value: object) -> Notice:
    """A notice of the log; earlier versions wrote its sentence in English."""
    known = document(value)
    if "text" in known:
        message = Message("companion.notice.plain", text=text(known["text"]))
        known = {**known, "message": message.to_json()}
    return read_as(Notice, known)


ReadNotice = Annotated[Notice, FieldType("notice", _notice)]
ProposedRoutes = Annotated[Mapping[RouteId, RouteProposal], FieldType("routes")]
ProposedPlaces = Annotated[tuple[ProposedPlace, ...], FieldType("places")]
