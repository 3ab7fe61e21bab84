"""Photos of a hand: its tickets are found, looked at behind the curtain, and entered at one tap."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from flask import Blueprint, Response, make_response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from scoring.language import Message
from web.access.gate import present_visitor
from web.access.roles import Role, open_to
from web.errors import ActionRefusedError, BadRequestError
from web.found_cards import chosen, left_open, not_held
from web.panel import Panel
from web.ports import HandSeen
from web.sent.answered import refuse_other_game
from web.sent.payload import known_action, read_payload
from web.sent.uploads import PHOTO_BYTES

FROM_CAMERA = "camera"
"""The form's field by which the table's own camera takes the photo."""

WITH_EARLIER = "earlier"
"""The form's field that says that cards of an earlier photo wait beside this one."""


def hand_photo_pages(panel: Panel) -> Blueprint:
    """`/tickets/COLOUR/photo` takes photos in, the addresses below it enter or forget the cards."""
    pages = Blueprint("hand_photos", __name__)
    _add_photos(pages, panel)
    _add_found_cards(pages, panel)
    return pages


def _add_photos(pages: Blueprint, panel: Panel) -> None:
    @pages.post("/tickets/<colour>/photo")
    @open_to(Role.PLAYER, hand="colour")
    def take_in(colour: str) -> ResponseReturnValue:
        """Leads to the hand with what was found, by an address that works once.

        Photos that are sent once more, because the answer was lost, are not read again. Those of
        the game before are not read at all: the colour may be somebody else's now.
        """
        refuse_other_game(panel.table.in_play)
        panel.context().player(colour)
        request.max_content_length = PHOTO_BYTES
        panel.uploads.take_in()
        return panel.sent.answer(lambda: _take_in(panel, colour))

    @pages.get("/tickets/<colour>/photo")
    @open_to(Role.PLAYER, hand="colour")
    def turn(colour: str) -> ResponseReturnValue:
        """Whether photos of this hand wait while others are read."""
        return {"waits": panel.uploads.others_go_first(colour)}

    @pages.post("/api/expect-hand")
    @open_to(Role.PLAYER)
    def expect() -> ResponseReturnValue:
        """Somebody is taking a photo just now."""
        panel.table.expect_hand()
        return "", 204


def _add_found_cards(pages: Blueprint, panel: Panel) -> None:
    @pages.post("/tickets/<colour>/photo/enter")
    @open_to(Role.PLAYER, hand="colour")
    def enter(colour: str) -> ResponseReturnValue:
        """Enters what the form confirms, and leads on to the next hand; open cards lead back.

        So does a game with passengers, as long as this player has entered none of them.

        A form that waited for the network may find its hand shut: then the cards wait behind the
        curtain, or it says that they were forgotten.
        """
        refuse_other_game(panel.table.in_play)
        panel.context().player(colour)
        hand = panel.open_hands.hand(colour)
        seen = panel.open_hands.seen(colour, request.form.get("hand", ""))
        if seen is None:
            late = None if panel.open_hands.found(colour) else "yes"
            return redirect(url_for("hands.hand", colour=colour, late=late), code=303)
        sent = request.form.to_dict()
        _enter(panel, colour, chosen(seen, sent))
        rest = left_open(seen, sent)
        if rest is not None:
            return _show(panel, hand, rest)
        _forget(panel, colour, seen)
        return _lead_on(panel, colour)

    @pages.post("/tickets/<colour>/photo/forget")
    @open_to(Role.PLAYER, hand="colour")
    def forget(colour: str) -> ResponseReturnValue:
        """Forgets what the page showed; one that waited for long leads to the curtain instead."""
        refuse_other_game(panel.table.in_play)
        panel.context().player(colour)
        seen = panel.open_hands.seen(colour, request.form.get("hand", ""))
        if seen is None:
            return redirect(url_for("hands.hand", colour=colour), code=303)
        _forget(panel, colour, seen)
        key = panel.open_hands.open(colour)
        return redirect(url_for("hands.hand", colour=colour, hand=key), code=303)


def _take_in(panel: Panel, colour: str) -> Response:
    """Photos that another device has sent of the same hand are read first."""
    hand = panel.open_hands.hand(colour)
    with panel.uploads.one_of_hand(hand):
        return _read(panel, colour, hand)


def _read(panel: Panel, colour: str, hand: int) -> Response:
    """Why photos can't be read stands beside what is known already."""
    earlier = panel.open_hands.found_in(hand)

    @contextmanager
    def turn() -> Iterator[None]:
        with panel.uploads.reading(colour):
            refuse_other_game(panel.table.in_play)  # it waited for the others
            yield

    try:
        fields, photos = panel.uploads.photos_of_hand()
        if not photos and FROM_CAMERA not in fields:
            raise BadRequestError("web.error.no-photo")
        seen = panel.table.read_hand(photos, earlier, turn)
    except (ActionRefusedError, BadRequestError) as error:
        known = earlier or HandSeen(())
        seen = HandSeen(known.cards, (error.message.to_json(),), known.evidence)
    if earlier is None and WITH_EARLIER in request.form:
        seen = replace(seen, remarks=(*seen.remarks, Message("web.hand.late").to_json()))
    refuse_other_game(panel.table.in_play)  # reading lasts
    return make_response(_show(panel, hand, seen))


def _show(panel: Panel, hand: int, seen: HandSeen) -> ResponseReturnValue:
    """Leads to the hand, also under another colour; whose it is not any more sees nothing."""
    kept = panel.open_hands.keep(hand, seen)
    if kept is None:
        return redirect(url_for("hands.everyone"), code=303)
    colour, key = kept
    if seen.cards:
        panel.table.announce()  # everybody is told that cards wait
    return redirect(url_for("hands.hand", colour=colour, hand=key), code=303)


def _lead_on(panel: Panel, colour: str) -> ResponseReturnValue:
    """To this player's passengers where they lack, else to the next hand."""
    context = panel.context()
    if context.lacks_passengers(colour):
        key = panel.open_hands.open(colour)
        address = url_for("hands.hand", colour=colour, hand=key, _anchor="passengers")
        return redirect(address, code=303)
    following = context.hand_after(colour, present_visitor())
    return redirect(f"/tickets/{following['colour']}" if following else "/tickets", code=303)


def _forget(panel: Panel, colour: str, shown: HandSeen | None = None) -> None:
    panel.open_hands.forget(colour, shown)
    panel.table.announce()  # nor do cards wait any more


def _enter(panel: Panel, colour: str, named: list[str]) -> None:
    """One step of the evening, which one undo takes back."""
    with panel.entering:
        refuse_other_game(panel.table.in_play)
        held = [one["ticket"] for one in panel.table.state()["tickets"].get(colour, [])]
        new = not_held(named, held)
        if new:
            action = known_action("set-tickets", panel.table.actions())
            sent = {"player": colour, "tickets": [*held, *new]}
            panel.table.act(action.name, read_payload(action, sent, panel.table.in_play))
