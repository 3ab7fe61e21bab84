"""A board in work as the studio's pages show it."""

from collections.abc import Sequence
from math import cos, radians, sin
from zlib import crc32

from companion.studio.crossings import crossed_lines, excluded_by
from companion.studio.document import Remark
from companion.studio.draft import Box, Draft
from companion.studio.place_steps import waiting_places
from companion.studio.step_fields import LINE_COLOURS
from companion.studio.store import Work
from scoring.game.colours import COLOURS
from web.setup_port import SHOWN_WIDTH
from web.studio_port import (
    StudioBoard,
    StudioLine,
    StudioPlace,
    StudioRemark,
    StudioRules,
    StudioSpace,
    StudioTicket,
)


def shown_board(work: Work, remarks: Sequence[Remark]) -> StudioBoard:
    """All that a page of the studio needs, with what the checks found."""
    draft = work.now
    held = {place for ticket in draft.tickets for place in ticket.places}
    waiting = [number for number in waiting_places(draft) if number in held]
    used = {one.name.casefold() for number, one in draft.places.items() if number not in waiting}
    offered = dict.fromkeys([*draft.names, *(draft.places[number].name for number in waiting)])
    crossed = crossed_lines(draft)
    return StudioBoard(
        key=work.key,
        version=len(work.steps),
        height=round(SHOWN_WIDTH * draft.size_mm[1] / draft.size_mm[0], 2),
        framed=_mark_of(work),
        lines=[_line(draft, number, crossed[number]) for number in draft.lines],
        places=[_place(draft, number) for number in draft.places],
        tickets=[
            StudioTicket(
                (draft.place_name(one.places[0]), draft.place_name(one.places[1])),
                one.points,
                one.places,
            )
            for one in draft.tickets
        ],
        rules=_rules(draft),
        names=[name for name in offered if name.casefold() not in used],
        listed=len(draft.names),
        remarks=[
            StudioRemark(one.message.to_json(), one.is_error, one.lines, one.places)
            for one in remarks
        ],
        undo=str(work.steps[-1]["do"]) if work.steps else None,
        spaces=sum(len(line.boxes) for line in draft.lines.values()),
        saved_as=work.saved_as,
        line_colours=LINE_COLOURS,
    )


def _mark_of(work: Work) -> str:
    """A short word that changes with the corners."""
    return f"{crc32(work.corners_px.round(2).tobytes()):x}"


def _line(draft: Draft, number: int, crosses: Sequence[int]) -> StudioLine:
    line = draft.lines[number]
    together = [one for one in draft.lines.values() if set(one.ends) == set(line.ends)]
    return StudioLine(
        number=number,
        name=draft.line_name(number),
        ends=line.ends,
        colour=line.colour,
        ferry=line.ferry,
        tunnel=line.tunnel,
        spaces=[_space(draft, box) for box in line.boxes],
        parallels=len(together),
        excludes=excluded_by(draft, number),
        crosses=crosses,
    )


def _space(draft: Draft, box: Box) -> StudioSpace:
    unit = SHOWN_WIDTH / draft.size_mm[0]
    height = SHOWN_WIDTH * draft.size_mm[1] / draft.size_mm[0]
    x, y = box.x * SHOWN_WIDTH, box.y * height
    along, across = (side * unit / 2 for side in draft.space_size_mm)
    c, s = cos(radians(box.angle)), sin(radians(box.angle))
    corners = [
        (round(x + a * along * c - b * across * s, 1), round(y + a * along * s + b * across * c, 1))
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return StudioSpace(corners, round(x, 1), round(y, 1), box.angle)


def _place(draft: Draft, number: int) -> StudioPlace:
    place = draft.places[number]
    height = SHOWN_WIDTH * draft.size_mm[1] / draft.size_mm[0]
    return StudioPlace(
        number=number,
        name=place.name,
        shown=draft.place_name(number),
        x=round(place.x * SHOWN_WIDTH, 1),
        y=round(place.y * height, 1),
        is_country=place.is_country,
        lines=len(draft.lines_at(number)),
    )


def _rules(draft: Draft) -> StudioRules:
    rules = draft.rules
    return StudioRules(
        title=rules.title,
        edition=rules.edition,
        players=rules.players,
        colours=rules.colours,
        every_colour=COLOURS,
        wagons=rules.wagons,
        doubles_open_from=rules.doubles_open_from,
        points=rules.points,
        longest_path=rules.longest_path,
        globetrotter=rules.globetrotter,
        flag=rules.flag,
        stations=rules.stations,
    )
