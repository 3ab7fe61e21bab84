"""A tournament evening: who is here, the draw of each round, results, seat cards, the timer."""

import re
from collections.abc import Sequence
from urllib.parse import urlencode

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from scoring.language.lists import join_names
from web.access.roles import Role, open_to
from web.errors import NotFoundError
from web.hub.club_frame import ID, ClubSite, field, number, typed_number
from web.hub.club_state import RoundView
from web.hub.page_fields import of_page
from web.hub.same_game import same_game_page, unless_asked
from web.hub.standings_file import standings_file
from web.names import one_line, one_spelling

MOST_NAMES = 100
"""Names that one form may bring."""

HERE = "here"
"""In an address: people who were typed among those who arrive, and were here already."""


def tournament_pages(pages_of: ClubSite) -> Blueprint:
    """`GET /tournaments`, one tournament, its standings as a file, its seat cards; changes are the
    organiser's."""
    pages, club = Blueprint("tournaments", __name__), pages_of.club

    @pages.get("/tournaments")
    @open_to(Role.SPECTATOR)
    def tournaments() -> str:
        return pages_of.page("tournaments.html", "tournaments", tournaments=club.tournaments())

    @pages.post("/tournaments")
    @open_to(Role.HOST)
    def add() -> ResponseReturnValue:
        return _to(club.add_tournament(field("name"), number("minutes")))

    @pages.get(f"/tournaments/{ID}")
    @open_to(Role.SPECTATOR)
    def tournament(id: int) -> str:
        view = club.tournament(id)
        people = [person for person, is_here in view.entrants if is_here]
        inside = {person.id for person in people}
        return pages_of.page(
            "tournament.html",
            "tournaments",
            view=view,
            waiting=club.waiting() if pages_of.site.is_organiser else 0,
            boards=pages_of.boards(),
            outside=[person for person in club.people() if person.id not in inside],
            next_table=next_name(
                [table.name for table in view.tables],
                [table.name for table in pages_of.site.room.tables()],
            ),
            were_here=join_names(
                [one.name or "" for one in people if str(one.id) in request.args.getlist(HERE)],
                pages_of.site.language,
            ),
        )

    @pages.get(f"/tournaments/{ID}/standings.csv")
    @open_to(Role.SPECTATOR)
    def standings(id: int) -> ResponseReturnValue:
        view = club.tournament(id)
        return standings_file(view.name, view.standings, pages_of.site.language)

    @pages.get(f"/tournaments/{ID}/cards")
    @open_to(Role.HOST)
    def cards(id: int) -> str:
        view = club.tournament(id)
        if not view.rounds:
            raise NotFoundError("web.club.error.no-round")
        return pages_of.page(
            "seat_cards.html", "tournaments", view=view, links=_links(pages_of, view.rounds[-1])
        )

    _add_tables_and_people(pages, pages_of)
    _add_rounds(pages, pages_of)
    return pages


def _add_tables_and_people(pages: Blueprint, pages_of: ClubSite) -> None:
    club = pages_of.club

    @pages.post(f"/tournaments/{ID}/remove")
    @open_to(Role.HOST)
    def remove(id: int) -> ResponseReturnValue:
        club.remove_tournament(id)
        return redirect("/tournaments", code=303)

    @pages.post(f"/tournaments/{ID}/tables")
    @open_to(Role.HOST)
    def add_table(id: int) -> ResponseReturnValue:
        club.add_table(id, field("name"), field("board"))
        return _to(id, "tables")

    @pages.post(f"/tournaments/{ID}/no-table")
    @open_to(Role.HOST)
    def remove_table(id: int) -> ResponseReturnValue:
        club.remove_table(id, field("name"))
        return _to(id, "tables")

    @pages.post(f"/tournaments/{ID}/arrive")
    @open_to(Role.HOST)
    def arrive(id: int) -> ResponseReturnValue:
        """Whoever is here already stays, and is told: the form may be sent again once a name was
        corrected, or two people have one name."""
        here = {person.id for person, is_here in club.tournament(id).entrants if is_here}
        twice = []
        for name in names_of(field("names", most=MOST_NAMES * 41)):
            person = club.person_named(name) or club.add_person(name)
            if person.id in here:
                twice.append(person.id)
            else:
                club.arrive(id, person.id)
                here.add(person.id)
        return _to(id, "people", twice)

    @pages.post(f"/tournaments/{ID}/back")
    @open_to(Role.HOST)
    def come_back(id: int) -> ResponseReturnValue:
        club.arrive(id, number("person"))
        return _to(id, "people")

    @pages.post(f"/tournaments/{ID}/leave")
    @open_to(Role.HOST)
    def leave(id: int) -> ResponseReturnValue:
        club.leave(id, number("person"))
        return _to(id, "people")


