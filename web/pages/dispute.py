"""Questions about a finished game: two longest paths side by side, and routes given to others."""

from collections.abc import Sequence
from functools import partial

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from scoring.explain.explain import NoPathError
from scoring.sheet.sheet import Sheet
from web.access.roles import Role, open_to
from web.errors import NotFoundError
from web.pages.finished import finished_game
from web.panel import Panel
from web.sent.whole_numbers import whole_number
from web.sheet.dispute import WAYS, view_dispute
from web.sheet.what_if import Change, address_of, read_changes, view_what_if


def dispute_pages(panel: Panel) -> Blueprint:
    """`GET /dispute` and `/what-if`, before the end the way to the sheet; and of old evenings."""
    pages = Blueprint("dispute", __name__)
    _add_dispute(pages, panel)
    _add_what_if(pages, panel)
    return pages


def _add_dispute(pages: Blueprint, panel: Panel) -> None:
    @pages.get("/dispute")
    @pages.get("/history/<evening>/dispute")
    @open_to(Role.SPECTATOR)
    def dispute(evening: str | None = None) -> ResponseReturnValue:
        game = finished_game(panel, evening)
        if game is None:
            return redirect("/sheet")
        context = game.shown
        colours = _two(game.sheet, [request.args.get("a"), request.args.get("b")])
        try:
            shown = view_dispute(game.game, colours, context.drawing, context.language)
        except NoPathError:
            raise NotFoundError("web.dispute.no-map") from None
        way = request.args.get("by", WAYS[0])
        way = way if way in WAYS else WAYS[0]
        counts = shown.counts(way)
        asked, last = whole_number(request.args.get("at", "")), len(counts) - 1
        at = last if asked is None else min(asked, last)
        now = list(zip(shown.paths, counts[at], strict=True))
        return panel.page(
            "dispute.html",
            game.now,
            tab=game.tab,
            game=game,
            shown=context,
            dispute=shown,
            earns_points=game.game.rules.bonuses.longest_path > 0,
            now=now,
            way=way,
            ways=WAYS,
            at=at,
            last=last,
            overlay=Markup(render_template("_paths.html", now=now)),
            script={**shown.to_json(), "way": way, "at": at},
        )


def _add_what_if(pages: Blueprint, panel: Panel) -> None:
    @pages.get("/what-if")
    @pages.get("/history/<evening>/what-if")
    @open_to(Role.SPECTATOR)
    def what_if(evening: str | None = None) -> ResponseReturnValue:
        game = finished_game(panel, evening)
        if game is None:
            return redirect("/sheet")
        context = game.shown
        if context.board is None or context.without_map is not None:
            raise NotFoundError("web.dispute.no-map")
        changes = read_changes(request.args.getlist("change"), game.game)
        route = request.args.get("route")
        title = None if route is None else context.route_title(route)
        owners = {one: context.route_state(one)["owner"] for one in context.board.route_by_id}
        return panel.page(
            "what_if.html",
            game.now,
            tab=game.tab,
            game=game,
            shown=context.with_owners({change.route: change.owner for change in changes}),
            changes=changes,
            result=view_what_if(game.game, game.sheet, changes, context.language),
            route=route,
            title=title,
            owners=owners,
            address_of=partial(address_of, base=game.base),
            given=lambda owner: [*changes, Change(route or "", owner)],
            without=lambda change: [one for one in changes if one is not change],
            link=address_of(changes, base=game.base) + ("&route=" if changes else "?route="),
        )


def _two(sheet: Sheet, asked: Sequence[str | None]) -> list[str]:
    """The colours that are asked for, filled up with those of the longest paths."""
    lengths = {
        player.colour: player.longest_path.length if player.longest_path else 0
        for player in sheet.players
        if player.colour is not None
    }
    ordered = sorted(lengths, key=lambda colour: -lengths[colour])
    wanted = [colour for colour in asked if colour is not None and colour in lengths]
    return list(dict.fromkeys([*wanted, *ordered]))[:2]
