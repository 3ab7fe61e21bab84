"""Every route and method with what guards it; a route that declares nothing fails here."""

from pathlib import Path
from typing import cast

import pytest
from flask import Flask

from companion.documentation.guards import BEGIN, END, guarded_routes
from tests.web.fake_table import FakeTable
from web.access.roles import Role, need_of
from web.app import create_app
from web.copy_port import CopyPort
from web.pages.wiring import Draw
from web.restore_port import RestorePort
from web.setup_port import SetupPort
from web.studio_port import StudioPort

DOCUMENT = Path(__file__).parents[2] / "docs" / "security.md"

OPEN_TO_WRITE = {"/join/host", "/join/leave", "/join/<link>"}
"""Addresses at which anybody may ask to be let in; they change nothing of the game."""


@pytest.fixture(scope="module")
def app() -> Flask:
    """With every room; those beside the table are asked for nothing here."""
    return create_app(
        FakeTable(),
        setup=cast(SetupPort, object()),
        studio=cast(StudioPort, object()),
        copies=cast(CopyPort, object()),
        restore=cast(RestorePort, object()),
        examine=list,
        wiring=cast(Draw, object()),
    )


def test_every_route_says_whom_it_is_open_to(app: Flask) -> None:
    silent = [f"{one.method} {one.address}" for one in guarded_routes(app) if one.need is None]
    assert silent == [], "write @open_to(Role.…) of web.access.roles right above these functions"


def test_a_route_that_says_nothing_is_the_hosts() -> None:
    def view() -> str:
        return ""

    assert need_of(view).role is Role.HOST
    assert need_of(None).role is Role.HOST


def test_whatever_changes_the_game_is_closed_to_spectators(app: Flask) -> None:
    writing = [one for one in guarded_routes(app) if one.method != "GET"]
    assert {one.address for one in writing if _is_open(one.need)} <= OPEN_TO_WRITE
    assert "/api/act/<action>" in {one.address for one in writing}


def _is_open(need: object) -> bool:
    return getattr(need, "role", None) is Role.SPECTATOR


def test_an_address_with_a_players_hand_guards_it(app: Flask) -> None:
    hands = [one for one in guarded_routes(app) if "/tickets/<" in one.address]
    assert len(hands) >= 3
    for one in hands:
        assert one.need is not None
        assert one.need.hand in one.address
        assert one.need.role is not Role.SPECTATOR


def test_no_row_of_the_documents_table_is_out_of_date(app: Flask) -> None:
    """`make docs` writes it; an address that it lacks is told here too."""
    table = DOCUMENT.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]
    written = [line for line in table.splitlines() if line.startswith("| ") and "`" in line]
    assert len(written) > 20
    assert set(written) == {one.row for one in guarded_routes(app)}
