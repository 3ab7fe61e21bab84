"""The reveal: the points of the sheet given one after another, in words and with their evidence.

The server works out every step; the page's script only sets it in motion. Without it each step is
a page of its own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scoring.board.board import Board
from scoring.game.rules import BIG_CITIES
from scoring.language import text
from scoring.language.lists import join_names
from scoring.sheet.awarding import Award, Gain, Tie, awards, tie_of
from scoring.sheet.lines import place_key
from scoring.sheet.sheet import Sheet
from web.language import count, say
from web.names import isolated
from web.sheet.sheet import SheetCard, SheetLine, numbers_in_words, view_sheet


@dataclass(frozen=True, slots=True)
class RevealPart:
    """A line of the sheet as it is given: the player by index, and the player's total with it."""

    player: int
    title: str
    detail: str
    points: int
    total: int
    routes: tuple[str, ...]
    trail: tuple[Mapping[str, Any], ...]
    failed: bool


@dataclass(frozen=True, slots=True)
class RevealStep:
    """One still of the reveal. `totals` are in the players' order; so are `gains` (None: none)."""

    kind: str
    title: str
    said: str
    parts: tuple[RevealPart, ...]
    totals: tuple[int, ...]
    gains: tuple[int | None, ...]

    def to_json(self) -> dict[str, Any]:
        """The step for the script."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class DrawnWalk:
    """Routes that are lit on the board, and the walk over them if they are one."""

    colour: str
    routes: tuple[str, ...]
    trail: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Reveal:
    """All steps: nobody has anything in the first, the last one names the winner."""

    steps: tuple[RevealStep, ...]
    lowest: int
    highest: int
    """The ends of the scale that all bars share: 0 and every total of every step lie within."""

    def bar(self, total: int) -> tuple[float, float]:
        """Start and length of a total's bar, in per cent of the scale."""
        span = self.highest - self.lowest
        start = min(0, total) - self.lowest
        return round(100 * start / span, 2), round(100 * abs(total) / span, 2)

    def to_json(self) -> dict[str, Any]:
        """Everything that the script needs."""
        steps = [step.to_json() for step in self.steps]
        return {"steps": steps, "lowest": self.lowest, "highest": self.highest}


def view_reveal(sheet: Sheet, board: Board | None, language: str) -> Reveal:
    """The steps of a sheet; a board lets its places be named and its routes be drawn."""
    teller = _Teller(sheet, board, language)
    steps = tuple(teller.steps())
    totals = [total for step in steps for total in step.totals]
    parts = [part.total for step in steps for part in step.parts]
    lowest, highest = min(0, *totals, *parts), max(1, *totals, *parts)
    return Reveal(steps, lowest, highest)


