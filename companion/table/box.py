"""What the box's four buttons do and its lamps say in each phase; pure (see docs/box.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from companion.session.events import (
    ANSWERS,
    Event,
    Finished,
    PlaceAnswered,
    Reopened,
    RouteConfirmed,
    RouteCorrected,
    Shown,
    Undone,
)
from companion.session.state import (
    State,
    doubtful_routes,
    first_pass_is_on,
    lines_with,
    owner_of,
)
from companion.table.choices import choices_for
from companion.table.questions import Owners
from hardware.console.console import Button, Lamp


@dataclass(frozen=True, slots=True)
class BoxCursor:
    """Where the box points: the doubt being asked, the owners offered for it, the seat.

    `route` is a line in doubt of the place that is asked about; `choice` counts the answers that
    `choices_for` offers. `warned` are the colours with an empty hand that the box has just told
    about: only a second press of CONFIRM finishes without their tickets.
    """

    route: str | None = None
    choice: int = 0
    seat: int = 0
    warned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scan:
    """A request to look at the board with the camera."""

    action: ClassVar[str] = "scan"
    turns_page: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class ScoreFirstPass:
    """A request to set the completed tickets aside, before the Card Game's second pass."""

    action: ClassVar[str] = "score-first-pass"
    turns_page: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class PressOutcome:
    """What a press leads to: where the box points next, and what should happen, if anything."""

    cursor: BoxCursor
    command: Event | Scan | ScoreFirstPass | None = None


def press(
    state: State, cursor: BoxCursor, button: Button, empty: Sequence[str] = ()
) -> PressOutcome:
    """What a button does now; `empty` are the colours whose hands hold no ticket yet."""
    warned, cursor = cursor.warned, replace(settle(state, cursor), warned=())
    phase = state.facts.phase
    if button is Button.SCAN and not state.facts.has_map:
        return PressOutcome(cursor)
    if button is Button.SCAN and phase in ("look", "doubts", "tickets"):
        return PressOutcome(cursor, Scan())
    match phase:
        case "look":
            return _in_look(state, cursor, button)
        case "doubts" if cursor.route is not None:
            return _in_doubts(state, cursor, button)
        case "doubts":
            return _between_doubts(cursor, button)
        case "tickets" if button is Button.CONFIRM and not warned and _is_last(state, cursor):
            warning = PressOutcome(replace(cursor, warned=tuple(empty)))
            return warning if empty else _end(state, cursor)
        case "tickets":
            return _in_tickets(state, cursor, button)
        case "sheet" if button is Button.BACK:
            return PressOutcome(replace(cursor, seat=len(state.facts.players) - 1), Reopened())
        case _:
            return PressOutcome(cursor)


def subject(state: State, cursor: BoxCursor) -> tuple[object, ...]:
    """What CONFIRM is about: game and phase, a warning that showed, the route in question."""
    facts = state.facts
    if facts.phase != "doubts" or cursor.route is None:
        return facts.number, facts.phase, cursor.warned
    offered = choices_for(state, cursor.route)[cursor.choice].owners
    return facts.number, facts.phase, cursor.route, offered


def settle(state: State, cursor: BoxCursor) -> BoxCursor:
    """The cursor put where it can be: on a route in doubt, an owner on offer, a seat taken."""
    doubts = doubtful_routes(state)
    if cursor.route not in doubts:
        cursor = replace(cursor, route=doubts[0] if doubts else None, choice=0)
    choices = choices_for(state, cursor.route) if cursor.route else ()
    return replace(
        cursor,
        choice=min(cursor.choice, max(0, len(choices) - 1)),
        seat=min(cursor.seat, max(0, len(state.facts.players) - 1)),
    )


def follow(before: State, after: State, cursor: BoxCursor, asked: Sequence[str]) -> BoxCursor:
    """The cursor after an event; `asked` are the questions now open, the most pressing first.

    The question being asked stays. One that an undo brought back is asked again, and whoever comes
    to the questions begins with the most pressing.
    """
    doubts = doubtful_routes(before)
    back = [route for route in asked if route not in doubts]
    comes = after.facts.phase == "doubts" and before.facts.phase != "doubts"
    if back and len(after.past) < len(before.past):
        cursor = replace(cursor, route=back[0], choice=0)
    elif asked and (comes or cursor.route not in asked):
        cursor = replace(cursor, route=asked[0], choice=0)
    return replace(settle(after, cursor), warned=())


def must_wait(step: PressOutcome, button: Button) -> bool:
    """Whether a press has to wait until the camera has looked.

    What the camera is about to say could change what the press confirms or leaves behind. Moving
    the offer or the seat and going back harm nothing.
    """
    return button is Button.CONFIRM or (step.command is not None and button is not Button.BACK)


def lamps(
    state: State,
    cursor: BoxCursor,
    looking: bool = False,
    winners: Sequence[str] = (),
    told_to_wait: bool = False,
    claimed: Sequence[str] = (),
) -> tuple[Lamp, ...]:
    """The lamps in seat order.

    `looking` while a scan is under way, `told_to_wait` just after a press that came meanwhile and
    did nothing; `winners`, and `claimed` for those who have just got a route, by colour.
    """
    cursor = settle(state, cursor)
    seats = range(len(state.facts.players))
    if looking:
        return tuple(Lamp.BLINK if told_to_wait else Lamp.PULSE for _ in seats)
    match state.facts.phase:
        case "doubts":
            return _asking(state, cursor)
        case "tickets" if cursor.warned:
            return tuple(_warning_lamp(colour, cursor) for colour in state.facts.colours)
        case "tickets":
            return tuple(_hand_lamp(seat, cursor.seat) for seat in seats)
        case "sheet":
            return tuple(Lamp.ON if c in winners else Lamp.OFF for c in state.facts.colours)
        case "look":
            return tuple(Lamp.ON if c in claimed else Lamp.OFF for c in state.facts.colours)
        case _:
            return tuple(Lamp.OFF for _ in seats)


