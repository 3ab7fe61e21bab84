"""A wagon's roof against the colour that was read: Lab values of plain BGR colours, worked out.

Seen under a neutral light, BGR (140, 80, 40) is a clear blue (Lab a about 6, b about -35) and
(60, 60, 60) a grey (a = b = 0), as a black wagon's roof is.
"""

import numpy as np
import pytest

from vision.spaces.roof_check import (
    DARK_BELOW,
    DARK_BELOW_WITHOUT_BLACK,
    SHADOW_BELOW,
    dark_below,
    darkest_black,
    doubt_by_roofs,
    doubt_by_shadows,
    doubt_dark_colours,
    light_of_wagons_bgr,
    roofs_ab,
    roofs_bgr,
)

BLUE_BGR, DARK_BGR = (140, 80, 40), (60, 60, 60)
COLOURS = ("red", "blue", "black")
NEUTRAL = np.array([200.0, 200.0, 200.0])
SURELY_BLACK = np.array([[0.0, 0.001, 0.999]])


def seen(roof_bgr: tuple[int, int, int], background_bgr: np.ndarray = NEUTRAL) -> np.ndarray:
    """What is measured of a wagon with black flanks and this roof."""
    patch = np.full((1, 20, 30, 3), 12, np.uint8)
    patch[0, 4:10, 5:25] = roof_bgr
    roof = np.zeros((1, 20, 30), bool)
    roof[0, 4:10, 5:25] = True
    return roofs_ab(roofs_bgr(patch, roof), background_bgr)


def test_a_blue_roof_over_black_flanks_takes_the_trust_from_black() -> None:
    told = doubt_by_roofs(SURELY_BLACK, COLOURS, seen(BLUE_BGR))
    assert told.sum() == pytest.approx(1)
    assert told[0, 2] == pytest.approx(0.4, abs=0.01)
    assert told[0, 1] == pytest.approx(0.6, abs=0.01)


def test_a_grey_roof_leaves_black_as_sure_as_it_was() -> None:
    assert doubt_by_roofs(SURELY_BLACK, COLOURS, seen(DARK_BGR)) == pytest.approx(SURELY_BLACK)


def test_blue_light_does_not_make_a_black_roof_blue() -> None:
    """Under a lamp that makes the white print (255, 150, 100), a grey roof looks as blue."""
    lit = (91, 54, 36)
    without, balanced = seen(lit), seen(lit, np.array([255.0, 150.0, 100.0]))
    assert without[0, 1] < -20
    assert balanced == pytest.approx(np.zeros((1, 2)), abs=2)


def test_a_roof_out_of_sight_says_nothing() -> None:
    hidden = roofs_bgr(np.zeros((1, 20, 30, 3), np.uint8), np.zeros((1, 20, 30), bool))
    nothing = roofs_ab(hidden, NEUTRAL)
    assert np.isnan(nothing).all()
    assert doubt_by_roofs(SURELY_BLACK, COLOURS, nothing) == pytest.approx(SURELY_BLACK)


def test_where_no_colour_fits_the_roof_the_reading_stands() -> None:
    """A green roof where nobody plays green: something else lies there, not another wagon."""
    told = doubt_by_roofs(SURELY_BLACK, COLOURS, np.array([[-40.0, 40.0]]))
    assert told == pytest.approx(SURELY_BLACK)


def test_wagons_tell_the_light_on_a_print_that_is_not_grey() -> None:
    """A green print under white light: by the print alone a white roof would look purple.

    White wagons are usually a little bluer than a print, so that pure grey is told to some 12.
    """
    green_print = np.array([60.0, 120.0, 60.0])
    roofs = np.array([[190, 190, 190], [60, 60, 60], [188, 192, 190], [62, 60, 61]], float)
    by_print = roofs_ab(roofs, green_print)
    assert by_print[0, 0] > 20
    light = light_of_wagons_bgr(roofs, ["white", "black", "white", "black"], green_print)
    assert roofs_ab(roofs, light) == pytest.approx(np.zeros((4, 2)), abs=12)


