"""The wagons' look under this lamp, measured on a drawn photo."""

from calibration.wagon_colours import look_alike, mean_colours
from tests.support.drawn_table import USA, full_photo, true_calibration
from vision.reader import read_photos


def test_colours_with_enough_wagons_get_a_mean_that_looks_like_them() -> None:
    photo = full_photo().image_bgr
    reading = read_photos([photo], USA, reference=true_calibration().reference(USA))
    means = mean_colours(photo, reading)
    assert set(means) == {"red", "blue"}, "a single green wagon is too few"
    assert means["red"][1] > 20, "red: a* well above zero"
    assert means["blue"][2] < -10, "blue: b* below zero"


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
