"""Empty boards that look claimed: who may vouch for them, and how they are read from then on."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from scoring.board.board import load_board
from tests.support.dark_print import (
    USA,
    carelessly_taught,
    dark_empty,
    dark_game,
    darkened,
)
from tests.support.drawn_table import drawn, empty_photo
from tests.support.shared import NEEDS_PICTURES, SHARED
from vision.empty_board import make_reference
from vision.errors import NotEmptyError
from vision.images.photo import load_photo
from vision.reader import read_photos
from vision.registration.reference import Reference

GAMMAS = (0.8, 1.25)


@cache
def dark_reference() -> Reference:
    return make_reference(dark_empty().image_bgr, USA)


def test_a_few_black_looks_on_a_dark_print_are_asked_about_and_not_refused() -> None:
    image_bgr, reference = dark_empty().image_bgr, dark_reference()
    assert reference.looks_claimed
    reading = read_photos([image_bgr], USA, reference=reference)
    assert set(reference.looks_claimed) <= set(reading.review)


def test_what_a_person_vouched_for_is_print_from_then_on() -> None:
    image_bgr = darkened(dark_empty().image_bgr, 1.25)
    reference = make_reference(image_bgr, USA, really_empty=True)
    assert reference.vouched
    assert reference.looks_claimed
    reading = read_photos([image_bgr], USA, reference=reference)
    looks = [reading.routes[name] for name in reference.looks_claimed]
    assert [look.route for look in looks if look.owner is not None] == []
    for gamma in GAMMAS:
        other = read_photos([darkened(image_bgr, gamma)], USA, reference=reference)
        assert [name for name in reference.looks_claimed if other.routes[name].owner] == []


def test_looks_of_other_colours_are_refused_by_name_until_somebody_vouches() -> None:
    board, image_bgr = carelessly_taught(), darkened(dark_empty().image_bgr, 1.25)
    with pytest.raises(NotEmptyError) as refused:
        make_reference(image_bgr, board)
    vouched = make_reference(image_bgr, board, really_empty=True)
    ends = {end for name in vouched.looks_claimed for end in board.route_by_id[name].ends}
    assert any(board.place_by_id[end].name in str(refused.value) for end in ends)
    reading = read_photos([image_bgr], board, reference=vouched)
    assert [name for name in vouched.looks_claimed if reading.routes[name].owner] == []


def test_wagons_laid_later_on_a_vouched_route_are_not_taken_for_print() -> None:
    reference = make_reference(dark_empty().image_bgr, USA, really_empty=True)
    owners = dict(zip(reference.looks_claimed, ("red", "green", "yellow", "black"), strict=False))
    reading = read_photos([dark_game(owners).image_bgr], USA, reference=reference)
    silent = [n for n in owners if reading.routes[n].owner != owners[n] and n not in reading.review]
    assert owners
    assert silent == []


@pytest.mark.parametrize(
    "owners",
    [
        {"denver--omaha": "red", "atlanta--miami": "blue"},
        {"duluth--omaha-1": "green"},
        {"atlanta--miami": "blue"},  # printed in blue
    ],
)
def test_a_game_of_one_or_two_routes_makes_no_empty_board(owners: dict[str, str]) -> None:
    """Wagons in the reference would look like print for the rest of the evening."""
    photo = drawn(USA, owners, seed=2)
    with pytest.raises(NotEmptyError) as refused:
        make_reference(photo.image_bgr, USA)
    for route in owners:
        for end in USA.route_by_id[route].ends:
            assert USA.place_by_id[end].name in str(refused.value)
    vouched = make_reference(photo.image_bgr, USA, really_empty=True)
    assert set(vouched.looks_claimed) >= set(owners)


def test_a_lone_black_route_is_either_refused_or_asked_about_in_every_scan() -> None:
    """Black alone may be print; but it is never silently taken for print."""
    owners = {"denver--omaha": "black"}
    photo = drawn(USA, owners, seed=2)
    try:
        reference = make_reference(photo.image_bgr, USA)
    except NotEmptyError:
        return
    assert reference.looks_claimed == ("denver--omaha",)
    reading = read_photos([photo.image_bgr], USA, reference=reference)
    assert "denver--omaha" in reading.review


def test_an_empty_board_that_looks_empty_needs_nobody_to_vouch() -> None:
    photo = empty_photo()
    reference = make_reference(photo.image_bgr, USA)
    assert (reference.looks_claimed, reference.vouched) == ((), False)


def test_vouching_never_touches_routes_that_looked_empty() -> None:
    """The same pixels with and without a person's word: only the routes they vouched for differ."""
    image_bgr, reference = dark_empty().image_bgr, dark_reference()
    word = replace(reference, vouched=True)
    plain = read_photos([image_bgr], USA, reference=_silent(reference))
    vouched = read_photos([image_bgr], USA, reference=word)
    for name, own in USA.spaces_of.items():
        if name not in reference.looks_claimed:
            assert own.stop - own.start == len(vouched.routes[name].spaces)
            assert vouched.routes[name].spaces == plain.routes[name].spaces


def _silent(reference: Reference) -> Reference:
    return replace(reference, looks_claimed=())


@NEEDS_PICTURES
@pytest.mark.parametrize(
    ("name", "gamma"),
    [
        ("photos/IMG_4169.jpg", 0.8),
        ("photos/IMG_4169.jpg", 1.25),
        ("renders/germany-r21-empty.jpg", 1.25),
        ("renders/france-r31-empty.jpg", 0.8),
    ],
)
def test_a_genuine_empty_photo_is_taken_whatever_its_tone_curve(name: str, gamma: float) -> None:
    board = load_board(name.split("/")[1].split("-")[0] if "renders" in name else "usa")
    image_bgr = np.ascontiguousarray(darkened(load_photo(SHARED / name), gamma))
    assert make_reference(image_bgr, board).looks_claimed == ()


@NEEDS_PICTURES
@pytest.mark.parametrize("name", ["usa-seq15-f1", "germany-seq25-f1", "france-seq35-f1"])
def test_a_recorded_game_after_three_routes_is_no_empty_board(name: str) -> None:
    image_bgr = load_photo(SHARED / "renders" / f"{name}.jpg")
    with pytest.raises(NotEmptyError):
        make_reference(image_bgr, load_board(name.split("-")[0]))