def test_a_colour_read_wrongly_does_not_change_the_light() -> None:
    grey_print = np.array([150.0, 150.0, 150.0])
    roofs = np.array([[60, 60, 60]] * 4 + [BLUE_BGR], float)
    light = light_of_wagons_bgr(roofs, ["black"] * 5, grey_print)
    assert roofs_ab(roofs[-1:], light)[0, 1] < -25


def test_few_wagons_leave_the_word_to_the_print() -> None:
    roofs = np.array([[190, 190, 190], [60, 60, 60]], float)
    light = light_of_wagons_bgr(roofs, ["white", "black"], NEUTRAL)
    assert light == pytest.approx(NEUTRAL)


def test_colours_without_a_known_look_say_nothing_of_the_light() -> None:
    roofs = np.full((6, 3), 120.0)
    assert light_of_wagons_bgr(roofs, ["pink"] * 6, NEUTRAL) == pytest.approx(NEUTRAL)


def test_a_black_hole_beside_wagons_is_not_trusted_to_be_a_wagon() -> None:
    """Brightness 12 of 200 is 6 in 100 of the print's; a black roof of 40 is 20 in 100."""
    sure = np.array([[0.001, 0.0, 0.0, 0.999], [0.001, 0.0, 0.0, 0.999], [0.001, 0.0, 0.999, 0.0]])
    roofs = np.array([[12, 12, 12], [40, 40, 40], [12, 12, 12]], float)
    told = doubt_by_shadows(sure, ("green", "black"), roofs, NEUTRAL)
    assert told.sum(axis=1) == pytest.approx([1, 1, 1])
    assert 0.3 < told[0, 0] < 0.5
    assert told[1:] == pytest.approx(sure[1:])
    assert doubt_by_shadows(sure, ("green", "blue"), roofs, NEUTRAL) == pytest.approx(sure)


def test_where_no_wagon_stands_there_is_nothing_to_say() -> None:
    nothing = np.zeros((0, 3))
    seen_ab = roofs_ab(nothing, light_of_wagons_bgr(nothing, [], NEUTRAL))
    assert seen_ab.shape == (0, 2)
    assert doubt_by_roofs(np.zeros((0, 3)), COLOURS, seen_ab).shape == (0, 3)
    assert doubt_by_shadows(np.zeros((0, 5)), COLOURS, nothing, NEUTRAL).shape == (0, 5)


def test_black_roofs_darker_than_any_render_say_how_dark_black_is_here() -> None:
    """Roofs at 0.05, 0.06 and 0.09 of the print: 0.4 x 0.06 is where shadows begin."""
    print_bgr = np.full(3, 200.0)
    black = np.array([[share] * 3 for share in (0.05, 0.06, 0.09)]) * 200
    assert darkest_black(black, print_bgr) == pytest.approx(0.024)
    assert darkest_black(black[:2], print_bgr) == SHADOW_BELOW, "two are too few"
    hidden = np.vstack([black[:2], [[np.nan] * 3]])
    assert darkest_black(hidden, print_bgr) == SHADOW_BELOW
    assert darkest_black(black * 10, print_bgr) == SHADOW_BELOW, "never more"


def test_a_roof_as_dark_as_this_board_s_black_is_no_shadow() -> None:
    sure = np.array([[0.0, 0.0, 0.0, 1.0]])
    roof = np.full((1, 3), 10.0)
    light = np.full(3, 200.0)
    assert doubt_by_shadows(sure, ("green", "black"), roof, light)[0, 3] < 1
    assert doubt_by_shadows(sure, ("green", "black"), roof, light, 0.024) == pytest.approx(sure)


AROUND = np.full((1, 3), 200.0)
NO_LIGHT = np.zeros(3)


@pytest.mark.parametrize(
    ("roof_bgr", "black_left"),
    [
        ((90, 30, 20), 0.6),  # 0.45 of the print's light at most: may be black
        ((110, 30, 20), 0.0),  # 0.55
    ],
)
def test_a_blue_as_dark_as_black_may_be_black(
    roof_bgr: tuple[int, int, int], black_left: float
) -> None:
    blue = np.array([[0.0, 1.0, 0.0]])
    told = doubt_dark_colours(blue, COLOURS, np.array([roof_bgr], float), AROUND, NO_LIGHT)
    assert told[0] == pytest.approx([0, 1 - black_left, black_left])


