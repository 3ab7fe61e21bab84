"""Photos of one moment in, one reading out: register, read the spaces, decide the routes."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.errors import VisionError
from vision.reading import (
    PlaceReading,
    Reading,
    ReadingWarning,
    Registration,
    RouteReading,
    Why,
    warning,
)
from vision.registration.board_geometry import outline_mm
from vision.registration.geometry import px_per_mm
from vision.registration.reference import Reference
from vision.registration.register import register
from vision.routes.account import Account, account_of
from vision.routes.decide import decide_routes
from vision.routes.heap import amid_a_heap
from vision.routes.in_play import colours_in_play
from vision.routes.judge import judge_places
from vision.routes.model import WITH_EMPTY_BOARD, WITHOUT_EMPTY_BOARD, RouteModel
from vision.routes.places import ask_by_place, read_places
from vision.routes.plainly_free import ask_about_unproven
from vision.routes.posterior import Posterior
from vision.routes.review import asked_also
from vision.routes.rule_warnings import colours_alike, rule_warnings
from vision.routes.settling import settled_by_both
from vision.routes.supply import ask_about_supply
from vision.routes.tinted import tinted_routes
from vision.routes.witness import ask_about_missed, ask_about_other_colours
from vision.spaces.classifier import SpacesTold, spaces_told
from vision.spaces.evidence import SpaceEvidence, fuse
from vision.spaces.located_image import LocatedImage, SeenBoard, as_fine_as_read, seen_board
from vision.vouching import ask_about_unvouched, read_vouched_as_empty
from vision.wagons.find import find_wagons
from vision.wagons_pull import without_pull

FINE_PX_PER_MM = 1.0
"""From this on a photo shows the board large enough: of 315 readings of games that nothing was
fitted on the 157 coarser ones have 19 silent mistakes, the 158 others 8. The coarsest real photos,
of 1.1 pixels a millimetre, are read without one."""


def read_photos(
    photos_bgr: Sequence[NDArray[np.uint8]],
    board: Board,
    *,
    reference: Reference | None = None,
    corners_px: NDArray[np.float64] | None = None,
    players: Sequence[str] | None = None,
) -> Reading:
    """Read one or several photos of the same moment.

    `photos_bgr` are ndarrays of shape (H, W, 3), uint8, BGR. `reference` is the empty board;
    `corners_px` (4, 2) the outer corners in the first photo where a person gave them. `players`
    are the colours in play; if None, those of the board that are seen to be. The registration that
    is reported is the first photo's. Raises BoardNotFoundError where the board cannot be found and
    ImageError where a photo is too dark or blurred or shows no colours; the error's `photo` says
    which of them is meant.
    """
    started = time.perf_counter()
    found = [
        _find(k, photo, board, reference, corners_px if k == 0 else None)
        for k, photo in enumerate(photos_bgr)
    ]
    registered = time.perf_counter()
    evidence, routes, places = _of_players(found, board, reference, players)
    finished = time.perf_counter()
    return Reading(
        board=board.id,
        registration=found[0].where,
        routes=routes,
        warnings=(
            *_of_different_moments(evidence, board),
            *rule_warnings(routes, board),
            *_about_colours(routes, evidence, board),
            *_of_a_heap(routes, evidence, board, [one.account for one in found]),
            *_seen_from_afar([one.where for one in found], board),
        ),
        timing_ms={
            "register": 1000 * (registered - started),
            "read": 1000 * (finished - registered),
            "total": 1000 * (finished - started),
        },
        places=places,
    )


def _of_players(
    found: Sequence["FoundBoard"],
    board: Board,
    reference: Reference | None,
    players: Sequence[str] | None,
) -> tuple[SpaceEvidence, dict[str, RouteReading], tuple[PlaceReading, ...]]:
    """What the photos show of the spaces, and what is decided from it; where nobody said who plays,
    among those who are seen to."""
    accounts = [one.account for one in found]
    told = told_of([one.look for one in found], board, reference)
    colours = tuple(players or board.player_colours)
    evidence = evidence_among(colours, told, reference)
    routes, places = decide(evidence, board, reference, accounts)
    seen = colours if players else colours_in_play(routes, colours)
    if seen != colours:
        lone = [n for n, r in routes.items() if r.owner is not None and r.owner not in seen]
        # Photos may differ in wagons of a colour that does not count from here on.
        at_odds = evidence.at_odds
        evidence = replace(evidence_among(seen, told, reference), at_odds=at_odds)
        routes, places = decide(evidence, board, reference, accounts, lone)
    return evidence, routes, places


def _find(
    which: int,
    photo_bgr: NDArray[np.uint8],
    board: Board,
    reference: Reference | None,
    corners_px: NDArray[np.float64] | None,
) -> "FoundBoard":
    with _of_photo(which):
        return find_board(photo_bgr, board, reference=reference, corners_px=corners_px)


@dataclass(frozen=True, slots=True, eq=False)
class FoundBoard:
    """A board where it lies in a photo, as both witnesses look at it, and the wagons on it."""

    where: Registration
    look: SeenBoard
    account: Account


def found_at(where: Registration, photo_bgr: NDArray[np.uint8], board: Board) -> FoundBoard:
    """The board that was registered there in a photo (H, W, 3), uint8, BGR."""
    image = LocatedImage(photo_bgr, where.spaces_px)
    look = seen_board(as_fine_as_read(image, board.space_size_mm), board)
    return FoundBoard(where, look, account_of(find_wagons(look, board)))


def find_board(
    photo_bgr: NDArray[np.uint8],
    board: Board,
    *,
    reference: Reference | None = None,
    corners_px: NDArray[np.float64] | None = None,
) -> FoundBoard:
    """The board in a photo, where `register` says, its spaces without what the wagons on it pull.
    Raises what `register` raises."""
    where = register(photo_bgr, board, reference=reference, corners_px=corners_px)
    found = found_at(where, photo_bgr, board)
    height, width = photo_bgr.shape[:2]
    laid = without_pull(where, board, found.account, (width, height))
    if laid is not where:
        found = found_at(laid, photo_bgr, board)
    # What was seen of every space is large, and done with.
    return replace(found, where=replace(laid, lay_again=None))


@contextmanager
def _of_photo(which: int) -> Iterator[None]:
    """Errors within say which of the photos is meant."""
    try:
        yield
    except VisionError as error:
        raise error.of_photo(which) from error


def decide(
    evidence: SpaceEvidence,
    board: Board,
    reference: Reference | None,
    accounts: Sequence[Account],
    lone: Sequence[str] = (),
) -> tuple[dict[str, RouteReading], tuple[PlaceReading, ...]]:
    """Every route's owner, and the places that they make up; both say what is asked about. `lone`
    are routes that may be of a colour that was taken for not played."""
    if accounts:
        with_empty = reference is not None
        routes, weighed = doubted(evidence, board, reference, accounts)
        routes = judge_places(routes, evidence, board, weighed, accounts, with_empty=with_empty)
        routes = ask_about_unproven(routes, evidence, board)
        routes = ask_about_other_colours(routes, board, accounts, evidence.colours)
        routes = asked_also(routes, tinted_routes(routes, evidence, board), Why.TINTED)
        routes = asked_also(routes, amid_a_heap(routes, board, accounts), Why.LOOSE_WAGON)
    else:
        routes = decide_routes(evidence, board, _model(reference))
    routes = ask_about_unvouched(routes, reference)
    routes = asked_also(routes, lone, Why.LONE_COLOUR)
    places = read_places(routes, board)
    return ask_by_place(routes, places), places


def doubted(
    evidence: SpaceEvidence,
    board: Board,
    reference: Reference | None,
    accounts: Sequence[Account],
) -> tuple[dict[str, RouteReading], Posterior]:
    """The routes as both witnesses read them, with what rules doubt, and how both weigh them."""
    decided = decide_routes(evidence, board, _model(reference))
    with_empty = reference is not None
    settled, weighed = settled_by_both(decided, evidence, board, accounts, with_empty=with_empty)
    settled = ask_about_missed(settled, board, accounts)
    return ask_about_supply(settled, board, weighed, (None, *evidence.colours)), weighed


def _model(reference: Reference | None) -> RouteModel:
    return WITHOUT_EMPTY_BOARD if reference is None else WITH_EMPTY_BOARD


def _about_colours(
    routes: Mapping[str, RouteReading], evidence: SpaceEvidence, board: Board
) -> Iterator[ReadingWarning]:
    """What is wrong with the colours: nobody plays one, or two players' look alike.

    Wagons of nobody look like somebody's, so the second is only told without the first. One player
    alone is taken for nobody else.
    """
    strange = list(_colours_not_in_play(evidence, board))
    yield from strange
    if not strange and len(evidence.colours) > 1:
        yield from colours_alike(routes)


def _colours_not_in_play(evidence: SpaceEvidence, board: Board) -> Iterator[ReadingWarning]:
    """A warning of the routes most of whose spaces show wagons of a colour that nobody plays."""
    strange = np.zeros(board.space_count)
    strange[list(evidence.doubts.get(Why.NOT_PLAYING, ()))] = 1.0
    names = tuple(name for name, own in board.spaces_of.items() if strange[own].mean() > 0.5)
    if names:
        yield warning("not-in-play", names)


def _of_different_moments(evidence: SpaceEvidence, board: Board) -> Iterator[ReadingWarning]:
    """A warning of the routes of which two photos surely show something else."""
    spaces = {name: range(board.space_count)[own] for name, own in board.spaces_of.items()}
    names = tuple(name for name, own in spaces.items() if evidence.at_odds.issuperset(own))
    if names:
        yield warning("different-moments", names)


def _of_a_heap(
    routes: Mapping[str, RouteReading],
    evidence: SpaceEvidence,
    board: Board,
    accounts: Sequence[Account],
) -> Iterator[ReadingWarning]:
    """A warning of the claimed routes amid a heap of wagons.

    The claims of a player whose colour was left out belong to no route that was read either: they
    are no heap to take off, and the colours are told of first.
    """
    names = tuple(amid_a_heap(routes, board, accounts))
    if names and not any(_colours_not_in_play(evidence, board)):
        yield warning("heap", names)


def _seen_from_afar(found: Sequence[Registration], board: Board) -> Iterator[ReadingWarning]:
    """A warning where no photo shows the board large enough to be read as well as it can be."""
    finest = max(px_per_mm(one.corners_px, outline_mm(board)) for one in found)
    if finest < FINE_PX_PER_MM:
        yield warning("seen-from-afar")


def evidence_of(
    looks: Sequence[SeenBoard],
    board: Board,
    colours: Sequence[str],
    reference: Reference | None,
) -> SpaceEvidence:
    """What the photos of one moment say about every space together, where these colours are in
    play. Raises ImageError, which says the photo's number, where one shows no colours."""
    return evidence_among(colours, told_of(looks, board, reference), reference)


def told_of(
    looks: Sequence[SeenBoard], board: Board, reference: Reference | None
) -> list[SpacesTold]:
    """What the networks tell of every photo's spaces, beside the empty board if there is one."""
    empty = None
    if reference is not None:
        whole = LocatedImage(reference.image_bgr, reference.spaces_px)
        empty = as_fine_as_read(whole, board.space_size_mm)
    return [spaces_told(look, board, empty) for look in looks]


def evidence_among(
    colours: Sequence[str], told: Sequence[SpacesTold], reference: Reference | None
) -> SpaceEvidence:
    """The photos' evidence together, where these colours are in play; raises as `evidence_of`."""
    readings = []
    for k, photo in enumerate(told):
        with _of_photo(k):
            read = photo.among(colours)
        readings.append(read_vouched_as_empty(read, photo.seen.photo, reference, photo.board))
    return fuse(readings, [photo.seen.leans_mm for photo in told])
