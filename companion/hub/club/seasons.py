"""Seasons in the database: named spans of evenings."""

from collections.abc import Sequence
from datetime import date

from companion.errors import RefusalError
from companion.hub.club.people import LONGEST_TITLE, title_of
from companion.hub.database import Database
from web.hub.club_state import SeasonLine


class Seasons:
    """Reads, adds and removes seasons."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> Sequence[SeasonLine]:
        """Every season, the newest first."""
        with self._database.transaction() as connection:
            rows = connection.execute("SELECT * FROM seasons ORDER BY first_day DESC, id DESC")
            return [
                SeasonLine(row["id"], row["name"], row["first_day"], row["last_day"])
                for row in rows
            ]

    def add(self, name: str, first: date, last: date) -> int:
        """A new season; the same name with the same days is the same one, as where the button was
        tapped twice. Raises RefusalError for no name, or an end before its beginning."""
        name = title_of(name, LONGEST_TITLE)
        if last < first:
            raise RefusalError("companion.club.season-backwards")
        with self._database.transaction() as connection:
            connection.execute("LOCK TABLE seasons IN SHARE ROW EXCLUSIVE MODE")
            row = connection.execute(
                "SELECT id FROM seasons WHERE (name, first_day, last_day) = (%s, %s, %s)",
                [name, first, last],
            ).fetchone()
            if row is None:
                row = connection.execute(
                    "INSERT INTO seasons (name, first_day, last_day) VALUES (%s, %s, %s)"
                    " RETURNING id",
                    [name, first, last],
                ).fetchone()
        assert row is not None
        return int(row["id"])

    def remove(self, id: int) -> None:
        """A season less; its games stay."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM seasons WHERE id = %s", [id])
