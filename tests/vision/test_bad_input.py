"""Photos that nobody should send, and some will: one sentence, or nothing sure that is wrong."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board.board import load_board
from tests.support.drawn_table import full_photo
from tests.support.shared import NEEDS_PICTURES, SHARED
from vision.empty_board import make_reference
from vision.errors import BoardNotFoundError, ImageError
from vision.evaluate.labels import load_labels
from vision.evaluate.result import Result, count
from vision.images.light import from_linear, to_linear
from vision.images.photo import load_photo
from vision.reader import read_photos
from vision.reading import Reading
from vision.registration.geometry import homography_of_quads
from vision.registration.register import register
from vision.routes.places import bag_of
from vision.synthetic import DrawnPhoto, Oddities, draw_photo, random_owners

USA = load_board("usa")
TIDY = Oddities(hand_per_photo=0.0, cards_per_photo=0.0, cups_per_photo=0.0, strays_per_photo=0.0)
SIZE_PX = (1600, 1200)


@cache
def owners() -> Mapping[str, str | None]:
    return random_owners(USA, seed=901, players=4)


@cache
def game(heaped: int = 0, heap_spread_mm: float = 34.0) -> DrawnPhoto:
    return draw_photo(
        USA,
        owners(),
        seed=901,
        size_px=SIZE_PX,
        oddities=replace(TIDY, heaped_wagons=heaped, heap_spread_mm=heap_spread_mm),
    )


def read(image: NDArray[np.uint8], players: Sequence[str] | None = None) -> Reading:
    return read_photos([image], USA, players=players or game().players)


def surely_wrong(reading: Reading, owns: Mapping[str, str | None] | None = None) -> list[str]:
    """Places shown as sure with other owners than they have; `owns` are the game's, if not this
    file's."""
    truth = owners() if owns is None else owns
    return [
        " + ".join(place.routes)
        for place in reading.places
        if not place.review and bag_of(place.owners) != bag_of(truth[name] for name in place.routes)
    ]


def asked(reading: Reading) -> int:
    return sum(place.review for place in reading.places)


def shown(levels: NDArray[np.floating]) -> NDArray[np.uint8]:
    return np.clip(levels, 0, 255).astype(np.uint8)


def test_half_of_the_board_in_a_hard_shadow() -> None:
    image = game().image_bgr
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    edge = columns * 0.9 + rows * 0.4 - 0.6 * image.shape[1]
    shade = 1 - 0.72 / (1 + np.exp(-edge / 14))
    assert surely_wrong(read(shown(image * shade[..., None]))) == []


def test_a_board_under_a_glass_plate_that_mirrors_a_window() -> None:
    image = game().image_bgr
    height, width = image.shape[:2]
    mirrored = np.zeros((height, width), np.float32)
    beam = np.array([(0.45, 0), (0.7, 0), (0.95, 1), (0.72, 1)]) * (width, height)
    cv2.fillPoly(mirrored, [beam.astype(np.int32)], (70.0,))
    window = [int(width * 0.1), int(height * 0.15), int(width * 0.22), int(height * 0.35)]
    cv2.rectangle(mirrored, window, (165.0,), -1)
    mirrored = np.asarray(cv2.GaussianBlur(mirrored, (0, 0), 5), np.float32)
    assert surely_wrong(read(shown(image * 0.88 + 12 + mirrored[..., None]))) == []


def test_a_large_lamp_mirrored_in_the_board_hides_what_it_washes_out() -> None:
    """Wagons under it are as pale as the board; they were read as surely nobody's."""
    image = game().image_bgr.astype(np.float32)
    rows, columns = np.mgrid[: SIZE_PX[1], : SIZE_PX[0]]
    away_px = np.hypot(columns - 1000, rows - 500)
    for peak, wide_px in ((330, 190), (450, 170)):
        lamp = peak * np.exp(-((away_px / wide_px) ** 2))
        reading = read(shown(image + lamp[..., None]))
        assert surely_wrong(reading) == []
        assert asked(reading) < 40


def test_a_mirrored_lamp_is_no_other_colour_of_the_print() -> None:
    """France has few coloured lines; washed out ones were taken for free and white, and the photo
    refused with advice about filters."""
    france = load_board("france")
    owns = random_owners(france, seed=922)
    photo = draw_photo(france, owns, seed=922, print_seed=902, rig_seed=902, size_px=SIZE_PX)
    rows, columns = np.mgrid[: SIZE_PX[1], : SIZE_PX[0]]
    lamp = 600 * np.exp(-((np.hypot(columns - 576, rows - 528) / 224) ** 2))
    lit = shown(photo.image_bgr + lamp[..., None])
    reading = read_photos([lit], france, players=photo.players)
    assert surely_wrong(reading, owns) == []


