"""Makes one person of two players of the club, and parts them again."""

from collections.abc import Sequence

from companion.errors import RefusalError
from companion.hub.club.forgetting import key_of
from companion.hub.club.people import add_alias, member_of
from companion.hub.database import Connection
from web.errors import NotFoundError
from web.hub.club_state import JoinedPlayer

TOGETHER = """SELECT EXISTS (SELECT FROM game_seats a JOIN game_seats b USING (game)
        WHERE a.player = %(one)s AND b.player = %(other)s)
    OR EXISTS (SELECT FROM seatings a JOIN seatings b USING (tournament, round)
        WHERE %(one)s = ANY(a.players) AND %(other)s = ANY(b.players)) AS is_so"""
"""Whether both sat in one game, or in one round of a tournament."""

NOTE = """INSERT INTO joined (gone, kept, name, secret, added_at, last_game, moved)
    SELECT p.id, %(other)s, p.name, p.secret, p.added_at,
    (SELECT coalesce(max(id), 0) FROM games), jsonb_build_object(
        'aliases', ARRAY(SELECT key FROM aliases WHERE player = p.id),
        'sittings', ARRAY(SELECT to_jsonb(s) FROM sittings s WHERE player = p.id),
        'games', ARRAY(SELECT game FROM game_seats WHERE player = p.id),
        'rounds', ARRAY(SELECT to_jsonb(r) FROM rounds r WHERE EXISTS (SELECT FROM seatings s
            WHERE (s.tournament, s.round) = (r.tournament, r.number) AND p.id = ANY(s.players))),
        'entrants', ARRAY(SELECT to_jsonb(e) || jsonb_build_object('kept_is_here', k.is_here)
            FROM entrants e LEFT JOIN entrants k
            ON k.tournament = e.tournament AND k.player = %(other)s WHERE e.player = p.id))
    FROM players p WHERE p.id = %(one)s"""
"""What is whose before it moves. A round is named by its drawing too: it may be drawn anew."""

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

ENTERED = """joined j CROSS JOIN LATERAL jsonb_to_recordset(j.moved -> 'entrants')
    AS m (tournament bigint, position bigint, is_here boolean, kept_is_here boolean)"""

BACK = (
    """INSERT INTO players (id, name, secret, added_at) OVERRIDING SYSTEM VALUE
    SELECT gone, name, secret, added_at FROM joined WHERE gone = %(gone)s""",
    """UPDATE aliases SET player = j.gone FROM joined j WHERE j.gone = %(gone)s
    AND player = j.kept AND j.moved -> 'aliases' ? key""",
    """UPDATE sittings s SET player = j.gone
    FROM joined j CROSS JOIN LATERAL jsonb_to_recordset(j.moved -> 'sittings')
    AS m (table_id text, colour text, since timestamptz) WHERE j.gone = %(gone)s
    AND s.player = j.kept
    AND (s.table_id, s.colour, s.since) = (m.table_id, m.colour, m.since)""",
    """UPDATE game_seats SET player = j.gone FROM joined j WHERE j.gone = %(gone)s
    AND player = j.kept AND j.moved -> 'games' @> to_jsonb(game)""",
    """UPDATE seatings s SET players = array_replace(s.players, j.kept, j.gone)
    FROM joined j CROSS JOIN LATERAL jsonb_to_recordset(j.moved -> 'rounds')
    AS m (tournament bigint, number integer, drawn_at timestamptz), rounds r
    WHERE j.gone = %(gone)s
    AND (r.tournament, r.number, r.drawn_at) = (m.tournament, m.number, m.drawn_at)
    AND (s.tournament, s.round) = (r.tournament, r.number)""",
    f"""INSERT INTO entrants (tournament, player, position, is_here) OVERRIDING SYSTEM VALUE
    SELECT m.tournament, j.gone, m.position, m.is_here AND now.is_here
    FROM {ENTERED} JOIN entrants now ON now.tournament = m.tournament AND now.player = j.kept
    WHERE j.gone = %(gone)s""",
    f"""UPDATE entrants now SET is_here = m.kept_is_here FROM {ENTERED} WHERE j.gone = %(gone)s
    AND now.tournament = m.tournament AND now.player = j.kept
    AND m.kept_is_here IS NOT NULL AND now.is_here = (m.is_here OR m.kept_is_here)""",
    f"""DELETE FROM entrants now USING {ENTERED} WHERE j.gone = %(gone)s
    AND now.tournament = m.tournament AND now.player = j.kept AND m.kept_is_here IS NULL
    AND NOT EXISTS (SELECT FROM seatings s
        WHERE s.tournament = now.tournament AND now.player = ANY(s.players))""",
    f"""UPDATE entrants now SET position = DEFAULT FROM {ENTERED} WHERE j.gone = %(gone)s
    AND now.tournament = m.tournament AND now.player = j.kept AND now.position = m.position""",
    "DELETE FROM joined WHERE gone = %(gone)s",
)
"""What the first one had goes back, as far as it is there still and the second one's."""


def join_people(connection: Connection, one: int, other: int) -> None:
    """Let the names, games, seats and tournaments of `one` be those of `other`; `one` is nobody's
    any more, nor is that one's link, until `part_people`.

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
    for move in (NOTE, *MOVES):
        connection.execute(move, ids)


def joined_with(connection: Connection, kept: int) -> Sequence[JoinedPlayer]:
    """The players who were joined into this one and can be parted, the newest first."""
    rows = connection.execute(
        """SELECT gone, name, joined_at, (SELECT count(*) FROM game_seats
            WHERE player = j.kept AND game > j.last_game) AS since
        FROM joined j WHERE kept = %s ORDER BY joined_at DESC""",
        [kept],
    )
    return [
        JoinedPlayer(row["gone"], row["name"], row["joined_at"].timestamp(), row["since"])
        for row in rows
    ]


def part_people(connection: Connection, kept: int, gone: int) -> None:
    """Give somebody back what was theirs before `join_people`, link and id too; what came to
    `kept` since stays there.

    Raises RefusalError where `kept` has taken the other's name as their own or somebody else has,
    NotFoundError where nobody of that id was joined into `kept`.
    """
    present = member_of(connection, kept).name or ""
    row = connection.execute(
        "SELECT name, moved -> 'aliases' AS keys FROM joined WHERE (gone, kept) = (%s, %s)",
        [gone, kept],
    ).fetchone()
    if row is None:
        raise NotFoundError("web.club.error.person")
    if key_of(present) in row["keys"]:
        raise RefusalError("companion.club.own-name", name=present)
    connection.execute(  # nobody is seated there until this transaction ends
        f"""SELECT id FROM tournaments WHERE id IN
        (SELECT m.tournament FROM {ENTERED} WHERE j.gone = %s) ORDER BY id FOR UPDATE""",
        [gone],
    )
    for move in BACK:
        connection.execute(move, {"gone": gone})
    add_alias(connection, gone, row["name"])
