"""Who sat at a game: by the links of the seats and by the names that its table tells."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from companion.hub.club.forgetting import key_of
from companion.hub.club.people import is_called_as
from companion.hub.database import Connection, rows_by
from web.hub.deleted_name import is_nobody


def sittings_of(
    connection: Connection, tables: Collection[str]
) -> dict[str, list[Mapping[str, Any]]]:
    """Seats that people took by their links, by table, in the order in which they did."""
    rows = connection.execute(
        "SELECT table_id, colour, player, since, told FROM sittings WHERE table_id = ANY(%s)"
        " ORDER BY since",
        [list(tables)],
    )
    return rows_by("table_id", rows)


def players_at(
    row: Mapping[str, Any],
    sittings: Mapping[str, Sequence[Mapping[str, Any]]],
    by_name: Mapping[str, int],
) -> list[int | None]:
    """Who sat at a game that waits: who took the seat by their link, else whose name it is.

    A name that the table corrected afterwards counts more than the link.
    """
    before = row["ended_before"]
    taken = [
        one
        for one in sittings.get(row["table_id"], ())
        if one["since"] <= row["ended_at"] and (before is None or one["since"] > before)
    ]
    by_colour = {one["colour"]: one for one in taken}

    def who(name: str, colour: str | None) -> int | None:
        sitting, named = by_colour.get(colour), by_name.get(key_of(name))
        return sitting["player"] if sitting and is_called_as(sitting["told"], name) else named

    return [who(one["name"], one["colour"]) for one in row["seats"]]


def players_counted(
    row: Mapping[str, Any], ids: Sequence[int], by_name: Mapping[str, int]
) -> list[int | None]:
    """Who counts at a game that was confirmed; where its table has corrected a name, whose it is.

    A seat that lost its name to a deletion stays its person's. Where other seats count than there
    are, as with a player who was forgotten until then, each is of whom its name is.
    """
    told: Sequence[str] = row["told"] or ()
    names = [one["name"] for one in row["seats"]]
    if len(names) != len(ids):
        return [by_name.get(key_of(name)) for name in names]
    corrected = {
        name
        for before, name in zip(told, names, strict=False)
        if key_of(before) != key_of(name) and not is_nobody(before) and not is_nobody(name)
    }
    return [
        by_name.get(key_of(name)) if name in corrected else id
        for name, id in zip(names, ids, strict=True)
    ]
