"""What set-up says of a photo: every space, most of them, or too few and too far off."""

import numpy as np
import pytest

from calibration.survey import Survey
from companion.setup.words import quality_told


@pytest.mark.parametrize(
    ("unseen", "error_mm", "key", "seen", "good"),
    [
        (0, 0.5, "every-space", None, True),
        (10, 2.0, "most-spaces", 90, True),
        (11, 0.5, "poor", 89, False),
        (0, 2.1, "poor", 100, False),
    ],
)
def test_the_verdict_is_one_sentence_with_what_was_found(
    unseen: int, error_mm: float, key: str, seen: int | None, good: bool
) -> None:
    found = np.arange(100) >= unseen
    nowhere = np.zeros((4, 2))
    survey = Survey(nowhere, np.zeros((100, 4, 2)), found, error_mm, None, (), (), None)
    (told,) = quality_told(survey, vouched=False)
    assert told.message["key"] == f"companion.setup.{key}"
    assert told.message["values"].get("seen") == seen
    assert (told.message["values"]["total"], told.message["values"]["mm"]) == (100, error_mm)
    assert told.good is good
