"""The club's pages on a real PostgreSQL, for the tests that share one server."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from flask import Flask
from flask.testing import FlaskClient

from companion.hub.club.desk import ClubDesk
from companion.hub.database import Database, migrate
from scoring.board.board import load_board
from tests.support.postgres import Cluster
from tests.web.hub.fake_room import FakeRoom
from web.access.club import Club, LetIn
from web.access.devices import Devices
from web.hub.app import create_hub_app
from web.hub.club_parts import club_parts

IN_THE_ROOM = "http://192.168.1.7:8080/"
"""Where phones reach the club's pages."""


@dataclass(frozen=True, slots=True)
class ClubSite:
    """The app of a club, its desk, and who is let in."""

    app: Flask
    desk: ClubDesk
    room: FakeRoom
    access: Club
    database: Database

    def organiser(self) -> FlaskClient:
        """A client that entered the PIN."""
        client = self.app.test_client()
        client.post("/join/host", data={"pin": self.access.pin.pin})
        return client


@contextmanager
def club_site(postgres: Cluster) -> Iterator[ClubSite]:
    """A club without anybody."""
    with Database.open(postgres.database("club", migrate)) as database:
        room = FakeRoom()
        boards = {name: load_board(name) for name in ("usa", "france", "germany")}
        desk = ClubDesk(database, room, boards)
        access = Club(Devices(b"k" * 32), LetIn())
        app = create_hub_app(
            room, access, own_addresses=lambda: [IN_THE_ROOM], parts=club_parts(desk)
        )
        yield ClubSite(app, desk, room, access, database)
