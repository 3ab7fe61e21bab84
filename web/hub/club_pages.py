"""The club: ratings, records, players, results to confirm, seasons."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from flask import Blueprint, jsonify, redirect, request
from flask.typing import ResponseReturnValue

from web.access.roles import Role, open_to
from web.errors import ActionRefusedError, BadRequestError, NotFoundError
from web.hub.at_once import at_once
from web.hub.club_frame import ID, ClubSite, day_of_form, field, number, typed_number
from web.hub.club_state import GameLine
from web.hub.not_named import not_named
from web.hub.same_game import same_game_page, unless_asked
from web.hub.standings_file import standings_file
from web.hub.typed_already import typed_already
from web.names import one_line

FIRST_DAY = date(2004, 1, 1)
"""The oldest of the games came out in this year."""

MOST_COUNTED = 50

MOST_WAITING = 10
"""Results of one table to confirm that stand on the page at once: each offers everybody of the
club at each of its seats."""

NEW = "new"
"""What a form sends for a seat whose player is new to the club."""


def club_pages(pages_of: ClubSite) -> Blueprint:
    """`GET /club`, its players, results and seasons; changes are the organiser's."""
    pages, club = Blueprint("club", __name__), pages_of.club

    @pages.get("/club")
    @open_to(Role.SPECTATOR)
    def overview() -> str:
        return pages_of.page(
            "club.html",
            ratings=club.ratings(),
            boards=club.boards(),
            people=club.people(),
            seasons=club.seasons(),
            waiting=club.waiting(),
        )

    @pages.post("/club/players")
    @open_to(Role.HOST)
    def add_player() -> ResponseReturnValue:
        person = club.add_person(field("name"))
        return redirect(f"/club/players/{person.id}", code=303)

    _add_player_pages(pages, pages_of)
    _add_result_pages(pages, pages_of)
    _add_season_pages(pages, pages_of)
    return pages


def _add_player_pages(pages: Blueprint, pages_of: ClubSite) -> None:
    club = pages_of.club

    def back(id: int) -> ResponseReturnValue:
        return redirect(f"/club/players/{id}", code=303)

    @pages.get(f"/club/players/{ID}")
    @open_to(Role.SPECTATOR)
    def player(id: int) -> str:
        shown = club.person(id)
        if shown.person.name is None:
            raise NotFoundError("web.club.error.person")
        link = None if shown.secret is None else pages_of.address_of(f"/me/{shown.secret}")
        others = [one for one in club.people() if one.id != id]
        return pages_of.page("player.html", shown=shown, link=link, others=others)

    @pages.get(f"/club/players/{ID}/export")
    @open_to(Role.HOST)
    def export(id: int) -> ResponseReturnValue:
        return jsonify(club.export(id))

    @pages.post(f"/club/players/{ID}/rename")
    @open_to(Role.HOST)
    def rename(id: int) -> ResponseReturnValue:
        club.rename(id, field("name"))
        return back(id)

    @pages.post(f"/club/players/{ID}/join")
    @open_to(Role.HOST)
    def join(id: int) -> ResponseReturnValue:
        into = number("into")
        club.join(id, into)
        return back(into)

    @pages.post(f"/club/players/{ID}/part")
    @open_to(Role.HOST)
    def part(id: int) -> ResponseReturnValue:
        gone = number("gone")
        club.part(id, gone)
        return back(gone)

    @pages.post(f"/club/players/{ID}/new-link")
    @open_to(Role.HOST)
    def new_link(id: int) -> ResponseReturnValue:
        club.renew_link(id)
        return back(id)

    @pages.post(f"/club/players/{ID}/alias")
    @open_to(Role.HOST)
    def alias(id: int) -> ResponseReturnValue:
        club.add_alias(id, field("name"))
        return back(id)

    @pages.post(f"/club/players/{ID}/no-alias")
    @open_to(Role.HOST)
    def no_alias(id: int) -> ResponseReturnValue:
        club.remove_alias(id, field("name"))
        return back(id)

    @pages.post(f"/club/players/{ID}/delete")
    @open_to(Role.HOST)
    def delete(id: int) -> ResponseReturnValue:
        club.forget(id)
        return redirect("/club", code=303)


