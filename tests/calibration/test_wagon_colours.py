"""The wagons' look under this lamp, measured on a drawn photo."""

from calibration.wagon_colours import mean_colours
from tests.support.drawn_table import USA, full_photo, true_calibration
from vision.reader import read_photos


def test_colours_with_enough_wagons_get_a_mean_that_looks_like_them() -> None:
    photo = full_photo().image_bgr
    reading = read_photos([photo], USA, reference=true_calibration().reference(USA))
    means = mean_colours(photo, reading)
    assert set(means) == {"red", "blue"}, "a single green wagon is too few"
    assert means["red"][1] > 20, "red: a* well above zero"
    assert means["blue"][2] < -10, "blue: b* below zero"
