"""Where the next card of a fan would have its names, lines that are short, cards that are one."""

import numpy as np
import pytest

from tests.support.ticket_lines import LEXICON, line
from vision.tickets.fans import cut_off, find_fan, next_in_fan
from vision.tickets.left_over import stray_lines
from vision.tickets.outlines import CardOutline
from vision.tickets.plates import ReadLine, make_plates, may_follow, spots_of


def fan(*steps: int, angle_deg: float = 0.0) -> list[list[ReadLine]]:
    """A card for each of these numbers of steps of 85 px down from the first."""
    angle = np.deg2rad(angle_deg)
    down = np.array([-np.sin(angle), np.cos(angle)])
    middles = [np.array([900.0, 800.0]) + 85 * step * down for step in steps]
    return [[line(float(x), float(y), angle_deg=angle_deg)] for x, y in middles]


@pytest.mark.parametrize("angle_deg", [0.0, 150.0])
def test_both_ends_and_gaps_of_a_fan_are_where_another_card_would_be(angle_deg: float) -> None:
    cards = fan(0, 1, 3, 4, angle_deg=angle_deg)
    wanted = [card[0].centre for card in fan(-1, 5, 2, angle_deg=angle_deg)]
    whole = find_fan(cards)
    assert whole is not None
    found = [names[0].centre for names in next_in_fan(whole)]
    np.testing.assert_allclose(found, wanted, atol=0.01)


def test_cards_that_do_not_lie_as_a_fan_have_no_next_one() -> None:
    strewn = [[line(300, 200)], [line(900, 260)], [line(350, 800)], [line(1200, 900)]]
    turned = [*fan(0, 1), [line(900, 970, angle_deg=40)]]
    for cards in (fan(0, 1), strewn, turned, fan(0, 1, 2, 9)[:0]):
        assert find_fan(cards) is None


@pytest.mark.parametrize(
    ("names_y_px", "lies_there", "is_cut"),
    [(-5, True, True), (-5, False, False), (25, True, False)],
    ids=["names beyond the edge", "only the table", "names within the photo"],
)
def test_a_card_under_the_fans_first_is_known_by_its_print(
    names_y_px: int, lies_there: bool, is_cut: bool
) -> None:
    # Names every 80 px, those of the first card unread; below all of them red beside blue is seen.
    photo = np.full((500, 900, 3), (60, 90, 120), np.uint8)
    for card in range(0 if lies_there else 1, 5):
        top = names_y_px + 80 * card + 16
        photo[top : top + 48, 380:450] = (40, 40, 200)
        photo[top : top + 48, 450:520] = (200, 60, 40)
    read = find_fan([[line(450, names_y_px + 80 * card)] for card in range(1, 5)])
    assert read is not None
    corners = cut_off(photo, read)
    assert (corners is not None) is is_cut
    if corners is not None:
        middle = corners.mean(axis=0)
        assert 11 < middle[1] < 59, "where that print is seen, so that a person is shown it"


def test_two_short_names_may_seem_to_lie_apart_and_long_ones_may_not() -> None:
    # Measured on a card with "Lille" above "Dijon", whose boxes lay 13 degrees apart.
    assert may_follow(line(0, 0, 40, 0.0), line(4, 30, 40, 13.0))
    assert not may_follow(line(0, 0, 200, 0.0), line(4, 30, 200, 13.0))


def test_lines_of_two_cards_side_by_side_stand_on_no_plate_together() -> None:
    def card(x_px: float, width_px: float) -> CardOutline:
        corners = np.array([[0, 0], [width_px, 0], [width_px, 200], [0, 200]], np.float64)
        return CardOutline(corners + np.array([x_px, 0]), 200 * width_px)

    side_by_side = [line(150, 30), line(380, 30)]
    both = (0, 1)
    for outlines, together in (
        ([], True),
        ([card(0, 270), card(275, 270)], False),
        ([card(0, 600)], True),
    ):
        plates = make_plates(side_by_side, LEXICON, outlines)
        assert (both in [plate.lines for plate in plates]) is together


def test_what_is_known_of_the_same_lines_is_not_worked_out_anew() -> None:
    """Each of eight looks at a page of text worked out thousands of sets of lines again."""
    seen = [line(150, 30), line(380, 30)]
    known = spots_of(make_plates(seen, LEXICON), seen)
    more = [line(9_000, 30), *seen]
    plates = make_plates(more, LEXICON, (), known)
    assert [plate.spots for plate in plates if plate.lines == (1, 2)] == [known[tuple(seen)]]


def test_two_lines_of_one_card_are_asked_about_once() -> None:
    def card(x_px: float) -> CardOutline:
        corners = np.array([[0, 0], [300, 0], [300, 200], [0, 200]], np.float64)
        return CardOutline(corners + np.array([x_px, 0]), 60_000)

    told = [line(150, 30)]
    strays = [line(550, 30, 60, 0.0), line(550, 90, 60, 40.0)]
    outlines = [card(0), card(400)]
    assert len(stray_lines([*told, *strays], [told], outlines)) == 1
    assert len(stray_lines([*told, *strays], [told], outlines[:1])) == 2, "no outline: two cards"
