"""Asks whether a game that the organiser typed is one that counts already."""

from collections.abc import Callable
from urllib.parse import urlencode

from flask import redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from web.hub.club_frame import ClubSite, typed_number
from web.hub.club_state import CountsAlreadyError

ALIKE, INSTEAD = "alike", "instead"
"""What a form sends: the games that it was asked about, and which of them is the same."""

MOST_ASKED = 20


def unless_asked(
    enter: Callable[[list[int], int | None], None], question: str
) -> ResponseReturnValue | None:
    """Let a game count, given the games that are others and the one that is the same; or the way to
    the question, where one may be the same that was not asked about yet."""
    others = [typed_number(one) for one in request.form.getlist(ALIKE)[:MOST_ASKED]]
    same = request.form.get(INSTEAD)
    try:
        enter(others, None if same is None else typed_number(same))
    except CountsAlreadyError as error:
        asked = [(ALIKE, str(id)) for id in error.ids[:MOST_ASKED]]
        return redirect(f"{question}?{urlencode([*_typed(request.form), *asked])}", code=303)
    return None


def same_game_page(pages_of: ClubSite, action: str, back: str, tab: str = "club") -> str:
    """The question; its answer sends what was typed once more to `action`, and the way `back`, with
    %s for what was typed, has it still."""
    ids = [typed_number(one) for one in request.args.getlist(ALIKE)[:MOST_ASKED]]
    return pages_of.page(
        "same_game.html",
        tab=tab,
        games=pages_of.club.alike_games(ids),
        typed=[*_typed(request.args), *((ALIKE, str(id)) for id in ids)],
        action=action,
        back=back.replace("%s", urlencode(_typed(request.args))),
    )


def _typed(sent: MultiDict[str, str]) -> list[tuple[str, str]]:
    return [pair for pair in sent.items(multi=True) if pair[0] not in (ALIKE, INSTEAD)]
