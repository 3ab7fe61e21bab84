"""What nobody has checked yet about a board, in the reader's language."""

from collections.abc import Mapping

from scoring.board.board import Board, load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.language import text

SHIPPED_FACTS: Mapping[str, tuple[str, ...]] = {
    "usa": ("usa.tickets", "usa.geometry", "usa.doubles"),
    "germany": (
        "germany.mannheim",
        "germany.tickets",
        "germany.passengers",
        "germany.austria",
        "germany.players",
    ),
    "france": (
        "france.source",
        "france.toulouse",
        "france.ferries",
        "france.names",
        "france.track",
        "france.frame",
    ),
}
"""The catalogue's keys of the facts in the shipped files, in the order of those files."""


def unverified_facts(board: Board, language: str) -> list[str]:
    """One sentence a fact: those of a shipped board in that language, others as they were written.

    An edition has its base's facts first, then its own.

    >>> len(unverified_facts(load_board("usa"), "it"))
    3
    """
    base = board.edition_of or board.id
    shipped = load_board(base).unverified if base in BOARDS_WITH_DATA else ()
    same = board.unverified[: len(shipped)] == shipped  # not so in a table's own file of that name
    known = SHIPPED_FACTS.get(base, ()) if same else ()
    own = board.unverified[len(known) :]
    return [*(text(f"scoring.unverified.{name}", language) for name in known), *own]
