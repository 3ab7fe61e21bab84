"""Who is deleted from a club is in no row of its database, and comes back by nothing."""

import json
import time
from typing import Any

import pytest

from companion.hub.club.desk import ClubDesk
from companion.hub.database import Database
from companion.hub.evidence import Replayed, keep_evenings, replayed
from companion.hub.intake import Intake
from companion.log.rows import Row
from companion.relay.wire import Link, link_row
from companion.table.history.chronicle import KeptEvening
from tests.companion.hub.club_games import BOARDS, TABLES, finished, renamed, told
from tests.companion.hub.club_games import club as club
from tests.companion.hub.club_games import database as database
from tests.companion.hub.club_games import kept as kept
from web.errors import ActionRefusedError, NotFoundError


def start_of(*names: str) -> tuple[str, dict[str, Any]]:
    return "started", {"board": "usa", "players": [{"name": name} for name in names]}


def kept_of(database: Database, table: str) -> str:
    with database.transaction() as connection:
        rows = connection.execute(f"SELECT row_to_json({table})::text AS row FROM {table}")
        return "".join(row["row"] for row in rows)


def test_a_deleted_person_is_found_nowhere_and_the_others_keep_their_results(
    database: Database, club: ClubDesk
) -> None:
    zoe, ben = club.add_person("Zoë"), club.add_person("Ben")
    club.confirm(
        "t1", finished(database, ("ZOË", "red", 110), ("Ben", "blue", 90)), [zoe.id, ben.id]
    )
    told(
        database,
        start_of("Ben", "Carl"),
        ("finished", {}),
        start_of("zoë", "Ben"),
        ("route-confirmed", {"route": "denver--omaha"}),
        start_of("Ben", "Dora"),
        ("player-renamed", {"colour": "red", "name": "Zoë"}),
        start_of("Ben", "Emil"),
        ("player-added", {"colour": "white", "name": "Zoë"}),
    )
    before = next(line for line in club.ratings() if line.person == ben)
    exported = club.export(zoe.id)
    assert exported["names"] == [{"name": "Zoë"}]
    assert (exported["games"][0]["points"], exported["games"][0]["rank"]) == (110, 1)
    secret = club.person(zoe.id).secret or ""
    assert club.person_by_secret(secret) == zoe

    club.forget(zoe.id)

    for table in TABLES.split(", "):
        kept = kept_of(database, table).casefold()
        assert "zoë" not in kept, table
        assert r"zo\u00eb" not in kept.replace("\\\\", "\\"), table
    openings = kept_of(database, "openings")
    assert [number for number in range(1, 9) if f'"e{number}"' in openings] == [*range(1, 9)]
    assert openings.count(r"\\u2013") == 3, "in 3, 6 and 8 another word stands for the name"
    with database.transaction() as connection:
        assert len(connection.execute("SELECT * FROM events").fetchall()) == 8
    with pytest.raises(NotFoundError):
        club.person_by_secret(secret)
    (after,) = club.ratings()
    assert (after.person, after.mean, after.games) == (ben, before.mean, 1)
    assert club.results()[0].seats[0].name == "–"


def taken_in(database: Database, chain: str, rows: list[Row], last: Link | None = None) -> Link:
    """Rows of table 1's log, told at once behind its last message; returns the new last one."""
    links: list[Link] = []
    for row in rows:
        last = link_row(chain, last, row, "b" * 32, is_open=True)
        links.append(last)
    Intake(database).take([("t1", link) for link in links], {})
    return links[-1]


def seats_told(database: Database, chain: str) -> list[list[str]]:
    """The names of each finished game of a chain, the newest game first."""
    found = replayed(database, "t1", chain, BOARDS).evenings
    return [[one["name"] for one in json.loads(game.document)["players"]] for game in found]


