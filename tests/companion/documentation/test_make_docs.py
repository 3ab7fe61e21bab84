"""The pictures of the documentation: all there, none left over, and showing what they should."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion.documentation import hard_to_read, make_docs
from companion.documentation.hard_to_read import (
    ASKED_BGR,
    RIGHT_BGR,
    SITUATIONS,
    WRONG_BGR,
    photo_of,
    verdict_line,
)
from companion.documentation.make_docs import IMAGES, PICTURES
from scoring.board.board import load_board
from vision.images.photo import open_photo
from vision.reading import OCCLUDED, RouteReading, SpaceReading, Why
from vision.synthetic import DrawnPhoto

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"!\[[^\]]+\]\((?P<path>[^)]+)\)")
HARD = {situation.name: situation for situation in SITUATIONS}


@cache
def photo(name: str) -> DrawnPhoto:
    return photo_of(HARD[name])


def labels(name: str, route: str) -> tuple[str, ...]:
    """What is to be seen on a route's spaces."""
    return photo(name).labels[load_board(HARD[name].board).spaces_of[route]]


def middle_bgr(name: str, route: str) -> np.ndarray:
    """The colours in the middles of a route's printed spaces, shape (N, 3)."""
    seen = photo(name)
    quads = seen.spaces_px[load_board(HARD[name].board).spaces_of[route]]
    x, y = np.round(quads.mean(axis=1)).astype(int).T
    return seen.image_bgr[y, x].astype(int)


def test_every_picture_is_shown_somewhere_and_made_by_the_program() -> None:
    shown = {
        (page.parent / link["path"]).resolve()
        for page in PAGES
        for link in LINK.finditer(page.read_text("utf-8"))
    }
    assert shown == {(IMAGES / name).resolve() for name in PICTURES}
    assert {path.name for path in IMAGES.iterdir()} == set(PICTURES)


def test_the_hard_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in IMAGES.glob("hard-*.jpg")) < 300_000


def test_a_dark_track_piece_lies_near_black_wagons() -> None:
    name = "dark-track-piece"
    assert "bourges--dijon" in photo(name).tracks
    assert labels(name, "bourges--dijon") == ("empty",) * 4
    assert middle_bgr(name, "bourges--dijon").max() < 110
    assert set(labels(name, "bourges--orleans")) == {"black"}


def test_red_wagons_hide_the_empty_line_beside_theirs() -> None:
    name = "leaning-wagons"
    assert labels(name, "new-york--washington-1") == ("red", "red")
    assert labels(name, "new-york--washington-2") == ("empty", "empty")
    blue, green, red = middle_bgr(name, "new-york--washington-2").T
    assert (red > 2 * np.maximum(blue, green)).all()


def test_one_red_wagon_has_gone_from_a_red_route() -> None:
    board = load_board("usa")
    assert board.route_by_id["denver--salt-lake-city-1"].colour == "red"
    assert labels("red-on-red", "denver--salt-lake-city-1") == ("empty", "red", "red")


def test_a_claimed_route_lies_wholly_under_a_card() -> None:
    assert labels("under-a-card", "duluth--omaha-2") == (OCCLUDED, OCCLUDED)
    assert photo("under-a-card").owners["duluth--omaha-2"] == "blue"


def test_a_lamp_washes_out_the_print_beside_black_wagons() -> None:
    assert labels("glare", "duluth--omaha-1") == ("empty", "empty")
    assert labels("glare", "duluth--omaha-2") == ("black", "black")
    assert middle_bgr("glare", "duluth--omaha-1").min() > 225


def test_the_command_makes_a_picture_of_what_is_hard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "hard-under-a-card.jpg"
    monkeypatch.setattr(make_docs, "IMAGES", tmp_path / "docs" / "images")
    monkeypatch.setattr(make_docs, "PICTURES", {name: PICTURES[name]})
    monkeypatch.setattr(hard_to_read, "photo_of", lambda hard: photo(hard.name))  # drawn once
    assert make_docs.main() == 0
    picture = open_photo(tmp_path / "docs" / "images" / name, colours_matter=False)  # three in one
    height_px, width_px = picture.image_bgr.shape[:2]
    assert width_px == 630
    assert height_px > 420, "the crop, and the lines under it"


def test_without_a_checkout_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(make_docs, "CHECKOUT", tmp_path)
    monkeypatch.setattr(make_docs, "IMAGES", tmp_path / "docs" / "images")
    assert make_docs.main() == 2
    assert capsys.readouterr().err == (
        f"make_docs: {tmp_path} is no checkout; run `make docs` in one\n"
    )
    assert list(tmp_path.iterdir()) == []


def a_reading(owner: str | None, confidence: float, review: bool) -> RouteReading:
    spaces = (SpaceReading("black", 0.71, {}), SpaceReading("empty", 1.0, {}))
    why = (Why.UNSURE,) if review else ()
    return RouteReading("any", owner, confidence, why, spaces)


@pytest.mark.parametrize(
    ("reading", "truth", "words", "colour_bgr"),
    [
        (a_reading("black", 0.8, True), None, "black 80 % (WRONG, asked)", ASKED_BGR),
        (a_reading("black", 0.999, False), None, "black 99 % (WRONG, not asked)", WRONG_BGR),
        (a_reading(None, 0.9999, False), None, "nobody 99 % (right, not asked)", RIGHT_BGR),
        (a_reading(None, 0.5, True), None, "nobody 50 % (right, asked)", ASKED_BGR),
    ],
)
def test_a_line_says_owner_certainty_and_whether_a_person_is_asked(
    reading: RouteReading, truth: str | None, words: str, colour_bgr: tuple[int, int, int]
) -> None:
    line, bgr = verdict_line("Alone", "B", reading, truth)
    assert line == f"Alone: {words}; B1 black 71, B2 empty 99"
    assert bgr == colour_bgr