def _add_rounds(pages: Blueprint, pages_of: ClubSite) -> None:
    club = pages_of.club

    def showed_all_rounds(id: int) -> bool:
        """A page that showed fewer than there are shows them first: what was tapped there was of
        another round."""
        return typed_number(of_page("drawn")) == len(club.tournament(id).rounds)

    @pages.post(f"/tournaments/{ID}/seat")
    @open_to(Role.HOST)
    def seat(id: int) -> ResponseReturnValue:
        person, table = number("person"), field("table")
        if showed_all_rounds(id):
            club.seat(id, person, table)
        return _to(id)

    @pages.post(f"/tournaments/{ID}/draw")
    @open_to(Role.HOST)
    def draw(id: int) -> ResponseReturnValue:
        if showed_all_rounds(id):
            club.draw(id)
        return _to(id)

    @pages.post(f"/tournaments/{ID}/begin")
    @open_to(Role.HOST)
    def begin(id: int) -> ResponseReturnValue:
        if showed_all_rounds(id):
            club.begin_round(id)
        return _to(id)

    @pages.post(f"/tournaments/{ID}/stop")
    @open_to(Role.HOST)
    def stop(id: int) -> ResponseReturnValue:
        if showed_all_rounds(id):
            club.stop_round(id)
        return _to(id)

    @pages.post(f"/tournaments/{ID}/result")
    @open_to(Role.HOST)
    def result(id: int) -> ResponseReturnValue:
        points = {
            typed_number(name.removeprefix("points-")): typed_number(value, name)
            for name, value in request.form.items()
            if name.startswith("points-") and value.strip()
        }
        seen, round, table = request.form.get("seen"), number("round"), field("table")
        asked = unless_asked(
            lambda others, same: club.enter_result(id, round, table, points, seen, others, same),
            f"/tournaments/{id}/same",
        )
        return asked or _to(id)

    @pages.get(f"/tournaments/{ID}/same")
    @open_to(Role.HOST)
    def same_as_result(id: int) -> str:
        at = f"/tournaments/{id}"
        return same_game_page(pages_of, f"{at}/result", at, tab="tournaments")


def names_of(words: str) -> list[str]:
    """Names by commas."""
    names = [one_line(name) for name in re.split(r"[,;]", words)]
    return [name for name in names if name][:MOST_NAMES]


def _to(id: int, part: str = "", were_here: Sequence[int] = ()) -> ResponseReturnValue:
    asked = urlencode([(HERE, one) for one in were_here])
    whole = f"/tournaments/{id}{'?' if asked else ''}{asked}{'#' if part else ''}{part}"
    return redirect(whole, code=303)


def next_name(names: list[str], of_room: list[str]) -> str:
    """A table of the room that is not in the tournament yet, else the last one's next number."""
    last = re.fullmatch(r"(.*?)\d+", names[-1]) if names else None
    before = "" if last is None else last[1]
    numbered = [f"{before}{n}" for n in range(1, len(names) + 2)]
    known = {one_spelling(name) for name in names}
    return next(one for one in [*of_room, *numbered] if one_spelling(one) not in known)


def _links(pages_of: ClubSite, last: RoundView) -> dict[int, str]:
    """Each player's own link, by their ids; whoever was deleted has none."""
    ids = [person.id for table in last.tables for person in table.people]
    secrets = pages_of.club.secrets(ids)
    return {id: pages_of.address_of(f"/me/{secret}") for id, secret in secrets.items()}