def test_where_light_was_taken_away_a_darkish_blue_may_be_black() -> None:
    """One of six, with 0.65 of the print's light: what is left of the light gives black a hue."""
    blue = np.tile([0.0, 1.0, 0.0], (6, 1))
    roofs = np.array([[130.0, 40, 20]] + [[190.0, 100, 60]] * 5)
    around = np.full((6, 3), 200.0)
    cleared = np.array([True] + [False] * 5)
    told = doubt_dark_colours(blue, COLOURS, roofs, around, NO_LIGHT, is_cleared=cleared)
    assert told[0] == pytest.approx([0, 0.4, 0.6])
    assert told[1:] == pytest.approx(blue[1:])
    assert doubt_dark_colours(blue, COLOURS, roofs, around, NO_LIGHT) == pytest.approx(blue)


def test_what_a_filter_makes_of_black_is_taken_off_first() -> None:
    """(130, 40, 20) less the tint of the shadows, (60, 0, 0), is 70 of 140: half."""
    blue, roof = np.array([[0.0, 1.0, 0.0]]), np.array([[129.0, 40, 20]])
    assert doubt_dark_colours(blue, COLOURS, roof, AROUND, NO_LIGHT) == pytest.approx(blue)
    tinted = np.array([60.0, 0, 0])
    assert doubt_dark_colours(blue, COLOURS, roof, AROUND, tinted)[0, 2] == pytest.approx(0.6)


def test_in_a_shadow_the_print_is_as_dark_as_the_roof() -> None:
    blue, roof = np.array([[0.0, 1.0, 0.0]]), np.array([[50.0, 20, 10]])
    assert doubt_dark_colours(blue, COLOURS, roof, AROUND / 4, NO_LIGHT) == pytest.approx(blue)


def test_green_wagons_are_dark_and_where_nobody_plays_black_none_is() -> None:
    sure, roof = np.array([[1.0, 0.0]]), np.array([[40.0, 60, 30]])
    assert doubt_dark_colours(sure, ("green", "black"), roof, AROUND, NO_LIGHT)[0, 1] == 0
    assert doubt_dark_colours(sure, ("red", "green"), roof, AROUND, NO_LIGHT)[0, 1] == 0


def test_a_roof_out_of_sight_is_not_dark() -> None:
    sure, roof = np.array([[0.0, 1.0, 0.0]]), np.full((1, 3), np.nan)
    assert doubt_dark_colours(sure, COLOURS, roof, AROUND, NO_LIGHT) == pytest.approx(sure)


def test_where_black_wagons_are_missing_more_may_be_black() -> None:
    """Four blue wagons and one black, or two; one of a player with four is few."""
    red, blue, black = np.eye(3)
    few, enough = np.array([blue] * 4 + [red, black]), np.array([blue] * 4 + [black] * 2)
    assert dark_below(few, COLOURS) == DARK_BELOW_WITHOUT_BLACK
    assert dark_below(enough, COLOURS) == DARK_BELOW
    assert dark_below(few, ("red", "blue", "green")) == DARK_BELOW, "nobody plays black"
    assert dark_below(np.zeros((0, 3)), COLOURS) == DARK_BELOW, "no wagons"
    roof, sure = np.array([[130.0, 60, 30]]), blue[None]
    assert doubt_dark_colours(sure, COLOURS, roof, AROUND, NO_LIGHT)[0, 2] == 0
    doubted = doubt_dark_colours(sure, COLOURS, roof, AROUND, NO_LIGHT, DARK_BELOW_WITHOUT_BLACK)
    assert doubted[0, 2] == pytest.approx(0.6)


def test_a_few_dark_wagons_of_many_lie_in_a_shadow() -> None:
    """One of six is less than a quarter, one of four is not."""
    blue = np.tile([0.0, 1.0, 0.0], (6, 1))
    roofs = np.array([[90.0, 30, 20]] + [[190.0, 100, 60]] * 5)
    around = np.tile(AROUND, (6, 1))
    assert doubt_dark_colours(blue, COLOURS, roofs, around, NO_LIGHT) == pytest.approx(blue)
    told = doubt_dark_colours(blue[2:], COLOURS, roofs[:4], around[2:], NO_LIGHT)
    assert told[:, 2] == pytest.approx([0.6, 0, 0, 0])
