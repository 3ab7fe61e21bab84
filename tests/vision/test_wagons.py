"""The second witness: wagons are found wherever they stand, and each must be accounted for."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.board.board import load_board
from scoring.game.colours import COLOURS
from tests.support.drawn_table import CLAIMED, USA, empty_photo, full_photo
from vision.reading import Owner, RouteReading, SpaceReading, Why
from vision.registration.board_geometry import board_quads_mm
from vision.routes.account import account_of
from vision.routes.heap import amid_a_heap
from vision.routes.witness import (
    ask_about_missed,
    ask_about_other_colours,
    hold_against_wagons,
)
from vision.spaces.located_image import LocatedImage, SeenBoard, seen_board
from vision.synthetic.photo import DrawnPhoto
from vision.wagons.find import FoundWagons, find_wagons
from vision.wagons.straighten import straighten

Row = tuple[str, float, float, float, str, float]
"""A wagon: the route whose first space it lies beside, how far along and across it (mm), how far it
is turned (degrees), its colour, how surely it is one."""


def wagons(*rows: Row, board_id: str = "usa") -> FoundWagons:
    board = load_board(board_id)
    boxes = board_quads_mm(board)
    at, angles, colours = [], [], np.full((len(rows), len(COLOURS)), 0.001)
    for k, (route, along, across, turned, colour, _) in enumerate(rows):
        box = boxes[board.spaces_of[route].start]
        way = (box[1] - box[0]) / np.linalg.norm(box[1] - box[0])
        at.append(box.mean(axis=0) + along * way + across * np.array([-way[1], way[0]]))
        angles.append(np.arctan2(way[1], way[0]) + np.radians(turned))
        colours[k, COLOURS.index(colour)] = 0.991
    return FoundWagons(
        at_mm=np.array(at).reshape(-1, 2),
        angles_rad=np.array(angles),
        chances=np.array([row[5] for row in rows]),
        colours=colours,
        lying=np.zeros(len(rows)),
        spaces_mm=boxes,
    )


def routes(board_id: str = "usa", **changed: RouteReading) -> dict[str, RouteReading]:
    """Every route surely free but for those named, with `_` for `-`."""
    read = {name: reading(name, None, board_id) for name in load_board(board_id).route_by_id}
    return read | {name.replace("__", "--").replace("_", "-"): r for name, r in changed.items()}


def reading(
    name: str, owner: Owner, board_id: str = "usa", *why: Why, sure: float = 0.999
) -> RouteReading:
    board = load_board(board_id)
    labels = ("empty", "occluded", *board.player_colours)
    label = owner or "empty"
    left = (1 - sure) / (len(labels) - 1)
    space = SpaceReading(label, sure, {one: sure if one == label else left for one in labels})
    others = [one for one in (None, *board.player_colours) if one != owner]
    alternatives = ((owner, sure), *((one, left) for one in others[:2]))
    length = board.route_by_id[name].length
    return RouteReading(name, owner, sure, why, (space,) * length, alternatives)


def heard(
    read: dict[str, RouteReading], *found: FoundWagons, board_id: str = "usa"
) -> dict[str, RouteReading]:
    accounts = [account_of(one) for one in found]
    return hold_against_wagons(read, load_board(board_id), accounts)


def asked(read: dict[str, RouteReading]) -> dict[str, tuple[Why, ...]]:
    return {name: route.why for name, route in read.items() if route.review}


def test_a_wagon_beside_a_free_line_is_asked_about_with_its_colour_among_the_answers() -> None:
    result = heard(routes(), wagons(("duluth--winnipeg", 1.0, 8.0, 5.0, "green", 0.9)))
    assert asked(result) == {"duluth--winnipeg": (Why.LOOSE_WAGON,)}
    assert "green" in [owner for owner, _ in result["duluth--winnipeg"].alternatives[:2]]


@pytest.mark.parametrize(
    "row",
    [
        ("duluth--winnipeg", 1.0, 0.5, 2.0, "black", 0.6),
        ("duluth--winnipeg", 1.0, 8.0, 5.0, "green", 0.2),
        ("duluth--winnipeg", 1.0, 8.0, 5.0, "pink", 0.9),
        ("duluth--winnipeg", 1.0, 5.0, 2.0, "black", 0.5),
    ],
    ids=[
        "as the print lies",
        "hardly there",
        "of a colour that nobody has",
        "a frame of the print",
    ],
)
def test_what_may_be_print_or_nothing_is_no_question(row: Row) -> None:
    assert asked(heard(routes(), wagons(row))) == {}


@pytest.mark.parametrize(
    "row",
    [
        ("duluth--winnipeg", 1.0, 5.0, 2.0, "black", 0.7),
        ("duluth--winnipeg", 1.0, 5.0, 25.0, "black", 0.5),
        ("duluth--winnipeg", 1.0, 5.0, 2.0, "green", 0.5),
    ],
    ids=["surely a wagon", "askew", "of another colour"],
)
def test_beside_black_print_a_wagon_is_told_from_its_frame(row: Row) -> None:
    assert set(asked(heard(routes(), wagons(row)))) == {"duluth--winnipeg"}


def test_a_wagon_beside_a_question_asks_no_second_one() -> None:
    """It lies between two lines, one of which is asked about as it is."""
    one, other = "kansas-city--omaha-1", "kansas-city--omaha-2"
    between = wagons((other, 0.0, 4.7, 5.0, "green", 0.9))
    assert set(asked(heard(routes(), between))) == {other}
    read = routes() | {one: reading(one, None, "usa", Why.DISAGREE)}
    assert set(asked(heard(read, between))) == {one}


def test_a_wagon_that_stands_for_a_claim_leaves_nothing_over() -> None:
    read = routes(duluth__winnipeg=reading("duluth--winnipeg", "green"))
    assert asked(heard(read, wagons(("duluth--winnipeg", 1.0, 8.0, 5.0, "green", 0.9)))) == {}


def test_of_several_photos_all_must_show_the_loose_wagon() -> None:
    loose = wagons(("duluth--winnipeg", 1.0, 8.0, 5.0, "green", 0.9))
    assert asked(heard(routes(), loose, wagons())) == {}
    assert set(asked(heard(routes(), loose, loose))) == {"duluth--winnipeg"}


def test_a_single_space_is_settled_where_both_see_its_wagon() -> None:
    name = next(r.id for r in USA.routes if r.length == 1 and r.parallel_group is None)
    doubtful = reading(name, "red", "usa", Why.SINGLE_SPACE, sure=0.99)
    read = routes() | {name: doubtful}
    assert asked(heard(read, wagons((name, 2.0, 1.0, 5.0, "red", 0.8)))) == {}
    assert set(asked(heard(read, wagons((name, 2.0, 1.0, 5.0, "blue", 0.8))))) == {name}
    assert set(asked(heard(read, wagons()))) == {name}


def test_a_free_route_is_settled_where_neither_sees_a_wagon() -> None:
    name = next(r.id for r in USA.routes if r.length == 1 and r.parallel_group is None)
    read = routes() | {name: reading(name, None, "usa", Why.SINGLE_SPACE, sure=0.99)}
    assert asked(heard(read, wagons())) == {}
    assert set(asked(heard(read, wagons((name, 2.0, 1.0, 5.0, "red", 0.3))))) == {name}


def test_what_is_hidden_or_black_is_never_settled() -> None:
    name = next(r.id for r in USA.routes if r.length == 1 and r.parallel_group is None)
    for owner, why in ((None, Why.HIDDEN), ("black", Why.SINGLE_SPACE)):
        read = routes() | {name: reading(name, owner, "usa", why, sure=0.99)}
        found = wagons((name, 0.0, 0.0, 0.0, "black", 0.9)) if owner else wagons()
        assert asked(heard(read, found))[name] == (why,)


def test_a_bare_black_track_piece_is_asked_about() -> None:
    name = "nancy--reims-1"
    black = {name: reading(name, "black", "france")}
    alone = heard(routes("france") | black, wagons(board_id="france"), board_id="france")
    assert asked(alone) == {name: (Why.NO_WAGON,)}


def test_faint_traces_of_white_on_a_single_space_add_up() -> None:
    name = "karlsruhe--stuttgart"
    pale = reading(name, None, "germany")
    shown = replace(pale.spaces[0], probabilities={**pale.spaces[0].probabilities, "white": 0.002})
    read = routes("germany") | {name: replace(pale, spaces=(shown,))}
    trace = wagons((name, 0.0, 2.0, 3.0, "white", 0.3), board_id="germany")
    assert asked(heard(read, trace, board_id="germany")) == {name: (Why.WHITE_TRACE,)}
    assert asked(heard(routes("germany"), trace, board_id="germany")) == {}


NEXT_LINES_WAGON: Row = ("karlsruhe--stuttgart", 0.0, 0.0, 0.0, "purple", 0.9)
"""Karlsruhe to Stuttgart is one space, as is Karlsruhe to Mannheim."""


@pytest.mark.parametrize(
    ("owner", "standing", "questions"),
    [
        ("purple", (NEXT_LINES_WAGON,), {"karlsruhe--mannheim"}),
        (
            "purple",
            (NEXT_LINES_WAGON, ("karlsruhe--mannheim", 2.0, 1.0, 5.0, "purple", 0.9)),
            set(),
        ),
        ("black", (NEXT_LINES_WAGON,), set()),
    ],
    ids=["another line's wagon lies over it", "it has its own", "black is overlooked too often"],
)
def test_who_holds_a_single_space_has_a_wagon_there(
    owner: str, standing: tuple[Row, ...], questions: set[str]
) -> None:
    germany = load_board("germany")
    read = routes("germany") | {
        "karlsruhe--mannheim": reading("karlsruhe--mannheim", owner, "germany"),
        "karlsruhe--stuttgart": reading("karlsruhe--stuttgart", "purple", "germany"),
    }
    account = account_of(wagons(*standing, board_id="germany"))
    result = ask_about_missed(read, germany, [account])
    assert set(asked(result)) == questions


def test_who_holds_a_line_has_wagons_there() -> None:
    """Five spaces of grey print that look white by a lamp, and no wagon on any of them."""
    germany = load_board("germany")
    read = routes("germany") | {"lindau--muenchen": reading("lindau--muenchen", "white", "germany")}
    result = ask_about_missed(read, germany, [account_of(wagons(board_id="germany"))])
    assert asked(result) == {"lindau--muenchen": (Why.NO_WAGON,)}


@pytest.mark.parametrize(("owner", "blue", "why"), [("green", 0.57, (Why.ROOF_COLOUR,)),
                                                     ("green", 0.43, None),
                                                     ("blue", 0.57, None)])  # fmt: skip
def test_two_wagons_found_as_one_are_asked_about(
    owner: str, blue: float, why: tuple[Why, ...] | None
) -> None:
    """Green's and blue's wagon stand side by side on the two single spaces of a double."""
    name = "portland--seattle-2"
    standing = wagons((name, 0.0, 2.0, 0.0, "green", 0.7))
    mixed = standing.colours.copy()
    mixed[0, [COLOURS.index("green"), COLOURS.index("blue")]] = (1 - blue, blue)
    account = account_of(replace(standing, colours=mixed))
    read = routes() | {name: reading(name, owner, "usa")}
    result = ask_about_other_colours(read, USA, [account], ("green", "blue", "red"))
    assert asked(result).get(name) == why
    assert why is None or "blue" in [one for one, _ in result[name].alternatives[:2]]


@pytest.mark.parametrize(("owner", "chance", "settled"), [("yellow", 0.5, False),
                                                          ("yellow", 0.8, True),
                                                          ("red", 0.5, True)])  # fmt: skip
def test_a_wagon_in_the_colour_of_the_print_is_to_be_seen_surely(
    owner: str, chance: float, settled: bool
) -> None:
    name = "rennes--saint-malo"  # one space, printed yellow
    read = routes("france") | {name: reading(name, owner, "france", Why.SINGLE_SPACE, sure=0.99)}
    result = heard(read, wagons((name, 1.0, 1.0, 3.0, owner, chance), board_id="france"),
                   board_id="france")  # fmt: skip
    assert (name not in asked(result)) == settled


@pytest.mark.parametrize(
    ("loose", "from_mm", "doubted"),
    [(7, 0.0, []), (8, 0.0, ["duluth--winnipeg"]), (8, 35.0, [])],
    ids=["too few", "amid them", "at their edge"],
)
def test_a_claim_amid_eight_loose_wagons_is_doubted_and_a_free_line_is_not(
    loose: int, from_mm: float, doubted: list[str]
) -> None:
    rows = [from_mm + 10.0 * k for k in range(loose)]
    heap = wagons(*[("duluth--winnipeg", along, 15.0, 90.0, "red", 0.9) for along in rows])
    free = routes()
    claimed = free | {"duluth--winnipeg": reading("duluth--winnipeg", "green")}
    assert amid_a_heap(claimed, USA, [account_of(heap)]) == doubted
    assert amid_a_heap(free, USA, [account_of(heap)]) == []


def near_spaces(found: FoundWagons, route: str) -> NDArray[np.float64]:
    """How far the nearest wagon surely found is from each of a route's spaces, mm."""
    sure = found.at_mm[found.chances > 0.3]
    middles = found.spaces_mm[USA.spaces_of[route]].mean(axis=1)
    return np.asarray(np.linalg.norm(middles[:, None] - sure[None], axis=-1).min(axis=1))


