"""The parts of reading tickets that need no network: spellings, alignment, choice, joining."""

import numpy as np

from scoring.board.board import load_board
from tests.support.drawn_hand import DrawnCard, draw_hand
from tests.support.ticket_lines import line
from vision.tickets.choice import make_claim
from vision.tickets.decide import decide
from vision.tickets.deck import deck_of
from vision.tickets.expected_places import expected_lines
from vision.tickets.joining import PhotoReading, join_photos
from vision.tickets.left_over import told_if_cut_off, unread_cards
from vision.tickets.lines import TextLine
from vision.tickets.missing import things_apart
from vision.tickets.names import BLANK, Lexicon, fold, make_lexicon, spellings
from vision.tickets.outlines import CardOutline, Shapes, find_shapes
from vision.tickets.plates import Plate
from vision.tickets.points import Number, agreed_points, believed
from vision.tickets.reading import Pair, TicketSeen, UnreadCard
from vision.tickets.reading_lines import Script
from vision.tickets.same_places import elsewhere
from vision.tickets.spotting import STRAY, spot

USA = load_board("usa")
LEXICON = make_lexicon(deck_of(USA))
PAIRS: tuple[Pair, ...] = (("boston", "miami"), ("denver", "el-paso"), ("houston", "miami"))
SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float64)


def _written(words: str, lexicon: Lexicon = LEXICON, sure: float = 0.999) -> Script:
    """Probabilities as the recogniser gives them for a clearly written line."""
    rows, begins = [], []
    for sign in fold(words):
        for place, likely in ((lexicon.alphabet.index(sign) + 2, True), (BLANK, False)):
            row = np.full(len(lexicon.alphabet) + 2, (1 - sure) / (len(lexicon.alphabet) + 1))
            row[place] = sure
            rows.append(np.log(row))
            begins.append(likely and not sign.isdigit())
    return Script(np.array(rows, np.float32), np.array(begins), fold(words))


def _claim(*lines: str):  # type: ignore[no-untyped-def]
    scripts = [_written(line) for line in lines]
    plate = Plate(
        tuple(range(len(lines))), spot(scripts, LEXICON), sum(s.letters for s in scripts), 0.0
    )
    return make_claim(plate, LEXICON, PAIRS)


def test_spellings_forget_accents_capitals_and_hyphens() -> None:
    assert fold("Clermont-Ferrand") == fold("CLERMONT FERRAND") == "clermontferrand"
    assert fold("Besançon") == "besancon"
    assert {"koln", "koeln"} <= spellings("Köln")
    assert {"saintlouis", "stlouis"} <= spellings("Saint Louis")
    assert "lodz" in spellings("Łódź")


def test_both_names_on_one_line_or_on_two_in_either_order_fit_perfectly() -> None:
    for lines in (["Boston - Miami"], ["MIAMI", "BOSTON"], ["Bos", "ton Mia", "mi"]):
        claim = _claim(*lines)
        assert claim.tickets[0] == ("boston", "miami")
        assert claim.scores[0] > -0.1


def test_a_letter_beside_the_names_costs_what_a_stray_letter_costs() -> None:
    exact, stray = _claim("Boston Miami"), _claim("x Boston Miami xx")
    np.testing.assert_allclose(stray.scores[0] - exact.scores[0], 3 * STRAY, atol=0.1)


def test_names_that_are_no_ticket_together_are_known_as_such() -> None:
    claim = _claim("Boston", "Denver")
    assert not claim.is_ticket
    assert set(claim.other) == {"boston", "denver"}
    assert _claim("Boston", "Miami").is_ticket


def test_a_name_half_legible_is_asked_about_with_the_likelier_tickets() -> None:
    points = {pair: {10} for pair in PAIRS}
    sure = decide(_claim("Houston Miami"), 12, points, None)
    assert (sure.ticket, sure.review) == (("houston", "miami"), False)
    doubtful = decide(_claim("oston Miami"), 12, points, None)  # Boston or Houston
    assert doubtful.review
    assert {doubtful.ticket, *doubtful.alternatives[:1]} == {
        ("boston", "miami"), ("houston", "miami"),
    }  # fmt: skip


def test_points_speak_against_a_ticket_only_with_witnesses() -> None:
    expected = [{12}, {4}, {11}, {9}]
    assert believed([12, 4, 11, 20], expected) == [12, 4, 11, 20]
    assert believed([12, None, None, 20], expected) == [12, None, None, None]
    assert believed([12, 4, 1, None], expected) == [12, 4, None, None]  # half of an 11


def test_in_a_fan_each_card_has_its_own_number_and_not_its_neighbours() -> None:
    # Each card's number stands 2 heights to the right, the next card's 4 heights below that; the
    # detector missed the first card's.
    numbers = [
        Number(0, 4, 2.0, 4.0),
        Number(1, 4, 2.0, 0.0),
        Number(1, 11, 2.0, 4.0),
        Number(2, 11, 2.0, 0.0),
        Number(2, 9, 2.0, 4.0),
    ]
    assert agreed_points(numbers, 3, [{12}, {4}, {11}]) == [None, 4, 11]


def test_cards_that_touch_at_a_corner_are_two_cards() -> None:
    # 480 x 310 px each: the second one's corner lies a little over the first one's edge.
    photo = draw_hand([DrawnCard((), 0, 500, 400, 5), DrawnCard((), 0, 880, 720, 20)])
    middles = sorted(tuple(card.corners_px.mean(axis=0)) for card in find_shapes(photo).cards)
    np.testing.assert_allclose(middles, [(500, 400), (880, 720)], atol=12)


def _seen(ticket: Pair, photo: int, review: bool = False) -> TicketSeen:
    return TicketSeen(ticket, 10, 0.5 if review else 0.99, review, SQUARE, photo)


