"""What another device did meanwhile is not overruled by a page that has not heard of it."""

from collections import Counter
from collections.abc import Callable

from flask import request

from scoring.language.lists import join_names
from web.errors import ActionRefusedError
from web.page_context import PageContext
from web.ports import GameInPlay
from web.sent.fields import Sent
from web.sent.payload import Payload

ASKED = "asked"
"""The field of a form whose page showed the route as an open question."""

SEEN = "seen"
"""The field of a form that begins or ends a game: the phase that its page showed."""

GAME = "game"
"""In the address of a form: when the game began that its page showed, as `GameInPlay` has it."""

BETWEEN_GAMES = ("start", "sheet")


def is_done_unseen(context: PageContext, action: str, sent: Sent, payload: Payload) -> bool:
    """Whether somebody has given the same answer since the page was shown, so that none is left to
    give: as a step of its own it would make undo look dead.

    Raises ActionRefusedError where somebody has done otherwise.
    """
    if ASKED in sent and action in ("correct-route", "answer-place"):
        return _is_answered_alike(context, payload)
    if sent.get(SEEN) in BETWEEN_GAMES and action in ("start", "new-game"):
        _refuse_second_game(context)
    return False


def refuse_other_game(in_play: Callable[[], GameInPlay]) -> None:
    """Raise ActionRefusedError where the form of the present request shows a game that is over.

    One that shows none is asked nothing: it is the way out of a game that cannot be shown.
    """
    shown = request.args.get(GAME)
    if shown and shown != str(in_play().began_ms):
        raise ActionRefusedError("web.error.other-game")


def _refuse_second_game(context: PageContext) -> None:
    """The game that has begun meanwhile would be gone."""
    if context.state["phase"] not in BETWEEN_GAMES:
        names = join_names([one["name"] for one in context.state["players"]], context.language)
        raise ActionRefusedError("web.error.game-on", names=names)


def _is_answered_alike(context: PageContext, payload: Payload) -> bool:
    """Whether the question has been answered as it would be now. Raises ActionRefusedError where it
    has been answered otherwise.

    Of several lines only those are answered that were in doubt, or got another owner.
    """
    routes = payload["routes"] if "routes" in payload else [payload["route"]]
    owners = payload["owners"] if "owners" in payload else [payload["owner"]]
    lines = [context.state["routes"].get(route) for route in routes]
    statuses = {"proposed" if one is None else one["status"] for one in lines}
    if "confirmed" not in statuses or "doubtful" in statuses:
        return False
    said = [None if one is None else one["owner"] for one in lines]
    if Counter(said) != Counter(owners):
        raise ActionRefusedError("web.error.answered", owners=context.spoken_owners(said))
    return True
