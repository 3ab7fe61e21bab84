"""Which known word a misspelt one was meant to be."""

import pytest

from scoring.fields import nearest
from scoring.likeness import distance, misspelt

CITIES = ("seattle", "los-angeles", "chicago", "dallas", "new-york", "miami", "boston", "houston")


@pytest.mark.parametrize(
    ("first", "second", "steps"),
    [
        ("miami", "miami", 0),
        ("miami", "maimi", 1),  # two neighbours exchanged
        ("chicago", "chigaco", 2),  # two letters that are no neighbours
        ("dallas", "dalas", 1),
        ("", "abc", 3),
        ("ca", "abc", 3),  # an exchanged pair is not changed again
    ],
)
def test_steps_between_two_words(first: str, second: str, steps: int) -> None:
    assert distance(first, second) == distance(second, first) == steps


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("chigaco", "chicago"),
        ("Maimi", "miami"),
        ("seatle", "seattle"),
        ("los-angelse", "los-angeles"),
        ("bostn", "boston"),
        ("omaha", None),
        ("x", None),
    ],
)
def test_a_slip_of_the_hand_is_found_and_another_word_is_not(
    written: str, meant: str | None
) -> None:
    assert misspelt(written, CITIES) == meant
    assert nearest(written, CITIES) == meant
