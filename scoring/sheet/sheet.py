"""The itemised final score of every player, each line with its evidence: `score_game`."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scoring.documents.game import Taught, parse_game
from scoring.documents.settings import settings_in_force
from scoring.game.game import Game
from scoring.language import Message
from scoring.longest_path.search import Trail
from scoring.referee.before_sheet import remarks_before_sheet
from scoring.referee.remark import Remark
from scoring.sheet.account import account_of
from scoring.sheet.borrowing import borrow_routes
from scoring.sheet.card_choice import choose_cards
from scoring.sheet.lines import Line, LineContext, free_routes, write_lines
from scoring.sheet.markers import MarkerCheck, check_markers
from scoring.sheet.ranking import Standings, outcome
from scoring.sheet.violations import Violation, find_violations, pieces_left

NO_OBJECTION = frozenset({"ticket-shared", "wagons-left"})
"""Remarks that leave nothing to be said: a breach names the ticket, the wagons are a question."""


@dataclass(frozen=True, slots=True)
class Objection:
    """One thing that stands against a finished game."""

    code: str
    message: Message
    is_breach: bool
    """Whether the rules forbid it; else the referee finds it odd."""


@dataclass(frozen=True, slots=True)
class PlayerSheet:
    """One player's lines and their sum."""

    name: str
    colour: str | None
    total: int
    """The sum of the lines."""
    lines: tuple[Line, ...]
    tickets_completed: int
    longest_path: Trail | None
    """None where no map is known; where it earns nothing it is shown for curiosity."""
    wagons_used: int
    wagons_left: int | None
    """Pieces that should still lie before the player; None where the game has none."""
    rank: int

    def to_json(self) -> dict[str, object]:
        """The player's JSON document."""
        trail = self.longest_path
        path = None if trail is None else {"length": trail.length, "path": list(trail.path)}
        return {
            "name": self.name,
            "colour": self.colour,
            "total": self.total,
            "lines": [line.to_json() for line in self.lines],
            "tickets_completed": self.tickets_completed,
            "longest_path": path,
            "wagons_used": self.wagons_used,
            "wagons_left": self.wagons_left,
            "rank": self.rank,
        }


@dataclass(frozen=True, slots=True)
class Sheet:
    """The whole result of a game, players in the order of the game's document."""

    game: str
    players: tuple[PlayerSheet, ...]
    winners: tuple[str, ...]
    tie_break: str | None
    """The rule that decided, "shared" where none could, None where points alone did."""
    violations: tuple[Violation, ...]
    settings: Mapping[str, object]
    """What the table agreed where the rulebook is silent, by the settings' JSON names."""
    marker_checks: tuple[MarkerCheck, ...]
    remarks: tuple[Remark, ...]
    """What the referee would ask before anybody believes the sheet."""
    assumed: Mapping[str, str | None]
    """Routes given to another owner for the sake of argument: a colour, or a name without one."""
    measures: Mapping[str, tuple[int, ...]]
    """What each rule that may break a tie counts, one number a player; not in the document."""

    @property
    def objections(self) -> tuple[Objection, ...]:
        """All that stands against the game: what the rules forbid, what the referee finds odd."""
        odd = (one for one in self.remarks if one.code not in NO_OBJECTION)
        return (
            *(Objection(one.code, one.message, True) for one in self.violations),
            *(Objection(one.code, one.message, False) for one in odd),
        )

    def to_json(self, language: str = "en") -> dict[str, object]:
        """The document of `score --json`; `language` is that of the violations' sentences."""
        document: dict[str, object] = {
            "game": self.game,
            "players": [player.to_json() for player in self.players],
            "winners": list(self.winners),
            "tie_break": self.tie_break,
            "violations": [violation.to_json(language) for violation in self.violations],
            "settings": dict(self.settings),
            "marker_checks": [check.to_json() for check in self.marker_checks],
            "remarks": [remark.to_json(language) for remark in self.remarks],
        }
        return {**document, "assumed": dict(self.assumed)} if self.assumed else document


def score_game(
    data: object,
    taught: Taught | None = None,
    assumptions: Mapping[str, str | None] = MappingProxyType({}),
) -> Sheet:
    """Score the parsed JSON document of one game (`GAME.json`).

    `taught`: the board or card set of a game that a table taught. `assumptions`: routes given to
    another owner for the sake of argument.
    Raises UnknownBoardError, GameError, AssumptionError.

    >>> ada = {"name": "Ada", "routes": ["denver--omaha"]}
    >>> score_game({"game": "usa", "players": [ada]}).players[0].total  # 7 and the longest path
    17
    """
    return score(parse_game(data, taught, assumptions))


def score(game: Game) -> Sheet:
    """Score a game that has been read.

    >>> score(parse_game({"game": "usa", "players": [{"name": "Ada"}]})).winners
    ('Ada',)
    """
    game = borrow_routes(game)
    choices = choose_cards(game)
    accounts = [
        account_of(game, player, None if choice is None else choice.done)
        for player, choice in zip(game.players, choices, strict=True)
    ]
    result = outcome(game, accounts)
    free = free_routes(game)
    contexts = [
        LineContext(game, player, result.accounts[i], result.bonuses[i], free, choices[i])
        for i, player in enumerate(game.players)
    ]
    return Sheet(
        game=game.id,
        players=tuple(_player_sheet(context, result, i) for i, context in enumerate(contexts)),
        winners=tuple(game.players[index].name for index in result.ranking.winners),
        tie_break=result.ranking.tie_break,
        violations=find_violations(game),
        settings=settings_in_force(game),
        marker_checks=check_markers(game, accounts),
        remarks=remarks_before_sheet(game),
        assumed={
            route: None if owner is None else game.players[owner].colour or game.players[owner].name
            for route, owner in game.assumed.items()
        },
        measures=result.measures,
    )


def _player_sheet(context: LineContext, result: Standings, index: int) -> PlayerSheet:
    return PlayerSheet(
        name=context.player.name,
        colour=context.player.colour,
        total=result.totals[index],
        lines=write_lines(context),
        tickets_completed=context.account.completed,
        longest_path=context.account.trail,
        wagons_used=context.account.pieces_used,
        wagons_left=pieces_left(context.game, context.player),
        rank=result.ranking.ranks[index],
    )