ZOE_AND_BEN = json.dumps(
    {
        "board": "usa",
        "camera": False,
        "settings": {},
        "players": [{"name": "ZOË", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
    }
)


SWAPPED = '{"colour": "blue", "name": "Zoë"}'
"""Zoë and Ben had taken each other's seat."""


def test_a_deleted_name_stays_away_from_what_a_table_tells_late(
    database: Database, club: ClubDesk
) -> None:
    """Its network was away, or its log is told once more; whoever plays there later is named."""
    club.forget(club.add_person("Zoë").id)
    now_s = time.time()
    rows = [
        Row(1, now_s - 60, "started", ZOE_AND_BEN, "", ""),
        Row(2, now_s - 50, "finished", "{}", "", ""),
        Row(3, now_s - 40, "player-renamed", SWAPPED, "", ""),
        Row(4, now_s + 60, "started", ZOE_AND_BEN, "", ""),
        Row(5, now_s + 70, "finished", "{}", "", ""),
    ]
    for chain in ("a" * 32, "c" * 32):
        taken_in(database, chain, rows)
        assert seats_told(database, chain) == [["ZOË", "Ben"], ["Ben", "–"]]
    assert "zoë" not in kept_of(database, "forgotten").casefold()


def test_a_deleted_name_stays_away_from_a_game_that_goes_on(
    database: Database, club: ClubDesk
) -> None:
    """Its table swaps the names after Zoë was deleted: red is Ben's."""
    now_s, chain = time.time(), "a" * 32
    last = taken_in(database, chain, [Row(1, now_s - 60, "started", ZOE_AND_BEN, "", "")])
    club.forget(club.add_person("Zoë").id)
    swapped = Row(2, now_s + 60, "player-renamed", SWAPPED, "", "")
    taken_in(database, chain, [swapped, Row(3, now_s + 70, "finished", "{}", "", "")], last)
    assert seats_told(database, chain) == [["Ben", "–"]]


def test_a_real_sheet_keeps_no_name_of_a_deleted_person_anywhere(
    database: Database, club: ClubDesk
) -> None:
    """It says names in paths and remarks too: Zoë has the longest path, and too few tickets."""
    routes = {"Zoë": ["denver--omaha", "helena--omaha"], "Ben": ["atlanta--nashville"]}
    game = {
        "game": "usa",
        "players": [
            {"name": name, "colour": colour, "routes": routes[name], "tickets": []}
            for name, colour in (("Zoë", "red"), ("Ben", "blue"))
        ],
    }
    finished(database, ("Ben", "red", 1), ("Cleo", "blue", 0))
    told_game = KeptEvening("e", "usa", 0.0, 3600.0, json.dumps(game), "mark")
    keep_evenings(database, "t1", Replayed((told_game,), frozenset(), None), BOARDS, {})
    zoe = club.add_person("Zoë")
    assert kept_of(database, "evenings").count("Zoë") > 3
    club.forget(zoe.id)
    assert "Zoë" not in kept_of(database, "evenings")
    seats = club.result("t1", "e").seats
    # Routes of 4 and 5 (7 + 10) and the longest path (10); a route of one.
    assert [(seat.name, seat.points) for seat in seats] == [("–", 27), ("Ben", 1)]


def test_a_game_with_deleted_people_that_goes_on_counts_for_the_others(
    database: Database, club: ClubDesk
) -> None:
    """Ada and Eve go while they play Dan, who then takes a step back and finishes that game.

    The hub got no result of it. Both steps had once been taken for those of the game before.
    """
    finished(database, ("Ben", "red", 110), ("Cleo", "blue", 90))
    two = [{"name": "Ben", "colour": "red"}, {"name": "Cleo", "colour": "blue"}]
    seats = (("Ada", "blue"), ("Dan", "red"), ("Emil", "green"))
    others = [{"name": name, "colour": colour} for name, colour in seats]
    first = {"board": "usa", "camera": False, "settings": {}, "players": two}
    claim = {"route": "denver--omaha", "owner": "red"}
    told(
        database,
        ("started", first),
        ("route-corrected", claim),
        ("finished", {}),
        ("started", first | {"players": others}),
        ("player-renamed", {"colour": "green", "name": "Eve"}),
        ("route-corrected", {"route": "helena--omaha", "owner": "red"}),
    )
    before = replayed(database, "t1", "c", BOARDS).evenings
    dan = club.add_person("Dan")
    for name in ("Ada", "Eve"):
        club.forget(club.add_person(name).id)
    with database.transaction() as connection:
        later = [("undone", {}), ("route-corrected", claim | {"route": "atlanta--miami"})]
        for number, (kind, data) in enumerate([*later, ("finished", {})], 7):
            connection.execute(
                "INSERT INTO events (table_id, event_id, chain, place, number, at_s, before_id,"
                " commitment) VALUES ('t1', %s, 'c', %s, %s, 0, 'y', 'x')",
                [f"e{number}", number, number],
            )
            connection.execute(
                "INSERT INTO openings VALUES ('t1', %s, %s, %s, 'n')",
                [f"e{number}", kind, json.dumps(data)],
            )
    after = replayed(database, "t1", "c", BOARDS)
    assert json.loads(before[0].document)["players"][0]["routes"] == ["denver--omaha"]
    assert after.evenings[1:] == before
    keep_evenings(database, "t1", after, BOARDS, {})
    for table in ("evenings", "openings", "players"):
        assert not {"Ada", "Eve"} & set(kept_of(database, table).split('"')), table
    game = after.evenings[0].id
    # A route of five, and the longest path.
    seen = [(one.points, one.is_deleted) for one in club.result("t1", game).seats]
    assert seen == [(0, True), (20, False), (0, True)]
    club.confirm("t1", game, [None, dan.id, None])
    assert [(line.person, line.games) for line in club.ratings()] == [(dan, 1)]
    with pytest.raises(ActionRefusedError):
        club.add_person("––")


def test_a_name_that_a_result_counted_by_goes_with_its_person(
    database: Database, club: ClubDesk
) -> None:
    """Nobody is asked who sat there: neither where the name is gone nor where a table says it."""
    evening = finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    club.confirm("t1", evening, [None, None])
    club.forget(club.results()[0].seats[0].person.id)
    with database.transaction() as connection:
        (row,) = connection.execute("SELECT told FROM games").fetchall()
    assert row["told"] == ["–", "Ben"]
    assert club.waiting() == 0
    renamed(database, "Ada", "Ben")
    assert club.waiting() == 0


def test_two_deleted_people_keep_their_seats_where_points_are_corrected(
    database: Database, club: ClubDesk
) -> None:
    ada, ben = club.add_person("Ada"), club.add_person("Ben")
    evening = finished(database, ("Ada", "red", 110), ("Ben", "blue", 90))
    club.confirm("t1", evening, [ada.id, ben.id])
    club.forget(ada.id)
    club.forget(ben.id)
    with database.transaction() as connection:
        connection.execute(
            "UPDATE evenings SET result = jsonb_set(result, '{players,0,total}', '99')"
        )
    club.confirm("t1", evening, [ada.id, ben.id])
    assert club.result("t1", evening).counting == ()
    with pytest.raises(ActionRefusedError, match="– sits at this game twice"):
        club.confirm("t1", evening, [ben.id, ben.id])


def test_a_deleted_person_comes_back_by_no_page_that_was_still_open(club: ClubDesk) -> None:
    """Another organiser's page still showed the person, and the name stayed taken for good."""
    ada = club.add_person("Ada").id
    evening = club.add_tournament("Cup", 90)
    club.forget(ada)
    for late in (
        lambda: club.rename(ada, "Ada L."),
        lambda: club.add_alias(ada, "Adina"),
        lambda: club.arrive(evening, ada),
    ):
        with pytest.raises(NotFoundError):
            late()
    assert club.people() == []
    assert club.tournament(evening).entrants == ()
    assert [club.add_person(name).name for name in ("Adina", "Ada L.")] == ["Adina", "Ada L."]


def test_a_result_whose_players_were_deleted_counts_for_the_others(
    database: Database, club: ClubDesk
) -> None:
    """Two had gone before anybody confirmed: both seats were offered as a new player called –."""
    ada, ben, cleo = (club.add_person(name) for name in ("Ada", "Ben", "Cleo"))
    evening = finished(database, ("Ada", "red", 110), ("Ben", "blue", 90), ("Cleo", "green", 70))
    club.forget(ada.id)
    club.forget(ben.id)
    assert [seat.is_deleted for seat in club.results()[0].seats] == [True, True, False]
    club.confirm("t1", evening, [None, None, cleo.id])
    assert [line.person for line in club.ratings()] == [cleo]
    assert club.people() == [cleo]
    with pytest.raises(ActionRefusedError):
        club.add_person("–")


def test_no_event_keeps_anybody_from_being_deleted(database: Database, club: ClubDesk) -> None:
    ada = club.add_person("Ada")
    finished(database, ("Ben", "red", 110), ("Cleo", "blue", 90))
    deep = "[" * 5000 + "]" * 5000
    told(database, start_of("Ben"), start_of("Cleo"), start_of("Dora"))
    with database.transaction() as connection:
        connection.execute("ALTER TABLE openings DISABLE TRIGGER openings_stay")
        connection.execute("UPDATE openings SET data = %s WHERE event_id = 'e1'", [deep])
        connection.execute(
            "UPDATE openings SET data = %s WHERE event_id = 'e2'", [deep[:5000] + '{"name": "ADA"}']
        )
        connection.execute("ALTER TABLE openings ENABLE TRIGGER openings_stay")
    club.forget(ada.id)
    openings = kept_of(database, "openings")
    assert openings.count("ADA") == 0
    assert [number for number in range(1, 4) if f'"e{number}"' in openings] == [1, 3]


def test_deleting_a_person_brings_no_deleted_evening_back(
    database: Database, club: ClubDesk
) -> None:
    ada = club.add_person("Ada")
    finished(database, ("Ben", "red", 110), ("Cleo", "blue", 90))
    told(
        database,
        start_of("Ben", "Cleo"),
        ("finished", {}),
        start_of("Ada", "Ben"),
        ("evening-deleted", {"evening": "e1"}),
        ("finished", {}),
    )
    club.forget(ada.id)
    openings = kept_of(database, "openings")
    assert [number for number in range(1, 6) if f'"e{number}"' in openings] == [1, 2, 3, 4, 5]
