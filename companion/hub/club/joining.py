"""Makes one person of two players of the club."""

from companion.errors import RefusalError
from companion.hub.club.people import member_of
from companion.hub.database import Connection
from web.errors import NotFoundError

TOGETHER = """SELECT EXISTS (SELECT FROM game_seats a JOIN game_seats b USING (game)
        WHERE a.player = %(one)s AND b.player = %(other)s)
    OR EXISTS (SELECT FROM seatings a JOIN seatings b USING (tournament, round)
        WHERE %(one)s = ANY(a.players) AND %(other)s = ANY(b.players)) AS is_so"""
"""Whether both sat in one game, or in one round of a tournament."""

MOVES = (
    "UPDATE aliases SET player = %(other)s WHERE player = %(one)s",
    "UPDATE sittings SET player = %(other)s WHERE player = %(one)s",
    "UPDATE game_seats SET player = %(other)s WHERE player = %(one)s",
    """UPDATE seatings SET players = array_replace(players, %(one)s, %(other)s)
    WHERE %(one)s = ANY(players)""",
    """UPDATE entrants AS kept SET is_here = kept.is_here OR gone.is_here FROM entrants AS gone
    WHERE kept.tournament = gone.tournament
    AND kept.player = %(other)s AND gone.player = %(one)s""",
    """DELETE FROM entrants AS gone USING entrants AS kept
    WHERE kept.tournament = gone.tournament
    AND kept.player = %(other)s AND gone.player = %(one)s""",
    "UPDATE entrants SET player = %(other)s WHERE player = %(one)s",
    "DELETE FROM players WHERE id = %(one)s",
)


def join_people(connection: Connection, one: int, other: int) -> None:
    """Let the names, games, seats and tournaments of `one` be those of `other`; `one` is nobody's
    any more, nor is that one's link.

    Raises RefusalError where both sat in one game or one round: they are two people. Raises
    NotFoundError for nobody, and where both are the same already.
    """
    if one == other:
        raise NotFoundError("web.club.error.person")
    gone, kept = (member_of(connection, id) for id in (one, other))
    ids = {"one": one, "other": other}
    connection.execute(  # nobody is seated there until this transaction ends
        """SELECT id FROM tournaments WHERE id IN
        (SELECT tournament FROM entrants WHERE player IN (%(one)s, %(other)s))
        ORDER BY id FOR UPDATE""",
        ids,
    )
    row = connection.execute(TOGETHER, ids).fetchone()
    if row is not None and row["is_so"]:
        raise RefusalError("companion.club.together", one=gone.name, other=kept.name)
    for move in MOVES:
        connection.execute(move, ids)
