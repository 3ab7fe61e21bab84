"""The standings of a season or a tournament as a spreadsheet to save."""

from collections.abc import Sequence

from flask import Response

from web.exports import file_name, spreadsheet
from web.hub.club_frame import name_of
from web.hub.club_state import StandingLine
from web.language import say


def standings_file(title: str, table: Sequence[StandingLine], language: str) -> Response:
    """The answer that a browser saves under what the standings are of."""
    answer = Response(_standings_csv(table, language), mimetype="text/csv")
    called = say("club.standings.file", language, name=title)
    answer.headers.set("Content-Disposition", "attachment", filename=f"{file_name(called)}.csv")
    return answer


def _standings_csv(table: Sequence[StandingLine], language: str) -> str:
    """The table for a spreadsheet, as its page shows it."""
    head = [
        say("club.place", language),
        say("club.player", language),
        say("club.place-points", language),
        say("club.wins", language),
        say("club.games", language),
        say("club.points", language),
    ]
    lines = [
        (
            one.place,
            name_of(one.person, language),
            say("decimal", language, number=one.place_points),
            one.wins,
            one.games,
            one.points,
        )
        for one in table
    ]
    return spreadsheet([head, *lines], language)
