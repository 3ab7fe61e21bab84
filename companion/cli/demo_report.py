"""Prints the result of the demo: what was read, what was asked, and the sheet."""

from companion.cli.names import Speaker
from companion.cli.sheet_print import print_sheet
from companion.demo.demo import DemoOutcome, DemoScene, Question
from hardware.console.console import Lamp
from scoring.board.board import Board
from scoring.board.names import route_name
from scoring.game.colours import SYMBOL
from scoring.language import text

_LAMP_SIGN = {Lamp.OFF: "·", Lamp.ON: "●", Lamp.PULSE: "◐", Lamp.BLINK: "✺"}


def report_drawing(scene: DemoScene, language: str) -> str:
    """What has been drawn, and that it is read now, which takes a while on a small computer."""
    values = {"wagons": scene.wagons, "routes": scene.claimed, "s": scene.draw_s}
    return f"{_say(language, 'drawn', **values)}\n{_say(language, 'reading')}"


def report(outcome: DemoOutcome, board: Board, language: str) -> str:
    """The reading against the truth, the questions, and the sheet as a table."""
    speaker = Speaker(language, board)
    rows = [
        _say(
            language,
            "read",
            right=outcome.right_before_questions,
            routes=outcome.routes,
            s=outcome.look_s,
        ),
        *_questions(outcome, speaker),
        _silent(outcome, speaker),
        _say(language, "played", s=outcome.evening_s),
    ]
    return "\n".join(rows) + "\n\n" + print_sheet(outcome.sheet, language, board)


def _questions(outcome: DemoOutcome, speaker: Speaker) -> list[str]:
    if not outcome.questions:
        return [_say(speaker.language, "asked-none")]
    rows = [_say(speaker.language, "asked", count=len(outcome.questions))]
    return rows + [_question(question, speaker) for question in outcome.questions]


def _question(question: Question, speaker: Speaker) -> str:
    lamps = " ".join(_LAMP_SIGN[lamp] for lamp in question.lamps)
    right = "right" if question.said == question.truth else "wrong"
    return _say(
        speaker.language,
        f"question-{right}",
        route=route_name(speaker.board, question.route),
        said=_owner(question.said, speaker),
        truth=_owner(question.truth, speaker),
        presses=question.presses,
        lamps=lamps,
    )


def _silent(outcome: DemoOutcome, speaker: Speaker) -> str:
    if not outcome.silent:
        return _say(speaker.language, "silent-none")
    routes = ", ".join(route_name(speaker.board, route) for route in outcome.silent)
    return _say(speaker.language, "silent", count=len(outcome.silent), routes=routes)


def _owner(owner: str | None, speaker: Speaker) -> str:
    if owner is None:
        return speaker.say("nobody")
    return f"{SYMBOL[owner]} {speaker.colour(owner)}"


def _say(language: str, name: str, **values: object) -> str:
    return text(f"companion.demo.{name}", language, **values)
