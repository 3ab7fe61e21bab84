"""The wagons' look under this lamp, measured on a drawn photo."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.wagon_colours import look_alike, mean_colours, wagons_beside
from tests.support.drawn_table import USA, empty_photo, full_photo, true_calibration
from vision.reader import read_photos
from vision.reading import Reading, SpaceReading


@cache
def read_full_photo() -> Reading:
    """The three claimed routes, as they are read."""
    reference = true_calibration().reference(USA)
    return read_photos([full_photo().image_bgr], USA, reference=reference)


def test_colours_with_enough_wagons_get_a_mean_that_looks_like_them() -> None:
    photo = full_photo().image_bgr
    reading = read_full_photo()
    means = mean_colours(photo, reading)
    assert set(means) == {"red", "blue", "green"}, "one is enough where few are laid out"
    assert means["green"][1] < -10, "green: a* well below zero"
    assert means["red"][1] > 20, "red: a* well above zero"
    assert means["blue"][2] < -10, "blue: b* below zero"


def test_a_wagon_may_lie_anywhere_on_the_board() -> None:
    """The blue line is unknown to this board: its wagons stand beside every space that it has."""
    photo = full_photo()
    kept = [route for route in USA.routes if route.id != "atlanta--miami"]
    unknown = USA.spaces_of["atlanta--miami"]
    spaces_px = np.delete(photo.spaces_px, unknown, axis=0)
    beside = wagons_beside(photo.image_bgr, replace(USA, routes=tuple(kept)), spaces_px)
    assert {wagon.colour for wagon in beside} == {"blue"}
    nothing = wagons_beside(empty_photo().image_bgr, USA, empty_photo().spaces_px)
    assert nothing == []
    reading = read_full_photo()
    others = replace(reading, routes={n: r for n, r in reading.routes.items() if r.owner != "blue"})
    spaces = np.delete(reading.registration.spaces_px, unknown, axis=0)
    rest = replace(others, registration=replace(reading.registration, spaces_px=spaces))
    assert "blue" not in mean_colours(photo.image_bgr, rest)
    (seen, other) = (mean_colours(photo.image_bgr, one, beside) for one in (rest, reading))
    assert seen["blue"][2] < -10, "blue: b* below zero"
    assert seen["blue"] == pytest.approx(other["blue"], abs=12), "as on spaces"


def test_in_a_game_a_single_wagon_of_a_colour_is_no_measure() -> None:
    """The reading of the same photo, as if 25 other spaces were red too: those of a game."""
    photo = full_photo().image_bgr
    reading = read_full_photo()
    red = SpaceReading("red", 0.99, {"red": 0.99, "empty": 0.01})
    free = [route for route in reading.routes.values() if route.owner is None]
    more, count = dict(reading.routes), 0
    for route in free:
        if count < 25:
            more[route.route] = replace(route, spaces=(red,) * len(route.spaces))
            count += len(route.spaces)
    assert set(mean_colours(photo, replace(reading, routes=more))) == {"red", "blue"}


def test_colours_that_look_alike_under_this_lamp_are_told_as_pairs() -> None:
    """A yellow lamp: white and yellow are 10 apart, everything else 30 and more."""
    lamp = {
        "white": (80.0, 2.0, 40.0),
        "yellow": (80.0, 2.0, 50.0),
        "red": (45.0, 60.0, 45.0),
        "black": (10.0, 0.0, 5.0),
    }
    assert look_alike(lamp) == [("white", "yellow")]
    assert look_alike({"red": lamp["red"]}) == []