class _Teller:
    def __init__(self, sheet: Sheet, board: Board | None, language: str) -> None:
        self.sheet, self.board, self.language = sheet, board, language
        self.view = view_sheet(sheet, board, language)
        by_name = {card.name: card for card in self.view.cards}
        self.cards: list[SheetCard] = [by_name[player.name] for player in sheet.players]

    def steps(self) -> list[RevealStep]:
        given = awards(self.sheet, self._typed_order())
        tie = tie_of(self.sheet)
        nothing = tuple(0 for _ in self.cards)
        steps = [self._still("start", say("reveal.start", self.language), "", nothing)]
        steps += map(self._award, given)
        final = given[-1].totals if given else nothing
        if tie is not None:
            steps.append(
                self._still("tie", say("reveal.tie", self.language), self._tie(tie), final)
            )
        steps.append(self._still("winner", self.view.headline, self._places(), final))
        return steps

    def _typed_order(self) -> tuple[str, ...]:
        """Passengers' colours as a hand asks for them, big cities as they stand in their form."""
        bag = () if self.board is None else tuple(self.board.passengers_in_bag)
        return (*bag, *BIG_CITIES)

    def _still(self, kind: str, title: str, said: str, totals: tuple[int, ...]) -> RevealStep:
        return RevealStep(kind, title, said, (), totals, (None,) * len(totals))

    def _award(self, award: Award) -> RevealStep:
        parts = tuple(map(self._part, award.gains))
        gains: list[int | None] = [None] * len(self.cards)
        for gain in award.gains:
            gains[gain.player] = (gains[gain.player] or 0) + gain.points
        return RevealStep(
            kind=award.kind,
            title=self._title(award),
            said=self._said(award),
            parts=parts,
            totals=award.totals,
            gains=tuple(gains),
        )

    def _line(self, gain: Gain) -> SheetLine:
        return self.cards[gain.player].lines[gain.line]

    def _part(self, gain: Gain) -> RevealPart:
        line = self._line(gain)
        lit = line.routes if gain.points > 0 and line.kind != "routes" else ()
        return RevealPart(
            player=gain.player,
            title=line.title,
            detail=line.detail,
            points=gain.points,
            total=gain.total,
            routes=lit,
            trail=line.trail if lit else (),
            failed=line.failed,
        )

    def _title(self, award: Award) -> str:
        name = self.cards[award.gains[0].player].name
        if award.kind == "ticket":
            return say("reveal.tickets", self.language, name=name)
        return self._line(award.gains[0]).title

    def _said(self, award: Award) -> str:
        if award.kind == "ticket":
            return self._tickets(award)
        if award.kind == "longest-path":
            return self._longest(award)
        if award.kind in ("passengers", "big-city"):
            return self._counts(award.gains[0])
        if award.kind == "globetrotter":
            detail = self._line(award.gains[0]).detail
            return f"{detail[:1].upper()}{detail[1:]}."
        return say("reveal.routes", self.language) if award.kind == "routes" else ""

    def _tickets(self, award: Award) -> str:
        failed = sum(self._line(gain).failed for gain in award.gains)
        done = count("count.completed", len(award.gains) - failed, self.language)
        if not failed:
            return done
        return f"{done}, {count('count.not-completed', failed, self.language)}"

    def _longest(self, award: Award) -> str:
        """Who has the longest path, and how far the others came."""
        lengths = {
            player.name: player.longest_path.length if player.longest_path else 0
            for player in self.sheet.players
        }
        holders = [self.cards[gain.player].name for gain in award.gains]
        wagons = count("count.wagons", lengths[holders[0]], self.language)
        names = join_names(holders, self.language)
        if len(holders) == 1:
            said = say("reveal.longest.one", self.language, names=names, wagons=wagons)
        else:
            said = say("reveal.longest.many", self.language, names=names, wagons=wagons)
        others = {name: n for name, n in lengths.items() if name not in holders}
        return f"{said} {numbers_in_words(others)}" if others else said

    def _counts(self, gain: Gain) -> str:
        """What was compared for a bonus: everybody's number, and whether a tie leaves no second."""
        evidence = self.sheet.players[gain.player].lines[gain.line].evidence
        counts = evidence.get("counts")
        if not isinstance(counts, Mapping):
            return ""
        numbers = numbers_in_words(counts)
        if place_key(str(evidence.get("place")), counts) != "most-tied":
            return numbers
        tied = text("scoring.sheet.place.most-tied", self.language)
        return f"{tied[:1].upper()}{tied[1:]}: {numbers}"

    def _tie(self, tie: Tie) -> str:
        """Who is level, which rule decides, and what it counts."""
        names = join_names(tie.level, self.language)
        points = count("count.points", tie.points, self.language)
        level = say("reveal.level", self.language, names=names, points=points)
        return f"{level} {self.view.tie_break}"

    def _places(self) -> str:
        """Everybody's place and points, as the last words, and what decided a tie."""
        places = ", ".join(
            say(
                "reveal.place",
                self.language,
                rank=card.rank,
                name=isolated(card.name),
                points=card.total,
            )
            for card in self.view.cards
        )
        return f"{places}. {self.view.tie_break}" if self.view.tie_break else places


def drawn_walks(step: RevealStep, colours: Sequence[str]) -> list[DrawnWalk]:
    """What a step draws on the board; `colours` are the players', in order."""
    lit = [part for part in step.parts if part.routes]
    return [DrawnWalk(colours[part.player], part.routes, part.trail) for part in lit]
