"""The old evenings: the list, one of them with its sheet, statistics, and files to take away."""

from dataclasses import asdict

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from scoring.board.game_names import game_title
from scoring.documents.settings_in_words import settings_in_words
from web.access.roles import Role, open_to
from web.api.schemas import MOST_PLAYERS
from web.days import day_of
from web.errors import BadRequestError
from web.exports import bg_stats_link, evening_json, evenings_csv, opened_json
from web.history_port import EveningSummary
from web.pages.finished import (
    game_titles,
    no_evening,
    old_context,
    opened_evening,
    rematch_address,
)
from web.panel import Panel
from web.sent.whole_numbers import whole_number
from web.sheet.sheet import view_sheet
from web.statistics import chosen, statistics

LISTED = 50
"""Evenings on one page of the list."""


def history_pages(panel: Panel) -> Blueprint:
    """`GET /history`, `/history/EVENING`, `/statistics`, and their files."""
    pages = Blueprint("history", __name__)
    _add_evenings(pages, panel)
    _add_files(pages, panel)
    _add_statistics(pages, panel)
    return pages


def _add_evenings(pages: Blueprint, panel: Panel) -> None:
    @pages.get("/history")
    @open_to(Role.SPECTATOR)
    def history() -> ResponseReturnValue:
        context = panel.context()
        every = panel.table.history.evenings()
        listed = [one for one in every if not one.is_deleted]
        last = max(0, len(listed) - 1) // LISTED * LISTED
        start = min(whole_number(request.args.get("from", "")) or 0, last)
        return panel.page(
            "history.html",
            context,
            tab="history",
            evenings=listed[start : start + LISTED],
            bin=[one for one in every if one.is_deleted],
            count_of=len(listed),
            start=start,
            step=LISTED,
            titles=game_titles(context),
            day=lambda at_s: day_of(at_s, context.language),
        )

    @pages.get("/history/<evening>")
    @open_to(Role.SPECTATOR)
    def one_evening(evening: str) -> ResponseReturnValue:
        context, opened = panel.context(), opened_evening(panel, evening)
        old = old_context(panel, context, opened)
        title = game_title(opened.board.id, opened.board.title, context.language)
        return panel.page(
            "evening.html",
            context,
            tab="history",
            old=old,
            evening=opened.summary,
            opened=opened,
            sheet=view_sheet(opened.sheet, opened.board, context.language),
            agreed=settings_in_words(opened.sheet.settings, context.language),
            title=title,
            when=day_of(opened.summary.day_s, context.language),
            bg_stats=bg_stats_link(opened.summary, title),
            rematch_address=rematch_address,
        )


def _add_files(pages: Blueprint, panel: Panel) -> None:
    @pages.get("/api/v1/history/<evening>/picture")
    @pages.get("/history/<evening>/result.png")
    @open_to(Role.SPECTATOR)
    def result_picture(evening: str) -> ResponseReturnValue:
        image = panel.table.history.picture(evening, panel.language)
        if image is None:
            raise no_evening(panel, evening)
        headers = {"Content-Disposition": f'inline; filename="companion-{evening}.png"'}
        return Response(image, mimetype="image/png", headers=headers)

    @pages.get("/api/v1/history/<evening>")
    @pages.get("/history/<evening>/evening.json")
    @open_to(Role.SPECTATOR)
    def evening_document(evening: str) -> ResponseReturnValue:
        return jsonify(opened_json(opened_evening(panel, evening)))

    @pages.get("/api/v1/history")
    @pages.get("/history.json")
    @open_to(Role.SPECTATOR)
    def all_evenings() -> ResponseReturnValue:
        return jsonify([evening_json(one) for one in _kept(panel)])

    @pages.get("/history.csv")
    @open_to(Role.SPECTATOR)
    def spreadsheet() -> ResponseReturnValue:
        table = evenings_csv(_kept(panel), panel.language)
        headers = {"Content-Disposition": 'attachment; filename="companion.csv"'}
        return Response(table, mimetype="text/csv", headers=headers)


def _add_statistics(pages: Blueprint, panel: Panel) -> None:
    @pages.get("/api/v1/statistics")
    @open_to(Role.SPECTATOR)
    def figures_document() -> ResponseReturnValue:
        sent = request.args.get("players")
        players = None if sent is None else whole_number(sent, MOST_PLAYERS)
        if sent is not None and players is None:
            raise BadRequestError("web.error.field", field="players")
        every = chosen(_kept(panel), request.args.get("board"), players)
        return jsonify(asdict(statistics(every)))

    @pages.get("/statistics")
    @open_to(Role.SPECTATOR)
    def figures() -> ResponseReturnValue:
        context = panel.context()
        every = _kept(panel)
        board, players = request.args.get("board"), whole_number(request.args.get("players", ""))
        known = dict.fromkeys(one.board for one in every)
        board = board if board in known else None
        return panel.page(
            "statistics.html",
            context,
            tab="history",
            figures=statistics(chosen(every, board, players)),
            board=board,
            players=players,
            boards=list(known),
            sizes=sorted({len(one.players) for one in every if len(one.players) > 1}),
            titles=game_titles(context),
        )


def _kept(panel: Panel) -> list[EveningSummary]:
    """Every evening but those in the bin, the newest first."""
    return [one for one in panel.table.history.evenings() if not one.is_deleted]
