"""A route of which nothing is plainly seen to be free is asked about, whatever lies around it."""

from collections.abc import Mapping
from dataclasses import replace

from tests.support.drawn_table import USA
from tests.vision.routes.test_judge import seen_of
from tests.vision.test_wagons import asked, reading, routes
from vision.reading import Owner, Why
from vision.routes.plainly_free import ask_about_unproven

LINE = "duluth--winnipeg"  # 4 spaces, a place of its own


def asked_where(
    *spaces: tuple[float, float], sure: float = 0.9, owner: Owner = None, why: tuple[Why, ...] = ()
) -> Mapping[str, tuple[Why, ...]]:
    """What is asked if the spaces of one route are each empty, and hidden, with these chances."""
    seen = seen_of({})
    alone = seen.probabilities.copy()
    for row, (empty, hidden) in zip(alone[USA.spaces_of[LINE]], spaces, strict=True):
        row[:] = (1 - empty - hidden) / (len(row) - 2)
        row[:2] = empty, hidden
    read = routes() | {LINE: replace(reading(LINE, owner, sure=sure), why=why)}
    return asked(ask_about_unproven(read, replace(seen, alone=alone), USA))


UNDER_A_CARD, HALF_SEEN, EMPTY = (0.01, 0.98), (0.6, 0.1), (0.99, 0.001)


def test_a_free_route_under_a_card_is_asked_about_as_hidden() -> None:
    spaces = (UNDER_A_CARD, UNDER_A_CARD, UNDER_A_CARD, HALF_SEEN)
    assert asked_where(*spaces) == {LINE: (Why.HIDDEN,)}


def test_a_free_route_that_is_half_seen_everywhere_is_asked_about_as_unsure() -> None:
    assert asked_where(*[HALF_SEEN] * 4) == {LINE: (Why.UNSURE,)}


def test_one_space_that_is_plainly_empty_proves_that_a_route_is_free() -> None:
    """Routes are claimed whole."""
    assert asked_where(UNDER_A_CARD, UNDER_A_CARD, UNDER_A_CARD, EMPTY) == {}


def test_what_its_spaces_together_say_surely_is_not_asked() -> None:
    assert asked_where(*[HALF_SEEN] * 4, sure=0.99) == {}


def test_a_claim_needs_no_such_proof() -> None:
    assert asked_where(*[UNDER_A_CARD] * 4, owner="red") == {}


def test_a_question_keeps_its_reason() -> None:
    loose = (Why.LOOSE_WAGON,)
    assert asked_where(*[UNDER_A_CARD] * 4, why=loose) == {LINE: loose}
