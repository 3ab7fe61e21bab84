"""Boards are taught by touch, from the photo to the saved board; every tap of it is counted."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np

from companion.studio.store import StudioStore
from companion.table.table import Table
from companion.user_files.game_files import read_taught
from scoring.board.board import Board, Ticket
from tests.support.taught_map import photo_of_map, twenty_places
from tests.support.teacher import TAPS, Teacher, seen_in
from tests.support.waiting import until
from tests.web.conftest import names_of_posts
from tests.web.studio_by_touch import TouchTeacher
from tests.web.studio_in_work import rig as rig
from tests.web.studio_rig import Rig
from vision.synthetic import DrawnPhoto, Oddities, draw_photo
from vision.synthetic.maps import make_map

LOOK_MS = 180_000
"""The proposal takes seconds; a machine that does much else may need longer."""

MOST_TAPS = 150
"""For a map of 100 lines and 47 places."""

MOST_TAPS_OF_TWENTY = 50
"""For 31 lines and 20 places, in proportion to that."""

LARGE = 39
"""Seed of a map of 100 lines and 52 places."""

POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15}


def jpeg(photo: DrawnPhoto) -> bytes:
    quality = [int(cv2.IMWRITE_JPEG_QUALITY), 93]
    return cv2.imencode(".jpg", photo.image_bgr, quality)[1].tobytes()


@cache
def photo_of_twenty(*claimed: tuple[str, str]) -> DrawnPhoto:
    return photo_of_map(dict(claimed), seed=2 if claimed else 1)


def proposed(tablet: Any, address: str, rig: Rig, truth: Board, photo: DrawnPhoto) -> TouchTeacher:
    """Somebody who has just given the photo and sees what was found in it."""
    tablet.set_default_timeout(LOOK_MS)
    tablet.goto(f"{address}/start")
    tablet.get_by_role("link", name="Teach a board of your own").tap()
    image = {"name": "IMG.jpg", "mimeType": "image/jpeg", "buffer": jpeg(photo)}
    tablet.locator("input[name=image]").set_input_files(image)
    tablet.wait_for_url("**/studio/2*")
    tablet.wait_for_load_state("load")
    (draft,) = rig.studio.drafts()
    corners_px = StudioStore(rig.data).load(draft.key).corners_px
    return TouchTeacher(tablet, rig.studio, truth, seen_in(corners_px, photo.spaces_px))


def map_of(board: Board) -> Counter[tuple[frozenset[str], int, str, bool]]:
    """Every line by the names of its places, its length, its colour, and whether it is double."""
    names = {place.id: place.name for place in board.places}
    return Counter(
        (
            frozenset(names[end] for end in route.ends),
            route.length,
            route.colour,
            route.parallel_group is not None,
        )
        for route in board.routes
    )


def saved(rig: Rig, board: str) -> Board:
    taught = read_taught(rig.data / "boards" / f"{board}.json")
    assert isinstance(taught, Board)
    return taught


def test_a_map_of_100_lines_and_52_places_takes_at_most_150_taps(rig: Rig) -> None:
    """Counted by the model, which the next test holds against what a finger taps."""
    drawn = make_map(LARGE)
    assert (len(drawn.routes), len(drawn.places)) == (100, 52)
    ends = drawn.places[0].id, drawn.places[-1].id
    truth = replace(drawn, title="Large", tickets=(Ticket("one", ends, 8, ""),))
    photo = draw_photo(truth, {}, seed=LARGE, oddities=Oddities.none(), size_px=(2400, 1800))
    key = rig.studio.begin(jpeg(photo), None, really_empty=False)
    corners_px = StudioStore(rig.data).load(key).corners_px
    person = Teacher(rig.studio, key, truth, seen_in(corners_px, photo.spaces_px))
    person.teach()
    assert person.taps + TAPS["save"] <= MOST_TAPS
    rig.studio.save(key, really=False)

    taught = saved(rig, "large")
    assert map_of(taught) == map_of(truth)
    assert sorted(place.name for place in taught.places) == sorted(p.name for p in truth.places)
    assert [one.points for one in taught.tickets] == [8]
    off_mm = person.off_mm()
    assert float(np.median(off_mm)) < 0.5
    assert float(off_mm.max()) < 5.0, "a fifth of a box, at worst"


def test_a_drawn_board_is_taught_and_then_read_and_scored(tablet: Any, rig: Rig) -> None:
    truth = twenty_places()
    requests = names_of_posts(tablet)
    with rig.served() as address:
        person = proposed(tablet, address, rig, truth, photo_of_twenty())
        person.teach()
        needed = person.touched
        assert needed == person.taps, "the model counts what a finger taps"
        person.draw_again(truth.route_by_id["town-0--town-5"])
        assert person.off_mm().max() < 1.5, "it snapped to the printed boxes"
        not_needed = person.touched - needed
        person.save()
        tablet.get_by_role("heading", name="Twenty is ready").wait_for()
        print(f"photo to saved board: {person.touched - not_needed} taps, {person.keys} keys")
        assert person.touched - not_needed <= MOST_TAPS_OF_TWENTY
        assert all(requests)
        assert len(set(requests)) == len(requests), "each has a name of its own"
        taught = saved(rig, "twenty")
        assert map_of(taught) == map_of(truth)

        tablet.get_by_role("link", name="Play on it").tap()
        tablet.wait_for_url("**/start?board=twenty")
        assert tablet.get_by_text("This board is not set up yet").count() == 0, "its photo is kept"
        tablet.get_by_label("Name of the red player").fill("Ada")
        tablet.get_by_label("Name of the blue player").fill("Ben")
        tablet.get_by_role("button", name="Start the game").tap()
        tablet.wait_for_url("**/board")
    read_and_score(rig.table, truth, taught)


def read_and_score(table: Table, truth: Board, taught: Board) -> None:
    """A photo of ten claimed lines: none is read wrongly unasked, and the points are theirs."""
    single = [route for route in truth.routes if route.parallel_group is None][:10]
    owners = {route.id: ("red", "blue")[k % 2] for k, route in enumerate(single)}
    ids = names_to_ids(truth, taught)
    table.act("upload-photo", {"images": [jpeg(photo_of_twenty(*owners.items()))]})
    until(lambda: table.state()["camera"]["status"] != "looking", "the look's end", 200)
    read = table.state()["routes"]
    silent = {
        name
        for name, route in ids.items()
        if read[route]["owner"] != owners.get(name) and read[route]["status"] != "doubtful"
    }
    assert silent == set(), "nothing is read wrongly without asking"
    for name, route in ids.items():
        if read[route]["status"] == "doubtful":
            table.act("correct-route", {"route": route, "owner": owners.get(name)})
    points = {row["colour"]: row["points"] for row in table.state()["standing"]}
    expected = {
        colour: sum(POINTS[route.length] for route in single if owners[route.id] == colour)
        for colour in ("red", "blue")
    }
    assert points == expected


def names_to_ids(truth: Board, taught: Board) -> Mapping[str, str]:
    """The taught board's id of every single line of the true one, by the latter's id."""
    by_names = {
        frozenset(taught.place_by_id[end].name for end in route.ends): route.id
        for route in taught.routes
        if route.parallel_group is None
    }
    return {
        route.id: by_names[frozenset(truth.place_by_id[end].name for end in route.ends)]
        for route in truth.routes
        if route.parallel_group is None
    }
