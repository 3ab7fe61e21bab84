"""Wins, averages and bests over the old evenings, of all of them or of one board or table size."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from web.history_port import EveningSummary, PlayerResult
from web.names import one_spelling


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """One player over several evenings; a win that is shared is a win of each."""

    name: str
    played: int
    wins: int
    mean_points: float
    best_points: int
    longest_path: int | None
    """The longest of all evenings in wagons; None where none had a map."""

    @property
    def wins_percent(self) -> int:
        """Wins in per cent of the evenings."""
        return round(100 * self.wins / self.played)


@dataclass(frozen=True, slots=True)
class Record:
    """The best of all evenings: whose it was, how much, and on which evening."""

    name: str
    value: int
    evening: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """Everything that a page of statistics shows; most wins first."""

    evenings: int
    players: tuple[PlayerStatistics, ...]
    highest: Record | None
    closest: Record | None
    """The smallest lead of a single winner."""
    mean_points: float


def statistics(evenings: Iterable[EveningSummary]) -> Statistics:
    """The statistics of these evenings. One name is one player, however it is capitalised.

    Evenings of one player are no contest: they are left out.
    """
    counted = [evening for evening in evenings if len(evening.players) > 1]
    by_name: dict[str, list[tuple[EveningSummary, PlayerResult]]] = {}
    for evening in counted:
        for player in evening.players:
            by_name.setdefault(one_spelling(player.name), []).append((evening, player))
    players = [_player(played) for played in by_name.values()]
    players.sort(key=lambda one: (-one.wins, -one.mean_points, one.name.casefold()))
    totals = [player.total for evening in counted for player in evening.players]
    return Statistics(
        evenings=len(counted),
        players=tuple(players),
        highest=_highest(counted),
        closest=_closest(counted),
        mean_points=sum(totals) / len(totals) if totals else 0.0,
    )


def chosen(
    evenings: Iterable[EveningSummary], board: str | None, players: int | None
) -> list[EveningSummary]:
    """The evenings on a board and with so many players (None: any); those in the bin fall out."""
    return [
        one
        for one in evenings
        if not one.is_deleted
        and (board is None or one.board == board)
        and (players is None or len(one.players) == players)
    ]


def _player(played: Sequence[tuple[EveningSummary, PlayerResult]]) -> PlayerStatistics:
    """`played` has the newest evening first, whose spelling of the name is taken."""
    totals = [result.total for _, result in played]
    paths = [result.longest_path for _, result in played if result.longest_path is not None]
    return PlayerStatistics(
        name=played[0][1].name,
        played=len(played),
        wins=sum(result.name in evening.winners for evening, result in played),
        mean_points=sum(totals) / len(totals),
        best_points=max(totals),
        longest_path=max(paths, default=None),
    )


def _highest(evenings: Sequence[EveningSummary]) -> Record | None:
    every = [(player, evening) for evening in evenings for player in evening.players]
    if not every:
        return None
    player, evening = max(every, key=lambda one: one[0].total)
    return Record(player.name, player.total, evening.id)


def _closest(evenings: Sequence[EveningSummary]) -> Record | None:
    leads = [
        Record(evening.winners[0], first.total - second.total, evening.id)
        for evening in evenings
        if len(evening.winners) == 1
        for first, second in [evening.in_order[:2]]
    ]
    return min(leads, key=lambda record: record.value, default=None)