def _add_result_pages(pages: Blueprint, pages_of: ClubSite) -> None:
    club = pages_of.club

    @pages.get("/club/results")
    @open_to(Role.SPECTATOR)
    def results() -> str:
        """The organiser may ask for one that counts, by `table` and `evening`, to correct it."""
        asked = request.args.get("table"), request.args.get("evening")
        mended, waiting, confirmed = [], [], []
        finished = club.results()
        for one in finished:
            if (one.table_id, one.evening) == asked and pages_of.site.is_organiser:
                mended.append(one)
            elif one.is_confirmed and not one.is_asked_about:
                confirmed.append(one)
            else:
                waiting.append(one)
        shown, paper_games = _some_of_each_table(waiting), club.paper_games()
        return pages_of.page(
            "results.html",
            waiting=mended + shown,
            not_named=not_named(pages_of, mended + shown) if pages_of.site.is_organiser else {},
            at_once=at_once(mended + shown, finished) if pages_of.site.is_organiser else {},
            typed=typed_already(shown, paper_games) if pages_of.site.is_organiser else {},
            more=len(waiting) - len(shown),
            confirmed=confirmed[:MOST_COUNTED],
            left_out=club.left_out() if pages_of.site.is_organiser else (),
            gone=club.gone() if pages_of.site.is_organiser else (),
            people=club.people(),
            paper_games=paper_games,
            boards=pages_of.boards(),
            today=date.today(),
            on_paper=request.args,
        )

    @pages.post("/club/results")
    @open_to(Role.HOST)
    def confirm() -> ResponseReturnValue:
        if request.form.get("counts") == "no":
            club.leave_out(field("table"), field("evening"), request.form.get("seen"))
            return redirect("/club/results", code=303)
        if request.form.get("counts") == "kept":
            club.keep_counting(field("table"), field("evening"), field("seen"))
            return redirect("/club/results", code=303)
        people = [None if one == NEW else typed_number(one) for one in _chosen_by_seat()]
        game = club.result(field("table"), field("evening"))
        typed = typed_already([game], club.paper_games()).get(game)
        if typed is not None and request.form.get("typed") != str(typed.id):
            raise ActionRefusedError("web.club.error.typed-meanwhile")
        club.confirm(field("table"), field("evening"), people, request.form.get("seen"))
        return redirect("/club/results", code=303)

    @pages.post("/club/results/take-in")
    @open_to(Role.HOST)
    def take_in() -> ResponseReturnValue:
        club.take_in(field("table"), field("evening"))
        return redirect("/club/results", code=303)

    @pages.post("/club/paper")
    @open_to(Role.HOST)
    def add_paper_game() -> ResponseReturnValue:
        day, board = day_of_form("day"), field("board")
        if not FIRST_DAY <= day <= date.today():
            raise BadRequestError("web.club.error.day").at("day")
        seats = _typed_seats()
        asked = unless_asked(
            lambda others, same: club.add_paper_game(board, day, seats, others, same),
            "/club/paper/same",
        )
        return asked or redirect("/club/results#paper", code=303)

    @pages.get("/club/paper/same")
    @open_to(Role.HOST)
    def same_as_on_paper() -> str:
        return same_game_page(pages_of, "/club/paper", "/club/results?%s#paper")

    @pages.post(f"/club/paper/{ID}/remove")
    @open_to(Role.HOST)
    def remove_paper_game(id: int) -> ResponseReturnValue:
        club.remove_paper_game(id)
        return redirect("/club/results#paper", code=303)


def _chosen_by_seat() -> list[str]:
    """What was chosen for each seat, in their order: the form shows the best first, and names the
    seat of each. Raises ActionRefusedError."""
    chosen = request.form.getlist("player")
    seats = request.form.getlist("seat") or [str(n) for n in range(len(chosen))]
    if "" in chosen or sorted(seats) != sorted(str(n) for n in range(len(chosen))):
        raise ActionRefusedError("web.club.error.seat")
    return [one for _, one in sorted(zip(map(int, seats), chosen, strict=True))]


def _some_of_each_table(games: Sequence[GameLine]) -> list[GameLine]:
    tables: Counter[str] = Counter()
    shown = []
    for one in games:
        tables[one.table_id] += 1
        if tables[one.table_id] <= MOST_WAITING:
            shown.append(one)
    return shown


def _typed_seats() -> list[tuple[str, int]]:
    """Names and points of the form; rows that were left empty are none. Raises BadRequestError."""
    rows = zip(request.form.getlist("name"), request.form.getlist("points"), strict=False)
    typed = [(one_line(name), points) for name, points in rows]
    typed = [(name, points) for name, points in typed if name or points.strip()]
    if not all(name for name, _ in typed):
        raise BadRequestError("web.club.error.field")
    return [(name, typed_number(points)) for name, points in typed]


def _add_season_pages(pages: Blueprint, pages_of: ClubSite) -> None:
    club = pages_of.club

    @pages.get(f"/club/seasons/{ID}")
    @open_to(Role.SPECTATOR)
    def season(id: int) -> str:
        line, table = club.standings(id)
        return pages_of.page("season.html", season=line, table=table)

    @pages.get(f"/club/seasons/{ID}/standings.csv")
    @open_to(Role.SPECTATOR)
    def season_file(id: int) -> ResponseReturnValue:
        line, table = club.standings(id)
        return standings_file(line.name, table, pages_of.site.language)

    @pages.post("/club/seasons")
    @open_to(Role.HOST)
    def add_season() -> ResponseReturnValue:
        id = club.add_season(field("name"), day_of_form("first"), day_of_form("last"))
        return redirect(f"/club/seasons/{id}", code=303)

    @pages.post(f"/club/seasons/{ID}/remove")
    @open_to(Role.HOST)
    def remove_season(id: int) -> ResponseReturnValue:
        club.remove_season(id)
        return redirect("/club", code=303)
