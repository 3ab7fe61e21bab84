"""The points of a sheet one after another, in an order that keeps the end open for long.

The board first, which everybody has seen, then what was hidden in the hands, then what is compared
between the players; the longest path, which is drawn on the board, comes last.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.documents.sheet import KINDS, SUBJECT_OF
from scoring.sheet.lines import Line
from scoring.sheet.ranking import SHARED
from scoring.sheet.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Gain:
    """One line of a player's sheet: both by their index; `total` is the player's with it."""

    player: int
    line: int
    points: int
    total: int


@dataclass(frozen=True, slots=True)
class Award:
    """What is given at once. `totals` are everybody's after it, in the players' order."""

    kind: str
    gains: tuple[Gain, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tie:
    """A tie for the victory: who was level on points, and the rule that told them apart.

    `rule` is SHARED where none did. `measures` has what the rule compares, of the winners and of
    whoever it put right behind them.
    """

    level: tuple[str, ...]
    points: int
    rule: str
    measures: Mapping[str, int]


def awards(sheet: Sheet, subjects: Sequence[str] = ()) -> tuple[Award, ...]:
    """Every line of the sheet once; the totals of the last award are those of the sheet.

    `subjects`: passengers' colours and big cities in the order in which people typed them; what it
    does not name follows as it comes.

    >>> from scoring.sheet.sheet import score_game
    >>> ada = {"name": "Ada", "routes": ["denver--omaha"]}
    >>> given = awards(score_game({"game": "usa", "players": [ada, {"name": "Ben"}]}))
    >>> [(award.kind, award.totals) for award in given]
    [('routes', (7, 0)), ('longest-path', (17, 0))]
    """
    totals = [0] * len(sheet.players)
    given: list[Award] = []
    for kind in KINDS:
        for lines in _groups(sheet, kind, totals, subjects):
            gains = tuple(_gain(sheet, player, line, totals) for player, line in lines)
            given.append(Award(kind, gains, tuple(totals)))
    return tuple(given)


def tie_of(sheet: Sheet) -> Tie | None:
    """The tie for the victory, None where points alone decided.

    >>> from scoring.sheet.sheet import score_game
    >>> tie_of(score_game({"game": "usa", "players": [{"name": "Ada"}, {"name": "Ben"}]})).rule
    'shared'
    """
    if sheet.tie_break is None:
        return None
    top = max(player.total for player in sheet.players)
    level = [player for player in sheet.players if player.total == top]
    behind = min((p.rank for p in level if p.rank > 1), default=1)
    measures = {
        player.name: sheet.measures[sheet.tie_break][place]
        for place, player in enumerate(sheet.players)
        if sheet.tie_break != SHARED and player in level and player.rank in (1, behind)
    }
    return Tie(tuple(player.name for player in level), top, sheet.tie_break, measures)


Lines = list[tuple[int, int]]
"""Lines that are given at once: the player's index and the line's."""


def _groups(
    sheet: Sheet, kind: str, totals: Sequence[int], subjects: Sequence[str]
) -> Iterator[Lines]:
    """The awards of a kind. Tickets come a player at a time, whoever is behind first."""
    lines: Lines = [
        (player, number)
        for player, one in enumerate(sheet.players)
        for number, line in enumerate(one.lines)
        if line.kind == kind
    ]
    if kind == "ticket":
        turn = sorted(range(len(totals)), key=lambda player: totals[player])
        groups: list[Lines] = [[one for one in lines if one[0] == player] for player in turn]
    else:
        by_subject: dict[object, Lines] = {subject: [] for subject in subjects}
        for player, number in lines:
            subject = _subject(sheet.players[player].lines[number])
            by_subject.setdefault(subject, []).append((player, number))
        groups = list(by_subject.values())
    yield from (group for group in groups if group)


def _subject(line: Line) -> object:
    key = SUBJECT_OF.get(line.kind)
    return None if key is None else line.detail.get(key)


def _gain(sheet: Sheet, player: int, line: int, totals: list[int]) -> Gain:
    points = sheet.players[player].lines[line].points
    totals[player] += points
    return Gain(player, line, points, totals[player])
