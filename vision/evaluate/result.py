"""Counts what the reader got right and wrong on one labelled image."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.evaluate.labels import Labelled
from vision.reading import OCCLUDED, PlaceReading, Reading
from vision.routes.places import bag_of


@dataclass(slots=True)
class PlaceCounts:
    """Places counted; one is right where its bag of owners is, whichever line is whose."""

    known: int = 0
    """Places of whose lines the truth is known."""
    in_sight: int = 0
    """Those with no line that is wholly hidden."""
    wrong: list[str] = field(default_factory=list)
    wrong_in_sight: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    asked_in_sight: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Result:
    """What the reader said about one image, counted."""

    image: Labelled
    reading: Reading | None = None
    failure: str = ""
    spaces: int = 0
    spaces_right: int = 0
    routes: int = 0
    hidden: set[str] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    review: list[str] = field(default_factory=list)
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    places: PlaceCounts = field(default_factory=PlaceCounts)
    corner_error_px: float = float("nan")
    seconds: float = 0.0


def count(result: Result, reading: Reading) -> None:
    """Enter a reading of the result's image, and count what is right and wrong in it."""
    image = result.image
    result.reading = reading
    result.review = list(reading.review)
    corners = np.array(image.corners_px)
    result.corner_error_px = float(
        np.linalg.norm(reading.registration.corners_px - corners, axis=1).max()
    )
    for route in image.board.routes:
        read = reading.routes[route.id]
        _count_spaces(result, route.id, [space.label for space in read.spaces])
        truth = image.labels_of(route.id)
        if truth == {None}:
            continue
        result.routes += 1
        if truth == {OCCLUDED}:
            result.hidden.add(route.id)
        if read.owner != image.owner(route.id):
            result.wrong.append(route.id)
            if not read.review:
                result.silent.append(route.id)
    for place in reading.places:
        _count_place(result, place)


def _count_place(result: Result, place: PlaceReading) -> None:
    image, counted, name = result.image, result.places, " + ".join(place.routes)
    truths = [image.labels_of(route) for route in place.routes]
    if {None} in truths:
        return
    in_sight = {OCCLUDED} not in truths
    counted.known += 1
    counted.in_sight += in_sight
    if place.review:
        counted.asked.append(name)
        counted.asked_in_sight += [name] * in_sight
    if bag_of(place.owners) != bag_of(image.owner(route) for route in place.routes):
        counted.wrong.append(name)
        counted.wrong_in_sight += [name] * in_sight
        counted.silent += [name] * (not place.review)


def _count_spaces(result: Result, route_id: str, labels: Sequence[str]) -> None:
    for index, label in enumerate(labels):
        truth = result.image.space_label(route_id, index)
        if truth is None:
            continue
        result.confusion[(truth, label)] += 1
        if truth != OCCLUDED:
            result.spaces += 1
            result.spaces_right += truth == label