def seen(photo: DrawnPhoto) -> SeenBoard:
    return seen_board(LocatedImage(photo.image_bgr, photo.spaces_px), USA)


def test_every_wagon_of_a_drawn_board_is_found_where_it_stands() -> None:
    photo = full_photo()
    found = find_wagons(seen(photo), USA)
    chances = []
    for route, colour in CLAIMED.items():
        assert near_spaces(found, route).max() < 7.0
        middles = found.spaces_mm[USA.spaces_of[route]].mean(axis=1)
        nearest = np.linalg.norm(middles[:, None] - found.at_mm[None], axis=-1).argmin(axis=1)
        assert {COLOURS[k] for k in found.colours[nearest].argmax(axis=1)} == {colour}
        chances += list(found.chances[nearest])
    bare = find_wagons(seen(empty_photo()), USA)
    assert bare.chances.max() < np.median(chances), "no print looks as much like a wagon"


def test_a_straightened_board_shows_each_point_where_it_says() -> None:
    """A white dot at a known place of a photo twice as fine appears at that place."""
    photo = np.zeros((400, 600, 3), np.uint8)
    photo[199:202, 299:302] = 255
    to_photo = np.diag([2.0, 2.0, 1.0])
    view = straighten(photo, to_photo, np.array([[0.0, 0], [300, 0], [300, 200], [0, 200]]))
    rows, columns = np.nonzero(view.image_bgr[..., 0] > 60)
    middle = np.array([columns.mean(), rows.mean()])
    np.testing.assert_allclose(view.to_mm(middle), [150.0, 100.0], atol=0.6)
