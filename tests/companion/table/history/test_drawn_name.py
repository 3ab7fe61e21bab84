"""A name on the shared picture is read as it is on the panel."""

import cv2
import numpy as np
import pytest

from companion.table.history.drawn_name import drawn_name
from companion.table.history.picture import (
    CREAM_BGR,
    DEEP_BGR,
    MARGIN_PX,
    draw_result,
    write,
)
from tests.companion.table.history.test_history import summary


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("יעל", "לעי"),
        ("Ada יעל-נח 2", "Ada חנ-לעי 2"),
        ("שָׂרה", "הרשָׂ"),
        ("Zoë😀", "Zoë"),
        ("👩‍🚀 Ida ❤️", "Ida"),
        ("🐸", "🐸"),
        ("<b>Ugo</b>", "<b>Ugo</b>"),
        ("O'Hara 100 % +", "O'Hara 100 % +"),
    ],
)
def test_a_name_is_turned_where_it_is_read_from_the_right(name: str, drawn: str) -> None:
    assert drawn_name(name) == drawn


@pytest.mark.skipif(not hasattr(cv2, "FontFace"), reason="an old OpenCV draws plain letters only")
def test_the_winner_with_an_emoji_has_no_question_mark() -> None:
    with_emoji = draw_result(summary("Zoë😀", "Bo"), "USA", "en")
    assert (with_emoji == draw_result(summary("Zoë", "Bo"), "USA", "en")).all()
    assert (draw_result(summary("Zoë", "Bo"), "USA🚂", "en") == with_emoji).all()
    turned = draw_result(summary("יעל", "Bo"), "USA", "en")
    assert (turned != draw_result(summary("לעי", "Bo"), "USA", "en")).any()


@pytest.mark.skipif(not hasattr(cv2, "FontFace"), reason="an old OpenCV draws plain letters only")
def test_a_title_of_a_board_of_one_s_own_is_turned_as_names_are() -> None:
    """A map that somebody taught as Haifa, on the line below the winner."""
    picture = draw_result(summary("Ada", "Bo"), "חיפה", "en")
    line = picture[140:190]
    as_read = np.full_like(line, DEEP_BGR)
    write(as_read, "הפיח", (MARGIN_PX, 34), 36, CREAM_BGR)
    assert (line == as_read).all()
