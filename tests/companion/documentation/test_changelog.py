"""The changelog becomes the notes of a release (`.github/workflows/release.yml`)."""

from pathlib import Path

CHANGELOG = Path(__file__).parents[3] / "CHANGELOG.md"

MOST_LETTERS_OF_NOTES = 125_000
"""GitHub refuses a release with longer notes."""


def test_it_fits_the_notes_of_a_release() -> None:
    assert len(CHANGELOG.read_text("utf-8")) <= MOST_LETTERS_OF_NOTES
