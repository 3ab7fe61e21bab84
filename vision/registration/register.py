"""Finds the board in a photo: against its empty reference, by corners or markers, or by itself."""

from collections.abc import Iterator
from itertools import chain
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.errors import BoardNotFoundError
from vision.images.light import balanced, is_cast, light_of_all, without_grain
from vision.images.photo import PHOTO_LIMITS, check_quality
from vision.images.resize import shrunk_to_about
from vision.images.veil import without_veil
from vision.reading import Registration
from vision.registration.diagnosis import not_found, refuse_outside
from vision.registration.features import (
    CLOSER_FEATURES,
    CLOSER_SIDE_PX,
    Features,
    PhotoMap,
    are_two_alike,
    extract,
    is_there_twice,
    map_to_photo,
)
from vision.registration.geometry import Points
from vision.registration.pattern_fit import REGISTRATION_LIMITS
from vision.registration.reference import Reference
from vision.registration.second_board import refuse_two_boards
from vision.registration.without_reference import by_corners, by_itself, by_markers, enlarged


def register(
    photo_bgr: NDArray[np.uint8],
    board: Board,
    *,
    reference: Reference | None = None,
    corners_px: Points | None = None,
) -> Registration:
    """Where the board and every space lie in a photo, ndarray of shape (H, W, 3), uint8, BGR.

    The photo is looked at without its veil, if it has one. With `corners_px` (4, 2), the outer
    corners as printed (top-left, top-right, bottom-right, bottom-left), these are used. Otherwise
    the empty `reference` is matched, if given, or the printed markers where too few features match;
    without a reference the board is searched for. Where nothing is found, the photo itself is
    tried, and in a lamp's light a balanced one whose grain is evened; so where it is seen faintly,
    and the surest of these is taken, but not of a blurred photo, in which players are taken for
    each other. Raises BoardNotFoundError where the board isn't there, or not wholly, or twice, or
    is another one, and ImageError where the photo is too dark or blurred.
    """
    faintly = check_quality(photo_bgr) >= PHOTO_LIMITS.blurred_detail
    clear_bgr = without_veil(photo_bgr)
    faint: list[Registration] = []
    refusals: list[BoardNotFoundError] = []
    for look_bgr in chain([clear_bgr], _other_looks(photo_bgr, clear_bgr)):
        try:
            found = _find(look_bgr, board, reference, corners_px, faintly=faintly)
        except BoardNotFoundError as refusal:
            refusals.insert(0 if look_bgr is photo_bgr else len(refusals), refusal)
            continue
        if not found.is_faint:
            return found
        faint.append(found)
    if not faint:
        raise refusals[0]
    return max(faint, key=_seen)


def _seen(found: Registration) -> float:
    return 0.0 if found.evidence is None else float(found.evidence.mean())


def _other_looks(
    photo_bgr: NDArray[np.uint8], clear_bgr: NDArray[np.uint8]
) -> Iterator[NDArray[np.uint8]]:
    """The photo as it was taken, if it had a veil, and balanced, if its light has a cast."""
    if clear_bgr is not photo_bgr:
        yield photo_bgr
    light_bgr = light_of_all(clear_bgr)
    if is_cast(light_bgr):
        yield without_grain(balanced(clear_bgr, light_bgr))


def _find(
    photo_bgr: NDArray[np.uint8],
    board: Board,
    reference: Reference | None,
    corners_px: Points | None,
    *,
    faintly: bool,
) -> Registration:
    if corners_px is not None:
        return by_corners(photo_bgr, board, np.asarray(corners_px, np.float64))
    scale = 1.0
    if reference is None:
        photo_bgr, scale = shrunk_to_about(photo_bgr, REGISTRATION_LIMITS.working_side_px)
        found = by_itself(photo_bgr, board, faintly=faintly)
    else:
        found = _by_reference(photo_bgr, board, reference)
    if found.method != "markers":  # which are fixed about the board that is meant
        refuse_two_boards(photo_bgr, found.corners_px, board)
    return enlarged(found, scale)


_FEATURES: WeakKeyDictionary[Reference, Features] = WeakKeyDictionary()
"""Those of every reference in use; a cache of the last few would keep the photos of old ones."""


def _features_of(reference: Reference) -> Features:
    known = _FEATURES.get(reference)
    if known is None:
        known = _FEATURES[reference] = extract(reference.image_bgr, reference.corners_px)
    return known


def _by_reference(photo_bgr: NDArray[np.uint8], board: Board, reference: Reference) -> Registration:
    found = _map(reference, photo_bgr, board)
    if found is not None:
        return _from_map(photo_bgr, reference, found)
    marked = by_markers(photo_bgr, board)
    if marked is None:
        raise not_found(photo_bgr, board)
    return marked


def _map(reference: Reference, photo_bgr: NDArray[np.uint8], board: Board) -> PhotoMap | None:
    """The reference found in the photo; None where it isn't.

    Three tries, the fastest first: the strongest features; features from all over the photo, where
    a patterned table has the strongest; more features at a higher resolution, where the board is
    small in the photo and that is not blurred. Raises BoardNotFoundError where it is there twice:
    of a board that lies on another of its kind, the lower one may look more like the empty photo,
    and of two side by side neither is found.
    """
    known, looks = _features_of(reference), []
    for seen in _looks(photo_bgr):
        found = map_to_photo(known, seen)
        if found is not None:
            if is_there_twice(known, seen, found):
                raise BoardNotFoundError("vision.board.two", board=board.name)
            return found
        looks.append(seen)
    if any(are_two_alike(known, seen) for seen in looks):
        raise BoardNotFoundError("vision.board.two", board=board.name)
    return None


def _looks(photo_bgr: NDArray[np.uint8]) -> Iterator[Features]:
    """A photo's features: each look at it is slower than the one before, and finds more."""
    seen = extract(photo_bgr)
    yield seen
    yield extract(photo_bgr, spread=True)
    if seen.is_fine:
        yield extract(photo_bgr, side_px=CLOSER_SIDE_PX, count=CLOSER_FEATURES)


def _from_map(photo_bgr: NDArray[np.uint8], reference: Reference, found: PhotoMap) -> Registration:
    spaces = found(reference.spaces_px)
    refuse_outside(spaces, photo_bgr)
    return Registration("reference", found(reference.corners_px), spaces, found.error_px)
