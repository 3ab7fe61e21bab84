"""What the pages of the club share: names of boards and people, days, numbers from a form."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from flask import request

from scoring.board.game_names import game_title
from web.days import clock, day_of
from web.errors import BadRequestError
from web.hub.club_port import ClubPort
from web.hub.club_state import Person
from web.hub.site import Site
from web.invitation import invitation, qr_code
from web.language import say
from web.names import one_line
from web.sent.whole_numbers import signed_number

ID = "<int(max=999999999):id>"
"""In an address: the number of a person, a season or a tournament."""

MOST_FIELD = 200
"""Longest text that a form of the club may send in one field."""


@dataclass(frozen=True, slots=True)
class ClubSite:
    """The club's pages within the hub's frame."""

    site: Site
    club: ClubPort

    def page(self, template: str, tab: str = "club", **more: Any) -> str:
        """A page from its template, with the words that all pages of the club use."""
        titles = dict(self.boards())
        language = self.site.language
        return self.site.page(
            template,
            tab,
            board_title=lambda board: titles.get(board) or game_title(board, "", language),
            table_title=lambda name: table_title(name, language),
            who=lambda person: name_of(person, language),
            day=lambda at: day_in_words(at, language),
            clock=clock,
            moment=lambda at_s: day_of(at_s, language),
            qr_code=qr_code,
            **more,
        )

    def boards(self) -> list[tuple[str, str]]:
        """Boards that a table may have, as (id, title)."""
        language = self.site.language
        return [(id_, game_title(id_, title, language)) for id_, title in self.club.boards_here()]

    def address_of(self, path: str) -> str:
        """A page's whole address for a code that a phone reads."""
        here = invitation(self.site.own_addresses())
        return (here.address if here else request.host_url).rstrip("/") + path


def name_of(person: Person, language: str) -> str:
    """Somebody's name, or that they were deleted."""
    return person.name or say("club.deleted", language)


def table_title(name: str, language: str) -> str:
    """A table's name; one that is only a number or a letter or two has the word before it."""
    return say("club.table", language, name=name) if len(name) <= 3 else name


def day_in_words(at: float | date, language: str) -> str:
    """A day in words, by the clock of the hub where `at` is a moment."""
    day = at if isinstance(at, date) else datetime.fromtimestamp(at).date()
    return say(
        "club.day", language, day=day.day, month=say(f"month.{day.month}", language), year=day.year
    )


def field(name: str, most: int = MOST_FIELD) -> str:
    """A field of the form on one line. Raises BadRequestError where it is missing or too long."""
    value = one_line(request.form.get(name, ""))
    if not value or len(value) > most:
        raise BadRequestError("web.club.error.field").at(name)
    return value


def number(name: str) -> int:
    """A whole number of the form. Raises BadRequestError."""
    return typed_number(request.form.get(name, ""), name)


def typed_number(words: str, *fields: str) -> int:
    """A whole number, perhaps below 0. Raises BadRequestError, told at `fields`."""
    found = signed_number(words)
    if found is None:
        raise BadRequestError("web.club.error.number").at(*fields)
    return found


def day_of_form(name: str) -> date:
    """A day of the form, as browsers send it. Raises BadRequestError."""
    try:
        return date.fromisoformat(request.form.get(name, ""))
    except ValueError as error:
        raise BadRequestError("web.club.error.day").at(name) from error
