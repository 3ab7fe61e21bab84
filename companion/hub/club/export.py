"""All that the club's tables hold of one person, for that person."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.hub.club.people import person_of
from companion.hub.database import Connection

PARTS: Mapping[str, str] = {
    "names": "SELECT spelling AS name FROM aliases WHERE player = %s ORDER BY key",
    "joined": "SELECT name, joined_at FROM joined WHERE kept = %s ORDER BY joined_at",
    "seats_taken": """SELECT s.since, t.name AS table_name, s.colour FROM sittings s
        JOIN tables t ON t.id = s.table_id WHERE s.player = %s ORDER BY s.since""",
    "games": """SELECT g.ended_at, g.board, s.points, s.rank, s.tickets_completed, s.longest_path
        FROM game_seats s JOIN games g ON g.id = s.game WHERE s.player = %s ORDER BY g.ended_at""",
    "tournaments": """SELECT t.name, e.is_here FROM entrants e
        JOIN tournaments t ON t.id = e.tournament WHERE e.player = %s ORDER BY t.id""",
    "seatings": """SELECT t.name AS tournament, s.round, s.table_name, s.board FROM seatings s
        JOIN tournaments t ON t.id = s.tournament WHERE %s = ANY(s.players)
        ORDER BY t.id, s.round""",
}
"""Each part of the export: a query of the person's rows."""


def export(connection: Connection, id: int) -> Mapping[str, Any]:
    """Plain JSON data; times in ISO 8601. Raises NotFoundError."""
    person = person_of(connection, id)
    return {"format": 1, "name": person.name} | {
        name: _plain(connection.execute(query, [id]).fetchall()) for name, query in PARTS.items()
    }


def _plain(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {
            key: value.isoformat() if hasattr(value, "isoformat") else value
            for key, value in row.items()
        }
        for row in rows
    ]