def claims(before: State, after: State) -> tuple[str, ...]:
    """The colours that surely got a route while the game goes on, in seat order."""
    if (before.facts.phase, after.facts.phase) != ("look", "look"):
        return ()
    routes = after.facts.answers.keys() | after.proposed.routes.keys()
    doubted, doubted_before = doubtful_routes(after), doubtful_routes(before)
    new = {
        owner_of(after, route)
        for route in routes.difference(doubted)
        if route in doubted_before or owner_of(before, route) != owner_of(after, route)
    }
    return tuple(colour for colour in after.facts.colours if colour in new)


def _asking(state: State, cursor: BoxCursor) -> tuple[Lamp, ...]:
    """The offered owner's lamp blinks; all of them for nobody; all are on if nothing is asked.

    Of several owners of one place the first blinks and the others pulse.
    """
    colours = state.facts.colours
    if cursor.route is None:
        return tuple(Lamp.ON for _ in colours)
    offered = choices_for(state, cursor.route)[cursor.choice].owners
    owners = tuple(owner for owner in offered if owner is not None)
    return tuple(_offer_lamp(colour, owners) for colour in colours)


def _offer_lamp(colour: str, owners: Sequence[str]) -> Lamp:
    if not owners or colour == owners[0]:
        return Lamp.BLINK
    return Lamp.PULSE if colour in owners else Lamp.OFF


def _hand_lamp(seat: int, current: int) -> Lamp:
    """Those whose tickets are in are on, the one whose turn it is pulses."""
    if seat == current:
        return Lamp.PULSE
    return Lamp.ON if seat < current else Lamp.OFF


def _warning_lamp(colour: str, cursor: BoxCursor) -> Lamp:
    """Empty hands blink."""
    return Lamp.BLINK if colour in cursor.warned else Lamp.ON


def _is_last(state: State, cursor: BoxCursor) -> bool:
    return cursor.seat >= len(state.facts.players) - 1


def _end(state: State, cursor: BoxCursor) -> PressOutcome:
    """The sheet; while a first pass is on, the second begins with the first seat."""
    if first_pass_is_on(state.facts):
        return PressOutcome(replace(cursor, seat=0), ScoreFirstPass())
    return PressOutcome(cursor, Finished())


def _in_look(state: State, cursor: BoxCursor, button: Button) -> PressOutcome:
    if button in (Button.NEXT, Button.CONFIRM):
        first = replace(cursor, seat=0)
        return PressOutcome(first, Shown("doubts" if doubtful_routes(state) else "tickets"))
    return PressOutcome(cursor)


def _in_doubts(state: State, cursor: BoxCursor, button: Button) -> PressOutcome:
    route = cursor.route or ""
    choices = choices_for(state, route)
    match button:
        case Button.NEXT:
            return PressOutcome(replace(cursor, choice=(cursor.choice + 1) % len(choices)))
        case Button.BACK if cursor.choice > 0:
            return PressOutcome(replace(cursor, choice=cursor.choice - 1))
        case Button.BACK:
            return _back_to_the_last_answer(state, cursor)
        case _:
            return PressOutcome(
                BoxCursor(seat=0), _answer(state, route, choices[cursor.choice].owners)
            )


def _answer(state: State, route: str, owners: Owners) -> Event:
    lines = lines_with(state, route)
    if len(lines) > 1:
        return PlaceAnswered(lines, owners)
    (owner,) = owners
    if owner == state.proposed.routes[route].owner:
        return RouteConfirmed(route)
    return RouteCorrected(route, owner)


def _back_to_the_last_answer(state: State, cursor: BoxCursor) -> PressOutcome:
    """Only an answer is taken back here: a button meant for that must not undo a scan."""
    answered = isinstance(state.undoes, ANSWERS)
    return PressOutcome(BoxCursor(seat=cursor.seat), Undone() if answered else Shown("look"))


def _between_doubts(cursor: BoxCursor, button: Button) -> PressOutcome:
    return PressOutcome(
        replace(cursor, seat=0), Shown("look" if button is Button.BACK else "tickets")
    )


def _in_tickets(state: State, cursor: BoxCursor, button: Button) -> PressOutcome:
    last = _is_last(state, cursor)
    match button:
        case Button.CONFIRM if last:
            return _end(state, cursor)
        case Button.BACK if cursor.seat == 0 and not state.facts.has_map:
            return PressOutcome(cursor)
        case Button.BACK if cursor.seat == 0:
            return PressOutcome(cursor, Shown("doubts" if doubtful_routes(state) else "look"))
        case Button.BACK:
            return PressOutcome(replace(cursor, seat=cursor.seat - 1))
        case Button.NEXT:
            return PressOutcome(replace(cursor, seat=0 if last else cursor.seat + 1))
        case _:
            return PressOutcome(replace(cursor, seat=cursor.seat + 1))
