"""What if a route were somebody else's: who would gain what. The game itself stays as it is."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from scoring.game.game import Game
from scoring.language import MessageJson
from scoring.sheet.sheet import PlayerSheet, Sheet, score
from web.sheet.sheet import SheetView, view_sheet

NOBODY = "nobody"
MOST_CHANGES = 20
"""More routes than these are not changed at once."""


@dataclass(frozen=True, slots=True)
class Change:
    """A route, and the colour that it is given to for the sake of argument (None: nobody)."""

    route: str
    owner: str | None

    @property
    def sent(self) -> str:
        """The change as it stands in an address."""
        return f"{self.route}:{self.owner or NOBODY}"


@dataclass(frozen=True, slots=True)
class MovedLine:
    """A line of the sheet that scores something else, in words."""

    title: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class MovedPlayer:
    """One player before and after; `lines` are those that score something else."""

    name: str
    colour: str
    total: tuple[int, int]
    rank: tuple[int, int]
    lines: tuple[MovedLine, ...]


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The sheet with the changes beside the one without, the new best player first."""

    headline: str
    winner_changes: bool
    players: tuple[MovedPlayer, ...]
    breaches: tuple[MessageJson, ...]
    """What the rules would forbid then, and do not forbid now."""


def read_changes(sent: Iterable[str], game: Game) -> list[Change]:
    """The changes of an address; those that mean nothing, and those that change nothing, fall out.

    Of two for one route the later one counts.
    """
    board = game.board
    colours = [player.colour for player in game.players]
    wanted: dict[str, str | None] = {}
    for one in sent:
        route, _, owner = one.rpartition(":")
        known = board is not None and route in board.route_by_id
        if known and (owner == NOBODY or owner in colours):
            wanted.pop(route, None)
            wanted[route] = None if owner == NOBODY else owner
    now = {route: colours[index] for route, index in game.owner_by_route.items()}
    real = [Change(route, to) for route, to in wanted.items() if to != now.get(route)]
    return real[:MOST_CHANGES]


def address_of(changes: Sequence[Change], base: str = "") -> str:
    """The address of the page with these changes; `base` is that of an old evening."""
    query = urlencode([("change", change.sent) for change in changes])
    return f"{base}/what-if?{query}" if query else f"{base}/what-if"


def view_what_if(game: Game, before: Sheet, changes: Sequence[Change], language: str) -> WhatIf:
    """Score the game with the changes and compare."""
    indices = {player.colour: index for index, player in enumerate(game.players)}
    for change in changes:
        owner = None if change.owner is None else indices[change.owner]
        game = game.with_owner(change.route, owner)
    after = score(game)
    views = view_sheet(before, game.board, language), view_sheet(after, game.board, language)
    points = tuple(map(_points_of, views))
    moved = [
        _moved(one, other, (points[0][one.name], points[1][one.name]))
        for one, other in zip(before.players, after.players, strict=True)
    ]
    known = {str(violation.message.to_json()) for violation in before.violations}
    told = [violation.message.to_json() for violation in after.violations]
    return WhatIf(
        headline=views[1].headline,
        winner_changes=set(before.winners) != set(after.winners),
        players=tuple(sorted(moved, key=lambda player: player.rank[1])),
        breaches=tuple(one for one in told if str(one) not in known),
    )


def _points_of(view: SheetView) -> Mapping[str, Counter[str]]:
    """Points by player and title; lines of one title are summed."""
    found: dict[str, Counter[str]] = {}
    for card in view.cards:
        own = found.setdefault(card.name, Counter())
        for line in card.lines:
            own[line.title] += line.points
    return found


def _moved(
    before: PlayerSheet, after: PlayerSheet, points: tuple[Counter[str], Counter[str]]
) -> MovedPlayer:
    then, now = points
    titles = list(dict.fromkeys([*then, *now]))
    lines = [MovedLine(title, then[title], now[title]) for title in titles]
    return MovedPlayer(
        name=before.name,
        colour=before.colour or "grey",
        total=(before.total, after.total),
        rank=(before.rank, after.rank),
        lines=tuple(line for line in lines if line.before != line.after),
    )
