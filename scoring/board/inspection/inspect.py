"""All that `companion boards check` finds in a board's document: format, words and positions."""

from dataclasses import dataclass

from scoring.board.board import Board, board_from_json
from scoring.board.edition import Bases
from scoring.board.format import MAP, document_problems
from scoring.board.inspection.finding import Finding
from scoring.board.inspection.positions import check_positions
from scoring.board.inspection.words import check_words
from scoring.board.shipped import shipped_document


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was found in one document; `board` is None where its format is broken."""

    board: Board | None
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What has to be corrected before the board is used."""
        return tuple(finding for finding in self.findings if finding.is_error)

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """What is only odd."""
        return tuple(finding for finding in self.findings if not finding.is_error)


def inspect_board(document: object, bases: Bases = shipped_document) -> Inspection:
    """Inspect a parsed board file; positions are looked at once its format holds.

    What is no board file at all is refused without a word on its fields.

    >>> [finding.message.text() for finding in inspect_board([]).errors]
    ['board: document: must be an object, not […]']
    """
    broken = [Finding(problem, True) for problem in document_problems(document, bases)]
    if isinstance(document, dict) and document.keys().isdisjoint(MAP):
        return Inspection(None, tuple(broken))
    words = check_words(document)
    if broken:
        return Inspection(None, (*broken, *words))
    board = board_from_json(document, bases)
    return Inspection(board, (*words, *check_positions(board)))