@NEEDS_PICTURES
def test_a_lamp_mirrored_in_the_varnish_hides_nothing_where_wagons_stand_out_in_it() -> None:
    """A quarter of the board is burnt out, and green wagons stand in its midst."""
    images = load_labels(SHARED / "renders")
    (image,) = (image for image in images if image.path.name == "france-seq35-f1.jpg")
    result = Result(image)
    count(result, read_photos([load_photo(image.path)], image.board, players=image.players))
    assert len(result.places.silent) == 0
    assert len(result.places.asked_in_sight) <= 3


def test_through_a_greasy_lens_a_board_is_read_as_through_a_clean_one() -> None:
    """Its veil greys black wagons: they were read as surely nobody's."""
    image = game().image_bgr
    clean = read(image)
    light = 0.8 * to_linear(image) + 0.2 * to_linear(np.array((180, 210, 225)))
    veiled = read(shown(np.rint(255 * from_linear(light))))
    assert surely_wrong(veiled) == []
    assert asked(veiled) <= asked(clean) + 3


def test_where_a_window_is_mirrored_in_half_of_the_board_nothing_is_surely_wrong() -> None:
    """Its soft light greys black wagons, and green ones look like print there."""
    image = game().image_bgr
    down = np.linspace(0, 1, image.shape[0])[:, None, None]
    part = 0.25 * np.clip((down - 0.5) / 0.08 + 0.5, 0, 1)
    light = (1 - part) * to_linear(image) + part * to_linear(np.array((225, 222, 220)))
    assert surely_wrong(read(shown(np.rint(255 * from_linear(light))))) == []


def test_a_photo_of_a_screen_that_shows_a_board_is_refused_or_read_warily() -> None:
    image = game().image_bgr
    height, width = image.shape[:2]
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    levels = image.astype(np.float32)
    for channel, phase in enumerate((0.0, 2.09, 4.18)):
        grid = np.sin(columns * 2.05 + rows * 0.02 + phase) * np.sin(rows * 2.1)
        levels[..., channel] *= 0.8 + 0.2 * grid + 0.12 * np.sin(columns * 0.09 + rows * 0.13)
    screen = np.full((height + 200, width + 200, 3), 18, np.uint8)
    screen[100:-100, 100:-100] = shown(levels * 0.95 + 10)
    side = np.array(screen.shape[1::-1])
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    seen = np.array([(0.08, 0.06), (0.94, 0.04), (0.97, 0.95), (0.04, 0.97)])
    matrix = homography_of_quads(corners * side, seen * (width, height))
    around = (120.0, 130.0, 140.0)
    photo = cv2.warpPerspective(screen, matrix, (width, height), borderValue=around)
    with suppress(BoardNotFoundError):  # one sentence is as good an answer
        assert surely_wrong(read(np.asarray(photo, np.uint8))) == []


def test_a_board_that_is_small_in_the_photo_is_to_be_taken_from_nearer() -> None:
    """1.7 pixels a millimetre, and 0.9, as a messenger's shrunk photo has."""
    image = full_photo().image_bgr
    small = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    assert "seen-from-afar" in {w.code for w in read(np.asarray(small, np.uint8)).warnings}
    assert "seen-from-afar" not in {w.code for w in read(image).warnings}


def test_wagons_of_colours_that_nobody_plays_are_asked_about() -> None:
    two = game().players[:2]
    reading = read(game().image_bgr, two)
    others = {name for name, owner in owners().items() if owner and owner not in two}
    assert len(others) > 5
    assert all(reading.routes[name].review for name in others)
    assert any(w.code == "not-in-play" for w in reading.warnings)
    assert surely_wrong(reading) == []


def test_claims_of_a_player_left_out_are_no_heap_to_take_off() -> None:
    """It told people to take such wagons off the board, in the middle of a game."""
    codes = {w.code for w in read(game().image_bgr, game().players[:2]).warnings}
    assert "not-in-play" in codes
    assert "heap" not in codes


@pytest.mark.parametrize("count", [1, 2])
def test_wagons_of_nobody_are_not_taken_for_the_light(count: int) -> None:
    """Those of two colours or three that nobody plays look like a player's, and of a single player
    "two players' colours look alike" is no sense."""
    codes = {w.code for w in read(game().image_bgr, game().players[:count]).warnings}
    assert "not-in-play" in codes
    assert "colours-alike" not in codes


def test_sixty_wagons_poured_onto_the_map_claim_nothing() -> None:
    poured = read(game(heaped=60).image_bgr)
    assert surely_wrong(poured) == []
    assert asked(poured) > asked(read(game().image_bgr))


def test_what_is_claimed_amid_a_heap_is_asked_about_until_it_is_cleared_away() -> None:
    scattered = game(heaped=60, heap_spread_mm=55.0)
    poured, tidy = read(scattered.image_bgr), read(game().image_bgr)
    assert surely_wrong(poured) == []
    heaps = [one.routes for one in poured.warnings if one.code == "heap"]
    assert len(heaps) == 1
    assert heaps[0]
    assert all(poured.routes[name].owner and poured.routes[name].review for name in heaps[0])
    assert "heap" not in {one.code for one in tidy.warnings}


