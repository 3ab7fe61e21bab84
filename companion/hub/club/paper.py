"""Games that nobody's box told and no tournament has: the organiser types their points."""

from collections.abc import Collection, Sequence
from datetime import datetime

from companion.club.results import PlayedGame, check_game
from companion.errors import RefusalError
from companion.hub.club.alike import ask_about_paper, lock_told, take_place_of
from companion.hub.club.counted import (
    check_points,
    counted,
    insert_game,
    insert_seats,
    seats_by_hand,
)
from companion.hub.club.people import add_person, everybody, member_of, owner_of
from companion.hub.database import Connection, Database, rows_by
from web.hub.club_state import PaperGame
from web.hub.typed_already import SAME_S

ON_PAPER = "table_id IS NULL AND tournament IS NULL"

MOST_LISTED = 50

NEWEST = f"""SELECT g.id, g.board, g.ended_at, s.player, s.points, s.rank
    FROM (SELECT * FROM games WHERE {ON_PAPER} ORDER BY ended_at DESC, id DESC LIMIT {MOST_LISTED})
        AS g JOIN game_seats s ON s.game = g.id
    ORDER BY g.ended_at DESC, g.id DESC, s.rank, s.position"""


class PaperGames:
    """Reads, adds and removes them, one transaction a call."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> Sequence[PaperGame]:
        """The newest, the newest first."""
        with self._database.transaction() as connection:
            known = everybody(connection)
            rows = connection.execute(NEWEST).fetchall()
        return [
            PaperGame(
                id,
                seats[0]["board"],
                seats[0]["ended_at"].timestamp(),
                tuple((known[seat["player"]], seat["points"], seat["rank"]) for seat in seats),
            )
            for id, seats in rows_by("id", rows).items()
        ]

    def add(
        self,
        board: str,
        ended_at: datetime,
        points: Sequence[tuple[str, int]],
        others: Collection[int] = (),
        instead: int | None = None,
    ) -> None:
        """Let a game count; one that counts already with the same points does not count twice.

        `others` are games that count and are none of them this one, `instead` is one that is, and
        then counts no more. Raises CountsAlreadyError where a further one may be.

        Raises RefusalError for too few or too many players, for somebody named twice, and for
        points beyond any game's; then nobody comes into the club either.
        """
        with self._database.transaction() as connection:
            lock_told(connection, instead)
            by_person = _by_person(connection, points)
            seats = seats_by_hand(by_person)
            game = PlayedGame("", board, ended_at.timestamp(), tuple(seats))
            check_game(game)
            check_points(list(by_person.values()))
            connection.execute("LOCK TABLE games IN SHARE ROW EXCLUSIVE MODE")
            if not _counts(connection, game):
                ask_about_paper(connection, board, ended_at, by_person, others)
                take_place_of(connection, instead)
                id = insert_game(connection, board, ended_at, None, None, None)
                insert_seats(connection, id, list(by_person), seats)

    def remove(self, id: int) -> None:
        """Take a game back."""
        with self._database.transaction() as connection:
            connection.execute(f"DELETE FROM games WHERE id = %s AND {ON_PAPER}", [id])


def _by_person(connection: Connection, points: Sequence[tuple[str, int]]) -> dict[int, int]:
    """Points by person; a name that is nobody's is a new person's."""
    found: dict[int, int] = {}
    for name, own in points:
        owner = owner_of(connection, name)
        one = add_person(connection, name) if owner is None else member_of(connection, owner)
        if one.id in found:
            raise RefusalError("companion.club.seated-twice", name=one.name or name)
        found[one.id] = own
    return found


def _counts(connection: Connection, game: PlayedGame) -> bool:
    """Whether this game counts already: the button was tapped twice, or a table told it."""
    points = {seat.player: seat.points for seat in game.seats}
    return any(
        one.board == game.board
        and abs(one.ended_s - game.ended_s) < SAME_S
        and {seat.player: seat.points for seat in one.seats} == points
        for one in counted(connection)
    )
