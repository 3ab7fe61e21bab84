"""The wagons' look under this lamp, measured on a drawn photo."""

from dataclasses import replace

from calibration.wagon_colours import look_alike, mean_colours
from tests.support.drawn_table import USA, full_photo, true_calibration
from vision.reader import read_photos
from vision.reading import SpaceReading


def test_colours_with_enough_wagons_get_a_mean_that_looks_like_them() -> None:
    photo = full_photo().image_bgr
    reading = read_photos([photo], USA, reference=true_calibration().reference(USA))
    means = mean_colours(photo, reading)
    assert set(means) == {"red", "blue", "green"}, "one is enough where few are laid out"
    assert means["green"][1] < -10, "green: a* well below zero"
    assert means["red"][1] > 20, "red: a* well above zero"
    assert means["blue"][2] < -10, "blue: b* below zero"


def test_in_a_game_a_single_wagon_of_a_colour_is_no_measure() -> None:
    """The reading of the same photo, as if 25 other spaces were red too: those of a game."""
    photo = full_photo().image_bgr
    reading = read_photos([photo], USA, reference=true_calibration().reference(USA))
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
