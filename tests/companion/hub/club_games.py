"""A club in a real PostgreSQL, with finished games that table 1 tells."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from companion.hub.club.desk import ClubDesk
from companion.hub.database import Database, migrate
from companion.hub.room import Room
from scoring.board.board import load_board
from scoring.game.mapless import mapless_games
from tests.support.postgres import Cluster

BOARDS = {
    "usa": load_board("usa"),
    "france": load_board("france"),
    **{game.id: game for game in mapless_games() if game.id == "paris-by-counts"},
}


TABLES = (
    "game_seats, games, seatings, rounds, entrants, tournament_tables, tournaments, seasons,"
    " sittings, aliases, players, forgotten, left_out, joined, evenings, openings, events, chains,"
    " tables"
)


@pytest.fixture(scope="module")
def kept(postgres: Cluster) -> Iterator[Database]:
    with Database.open(postgres.database("club", migrate)) as database:
        yield database


@pytest.fixture
def database(kept: Database) -> Database:
    with kept.transaction() as connection:
        connection.execute(f"TRUNCATE {TABLES} RESTART IDENTITY CASCADE")
    return kept


@pytest.fixture
def club(database: Database) -> ClubDesk:
    return ClubDesk(database, Room({}), BOARDS)


def finished(database: Database, *players: tuple[str, str, int], hour: int = 20) -> str:
    """A finished game of table 1 with players as (name, colour, points), the best first."""
    ended = datetime(2026, 3, 1, hour, tzinfo=UTC)
    best = players[0][0]
    result = {
        "winners": [best],
        "violations": [{"text": f"{best} holds both lines.", "players": [best], "routes": []}],
        "players": [
            {
                "name": name,
                "colour": colour,
                "total": points,
                "rank": rank,
                "tickets_completed": 2,
                "longest_path": {"length": 30 - rank},
            }
            for rank, (name, colour, points) in enumerate(players, 1)
        ],
    }
    game = {"players": [{"name": name, "colour": colour} for name, colour, _ in players]}
    with database.transaction() as connection:
        connection.execute(
            "INSERT INTO tables (id, name) VALUES ('t1', 'Table 1') ON CONFLICT DO NOTHING"
        )
        connection.execute(
            "INSERT INTO evenings (table_id, evening, board, began_at, ended_at, game, result)"
            " VALUES ('t1', %s, 'usa', %s, %s, %s, %s)",
            [str(hour), ended, ended, json.dumps(game), json.dumps(result)],
        )
    return str(hour)


def told(database: Database, *openings: tuple[str, dict[str, Any]]) -> None:
    """What table 1 told, each event with its place in the chain."""
    with database.transaction() as connection:
        connection.execute("INSERT INTO chains (table_id, chain) VALUES ('t1', 'c')")
        for number, (kind, document) in enumerate(openings, 1):
            connection.execute(
                "INSERT INTO events"
                " (table_id, event_id, chain, place, number, at_s, before_id, commitment)"
                " VALUES ('t1', %s, 'c', %s, %s, 0, 'y', 'x')",
                [f"e{number}", number, number],
            )
            connection.execute(
                "INSERT INTO openings (table_id, event_id, kind, data, nonce)"
                " VALUES ('t1', %s, %s, %s, 'n')",
                [f"e{number}", kind, json.dumps(document)],
            )


def tournament(club: ClubDesk, people: int, tables: int = 3) -> int:
    evening = club.add_tournament("Spring cup", minutes=60)
    for number in range(1, tables + 1):
        club.add_table(evening, f"T{number}", "usa" if number % 2 else "france")
    for number in range(people):
        club.arrive(evening, club.add_person(f"Player {number + 1}").id)
    return evening


def tables_game(database: Database, club: ClubDesk) -> tuple[int, str, list[int]]:
    """A tournament of three, and their game as the table tells it: 90, 80, 70."""
    evening = tournament(club, 3)
    club.draw(evening)
    people = club.tournament(evening).rounds[0].tables[0].people
    names: list[Any] = [person.name for person in people]
    seats = zip(names, ("red", "blue", "green"), (90, 80, 70), strict=True)
    game = finished(database, *seats, hour=21)
    with database.transaction() as connection:
        connection.execute("UPDATE rounds SET drawn_at = '2026-03-01T19:00Z'")
    return evening, game, [person.id for person in people]


def points_of_round(club: ClubDesk, evening: int) -> list[int] | None:
    result = club.tournament(evening).rounds[0].tables[0].result
    return None if result is None else [points for _, points, _ in result.lines]


def renamed(database: Database, *names: str) -> None:
    """The table corrects the names at its seats."""
    with database.transaction() as connection:
        for seat, name in enumerate(names):
            connection.execute(
                "UPDATE evenings SET result = jsonb_set(result, %s, to_jsonb(%s::text))",
                [["players", str(seat), "name"], name],
            )