def test_of_two_photos_the_one_without_colours_is_named() -> None:
    image = game().image_bgr
    tinted = shown(image.mean(axis=2, keepdims=True) * (0.6, 0.85, 1.0))
    with pytest.raises(ImageError) as refused:
        read_photos([image, tinted], USA, players=game().players)
    assert refused.value.photo == 1


def _on_one_table(boards: Sequence[DrawnPhoto]) -> NDArray[np.uint8]:
    """The boards cut out of their photos and laid side by side on a brown table."""
    table = np.full((1000, 1900, 3), (80, 110, 150), np.uint8)
    left = 40
    for photo in boards:
        mask = np.zeros(photo.image_bgr.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, photo.corners_px.round().astype(np.int32), (255.0,))
        x, y, wide, high = cv2.boundingRect(mask)
        size = round(wide * 0.6), round(high * 0.6)
        cut = cv2.resize(photo.image_bgr[y : y + high, x : x + wide], size)
        inside = cv2.resize(mask[y : y + high, x : x + wide], size) > 127
        there = table[120 : 120 + size[1], left : left + size[0]]
        there[inside] = cut[inside]
        left += size[0] + 30
    return table


def test_two_boards_that_each_fill_half_of_the_photo_are_refused() -> None:
    """Side by side, seen from two directions; whichever of them is found first, the other lies in
    the strip beside it."""
    other = random_owners(USA, seed=951, players=4)
    beside = draw_photo(USA, other, seed=951, size_px=SIZE_PX, oddities=TIDY).image_bgr
    with pytest.raises(BoardNotFoundError, match=r"shows Ticket to Ride \(USA\) twice"):
        register(np.hstack([game().image_bgr, beside]), USA)


def test_the_same_board_twice_is_refused_in_one_sentence() -> None:
    other = draw_photo(USA, {}, seed=905, size_px=SIZE_PX, oddities=TIDY)
    assert register(_on_one_table([game()]), USA).method == "outline"
    with pytest.raises(BoardNotFoundError, match=r"shows Ticket to Ride \(USA\) twice"):
        register(_on_one_table([game(), other]), USA)


def test_a_board_that_lies_on_an_empty_one_of_its_kind_is_refused_beside_that_one_s_photo() -> None:
    """The lower board looks more like the empty photo than the one with the wagons does; what it
    shows free would be somebody's."""
    played = game()
    empty = draw_photo(USA, {}, seed=905, print_seed=901, size_px=SIZE_PX, oddities=TIDY)
    high, wide = empty.image_bgr.shape[:2]
    heap = np.full((round(1.2 * high), round(1.5 * wide), 3), (80, 110, 150), np.uint8)
    heap[-high:, -wide:] = empty.image_bgr
    mask = np.zeros((high, wide), np.uint8)
    cv2.fillConvexPoly(mask, played.corners_px.round().astype(np.int32), (255.0,))
    heap[:high, :wide][mask > 0] = played.image_bgr[mask > 0]
    reference = make_reference(empty.image_bgr, USA)
    with pytest.raises(BoardNotFoundError, match=r"shows Ticket to Ride \(USA\) twice"):
        register(heap, USA, reference=reference)


def test_two_boards_alike_are_told_as_such_beside_their_empty_photo_too() -> None:
    """No feature of the empty photo is clearly more like one board's than like the other's."""
    played = game()
    empty = draw_photo(USA, {}, seed=905, print_seed=901, size_px=SIZE_PX, oddities=TIDY)
    reference = make_reference(empty.image_bgr, USA)
    assert register(played.image_bgr, USA, reference=reference).method == "reference"
    with pytest.raises(BoardNotFoundError, match=r"shows Ticket to Ride \(USA\) twice"):
        register(np.hstack([played.image_bgr] * 2), USA, reference=reference)


def later(names: Sequence[str], rig: int, seed: int) -> DrawnPhoto:
    """The same game once these free routes were taken, from another place."""
    taken = dict(owners()) | dict.fromkeys(names, "red")
    place = {"print_seed": 901, "rig_seed": rig}
    return draw_photo(USA, taken, seed=seed, size_px=SIZE_PX, oddities=TIDY, **place)


def named(reading: Reading) -> list[tuple[str, ...]]:
    return [one.routes for one in reading.warnings if one.code == "different-moments"]


def test_photos_of_two_moments_are_told_by_the_routes_that_differ() -> None:
    """They were asked about one after the other, and nothing said why."""
    free = [name for name, owner in owners().items() if owner is None]
    long = [name for name in free if USA.route_by_id[name].length > 2][:2]
    moved = read_photos([game().image_bgr, later(long, 31, 902).image_bgr], USA)
    [differing] = named(moved)
    assert set(differing) <= set(long)
    assert surely_wrong(moved) == []


def test_two_photos_of_one_moment_are_not_told_as_two() -> None:
    again = later([], 31, 902)
    assert named(read_photos([game().image_bgr, again.image_bgr], USA)) == []