def test_a_card_unread_in_one_photo_may_be_one_read_in_another_of_the_same_hand() -> None:
    one = PhotoReading((_seen(PAIRS[0], 0),), (UnreadCard(SQUARE, "unclear", 0),))
    two = PhotoReading((_seen(PAIRS[0], 1), _seen(PAIRS[1], 1)), ())
    assert join_photos("usa", [one, two]).unread == 0
    # The second photo shows other cards: then the unread one is none of them.
    other = PhotoReading((_seen(PAIRS[1], 1),), ())
    joined = join_photos("usa", [one, other])
    assert (joined.unread, joined.cards) == (1, 3)


def test_a_card_photographed_again_and_still_unread_is_one_card() -> None:
    both, glare = (_seen(PAIRS[0], 0), _seen(PAIRS[1], 0)), (UnreadCard(SQUARE, "unclear", 0),)
    first = PhotoReading(both, glare)
    assert join_photos("usa", [first, first, first]).cards == 3
    # Of this photo's two unread cards one is the second ticket.
    worse = PhotoReading(both[:1], glare * 2)
    for photos in ([first, worse], [worse, first]):
        assert join_photos("usa", photos).cards == 3
    assert join_photos("usa", [first, PhotoReading(both, glare * 2)]).cards == 4
    # Where no ticket is told the photos may show different cards.
    assert join_photos("usa", [PhotoReading((), glare)] * 2).cards == 2


def test_the_surer_of_two_photos_counts() -> None:
    photos = [
        PhotoReading((_seen(PAIRS[0], 0, review=True),), ()),
        PhotoReading((_seen(PAIRS[0], 1),), ()),
    ]
    (seen,) = join_photos("usa", photos).tickets
    assert (seen.review, seen.photo) == (False, 1)


def test_close_lines_are_two_and_a_line_found_twice_is_one() -> None:
    # As measured on a card that shows "Saint" above "Malo": boxes of 55 px, 31 px apart.
    saint, malo = (TextLine(x, y, 117, 55, 24, 0.9) for x, y in ((696, 500), (709, 471)))
    again = TextLine(699, 503, 114, 46, 23, 0.9)
    assert elsewhere([saint, malo, again], []) == [saint, malo]


def test_the_map_on_a_card_is_no_other_card() -> None:
    # Two whole cards, and a third of which only its map stands out, with its names beside that.
    def rectangle(x: float, y: float, width: float, height: float) -> CardOutline:
        corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
        return CardOutline(corners, width * height)

    cards = [[line(150, 30)], [line(550, 30)], [line(950, 30)]]
    whole = [rectangle(0, 0, 300, 200), rectangle(400, 0, 300, 200)]
    printed, other = rectangle(810, 50, 280, 145), rectangle(810, 45, 300, 200)
    read = [one for card in cards for one in card]
    for third, unread in ((printed, 0), (other, 1)):
        shapes = Shapes((*whole, third), (), ())
        assert len(unread_cards(read, cards, [], shapes, 0)) == unread


def test_what_stands_out_far_from_all_cards_may_be_one() -> None:
    cards = [[line(150, 30)], [line(550, 30)]]
    far = CardOutline(np.array([[900, 300], [1000, 300], [1000, 400], [900, 400]], np.float64), 9e3)
    near = CardOutline(far.corners_px - np.array([380, 240]), 9e3)
    tiny = CardOutline(far.corners_px[0] + (far.corners_px - far.corners_px[0]) / 4, 600)
    assert things_apart([far, near, tiny], 20, [], cards) == [far]
    assert things_apart([far], 20, [far], cards) == [], "a card that is known already"
    assert things_apart([near], 20, [], []) == [near], "whose names stand nowhere near"


def test_a_card_whose_names_reach_the_photos_edge_is_told_as_cut_off() -> None:
    for x, why in ((0, "cut-off"), (300, "unclear"), (985, "cut-off")):
        card = UnreadCard(SQUARE + np.array([x, 400]), "unclear", 0)
        assert told_if_cut_off(card, (800, 1000, 3)).why == why


def _card(x: float, y: float, width: float = 300, height: float = 200) -> CardOutline:
    corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]])
    return CardOutline(corners, width * height)


def test_an_unread_card_has_its_names_where_the_others_have_theirs() -> None:
    # The names stand 70 px above the middle of cards of 300 x 200 px; the unread one is turned.
    read = [([line(150, 30, 180)], _card(0, 0)), ([line(550, 30, 240)], _card(400, 0))]
    unread = _card(900, 100, 200, 300)
    lines = list(expected_lines(read, [unread]))
    middles = sorted((one.x_px, one.y_px) for one in lines)
    np.testing.assert_allclose(middles, [(930, 250), (1070, 250)], atol=0.01)
    for one in lines:
        assert (round(abs(one.angle_deg)), round(one.width_px), round(one.height_px)) == (
            90,
            240,
            20,
        )
    assert not list(expected_lines(read[:1], [unread])), "one card alone says too little"


def test_a_card_cut_by_the_photos_edge_counts_and_a_mat_around_the_cards_does_not() -> None:
    cards = [[line(450, 330)], [line(850, 330)]]
    whole = (_card(300, 300), _card(700, 300))
    read = [one for card in cards for one in card]
    cut, other = _card(0, 300, 120), _card(0, 700, 900, 60)
    seen = unread_cards(read, cards, [], Shapes(whole, (), (), (cut, other)), 0)
    assert [(card.why, tuple(card.corners_px.mean(axis=0))) for card in seen] == [
        ("cut-off", (60, 400)),
    ]  # fmt: skip
    mat = _card(200, 200, 1000, 480)  # as large as eight cards
    assert not unread_cards(read, cards, [], Shapes((*whole, mat), (), (), ()), 0)
