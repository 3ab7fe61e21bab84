"""Whom a table lets in: at home everybody, in a club those who were let in."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.outputs import tell
from companion.cli.troubles import Report
from companion.config import BoxConfig, config_path
from companion.errors import UsageError
from companion.server.let_in_file import LetInError, LetInFile, open_let_in_file
from scoring.language import Message, text
from web.access.club import Club
from web.access.devices import Devices
from web.access.visitors import Access, HomeTable

if TYPE_CHECKING:
    from companion.table.table import Table


def club_remembered(data: Path, config: BoxConfig) -> tuple[LetInFile, BoxConfig]:
    """The table's file of those let in; a club's table stays one until the configuration says no.

    A power cut may have taken the line that made it one.
    """
    kept = open_let_in_file(data).remembering(config.says_club)
    if config.is_club or not kept.is_club:
        return kept, config
    lost = UsageError(
        "companion.error.box",
        path=config_path(data),
        reason=Message("companion.error.config-club"),
    )
    return kept, replace(config, is_club=True, troubles=(*config.troubles, lost))


def access_to_table(
    kept: LetInFile,
    is_club: bool,
    language: str,
    tell_unsaved: Callable[[LetInError | None], None],
    own_pin: str | None = None,
) -> Access:
    """Who may do what: at home everybody, in a club those who were let in."""
    if not is_club:
        return HomeTable(Devices(kept.key))
    return club_of(kept, "companion.serve.club-pin", language, tell_unsaved, own_pin)


def club_of(
    kept: LetInFile,
    new_pin: str,
    language: str,
    tell_unsaved: Callable[[LetInError | None], None],
    own_pin: str | None,
) -> Club:
    """Those who were let in; every new PIN is printed in the sentence of that key."""

    def tell_pin(pin: str) -> None:
        tell(text(new_pin, language, pin=pin), sys.stdout)

    save = kept.save_and_tell(tell_unsaved)
    club = Club(Devices(kept.key), kept.let_in, save, tell_pin, own_pin=own_pin)
    club.save()
    return club


def unsaved_teller(table: "Table", reporter: Report) -> Callable[[LetInError | None], None]:
    """Says on panel and terminal where those who were let in could not be saved."""
    reporter("devices", None)

    def tell_unsaved(trouble: LetInError | None) -> None:
        reporter("devices", trouble)
        table.say_unsaved(None if trouble is None else trouble.message)

    return tell_unsaved


def tell_club(club: Club, address: str, language: str) -> None:
    """Print how to become the host."""
    pin, link = club.pin.pin, club.link()
    tell(text("companion.serve.club", language, pin=pin, address=address, link=link), sys.stdout)
