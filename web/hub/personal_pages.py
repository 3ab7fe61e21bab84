"""A player's own page, opened by the code on their card: where to sit, what to confirm, their data.

Whoever has the link is that player; it can do nothing for anybody else.
"""

from collections.abc import Sequence

from flask import Blueprint, jsonify, redirect, request
from flask.typing import ResponseReturnValue

from web.access.roles import Role, open_to
from web.errors import ActionRefusedError, NotFoundError
from web.hub.at_once import at_once
from web.hub.club_frame import ClubSite, field
from web.hub.club_port import ClubPort
from web.hub.club_state import GameLine, OpenSeat, Person, PersonPage, RoundTable, RoundView
from web.hub.not_named import not_named
from web.hub.typed_already import typed_already
from web.names import one_spelling


def personal_pages(pages_of: ClubSite) -> Blueprint:
    """`GET /me/SECRET` and what its forms send."""
    pages, club = Blueprint("me", __name__), pages_of.club

    @pages.get("/me/<secret>")
    @open_to(Role.SPECTATOR)
    def me(secret: str) -> str:
        person = _owner(club, secret)
        shown, seat = club.person(person.id), _seat_now(club, person)
        waiting = _waiting_for(club, person)
        return pages_of.page(
            "me.html",
            tab="me",
            shown=shown,
            secret=secret,
            seat=seat,
            tables=_tables_for(shown, None if seat is None else seat[2].name, club.open_seats()),
            waiting=waiting,
            not_named=not_named(pages_of, waiting),
            at_once=at_once(waiting, club.results()),
            typed=typed_already(waiting, club.paper_games()),
            others_seat={game: _others_seat(club, person, game) for game in waiting},
        )

    @pages.post("/me/<secret>/sit")
    @open_to(Role.SPECTATOR)
    def sit(secret: str) -> ResponseReturnValue:
        person = _owner(club, secret)
        table, _, colour = field("seat").rpartition(" ")
        club.sit(person.id, table, colour)
        return redirect(f"/me/{secret}", code=303)

    @pages.post("/me/<secret>/confirm")
    @open_to(Role.SPECTATOR)
    def confirm(secret: str) -> ResponseReturnValue:
        person = _owner(club, secret)
        game = club.result(field("table"), field("evening"))
        if person not in [seat.person for seat in game.seats]:
            raise NotFoundError("web.club.error.game")
        if game.is_confirmed:  # somebody else of the table was quicker: the page shows what counts
            return redirect(f"/me/{secret}", code=303)
        if game.strangers:
            raise ActionRefusedError("web.club.error.stranger", name=game.strangers[0])
        missing = not_named(pages_of, [game])
        if missing:
            raise ActionRefusedError("web.club.error.not-named", names=missing[game])
        for name, table in at_once([game], club.results()).get(game, [])[:1]:
            raise ActionRefusedError("web.club.error.at-once", name=name, table=table)
        if typed_already([game], club.paper_games()):
            raise ActionRefusedError("web.club.error.typed-already")
        others = _others_seat(club, person, game)
        if others is not None:
            raise ActionRefusedError("web.club.error.others-seat", name=others)
        people = [None if seat.person is None else seat.person.id for seat in game.seats]
        club.confirm(game.table_id, game.evening, people, request.form.get("seen"))
        return redirect(f"/me/{secret}", code=303)

    @pages.get("/me/<secret>/export")
    @open_to(Role.SPECTATOR)
    def export(secret: str) -> ResponseReturnValue:
        return jsonify(club.export(_owner(club, secret).id))

    @pages.post("/me/<secret>/delete")
    @open_to(Role.SPECTATOR)
    def delete(secret: str) -> ResponseReturnValue:
        club.forget(_owner(club, secret).id)
        return redirect("/club", code=303)

    return pages


def _owner(club: ClubPort, secret: str) -> Person:
    if not secret.isascii() or not secret.isprintable():
        raise NotFoundError("web.club.error.link")
    return club.person_by_secret(secret)


def _tables_for(
    shown: PersonPage, drawn: str | None, seats: Sequence[OpenSeat]
) -> list[tuple[str, list[OpenSeat], bool]]:
    """The tables that have a seat for somebody, with their seats, and whether they likely sit
    there: it is `drawn` for them, they sit there already, or somebody typed their name there."""
    mine = {one_spelling(name) for name in shown.aliases}
    tables: dict[str, list[OpenSeat]] = {}
    for one in seats:
        if one.taken_by in (None, shown.person.id):
            tables.setdefault(one.table_id, []).append(one)
    found = [
        (
            at[0].table,
            at,
            (drawn is not None and one_spelling(at[0].table) == one_spelling(drawn))
            or any(one.taken_by or one_spelling(one.name) in mine for one in at),
        )
        for at in tables.values()
    ]
    return sorted(found, key=lambda one: not one[2])


def _seat_now(club: ClubPort, person: Person) -> tuple[str, RoundView, RoundTable] | None:
    """Tournament, round and table at which somebody sits now; None where they do not."""
    for line in club.tournaments()[:3]:
        view = club.tournament(line.id)
        if not view.rounds or not view.open_tables:
            continue
        last = view.rounds[-1]
        table = next((one for one in last.tables if person in one.people), None)
        if table is not None and table.result is None:
            return view.name, last, table
    return None


def _waiting_for(club: ClubPort, person: Person) -> list[GameLine]:
    """Finished games of this person that nobody has confirmed."""
    return [
        game
        for game in club.results()
        if not game.is_confirmed and person in [seat.person for seat in game.seats]
    ]


def _others_seat(club: ClubPort, person: Person, game: GameLine) -> str | None:
    """What the table calls this person's seat, where that is somebody else of the club.

    Whoever took the seat by their link alone would else take the other one's result, unseen.
    """
    name = next(seat.name for seat in game.seats if seat.person == person)
    named = club.person_named(name)
    return None if named is None or named == person else name
